"""Judge an answer to an exercise, and return a Verdict. Nothing is printed, and no notebook is needed.

The judge thinks in NumPy: the reference and every wrong version of it run there.
Only the answer meets the lesson's own library.
"""

import inspect
from contextlib import suppress
from typing import Any

from ..catalogue import EXERCISES, lacking
from ..course import Task
from ..environment import need
from ..exercise import Exercise, ModuleExercise, TestWriting
from ..question import Question
from .answer import (
    Answer,
    as_called,
    fullest,
    other_numbers,
    tried,
    what_should_come_out,
    wrong_with_other_numbers,
)
from .explain import diagnose, too_slow
from .questions import judge_question
from .recognition import what_becomes_of
from .repeated import changes_its_mind, keeps_earlier_calls, takes_equal_shapes_for_equal_numbers
from .running import plain_torch, quiet
from .source import handle_of, is_stub
from .test_writing import judge_test
from .time_limits import TIME_LIMIT, TooSlow, time_limit
from .verdict import RIGHT, Verdict


def judge(answer: Any, exercise: Task | str, seed: int | None = None, library: str | None = None):
    """Judge an answer to a task, or to its name.

    seed: an answer that is right on the common inputs is judged on others as well, which this draws. A mistake that
    the common ones show has the same name whatever the seed.
    library: "numpy" or "torch", by default the lesson's own.
    """
    task = EXERCISES[exercise] if isinstance(exercise, str) else exercise
    if library not in (None, "numpy", "torch"):
        raise ValueError(f'library {library!r} is neither "numpy" nor "torch"')
    if (library or getattr(getattr(task, "exercise", task), "library", "")) == "torch":
        need("torch")
        import torch  # noqa: F401  (here: it may take longer than an answer may, and no answer should pay)
    with quiet(), plain_torch():
        try:
            if seed is not None and isinstance(task, Exercise):
                common = _verdict_on(task, answer, None, library)
                if not common.right:
                    return common
            return _verdict_on(task, answer, seed, library)
        except TooSlow:
            return too_slow(TIME_LIMIT)


def forget():
    """Forget what was drawn and found out with one student's inputs: it does not help with those of others."""
    for kept in (Exercise.cases, what_should_come_out, what_becomes_of, other_numbers):
        kept.cache_clear()


def _verdict_on(task, answer, seed, library):
    if isinstance(task, Question):
        return judge_question(answer, task)
    if isinstance(task, TestWriting):
        with time_limit(TIME_LIMIT):
            return judge_test(answer, task, seed or 0)
    if isinstance(task, ModuleExercise):
        return _verdict_on_layer(task, answer, seed)
    if isinstance(task, Exercise):
        return _verdict_on_function(task, answer, seed, library)
    raise TypeError(f"judge wants an exercise or the name of one, not {task!r}")


def _verdict_on_function(task, function, seed, library):
    before_running = unfit(function, task)
    if before_running:
        return before_running
    either = not library and task.library == "numpy" and not lacking(task.lesson)  # masks, say, in a lesson in torch
    with time_limit(TIME_LIMIT):
        answer = tried(function, task, seed, library or task.library)
        if either and any("numpy.ndarray" in str(run.got.error) for run in answer.runs):
            answer = tried(function, task, seed, "torch")
    with time_limit(TIME_LIMIT):
        if not answer.right:
            return diagnose(answer)
        case = fullest(task.cases(seed))
        if wrong := wrong_with_other_numbers(answer, case):
            return keeps_earlier_calls(wrong) or takes_equal_shapes_for_equal_numbers(wrong) or diagnose(wrong)
        found = changes_its_mind(answer, case) or gives_views(answer)
        if answer.library == "torch" and not found:
            from .in_torch import cut_gradients, makes_large_tensors, remark_on_nan  # here: it imports torch

            found = makes_large_tensors(answer) or cut_gradients(answer) or remark_on_nan(answer)
        return found or remark_on(answer) or RIGHT


def _verdict_on_layer(task, layer_class, seed):
    from .in_torch import cut_gradients, remark_on_nan  # here: as the next ones, it imports torch
    from .layers.inspection import cannot_run, is_faulty, names_are_unclear

    with time_limit(TIME_LIMIT):
        verdict = unfit(layer_class, task) or cannot_run(layer_class, task, task.cases(seed))
    if verdict:
        return verdict
    with time_limit(TIME_LIMIT):
        answer = tried(as_called(layer_class, task), task, seed, "torch")
    with time_limit(TIME_LIMIT):
        if answer.right:
            wrong = cut_gradients(answer) or is_faulty(layer_class, task, answer.runs)
            return wrong or remark_on_nan(answer) or RIGHT
        return names_are_unclear(layer_class, task, answer.runs[0].case) or diagnose(answer)


