"""Grade one notebook by itself, from any folder: without a course's folder, a gradebook, or anybody's own numbers.

It is mended, run and judged like one of a class. docs/result.schema.json describes what comes of it.
"""

import secrets
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import is_grade
from traitlets.config import PyFileConfigLoader

from ..catalogue import lacking
from ..failure_messages import in_words
from ..intake.bounds import MOST_BYTES, Refused, bounded_memory, copy_folder, do
from ..intake.course_folder import released_notebook
from ..intake.triage import lesson_of, triage
from ..judging.follow_through import GIVEN
from ..judging.time_limits import TooSlow
from ..lab import places
from .examiner import LONGEST_MESSAGE, Examiner, name_checked_by
from .outputs import verdicts_of
from .sandbox.sources import Spawner

VERSION = 1  # of what docs/result.schema.json describes
SETTINGS = Path(__file__).resolve().parents[1] / "nbgrader_config.py"
BY_HAND = "by_hand"  # the reason of an answer in words that somebody has to mark
TO_MARK = "This answer is in words: somebody reads it and gives it points."
UNWRITTEN = "Not written yet."


def grade_one(place, lesson=None, seed=None, trust_submissions=False):
    """Return what a notebook earned, as data, and the notebook with its cards; None if it cannot be graded.

    place: its file, or a folder or zip that holds it; lesson: found from its cells, unless it is given;
    seed: of the inputs, by default a secret one.
    """
    begin, notebook, result = monotonic(), None, nothing_yet(lesson)
    try:
        with TemporaryDirectory() as folder:
            copy = Path(folder, "copy")
            _take(Path(place).resolve(), copy)
            with bounded_memory():
                result["lesson"] = lesson = lesson or lesson_of(copy)
            examiner = Examiner(config=settings(), trust_submissions=trust_submissions)
            result["sandbox"] = not isinstance(examiner.source_of_workers(lacking(lesson)), Spawner)
            seed = secrets.randbits(128) if seed is None else seed
            notebook, about = do(f"{__name__}:_graded", copy, lesson, seed, examiner)
            result |= about
    except Refused as unfit:
        result["trouble"] = str(unfit)
    except (Exception, TooSlow) as stopped:  # whatever is to be had of a file that a stranger chose
        result["trouble"] = in_words(stopped)
    return result | dict(seconds=round(monotonic() - begin, 3)), notebook


def nothing_yet(lesson, trouble=None):
    """Return what is said of a notebook that is not graded, or not yet."""
    known = dict(version=VERSION, lesson=lesson, graded=False, trouble=trouble, sandbox=None, score=None, max=None)
    return known | dict(exercises=[], mended=[], seconds=0.0)


@cache
def settings():
    """Return the settings of the installed course, whatever the working folder holds."""
    config = PyFileConfigLoader(SETTINGS.name, str(SETTINGS.parent)).load_config()
    config.CourseDirectory.release_directory = str(places()[0])  # a wheel has brought it along
    return config


def _take(place, copy):
    """Copy what was handed in; no link in a folder is followed."""
    if place.is_dir():
        return copy_folder(place.parent, Path(place.name), copy)
    if place.stat().st_size > MOST_BYTES:
        raise Refused(f"the file has more than {MOST_BYTES // 2**20} MiB")
    copy.mkdir()
    shutil.copyfile(place, copy / place.name)


def _graded(copy, lesson, seed, examiner):
    """Mend a notebook, let it be examined, and return it with what it earned."""
    looked = triage(copy, released_notebook(CourseDirectory(config=settings()), lesson))
    if looked.trouble:
        raise Refused(looked.trouble)
    notebook = looked.notebook
    examiner.examine(notebook, lesson, seed)
    written, found = dict(looked.answers), verdicts_of(notebook)
    exercises = [_exercise(cell, found, written) for cell in notebook.cells if is_grade(cell)]
    score, most = (sum(exercise[what] or 0 for exercise in exercises) for what in ("points", "max"))
    return notebook, dict(graded=True, score=score, max=most, exercises=exercises, mended=[*looked.mended])


def _exercise(cell, found, written):
    """Return what one task with points earned. found: task -> verdict; written: task -> the learner's text."""
    name, most = cell.metadata.nbgrader.grade_id.removeprefix("check_"), cell.metadata.nbgrader.points
    if name_checked_by(cell):
        told = {key: found[name][key] for key in ("points", "reason", "misconception", "property", "message")}
    else:
        points, reason, message = (None, BY_HAND, TO_MARK) if name in written else (0.0, "unwritten", UNWRITTEN)
        told = dict(points=points, reason=reason, misconception=None, property=None, message=message)
    told["message"] = told["message"][:LONGEST_MESSAGE]
    return dict(name=name, max=most, **told, followed_through=told["property"] == GIVEN)
