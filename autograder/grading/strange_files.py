"""What a submission should not hold."""

import stat
from itertools import islice

MOST = 500  # files and folders: nbgrader's time grows with the square
LARGEST = 20 * 2**20  # bytes of a file
MOST_PARTS = 100_000  # braces in a notebook: for each pair nbgrader takes some 3 kB of memory, and 0.1 ms


def strangeness(folder, largest=LARGEST, most_parts=MOST_PARTS):
    """What is wrong with a submission, in a sentence; empty if nothing is."""
    places = [folder, *islice(folder.rglob("*"), MOST + 1)]
    if len(places) > MOST + 1:
        return f"{folder}: a submission holds at most {MOST} files and folders"
    return next(filter(None, (_strangeness_of(place, largest, most_parts) for place in places)), "")


def _strangeness_of(place, largest, most_parts):
    """A link, which may lead to anybody's work, a pipe, a device, or too much."""
    about = place.lstat()
    if stat.S_ISDIR(about.st_mode):
        return ""
    if not stat.S_ISREG(about.st_mode):
        return f"{place}: a submission holds files and folders, no links or pipes"
    if about.st_size > largest:
        return f"{place}: a file of a submission has at most {largest // 2**20} MiB"
    if place.suffix == ".ipynb" and place.read_bytes().count(b"{") > most_parts:
        return f"{place}: a notebook has at most {most_parts:,} parts"
    return ""
