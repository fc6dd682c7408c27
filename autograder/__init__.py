"""Judges answers to the course's exercises, and says which misconception a wrong one shows.

>>> from autograder import EXERCISES, check, hint, judge
"""

from importlib import import_module

HOMES = {
    "EXERCISES": ".catalogue",
    "Verdict": ".judging.verdict",
    "after": ".learner.cell_errors",
    "check": ".learner.check",
    "hint": ".learner.check",
    "judge": ".judging.judge",
    "progress": ".learner.progress",
    "solution": ".learner.check",
    "where_to_begin": ".learner.progress",
}
__all__ = [*HOMES]


def __getattr__(name):
    """Import a name when it is asked for: a worker, which runs what learners wrote, must not hold the exercises."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = thing = getattr(import_module(HOMES[name], __name__), name)
    return thing
