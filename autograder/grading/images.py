"""Pictures that a page holds as data: a few bytes may cost a browser gigabytes, or hours of work."""

import base64
import re
from io import BytesIO
from urllib.parse import unquote

from defusedxml.ElementTree import fromstring
from PIL import Image

MOST_PIXELS = 10_000_000  # of which a browser keeps four bytes each
MOST_DRAWN = 5_000  # parts of a drawing, each as often as it is drawn
DASHED = 100  # a dashed line may be a million lines: it counts as so many parts
DEEPEST = 100  # parts within each other, or drawn by each other
RASTERS = "PNG", "JPEG", "GIF", "WEBP"
DATA = re.compile(rf"data:image/(svg\+xml|{'|'.join(RASTERS).lower()});base64,([A-Za-z0-9+/=\s]++)")
DECLARATION = re.compile(r"^\ufeff?<\?xml\s[^<>]*\?>")
SLOW = re.compile(r"filter|blend|shadow|isolation", re.IGNORECASE)  # names of properties that work for each pixel
# They hold another page, move, work for each pixel, or bring such things from elsewhere.
REFUSED = re.compile(r"foreignObject|script|animate.*|set|filter|fe[A-Z].*")
USES = re.compile(r"url\(\s*+['\"]?#([^'\")\s]++)['\"]?\s*+\)", re.IGNORECASE)


def is_shown(source):
    """Say whether this address of a picture is one in base64 that a browser can draw."""
    found = DATA.fullmatch(source)
    return bool(found) and fits(base64.b64decode(found[2]), is_drawing=found[1] == "svg+xml")


def fits(data, is_drawing=False):
    """Say whether a browser draws a picture at once; what cannot be read does not fit."""
    try:
        return _drawn(data) <= MOST_DRAWN if is_drawing else _pixels(data) <= MOST_PIXELS
    except Exception:  # whatever is to be had of a picture that a stranger made
        return False


def _pixels(data):
    """Read off its beginning."""
    with Image.open(BytesIO(data), formats=RASTERS) as image:
        return image.width * image.height


def _drawn(data):
    """Count the drawn parts of an SVG; a part that uses another one draws that again."""
    if "<?" in DECLARATION.sub("", data.decode()):
        raise ValueError("an instruction, which may bring a style for all parts")
    root = fromstring(data)
    named = {part.get("id"): part for part in reversed([*root.iter()])}  # of two with one name the first
    return _parts(root, named, {}, DEEPEST)


def _parts(part, named, known, room):
    """Count one part and all that it holds and uses. known: parts that were counted already."""
    if not room:
        raise ValueError("too deep, or it draws itself")
    if part not in known:
        further = [*part, *(named[name] for name in _used_by(part) if name in named)]
        known[part] = _own_cost(part) + sum(_parts(one, named, known, room - 1) for one in further)
    return known[part]


def _own_cost(part):
    return DASHED if any("dasharray" in f"{key}{value}".lower() for key, value in part.attrib.items()) else 1


def _used_by(part):
    """Return the names of parts that this one uses; ValueError where it is unclear what a browser would do."""
    name = part.tag.rpartition("}")[2] if isinstance(part.tag, str) else ""
    if REFUSED.fullmatch(name):
        raise ValueError(f"<{name}>")
    if name == "style" and (SLOW.search(part.text or "") or [*_used_by_style(part.text or "")]):
        raise ValueError("a style by which any part may use others")
    for key, value in part.attrib.items():
        if SLOW.search(key) or (key == "style" and SLOW.search(value)):
            raise ValueError("a property that works for each pixel")
        if key.rpartition("}")[2] != "href":
            yield from _used_by_style(value)
        elif name != "image":
            yield _of_its_own(value)
        elif "svg" in value[: len("data:image/svg")] or not is_shown(value):
            raise ValueError("a drawing in a drawing, or a picture from elsewhere")


def _of_its_own(address):
    if not address.startswith("#"):
        raise ValueError("from elsewhere")
    return unquote(address[1:])


def _used_by_style(text):
    """Return all parts that a style uses as url(#...), unless it is spelled so that they cannot be found."""
    found = USES.findall(text)
    if "\\" in text or "@" in text or "/*" in text or len(found) != text.lower().count("url("):
        raise ValueError("an odd style")
    return map(unquote, found)
