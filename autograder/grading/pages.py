"""Pages that an instructor opens: of what learners wrote, text, tables and pictures stay, and nothing that runs."""

import re

import nh3

from .elements import has_vast_table, is_too_much
from .images import is_shown

TEXT = "a b strong i em u p br hr div span pre code sub sup small h1 h2 h3 h4 h5 h6 ul ol li blockquote details summary"
TABLES_AND_PICTURES = "table thead tbody tr th td caption img figure figcaption"
EVERYWHERE = "style class title role aria-label tabindex border colspan rowspan"
# Of code in colours, of tables and of our formulas; formgrader's script acts on others, and its styles cover a page.
CLASS = re.compile(r"[a-z][a-z0-9]{0,2}|highlight|dataframe|anchor-link|formula|block")
STYLE = "border border-left border-radius padding margin max-width min-width gap flex flex-wrap align-items"
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
    """Drop negative margins, by which a thing lies over others; a sum or a cosine may be negative, too."""
    if "\\" in style or "/*" in style:  # one could spell a margin with them so that nobody finds it
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
