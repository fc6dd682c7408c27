"""The definitions, slowly: for every function of mha_ref one of the same name, in loops that nobody can misread.

NumPy in, float64 throughout, no tricks for stability or speed, and nothing shared with mha_ref.
"""

import cmath
import math
from decimal import Decimal
from itertools import count, product

import numpy as np


def loops(signature):
    """The function below says it for one item; np.vectorize repeats it for every item of a batch."""
    return np.vectorize(otypes=[float], signature=signature)


def shift(scores, axis):
    return np.apply_along_axis(lambda row: [s - max(row) for s in row], axis, scores)


def softmax(scores, axis=-1):
    return np.apply_along_axis(lambda row: [float(share) for share in shares(row)], axis, scores)


def log_softmax(scores, axis=-1):
    return np.apply_along_axis(lambda row: [float(share.ln()) for share in shares(row)], axis, scores)


def softmax_with_temperature(scores, temperature, axis=-1):
    return softmax(scores / temperature, axis)


def sample(logits, temperature, uniform):
    """Row by row: go along the tokens until what they have together is more than the number."""

    def draw(row, number):
        if temperature == 0:
            return max(range(len(row)), key=lambda token: row[token])
        passed, possible = Decimal(0), 0
        for token, share in enumerate(shares(row / temperature)):
            passed, possible = passed + share, token if float(share) > 0 else possible
            if passed > Decimal(float(number)):
                return token
        return possible

    return np.array([draw(row, number) for row, number in zip(logits, uniform, strict=True)])


def shares(row):
    """exp(s) / sum(exp(s)) as it is written: a Decimal has room for exp(10000)."""
    exponentials = [Decimal(float(s)).exp() for s in row]
    total = sum(exponentials)
    return [e / total for e in exponentials]


def causal_mask(queries, keys):
    """Counted from the end: a query sees the keys that stand no nearer to the end than itself."""
    return np.array([[keys - k >= queries - q for k in range(keys)] for q in range(queries)])


def padding_mask(lengths, keys):
    return np.array([[[[k < length for k in range(keys)]]] for length in lengths])


def combine_masks(first, second):
    return np.vectorize(lambda a, b: bool(a and b), otypes=[bool])(
        True if first is None else first, True if second is None else second
    )


def encoder_decoder_masks(source_lengths, target_lengths, sources, targets):
    """A source token is real or not, whoever looks; a target token looks at real ones that are not after itself."""
    source = np.array([[[[s < length for s in range(sources)]]] for length in source_lengths])
    own = [[[[k < length and k <= q for k in range(targets)] for q in range(targets)]] for length in target_lengths]
    return source, np.array(own), source


def to_allowed(mask, convention):
    """What each number of a mask means, one by one."""
    is_allowed = {
        "allowed": lambda m: m,
        "blocked": lambda m: not m,
        "additive": lambda m: math.exp(m) > 0.5,  # what becomes of the exponential of a score
        "blocked_float": lambda m: m < 0.5,
    }[convention]
    return np.vectorize(lambda m: bool(is_allowed(m)), otypes=[bool])(mask)


def masked_softmax(scores, mask):
    """Softmax of the allowed scores, picked out one by one; all else stays zero."""
    weights, mask = np.zeros(scores.shape), np.broadcast_to(mask, scores.shape)
    for row in np.ndindex(scores.shape[:-1]):
        allowed = [k for k in range(scores.shape[-1]) if mask[row][k]]
        for k, share in zip(allowed, shares(scores[row][allowed]), strict=True):
            weights[*row, k] = share
    return weights


@loops("(q,f),(k,f)->(q,k)")
def similarity(query, key):
    return np.array([[sum(a * b for a, b in zip(q, k, strict=True)) for k in key] for q in query])


@loops("(q,k),(k,f)->(q,f)")
def weighted_mean(weights, values):
    columns = range(values.shape[1])
    return np.array([[sum(w * v[f] for w, v in zip(row, values, strict=True)) for f in columns] for row in weights])


@loops("(q,f),(k,f),(k,v),(q,k)->(q,v)")
def attention(query, key, value, mask):
    """Each query takes from each value that it may look at its share, exp(score) of the sum of all such."""
    result = np.zeros((len(query), value.shape[1]))
    for q in range(len(query)):
        allowed = [k for k in range(len(key)) if mask[q, k]]
        exponentials = {k: math.exp(sum(query[q] * key[k]) / math.sqrt(query.shape[1])) for k in allowed}
        for k in allowed:
            result[q] += exponentials[k] / sum(exponentials.values()) * value[k]
    return result


