"""Prepare a graded notebook for its learner: what each task earned, and nothing that is not theirs to see."""

import re
import site
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.v4 import new_markdown_cell
from nbgrader.preprocessors import GetGrades
from nbgrader.utils import is_grade, is_solution, is_task

from ..catalogue import EXERCISES
from ..grading.examiner import is_scored
from ..grading.one_notebook import settings
from ..grading.outputs import KEY
from ..intake.course_folder import autograded_notebook
from ..intake.names import whom
from ..intake.own_numbers import as_given, asks_otherwise, own_numbers
from ..intake.students import names_of
from ..intake.wording import gist, in_points, lesson_in_words, points
from ..learner.card import marked_up
from .rendering import FeedbackPage

MARKUP = re.compile(r"[|$_*\[\]\\~#!:@]")  # of Markdown, in the middle of a line
NO_NAME = re.compile(r"[^\w ]|_")  # in a name for Markdown, in which it might be markup or a formula
SIGNS = {sign: f'<span class="{name}">{sign}</span>' for name, sign in zip(("ok", "so", "no"), "✓◐✗")}
HIDDEN = {"jupyter": {"source_hidden": True}, "transient": {"remove_source": True}}  # in JupyterLab, in a page
LONGEST_ID = 64  # characters, of cells
UNWRITTEN = "No response.", "code"  # what nbgrader comments on a cell without an answer; there the card says it
NOT_WRITTEN = "Not written yet."
KEPT = ("kernelspec", "language_info")
# What a traceback may name and learners need not see, the longest first.
FOLDERS = {*site.getsitepackages(), sys.prefix, sys.base_prefix, Path(__file__).parents[2], Path.home(), Path.cwd()}
FOLDERS = {place for folder in map(Path, FOLDERS) for place in (folder, folder.resolve())} | {tempfile.gettempdir()}
PLACES = sorted((str(place) for place in FOLDERS if len(str(place)) > len("C:/")), key=len, reverse=True)
PLACES = re.compile("|".join(map(re.escape, PLACES)))
ABOVE = (
    "**This notebook asks with other numbers than yours.** "
    "Calculations were judged with yours, and each says with which. "
    "Did you hand in another notebook by mistake? Then tell whoever teaches you."
)
JUDGED_WITH = "The text above asks with other numbers. This answer was judged with yours: `{}`."


class Marked(GetGrades):
    """A preprocessor that adds the gradebook's points, and whether somebody has given them, or should."""

    def _get_score(self, cell, resources):
        super()._get_score(cell, resources)
        about, where = cell.metadata.nbgrader, (self.notebook_id, self.assignment_id, self.student_id)
        grade = self.gradebook.find_grade(about.grade_id, *where)
        about["waits"], about["by_hand"] = grade.needs_manual_grade, grade.manual_score is not None


def marked(course, lesson, student):
    """Return a graded notebook, with the points that each cell has in the gradebook."""
    about = dict(student=student, assignment=lesson, notebook=lesson, db_url=course.coursedir.db_url)
    graded = nbformat.read(autograded_notebook(course.coursedir, lesson, student), as_version=4)
    return Marked(config=course.config).preprocess(graded, {"nbgrader": about})[0]


class Returned(Marked):
    """A preprocessor that makes what a learner gets, and writes the notebook beside the page, for JupyterLab."""

    def preprocess(self, nb, resources):
        nb, resources = super().preprocess(nb, resources)
        about = resources["nbgrader"]
        about["whom"] = whom(about["student"], names_of(about["db_url"]))
        handed_out = own_numbers(about["db_url"], about["notebook"])
        others = asks_otherwise(nb, about["notebook"], about["student"], handed_out)
        asked = [as_given(EXERCISES[name], handed_out.get(about["student"], {})) for name in others]
        about["other_numbers"] = {each.name: JUDGED_WITH.format(each.numbers_in_words) for each in asked}
        nb = returned(nb, about)
        resources.setdefault("outputs", {})[f"{about['notebook']}.ipynb"] = nbformat.writes(nb).encode()
        return nb, resources


def returned(nb, about):
    """Return a notebook with the points of its tasks, and put into `about`, nbgrader's facts, what a page needs."""
    tasks, numbers = tasks_in(nb.cells), about.get("other_numbers", {})
    about["lines_above_cards"] = {task.heading_id: task.lines for task in tasks}
    about["title"] = lesson_in_words(about["notebook"])
    headings = {task.begins: task for task in tasks}
    cells = [part for n, cell in enumerate(nb.cells) for part in _returned(cell, headings.get(n), numbers)]
    nb.cells = [new_markdown_cell(_summary(tasks, about), id="points"), *map(_bare, cells)]
    nb.metadata = {name: nb.metadata[name] for name in KEPT if name in nb.metadata}
    return nbformat.from_dict(nb)


def page_of(notebook, result):
    """Return the page of feedback as HTML, with points from the result, as there is no gradebook."""
    earned = {one["name"]: one["points"] for one in result["exercises"]}
    for cell in filter(is_grade, notebook.cells):
        score = earned[name_of(cell)]
        cell.metadata.nbgrader.update(score=score or 0.0, waits=score is None)
    about = dict(notebook=result["lesson"], score=result["score"], max_score=result["max"], whom="")
    exporter = FeedbackPage(config=settings())
    return exporter.from_notebook_node(returned(notebook, about), {"nbgrader": about})[0]


