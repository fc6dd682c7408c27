"""Students: those in the roster of a class, those whom a course knows, and who is meant by a name.

A roster is a list of our own, Canvas' exported gradebook, or Moodle's grading worksheet.
"""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from difflib import get_close_matches

import click
from nbgrader import api
from sqlalchemy import select

from ..catalogue import LESSONS
from .course_folder import class_of, receipt_or_trouble, receipts, who_handed_in
from .own_numbers import has_no_gradebook
from .platforms import PARTICIPANT, Canvas, Moodle, Sheet, called_like
from .wording import cut, listed

ID, NAME = "id", "name"
LATER = ("login", "sis", "email", NAME)  # columns after which a folder may be named, besides the id
COLUMNS = {ID: ID, NAME: NAME, "first_name": "first", "last_name": "last", "email": "email", "login": "login"}
COLUMNS |= {"student": NAME, "sis user id": "sis", "sis login id": "login"}  # as Canvas calls them
NOBODY = re.compile(r"\s*(points possible|student, test|test student)\s*", re.IGNORECASE)  # lines of Canvas' own
MOST, MOST_BYTES = 128, 200  # characters, in the gradebook; bytes, in a file's name to which an ending is added
NO_MARKUP = str.maketrans("<>", "‹›")  # formgrader writes names into its pages as they are
STRANGE = frozenset('<>"&\\%#?*[]{}|:;`')  # with a meaning in a page, an address or a pattern
MISNAMED = (
    "%s cannot be the name of a student's folder: rename it. It may hold letters, digits, . _ - + @ , ' ( ), "
    f"and blanks inside, at most {MOST} characters or {MOST_BYTES} bytes, and begins with no dot"
)


@dataclass(frozen=True)
class Student:
    """A student in a roster, or one whose name a platform or a folder gives.

    id: the name of their folders, and in the gradebook; about: what else the list tells about them.
    excused: whether they need not hand in this lesson.
    """

    id: str
    name: str = ""
    about: dict = field(default_factory=dict, compare=False)
    excused: bool = field(default=False, compare=False)


def in_roster(value, columns, roster):
    """Return the only student with this value in one of the columns, which are tried in order; or None."""
    for column in columns:
        wanted = letters(value) if column == NAME else _composed(value).lower()
        same = [student for student in roster or () if wanted in _forms(student, column)]
        if len(same) == 1:
            return same[0]


def read_roster(file, lesson=""):
    """Return the students in a file; raise ClickException if it is no roster.

    If it has a column for the lesson, EX or N/A in that column says who is excused.
    """
    sheet = Sheet(file)
    head, *rows = sheet.rows
    header = [column.strip().lower() for column in head]
    columns = Moodle.people(sheet) or {n: COLUMNS[column] for n, column in enumerate(header) if column in COLUMNS}
    if not {ID, "participant"} & {*columns.values()}:
        raise click.ClickException(
            f"{file} has the columns {', '.join(header)[:200] or 'none'}. A roster needs one called id, "
            "or is Canvas' exported gradebook (Student, ID), or Moodle's grading worksheet."
        )
    excused = [n for n, title in enumerate(head) if lesson and title in called_like(lesson, head)]
    students = [student for row in rows if (student := _student(row, columns, excused))]
    double = [student for student, lines in Counter(student.id for student in students).items() if lines > 1]
    if double:
        ids = sorted({student.about[ID] for student in students if student.id == double[0]})
        if len(ids) > 1:
            raise click.ClickException(f"{file}: {' and '.join(ids)} would share a folder. Give one another id.")
        raise click.ClickException(f"{file} has more than one line for {', '.join(double[:5])}. Leave one for each.")
    return students


def _student(row, columns, excused):
    about = {column: row[n].strip() for n, column in columns.items() if n < len(row)}
    if "participant" in about:  # of Moodle, whose numbers are new for each assignment
        about["participant"] = PARTICIPANT.sub(r"\2", about["participant"])
        about[ID] = about.get("email") or about.get(NAME) or about["participant"]
    name = about.get(NAME) or f"{about.get('last', '')}, {about.get('first', '')}".strip(", ")
    if about.get(ID) and not NOBODY.fullmatch(name):
        is_excused = any(row[n].strip().upper() in Canvas.stays for n in excused if n < len(row))
        return Student(as_folder(about[ID]), name, about | {NAME: name}, is_excused)


def as_folder(text):
    """Turn a text into a name for a folder that is fit for any computer, and for nbgrader."""
    return re.sub(r"[^\w.@'+-]+", "_", _composed(text)).strip("._") or "nameless"


def _composed(text):
    """Return a text with each accent in its letter: macOS writes names of folders with accents of their own."""
    return unicodedata.normalize("NFC", text)


def _forms(student, column):
    value = student.about.get(column, "")
    if column == NAME:
        return names_in_any_order(value)
    return {_composed(value).lower(), as_folder(value).lower()} - {"", "nameless"}


def names_in_any_order(name):
    """Return a name without blanks in both orders, whether it is written `Doe, Jane` or `Jane Doe`."""
    words = re.split(r"[,\s]+", name.strip())
    return {letters("".join(words[n:] + words[:n])) for n in (0, 1, len(words) - 1)} - {""}


def letters(text):
    """Reduce a text to small letters and digits without accents, so that a name is the same however it is typed."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if c.isalnum()).casefold()


def put_names(db_url, root, lesson, students):
    """Write names as they were collected, without the platform's numbers, where the gradebook has no first name."""
    with api.Gradebook(db_url) as gradebook:
        db = gradebook.db
        known = dict(db.execute(select(api.Student.id, api.Student.first_name)).all())
        listed = class_of(root, lesson)
        for student in students:
            name = receipt_or_trouble(root, lesson, student).get("name") or listed.get(student, {}).get("name", "")
            first, last = first_and_last(re.sub(rf" \((Participant \d+|{re.escape(student)})\)$", "", name))
            if last and not known.get(student):
                db.merge(api.Student(id=student, first_name=first, last_name=last))
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
    with api.Gradebook(db_url) as gradebook:
        columns = select(api.Student.id, api.Student.first_name, api.Student.last_name).order_by(api.Student.id)
        return {student: " ".join(filter(None, names)) for student, *names in gradebook.db.execute(columns)}


def whom(student, names):
    """Return `Jane Doe (12345)`, or the id alone if no name is known, or the name says the same."""
    name = names.get(student, "")
    return f"{name} ({student})" if as_folder(name).casefold() not in ("nameless", student.casefold()) else student


def with_whose_numbers(students, names):
    """Say whose numbers a notebook asks with, those of `students`; "" if that is None: the student's own."""
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
    """Return the id of whoever is meant, or raise ClickException. told: id -> as lists print it, `Jane Doe (12345)`."""
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
