"""Find the files that a student handed in: side by side, in folders, or in a zip."""

import io
import os
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from .. import archives
from ..wording import cut, listed
from .text import Unfit

OF_NBGRADER = ("timestamp.txt", "submission_secret.txt")  # what its exchange lays beside a submission


@dataclass(frozen=True)
class Found:
    """A file that was handed in, with its path from the submission's folder on, or on into a zip, as its name."""

    name: str
    data: bytes

    @property
    def base(self):
        return PurePosixPath(self.name).name


def found_in(folder, mended):
    """Return all files that can be read; raise Unfit if there are none. Links and pipes are never opened."""
    files, strange = _files(Path(folder))
    found, zips, left = [], [], archives.MOST_BYTES
    for file in files:
        inside = _unpacked(_read(file, folder), zips, left)
        left -= sum(len(each.data) for each in inside)
        found += inside
    if zips:
        mended.append(f"What lies in the zip{'s' * (len(zips) > 1)} {listed(map(cut, zips))} was unpacked.")
    strange = listed(map(cut, strange))
    if not found:
        raise Unfit(f"{strange}: links and pipes are not followed" if strange else "nothing was handed in")
    if strange:
        mended.append(f"Links and pipes were left out: {strange}.")
    return found


def _files(folder):
    """Return the sorted files of a folder, and the names of what is neither file nor folder."""
    files, strange = [], []
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(place) / name
            kind = path.lstat().st_mode
            if stat.S_ISREG(kind) and not archives.is_junk(path.relative_to(folder)) and name not in OF_NBGRADER:
                files.append(path)
            elif not stat.S_ISDIR(kind) and not stat.S_ISREG(kind):
                strange.append(path.relative_to(folder))
    if sum(file.stat().st_size for file in files) > archives.MOST_BYTES:
        raise Unfit(f"it is larger than {archives.MOST_BYTES // 2**20} MB")
    return sorted(files), sorted(strange)


def _read(file, folder):
    return Found(file.relative_to(folder).as_posix(), file.read_bytes())


def _unpacked(found, zips, most):
    """Return what a zip holds, or else the file itself; raise Unfit beyond `most` bytes. A zip in a zip stays one."""
    if not found.data.startswith(b"PK\x03\x04"):
        return [found]
    try:
        inside = list(_inside(found, most))
    except archives.Refused as refused:
        raise Unfit(f"{found.name}: {refused}") from None
    zips.append(found.name)
    return inside


def _inside(found, left):
    with archives.opened(io.BytesIO(found.data)) as archive:
        for path, entry in archives.members(archive):
            archives.refuse_strange(path, entry)
            data = io.BytesIO()
            left -= archives.unpack(archive, entry, data, most=left)
            yield Found(f"{found.name}/{path}", data.getvalue())
