"""The students whom a course knows, and which of them is meant by a name that somebody typed."""

import re
from difflib import get_close_matches

import click
from nbgrader.api import Gradebook, Student
from sqlalchemy import select

from ..catalogue import LESSONS
from .course_folder import class_of, receipt_or_trouble, receipts, who_handed_in
from .own_numbers import has_no_gradebook
from .roster import as_folder, letters, names_in_any_order
from .wording import cut, listed

MOST, MOST_BYTES = 128, 200  # characters, in the gradebook; bytes, in a file's name to which an ending is added
NO_MARKUP = str.maketrans("<>", "‹›")  # formgrader writes names into its pages as they are
STRANGE = frozenset('<>"&\\%#?*[]{}|:;`')  # with a meaning in a page, an address or a pattern
MISNAMED = (
    "%s cannot be the name of a student's folder: rename it. It may hold letters, digits, . _ - + @ , ' ( ), "
    f"and blanks inside, at most {MOST} characters or {MOST_BYTES} bytes, and begins with no dot"
)


def put_names(db_url, root, lesson, students):
    """Write the students' names, as they were collected, without the platform's numbers, into the gradebook.

    A name that is already there stays, unless it has no first name.
    """
    with Gradebook(db_url) as gradebook:
        db = gradebook.db
        known = dict(db.execute(select(Student.id, Student.first_name)).all())
        listed = class_of(root, lesson)
        for student in students:
            name = receipt_or_trouble(root, lesson, student).get("name") or listed.get(student, {}).get("name", "")
            first, last = first_and_last(re.sub(rf" \((Participant \d+|{re.escape(student)})\)$", "", name))
            if last and not known.get(student):
                db.merge(Student(id=student, first_name=first, last_name=last))
        db.commit()


def first_and_last(name):
    """Split `Doe, Jane` or `Jane Doe` into first and last name; a name of one word has an empty first name."""
    plain = "".join(c if c.isprintable() else " " for c in name).translate(NO_MARKUP)
    last, comma, first = plain.rpartition(",")
    if not comma:
        first, _, last = " ".join(plain.split()).rpartition(" ")
    return " ".join(first.split())[:MOST], " ".join(last.split())[:MOST]


def name_as_told(name):
    """Return a name as `Jane Doe`, in whichever order it is given."""
    return " ".join(filter(None, first_and_last(name)))


def names_of(db_url):
    """Return student -> name, perhaps empty, of all in the gradebook."""
    with Gradebook(db_url) as gradebook:
        columns = select(Student.id, Student.first_name, Student.last_name).order_by(Student.id)
        return {student: " ".join(filter(None, names)) for student, *names in gradebook.db.execute(columns)}


def whom(student, names):
    """Return `Jane Doe (12345)`, or the id alone if no name is known, or the name says the same."""
    name = names.get(student, "")
    return f"{name} ({student})" if as_folder(name).casefold() not in ("nameless", student.casefold()) else student


def with_whose_numbers(students, names):
    """Tell an instructor whose numbers a notebook asks with, if they are not the student's own.

    students: those who have these numbers, perhaps none; if it is None, there is nothing to tell, and "" is returned.
    """
    if students is None:
        return ""
    others = listed(whom(student, names) for student in students) or "somebody else"
    return f"It asks with the numbers of {others}, not with their own: perhaps files were mixed up."


def trouble_with_name(student):
    """Return why no student can be graded under the name of a folder, and what to do; "" if the name is fine."""
    fits = student == student.strip() and student.isprintable() and STRANGE.isdisjoint(student)
    if fits and not student.startswith(".") and len(student) <= MOST and len(student.encode()) <= MOST_BYTES:
        return ""
    return MISNAMED % repr(cut(student))


def find_student(asked, told):
    """Return the id of the student who is meant; raise ClickException if there is none, or more than one.

    told: id -> the student as lists print them, `Jane Doe (12345)`.
    """
    if found := _meant(asked, told):
        return found
    if not told:
        raise click.ClickException("No student is known here yet: `mha collect` takes in what they hand in.")
    near = get_close_matches(asked, told.values()) or [who for who in told.values() if asked.lower() in who.lower()]
    advice = f"Perhaps {listed(near)}?" if near else f"There are {listed(told.values(), 20)}."
    raise click.ClickException(f"There is no student {asked!r} here. {advice}")


def find_students(asked, told):
    """Return the ids of the students who are meant; a name that fits none stays as it is, for the caller to report."""
    return [_meant(name, told) or name for name in asked]


def _meant(asked, told):
    """Return the id that is meant by an id, a name in either order, or both as `Jane Doe (12345)`; "" if none is."""
    if asked in told:
        return asked
    sought, found = letters(asked), []
    for student, whom in told.items():
        forms = {letters(student), letters(whom), *names_in_any_order(whom.removesuffix(f" ({student})"))}
        found += [student] if sought and sought in forms else []
    if len(found) > 1:
        raise click.ClickException(f"{asked} may be {listed((told[one] for one in found), 10)}. Give the id.")
    return found[0] if found else ""


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
        named = {student: name_as_told(about["name"]) for student, about in class_of(root, lesson).items()}
        named |= {student: noted.get("name", "") for student, noted in receipts(root, lesson).items()}
        named |= dict.fromkeys(set(who_handed_in(coursedir, lesson)) - set(named), "")
        known |= {student: name or known.get(student, "") for student, name in named.items()}
    if not has_no_gradebook(db_url):
        known |= {student: name or known.get(student, "") for student, name in names_of(db_url).items()}
    return known


def as_listed(coursedir):
    """Return student -> how lists print them, such as `Jane Doe (12345)`."""
    names = names_of_all(coursedir)
    return {student: whom(student, names) for student in names}
