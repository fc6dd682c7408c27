"""What a card claims of an answer, checked against the answer itself.

Each module holds claims of one subject: a pattern in the card's text, and a check that gets the match and the answer.
"""

from unittest.mock import patch

from autograder import EXERCISES, judge
from autograder.judging.explain import diagnose
from autograder.judging.running import plain_torch, quiet

from . import numbers, places, strengths, symptoms
from .tried import CLAIMS, Tried

__all__ = ["false_claims", "judged", "numbers", "places", "strengths", "symptoms"]


def judged(answer, name):
    """Return the verdict on an answer, and the parts of its card that are not true, by what the judge itself ran."""
    seen = []

    def noted(answer):
        seen.append(answer)
        return diagnose(answer)

    with patch("autograder.judging.judge.diagnose", noted):
        verdict = judge(answer, name)
    return verdict, false_claims(verdict, answer, EXERCISES[name], seen and seen[-1].runs)


def false_claims(verdict, answer, exercise, runs=None):
    """The parts of a card that are not true of the answer; runs: on every case, if somebody has run it already."""
    text = " ".join(f"{verdict.message} {verdict.right_so_far}".split())
    tried = Tried(answer, exercise, verdict, runs)
    found = ((match, check) for pattern, check in CLAIMS for match in pattern.finditer(text))
    with quiet(), plain_torch():
        return [match[0] for match, check in found if check(tried, match) is False]
