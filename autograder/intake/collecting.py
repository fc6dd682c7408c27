"""Collect what a class handed in from a platform's export: keep it as it came, mend it, and report it."""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path

import click
from dateutil import parser

from ..told import harmless
from .archives import Refused
from .course_folder import released_notebook, submitted_folder
from .fit import keep, keep_submitted, numbers, put_in_place, received_folder
from .numbers_of_students import own_numbers
from .owners import by_student, pieces_of
from .receipts import note, note_class, receipt, receipt_or_trouble
from .students import trouble_with_name, with_whose_numbers
from .taking import LONGEST_TIME, Strange, folder_is_there, place_of
from .whole_files import write_whole
from .wording import listed

FINE, MENDED, LOOK, TROUBLE = "fine", "mended", "LOOK", "TROUBLE"
UNKNOWN, MISSING, REFUSED, SAME, EXCUSED = "UNKNOWN", "MISSING", "REFUSED", "as before", "excused"
WITHOUT_GRADE = UNKNOWN, REFUSED, TROUBLE  # what came, and cannot be graded as it is
TOTALS = {
    FINE: "as it should be",
    MENDED: "mended",
    LOOK: "to look at",
    TROUBLE: "cannot be graded",
    UNKNOWN: "not in the roster",
    MISSING: "missing",
    EXCUSED: "excused",
    REFUSED: "refused",
    SAME: "as before",
}


@dataclass(frozen=True)
class Collected:
    """The report on the work of one student: a state, and the sentences about it.

    later: whether it takes the place of an earlier submission.
    """

    student: str
    state: str
    name: str = ""
    about: tuple = ()
    later: bool = False

    def __str__(self):
        return harmless(" ".join(self.about))


def totals(all_collected):
    """Return a summary such as `280 as it should be, 20 mended; 3 of them in place of an earlier one`."""
    count = Counter(each.state for each in all_collected)
    later = sum(each.later for each in all_collected)
    states = ", ".join(f"{count[state]} {words}" for state, words in TOTALS.items() if count[state])
    return f"{states}; {later} of them in place of an earlier one" if later else states


def as_news(collected, before, after):
    """Return the report without what was reported before, except for what prevents grading."""
    if not before:
        return collected
    if before.get("received") != after.get("received"):
        return replace(collected, about=(LATER, *collected.about), later=True)
    if any(before.get(part) != after.get(part) for part in ("mended", "unfit", "empty", "numbers_of")):
        return collected
    about = tuple(sentence for sentence in collected.about if sentence not in after.get("mended", ()))
    if collected.state == TROUBLE:
        return replace(collected, about=("As before:", *about))
    return replace(collected, state=SAME, about=about)


LATER = "In place of an earlier one."


def with_remarks(collected, noted, names):
    """Return the report with remarks, if the work can be graded but should be looked at first."""
    empty = EMPTY if noted.get("empty") else ""
    remarks = tuple(filter(None, [empty, with_whose_numbers(noted.get("numbers_of"), names)]))
    if collected.state not in (FINE, MENDED) or not remarks:
        return collected
    return replace(collected, state=LOOK, about=(*remarks, *collected.about))


EMPTY = "Nothing is written where answers belong."


NAME = "timestamp.txt"


def time_of(theirs, lesson, coursedir, number):
    """Return the time as nbgrader writes it, or as it was told if it cannot be read; "" if none was told."""
    told = theirs.student.about.get("time", "").strip(" -")
    return _in_utc(told or _beside(received_folder(coursedir.root, lesson, theirs.student.id, number)))


def _beside(folder):
    """Return the time that lies among what was handed in; "" if there is none.

    The file is nbgrader's, or the learner's own, so what the platform says is preferred.
    """
    for file in sorted(folder.rglob(NAME), reverse=True):
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(LONGEST_TIME).strip()
    return ""


def put_time(lesson, student, coursedir, number, time):
    """Write the time beside the submission; if there is none, remove the time of an older submission."""
    file = submitted_folder(coursedir, lesson, student) / NAME
    if time.endswith("UTC"):
        write_whole(file, time)
    elif receipt(coursedir.root, lesson, student).get("received", str(number)) != str(number):
        file.unlink(missing_ok=True)


def _in_utc(told):
    """Return a time in UTC, as nbgrader writes it; return a text that is no time as it is.

    A time without a zone is taken as this computer's local time.
    """
    try:
        return parser.parse(told).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, ArithmeticError):
        return told


