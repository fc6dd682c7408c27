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
from .names import as_folder
from .platforms import Canvas, Entry, Moodle, entry_of
from .students import ID, LATER, NAME, Student, in_roster
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
BY_A_BROWSER = re.compile(r" ?\(\d+\)$")
WORK = (".ipynb", ".zip")


@dataclass
class Handed:
    """The work that one student handed in: the pieces that were taken, and those that were refused.

    known: whether the roster has the student, or there is no roster; who: the platform's number of the student.
    """

    student: Student
    known: bool
    who: str
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
            bare = AGAIN.sub("", piece.own) if piece.own.endswith(WORK) else piece.own
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
    entries = [entry_of(platform, piece.path) if platform else _in_own_folder(piece.path, lesson) for piece in pieces]
    by_name = platform and not any(_by_number(entry, platform, roster) for entry in entries if entry)
    for piece, entry in zip(pieces, entries):
        if ".." in piece.path.parts or piece.path.is_absolute():
            refused.append(piece.refused)
        elif not entry:
            refused.append(f"{cut(piece.path)} is not one of {platform.name}'s names: nobody can tell whose it is")
        else:
            student, known = _owner(entry, platform, roster, by_name)
            theirs = handed.setdefault(student.id, Handed(student, known, entry.who))
            if theirs.student != student or (platform and theirs.who != entry.who):
                one, other = (cut(each.name or each.id) for each in (theirs.student, student))
                share = f"{one} and {other} would share the folder {cut(student.id)}"
                raise click.ClickException(f"{share}. With a roster they can be told apart: --roster.")
            theirs.late |= entry.late
            piece = replace(piece, path=PurePosixPath(entry.name), own=entry.own, number=entry.number)
            (theirs.refused if piece.refused else theirs.pieces).append(piece)
    return sorted(handed.values(), key=lambda each: each.student.id), refused


def _in_own_folder(path, lesson):
    """Return the Entry of a path that begins with a folder or a file of a student's."""
    who = path.parts[0]
    if len(path.parts) == 1:
        bare = BY_A_BROWSER.sub("", PurePosixPath(who).stem)
        who = bare.replace(lesson, "").strip(" _-+") or bare
    return Entry(str(path), who, who, str(PurePosixPath(*path.parts[1:] or path.parts)), takes=False)


def _by_number(entry, platform, roster):
    """Return the student in the roster that an entry's number means, or the name of a folder of our own; or None."""
    return in_roster(entry.who, {Canvas: (ID,), Moodle: ("participant",)}.get(platform, (ID, *LATER)), roster)


def _owner(entry, platform, roster, by_name):
    """Return the student that an entry means, and whether they are known. by_name: the roster has no number of theirs.

    Canvas' number is the same all year; Moodle's belongs to one assignment, so the student's name is used there.
    """
    if found := _by_number(entry, platform, roster) or (by_name and in_roster(entry.called, (NAME,), roster)):
        return found, True
    number = {Canvas: f" ({entry.who})", Moodle: f" (Participant {entry.who})"}.get(platform, "")
    name = entry.who if platform is Canvas else entry.called
    return Student(as_folder(name), f"{entry.called}{number}"), roster is None


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
