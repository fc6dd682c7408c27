"""What became of each submission: one small file for each, written whole, so that a kill leaves the old one or the new.

receipts/<lesson>/<student>.json says what was found, what was mended, what stands in the way, and how it was graded.
"""

import json
import os
import tempfile
from pathlib import Path


def receipt(root, lesson, student):
    """What has been noted so far; empty if nothing has."""
    try:
        return json.loads(_place(root, lesson, student).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ValueError(
            f"{_place(root, lesson, student)} cannot be read ({error}): take it away, then go on"
        ) from None


def receipts(root, lesson):
    """student -> receipt."""
    files = sorted(Path(root, "receipts", lesson).glob("*.json"))
    return {file.stem: receipt(root, lesson, file.stem) for file in files}


def note(root, lesson, student, **what):
    """Add to a receipt, or change what stands in it."""
    noted = {"student": student, "lesson": lesson, **receipt(root, lesson, student), **what}
    write_whole(_place(root, lesson, student), json.dumps(noted, indent=1, ensure_ascii=False))
    return noted


def write_whole(file, text):
    """Whoever looks sees all of it, or what was there before."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, prefix=".", delete=False, encoding="utf-8") as new:
        new.write(text)
    os.replace(new.name, file)


def _place(root, lesson, student):
    return Path(root, "receipts", lesson, f"{student}.json")
