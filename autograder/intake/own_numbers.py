"""The numbers that each student's notebook asks with: `mha kit --for` notes them beside the gradebook, for grading.

What a learner hands in never decides which numbers are theirs, but its text may hold those of another student.
"""

import hashlib
import json
import os
import secrets
from contextlib import suppress
from functools import partial
from pathlib import Path

from ..catalogue import EXERCISES, varying
from ..failure_messages import Told

NAME = "grading_seed.txt"
SQLITE = "sqlite:///"
FOLDER = "own_numbers"
COMMON = "the common lesson"
AGAIN = "say `mha kit {} --for ...` as before: the same numbers are drawn, unless the lesson was changed since"
WHAT_FOR = "Inputs are drawn from this number when submissions are graded.\nKeep it and the gradebook from learners.\n"


def seed_of(db_url):
    """Return the seed of the gradebook at this address, making one if there is none; raise Told if unreadable."""
    file = folder_of(db_url) / NAME
    with suppress(FileExistsError), open(file, "x", opener=partial(os.open, mode=0o600)) as new:
        new.write(f"{secrets.randbits(128)}\n{WHAT_FOR}")
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


def has_no_gradebook(db_url):
    """Say whether there is no gradebook yet; by opening it, nbgrader would make an empty file."""
    file = gradebook_file(db_url)
    return file is not None and not file.exists()


def own_numbers(db_url, lesson):
    """Return student -> question -> its numbers, empty if all have the same notebook; raise Told if unreadable."""
    file = place(db_url, lesson)
    try:
        numbers = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(numbers, dict) or not all(isinstance(own, dict) for own in numbers.values()):
            raise ValueError("it does not say which student has which numbers")
        return numbers
    except FileNotFoundError:
        return {}
    except (ValueError, OSError) as error:
        raise Told(f"{file} cannot be read ({error}). Take it away, and {AGAIN.format(lesson)}") from None


def place(db_url, lesson):
    """Return the file with a lesson's numbers, as near to the gradebook as the seed that they are drawn from."""
    return folder_of(db_url) / FOLDER / f"{lesson}.json"


def as_given(question, numbers):
    """Return the question as it was given to a student with these numbers; the common one, if they have none for it."""
    own = numbers.get(question.name)
    return question.variants.with_numbers(own) if own else question


def asks_otherwise(notebook, lesson, student, handed_out):
    """Return question -> the passage in the notebook that holds its numbers, where these are not the student's.

    Looked for are all numbers that were given to students, and all that could be.
    """
    texts, found = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"], {}
    text = " ".join(" ".join(texts).split())
    for question in varying(lesson) if handed_out else ():
        if _passage(question, handed_out.get(student, {})) not in text:
            given = [*handed_out.values(), {}, *({question.name: numbers} for numbers in question.variants.fit)]
            passages = filter(None, (_passage(question, numbers) for numbers in given))
            found[question.name] = next((passage for passage in passages if passage in text), "")
    return {name: passage for name, passage in found.items() if passage}


def whose_numbers(notebook, lesson, student, handed_out):
    """Return who has the numbers that a notebook asks with, perhaps nobody known; None if they are the student's."""
    strange = asks_otherwise(notebook, lesson, student, handed_out).items()
    known = (handed_out | {COMMON: {}}).items()
    theirs = [who for who, own in known if all(_passage(EXERCISES[name], own) == passage for name, passage in strange)]
    return theirs if strange else None


def _passage(question, numbers):
    """Return the question's passage with these numbers; "" if it was rewritten since and no longer takes them."""
    with suppress(ValueError):
        asked = as_given(question, numbers)
        return " ".join(asked.variants.passage(asked.numbers).split())
    return ""
