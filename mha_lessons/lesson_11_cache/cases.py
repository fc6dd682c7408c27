"""Texts in pieces, heads that share, and sizes: what the functions of lesson 11 are tried on."""

import numpy as np

from autograder.cases import Case, case, edge, lengths, tidy
from mha_lessons.lesson_02_scaled_dot_product.cases import causal
from mha_lessons.lesson_03_masks.cases import query_key_value_mask, some_allowed
from mha_lessons.lesson_04_single_head.cases import dead_here_and_there, single

NEW, PAST = ("query", "key", "value"), ("past_key", "past_value")


def pieces(rng):
    """The newest tokens of a text, and what was kept of those before them, if there were any."""
    whole_texts = list(causal(rng))
    new, past, batch, heads = lengths(rng, 4, least=3)
    size, value_size = 6 + new % 2, 9

    def piece(*front, new=new, past=past, size=size, value_size=value_size):
        inputs = {name: rng.normal(size=(*front, new, n)) for name, n in zip(NEW, (size, size, value_size))}
        if past:
            inputs |= {name: rng.normal(size=(*front, past, n)) for name, n in zip(PAST, (size, value_size))}
        return single(inputs)

    small = {name: tidy(rng, 2, n) for name, n in zip(NEW, (2, 2, 3))}
    small |= {name: tidy(rng, 1, n) for name, n in zip(PAST, (2, 3))}
    yield case(**small)
    yield case(**piece(past=0))
    yield case(**piece())
    yield case(**piece(batch, heads))
    yield case(**piece(batch, heads, past=0))
    yield case(**piece(batch, heads, new=3, past=5))
    yield case(**piece(4, new=4, past=4, size=5, value_size=5))
    yield case(**piece(batch, heads, new=1))
    yield case(**piece(1, 1, new=4, past=4))  # the past can be joined along a wrong axis, and the code goes on
    yield edge("one_token", **piece(batch, new=1, past=0))
    yield edge("one_token", **piece(batch, new=1, past=1))
    for c in whole_texts:
        yield Case(in_pieces(**c.inputs), c.tag)


def in_pieces(query, key, value):
    """Return the same text with the keys and values that come before the first query as those that were kept."""
    past = key.shape[-2] - query.shape[-2]
    kept = dict(zip(PAST, (key[..., :past, :], value[..., :past, :]))) if past else {}
    return dict(query=query, key=key[..., past:, :], value=value[..., past:, :]) | kept


def heads_repeats(rng):
    """Heads, and how often each is wanted."""
    heads, tokens, size, batch = lengths(rng, 4)

    def several(*shape, repeats):
        return single(dict(x=rng.normal(size=shape))) | dict(repeats=repeats)

    yield Case(single(dict(x=tidy(rng, 2, 1, 2))) | dict(repeats=2))
    yield case(**several(heads, tokens, size, repeats=3))
    yield case(**several(batch, heads, tokens, size, repeats=2))
    yield case(**several(batch, heads, tokens, size, repeats=4))
    yield case(**several(3, 3, 3, 3, repeats=3))
    yield edge("one_head", **several(batch, 1, tokens, size, repeats=4))
    yield edge("once", **several(batch, heads, tokens, size, repeats=1))
    yield edge("batch_of_one", **several(1, heads, tokens, size, repeats=2))


def groups(rng):
    """Queries in more heads than keys and values have, with a mask and without."""
    queries, keys, batch, kv_heads = lengths(rng, 4, least=3)
    size, value_size = 8, 9

    def grouped(batch=batch, queries=queries, keys=keys, kv_heads=kv_heads, times=2, size=size, value_size=value_size):
        shapes = (times * kv_heads, queries, size), (kv_heads, keys, size), (kv_heads, keys, value_size)
        return single({name: rng.normal(size=(batch, *shape)) for name, shape in zip(NEW, shapes)})

    yield case(**grouped(batch=1, queries=2, keys=3, kv_heads=2, size=2, value_size=2))
    yield case(**grouped())
    yield case(**grouped(times=3), mask=some_allowed(rng, queries, keys))
    yield case(**grouped(), mask=some_allowed(rng, batch, 1, 1, keys))
    yield case(**grouped(), mask=some_allowed(rng, batch, 2 * kv_heads, queries, keys))
    yield case(**grouped(times=1), mask=np.tri(queries, keys, max(keys - queries, 0), dtype=bool))
    yield case(**grouped(kv_heads=2, times=2))
    yield case(**grouped(batch=4, queries=4, keys=4, kv_heads=2, size=4, value_size=4))
    yield edge("one_head", **grouped(kv_heads=1, times=4), mask=some_allowed(rng, queries, keys))
    yield edge("batch_of_one", **grouped(batch=1, queries=1))
    yield edge("dead_row", **grouped(), mask=dead_here_and_there(rng, batch, 2 * kv_heads, queries, keys))
    for c in query_key_value_mask(rng):
        if c.inputs["query"].ndim < 4:  # the others have heads already
            yield Case(with_two_heads(**c.inputs), c.tag)


def with_two_heads(query, key, value, mask=None):
    """Return the same attention for two heads of queries that share one head of keys; texts have a batch in front."""
    batched = {name: x[None] if x.ndim == 2 else x for name, x in zip(NEW, (query, key, value))}
    shared = {name: x[:, None] for name, x in batched.items()}  # (batch, 1, tokens, features)
    both = shared | dict(query=np.concatenate([shared["query"]] * 2, axis=1))
    return both if mask is None else both | dict(mask=mask[:, None] if mask.ndim == 3 else mask)


def sizes_of_a_cache(rng):
    """Sizes of a model and a text; batch and bytes are given or left out."""
    layers, tokens, kv_heads, head_size, batch = (int(n) for n in rng.permutation([3, 5, 7, 11, 13]))
    yield case(layers=2, tokens=3, kv_heads=5, head_size=7)
    yield case(layers=2, tokens=3, kv_heads=5, head_size=7, batch=3)
    yield case(layers=layers, tokens=tokens, kv_heads=kv_heads, head_size=head_size)
    yield case(layers=layers, tokens=tokens, kv_heads=kv_heads, head_size=head_size, batch=batch, bytes_per_number=4)
    yield case(layers=32, tokens=8192, kv_heads=8, head_size=128)
    sizes = (int(n) for n in rng.integers(2, 60, size=4))
    yield case(**dict(zip(("layers", "tokens", "kv_heads", "head_size"), sizes)), bytes_per_number=1)
    yield edge("huge", layers=80, tokens=131072, kv_heads=64, head_size=128, batch=16)
