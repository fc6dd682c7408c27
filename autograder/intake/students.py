"""The students whom a course knows, and which of them is meant by a name that somebody typed."""

from difflib import get_close_matches

import click

from ..catalogue import LESSONS
from .collect.roster import letters, names_in_any_order
from .course_folder import who_handed_in
from .late import has_no_gradebook
from .receipts import class_of, receipts
from .student_names import name_as_told, names_of, students_in, whom
from .wording import listed


def find_student(asked, told):
    """Return the id of the student who is meant; raise ClickException if there is none, or more than one.

    told: id -> the student as lists print them, `Jane Doe (12345)`.
    """
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
    """Return the ids of the students who are meant; a name that fits none stays as it is, for the caller to report."""
    return [_meant(name, told) or name for name in asked]


def _meant(asked, told):
    """Return the id that is meant by an id, a name in either order, or both as `Jane Doe (12345)`; "" if none is."""
    if asked in told:
        return asked
    found = [student for student, whom in told.items() if letters(asked) and letters(asked) in _forms(student, whom)]
    if len(found) > 1:
        raise click.ClickException(f"{asked} may be {listed((told[one] for one in found), 10)}. Give the id.")
    return found[0] if found else ""


def _forms(student, whom):
    """Return all that may be typed for a student, as letters and digits only."""
    name = whom.removesuffix(f" ({student})")
    return {letters(student), letters(whom), *names_in_any_order(name)}


def handed_in_nothing(coursedir, lesson, handed_in):
    """Return (missing, excused): the students who handed in nothing, without an excuse and with one.

    If no roster was given for this lesson, all students whom the course knows are expected to hand in.
    """
    listed = class_of(coursedir.root, lesson)
    absent = [student for student in listed or names_of_all(coursedir) if student not in set(handed_in)]
    excused = tuple(student for student in absent if listed.get(student, {}).get("excused"))
    return tuple(student for student in absent if student not in excused), excused


def names_of_all(coursedir):
    """Return student -> name, perhaps empty, of all whom class lists, submissions, receipts or the gradebook know."""
    root, db_url = coursedir.root, coursedir.db_url
    known = {}
    for lesson in LESSONS:
        listed = class_of(root, lesson).items()
        named = {student: name_as_told(about["name"]) for student, about in listed}
        named |= {student: noted.get("name", "") for student, noted in receipts(root, lesson).items()}
        named |= dict.fromkeys(set(who_handed_in(coursedir, lesson)) - set(named), "")
        known |= {student: name or known.get(student, "") for student, name in named.items()}
    if not has_no_gradebook(db_url):
        known |= {student: known.get(student, "") for student in students_in(db_url)} | names_of(db_url)
    return known


def as_listed(coursedir):
    """Return student -> how lists print them, such as `Jane Doe (12345)`."""
    names = names_of_all(coursedir)
    return {student: whom(student, names) for student in names}
