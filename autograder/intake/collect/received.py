"""The folder received/, with each submission exactly as it came, under its number; nothing in it is overwritten."""

import hashlib
import os
import shutil
from pathlib import Path

from .. import archives


def received_folder(root, lesson, student, number=""):
    return Path(root) / "received" / lesson / student / str(number)


def numbers(root, lesson, student):
    """Return the numbers of what was received so far, in order."""
    folder = received_folder(root, lesson, student)
    return sorted(int(place.name) for place in folder.glob("[0-9]*") if place.name.isdigit())


def keep(pieces, root, lesson, student):
    """Copy what came, and return its number: the one that it has already, if the same came before.

    pieces: (name, a function that copies it) for each file. A submission that is refused leaves nothing behind.
    """
    home = received_folder(root, lesson, student)
    home.mkdir(parents=True, exist_ok=True)
    coming = home / ".coming"
    shutil.rmtree(coming, ignore_errors=True)  # left by a run that was killed
    try:
        coming.mkdir()
        _copy_all(pieces, coming)
        same = [n for n in numbers(root, lesson, student) if found(home / str(n)) == found(coming)]
        return same[-1] if same else _under_next_number(coming, root, lesson, student)
    finally:
        shutil.rmtree(coming, ignore_errors=True)


def found(folder):
    """Return the name, fingerprint and size of each file in a folder."""
    files = sorted(file for file in Path(folder).rglob("*") if file.is_file() and not file.is_symlink())
    return [
        {"file": file.relative_to(folder).as_posix(), "sha256": fingerprint(file), "bytes": file.stat().st_size}
        for file in files
    ]


def fingerprint(file):
    """Return the SHA-256 digest of a file; "" if there is no such file."""
    if not Path(file).is_file():
        return ""
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _copy_all(pieces, folder):
    left = archives.MOST_BYTES
    for name, copy in pieces:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(target, "xb") as file:
            left -= copy(file, left)


def _under_next_number(coming, root, lesson, student):
    number = max(numbers(root, lesson, student), default=0) + 1
    os.rename(coming, received_folder(root, lesson, student, number))
    return number
