"""Grading one submission, as `nbgrader autograde` does; a process that grades many keeps its workers warm."""

import re
import warnings
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import FileLock
from nbgrader.api import MissingEntry
from nbgrader.apps import NbGraderAPI

from ...environment import find_our_commands
from ...intake.course_folder import autograded_notebook, is_whole, settings, who_handed_in
from ...intake.late import take_anew
from ...intake.numbers_of_students import own_numbers, seed_of
from ...intake.receipts import note, receipt
from ...intake.students import names_of, put_names, trouble_with_name, whom, with_whose_numbers
from ...intake.wording import points
from ...judging.time_limits import TooSlow
from ...told import Told, in_words, told_again
from ..verdicts import unjudged_in
from . import by_hand
from .graded import Graded, Submissions
from .graded_copies import copied
from .nbgrader_caches import find_out_once
from .unchanged import fingerprint

LONGEST_LINE = 1000  # characters of nbgrader's log
HALF = "its grading was stopped half-way: `mha grade` goes on"


def submissions(lesson, trust_submissions):
    """Return everybody's submissions. Seed and gradebook are made before several processes ask for them at once."""
    api = _api(trust_submissions)
    students = who_handed_in(api.coursedir, lesson)
    told = {}
    if students:  # else it may be the wrong folder, which stays as it is
        with FileLock(Path(api.coursedir.root, ".gradebook.lock")):
            seed_of(api.coursedir.db_url)
            _make_known(api, lesson)
            told = _told_as(api, lesson, students)
    return Submissions(told, str(_folder(api, lesson, "<student>")), api.coursedir.root, api.coursedir.db_url)


def _told_as(api, lesson, students):
    """Return student -> how messages call them, with their name where it is known."""
    put_names(api.coursedir.db_url, api.coursedir.root, lesson, students)
    names = names_of(api.coursedir.db_url)
    return {student: whom(student, names) for student in students}


def grade(lesson, student, trust_submissions, again):
    """Grade a submission unless it is as it was last time; `again`: even then. None stops those after it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nbgrader's queries are right nevertheless, and notebooks cause thousands
            return _graded_or_known(_api(trust_submissions), lesson, student, again)
    except (Exception, TooSlow) as stopped:  # whatever is to be had of files and names that a stranger chose
        return Graded(lesson, student, trouble=f"not graded: {in_words(stopped)}")


def _graded_or_known(api, lesson, student, again):
    """Grade a submission, mended where it is broken. Nothing is noted under a name that is unfit for a file."""
    if trouble_with_name(student):
        return Graded(lesson, student, trouble=f"not graded: {trouble_with_name(student)}")
    with copied(api.coursedir, lesson, student) as unfit:
        return _known(api, lesson, student, again or unfit) or _graded(api, lesson, student, unfit)


def _known(api, lesson, student, again):
    """Return what is known of a submission that is as it was; None if it is to be graded."""
    known = receipt(api.coursedir.root, lesson, student).get("graded", {})
    if again or known.get("fingerprint") != fingerprint(api.coursedir, lesson, student):
        return None
    if not (_in_gradebook(api, lesson, student) and is_whole(autograded_notebook(api.coursedir, lesson, student))):
        return None
    take_anew(api, lesson, student)
    return Graded(lesson, student, known["score"], known["max_score"], unchanged=True)


def _graded(api, lesson, student, unfit):
    """Grade it, and note it: before, what a kill would undo, and afterwards, what came of it."""
    root, noted = api.coursedir.root, receipt(api.coursedir.root, lesson, student)
    print_ = "" if unfit else fingerprint(api.coursedir, lesson, student)
    marked = noted.get("marked", {}) | by_hand.marked(api, lesson, student)
    note(root, lesson, student, trouble=unfit or HALF, graded={}, marked=marked)  # for as long as it lasts
    done = graded_by(api, lesson, student, marked, unfit)
    outcome = dict(score=done.score, max_score=done.max_score, fingerprint=print_, unjudged=done.unjudged)
    news = dict(graded={}) if done.trouble else dict(graded=outcome, marked={})
    note(root, lesson, student, trouble=done.trouble, **news)
    return replace(done, told=bool(done.trouble) and done.trouble == noted.get("trouble"))


def _make_known(api, lesson):
    """Let nbgrader learn what a lesson asks for: it does so when it makes the students' version, thrown away here."""
    if not api.get_submitted_students(lesson) or _is_known(api, lesson):
        return
    with TemporaryDirectory() as folder:
        config = api.config.copy()
        config.CourseDirectory.release_directory = folder
        done = NbGraderAPI(config=config).generate_assignment(lesson)
    if not done["success"]:
        raise Told(f"nbgrader cannot read the lesson {lesson}: {reason(done['log'])}")


