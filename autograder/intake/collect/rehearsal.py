"""A copy of all that collecting a lesson reads and writes: to see what would happen, and change nothing."""

import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from ..course_folder import submitted_folder


@contextmanager
def rehearsed(coursedir, lesson):
    """A course in which the lesson can be collected; the real one stays as it is."""
    root = Path(coursedir.root)
    places = [root / "receipts" / lesson, root / "received" / lesson]
    places += root.glob(submitted_folder(coursedir, lesson, "*").relative_to(root).as_posix())
    with TemporaryDirectory() as folder:
        for place in filter(Path.is_dir, places):
            shutil.copytree(place, Path(folder, place.relative_to(root)), symlinks=True)
        released = str(root / coursedir.release_directory)
        yield CourseDirectory(config=_settings(coursedir, root=folder, release_directory=released))


def _settings(coursedir, **changed):
    """Those of the real course, but for what is changed."""
    names = ("db_url", "directory_structure", "submitted_directory")
    return Config(CourseDirectory={name: getattr(coursedir, name) for name in names} | changed)
