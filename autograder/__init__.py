"""Judges answers to the course's exercises, and says which misconception a wrong one shows.

>>> from autograder import EXERCISES, check, hint, judge
"""

from .catalogue import EXERCISES
from .judging.judge import judge
from .judging.verdict import Verdict
from .learning.check import after, check
from .learning.hints import hint
from .learning.progress import progress
from .learning.solutions import solution

__all__ = ["EXERCISES", "Verdict", "after", "check", "hint", "judge", "progress", "solution"]
