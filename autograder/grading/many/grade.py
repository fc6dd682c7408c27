"""Grading one submission, as `nbgrader autograde` does; a process that grades many keeps its workers warm."""

import re
import warnings
from contextlib import suppress
from dataclasses import replace
from functools import cache
from glob import has_magic
from pathlib import Path
from tempfile import TemporaryDirectory

from click import ClickException
from filelock import FileLock
from nbgrader.api import MissingEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader

from ...environment import find_our_commands
from ...judging.time_limits import TooSlow
from ...judging.verdict import error_line
from ...teaching.collect.fit import made_fit
from ...teaching.late import take_anew
from ...teaching.names import names_of, put_names, whom
from ...teaching.receipts import note, receipt
from ..seed import seed_of
from ..strange_files import strange_time, strangeness
from ..verdicts import unjudged_in
from . import by_hand
from .graded import Graded, Submissions
from .once import find_out_once
from .remarks import remarks
from .unchanged import fingerprint

GO_THERE = "go to the folder of your course, where it lies, and type the command there."
LONGEST_LINE = 1000  # characters of nbgrader's log
HALF = "its grading was stopped half-way: `mha grade` goes on"


def submissions(lesson, trust_submissions):
    """Of everybody. Before several processes ask at once, the seed is there, and a gradebook that knows the lesson."""
    api = _api(trust_submissions)
    students = _handed_in(api, lesson)
    told = {}
    if students:  # else it may be the wrong folder, which stays as it is
        with FileLock(Path(api.coursedir.root, ".gradebook.lock")):
            seed_of(api.coursedir.db_url)
            _make_known(api, lesson)
            told = _told_as(api, lesson, students)
    return Submissions(told, str(_folder(api, lesson, "<student>")), api.coursedir.root, api.coursedir.db_url)


def _told_as(api, lesson, students):
    """student -> with their name, where it is known."""
    put_names(api.coursedir.db_url, api.coursedir.root, lesson, students)
    names = names_of(api.coursedir.db_url)
    return {student: whom(student, names) for student in students}


def _handed_in(api, lesson):
    """Also those whose folders nbgrader cannot list, and would pass over: they are told when their turn comes."""
    parts = _folder(api, lesson, "*").parts
    student = parts.index("*")
    there = Path(*parts[:student]).glob("/".join(parts[student:]))
    return sorted({folder.parts[student] for folder in there} | api.get_submitted_students(lesson))


def grade(lesson, student, trust_submissions, again):
    """Unless it is as it was when it was graded last; `again`: even then. No submission stops those after it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nbgrader's queries are right nevertheless, and notebooks cause thousands
            return _graded_or_known(_api(trust_submissions), lesson, student, again)
    except (Exception, TooSlow) as stopped:  # whatever is to be had of files and names that a stranger chose
        return Graded(lesson, student, trouble=f"not graded: {error_line(stopped)}")


def _graded_or_known(api, lesson, student, again):
    """What is broken is mended first."""
    folder = _folder(api, lesson, student)
    unfit = (
        _bad_name(student) or made_fit(lesson, student, api.coursedir) or strangeness(folder) or strange_time(folder)
    )
    print_ = "" if unfit else fingerprint(api.coursedir, lesson, student)
    noted = receipt(api.coursedir.root, lesson, student)
    known = noted.get("graded", {})
    if not (again or unfit) and known.get("fingerprint") == print_ and _in_gradebook(api, lesson, student):
        take_anew(api, lesson, student)
        return Graded(lesson, student, known["score"], known["max_score"], unchanged=True)
    note(api.coursedir.root, lesson, student, trouble=unfit or HALF, graded={})  # for as long as it lasts
    done = graded_by(api, lesson, student, unfit)
    outcome = dict(score=done.score, max_score=done.max_score, fingerprint=print_, unjudged=done.unjudged)
    note(api.coursedir.root, lesson, student, trouble=done.trouble, graded={} if done.trouble else outcome)
    return replace(done, told=bool(done.trouble) and done.trouble == noted.get("trouble"))


def _bad_name(student):
    """nbgrader would grade all whose names fit, or none."""
    bad = has_magic(student) or "\n" in student or student.startswith(".")
    return f"{student}: a name without *, ? and [, line breaks, and a dot before it is needed; rename the folder" * bad


def _make_known(api, lesson):
    """nbgrader learns what a lesson asks for when it makes the students' version; that one is thrown away here."""
    if not api.get_submitted_students(lesson) or _is_known(api, lesson):
        return
    with TemporaryDirectory() as folder:
        config = api.config.copy()
        config.CourseDirectory.release_directory = folder
        done = NbGraderAPI(config=config).generate_assignment(lesson)
    if not done["success"]:
        raise ValueError(f"nbgrader cannot read the lesson {lesson}: {reason(done['log'])}")


