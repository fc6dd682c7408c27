"""The course on multi-head attention: one folder for each lesson."""

from autograder.course import Course

course = Course(
    package=__name__,
    reference="mha_ref",
    modules=("mha_ref.weights", "mha_ref.masks", "mha_ref.attention", "mha_ref.heads", "mha_ref.cost"),
    functional="autograder.layers",
    layers="mha_ref.layer",
    hooks=f"{__name__}.hooks",
)
