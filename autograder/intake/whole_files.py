"""Write files, zips and folders that appear whole or not at all.

A kill while we write leaves either the old file or the new one; of a folder it leaves a hidden part.
"""

import os
import shutil
import stat
import zipfile
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from time import localtime

import click

from ..failure_messages import AGAIN, Told

HALF = "half_made"  # in a folder, what is not whole yet


@contextmanager
def whole(to, *inputs):
    """Yield a path to write to, which becomes `to` when all is well; raise Told if it cannot be written.

    inputs: the files that are read, which must not be overwritten.
    """
    to = Path(to)
    if any(to.exists() and to.samefile(file) for file in inputs):
        raise click.ClickException(f"{to} is what is read here: give another name after --to, and it stays as it is.")
    new = to.with_name(f".{to.name}.{os.getpid()}")
    try:
        yield new
        os.replace(new, to)
    except OSError as error:
        advice = "Nothing of it was changed: see whether there is room, and whether you may write there"
        raise Told(f"{to} could not be written ({error.strerror}). {advice}, {AGAIN}") from None
    finally:
        new.unlink(missing_ok=True)


def write_whole(file, text):
    """Write a text to a file, and make the folder that holds it."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Told(f"{file} could not be written: {error.filename} is in the way ({error.strerror})") from None
    with whole(file) as new:
        new.write_text(text, encoding="utf-8", errors="backslashreplace")  # a file's name may be no valid text


def pack(files, to, *inputs):
    """Make a zip archive of files.

    files: name in the archive -> path of the file, or its text: a folder for texts would be left by a kill;
    inputs: files that were read, and must not be overwritten.
    """
    remove_what_was_left(Path(to))
    with whole(to, *inputs) as new, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in files.items():
            if isinstance(file, str):
                archive.writestr(_entry(name, mode_of(file)), file)
            else:
                archive.write(file, name)


def remove_what_was_left(to):
    """Remove what killed runs left beside this file: its name has the number of their process, and that is gone.

    Where processes cannot be seen, as on macOS and Windows, it stays.
    """
    for left in to.parent.glob(f".{escape(to.name)}.*"):
        number = left.suffix.removeprefix(".")
        if number.isdigit() and Path("/proc/self").exists() and not Path("/proc", number).exists():
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink(missing_ok=True)


def _entry(name, mode):
    """Return the entry of a file that is made just now."""
    entry = zipfile.ZipInfo(name, localtime()[:6])
    entry.external_attr, entry.compress_type = (stat.S_IFREG | mode) << 16, zipfile.ZIP_DEFLATED
    return entry


def mode_of(text):
    """Return the rights of a file with this text: all may read it, and run it if it is a script."""
    return 0o755 if text.startswith("#!") else 0o644


def lay_out(files, to):
    """Put files into a folder that is new or empty, all or none. files: name in it -> path of the file, or its text."""
    half = to / f".{HALF}.{os.getpid()}"
    try:
        for name, file in files.items():
            _put(file, half / name)
        for part in half.iterdir():
            part.rename(to / part.name)
    except OSError as error:
        advice = f"See whether there is room, and whether you may write there, {AGAIN}"
        raise Told(f"{to} could not be made ({error.strerror}). {advice}") from None
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _put(file, place):
    place.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(file, str):
        place.write_text(file, encoding="utf-8", newline="\n")
        place.chmod(mode_of(file))
    else:
        shutil.copy(file, place)
