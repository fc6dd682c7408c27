"""What is right about a wrong answer: learners build on that."""

import numpy as np


def right_so_far(trials):
    """Return a sentence about what is right so far, the shapes and how many numbers; or ""."""
    asked = [trial for trial in trials if trial.expected.parts or np.ndim(trial.expected.value)]
    shapes = asked and all(_gives_arrays(t.got) and _shapes(t.got) == _shapes(t.expected) for t in asked)
    right = sum(trial.same_value for trial in trials)
    strengths = ["the shape of every result"] if shapes else []
    if 0 < right < len(trials):
        strengths.append(f"the numbers for {right} of the {len(trials)} inputs")
    return f"Right so far, in what we tried: {'; '.join(strengths)}." if strengths else ""


def _gives_arrays(got):
    """Say whether a result has axes: the shape of one that stops, or of a single number, is not worth praise."""
    return got.parts or (got.is_array and np.ndim(got.value) > 0)


def _shapes(outcome):
    """Return the shapes of a result, or of each of several, and their names if it is a dictionary."""
    return outcome.names, [part.value.shape for part in outcome.parts or (outcome,)]
