"""Judges answers to the course's exercises, and says which misconception a wrong one shows.

>>> from autograder import EXERCISES, check, hint, judge
"""

from .catalogue import EXERCISES
from .check import after, check
from .hints import hint
from .judging import judge
from .progress import progress
from .solutions import solution
from .verdict import Verdict

__all__ = ["EXERCISES", "Verdict", "after", "check", "hint", "judge", "progress", "solution"]
