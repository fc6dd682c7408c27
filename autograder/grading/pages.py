"""Make pages safe for an instructor to open: what a learner wrote is text, Markdown, or a picture of pixels.

HTML comes from Markdown and from our own cards alone, and is cleaned all the same.
"""

import base64
import re
from io import BytesIO

import nh3
from PIL import Image

LONGEST_TEXT = 20_000  # characters of a cell of text: reading what is hostile takes its square, too
MOST_TEXT = 10 * LONGEST_TEXT  # characters of all cells of text; those of a lesson have at most 26,000
REST = "\n\n*Here stood more text than a page holds. The rest is left out.*"
UNBROKEN = re.compile(r"([^\x00-\x7f\s]{1000})(?=[^\x00-\x7f\s])")  # to draw such a row takes its square of time
MOST_PIXELS = 10_000_000  # of which a browser keeps four bytes each: some kilobytes may be gigabytes
RASTERS = "PNG", "JPEG", "GIF", "WEBP"
DATA = re.compile(rf"data:image/(?:{'|'.join(RASTERS).lower()});base64,([A-Za-z0-9+/=\s]++)")
TAGS = "a b strong i em u p br hr div span pre code sub sup small del h1 h2 h3 h4 h5 h6 ul ol li blockquote"
TAGS += " details summary table thead tbody tr th td img"
BEGINS = {"src": "data:image/", "href": ("http:", "https:", "#")}
EVERYWHERE = "style class title role aria-label tabindex"
STYLE = "border border-left border-radius padding margin max-width min-width gap flex flex-wrap align-items line-height"
STYLE += " white-space overflow-x color font-size font-weight font-style text-align width height display"


def broken(text):
    """Break long rows of signs that a browser would draw as one, such as marks above each other."""
    return UNBROKEN.sub(r"\1\n", text)


def shortened(text, most=LONGEST_TEXT, rest=REST):
    """Return the beginning of what is too long, and a sentence that says so."""
    text = broken(text)
    return text if len(text) <= most else f"{text[:most]}{rest}"


def fits(data):
    """Say whether a browser draws a picture at once; what cannot be read does not fit."""
    try:
        with Image.open(BytesIO(data), formats=RASTERS) as image:
            return image.width * image.height <= MOST_PIXELS
    except Exception:  # whatever is to be had of a picture that a stranger made
        return False


def is_shown(source):
    """Say whether this address of a picture is one in base64 that a browser can draw."""
    found = DATA.fullmatch(source)
    return bool(found) and fits(base64.b64decode(found[1]))


def _harmless(tag, name, value):
    """Return a value that asks no server and runs nothing: pictures lie in the page, and links lead elsewhere."""
    return value if value.startswith(BEGINS.get(name, "")) else None


def _cleaner(*more):
    return nh3.Cleaner(
        tags={*TAGS.split()},
        attributes={"*": {*EVERYWHERE.split(), *more}, "img": {"src", "alt"}, "a": {"href"}},
        attribute_filter=_harmless,
        url_schemes={"data", "http", "https"},
        filter_style_properties={*STYLE.split()},
    )


CLEANER = _cleaner()
ANCHORED = _cleaner("id")  # for a page without a script: in formgrader an id says whose marks one writes


def clean(html, cleaner=CLEANER):
    """Return HTML that was made of Markdown, or by a card, without what could run."""
    return broken(cleaner.clean(html))
