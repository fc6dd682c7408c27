"""Submissions that are odd as files, in a class that `mha grade` grades: each costs at most itself."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from classroom import CONFIG, Submission, mha_here, open_course, points_in, scores
from helpers import ROOT, our_answers
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

from autograder.grading.fingerprints import fingerprint, what_judges
from autograder.grading.outputs import verdicts_of
from autograder.grading.whole_class import Graded
from autograder.intake.progress_output import tell

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("strange_submissions"),
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there are no such names"),
]
LESSON = "lesson_00_start_here"
NOT_UTF8 = os.fsdecode(b"m\xfcller")
MOST = sum(points_in(LESSON).values())
COMMANDS = f"\x1b[2J\x1b]0;mine\x07\nada lesson {MOST} of {MOST}"


def output(verdict):
    return dict(
        output_type="execute_result", execution_count=1, data={"text/plain": "1"}, metadata=dict(verdict=verdict)
    )


def text_with_a_verdict(verdict):
    """A cell of text is not run, and nobody takes its outputs away."""

    def surgery(notebook):
        notebook.cells.append(dict(new_markdown_cell("text"), outputs=[output(verdict)]))

    return surgery


def text_whose_outputs_are_none(notebook):
    notebook.cells.append(dict(new_raw_cell("text"), outputs=3))


def say_nothing_a_million_times(file):
    """Two bytes in the file, and kilobytes in memory."""
    file.write_text(
        '{"cells": [], "metadata": {"x": [' + "{}," * 1_000_000 + '{}]}, "nbformat": 4, "nbformat_minor": 5}'
    )


def dig(file):
    """A folder in a folder, a thousand times and more."""
    here = Path.cwd()
    try:
        os.chdir(file.parent)
        for _ in range(1500):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(here)


def spread(file):
    """For each file nbgrader looks at all others."""
    for number in range(3000):
        Path(f"{file}_{number}").touch()


def stretch(file):
    """Eight terabytes that take no room."""
    with file.open("wb") as stretched:
        stretched.truncate(2**43)


def cells_of_one_name(notebook):
    """Whoever reads the notebook warns of each."""
    notebook.cells += [dict(new_markdown_cell("text"), id="same") for _ in range(100)]


GRADED = {
    "ada": {},
    "ada_has_a_name_for_all": dict(surgery=cells_of_one_name),
    "bo_forges": dict(surgery=text_with_a_verdict(dict(task="forged", reason="right", score=1.0))),
    "bo_forges_badly": dict(surgery=text_with_a_verdict({})),
    "bo_has_no_outputs": dict(surgery=text_whose_outputs_are_none),
    "bo_names_a_folder": dict(files={"more.ipynb/more.ipynb": "{}"}),
    "bo_has_two_notebooks": dict(files={os.fsdecode(b"more\xff.ipynb"): "{}"}),
    "cem_hides_a_broken_notebook": dict(files={".x.ipynb": "{"}),
    "cem_hides_a_folder": dict(files={".x.ipynb/x": ""}),
    "zoe": {},
}
REFUSED = {
    "bo_has_no_time": dict(files={"timestamp.txt": "yesterday, I think"}),
    "dee\nhas_two_lines": {},
    "dee_digs": dict(files={"x": dig}),
    "dee_says_nothing": dict(files={f"{LESSON}.ipynb": say_nothing_a_million_times}),
    "dee_spreads": dict(files={"x": spread}),
    "dee_stretches": dict(files={"x": stretch}),
    "eli_commands": dict(files={COMMANDS: os.mkfifo}),
    "z*": {},
    "x" * 253: {},
    NOT_UTF8: {},
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A graded class, and what was said."""
    root, ours = tmp_path_factory.mktemp("course"), our_answers(LESSON)
    submissions = {name: Submission(ours, **odd) for name, odd in (GRADED | REFUSED).items()}
    open_course(root, LESSON, submissions, CONFIG.format(root=str(root), limit=15), short=True)
    yield root, mha_here(root, "grade", LESSON, "--trust-submissions")
    subprocess.run(["rm", "-rf", root / "submitted"], check=False)  # holes may be too deep for Python


