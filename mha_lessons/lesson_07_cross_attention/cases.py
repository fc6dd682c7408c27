"""Two sequences: what the functions and the layer of lesson 07 are tried on."""

import numpy as np
from array_api_compat import array_namespace, device

from autograder.cases import Case, case, double, edge, lengths
from mha_lessons.lesson_02_scaled_dot_product.fills import far_apart_in_memory
from mha_lessons.lesson_03_masks.cases import MANY, some_allowed
from mha_lessons.lesson_04_single_head.cases import dead_here_and_there, single, weights
from mha_lessons.lesson_05_multi_head.cases import PROJECTIONS
from mha_lessons.lesson_06_batched_multi_head.cases import batches, two_of_one_length


def two_lengths(rng):
    """The lengths of a batch of sources and of their translations, and the sizes that both are padded to."""
    sources, targets, batch = lengths(rng, 3, least=3)

    def batch_of(batch, sources, targets, shortest=1):
        drawn = (rng.integers(shortest, longest + 1, size=batch) for longest in (sources, targets))
        return dict(zip(("source_lengths", "target_lengths"), drawn), sources=sources, targets=targets)

    small = dict(source_lengths=np.array([3, 1]), target_lengths=np.array([1, 2]), sources=3, targets=2)
    yield case(**small)
    yield case(source_lengths=np.array([2, 3]), target_lengths=np.array([3, 1]), sources=5, targets=4)
    yield case(source_lengths=np.array([1, 2]), target_lengths=np.array([4, 1]), sources=2, targets=4)
    yield case(**batch_of(batch + 2, sources, targets))
    yield case(**batch_of(batch, sources + 3, targets))
    yield case(**batch_of(3, 3, 3))
    yield edge("empty", **small | dict(target_lengths=np.array([0, 2])))
    yield edge("empty", **small | dict(target_lengths=np.array([0, 0])))
    yield edge("open", **small | dict(target_lengths=np.array([2, 2])))
    yield edge("batch_of_one", **batch_of(1, sources, targets))
    long = dict(source_lengths=np.array([MANY, 5]), target_lengths=np.array([3, MANY // 2]))
    yield edge("long", **long, sources=MANY, targets=MANY // 2)


def two_sequences(rng):
    """A sequence that looks, and one that is looked at; of two that are equally long, with a mask, too."""
    for c in batches(rng):
        rest = dict(c.inputs)
        query, key, _ = (rest.pop(name) for name in PROJECTIONS[:3])
        if key is not query:
            yield Case(dict(x=query, memory=key) | rest, c.tag)
        if two_of_one_length(**c.inputs) and not c.tag:
            yield case(x=query, memory=key, **rest, mask=some_allowed(rng, query.shape[1], query.shape[1]))


def parts(rng, model, hidden, attentions=("self", "cross")):
    """The weights of attentions and of a feed-forward part."""
    inputs = {}
    for name in attentions:
        inputs |= {f"{name}_weights": weights(rng, 4, model, model), f"{name}_biases": rng.normal(size=(4, model))}
    inputs |= dict(w_widen=weights(rng, model, hidden), b_widen=3 * rng.normal(size=hidden))
    return inputs | dict(w_narrow=weights(rng, hidden, model), b_narrow=rng.normal(size=model))


def decoder(rng):
    """A decoder layer: both sequences, its two attentions, its feed-forward part, and two masks or none."""
    targets, sources, heads, size, batch = lengths(rng, 5, least=3)
    heads = 3

    def both(batch=batch, targets=targets, sources=sources, heads=heads, size=size):
        model = heads * size
        inputs = dict(x=rng.normal(size=(batch, targets, model)), memory=rng.normal(size=(batch, sources, model)))
        return single(inputs | parts(rng, model, 2 * model + 1)) | dict(heads=heads)

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
    dead |= dict(memory_mask=dead_here_and_there(rng, batch, heads, targets, targets))
    yield edge("dead_row", **both(sources=targets), **dead)
    exact = double(both())
    memory, louder = exact["memory"], np.geomspace(60, 600, batch)[:, None, None]
    yield edge("large", **exact | dict(memory=louder * memory))
    yield from far_apart_in_memory(both())


def two_masks(rng):
    """Two masks that broadcast to each other, either of which may be None."""
    queries, keys, batch = lengths(rng, 3, least=3)
    first, second = some_allowed(rng, queries, keys), rng.random((queries, keys)) < 0.5
    second[0], first[0] = [True] + [False] * (keys - 1), [True] * (keys - 1) + [False]
    second[1], first[1] = [False] * keys, [True] * (keys - 1) + [False]
    second[2], first[2] = [True] * keys, [True] + [False] * (keys - 1)
    padding = some_allowed(rng, batch, 1, 1, keys)
    yield case(first=first, second=second)
    yield case(first=first, second=padding)
    yield case(first=padding, second=first)
    yield edge("closed", first=np.zeros((queries, keys), bool), second=second)
    yield edge("closed", first=first, second=np.zeros((batch, 1, 1, keys), bool))
    yield edge("open", first=np.ones((batch, 1, 1, keys), bool), second=second)  # it has axes that the other lacks
    yield edge("open", first=first, second=np.ones((batch, 1, 1, keys), bool))
    yield edge("none", first=None, second=padding)
    yield edge("none", first=first, second=None)
    yield edge("none", first=None, second=None)


class ToyModel:
    """A stand-in for a translator: its logits depend on the whole source, on all targets so far, and on their order."""

    def __init__(self, rng, words, vocabulary):
        self.of_sources, self.of_targets = (
            rng.normal(size=(words, vocabulary)),
            rng.normal(size=(vocabulary, vocabulary)),
        )

    def __call__(self, sources, targets):
        """sources: (batch, source_tokens), targets: (batch, targets) -> (batch, targets, vocabulary)."""
        xp = array_namespace(sources)
        table, following = (xp.asarray(x, device=device(sources)) for x in (self.of_sources, self.of_targets))
        places = xp.arange(1, targets.shape[1] + 1, device=device(sources))[:, None]
        heard = xp.sum(table[sources], axis=1)[:, None, :]  # (batch, 1, vocabulary)
        return heard + xp.cumulative_sum(following[targets] * places, axis=1) / places


def models(rng):
    """Models that translate, with sources, a start and a number of steps."""

    def to_translate(batch, tokens, steps, words=7, vocabulary=9, start=1):
        sources = rng.integers(words, size=(batch, tokens))
        return dict(model=ToyModel(rng, words, vocabulary), sources=sources, start=start, steps=steps)

    yield case(**to_translate(1, 2, 3, vocabulary=4))
    yield case(**to_translate(2, 3, 4))
    yield case(**to_translate(4, 5, 3, start=8))
    yield case(**to_translate(3, 6, 7, start=0))
    yield edge("one_step", **to_translate(2, 3, 1))
