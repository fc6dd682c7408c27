"""Writing with a model, against the definition: text by text, token by token."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mha_lessons.lesson_07_cross_attention.cases import ToyModel
from mha_ref import translate_greedily
from mha_ref.translator import Translator, corpus, translate


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


@pytest.mark.parametrize("library", [np.asarray, torch.as_tensor])
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 5), st.integers(0, 6))
def test_it_is_the_definition(library, seed, batch, tokens, steps):
    """In NumPy and in torch, for any batch and any number of steps, none included."""
    rng = np.random.default_rng(seed)
    model, sources, start = ToyModel(rng, 7, 9), rng.integers(7, size=(batch, tokens)), int(rng.integers(9))
    made = translate_greedily(model, library(sources), start, steps)
    assert np.array_equal(np.asarray(made), by_loops(model, sources, start, steps))
    assert made.dtype == library(sources).dtype


def test_a_translator_may_write_with_it():
    """What it does unless it is told otherwise is what it does with this function."""
    from mha_ref import encoder_decoder_masks
    from mha_ref.layer import DecoderLayer

    torch.manual_seed(0)
    model = Translator(DecoderLayer, encoder_decoder_masks)
    texts = [english for english, _ in corpus(5)]
    assert translate(model, texts) == translate(model, texts, translate_greedily)
