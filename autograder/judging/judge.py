"""judge(answer, exercise) -> Verdict. Pure: no printing, no notebook.

The judge thinks in NumPy: the reference and every wrong version of it run there.
Only the answer meets the lesson's own library.
"""

import inspect
from functools import partial, singledispatch
from time import process_time
from typing import Any

from ..catalogue import EXERCISES
from ..environment import need
from ..exercise import Exercise, ModuleExercise, Question, TestWriting
from ..ordering import Ordering, function_of
from ..shapes import inputs_in_words
from .asking import ask, observe, one_thread, quiet, uncompiled, with_gradients
from .attempt import Attempt
from .determinism import (
    changes_its_mind,
    fullest,
    keeps,
    other_numbers,
    takes_equal_shapes_for_equal_numbers,
    the_others_and_the_first,
    wrong_with_other_numbers,
)
from .diagnosis import diagnose, gives_views, too_slow
from .gradients import cut_gradients
from .precheck import unfit
from .questions import judge_question
from .recognition import what_becomes_of
from .test_writing import judge_test
from .time_limits import TIME_LIMIT, TooSlow, time_limit
from .verdict import RIGHT, Example, Run, Verdict

QUICK = 0.004  # seconds of work for all cases: whoever counts one by one needs more, and is not asked for billions
NEARLY, ATTEMPTS = 5 * QUICK, 3  # whoever is nearly quick is timed again: the computer may have had other things to do
HUGE_LIMIT = 1.0  # seconds for all huge cases


def judge(answer: Any, exercise: Exercise, seed: int | None = None, library: str | None = None):
    """Judge an answer to an exercise, or to its name.

    seed: draws other numbers, and other sizes, for answers that are right on the common ones. So a mistake that these
    show is told on them, and has the same name whatever the seed.
    library: "numpy" or "torch", by default the lesson's own.
    """
    task = EXERCISES[exercise] if isinstance(exercise, str) else exercise
    if library not in (None, "numpy", "torch"):
        raise ValueError(f'library {library!r} is neither "numpy" nor "torch"')
    need(library or getattr(getattr(task, "exercise", task), "library", "numpy"))
    with quiet(), one_thread(), with_gradients(), uncompiled():
        try:
            if seed is not None and isinstance(task, (Exercise, Ordering)):
                common = _judge(task, answer, None, library)
                if not common.right:
                    return common
            return _judge(task, answer, seed, library)
        except TooSlow:
            return too_slow(TIME_LIMIT)


def forget():
    """Forget what was drawn and found out with one student's inputs: it does not help with those of others."""
    Exercise.cases.cache_clear()
    what_becomes_of.cache_clear()
    other_numbers.cache_clear()
    fullest.cache_clear()


@singledispatch
def _judge(task, answer, seed, library):
    raise TypeError(f"judge wants an exercise or the name of one, not {task!r}")


@_judge.register
def _judge_function(task: Exercise, answer, seed, library):
    before_running = unfit(answer, task)
    if before_running:
        return before_running
    library = library or task.library
    runs = _try_out(answer, task, seed, library)
    attempt = Attempt(answer, task, runs, library)
    with time_limit(TIME_LIMIT):
        if not all(run.right for run in runs):
            return diagnose(attempt)
        case = fullest(task.cases(seed))
        later = wrong_with_other_numbers(attempt, case, the_others_and_the_first)
        if later:
            return keeps(later) or takes_equal_shapes_for_equal_numbers(later) or diagnose(later)
        found = changes_its_mind(attempt, case) or makes_too_large(attempt) or takes_all_at_once(attempt)
        found = found or gives_views(attempt)
        found = found or cut_gradients(answer, task, runs, library)
        return found or remark_on(attempt) or RIGHT


def _try_out(answer, exercise, seed, library):
    """Try an answer on all cases. Expected outcomes come first, so that nothing an answer does can change them."""
    cases = exercise.cases(seed)
    expected = [exercise.judged(observe(exercise.reference, case.inputs), case.inputs) for case in cases]

    def tried(huge):
        tagged = ((c, e) for c, e in zip(cases, expected) if (c.tag == "huge") == huge)
        asked = ((c, e, ask(answer, c.inputs, library, exercise.parameters)) for c, e in tagged)
        return [Run(c, e, exercise.judged(got, c.inputs)) for c, e, got in asked]

    with time_limit(TIME_LIMIT):
        runs, seconds = _timed(tried)
    if not any(case.tag == "huge" for case in cases):
        return runs
    again = range(ATTEMPTS - 1) if QUICK < seconds < NEARLY else ()
    is_quick = seconds < QUICK or any(_timed(tried)[1] < QUICK for _ in again)
    return runs + _if_it_can(lambda: tried(huge=True)) if is_quick else runs


