"""Folders around what was handed in: an export is unpacked into one, or zipped once more with it."""

from dataclasses import replace
from pathlib import PurePosixPath

import click

from ..wording import cut, listed

WORK = (".ipynb", ".zip")


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
