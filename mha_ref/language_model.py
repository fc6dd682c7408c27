"""A small language model, and the course's own prose that it learns from: what lesson 09 trains, ready for 10 and 11.

Its tokens are characters: a token is a character's position in the alphabet of a text.
"""

import os
from functools import cache
from hashlib import sha256
from pathlib import Path

import torch
from platformdirs import user_cache_path
from torch import nn

from .decoding import next_token_loss
from .layer import Block
from .masks import causal_mask
from .training_progress import show_progress

CONTEXT = 128  # tokens that the model sees at most
UNSEEN = 0.1  # the share of a text, at its end, that it is tested on
WELL_TRAINED = 1.5  # a loss on that part; a whole training ends near 1.34
PROSE = Path(__file__).with_name("prose.txt").read_text(encoding="utf-8")
MADE_OF = (Path(__file__).with_name(f"{name}.py") for name in ("language_model", "layer", "decoding", "masks"))
FINGERPRINT = sha256(PROSE.encode() + b"".join(map(Path.read_bytes, MADE_OF))).hexdigest()[:12]


def prose():
    """Return the text: paragraphs of lessons and hints of this course, shuffled, as they were at one time."""
    return PROSE


def alphabet(text):
    """Return the characters of a text, each once, in order."""
    return "".join(sorted(set(text)))


def encode(text, characters, device=None):
    """Return each character's position in the alphabet: (characters of the text,)."""
    places = {character: place for place, character in enumerate(characters)}
    return torch.tensor([places[character] for character in text], device=device)


def decode(tokens, characters):
    """Return the text that one row of tokens says."""
    return "".join(characters[token] for token in tokens.tolist())


def split_text(tokens):
    """Return the part to learn from, and the part that the model never sees in training."""
    cut = round(len(tokens) * (1 - UNSEEN))
    return tokens[:cut], tokens[cut:]


class LanguageModel(nn.Module):
    """Embeddings of tokens and positions, blocks on a residual stream, logits of the next token: a small GPT.

    block: what does the work of mha_ref.layer.Block.
    """

    def __init__(self, vocabulary, context=CONTEXT, block=Block, model_size=96, heads=4, layers=2):
        super().__init__()
        self.context = context
        self.token, self.place = nn.Embedding(vocabulary, model_size), nn.Embedding(context, model_size)
        for table in (self.token, self.place):
            nn.init.normal_(table.weight, std=0.1)
        self.blocks = nn.ModuleList(block(model_size, heads, 4 * model_size) for _ in range(layers))
        self.last_norm = nn.LayerNorm(model_size)
        self.next_token = nn.Linear(model_size, vocabulary)

    def embed(self, tokens):
        """tokens: (batch, tokens), integers -> (batch, tokens, model_size): what a token is, and where."""
        return self.token(tokens) + self.place.weight[: tokens.shape[1]]

    def forward(self, tokens):
        """tokens: (batch, tokens), integers, at most `context` of them -> logits, (batch, tokens, vocabulary)."""
        x, mask = self.embed(tokens), causal_mask(tokens.shape[1], tokens.shape[1], like=tokens)
        for block in self.blocks:
            x = block(x, mask)
        return self.next_token(self.last_norm(x))


def draw_batch(tokens, rows, length, generator):
    """Cut rows of neighbouring tokens out of a text, at random positions: (rows, length)."""
    starts = torch.randint(len(tokens) - length + 1, (rows, 1), generator=generator)
    return tokens[(starts + torch.arange(length)).to(tokens.device)]


def train_language_model(model, tokens, steps=1200, batch=8, rate=3e-3, loss_of=next_token_loss):
    """Make the right next token more likely, a batch of rows at a time; returns the loss of every step.

    tokens: (characters of the text,). The rate rises for the first 92 of 1200 steps, then falls to 0.
    """
    if "NBGRADER_EXECUTION" in os.environ:
        steps = 3  # a grader's time is short, and no graded answer needs a trained model
    generator, losses = torch.Generator().manual_seed(0), []
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min((step + 1) / 100, 1 - step / steps))
    for step in range(steps):
        loss = loss_of(model, draw_batch(tokens, batch, model.context + 1, generator))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        show_progress(step + 1, steps, losses[-1])
    return losses


@torch.no_grad()
def mean_loss(model, tokens, rows=16, loss_of=next_token_loss):
    """Return the mean loss over a whole text, cut into rows as long as the context."""
    length = model.context + 1
    windows = tokens[: len(tokens) // length * length].view(-1, length)  # (windows, context + 1)
    losses = [loss_of(model, part) * len(part) for part in windows.split(rows)]
    return (torch.stack(losses).sum() / len(windows)).item()


@cache
def ready_made(device="cpu", block=Block):
    """Return a trained model in evaluation mode, and its alphabet.

    It is the one that lesson 09 has kept; where there is none it is trained once, in about a minute, and kept.
    block: what does the work of mha_ref.layer.Block, if its parts have the same names.
    """
    characters = alphabet(prose())
    names, own_names = (LanguageModel(len(characters), block=made_of).state_dict().keys() for made_of in (Block, block))
    torch.manual_seed(0)
    model = LanguageModel(len(characters), block=block if own_names == names else Block).to(device)
    own, ours = kept("own"), kept("ours")
    if found := next(filter(Path.exists, (own, ours)), None):
        model.load_state_dict(torch.load(found, map_location=device))
    else:
        learn_from, _ = split_text(encode(prose(), characters, device))
        torch.manual_seed(0)
        trained = LanguageModel(len(characters)).to(device)
        train_language_model(trained, learn_from)
        model.load_state_dict(trained.state_dict())
        if "NBGRADER_EXECUTION" not in os.environ:  # there it is hardly trained
            keep(trained, ours)
    print("the model that you trained in lesson 09" if found == own else "a model that was trained with our block")
    return model.eval(), characters


def keep_for_later(model):
    """Keep what lesson 09 has trained, so that 10 and 11 need not train again; return a sentence that says whether.

    It is kept if the parts of its blocks have the names that lesson 09 asks for, and our blocks do well with them.
    """
    tokens, own = encode(prose(), alphabet(prose()), model.token.weight.device), model.state_dict()
    ours = LanguageModel(len(alphabet(prose()))).to(tokens.device)
    wanted = {name: part.shape for name, part in ours.state_dict().items()}
    if wanted.items() <= {name: part.shape for name, part in own.items()}.items():
        ours.load_state_dict({name: own[name] for name in wanted})
        if mean_loss(ours, split_text(tokens)[1]) < WELL_TRAINED:
            keep(ours, kept("own"))
            return "Lessons 10 and 11 use this model."
    return "Lessons 10 and 11 train a model of their own: this one has other names or sizes, or needs more training."


def kept(whose):
    """Return where weights are kept: in the user's cache, under a name that changes with the text and the code."""
    return user_cache_path("multi_head_attention_course") / f"language_model_{FINGERPRINT}_{whose}.pt"


def keep(model, path):
    """Write the weights; a half-written file never has the final name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(f".{os.getpid()}")
    torch.save(model.state_dict(), written)
    written.replace(path)
