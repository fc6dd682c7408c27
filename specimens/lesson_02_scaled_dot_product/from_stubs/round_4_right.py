import numpy as np
from mha_ref import softmax, weighted_mean


def attention_scores__1(query, key):
    number_of_features = query.shape[-1]
    front = query.shape[:-2]
    kind = np.result_type(query, key)
    scores = np.empty(front + (query.shape[-2], key.shape[-2]), dtype=kind)
    for place in np.ndindex(*front):
        # each side carries the fourth root, so nothing grows in between
        q = query[place].astype(np.float64) / number_of_features ** 0.25
        k = key[place].astype(np.float64) / number_of_features ** 0.25
        scores[place] = [[np.vdot(a, b) for b in k] for a in q]
    return scores


def attention_weights__1(query, key):
    q = query.astype(np.float64)
    k = key.astype(np.float64)
    logits = np.sum(q[..., :, None, :] * k[..., None, :, :], axis=-1) / np.sqrt(max(q.shape[-1], 1))
    logits = logits - logits.max(axis=-1, keepdims=True)
    log_shares = logits - np.logaddexp.reduce(logits, axis=-1)[..., None]
    return np.exp(log_shares).astype(np.result_type(query, key))


def scaled_dot_product_attention__1(query, key, value):
    # the sum of weights rides along as one more value feature
    ones = np.ones(value.shape[:-1] + (1,))
    extended = np.concatenate([value, ones], axis=-1)
    d = max(query.shape[-1], 1)
    s = (query.astype(np.float64) / d ** 0.5) @ np.swapaxes(key, -1, -2)
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    both = e @ extended
    return (both[..., :-1] / both[..., -1:]).astype(np.result_type(query, key, value))


def scaled_dot_product_attention__2(query, key, value):
    if query.ndim > 2:
        return np.stack([scaled_dot_product_attention__2(*qkv) for qkv in zip(query, key, value)])
    kind = np.result_type(query, key, value)
    query, key, value = (x.astype(np.float64) for x in (query, key, value))
    scale = max(query.shape[1], 1) ** -0.5
    answers = []
    for q in query:
        best, total, acc = -np.inf, 0.0, np.zeros(value.shape[1])
        for k, v in zip(key, value):
            s = float(q @ k) * scale
            if s > best:
                shrink = np.exp(best - s)
                total, acc, best = total * shrink, acc * shrink, s
            p = np.exp(s - best)
            total += p
            acc = acc + p * v
        answers.append(acc / total)
    return np.array(answers).reshape(len(query), value.shape[1]).astype(kind)


WHY = {
    "attention_scores__1": "nested list comprehension of vdot, each side divided by the fourth root of features, in float64",
    "attention_weights__1": "broadcast product, exp of log-softmax by logaddexp.reduce",
    "scaled_dot_product_attention__1": "a column of ones appended to value gives the denominator in the same product",
    "scaled_dot_product_attention__2": "recursion over batch axes, online softmax per query, in float64",
}
