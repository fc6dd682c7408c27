"""Make pages safe for an instructor to open: a learner's text, tables and pictures stay, and nothing that runs."""

import re
from collections import Counter

import nh3

from .images import is_shown

TEXT = "a b strong i em u p br hr div span pre code sub sup small h1 h2 h3 h4 h5 h6 ul ol li blockquote details summary"
TABLES_AND_PICTURES = "table thead tbody tr th td caption img figure figcaption"
EVERYWHERE = "style class title role aria-label tabindex border colspan rowspan"
# Of code in colours, of tables and of our formulas; formgrader's script acts on others, and its styles cover a page.
CLASS = re.compile(r"[a-z][a-z0-9]{0,2}|highlight|dataframe|anchor-link|formula|block")
STYLE = "border border-left border-radius padding margin max-width min-width gap flex flex-wrap align-items"
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


STYLE += " line-height white-space overflow-x color font-size font-weight font-style text-align width height display"
LONGEST_TEXT = 20_000  # characters of a cell of text: reading what is hostile takes its square, too
MOST_TEXT = 10 * LONGEST_TEXT  # characters of all cells of text; those of a lesson have at most 26,000
REST = "\n\n*Here stood more text than a page holds. The rest is left out.*"
UNBROKEN = re.compile(r"([^\x00-\x7f\s]{1000})(?=[^\x00-\x7f\s])")  # to draw such a row takes its square of time
SPAN = re.compile(r"[1-9][0-9]?")  # rows or columns of a table that a place of it takes
TOO_MUCH = "<em>This was too much to be looked through, and is left out.</em>"


def _harmless(tag, name, value):
    """Keep pictures that ask no server, in which scripts do not run, and links that lead elsewhere."""
    if name == "class":
        return " ".join(filter(CLASS.fullmatch, value.split()))
    if name == "style":
        return _in_its_place(value)
    return value if name not in ALLOWED or ALLOWED[name](value) else None


def _in_its_place(style):
    """Drop negative margins, which lay one element over another; a sum or a cosine may be negative, too."""
    if "\\" in style or "/*" in style:  # they can spell a margin that a search would not find
        return ""
    return ";".join(part for part in style.split(";") if "margin" not in part.lower() or not {"-", "("} & {*part})


def _cleaner(*more):
    return nh3.Cleaner(
        tags={*TEXT.split(), *TABLES_AND_PICTURES.split()},
        attributes={"*": {*EVERYWHERE.split(), *more}, "img": {"src", "alt", "width", "height"}, "a": {"href"}},
        attribute_filter=_harmless,
        url_schemes={"data", "http", "https"},
        filter_style_properties={*STYLE.split()},
    )


ALLOWED = {
    "src": is_shown,
    "href": lambda address: address.startswith(("http:", "https:", "#")),
    "colspan": SPAN.fullmatch,
    "rowspan": SPAN.fullmatch,
}
CLEANER = _cleaner()
ANCHORED = _cleaner("id")  # for a page without a script: in formgrader an id says whose marks one writes


def broken(text):
    """Break long rows of signs that a browser would draw as one, such as marks above each other."""
    return UNBROKEN.sub(r"\1\n", text)


def shortened(text, most=LONGEST_TEXT, rest=REST):
    """Return the beginning of what is too long, and a sentence that says so."""
    text = broken(text)
    return text if len(text) <= most else f"{text[:most]}{rest}"


def clean(html, cleaner=CLEANER):
    """Return HTML without what could run, or nothing where it is too long, or too much for a browser."""
    if is_too_much(html):
        return TOO_MUCH
    safe = broken(cleaner.clean(html))
    return TOO_MUCH if has_vast_table(safe) else safe


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

    After the first that is oddly written none closes anything: it may be in an attribute, or in a comment.
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
