"""Multi-head attention, each function built from the ones taught before it.

Pure functions over any Array API library (NumPy, torch, JAX, CuPy, ...): dtype and device are kept.
A mask is boolean, True = may look, and broadcasts to (..., queries, keys).
A query with no allowed key gets weights and output of zero.

The judge makes wrong versions of these functions: it exchanges one that another calls by its name, and lets those whose
name begins with `check_` do nothing. So a call from one exercise's function to another's is a statement about both.
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
from .blocks import (
    attention_in_blocks,
    block_mask,
    finite_or_zero,
    log_sum_exp,
    merge_attention,
    partial_attention,
    share_of_part,
    without_empty,
)
from .cache import append_tokens, attend_with_cache, cache_bytes, grouped_query_attention, repeat_heads
from .cost import (
    attention_flops,
    crossover_length,
    mixing_flops,
    parameter_count,
    projection_flops,
    score_bytes,
)
from .decoding import generate, next_token_loss, sample, translate_greedily
from .gradients import (
    attention_backward,
    scale_backward,
    similarity_backward,
    softmax_backward,
    weighted_mean_backward,
)
from .heads import (
    attend_by_heads,
    attention_head,
    concatenate_heads,
    cross_attention,
    fuse_heads,
    merge_heads,
    mix_heads,
    multi_head_attention,
    multi_head_by_loop,
    project,
    split_heads,
)
from .masks import causal_mask, combine_masks, encoder_decoder_masks, masked_softmax, padding_mask, to_allowed
from .patterns import (
    behind_copies,
    cosines,
    head_similarity,
    induction_score,
    previous_token_score,
    silence,
    without_head,
)
from .positions import (
    alibi_bias,
    alibi_slopes,
    apply_rotary,
    distances,
    interleave,
    rotary_angles,
    sinusoidal_positions,
    window_mask,
)
from .state_dicts import from_gpt2, from_torch, thirds, under_our_names
from .weights import log_softmax, shift, softmax, softmax_with_temperature

__all__ = [name for name, thing in globals().items() if callable(thing)]
