"""What holds for scores of heads, for a layer without a head, and for similarities."""

import numpy as np

from autograder.cases import changed, in_another_order, near


def a_score_is_a_share(run, inputs):
    """A mean of weights lies between 0 and 1, as the weights do."""
    scores = run(**inputs)
    if not ((scores >= 0) & (scores <= 1 + 1e-5)).all():
        return f"Your scores go from {scores.min():.3g} to {scores.max():.3g}."


def heads_keep_their_order(run, inputs):
    """A head's score is about its own pattern: where heads swap places, so do their scores."""
    turned = run(**in_another_order(inputs, ("weights", -3)))
    if not near(turned, np.roll(run(**inputs), 1)):
        return "We moved each head one place on, and your scores did not move with them."


def the_first_query_does_not_count(run, inputs):
    """The first token has none before it, so its query is left out."""
    if not near(run(**changed(inputs, "weights", np.s_[..., 0, :])), run(**inputs)):
        return "We changed the weights of the first query, and your scores changed."


def names_of_tokens_do_not_matter(run, inputs):
    """What counts is which tokens are equal, not which numbers they have."""
    if not near(run(**inputs | {"tokens": 3 * inputs["tokens"] + 2}), run(**inputs)):
        return "We gave every token another number, equal ones the same, and your scores changed."


def what_was_taken_out_has_no_influence(run, inputs):
    """Whatever the head has found, it does not reach the result."""
    if not near(run(**changed(inputs, "results", np.s_[:, inputs["head"]])), run(**inputs)):
        return f"We changed the results of head {inputs['head']}, which is taken out, and your output changed."


def the_others_still_count(run, inputs):
    """The other heads contribute what they did before."""
    others = np.arange(inputs["results"].shape[1]) != inputs["head"]
    more = run(**inputs | {"results": inputs["results"] + np.where(others[:, None, None], inputs["results"], 0)})
    if not near(more, 2 * run(**inputs)):
        return "We doubled the results of all other heads, and your output did not double."


def a_head_is_like_itself(run, inputs):
    """The angle between a pattern and itself is 0, and its cosine 1."""
    own = np.diagonal(run(**inputs))
    if not near(own, np.ones_like(own)):
        return f"The similarity of your head 0 to itself is {own[0]:.3g}."


def likeness_goes_both_ways(run, inputs):
    """One head is as like the other as the other is like it."""
    result = run(**inputs)
    if not near(result, result.T):
        return "Your table is not symmetric: two heads have one similarity, whichever comes first."


def shared_places_can_be_moved(run, inputs):
    """If the keys are shuffled in all heads alike, no two heads become more alike, or less."""
    if not near(run(**in_another_order(inputs, ("weights", -1))), run(**inputs)):
        return "We moved all keys one place on, for all heads, and your similarities changed."
