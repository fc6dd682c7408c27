"""Find that a result depends on more than the inputs: on chance, on an earlier call, on the order in memory."""

from ..cases import Case
from .answer import Answer
from .results import same
from .source import without_memory
from .verdict import Example, Verdict


def gives_different_results(answer: Answer) -> Verdict | None:
    """Return a Verdict if an answer gives different results for the same input."""
    return _otherwise(answer, answer.first_wrong, "C", "same_input_same_result", _RANDOM)


def changes_its_mind(answer: Answer, case: Case):
    """Return a Verdict if an answer that was right is not so when asked again, or in another memory order."""
    run = next(run for run in answer.runs if run.case is case)
    if _is_the_same(answer.ask(run.inputs, order="F"), run):  # which is both at once
        return None
    again = _otherwise(answer, run, "C", "same_input_same_result", _RANDOM)
    return again or _otherwise(answer, run, "F", "memory_makes_no_difference", _LOOKS_AT_MEMORY)


_RANDOM = (
    "The same input gave two different results. Something is random in your code, "
    "a dropout that is always on or a layer made anew at every call say, or it keeps something from an "
    "earlier call. A result may depend on the inputs alone."
)
_LOOKS_AT_MEMORY = (
    "Your result changes with the order in which the input's numbers lie in memory. After a transpose or a "
    "slice they lie in another order, yet the array is the same. Your code looks at memory itself: strides, a "
    "buffer, `ravel` in another order. Ask for numbers by their indices."
)


def _otherwise(answer, run, order, name, message):
    """Return a Verdict if an answer gives other numbers when asked again. An error is excused: `view` is honest."""
    again = answer.ask(run.inputs, order=order)
    if again.arrays and run.got.arrays and not _is_the_same(again, run):
        return Verdict("property", message, property=name, example=Example.of(run))


def _is_the_same(again, run):
    return same(again, run.got, run.tolerance, any_infinity=True)


def keeps_earlier_calls(answer: Answer) -> Verdict | None:
    """Return a Verdict if an answer is right as soon as it forgets its earlier calls."""
    kept, fresh = without_memory(answer.function)
    run = answer.first_wrong
    if kept and not run.same_value and same(answer.ask(run.inputs, fresh), run.expected, run.tolerance):
        message = (
            f"Your result depends on earlier calls: {kept} keeps something of them, and a later call reads it, "
            "though its inputs are others. A result may depend on the inputs of its own call alone. "
            "Make it anew each time; or is something missing in what you look it up by?"
        )
        return Verdict("property", message, property="same_input_same_result")


def takes_equal_shapes_for_equal_numbers(answer: Answer) -> Verdict | None:
    """Return a Verdict on an answer that was right until other numbers of the same shapes came; None if it stops."""
    if answer.first_wrong.got.error:
        return None
    message = (
        "Your results are right, until other numbers of the same shapes come. Is something looked up by its shape, or "
        "made once and kept? Equal shapes do not mean equal numbers. Make anew what depends on them."
    )
    return Verdict("property", message, property="same_input_same_result", example=Example.of(answer.first_wrong))
