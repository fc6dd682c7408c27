"""The model that lesson 09 has trained is the one that lessons 10 and 11 open."""

import pytest
import torch

from mha_ref import language_model
from mha_ref.language_model import LanguageModel, alphabet, keep_for_later, prose, ready_made
from mha_ref.layer import Block


class OwnBlock(Block):
    """A block with a part more than it needs, as a learner may write it."""

    def __init__(self, model_size, heads, hidden_size):
        super().__init__(model_size, heads, hidden_size)
        self.first_norm = self.norms[0]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A user's cache of its own, and a training that does nothing."""
    monkeypatch.setattr(language_model, "user_cache_path", lambda name: tmp_path)
    monkeypatch.setattr(language_model, "train_language_model", lambda model, tokens: None)
    yield tmp_path
    ready_made.cache_clear()


def test_what_was_trained_in_lesson_09_is_used(cache, monkeypatch, capsys):
    """Its weights are, whatever else its blocks have."""
    monkeypatch.setattr(language_model, "mean_loss", lambda model, tokens: 1.3)
    torch.manual_seed(1)
    own = LanguageModel(len(alphabet(prose())), block=OwnBlock)
    assert keep_for_later(own) == "Lessons 10 and 11 use this model."
    model, _ = ready_made()
    assert all(own.state_dict()[name].equal(weights) for name, weights in model.state_dict().items())
    assert "you trained" in capsys.readouterr().out


def test_a_block_of_ones_own_gets_our_weights(cache, monkeypatch, capsys):
    """What is kept as ours was trained with our block, whichever block asked for it first."""
    trained = []
    monkeypatch.setattr(language_model, "train_language_model", lambda model, tokens: trained.append(model))

    class Same(Block):
        pass

    model, _ = ready_made(block=Same)
    assert type(model.blocks[0]) is Same and type(trained[0].blocks[0]) is Block
    assert "our block" in capsys.readouterr().out


@pytest.mark.parametrize(("sizes", "loss"), [({}, 2.2), ({"context": 32}, 1.3)])
def test_what_is_no_use_is_not_kept(cache, monkeypatch, sizes, loss):
    """It was hardly trained, or has other sizes; then a model is trained with our blocks, once."""
    monkeypatch.setattr(language_model, "mean_loss", lambda model, tokens: loss)
    assert "of their own" in keep_for_later(LanguageModel(len(alphabet(prose())), **sizes))
    ready_made()
    assert len([*cache.iterdir()]) == 1
