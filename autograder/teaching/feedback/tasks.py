"""The tasks of a graded notebook: what each earned, said in a sentence, and where its answer begins."""

import re
from dataclasses import dataclass

from nbgrader.utils import is_grade, is_solution, is_task

from ...grading.verdicts import KEY
from ...intake.wording import gist, points
from ...learning.card import marked_up

MARKUP = re.compile(r"[|$_*\[\]\\~#!:@]")  # of Markdown, in the middle of a line
LINES_OF_A_PICTURE = 20
RIGHT, PARTLY, WRONG = (f'<span class="{name}">{mark}</span>' for name, mark in zip(("ok", "so", "no"), "✓◐✗"))


@dataclass(frozen=True)
class Task:
    """A task with points. begins: the place of the cell where the answer begins, and above which its heading goes.

    lines: of code and output between that heading and the card, about.
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
        return f"#### {self.name}: {earned} {points(self.of)} {'point' if self.of == 1 else 'points'}"

    @property
    def row(self):
        """Return the row of this task in the table at the top of the page."""
        anchor = self.heading.lstrip("# ").replace(" ", "-")  # as pages and JupyterLab call a heading
        earned = "–" if self.waits else points(self.earned)
        name, found = f"[{self.name}](#{anchor})", _in_a_table(self.sentence)
        return f"| {self.mark} | {name} | {earned} of {points(self.of)} | {found} |"

    @property
    def mark(self):
        """Return the sign that cards have: right, partly right, not right, or waiting for a mark by hand."""
        if self.waits:
            return "○"
        return RIGHT if self.earned >= self.of else PARTLY if self.earned > 0 else WRONG

    @property
    def sentence(self):
        """Return what was found, but not where an instructor gave other points, which it would not fit."""
        if self.waits or not self.verdict:
            return "Somebody reads this and gives it points." if self.waits else "Marked by hand." * self.by_hand
        if self.by_hand and self.earned != self.verdict["points"]:
            return "Marked by hand."
        if self.verdict["reason"] == "unwritten":
            return "Not written yet."
        return gist(self.verdict["message"].removeprefix("Right. "))


def tasks_in(cells):
    """Return all tasks that have points, in the order of the notebook."""
    answers = {name_of(cell): n for n, cell in reversed(list(enumerate(cells))) if is_solution(cell)}
    graded = [(n, cell) for n, cell in enumerate(cells) if is_grade(cell) or is_task(cell)]
    return [_task(cells, min(answers.get(name_of(cell), n), n), n) for n, cell in graded]


def _task(cells, begins, judged):
    cell = cells[judged]
    about, verdict = cell.metadata["nbgrader"], _verdict(cell)
    lines = sum(_lines(cell) for cell in cells[begins:judged])
    facts = about.get("waits", False), about.get("by_hand", False), verdict
    where = begins, lines, f"points_{cell.get('id', name_of(cell))}"[:64]
    return Task(name_of(cell), about["score"], about["points"], *facts, *where)


def name_of(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id", "").removeprefix("check_")


def _verdict(cell):
    outputs = cell.get("outputs", ())
    return next((output.metadata[KEY] for output in outputs if KEY in output.get("metadata", {})), None)


def _lines(cell):
    """Return how many lines a cell takes on a page, roughly."""
    shown = ("".join(output.get("text", "") or output.get("traceback", "")) for output in cell.get("outputs", ()))
    pictures = sum("image" in str(list(output.get("data", ()))) for output in cell.get("outputs", ()))
    return sum(text.count("\n") + 2 for text in (cell.source, *shown)) + LINES_OF_A_PICTURE * pictures


def _in_a_table(sentence):
    """Return a sentence for a table in Markdown: `code` and *emphasis* stay, all else is text."""
    return MARKUP.sub(lambda found: f"&#{ord(found[0])};", marked_up(sentence))
