"""What holds for scores and attention, whatever the numbers are."""

from autograder.cases import in_another_order, near


def keys_with_their_values_may_be_shuffled(run, inputs):
    """Attention looks things up by content: the order of keys, with their values, does not matter."""
    masks = [("mask", -1)] if inputs.get("mask") is not None else []
    shuffled = in_another_order(inputs, ("key", -2), ("value", -2), *masks)
    if not near(run(**shuffled), run(**inputs)):
        return "Shuffling the keys together with their values changed your output."


def features_may_change_places(run, inputs):
    """A dot product multiplies feature by feature and adds up, so the order of the features does not matter."""
    shuffled = in_another_order(inputs, ("query", -1), ("key", -1))
    if not near(run(**shuffled), run(**inputs)):
        return "Reordering the features, in query and key alike, changed your result: does each feature count?"


def twice_the_query_twice_the_scores(run, inputs):
    """A dot product grows with both of its vectors, and a score is a dot product divided by a root."""
    if not near(run(**inputs | {"query": 2 * inputs["query"]}), 2 * run(**inputs)):
        return "Doubling the query did not double your scores."


def twice_the_query_squares_the_proportions(run, inputs):
    """A weight is e to the power of its score, made a share, so doubling a difference of scores squares the ratio."""
    once, twice = (run(**inputs | {"query": factor * inputs["query"]}) for factor in (1, 2))
    squares = once**2 / (once**2).sum(axis=-1, keepdims=True)
    if not near(twice, squares):
        return "Doubling the query did not square the ratios between the weights of a row."