def masked_attention(query, key, value, mask=None):
    return attention(query, key, value, whole(mask, query.shape[-2], key.shape[-2]))


def whole(mask, *shape):
    """The mask with all of its queries and keys written out; None allows everything."""
    mask = np.asarray(mask is None or mask)
    return np.broadcast_to(mask, np.broadcast_shapes(mask.shape, shape))


def scale(scores, features):
    return scores / features**0.5


def attention_scores(query, key):
    return similarity(query, key) / query.shape[-1] ** 0.5


def masked_weights(query, key, mask=None):
    """What comes out if value k is 1 in its own column k and 0 elsewhere."""
    return masked_attention(query, key, np.eye(key.shape[-2]), mask)


def attention_weights(query, key):
    return masked_weights(query, key)


def scaled_dot_product_attention(query, key, value):
    return masked_attention(query, key, value)


def causal_attention(query, key, value):
    return masked_attention(query, key, value, causal_mask(query.shape[-2], key.shape[-2]))


def project(query, key, value, w_query, w_key, w_value):
    return weighted_mean(query, w_query), weighted_mean(key, w_key), weighted_mean(value, w_value)


def attention_head(x, w_query, w_key, w_value, mask=None):
    return masked_attention(*project(x, x, x, w_query, w_key, w_value), mask)


def concatenate_heads(*each):
    return merge_heads(np.stack(each, axis=-3))


def attend_by_heads(query, key, value, heads, mask=None):
    split = (split_heads(x, heads) for x in (query, key, value))
    return merge_heads(masked_attention(*split, mask))


def split_heads(x, heads):
    size = x.shape[-1] // heads
    return np.stack([x[..., head * size : (head + 1) * size] for head in range(heads)], axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., head, :, :] for head in range(x.shape[-3])], axis=-1)


def fuse_heads(weights):
    return np.hstack(list(weights))


def mix_heads(merged, w_output):
    return weighted_mean(merged, w_output)


def multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask=None):
    """Each head writes its own part of the result, through its own rows of the output weights, onto those before."""
    rows, result = iter(w_output), 0
    for head in range(len(w_query)):
        out = attention_head(x, w_query[head], w_key[head], w_value[head], mask)
        result = result + weighted_mean(out, np.array([next(rows) for _ in range(out.shape[-1])]))
    return result


def multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """One item of the batch, one head after another: its columns of the projections, its rows of the output weights."""
    mask = whole(mask, len(query), heads, query.shape[1], key.shape[1])
    size, result = w_query.shape[1] // heads, np.zeros((*query.shape[:2], w_output.shape[1]))
    for item in range(len(query)):
        for head in range(heads):
            block = slice(head * size, (head + 1) * size)
            views = project(query[item], key[item], value[item], w_query[:, block], w_key[:, block], w_value[:, block])
            result[item] += weighted_mean(masked_attention(*views, mask[item, head]), w_output[block])
    return result


def cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask)


def parameter_count(model_size, heads, bias=True, head_size=None, value_size=None):
    """All arrays of a layer, made and counted."""
    head_size, value_size = head_size or model_size // heads, value_size or model_size // heads
    made = []
    for _ in range(heads):
        for size in (head_size, head_size, value_size):
            made += [np.empty((model_size, size)), np.empty(size)]
        made += [np.empty((value_size, model_size))]
    made += [np.empty(model_size)]
    return sum(array.size for array in made if bias or array.ndim == 2)


def product_flops(rows, inner, columns):
    """A multiplication and an addition for each term of each number of a matrix product."""
    return sum(1 + 1 for _ in np.ndindex(rows, inner, columns))


def projection_flops(tokens, model_size):
    return sum(product_flops(tokens, model_size, model_size) for _ in ("query", "key", "value", "output"))


def mixing_flops(tokens, model_size):
    return product_flops(tokens, model_size, tokens) + product_flops(tokens, tokens, model_size)


def attention_flops(tokens, model_size):
    return projection_flops(tokens, model_size) + mixing_flops(tokens, model_size)


def crossover_length(model_size):
    """Tried out, one length after another."""
    return next(n for n in count(1) if mixing_flops(n, model_size) >= projection_flops(n, model_size))


def score_bytes(batch, heads, tokens, bytes_per_number=4):
    return np.empty((batch, heads, tokens, tokens), f"V{bytes_per_number}").nbytes


