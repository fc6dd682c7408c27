"""Lessons 04 to 07: inputs, and the weights that they are projected with; float32, as in torch."""

import numpy as np

from .cases import Case, case, double, edge, is_floating, lengths, some_allowed, tidy
from .fills import far_apart, far_apart_in_memory

LOUD = dict(x=25, query=200)  # x is query and key at once, so it counts twice
OPEN_ROW = np.array([[True, True, True], [False, True, True], [True, True, False]])
PROJECTIONS = ("query", "key", "value", "output")


def single(inputs):
    """The same inputs with their numbers in float32."""
    return {n: x.astype(np.float32) if is_floating(x) else x for n, x in inputs.items()}


def weights(rng, *shape):
    """Random weights that keep the size of what they project."""
    return 1.5 * rng.normal(size=shape) / shape[-2] ** 0.5


def one_head(rng, as_layer=False):
    """What one head is tried on; as a layer its values are as wide as its keys."""
    tokens, model, size, carried, batch = lengths(rng, 5, least=3)
    size, carried = size + 3, size + 3 if as_layer else carried

    def head(*batch, tokens=tokens, model=model, size=size, carried=carried):
        projections = dict(w_query=(model, size), w_key=(model, size), w_value=(model, carried))
        x = rng.normal(size=(*batch, tokens, model))
        return single(dict(x=x) | {name: weights(rng, *shape) for name, shape in projections.items()})

    small = dict(x=tidy(rng, 3, 4), w_query=tidy(rng, 4, 2), w_key=tidy(rng, 4, 2), w_value=tidy(rng, 4, 2))
    yield case(**single(small if as_layer else small | dict(w_value=tidy(rng, 4, 5))))
    yield case(**head(), mask=some_allowed(rng, tokens, tokens))
    yield case(**head(batch))
    yield case(**head(batch), mask=some_allowed(rng, tokens, tokens))
    yield case(**head(batch), mask=some_allowed(rng, batch, 1, tokens))
    yield case(**head(3, tokens=3, model=3, size=3, carried=3))
    yield case(**head(tokens=3, model=3, size=3, carried=3))
    yield edge("open_row", **_with_a_zero(head(tokens=3, model=3, size=3, carried=3), "x"), mask=OPEN_ROW)
    yield case(**head(batch, model=size, carried=size))
    yield edge("batch_of_one", **head(1))
    yield edge("one_token", **head(batch, tokens=1))
    yield from _at_the_edges(rng, head(batch), "x", (batch, tokens, tokens))
    yield edge("dead_row", **head(), mask=np.tri(tokens, k=-1, dtype=bool))
    yield case(**head(2, batch), mask=some_allowed(rng, 2, 1, tokens, tokens))
    empty = head()
    empty["x"][0] = 0  # a token of zeros: its scores are exactly 0
    yield edge("zero", **empty, mask=some_allowed(rng, tokens, tokens))


def _with_a_zero(inputs, name):
    """Token 1 is zero, so that its scores are; those of the others are far from each other."""
    return double(inputs) | {name: 6 * inputs[name] * np.array([[1.0], [0.0], [1.0]])}


def _at_the_edges(rng, inputs, loud, shape):
    """Large scores, larger ones behind a mask, rows that may look at nothing, and double precision."""
    factors = np.linspace(LOUD[loud] / 2, LOUD[loud], len(inputs[loud]))[:, None, None]
    yield edge("large", **double(inputs) | {loud: factors * double(inputs)[loud]})
    yield from far_apart(inputs, loud, "key" if loud == "query" else "x")
    dead = some_allowed(rng, *shape[-2:])
    dead[0] = dead[:, 0] = False  # and a key that nobody sees
    yield edge("dead_row", **inputs, mask=dead)
    yield edge("double", **double(inputs))
    yield edge("dead_row", **inputs, mask=_dead_here_and_there(rng, *shape))
    yield edge("dead_row", **inputs, mask=np.zeros(shape[-2:], dtype=bool))
    one_key = np.ones(shape[-2:], dtype=bool)
    one_key[0] = np.arange(shape[-1]) == 1
    yield edge("one_key", **inputs, mask=one_key)


def _dead_here_and_there(rng, *shape):
    """A mask in which one query of the first item may look at nothing, and so may its last head and the last item."""
    mask = np.broadcast_to(some_allowed(rng, *shape[-2:]), shape).copy()
    mask[..., 1, :][(0,) * (len(shape) - 2)] = False
    mask[0, -1] = mask[-1] = False
    return mask


def self_layer(rng):
    """What a head is tried on that is a layer."""
    yield from one_head(rng, as_layer=True)


