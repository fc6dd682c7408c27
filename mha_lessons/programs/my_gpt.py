"""A GPT from softmax to the text that it writes, on torch alone.

python my_gpt.py             learns from my_gpt.txt beside it, for about a minute, and writes
python my_gpt.py TEXT.txt    learns from a text of your own: some 100,000 characters, or more
"""

import sys
from pathlib import Path

import torch
from torch import nn

from .parts import MultiHeadAttention, causal_mask, softmax


class Block(nn.Module):
    """A token looks at its own past, then thinks; each step adds to what was there."""

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        widen, narrow = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.feed_forward = nn.Sequential(widen, nn.GELU(), narrow)
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        """(batch, tokens, model_size) -> the same."""
        look, think = self.norms
        x = x + self.dropout(self.attention(look(x), mask=mask))
        return x + self.dropout(self.feed_forward(think(x)))


class LanguageModel(nn.Module):
    """Embeddings of tokens and positions, blocks on a residual stream, logits of the next token."""

    def __init__(self, vocabulary, context=128, model_size=96, heads=4, layers=2):
        super().__init__()
        self.context = context
        self.token, self.place = nn.Embedding(vocabulary, model_size), nn.Embedding(context, model_size)
        for table in (self.token, self.place):
            nn.init.normal_(table.weight, std=0.1)
        self.blocks = nn.ModuleList(Block(model_size, heads, 4 * model_size) for _ in range(layers))
        self.last_norm, self.next_token = nn.LayerNorm(model_size), nn.Linear(model_size, vocabulary)

    def forward(self, tokens):
        """(batch, tokens), integers -> (batch, tokens, vocabulary): logits for the token after each position."""
        number = tokens.shape[1]
        x, mask = self.token(tokens) + self.place.weight[:number], causal_mask(number, number).to(tokens.device)
        for block in self.blocks:
            x = block(x, mask)
        return self.next_token(self.last_norm(x))


def log_softmax(scores, axis=-1):
    """Return the logarithms of softmax along an axis, for scores of any size."""
    shifted = scores - torch.amax(scores, dim=axis, keepdim=True)
    return shifted - torch.log(torch.sum(torch.exp(shifted), dim=axis, keepdim=True))


def next_token_loss(model, tokens):
    """Return the mean of -log of the probabilities that the model gives to the right tokens, (batch, context + 1)."""
    logs = log_softmax(model(tokens[:, :-1]))  # (batch, context, vocabulary)
    return -torch.take_along_dim(logs, tokens[:, 1:, None], dim=-1).mean()


def train(model, tokens, steps=1200, batch=8, rate=3e-3):
    """Make the right next token more likely, a batch of rows at a time. The rate rises first, then falls to 0."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min((step + 1) / 100, 1 - step / steps))
    for step in range(steps):
        starts = torch.randint(len(tokens) - model.context, (batch, 1))
        loss = next_token_loss(model, tokens[starts + torch.arange(model.context + 1)])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 100 == 99:
            print(f"step {step + 1} of {steps}: loss {loss.item():.2f}")


def softmax_with_temperature(scores, temperature, axis=-1):
    """Softmax of scores / temperature: the lower it is, the more the largest score gets."""
    return softmax((scores - torch.amax(scores, dim=axis, keepdim=True)) / temperature, axis)


def sample(logits, temperature, uniform):
    """Draw the next token of each row, (batch, vocabulary), with a random number for each, (batch,)."""
    if temperature == 0:
        return logits.argmax(dim=-1)
    weights = softmax_with_temperature(logits, temperature)
    passed = (weights.cumsum(dim=-1) <= uniform[:, None]).sum(dim=-1)
    last = torch.where(weights > 0, torch.arange(logits.shape[-1]), 0).amax(dim=-1)
    return torch.minimum(passed, last)


def generate(model, tokens, steps, context, choose):
    """Write on, one token after the other: (batch, prompt) -> (batch, prompt + steps)."""
    for _ in range(steps):
        logits = model(tokens[:, -context:])[:, -1]  # (batch, vocabulary)
        tokens = torch.cat((tokens, choose(logits).unsqueeze(1)), dim=1)
    return tokens


@torch.no_grad()
def write(model, prompt, characters, temperature):
    """Write 300 characters after a prompt, (tokens,)."""

    def choose(logits):
        return sample(logits, temperature, torch.rand(len(logits)))

    (written,) = generate(model, prompt[None], 300, model.context, choose)
    return "".join(characters[token] for token in written)


def main():
    """Learn from a text, and write three times."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_suffix(".txt")
    text = file.read_text(encoding="utf-8")
    characters = sorted(set(text))
    tokens = torch.tensor([characters.index(character) for character in text])
    torch.manual_seed(0)
    model = LanguageModel(len(characters))
    print(f"{len(text):,} characters, {len(characters)} different ones; training for about a minute")
    train(model, tokens)
    model.eval()
    for temperature in (0.5, 0.8, 1.0):
        print(f"\ntemperature {temperature}:\n{write(model, tokens[:1], characters, temperature)}")


if __name__ == "__main__":
    main()
