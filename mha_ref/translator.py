"""A small translator from English to French, and the sentences that it learns from: all that lesson 07 trains.

In French a colour follows its noun, "la voiture rouge", and articles and colours agree with it.
Sentences are texts with blanks between the words; tensors hold the numbers of the words in a vocabulary.
"""

import os
from itertools import product
from random import Random

import torch
from torch import nn

from .decoding import translate_greedily
from .layer import MultiHeadAttention
from .training_progress import show_progress

ARTICLES = {"the": ("le", "la"), "a": ("un", "une")}  # for masculine nouns, for feminine ones
COLOURS = {
    "red": ("rouge", "rouge"),
    "white": ("blanc", "blanche"),
    "black": ("noir", "noire"),
    "green": ("vert", "verte"),
    "blue": ("bleu", "bleue"),
}
NOUNS = (
    {"cat": "chat", "dog": "chien", "horse": "cheval", "boat": "bateau", "garden": "jardin"},
    {"cow": "vache", "mouse": "souris", "car": "voiture", "house": "maison", "flower": "fleur"},
)
VERBS = {"sees": "voit", "follows": "suit", "likes": "aime", "finds": "trouve"}  # these want an object
VERBS_ALONE = {"sleeps": "dort", "waits": "attend", "falls": "tombe"}
FORMS = dict.fromkeys(form for forms in (*ARTICLES.values(), *COLOURS.values()) for form in forms)

PATTERNS = [*product((True, False), repeat=2), (True,), (False,)]  # for each noun: has it a colour?
PAD, START, END = "<pad>", "<start>", "."
ENGLISH = [PAD, *ARTICLES, *COLOURS, *NOUNS[0], *NOUNS[1], *VERBS, *VERBS_ALONE, END]
FRENCH = [PAD, START, *FORMS, *(word for words in (*NOUNS, VERBS, VERBS_ALONE) for word in words.values()), END]
LONGEST = 8  # words in a sentence, the full stop among them


def phrase(random, coloured):
    """Draw a phrase in English and in French: an article, perhaps a colour, and a noun."""
    gender = random.randrange(2)
    article, colour, noun = (random.choice(list(words)) for words in (ARTICLES, COLOURS, NOUNS[gender]))
    if not coloured:
        return [article, noun], [ARTICLES[article][gender], NOUNS[gender][noun]]
    return [article, colour, noun], [ARTICLES[article][gender], NOUNS[gender][noun], COLOURS[colour][gender]]


def sentence(random, pattern):
    """Draw a sentence and its translation, word by word: who does it, the verb, and perhaps to whom."""
    (subject, sujet), *others = (phrase(random, coloured) for coloured in pattern)
    thing, chose = others[0] if others else ([], [])
    verbs = VERBS if others else VERBS_ALONE
    verb = random.choice(list(verbs))
    return [*subject, verb, *thing, END], [*sujet, verbs[verb], *chose, END]


def corpus(size, seed=0):
    """Draw so many pairs of texts, no two alike, in random order."""
    random, pairs = Random(seed), {}
    while len(pairs) < size:
        english, french = sentence(random, random.choice(PATTERNS))
        pairs[" ".join(english)] = " ".join(french)
    return list(pairs.items())


def numbers(texts, vocabulary, device=None):
    """Return each word's number in the vocabulary, and 0 for padding: (texts, words of the longest)."""
    rows = [torch.tensor([vocabulary.index(word) for word in text.split()]) for text in texts]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True).to(device)


class EncoderLayer(nn.Module):
    """A token looks at its whole sentence, then thinks; each step adds to what was there.

    attention: what does the work of MultiHeadAttention.
    """

    def __init__(self, model_size, heads, hidden_size, attention=MultiHeadAttention):
        super().__init__()
        self.self_attention = attention(model_size, heads)
        widen, narrow = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.feed_forward = nn.Sequential(widen, nn.ReLU(), narrow)
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(2))

    def forward(self, x, mask=None):
        """x: (batch, tokens, model_size) -> (batch, tokens, model_size)."""
        before_self, before_feed_forward = self.norms
        x = x + self.self_attention(before_self(x), mask=mask)
        return x + self.feed_forward(before_feed_forward(x))


