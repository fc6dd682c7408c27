"""What a lesson may use: those before the first one in torch are written in NumPy, by hand."""

from .catalogue import EXERCISES, LESSONS
from .outline import outline


def lacking(lesson):
    """Return the libraries that answers of this lesson may not use; from the first lesson in torch on, none."""
    so_far = LESSONS[: LESSONS.index(lesson) + 1]
    in_torch = any(getattr(task, "library", "") == "torch" for task in EXERCISES.values() if task.lesson in so_far)
    return () if in_torch else outline().not_before_torch
