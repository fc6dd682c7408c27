"""What a browser would make of some HTML: it may be a thousand times more than is written there."""

import re
from collections import Counter

LONGEST, DEEPEST = 500_000, 200  # characters; tags within each other: looking through them takes its square
TAG = re.compile(
    r"""<(/?)(?!(?:br|hr|img|wbr|col|input)\b)([a-zA-Z!?][\w-]*+)
    ((?:\s++[^\s"'<>/=]++(?:\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>=`]++))?+)*+\s*+/?>)?+""",
    re.VERBOSE,
)
PLAIN = re.compile(r"<style[^<>\"']*+>[^<]*+</style\s*+>|<!--[^<>]*-->")  # as tables have them: no tag is in there
# In these a tag is text.
TEXTS = {"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext"}
# These a browser opens anew in each paragraph after one in which they were left open; equal ones three times.
FORMATTING = re.compile(r"<(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)\b([\s/]?)", re.IGNORECASE)
EQUAL_ONES = 3 * 14
MOST_OPENED = 250_000  # of these, times all tags: the largest cell of the course has 4,000
MOST_PLACES = 100_000  # of all tables together, as if they were one; where borders meet, each is looked at for long
WRITTEN = re.compile(r'<(/?)([a-z0-9]++)((?:[^">]|"[^"]*+")*+)>')  # a tag as it is written by what makes HTML safe
SPANS = re.compile(r'\b(col|row)span="(\d+)"')


def is_too_much(html):
    """Say whether HTML is too much to look through, or for a browser to open."""
    return len(html) > LONGEST or _opened(html) > MOST_OPENED or _depth(html) > DEEPEST


def _opened(html):
    """Return how many elements it may become at most, as if none were closed."""
    found = FORMATTING.findall(html)
    different = sum(map(bool, found))  # those with attributes
    return (different + min(EQUAL_ONES, len(found) - different)) * html.count("<")


def _depth(html):
    """Return how deep tags may nest at most; one that closes nothing does not count.

    After the first that is oddly written none closes anything: it may stand in an attribute, or in a comment.
    """
    depth, deepest, opened, is_plain = 0, 0, Counter(), True
    for closes, name, rest in TAG.findall(PLAIN.sub("<", html)):
        is_plain = is_plain and bool(rest) and name.lower() not in TEXTS
        if not closes or (is_plain and opened[name]):
            step = -1 if closes else 1
            opened[name] += step
            depth += step
            deepest = max(depth, deepest)
    return deepest


def has_vast_table(safe):
    """Say whether safe HTML has too many rows and columns: a few tags may make many of both."""
    rows, widest, tallest, widths = 1, 1, 1, [0]
    for closes, name, attributes in WRITTEN.findall(safe):
        if name == "table":
            widths = widths[:-1] if closes else [*widths, 0]
        elif name == "tr" and not closes:
            rows, widths[-1] = rows + 1, 0
        elif name in ("td", "th") and not closes:
            spans = dict(SPANS.findall(attributes))
            widths[-1] += int(spans.get("col", 1))
            widest, tallest = max(widest, widths[-1]), max(tallest, int(spans.get("row", 1)))
    return rows * widest * tallest > MOST_PLACES
