"""Write files that appear whole or not at all: a kill leaves either the old one or the new one."""

import os
from contextlib import contextmanager
from pathlib import Path

import click

from ..told import AGAIN, Told


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
        raise Told(f"{to} could not be written ({error.strerror}). {_ADVICE}, {AGAIN}") from None
    finally:
        new.unlink(missing_ok=True)


_ADVICE = "Nothing of it was changed: see whether there is room, and whether you may write there"


def write_whole(file, text):
    """Write a text to a file, and make the folder that holds it."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Told(f"{file} could not be written: {error.filename} is in the way ({error.strerror})") from None
    with whole(file) as new:
        new.write_text(text, encoding="utf-8", errors="backslashreplace")  # a file's name may be no valid text
