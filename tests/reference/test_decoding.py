"""Writing with a model, against the definition: text by text, token by token."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mha_lessons.lesson_07_cross_attention.cases import ToyModel
from mha_lessons.lesson_09_language_model.cases import ToyLanguageModel
from mha_ref import generate, next_token_loss, sample, translate_greedily
from mha_ref.translator import Translator, corpus, translate

each_library = pytest.mark.parametrize("library", [np.asarray, torch.as_tensor])
seeds = st.integers(0, 2**32 - 1)


def by_loops(model, sources, start, steps):
    """The likeliest token of the last place, for one text after the other."""
    texts = []
    for source in sources:
        written = [start]
        for _ in range(steps):
            logits = model(source[None], np.array([written]))[0][-1]
            written.append(max(range(len(logits)), key=lambda token: logits[token]))
        texts.append(written[1:])
    return np.array(texts).reshape(len(sources), steps)


@each_library
@given(seeds, st.integers(1, 4), st.integers(1, 5), st.integers(0, 6))
def test_it_is_the_definition(library, seed, batch, tokens, steps):
    """In NumPy and in torch, for any batch and any number of steps, none included."""
    rng = np.random.default_rng(seed)
    model, sources, start = ToyModel(rng, 7, 9), rng.integers(7, size=(batch, tokens)), int(rng.integers(9))
    made = translate_greedily(model, library(sources), start, steps)
    assert np.array_equal(np.asarray(made), by_loops(model, sources, start, steps))
    assert made.dtype == library(sources).dtype


@each_library
@given(seeds, st.integers(1, 4), st.integers(1, 5))
def test_the_loss_is_the_mean_of_what_each_token_costs(library, seed, batch, context):
    """Token by token: -log of the share that its power has of all powers."""
    rng = np.random.default_rng(seed)
    model, tokens = ToyLanguageModel(rng, 6), rng.integers(6, size=(batch, context + 1))
    logits, costs = model(tokens[:, :-1]), []
    for row, place in np.ndindex(batch, context):
        powers = [np.exp(logit) for logit in logits[row, place]]
        costs.append(-np.log(powers[tokens[row, place + 1]] / sum(powers)))
    loss = next_token_loss(model, library(tokens))
    assert tuple(loss.shape) == () and float(loss) == pytest.approx(sum(costs) / len(costs))


@each_library
@given(seeds, st.integers(1, 4), st.integers(1, 5), st.integers(0, 6), st.integers(1, 4))
def test_a_text_is_written_token_by_token(library, seed, batch, prompt, steps, context):
    """Each text by itself, with a list, and a model that sees the end of the list."""
    rng = np.random.default_rng(seed)
    model, tokens = ToyLanguageModel(rng, 6), rng.integers(6, size=(batch, prompt))
    written = []
    for text in tokens.tolist():
        for _ in range(steps):
            logits = model(np.array([text[-context:]]))[0, -1]
            text.append(min(range(6), key=lambda token: logits[token]))
        written.append(text)
    made = generate(model, library(tokens), steps, context, lambda logits: (-logits).argmax(-1))
    assert np.array_equal(np.asarray(made), written) and made.dtype == library(tokens).dtype


@given(seeds, st.floats(0.2, 3))
def test_tokens_are_drawn_as_often_as_their_probabilities_say(seed, temperature):
    """With 1,000 numbers at equal distances each token gets its share, to two of them."""
    logits = np.random.default_rng(seed).normal(size=5)
    powers = np.exp(logits / temperature)
    drawn = sample(np.tile(logits, (1000, 1)), temperature, (np.arange(1000) + 0.5) / 1000)
    assert np.allclose(np.bincount(drawn, minlength=5) / 1000, powers / powers.sum(), atol=2e-3)


def test_a_translator_may_write_with_it():
    """What it does unless it is told otherwise is what it does with this function."""
    from mha_ref import encoder_decoder_masks
    from mha_ref.layer import DecoderLayer

    torch.manual_seed(0)
    model = Translator(DecoderLayer, encoder_decoder_masks)
    texts = [english for english, _ in corpus(5)]
    assert translate(model, texts) == translate(model, texts, translate_greedily)
