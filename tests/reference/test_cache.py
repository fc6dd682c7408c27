"""Attention with a cache and with shared heads, beside what is computed at once, and what torch computes."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch.nn.functional import scaled_dot_product_attention
from torch.testing import assert_close

from mha_ref import attend_with_cache, causal_attention, grouped_query_attention
from mha_ref.cached_model import CachedModel, write

from .inputs import normal


@pytest.mark.parametrize("chunks", [(6,), (1,) * 6, (3, 3), (4, 1, 1), (1, 5)])
def test_chunk_by_chunk_is_what_comes_out_at_once(chunks):
    """However a text is cut, each token finds the same."""
    query, key, value = normal((3, 2, 6, 5))
    outputs, kept = [], (None, None)
    for part in np.split(np.arange(6), np.cumsum(chunks)[:-1]):
        output, *kept = attend_with_cache(query[:, part], key[:, part], value[:, part], *kept)
        outputs.append(output)
    assert_allclose(np.concatenate(outputs, axis=1), causal_attention(query, key, value))
    assert_allclose(kept, (key, value))


@pytest.mark.parametrize("kv_heads", [1, 2, 3, 6])
def test_groups_are_torchs(kv_heads):
    """The same numbers as with `enable_gqa=True`."""
    query, key, value = (torch.tensor(normal((2, heads, 4, 5))) for heads in (6, kv_heads, kv_heads))
    expected = scaled_dot_product_attention(query, key, value, enable_gqa=True)
    assert_close(grouped_query_attention(query, key, value), expected)


def test_heads_that_do_not_divide_are_told():
    """With both numbers."""
    query, key = np.zeros((6, 2, 3)), np.zeros((4, 2, 3))
    with pytest.raises(ValueError, match="6 heads of queries do not divide among 4 heads of keys"):
        grouped_query_attention(query, key, key)


def test_a_model_with_a_cache_writes_the_same():
    """As long as the text fits into the context."""
    torch.manual_seed(0)
    model, prompt = CachedModel(11, context=20, model_size=12, heads=3), torch.tensor([[1, 5, 2], [7, 7, 0]])
    without, with_cache = (
        write(model, prompt, 17, lambda logits: logits.argmax(-1), f) for f in (None, attend_with_cache)
    )
    assert_close(with_cache, without)
