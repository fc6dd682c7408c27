"""The page that shows the whole of multi-head attention computes what the reference does."""

import pytest
import torch
from helpers import ROOT, loaded

from mha_ref import causal_mask, multi_head_attention, padding_mask

PAGE = ROOT / "docs" / "attention_on_one_page.py"


@pytest.mark.parametrize("mask", ["all", "causal", "padding", "nothing"])
def test_the_page_is_right(mask):
    """For every kind of mask, also where a query has no key at all."""
    torch.manual_seed(0)
    query, memory = torch.randn(2, 4, 6, dtype=torch.float64), torch.randn(2, 5, 6, dtype=torch.float64)
    matrices = torch.randn(4, 6, 6, dtype=torch.float64)
    masks = {
        "all": torch.ones(1, 1, 1, 5, dtype=torch.bool),
        "causal": causal_mask(4, 5, like=query),
        "padding": padding_mask([5, 2], 5, like=query),
        "nothing": torch.zeros(1, 1, 4, 5, dtype=torch.bool),
    }
    page = loaded(PAGE, "attention_on_one_page")
    found = page.multi_head_attention(query, memory, memory, *matrices, 3, masks[mask])
    torch.testing.assert_close(found, multi_head_attention(query, memory, memory, *matrices, 3, masks[mask]))


def test_the_page_is_one_page():
    """It fits on a screen: that is what it is for."""
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) <= 40
