"""Inputs to try: CALLS for every public function, every axis of a different length, and what Hypothesis draws."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes
from hypothesis.extra.numpy import arrays as numpy_arrays

BATCH, HEADS, QUERIES, KEYS, FEATURES, VALUE_FEATURES, MODEL_SIZE, SIZE = 2, 3, 4, 5, 7, 8, 18, 9
MANY = 60

rng = np.random.default_rng(0)
normal = rng.standard_normal

scores = normal((BATCH, QUERIES, KEYS))
query, key = normal((BATCH, QUERIES, FEATURES)), normal((BATCH, KEYS, FEATURES))
value = normal((BATCH, KEYS, VALUE_FEATURES))
several = [np.stack([x, -x, x / 2], axis=1) for x in (query, key, value)]  # (batch, heads, ...)
one, many = normal((1, FEATURES)), (normal((MANY, FEATURES)), normal((MANY, VALUE_FEATURES)))

mask = rng.random((BATCH, QUERIES, KEYS)) < 0.6
mask[0, 0], mask[1, 0], mask[1, 1] = False, True, [True] + [False] * (KEYS - 1)  # none, all, one
shared, padding, per_head = mask[0], mask[:, None, 2:3], np.stack([mask, ~mask, mask[:, ::-1]], axis=1)
MASKS = {
    "none": None,
    "queries_keys": shared,
    "1_1_queries_keys": shared[None, None],
    "batch_1_1_keys": padding,
    "batch_1_queries_keys": mask[:, None],
    "batch_heads_queries_keys": per_head,
    "keys": shared[1],
    "queries_1": shared[:, :1],
    "nothing": np.zeros((1, 1), bool),
}

parts = normal((2, BATCH, QUERIES, VALUE_FEATURES))
lse = normal((BATCH, QUERIES))
shares = np.exp(scores) * mask  # a row of zeros, too
shares /= np.maximum(shares.sum(axis=-1, keepdims=True), 1)
arriving = normal((BATCH, QUERIES, VALUE_FEATURES))
heads_arriving = np.stack([arriving, -arriving, arriving / 2], axis=1)

grouped_query = np.concatenate([several[0], several[0] + 1], axis=1)  # (batch, 2 · heads, ...)
MASKS_OF_GROUPS = (None, shared, padding, mask[:, None])

x, memory = normal((BATCH, QUERIES, MODEL_SIZE)), normal((BATCH, KEYS, MODEL_SIZE))
w_query, w_key, w_value, w_output = weights = normal((4, MODEL_SIZE, MODEL_SIZE)) / MODEL_SIZE**0.5
one_head = normal((3, MODEL_SIZE, SIZE)) / MODEL_SIZE**0.5
each_head = normal((3, HEADS, MODEL_SIZE, SIZE)) / MODEL_SIZE**0.5
w_mix = normal((HEADS * SIZE, MODEL_SIZE)) / SIZE**0.5

patterns = rng.dirichlet(np.ones(KEYS), size=(BATCH, HEADS, KEYS))  # as many queries as keys
texts = np.array([[3, 1, 3, 3, 1], [2, 0, 4, 0, 2]])

CALLS = [
    ("shift", scores, 1),
    ("softmax", scores),
    ("softmax", scores, 0),
    ("log_softmax", scores),
    ("log_softmax", scores, 1),
    ("softmax_with_temperature", scores, 0.5),
    ("softmax_with_temperature", scores, 3, 1),
    ("sample", 2 * normal((QUERIES, KEYS)), 0.7, np.array([0.05, 0.35, 0.65, 0.95])),
    ("sample", normal((QUERIES, KEYS)), 0, rng.random(QUERIES)),
    ("masked_softmax", scores, mask),
    ("masked_softmax", scores, shared),
    ("causal_mask", QUERIES, KEYS),
    ("causal_mask", KEYS, QUERIES),
    ("padding_mask", np.array([0, 3, KEYS]), KEYS),
    ("combine_masks", shared, mask),
    ("combine_masks", padding, per_head),
    ("combine_masks", None, mask),
    ("encoder_decoder_masks", np.array([0, 3, KEYS]), np.array([QUERIES, 0, 1]), KEYS, QUERIES),
    ("to_allowed", mask, "allowed"),
    ("to_allowed", mask, "blocked"),
    ("to_allowed", np.where(mask, 0, -np.inf), "additive"),
    ("to_allowed", np.where(mask, 0, -1e4), "additive"),
    ("to_allowed", np.where(mask, 0.0, 1.0), "blocked_float"),
    ("thirds", x.reshape(-1, FEATURES - 1)),
    ("similarity", query, key),
    ("scale", scores, FEATURES),
    ("attention_scores", query, key),
    ("attention_weights", query, key),
    ("masked_weights", query, key, mask),
    ("weighted_mean", scores, value),
    *(("masked_attention", *several, mask) for mask in MASKS.values()),
    ("masked_attention", one, *many),
    ("scaled_dot_product_attention", query, key, value),
    ("causal_attention", query, key, value),
    ("causal_attention", key, query, query),
    ("project", x, memory, memory, *one_head),
    ("attention_head", x, *one_head),
    ("attention_head", x, *one_head, mask[..., :QUERIES]),
    ("split_heads", x, HEADS),
    ("concatenate_heads", *several[0].swapaxes(0, 1)),
    ("attend_by_heads", x, memory, memory[::-1].copy(), HEADS, per_head),
    ("merge_heads", several[0]),
    ("fuse_heads", each_head[0]),
    ("mix_heads", x, w_output),
    ("multi_head_by_loop", x, *each_head, w_mix),
    ("multi_head_by_loop", x, *each_head, w_mix, mask[..., :QUERIES]),
    ("multi_head_by_loop", x[0], *each_head, w_mix, shared[:, :QUERIES]),
    *(("multi_head_attention", x, memory, memory[::-1].copy(), *weights, HEADS, mask) for mask in MASKS.values()),
    ("cross_attention", x, memory, *weights, HEADS),
    ("cross_attention", x, memory, *weights, HEADS, padding),
    ("sinusoidal_positions", KEYS, MODEL_SIZE),
    ("rotary_angles", normal(QUERIES), MODEL_SIZE),
    ("interleave", x, x + 1),
    ("apply_rotary", x, np.arange(QUERIES)),
    ("apply_rotary", np.stack([x, -x]), np.array([3, 0, 20, 5]), 100.0),
    ("distances", QUERIES, KEYS),
    ("alibi_slopes", 4),
    ("alibi_bias", 4, QUERIES, KEYS),
    ("alibi_bias", 8, KEYS, KEYS),
    ("window_mask", QUERIES, KEYS, 2),
    ("window_mask", KEYS, QUERIES, 3),
    ("log_sum_exp", scores),
    ("log_sum_exp", scores, 1),
    ("finite_or_zero", lse),
    ("share_of_part", lse, np.logaddexp(lse, lse[::-1])),
    ("without_empty", parts[0], lse),
    ("merge_attention", parts[0], lse, parts[1], lse[::-1].copy()),
    ("block_mask", QUERIES, KEYS, 2, 5),
    ("block_mask", KEYS, QUERIES, 0, 3),
    ("partial_attention", query, key, value),
    ("partial_attention", query, key, value, np.tri(QUERIES, KEYS, 1, dtype=bool)),
    ("attention_in_blocks", query, key, value, 2),
    ("attention_in_blocks", *several, 3, True),
    ("softmax_backward", shares, scores),
    ("weighted_mean_backward", shares, value, arriving),
    ("scale_backward", scores, FEATURES),
    ("similarity_backward", query, key, scores),
    *(("attention_backward", *several, heads_arriving, mask) for mask in MASKS.values()),
    ("previous_token_score", patterns[0]),
    ("behind_copies", texts),
    ("induction_score", patterns, texts),
    ("silence", several[0], 1),
    ("without_head", several[0], normal((HEADS * FEATURES, MODEL_SIZE)) / 5, 2),
    ("cosines", query[0]),
    ("head_similarity", patterns[1][:, :QUERIES]),
    ("append_tokens", None, key),
    ("append_tokens", key, query),
    ("attend_with_cache", query, query + 1, value[:, :QUERIES]),
    ("attend_with_cache", *(x[..., :2, :] for x in several), *(x[..., 1:, :] for x in several[1:])),
    ("repeat_heads", several[0], 2),
    *(("grouped_query_attention", grouped_query, *several[1:], mask) for mask in MASKS_OF_GROUPS),
]

COSTS = [
    ("parameter_count", MODEL_SIZE, HEADS),
    ("parameter_count", MODEL_SIZE, HEADS, False),
    ("parameter_count", MODEL_SIZE, HEADS, True, SIZE),
    ("parameter_count", MODEL_SIZE, HEADS, False, None, SIZE),
    ("parameter_count", MODEL_SIZE, 5, True, 7, 8),
    ("projection_flops", QUERIES, MODEL_SIZE),
    ("mixing_flops", QUERIES, MODEL_SIZE),
    ("attention_flops", QUERIES, MODEL_SIZE),
    ("attention_flops", MODEL_SIZE, QUERIES),
    ("crossover_length", SIZE),
    ("score_bytes", BATCH, HEADS, QUERIES),
    ("score_bytes", BATCH, HEADS, QUERIES, 2),
    ("cache_bytes", BATCH, KEYS, HEADS, SIZE),
    ("cache_bytes", BATCH, KEYS, HEADS, SIZE, 3, 4),
]


sizes = st.integers(1, 5)
numbers = st.floats(-4, 4, width=16)
any_scores = numpy_arrays(float, array_shapes(max_dims=3, max_side=5), elements=numbers)


def arrays(*shape, elements=numbers):
    return numpy_arrays(float if elements is numbers else bool, shape, elements=elements)


@st.composite
def sequences(draw, self_attention=False):
    """query, key, value, mask of any sizes; for self-attention as many queries as keys."""
    queries, keys, features, value_features = (draw(sizes) for _ in range(4))
    queries = keys if self_attention else queries
    shapes = (queries, features), (keys, features), (keys, value_features)
    return *(draw(arrays(*shape)) for shape in shapes), draw(arrays(queries, keys, elements=st.booleans()))
