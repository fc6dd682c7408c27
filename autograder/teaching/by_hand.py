"""Give a mark by hand from the command line, where formgrader would put it."""

from difflib import get_close_matches

import click

from ..intake.course_folder import course, feedback_folder
from ..intake.own_numbers import has_no_gradebook
from ..intake.students import as_listed, find_student
from ..intake.wording import listed, points
from ..told import harmless
from .feedback import make
from .gradebook import CHECK


def mark(asked, exercise, given, comment):
    """Write the points and the comment into the gradebook, and make a page of feedback again that is there already."""
    here = course()
    told = as_listed(here.coursedir)
    student = find_student(asked, told)
    if has_no_gradebook(here.coursedir.db_url):
        raise click.ClickException("Nothing is graded yet: `mha grade` does that.")
    with here.gradebook as gradebook:
        grade = _grade(gradebook, student, exercise)
        lesson, most = grade.assignment.name, grade.max_score
        grade.manual_score, grade.needs_manual_grade = given, False
        if comment is not None:
            gradebook.find_comment(exercise, lesson, lesson, student).manual_comment = comment
        gradebook.db.commit()
    click.echo(harmless(f"{told[student]}, {exercise}: {points(given)} of {points(most)} points by hand."))
    if given > most:
        click.echo("That is more than there are: is it meant?")
    if feedback_folder(here.coursedir, lesson, student).exists():
        trouble = make(lesson, student)
        click.echo(harmless(f"No new page of feedback: {trouble}." if trouble else "The page of feedback has it, too."))


def _grade(gradebook, student, exercise):
    """Return what the gradebook has of an exercise; raise ClickException if that is nothing."""
    sheets = [sheet for one in gradebook.student_submissions(student) for sheet in one.notebooks]
    grades = {grade.name.removeprefix(CHECK): grade for sheet in sheets for grade in sheet.grades}
    if exercise not in grades:
        near = listed(get_close_matches(exercise, grades) or grades, 8) or "nothing at all"
        raise click.ClickException(f"Nothing of theirs is graded that is called {exercise!r}. There is {near}.")
    return grades[exercise]
