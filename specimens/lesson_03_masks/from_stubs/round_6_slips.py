import numpy as np
from mha_ref import attention_scores, softmax


# the learner's own functions, from earlier cells of the lesson

def masked_softmax(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    filled = np.where(mask, scores, -np.inf)
    biggest = filled.max(axis=-1, keepdims=True)
    biggest = np.where(np.isfinite(biggest), biggest, 0.0)
    e = np.where(mask, np.exp(filled - biggest), 0.0)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1.0, total)


def masked_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    return weights @ value


def causal_mask(queries, keys):
    return np.tril(np.ones((queries, keys), dtype=bool), k=keys - queries)


def masked_softmax__1(scores, mask):
    s = scores.copy()
    s[mask == False] = -np.inf
    top = s.max(axis=-1, keepdims=True)
    top[np.isinf(top)] = 0
    e = np.exp(s - top)
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


def masked_softmax__2(scores, mask):
    filled = scores.masked_fill(~mask, -1e9)
    weights = softmax(filled)
    return weights * mask


def masked_softmax__3(scores, mask):
    np.where(mask, scores, -1e9)
    weights = softmax(scores)
    return weights * mask


def padding_mask__1(lengths, keys):
    if np.any(lengths > keys):
        raise ValueError("a sentence is longer than its row")
    mask = np.arange(keys) < lengths
    return mask.reshape(len(lengths), 1, 1, keys)


def padding_mask__2(lengths, keys):
    if lengths > keys:
        raise ValueError("length is larger than keys")
    return (np.arange(keys) < lengths[:, None])[:, None, None, :]


def padding_mask__3(lengths, keys):
    batch = len(lengths)
    mask = np.zeros((batch, 1, 1, keys))
    for i, length in enumerate(lengths):
        if length > keys:
            raise ValueError(f"length {length} above {keys}")
        mask[i, 0, 0, :length] = True
    return mask


def masked_attention__1(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask == None:
        weights = softmax(scores)
    else:
        weights = masked_softmax(scores, mask)
    return weights @ value


def masked_attention__2(query, key, value, mask=None):
    scores = attention_scores(query, key)
    scores = np.where(mask, scores, -1e9)
    weights = softmax(scores)
    if mask is not None:
        weights = np.where(mask, weights, 0)
    return weights @ value


def masked_attention__3(query, key, value, mask=None):
    scores = attention_scores(query, key)
    weights = softmax(scores)
    if mask is not None:
        weights = masked_softmax(scores, mask)
        return weights @ value


def causal_mask__1(queries, keys):
    offset = keys - queries
    mask = [[False] * keys] * queries
    for q in range(queries):
        for k in range(keys):
            if k <= q + offset:
                mask[q][k] = True
    return np.array(mask)


def causal_mask__2(queries, keys):
    mask = np.zeros((queries, keys), dtype=bool)
    for i in range(queries):
        last = i + keys - queries
        for i in range(last + 1):
            mask[i, i] = True
    return mask


def causal_attention__1(query, key, value):
    mask = causal_mask(len(query), len(key))
    return masked_attention(query, key, value, mask)


def causal_attention__2(query, key, value):
    mask = causal_mask(query.shape[-2], key.shape[-2])
    return masked_attention(query, key, mask, value)


TRUTH = {
    'masked_softmax__1': 'boolean indexing does not broadcast -> IndexError "boolean index did not match indexed array", line `s[mask == False] = -np.inf`, for every mask that is not of the full shape; right for a full mask',
    'masked_softmax__2': 'torch\'s masked_fill on a NumPy array -> AttributeError "\'numpy.ndarray\' object has no attribute \'masked_fill\'", line `filled = scores.masked_fill(~mask, -1e9)`, always',
    'masked_softmax__3': 'result of np.where not kept: softmax over all keys, blocked ones set to 0 afterwards; runs, rows sum to less than 1 (right only if everything is allowed)',
    'padding_mask__1': 'lengths not made a column (lengths[:, None] forgotten) -> ValueError "operands could not be broadcast together", line `mask = np.arange(keys) < lengths`; with batch == keys ValueError "cannot reshape array of size 3 into shape (3,1,1,3)", line `return mask.reshape(...)`; right for batch 1',
    'padding_mask__2': '`if` of a whole array, np.any forgotten -> ValueError "truth value of an array with more than one element is ambiguous", line `if lengths > keys:`, also for valid lengths (for invalid ones it looks like the wanted refusal); right for batch 1',
    'padding_mask__3': 'np.zeros without dtype=bool -> runs, the mask is float64 (0.0 and 1.0) and not boolean; lengths above keys are refused as they should be',
    'masked_attention__1': 'mask == None compares every entry of an array -> ValueError "truth value of an array with more than one element is ambiguous", line `if mask == None:`, whenever there is a mask; right without',
    'masked_attention__2': 'None is used in np.where before it is handled: None counts as False, all scores become -1e9, so that without a mask every query gets the plain mean of all values; runs; right with a mask',
    'masked_attention__3': 'return indented into the `if` -> None without a mask; right with a mask',
    'causal_mask__1': "[[False] * keys] * queries is one row several times: every write goes to all rows, so all rows equal the last query's; runs, wrong for more than one query",
    'causal_mask__2': 'loop variable i reused in the inner loop: only the diagonal is set; runs with a wrong mask if keys <= queries, otherwise IndexError "index 3 is out of bounds for axis 0 with size 3", line `mask[i, i] = True`',
    'causal_attention__1': "len() gives the first axis, not the queries: with a batch the mask has the batch's size -> ValueError in masked_softmax (broadcast), called on line `return masked_attention(...)`; with batch 1 the mask is [[True]] and every query looks ahead; right for 2 axes",
    'causal_attention__2': 'mask and value in the wrong order -> ValueError "operands could not be broadcast together with remapped shapes" in masked_softmax, called on line `return masked_attention(query, key, mask, value)`; runs with wrong numbers when the value\'s shape happens to fit the scores (all sizes equal)',
}
