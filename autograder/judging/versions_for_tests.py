"""Make the versions that a learner's test is asked about. All go the same ways, and the right one takes as long as the
wrong ones: what a test can tell them by is what they return.
"""

from functools import cache

import numpy as np

from ..cases import is_floating
from .results import same, to_array, tolerance_of
from .running import observe, quiet

RIGHT_ONE, IN_FLOATS = "right", "right in floats"


def versions_of(task):
    """Return all versions by name: the right one, in floats too (12.0 for 12), right ones in another style, wrong ones.

    A wrong one refuses what the right one refuses, unless not refusing is its mistake. All are made before the test
    meets the first, so that the clock does not tell them apart.
    """
    reference = task.exercise.reference

    def in_floats(*inputs, **options):
        result = reference(*inputs, **options)
        return float(result) if type(result) is int else result

    found = {RIGHT_ONE: _version(reference, reference), IN_FLOATS: _version(in_floats, reference)}
    found |= {version: version for version in task.also_right}
    for version in task.wrong_versions:
        careless = _is_right_for_good_inputs(version.function, task.exercise)
        found[version] = _version(version.function, reference, careless)
    return found


def _version(function, reference, careless=False):
    in_tensors = for_tensors(function)

    def version(*inputs, **options):
        try:
            reference(*inputs, **options)
        except Exception:
            if not careless:
                raise
        return in_tensors(*inputs, **options)

    return version


@cache
def _is_right_for_good_inputs(wrong_version, exercise):
    with quiet():
        cases = [case.inputs for case in exercise.cases()]
        pairs = [(observe(exercise.reference, inputs), observe(wrong_version, inputs)) for inputs in cases]
    return all(same(got, expected, tolerance_of(expected.value)) for expected, got in pairs if expected.kind != "error")


def for_tensors(function):
    """Let a version in NumPy take tensors: they become arrays on the way in, and tensors of the same type again."""

    def version(*inputs, **options):
        given = [*inputs, *options.values()]
        if not any(hasattr(x, "detach") for x in given):
            return function(*inputs, **options)

        def made_of(*learning):
            fresh = iter(learning)
            leaves = [next(fresh) if learning and _learns(x) else x for x in given]
            numbers = [to_array(x) for x in leaves]
            if learning and learning[0].element_size() == 8:  # gradients are measured in float64: no two precisions mix
                numbers = [x.astype(np.float64) if is_floating(x) else x for x in numbers]
            value = function(*numbers[: len(inputs)], **dict(zip(options, numbers[len(inputs) :])))
            return _to_tensor(value, [x for x in (*learning, *leaves) if hasattr(x, "detach")])

        return _with_gradients(made_of, [x for x in given if _learns(x)])

    return version


def _learns(x):
    return getattr(x, "requires_grad", False) is True


def _with_gradients(made_of, learning):
    """Add gradients where a test may ask for them, and where there can be some."""
    value = made_of()
    parts = value if isinstance(value, tuple) else (value,)
    if not learning or not all(part.is_floating_point() for part in parts):
        return value
    from .measured_gradients import measured  # here: there is a tensor, so torch is imported already

    return measured(made_of, learning)


def _to_tensor(result, like):
    """Return a tensor on the device of the inputs, with numbers in their precision."""
    import torch  # here: there is a tensor, so it is imported already

    if isinstance(result, tuple):
        return tuple(_to_tensor(part, like) for part in result)
    made = torch.as_tensor(result, device=like[0].device)
    dtype = next((x.dtype for x in like if x.is_floating_point()), made.dtype)
    return made.to(dtype) if made.is_floating_point() else made
