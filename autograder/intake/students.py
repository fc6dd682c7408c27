"""Students: those in the roster of a class, those whom a course knows, and who is meant by a name.

A roster is a list of our own, Canvas' exported gradebook, or Moodle's grading worksheet.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

import click
from nbgrader import api
from sqlalchemy import select

from ..catalogue import LESSONS
from .course_folder import class_of, receipt_or_trouble, receipts, who_handed_in
from .names import as_folder, composed, first_and_last, letters, name_as_told, names_in_any_order, whom
from .own_numbers import has_no_gradebook
from .platforms import PARTICIPANT, Canvas, Moodle, Sheet, called_like
from .wording import listed

ID, NAME = "id", "name"
LATER = ("login", "sis", "email", NAME)  # columns after which a folder may be named, besides the id
COLUMNS = {ID: ID, NAME: NAME, "first_name": "first", "last_name": "last", "email": "email", "login": "login"}
COLUMNS |= {"student": NAME, "sis user id": "sis", "sis login id": "login"}  # as Canvas calls them
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
        wanted = letters(value) if column == NAME else composed(value).lower()
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


def _forms(student, column):
    value = student.about.get(column, "")
    if column == NAME:
        return names_in_any_order(value)
    return {composed(value).lower(), as_folder(value).lower()} - {"", "nameless"}


def put_names(db_url, root, lesson, students):
    """Write names as they were collected, without the platform's numbers, where the gradebook has no first name."""
    with api.Gradebook(db_url) as gradebook:
        db = gradebook.db
        known = dict(db.execute(select(api.Student.id, api.Student.first_name)).all())
        in_class = class_of(root, lesson)
        for student in students:
            name = receipt_or_trouble(root, lesson, student).get("name") or in_class.get(student, {}).get("name", "")
            first, last = first_and_last(re.sub(rf" \((Participant \d+|{re.escape(student)})\)$", "", name))
            if last and not known.get(student):
                db.merge(api.Student(id=student, first_name=first, last_name=last))
        db.commit()


def names_of(db_url):
    """Return student -> name, perhaps empty, of all in the gradebook."""
    with api.Gradebook(db_url) as gradebook:
        columns = select(api.Student.id, api.Student.first_name, api.Student.last_name).order_by(api.Student.id)
        return {student: " ".join(filter(None, names)) for student, *names in gradebook.db.execute(columns)}


def with_whose_numbers(students, names):
    """Say whose numbers a notebook asks with, those of `students`; "" if that is None: the student's own."""
    if students is None:
        return ""
    others = listed(whom(student, names) for student in students) or "somebody else"
    return f"It asks with the numbers of {others}, not with their own: perhaps files were mixed up."


def handed_in_nothing(coursedir, lesson, handed_in):
    """Return (missing, excused): the students who handed in nothing, without an excuse and with one.

    If no roster was given for this lesson, all students whom the course knows are expected to hand in.
    """
    in_class = class_of(coursedir.root, lesson)
    absent = [student for student in in_class or names_of_all(coursedir) if student not in set(handed_in)]
    excused = tuple(student for student in absent if in_class.get(student, {}).get("excused"))
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
