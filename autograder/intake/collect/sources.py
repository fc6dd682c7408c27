"""The files that a learning platform exports as a zip or a folder, each with a function that copies it."""

import os
import stat
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import click

from .. import archives
from ..taking import HARD_LINK


@dataclass(frozen=True)
class Piece:
    """A file in an export.

    path: where it is in the export, from the platform's name on; own: the student's name for it.
    number: the platform's, 0 if it gives none; copy(file, most): writes it to an open file, up to a size.
    changed: a time that puts versions in order; refused: why the file is not taken.
    """

    path: PurePosixPath
    copy: Callable = None
    changed: float = 0.0
    refused: str = ""
    own: str = ""
    number: int = 0


@contextmanager
def pieces_of(source):
    """Yield the list of all files in a zip or a folder."""
    source = Path(source)
    if source.is_dir():
        yield list(_of_folder(source))
        return
    with ExitStack() as stack:
        try:
            archive = stack.enter_context(archives.opened(source))
        except archives.Refused as refused:
            raise click.ClickException(
                f"{source}: {refused}. Expected is the zip that Canvas or Moodle gives, or a folder of submissions."
            ) from None
        yield [_of_zip(archive, path, entry) for path, entry in archives.members(archive)]


def _of_zip(archive, path, entry):
    try:
        archives.refuse_strange(path, entry)
    except archives.Refused as refused:
        return Piece(path, refused=str(refused))
    changed = float("".join(f"{number:02}" for number in entry.date_time))
    return Piece(path, lambda file, most: archives.unpack(archive, entry, file, most), changed)


def _of_folder(folder):
    """Yield a Piece for each file of a folder; links are not followed, and pipes and devices are not opened."""
    for place, folders, names in os.walk(folder):
        for name in sorted((*folders, *names)):
            file = Path(place) / name
            path = PurePosixPath(file.relative_to(folder).as_posix())
            about = file.lstat()
            if stat.S_ISDIR(about.st_mode) or archives.is_junk(path):
                continue
            if about.st_nlink > 1 and stat.S_ISREG(about.st_mode):
                yield Piece(path, refused=HARD_LINK.format(path))
            elif stat.S_ISREG(about.st_mode):
                yield Piece(path, lambda target, most, file=file: copied(file, target, most), about.st_mtime)
            else:
                yield Piece(path, refused=f"{path} is a link, a pipe or a device")


def copied(file, target, most):
    """Copy a file of at most `most` bytes, and return its size; raise Refused if it is larger."""
    with open(file, "rb") as source:
        size = os.fstat(source.fileno()).st_size
        if size > most:
            raise archives.Refused(f"{file.name} is larger than {archives.MOST_BYTES // 2**20} MB")
        while chunk := source.read(2**20):
            target.write(chunk)
    return size
