"""Between NumPy's arrays and tensors of the lesson's library."""

import numpy as np


def send(inputs, library, order="C"):
    """Return the same inputs with copies of all arrays, in this library."""
    if library == "numpy":
        return {name: x.copy(order) if isinstance(x, np.ndarray) else x for name, x in inputs.items()}
    import torch  # here, so that a NumPy lesson never waits for it

    return {name: torch.from_numpy(x.copy(order)) if isinstance(x, np.ndarray) else x for name, x in inputs.items()}


def to_array(x):
    """Return a tensor as an array, on whatever device and in whatever graph it is; anything else as it is."""
    if not hasattr(type(x), "detach"):  # which the module torch has, too, and its class Tensor
        return x
    numbers = x.detach().cpu()
    return (numbers.float() if is_bfloat16(x) else numbers).numpy()


def is_bfloat16(tensor):
    """Say whether this is of the one floating type that NumPy does not have."""
    return str(tensor.dtype) == "torch.bfloat16"