def _is_known(api, lesson):
    with api.gradebook as gradebook, suppress(MissingEntry):
        return bool(gradebook.find_assignment(lesson).notebooks)
    return False


@cache
def _api(trust_submissions):
    """Return the one API for all that this process grades."""
    find_our_commands()
    find_out_once()
    return NbGraderAPI(config=settings(trust_submissions))


def graded_by(api, lesson, student, marked, unfit=""):
    """Grade a submission, whatever it was before, to where nbgrader's settings say. unfit: why it cannot be graded.

    marked: what was to be seen of the answers that people have marked.
    """
    before = _in_gradebook(api, lesson, student)
    trouble = unfit or _tried(api, lesson, student)
    if not trouble:
        look_again = by_hand.settle(api, lesson, student, marked)
        unjudged = unjudged_in(Path(api.coursedir.format_path(api.coursedir.autograded_directory, student, lesson)))
        said = remarks(api, lesson, student, unjudged, look_again)
        return Graded(lesson, student, *_in_gradebook(api, lesson, student), unjudged=unjudged, remarks=said)
    if before:  # of an earlier grading, or an earlier submission; nbgrader may have noted it, and failed after that
        known, _ = _in_gradebook(api, lesson, student) or before
        return Graded(
            lesson, student, trouble=f"not graded: {trouble}; the score that is known, {points(known)}, stays"
        )
    _forget(api, lesson, student)
    return Graded(lesson, student, trouble=f"not graded: {trouble}")


def _tried(api, lesson, student):
    """Let nbgrader grade, and return what went wrong, or "" if all is well."""
    done = api.autograde(lesson, student)
    return "" if done["success"] else reason(f"{done.get('log')}\n{done.get('error')}")


def _forget(api, lesson, student):
    """Take a submission out of the gradebook: nbgrader notes it before it looks, and it would count as 0."""
    with api.gradebook as gradebook, suppress(MissingEntry):
        gradebook.remove_submission(lesson, student)


def _in_gradebook(api, lesson, student):
    """Return score and most points; None if the submission was never graded."""
    with api.gradebook as gradebook:
        try:
            submission = gradebook.find_submission(lesson, student)
        except MissingEntry:
            return None
        return submission.score, submission.max_score


def _folder(api, lesson, student):
    return Path(api.coursedir.format_path(api.coursedir.submitted_directory, student, lesson))


def reason(log):
    """Return the last error in the log, without nbgrader's last words, which only point to those above."""
    lines = "\n".join(line[:LONGEST_LINE] for line in log.splitlines())
    errors = re.findall(r"^\s*[\w.]*?(\w+(?:Error|Exception|Entry): .+)$", lines, re.MULTILINE)
    last = next((e for e in reversed(errors) if "see the the above" not in e), "nbgrader does not say why")
    return told_again(last)


def remarks(api, lesson, student, unjudged, look_again):
    """Return sentences. unjudged: tasks that could not be judged by a fault of ours; look_again: tasks that
    were marked by hand and have changed since.
    """
    noted = receipt(api.coursedir.root, lesson, student)
    return (
        *(f"mended: {sentence}" for sentence in noted.get("mended", ())),
        *(f"{name} could not be judged: look at it" for name in unjudged),
        *(f"{name} was marked by hand, and has changed: see formgrader" for name in look_again),
        *(f"{name} waits for your mark: see formgrader" for name in by_hand.waiting(api, lesson, student)),
        *filter(None, (_without_numbers(api, lesson, student), _whose_numbers(api, noted))),
    )


def _without_numbers(api, lesson, student):
    """Remark that no kit was made for this student, where others have numbers of their own."""
    handed_out = own_numbers(api.coursedir.db_url, lesson)
    if handed_out and student not in handed_out:
        return "not in the roster of the kits, so judged for the common numbers"


def _whose_numbers(api, noted):
    """Remark that the notebook asks with another student's numbers."""
    students = noted.get("numbers_of")
    return with_whose_numbers(students, names_of(api.coursedir.db_url) if students else {})
