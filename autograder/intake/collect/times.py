"""The time at which something was handed in, where the platform tells it; nbgrader reads it from timestamp.txt.

The times in a zip are those of its making, so they tell nothing.
"""

from datetime import UTC

from dateutil import parser

from ..course_folder import submitted_folder
from ..receipts import receipt
from ..taking import LONGEST_TIME
from ..whole_files import write_whole
from .received import received_folder

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
