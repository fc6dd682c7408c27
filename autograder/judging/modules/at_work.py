"""What a course tells of a layer that learners write: where its weights belong, and what to look for in it."""

from collections.abc import Callable
from dataclasses import dataclass

from .building import keeps_layers_out_of_sight, keeps_weights_as_plain_tensors


@dataclass(frozen=True)
class AtWork:
    """How the judge looks at the layer of one exercise.

    place: (layer, inputs) -> {name of a parameter: its tensor}; raises a Misfit where that fails.
    faults: functions of a Work that say whether a fault is there, in the order in which they are looked for.
    begin: called with a class before it is judged.
    built: functions of a layer and the exercise; faults in how it is built.
    unplaced: functions of a layer; faults that may be why weights have no place.
    in_training: those of the faults that look at train mode.
    misfits: names of the Misfits that have one.
    unclear: (layer, inputs) -> a message where `place` had to guess which weight is which, else None.
    """

    place: Callable
    faults: tuple
    begin: Callable = lambda layer_class: None
    built: tuple = ()
    unplaced: tuple = ()
    in_training: tuple = ()
    unclear: Callable = lambda layer, inputs: None
    misfits: tuple = ()

    @property
    def all_faults(self):
        """Return every fault that may be named, those of how any class is built among them."""
        of_every_class = keeps_layers_out_of_sight, keeps_weights_as_plain_tensors
        return *of_every_class, *self.built, *self.unplaced, *self.faults


class Misfit(Exception):
    """The judge's weights have no place in this module; the message tells the learner why.

    name: for the class report, where it is a mistake that has one.
    """

    def __init__(self, message, name=None):
        super().__init__(message)
        self.name = name
