"""Judges answers to the course's exercises, and says which misconception a wrong one shows.

>>> from autograder import EXERCISES, check, hint, judge
"""

from .catalogue import EXERCISES
from .check import after, check, hint
from .judging import judge
from .verdict import Verdict

__all__ = ["EXERCISES", "Verdict", "after", "check", "hint", "judge"]
