"""The translator of lesson 07: its sentences are French, and it learns them."""

import pytest

torch = pytest.importorskip("torch")

from mha_ref import encoder_decoder_masks  # noqa: E402
from mha_ref.layer import DecoderLayer  # noqa: E402
from mha_ref.translator import (  # noqa: E402
    ENGLISH,
    FRENCH,
    LONGEST,
    Translator,
    alignment,
    corpus,
    exact_accuracy,
    numbers,
    train,
    translate,
)


def fresh_model():
    torch.manual_seed(0)
    return Translator(DecoderLayer, encoder_decoder_masks)


def test_no_two_sentences_are_alike():
    """So what is held out of training never occurs in it; and all words are known."""
    pairs = corpus(1000)
    assert len({english for english, _ in pairs}) == len(pairs) == 1000
    for english, french in pairs:
        assert set(english.split()) <= set(ENGLISH) and set(french.split()) <= set(FRENCH)
        assert len(english.split()) == len(french.split()) <= LONGEST


def test_colours_follow_their_nouns_and_agree():
    """English and French as they should be, at the same places of the list."""
    pairs = dict(corpus(3000))
    assert pairs["a white cat finds the boat ."] == "un chat blanc trouve le bateau ."
    assert pairs["the cow sees the black mouse ."] == "la vache voit la souris noire ."


def test_short_sentences_are_filled_up():
    """With 0, the number of the sign for padding."""
    assert numbers(["a cat sleeps .", "a red cat sleeps ."], ENGLISH)[0].tolist()[4:] == [0]


def test_a_sentence_is_translated_alike_alone_and_in_a_batch():
    """Padding is hidden."""
    model, texts = fresh_model(), ["a cat sleeps .", "the white cat sees a red car ."]
    with torch.no_grad():
        start = numbers(["<start>"], FRENCH)
        alone = model(numbers(texts[:1], ENGLISH), start)
        together = model(numbers(texts, ENGLISH), start.expand(2, 1))
    torch.testing.assert_close(alone[0], together[0])


def test_where_it_looks():
    """One row for each French word, in each head, and a whole attention in it."""
    weights = alignment(fresh_model(), "the white cat sees a red car .", "le chat blanc .")
    assert weights.shape == (2, 4, 8)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(2, 4))


@pytest.mark.slow
def test_it_learns(monkeypatch, capsys):
    """After a few seconds it translates sentences that it has never seen."""
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    pairs, model = corpus(3000), fresh_model()
    losses = train(model, pairs[:2500], steps=200)
    assert losses[0] > 3 and losses[-1] < 0.01
    assert exact_accuracy(model, pairs[2500:]) > 0.95
    assert translate(model, ["a mouse sleeps ."]) == ["une souris dort ."]
    assert "step 200 of 200" in capsys.readouterr().out


def test_a_grader_need_not_wait(monkeypatch):
    """Three steps are enough to run the lesson."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert len(train(fresh_model(), corpus(100))) == 3
