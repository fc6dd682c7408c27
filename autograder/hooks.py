"""What a course may tell the judge beside its exercises."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Hooks:
    """What the judge must know of a course; each has a default that suits a course without such a thing.

    hatched: (inputs, words of the result's axes) -> an array that is True where a card hatches numbers, or None.
    why_hatched: what a card says of these numbers.
    optional_part: the name of an input that may be left out, and decides much where it is given, "mask" say.
    is_weight: whether an input of this name is what a layer learns, and not what it is given.
    instead: name of an input that may be left out -> what is done where it is.
    relations: functions of pairs (got, expected) that return a Finding, tried after those that every course has.
    edges: tag of a case -> where that is, in the learner's words; beside those that every course has.
    at_work: name of an exercise -> a function that runs an answer at the size of later lessons.
    nan_remarks: tag of a case -> what to say of a right answer whose gradients are not numbers there.
    """

    hatched: Callable = lambda inputs, axes: None
    why_hatched: str = ""
    optional_part: str = ""
    is_weight: Callable = lambda name: False
    instead: dict = field(default_factory=dict)
    relations: tuple = ()
    edges: dict = field(default_factory=dict)
    at_work: dict = field(default_factory=dict)
    nan_remarks: dict = field(default_factory=dict)