class Translator(nn.Module):
    """Reads English with one encoder layer, writes French with one decoder layer.

    decoder_layer, masks, attention: what does the work of DecoderLayer, encoder_decoder_masks and MultiHeadAttention.
    positions: whether words know their positions.
    """

    def __init__(self, decoder_layer, masks, positions=True, model_size=64, heads=2, attention=MultiHeadAttention):
        super().__init__()
        self.masks, self.positions = masks, positions
        self.english, self.french = nn.Embedding(len(ENGLISH), model_size), nn.Embedding(len(FRENCH), model_size)
        self.english_position = nn.Embedding(LONGEST, model_size)
        self.french_position = nn.Embedding(LONGEST, model_size)
        for table in (self.english, self.french, self.english_position, self.french_position):
            nn.init.normal_(table.weight, std=0.1)  # small: else chance decides where to look
        self.encoder = EncoderLayer(model_size, heads, 2 * model_size, attention)
        self.decoder = decoder_layer(model_size, heads, 2 * model_size)
        self.memory_norm, self.last_norm = nn.LayerNorm(model_size), nn.LayerNorm(model_size)
        self.next_word = nn.Linear(model_size, len(FRENCH))

    def forward(self, english, french):
        """Return logits for the word after each French one.

        english: (batch, sources), french: (batch, targets), both integers -> (batch, targets, French vocabulary).
        """
        lengths = (english != 0).sum(dim=1), (french != 0).sum(dim=1)
        source_mask, target_mask, memory_mask = self.masks(*lengths, english.shape[1], french.shape[1])
        memory, x = self.english(english), self.french(french)  # (batch, sources or targets, model_size)
        if self.positions:
            memory = memory + self.english_position.weight[: english.shape[1]]
            x = x + self.french_position.weight[: french.shape[1]]
        memory = self.memory_norm(self.encoder(memory, source_mask))
        x = self.last_norm(self.decoder(x, memory, target_mask, memory_mask))  # (batch, targets, model_size)
        return self.next_word(x)  # (batch, targets, French vocabulary)


def device_of(model):
    return next(model.parameters()).device


def train(model, pairs, steps=300, batch=64, rate=3e-3):
    """Make the right next word more likely, a batch of pairs at a time; returns the loss of every step."""
    if "NBGRADER_EXECUTION" in os.environ:
        steps = 3  # a grader's time is short, and no graded answer needs a trained model
    random, losses = Random(0), []
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for step in range(steps):
        loss = loss_of(model, random.sample(pairs, batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        show_progress(step + 1, steps, losses[-1])
    return losses


def loss_of(model, pairs):
    """Return how little the model expected the right next words: the mean of -log of their probabilities."""
    english = numbers([text for text, _ in pairs], ENGLISH, device_of(model))
    french = numbers([text for _, text in pairs], FRENCH, device_of(model))
    before = nn.functional.pad(french, (1, -1), value=FRENCH.index(START))  # one later: predict each from those before
    logits = model(english, before)
    return nn.functional.cross_entropy(logits.flatten(0, 1), french.flatten(), ignore_index=0)


@torch.no_grad()
def translate(model, texts, decode=translate_greedily):
    """Write the translation of all texts at once, the likeliest word at each step unless `decode` does otherwise."""
    french = decode(model, numbers(texts, ENGLISH, device_of(model)), FRENCH.index(START), LONGEST)
    words = ([FRENCH[number] for number in row] for row in french.tolist())
    return [" ".join(row[: row.index(END) + 1] if END in row else row) for row in words]


def exact_accuracy(model, pairs, decode=translate_greedily):
    """Return the share of sentences that come out right to the last word."""
    if "NBGRADER_EXECUTION" in os.environ:
        pairs = pairs[:20]  # a grader's time is short, and the model is hardly trained
    texts, expected = zip(*pairs)
    return sum(got == right for got, right in zip(translate(model, texts, decode), expected)) / len(pairs)


@torch.no_grad()
def alignment(model, english, french):
    """Return how much each French word looked at each English one: (heads, French words, English words)."""
    device, seen = device_of(model), []

    def look(attention, inputs, options, out):
        seen.append(attention.forward(*inputs, **options | {"return_weights": True})[1][0])

    hook = model.decoder.cross_attention.register_forward_hook(look, with_kwargs=True)
    try:
        model(numbers([english], ENGLISH, device), numbers([f"{START} {french}"], FRENCH, device)[:, :-1])
    finally:
        hook.remove()
    return seen[0]
