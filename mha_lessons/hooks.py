"""What the judge must know of attention: masks, weights, and rows whose keys are all blocked."""

import numpy as np

from autograder.course import Hooks


def is_weight(name):
    """Say whether an input of this name is a matrix or a bias that a layer learns."""
    return name.startswith(("w_", "b_")) or name in ("self_weights", "self_biases", "cross_weights", "cross_biases")


def weights_of_other_scores(pairs):
    """Say so of weights whose logarithms differ as the right ones do, but for a factor."""
    if not all(_are_weights(x) for pair in pairs for x in pair):
        return None
    got, right = (np.concatenate([_differences(pair[i]) for pair in pairs]) for i in (0, 1))
    factor = got @ right / (right @ right) if right.any() else 0
    if factor > 0 and abs(factor - 1) > 1e-3 and np.allclose(got, factor * right, rtol=1e-3, atol=1e-3):
        return f"Your weights are what softmax makes of scores {factor:.4g} times as large."


def _are_weights(x):
    return x.ndim > 1 and (x > 0).all() and np.allclose(x.sum(axis=-1), 1)


def _differences(weights):
    """Return the logarithms in each row without their mean: the scores' own differences."""
    logs = np.log(weights)
    return (logs - logs.mean(axis=-1, keepdims=True)).ravel()


EDGES = {
    "large": "only with scores of a very large size",
    "low": "only with scores far below zero",
    "zero": "only when a score is exactly 0",
    "spread": "only when one row's scores are far from another's",
    "gap": "only when one score is far above the others of its row",
    "pit": "only when one score is far below the others of its row",
    "tie": "only where two scores of a row are equal",
    "dead_row": "only where all keys of a query are blocked",
    "closed": "only where a whole mask allows nothing",
    "open": "only where a whole mask allows everything",
    "open_row": "only where a query may look at everything",
    "one_key": "only where a query may look at one key alone",
    "hidden_large": "only when a hidden key has by far the largest score",
    "one_query": "only with a single query",
    "more_queries": "only with more queries than keys",
    "too_long": "only when a length does not fit",
    "none": "only where a mask is None",
    "one_token": "only with a single token",
    "one_head": "only with a single head",
    "indivisible": "only where heads do not divide the model size",
    "weights": "only where the weights are asked for",
    "finite_fill": "only where a blocked key holds a large negative number instead of -inf",
    "unknown": "only with a convention that does not exist",
    "misspelled": "only with a text that has something in common with a convention's name",
    "value_alone": "only where a value is given, and no key",
    "one_step": "only with a single step",
    "token_0": "only where token 0 is written before others",
    "by_row": "only where `choose` treats each text in a way of its own",
    "cold": "only at a low temperature",
    "hot": "only at a high temperature",
    "greedy": "only at temperature 0",
    "near_tie": "only where the two largest logits nearly agree",
    "start": "only where the number to draw by is 0",
    "end": "only where rounding leaves no token that exceeds the number to draw by",
    "faint": "only with tokens whose features are nearly equal",
    "once": "only where each head is wanted once",
    "origin": "only where all positions are 0",
    "far": "only at places far from the start",
    "very_long": "only with more than five thousand tokens",
    "many_heads": "only with more than eight heads",
    "many_columns": "only with many columns",
    "narrow": "only with a window of one key",
    "two_tokens": "only with two tokens",
    "first_head": "only where the first head is taken out",
    "last_head": "only where the last head is taken out",
    "no_twins": "only where no token comes twice in a text",
    "wide": "only with a window as wide as the text, or wider",
    "all_minus_infinity": "only where all scores of a row are minus infinity",
    "some_minus_infinity": "only where a score is minus infinity",
    "one_empty": "only where one of the two parts is empty",
    "both_empty": "only where both parts are empty",
    "nan_in_empty": "only where the output of an empty part is NaN",
    "one_block": "only where all keys fit into one block",
    "single_keys": "only with blocks of a single key",
    "saturated": "only where one key has all the weight, or nearly all",
    "no_bias": "only for a layer without biases",
    "old_file": "only for a file that holds more than the layer's weights",
}
NAN_IN_A_DEAD_ROW = (
    "One thing for later: where all keys of a query are blocked, your result is zero, but its gradient is not a "
    "number. Replacing NaN after softmax comes too late for autograd. A row that never becomes NaN keeps its gradient, "
    "too."
)
NAN_IN_AN_EMPTY_PART = (
    "One thing for later: where an empty part holds NaN, your result is right, but its gradient is not a number. "
    "On the way back, too, 0 times NaN is NaN. Take NaN out before the product, and it cannot come back."
)


def hidden_by_the_mask(inputs, axes):
    """Return where a mask allows no look, for a result with a column for each key."""
    mask = next((x for name, x in inputs.items() if name.endswith("mask") and x is not None), None)
    return ~mask if mask is not None and axes[-1:] == ("keys",) else None


INSTEAD = {
    "key": "where there is no key, the query is taken for it",
    "value": "where there is no value, the key is taken for it",
} | dict.fromkeys(("mask", "self_mask", "memory_mask"), "where there is no mask, all may be looked at")

HOOKS = Hooks(
    instead=INSTEAD,
    hatched=hidden_by_the_mask,
    why_hatched="not allowed by the mask",
    optional_input="mask",
    is_weight=is_weight,
    relations=(weights_of_other_scores,),
    edges=EDGES,
    at_work="mha_lessons.at_work:AT_WORK",
    nan_remarks={"dead_row": NAN_IN_A_DEAD_ROW, "nan_in_empty": NAN_IN_AN_EMPTY_PART},
)
