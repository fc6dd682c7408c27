"""Mutants: wrong versions of the reference, in which one step is replaced by a misconception.

A reference composes later functions from earlier ones.
So a misconception about a small step is, for free, a misconception about everything built on that step.
"""

from functools import cache
from types import FunctionType


class Mutants:
    """Makes wrong versions of a reference's functions.

    references: name -> a function that can be a step of another; modules: what their code may name.
    """

    def __init__(self, references, modules):
        self.references = references
        self._globals = {name: thing for module in modules for name, thing in vars(module).items()}
        # A wrong version checks nothing.
        self._globals |= {n: lambda *inputs, **named: None for n in self._globals if n.startswith("check_")}

    @cache
    def steps_of(self, name):
        """Return the names of the functions that `name` is made of: itself first, the nearest before the deeper."""
        found, queue = [], [name]
        while queue:
            step = queue.pop(0)
            if step not in found:
                found.append(step)
                named = self.references[step].__code__.co_names
                queue += [called for called in named if called in self.references]
        return tuple(found)

    def bend(self, name, *misconceptions):
        """Return the reference `name` as somebody writes it who holds these misconceptions.

        Its steps are copied into globals of their own, where those that the misconceptions are about are wrong.
        Inside a wrong version, the step's own name still means what it meant before.
        """
        world = dict(self._globals)
        world |= {step: _copy(self.references[step], world) for step in self.steps_of(name)}
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
    """Return a wrong version that is not told the library, as makers of masks are: it knows NumPy alone."""
    return lambda *inputs, like=None, **options: wrong(*inputs, **options)


def _copy(function, world, constants=None):
    copy = FunctionType(function.__code__, world, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = constants or function.__kwdefaults__
    return copy
