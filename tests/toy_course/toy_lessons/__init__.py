"""A small course about something else, on which the engine is tested: how far numbers lie apart."""

from autograder.course import Course

course = Course(
    package=__name__,
    reference="toy_ref",
    modules=("toy_ref",),
    functional=("toy_lessons.lesson_01_layers.functional",),
    layers="toy_ref.layer",
    hooks="toy_lessons.hooks",
)
