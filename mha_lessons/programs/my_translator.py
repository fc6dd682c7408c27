"""A translator with attention, from softmax to French, on torch alone.

python my_translator.py              learns 2,900 sentences of a small English, and translates 100 new ones
python my_translator.py PAIRS.txt    learns from pairs of your own, one a line, with a tab between the two languages
"""

import sys
from pathlib import Path
from random import Random

import torch
from torch import nn

from .parts import MultiHeadAttention, causal_mask

NOUNS = "cat chat dog chien horse cheval boat bateau garden jardin", "cow vache mouse souris car voiture house maison"
COLOURS = (
    "red rouge white blanc black noir green vert blue bleu",
    "red rouge white blanche black noire green verte blue bleue",
)
ARTICLES = "the le a un", "the la a une"
VERBS = "sees voit follows suit likes aime finds trouve"
PAD, START, END = "<pad>", "<start>", "<end>"


def padding_mask(lengths, keys):
    """(batch,), integers -> (batch, 1, 1, keys), boolean: each sentence may look at its real words."""
    if (lengths > keys).any():
        raise ValueError(f"a length of {lengths.max()} does not fit {keys} keys")
    return torch.arange(keys, device=lengths.device) < lengths[:, None, None, None]


def combine_masks(first, second):
    """Allow what both masks allow; None allows everything."""
    if first is None or second is None:
        return second if first is None else first
    return first & second


def encoder_decoder_masks(source_lengths, target_lengths, sources, targets):
    """Return a translator's three masks: source looks at source, target at its past, target at source."""
    source, past = padding_mask(source_lengths, sources), causal_mask(targets, targets)
    return source, combine_masks(past, padding_mask(target_lengths, targets)), source


class EncoderLayer(nn.Module):
    """A word looks at its whole sentence, then thinks; each step adds to what was there."""

    def __init__(self, model_size, heads, hidden_size):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads)
        widen, narrow = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.feed_forward = nn.Sequential(widen, nn.ReLU(), narrow)
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(2))

    def forward(self, x, mask=None):
        """(batch, tokens, model_size) -> the same."""
        before_self, before_feed_forward = self.norms
        x = x + self.self_attention(before_self(x), mask=mask)
        return x + self.feed_forward(before_feed_forward(x))


class DecoderLayer(nn.Module):
    """A word looks at its own past, then at the memory, then thinks; each step adds to what was there."""

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        widen, narrow = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.feed_forward = nn.Sequential(widen, nn.ReLU(), narrow)
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        """x: (batch, targets, model_size), memory: (batch, sources, model_size) -> (batch, targets, model_size)."""
        before_self, before_cross, before_feed_forward = self.norms
        x = x + self.dropout(self.self_attention(before_self(x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(before_cross(x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(before_feed_forward(x)))


class Translator(nn.Module):
    """Reads with one encoder layer, writes with one decoder layer."""

    def __init__(self, source_words, target_words, longest, model_size=64, heads=2):
        super().__init__()
        self.source, self.target = nn.Embedding(source_words, model_size), nn.Embedding(target_words, model_size)
        self.places = nn.Embedding(longest, model_size)
        for table in (self.source, self.target, self.places):
            nn.init.normal_(table.weight, std=0.1)  # small: else chance decides where to look
        self.encoder = EncoderLayer(model_size, heads, 2 * model_size)
        self.decoder = DecoderLayer(model_size, heads, 2 * model_size)
        self.memory_norm, self.last_norm = nn.LayerNorm(model_size), nn.LayerNorm(model_size)
        self.next_word = nn.Linear(model_size, target_words)

    def forward(self, sources, targets):
        """(batch, sources), (batch, targets), integers -> (batch, targets, vocabulary): logits of each next word."""
        lengths = (sources != 0).sum(dim=1), (targets != 0).sum(dim=1)
        mask, target_mask, memory_mask = encoder_decoder_masks(*lengths, sources.shape[1], targets.shape[1])
        memory = self.source(sources) + self.places.weight[: sources.shape[1]]
        memory = self.memory_norm(self.encoder(memory, mask))
        x = self.target(targets) + self.places.weight[: targets.shape[1]]
        return self.next_word(self.last_norm(self.decoder(x, memory, target_mask, memory_mask)))


def translate_greedily(model, sources, start, steps):
    """Take the likeliest word at each step: (batch, sources) -> (batch, steps), integers, without the start."""
    targets = torch.full((len(sources), 1), start, dtype=sources.dtype, device=sources.device)
    for _ in range(steps):
        following = model(sources, targets)[:, -1].argmax(dim=-1)  # (batch,)
        targets = torch.cat([targets, following[:, None]], dim=1)
    return targets[:, 1:]


def draw_sentence(random):
    """Draw a sentence and its translation; in French a colour follows its noun, and agrees with it."""
    english, french = [], []
    for verb in (VERBS, ""):
        gender = random.randrange(2)
        article, colour, noun, does = (
            random.choice([*zip(words.split()[::2], words.split()[1::2])] or [("", "")])
            for words in (ARTICLES[gender], COLOURS[gender], NOUNS[gender], verb)
        )
        colour = random.choice([colour, ("", "")])
        english += [article[0], colour[0], noun[0], does[0]]
        french += [article[1], noun[1], colour[1], does[1]]
    return " ".join(filter(None, english)), " ".join(filter(None, french))


def numbers(texts, vocabulary):
    """Return each word's number in the vocabulary, and 0 for padding: (texts, words of the longest)."""
    rows = [torch.tensor([vocabulary.index(word) for word in [*text.split(), END]]) for text in texts]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True)


def train(model, sources, targets, start, steps=400, batch=64, rate=3e-3):
    """Make the right next word more likely, a batch of sentences at a time."""
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    before = nn.functional.pad(targets, (1, -1), value=start)  # one later: guess each word from those before it
    for step in range(steps):
        rows = torch.randint(len(sources), (batch,))
        logits = model(sources[rows], before[rows])  # (batch, targets, vocabulary)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets[rows].flatten(), ignore_index=0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 99:
            print(f"step {step + 1} of {steps}: loss {loss.item():.3f}")


@torch.no_grad()
def translations(model, sources, vocabulary):
    """Return the translations of sentences, (batch, sources), as texts."""
    rows = translate_greedily(model, sources, vocabulary.index(START), model.places.num_embeddings - 1)
    texts = (" ".join(vocabulary[number] for number in row) for row in rows.tolist())
    return [text.partition(END)[0].strip() for text in texts]


def main():
    """Learn from all pairs but the last 100, and translate those."""
    if len(sys.argv) > 1:
        pairs = [line.split("\t")[:2] for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    else:
        random = Random(0)
        pairs = list({draw_sentence(random): None for _ in range(3000)})
    words = [[PAD, START, END, *sorted({w for pair in pairs for w in pair[side].split()})] for side in (0, 1)]
    sources, targets = (numbers([pair[side] for pair in pairs], words[side]) for side in (0, 1))
    torch.manual_seed(0)
    model = Translator(*map(len, words), max(sources.shape[1], targets.shape[1]) + 1)
    print(f"{len(pairs)} pairs of sentences, {len(words[0])} and {len(words[1])} words; training takes half a minute")
    train(model, sources[:-100], targets[:-100], words[1].index(START))
    written = translations(model.eval(), sources[-100:], words[1])
    for (source, _), text in list(zip(pairs[-100:], written))[:5]:
        print(f"{source}  ->  {text}")
    right = sum(text == target for (_, target), text in zip(pairs[-100:], written))
    print(f"{right} of 100 new sentences are right to the last word")


if __name__ == "__main__":
    main()
