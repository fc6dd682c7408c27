"""How the judge looks at a layer of several heads."""

from functools import partial

from autograder.judging.layers import state
from autograder.judging.layers.layer import Inspection, made
from autograder.judging.layers.modes import ANYWHERE, UNASKED
from autograder.judging.results import ACCIDENTS
from mha_lessons.lesson_04_single_head.layers.inspection import HOW
from mha_lessons.lesson_04_single_head.layers.orientation import placed
from mha_lessons.lesson_04_single_head.layers.weights import layer_weights

from .dropout import ON_WEIGHTS


def accepts_heads_that_do_not_divide(tested):
    """Your results are right, but your class also accepts a model size of 10 with 3 heads, which cannot be divided
    evenly. Refuse it in `__init__`, with a ValueError that names both numbers: that is easier to
    understand than one of shapes, deep in `forward`.
    """
    arguments = tested.exercise.arguments(tested.inputs) | dict(model_size=10, heads=3)
    try:
        made(tested.layer_class, tested.exercise, arguments)
    except ACCIDENTS:
        raise  # which is said as it is
    except Exception:
        return False
    return True


DROPOUT = (*UNASKED, *ANYWHERE, *ON_WEIGHTS)
multi_head_attention = Inspection(
    partial(placed, place=layer_weights),
    (*state.LEARNED, *state.KEPT, accepts_heads_that_do_not_divide, *DROPOUT),
    in_training=DROPOUT,
    **HOW,
)
