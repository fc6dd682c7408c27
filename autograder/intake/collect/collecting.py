"""Collect what a class handed in from a platform's export: keep it as it came, look at it, mend it, and report it."""

from contextlib import suppress
from pathlib import Path

import click

from ..archives import Refused
from ..course_folder import released_notebook, submitted_folder
from ..numbers_of_students import own_numbers
from ..receipts import note, note_class, receipt, receipt_or_trouble
from ..student_names import trouble_with_name
from ..taking import Strange, folder_is_there, place_of
from ..wording import listed
from .fit import keep_submitted, put_in_place
from .lines import EXCUSED, FINE, MENDED, MISSING, REFUSED, TROUBLE, UNKNOWN, Collected, as_news, with_remarks
from .owners import by_student
from .received import keep, numbers
from .sources import pieces_of
from .times import put_time, time_of


def collect(source, lesson, coursedir, roster=None, platform=None):
    """Yield a Collected for everyone who handed in, as they are looked at, and then for those who did not.

    Between them comes one for each file that belongs to no student. platform: the one whose export the source is.
    """
    released_notebook(coursedir, lesson)
    _must_be_readable(lesson, coursedir)
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


def _must_be_readable(lesson, coursedir):
    """Raise an error if it cannot be read who has which numbers: that concerns the whole class."""
    try:
        own_numbers(coursedir.db_url, lesson)
    except ValueError as error:
        raise click.ClickException(str(error)) from None


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
