"""Count rows: how each exercise went, every student beside every exercise, and what no misconception explains."""

from collections import Counter
from dataclasses import dataclass
from statistics import mean

from ..grading.outputs import UNJUDGED
from ..intake.wording import broken_in_words, name_in_words
from ..judging.follow_through import GIVEN
from .gradebook import BY_HAND, NO_VERDICT, WAITS, grouped

RIGHT, WITH_RIGHT_PARTS, NAMED, TOLD, UNWRITTEN, STOPPED, NOT_JUDGED = KINDS = (
    "right",
    "right, given right parts",
    "wrong, named",
    "wrong, told why",
    "not written",
    "did not run",
    "not judged",
)
FAILED = NAMED, TOLD, STOPPED
TELL = RIGHT, *FAILED  # judged with the learner's own parts: compared with earlier answers
RARE = WITH_RIGHT_PARTS, NOT_JUDGED  # shown where there are some
KIND_OF = {"right": RIGHT, "misconception": NAMED, "unwritten": UNWRITTEN, "raised": STOPPED}  # else TOLD
KIND_OF |= {UNJUDGED: NOT_JUDGED, NO_VERDICT: NOT_JUDGED, BY_HAND: BY_HAND, WAITS: WAITS}
SIGNS = {RIGHT: "✓", WITH_RIGHT_PARTS: "(✓)", NAMED: "✗", TOLD: "✗", STOPPED: "!", UNWRITTEN: "–"}
SIGNS |= {NOT_JUDGED: "?", WAITS: "○"}
PARTLY = "◐"
IN_WORDS = {"✓": RIGHT, "(✓)": WITH_RIGHT_PARTS, PARTLY: "in part", "✗": "wrong", "!": "did not run"}
IN_WORDS |= {"–": "not written", "?": "not judged", "○": "waits for a mark"}


def kind_of(row):
    return WITH_RIGHT_PARTS if row.property == GIVEN else KIND_OF.get(row.reason, TOLD)


def totals(rows):
    """Return student -> points."""
    points = Counter()
    for row in rows:
        points[row.student] += row.points
    return dict(points)


@dataclass(frozen=True)
class Tally:
    """How an exercise went: kind -> how many answers, the mean of the points, and the most there are."""

    exercise: str
    kinds: dict
    mean: float
    of: float

    @property
    def number(self):
        return sum(self.kinds.values())

    @property
    def by_hand(self):
        return BY_HAND in self.kinds or WAITS in self.kinds

    @property
    def failed(self):
        """Return how many answers are written and wrong."""
        return sum(self.kinds.get(kind, 0) for kind in FAILED)


def tallies(rows):
    """Return a Tally for each exercise, in the order in which they come."""
    return [
        Tally(name, dict(Counter(map(kind_of, some))), mean(row.points for row in some), some[0].of)
        for name, some in grouped(rows, lambda row: row.exercise).items()
    ]


def hardest(tallies):
    """Return the exercise in which most students have a mistake; None if that is so of all."""
    shares = {tally.failed / tally.number: tally for tally in reversed(tallies) if not tally.by_hand}
    return shares[max(shares)] if len(shares) > 1 else None


@dataclass(frozen=True)
class Group:
    """Wrong answers to one exercise that do the same and that no misconception explains."""

    exercise: str
    rows: tuple

    @property
    def students(self):
        return [row.student for row in self.rows]

    @property
    def shown(self):
        """Return the answer to show, which is the shortest."""
        return min(self.rows, key=lambda row: (len(row.code), row.student))


def unexplained(rows):
    """Return the Groups, the largest first. Answers without a hash of what they do are told apart by their cards."""
    some = [row for row in rows if kind_of(row) in (TOLD, STOPPED)]
    groups = grouped(some, lambda row: (row.exercise, row.alike or row.message))
    return sorted((Group(name, tuple(g)) for (name, _), g in groups.items()), key=lambda g: -len(g.rows))


def table_of(rows, names):
    """Return student -> exercise -> Row, in the order of last names; those without a name come by their id."""

    def last_first(student):
        first, _, last = names.get(student, student).rpartition(" ")
        return last.casefold(), first.casefold(), student

    lines = grouped(rows, lambda row: row.student)
    return {student: {row.exercise: row for row in lines[student]} for student in sorted(lines, key=last_first)}


def sign(row):
    """Return one sign for an answer, or "" for a mark by hand, of which the points say more."""
    kind = kind_of(row)
    if 0 < row.points < row.of and kind not in (WAITS, BY_HAND):
        return PARTLY
    return SIGNS.get(kind, "")


def told(row):
    """Return what a sign means in words: the misconception where there is one."""
    if row.misconception:
        return name_in_words(row.misconception)
    return broken_in_words(row.property) or kind_of(row)
