"""Read zips from outside safely: nothing in them may lead out of them, be a link, or unpack without limit."""

import io
import lzma
import stat
import zipfile
import zlib
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath

from .wording import cut

MOST_BYTES = 250 * 2**20  # of one submission, unpacked: room for a notebook with 100 MB of output
MOST_FILES = 50_000  # in one zip
MOST_LISTED = 100 * MOST_FILES  # bytes of a zip's table of contents, which takes ten times as much memory
JUNK = {"__MACOSX", ".DS_Store", ".ipynb_checkpoints", "Thumbs.db", "desktop.ini", "__pycache__"}


class Refused(Exception):
    """An error that says in words why a zip, a file, or a notebook is not taken."""


class _Reader(io.BufferedReader):
    """A reader of a zip archive's file that refuses a table of contents which is too large.

    zipfile reads the table in one go, and believes the size that the archive states.
    """

    def read(self, size=-1):
        if size > MOST_LISTED:
            raise Refused(f"its table of contents has {size:,} bytes; the most is {MOST_LISTED:,}")
        return super().read(size)


@contextmanager
def opened(file):
    """Open a zip archive; raise Refused if it cannot be read, or holds too many files.

    file: a path, or an open file, which is closed together with the archive.
    """
    with ExitStack() as stack:
        try:
            raw = io.FileIO(file) if isinstance(file, (str, Path)) else file
            archive = zipfile.ZipFile(stack.enter_context(_Reader(raw)))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
            raise Refused(f"it is not a zip that can be read ({error})") from None
        if len(archive.infolist()) > MOST_FILES:
            raise Refused(f"it holds {len(archive.infolist()):,} files; the most is {MOST_FILES:,}")
        yield archive


def members(archive):
    """Yield (path, entry) for every file in the archive, except the junk that systems and tools leave there."""
    for entry in archive.infolist():
        path = PurePosixPath(entry.filename.replace("\\", "/"))
        if not entry.is_dir() and not is_junk(path):
            yield path, entry


def is_junk(path):
    """Say whether a path belongs to the junk that systems and tools leave behind, or has no name but a dot."""
    return not path.parts or not JUNK.isdisjoint(path.parts)


def refuse_strange(path, entry):
    """Raise Refused for an entry that must not be unpacked, before a single byte of it is."""
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
    """Write an entry to an open file, and return its size.

    Raise Refused if it has more than `most` bytes, whatever size the archive states.
    """
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
