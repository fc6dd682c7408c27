"""Right answers that call a wrong answer of the same learner: two mistakes cancel each other, and neither is mended."""

import symtable

from ...catalogue import EXERCISES
from .reading import grouped

LONGEST = 10_000  # characters of a cell: time for its names grows with the square of it, and memory, too


def resting(rows):
    """(student, exercise) of right answers that rest on a wrong one, in their own lesson."""
    found = set()
    for (student, _), some in grouped(rows, lambda row: (row.student, _lesson(row.exercise))).items():
        shaky = {row.exercise for row in some if row.reason != "right"}
        for row in some if shaky else ():  # in the order of the lesson, so that what rests on what rests is seen
            if row.reason == "right" and shaky & _names_from_outside(row.code):
                shaky.add(row.exercise)
                found.add((student, row.exercise))
    return found


def _lesson(exercise):
    """From the next lesson on a name means the course's own version."""
    return exercise in EXERCISES and EXERCISES[exercise].lesson


def _names_from_outside(code):
    """What a cell's functions and classes call that is not made in them; nothing if it is not plain Python."""
    try:
        scopes = [symtable.symtable(code[:LONGEST], "cell", "exec")]
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return set()
    names = set()
    while scopes:  # no compiling: some short lines are gigabytes then
        scope = scopes.pop()
        scopes += scope.get_children()
        at_top = scope.get_type() == "module"
        names |= {x.get_name() for x in scope.get_symbols() if x.is_referenced() and (at_top or x.is_global())}
    return names
