"""What a course tells of a layer that learners write: where its weights belong, and what to look for in it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class AtWork:
    """How the judge looks at the layer of one exercise.

    place: (layer, inputs) -> {name of a parameter: the tensor that stands there}; raises a Misfit where that fails.
    faults: functions of a Work that say whether a fault is there, in the order in which they are looked for.
    begin: called with a class before it is judged.
    built: functions of a layer and the exercise; faults in how it is built.
    unplaced: functions of a layer; faults that may be why weights have no place.
    unclear: (layer, inputs) -> a message where `place` had to guess which weight is which, else None.
    """

    place: Callable
    faults: tuple
    begin: Callable = lambda layer_class: None
    built: tuple = ()
    unplaced: tuple = ()
    unclear: Callable = lambda layer, inputs: None
