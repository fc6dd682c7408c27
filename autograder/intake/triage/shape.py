"""Turn what a file holds into a notebook of today's format: of each cell what it says, and what nbgrader has noted.

Outputs and all other notes are not even looked at, and may be as large and as deep as they like.
"""

import hashlib
import json
import re
from types import NoneType

import nbformat
from nbformat.v3.rwbase import rejoin_lines

from ..bounds import LARGEST, MOST_PARTS, Refused
from ..wording import cut

MOST_BRACKETS = 5_000_000  # in a file, also in its outputs: as many as fit into memory
MOST_COMMAS = 2 * MOST_BRACKETS  # each item of a list may take 100 bytes of memory
KINDS = ("code", "markdown", "raw")
MOST_CELLS = 5_000
GOOD_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
A_LINE = len('    "",\n')  # what a line adds where a cell's text is written as a list of lines
LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # of str.splitlines, with which nbformat makes that list
LOWEST_HEADING = 6  # nbformat writes as many # as a level says, even billions
TOO_MUCH = f"without outputs it is larger than {LARGEST // 2**20} MiB, or has more than {MOST_PARTS:,} parts"


def parsed(data, mended):
    """Return what the JSON in a file says; raise Refused if there is none, or only half of it."""
    if data.count(b"{") + data.count(b"[") > MOST_BRACKETS or data.count(b",") > MOST_COMMAS:
        raise Refused(f"the file has more than {MOST_BRACKETS:,} parts: ask for it without outputs")
    try:
        text = data.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise Refused("the file is not written in UTF-8, as JupyterLab saves it: ask for the .ipynb file") from None
    value, rest = _first_value(text)
    if rest.startswith(("{", "[")):
        raise Refused("the file holds one notebook after another: ask which of them counts")
    if rest:
        mended.append(f"After the end of the notebook came {len(rest)} more characters: they were left out.")
    return value


def _first_value(text):
    """Return the first JSON value in a text, and what follows it; raise Refused if there is no value."""
    if not text.strip("\0"):
        raise Refused("the file is empty")
    if re.search(r"^<<<<<<< ", text, re.MULTILINE):
        raise Refused("git left a conflict in it: ask for the notebook without one")
    try:
        value, end = json.JSONDecoder().raw_decode(text)
        return value, text[end:].strip(" \n\r\t\0")
    except json.JSONDecodeError as error:
        raise Refused(_why_not(text, error)) from None
    except (RecursionError, ValueError):
        raise Refused("the file is JSON that nests too deep, or holds a number that is too long") from None


def _why_not(text, error):
    if text[:500].lower().startswith(("<!doctype", "<html")):
        return "it is a web page in place of a notebook: ask for the .ipynb file"
    before, after = text[: error.pos + 1].rstrip("}] \r\n\t"), text[error.pos :].lstrip(", \r\n\t")
    is_comma = before.endswith(",") and after.startswith(("}", "]"))
    if text.startswith("{") and not is_comma and (error.msg.startswith("Unterminated") or error.pos >= len(text) - 1):
        return "the file ends in the middle, as if it was cut off: ask for it again"
    why = "a trailing comma: take it away" if is_comma else error.msg
    return f"the file is not JSON, so not a notebook ({why}, line {error.lineno})"


def shaped(value, mended):
    """Return a notebook in nbformat 4.5 of the cells' texts, pictures and marks; raise Refused if it is none.

    It is measured before it is made, which would take a hundred times as much memory.
    """
    cells = _cells_of(value, mended)
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise Refused("it is JSON, but no notebook: it has no cells, or other things among them")
    if len(cells) > MOST_CELLS:
        raise Refused(f"it has {len(cells):,} cells; the most is {MOST_CELLS:,}")
    cells = list(map(_cell, cells))
    _give_ids(cells)
    text = json.dumps(cells, ensure_ascii=False)
    written = text.encode(errors="replace")
    lines = sum(cell["source"].count(end) for cell in cells for end in LINE_ENDS)
    if len(written) + A_LINE * lines > LARGEST or written.count(b"{") > MOST_PARTS:
        raise Refused(TOO_MUCH)
    if written.decode() != text:
        mended.append("It held half a character, such as of an emoji: there is a ? in its place now.")
    return nbformat.from_dict(dict(nbformat=4, nbformat_minor=5, metadata={}, cells=json.loads(written)))


def _cells_of(value, mended):
    if not isinstance(value, dict):
        raise Refused("it is JSON, but no notebook")
    major = value.get("nbformat", 4)
    if major in (1, 2, 3) or "worksheets" in value:
        mended.append(f"It was in the old format {major} of notebooks: it is in format 4 now.")
        return _upgraded(value)
    if major != 4:
        raise Refused(f"it is in the format {cut(repr(major))} of notebooks, which we cannot read: ask for format 4")
    return value.get("cells")


def _upgraded(value):
    """Return the cells of a notebook in an old format."""
    try:
        sheets = [{"cells": list(map(_bare, sheet["cells"]))} for sheet in value.get("worksheets", [value])]
        bare = {"worksheets": sheets} if "worksheets" in value else sheets[0]
        old = nbformat.from_dict(dict(nbformat=value.get("nbformat", 3), nbformat_minor=0, metadata={}, **bare))
        cells = nbformat.convert(rejoin_lines(old) if "worksheets" in old else old, 4).cells
        return [cell | dict(id=None) for cell in cells]  # nbformat drew them at random
    except Exception as error:  # a broken notebook may raise anything
        raise Refused(f"it is in an old format of notebooks, and broken ({cut(error)})") from None


def _bare(cell):
    """Return of a cell in an old format what we read: nbformat would look at all of it."""
    bare = {name: cell[name] for name in ("cell_type", "input", "code", "source", "text") if name in cell}
    if isinstance(cell.get("level"), int):
        bare["level"] = min(cell["level"], LOWEST_HEADING)
    return bare | {"metadata": _marks(cell), "outputs": []}


def _cell(value):
    """Return of a cell what it says, what is attached, and nbgrader's marks.

    Of lines that end as on Windows, nbgrader would find that a locked cell had been changed.
    """
    kind, attachments = value.get("cell_type"), value.get("attachments")
    kind = kind if kind in KINDS else "raw"
    text = value.get("source")
    text = "".join(map(str, text)) if isinstance(text, list) else str(text or "")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    cell = dict(id=str(value.get("id")), cell_type=kind, metadata=_marks(value), source=text)
    if kind == "code":
        cell |= dict(execution_count=None, outputs=[])
    elif isinstance(attachments, dict):
        bundles = {name: bundle for name, bundle in attachments.items() if isinstance(bundle, dict)}
        cell["attachments"] = {name: _of_kind(str, bundle) for name, bundle in bundles.items()}
    return cell


def _marks(cell):
    """Return a cell's metadata with nothing but nbgrader's marks."""
    match cell:
        case {"metadata": {"nbgrader": dict() as marks}}:
            return {"nbgrader": _of_kind((str, int, float, NoneType), marks)}
    return {}


def _of_kind(kinds, parts):
    return {name: part for name, part in parts.items() if isinstance(part, kinds)}


def _give_ids(cells):
    """Give a cell without a valid id, or with one that is taken, its own: the same one each time."""
    seen = set()
    for number, cell in enumerate(cells):
        if not GOOD_ID.fullmatch(cell["id"]) or cell["id"] in seen or cell["id"] == "None":
            cell["id"] = hashlib.sha256(f"{number} {cell['source']}".encode(errors="replace")).hexdigest()[:12]
        seen.add(cell["id"])
