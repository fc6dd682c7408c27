"""Which student somebody means: whatever we print of one may be typed in a command."""

from difflib import get_close_matches

import click

from .collect.roster import letters, names_in_any_order
from .wording import listed


def find_student(asked, told):
    """The id of the student who is meant. told: id -> as lists print them, `Jane Doe (12345)`."""
    found = _meant(asked, told)
    if not found:
        near = get_close_matches(asked, {*told, *told.values()}) or [
            w for w in told.values() if asked.lower() in w.lower()
        ]
        if not told:
            raise click.ClickException("No student is known here yet: `mha collect` takes in what they hand in.")
        advice = f"Perhaps {listed(near)}?" if near else f"There are {listed(told.values(), 20)}."
        raise click.ClickException(f"There is no student {asked!r} here. {advice}")
    return found


def find_students(asked, told):
    """The ids of those who are meant; a name that is nobody's stays as it is, and whoever asked says so."""
    return [_meant(name, told) or name for name in asked]


def _meant(asked, told):
    """An id, a name in either order, or both as `Jane Doe (12345)`; nothing if it is nobody's."""
    if asked in told:
        return asked
    found = [student for student, whom in told.items() if letters(asked) and letters(asked) in _forms(student, whom)]
    if len(found) > 1:
        raise click.ClickException(f"{asked} may be {listed((told[one] for one in found), 10)}. Give the id.")
    return found[0] if found else ""


def _forms(student, whom):
    """All that somebody may type for a student, letters only."""
    name = whom.removesuffix(f" ({student})")
    return {letters(student), letters(whom), *names_in_any_order(name)}
