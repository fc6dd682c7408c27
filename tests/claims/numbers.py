"""Claims about how the numbers of an answer lie to the right ones."""

import numpy as np

from .tried import claim

WEIGHTS = ("softmax", "softmax_with_temperature", "attention_weights", "masked_softmax")  # whose results are weights


@claim(r"Each of your numbers is ([-\d.e+]+) times what it should be")
def one_factor(tried, match):
    return all(np.allclose(got, float(match[1]) * right, rtol=1e-2, atol=1e-4) for got, right in tried.pairs)


@claim(r"(?i)every number (?:of your (?:result|output)|in it) is (?:zero|0)\b")
def some_result_is_all_zeros(tried, match):
    return any(not got.any() and right.any() for got, right, _ in tried.arrays)


@claim(r"(?i)\b(?:come|comes) out as zeros|becomes? all zeros|gets? nothing at all|rows? (?:is|are) all zeros?")
def some_row_is_zeros(tried, match):
    return any(not row.any() for got, _, _ in tried.arrays for row in np.atleast_2d(got).reshape(-1, got.shape[-1]))


@claim(r"(?i)(?:your|the|so the) rows? (do not )?sums? to (?:a little )?(less than |more than )?1\b")
@claim(r"(?i)(?:weights of a row|row of your weights) (do not )?sums? to (?:a little )?(less than |more than )1\b")
def rows_have_this_sum(tried, match):
    if tried.exercise.name not in WEIGHTS or "should" in match.string:
        return None
    sums = [got.sum(axis=t.inputs.get("axis", -1)) for got, _, t in tried.arrays if np.isfinite(got).all()]
    if not any(match.groups()):
        return all(np.allclose(s, 1, atol=1e-4) for s in sums)
    off = {"less than ": lambda s: s < 1 - 1e-9, "more than ": lambda s: s > 1 + 1e-9}
    return any(off.get(match[2], lambda s: abs(s - 1) > 1e-9)(s).any() for s in sums)


@claim(r"Some (rows|numbers) of your result are 0, and all others are right")
def zeros_among_right_numbers(tried, match):
    return all(((got == 0) | np.isclose(got, right, atol=1e-4)).all() for got, right in tried.pairs)


@claim(r"Without their signs your numbers are right")
def only_signs_differ(tried, match):
    return all(np.allclose(abs(got), abs(right), atol=1e-4) for got, right in tried.pairs)


@claim(r"Each of your numbers is off by ([-+\d.e]*\d)")
def one_difference(tried, match):
    return all(np.allclose(got - right, float(match[1]), rtol=1e-2, atol=1e-4) for got, right in tried.pairs)


@claim(r"All your numbers are nearly right")
def nearly_right(tried, match):
    return all(abs(got - right).max() <= 0.011 * abs(right).max() for got, right in tried.pairs)


@claim(r"holds the right numbers, in the wrong positions")
def right_numbers_elsewhere(tried, match):
    return all(np.allclose(np.sort(got, None), np.sort(right, None), atol=1e-4) for got, right in tried.pairs)


@claim(r"[Ww]ithin a row your numbers are in the right proportion")
def one_factor_for_each_row(tried, match):
    rows = [(g, r) for pair in tried.pairs for g, r in zip(*(x.reshape(-1, x.shape[-1]) for x in pair))]
    return all(_is_in_proportion(got, right) for got, right in rows)


@claim(r"Within a result your numbers are in the right proportion")
def one_factor_for_each_input(tried, match):
    return all(_is_in_proportion(got.ravel(), right.ravel()) for got, right in tried.pairs)


def _is_in_proportion(got, right):
    largest = abs(right).argmax()
    return np.allclose(got * right[largest], right * got[largest], rtol=1e-2, atol=1e-4)
