"""Where does a translator look? This script makes the numbers of lesson 00's first picture.

Run it from the root of the repository (about ten seconds on two cores):

    python solutions/translator_alignment.py

It makes up sentences in English and in French, where colours stand behind the noun: "the red car", "la voiture rouge".
A small model learns to translate them. Nobody tells it which word belongs to which.
It learns where to look because looking helps: without the source it could not know the next word.
"""

from itertools import product
from random import Random

import torch
from torch import nn

from mha_ref import causal_mask, masked_weights
from mha_ref.layer import MultiHeadAttention

ARTICLES = {"the": ("le", "la"), "a": ("un", "une")}  # the form before a masculine noun, and before a feminine one
COLOURS = {"red": ("rouge", "rouge"), "white": ("blanc", "blanche"), "green": ("vert", "verte"), "black": ("noir", "noire")}
NOUNS = (
    {"cat": "chat", "dog": "chien", "horse": "cheval", "boat": "bateau", "garden": "jardin"},
    {"cow": "vache", "mouse": "souris", "car": "voiture", "house": "maison", "flower": "fleur"},
)
VERBS = {"sees": "voit", "follows": "suit", "likes": "aime", "finds": "trouve"}

ENGLISH = [*ARTICLES, *COLOURS, *NOUNS[0], *NOUNS[1], *VERBS, "."]
FRENCH = ["<start>", *sum((*ARTICLES.values(), *COLOURS.values()), ()), *NOUNS[0].values(), *NOUNS[1].values(), *VERBS.values(), "."]
PATTERNS = list(product((True, False), repeat=2))  # is there a colour before the first noun, before the second?
LONGEST = 8


def phrase(random, coloured):
    """The same thing in English and in French: "the red car", "la voiture rouge"."""
    gender = random.randrange(2)
    article, colour, noun = (random.choice(list(words)) for words in (ARTICLES, COLOURS, NOUNS[gender]))
    french = [ARTICLES[article][gender], NOUNS[gender][noun], COLOURS[colour][gender]]
    return ([article, colour, noun], french) if coloured else ([article, noun], french[:2])


def sentence(random, pattern):
    """A sentence and its translation: somebody does something to somebody."""
    (subject, sujet), (thing, objet) = (phrase(random, coloured) for coloured in pattern)
    verb = random.choice(list(VERBS))
    return [*subject, verb, *thing, "."], [*sujet, VERBS[verb], *objet, "."]


def numbered(sentences, vocabulary):
    """Each word as its place in the vocabulary; all sentences of a batch are equally long."""
    return torch.tensor([[vocabulary.index(word) for word in words] for words in sentences])


class Translator(nn.Module):
    """A decoder of one layer, with one head that looks at the source: the model of lesson 07, cut down to a picture."""

    def __init__(self, model_size=64):
        super().__init__()
        self.english, self.french = nn.Embedding(len(ENGLISH), model_size), nn.Embedding(len(FRENCH), model_size)
        self.source_place, self.target_place = nn.Embedding(LONGEST, model_size), nn.Embedding(LONGEST, model_size)
        self.past, self.source = MultiHeadAttention(model_size, heads=4), MultiHeadAttention(model_size, heads=1)
        self.next_word = nn.Linear(model_size, len(FRENCH))

    def forward(self, english, french):
        """Scores for the next French word after each word, and the weights with which each one looked at the source."""
        memory = self.english(english) + self.source_place.weight[: english.shape[1]]
        x = self.french(french) + self.target_place.weight[: french.shape[1]]
        x = x + self.past(x, mask=causal_mask(x.shape[1], x.shape[1], like=x))
        weights = masked_weights(self.source.query(x), self.source.key(memory))
        return self.next_word(x + self.source(x, memory)), weights


def train(model, steps, batch=64):
    random = Random(0)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(steps):
        pattern = random.choice(PATTERNS)
        english, french = zip(*(sentence(random, pattern) for _ in range(batch)))
        target = numbered(french, FRENCH)
        before = nn.functional.pad(target, (1, -1))  # number 0 is <start>: each word sees the words before it
        scores, _ = model(numbered(english, ENGLISH), before)
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), target.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())


@torch.no_grad()
def translate(model, english):
    """The most likely word, again and again, and the weights of the last time: (words, (words, source words))."""
    french = []
    while "." not in french and len(french) < LONGEST:
        scores, weights = model(numbered([english], ENGLISH), numbered([["<start>", *french]], FRENCH))
        french.append(FRENCH[scores[0, -1].argmax()])
    return french, weights[0]


def table(english, french, weights):
    rows = [f"{word:>8}" + "".join(f"{w:9.2f}" for w in row) for word, row in zip(french, weights.tolist())]
    return "\n".join([" " * 8 + "".join(f"{word:>9}" for word in english), *rows])


if __name__ == "__main__":
    import sys, time
    t=time.time()
    torch.manual_seed(int(sys.argv[1]))
    model = Translator()
    train(model, steps=int(sys.argv[2]))
    print(time.time()-t)
    random = Random(1)
    tests = [sentence(random, random.choice(PATTERNS)) for _ in range(200)]
    print(sum(translate(model, english)[0] == french for english, french in tests), "of 200 new sentences are translated exactly")
    for english in ("the white cat sees a red car .", "a black mouse follows the dog ."):
        print(table(english.split(), *translate(model, english.split())))
