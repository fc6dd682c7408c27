"""Worlds in which a step of the reference is somebody's wrong version of it.

mha_ref composes later functions from earlier ones, and so does layers.py.
So a misconception about a small step is, for free, a misconception about everything built on that step.
"""

from functools import cache
from types import FunctionType

import mha_ref
from mha_ref import attention, cost, heads, masks, weights

from . import layers

REFERENCES = {
    name: thing for name, thing in vars(layers).items() if getattr(thing, "__module__", "") == layers.__name__
}
REFERENCES |= {name: getattr(mha_ref, name) for name in mha_ref.__all__}
MODULES = (weights, masks, attention, heads, cost, layers)
GLOBALS = {name: thing for module in MODULES for name, thing in vars(module).items()}
# A wrong version checks nothing.
GLOBALS |= {name: lambda *inputs, **named: None for name in GLOBALS if name.startswith("check_")}


@cache
def steps_of(name):
    """The names of the functions that the reference `name` is made of: itself first, the nearest before the deeper."""
    found, queue = [], [name]
    while queue:
        step = queue.pop(0)
        if step not in found:
            found.append(step)
            queue += [called for called in REFERENCES[step].__code__.co_names if called in REFERENCES]
    return tuple(found)


def bend(name, *misconceptions):
    """The reference `name` as somebody writes it who holds these misconceptions.

    Its steps are copied into a world of their own, where those that the misconceptions are about are wrong.
    Inside a wrong version, the step's own name still means what it meant before.
    """
    world = dict(GLOBALS)
    world |= {step: _copy(REFERENCES[step], world) for step in steps_of(name)}
    insides = []
    for misconception in misconceptions:
        inside = dict(misconception.function.__globals__)
        insides.append((inside, misconception.step, world[misconception.step]))
        wrong = _copy(misconception.function, inside, misconception.constants)
        world[misconception.step] = _without_like(wrong)
    for inside, step, before in insides:
        inside |= world | {step: before}
    return world[name]


def _without_like(wrong):
    """Mask makers of mha_ref are told the library by `like=`; wrong versions know NumPy only."""
    return lambda *inputs, like=None, **options: wrong(*inputs, **options)


def _copy(function, world, constants=None):
    copy = FunctionType(function.__code__, world, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = constants or function.__kwdefaults__
    return copy
