"""How hard a text is to read."""

import re

CODE = re.compile(r"```.*?```|^\$\$.*?\$\$$|<!--.*?-->|^ {4,}.*?$|^\|.*?$|^#+ .*?$|^-{3,}$", flags=re.S | re.M)
INLINE = re.compile(r"`[^`]*`|\$[^$]*\$")
ITEM = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*>]|\d+\.) )")
MARKS = re.compile(r"^\s*(?:[-*>]|\d+\.) |\*+|!?\[|\]\([^)]*\)", flags=re.M)
END = re.compile(r"""(?<=[.!?])["')\]]*\s+|(?<=[.!?]["')])\s+""")
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
SILENT = re.compile(r"(?<![^aeiouy]l)(e|(?<![cghsxz])es|(?<![dt])ed)\b|(?<=ll)ed\b")


def sentences(markdown):
    """Of prose alone: no code, formulas, tables and headings; what stands in a line of its own ends a sentence."""
    text = INLINE.sub("x", CODE.sub("\n\n", markdown))
    parts = [" ".join(MARKS.sub("", part).split()) for part in ITEM.split(text)]
    return [sentence for part in parts for sentence in END.split(part) if WORD.search(sentence)]


def words(text):
    return WORD.findall(text)


def syllables(word):
    """Groups of vowels, but for an e that is not spoken: score, takes, called (not: table, places, added)."""
    spoken = SILENT.sub("", word.lower())
    return len(re.findall("[aeiouy]+", spoken)) or 1


def reading_ease(texts):
    """Flesch's formula: 90 is very easy, 60 to 70 is plain English, below 50 is difficult.

    Rudolf Flesch (1948), A new readability yardstick, Journal of Applied Psychology 32 (3), 221-233.
    """
    said = [sentence for text in texts for sentence in sentences(text)]
    spoken = [word for sentence in said for word in words(sentence)]
    return 206.835 - 1.015 * len(spoken) / len(said) - 84.6 * sum(map(syllables, spoken)) / len(spoken)
