"""What is told of the work of one student, and the last line, about all."""

from collections import Counter
from dataclasses import dataclass, replace

from ..progress_output import harmless
from ..student_names import with_whose_numbers

FINE, MENDED, LOOK, TROUBLE = "fine", "mended", "LOOK", "TROUBLE"
UNKNOWN, MISSING, REFUSED, SAME, EXCUSED = "UNKNOWN", "MISSING", "REFUSED", "as before", "excused"
WITHOUT_GRADE = UNKNOWN, REFUSED, TROUBLE  # what came, and cannot be graded as it is
TOTALS = {
    FINE: "as it should be",
    MENDED: "mended",
    LOOK: "to look at",
    TROUBLE: "cannot be graded",
    UNKNOWN: "not in the roster",
    MISSING: "missing",
    EXCUSED: "excused",
    REFUSED: "refused",
    SAME: "as before",
}


@dataclass(frozen=True)
class Collected:
    """What became of the work of one student: a state, and the sentences about it. later: there was one before."""

    student: str
    state: str
    name: str = ""
    about: tuple = ()
    later: bool = False

    def __str__(self):
        return harmless(" ".join(self.about))


def totals(all_collected):
    """`280 as it should be, 20 mended; 3 of them take the place of an earlier one`."""
    count = Counter(each.state for each in all_collected)
    later = sum(each.later for each in all_collected)
    states = ", ".join(f"{count[state]} {words}" for state, words in TOTALS.items() if count[state])
    return f"{states}; {later} of them in the place of an earlier one" if later else states


def as_news(collected, before, after):
    """The same without what was told before. What stands in the way of grading is told again."""
    if not before:
        return collected
    if before.get("received") != after.get("received"):
        return replace(collected, about=(LATER, *collected.about), later=True)
    if any(before.get(part) != after.get(part) for part in ("mended", "unfit", "empty", "numbers_of")):
        return collected
    about = tuple(sentence for sentence in collected.about if sentence not in after.get("mended", ()))
    if collected.state == TROUBLE:
        return replace(collected, about=("As before:", *about))
    return replace(collected, state=SAME, about=about)


LATER = "In the place of an earlier one."


def with_remarks(collected, noted, names):
    """It can be graded, and somebody should look at it first."""
    empty = EMPTY if noted.get("empty") else ""
    remarks = tuple(filter(None, [empty, with_whose_numbers(noted.get("numbers_of"), names)]))
    if collected.state not in (FINE, MENDED) or not remarks:
        return collected
    return replace(collected, state=LOOK, about=(*remarks, *collected.about))


EMPTY = "Nothing is written where answers belong."
