"""From what a file says to a notebook of today's format: its cells are cells, its outputs are left out."""

import hashlib
import json
import re

import nbformat

from ...grading.strange_files import LARGEST, MOST_PARTS
from ..words import cut
from .text import joined
from .unfit import Unfit

KINDS = ("code", "markdown", "raw")
MOST_CELLS = 5_000
MINOR = 5
GOOD_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def shaped(value, mended):
    """A notebook in nbformat 4.5 without outputs, since cells are run afresh; Unfit if it is none."""
    value = _in_format_4(value, mended)
    cells = value.get("cells")
    if not isinstance(cells, list):
        raise Unfit("it is JSON, but no notebook: it has no cells")
    if len(cells) > MOST_CELLS:
        raise Unfit(f"it has {len(cells):,} cells; the most is {MOST_CELLS:,}")
    notebook = nbformat.from_dict(dict(nbformat=4, nbformat_minor=MINOR, metadata=_dict(value.get("metadata"))))
    notebook.cells = [_cell(cell, mended) for cell in cells if _is_cell(cell, mended)]
    _give_ids(notebook.cells)
    return _that_can_be_written(notebook, mended)


def _in_format_4(value, mended):
    if not isinstance(value, dict):
        raise Unfit("it is JSON, but no notebook")
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


def _refuse_too_much(value):
    """What grading refuses, before anything is made of it, which takes a hundred times as much memory."""
    cells = value["cells"] if isinstance(value.get("cells"), list) else []
    cells = [{k: v for k, v in c.items() if k != "outputs"} if isinstance(c, dict) else c for c in cells]
    text = json.dumps(value | {"cells": cells}, ensure_ascii=False)
    if len(text) > LARGEST or text.count("{") > MOST_PARTS:
        raise Unfit(f"without outputs it is larger than {LARGEST // 2**20} MiB, or has more than {MOST_PARTS:,} parts")


def _upgraded(value):
    try:
        upgraded = nbformat.convert(nbformat.from_dict(value), 4)
    except Exception as error:  # nothing is promised about what a broken one raises
        raise Unfit(f"it is in an old format of notebooks, and broken ({cut(error)})") from None
    for cell in upgraded.cells:
        cell.pop("id", None)  # made by chance
    return upgraded


def _is_cell(value, mended):
    if not isinstance(value, dict):
        mended.append(f"In the place of a cell stood {repr(value)[:40]}: it was left out.")
    return isinstance(value, dict)


def _cell(value, mended):
    """Its parts, and no others; whether they fit is seen when all are there."""
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
    """A cell without an id, or with one that is taken, gets its own: the same one each time."""
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
        mended.append("It holds halves of characters, such as of an emoji: a question mark stands for each.")
        notebook = nbformat.reads(text.encode(errors="replace").decode(), as_version=4)
    if not nbformat.validator.isvalid(notebook):
        mended.append("Notes about cells that break the format were left out.")
        _strip_metadata(notebook)
    return notebook


def _strip_metadata(notebook):
    notebook.metadata = nbformat.from_dict({})
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k == "nbgrader"})
        cell.pop("attachments", None)
    if not nbformat.validator.isvalid(notebook):
        raise Unfit("its format is broken in a way that we cannot mend")


def _dict(value):
    return nbformat.from_dict(value if isinstance(value, dict) else {})


def _once(mended, sentence):
    if sentence not in mended:
        mended.append(sentence)
