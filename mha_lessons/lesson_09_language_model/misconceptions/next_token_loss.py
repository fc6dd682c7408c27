"""What people get wrong about `next_token_loss`."""

import numpy as np

from autograder.mistakes import mistake
from mha_ref import log_softmax, softmax


def _of_the_answers(numbers, answers):
    """Return the numbers in the columns of the right answers: (batch, places)."""
    numbers = np.asarray(numbers)
    return np.take_along_axis(numbers, np.asarray(answers)[..., None], axis=-1)[..., 0]


@mistake(shown=(slice(None, -1), slice(None), slice(1, None)))
def asks_for_the_same_token(model, tokens, *, shown):
    """You compare the logits at each position with the token at that very position, which the model is shown.
    It learns to repeat what it sees, and the loss falls to almost 0.
    The logits at a position are a guess at the token after it.
    How far must the answers be shifted against the inputs?"""
    return -_of_the_answers(log_softmax(model(tokens[:, shown])), tokens[:, shown]).mean()


def asks_for_the_token_before(model, tokens):
    """Your shift goes the wrong way: the logits at each position are compared with the token *before* it.
    The model has been shown that token, one position back, so it learns to copy it, and not to predict.
    Which of your two slices are the inputs, and which the answers?"""
    return -_of_the_answers(log_softmax(model(tokens[:, 1:])), tokens[:, :-1]).mean()


def asks_two_places_ahead(model, tokens):
    """You skip a token: the logits at each position are compared with the token two positions further on.
    The next token is one position further on.
    Perhaps the tokens are shifted twice, once for the model and once for the answers."""
    return -_of_the_answers(log_softmax(model(tokens[:, :-1]))[:, :-1], tokens[:, 2:]).mean()


def leaves_out_token_0(model, tokens):
    """Your mean leaves out the positions where token 0 comes next, as if 0 were padding.
    Here it is a token like any other, and the model should learn when it comes.
    What tells your loss to ignore it?"""
    answers = tokens[:, 1:]
    losses, counted = -_of_the_answers(log_softmax(model(tokens[:, :-1])), answers), np.asarray(answers) != 0
    return (losses * counted).sum() / counted.sum()


def shifts_rows_against_each_other(model, tokens):
    """You shift the rows of the batch, and not the tokens within a row: each row is compared with the row after it.
    The first axis of `tokens` is the batch.
    Along which axis does one token follow another, and how do your slices name that axis?"""
    return -_of_the_answers(log_softmax(model(tokens[:-1])), tokens[1:]).mean()


def leaves_the_last_place_untrained(model, tokens):
    """You throw away the logits of the last position, though there is an answer for them.
    So the model never learns to predict from a full context, and that is what it does when it writes.
    For how many positions do you have logits, and for how many do you have answers?"""
    return -_of_the_answers(log_softmax(model(tokens[:, :-1]))[:, :-1], tokens[:, 1:-1]).mean()


def shows_the_model_one_token_too_many(model, tokens):
    """You show the model all the tokens and drop its last logits.
    The rows are one token longer than the context, and a model has no position for that token.
    Which of the tokens is never shown, since it is only an answer?"""
    return -_of_the_answers(log_softmax(model(tokens))[:, :-1], tokens[:, 1:]).mean()


def shows_one_beginning_after_another(model, tokens):
    """You show the model one beginning of each row after another, and read only its last guess each time.
    The stub shows it each row once, all but the last token, and uses the guess at every position.
    Nothing promises that a model says the same about a shorter text.
    How many guesses does a single call give you?"""
    ends = range(1, tokens.shape[1])
    logits = np.stack([np.asarray(model(tokens[:, :end]))[:, -1] for end in ends], axis=1)
    return -_of_the_answers(log_softmax(logits), tokens[:, 1:]).mean()


def judges_the_last_place_alone(model, tokens):
    """Your loss looks at the last position of each row and at no other.
    Thanks to the causal mask, every position makes its own guess, so one row gives as many guesses as positions.
    Which index picks a single one?"""
    return -_of_the_answers(log_softmax(model(tokens[:, :-1]))[:, -1:], tokens[:, -1:]).mean()


def turns_the_sign_of_the_loss(model, tokens):
    """Your number has the right size and the wrong sign.
    The logarithm of a probability is at most 0, and the loss is what training makes smaller.
    With your sign, training would make the right token less and less likely."""
    return _of_the_answers(log_softmax(model(tokens[:, :-1])), tokens[:, 1:]).mean()


def takes_the_logits_as_they_are(model, tokens):
    """You took the logits of the right tokens as they are.
    A logit alone says nothing: it counts against the other logits at its position.
    Which function turns logits into logarithms of probabilities?"""
    return -_of_the_answers(model(tokens[:, :-1]), tokens[:, 1:]).mean()


def takes_softmax_twice(model, tokens):
    """Your loss takes softmax twice: it treats probabilities as if they were logits.
    That flattens them, so even a perfect model would have a large loss.
    Does the function that you call do a softmax itself?"""
    return -_of_the_answers(log_softmax(softmax(model(tokens[:, :-1]))), tokens[:, 1:]).mean()