def _summary(tasks, about):
    """Return the table at the top: all points, and of each task whether it is right, its points, and a sentence."""
    late = [f"| | too late | -{points(about['late_penalty'])} | |"] if about.get("late_penalty") else []
    title = f"# {about['title']}, {points(about['score'])} of {in_points(about['max_score'])}"
    numbers = [ABOVE, ""] if about.get("other_numbers") else []
    head = [title, "", NO_NAME.sub(_as_entity, about["whom"]), "", *numbers, "| | task | points | what was found |"]
    return "\n".join([*head, "|---|---|---|---|", *(task.row for task in tasks), *late])


def _as_entity(found):
    return f"&#{ord(found[0])};"


def _returned(cell, task, other_numbers):
    """Yield the cell, with the points as a heading above an answer, and an instructor's comment below it."""
    if is_scored(cell):
        cell.source = ""
        for output in cell.outputs:
            if output.output_type == "error":  # its traceback would show lines of a test that learners did not see
                output.traceback = [f"{output.ename}: {output.evalue}"]
    if task:
        said = "\n\n".join(filter(None, [task.heading, other_numbers.get(task.name)]))
        yield new_markdown_cell(said, id=task.heading_id)
    yield cell
    comment = cell.metadata.get("nbgrader", {}).get("comment")
    if comment and (comment, cell.cell_type) != UNWRITTEN:
        yield new_markdown_cell(
            f"**A comment on this answer:**\n\n{comment}", id=f"comment_{name_of(cell)}"[:LONGEST_ID]
        )


def _bare(cell):
    """Return the cell without what is for graders, and without folders of the computer that graded."""
    cell.metadata = nbformat.from_dict(HIDDEN if cell.cell_type == "code" and not cell.source else {})
    for output in cell.get("outputs", ()):
        output.update({"metadata": {}} if "metadata" in output else {})
        output.update(_without_folders(output))
    return cell


def _without_folders(part, name=""):
    """Return a part of an output in which no text names a folder of this computer."""
    if isinstance(part, dict):
        return nbformat.from_dict({name: _without_folders(inner, name) for name, inner in part.items()})
    if isinstance(part, list):
        return [_without_folders(text) for text in part]
    return PLACES.sub("…", part) if isinstance(part, str) and not name.startswith("image/") else part


@dataclass(frozen=True)
class Task:
    """A task with points. begins: the place of the cell where the answer begins, and above which its heading goes.

    lines: of code between that heading and the card, about.
    """

    name: str
    earned: float
    of: float
    waits: bool
    by_hand: bool
    verdict: dict
    begins: int
    lines: int
    heading_id: str

    @property
    def heading(self):
        earned = "not marked yet," if self.waits else f"{points(self.earned)} of"
        return f"#### {self.name}: {earned} {in_points(self.of)}"

    @property
    def cells(self):
        """Return what a table says of it: a sign, which is that of cards, its name, its points, and a sentence."""
        sign = "○" if self.waits else "✓" if self.earned >= self.of else "◐" if self.earned > 0 else "✗"
        earned = "–" if self.waits else points(self.earned)
        return sign, self.name, f"{earned} of {points(self.of)}", self.sentence

    @property
    def row(self):
        """Return its row in the table at the top of the page."""
        sign, name, earned, sentence = self.cells
        anchor = self.heading.lstrip("# ").replace(" ", "-")  # as pages and JupyterLab call a heading
        found = MARKUP.sub(_as_entity, marked_up(sentence))  # `code` and *emphasis* stay, all else is text
        return f"| {SIGNS.get(sign, sign)} | [{name}](#{anchor}) | {earned} | {found} |"

    @property
    def sentence(self):
        """Return what was found, but not where an instructor gave other points, which it would not fit."""
        if self.waits or not self.verdict:
            return "Somebody reads this and gives it points." if self.waits else "Marked by hand." * self.by_hand
        if self.by_hand:
            return "Marked by hand."
        if self.verdict["reason"] == "unwritten":
            return NOT_WRITTEN
        return gist(self.verdict["message"].removeprefix("Right. "))


def tasks_in(cells):
    """Return all tasks that have points, in the order of the notebook."""
    answers = {name_of(cell): n for n, cell in reversed(list(enumerate(cells))) if is_solution(cell)}
    tasks = []
    for n, cell in enumerate(cells):
        if is_grade(cell) or is_task(cell):
            name, about, begins = name_of(cell), cell.metadata["nbgrader"], min(answers.get(name_of(cell), n), n)
            lines = sum(above.source.count("\n") + 2 for above in cells[begins:n])
            found = [output.metadata[KEY] for output in cell.get("outputs", ()) if KEY in output.get("metadata", {})]
            marks = about["score"], about["points"], about.get("waits", False), about.get("by_hand", False)
            if about.get("comment") == UNWRITTEN[0]:
                found.append({"reason": "unwritten"})  # of an answer in words nothing else says it
            where = begins, lines, f"points_{cell.get('id', name)}"[:LONGEST_ID]
            tasks.append(Task(name, *marks, found[0] if found else None, *where))
    return tasks


def name_of(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id", "").removeprefix("check_")
