"""Where does a translator look? This script makes the numbers of the first picture in lesson 00.

It makes up sentences in English and in French, where a colour follows its noun: "the red car", "la voiture rouge".
A small model learns to translate them, and no one tells it which word belongs to which.
It learns where to look because looking helps: only the source can tell what comes next.

Run it from the root of the repository; it takes ten seconds on two cores:

    python mha_lessons/lesson_00_start_here/text/translator_alignment.py

Other seeds give other numbers. The crossings stay, and so do articles that look at two words.
"""

from random import Random

import torch
from torch import nn

from mha_ref import causal_mask, masked_weights, weighted_mean
from mha_ref import translator as language
from mha_ref.layer import MultiHeadAttention
from mha_ref.translator import LONGEST, sentence

PICTURE = "the white cat sees a red car ."  # the sentence in the lesson
PATTERNS = [pattern for pattern in language.PATTERNS if len(pattern) == 2]  # every verb has an object here
UNUSED = {language.PAD, *language.VERBS_ALONE, *language.VERBS_ALONE.values()}
ENGLISH, FRENCH = ([w for w in words if w not in UNUSED] for words in (language.ENGLISH, language.FRENCH))


def numbers(sentences, vocabulary):
    """Each word's place in the vocabulary: (sentences, words). All sentences are equally long."""
    return torch.tensor([[vocabulary.index(word) for word in words] for words in sentences])


class Translator(nn.Module):
    """The model of lesson 07 cut down to a picture: one head looks back at the French, one looks at the English."""

    def __init__(self, model_size=64):
        super().__init__()
        self.english, self.french = nn.Embedding(len(ENGLISH), model_size), nn.Embedding(len(FRENCH), model_size)
        self.source_place, self.place = nn.Embedding(LONGEST, model_size), nn.Embedding(LONGEST, model_size)
        for table in (self.english, self.french, self.source_place, self.place):
            nn.init.normal_(table.weight, std=0.1)  # small: else chance decides where to look
        self.past, self.source = MultiHeadAttention(model_size, heads=1), MultiHeadAttention(model_size, heads=1)
        self.next_word = nn.Linear(model_size, len(FRENCH))

    def forward(self, english, french, forced=None):
        """Scores for the word after each French word, and the weights with which each looks at the English ones.

        forced: weights to use in place of the model's own.
        """
        memory = self.english(english) + self.source_place.weight[: english.shape[1]]
        x = self.french(french) + self.place.weight[: french.shape[1]]
        x = x + self.past(x, mask=causal_mask(x.shape[1], x.shape[1], like=x))
        weights = masked_weights(self.source.query(x), self.source.key(memory)) if forced is None else forced
        x = x + self.source.output(weighted_mean(weights, self.source.value(memory)))
        return self.next_word(x), weights


def train(model, steps=1000, batch=64):
    """Show pairs of sentences; make the right next word more likely."""
    random = Random(0)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(steps):
        pattern = random.choice(PATTERNS)
        english, french = zip(*(sentence(random, pattern) for _ in range(batch)))
        target = numbers(french, FRENCH)
        before = nn.functional.pad(target, (1, -1))  # one place later, behind <start>, which is number 0
        scores, _ = model(numbers(english, ENGLISH), before)
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), target.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def translate(model, english):
    """The likeliest word, again and again, and the weights of each: (French words, English words)."""
    french = []
    while "." not in french and len(french) < LONGEST:
        scores, weights = model(numbers([english], ENGLISH), numbers([["<start>", *french]], FRENCH))
        french.append(FRENCH[scores[0, -1].argmax()])
    return french, weights[0]


@torch.no_grad()
def looking_only_at(model, place, english, french):
    """What the model writes after these French words if it may look at one English word alone."""
    forced = nn.functional.one_hot(torch.tensor([[place]]), len(english)).float()
    scores, _ = model(numbers([english], ENGLISH), numbers([["<start>", *french]], FRENCH), forced)
    return FRENCH[scores[0, -1].argmax()]


def alignment(english, french, weights):
    """A table: a row for each French word, a column for each English one."""
    rows = [[word, *(f"{weight:.2f}" for weight in row)] for word, row in zip(french, weights)]
    return "\n".join("".join(f"{entry:>9}" for entry in row) for row in [["", *english], *rows])


def one_word_alone(model, english, french):
    """The article 'une' and the full stop again, with a single English word to look at.

    What a word that says nothing of articles makes of the article is chance.
    """
    for place, word in enumerate(english):
        article, end = (looking_only_at(model, place, english, french[:written]) for written in (4, 7))
        print(f"Looking only at {word!r}, the model writes {article!r} for 'une' and {end!r} for '.'.")


def main():
    torch.manual_seed(0)
    model = Translator()
    train(model)

    random = Random(1)
    fresh = [sentence(random, random.choice(PATTERNS)) for _ in range(200)]
    exact = sum(translate(model, english)[0] == french for english, french in fresh)
    print(f"{exact} of {len(fresh)} freshly drawn sentences come out exactly right.\n")

    for text in ("a black mouse follows the dog .", "the white cat sees a red boat .", PICTURE):
        french, weights = translate(model, text.split())
        print(alignment(text.split(), french, weights), "\n")
    one_word_alone(model, PICTURE.split(), french)


if __name__ == "__main__":
    main()
