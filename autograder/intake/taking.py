"""Copying submissions safely: each is opened once, no link in it is followed, and only our copy is judged."""

import os
import shutil
import stat
from contextlib import contextmanager
from pathlib import Path

from .archives import MOST_BYTES
from .strange_files import HARD_LINK, MOST, NO_LINKS, Strange

DEEPEST = 50  # levels of folders
CHUNK = 2**20
FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
CAN_HOLD = hasattr(os, "fwalk") and os.open in os.supports_dir_fd  # not on Windows


def place_of(coursedir, lesson, student):
    """Return the folder that holds all submissions, and the path from there to this one."""
    parts = Path(coursedir.format_path(coursedir.submitted_directory, "*", lesson)).parts
    before = parts.index("*")
    return Path(*parts[:before]), Path(student, *parts[before + 1 :])


def folder_is_there(base, inner):
    """Say whether there is such a folder; raise Strange if something on the way to it is a link or a file."""
    place = Path(base)
    for part in inner.parts:
        place /= part
        if place.is_symlink() or place.is_file():
            raise Strange(NO_FOLDER.format(place, "a link" if place.is_symlink() else "a file"))
    return place.is_dir()


def copy_folder(base, inner, target):
    """Copy the folder `inner` of `base` to `target`, or raise Strange.

    `base` may be a link, but nothing below it may.
    """
    if not CAN_HOLD:
        folder_is_there(base, inner)
        shutil.copytree(base / inner, target, symlinks=True)
        return
    with _reporting(base / inner), _held(base, inner.parts) as folder:
        _copy_all(folder, base / inner, Path(target))


def read_file(base, inner):
    """Return the bytes of the file `inner` of `base`, or raise Strange."""
    with _reporting(base / inner):
        if not CAN_HOLD:
            return Path(base, inner).read_bytes()
        with _held(base, inner.parts[:-1]) as folder, opened(inner.name, base / inner, folder) as file:
            return _bounded(file.read(MOST_BYTES + 1), base / inner)


@contextmanager
def _reporting(shown):
    """Turn an error of the system into Strange, which says in a sentence what is not allowed."""
    try:
        yield
    except OSError as error:
        raise Strange(f"{shown} cannot be read ({error.strerror}): see who owns it, and what it is") from None


@contextmanager
def _held(base, parts):
    """Open a folder and yield its descriptor, which holds it whatever becomes of its name meanwhile."""
    folder, place = os.open(base, os.O_RDONLY | os.O_DIRECTORY), Path(base)
    try:
        for part in parts:
            place /= part
            _must_be_a_folder(part, folder, place)
            inner = os.open(part, FLAGS | os.O_DIRECTORY, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _must_be_a_folder(name, folder, shown):
    kind = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    if not stat.S_ISDIR(kind):
        raise Strange(NO_FOLDER.format(shown, "a link" if stat.S_ISLNK(kind) else "a file"))


def _copy_all(folder, shown, target):
    left, places = MOST_BYTES, 1
    for place, folders, files, here in os.fwalk(".", dir_fd=folder, follow_symlinks=False, onerror=_stop):
        if place.count("/") > DEEPEST:
            raise Strange(f"{shown}: its folders lie more than {DEEPEST} deep in each other")
        (target / place).mkdir(parents=True)
        places += len(folders) + len(files)
        if places > MOST + 1:
            raise Strange(f"{shown}: a submission holds at most {MOST} files and folders")
        for name in folders:
            if stat.S_ISLNK(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
                raise Strange(NO_LINKS.format(shown / place / name))
        for name in files:
            left -= _copy_file(name, here, shown / place / name, target / place / name, left)


def _stop(error):
    """Raise the error of a folder that cannot be read: what lies in it would be missing from what is graded."""
    raise error


def _copy_file(name, folder, shown, target, left):
    """Copy a file of at most `left` bytes, and return its size; raise Strange if it is larger."""
    with opened(name, shown, folder) as file, open(target, "xb") as copy:
        if os.fstat(file.fileno()).st_size > left:
            raise Strange(TOO_LARGE.format(shown))
        size = 0
        while chunk := file.read(CHUNK):
            size += len(_bounded(chunk, shown, left - size))
            copy.write(chunk)
        return size


@contextmanager
def opened(name, shown, folder=None):
    """Open a file for reading; raise Strange unless it is a plain file with one name.

    A file with a second name may be another person's as well.
    folder: the descriptor of the open folder that holds it.
    """
    if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        raise Strange(NO_LINKS.format(shown))  # checked before it is opened: a device may act on that
    with open(os.open(name, FLAGS, dir_fd=folder), "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise Strange(NO_LINKS.format(shown))
        if about.st_nlink != 1:
            raise Strange(HARD_LINK.format(shown))
        yield file


def _bounded(data, shown, most=MOST_BYTES):
    if len(data) > most:
        raise Strange(TOO_LARGE.format(shown))
    return data


NO_FOLDER = "{} is {}, and should be a folder: put the folder itself in its place"
TOO_LARGE = f"{{}}: a submission has at most {MOST_BYTES // 2**20} MiB"
