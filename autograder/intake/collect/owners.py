"""Find whose file each one is, by the names that Canvas and Moodle give, or by folders named after students."""

import re
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath

import click

from ..exports import Canvas, entry_of
from ..wording import cut, listed
from .roster import ID, LATER, NAME, Student, as_folder

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
        """
        versions, names = [], set()
        for piece in sorted(self.pieces, key=_age):
            bare = AGAIN.sub("", own_name(piece.path))
            if bare in names or not versions:
                versions.append([])
                names = set()
            names.add(bare)
            versions[-1].append(piece)
        return versions


def by_student(pieces, lesson, roster=None):
    """Return what each student handed in, and a sentence for each file that belongs to no student."""
    handed, refused = {}, []
    pieces = without_outer_folders(pieces, partial(_named, lesson=lesson, roster=roster))
    sure = roster or _are_of_canvas(pieces)
    for piece in pieces:
        if sentence := _nobodys(piece, sure):
            refused.append(sentence)
            continue
        entry = entry_of(piece.path)
        student, known = _owner(piece.path, lesson, roster)
        theirs = handed.setdefault(student.id, Handed(student, known))
        _same(theirs.student, student)
        theirs.late |= bool(entry and entry.late)
        (theirs.refused if piece.refused else theirs.pieces).append(piece)
    return sorted(handed.values(), key=lambda each: each.student.id), refused


def _nobodys(piece, sure):
    """Return why a piece's path does not say whose it is; "" if it does.

    sure: whether names that look like Canvas' are so.
    """
    if ".." in piece.path.parts or piece.path.is_absolute():
        return piece.refused
    if _like_canvas(piece) and not sure:
        return (
            f"{cut(piece.path)} looks like Canvas' name for a file of its student {cut(entry_of(piece.path).who)}, "
            "and other files here do not: name it after its student, or give a roster that has them (--roster)"
        )
    return ""


def _same(one, other):
    if one != other:
        raise click.ClickException(
            f"{cut(one.name or one.id)} and {cut(other.name or other.id)} would share the folder {cut(one.id)}. "
            "With a roster they can be told apart: --roster."
        )


def _age(piece):
    """Return a key that sorts older pieces first.

    Canvas numbers its files as they come; otherwise the time decides, and then `x.ipynb` is before `x (1).ipynb`.
    """
    entry = entry_of(piece.path)
    return entry.number if entry else 0, piece.changed, len(piece.path.name), str(piece.path)


def own_name(path):
    """Return what the student called a file, without what the platform put before it."""
    entry = entry_of(path)
    if entry:
        return entry.own
    return str(PurePosixPath(*path.parts[1:])) if len(path.parts) > 1 else path.name


def _owner(path, lesson, roster):
    """Return (student, whether the roster has them); without a roster, every student counts as known."""
    entry = entry_of(path)
    if entry:
        return _student(entry, roster)
    name = _named_after(path, lesson)
    found = roster and roster.find(name, (ID, *LATER))
    return (found, True) if found else (Student(as_folder(name), name), roster is None)


def _student(entry, roster):
    """Return the student that a platform's name means, and whether they are known.

    Canvas' number is the same all year; Moodle's belongs to one assignment, so the student's name is used there.
    """
    of_canvas = entry.platform is Canvas
    number, column = (entry.who, ID) if of_canvas else (f"Participant {entry.who}", "participant")
    found = roster and (roster.find(number, (column,)) or roster.find(entry.called, (NAME,)))
    if found:
        return found, True
    name = entry.who if of_canvas else entry.called
    return Student(as_folder(name), f"{entry.called} ({number})"), roster is None


def _named_after(path, lesson):
    """Return the student's name in a path: that of the folder, or of the file without the lesson's name around it."""
    if len(path.parts) > 1:
        return path.parts[0]
    name = AGAIN.sub("", path.name).partition(".")[0]
    return name.replace(lesson, "").strip(" _-+") or name


def _named(pieces, lesson, roster):
    """Yield the students whom a platform has named, or the roster knows."""
    of_canvas = _are_of_canvas(pieces)
    for piece in pieces:
        student, known = _owner(piece.path, lesson, roster)
        if (roster and known) or (entry_of(piece.path) and (of_canvas or not _like_canvas(piece))):
            yield student


def _are_of_canvas(pieces):
    """Say whether names that look like Canvas' are so: in its zip all do, elsewhere a few may, by chance."""
    like = {piece.path.parts[0] for piece in pieces if _like_canvas(piece)}
    others = {piece.path.parts[0] for piece in pieces if piece.path.suffix in WORK} - like
    return len(like) > len(others)


def _like_canvas(piece):
    entry = entry_of(piece.path)
    return entry is not None and entry.platform is Canvas


def without_outer_folders(pieces, named):
    """Read a zip of a folder of submissions like the folder itself, even if notes lie beside that folder.

    A student's own folder is not an outer one, whatever the names in it are.
    Raise ClickException rather than guess where a folder may be either.
    named: a function that takes pieces, and returns the students whom a platform has named, or the roster knows.
    """
    opened = list(_opened(pieces, named))
    if not opened:
        return pieces
    students = set(named(opened[-1][1]))
    folder, inner = opened[-1 if students else 0]
    around = [piece for piece in pieces if piece.path.parts[: len(folder.parts)] != folder.parts]
    beside = _work(around)
    if students and not beside:
        return [*inner, *(replace(piece, path=PurePosixPath(piece.path.name)) for piece in around)]
    if _may_be_a_class(students, _work(inner), beside):
        raise click.ClickException(_either(folder, beside))
    return pieces


def _opened(pieces, named):
    """Yield (folder, what lies in it) for the only folder, the only one in that, and so on until a student is named."""
    folder = PurePosixPath()
    while not any(named(pieces)):
        deeper = [piece for piece in pieces if len(piece.path.parts) > 1]
        tops = {piece.path.parts[0] for piece in deeper}
        if len(tops) != 1:
            return
        folder /= tops.pop()
        pieces = [replace(piece, path=PurePosixPath(*piece.path.parts[1:])) for piece in deeper]
        yield folder, pieces


def _work(pieces):
    return [piece for piece in pieces if piece.path.suffix in WORK]


def _may_be_a_class(students, inside, beside):
    """Say whether a folder may hold the work of a whole class.

    A single name in it, among files of others, may be a learner's joke, and must not stop anyone.
    """
    return len(students) > 1 or (len(beside) < 2 and (bool(students) or len(inside) > 1))


def _either(folder, beside):
    names = listed(cut(piece.path.name) for piece in beside)
    return (
        f"The folder {cut(folder)} may hold a whole class, or the work of one student"
        f"{f'; beside it there is {names}' if names else ''}. If it is a class, collect that folder by itself. "
        "If it is one student's, give a roster that has them: --roster."
    )
