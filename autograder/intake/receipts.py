"""Receipts: what became of each submission, and who is in the class of a lesson; small files, written whole.

receipts/<lesson>/<student>.json says what was found, what was mended, what prevents grading, and how it was graded.
receipts/class_of_<lesson>.json holds the class list, where one was given.
"""

import json
from contextlib import suppress
from pathlib import Path

from ..failure_messages import Told
from .whole_files import write_whole


def receipt(root, lesson, student):
    """Return what has been noted so far, empty if nothing has been; raise Told if it cannot be read."""
    file = _place(root, lesson, student)
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise Told(f"{file} cannot be read ({getattr(error, 'strerror', None) or error}): take it away") from None


def receipt_or_trouble(root, lesson, student):
    """Return a receipt that is only to be read; one that cannot be becomes its trouble, and so stops no other."""
    try:
        return receipt(root, lesson, student)
    except Told as damaged:
        return {"trouble": str(damaged)}


def receipts(root, lesson):
    files = sorted(Path(root, "receipts", lesson).glob("*.json"))
    return {file.stem: receipt_or_trouble(root, lesson, file.stem) for file in files}


def note(root, lesson, student, **what):
    """Add to a receipt, or change what it says, and return it."""
    noted = {"student": student, "lesson": lesson, **receipt(root, lesson, student), **what}
    write_whole(_place(root, lesson, student), json.dumps(noted, indent=1, ensure_ascii=False))
    return noted


def _place(root, lesson, student):
    return Path(root, "receipts", lesson, f"{student}.json")


def note_class(root, lesson, roster):
    """Add the students of a roster to a lesson's class list, since a class may come in several rosters."""
    students = {student.id: {"name": student.name, "excused": student.excused} for student in roster}
    write_whole(_class_file(root, lesson), json.dumps(class_of(root, lesson) | students, indent=1, ensure_ascii=False))


def class_of(root, lesson):
    """Return student -> {name, excused}; an empty dict if no roster was given, or the file is damaged."""
    with suppress(OSError, ValueError, TypeError):
        known = json.loads(_class_file(root, lesson).read_text(encoding="utf-8"))
        return {student: about for student, about in dict(known).items() if "name" in about}
    return {}


def _class_file(root, lesson):
    return Path(root, "receipts", f"class_of_{lesson}.json")
