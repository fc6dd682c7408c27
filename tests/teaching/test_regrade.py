"""`mha grade --again --dry-run`: after a check was changed, what an instructor sees; and what is written without it.

The check that changes is one of a copy of our package: a question had a wrong answer, and a sentence is improved.
"""

import os
import shutil

import pytest
from classroom import CONFIG, Submission, mha, mha_here, open_course
from helpers import our_answers
from nbgrader.api import Gradebook

from autograder.grading.outputs import verdicts_of
from autograder.intake.course_folder import notebook_of, receipt
from autograder.outline import outline

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("regrade")]
LESSON = "lesson_00_start_here"
ANSWER, SENTENCE = ("answer=12.0", "answer=22.0"), ("These weights take the same share", "Here is the same share")
NAME = ("forgets_the_weights", "hands_back_the_values")
AGAIN = "grade", LESSON, "--again", "--trust-submissions"
DRY_RUN = (*AGAIN, "--dry-run")
HELD = {"manual_score": 0.5, "extra_credit": 0.25}


def submissions():
    """All but two have 12, which counted as right; 22 was wrong, and will be right."""
    ours, bug = our_answers(LESSON), "temperature_at_nine"
    forgets = "def weighted_mean(weights, values):\n    return values\n"
    return {
        "ada": Submission(ours),
        "bo_says_22": Submission(ours | {bug: f"{bug} = 22.0"}),
        "cem_marked_by_hand": Submission(ours),
        "dee_reads_the_sentence": Submission(ours | {bug: f"{bug} = 18.0", "lookup_weights": "lookup_weights = 'a'"}),
        "dov_gets_another_name": Submission(ours | {bug: f"{bug} = 18.0", "weighted_mean": forgets}),
        "eli_is_wrong_both_times": Submission(ours | {bug: f"{bug} = 18.0"}),
        "fay_breaks": Submission(ours),
    }


