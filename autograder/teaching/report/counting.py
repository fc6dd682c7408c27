"""Count rows: how each exercise went, which misconceptions there are, and what no misconception explains."""

from collections import Counter
from dataclasses import dataclass
from statistics import mean

from ...grading.verdicts import UNJUDGED
from ...judging.follow_through import GIVEN
from .reading import BY_HAND, NO_VERDICT, WAITS, grouped

RIGHT, WITH_RIGHT_PARTS, NAMED, TOLD, UNWRITTEN, STOPPED, NOT_JUDGED = KINDS = (
    "right",
    "right, given right parts",
    "wrong, named",
    "wrong, told why",
    "not written",
    "did not run",
    "not judged",
)
TELL = RIGHT, NAMED, TOLD, STOPPED  # judged with the learner's own parts: compared with earlier answers
FAILED = NAMED, TOLD, STOPPED
RARE = WITH_RIGHT_PARTS, NOT_JUDGED  # shown where there are some
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


def kind_of(row):
    return WITH_RIGHT_PARTS if row.property == GIVEN else _KIND_OF.get(row.reason, TOLD)


def totals(rows):
    """Return student -> points."""
    points = Counter()
    for row in rows:
        points[row.student] += row.points
    return dict(points)


def most_points(rows):
    """Return the points that a lesson is worth."""
    return sum({row.exercise: row.of for row in rows}.values())


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

    @property
    def unwritten(self):
        return self.kinds.get(UNWRITTEN, 0)


def tallies(rows):
    """Return a Tally for each exercise, in the order in which they come."""
    return [
        Tally(name, dict(Counter(map(kind_of, some))), mean(row.points for row in some), some[0].of)
        for name, some in grouped(rows, lambda row: row.exercise).items()
    ]


def hardest(tallies):
    """Return the exercise in which most students have a mistake; None if that is so of all."""
    judged = [tally for tally in tallies if not tally.by_hand]
    shares = {tally.failed / tally.number for tally in judged}
    return max(judged, key=lambda tally: tally.failed / tally.number) if len(shares) > 1 else None


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
