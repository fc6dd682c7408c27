"""`mha status` and `mha show`: how far the work of a class is, and the work of one student."""

import re
from io import StringIO

import click
import pytest
from classroom import CONFIG, Submission, mha_here, open_course, points_in
from helpers import our_answers
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook
from rich.console import Console

from autograder.intake.course_folder import class_of, note_class
from autograder.intake.students import Student
from autograder.teaching.returned import tasks_in
from autograder.teaching.status import to_read

LESSON = "lesson_01_softmax"
MOST = sum(points_in(LESSON).values())
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("status")]  # graded once, for all tests here
CLASS = {"ada": "Okafor, Ada", "bo": "Lindqvist, Bo", "cem": "Haddad, Cem", "dee": "Novak, Dee", "eli": "O'Neil, Eli"}
WRONG = """def softmax(scores, axis=-1):
    \"\"\"\x1b[2J\"\"\"
    return np.exp(scores)
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """All right, one answer that would clear a terminal and one left out, a file cut off; one missing, one excused."""
    root, ours = tmp_path_factory.mktemp("course"), our_answers(LESSON)
    cut_off = Submission(ours, files={f"{LESSON}.ipynb": '{"cells": ['})
    some = {name: answer for name, answer in ours.items() if name != "sum_bounds"} | {"softmax": WRONG}
    class_ = {"ada": Submission(ours), "bo": Submission(some), "cem": cut_off}
    open_course(root, LESSON, class_, CONFIG.format(root=str(root), limit=15), short=True)
    students = [Student(student, name, excused=student == "eli") for student, name in CLASS.items()]
    note_class(root, LESSON, students)
    return root


@pytest.fixture(scope="module")
def before(course):
    """What was said when nothing was graded."""
    return mha_here(course, "status").stdout, mha_here(course, "show", "bo").stdout


@pytest.fixture(scope="module")
def graded(course, before):
    """All but the one that cannot be; bo has an answer that somebody should mark, ada has her feedback."""
    mha_here(course, "grade", LESSON, "--trust-submissions")
    assert mha_here(course, "feedback", "1", "Ada Okafor").returncode == 0
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        gradebook.find_grade("check_softmax", LESSON, LESSON, "bo").needs_manual_grade = True
        gradebook.db.commit()
    return course


def rows(said):
    """Of a table without its head: the cells, which more than one blank parts."""
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in said.splitlines()[1:] if line]


def test_before_anything_is_graded(before):
    """What came in, who is missing, and the command that comes next."""
    status, shown = before
    assert rows(status)[0] == ["Lesson 01: softmax", "3", "·", "·", "·", "·", "1"]
    assert "Lesson 01: 3 to grade, with mha grade 01" in status
    assert shown.startswith("Bo Lindqvist (bo)\n\nLesson 01: softmax\nNot graded") and "mha grade" in shown


def test_lessons(graded):
    """Each with numbers, and what is to do in it."""
    said = mha_here(graded, "status").stdout
    assert rows(said)[0] == ["Lesson 01: softmax", "3", "2", "1", "1", "1", "1"]
    assert "Lesson 01: 1 to mark by hand, with mha mark or in formgrader" in said
    assert "Lesson 01: 1 page of feedback to make, with mha feedback 01" in said


def test_students_of_a_lesson(graded):
    """What is done comes first, and last what is wrong, with the reason; names are those of the class list."""
    said = rows(mha_here(graded, "status", "softmax").stdout)[:5]
    assert said[0] == ["Ada Okafor (ada)", f"{MOST} of {MOST}", "made", "graded"]
    assert said[1] == ["Eli O'Neil (eli)", "excused"]
    assert said[2][::2] == ["Bo Lindqvist (bo)", "waits for your mark"]
    assert said[3] == ["Dee Novak (dee)", "handed in nothing"]
    assert said[4][0] == "Cem Haddad (cem)" and "cut off" in said[4][-1]


@pytest.mark.nightly
def test_a_page_that_is_older_than_the_grading(graded):
    """It tells of the grading before, and is to be made again."""
    mha_here(graded, "grade", "1", "ada", "--again", "--trust-submissions")
    said = mha_here(graded, "status", "1").stdout
    assert "older than the grading" in said and "2 pages of feedback to make" in said


@pytest.fixture(scope="module")
def fed_back(graded):
    assert mha_here(graded, "feedback", "1", "bo").returncode == 0
    return graded


@pytest.mark.parametrize("name", ["Lindqvist, Bo", "bo", "Bo Lindqvist", "Bo Lindqvist (bo)"])
def test_a_student(fed_back, name):
    """By any name: the marks, the code and the card of what has not all points, and a line for what was left out."""
    said = " ".join(mha_here(fed_back, "show", name, "softmax").stdout.split())
    assert f"Lesson 01: softmax {MOST - 4} of {MOST} points task" in said
    assert re.search("○ softmax – of 3", said) and re.search("✓ weight_ratio 1 of 1 Right", said)
    assert "return np.exp(scores)" in said and "when it is divided by what all" in said
    assert "weight_ratio =" not in said
    assert said.count("sum_bounds") == 1 and "sum_bounds 0 of 1 Not written yet." in said


def test_nothing_of_it_is_obeyed_by_a_terminal(fed_back):
    """What a learner wrote is shown as signs."""
    said = mha_here(fed_back, "show", "bo").stdout
    assert "\x1b" not in said and "\\x1b[2J" in said


NOTHING_WRITTEN = "No response."  # as nbgrader comments on code, where a card says it


def told_of(**facts):
    """What `show` says of an answer in words, with a text around it, and of two steps, of which one has a comment."""
    cells = [
        _cell(new_markdown_cell, "A text of the lesson."),
        _cell(new_code_cell, "step = 1", grade_id="step", grade=False, solution=True, comment="Shorter!"),
        _cell(new_code_cell, "half = 2", grade_id="half", grade=False, solution=True, comment=NOTHING_WRITTEN),
        _cell(new_code_cell, "check(half=half)", grade_id="check_half", grade=True, points=1, score=0.0),
        _cell(new_code_cell, "see_the_future(half)"),
        _cell(new_markdown_cell, "It looks back.", grade_id="words", grade=True, solution=True, points=4, **facts),
        _cell(new_markdown_cell, "The next text."),
    ]
    screen = Console(file=StringIO(), width=100)
    for part in to_read(cells, tasks_in(cells)):
        screen.print(part)
    return " ".join(screen.file.getvalue().split())


def _cell(kind, text, **facts):
    return kind(text, metadata=dict(nbgrader=dict(schema_version=3) | facts if facts else {}))


def test_an_answer_in_words():
    """It is shown while it waits and where it lost points, and its comment always; texts and pictures are not."""
    said = told_of(score=0.0, waits=True)
    assert "step = 1 A comment on this answer: Shorter! half: 0 of 1 point half = 2" in said
    assert said.endswith("words: not marked yet, 4 points It looks back.")
    assert not any(words in said for words in ("text", "see_the_future", NOTHING_WRITTEN))
    said = told_of(score=0.0, comment=NOTHING_WRITTEN)
    assert "It looks back" not in said and "words" not in said and NOTHING_WRITTEN not in said
    said = told_of(score=4.0, by_hand=True, comment="Which *head*?")
    assert said.endswith("words: 4 of 4 points A comment on this answer: Which head?")


def test_whose_file_cannot_be_graded(graded):
    """The reason, and no marks."""
    said = mha_here(graded, "show", "Cem Haddad").stdout
    assert "Not graded: " in said and "cut off" in " ".join(said.split()) and "points" not in said


def test_a_mark_by_hand(fed_back, tmp_path):
    """It counts at once, the page says so with the comment, and the table of marks has it."""
    said = mha_here(fed_back, "mark", "Bo Lindqvist", "softmax", "2.5", "--comment", "Nearly: *divide*.").stdout
    assert said == "Bo Lindqvist (bo), softmax: 2.5 of 3 points by hand.\nThe page of feedback has it, too.\n"
    shown = " ".join(mha_here(fed_back, "show", "bo").stdout.split())
    assert "softmax 2.5 of 3 Marked by hand." in shown and "Nearly: divide." in shown
    mha_here(fed_back, "mark", "bo", "softmax", "3")
    shown = " ".join(mha_here(fed_back, "show", "bo").stdout.split())
    assert "softmax: 3 of 3 points" in shown and "Nearly: divide." in shown and "return np.exp(scores)" not in shown
    status = mha_here(fed_back, "status", "1").stdout
    assert "waits" not in status and not status.endswith("\n\n")


def test_a_mark_above_the_most_is_told(fed_back, tmp_path):
    """Where it is typed, and where the marks go out."""
    said = mha_here(fed_back, "mark", "ada", "weight_ratio", "6").stdout
    assert "weight_ratio: 6 of 1 point by hand." in said and "more than there are: is it meant?" in said
    done = mha_here(fed_back, "marks", "1", "--csv", "--to", tmp_path / "marks.csv")
    assert done.returncode == 0, done.stderr
    said = done.stdout
    assert f"Ada Okafor (ada) has {MOST + 5} of {MOST} points: is that meant?" in said
    table = (tmp_path / "marks.csv").read_text(encoding="utf-8-sig").splitlines()
    assert table[0] == "id,name,points,of" and f"ada,Ada Okafor,{MOST + 5},{MOST}" in table
    assert f"cem,Cem Haddad,,{MOST}" in table and f"dee,Dee Novak,,{MOST}" in table
    mha_here(fed_back, "mark", "ada", "weight_ratio", "1")


def test_a_mark_for_what_is_not_there(fed_back):
    """The exercise that may be meant is named."""
    assert "There is softmax" in mha_here(fed_back, "mark", "bo", "softmx", "1").stderr
    assert "Nothing of theirs is graded" in mha_here(fed_back, "mark", "dee", "softmax", "1").stderr
    for nothing in ("-1", "nan", "inf"):
        assert mha_here(fed_back, "mark", "bo", "softmax", nothing).returncode == click.UsageError.exit_code


def test_one_table_at_once(graded, tmp_path):
    """A platform's, or one for anybody."""
    table = graded / "nbgrader_config.py"  # any file
    both = mha_here(graded, "marks", "1", "--csv", "--canvas", table, "--to", tmp_path / "x.csv")
    assert both.returncode == click.UsageError.exit_code and "or --csv" in both.stderr


