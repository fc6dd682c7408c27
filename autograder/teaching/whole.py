"""Files that appear whole or not at all."""

import os
from contextlib import contextmanager
from pathlib import Path

import click


@contextmanager
def whole(to, *inputs):
    """A place to write to, which becomes `to` when all is well; what was read is never overwritten."""
    to = Path(to)
    if any(to.exists() and to.samefile(file) for file in inputs):
        raise click.ClickException(f"{to} is what is read here: give another name after --to, and it stays as it is.")
    new = to.with_name(f".{to.name}.{os.getpid()}")
    try:
        yield new
        os.replace(new, to)
    finally:
        new.unlink(missing_ok=True)
