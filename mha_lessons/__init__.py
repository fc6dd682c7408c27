"""The course on multi-head attention: one folder for each lesson."""

from autograder.course import Course

course = Course(
    package=__name__,
    reference="mha_ref",
    modules=("mha_ref.weights", "mha_ref.masks", "mha_ref.attention", "mha_ref.heads", "mha_ref.cost"),
    functional=tuple(
        f"{__name__}.{lesson}.functional" for lesson in ("lesson_06_batched_multi_head", "lesson_07_cross_attention")
    ),
    layers="mha_ref.layer",
    hooks=f"{__name__}.hooks",
)