def _is_known(api, lesson):
    with api.gradebook as gradebook, suppress(MissingEntry):
        return bool(gradebook.find_assignment(lesson).notebooks)
    return False


@cache
def _api(trust_submissions):
    """One for all that this process grades."""
    find_our_commands()
    find_out_once()
    return NbGraderAPI(config=settings(trust_submissions))


def settings(trust_submissions):
    """nbgrader's, as `nbgrader autograde` finds them from here."""
    app = NbGrader()
    _must_be_a_course(app)
    app.load_config_file()
    app.config.Examiner.trust_submissions = trust_submissions
    return app.config


def _must_be_a_course(app):
    """Where nbgrader finds no settings it would make a gradebook of its own."""
    name = f"{app.config_file_name}.py"
    if not any(Path(place, name).exists() for place in (Path.cwd(), *app.config_file_paths)):
        raise ClickException(f"There is no {name} in {Path.cwd()}: {GO_THERE}")


def graded_by(api, lesson, student, unfit=""):
    """Whatever it was before; where to is said by the settings of nbgrader's api. unfit: why it cannot be."""
    before, marked = _in_gradebook(api, lesson, student), by_hand.marked(api, lesson, student)
    trouble = unfit or _tried(api, lesson, student)
    if not trouble:
        look_again = by_hand.settle(api, lesson, student, marked)
        unjudged = unjudged_in(Path(api.coursedir.format_path(api.coursedir.autograded_directory, student, lesson)))
        said = remarks(api, lesson, student, unjudged, look_again)
        return Graded(lesson, student, *_in_gradebook(api, lesson, student), unjudged=unjudged, remarks=said)
    if before:  # of an earlier grading, or an earlier submission; nbgrader may have noted it, and failed after that
        known, _ = _in_gradebook(api, lesson, student) or before
        return Graded(lesson, student, trouble=f"not graded: {trouble}; the score that is known, {known:g}, stays")
    _forget(api, lesson, student)
    return Graded(lesson, student, trouble=f"not graded: {trouble}")


def _tried(api, lesson, student):
    """What went wrong; empty if all is well."""
    done = api.autograde(lesson, student)
    return "" if done["success"] else reason(f"{done.get('log')}\n{done.get('error')}")


def _forget(api, lesson, student):
    """nbgrader notes a submission before it looks at it: nobody shall have a 0 for what was not graded."""
    with api.gradebook as gradebook, suppress(MissingEntry):
        gradebook.remove_submission(lesson, student)


def _in_gradebook(api, lesson, student):
    """Score and most points; None if it was never graded."""
    with api.gradebook as gradebook:
        try:
            submission = gradebook.find_submission(lesson, student)
        except MissingEntry:
            return None
        return submission.score, submission.max_score


def _folder(api, lesson, student):
    return Path(api.coursedir.format_path(api.coursedir.submitted_directory, student, lesson))


def reason(log):
    """The last error in the log, without nbgrader's last words, which point to those above."""
    lines = "\n".join(line[:LONGEST_LINE] for line in log.splitlines())
    errors = re.findall(r"^\s*[\w.]*?(\w+(?:Error|Exception|Entry): .+)$", lines, re.MULTILINE)
    return next((e for e in reversed(errors) if "see the the above" not in e), "nbgrader does not say why")
