"""Find how far the work of a class is: handed in, graded, waiting for a mark by hand, given back."""

from dataclasses import dataclass

import click

from ..intake.course_folder import autograded_notebook, feedback_folder, trouble_of, who_handed_in
from ..intake.late import has_no_gradebook
from ..intake.receipts import receipts
from ..intake.students import handed_in_nothing, names_of_all, trouble_with_name, whom

MADE, OLDER = "made", "older than the grading"  # of a page of feedback


@dataclass(frozen=True)
class Standing:
    """How far the work of one student on one lesson is; whom: the student, as lists print them.

    came: whether something was handed in; trouble: why it cannot be graded; graded: points, out of how many, or None.
    waits: whether an answer waits for a mark by hand; feedback: MADE, OLDER or nothing.
    """

    student: str
    whom: str
    came: bool = True
    late: bool = False
    excused: bool = False
    trouble: str = ""
    graded: tuple = None
    waits: bool = False
    feedback: str = ""


def standings(course, lesson):
    """Return a Standing for each student who is in the class or has handed in."""
    noted, scores = _receipts(course.coursedir.root, lesson), _scores(course, lesson)
    came = sorted({*who_handed_in(course.coursedir, lesson), *noted})
    names = names_of_all(course.coursedir)
    missing, excused = handed_in_nothing(course.coursedir, lesson, came)
    absent = [Standing(who, whom(who, names), came=False, excused=who in excused) for who in (*missing, *excused)]
    return [_standing(course, lesson, who, names, noted.get(who, {}), scores.get(who)) for who in came] + absent


def _standing(course, lesson, student, names, noted, score):
    trouble = trouble_with_name(student) or trouble_of(course.coursedir, lesson, student, noted)
    late = bool(noted.get("late"))
    graded, waits = (score[:2], score[2]) if score and not trouble else (None, False)
    feedback = _feedback(course.coursedir, lesson, student) if graded else ""
    told = whom(student, names)
    return Standing(student, told, late=late, trouble=trouble, graded=graded, waits=waits, feedback=feedback)


def _scores(course, lesson):
    """Return student -> (points, out of how many, whether an answer waits for a mark), for all in the gradebook."""
    if has_no_gradebook(course.coursedir.db_url):
        return {}
    with course.gradebook as gradebook:
        graded = gradebook.assignment_submissions(lesson) if _is_known(gradebook, lesson) else ()
        return {one.student.id: (one.score, one.max_score, one.needs_manual_grade) for one in graded}


def _is_known(gradebook, lesson):
    return lesson in {assignment.name for assignment in gradebook.assignments}


def _feedback(coursedir, lesson, student):
    """Return MADE, or OLDER for a page that was made before the last grading; "" if there is none."""
    page = feedback_folder(coursedir, lesson, student) / f"{lesson}.html"
    if not page.exists():
        return ""
    graded = autograded_notebook(coursedir, lesson, student)
    return OLDER if graded.exists() and graded.stat().st_mtime > page.stat().st_mtime else MADE


def _receipts(root, lesson):
    try:
        return receipts(root, lesson)
    except ValueError as unreadable:
        raise click.ClickException(str(unreadable)) from None
