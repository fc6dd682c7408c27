"""What earlier lessons taught, for later ones: the learner's own version where it is right, else the course's.

A lesson imports from here whatever an exercise of an earlier one is called.
"""

from .environment import is_graded
from .outline import ours

ELSEWHERE = "In your own notebook, this writes a program."


def __getattr__(name):
    """Return a function or class of this name."""
    if name.startswith("__"):
        raise AttributeError(name)
    if is_graded():
        return ours(name)
    from .learner.own_parts import part  # here: a worker, which runs what learners wrote, must not hold the exercises

    return part(name)


def use_ours(on: bool = True):
    """Let lessons use the course's versions, whatever is in `mine.py`; `use_ours(False)` goes back to one's own."""
    if not is_graded():
        from .learner import journal

        journal.choose(journal.OURS, on)


def export():
    """Write what you wrote in the course as programs beside your lessons, and say what in them is yours."""
    if is_graded():
        return ELSEWHERE
    from .learner import journal
    from .learner.export import export

    return "\n".join(export()) if journal.may_write() else ELSEWHERE
