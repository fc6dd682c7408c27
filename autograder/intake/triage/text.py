"""From the bytes of a file to what its JSON says."""

import json
import re

from .. import archives
from .unfit import Unfit

MOST_IN_CONFLICT = 20 * 2**20  # characters: both sides are read, each line of them may be short
MARKERS = {"<<<<<<<": "mine", "|||||||": "base", "=======": "theirs", ">>>>>>>": "outside"}  # of git, in columns 1 to 7


def parsed(data, mended):
    """What the JSON in a file says; Unfit if there is none, or half of it."""
    if data.count(b"{") + data.count(b"[") > archives.MOST_PARTS or data.count(b",") > archives.MOST_COMMAS:
        raise Unfit(f"the file has more than {archives.MOST_PARTS:,} parts: ask for it without outputs")
    text = _decoded(data, mended)
    if not text.strip("\0"):
        raise Unfit("the file is empty")
    if re.search(r"^<<<<<<< ", text, re.MULTILINE):
        return _of_both_sides(text, mended)
    value, rest = _first_value(text)
    if rest.startswith(("{", "[")):
        raise Unfit("the file holds one notebook after another: ask which of them counts")
    if rest:
        mended.append(f"After the end of the notebook stood {len(rest)} more characters: they were left out.")
    return value


def _decoded(data, mended):
    encoding = json.detect_encoding(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        encoding, text = "Windows-1252", _in_western_letters(data)
    if encoding != "utf-8":
        mended.append(f"The file was written as {encoding}: it is plain UTF-8 now.")
    return text.strip()


def _in_western_letters(data):
    try:
        if b"\0" in data:
            raise Unfit("the file is no text")
        return data.decode("cp1252")
    except UnicodeDecodeError:
        raise Unfit("the file is no text, or in letters that we cannot read") from None


def _first_value(text):
    """And what stands after it."""
    try:
        value, end = json.JSONDecoder().raw_decode(text)
        return value, text[end:].strip(" \n\r\t\0")
    except json.JSONDecodeError as error:
        raise Unfit(_why_not(text, error)) from None
    except (RecursionError, ValueError):
        raise Unfit("the file is JSON that nests too deep, or holds a number that is too long") from None


def _why_not(text, error):
    if text[:500].lstrip().lower().startswith(("<!doctype", "<html")):
        return "it is a web page in place of a notebook: ask for the .ipynb file"
    if text.startswith("{") and (error.msg.startswith("Unterminated") or error.pos >= len(text) - 1):
        return "the file ends in the middle, as if it was cut off: ask for it once more"
    return f"the file is no JSON, so no notebook ({error.msg}, line {error.lineno})"


def _of_both_sides(text, mended):
    """Git has left two versions: one of them is enough if nobody wrote anything in the other."""
    if len(text) > MOST_IN_CONFLICT:
        megabytes = f"{len(text) / 2**20:,.0f} MB; the most is {MOST_IN_CONFLICT // 2**20} MB"
        raise Unfit(f"git left a conflict in {megabytes}: ask for it without outputs")
    mine, theirs = (_first_value(_side(text, side).strip())[0] for side in ("mine", "theirs"))
    if _written(mine) != _written(theirs):
        raise Unfit("git left a conflict in it, and what is written differs: ask which version counts")
    mended.append("Git had left a conflict in the file, and not in what is written: it was taken out.")
    return mine


def _side(text, side):
    """What stands outside of all conflicts, and on this side of them."""
    kept, now = [], None
    for line in text.split("\n"):  # as git does
        begins = MARKERS.get(line[:7])
        if begins:
            now = begins if begins != "outside" else None
        elif now in (None, side):
            kept.append(line)
    return "\n".join(kept)


def _written(value):
    """What a learner wrote: not the outputs, the numbers of runs, the marks."""
    cells = value.get("cells") if isinstance(value, dict) else None
    if not isinstance(cells, list):
        raise Unfit("git left a conflict in it that we cannot take out")
    return [(cell.get("cell_type"), joined(cell.get("source"))) for cell in cells if isinstance(cell, dict)]


def joined(source):
    return "".join(map(str, source)) if isinstance(source, list) else source
