"""The field's words: each is introduced once, in bold, in the lesson that the glossary names."""

import re

from autograder.catalogue import LESSONS
from autograder.course import installed

MUST = """
    logits, embedding, token, batch, padding, broadcasting, query, key, value, attention pattern, head, projection,
    parameter, initialise, forward, backward, gradient, loss, training, inference, residual stream, layer norm,
    feed-forward, encoder, decoder, autoregressive, greedy decoding, sampling, temperature, KV cache, context length
"""
LAST = "lesson_08_cost"  # of Part I: the glossary is in it


def prose(lesson):
    text = installed().text(lesson).read_text(encoding="utf-8")
    cells = re.split(r"(?m)^(?=# %%)", text)
    return "\n".join(re.sub(r"(?m)^# ?", "", cell) for cell in cells if cell.startswith("# %% [markdown]"))


def glossary():
    """Word -> the number of the lesson that introduces it."""
    table = prose(LAST).partition("### Glossary")[2].partition("###")[0]
    rows = re.findall(r"(?m)^\| (?!word)([^|]*?) \| [^|]* \| (\d\d) \|$", table)
    return {word.strip(): number for words, number in rows for word in words.split(",")}


def introduced(word):
    """The numbers of the lessons in which it is in bold, as it is or with an ending."""
    bold = re.compile(rf"\*\*{re.escape(word.rstrip('e'))}\w{{0,3}}\.?\*\*", re.IGNORECASE)
    return [lesson[7:9] for lesson in LESSONS if lesson <= LAST for _ in bold.finditer(prose(lesson))]


def test_the_glossary_has_the_words_of_the_field():
    """Whoever has finished Part I can read a model card."""
    assert set(re.split(r",\s*", MUST.strip())) <= set(glossary())


def test_a_word_is_introduced_once():
    """In bold, where the glossary says."""
    assert {word: introduced(word) for word in glossary()} == {word: [number] for word, number in glossary().items()}
