"""Every answer is judged truly: the reference, our solutions, right answers in other styles, and wrong ones by name."""

import weakref

import numpy as np
import pytest
import torch
from claims import judged
from helpers import (
    FUNCTIONS,
    MOST_FIRST,
    at_night,
    every_one,
    first_case_changed,
    functions_of,
    hints_after,
    of,
    right_outcomes,
    solutions_of,
)
from modules import answer_of, reference_of
from written_tests import OF_A_COUNT

from autograder import EXERCISES, judge
from autograder.catalogue import LESSONS
from autograder.exercise import TestWriting
from autograder.judging.answer import Answer
from autograder.judging.differences import is_plain
from autograder.judging.recognition import IN_A_BATCH
from autograder.judging.results import RECOGNISED, Run, same
from autograder.judging.running import ask, observe, quiet
from autograder.learner.own_work import forbidden, ready_made
from autograder.question import Question

RIGHT, WRONG = functions_of("right"), functions_of("wrong")
each_seed = pytest.mark.parametrize("seeds", [(None,), *at_night([(1, 2, 3, 4)])], ids=["one seed", "four more"])


@each_seed
@pytest.mark.parametrize("lesson", LESSONS)
def test_the_reference_and_our_own_solutions_are_right(lesson, seeds):
    """Whatever the numbers and sizes, and the reference in NumPy and in torch, where gradients flow through it.

    And our solutions use nothing that does all of it, or that learners may not use.
    """
    names = [name for name, task in EXERCISES.items() if task.lesson == lesson]
    every_one(lambda name: both_are_right(name, seeds), names)


def both_are_right(name, seeds):
    solution = solutions_of(EXERCISES[name].lesson)[name]
    tried = {f"solution, seed {seed}": dict(answer=solution, seed=seed) for seed in seeds}
    if name in FUNCTIONS:
        assert not ready_made(solution, EXERCISES[name]) and not forbidden(solution, EXERCISES[name])
        reference = reference_of(EXERCISES[name])
        tried |= {f"reference, seed {seed}": dict(answer=reference, seed=seed) for seed in seeds}
        tried |= {library: dict(answer=reference, library=library) for library in ("numpy", "torch")}
    every_one(lambda given: is_right(judge(exercise=name, **given)), tried)


def is_right(verdict):
    assert verdict.right, verdict.message


@each_seed
@pytest.mark.parametrize("name", FUNCTIONS)
def test_right_answers_in_other_styles_are_right(name, seeds):
    """Loops, einsum, float64 inside, odd names: however it is written."""
    tried = {f"{answer}, seed {seed}": (f, seed) for answer, f in of(RIGHT, name).items() for seed in seeds}
    every_one(lambda given: is_right(judge(given[0], name, given[1])), tried)


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST_FIRST)
def test_wrong_answers_in_other_styles_are_named(name):
    """The middle of a name says which misconception, or which kind of finding, is the true one."""
    wrong = of(WRONG, name)

    def is_named(answer):
        expected, (verdict, lies) = answer.split("__")[1], judged(wrong[answer], name)
        assert not verdict.right
        called = getattr(verdict.misconception, "name", None)
        found = f"reason_{verdict.reason}" if expected.startswith("reason_") else called
        assert found == expected, f"{found}: {verdict.message}"
        assert lies == []

    every_one(is_named, {answer: answer for answer in wrong})


def wrong_versions_of(name, own):
    """Return the misconceptions of an exercise itself, or those of the steps it is built on."""
    exercise = EXERCISES[name]
    held = [(version, version.mistakes[0]) for version in exercise.wrong_versions]
    return {f"{m.name} {m.constants or ''}": version for version, m in held if (m.step == exercise.step) == own}


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST_FIRST)
def test_its_own_misconceptions_are_rejected_and_named(name):
    """The card claims nothing false, and the hints after it are about the misconception."""
    exercise = EXERCISES[name]

    def is_named(version):
        answer, misconception = answer_of(version.function, exercise), version.mistakes[0]
        verdict, lies = judged(answer, name)
        assert not verdict.right, "it is accepted"
        found = verdict.misconception and verdict.misconception.name
        assert found == misconception.name, f"it is called {found}: {verdict.message}"
        assert lies == []
        if misconception.hints:  # else test_hints.py says so
            assert hints_after(verdict, name) == list(misconception.hints)

    every_one(is_named, wrong_versions_of(name, own=True))


@pytest.mark.parametrize("name", MOST_FIRST)
def test_all_misconceptions_go_wrong(name):
    """Its own and those of its steps that change something here: only what is right on all cases is accepted."""
    exercise = EXERCISES[name]

    @quiet()
    def goes_wrong(version):
        first, answer = first_case_changed(exercise, version), Answer(version.function, exercise, [], exercise.library)
        told = [first, *right_outcomes(exercise)] if first else []  # the first one tells nearly always
        runs = (Run(c, exercise.what_counts(right, c.inputs), answer.ask(c.inputs)) for c, right in told)
        assert not told or not all(run.right for run in runs), "it is accepted"

    every_one(goes_wrong, wrong_versions_of(name, own=True) | wrong_versions_of(name, own=False))


@pytest.mark.nightly
@pytest.mark.parametrize("name", MOST_FIRST)
def test_misconceptions_of_its_steps_are_rejected(name):
    """Unless they change nothing here; and one that has another's name cannot be told from it."""
    exercise = EXERCISES[name]

    def is_rejected(version):
        if first_case_changed(exercise, version) is None:
            return
        verdict = judge(answer_of(version.function, exercise), name)
        assert not verdict.right, "it is accepted"
        found = verdict.misconception
        if found and found.name != version.mistakes[0].name:
            assert cannot_be_told_apart(exercise, version, verdict), f"it is called {found.name}"

    every_one(is_rejected, wrong_versions_of(name, own=False))