def collect(source, lesson, coursedir, roster=None, platform=None):
    """Yield a Collected for everyone who handed in, as they are looked at, and then for those who did not.

    Between them comes one for each file that belongs to no student. platform: the one whose export the source is.
    """
    released_notebook(coursedir, lesson)
    own_numbers(coursedir.db_url, lesson)  # if it cannot be read who has which, that concerns the whole class
    with pieces_of(source) as pieces:
        handed, refused = by_student(pieces, lesson, roster, platform)
        if not handed:
            raise click.ClickException(f"There is nothing in {source} that a student could have handed in.")
        if roster:
            note_class(coursedir.root, lesson, roster)
        everybody = [*(theirs.student for theirs in handed), *(roster.students if roster else ())]
        names = {student.id: student.name for student in everybody}
        for theirs in handed:
            before = _noted(coursedir, lesson, theirs.student.id)
            collected = _collected(theirs, lesson, coursedir, Path(source).name)
            after = _noted(coursedir, lesson, theirs.student.id)
            yield with_remarks(as_news(collected, before, after), after, names)
    yield from (Collected("", REFUSED, about=(f"{sentence}.",)) for sentence in refused)
    came = {theirs.student.id for theirs in handed}
    for student in roster.students if roster else ():
        if student.id not in came and not receipt_or_trouble(coursedir.root, lesson, student.id):
            yield Collected(student.id, EXCUSED if student.excused else MISSING, student.name)


def _noted(coursedir, lesson, student):
    """Return a student's receipt; {} if it cannot be read, which is reported when something is added to it."""
    with suppress(OSError, ValueError):
        return receipt(coursedir.root, lesson, student)
    return {}


def _collected(theirs, lesson, coursedir, source):
    """Collect the work of one student; an error becomes its trouble, so that one bad submission stops no other."""
    student = theirs.student
    try:
        kept = _keep_all(theirs, lesson, coursedir)
        if not theirs.known:
            return Collected(student.id, UNKNOWN, student.name, (NOT_KNOWN,))
        trouble, about = _placed(theirs, kept, lesson, coursedir, source)
    except (Refused, Strange, OSError, ValueError) as error:
        trouble, about = str(error), []
        with suppress(Strange, OSError, ValueError):  # the receipt itself may be what cannot be read, or written
            folder_is_there(*place_of(coursedir, lesson, student.id))
            submitted_folder(coursedir, lesson, student.id).mkdir(parents=True, exist_ok=True)
            about_file = dict(name=student.name, source=source, trouble=trouble, unfit=trouble)
            note(coursedir.root, lesson, student.id, **about_file)
    told = tuple([*_said_of(theirs), *([f"{trouble}."] if trouble else []), *about])
    return Collected(student.id, TROUBLE if trouble else MENDED if about else FINE, student.name, told)


NOT_KNOWN = "This name or number is not in the roster: kept in received/, not graded."


def _said_of(theirs):
    if theirs.late:
        yield "Late."
    if len(theirs.versions()) > 1:
        yield f"Handed in {len(theirs.versions())} times: the latest counts."


def _keep_all(theirs, lesson, coursedir):
    """Keep all versions, after what an instructor has put into submitted/, and return the numbers of the versions."""
    root, student = coursedir.root, theirs.student.id
    if trouble_with_name(student):
        raise Refused(trouble_with_name(student))
    keep_submitted(lesson, student, coursedir)
    if not theirs.pieces:
        raise Refused(listed(piece.refused for piece in theirs.refused))
    return [keep([(p.own, p.copy) for p in version], root, lesson, student) for version in theirs.versions()]


def _placed(theirs, kept, lesson, coursedir, source):
    """Put the latest version in place, and return (trouble, what was mended).

    If a newer one has been received already, change nothing.
    """
    root, student = coursedir.root, theirs.student
    latest = numbers(root, lesson, student.id)[-1]
    if kept[-1] < latest:
        return receipt(root, lesson, student.id).get("unfit", ""), [f"It came before; submission {latest} counts."]
    put_time(lesson, student.id, coursedir, kept[-1], time := time_of(theirs, lesson, coursedir, kept[-1]))
    refused = [f"Left out: {listed(piece.refused for piece in theirs.refused)}."] if theirs.refused else []
    came_as = [str(piece.path) for piece in theirs.versions()[-1]]
    about = dict(name=student.name, source=source, came_as=came_as, late=theirs.late, time=time)
    trouble = put_in_place(lesson, student.id, coursedir, kept[-1], refused, **about)
    return trouble, receipt(root, lesson, student.id)["mended"]
