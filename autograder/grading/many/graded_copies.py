"""The mended copy of a submission that is graded. The submission itself is opened once, and never changed."""

from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ...intake.fit import finish_collecting, made_fit, mended
from ...intake.taking import Strange, copy_folder, place_of, strange_time, strangeness


@contextmanager
def copied(coursedir, lesson, student, to_try=False):
    """Let nbgrader find our copy in the place of a submission; yield why it cannot be graded, or "".

    to_try: note nothing of it in the course.
    """
    base, inner = place_of(coursedir, lesson, student)
    with TemporaryDirectory(prefix="mha_") as place:
        copy = Path(place, inner)
        try:
            if not to_try:
                finish_collecting(lesson, student, coursedir)
            copy_folder(base, inner, copy)
            unfit = _fit(coursedir, lesson, student, copy, to_try) or strangeness(copy) or strange_time(copy)
        except Strange as strange:
            unfit = str(strange)
        with _instead(coursedir, place):
            yield unfit.replace(place, str(base))


def _fit(coursedir, lesson, student, copy, to_try):
    return mended(lesson, coursedir, copy) if to_try else made_fit(lesson, student, coursedir, copy)


@contextmanager
def _instead(coursedir, place):
    real = coursedir.submitted_directory
    coursedir.submitted_directory = place
    try:
        yield
    finally:
        coursedir.submitted_directory = real
