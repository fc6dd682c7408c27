"""Wrong answers to lesson 03 (round 9)."""
import numpy as np


def masked_softmax__1(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    masked = scores
    masked[~mask] = -np.inf
    largest = masked.max(axis=-1, keepdims=True)
    largest = np.where(np.isfinite(largest), largest, 0)
    powers = np.exp(masked - largest)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def test_causal_attention__1(causal_attention):
    rng = np.random.default_rng(0)
    for queries, keys in [(1, 1), (4, 4), (2, 5)]:
        query = rng.normal(size=(2, queries, 3))
        key = rng.normal(size=(2, keys, 3))
        value = rng.normal(size=(2, keys, 4))
        got = causal_attention(query, key, value)
        assert (got.shape == (2, queries, 4), "wrong shape")
        for i in range(queries):
            seen = keys - queries + i + 1
            scores = query[:, i : i + 1] @ key[:, :seen].swapaxes(-1, -2) / np.sqrt(3)
            powers = np.exp(scores - scores.max(-1, keepdims=True))
            want = powers / powers.sum(-1, keepdims=True) @ value[:, :seen]
            assert (np.allclose(got[:, i : i + 1], want), f"query {i} of {queries} with {keys} keys is wrong")


def padding_mask__1(lengths, keys):
    lengths = np.asarray(lengths)
    if lengths.max(initial=0) > keys:
        ValueError(f"a sentence is longer than {keys} keys")
    return np.arange(keys)[None, None, None, :] < lengths[:, None, None, None]


TRUTH = {
    "masked_softmax__1": "`masked = scores` makes no copy, so the right weights come back, but the blocked entries of the caller's scores are -inf afterwards; shows with any mask that blocks something.",
    "test_causal_attention__1": "The asserts have brackets around condition and text, which makes a tuple that is always true (SyntaxWarning: assertion is always true, perhaps remove parentheses?): every version passes, also one without a mask.",
    "padding_mask__1": "The ValueError is made but `raise` is missing: lengths [2, 5] with 3 keys give a mask (the second row all True) instead of an error; right for all lengths up to keys.",
}
