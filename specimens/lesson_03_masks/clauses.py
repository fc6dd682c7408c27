"""Answers that break one clause of a docstring, and little else: lesson_03_masks.toml says which."""

import numpy as np

from mha_ref import masked_attention, masked_softmax


def masked_softmax__inverts_the_mask_as_a_number(scores, mask):
    return masked_softmax(scores, ~(1 - mask.astype(int)) % 3 == 0)


def masked_softmax__wants_a_mask_of_the_same_shape(scores, mask):
    allowed = np.empty_like(scores, dtype=bool)
    allowed[mask], allowed[~mask] = True, False
    return masked_softmax(scores, allowed)


def masked_attention__wants_a_mask_of_the_same_shape(query, key, value, mask=None):
    assert mask is None or mask.shape == (*query.shape[:-1], key.shape[-2])
    return masked_attention(query, key, value, mask)


def padding_mask__takes_a_list_of_lengths(lengths, keys):
    if not isinstance(lengths, list):
        raise TypeError("a list, please")
    return np.array([[[[key < length for key in range(keys)]]] for length in lengths])


def causal_mask__hides_what_lies_before_the_queries(queries, keys):
    place = np.arange(queries)[:, None] + keys - queries
    key = np.arange(keys)
    return (key <= place) & (key >= keys - queries)


def _inputs(changed=False):
    """Three queries, four keys; changed: the last key and its value are others."""
    numbers = np.random.default_rng(0)
    query, key, value = (numbers.normal(size=shape) for shape in ((3, 4), (4, 4), (4, 2)))
    if changed:
        key[-1], value[-1] = 1.0, 5.0
    return query, key, value


def test_causal_attention__sees_only_what_looks_ahead(causal_attention):
    before, after = causal_attention(*_inputs()), causal_attention(*_inputs(changed=True))
    assert np.allclose(before[:-1], after[:-1])


def test_causal_attention__sees_only_what_is_hidden(causal_attention):
    before, after = causal_attention(*_inputs()), causal_attention(*_inputs(changed=True))
    assert not np.allclose(before[-1], after[-1])


def test_causal_attention__calls_it_with_two_inputs(causal_attention):
    query, key, _ = _inputs()
    assert causal_attention(query, key).shape == (3, 4)


def test_causal_attention__returns_its_finding(causal_attention):
    return causal_attention(*_inputs()).shape == (3, 2)


def test_causal_attention__wants_the_mask_of_torch(causal_attention):
    query, key, value = _inputs()
    assert np.allclose(causal_attention(query, key, value)[0], value[0])
