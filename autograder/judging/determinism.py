"""What an answer says when it is asked again: the same inputs give the same result, whenever and wherever they come."""

from .memory import without_memory
from .outcome import same
from .verdict import Example, Verdict


def random(attempt):
    """Return a Verdict if an answer gives different results for the same input."""
    return _asked_again(attempt, attempt.first_wrong)


def changes_its_mind(attempt, case):
    """Say whether an answer that was right for every input is not so when asked again, or in another memory order."""
    trial = next(trial for trial in attempt.trials if trial.case is case)
    if _is_the_same(attempt.ask(trial.inputs, order="F"), trial):  # which is both at once
        return None
    return _asked_again(attempt, trial) or _asked_in_another_order(attempt, trial)


def _asked_again(attempt, trial):
    if _differs(attempt.ask(trial.inputs), trial):
        message = (
            "The same input gave two different results. Something is random in your code, "
            "a dropout that is always on or a layer made anew at every call say, or it keeps something from an "
            "earlier call. A result may depend on the inputs alone."
        )
        return Verdict("property", message, property="same_input_same_result", example=Example.of(trial))


def _asked_in_another_order(attempt, trial):
    """Ask in another memory order. An error is excused: `view` is honest, and stops where it cannot work."""
    if _differs(attempt.ask(trial.inputs, order="F"), trial):
        message = (
            "Your result changes with the order in which the input's numbers lie in memory. After a transpose or a "
            "slice they lie otherwise, and it is the same array still. Your code looks at memory itself: strides, a "
            "buffer, `ravel` in another order. Ask for numbers by their indices."
        )
        return Verdict("property", message, property="memory_makes_no_difference", example=Example.of(trial))


def _differs(again, trial):
    return again.is_array and trial.got.is_array and not _is_the_same(again, trial)


def _is_the_same(again, trial):
    return same(again, trial.got, trial.tolerance, any_infinity=True)


def keeps(attempt):
    """Return a Verdict if an answer is right as soon as it forgets its earlier calls."""
    kept, fresh = without_memory(attempt.answer)
    trial = attempt.first_wrong
    if kept and not trial.same_value and same(attempt.ask(trial.inputs, fresh), trial.expected, trial.tolerance):
        message = (
            f"Your result depends on earlier calls: {kept} keeps something of them, and a later call reads it, "
            "though its inputs are others. A result may depend on the inputs of its own call alone. "
            "Make it anew each time; or is something missing in what you look it up by?"
        )
        return Verdict("property", message, property="same_input_same_result")
