"""A worker that does whatever it is told, for a second of the processor's time."""

from autograder.grading.sandbox import sources
from tests.grading.fake_workers.obedient import prepare, serve  # noqa: F401

sources.LIMITS["CPU"] = 1
