"""What a learner reads where the text of their notebook asks with the numbers of somebody else: not whose they are."""

from ...catalogue import EXERCISES
from ...intake.numbers_of_students import as_given, asks_otherwise, own_numbers

ABOVE = (
    "**This notebook asks with other numbers than yours.** "
    "Calculations were judged with yours, and each says with which. "
    "Did you hand in another notebook by mistake? Then tell whoever teaches you."
)
JUDGED_WITH = "The text above asks with other numbers. This answer was judged with yours: `{}`."


def judged_with(notebook, about):
    """Question -> what is said of its answer. about: nbgrader's, of the submission."""
    handed_out = own_numbers(about["db_url"], about["notebook"])
    names = asks_otherwise(notebook, about["notebook"], about["student"], handed_out)
    asked = [as_given(EXERCISES[name], handed_out.get(about["student"], {})) for name in names]
    return {question.name: JUDGED_WITH.format(question.numbers_in_words) for question in asked}