def _timed(tried):
    """Return what comes out of all ordinary cases, and the processor time that it took."""
    start = process_time()
    return tried(huge=False), process_time() - start


def _if_it_can(try_huge):
    """Try a huge case. That it takes more time or memory than there is counts as no mistake."""
    try:
        with time_limit(HUGE_LIMIT):
            return [run for run in try_huge() if not run.got.error]
    except TooSlow:
        return []


@_judge.register
def _judge_layer(task: ModuleExercise, answer, seed, library):
    from .layers.inspection import cannot_run, is_faulty, names_are_unclear  # here: they import torch
    from .layers.layer import as_function

    with time_limit(TIME_LIMIT):
        verdict = unfit(answer, task) or cannot_run(answer, task, task.cases(seed))
    if verdict:
        return verdict
    function = as_function(answer, task)
    runs = _try_out(function, task, seed, "torch")
    with time_limit(TIME_LIMIT):
        if all(run.right for run in runs):
            return cut_gradients(function, task, runs, "torch") or is_faulty(answer, task, runs) or RIGHT
        unclear = names_are_unclear(answer, task, runs[0].case)
        return unclear or diagnose(Attempt(function, task, runs, "torch"))


@_judge.register
def _judge_question(task: Question, answer, seed, library):
    return judge_question(answer, task)


@_judge.register
def _judge_ordering(task: Ordering, answer, seed, library):
    function = function_of(answer, task)
    return function if isinstance(function, Verdict) else _judge(task.exercise, function, seed, library)


@_judge.register
def _judge_test(task: TestWriting, answer, seed, library):
    with time_limit(TIME_LIMIT):
        return judge_test(answer, task, seed or 0)


def makes_too_large(attempt: Attempt) -> Verdict | None:
    """Return a Verdict if the answer makes a tensor that has as many numbers as the exercise says, or more."""
    if attempt.exercise.too_many is None or attempt.library != "torch":
        return None
    from .largest_tensor import largest_tensor  # here: it imports torch

    for run in attempt.ordinary:
        most = attempt.exercise.too_many(**run.inputs)
        made = largest_tensor(attempt.answer, partial(attempt.ask, run.inputs)) if most else 0
        if most and made >= most:
            sizes = inputs_in_words(run.inputs, attempt.exercise.reference)
            message = (
                f"Your numbers are right, but on the way your code makes a tensor of {made:,} numbers, for {sizes}. "
                f"Here each has to stay below {most:,}. Which line makes it? Print the shapes."
            )
            return Verdict("property", message, property="makes_no_large_tensor", example=Example.of(run))
    return None


def takes_all_at_once(attempt: Attempt) -> Verdict | None:
    """Return a Verdict if the answer makes fewer tensors than there are pieces to work on, one after the other."""
    if attempt.exercise.pieces is None or attempt.library != "torch":
        return None
    from .largest_tensor import tensors_made  # here: it imports torch

    for run in attempt.runs:
        least = attempt.exercise.pieces(**run.inputs)
        made = tensors_made(attempt.answer, partial(attempt.ask, run.inputs)) if least else 0
        if least and made < least:
            sizes = inputs_in_words(run.inputs, attempt.exercise.reference)
            message = (
                f"Your numbers are right, but your code does not work piece by piece: for {sizes}, there are {least} "
                "pieces, and it makes fewer tensors on the way than one for each. What does your loop go over?"
            )
            return Verdict("property", message, property="works_piece_by_piece", example=Example.of(run))
    return None


def remark_on(attempt: Attempt) -> Verdict | None:
    """Return a right Verdict with one more sentence, for the first remark that fits the answer; or None."""
    for check in attempt.exercise.remarks:
        if attempt.complaint(check, attempt.ordinary[0]):
            message = f"{RIGHT.message} {inspect.getdoc(check)}"
            return Verdict("right", message, score=1.0, property=check.__name__)
