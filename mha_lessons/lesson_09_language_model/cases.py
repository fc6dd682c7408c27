"""Scores with a temperature, texts, toy models, and a block: what lesson 09's answers are tried on."""

from itertools import count

import numpy as np
from array_api_compat import array_namespace, device

from autograder.cases import Case, Model, case, double, edge, lengths, tidy
from mha_lessons.lesson_01_softmax.cases import scores
from mha_lessons.lesson_02_scaled_dot_product.fills import far_apart_in_memory
from mha_lessons.lesson_03_masks.cases import some_allowed
from mha_lessons.lesson_04_single_head.cases import dead_here_and_there, single
from mha_lessons.lesson_07_cross_attention.cases import parts
from mha_lessons.lesson_07_cross_attention.functional import normalise
from mha_ref import generate

LOUD = 300
FURTHEST = 1e5  # no score that is tried is further from 0, times 2
FAR = 1e-3  # a number to draw by is at least this far from where another token begins


def scores_of_any_size(rng):
    """Scores of lesson 01, and rows far from 0 on both sides, with others far below their best."""
    yield from scores(rng)
    far = np.array([[-FURTHEST, 1 - FURTHEST, -2 * FURTHEST], [FURTHEST, -FURTHEST, FURTHEST - 1]])
    yield edge("low", scores=far)
    yield edge("large", scores=-far)


def scores_temperature(rng):
    """Scores and a temperature: each ordinary case its own, edges with a low and a high one."""
    for n, c in enumerate(scores_of_any_size(rng)):
        for temperature in (0.25, 3.0) if c.tag else ((0.5, 3.0, 1.7, 0.25)[n % 4],):
            yield Case(c.inputs | dict(temperature=temperature), c.tag)
    yield edge("cold", scores=tidy(rng, 2, 3), temperature=1e-4)
    yield edge("cold", scores=1e-4 * tidy(rng, 2, 3), temperature=1e-4)
    yield edge("hot", scores=tidy(rng, 2, 3), temperature=1e3)


class ToyLanguageModel(Model):
    """A stand-in for a language model: its logits depend on all tokens that it is shown, and on their order."""

    def __init__(self, rng, vocabulary):
        super().__init__(following=rng.normal(size=(vocabulary, vocabulary)), shown=rng.normal(size=vocabulary))

    def __call__(self, tokens):
        """tokens: (batch, tokens) -> (batch, tokens, vocabulary)."""
        xp = array_namespace(tokens)
        following, shown = (xp.asarray(self.tables[name], device=device(tokens)) for name in ("following", "shown"))
        places = xp.arange(1, tokens.shape[1] + 1, dtype=following.dtype, device=device(tokens))[:, None]
        so_far = xp.cumulative_sum(following[tokens] * places, axis=1) / places  # (batch, tokens, vocabulary)
        return so_far + xp.sum(shown[tokens], axis=1)[:, None, None] * shown


def texts(rng):
    """A model and rows of tokens, one longer than the model's context."""

    def rows(batch, context, vocabulary=7):
        tokens = rng.integers(vocabulary, size=(batch, context + 1))
        return dict(model=ToyLanguageModel(rng, vocabulary), tokens=tokens)

    yield case(**rows(1, 2, vocabulary=3))
    yield case(**rows(2, 3))
    yield case(**rows(4, 5, vocabulary=9))
    yield case(**rows(5, 4))
    yield case(**rows(3, 3, vocabulary=4))  # as many rows as places
    yield edge("one_token", **rows(3, 1))
    far = rows(2, 4, vocabulary=5)
    far["model"].tables["following"] = 500 * far["model"].tables["following"]
    yield edge("large", **far)


def draws(rng):
    """Logits, a temperature, and numbers to draw by that are far from where another token begins."""

    def to_draw(batch, vocabulary, temperature, spread=1.5):
        logits = spread * rng.normal(size=(batch, vocabulary))
        return dict(logits=logits, temperature=temperature, uniform=far_from_ends(rng, logits / temperature))

    yield case(**to_draw(2, 3, 1.0))
    yield case(**to_draw(3, 5, 0.5))
    yield case(**to_draw(6, 4, 2.0))
    yield case(**to_draw(4, 4, 1.3))  # as many rows as tokens
    yield case(**to_draw(8, 7, 0.8))
    yield edge("batch_of_one", **to_draw(1, 6, 1.5))
    yield edge("greedy", **to_draw(5, 4, 1.0) | dict(temperature=0))
    yield edge("greedy", **to_draw(3, 6, 1.0) | dict(temperature=0.0))
    yield edge("greedy", logits=np.array([[0.5, -1.0, 2.0], [1.0, 3.0, 0.0]]), temperature=0, uniform=np.full(2, 0.5))
    yield edge("cold", **to_draw(3, 4, 0.01))
    hot_enough = np.float32([[9, 8.95, 1], [1, 9, 8.95], [8.95, 1, 9], [9, 8.8, 1], [9, 8.95, 1]])
    # Divided by 0.1, their exponentials are too large for float32.
    yield edge("cold", logits=hot_enough, temperature=0.1, uniform=np.float32([0.9, 0.9, 0.2, 0.95, 0.3]))
    close = np.array([[1.0, 0.0, 1.0 + 1e-6], [0.5, 0.5 + 1e-6, -1.0]])
    yield edge("near_tie", logits=close, temperature=0, uniform=np.array([0.05, 0.95]))
    never = -1e5  # a logit that leaves a probability of exactly 0
    front = np.array([[never, 1.0, 2.0, 0.5], [never, never, 0.3, 0.1]])
    yield edge("start", logits=front, temperature=1.0, uniform=np.zeros(2))
    ten = np.array([[0.0] * 10 + [never] * 2, [never] + [0.0] * 10 + [never]])
    yield edge("end", logits=ten, temperature=1.0, uniform=np.full(2, np.nextafter(1, 0)))
    yield edge("large", logits=1000 * tidy(rng, 3, 4), temperature=1.0, uniform=np.array([0.2, 0.5, 0.9]))


