"""Whose notebook asks with which numbers: `mha kit --for` notes it beside the gradebook, and grading reads it there.

Of what a learner hands in about their numbers nothing is read.
"""

import json

from .seed import folder_of

FOLDER = "own_numbers"


def own_numbers(db_url, lesson):
    """student -> question -> its numbers; empty if all have the same notebook."""
    file = place(db_url, lesson)
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ValueError(f"{file} cannot be read ({error}). Take it away, and {AGAIN.format(lesson)}") from None


AGAIN = "say `mha kit {} --for ...` as before: the same numbers are drawn, unless the lesson was changed since"


def place(db_url, lesson):
    """As near to the gradebook as the number that they are drawn from."""
    return folder_of(db_url) / FOLDER / f"{lesson}.json"