def test_all_others_are_graded(course):
    """A line for each, and a number at the end."""
    root, done = course
    assert done.stderr == f"Error: {len(REFUSED)} submissions not fully graded: see above.\n"
    assert sum(f" {LESSON}  " in line for line in done.stdout.splitlines()) == len(GRADED | REFUSED)
    assert all(sum(scores(root, LESSON, student).values()) == MOST for student in GRADED)


@pytest.mark.parametrize(
    "student, why",
    [
        ("bo_has_no_time", "timestamp.txt holds no time that can be read: write one into it"),
        ("dee\\nhas_two_lines", "cannot be the name of a student's folder: rename it"),
    ],
)
def test_it_is_said_what_to_do(course, student, why):
    """And where; also of a folder that nbgrader does not see at all."""
    _, done = course
    assert why in next(line for line in done.stdout.splitlines() if line.startswith(student))


def test_a_second_notebook_whose_name_is_no_text(course):
    """Is told, and costs nothing; it is kept, and lies where it lay."""
    root, done = course
    line = next(line for line in done.stdout.splitlines() if line.startswith("bo_has_two_notebooks"))
    assert f"{MOST} of {MOST}" in line and "Beside it lay more\\udcff.ipynb: not graded, and kept in received/" in line
    kept = os.listdir(root / "received" / LESSON / "bo_has_two_notebooks" / "1")
    beside = os.listdir(root / "submitted" / "bo_has_two_notebooks" / LESSON)
    assert "more\udcff.ipynb" in kept and "more\udcff.ipynb" in beside and len(beside) == 2


def test_a_terminal_is_told_nothing(course):
    """Escape sequences and line breaks of names are seen, not obeyed."""
    _, done = course
    assert "\x1b" not in done.stdout and "\x07" not in done.stdout and "\\x1b[2J" in done.stdout


def test_no_verdict_is_forged(course):
    """Only what the examiner wrote is a verdict: what a text shows is left out."""
    root, _ = course
    file = root / "autograded" / "bo_forges" / LESSON / f"{LESSON}.ipynb"
    assert "forged" not in file.read_text()
    assert len(verdicts_of(nbformat.read(file, as_version=4))) == len(our_answers(LESSON))


def test_names_that_no_terminal_can_write(capsys):
    """Half of a character is no reason to stop."""
    graded = (Graded(LESSON, NOT_UTF8, trouble="x"), Graded(LESSON, "ada"))
    assert tell((one for one in graded), [NOT_UTF8, "ada"]) == [graded[0]]
    assert "m\\udcfcller" in capsys.readouterr().out


def test_what_of_a_submission_decides_a_score(tmp_path):
    """The text of its cells, and when it came: not what they showed, nor what lies beside the notebook."""
    handed_in = tmp_path / "submitted" / "ada" / LESSON
    handed_in.mkdir(parents=True)
    cell, file = new_code_cell("x = 1"), handed_in / f"{LESSON}.ipynb"

    def seen():
        file.write_text(nbformat.writes(new_notebook(cells=[cell])))
        return fingerprint(coursedir(tmp_path), LESSON, "ada")

    before = seen()
    cell.execution_count, cell.outputs = 7, [new_output("stream", text="1")]
    (handed_in / "notes.txt").write_text("mine")
    assert seen() == before
    (handed_in / "timestamp.txt").write_text("2026-03-02 18:00:00 UTC")
    late = seen()
    cell.source = "x = 2"
    assert len({before, late, seen()}) == 3


def test_a_class_is_graded_again_for_what_judges_alone():
    """And for what writes its cards: not for another sentence in a report, or in a command."""
    files = {str(file.relative_to(ROOT)) for file in what_judges()}
    decide = (
        "judging/judge.py",
        "judging/advice.toml",
        "judging/layers/state.py",
        "learner/card.py",
        "cases.py",
    )
    assert {f"autograder/{name}" for name in decide} | {"mha_lessons/course.toml"} <= files
    assert not [name for name in files if name.startswith(("autograder/teaching", "autograder/cli"))]


def coursedir(root):
    return SimpleNamespace(
        root=root,
        db_url=f"sqlite:///{root}/gradebook.db",
        submitted_directory="submitted",
        source_directory="solutions",
        format_path=lambda folder, student, lesson: str(root / folder / student / lesson),
    )