def far_from_ends(rng, scaled):
    """Draw a number for each row that is far from every place where one token ends and the next begins."""
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    ends = np.cumsum(powers / powers.sum(axis=-1, keepdims=True), axis=-1)
    tried = rng.random((200, len(scaled)))
    fits = (np.abs(ends - tried[:, :, None]) > FAR).all(axis=-1)
    return tried[fits.argmax(axis=0), np.arange(len(scaled))]


def chosen_by_count(logits):
    """A way to choose: count the logits that are above 0, and take the token of that number."""
    xp = array_namespace(logits)
    above = xp.sum(xp.astype(logits > 0, xp.int64), axis=-1)
    return xp.where(above == logits.shape[-1], 0, above)


def number_of_the_row(logits):
    """A way to choose that tells whether it gets all rows: the first row gets the token 0, the second 1 and so on."""
    xp = array_namespace(logits)
    batch, vocabulary = logits.shape
    return xp.arange(batch, device=device(logits)) % vocabulary


def prompts(rng):
    """A model, a prompt for each text, a number of steps, a context, and a way to choose."""

    def to_write(batch, prompt, steps, context, vocabulary=9):
        tokens = rng.integers(vocabulary, size=(batch, prompt))
        model = ToyLanguageModel(rng, vocabulary)
        return dict(model=model, tokens=tokens, steps=steps, context=context, choose=chosen_by_count)

    yield case(**to_write(1, 2, 3, 4, vocabulary=4))
    yield case(**to_write(2, 3, 4, 5))
    yield case(**to_write(3, 2, 6, 3))
    yield case(**to_write(4, 6, 4, 4))  # the prompt is longer than the context
    yield case(**to_write(3, 3, 3, 20))
    yield edge("one_step", **to_write(2, 4, 1, 6))
    yield edge("one_token", **to_write(4, 1, 5, 2))
    yield edge("by_row", **to_write(3, 2, 3, 4) | dict(choose=number_of_the_row))
    tried = (to_write(1, 2, 8, 4, vocabulary=3) for _ in count())
    yield edge("token_0", **next(inputs for inputs in tried if goes_on_after_token_0(**inputs)))


def goes_on_after_token_0(tokens, **inputs):
    """Say whether among the tokens that are written there is a 0, and another token after it."""
    new = generate(tokens=tokens, **inputs)[0, tokens.shape[1] :]
    return (new == 0).any() and new[(new == 0).argmax() :].any()


def blocks(rng):
    """A block: a sequence, its attention, its feed-forward part, and a mask or none."""
    tokens, size, batch = lengths(rng, 3, least=4)
    heads = 3

    def block(batch=batch, tokens=tokens, heads=heads, size=size):
        x = rng.normal(size=(batch, tokens, heads * size))
        weights = parts(rng, heads * size, 2 * heads * size + 1, attentions=("self",))
        return single(dict(x=x) | weights) | dict(heads=heads)

    causal, padding = np.tri(tokens, dtype=bool), some_allowed(rng, batch, 1, 1, tokens)
    yield case(**block(batch=1, tokens=2, heads=1, size=3))
    yield case(**block(), mask=causal)
    yield case(**block(), mask=padding)
    yield case(**block(batch=heads), mask=some_allowed(rng, heads, tokens, tokens))  # one for each head
    yield case(**block(tokens=6, size=6), mask=np.tri(6, dtype=bool))
    yield case(**block(batch=4, tokens=4, heads=4, size=4))
    fine = double(block())
    yield case(**fine | dict(w_narrow=50 * fine["w_narrow"]), mask=causal)  # other GELUs differ by a ten-thousandth
    yield edge("batch_of_one", **block(batch=1, tokens=1))
    yield edge("one_head", **block(batch=1, tokens=1, heads=1), mask=np.ones((1, 1, 1, 1), bool))
    faint = block(tokens=6, size=2)  # as many tokens as columns
    yield edge("faint", **faint | dict(x=faint["x"] / 100))
    yield from without_a_look(rng, block())
    yield edge("large", **with_loud_scores(block()), mask=causal)
    x = block()["x"]
    x[..., 1:] = normalise(x[..., 1:])
    yield from far_apart_in_memory(block() | dict(x=x), asked="x", part="self", hidden_by="mask")


def without_a_look(rng, inputs):
    """Queries whose keys are all blocked: the first one, whole texts with a token of zeros, some here and there."""
    (batch, tokens, _), heads = inputs["x"].shape, inputs["heads"]
    silent = inputs | dict(x=inputs["x"].copy(), self_biases=0 * inputs["self_biases"])
    silent["x"][:, 1] = 0
    yield edge("dead_row", **silent, mask=(np.arange(batch) > 0)[:, None, None, None])
    yield edge("dead_row", **inputs, mask=np.tri(tokens, k=-1, dtype=bool))
    yield edge("dead_row", **inputs, mask=dead_here_and_there(rng, batch, heads, tokens, tokens))


def with_loud_scores(inputs):
    """The same inputs with larger queries, those of each head by a factor of its own; one token is zero."""
    loud, size = double(inputs), inputs["x"].shape[-1] // inputs["heads"]
    loud["self_weights"][0] *= np.repeat(np.geomspace(LOUD / 3, LOUD, inputs["heads"]), size)
    loud["self_biases"][0] = 0
    loud["x"][:, 1] = 0
    return loud
