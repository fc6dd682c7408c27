"""What the judge must know of the toy course."""

from autograder.course import Hooks

HOOKS = Hooks(
    optional_input="counts",
    is_weight=lambda name: name in ("gain", "bias"),
    instead={"counts": "where there are no counts, each number counts once"},
    edges={"single": "only where a row holds a single number"},
)