def takes_softmax_over_the_places(model, tokens):
    """Your softmax runs over the positions of a text, not over the vocabulary.
    At each position the tokens of the vocabulary compete, and their probabilities sum to 1.
    Which axis is that in (batch, positions, vocabulary)?"""
    return -_of_the_answers(log_softmax(model(tokens[:, :-1]), axis=1), tokens[:, 1:]).mean()


def reshapes_the_vocabulary_to_the_front(model, tokens):
    """Your `reshape` brings the vocabulary to the axis where `F.cross_entropy` wants it, but mixes the positions.
    `reshape` reads the numbers in their order and cuts new rows, so scores of several positions meet in one.
    Which function swaps two axes? Or can positions and rows become one axis, followed by the vocabulary?"""
    logits = np.asarray(model(tokens[:, :-1]))
    batch, places, vocabulary = logits.shape
    mixed = np.swapaxes(logits.reshape(batch, vocabulary, places), 1, 2)
    return -_of_the_answers(log_softmax(mixed), tokens[:, 1:]).mean()


def forgets_the_logarithm(model, tokens):
    """You averaged probabilities, without a logarithm.
    With the logarithm, being sure and wrong costs a great deal; without it, hardly more than any wrong guess.
    What is the loss at a single position?"""
    return -_of_the_answers(softmax(model(tokens[:, :-1])), tokens[:, 1:]).mean()


def takes_the_log_of_the_mean(model, tokens):
    """You averaged the probabilities first, and took the logarithm of their mean.
    Each position has a loss of its own, and the mean is taken over the losses.
    Which of the two comes first in your code?"""
    return -np.log(_of_the_answers(softmax(np.asarray(model(tokens[:, :-1]))), tokens[:, 1:]).mean())


def sums_the_losses(model, tokens):
    """You added up the losses at all positions.
    A sum grows with the batch and with the context, so losses of different sizes could not be compared.
    By what must it be divided?"""
    return -_of_the_answers(log_softmax(model(tokens[:, :-1])), tokens[:, 1:]).sum()


def sums_over_the_places_of_a_row(model, tokens):
    """You added up the losses along each row, and took the mean over the rows alone.
    Every predicted token counts alike: the mean goes over rows and positions.
    Your number is too large by a factor: which of the axes has that length?"""
    return -_of_the_answers(log_softmax(model(tokens[:, :-1])), tokens[:, 1:]).sum(axis=-1).mean()


def divides_by_the_vocabulary_too(model, tokens):
    """Your loss is too small by a factor: the mean also goes over the vocabulary.
    At each position one token is right, and only its logarithm counts.
    What is the shape of the numbers that you average?"""
    logits = model(tokens[:, :-1])
    return -_of_the_answers(log_softmax(logits), tokens[:, 1:]).mean() / logits.shape[-1]


def returns_a_loss_for_each_place(model, tokens):
    """Your result has a number for each position, and each number is right.
    Training needs one number to make smaller.
    What is missing at the end?"""
    return -_of_the_answers(log_softmax(model(tokens[:, :-1])), tokens[:, 1:])


def measures_in_bits(model, tokens):
    """Your loss is the right one in bits: the logarithm has base 2.
    In this course log is the natural one, as in `F.cross_entropy`.
    Which function did you take?"""
    return -_of_the_answers(log_softmax(model(tokens[:, :-1])), tokens[:, 1:]).mean() / np.log(2)


def returns_the_perplexity(model, tokens):
    """Your number is e to the power of the loss: that is the *perplexity*.
    People report it, because it says among how many equally likely tokens a model hesitates.
    What training makes smaller here is the loss itself.
    Which step is too many?"""
    return np.exp(-_of_the_answers(log_softmax(model(tokens[:, :-1])), tokens[:, 1:]).mean())


@mistake(share=(0.05, 0.1, 0.2))
def smooths_the_labels(model, tokens, *, share):
    """Your loss mixes two things: {share:g} of it is the mean over all tokens of the vocabulary, the rest is the loss.
    This is called label smoothing, and it keeps a model from becoming too sure.
    Here the right token alone counts.
    Which option did you pass?"""
    logs = log_softmax(np.asarray(model(tokens[:, :-1])))
    return -(1 - share) * _of_the_answers(logs, tokens[:, 1:]).mean() - share * logs.mean()


@mistake(on="large")
def goes_through_exponentials(model, tokens):
    """With logits that are far apart, your loss is infinite.
    You make exponentials or probabilities, and then take a logarithm: by then a tiny number has become 0, or a huge one
    infinite.
    One function of this lesson goes from logits to logarithms without either.
    Where would you call it?"""
    return -np.log(_of_the_answers(softmax(np.asarray(model(tokens[:, :-1]))), tokens[:, 1:])).mean()


@mistake(on="large", constant=(1e-8, 1e-9, 1e-10), join=(np.maximum,))
@mistake(on="large", constant=(1e-8, 1e-9, 1e-10, 1e-12), join=(np.add,))
def keeps_the_loss_finite_with_a_small_number(model, tokens, *, constant, join):
    """With logits that are far apart, your loss is too small.
    The probability of the right token was rounded to 0, and you took the logarithm of {constant} in its place.
    This keeps the number finite, and hides how wrong the model was.
    Which function of this lesson gives the logarithm without a probability?"""
    weights = softmax(np.asarray(model(tokens[:, :-1])))
    return -np.log(join(_of_the_answers(weights, tokens[:, 1:]), constant)).mean()
