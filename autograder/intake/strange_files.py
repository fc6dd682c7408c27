"""Checks that a submission holds no links, pipes or devices, not too much of anything, and a time that can be read."""

import stat
from itertools import islice

from nbgrader.utils import parse_utc

MOST = 500  # files and folders: nbgrader's time grows with the square of their number
LARGEST = 20 * 2**20  # bytes of a file
MOST_PARTS = 100_000  # braces in a notebook: for each pair nbgrader takes some 3 kB of memory, and 0.1 ms
LONGEST_TIME, A_TIME = 100, "2026-03-12 23:59:00 UTC"
NO_LINKS = "{}: a submission holds files and folders, no links or pipes"
HARD_LINK = "{} has a second name elsewhere (a hard link), so it may be somebody else's: put a copy in its place"


class Strange(Exception):
    """An error that says in a sentence what is wrong with the files of a submission."""


def strangeness(folder, largest=LARGEST, most_parts=MOST_PARTS):
    """Return a sentence that says what is wrong with a submission; "" if nothing is."""
    places = [folder, *islice(folder.rglob("*"), MOST + 1)]
    if len(places) > MOST + 1:
        return f"{folder}: a submission holds at most {MOST} files and folders"
    misnamed = next((place for place in folder.glob("[!.]*.ipynb") if place.is_dir()), None)
    if misnamed:
        return f"{misnamed} is a folder and has the name of a notebook: put the notebook in its place, or rename it"
    return next(filter(None, (_strangeness_of(place, largest, most_parts) for place in places)), "")


def _strangeness_of(place, largest, most_parts):
    """Return what is wrong with one file or folder; "" if nothing is.

    It must not be a link, which may lead to anybody's work, nor a pipe or a device, and it must not be too large.
    """
    about = place.lstat()
    if stat.S_ISDIR(about.st_mode):
        return ""
    if not stat.S_ISREG(about.st_mode):
        return NO_LINKS.format(place)
    if about.st_nlink != 1:
        return HARD_LINK.format(place)
    if about.st_size > largest:
        return f"{place}: a file of a submission has at most {largest // 2**20} MiB"
    if place.suffix == ".ipynb" and place.read_bytes().count(b"{") > most_parts:
        return f"{place}: a notebook has at most {most_parts:,} parts"
    return ""


def strange_time(folder):
    """Return what is wrong with the time beside a submission; "" if nothing is.

    nbgrader would stop at such a time, and not say why.
    """
    file = folder / "timestamp.txt"
    try:
        with file.open(encoding="utf-8") as opened:
            told = opened.read(LONGEST_TIME + 1).strip()
        _ = parse_utc(told) if told else None
    except FileNotFoundError:
        return ""
    except Exception:  # the file may hold anything
        return f"{file} holds no time that can be read: write one into it, such as {A_TIME}, or take it away"
    return ""
