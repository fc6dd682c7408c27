"""The number from which grading draws inputs: it is kept beside the gradebook, so that grading again is the same."""

import hashlib
import os
import secrets
from pathlib import Path

from ..told import Told

NAME = "grading_seed.txt"
SQLITE = "sqlite:///"
WHAT_FOR = (
    "Inputs are drawn from this number when submissions are graded.\nKeep it, with the gradebook, from learners.\n"
)


def seed_of(db_url):
    """Return the seed of the gradebook at this address, making one if there is none; raise Told if unreadable."""
    file = folder_of(db_url) / NAME
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:
            new.write(f"{secrets.randbits(128)}\n{WHAT_FOR}")
    except FileExistsError:
        pass
    try:
        return int(file.read_text().split()[0])
    except (ValueError, IndexError, OSError):
        raise Told(f"{file} should begin with a number. Take it away to get a new one: inputs will change") from None


def derived(seed, name):
    """Return the seed of one student or task, so that inputs are its own and tell nothing about the others' inputs."""
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:16])


def folder_of(db_url):
    """Return the folder of the gradebook's file; the working folder, if the gradebook is not a file."""
    file = gradebook_file(db_url)
    return file.parent if file else Path()


def gradebook_file(db_url):
    """Return the file of the gradebook at this address; None if it is on a server."""
    return Path(db_url.removeprefix(SQLITE)) if db_url.startswith(SQLITE) else None
