"""Zips. Of strangers: nothing in them leads out of them, is a link, or unpacks without an end. Of ours: made whole."""

import io
import lzma
import stat
import zipfile
import zlib
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath

from .whole_files import whole
from .wording import cut

MOST_BYTES = 250 * 2**20  # of one submission, unpacked: a notebook with 100 MB of output has room in it
MOST_PARTS = 5_000_000  # braces and brackets in a notebook, printed ones too: as many as memory has room for
MOST_COMMAS = 2 * MOST_PARTS  # in a notebook: what stands in a list may take 100 bytes of memory each
MOST_FILES = 50_000  # in one zip
MOST_LISTED = 100 * MOST_FILES  # bytes of a zip's table of contents: it takes ten times as much memory
JUNK = {"__MACOSX", ".DS_Store", ".ipynb_checkpoints", "Thumbs.db", "desktop.ini", "__pycache__"}


class Refused(Exception):
    """What is wrong with a file in a zip, or with the zip, in words."""


class _Reader(io.BufferedReader):
    """Of a zip's file: zipfile reads the table of contents in one go, as long as the zip says that it is."""

    def read(self, size=-1):
        if size > MOST_LISTED:
            raise Refused(f"its table of contents has {size:,} bytes; the most is {MOST_LISTED:,}")
        return super().read(size)


@contextmanager
def opened(file):
    """The zip, or Refused. file: a path, or a file that is open, which is closed with the zip."""
    with ExitStack() as stack:
        try:
            raw = io.FileIO(file) if isinstance(file, (str, Path)) else file
            archive = zipfile.ZipFile(stack.enter_context(_Reader(raw)))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
            raise Refused(f"it is no zip that can be read ({error})") from None
        if len(archive.infolist()) > MOST_FILES:
            raise Refused(f"it holds {len(archive.infolist()):,} files; the most is {MOST_FILES:,}")
        yield archive


def members(archive):
    """(path, entry) for every file in it, but not for what a computer leaves there."""
    for entry in archive.infolist():
        path = PurePosixPath(entry.filename.replace("\\", "/"))
        if not entry.is_dir() and not is_junk(path):
            yield path, entry


def is_junk(path):
    """Also a file that has no name but a dot."""
    return not path.parts or not JUNK.isdisjoint(path.parts)


def refuse_strange(path, entry):
    """Raise Refused for what should not be unpacked, before a byte of it is."""
    kind, shown = entry.external_attr >> 16, cut(path)
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        raise Refused(f"{shown} leads out of the zip")
    if stat.S_IFMT(kind) not in (0, stat.S_IFREG):
        raise Refused(f"{shown} is a link, a pipe or a device")
    if entry.flag_bits & 1:
        raise Refused(f"{shown} is locked with a password")
    if entry.file_size > MOST_BYTES:
        raise Refused(f"{shown} unpacks to {entry.file_size / 2**20:,.0f} MB; the most is {MOST_BYTES // 2**20} MB")


def unpack(archive, entry, file, most=MOST_BYTES):
    """Write an entry to a file that is open; never more than this, whatever the zip says of its size."""
    written = 0
    for chunk in _chunks(archive, entry):
        written += len(chunk)
        if written > most:
            raise Refused(f"it unpacks to more than {MOST_BYTES // 2**20} MB")
        file.write(chunk)
    return written


def _chunks(archive, entry):
    try:
        with archive.open(entry) as source:
            while chunk := source.read(2**20):
                yield chunk
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, OSError) as error:
        raise Refused(f"{cut(entry.filename)} is damaged in the zip ({error})") from None


def pack(files, to, *inputs):
    """Make a zip of files: name in the zip -> where it lies."""
    with whole(to, *inputs) as new, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in files.items():
            archive.write(file, name)
