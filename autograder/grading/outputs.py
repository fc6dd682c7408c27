"""Make what a worker's cells have shown safe for pages that an instructor opens: text, and pictures of pixels."""

import base64
from itertools import islice

from nbformat import from_dict

from .pages import broken, fits
from .port.frames import Malformed

MOST = 1000  # outputs of a cell
IMAGES = ("image/png", "image/jpeg")  # in base64


def safe_outputs(reply):
    """Return a cell's outputs; what is Malformed is left out, and a sentence says so."""
    try:
        return [_safe(output) for output in islice(reply.outputs, MOST)]
    except Exception:  # whatever is to be had of things that a stranger described
        return [error("Malformed", "What this cell showed could not be read.")]


def error(name, message):
    """Make an output that nbgrader and nbconvert show in red."""
    return _output("error", ename=name, evalue=message, traceback=[message])


def text(words):
    """Make an output of what a cell has printed."""
    return _output("stream", name="stdout", text=words)


def shown(text, html, **metadata):
    """Make an output of a cell's value."""
    data = {"text/plain": text, "text/html": html}
    return _output("execute_result", data=data, metadata=metadata, execution_count=None)


def _output(kind, **parts):
    """Make an output without validation: the whole notebook is validated later."""
    return from_dict({"output_type": kind, **parts})


def _safe(output):
    """Return one output in nbformat's words, or raise Malformed."""
    kind = output["output_type"]
    if kind == "stream" and output["name"] in ("stdout", "stderr"):
        return _output("stream", name=output["name"], text=_text(output["text"]))
    if kind == "error":
        lines = [_text(line) for line in output["traceback"]]
        return _output("error", ename=_text(output["ename"]), evalue=_text(output["evalue"]), traceback=lines)
    if kind in ("display_data", "execute_result"):
        words = {"text/plain": _text(output["data"].get("text/plain", ""))}
        counted = {"execution_count": None} if kind == "execute_result" else {}
        return _output(kind, data=_pictures(output["data"]) | words, metadata={}, **counted)
    raise Malformed("an unknown kind of output")


def _pictures(data):
    return {kind: written for kind in IMAGES if kind in data and (written := _picture(data[kind]))}


def _picture(x):
    """Return a picture in base64, as a page has it between quotes; None if it is too large for a browser."""
    try:
        picture = base64.b64decode(_text(x))
    except ValueError:
        raise Malformed("no picture") from None
    return base64.b64encode(picture).decode() if fits(picture) else None


def _text(x):
    if not isinstance(x, str):
        raise Malformed("no text")
    return broken(x)
