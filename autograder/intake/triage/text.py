"""Read what the JSON in the bytes of a file says."""

import codecs
import json
import re

from .. import archives


def parsed(data, mended):
    """Return what the JSON in a file says; raise Unfit if there is none, or only half of it."""
    if data.count(b"{") + data.count(b"[") > archives.MOST_PARTS or data.count(b",") > archives.MOST_COMMAS:
        raise Unfit(f"the file has more than {archives.MOST_PARTS:,} parts: ask for it without outputs")
    text = _decoded(data, mended)
    if not text.strip("\0"):
        raise Unfit("the file is empty")
    if re.search(r"^<<<<<<< ", text, re.MULTILINE):
        raise Unfit("git left a conflict in it: ask for the notebook without one")
    value, rest = _first_value(text)
    if rest.startswith(("{", "[")):
        raise Unfit("the file holds one notebook after another: ask which of them counts")
    if rest:
        mended.append(f"After the end of the notebook came {len(rest)} more characters: they were left out.")
    return value


def _decoded(data, mended):
    """Return the text of a file in UTF-8, with or without a byte order mark."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unfit("the file is not written in UTF-8, as JupyterLab saves it: ask for the .ipynb file") from None
    if data.startswith(codecs.BOM_UTF8):
        mended.append("The file began with a byte order mark: it was left out.")
    return text.strip()


def _first_value(text):
    """Return the first JSON value in a text, and what follows it; raise Unfit if there is no value."""
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
        return "the file ends in the middle, as if it was cut off: ask for it again"
    return f"the file is not JSON, so not a notebook ({error.msg}, line {error.lineno})"


def joined(source):
    return "".join(map(str, source)) if isinstance(source, list) else source


class Unfit(Exception):
    """An error that says why a file is not graded, in words for whoever collects it."""