@pytest.mark.parametrize(
    "command, words",
    [
        (("show", "dee"), "Dee Novak (dee) has not handed in any lesson."),
        (("show", "ada", "2"), "Ada Okafor (ada) has not handed in Lesson 02: scaled dot product."),
        (("show", "Bo Lindquist"), "There is no student 'Bo Lindquist' here. Perhaps Bo Lindqvist (bo)?"),
        (("status", "8"), "There are no submissions of Lesson 08: cost yet"),
    ],
)
def test_what_is_not_there(graded, command, words):
    """One sentence."""
    done = mha_here(graded, *command)
    assert done.returncode == click.ClickException.exit_code and words in done.stderr


def test_a_class_in_two_lists(tmp_path):
    """Both count; the later one says what is true of somebody who stands in both."""
    note_class(tmp_path, LESSON, [Student("a", "A"), Student("b", "B")])
    note_class(tmp_path, LESSON, [Student("b", "Bea", excused=True), Student("c", "C")])
    assert [(who, about["name"], about["excused"]) for who, about in class_of(tmp_path, LESSON).items()] == [
        ("a", "A", False),
        ("b", "Bea", True),
        ("c", "C", False),
    ]


def test_a_list_that_is_damaged(tmp_path):
    """It is as if there were none, until the next is given."""
    note_class(tmp_path, LESSON, [Student("a", "A")])
    (tmp_path / "receipts" / f"class_of_{LESSON}.json").write_text("{")
    assert class_of(tmp_path, LESSON) == {}


