"""The roster of a class: a list of our own, Canvas' exported gradebook, or Moodle's grading worksheet."""

import csv
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field

import click

from .platforms import PARTICIPANT, Canvas, Moodle, Sheet, called_like

ID, NAME = "id", "name"
LATER = ("login", "sis", "email", NAME)  # columns after which a folder may be named, besides the id
# For each kind of list but Moodle's, what it needs, and what its columns mean here. The first kind that fits is taken.
KINDS = {
    ("student", ID): {"student": NAME, ID: ID, "sis user id": "sis", "sis login id": "login"},
    (ID,): {ID: ID, NAME: NAME, "first_name": "first", "last_name": "last", "email": "email", "login": "login"},
}
NOBODY = re.compile(r"\s*(points possible|student, test|test student)\s*", re.IGNORECASE)  # lines of Canvas' own


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
    """Return the students in a file; raise ClickException if it cannot be read, or is no roster.

    If it has a column for the lesson, EX or N/A in that column says who is excused.
    """
    try:
        sheet = Sheet(file)
    except (ValueError, OSError, csv.Error) as error:
        raise click.ClickException(f"{file} cannot be read: {error}.") from None
    head, *rows = sheet.rows
    header = [column.strip().lower() for column in head]
    kind = next((kind for needed, kind in KINDS.items() if set(needed) <= set(header)), {})
    columns = Moodle.people(sheet) or {n: kind[column] for n, column in enumerate(header) if column in kind}
    if not columns:
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
