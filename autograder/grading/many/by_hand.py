"""Marks given by hand, when a submission is graded again.

nbgrader keeps them, and asks for a second look at each. An answer that has not changed since needs none.
"""

import hashlib
from contextlib import suppress
from pathlib import Path

import nbformat
from nbgrader.api import MissingEntry
from nbgrader.utils import is_solution


def marked(api, lesson, student):
    """Return cell -> what there was when it was marked: the judge's points, and the answer's fingerprint.

    It is fit for a receipt: a kill would leave nothing of it in the gradebook.
    """
    with api.gradebook as gradebook:
        grades = [grade for grade in _grades(gradebook, lesson, student) if grade.manual_score is not None]
        points = {grade.name: grade.auto_score for grade in grades if not grade.needs_manual_grade}
    answers = _answers(api, lesson, student) if points else {}
    return {name: [points[name], _answer_to(name, answers)] for name in points}


def settle(api, lesson, student, before):
    """Keep marks where all is as `before`; return the names of the others, to be looked at again."""
    if not before:
        return ()
    answers, look_again = _answers(api, lesson, student), []
    with api.gradebook as gradebook:
        for grade in _grades(gradebook, lesson, student):
            if grade.manual_score is None:
                continue
            if before.get(grade.name) == [grade.auto_score, _answer_to(grade.name, answers)]:
                grade.needs_manual_grade = False
            elif grade.name in before:
                look_again.append(grade.name.removeprefix("check_"))
        gradebook.db.commit()
    return tuple(look_again)


def waiting(api, lesson, student):
    """Return the names of answers in words that were not marked yet."""
    with api.gradebook as gradebook:
        grades = _grades(gradebook, lesson, student)
        return tuple(grade.name for grade in grades if grade.needs_manual_grade and grade.manual_score is None)


def _grades(gradebook, lesson, student):
    """Return the grades of all cells with points; none if the notebook is not known."""
    with suppress(MissingEntry):
        return gradebook.find_submission_notebook(lesson, lesson, student).grades
    return []


def _answers(api, lesson, student):
    """Name -> what the learner wrote, as it was graded last; of a notebook that cannot be read, none."""
    folder = Path(api.coursedir.format_path(api.coursedir.autograded_directory, student, lesson))
    with suppress(OSError, ValueError):
        cells = nbformat.read(folder / f"{lesson}.ipynb", as_version=4).cells
        return {cell.metadata.nbgrader.grade_id: cell.source for cell in cells if is_solution(cell)}
    return {}


def _answer_to(cell, answers):
    """Return the answer that a cell of points is about: the one above a check, or an answer in words; "" if none."""
    answer = answers.get(cell.removeprefix("check_"))
    return "" if answer is None else hashlib.sha256(answer.encode(errors="replace")).hexdigest()
