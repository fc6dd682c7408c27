"""Who is in the class of a lesson, and who is excused from it: noted when somebody collects with a roster."""

import json
from contextlib import suppress
from pathlib import Path

from .whole_files import write_whole


def note_class(root, lesson, roster):
    """Add the students of a roster to what is known of a lesson's class: a class may come in several lists."""
    students = {student.id: {"name": student.name, "excused": student.excused} for student in roster.students}
    write_whole(_place(root, lesson), json.dumps(class_of(root, lesson) | students, indent=1, ensure_ascii=False))


def class_of(root, lesson):
    """student -> name, and whether they are excused; empty where no roster was given, or the file is damaged."""
    with suppress(OSError, ValueError, TypeError):
        known = json.loads(_place(root, lesson).read_text(encoding="utf-8"))
        return {student: about for student, about in dict(known).items() if "name" in about}
    return {}


def _place(root, lesson):
    return Path(root, "receipts", f"class_of_{lesson}.json")
