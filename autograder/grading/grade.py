"""Grade one submission, as `nbgrader autograde` does; a process that grades many keeps its workers warm.

As long as the fingerprint of all that decides its score stays the same, it is not graded again. nbgrader keeps marks
that were given by hand, and asks for a second look at each when it is. An answer that has not changed since needs none.
"""

import warnings
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import alembic.context  # noqa: F401  (what each process would import is there before they part)
import array_api_compat.numpy  # noqa: F401
import nbformat
from filelock import FileLock
from nbformat.validator import get_validator
from nbgrader.api import MissingEntry
from nbgrader.utils import is_solution

from ..failure_messages import Told, in_words
from ..intake import course_folder
from ..intake.course_folder import note, notebook_of, receipt
from ..intake.fit import our_copy
from ..intake.late import take_anew
from ..intake.names import trouble_with_name, whom
from ..intake.own_numbers import own_numbers, seed_of
from ..intake.students import names_of, put_names, with_whose_numbers
from ..intake.wording import points
from ..judging.time_limits import TooSlow
from . import examiner  # noqa: F401
from .fingerprints import fingerprint
from .nbgrader_hooks import find_out_once, make_known, reason
from .outputs import UNJUDGED, verdicts_of
from .whole_class import Graded, Submissions

get_validator()

WHERE = "mha mark, or formgrader"  # gives marks by hand
MEANWHILE_CAME = "something newer came in meanwhile, and `mha grade` grades that"
HALF = "its grading was stopped half-way: `mha grade` goes on"


def submissions(lesson, trust_submissions):
    """Return everybody's submissions. Seed and gradebook are made before several processes ask for them at once."""
    api = _api(trust_submissions)
    course, students, told = api.coursedir, course_folder.who_handed_in(api.coursedir, lesson), {}
    if students:  # else it may be the wrong folder, which stays as it is
        with FileLock(Path(course.root, ".gradebook.lock")):
            seed_of(course.db_url)
            make_known(api, lesson)
            put_names(course.db_url, course.root, lesson, students)
            names = names_of(course.db_url)
        told = {student: whom(student, names) for student in students}
    where = Path(course.format_path(course.submitted_directory, "<student>", lesson))
    return Submissions(told, str(where), course.root, course.db_url)


