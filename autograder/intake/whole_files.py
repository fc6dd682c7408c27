"""Write files, zips and folders that appear whole or not at all, and let only one at a time work in a course's folder.

A kill leaves either the old file or the new one.
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
from filelock import FileLock, Timeout

from ..failure_messages import AGAIN, Told

MEANWHILE = ".grading"  # the folder of copies that are being graded; the next run removes what a killed one left


@contextmanager
def only_one(root, doing):
    """Let only one at a time do this in a course's folder; raise ClickException for another. doing: say, `grading`."""
    try:
        held = FileLock(Path(root, f".{doing}.lock")).acquire(timeout=0)
    except Timeout:
        raise click.ClickException(f"Somebody else is {doing} in {root}: wait until that is done.") from None
    with held:
        yield


@contextmanager
def whole(to, *inputs):
    """Yield a path that becomes the file or folder `to` when all is well, or raise Told. inputs: never overwritten."""
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
        _remove(new)


def write_whole(file, text):
    """Write a text to a file, and make the folder that holds it."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Told(f"{file} could not be written: {error.filename} is in the way ({error.strerror})") from None
    with whole(file) as new:
        new.write_text(text, encoding="utf-8", errors="backslashreplace")  # a file's name may be no valid text


def pack(files, to, *inputs):
    """Make a zip archive, and overwrite none of the inputs. files: name in it -> path of the file, or its text."""
    remove_what_was_left(Path(to))
    with whole(to, *inputs) as new, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in files.items():
            if isinstance(file, str):
                entry = zipfile.ZipInfo(name, localtime()[:6])
                entry.external_attr = (stat.S_IFREG | mode_of(file)) << 16
                archive.writestr(entry, file, zipfile.ZIP_DEFLATED)
            else:
                archive.write(file, name)


def mode_of(text):
    """Return the rights of a file with this text: all may read it, and run it if it is a script."""
    return 0o755 if text.startswith("#!") else 0o644


def lay_out(files, to):
    """Put files into a folder that is new or empty, all or none. files: name in it -> path of the file, or its text."""
    remove_what_was_left(to)
    with whole(to) as new:
        for name, file in files.items():
            place = new / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(file, str):
                place.write_text(file, encoding="utf-8", newline="\n")
                place.chmod(mode_of(file))
            else:
                shutil.copy(file, place)
        if to.is_dir():
            to.rmdir()  # on Windows nothing is renamed to a folder that is there


def remove_what_was_left(to):
    """Remove what killed runs left beside this file, by the number of their process; without /proc it stays."""
    for left in to.parent.glob(f".{escape(to.name)}.*"):
        number = left.suffix.removeprefix(".")
        if number.isdigit() and Path("/proc/self").exists() and not Path("/proc", number).exists():
            _remove(left)


def _remove(place):
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