def test_a_notebook_that_is_mended_after_grading(graded):
    """Its mark is of what was there before, and is told as that."""
    file = graded / "submitted" / "ada" / LESSON / f"{LESSON}.ipynb"
    before = file.read_bytes()
    file.write_bytes(before + b"\n")
    assert "what came in last is not graded yet" in mha_here(graded, "status", LESSON).stdout
    file.write_bytes(before)
    assert "what came in last" not in mha_here(graded, "status", LESSON).stdout


@pytest.mark.nightly
def test_what_comes_in_later_is_told_as_not_graded(graded, tmp_path):
    """After a second hand-in nobody gets the mark or the page of the first, until the second is graded."""
    again = tmp_path / "class" / "ada"
    again.mkdir(parents=True)
    notebook = (graded / "submitted" / "ada" / LESSON / f"{LESSON}.ipynb").read_text(encoding="utf-8")
    (again / f"{LESSON}.ipynb").write_text(notebook.replace("np.exp", "1 * np.exp"), encoding="utf-8")
    assert mha_here(graded, "collect", again.parent, "--lesson", LESSON).returncode == 0
    status, feedback = mha_here(graded, "status", LESSON).stdout, mha_here(graded, "feedback", LESSON, "ada").stdout
    ada = next(row for row in rows(status) if row and row[0] == "Ada Okafor (ada)")
    assert "graded" not in ada and "what came in last is not graded yet" in status
    assert "what came in last is not graded yet" in feedback
    mha_here(graded, "grade", LESSON, "--trust-submissions")
    assert "what came in last" not in mha_here(graded, "status", LESSON).stdout
