"""What a card claims of an answer, checked against the answer itself.

Each module holds claims of one subject: a pattern in the card's text, and a check that gets the match and the answer.
"""

from autograder.judging.running import plain_torch, quiet

from . import numbers, places, strengths, symptoms
from .tried import CLAIMS, Tried

__all__ = ["false_claims", "numbers", "places", "strengths", "symptoms"]


def false_claims(verdict, answer, exercise):
    """The parts of a card that are not true of the answer."""
    text = " ".join(f"{verdict.message} {verdict.right_so_far}".split())
    tried = Tried(answer, exercise, verdict)
    found = ((match, check) for pattern, check in CLAIMS for match in pattern.finditer(text))
    with quiet(), plain_torch():
        return [match[0] for match, check in found if check(tried, match) is False]
