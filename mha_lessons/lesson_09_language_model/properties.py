"""What holds for logarithms of weights, for temperatures, for a loss, for a block, and for what is written."""

import numpy as np

from autograder.cases import near
from mha_lessons.lesson_01_softmax.properties import weights_sum_to_one
from mha_lessons.lesson_07_cross_attention.properties import parts_heard_alone

from .cases import chosen_by_count, number_of_the_row
from .functional import block


def log_weights_sum_to_one(run, inputs):
    """The exponentials of log-softmax are weights, and weights sum to 1."""
    complaint = weights_sum_to_one(lambda **i: np.exp(run(**i)), inputs)
    return complaint and complaint.replace("One row of your weights sums", "The exponentials of one of your rows sum")


def twice_the_temperature_is_half_the_scores(run, inputs):
    """Temperature divides the scores."""
    half = inputs | {"scores": inputs["scores"] / 2}
    double = inputs | {"temperature": 2 * inputs["temperature"]}
    if not near(run(**double), run(**half)):
        return "Twice the temperature and half the scores gave different results."


def differences_of_scores_stay(run, inputs):
    """Log-softmax takes one number away from all scores of a row, so the differences between them stay as they are."""
    taken = inputs["scores"] - run(**inputs)
    axis = inputs.get("axis", -1)
    if not near(taken, np.broadcast_to(taken.max(axis=axis, keepdims=True), taken.shape)):
        return "Within a row, your numbers do not differ as the scores do."


def a_row_more_changes_no_other(run, inputs):
    """Each row is drawn by its own number: by itself, a row gives the same token as in the batch."""
    together = run(**inputs)
    for number in range(len(inputs["logits"])):
        alone = run(**inputs | {name: inputs[name][number : number + 1] for name in ("logits", "uniform")})
        if alone[0] != together[number]:
            return "A row of logits gave a different token in a batch than by itself."


def shares_follow_the_probabilities(run, inputs):
    """Over numbers that lie evenly between 0 and 1, each token is drawn as often as its probability says."""
    if inputs["temperature"] == 0:
        return
    logits = np.array([[0.0, 2.0, 1.0, -1.0]])
    evenly = (np.arange(999) + 0.5) / 999
    drawn = run(logits=np.repeat(logits, 999, axis=0), temperature=inputs["temperature"], uniform=evenly)
    scaled = np.exp(logits[0] / inputs["temperature"] - logits.max() / inputs["temperature"])
    shares = np.bincount(drawn.astype(int), minlength=4)[:4] / 999
    if not np.allclose(shares, scaled / scaled.sum(), atol=0.003):
        return "We tried 999 numbers, and your tokens did not get their shares."


def the_loss_of_a_batch_is_the_mean_of_its_rows(run, inputs):
    """Every token to be predicted counts alike, so rows of one length have the mean of their losses."""
    tokens = inputs["tokens"]
    alone = [run(**inputs | {"tokens": tokens[n : n + 1]}) for n in range(len(tokens))]
    if not near(run(**inputs), np.mean(alone)):
        return "The loss of a batch was not the mean of the losses of its rows."


def each_text_is_continued_by_itself(run, inputs):
    """A batch is many texts side by side, and each is continued as if it were alone."""
    inputs = inputs | {"choose": chosen_by_count}
    together = run(**inputs)
    for number in range(len(inputs["tokens"])):
        alone = run(**inputs | {"tokens": inputs["tokens"][number : number + 1]})
        if (alone[0] != together[number]).any():
            return "A text was continued differently in a batch than by itself."


def all_texts_are_chosen_for_at_once(run, inputs):
    """`choose` gets the logits of all texts in one call: it may treat each text differently."""
    written = run(**inputs | {"choose": number_of_the_row})[:, inputs["tokens"].shape[1] :]
    rows = np.arange(len(written)) % inputs["model"].tables["shown"].size
    if (written != rows[:, None]).any():
        return "We passed a `choose` that gives each text the number of its row, and your texts got other tokens."


def the_prompt_stays(run, inputs):
    """The result begins with the prompt, unchanged."""
    if (run(**inputs)[:, : inputs["tokens"].shape[1]] != inputs["tokens"]).any():
        return "Your result does not begin with the prompt."


def fewer_steps_give_the_same_beginning_of_the_text(run, inputs):
    """The loop never takes a token back: with fewer steps it writes the beginning of the same text."""
    shorter = run(**inputs | {"steps": inputs["steps"] - 1})
    if (shorter != run(**inputs)[:, :-1]).any():
        return "With one step less, your text is not the beginning of the longer one."


def each_part_of_a_block_finds_what_it_should(run, inputs):
    """A part whose weights and biases are zero finds nothing, so each of the two can be tested alone."""
    return parts_heard_alone(block, run, inputs)
