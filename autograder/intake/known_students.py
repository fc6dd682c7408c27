"""Who is known to a course: from class lists, from what was handed in, from the gradebook."""

from ..catalogue import LESSONS
from .class_list import class_of
from .course_folder import who_handed_in
from .late import is_missing
from .receipts import receipts
from .student_names import name_as_told, names_of, students_in, whom


def handed_in_nothing(coursedir, lesson, handed_in):
    """Of those who did not hand in: who is missing, and who is excused.

    Where no roster was given for this lesson, it is everybody who is known from others.
    """
    listed = class_of(coursedir.root, lesson)
    absent = [student for student in listed or names_of_all(coursedir) if student not in set(handed_in)]
    excused = tuple(student for student in absent if listed.get(student, {}).get("excused"))
    return tuple(student for student in absent if student not in excused), excused


def names_of_all(coursedir):
    """student -> name, perhaps empty: all whom class lists, receipts or the gradebook know."""
    root, db_url = coursedir.root, coursedir.db_url
    known = {}
    for lesson in LESSONS:
        listed = class_of(root, lesson).items()
        named = {student: name_as_told(about["name"]) for student, about in listed}
        named |= {student: noted.get("name", "") for student, noted in receipts(root, lesson).items()}
        named |= dict.fromkeys(set(who_handed_in(coursedir, lesson)) - set(named), "")
        known |= {student: name or known.get(student, "") for student, name in named.items()}
    if not is_missing(db_url):
        known |= {student: known.get(student, "") for student in students_in(db_url)} | names_of(db_url)
    return known


def as_listed(coursedir):
    """student -> as lists print them."""
    names = names_of_all(coursedir)
    return {student: whom(student, names) for student in names}
