"""Turn what a file holds into a notebook of today's format: its cells are cells, and its outputs are left out."""

import hashlib
import json
import re

import nbformat
from nbformat.v3.rwbase import rejoin_lines

from ..bounds import LARGEST, MOST_PARTS
from ..safe_files import Refused
from ..wording import cut

MOST_BRACKETS = 5_000_000  # in a file, also in its outputs: as many as fit into memory
MOST_COMMAS = 2 * MOST_BRACKETS  # each item of a list may take 100 bytes of memory
KINDS = ("code", "markdown", "raw")
MOST_CELLS = 5_000
MINOR = 5
GOOD_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
AS_WRITTEN = json.JSONEncoder(indent=1, ensure_ascii=False)  # as nbformat writes it
DEEPEST = 100
TOO_DEEP = "\n" + " " * (DEEPEST + 1)  # begins a line that is too deep; within a text, line breaks are escaped
A_LINE = len('    "",\n')  # what a line adds where a cell's text is written as a list of lines
LINE_ENDS = [AS_WRITTEN.encode(end)[1:-1] for end in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"]  # of str.splitlines
LOWEST_HEADING = 6  # nbformat writes as many # as a level says, even billions
TOO_MUCH = f"without outputs it is larger than {LARGEST // 2**20} MiB, or has more than {MOST_PARTS:,} parts"
STRANGE_NOTES = "Notes about cells that break the format were left out."


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
    """Return a notebook in nbformat 4.5 without outputs, since cells are run afresh; raise Refused if it is none."""
    value = _in_format_4(value, mended)
    cells = value.get("cells")
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise Refused("it is JSON, but no notebook: it has no cells, or other things among them")
    if len(cells) > MOST_CELLS:
        raise Refused(f"it has {len(cells):,} cells; the most is {MOST_CELLS:,}")
    notebook = nbformat.from_dict(dict(nbformat=4, nbformat_minor=MINOR, metadata=_dict(value.get("metadata"))))
    notebook.cells = [_cell(cell, mended) for cell in cells]
    _give_ids(notebook.cells)
    return _that_can_be_written(notebook, mended)


def _in_format_4(value, mended):
    if not isinstance(value, dict):
        raise Refused("it is JSON, but no notebook")
    value = _bare(value, mended)
    _refuse_too_much(value)
    major, minor = value.get("nbformat", 4), value.get("nbformat_minor", 0)
    if major in (1, 2, 3) or "worksheets" in value:
        mended.append(f"It was in the old format {major} of notebooks: it is in format 4 now.")
        return _upgraded(value)
    if major != 4:
        raise Refused(f"it is in the format {cut(repr(major))} of notebooks, which we cannot read: ask for format 4")
    if isinstance(minor, int) and minor > MINOR:
        mended.append(f"It was in format 4.{cut(minor)}, newer than what we know: it was read as 4.{MINOR}.")
    return value


def _bare(part, mended):
    """Return a notebook, or a sheet or cell of one, without outputs, which are not even looked at.

    Tags that are not texts go: nbformat makes a set of them first, which takes hours for some numbers.
    """
    if not isinstance(part, dict):
        return part
    metadata = part.get("metadata")
    tags = metadata.get("tags", []) if isinstance(metadata, dict) else []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        del metadata["tags"]
        _once(mended, STRANGE_NOTES)
    inner = {name: part[name] for name in ("worksheets", "cells") if isinstance(part.get(name), list)}
    bare = part | {name: [_bare(each, mended) for each in parts] for name, parts in inner.items()}
    if isinstance(part.get("level"), int):
        bare["level"] = min(part["level"], LOWEST_HEADING)
    return bare | {"outputs": []} if "outputs" in part else bare


def _refuse_too_much(value):
    """Raise Refused for what grading refuses, before a notebook is made of it.

    That would take a hundred times as much memory.
    The size is measured as nbformat writes it: a line for each thing, with more blanks the deeper it is.
    """
    size = parts = 0
    for piece in AS_WRITTEN.iterencode(value):
        size += len(piece.encode(errors="replace")) + A_LINE * _lines(piece)
        parts += piece.count("{") + piece.count("[")
        if size > LARGEST or parts > MOST_PARTS:
            raise Refused(TOO_MUCH)
        if TOO_DEEP in piece:
            raise Refused(f"its parts nest more than {DEEPEST} deep")


def _lines(piece):
    """Count the line ends at which nbformat cuts a text; most of millions of pieces need not be searched for them."""
    return sum(map(piece.count, LINE_ENDS)) if "\\" in piece or not piece.isascii() else 0


def _upgraded(value):
    try:
        old = nbformat.from_dict(value)
        upgraded = nbformat.convert(rejoin_lines(old) if "worksheets" in old else old, 4)
    except Exception as error:  # a broken notebook may raise anything
        raise Refused(f"it is in an old format of notebooks, and broken ({cut(error)})") from None
    _refuse_too_much(upgraded)
    for cell in upgraded.cells:
        cell.pop("id", None)  # a random one
    return upgraded


def _cell(value, mended):
    """Return a cell with its known parts, and no others; whether they fit is checked when all cells are there.

    Of lines that end as on Windows, nbgrader would find that a locked cell had been changed.
    """
    kind, attachments = value.get("cell_type"), value.get("attachments")
    if kind not in KINDS:
        _once(mended, f"Cells of an unknown kind, {str(kind)[:20]!r}, are kept as plain text.")
        kind = "raw"
    text = value.get("source")
    text = "".join(map(str, text)) if isinstance(text, list) else str(text or "")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    cell = dict(id=str(value.get("id")), cell_type=kind, metadata=_dict(value.get("metadata")), source=text)
    if kind == "code":
        cell |= dict(execution_count=None, outputs=[])
    elif isinstance(attachments, dict):
        cell["attachments"] = attachments
    return nbformat.from_dict(cell)


def _give_ids(cells):
    """Give a cell without a valid id, or with one that is taken, its own: the same one each time."""
    seen = set()
    for number, cell in enumerate(cells):
        if not GOOD_ID.fullmatch(cell.id) or cell.id in seen or cell.id == "None":
            cell.id = hashlib.sha256(f"{number} {cell.source}".encode(errors="replace")).hexdigest()[:12]
        seen.add(cell.id)


def _that_can_be_written(notebook, mended):
    text = json.dumps(notebook, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        notebook = nbformat.from_dict(json.loads(text.encode(errors="replace")))
        mended.append("It held half a character, such as of an emoji: there is a ? in its place now.")
    if nbformat.validator.isvalid(notebook):
        return notebook
    _once(mended, STRANGE_NOTES)
    notebook.metadata = _dict({})
    for cell in notebook.cells:
        cell.metadata = _dict({k: v for k, v in cell.metadata.items() if k == "nbgrader"})
        cell.pop("attachments", None)
    if not nbformat.validator.isvalid(notebook):
        raise Refused("its format is broken in a way that we cannot repair")
    return notebook


def _dict(value):
    return nbformat.from_dict(value if isinstance(value, dict) else {})


def _once(mended, sentence):
    if sentence not in mended:
        mended.append(sentence)
