"""The judge cannot tell a handle, whose function lives in a worker, from the function itself."""

from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from helpers import ROOT, functions_of

import mha_ref
from autograder import EXERCISES, judge
from autograder.exercise import Exercise
from autograder.grading.remote import Remote
from autograder.grading.spawning import Spawner
from autograder.judging.outcome import without_alarms

KINDS = ("right_answers", "wrong_answers")
LESSONS = sorted(file.stem for file in (ROOT / "tests" / "right_answers").glob("lesson_*.py"))
ALL = [*mha_ref.__all__, *(name for name, task in EXERCISES.items() if isinstance(task, Exercise))]
SECONDS = 60  # for one call: what is compared are verdicts, and machines may be busy


@cache
def answers(kind, lesson):
    return functions_of(kind, f"{lesson}.py")


@contextmanager
def far_away(kind, lesson):
    """A worker in which the answers of this file live; a function that gets one by its name."""
    with Spawner().worker(lesson) as worker:
        remote = Remote(worker, SECONDS)
        remote.ask("begin", taught=ALL, seed=1)
        code = Path(ROOT, "tests", kind, f"{lesson}.py").read_text()
        assert remote.ask("run", seconds=SECONDS, code=code)["well"]
        yield lambda name: remote.ask("get", name=name)["value"]
        assert not remote.fault


def told(verdict):
    """All that a learner is told."""
    lines = verdict.example.lines if verdict.example else ()
    misconception = getattr(verdict.misconception, "name", None)
    return verdict.reason, misconception, verdict.property, verdict.score, verdict.message, lines


def same_verdicts(kind, lesson, names):
    """Of these answers, those that are told something else far away than here."""
    with far_away(kind, lesson) as found, without_alarms():
        for name in names:
            exercise = name.partition("__")[0]
            assert told(judge(found(name), exercise)) == told(judge(answers(kind, lesson)[name], exercise)), name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lesson", LESSONS)
def test_some_are_told_the_same(kind, lesson):
    """Reason, misconception, property, message, points, and the lines of the run: two answers of each lesson."""
    names = sorted(answers(kind, lesson))
    same_verdicts(kind, lesson, {names[len(names) // 3], names[-1]})


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lesson", LESSONS)
def test_all_are_told_the_same(kind, lesson):
    """All answers that we have."""
    same_verdicts(kind, lesson, answers(kind, lesson))