def remark_on(answer: Answer) -> Verdict | None:
    """Return a right Verdict with one more sentence, for the first remark that fits the answer; or None."""
    for check in answer.exercise.remarks:
        if answer.complaint(check, answer.ordinary[0]):
            message = f"{RIGHT.message} {inspect.getdoc(check)}"
            return Verdict("right", message, score=1.0, property=check.__name__)


def gives_views(answer: Answer) -> Verdict | None:
    """Return a Verdict if an entry of the dictionary has no memory of its own, where copies are wanted."""
    got = next((run.got for run in answer.runs if run.got.views or run.got.shared), None)
    if got and answer.exercise.copies:
        pieces = " and ".join(f'"{name}"' for name in got.shared[:2])
        message = _LIES_IN_AN_INPUT.format(got.views[0]) if got.views else _IN_ONE_MEMORY.format(pieces)
        return Verdict("property", f"Your numbers are right, but {message}", property="gives_copies")


_LIES_IN_AN_INPUT = (
    'the entry "{}" is not a copy: it lies in the memory of an input, so whoever changes one of the two changes both. '
    "A slice, `.T`, `chunk`, `view` and `detach` look at the same numbers. Which method makes new ones?"
)
_IN_ONE_MEMORY = (
    "the entries {} are pieces of one block of memory, which was made before it was cut: each of them keeps all of it "
    "alive. Each entry needs memory of its own. Which should come first, the cut or the copy?"
)


def unfit(answer: Any, exercise: Exercise) -> Verdict | None:
    """Return a Verdict if an answer is no function or class, is not written, or has other parameters."""
    name = exercise.name
    if answer is ... or is_stub(answer):
        return Verdict("unwritten", f"{name} is not written yet.")
    if handle_of(answer) and (module := handle_of(answer).missing):
        message = (
            f"Your `{name}` is imported from `{module}`, and there is no `{module}` where answers are graded: no files "
            "that lie beside the notebook are there, and no packages that the course does without. Write the code into "
            "the cell itself."
        )
        return Verdict("type", message)
    kind = "a function" if inspect.isfunction(answer) else f"of type {type(answer).__name__}"
    if isinstance(exercise, ModuleExercise):
        message = f"{name} should be a class; yours is {kind}. Begin with `class {name}(nn.Module):`."
        return _unfit_class(answer, exercise) if isinstance(answer, type) else Verdict("type", message)
    if isinstance(answer, type):
        return Verdict("type", f"{name} should be a function; yours is a class. Begin with `def {name}(...)`.")
    if not callable(answer):
        return Verdict("type", f"{name} should be a function; yours is {kind}. Was a result given its name?")
    return _other_parameters(answer, exercise)


def _unfit_class(answer, exercise):
    for method in ("__init__", "forward"):
        owner = next(part for part in answer.__mro__ if method in vars(part))
        if not callable(getattr(answer, method)) or owner.__module__ in ("torch.nn.modules.module", "builtins"):
            found = ", ".join(f"`{name}`" for name, x in vars(answer).items() if inspect.isfunction(x)) or "none"
            has = f"Your class has no method `{method}`. The methods that it has: {found}."
            advice = "Look at spelling (there are two underscores on each side of `init`) and at indentation."
            return Verdict("raised", f"{has} {advice}")
    forward = answer.forward, exercise.layer.forward, f"`forward` of {exercise.name}"
    return _other_signature(answer, exercise.layer, exercise.name) or _other_signature(*forward)


def _other_signature(answer, reference, name):
    """Describe parameters that differ from the reference's in names, order or defaults."""
    taken, wanted = inspect.signature(answer), inspect.signature(reference)
    named = {n: p for n, p in taken.parameters.items() if n in wanted.parameters}
    if not _fits(taken, wanted) or list(named) != [n for n in wanted.parameters if n in named]:
        return Verdict("raised", f"{name} should take {wanted}, but yours takes {taken}. Keep names and order.")
    demanded = {n: p.default for n, p in wanted.parameters.items() if n in named and p.default is not p.empty}
    differing = next((n for n, default in demanded.items() if not _are_equal(named[n].default, default)), None)
    if differing:
        return Verdict("raised", f"{name} should take {wanted}, but yours takes {taken}: look at `{differing}`.")


def _are_equal(default, wanted):
    """Say whether a default is the one that is wanted; an array of several numbers, which raises, is not."""
    with suppress(Exception):
        return bool(default == wanted)
    return False


def _other_parameters(answer, exercise):
    try:
        taken = inspect.signature(answer)
    except (TypeError, ValueError):  # some built-in functions have none
        return None
    if not _fits(taken, exercise.signature):
        called = f"{exercise.name} is called with {exercise.signature}, but yours takes {taken}."
        return Verdict("raised", f"{called} Keep the parameters of the exercise.")


def _fits(taken, wanted):
    """Say whether what is wanted can be given: by position what is required, by name the rest."""
    optional = [n for n, p in wanted.parameters.items() if p.default is not p.empty]
    try:
        taken.bind(*[n for n in wanted.parameters if n not in optional], **dict.fromkeys(optional))
        return True
    except TypeError:
        return False
