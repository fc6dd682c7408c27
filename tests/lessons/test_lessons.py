"""The lessons as learners get them: built from their text, free of solutions, and running from top to bottom."""

import os
import re
import shutil
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from click import ClickException
from helpers import ROOT, released, solved
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import mha_ref
from autograder import EXERCISES, judge
from autograder.build import build, solution_notebook
from autograder.catalogue import LESSONS
from autograder.course import installed
from autograder.exercise import Exercise
from autograder.question import Question

IN_TORCH = pytest.mark.slow  # those train, and take longer
RUN = [*LESSONS[:4], *(pytest.param(lesson, marks=IN_TORCH) for lesson in LESSONS[4:])]
LONG = 30  # characters of a line that nobody writes twice by chance


def text_of(notebook):
    """All that a learner sees before running anything, line by line, without indentation."""
    return "\n".join(line.strip() for cell in notebook.cells for line in cell.source.splitlines())


def regions(lesson):
    """The solutions of a lesson: lists of lines."""
    source = installed().text(lesson).read_text(encoding="utf-8")
    found = re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", source, flags=re.S)
    return [[line.strip() for line in region.splitlines() if line.strip()] for region in found]


@pytest.mark.nightly  # CI builds the lessons in any case
def test_a_rebuild_changes_nothing(tmp_path):
    """The notebooks in git are exactly what their text makes, to the byte."""
    for folder in ("solutions", "course"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    assert build(tmp_path) == []


def test_no_solution_leaks():
    """No two consecutive lines of any solution, and no long line that its own lesson does not show."""
    seen = {lesson: text_of(released(lesson)) for lesson in LESSONS}
    for lesson, lines in ((name, lines) for name in LESSONS for lines in regions(name)):
        for pair in pairwise(lines):
            assert "\n".join(pair) not in seen[lesson]
        for line in (line for line in lines if len(line) >= LONG and line not in seen[lesson]):
            assert not [other for other in LESSONS if line in seen[other]], line


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_explanation_leaks(lesson):
    """What a misconception says is read by the one who has it, not by everyone before."""
    text = " ".join(text_of(released(lesson)).split())
    for name, task in EXERCISES.items():
        misconceptions = task.own_mistakes if isinstance(task, Exercise) else []
        messages = [m.message for m in misconceptions] or list(getattr(task, "wrong", {}).values())
        for message in messages:
            first = " ".join(message.split()).split(". ")[0]
            assert len(first) < LONG or first not in text, (name, first)


@pytest.mark.parametrize("lesson", RUN)
def test_the_untouched_lesson_runs_to_its_end(lesson):
    """Run All before writing anything: no error, and every exercise says that it is not written yet."""
    cards, _ = run_all(released(lesson))
    assert sorted(card.title for card in cards) == sorted(map(unwritten, asked(lesson)))


def asked(lesson):
    """What a lesson asks: its own tasks, and what earlier or later ones ask too."""
    ids = [cell.metadata.nbgrader.grade_id for cell in released(lesson).cells if "nbgrader" in cell.metadata]
    tasks = [EXERCISES[name.removeprefix("check_").removeprefix("again_")] for name in ids if name.startswith("check_")]
    assert {task.name for task in tasks} >= {name for name, task in EXERCISES.items() if task.lesson == lesson}
    return tasks


def unwritten(task):
    return f"○ {task.name}: not {'answered' if isinstance(task, Question) else 'written'} yet"


@pytest.mark.parametrize("lesson", LESSONS[:4])
def test_the_solved_lesson_earns_every_point(lesson):
    """Run All on the solution notebook: every check says right, and pictures have words for those who do not see.

    tests/test_book.py says so of all lessons: a book is made of them, run.
    """
    cards, pictures = run_all(solved(lesson))
    assert [card.title for card in cards if not card.title.startswith("✓")] == []
    assert len(cards) == len(asked(lesson))
    assert pictures and [picture.alt for picture in pictures if len(picture.alt.split()) < 6] == []


def run_all(notebook):
    """Run all cells in this process, as Jupyter does it for the book; returns the checks' cards, and all pictures."""
    shell, results = InteractiveShell(), []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            with capture_output(), patch.dict(os.environ, NBGRADER_EXECUTION="1"):  # trainings are cut short
                result = shell.run_cell(cell.source)
            result.raise_error()
            results.append(result.result)
    pictures = [picture for r in results for picture in getattr(r, "pictures", [r]) if hasattr(picture, "alt")]
    return [r.card for r in results if hasattr(r, "card")], pictures


@pytest.mark.parametrize("lesson", LESSONS)
def test_headings_are_in_order(lesson):
    """One title, and no level left out: that is how a screen reader finds its way."""
    markdown = "\n".join(cell.source for cell in released(lesson).cells if cell.cell_type == "markdown")
    levels = [len(marks) for marks in re.findall(r"^(#+) ", markdown, flags=re.M)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(deeper <= level + 1 for level, deeper in pairwise(levels))


def test_no_heading_is_lost_in_a_code_cell():
    """Without its `# %% [markdown]`, text becomes comments at the end of the cell above, which is often folded."""
    for lesson in LESSONS:
        code = [cell.source for cell in released(lesson).cells if cell.cell_type == "code"]
        assert not [source for source in code if re.search("^# #", source, flags=re.M)], lesson


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_stub_says_what_is_asked(lesson):
    """Every function to write has a docstring that names its shapes."""
    sources = [cell.source for cell in released(lesson).cells if cell.cell_type == "code"]
    for task in (t for t in EXERCISES.values() if t.lesson == lesson and isinstance(t, Exercise)):
        stub = next(source for source in sources if re.search(rf"(def|class) {task.name}\(", source))
        assert '"""' in stub and "->" in stub, task.name


def test_names_that_a_class_may_use_stand_above_its_check():
    """Whoever calls matrices by usual names reads that before the check finds them."""
    ids = ["`q_proj`" if "`q_proj`" in cell.source else cell.id for cell in released("lesson_04_single_head").cells]
    assert ids.index("`q_proj`") < ids.index("check_AttentionHead")


def test_a_free_cell_has_a_solution_and_no_check():
    """A plot of one's own: what we drew is in the notebook with solutions, and what is drawn earns nothing."""
    name, lesson = "draw_map", "lesson_05_multi_head"
    ours, theirs = (
        {cell.metadata.nbgrader.grade_id: cell for cell in notebook(lesson).cells if "nbgrader" in cell.metadata}
        for notebook in (solved, released)
    )
    assert "plt.ylabel" in ours[name].source and "plt.ylabel" not in theirs[name].source
    assert not theirs[name].metadata.nbgrader.grade and f"check_{name}" not in theirs


def test_the_right_order_of_the_lines_in_the_text_computes_attention():
    """Each line makes what the next one uses, and what comes back is what the reference computes."""
    text = "\n".join(cell.source for cell in released("lesson_02_scaled_dot_product").cells)
    lines = dict(re.findall(r"^([a-h])   (.*)$", text, re.MULTILINE))
    body = "\n    ".join(lines[letter] for letter in EXERCISES["attention_in_order"].answer.split())
    variables = {"np": np, "softmax": mha_ref.softmax}
    exec(f"def attention(query, key, value):\n    {body}", variables)
    assert len(lines) == 8 and judge(variables["attention"], "scaled_dot_product_attention").right


BROKEN = [
    (
        "def softmax(scores, axis=-1):\n    ### BEGIN SOLUTION\n    return (\n    ### END SOLUTION",
        r"lesson.py:\d+: .*never closed",
    ),
    ('# %% exercise="sofmax"\nx = 1', r"softmax/text/lesson.py:4: .*no exercise 'sofmax'"),
    ('# %% exercise="softmax"\ndef softmax(scores): pass', r"lesson.py:4: softmax needs ### BEGIN SOLUTION"),
    ("x = 1", "occurs 0 times"),
]


@pytest.mark.parametrize(("cell", "message"), BROKEN)
def test_a_broken_lesson_stops_the_build_with_its_place(tmp_path, cell, message):
    """The author reads the file and the line."""
    lesson = tmp_path / "lesson_01_softmax" / "text" / "lesson.py"
    lesson.parent.mkdir(parents=True)
    header = "" if cell.startswith("# %%") else "# %%\n"
    lesson.write_text(f"# %% [markdown]\n# # Title\n{header}{cell}\n")
    with pytest.raises(ClickException, match=message):
        solution_notebook(lesson)
