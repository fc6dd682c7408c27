"""What of a wrong answer is right: that is what one builds on."""

from ..exercise import ModuleExercise
from .relations import nearly_right


def right_so_far(attempt):
    """A sentence, or nothing: shapes, properties that hold on every input, and how many inputs come out right."""
    asked = [trial for trial in attempt.trials if trial.expected.is_array and trial.expected.value.shape]
    ran = asked and all(trial.got.is_array for trial in asked)  # of a run that stops, nothing holds everywhere
    everywhere = [*_shapes(asked), *_properties(attempt, asked)] if ran else []
    strengths = [*everywhere, *_numbers(attempt.trials)]
    return f"Right so far: {'; '.join(strengths)}." if strengths else ""


def _shapes(trials):
    if all(trial.got.value.shape == trial.expected.value.shape for trial in trials):
        yield "the shape of every result"


def _properties(attempt, trials):
    """The names of properties are sentences; one counts if it could be tried on every input, and held."""
    if isinstance(attempt.exercise, ModuleExercise):  # a layer takes its time for each run, and a learner waits
        return
    if nearly_right(trials):  # properties have looser tolerances than the judge: they would contradict it
        return
    for check in attempt.exercise.properties:
        if all(attempt.complaint(check, trial) is None for trial in trials):
            yield check.__name__.replace("_", " ")


def _numbers(trials):
    right = sum(trial.same_value for trial in trials)
    if 0 < right < len(trials):
        yield f"the numbers for {right} of the {len(trials)} inputs we tried"
