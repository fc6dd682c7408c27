"""Bounds on what is handed in: no link is followed, nothing is too large, and no work on it takes too long.

Nothing in a zip may lead out of it, be a link, or unpack without limit.
"""

import io
import lzma
import os
import shutil
import signal
import stat
import zipfile
import zlib
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from pkgutil import resolve_name

from ..failure_messages import FULL
from .wording import cut

MOST = 500  # files and folders: nbgrader's time grows with the square of their number
LARGEST = 20 * 2**20  # bytes of a notebook without its outputs
MOST_PARTS = 100_000  # braces in a notebook: for each pair nbgrader takes some 3 kB of memory, and 0.1 ms
MOST_WORK = 300  # seconds of processor time, after which the process is ended. Most tasks need less than one
MOST_MEMORY = 4 * 2**30  # bytes of the process, beyond which it gets a MemoryError. Most tasks need a tenth of that
MOST_BYTES = 250 * 2**20  # of one submission, unpacked: room for a notebook with 100 MB of output
MOST_FILES = 50_000  # in one zip
MOST_LISTED = 100 * MOST_FILES  # bytes of a zip's table of contents, which takes ten times as much memory
JUNK = {"__MACOSX", ".DS_Store", ".ipynb_checkpoints", "Thumbs.db", "desktop.ini", "__pycache__"}
UTF_8 = 0x800  # the flag of a zip's entry that says so
NO_FOLDER = "{} is {}, and should be a folder: put the folder itself in its place"


class Refused(Exception):
    """An error that says in words why a zip, a file, or a notebook is not taken."""


def folder_is_there(base, inner):
    """Say whether there is such a folder; raise Refused if something on the way to it is a link or a file."""
    place = Path(base)
    for part in inner.parts:
        place /= part
        if place.is_symlink() or place.is_file():
            raise Refused(NO_FOLDER.format(place, "a link" if place.is_symlink() else "a file"))
    return place.is_dir()


def copy_folder(base, inner, target):
    """Copy the folder `inner` of `base`, perhaps a link, to `target`; raise Refused for links or too much in it."""

    def stop(error):  # what lies in a folder that cannot be read would be missing from what is graded
        raise error

    folder_is_there(base, inner)
    folder = Path(base, inner)
    if strange := strangeness(folder):
        raise Refused(strange)
    try:
        for place, _, names in os.walk(folder, onerror=stop):
            here = Path(target, Path(place).relative_to(folder))
            here.mkdir(parents=True)
            for name in names:
                shutil.copyfile(Path(place, name), here / name, follow_symlinks=False)
    except OSError as error:
        if error.errno in FULL:
            raise
        raise Refused(f"{folder} cannot be read ({error.strerror}): see who owns it, and what it is") from None


def strangeness(folder):
    """Return a sentence that says what is wrong with a submission; "" if nothing is."""
    places = [folder, *islice(folder.rglob("*"), MOST + 1)]
    if len(places) > MOST + 1:
        return f"{folder}: a submission holds at most {MOST} files and folders"
    if sum(place.lstat().st_size for place in places) > MOST_BYTES:
        return f"{folder}: a submission has at most {MOST_BYTES // 2**20} MiB"
    return next(filter(None, map(refusal_of, places, places)), "")


def refusal_of(place, shown):
    """Return why a file or folder that is shown as this is not taken; "" if it is."""
    about = place.lstat()
    if stat.S_ISDIR(about.st_mode):
        return ""
    if not stat.S_ISREG(about.st_mode):  # a link may lead to anybody's work
        return f"{shown} is a link, a pipe or a device"
    second = "has a second name elsewhere (a hard link), so it may be somebody else's: put a copy in its place"
    return f"{shown} {second}" if about.st_nlink != 1 else ""


def do(work, *task):
    """Call the function `work`, given as "module:name", with bounded time and memory, and return its result.

    The kernel ends the process after MOST_WORK seconds even while C code runs; on Windows nothing does.
    """
    timed = hasattr(signal, "setitimer")
    try:
        if timed:
            signal.setitimer(signal.ITIMER_PROF, MOST_WORK)
        with bounded_memory():
            return resolve_name(work)(*task)
    finally:
        if timed:
            signal.setitimer(signal.ITIMER_PROF, 0)


@contextmanager
def bounded_memory(most=None):
    """Raise MemoryError where the process would need more bytes, by default MOST_MEMORY; on Windows, set no limit.

    So the task fails, and not whatever else runs on this machine.
    """
    try:
        import resource
    except ImportError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    known = [size for size in (most or MOST_MEMORY, soft, hard) if size != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(known), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


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
    """Open a zip archive, a path or an open file; raise Refused if it cannot be read, or holds too many files."""
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
        path = PurePosixPath(_name_of(entry).replace("\\", "/"))
        if not entry.is_dir() and not is_junk(path):
            yield path, entry


def _name_of(entry):
    """Return a file's name; macOS writes UTF-8 and does not say so, and zipfile then takes it for an old code page."""
    if not entry.flag_bits & UTF_8:
        with suppress(UnicodeError):
            return entry.filename.encode("cp437").decode("utf-8")
    return entry.filename


def is_junk(path):
    """Say whether a path belongs to the junk that systems and tools leave behind, or has no name but a dot."""
    return not path.parts or not JUNK.isdisjoint(path.parts)


def refusal_of_entry(path, entry):
    """Return why an entry of a zip must not be unpacked, before a single byte of it is; "" if it may be."""
    kind, shown = entry.external_attr >> 16, cut(path)
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        return f"{shown} leads out of the zip"
    if stat.S_IFMT(kind) not in (0, stat.S_IFREG):
        return f"{shown} is a link, a pipe or a device"
    if entry.flag_bits & 1:
        return f"{shown} is locked with a password"
    too_large = f"{shown} unpacks to {entry.file_size / 2**20:,.0f} MB; the most is {MOST_BYTES // 2**20} MB"
    return too_large if entry.file_size > MOST_BYTES else ""


def unpacked(file, most):
    """Yield (path, bytes) for every file in a zip; raise Refused for what may not be unpacked, or beyond `most`."""
    with opened(file) as archive:
        for path, entry in members(archive):
            if refusal := refusal_of_entry(path, entry):
                raise Refused(refusal)
            data = io.BytesIO()
            most -= unpack(archive, entry, data, most)
            yield path, data.getvalue()


def unpack(archive, entry, file, most=MOST_BYTES):
    """Write an entry to an open file, and return its size; raise Refused beyond `most` bytes, whatever it states."""
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
