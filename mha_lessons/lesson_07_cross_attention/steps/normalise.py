"""What people get wrong about `normalise`, and what helps them."""

import numpy as np

from ..exercises import normalise


@normalise.misconception
def leaves_out_the_norms(x):
    """Your numbers are those of a layer without LayerNorm, in which each part reads `x` as it is.
    The parts should read a normalised copy: each token with mean 0 and variance 1.
    Is what the norms return not used? Or are they of another kind, such as BatchNorm, which changes nothing in use
    until it has seen data?"""
    return x


_AXES = {"the tokens": -2, "the tokens and the features": (-2, -1), "the batch": 0, "everything": None}


@normalise.misconception(over=tuple(_AXES))
def normalises_over_other_axes(x, *, over):
    """Your norm takes mean and variance over {over}.
    Then tokens influence each other through it, and even a padded place or a later word counts.
    LayerNorm treats each token by itself. On which axis do its features lie?"""
    centred = x - x.mean(axis=_AXES[over], keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=_AXES[over], keepdims=True) + 1e-5)


@normalise.misconception(tiny=(1e-5, 0))
def divides_without_centring(x, *, tiny):
    """Your norm divides, but does not subtract the mean.
    That is RMSNorm, which many language models use; this layer has LayerNorm, as `nn.LayerNorm` computes it.
    Which step comes before the division?"""
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + tiny)


@normalise.misconception
def centres_without_dividing(x):
    """Your norm subtracts the mean and leaves the size as it was.
    After LayerNorm each token has mean 0 *and* variance 1.
    What do you divide by to get there?"""
    return x - x.mean(axis=-1, keepdims=True)


@normalise.misconception(less=(0,))
def divides_by_the_variance(x, *, less):
    """Your norm divides by the variance.
    The standard deviation is its square root, and that is what measures how far the numbers lie apart.
    Divide by it, and the variance of the result is 1."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / ((centred**2).sum(axis=-1, keepdims=True) / (x.shape[-1] - less) + 1e-5)


@normalise.misconception(on="faint", tiny=(0, 1e-6))
def adds_another_tiny_number(x, *, tiny):
    """Your norm is right, but for the tiny number that is added to the variance.
    It is 0.00001 here, as in `nn.LayerNorm`; with another one, tokens whose features are nearly equal come out larger
    or smaller.
    Where is it given, or left out?"""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + tiny)


@normalise.misconception(rooted=(1e-5, 0.0))
def counts_one_feature_less(x, *, rooted):
    """Your norm uses the variance that divides by features - 1, as `x.var()` and `x.std()` of torch do.
    LayerNorm divides by the number of features.
    Use `nn.LayerNorm`, or look for the option `unbiased` or `correction`."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).sum(axis=-1, keepdims=True) / (x.shape[-1] - 1)
    return centred / (np.sqrt(variance + rooted) + (0 if rooted else 1e-6))  # a small number, before or after the root


@normalise.misconception(tiny=(1e-5, 0))
def divides_what_was_not_centred(x, *, tiny):
    """Your norm divides by the standard deviation, and does not take the mean away from what it divides.
    The variance knows the mean, but it changes nothing in `x` itself.
    What stands above the line of the fraction?"""
    return x / np.sqrt(x.var(axis=-1, keepdims=True) + tiny)


@normalise.misconception(centred=(False, True))
def gives_every_token_the_length_one(x, *, centred):
    """Your norm gives every token the length 1: it divides by the root of the *sum* of squares.
    After LayerNorm the *mean* of the squares is 1, so that a wide token is not made of tiny numbers.
    Which of the two does your line take, and is the mean of the features taken away before?"""
    x = x - x.mean(axis=-1, keepdims=True) if centred else x
    return x / np.sqrt((x**2).sum(axis=-1, keepdims=True))


@normalise.misconception(on="faint", tiny=(1e-5, 1e-6))
def adds_the_tiny_number_after_the_root(x, *, tiny):
    """Your norm is right, but for the place of the tiny number: it is added to the standard deviation.
    `nn.LayerNorm` adds it to the variance, before the root.
    Tokens whose features are nearly equal come out different. What does your root stand over?"""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / (np.sqrt((centred**2).mean(axis=-1, keepdims=True)) + tiny)


