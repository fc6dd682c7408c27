"""What became of each submission: one small file for each, written whole.

receipts/<lesson>/<student>.json says what was found, what was mended, what stands in the way, and how it was graded.
"""

import json
from pathlib import Path

from .whole import write_whole


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


def _place(root, lesson, student):
    return Path(root, "receipts", lesson, f"{student}.json")
