"""A worker whose folder cannot be made."""

from autograder.grading.sandbox import lockdown
from tests.grading.fake_workers.obedient import prepare, serve  # noqa: F401

lockdown.TMP_SIZE = -1
