"""Count rows: how each exercise went, who shows which misconception, and what none of them explains."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from inspect import Parameter
from pathlib import Path
from statistics import mean

from jinja2 import Template

from ..catalogue import EXERCISES
from ..exercise import Exercise
from ..grading.outputs import UNJUDGED
from ..intake.wording import broken_in_words, name_in_words
from ..judging.follow_through import GIVEN
from ..judging.recognition import SECOND
from ..outline import outline
from ..question import Question
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


def waiting(rows):
    """Return exercise -> how many answers to it wait for a mark by hand."""
    return Counter(row.exercise for row in rows if kind_of(row) == WAITS)


def compared(rows):
    """Return student -> points, and out of how many, without the exercises in which an answer waits for a mark."""
    left_out = waiting(rows)
    counted = [replace(row, points=0.0, of=0.0) if row.exercise in left_out else row for row in rows]
    return totals(counted), sum({row.exercise: row.of for row in counted}.values())


@dataclass(frozen=True)
class Tally:
    """How an exercise went: kind -> how many answers, the mean of the points that are given, and the most there are.

    number: of answers; failed: how many of them are written and wrong; by_hand: whether people mark them.
    """

    exercise: str
    kinds: dict
    mean: float | None
    of: float
    number: int
    failed: int
    by_hand: bool


def tallies(rows):
    found = []
    for name, some in grouped(rows, lambda row: row.exercise).items():
        kinds, given = Counter(map(kind_of, some)), [row.points for row in some if kind_of(row) != WAITS]
        failed, by_hand = sum(kinds[kind] for kind in FAILED), bool({BY_HAND, WAITS} & {*kinds})
        found.append(Tally(name, dict(kinds), mean(given) if given else None, some[0].of, len(some), failed, by_hand))
    return found


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


@dataclass(frozen=True)
class Shown:
    """One misconception in the answers to one exercise.

    students: who shows it, of how many; message: what most of them read.
    later: exercises further on; compared: who of them has answered one of these; recovered: who has one of them right.
    """

    exercise: str
    name: str
    students: tuple
    of: int
    message: str
    later: tuple = ()
    compared: tuple = ()
    recovered: tuple = ()


def shown(rows, is_right):
    """Return exercise -> its misconceptions, the most frequent first.

    is_right: (student, exercise) -> whether that answer is right, in this lesson and in later ones.
    """
    found = {}
    for exercise, some in grouped(rows, lambda row: row.exercise).items():
        names = dict.fromkeys(name for row in some for name in (row.misconception, row.also) if name)
        each = [_shown(name, some, later_exercises(exercise, name), is_right) for name in names]
        if each:
            found[exercise] = sorted(each, key=lambda one: -len(one.students))
    return found


def _shown(name, rows, later, is_right):
    who = [row for row in rows if name in (row.misconception, row.also)]
    students = tuple(row.student for row in who)
    later = tuple(exercise for exercise in later if any((student, exercise) in is_right for student in students))
    compared = tuple(student for student in students if any((student, e) in is_right for e in later))
    recovered = tuple(student for student in compared if any(is_right.get((student, e)) for e in later))
    # A card may name two at once; the message is what most of them read about this one.
    said = Counter(row.message.partition(SECOND)[2 if name == row.also else 0].strip() for row in who)
    message = said.most_common(1)[0][0]
    return Shown(rows[0].exercise, name, students, len(rows), message, later, compared, recovered)


def right_or_wrong(rows):
    """Return (student, exercise) -> whether it is right, where that shows what they have understood."""
    return {(row.student, row.exercise): row.reason == "right" for row in rows if kind_of(row) in TELL}


def since(rows, here):
    """Return misconceptions from earlier lessons that can be compared with these rows, the most compared first."""
    found = shown(rows, right_or_wrong(here)).values()
    compared = (one for some in found for one in some if one.compared)
    return sorted(compared, key=lambda one: -len(one.compared))


def later_exercises(exercise, misconception):
    """Return the later exercises that build on the step which the misconception is about."""
    names = list(EXERCISES)
    further_on = names[names.index(exercise) + 1 :] if exercise in EXERCISES else ()
    return [name for name in further_on if misconception in _misconceptions(name)]


@cache
def _misconceptions(name):
    task = EXERCISES[name]
    return frozenset(m.name for m in task.mistakes) if isinstance(task, Exercise) else frozenset()


COMES_OUT = "shape", "values", "property"  # reasons of answers that are known by what comes out of them
NOT_BY_RESULTS = "own_work", "same_input_same_result", "memory_makes_no_difference"  # by something else


def skeleton(row):
    """Return how to name a wrong answer; "" for a test, and where no result could identify the mistake."""
    task = EXERCISES.get(row.exercise)
    if row.reason not in COMES_OUT or row.property in NOT_BY_RESULTS or not isinstance(task, (Exercise, Question)):
        return ""
    parameters = ", ".join(
        name if default is Parameter.empty else f"{name}={default!r}"
        for name, default in getattr(task, "parameters", {}).items()
    )
    lines = Template((Path(__file__).parent / "templates" / "report" / "new_name.txt").read_text(encoding="utf-8"))
    answer, is_question = row.alike or "...", isinstance(task, Question)
    return lines.render(task=task, course=outline(), parameters=parameters, answer=answer, is_question=is_question)