def grade(lesson, student, trust_submissions, again):
    """Grade a submission, mended where it is broken, unless it is as it was last time; `again`: even then.

    Whatever fails, those after it are graded.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nbgrader's queries are right nevertheless, and notebooks cause thousands
            if trouble_with_name(student):  # nothing is noted under a name that is unfit for a file
                raise Told(trouble_with_name(student))
            api = _api(trust_submissions)
            with our_copy(api.coursedir, lesson, student) as unfit:
                return (not (again or unfit) and _known(api, lesson, student)) or _graded(api, lesson, student, unfit)
    except (Exception, TooSlow) as stopped:  # whatever is to be had of files and names that a stranger chose
        return Graded(lesson, student, trouble=f"not graded: {in_words(stopped)}")


def _known(api, lesson, student):
    """Return what is known of a submission that is as it was; None if it is to be graded."""
    known = receipt(api.coursedir.root, lesson, student).get("graded", {})
    is_same = known.get("fingerprint") == fingerprint(api.coursedir, lesson, student)
    file = course_folder.autograded_notebook(api.coursedir, lesson, student)
    if not (is_same and _in_gradebook(api, lesson, student) and course_folder.is_whole(file)):
        return None
    take_anew(api, lesson, student)
    return Graded(lesson, student, known["score"], known["max_score"], unchanged=True)


def _graded(api, lesson, student, unfit):
    """Grade it, and note it: before, what a kill would undo, and afterwards, what came of it."""
    root, noted = api.coursedir.root, receipt(api.coursedir.root, lesson, student)
    print_ = "" if unfit else fingerprint(api.coursedir, lesson, student)
    before = noted.get("graded", {}).get("fingerprint", "")
    kept, seen = noted.get("marked", {}), marked_by_hand(api, lesson, student, before)
    marked = kept | {name: mark for name, mark in seen.items() if mark[1] or name not in kept}
    note(root, lesson, student, trouble=unfit or HALF, graded={}, marked=marked)  # for as long as it lasts
    done = graded_by(api, lesson, student, marked, unfit)
    if receipt(root, lesson, student).get("received") != noted.get("received"):
        return replace(done, trouble=f"not graded: {MEANWHILE_CAME}")
    outcome = dict(score=done.score, max_score=done.max_score, fingerprint=print_, unjudged=done.unjudged)
    news = dict(graded={}) if done.trouble else dict(graded=outcome, marked={})
    note(root, lesson, student, trouble=done.trouble, **news)
    return replace(done, told=bool(done.trouble) and done.trouble == noted.get("trouble"))


@cache
def _api(trust_submissions):
    find_out_once()
    return course_folder.course(course_folder.settings(trust_submissions))


def graded_by(api, lesson, student, marked, unfit=""):
    """Grade a submission, whatever it was before, to where nbgrader's settings say. unfit: why it cannot be graded.

    marked: what was to be seen of the answers that people have marked.
    """
    before = _in_gradebook(api, lesson, student)
    done = {} if unfit else api.autograde(lesson, student)
    if done.get("success"):
        look_again = settle(api, lesson, student, marked)
        verdicts = verdicts_of(notebook_of(course_folder.autograded_notebook(api.coursedir, lesson, student)))
        unjudged = tuple(task for task, verdict in verdicts.items() if verdict["reason"] == UNJUDGED)
        said = _remarks(api, lesson, student, unjudged, look_again)
        return Graded(lesson, student, *_in_gradebook(api, lesson, student), unjudged=unjudged, remarks=said)
    trouble = unfit or reason(f"{done.get('log')}\n{done.get('error')}")
    if before:  # of an earlier grading, or an earlier submission; nbgrader may have noted it, and failed after that
        known, _ = _in_gradebook(api, lesson, student) or before
        trouble += f"; the score that is known, {points(known)}, stays"
    else:
        with api.gradebook as gradebook, suppress(MissingEntry):
            gradebook.remove_submission(lesson, student)  # noted by nbgrader before it looks, it would count as 0
    return Graded(lesson, student, trouble=f"not graded: {trouble}")


def _in_gradebook(api, lesson, student):
    """Return score and most points; None if the submission was never graded.

    nbgrader notes a submission before it knows any score, and may fail in between.
    """
    with api.gradebook as gradebook, suppress(MissingEntry):
        submission = gradebook.find_submission(lesson, student)
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        if {grade.auto_score for grade in grades if grade.name.startswith("check_")} != {None}:
            return submission.score, submission.max_score
    return None


def _remarks(api, lesson, student, unjudged, look_again):
    """Return sentences for whoever asked. look_again: tasks that were marked by hand and have changed since."""
    db_url, noted = api.coursedir.db_url, receipt(api.coursedir.root, lesson, student)
    handed_out, numbers_of = own_numbers(db_url, lesson), noted.get("numbers_of")
    with api.gradebook as gradebook:
        grades = _grades(gradebook, lesson, student)
        waiting = [one.name for one in grades if one.needs_manual_grade and one.manual_score is None]
    has_none = "not in the roster of the kits, so judged for the common numbers"
    has_others = with_whose_numbers(numbers_of, names_of(db_url) if numbers_of else {})
    return (
        *(f"mended: {sentence}" for sentence in noted.get("mended", ())),
        *(f"{name} could not be judged: look at it" for name in unjudged),
        *(f"{name} has your mark, but the answer or the judge's points have changed: {WHERE}" for name in look_again),
        *(f"{name} waits for your mark: {WHERE}" for name in waiting),
        *([has_none] if handed_out and student not in handed_out else []),
        *([has_others] if has_others else []),
    )


def marked_by_hand(api, lesson, student, gone=""):
    """Return cell -> what there was when it was marked: the judge's points, and the answer's fingerprint.

    It is fit for a receipt: a kill would leave nothing of it in the gradebook.
    gone: the fingerprint of the whole, for answers whose graded notebook is gone.
    """
    with api.gradebook as gradebook:
        grades = [grade for grade in _grades(gradebook, lesson, student) if grade.manual_score is not None]
        points = {grade.name: grade.auto_score for grade in grades if not grade.needs_manual_grade}
    answers = _answers(api, lesson, student) if points else {}
    return {name: [points[name], answers.get(name.removeprefix("check_"), gone)] for name in points}


def settle(api, lesson, student, before):
    """Keep marks where all is as `before`; return the names of the others, to be looked at again."""
    if not before:
        return ()
    answers, look_again, whole = _answers(api, lesson, student), [], fingerprint(api.coursedir, lesson, student)
    with api.gradebook as gradebook:
        for grade in [one for one in _grades(gradebook, lesson, student) if one.manual_score is not None]:
            name = grade.name.removeprefix("check_")
            if before.get(grade.name) in ([grade.auto_score, answers.get(name, "")], [grade.auto_score, whole]):
                grade.needs_manual_grade = False
            elif grade.name in before:
                look_again.append(name)
        gradebook.db.commit()
    return tuple(look_again)


def _grades(gradebook, lesson, student):
    """Return the grades of all cells with points; none if the notebook is not known."""
    with suppress(MissingEntry):
        return gradebook.find_submission_notebook(lesson, lesson, student).grades
    return []


def _answers(api, lesson, student):
    """Return name -> a digest of the answer, as it was graded last; of a notebook that cannot be read, none.

    A cell of points is about the answer above it, whose name it has after "check_", or is an answer in words itself.
    """
    with suppress(OSError, ValueError):
        cells = nbformat.read(course_folder.autograded_notebook(api.coursedir, lesson, student), as_version=4).cells
        written = {cell.metadata.nbgrader.grade_id: cell.source for cell in cells if is_solution(cell)}
        return {name: sha256(text.encode(errors="replace")).hexdigest() for name, text in written.items()}
    return {}
