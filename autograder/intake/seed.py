"""The number that inputs are drawn from in grading: kept beside the gradebook, so that grading again is the same."""

import hashlib
import os
import secrets
from pathlib import Path

from ..told import Told

NAME = "grading_seed.txt"
WHAT_FOR = (
    "Inputs are drawn from this number when submissions are graded.\nKeep it, with the gradebook, from learners.\n"
)


def seed_of(db_url):
    """That of the gradebook at this address; a new one where there is none."""
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
    """A student's, or a task's: inputs of their own, and what one of them shows tells nothing about the others."""
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:16])


def folder_of(db_url):
    """A gradebook that is no file has its number in the working folder."""
    return Path(db_url.removeprefix("sqlite:///")).parent if db_url.startswith("sqlite:///") else Path()
