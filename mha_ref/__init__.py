"""Multi-head attention, each function built from the ones taught before it.

Pure functions over any Array API library (NumPy, torch, JAX, CuPy, ...): dtype and device are kept.
A mask is boolean, True = may look, and broadcasts to (..., queries, keys).
A query that may look at nothing gets weights and output of zero.
"""

from .attention import (
    attention_scores,
    attention_weights,
    causal_attention,
    masked_attention,
    masked_weights,
    scale,
    scaled_dot_product_attention,
    similarity,
    weighted_mean,
)
from .heads import (
    attention_head,
    cross_attention,
    merge_heads,
    mix_heads,
    multi_head_attention,
    project,
    split_heads,
)
from .masks import causal_mask, combine_masks, masked_softmax, padding_mask
from .weights import log_softmax, shift, softmax, softmax_with_temperature

__all__ = [
    "attention_head",
    "attention_scores",
    "attention_weights",
    "causal_attention",
    "causal_mask",
    "combine_masks",
    "cross_attention",
    "log_softmax",
    "masked_attention",
    "masked_softmax",
    "masked_weights",
    "merge_heads",
    "mix_heads",
    "multi_head_attention",
    "padding_mask",
    "project",
    "scale",
    "scaled_dot_product_attention",
    "shift",
    "similarity",
    "softmax",
    "softmax_with_temperature",
    "split_heads",
    "weighted_mean",
]
