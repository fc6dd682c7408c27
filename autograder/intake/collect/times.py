"""When something was handed in, where the platform tells: nbgrader reads it from timestamp.txt, for what comes late.

The times in a zip are those of its making, so they tell nothing.
"""

from datetime import UTC

from dateutil import parser

from ..course_folder import submitted_folder
from ..receipts import receipt
from ..strange_files import LONGEST_TIME
from ..whole_files import write_whole
from .received import received_folder

NAME = "timestamp.txt"


def time_of(theirs, lesson, coursedir, number):
    """As nbgrader writes it; as it was told where we cannot read it; "" where nothing was told."""
    told = theirs.student.about.get("time", "").strip(" -")
    return _in_utc(told or _beside(received_folder(coursedir.root, lesson, theirs.student.id, number)))


def _beside(folder):
    """What lies among what was handed in is nbgrader's, or the learner's own: the platform knows better."""
    for file in sorted(folder.rglob(NAME), reverse=True):
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(LONGEST_TIME).strip()
    return ""


def put_time(lesson, student, coursedir, number, time):
    """An older time belongs to an older submission, and goes."""
    file = submitted_folder(coursedir, lesson, student) / NAME
    if time.endswith("UTC"):
        write_whole(file, time)
    elif receipt(coursedir.root, lesson, student).get("received", str(number)) != str(number):
        file.unlink(missing_ok=True)


def _in_utc(told):
    """A time without a zone is one of this computer's."""
    try:
        return parser.parse(told).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, ArithmeticError):
        return told
