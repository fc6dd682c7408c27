"""Turn what a file says into a notebook of today's format: its cells are cells, and its outputs are left out."""

import hashlib
import json
import re

import nbformat
from nbformat.v3.rwbase import rejoin_lines

from ..taking import LARGEST, MOST_PARTS
from ..wording import cut, listed
from .finding import Unfit, joined

KINDS = ("code", "markdown", "raw")
MOST_CELLS = 5_000
MINOR = 5
GOOD_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
AS_WRITTEN = json.JSONEncoder(indent=1, ensure_ascii=False)  # as nbformat writes it
DEEPEST = 100
TOO_DEEP = "\n" + " " * (DEEPEST + 1)  # begins a line that is too deep; within a text, line breaks are escaped
A_LINE = len('    "",\n')  # what a line adds where a cell's text is written as a list of lines
LINE_ENDS = [AS_WRITTEN.encode(end)[1:-1] for end in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"]  # of str.splitlines
LOWEST_HEADING = 6
STRANGE_NOTES = "Notes about cells that break the format were left out."
TOO_MUCH = f"without outputs it is larger than {LARGEST // 2**20} MiB, or has more than {MOST_PARTS:,} parts"


def shaped(value, mended):
    """Return a notebook in nbformat 4.5 without outputs, since cells are run afresh; raise Unfit if it is none."""
    value = _in_format_4(value, mended)
    cells = value.get("cells")
    if not isinstance(cells, list):
        raise Unfit("it is JSON, but no notebook: it has no cells")
    if len(cells) > MOST_CELLS:
        raise Unfit(f"it has {len(cells):,} cells; the most is {MOST_CELLS:,}")
    notebook = nbformat.from_dict(dict(nbformat=4, nbformat_minor=MINOR, metadata=_dict(value.get("metadata"))))
    if others := [cut(repr(cell), 40) for cell in cells if not isinstance(cell, dict)]:
        mended.append(f"In place of cells came {listed(others)}: left out.")
    notebook.cells = [_cell(cell, mended) for cell in cells if isinstance(cell, dict)]
    _give_ids(notebook.cells)
    return _that_can_be_written(notebook, mended)


def _in_format_4(value, mended):
    if not isinstance(value, dict):
        raise Unfit("it is JSON, but no notebook")
    value = _bare(value, mended)
    _refuse_too_much(value)
    major, minor = value.get("nbformat", 4), value.get("nbformat_minor", 0)
    if major in (1, 2, 3) or "worksheets" in value:
        mended.append(f"It was in the old format {major} of notebooks: it is in format 4 now.")
        return _upgraded(value)
    if major != 4:
        raise Unfit(f"it is in the format {cut(repr(major))} of notebooks, which we cannot read: ask for format 4")
    if isinstance(minor, int) and minor > MINOR:
        mended.append(f"It was in format 4.{cut(minor)}, newer than what we know: it was read as 4.{MINOR}.")
    return value


def _bare(part, mended):
    """Return a notebook, or a sheet or cell of one, without outputs, which are not even looked at."""
    if not isinstance(part, dict):
        return part
    _drop_strange_tags(part.get("metadata"), mended)
    inner = {name: part[name] for name in ("worksheets", "cells") if isinstance(part.get(name), list)}
    bare = {name: [_bare(each, mended) for each in parts] for name, parts in inner.items()}
    return part | bare | ({"outputs": []} if "outputs" in part else {})


def _drop_strange_tags(metadata, mended):
    """Remove tags that are not texts: nbformat makes a set of them first, which takes hours for some numbers."""
    tags = metadata.get("tags", []) if isinstance(metadata, dict) else []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        del metadata["tags"]
        _once(mended, STRANGE_NOTES)


def _refuse_too_much(value):
    """Raise Unfit for what grading refuses, before a notebook is made of it.

    That would take a hundred times as much memory.
    The size is measured as nbformat writes it: a line for each thing, with more blanks the deeper it is.
    """
    size = parts = 0
    for piece in AS_WRITTEN.iterencode(value):
        size += len(piece.encode(errors="replace")) + A_LINE * _lines(piece)
        parts += piece.count("{") + piece.count("[")
        if size > LARGEST or parts > MOST_PARTS:
            raise Unfit(TOO_MUCH)
        if TOO_DEEP in piece:
            raise Unfit(f"its parts nest more than {DEEPEST} deep")


def _lines(piece):
    """Count the line ends at which nbformat cuts a text; most of millions of pieces need not be searched for them."""
    return sum(map(piece.count, LINE_ENDS)) if "\\" in piece or not piece.isascii() else 0


def _upgraded(value):
    try:
        for sheet in value.get("worksheets", ()):
            _lower_headings(sheet)
        old = nbformat.from_dict(value)
        upgraded = nbformat.convert(rejoin_lines(old) if "worksheets" in old else old, 4)
    except Exception as error:  # a broken notebook may raise anything
        raise Unfit(f"it is in an old format of notebooks, and broken ({cut(error)})") from None
    _refuse_too_much(upgraded)
    for cell in upgraded.cells:
        cell.pop("id", None)  # a random one
    return upgraded


def _lower_headings(sheet):
    """Limit the levels of headings: nbformat writes as many # as a level says, even billions."""
    for cell in sheet.get("cells") or () if isinstance(sheet, dict) else ():
        if isinstance(cell, dict) and isinstance(cell.get("level"), int):
            cell["level"] = min(cell["level"], LOWEST_HEADING)


def _cell(value, mended):
    """Return a cell with its known parts, and no others; whether they fit is checked when all cells are there."""
    kind, attachments = value.get("cell_type"), value.get("attachments")
    if kind not in KINDS:
        _once(mended, f"Cells of an unknown kind, {str(kind)[:20]!r}, are kept as plain text.")
        kind = "raw"
    cell = dict(id=str(value.get("id")), cell_type=kind, metadata=_dict(value.get("metadata")))
    cell["source"] = _source(value.get("source"), mended)
    if kind == "code":
        cell |= dict(execution_count=None, outputs=[])
    elif isinstance(attachments, dict):
        cell["attachments"] = attachments
    return nbformat.from_dict(cell)


def _source(source, mended):
    text = str(joined(source) or "")
    if "\r" in text:
        _once(mended, "Lines ended as on Windows: they end plainly now.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _give_ids(cells):
    """Give a cell without a valid id, or with one that is taken, its own: the same one each time."""
    seen = set()
    for number, cell in enumerate(cells):
        if not GOOD_ID.fullmatch(cell.id) or cell.id in seen or cell.id == "None":
            cell.id = hashlib.sha256(f"{number} {cell.source}".encode(errors="replace")).hexdigest()[:12]
        seen.add(cell.id)


def _that_can_be_written(notebook, mended):
    try:
        json.dumps(notebook, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Unfit("it holds half a character, such as of an emoji: ask for it without") from None
    if nbformat.validator.isvalid(notebook):
        return notebook
    _once(mended, STRANGE_NOTES)
    notebook.metadata = _dict({})
    for cell in notebook.cells:
        cell.metadata = _dict({k: v for k, v in cell.metadata.items() if k == "nbgrader"})
        cell.pop("attachments", None)
    if not nbformat.validator.isvalid(notebook):
        raise Unfit("its format is broken in a way that we cannot repair")
    return notebook


def _dict(value):
    return nbformat.from_dict(value if isinstance(value, dict) else {})


def _once(mended, sentence):
    if sentence not in mended:
        mended.append(sentence)