def per_head(rng):
    """Self-attention with weights stacked head by head; three heads, so that two are not all."""
    tokens, model, size, batch = lengths(rng, 4, least=3)
    size, model = size + 3, model + 4

    def several(*batch, tokens=tokens, model=model, heads=3, size=size):
        each = {f"w_{name}": weights(rng, heads, model, size) for name in PROJECTIONS[:3]}
        return single(
            dict(x=rng.normal(size=(*batch, tokens, model))) | each | dict(w_output=weights(rng, heads * size, model))
        )

    yield case(**several(tokens=3, model=4, heads=2, size=2))
    yield case(**several(), mask=some_allowed(rng, tokens, tokens))
    yield case(**several(batch))
    yield case(**several(batch, heads=2, size=size - 1), mask=some_allowed(rng, tokens, tokens))
    yield case(**several(batch), mask=some_allowed(rng, batch, 1, tokens))
    yield case(**several(3, tokens=3, model=9, heads=3, size=3))
    yield case(**several(3), mask=some_allowed(rng, 3, tokens, tokens))  # as many texts as heads
    yield edge("open_row", **_with_a_zero(several(tokens=3, model=3, heads=2, size=3), "x"), mask=OPEN_ROW)
    yield edge("one_head", **several(batch, heads=1))
    yield edge("batch_of_one", **several(1))
    yield from _at_the_edges(rng, several(batch), "x", (batch, tokens, tokens))
    yield edge("dead_row", **several(), mask=np.tri(tokens, k=-1, dtype=bool))
    yield case(**several(2, batch), mask=some_allowed(rng, 2, 1, tokens, tokens))


def together(rng):
    """Tokens whose columns are to be split into heads."""
    tokens, heads, size, batch = lengths(rng, 4)

    def x(*shape):
        return rng.normal(size=shape).astype(np.float32)

    yield case(x=tidy(rng, 1, 2, 6).astype(np.float32), heads=3)
    yield case(x=x(batch, tokens, heads * size), heads=heads)
    yield case(x=x(3, 3, 9), heads=3)
    yield case(x=x(batch, heads, heads * size), heads=heads)
    yield case(x=x(1, tokens + 1, heads * size), heads=heads)
    yield edge("one_head", x=x(batch, tokens, size), heads=1)
    yield edge("batch_of_one", x=x(1, tokens, heads * size), heads=heads)
    yield edge("indivisible", x=x(2, tokens, 10), heads=3)
    yield edge("indivisible", x=x(2, 3, 10), heads=4)
    yield edge("indivisible", x=x(2, 3, 6), heads=4)  # three equal blocks would fit
    yield case(x=x(2, 3, 8), heads=2)  # fewer heads than columns of a head


def apart(rng):
    """Heads that are to be merged."""
    for c in (c for c in together(rng) if c.tag != "indivisible"):
        x, heads = c.inputs["x"], c.inputs["heads"]
        yield Case(dict(x=np.moveaxis(x.reshape(*x.shape[:-1], heads, -1), -2, -3).copy()), c.tag)


def stacked(rng):
    """One matrix for each head."""
    heads, model, size = lengths(rng, 3)
    yield case(weights=tidy(rng, 2, 3, 2).astype(np.float32))
    yield case(weights=rng.normal(size=(heads, model, size)).astype(np.float32))
    yield case(weights=rng.normal(size=(3, 3, 3)).astype(np.float32))
    yield edge("one_head", weights=rng.normal(size=(1, model, size)).astype(np.float32))
    yield case(weights=rng.normal(size=(2, 3, 4)).astype(np.float32))  # fewer heads than columns of a head


def several_heads(rng):
    """Queries, keys and values of three sequences, or of one."""
    yield from _batches(rng)


def two_sequences(rng):
    """A sequence that looks, and one that is looked at; of two that are equally long, with a mask, too."""
    for c in _batches(rng):
        rest = dict(c.inputs)
        query, key, _ = (rest.pop(name) for name in PROJECTIONS[:3])
        if key is not query:
            yield Case(dict(x=query, memory=key) | rest, c.tag)
        if _two_of_one_length(**c.inputs) and not c.tag:
            yield case(x=query, memory=key, **rest, mask=some_allowed(rng, query.shape[1], query.shape[1]))


def _batches(rng):
    queries, keys, heads, size, batch = lengths(rng, 5, least=3)
    heads, size = 3 + heads % 2, size + 3

    def several(batch=batch, queries=queries, keys=keys, heads=heads, size=size):
        model = heads * size
        sequences = dict(zip(PROJECTIONS, (rng.normal(size=(batch, n, model)) for n in (queries, keys, keys))))
        return single(sequences | {f"w_{name}": weights(rng, model, model) for name in PROJECTIONS} | dict(heads=heads))

    def alone(inputs):
        return inputs | dict(key=inputs["query"], value=inputs["query"])

    small = several(batch=1, queries=2, keys=4, heads=2, size=2)
    rounded = {n: np.round(2 * x) / 2 + 0.0 if is_floating(x) else x for n, x in small.items()}
    yield case(**rounded)
    yield case(**several())
    yield case(**several(), mask=some_allowed(rng, queries, keys))
    yield case(**several(queries=keys, keys=queries), mask=some_allowed(rng, batch, 1, 1, queries))
    yield case(**several(), mask=some_allowed(rng, batch, heads, queries, keys))
    yield case(**several(batch=heads), mask=some_allowed(rng, heads, queries, keys))  # as many texts as heads
    yield case(**alone(several()), mask=some_allowed(rng, batch, 1, queries, queries))
    yield case(**several(keys=queries))
    yield case(**several(batch=3, queries=3, keys=3, heads=3, size=3))
    level = several(batch=3, queries=3, keys=3, heads=1, size=3)
    yield edge("one_head", **_with_a_zero(level, "key"), mask=OPEN_ROW)
    yield edge("batch_of_one", **several(batch=1, queries=1))
    yield from _at_the_edges(rng, several(keys=queries), "query", (batch, heads, queries, queries))


