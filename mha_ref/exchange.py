"""Weights of our MultiHeadAttention, brought from the layers of torch and of Keras, and taken there.

The same as pure functions of dictionaries, which lesson 15 asks to write, is in state_dicts.py.
"""

import numpy as np
import torch

PROJECTIONS = "query", "key", "value", "output"


def heads_of(layer):
    """Return the number of heads of any layer that is called as our MultiHeadAttention is."""
    token = layer.query.weight.new_zeros(1, 1, layer.query.in_features)
    return layer(token, return_weights=True)[1].shape[1]  # (batch, heads, queries, keys)


def load_torch(layer, state):
    """Take over the state dict of a torch.nn.MultiheadAttention: query, key and value are one block there."""
    ours = {}
    for kind in ("weight", "bias"):
        if f"in_proj_{kind}" in state:
            parts = *state[f"in_proj_{kind}"].chunk(3), state[f"out_proj.{kind}"]  # three of (model_size, ...) first
            ours |= {f"{name}.{kind}": part for name, part in zip(PROJECTIONS, parts)}
    layer.load_state_dict(ours)


def to_torch(layer):
    """Return the layer's weights as the state dict of a torch.nn.MultiheadAttention."""
    ours, state = layer.state_dict(), {}
    for kind in layer.query.state_dict():
        *block, output = (ours[f"{name}.{kind}"] for name in PROJECTIONS)
        state |= {f"in_proj_{kind}": torch.cat(block), f"out_proj.{kind}": output}  # (3 · model_size, ...)
    return state


def load_keras(layer, weights):
    """Take over `get_weights()` of a keras.layers.MultiHeadAttention: of query, key, value, output kernel and bias.

    They multiply from the right there: kernels are (model_size, heads, head_size), the output's is
    (heads, head_size, model_size); ValueError if they are of other sizes.
    """
    found, ours = [w.shape for w in weights], layer.state_dict().items()
    if found != _keras_shapes(layer):
        raise ValueError(f"weights of shapes {found} are not {_keras_shapes(layer)}")
    layer.load_state_dict({n: torch.tensor(np.reshape(w, p.shape[::-1]).T) for (n, p), w in zip(ours, weights)})


def to_keras(layer):
    """Return the layer's weights as a keras.layers.MultiHeadAttention takes them in `set_weights`."""
    ours = [w.numpy(force=True).T for w in layer.state_dict().values()]
    return [w.reshape(shape) for w, shape in zip(ours, _keras_shapes(layer))]


def _keras_shapes(layer):
    """Return the shapes of kernels and biases in the order of Keras; of kernels alone if the layer has no biases."""
    model_size, heads = layer.output.in_features, heads_of(layer)
    head = heads, model_size // heads
    shapes = [(model_size, *head), head] * 3 + [(*head, model_size), (model_size,)]
    return shapes if layer.output.bias is not None else shapes[::2]
