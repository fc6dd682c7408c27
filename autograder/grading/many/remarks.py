"""What is said of a submission beside its points: what somebody should know, or look at."""

from ...intake.numbers_of_students import own_numbers
from ...intake.receipts import receipt
from ...intake.student_names import names_of, with_whose_numbers
from . import by_hand


def remarks(api, lesson, student, unjudged, look_again):
    """Sentences. unjudged: tasks that could not be judged by a fault of ours; look_again: tasks that somebody marked by
    hand, and that are not what they were then.
    """
    noted = receipt(api.coursedir.root, lesson, student)
    return (
        *(f"mended: {sentence}" for sentence in noted.get("mended", ())),
        *(f"{name} could not be judged: look at it" for name in unjudged),
        *(f"{name} was marked by hand, and has changed: see formgrader" for name in look_again),
        *(f"{name} waits for your mark: see formgrader" for name in by_hand.waiting(api, lesson, student)),
        *filter(None, (_without_numbers(api, lesson, student), _whose_numbers(api, noted))),
    )


def _without_numbers(api, lesson, student):
    """Remark that no kit was made for this student, where others have numbers of their own."""
    handed_out = own_numbers(api.coursedir.db_url, lesson)
    if handed_out and student not in handed_out:
        return "not in the roster of the kits, so judged for the common numbers"


def _whose_numbers(api, noted):
    """Remark that the notebook asks with another student's numbers."""
    students = noted.get("numbers_of")
    return with_whose_numbers(students, names_of(api.coursedir.db_url) if students else {})
