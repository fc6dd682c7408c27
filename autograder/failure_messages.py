"""Turn failures into a sentence that says what happened and what to do, in the place of a traceback."""

import errno
import re
from importlib.util import find_spec

from click import ClickException

from .environment import how_to_install
from .judging.errors import error_line

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
ROOM = "There is no room for what was to be written: make some"
OWNER = "Check its owner and permissions, and whether it is what its name says"
OF_SYSTEM = re.compile(r"\w+Error: \[Errno (\d+)\] (.*)")  # as Python prints it
OF_DATABASE = re.compile(r".*\((?:sqlite3|psycopg)[\w.]*\) (.*)")  # as SQLAlchemy and nbgrader pass it on
AGAIN = "then type the same command again: what was done stays done"
OF_GRADEBOOK = {  # words of its database -> what to do
    "locked": "Another program holds the gradebook ({why}): close it, {again}",
    "full|I/O": "The gradebook cannot grow ({why}): make room on its disk, {again}",
    "readonly": "The gradebook may only be read ({why}). {owner}, {again}",
    "connection": "The gradebook's server cannot be asked ({why}): see whether it runs, and what db_url says, {again}",
    "malformed|not a database|no such (table|column)|disk image|unable to open": (
        "The gradebook cannot be used ({why}). Put a copy from before in its place. If there is none, move it away: "
        "`mha grade --all --again` makes a new one, without the marks that people gave"
    ),
}


class Told(ValueError):
    """A failure that is a sentence already."""


def harmless(text):
    """Escape whatever is not printable, so that the text stays on one line and holds nothing that a terminal obeys.

    Names of files, and texts of errors, come from strangers.
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def told(error):
    """Say what a command failed with; "" if it is no fault of files, disks or gradebooks, so that we must look."""
    if isinstance(error, ClickException):
        return error.message
    if isinstance(error, Told):
        return str(error)
    if type(error).__module__.startswith("sqlalchemy"):
        return _of_gradebook(str(getattr(error, "orig", None) or error).partition("\n")[0])
    if isinstance(error, OSError):
        what = error.strerror or str(error)
        where = f"{error.filename}: {what}" if error.filename else what
        return f"{where}. {ROOM if error.errno in FULL else OWNER}, {AGAIN}"
    name = str(error.name).partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return how_to_install(name).removesuffix(".") if name and not find_spec(name) else ""


def in_words(error):
    """Say it in any case: of our own faults as Python does."""
    return told(error) or error_line(error)


def told_again(line):
    """Say better what Python, or nbgrader, has printed of a failure of files or gradebooks."""
    found, database = OF_SYSTEM.fullmatch(line), OF_DATABASE.fullmatch(line)
    if database:
        return _of_gradebook(database[1]) or line
    return f"{found[2]}. {ROOM if int(found[1]) in FULL else OWNER}, {AGAIN}" if found else line


def _of_gradebook(why):
    """Say what to do about a gradebook, by the words of its database; "" if they are of none of these kinds."""
    said = next((said for words, said in OF_GRADEBOOK.items() if re.search(words, why)), "")
    return said.format(why=why, again=AGAIN, owner=OWNER)
