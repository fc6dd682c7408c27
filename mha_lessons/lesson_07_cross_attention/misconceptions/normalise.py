"""What people get wrong about `normalise`."""

import numpy as np

from autograder.mistakes import mistake


def leaves_out_the_norms(x):
    """Your numbers are those of a layer without LayerNorm, in which each part reads `x` itself.
    The parts should read a normalised copy: each token with mean 0 and variance 1.
    Do you use what the norms return? Or are they another kind, such as BatchNorm, which does nothing in eval
    mode at first?"""
    return x


_AXES = {"the tokens": -2, "the tokens and the features": (-2, -1), "the batch": 0, "everything": None}
_AXES |= {"the batch and the tokens": (0, 1)}


@mistake(over=tuple(_AXES))
def normalises_over_other_axes(x, *, over):
    """Your norm takes mean and variance over {over}.
    Then tokens influence each other through it, and even a padded position or a later word has an effect.
    LayerNorm treats each token separately. On which axis are its features?"""
    centred = x - x.mean(axis=_AXES[over], keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=_AXES[over], keepdims=True) + 1e-5)


@mistake(tiny=(1e-5, 0))
def divides_without_centring(x, *, tiny):
    """Your norm divides, but does not subtract the mean.
    That is RMSNorm, which many language models use; this layer has LayerNorm, as `nn.LayerNorm` computes it.
    Which step comes before the division?"""
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + tiny)


def centres_without_dividing(x):
    """Your norm subtracts the mean, but does not change the spread.
    After LayerNorm each token has mean 0 *and* variance 1.
    What do you divide by to get there?"""
    return x - x.mean(axis=-1, keepdims=True)


@mistake(less=(0,))
@mistake(less=(1,))
def divides_by_the_variance(x, *, less):
    """Your norm divides by the variance.
    The standard deviation, its square root, measures how far the numbers are apart.
    If you divide by that, the variance of the result is 1."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / ((centred**2).sum(axis=-1, keepdims=True) / (x.shape[-1] - less) + 1e-5)


@mistake(on="faint", tiny=(0, 1e-6))
@mistake(on="faint", tiny=(1e-7, 1e-8))
def adds_another_tiny_number(x, *, tiny):
    """Your norm is right except for the tiny number that is added to the variance.
    It is 0.00001 here, as in `nn.LayerNorm`; with another, tokens whose features are nearly equal come out larger
    or smaller.
    Where do you set it, or leave it out?"""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + tiny)


@mistake(rooted=(1e-5, 0.0))
def counts_one_feature_less(x, *, rooted):
    """Your norm uses the variance that divides by features - 1, as `x.var()` and `x.std()` of torch do.
    LayerNorm divides by the number of features.
    Use `nn.LayerNorm`, or look for the option `unbiased` or `correction`."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).sum(axis=-1, keepdims=True) / (x.shape[-1] - 1)
    return centred / (np.sqrt(variance + rooted) + (0 if rooted else 1e-6))  # a small number, before or after the root


@mistake(tiny=(1e-5, 0))
def divides_what_was_not_centred(x, *, tiny):
    """Your norm divides by the standard deviation, but does not subtract the mean first.
    The variance uses the mean, but `x` itself does not change.
    What do you divide?"""
    return x / np.sqrt(x.var(axis=-1, keepdims=True) + tiny)


@mistake(centred=(False, True))
def gives_every_token_the_length_one(x, *, centred):
    """Your norm gives every token the length 1: it divides by the root of the *sum* of squares.
    After LayerNorm the *mean* of the squares is 1, so that a wide token does not consist of tiny numbers.
    Which of the two do you use, and do you subtract the mean of the features first?"""
    x = x - x.mean(axis=-1, keepdims=True) if centred else x
    return x / np.sqrt((x**2).sum(axis=-1, keepdims=True))


@mistake(on="faint", tiny=(1e-5, 1e-6))
def adds_the_tiny_number_after_the_root(x, *, tiny):
    """Your norm is right except for the place of the tiny number: you add it to the standard deviation.
    `nn.LayerNorm` adds it to the variance, before the root.
    That changes tokens whose features are nearly equal. What is under your root?"""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / (np.sqrt((centred**2).mean(axis=-1, keepdims=True)) + tiny)
