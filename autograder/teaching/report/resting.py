"""Right answers that call a wrong answer of the same learner: two mistakes cancel each other, and neither is mended."""

import dis

from ...catalogue import EXERCISES
from ...judging.parts import inside
from .reading import grouped

LONGEST = 100_000  # characters of a cell: Python takes 400 bytes of memory for each


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
        compiled = compile(code[:LONGEST], "cell", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return set()
    steps = (step for part in inside(compiled) for step in dis.get_instructions(part))
    return {step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
