"""Find the files in an export, and whose each is: by a platform's names, or by folders named after students."""

import os
import re
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath

import click

from .bounds import MOST_BYTES, Refused, is_junk, members, opened, refusal_of, refusal_of_entry, unpack
from .platforms import Canvas, Moodle, entry_of
from .students import ID, LATER, NAME, Student, as_folder, in_roster
from .wording import cut


@dataclass(frozen=True)
class Piece:
    """A file in an export.

    path: where it is in the export, from the platform's name on; own: the student's name for it.
    number: the platform's, 0 if it gives none; copy(file, most): writes it to an open file, up to a size.
    changed: a time that puts versions in order; refused: why the file is not taken.
    """

    path: PurePosixPath
    copy: Callable = None
    changed: object = None
    refused: str = ""
    own: str = ""
    number: int = 0


@contextmanager
def pieces_of(source):
    """Yield the list of all files in a zip or a folder; links are not followed, pipes and devices not opened."""
    if Path(source).is_dir():
        paths = {file: PurePosixPath(file.relative_to(source).as_posix()) for file in sorted(Path(source).rglob("*"))}
        files = [file for file in paths if file.is_symlink() or not file.is_dir()]
        yield [
            Piece(paths[file], partial(copied, file), file.lstat().st_mtime, refusal_of(file, paths[file]))
            for file in files
            if not is_junk(paths[file])
        ]
        return
    try:
        with opened(source) as archive:
            yield [
                Piece(path, partial(unpack, archive, entry), entry.date_time, refusal_of_entry(path, entry))
                for path, entry in members(archive)
            ]
    except Refused as refused:
        what = "Expected is the zip that Canvas or Moodle gives, or a folder of submissions."
        raise click.ClickException(f"{source}: {refused}. {what}") from None


def copied(file, target, most):
    """Copy a file of at most `most` bytes, and return its size; raise Refused if it is larger."""
    with open(file, "rb") as source:
        size = os.fstat(source.fileno()).st_size
        if size > most:
            raise Refused(f"{file.name} is larger than {MOST_BYTES // 2**20} MB")
        shutil.copyfileobj(source, target)
    return size


AGAIN = re.compile(r"( ?\(\d+\)|-\d+)(?=\.[^.]*$|$)")  # what browsers and Canvas add to a name that is taken
WORK = (".ipynb", ".zip")


@dataclass
class Handed:
    """The work that one student handed in: the pieces that were taken, and those that were refused.

    known: whether the roster has the student, or there is no roster.
    """

    student: Student
    known: bool
    late: bool = False
    pieces: list = field(default_factory=list)
    refused: list = field(default_factory=list)

    def versions(self):
        """Return the versions, each a list of pieces, the latest last.

        A file whose name was there before begins a new version.
        Canvas numbers its files as they come; otherwise the time decides, and then `x.ipynb` is before `x (1).ipynb`.
        """
        versions, names = [], set()
        for piece in sorted(self.pieces, key=lambda one: (one.number, one.changed, len(one.path.name), str(one.path))):
            bare = AGAIN.sub("", piece.own)
            if bare in names or not versions:
                versions.append([])
                names = set()
            names.add(bare)
            versions[-1].append(piece)
        return versions


def by_student(pieces, lesson, roster=None, platform=None):
    """Return what each handed in, and a sentence for each file that is nobody's. platform: whose export it is."""
    _must_be_as_said(pieces, roster, platform)
    handed, refused = {}, []
    for piece in pieces:
        entry = platform and entry_of(platform, piece.path)
        if ".." in piece.path.parts or piece.path.is_absolute():
            refused.append(piece.refused)
        elif platform and not entry:
            refused.append(f"{cut(piece.path)} is not one of {platform.name}'s names: nobody can tell whose it is")
        else:
            student, known = _named(entry, platform, roster) if entry else _owner(piece.path, lesson, roster)
            _hand_in(handed.setdefault(student.id, Handed(student, known)), student, piece, entry)
    return sorted(handed.values(), key=lambda each: each.student.id), refused


def _hand_in(theirs, student, piece, entry):
    """Add a piece to what its student handed in; raise ClickException if two students would share a folder."""
    if theirs.student != student:
        raise click.ClickException(
            f"{cut(theirs.student.name or student.id)} and {cut(student.name or student.id)} would share the folder "
            f"{cut(student.id)}. With a roster they can be told apart: --roster."
        )
    if entry:
        theirs.late |= entry.late
        piece = replace(piece, path=PurePosixPath(entry.name), own=entry.own, number=entry.number)
    else:
        piece = replace(piece, own=str(PurePosixPath(*piece.path.parts[1:] or piece.path.parts)))
    (theirs.refused if piece.refused else theirs.pieces).append(piece)


def _named(entry, platform, roster):
    """Return the student that a platform's name means, and whether they are known.

    Canvas' number is the same all year; Moodle's belongs to one assignment, so the student's name is used there.
    """
    number, column, name = f"Participant {entry.who}", "participant", entry.called
    if platform is Canvas:
        number, column, name = entry.who, ID, entry.who
    found = in_roster(entry.who, (column,), roster) or in_roster(entry.called, (NAME,), roster)
    return (found, True) if found else (Student(as_folder(name), f"{entry.called} ({number})"), roster is None)


def _owner(path, lesson, roster):
    """Return (student, whether the roster has them) for a path that begins with a folder or a file of theirs."""
    name = path.parts[0]
    if len(path.parts) == 1:
        bare = AGAIN.sub("", name).partition(".")[0]
        name = bare.replace(lesson, "").strip(" _-+") or bare
    found = in_roster(name, (ID, *LATER), roster)
    return (found, True) if found else (Student(as_folder(name), name), roster is None)


def _must_be_as_said(pieces, roster, platform):
    """Raise ClickException if this seems to be another platform's export, or a folder around that of the class."""
    tops = Counter(piece.path.parts[0] for piece in pieces if piece.path.suffix in WORK)
    others = [top for top in tops if not (platform and platform.entry(top))]
    for other in (Moodle, Canvas):
        if 2 * sum(other.entry(top) is not None for top in others) > len(tops):
            raise click.ClickException(f"These names are {other.name}'s: say --{other.name.lower()}.")
    for top, files in () if platform else tops.items():
        if len(tops) == 1 and files > 1 and not in_roster(top, (ID, *LATER), roster):
            raise click.ClickException(
                f"Everything lies in the folder {cut(top)}. If it holds a class, collect that folder by itself, not a "
                "zip of it, and say --canvas or --moodle if its names are theirs. "
                "If it is one student's, give a roster that has them: --roster."
            )
