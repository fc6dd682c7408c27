"""Whose file is it: by the names that Canvas and Moodle give, or by folders that are named after students."""

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
    """What one student handed in: versions, each a list of pieces, the latest last."""

    student: Student
    known: bool
    late: bool = False
    pieces: list = field(default_factory=list)
    refused: list = field(default_factory=list)

    def versions(self):
        """A file of a name that was there before begins a new one."""
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
    """What each of them handed in, and what belongs to nobody: sentences."""
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
    """Why its path does not say whose it is; "" if it does. sure: whether what looks like Canvas' names is so."""
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
    """Canvas numbers its files as they come; else the older one comes first, and `x.ipynb` before `x (1).ipynb`."""
    entry = entry_of(piece.path)
    return entry.number if entry else 0, piece.changed, len(piece.path.name), str(piece.path)


def own_name(path):
    """What the student called it, without what the platform put before."""
    entry = entry_of(path)
    if entry:
        return entry.own
    return str(PurePosixPath(*path.parts[1:])) if len(path.parts) > 1 else path.name


def _owner(path, lesson, roster):
    """(student, whether the roster has them)."""
    entry = entry_of(path)
    if entry:
        return _student(entry, roster)
    name = _named_after(path, lesson)
    found = roster and roster.find(name, (ID, *LATER))
    return (found, True) if found else (Student(as_folder(name), name), roster is None)


def _student(entry, roster):
    """Canvas' number is the same all year; Moodle's belongs to one assignment, so there the name stands in."""
    of_canvas = entry.platform is Canvas
    number, column = (entry.who, ID) if of_canvas else (f"Participant {entry.who}", "participant")
    found = roster and (roster.find(number, (column,)) or roster.find(entry.called, (NAME,)))
    if found:
        return found, True
    name = entry.who if of_canvas else entry.called
    return Student(as_folder(name), f"{entry.called} ({number})"), roster is None


def _named_after(path, lesson):
    """A folder has a student's name; so has a file, perhaps with the lesson's before or behind."""
    if len(path.parts) > 1:
        return path.parts[0]
    name = AGAIN.sub("", path.name).partition(".")[0]
    return name.replace(lesson, "").strip(" _-+") or name


def _named(pieces, lesson, roster):
    """The students whom a platform has named, or the roster knows."""
    of_canvas = _are_of_canvas(pieces)
    for piece in pieces:
        student, known = _owner(piece.path, lesson, roster)
        if (roster and known) or (entry_of(piece.path) and (of_canvas or not _like_canvas(piece))):
            yield student


def _are_of_canvas(pieces):
    """Whether names that look like Canvas' are so. In its zip all do; elsewhere a few may, by chance."""
    like = {piece.path.parts[0] for piece in pieces if _like_canvas(piece)}
    others = {piece.path.parts[0] for piece in pieces if piece.path.suffix in WORK} - like
    return len(like) > len(others)


def _like_canvas(piece):
    entry = entry_of(piece.path)
    return entry is not None and entry.platform is Canvas


def without_outer_folders(pieces, named):
    """A zip of a folder of submissions is read like the folder itself, also where notes lie beside that folder.

    A student's own folder is none of them, whatever the names in it are. Where it may be either, nobody guesses.
    named: pieces -> the students whom a platform has named, or the roster knows.
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
    """(folder, what lies in it): the only folder, the only one in that, and so on until somebody is named."""
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
    """One name in a folder, among files of others, may be a learner's joke: it stops nobody."""
    return len(students) > 1 or (len(beside) < 2 and (bool(students) or len(inside) > 1))


def _either(folder, beside):
    names = listed(cut(piece.path.name) for piece in beside)
    return (
        f"The folder {cut(folder)} may hold a whole class, or the work of one student"
        f"{f'; beside it there is {names}' if names else ''}. If it is a class, collect that folder by itself. "
        "If it is one student's, give a roster that has them: --roster."
    )
