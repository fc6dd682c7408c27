"""The numbers that each student's notebook asks with: `mha kit --for` notes them beside the gradebook, for grading.

What a learner hands in never decides which numbers are theirs, but its text may hold those of another student.
"""

import json
from contextlib import suppress

from ..catalogue import EXERCISES
from ..told import Told
from ..variants import varying
from .seed import folder_of

FOLDER = "own_numbers"
COMMON = "the common lesson"


def own_numbers(db_url, lesson):
    """Return student -> question -> its numbers, empty if all have the same notebook; raise Told if unreadable."""
    file = place(db_url, lesson)
    try:
        return _of_students(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except (ValueError, OSError) as error:
        raise Told(f"{file} cannot be read ({error}). Take it away, and {AGAIN.format(lesson)}") from None


def _of_students(numbers):
    if not isinstance(numbers, dict) or not all(isinstance(own, dict) for own in numbers.values()):
        raise ValueError("it does not say which student has which numbers")
    return numbers


AGAIN = "say `mha kit {} --for ...` as before: the same numbers are drawn, unless the lesson was changed since"


def place(db_url, lesson):
    """Return the file with a lesson's numbers, as near to the gradebook as the seed that they are drawn from."""
    return folder_of(db_url) / FOLDER / f"{lesson}.json"


def as_given(question, numbers):
    """Return the question as it was given to a student with these numbers; the common one, if they have none for it."""
    own = numbers.get(question.name)
    return question.variants.with_numbers(own) if own else question


def asks_otherwise(notebook, lesson, student, handed_out):
    """Return question -> the passage in the notebook that holds its numbers, where these are not the student's."""
    text = _on_one_line(" ".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown"))
    found = {}
    for question in varying(lesson) if handed_out else ():
        if _passage(question, handed_out.get(student, {})) not in text:
            found[question.name] = next((p for p in _passages(question, handed_out) if p in text), "")
    return {name: passage for name, passage in found.items() if passage}


def whose_numbers(notebook, lesson, student, handed_out):
    """Return who has the numbers that a notebook asks with; None if they are the student's own, or cannot be seen.

    The list is empty if no known student has them.
    """
    strange = asks_otherwise(notebook, lesson, student, handed_out)
    known = handed_out | {COMMON: {}}
    theirs = [who for who, numbers in known.items() if all(_has(name, numbers, strange[name]) for name in strange)]
    return theirs if strange else None


def _has(name, numbers, passage):
    return _passage(EXERCISES[name], numbers) == passage


def _passages(question, handed_out):
    """Return the passages with all numbers that were given to students, and with all that could be."""
    given = [_passage(question, numbers) for numbers in (*handed_out.values(), {})]
    return {*filter(None, given), *(_passage(question, {question.name: numbers}) for numbers in question.variants.fit)}


def _passage(question, numbers):
    """Return the question's passage with these numbers; "" if it was rewritten since and no longer takes them."""
    with suppress(ValueError):
        asked = as_given(question, numbers)
        return _on_one_line(asked.variants.passage(asked.numbers))
    return ""


def _on_one_line(text):
    return " ".join(text.split())
