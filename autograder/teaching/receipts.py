"""One receipt for each student and lesson: what was found, what was mended, what it was graded."""

import json
import os
from pathlib import Path


def receipt(root, lesson, student):
    """What is noted; {} if nothing is."""
    try:
        return json.loads(_file(root, lesson, student).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}


def note(root, lesson, student, **what):
    """Add to a receipt, or change it; the file is whole at any moment."""
    file = _file(root, lesson, student)
    file.parent.mkdir(parents=True, exist_ok=True)
    noted = {"student": student, "lesson": lesson} | receipt(root, lesson, student) | what
    new = file.with_name(f".{file.name}.new")
    text = json.dumps(noted, indent=1, ensure_ascii=False) + "\n"
    new.write_text(text, encoding="utf-8", errors="backslashreplace")  # names of files may be no text
    os.replace(new, file)


def students(root, lesson):
    """All who have a receipt, also those whose work cannot be graded."""
    return sorted(file.stem for file in (Path(root) / "receipts" / lesson).glob("[!.]*.json"))


def _file(root, lesson, student):
    return Path(root) / "receipts" / lesson / f"{student}.json"