@pytest.fixture(scope="module")
def changed_package(tmp_path_factory):
    """Ours, with another answer, another sentence, and another name of a misconception."""
    folder = tmp_path_factory.mktemp("changed")
    for package, here in outline().folders.items():
        shutil.copytree(here, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    lesson = folder / outline().package / LESSON
    change(lesson / "exercises.py", ANSWER, SENTENCE)
    change(lesson / "misconceptions" / "weighted_mean.py", NAME)
    change(lesson / "hints.md", NAME)
    return folder


def change(file, *changes):
    """Replace what is there once."""
    text = file.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A graded class; then somebody marked two answers by hand, and a file was damaged."""
    root = tmp_path_factory.mktemp("course")
    open_course(root, LESSON, submissions(), CONFIG.format(root=str(root), limit=15), short=True)
    done = mha(root, "grade", LESSON, "--trust-submissions")
    assert done.returncode == 0, done.stdout + done.stderr
    mark_by_hand(root, "bo_says_22", "check_shape_of_six_days")
    mark_by_hand(root, "cem_marked_by_hand", "check_temperature_at_nine")
    (root / "submitted" / "fay_breaks" / LESSON / f"{LESSON}.ipynb").write_text('{"cells": [')
    os.utime(notebook(root, "ada"), (1e9, 1e9))  # graded in 2001
    return root


@pytest.fixture(scope="module")
def shown(course, changed_package):
    """What is said of a dry run, and the files of the course before and after."""
    before = contents(course)
    done = changed_mha(course, changed_package, *DRY_RUN)
    return done, before, contents(course)


@pytest.fixture(scope="module")
def written(course, changed_package, shown):
    """What is said when it is meant, and the gradebook before and after."""
    before = gradebook_of(course)
    done = changed_mha(course, changed_package, *AGAIN)
    return done, before, gradebook_of(course)


def changed_mha(root, package, *command):
    return mha(root, *command, PYTHONPATH=str(package))


def notebook(root, student):
    return root / "autograded" / student / LESSON / f"{LESSON}.ipynb"


def mark_by_hand(root, student, cell):
    """As formgrader does, with a comment."""
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        grade = gradebook.find_grade(cell, LESSON, LESSON, student)
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = *HELD.values(), False
        comment = gradebook.find_comment(cell.removeprefix("check_"), LESSON, LESSON, student)
        comment.manual_comment = "Well tried."
        gradebook.db.commit()


def gradebook_of(root):
    """(student, cell) -> judged, marked, extra, to be looked at, comment."""
    found = {}
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        for submission in gradebook.assignment_submissions(LESSON):
            for sheet in submission.notebooks:
                for g in sheet.grades:
                    row = g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade
                    found[submission.student.id, g.name] = row
                for comment in sheet.comments:
                    found[submission.student.id, comment.name] = comment.manual_comment
    return found


def contents(root):
    return {file: file.read_bytes() for file in sorted(root.rglob("*")) if file.is_file()}


def line_of(student, done):
    """With single blanks."""
    return next(" ".join(line.split()) for line in done.stdout.splitlines() if line.startswith(student))


def test_every_mark_that_would_change_is_shown(shown):
    """Old and new points, old and new finding; one that is marked by hand stays."""
    done, _, _ = shown
    assert line_of("ada", done) == "ada temperature_at_nine 1 -> 0 right has other numbers"
    assert line_of("bo_says_22", done).endswith("temperature_at_nine 0 -> 1 answers 22 right")
    assert "0.75 by hand, stays (1 -> 0)" in line_of("cem", done)
    assert "2 marks would change.\n1 mark by hand would stay, and wait for another look.\n" in done.stdout


def test_other_words_are_told_too(shown):
    """A better sentence changes no mark, and is worth new feedback; so is another name, and it is said which."""
    done, _, _ = shown
    who = "dee_reads_the_sentence and dov_gets_another_name"
    assert f"2 submissions would keep all marks and get other cards: {who}." in done.stdout
    assert line_of("lookup_weights", done) == "lookup_weights answers a -> the same, in other words 1"
    assert line_of("weighted_mean", done) == "weighted_mean forgets the weights -> hands back the values 1"
    assert "1 submission would stay as they are" in done.stdout


def test_one_that_cannot_be_judged_again_keeps_its_score(shown):
    """It is said, and the command says that something is left."""
    done, _, _ = shown
    assert "ends in the middle" in line_of("fay_breaks", done) and "stays" in line_of("fay_breaks", done)
    assert done.returncode == 1


def test_nothing_is_written_before_it_is_asked_for(shown):
    """No file of the course is another one, and none is new."""
    done, before, after = shown
    assert f"mha grade {LESSON} --again" in done.stdout
    assert {str(file) for file in after if before.get(file) != after[file]} == set() and before.keys() == after.keys()


def test_what_was_shown_is_written(written):
    """The marks of the table, and no other number of the gradebook."""
    _, before, after = written
    changed = {key: (before[key][0], after[key][0]) for key in before if before[key] != after[key]}
    bug = "check_temperature_at_nine"
    assert changed == {("ada", bug): (1, 0), ("bo_says_22", bug): (0, 1), ("cem_marked_by_hand", bug): (1, 0)}


def test_marks_given_by_hand_survive(written):
    """With their extra credit and comment; to be looked at again only where the judge has changed its mind."""
    _, _, after = written
    assert after["bo_says_22", "check_shape_of_six_days"][1:] == (*HELD.values(), False)
    assert after["cem_marked_by_hand", "check_temperature_at_nine"][1:] == (*HELD.values(), True)
    assert after["bo_says_22", "shape_of_six_days"] == "Well tried."


def test_cards_have_the_new_sentence(course, written):
    verdicts = verdicts_of(notebook_of(notebook(course, "dee_reads_the_sentence")))
    assert any(verdict["message"].startswith(SENTENCE[1]) for verdict in verdicts.values())


@pytest.mark.nightly
def test_a_second_time_nothing_changes(course, changed_package, written):
    done = changed_mha(course, changed_package, *DRY_RUN)
    assert "0 marks would change." in done.stdout and "Nothing is written" not in done.stdout


def test_the_receipt_says_how_it_was_graded(course, written):
    """With the points of the gradebook."""
    assert receipt(course, LESSON, "ada")["graded"]["score"] == sum(
        points[0] for (student, name), points in gradebook_of(course).items() if student == "ada" and "check_" in name
    )


@pytest.mark.nightly
def test_what_was_graded_is_not_graded_again(course, changed_package, written):
    """Only what cannot be graded is tried again."""
    done = changed_mha(course, changed_package, "grade", LESSON, "--trust-submissions")
    assert "6 were graded before, and nothing has changed" in done.stdout and "fay_breaks" in done.stdout


def test_a_lesson_that_is_none(course):
    done = mha_here(course, "grade", "essay", *DRY_RUN[2:])
    assert done.returncode == 2 and LESSON in done.stderr


@pytest.mark.parametrize("options", [(LESSON, "--dry-run"), ("--all", "--again", "--dry-run")])
def test_a_dry_run_is_of_one_lesson_that_is_graded_again(course, options):
    done = mha_here(course, "grade", *options)
    assert done.returncode == 2 and "--dry-run goes with --again" in done.stderr
