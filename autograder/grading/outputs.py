"""What a worker says its cells have shown, made fit for pages that an instructor opens: nothing in them runs."""

import base64
from itertools import islice

import bleach
from bleach.css_sanitizer import CSSSanitizer
from nbformat.v4 import new_output

from .wire import Malformed

MOST = 1000  # outputs of a cell
IMAGES = ("image/png", "image/jpeg")  # in base64
TEXT = "b strong i em u p br hr div span pre code sub sup small h1 h2 h3 h4 ul ol li details summary"
TABLES_AND_PICTURES = "table thead tbody tr th td caption img figure figcaption"
TAGS = {*TEXT.split(" "), *TABLES_AND_PICTURES.split(" ")}


def _attribute_of_image(tag, name, value):
    """In such an image scripts are asleep, an SVG's too."""
    return name in ("alt", "width", "height", "style") or (name == "src" and value.startswith("data:image/"))


ATTRIBUTES = {"*": ["style", "title", "role", "aria-label", "tabindex", "border", "colspan", "rowspan"]}
ATTRIBUTES["img"] = _attribute_of_image
CLEAN = bleach.Cleaner(TAGS, ATTRIBUTES, {"data"}, strip=True, css_sanitizer=CSSSanitizer())


def safe_outputs(reply):
    """Those of a cell; Malformed things are left out, and said."""
    try:
        return [_safe(output) for output in islice(reply["outputs"], MOST)]
    except (Malformed, LookupError, TypeError, AttributeError):
        return [error("Malformed", "What this cell showed could not be read.")]


def error(name, message):
    """Something that nbgrader and nbconvert show in red."""
    return new_output("error", ename=name, evalue=message, traceback=[message])


def shown(text, html):
    """The value of a cell."""
    return new_output("execute_result", data={"text/plain": text, "text/html": html})


def _safe(output):
    """One output, in nbformat's words; Malformed if it is none."""
    kind = output["output_type"]
    if kind == "stream" and output["name"] in ("stdout", "stderr"):
        return new_output("stream", name=output["name"], text=_text(output["text"]))
    if kind == "error":
        lines = [_text(line) for line in output["traceback"]]
        return new_output("error", ename=_text(output["ename"]), evalue=_text(output["evalue"]), traceback=lines)
    if kind in ("display_data", "execute_result"):
        return new_output(kind, data=_safe_data(output["data"]))
    raise Malformed("an unknown kind of output")


def _safe_data(data):
    found = {"text/plain": _text(data.get("text/plain", ""))}
    found |= {kind: _base64(data[kind]) for kind in IMAGES if kind in data}
    if "text/html" in data:
        found["text/html"] = CLEAN.clean(_text(data["text/html"]))
    elif "image/svg+xml" in data:
        drawn = base64.b64encode(_text(data["image/svg+xml"]).encode()).decode()
        found["text/html"] = f'<img src="data:image/svg+xml;base64,{drawn}">'
    return found


def _base64(x):
    """It stands in a page, between quotes."""
    try:
        return base64.b64encode(base64.b64decode(_text(x))).decode()
    except ValueError:
        raise Malformed("no picture") from None


def _text(x):
    if not isinstance(x, str):
        raise Malformed("no text")
    return x
