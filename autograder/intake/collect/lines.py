"""The report on what was collected: what it says of each student's work, and the last line, about all of them."""

from collections import Counter
from dataclasses import dataclass, replace

from ...told import harmless
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
    """The report on the work of one student: a state, and the sentences about it.

    later: whether it takes the place of an earlier submission.
    """

    student: str
    state: str
    name: str = ""
    about: tuple = ()
    later: bool = False

    def __str__(self):
        return harmless(" ".join(self.about))


def totals(all_collected):
    """Return a summary such as `280 as it should be, 20 mended; 3 of them in place of an earlier one`."""
    count = Counter(each.state for each in all_collected)
    later = sum(each.later for each in all_collected)
    states = ", ".join(f"{count[state]} {words}" for state, words in TOTALS.items() if count[state])
    return f"{states}; {later} of them in place of an earlier one" if later else states


def as_news(collected, before, after):
    """Return the report without what was reported before, except for what prevents grading."""
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


LATER = "In place of an earlier one."


def with_remarks(collected, noted, names):
    """Return the report with remarks, if the work can be graded but should be looked at first."""
    empty = EMPTY if noted.get("empty") else ""
    remarks = tuple(filter(None, [empty, with_whose_numbers(noted.get("numbers_of"), names)]))
    if collected.state not in (FINE, MENDED) or not remarks:
        return collected
    return replace(collected, state=LOOK, about=(*remarks, *collected.about))


EMPTY = "Nothing is written where answers belong."