def sinusoidal_positions(tokens, model_size):
    def number(place, column):
        angle = place / 10000 ** ((column - column % 2) / model_size)
        return math.cos(angle) if column % 2 else math.sin(angle)

    return np.array([[number(place, column) for column in range(model_size)] for place in range(tokens)])


def rotary_angles(positions, size, base=10000.0):
    return np.array([[place / base ** (2 * pair / size) for pair in range(size // 2)] for place in positions])


def interleave(even, odd):
    each = [even[..., n // 2] if n % 2 == 0 else odd[..., n // 2] for n in range(2 * even.shape[-1])]
    return np.stack(each, axis=-1)


def apply_rotary(x, positions, base=10000.0):
    """A pair of columns is a complex number, and a turn is a product with a number of length 1."""
    turned = np.array(x, float)
    for *row, token, pair in np.ndindex(*x.shape[:-1], x.shape[-1] // 2):
        first, angle = 2 * pair, float(positions[token]) * base ** (-2 * pair / x.shape[-1])
        z = complex(x[*row, token, first], x[*row, token, first + 1]) * cmath.exp(1j * angle)
        turned[*row, token, first : first + 2] = z.real, z.imag
    return turned


def distances(queries, keys):
    """Counted from the end: the last query and the last key are both the last."""
    return np.array([[float((keys - key) - (queries - query)) for key in range(keys)] for query in range(queries)])


def alibi_slopes(heads):
    """From 1 down to 1/256 in so many equal factors; the 1 is left out."""
    return np.array([(1 / 256) ** ((head + 1) / heads) for head in range(heads)])


def alibi_bias(heads, queries, keys):
    """The first head's slope is 2 ** (-8 / heads), and each next one's is the one before, times that."""
    first = 2 ** (-8 / heads)

    def bias(head, query, key):
        return -(first ** (head + 1)) * ((keys - key) - (queries - query))

    return np.array([[[bias(h, q, k) for k in range(keys)] for q in range(queries)] for h in range(heads)])


def window_mask(queries, keys, window):
    """A query's own key is the newest it sees; counted from there, it sees so many."""
    own = [keys - queries + query for query in range(queries)]
    return np.array([[key in range(place - window + 1, place + 1) for key in range(keys)] for place in own])


def log_sum_exp(scores, axis=-1):
    """The definition, of one row after the other; nothing is to be summed where there is only -inf."""
    rows = np.moveaxis(np.asarray(scores, float), axis, -1)
    sums = np.zeros(rows.shape[:-1])
    for *row, place in np.ndindex(*rows.shape):
        sums[*row] += math.exp(rows[*row, place])
    return np.array([math.log(x) if x else -math.inf for x in sums.ravel()]).reshape(sums.shape)


def finite_or_zero(lse):
    return np.array([float(x) if math.isfinite(x) else 0.0 for x in lse.ravel()]).reshape(lse.shape)


def share_of_part(lse_part, lse):
    shares = np.zeros((*lse.shape, 1))
    for row in np.ndindex(*lse.shape):
        shares[*row, 0] = math.exp(lse_part[*row]) / math.exp(lse[*row]) if math.isfinite(lse[*row]) else 0
    return shares


def without_empty(output, lse):
    kept = np.zeros(output.shape)
    for *row, feature in np.ndindex(*output.shape):
        kept[*row, feature] = output[*row, feature] if math.isfinite(lse[*row]) else 0
    return kept


def merge_attention(output_a, lse_a, output_b, lse_b):
    """Each part's output is a mean; the sum of its exponentials says how much it weighs."""
    merged, lse = np.zeros(output_a.shape), np.full(lse_a.shape, -math.inf)
    for row in np.ndindex(*lse_a.shape):
        both = [(float(lse_a[*row]), output_a[*row]), (float(lse_b[*row]), output_b[*row])]
        parts = [(math.exp(sum_of_part), output) for sum_of_part, output in both if math.isfinite(sum_of_part)]
        whole = sum(weight for weight, _ in parts)
        if whole:
            merged[*row], lse[*row] = sum(weight * output for weight, output in parts) / whole, math.log(whole)
    return merged, lse


def block_mask(queries, keys, start, stop):
    """Counted from the end: a query has as many keys behind its own as there are queries after it."""
    return np.array([[key < keys - (queries - 1 - q) for key in range(start, stop)] for q in range(queries)])


def partial_attention(query, key, value, mask=None):
    output, lse = np.zeros((*query.shape[:-1], value.shape[-1])), np.full(query.shape[:-1], -math.inf)
    mask = whole(mask, *query.shape[:-1], key.shape[-2])
    for *item, q in np.ndindex(*query.shape[:-1]):
        allowed = [k for k in range(key.shape[-2]) if mask[*item, q, k]]
        powers = [math.exp(sum(query[*item, q] * key[*item, k]) / query.shape[-1] ** 0.5) for k in allowed]
        if allowed:
            lse[*item, q] = math.log(sum(powers))
        for power, k in zip(powers, allowed, strict=True):
            output[*item, q] += power / sum(powers) * value[*item, k]
    return output, lse


def attention_in_blocks(query, key, value, block, causal=False):
    """Blocks change nothing: it is attention to all keys, or to those that are not ahead."""
    queries, keys = query.shape[-2], key.shape[-2]
    mask = np.array([[k <= q + keys - queries or not causal for k in range(keys)] for q in range(queries)])
    return partial_attention(query, key, value, mask)[0]


def weighted_mean_backward(weights, values, grad_output):
    """A weight meets the numbers of one value, and a value those of every query's weight for it."""
    grad_weights, grad_values = np.zeros(weights.shape), np.zeros(values.shape)
    for *item, query, key, feature in np.ndindex(*weights.shape, values.shape[-1]):
        arrives = grad_output[*item, query, feature]
        grad_weights[*item, query, key] += arrives * values[*item, key, feature]
        grad_values[*item, key, feature] += arrives * weights[*item, query, key]
    return grad_weights, grad_values


def softmax_backward(weights, grad_output):
    """The whole table of slopes: a weight by its own score, w (1 - w), and by another one's, -w v."""
    grad_scores = np.zeros(weights.shape)
    for *row, moved, score in np.ndindex(*weights.shape, weights.shape[-1]):
        w, v = float(weights[*row, moved]), float(weights[*row, score])
        grad_scores[*row, score] += grad_output[*row, moved] * (w * (1 - w) if moved == score else -w * v)
    return grad_scores


def scale_backward(grad_output, features):
    return grad_output / features**0.5


def similarity_backward(query, key, grad_output):
    grad_query, grad_key = np.zeros(query.shape), np.zeros(key.shape)
    for *item, q, k, feature in np.ndindex(*grad_output.shape, query.shape[-1]):
        grad_query[*item, q, feature] += grad_output[*item, q, k] * key[*item, k, feature]
        grad_key[*item, k, feature] += grad_output[*item, q, k] * query[*item, q, feature]
    return grad_query, grad_key


def attention_backward(query, key, value, grad_output, mask=None):
    """A score moves its query's output from where it is towards the score's own value, as fast as its weight says."""
    grads = tuple(np.zeros(x.shape) for x in (query, key, value))
    mask = whole(mask, *query.shape[:-1], key.shape[-2])
    for *item, q in np.ndindex(*query.shape[:-1]):
        keys, values = key[*item], value[*item]
        allowed = [k for k in range(len(keys)) if mask[*item, q, k]]
        exponentials = {k: math.exp(sum(query[*item, q] * keys[k]) / query.shape[-1] ** 0.5) for k in allowed}
        weights = {k: exponentials[k] / sum(exponentials.values()) for k in allowed}
        output = sum((weights[k] * values[k] for k in allowed), np.zeros(values.shape[-1]))
        for k in allowed:
            pull = weights[k] * sum(grad_output[*item, q] * (values[k] - output)) / query.shape[-1] ** 0.5
            for grad, place, adds in zip(grads, (q, k, k), (pull * keys[k], pull * query[*item, q], 0), strict=True):
                grad[*item, place] += adds
            grads[2][*item, k] += weights[k] * grad_output[*item, q]
    return grads


def thirds(block):
    """Row by row: the first third of the rows, the second, and what is left."""
    size = len(block) // 3
    return tuple(np.array([block[third * size + row] for row in range(size)]) for third in range(3))


def under_our_names(kind, parts):
    return dict(zip((f"query.{kind}", f"key.{kind}", f"value.{kind}", f"output.{kind}"), map(np.array, parts)))


def from_torch(state):
    """Number by number: each has a row of its own, and a third in which that row lies."""
    return _number_by_number(state, "in_proj_{}", "out_proj.{}", lambda i, o: (o, i))


def from_gpt2(state):
    """The same, with the two axes of every weight exchanged."""
    return _number_by_number(state, "c_attn.{}", "c_proj.{}", lambda i, o: (i, o))


def _number_by_number(state, block, output, place):
    size, ours = len(state[output.format("weight")]), {}
    for third, name in enumerate(("query", "key", "value", "output")):
        weight, first = (state[(output if third == 3 else block).format("weight")], third % 3 * size)
        ours[f"{name}.weight"] = np.array([[weight[place(i, first + o)] for i in range(size)] for o in range(size)])
        if block.format("bias") in state:
            bias = state[(output if third == 3 else block).format("bias")]
            ours[f"{name}.bias"] = np.array([bias[first + o] for o in range(size)])
    return ours


def previous_token_score(weights):
    """One weight after the other, for queries that have a token before them."""
    heads, queries = weights.shape[-3:-1]
    patterns = weights.reshape(-1, heads, *weights.shape[-2:])
    found = [[p[h, q, q - 1] for p in patterns for q in range(1, queries)] for h in range(heads)]
    return np.array([math.fsum(each) / len(each) for each in found])


def behind_copies(tokens):
    batch, queries = tokens.shape
    found = np.zeros((batch, queries, queries), bool)
    for text, query, place in np.ndindex(batch, queries, queries):
        if place < query and tokens[text, place] == tokens[text, query]:
            found[text, query, place + 1] = True
    return found


def induction_score(weights, tokens):
    """Each query of each text that has a copy before it is one item of the list."""
    found = []
    for text, row in enumerate(tokens.tolist()):
        for query, token in enumerate(row):
            behind = [place + 1 for place in range(query) if row[place] == token]
            if behind:
                each_head = weights[text, :, query]
                found.append([sum(pattern[key] for key in behind) for pattern in each_head])
    return np.array(found, float).mean(axis=0)


def silence(results, head):
    return np.stack([0 * each if n == head else each for n, each in enumerate(results.swapaxes(0, 1))], axis=1)


def without_head(results, w_output, head):
    """The sum of what all the others contribute, each by its own rows of the matrix."""
    batch, heads, tokens, size = results.shape
    out = np.zeros((batch, tokens, w_output.shape[1]))
    for other in set(range(heads)) - {head}:
        out += results[:, other] @ w_output[other * size : (other + 1) * size]
    return out


def cosines(rows):
    def cosine(a, b):
        return sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))

    return np.array([[cosine(a, b) for b in rows.tolist()] for a in rows.tolist()])


def head_similarity(weights):
    return cosines(np.array([each.ravel() for each in weights]))


def append_tokens(past, new):
    """One token behind the other."""
    kept = [] if past is None else [past[..., n, :] for n in range(past.shape[-2])]
    return np.stack([*kept, *(new[..., n, :] for n in range(new.shape[-2]))], axis=-2)


def attend_with_cache(query, key, value, past_key=None, past_value=None):
    """Each new token in its turn: it is kept first, and then it looks at all that is kept."""
    kept_keys, kept_values = (
        [] if past is None else [past[..., n, :] for n in range(past.shape[-2])] for past in (past_key, past_value)
    )
    outputs = []
    for n in range(query.shape[-2]):
        kept_keys.append(key[..., n, :])
        kept_values.append(value[..., n, :])
        keys, values = np.stack(kept_keys, axis=-2), np.stack(kept_values, axis=-2)
        outputs.append(scaled_dot_product_attention(query[..., n : n + 1, :], keys, values))
    return np.concatenate(outputs, axis=-2), keys, values


def repeat_heads(x, repeats):
    heads = [x[..., head, :, :] for head in range(x.shape[-3]) for _ in range(repeats)]
    return np.stack(heads, axis=-3)


def grouped_query_attention(query, key, value, mask=None):
    """Head by head; its keys and values are those of its group."""
    heads, kv_heads = query.shape[-3], key.shape[-3]
    mask = whole(mask, *query.shape[:-1], key.shape[-2])
    outputs = []
    for head in range(heads):
        group = head // (heads // kv_heads)
        one = query[..., head, :, :], key[..., group, :, :], value[..., group, :, :]
        outputs.append(masked_attention(*one, mask[..., head, :, :]))
    return np.stack(outputs, axis=-3)


def cache_bytes(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """Count every number that is kept, one by one."""
    kept = ("key", "value")
    places = product(range(batch), range(layers), range(tokens), kept, range(kv_heads), range(head_size))
    return sum(bytes_per_number for _ in places)