_AXES |= {"the batch and the tokens": (0, 1)}
normalise.misconception(divides_by_the_variance, less=(1,))
normalise.misconception(normalises_over_other_axes, over=("the batch and the tokens",))
normalise.misconception(adds_another_tiny_number, on="faint", tiny=(1e-7, 1e-8))


normalise.hints_for(
    "leaves_out_the_norms",
    hints=(
        "With each sum the numbers in `x` tend to grow, and nothing makes them smaller again. "
        "Attention feels that: larger vectors make larger scores, and softmax then gives nearly all to one key. "
        "A norm in front of a part keeps what this part reads at one size, whatever has been added before. "
        "It changes what is read, and not what is carried on.",
        "Print what the first attention reads: for each token a mean of about 0, and a variance of about 1. "
        "With ten times the input it should still be the same. "
        "If it is not, look at the calls in `forward`. "
        "An `nn.LayerNorm` that is made in `__init__` does nothing until it is called with `x`, and until the next "
        "line uses what it gives back.",
        "Three norms are made in `__init__`, one for each part. "
        "In `forward` each of them is called with `x` as it is at this moment, and what it returns goes into the "
        "part. "
        "The call does not change `x` itself, so a call whose result goes nowhere has no effect. "
        "The `x` from before the norm is kept for the sum.",
    ),
)

normalise.hints_for(
    "normalises_over_other_axes",
    hints=(
        "A norm is private: a token's own features decide how it is shifted and scaled. "
        "So a token comes out the same, alone or in a batch, and whatever stands behind it. "
        "If the mean is taken over anything else, news of other words, or of other sentences, gets through the norm, "
        "and no mask can stop it.",
        "Change one token, and compare the normalised copies before and after: only this token should differ. "
        "Then print their means over the last axis: about 0, for every token by itself. "
        "If you wrote the norm by hand, look at `dim` in the mean and in the variance. "
        "If you use a module, which one is it, and which sizes was it made with?",
        "Mean and variance run over the last axis, with its `model_size` numbers, and over no other one. "
        "By hand, keep this axis with length 1, so that each mean lines up with its own token again. "
        "`nn.LayerNorm` runs over as many axes at the end as it is given sizes: give it one size, that of the model.",
    ),
)

normalise.hints_for(
    "divides_without_centring",
    "divides_what_was_not_centred",
    "centres_without_dividing",
    hints=(
        "Two things about the features of a token can get out of hand: where they lie, and how far they are spread. "
        "LayerNorm puts both in order, in two steps. "
        "Subtracting moves the middle to 0, and leaves the spread as it was. "
        "Dividing changes the spread, and it moves the middle too, unless this is 0 already. "
        "So neither step does the work of the other.",
        "Take a token such as 10, 20, 60, normalise it, and print mean and variance of what comes out. "
        "They should be 0 and 1, or very nearly. "
        "What are they in yours? "
        "Then look at the norm: is it written by hand, with a step missing, or is it another module of torch than "
        "`nn.LayerNorm`?",
        "By hand there are two lines. "
        "The first takes each token's mean away from its features. "
        "The second goes on with these centred features: it divides them by the root of their mean square, with the "
        "tiny number added before the root. "
        "Or let `nn.LayerNorm` do all of it; made with `model_size` alone, it has the right tiny number too.",
    ),
)

normalise.hints_for(
    "divides_by_the_variance",
    "adds_another_tiny_number",
    "adds_the_tiny_number_after_the_root",
    "counts_one_feature_less",
    "gives_every_token_the_length_one",
    hints=(
        "What stands below the line of the fraction is made in three steps: the mean of the squared distances, then "
        "the tiny number is added, then the root. "
        "Each of them can be done in another way, and what comes out still looks sensible. "
        "But weights are learned together with their norm. "
        "With another norm, the same weights give another result.",
        "Give one token to your norm and to `nn.LayerNorm`, and print both. "
        "Do it for an ordinary token, and for one whose features are nearly equal. "
        "If both differ by much, look at the variance and at the root. "
        "If it shows in the second token alone, look at the tiny number. "
        "In a module, go through the options that it was made with.",
        "The squared distances are added up and divided by how many features there are, all of them. "
        "To this the tiny number of the formula is added, and then comes the root, as the last step. "
        "The variance in torch divides by one less, unless it is told otherwise. "
        "`nn.LayerNorm` without further options does everything as it is asked for here.",
    ),
)
