"""What holds for gradients of softmax and of attention."""

import numpy as np

from autograder.cases import near
from mha_ref import masked_attention, softmax

NUDGE = 1e-4
NAMES = "query", "key", "value"


def gradients_of_a_row_sum_to_zero(run, inputs):
    """Adding the same number to all scores of a row changes no weight, so a row of gradients sums to 0."""
    sums = run(**inputs).sum(axis=-1)
    if not near(sums, 0 * sums):
        worst = float(sums.ravel()[np.abs(sums).argmax()])
        return f"A row of your gradients sums to {worst:.3g}."


def an_even_gradient_moves_no_score(run, inputs):
    """If all weights of a row matter equally, moving weight from one key to another gains nothing."""
    out = run(**inputs | {"grad_output": np.ones_like(inputs["grad_output"])})
    if not near(out, 0 * out):
        return "The gradient that arrived was 1 for every weight, so yours should be 0, and it is not."


def twice_the_gradient_arrives(run, inputs):
    """A gradient goes back in proportion: twice as much arrives, twice as much leaves."""
    once, twice = run(**inputs), run(**inputs | {"grad_output": 2 * inputs["grad_output"]})
    pairs = zip(once, twice) if isinstance(once, tuple) else [(once, twice)]
    if not all(near(two, 2 * one) for one, two in pairs):
        return "We doubled the gradient that arrives, but your result was not doubled."


def a_nudged_score_moves_the_loss_as_said(run, inputs):
    """A gradient says by how much the loss moves when a number is nudged."""
    weights, grad_output = inputs["weights"], inputs["grad_output"]
    if not (weights > 0).all():
        return
    scores, place = np.log(weights), (0,) * weights.ndim
    step = np.zeros_like(scores)
    step[place] = NUDGE
    moved = ((softmax(scores + step) - softmax(scores - step)) * grad_output).sum() / (2 * NUDGE)
    said = float(run(**inputs)[place])
    if abs(moved - said) > 1e-4 * (1 + abs(moved)):
        return f"We nudged the first score: the loss moved {moved:.4g} times as far. Your gradient says {said:.4g}."


def a_nudge_moves_the_loss_as_said(run, inputs):
    """A gradient says by how much the loss moves when a number is nudged."""
    mask, gradients = inputs.get("mask"), run(**inputs)

    def loss(name, step):
        moved = {n: inputs[n] + step if n == name else inputs[n] for n in NAMES}
        return (masked_attention(**moved, mask=mask) * inputs["grad_output"]).sum()

    for name, gradient in zip(NAMES, gradients):
        step = np.zeros_like(inputs[name])
        step[(0,) * step.ndim] = NUDGE
        moved, said = (loss(name, step) - loss(name, -step)) / (2 * NUDGE), float(gradient[(0,) * step.ndim])
        if abs(moved - said) > 1e-3 * (1 + abs(moved)):
            return (
                f"We nudged the first number of `{name}`: the loss moved {moved:.4g} times as far. "
                f"Your gradient says {said:.4g}."
            )


def who_sees_nothing_gets_zeros(run, inputs):
    """A query whose keys are all blocked has no influence on the loss."""
    if inputs.get("mask") is None:
        return
    gradient = run(**inputs)[0]
    dead = ~np.broadcast_to(inputs["mask"].any(axis=-1), gradient.shape[:-1])
    if not near(gradient[dead], 0 * gradient[dead]):
        return "All keys of a query are blocked, but its gradient is not zero."


def gradients_of_the_keys_sum_to_zero(run, inputs):
    """Adding the same row of numbers to all keys moves all scores of a query equally, and no weight."""
    sums = run(**inputs)[1].sum(axis=-2)
    if not near(sums, 0 * sums):
        return "Added up over the keys, your gradients of the keys are not 0."
