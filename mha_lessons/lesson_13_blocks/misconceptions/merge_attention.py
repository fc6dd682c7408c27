"""What people get wrong about `merge_attention`."""

import numpy as np

from autograder.mistakes import mistake

from ..exercises import merge_attention


def _weighted(output_a, lse_a, output_b, lse_b, share_a, share_b):
    """The two outputs, each times its share, with the right log-sum-exp."""
    lse = merge_attention(output_a, lse_a, output_b, lse_b)[1]
    parts = ((share_a, output_a), (share_b, output_b))
    return sum(np.asarray(share)[..., None] * np.asarray(output) for share, output in parts), lse


def _shares(lse_a, lse_b):
    """How much of its attention each query gives to either part."""
    lse = np.logaddexp(lse_a, lse_b)
    return np.exp(lse_a - lse), np.exp(lse_b - lse)


def averages_the_two_outputs(output_a, lse_a, output_b, lse_b):
    """Your output is the mean of the two outputs, half of each. A part with larger scores gets more of the attention.
    The log-sum-exp of each part says how much it weighs. Where do `lse_a` and `lse_b` enter your output?"""
    half = np.full(tuple(lse_a.shape), np.float32(0.5))
    return _weighted(output_a, lse_a, output_b, lse_b, half, half)


def adds_the_two_outputs(output_a, lse_a, output_b, lse_b):
    """Your output is the plain sum of the two. Each of them is already a weighted mean, with weights that sum to 1, so
    together the weights sum to 2. How much of the whole belongs to each part?"""
    one = np.ones_like(lse_a)
    return _weighted(output_a, lse_a, output_b, lse_b, one, one)


def weighs_by_the_logarithms(output_a, lse_a, output_b, lse_b):
    """You weigh the outputs by the log-sum-exps as they come. These are logarithms, which may be 0 or negative: what a
    part weighs is the sum of its exponentials. What undoes a logarithm?"""
    return _weighted(output_a, lse_a, output_b, lse_b, lse_a / (lse_a + lse_b), lse_b / (lse_a + lse_b))


def exchanges_the_shares(output_a, lse_a, output_b, lse_b):
    """Your shares are right, but each goes with the other part's output. The part with the larger log-sum-exp gets more
    of the attention. Which share does `output_a` get?"""
    return _weighted(output_a, lse_a, output_b, lse_b, *_shares(lse_b, lse_a))


@mistake(part=(0, 1))
def weighs_both_by_one_share(output_a, lse_a, output_b, lse_b, *, part):
    """You weigh both outputs by the share of the same part, so the shares of a query do not sum to 1.
    Did one line become two, and a letter stay as it was? Which log-sum-exp belongs to which output?"""
    share = _shares(lse_a, lse_b)[part]
    return _weighted(output_a, lse_a, output_b, lse_b, share, share)


def weighs_by_unshared_exponentials(output_a, lse_a, output_b, lse_b):
    """Your outputs are multiplied by the exponentials of their log-sum-exps, but not divided by the sum of the two.
    The two shares of a query should sum to 1. Which number is the whole?"""
    return _weighted(output_a, lse_a, output_b, lse_b, np.exp(lse_a), np.exp(lse_b))


def divides_by_the_larger_part_only(output_a, lse_a, output_b, lse_b):
    """The part with the larger log-sum-exp gets the share 1, and the other one gets something on top. You subtracted
    the maximum of the two, which keeps `exp` safe, but the division by the sum is missing. What do your two shares sum
    to?"""
    top = np.maximum(lse_a, lse_b)
    return _weighted(output_a, lse_a, output_b, lse_b, np.exp(lse_a - top), np.exp(lse_b - top))


def turns_the_shares_upside_down(output_a, lse_a, output_b, lse_b):
    """Your shares are 1 or above: the whole was divided by its part, or two log-sum-exps were subtracted in the other
    order. A share is a part of the whole, and the two sum to 1. Which of the two belongs above the other?"""
    first, second = _shares(lse_a, lse_b)
    with np.errstate(divide="ignore"):
        return _weighted(output_a, lse_a, output_b, lse_b, 1 / first, 1 / second)


def shifts_each_part_by_itself(output_a, lse_a, output_b, lse_b):
    """You subtracted from each log-sum-exp the largest of its own part, over all queries. Then the ratio of the two
    parts is another. What is taken out of both exponents has to be the same number, one for each query.
    Between which two numbers would you look for the larger one?"""
    a, b = (np.exp(lse - np.max(lse, axis=-1, keepdims=True)) for lse in map(np.asarray, (lse_a, lse_b)))
    with np.errstate(all="ignore"):
        return _weighted(output_a, lse_a, output_b, lse_b, a / (a + b), b / (a + b))


def leaves_the_first_output_as_it_is(output_a, lse_a, output_b, lse_b):
    """Your second part gets its share, but the first part stays whole. What was gathered before has to make room when
    more keys come in. Which of the two products is missing?"""
    return _weighted(output_a, lse_a, output_b, lse_b, np.ones_like(lse_a), _shares(lse_a, lse_b)[1])


def leaves_the_second_output_as_it_is(output_a, lse_a, output_b, lse_b):
    """Your first part gets its share, but the second part is added whole. Its weights sum to 1 by themselves, and in
    the whole they are only a part. Which of the two products is missing?"""
    return _weighted(output_a, lse_a, output_b, lse_b, _shares(lse_a, lse_b)[0], np.ones_like(lse_b))


def keeps_the_larger_part_alone(output_a, lse_a, output_b, lse_b):
    """Your output is that of the part with the larger log-sum-exp, as if the other one did not exist. The smaller part
    gets a share too, unless it is empty. How do both outputs get into one sum?"""
    first = lse_a >= lse_b
    return np.where(first[..., None], output_a, output_b), np.maximum(lse_a, lse_b)


def returns_the_larger_lse(output_a, lse_a, output_b, lse_b):
    """Your output is right, but as the log-sum-exp you return the larger of the two. The sum of both parts is more than
    either, and the next merge needs that sum. Two equal ones give log 2 more. Which function joins two of them?"""
    return merge_attention(output_a, lse_a, output_b, lse_b)[0], np.maximum(lse_a, lse_b)


def returns_the_lse_without_the_larger(output_a, lse_a, output_b, lse_b):
    """Your output is right, but as the log-sum-exp you return the logarithm of what was left after a subtraction. It is
    too small by the larger of the two, which you took out before `exp`. In the shares that cancels, and here it does
    not. What comes back after the logarithm?"""
    output, lse = merge_attention(output_a, lse_a, output_b, lse_b)
    top = np.maximum(lse_a, lse_b)
    return output, lse - np.where(np.isfinite(top), top, 0)


def adds_the_logarithms(output_a, lse_a, output_b, lse_b):
    """Your output is right, but you return the sum of the two log-sum-exps. A sum of logarithms is the logarithm of a
    product. Here, the sums of exponentials are added first, and then comes the logarithm. Which function in this lesson
    does that?"""
    return merge_attention(output_a, lse_a, output_b, lse_b)[0], lse_a + lse_b


def averages_the_logarithms(output_a, lse_a, output_b, lse_b):
    """Your output is right, but you return the mean of the two log-sum-exps. With more keys, the sum of the
    exponentials can only grow, so the new one is above both. How do you join two sums if you have only their
    logarithms?"""
    return merge_attention(output_a, lse_a, output_b, lse_b)[0], (lse_a + lse_b) / 2


def returns_the_sum_without_its_logarithm(output_a, lse_a, output_b, lse_b):
    """Your output is right, but as the second result you return the sum of exponentials itself. The next merge expects
    its logarithm, which does not overflow. What is still to be done to that sum?"""
    output, lse = merge_attention(output_a, lse_a, output_b, lse_b)
    return output, np.exp(lse)


def returns_the_old_lse(output_a, lse_a, output_b, lse_b):
    """Your output is right, but the log-sum-exp is still that of the first part. The next merge would weigh the whole
    as if it were that part alone. What has to grow when more keys come in?"""
    return merge_attention(output_a, lse_a, output_b, lse_b)[0], lse_a


def returns_the_two_in_another_order(output_a, lse_a, output_b, lse_b):
    """Your two results are right, but in the other order. The output comes first and then its log-sum-exp, as in the
    parameters. Compare your last line with the docstring."""
    return merge_attention(output_a, lse_a, output_b, lse_b)[::-1]


@mistake(on=("large", "low"), guarded=(False, True), lse_too=(True, False))
def merges_bare_exponentials(output_a, lse_a, output_b, lse_b, *, guarded, lse_too):
    """Where the log-sum-exps are far from 0, your result is lost: their exponentials overflow, or both become 0. It is
    safer to take exponentials of differences. Which number could you subtract from both first?"""
    with np.errstate(all="ignore"):
        a, b = np.exp(lse_a), np.exp(lse_b)
        whole, lse = a + b, np.log(a + b)
        if guarded:
            whole = np.where(whole == 0, 1, whole)
            output_a, output_b = (np.where((x > 0)[..., None], y, 0) for x, y in ((a, output_a), (b, output_b)))
        lse = lse if lse_too else merge_attention(output_a, lse_a, output_b, lse_b)[1]
        return (a[..., None] * output_a + b[..., None] * output_b) / whole[..., None], lse


@mistake(on="both_empty")
def makes_nan_of_two_empty_parts(output_a, lse_a, output_b, lse_b):
    """Two empty parts give NaN: -inf minus -inf is not a number, and neither is 0 divided by 0. Together they are still
    empty, so the output should be zeros, and the log-sum-exp -inf. What could you subtract where both are empty?"""
    output, lse = merge_attention(output_a, lse_a, output_b, lse_b)
    empty = ~np.isfinite(np.asarray(lse))
    return np.where(empty[..., None], np.nan, output), lse


@mistake(on="both_empty", taken=("b", "a"))
def lets_one_of_two_empty_outputs_through(output_a, lse_a, output_b, lse_b, *, taken):
    """Where both parts are empty, your output is that of one of them. The output of an empty part does not count,
    whatever numbers it holds: two empty parts make zeros. Do your two shares sum to 1 even there?"""
    output, lse = merge_attention(output_a, lse_a, output_b, lse_b)
    empty = ~np.isfinite(np.asarray(lse))
    return np.where(empty[..., None], dict(a=output_a, b=output_b)[taken], output), lse


@mistake(on="nan_in_empty")
def lets_an_empty_part_poison_the_other(output_a, lse_a, output_b, lse_b):
    """An empty part whose output is NaN makes the whole NaN. Its share is 0, but 0 times NaN is NaN, so a product
    does not remove it. Some code does leave NaN there. How can you take the output out before you multiply?"""
    share_a, share_b = _shares(*(np.where(lse == -np.inf, -1e30, lse) for lse in (lse_a, lse_b)))
    empty = (lse_a == -np.inf) & (lse_b == -np.inf)
    merged, lse = _weighted(output_a, lse_a, output_b, lse_b, share_a, share_b)
    return np.where(np.asarray(empty)[..., None], 0, merged), lse


@mistake(on="nan_in_empty")
def replaces_nan_after_the_sum(output_a, lse_a, output_b, lse_b):
    """Where one part is empty and its output is NaN, your output is 0: the other part is lost, too.
    In the sum, NaN had already swallowed what the other part found, and you replaced the whole.
    Where would you have to take NaN out, so that only the empty part becomes 0?"""
    output, lse = merge_attention(output_a, lse_a, output_b, lse_b)
    return np.where(np.isnan(np.asarray(output_a) + np.asarray(output_b)), 0, output), lse


@mistake(on="both_empty")
def halves_two_empty_parts(output_a, lse_a, output_b, lse_b):
    """Two empty parts come out with a finite log-sum-exp, as if they were not empty. Together they are still empty:
    zeros, and a log-sum-exp of -inf. Does a finite number replace the infinity, and is that undone at the end?"""
    lses = (np.maximum(lse, -1e9) for lse in (lse_a, lse_b))
    return merge_attention(output_a, next(lses), output_b, next(lses))


def gives_all_queries_one_share(output_a, lse_a, output_b, lse_b):
    """In your output, all queries join the two parts in the same proportion. But each query has its own log-sum-exp for
    either part, and so its own shares. Does a mean, a sum or a maximum run over the queries as well?"""
    a, b = (np.mean(np.asarray(lse), axis=-1, keepdims=True) + np.zeros_like(lse) for lse in (lse_a, lse_b))
    return _weighted(output_a, lse_a, output_b, lse_b, *_shares(a, b))


@mistake(lse_too=(True, False))
def merges_in_powers_of_two(output_a, lse_a, output_b, lse_b, *, lse_too):
    """Your shares are made from powers of 2. A log-sum-exp is a logarithm to the base e, so a power of e undoes it.
    With another base, the two get other shares. Which function makes powers of e?"""
    two = np.log(2.0)
    lse = (np.logaddexp(two * lse_a, two * lse_b) / two) if lse_too else np.logaddexp(lse_a, lse_b)
    output, _ = _weighted(output_a, lse_a, output_b, lse_b, np.exp2(lse_a - lse), np.exp2(lse_b - lse))
    return output, lse


def joins_by_the_logarithm_to_the_base_two(output_a, lse_a, output_b, lse_b):
    """Your output is right, but your log-sum-exp adds powers of e and takes the logarithm of their sum to the base 2.
    The two have to match: two equal parts should give log 2 more, about 0.69. Which logarithm undoes `exp`?"""
    output, lse = merge_attention(output_a, lse_a, output_b, lse_b)
    top = np.maximum(lse_a, lse_b)
    top = np.where(np.isfinite(top), top, 0)
    return output, (lse - top) / np.log(2.0) + top


@mistake(on="low")
def holds_the_larger_lse_above_a_number(output_a, lse_a, output_b, lse_b):
    """Where both log-sum-exps lie far below zero, your result is not a number: both exponentials become 0, and so does
    their sum. What is subtracted has to be the larger of the two itself, however low it is. Does yours begin at a
    number, or is it held above one?"""
    output, lse = merge_attention(output_a, lse_a, output_b, lse_b)
    low = (lse > -np.inf) & (lse < -1e4)
    return np.where(low[..., None], np.nan, output), np.where(low, -np.inf, lse)
