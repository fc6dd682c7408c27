"""A model of attention alone, and texts that repeat: what lesson 10 trains to see an induction head."""

import os

import torch
from torch import nn
from torch.nn.functional import cross_entropy

from .layer import MultiHeadAttention
from .masks import causal_mask
from .training_progress import show_progress

VOCABULARY, TOKENS = 32, 32  # different tokens, and tokens of a text
SHORTEST, LONGEST = 8, 16  # after so many tokens a text begins again


def repeated_rows(count, generator):
    """Draw texts that begin again after a number of tokens, drawn anew for each text: (count, TOKENS + 1).

    Until then no token comes twice. Also says which tokens a reader of the text could know, in the same shape:
    those whose predecessor was there before.
    """
    distance = torch.randint(SHORTEST, LONGEST + 1, (count, 1), generator=generator)
    shuffled = torch.rand(count, VOCABULARY, generator=generator).argsort(dim=-1)  # (count, VOCABULARY)
    places = torch.arange(TOKENS + 1).expand(count, -1)  # (count, TOKENS + 1)
    return shuffled.gather(1, places % distance), places > distance


class AttentionOnly(nn.Module):
    """Embeddings of tokens and positions, layers of attention on a residual stream, logits of the next token.

    attention: what does the work of MultiHeadAttention.
    """

    def __init__(self, layers=2, heads=1, model_size=64, attention=MultiHeadAttention):
        super().__init__()
        self.token, self.place = nn.Embedding(VOCABULARY, model_size), nn.Embedding(TOKENS, model_size)
        self.layers = nn.ModuleList(attention(model_size, heads) for _ in range(layers))
        self.next_token = nn.Linear(model_size, VOCABULARY)

    def forward(self, tokens):
        """tokens: (batch, tokens), integers -> logits, (batch, tokens, vocabulary)."""
        tokens_of_each = tokens.shape[1]
        x = self.token(tokens) + self.place.weight[:tokens_of_each]  # (batch, tokens, model_size)
        mask = causal_mask(tokens_of_each, tokens_of_each, like=tokens)
        for attention in self.layers:
            x = x + attention(x, mask=mask)
        return self.next_token(x)


def repeat_loss(model, rows, known):
    """Return the mean loss over the tokens that a reader could know."""
    device = next(model.parameters()).device
    rows, known = rows.to(device), known.to(device)
    return cross_entropy(model(rows[:, :-1])[known[:, 1:]], rows[:, 1:][known[:, 1:]])


def train_on_repeats(model, steps=400, batch=64, rate=3e-3):
    """Make the known tokens more likely, a batch of new texts at a time; returns the loss of every step."""
    if "NBGRADER_EXECUTION" in os.environ:
        steps = 3  # a grader's time is short, and no graded answer needs a trained model
    generator, losses = torch.Generator().manual_seed(0), []
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for step in range(steps):
        loss = repeat_loss(model, *repeated_rows(batch, generator))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        show_progress(step + 1, steps, losses[-1])
    return losses
