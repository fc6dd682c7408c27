"""Judging a test that a learner wrote: it must let the right version pass, and fail for the wrong ones."""

from contextlib import redirect_stderr, redirect_stdout

from .outcome import FirstCharacters
from .unfit import is_stub
from .verdict import RIGHT, Verdict


def judge_test(test, task):
    """Points by how many wrong versions are caught; none if the test refuses the right one."""
    if not callable(test) or isinstance(test, type):
        return Verdict("type", f"{task.name} should be a function: it takes {task.exercise.name}, and asserts.")
    if is_stub(test):
        return Verdict("unwritten", f"{task.name} is not written yet.")
    complaint = _run(test, task.exercise.reference)
    if complaint is not None:
        return _refuses_the_right_one(task, complaint)
    missed = [belief for belief in task.wrong_versions if _run(test, belief.function) is None]
    return _misses(task, missed) if missed else RIGHT


def _run(test, implementation):
    """What the test raises, or None if it lets this implementation pass."""
    try:
        with redirect_stdout(FirstCharacters()), redirect_stderr(FirstCharacters()):
            test(implementation)
    except Exception as error:
        return error


def _refuses_the_right_one(task, complaint):
    what = type(complaint).__name__ + (f": {complaint}" if str(complaint) else "")
    return Verdict(
        "raised",
        f"Your test fails for a right {task.exercise.name} ({what}). "
        "A test must let the right version pass, or its alarm says nothing. "
        "Run it on a version you trust, and see which assert stops; compare numbers with np.allclose, not ==.",
    )


def _in_words(misconception):
    return misconception.name.replace("_", " ")


def _misses(task, missed):
    total = len(task.wrong_versions)
    caught = total - len(missed)
    first = missed[0].misconceptions[0]
    return Verdict(
        "property",
        f'Your test catches {caught} of {total} wrong versions. It lets one pass that "{_in_words(first)}". '
        "Which input would make that version and the right one differ? Add that input, and what must hold for it.",
        score=caught / total,
        misconception=first,
        property="catches_every_wrong_version",
    )
