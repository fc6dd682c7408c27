"""Find the files that a student handed in: side by side, in folders, or in a zip."""

import codecs
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from .. import archives
from ..wording import cut, listed


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


OF_NBGRADER = ("timestamp.txt", "submission_secret.txt")  # what its exchange lays beside a submission


@dataclass(frozen=True)
class Found:
    """A file that was handed in, with its path from the submission's folder on, or on into a zip, as its name."""

    name: str
    data: bytes

    @property
    def base(self):
        return PurePosixPath(self.name).name


def found_in(folder, mended):
    """Return all files of a folder, without what systems and nbgrader leave there; raise Unfit if there are none.

    The folder is a copy of ours: nothing in it is too large, and whoever made it took no links.
    """
    files = sorted(file for file in Path(folder).rglob("*") if file.is_file() and not file.is_symlink())
    found, zips, left = [], [], archives.MOST_BYTES
    for file in files:
        name = file.relative_to(folder)
        if not archives.is_junk(name) and file.name not in OF_NBGRADER:
            inside = _unpacked(Found(name.as_posix(), file.read_bytes()), zips, left)
            left -= sum(len(each.data) for each in inside)
            found += inside
    if zips:
        mended.append(f"What lies in the zip{'s' * (len(zips) > 1)} {listed(map(cut, zips))} was unpacked.")
    if not found:
        raise Unfit("nothing was handed in")
    return found


def _unpacked(found, zips, left):
    """Return what a zip holds, or else the file itself; raise Unfit beyond `left` bytes. A zip in a zip stays one."""
    if not found.data.startswith(b"PK\x03\x04"):
        return [found]
    inside = []
    try:
        with archives.opened(io.BytesIO(found.data)) as archive:
            for path, entry in archives.members(archive):
                archives.refuse_strange(path, entry)
                data = io.BytesIO()
                left -= archives.unpack(archive, entry, data, most=left)
                inside.append(Found(f"{found.name}/{path}", data.getvalue()))
    except archives.Refused as refused:
        raise Unfit(f"{found.name}: {refused}") from None
    zips.append(found.name)
    return inside