def layer(rng):
    """A layer with its biases, and without; with all sequences given, two, or one; once asked for its weights."""
    for c in _batches(rng):
        model = c.inputs["query"].shape[-1]
        dtype = c.inputs["query"].dtype
        biases = {f"b_{name}": rng.normal(size=model).astype(dtype) for name in PROJECTIONS}
        yield Case(c.inputs | ({} if "mask" in c.inputs else biases), c.tag)
        if c.tag == "dead_row":  # once without biases, where its row is zeros
            yield Case(c.inputs | biases, c.tag)
            yield edge("weights", **c.inputs, return_weights=True)
        if not c.tag and "mask" in c.inputs and c.inputs["mask"].ndim == 2:
            yield case(**c.inputs | biases)
            two = {n: x for n, x in c.inputs.items() if n != "value"}
            yield case(**two | biases)
            yield edge("weights", **c.inputs, return_weights=True)
        if "mask" in c.inputs and c.inputs["key"] is c.inputs["query"]:
            yield case(**{n: x for n, x in c.inputs.items() if n not in ("key", "value")})
    one = {n: x for n, x in c.inputs.items() if n not in ("key", "value", "mask")}
    yield case(**single(one | biases))
    yield edge("weights", **single(one | biases), return_weights=True)
    level = next(c.inputs for c in _batches(rng) if _two_of_one_length(**c.inputs))
    two = {n: x for n, x in level.items() if n != "value"}
    yield case(**two)  # its values come from the key, though the query's would fit
    yield edge("value_alone", **{n: x for n, x in level.items() if n != "key"})


def _two_of_one_length(query, key, mask=None, **_):
    return mask is None and query is not key and query.shape == key.shape


def decoder(rng):
    """A decoder layer: both sequences, its two attentions, its feed-forward part, and two masks or none."""
    targets, sources, heads, size, batch = lengths(rng, 5, least=3)
    heads = 3

    def both(batch=batch, targets=targets, sources=sources, heads=heads, size=size, hidden=None):
        model = heads * size
        hidden = hidden or 2 * model + 1
        inputs = dict(x=rng.normal(size=(batch, targets, model)), memory=rng.normal(size=(batch, sources, model)))
        for name in ("self", "cross"):
            inputs |= {f"{name}_weights": weights(rng, 4, model, model), f"{name}_biases": rng.normal(size=(4, model))}
        inputs |= dict(w_widen=weights(rng, model, hidden), b_widen=3 * rng.normal(size=hidden))
        inputs |= dict(w_narrow=weights(rng, hidden, model), b_narrow=rng.normal(size=model))
        return single(inputs) | dict(heads=heads)

    def masks(batch=batch, targets=targets, sources=sources):
        causal = np.tri(targets, dtype=bool)
        return dict(self_mask=causal, memory_mask=some_allowed(rng, batch, 1, 1, sources))

    yield case(**both(batch=1, targets=2, sources=3, heads=1, size=3))
    yield case(**both(targets=sources, sources=targets), **masks(targets=sources, sources=targets))
    yield case(**both(targets=3, sources=3, size=8), self_mask=masks(targets=3)["self_mask"])
    yield case(**both(batch=heads), memory_mask=some_allowed(rng, heads, targets, sources))  # one for each head
    yield case(**both(targets=6, sources=6, size=6), **masks(targets=6, sources=6))
    yield case(**both(batch=4, targets=4, sources=4, heads=4, size=4))
    yield edge("batch_of_one", **both(batch=1, targets=1))
    yield edge(
        "one_head", **both(batch=1, targets=1, sources=size, heads=1), memory_mask=np.ones((1, 1, 1, size), bool)
    )
    faint = both(targets=6, sources=6, size=2)  # as many tokens as columns
    yield edge("faint", **faint | dict(x=faint["x"] / 100))
    silent = both()
    silent |= dict(self_biases=0 * silent["self_biases"], cross_biases=0 * silent["cross_biases"])
    silent["x"][:, 1] = 0
    yield edge(
        "dead_row", **silent, self_mask=masks()["self_mask"], memory_mask=(np.arange(batch) > 0)[:, None, None, None]
    )
    dead = dict(self_mask=np.tri(targets, k=-1, dtype=bool))
    dead |= dict(memory_mask=_dead_here_and_there(rng, batch, heads, targets, targets))
    yield edge("dead_row", **both(sources=targets), **dead)
    exact = double(both())
    memory, louder = exact["memory"], np.geomspace(60, 600, batch)[:, None, None]
    yield edge("large", **exact | dict(memory=louder * memory))
    yield from far_apart_in_memory(both())
