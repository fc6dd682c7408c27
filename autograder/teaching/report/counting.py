"""Counting rows: how each exercise went, which misconceptions there are, and what no misconception explains."""

from collections import Counter
from dataclasses import dataclass
from statistics import mean

from ...grading.verdicts import UNJUDGED
from .reading import BY_HAND, NO_VERDICT, WAITS

RIGHT, NAMED, TOLD, UNWRITTEN, STOPPED, NOT_JUDGED = KINDS = (
    "right",
    "wrong, named",
    "wrong, told why",
    "not written",
    "did not run",
    "not judged",
)
_KIND_OF = {
    "right": RIGHT,
    "misconception": NAMED,
    "unwritten": UNWRITTEN,
    "raised": STOPPED,
    UNJUDGED: NOT_JUDGED,
    NO_VERDICT: NOT_JUDGED,
    BY_HAND: BY_HAND,
    WAITS: WAITS,
}
BUILT_ON = "builds_on_right_parts"  # the property of answers that call a part of their own which is not right yet


def kind_of(row):
    return _KIND_OF.get(row.reason, TOLD)


def totals(rows):
    """student -> points."""
    points = Counter()
    for row in rows:
        points[row.student] += row.points
    return dict(points)


def most_points(rows):
    """What a lesson is worth."""
    return sum({row.exercise: row.of for row in rows}.values())


@dataclass(frozen=True)
class Tally:
    """How an exercise went: kind -> how many, the mean of the points, and the most there are."""

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
    def share_right(self):
        return self.kinds.get(RIGHT, 0) / self.number


def tallies(rows):
    """One for each exercise, in the order in which they come."""
    return [
        Tally(name, dict(Counter(map(kind_of, some))), mean(row.points for row in some), some[0].of)
        for name, some in grouped(rows, lambda row: row.exercise).items()
    ]


def hardest(tallies):
    """The exercise that fewest have right; None if that is so of all."""
    judged = [tally for tally in tallies if not tally.by_hand]
    shares = {tally.share_right for tally in judged}
    return min(judged, key=lambda tally: tally.share_right) if len(shares) > 1 else None


@dataclass(frozen=True)
class Group:
    """Wrong answers to one exercise that do the same, and that no misconception explains."""

    exercise: str
    rows: tuple

    @property
    def students(self):
        return [row.student for row in self.rows]

    @property
    def shown(self):
        """The one to show: the shortest says most in least."""
        return min(self.rows, key=lambda row: (len(row.code), row.student))


def unexplained(rows):
    """The largest group first. What has no name for what it does is told apart by what its card says."""
    some = [row for row in rows if kind_of(row) in (TOLD, STOPPED) and row.property != BUILT_ON]
    groups = grouped(some, lambda row: (row.exercise, row.alike or row.message))
    return sorted((Group(name, tuple(g)) for (name, _), g in groups.items()), key=lambda g: -len(g.rows))


def built_on(rows):
    """exercise -> who builds on a part of their own that is not right yet."""
    some = grouped([row for row in rows if row.property == BUILT_ON], lambda row: row.exercise)
    return {name: [row.student for row in group] for name, group in some.items()}


def grouped(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups
