"""Masks: who may look at what, and what softmax makes of it."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from mha_ref import (
    causal_mask,
    combine_masks,
    encoder_decoder_masks,
    masked_attention,
    masked_softmax,
    padding_mask,
    softmax,
    to_allowed,
)

from .inputs import MASKS, arrays, mask, scores, several

SHAPE = 3, 4
rows, masks = arrays(*SHAPE), arrays(*SHAPE, elements=st.booleans())
any_mask = st.none() | masks | arrays(SHAPE[1], elements=st.booleans()) | arrays(2, 1, *SHAPE, elements=st.booleans())


@given(rows, masks)
def test_it_is_the_softmax_of_what_is_left(scores, mask):
    """Blocked scores might as well not be there, and have weight zero."""
    for row, allowed, weights in zip(scores, mask, masked_softmax(scores, mask), strict=True):
        assert_allclose(weights[allowed], softmax(row[allowed]))
        assert not weights[~allowed].any()


@given(rows, masks, st.sampled_from([-1e300, 1e300, np.inf, np.nan]))
def test_blocked_scores_have_no_influence(scores, mask, anything):
    """Whatever a blocked score is, not a digit of the result changes, as long as a row has something left."""
    mask[:, 0] = True
    assert_array_equal(masked_softmax(np.where(mask, scores, anything), mask), masked_softmax(scores, mask))


def test_rows_with_nothing_allowed_are_zero(world):
    """Exactly zero, never NaN; all other rows sum to 1."""
    weights = world.back(masked_softmax(world.carry(scores), world.carry(mask)))
    alive = mask.any(axis=-1)
    assert not weights[~alive].any()
    assert_allclose(weights[alive].sum(axis=-1), 1, atol=world.tolerance)


@pytest.mark.parametrize("size", [1e-30, 1e4, 1e30])
def test_the_size_of_scores_does_not_matter(size):
    """Small allowed scores win over large blocked ones, and share evenly."""
    weights = masked_softmax(size * np.array([[1.0, -1, -1], [1, 1, 1]]), np.array([[False, True, True], [False] * 3]))
    assert_array_equal(weights, [[0, 0.5, 0.5], [0, 0, 0]])


def test_one_mask_may_serve_many_rows(world):
    """Masks of one row, one key or one number of any shape stretch over the scores."""
    for small in (mask[0, 2], mask[:, :1], mask[:, 2:3, :1], np.zeros((1, 1), bool)):
        whole = np.broadcast_to(small, scores.shape)
        results = [world.back(masked_softmax(world.carry(scores), world.carry(m))) for m in (small, whole)]
        assert_array_equal(*results)


def test_empty_axes(world):
    """No queries or no keys: nothing to weigh, no error."""
    for shape in ((2, 0), (0, 3), (0, 2, 3), (0, 0)):
        nothing = world.carry(np.ones(shape))
        assert masked_softmax(nothing, world.carry(np.ones(shape, bool))).shape == shape


def test_whole_numbers_are_scores_too():
    """Integers give the weights of the same numbers written with a point."""
    assert_array_equal(masked_softmax(np.array([[3, 1]]), np.array([[True, True]])), softmax(np.array([[3.0, 1.0]])))


@given(st.integers(0, 6), st.integers(0, 6))
def test_causal_is_a_triangle_at_the_bottom_right(queries, keys):
    """NumPy's own triangle, moved so that the last query sees the last key."""
    allowed = causal_mask(queries, keys)
    assert_array_equal(allowed, np.tri(queries, keys, keys - queries, dtype=bool))
    assert queries == 0 or allowed[-1].all()
    assert not allowed[: max(0, queries - keys)].any()  # they stand before the first key


@given(st.lists(st.integers(0, 5)))
def test_padding_allows_as_many_keys_as_there_are_tokens(lengths):
    """The first `length` keys, in a list of lengths as in an array."""
    allowed = padding_mask(np.array(lengths, int), 5)
    assert allowed.shape == (len(lengths), 1, 1, 5)
    assert_array_equal(np.sort(allowed)[..., ::-1], allowed)
    assert_array_equal(allowed.sum(axis=(1, 2, 3)), lengths)
    assert_array_equal(padding_mask(lengths, 5), allowed)


def test_masks_are_made_where_they_are_used(world):
    """`like` decides on library and device, whatever the lengths are made of."""
    like = world.carry(scores)
    for made in (causal_mask(2, 3, like=like), padding_mask([1, 3], 3, like=like)):
        assert (type(made), made.device, made.dtype) == (type(like), like.device, world.carry(mask).dtype)


@pytest.mark.parametrize("container", [list, np.array, torch.tensor])
@pytest.mark.parametrize("length", [4, -1])
def test_lengths_must_fit(container, length):
    """The message repeats the caller's length and keys."""
    with pytest.raises(ValueError, match=f"a length of {length} does not fit 3 keys"):
        padding_mask(container([2, length]), 3)


@given(any_mask, any_mask, any_mask)
def test_masks_combine_like_and(first, second, third):
    """The order does not matter, None allows everything, and a mask adds nothing to itself."""
    same = assert_array_equal
    same(combine_masks(first, second), combine_masks(second, first))
    same(combine_masks(combine_masks(first, second), third), combine_masks(first, combine_masks(second, third)))
    same(combine_masks(first, None), first)
    same(combine_masks(first, first), first)


@given(rows)
def test_a_mask_that_allows_everything_blocks_nothing(scores):
    """Then it is plain softmax."""
    assert_array_equal(masked_softmax(scores, np.ones((1, 1), bool)), softmax(scores))


@pytest.mark.parametrize("shape", [(2, 1, 1, 4), (2, 3, 3), (4, 3), (2,)])
def test_a_mask_must_broadcast_to_the_scores(shape):
    """One with more axes would silently add them to the weights."""
    with pytest.raises(ValueError, match=r"does not broadcast to \(2, 3, 4\), \(\.\.\., queries, keys\)"):
        masked_softmax(np.ones((2, *SHAPE)), np.ones(shape, bool))


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_a_mask_must_be_boolean(dtype):
    """Zeros and ones could mean anything, zeros and -inf too."""
    for wants_boolean in (lambda m: masked_softmax(scores, m), lambda m: to_allowed(m, "blocked")):
        with pytest.raises(ValueError, match=f"a mask of {dtype} is not boolean: True = may look"):
            wants_boolean(mask.astype(dtype))


def test_additive_masks_are_added():
    """Torch's fused function adds a mask of numbers to the scores; to_allowed tells what comes of it."""
    for allowed in filter(lambda m: m is not None and m.ndim > 1, MASKS.values()):
        additive = torch.tensor(np.where(allowed, 0, -np.inf))
        out = torch.nn.functional.scaled_dot_product_attention(*map(torch.tensor, several), attn_mask=additive)
        assert_allclose(masked_attention(*several, to_allowed(additive.numpy(), "additive")), out, atol=1e-12)


@given(masks, st.sampled_from([-np.inf, -1e9, -65504, float(np.finfo(np.float32).min)]), st.sampled_from("fde"))
def test_four_conventions_for_one_mask(allowed, fill, dtype):
    """However a library writes it, however small its most negative number is, it is the same mask."""
    with np.errstate(over="ignore"):
        additive = np.where(allowed, 0, fill).astype(dtype)
    assert_array_equal(to_allowed(allowed, "allowed"), allowed)
    assert_array_equal(to_allowed(~allowed, "blocked"), allowed)
    assert_array_equal(to_allowed(additive, "additive"), allowed)
    assert_array_equal(to_allowed(1 - allowed.astype(dtype), "blocked_float"), allowed)


def test_an_unknown_convention_is_named():
    """With the four that there are."""
    with pytest.raises(ValueError, match='"keras" is none of "allowed", "blocked", "additive", "blocked_float"'):
        to_allowed(mask, "keras")


lengths_of = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=3).map(np.array)


@given(lengths_of)
def test_a_translators_three_masks(lengths):
    """Source and cross allow the source's tokens, target its own tokens up to the present."""
    source, target, cross = encoder_decoder_masks(*lengths.T, 4, 3)
    assert source.shape == cross.shape == (len(lengths), 1, 1, 4)
    assert target.shape == (len(lengths), 1, 3, 3)
    assert_array_equal(source, cross)
    assert_array_equal(source.sum(axis=-1).ravel(), lengths[:, 0])
    assert_array_equal(target[:, 0], [np.tri(3, dtype=bool) & (np.arange(3) < n) for n in lengths[:, 1]])


def test_a_translators_masks_are_where_its_lengths_are():
    """Torch lengths make torch masks, lists make NumPy's, unless `like` says otherwise."""
    lengths = [2, 4], [1, 3]
    for made_of, like, kind in (
        (lengths, None, np.ndarray),
        (map(np.array, lengths), None, np.ndarray),
        (map(torch.tensor, lengths), None, torch.Tensor),
        (lengths, torch.empty(0), torch.Tensor),
    ):
        assert {type(made) for made in encoder_decoder_masks(*made_of, 4, 3, like=like)} == {kind}