@pytest.mark.slow
def test_a_misconception_can_be_recognised():
    """Somewhere it is wrong on an ordinary case, or on an edge that it names with `on`; else no card can name it."""
    all_of_them = {version.mistakes[0].name for name in FUNCTIONS for version in EXERCISES[name].wrong_versions}
    never = all_of_them.difference(*map(shown_in, FUNCTIONS))
    assert not never, f"wrong only on edge cases, so say on which: on=... of {sorted(never)}"


@quiet()
def shown_in(name):
    """The misconceptions that go wrong in an exercise where they say that they do."""
    return {
        version.mistakes[0].name
        for version in EXERCISES[name].wrong_versions
        if any(
            not same(observe(version.function, case.inputs), expected, RECOGNISED)
            for case, expected in right_outcomes(EXERCISES[name])
            if not case.tag or case.tag in version.tags
        )
    }


@quiet()
def cannot_be_told_apart(exercise, version, verdict):
    """On no ordinary case do the two differ, in NumPy or in the lesson's library.

    Or on none without a batch, if the card says that there something else goes wrong as well.
    """
    others = [b for b in exercise.wrong_versions if b.mistakes[0].name == verdict.misconception.name]
    cases = [case for case in exercise.cases() if not case.tag]
    if IN_A_BATCH in verdict.message:
        cases = [case for case in cases if is_plain(Run(case, None, None))]

    def in_numpy(version, case):
        return observe(version.function, case.inputs)

    def in_its_library(version, case):
        return ask(version.function, case.inputs, exercise.library, exercise.parameters)

    return any(
        all(same(made(version, case), made(other, case), RECOGNISED) for case in cases)
        for made in (in_numpy, in_its_library)
        for other in others
    )


@pytest.mark.parametrize("name", [n for n, task in EXERCISES.items() if isinstance(task, TestWriting)])
def test_a_written_test_is_judged_by_what_it_catches(name):
    """A test that lets all pass earns nothing, one that refuses the right version earns nothing."""

    def lets_all_pass(implementation):
        assert implementation is not None

    def refuses_all(implementation):
        raise AssertionError

    assert judge(lets_all_pass, name).score == 0
    assert judge(refuses_all, name).reason == "raised"
    assert judge(refuses_all, name).score == 0


def test_a_test_that_refuses_a_right_count_is_told_the_number():
    """With the sizes that it asked for, so that one can count again."""

    def test_attention_flops(attention_flops):
        assert attention_flops(2, 5) == 240

    assert "attention_flops(2, 5), it gave 480" in judge(test_attention_flops, OF_A_COUNT).message


def test_a_test_is_told_how_many_versions_it_lets_pass():
    """Two of them are not one."""

    def test_attention_flops(attention_flops):
        assert attention_flops(1, 1) == 12

    message = judge(test_attention_flops, OF_A_COUNT).message
    assert "catches 4 of 6" in message and "lets 2 of them" in message


def test_a_test_that_catches_its_own_assert_is_told_so():
    """The input that shows the mistake is there already: it is the `except` that takes too much."""

    def test_split_heads(split_heads):
        x = torch.arange(48.0).reshape(2, 4, 6)
        assert torch.equal(split_heads(x, 3), torch.stack(x.chunk(3, dim=-1), dim=1))
        try:
            split_heads(x, 4)
            raise AssertionError("4 heads do not divide 6 columns")
        except Exception:
            pass

    message = judge(test_split_heads, "test_split_heads").message
    assert "catches 5 of 6" in message and "your own `except` caught it" in message and "Add that input" not in message


def test_what_versions_made_is_not_kept():
    """Each result may have hundreds of megabytes, and a test may ask for another, and another."""
    alive = []

    def asks_twice(attention):
        first = weakref.ref(attention(*np.ones((3, 2, 2))))
        attention(*np.ones((3, 2, 2)))
        alive.append(first() is not None)

    judge(asks_twice, "test_causal_attention")
    assert alive and not any(alive)


def test_names_are_unique():
    """A name in a class report means one thing."""
    owners = {}
    for name in FUNCTIONS:
        for misconception in EXERCISES[name].mistakes:
            assert owners.setdefault(misconception.name, misconception.function) is misconception.function
    assert not set(owners) & set(EXERCISES)


class Odd:
    """A class, which has a method that arrays have."""

    def tolist(self):
        return 0


@pytest.mark.parametrize(
    "answer", [np.zeros((300, 300)), np.zeros(()), [[0] * 2000] * 10, "x" * 10_000, np.str_("e"), Odd]
)
@pytest.mark.parametrize("name", ["weight_ratio", "added_thousand", "sum_bounds"])
def test_whatever_a_question_is_answered_with_the_card_is_short(name, answer):
    """Nobody reads a hundred thousand dots."""
    verdict = judge(answer, name)
    assert not verdict.right and len(verdict.message) < 500


@pytest.mark.parametrize("answer", ["e", "bd", "the second"])
def test_what_is_no_choice_gets_the_choices(answer):
    """A letter that is not there, two letters, a sentence."""
    message = judge(answer, "what_the_article_forgot").message
    assert "none of the choices" in message and "a, b, c, d" in message


def test_every_slip_gets_its_answer():
    """A likely wrong answer to a question is recognised, and is not the right one."""

    def is_answered(question):
        is_right(judge(question.answer, question))
        for wrong, message in question.wrong.items():
            verdict = judge(wrong, question)
            assert verdict.reason == "misconception" and verdict.message == message, wrong

    every_one(is_answered, {n: task for n, task in EXERCISES.items() if isinstance(task, Question)})
