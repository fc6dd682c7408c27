"""What there is to judge: exercises, the steps they are made of, and tests that learners write.

An exercise is a reference, the inputs to try, and the mistakes that people really make.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from inspect import signature
from itertools import islice, product
from pkgutil import resolve_name

import numpy as np

from .course import Task, being_loaded
from .mistakes import Mistake, WrongVersion, written_in

FEW = 50  # an exercise with up to so many mistakes looks for all pairs of them
COMMON = (12, 8, 6, 4, 3, 2)  # with more, for those of the first so many of each step: write frequent ones first
MOST_PAIRS = 1000  # all, or the largest of these numbers, that make no more pairs: a learner waits for them


class Step:
    """A function of the reference that later ones are made of, with the wrong versions that people write."""

    counts: Callable | None = None

    def __init__(self, reference):
        self.reference, self.step, self.course = reference, reference.__name__, being_loaded()
        first = self.course.declared.setdefault(self.step, self)
        self.own_mistakes = [] if first is self else first.own_mistakes  # a layer shares its function's

    def __call__(self, *inputs, **options):
        return self.reference(*inputs, **options)

    def what_counts(self, outcome, inputs):
        """Return an outcome without what is not judged."""
        if self.counts is None or not outcome.is_array:
            return outcome
        return replace(outcome, value=self.counts(outcome.value, **inputs))

    def take_mistakes(self, module):
        """Take the wrong versions of this step that are written in a module."""
        for function, message, *details in written_in(module):
            self.own_mistakes.append(Mistake(function.__name__, message, self.course, function, self.step, *details))


@dataclass(eq=False, repr=False)
class Exercise(Step, Task):
    """A function to write: its reference, a generator of cases, and what must hold whatever the inputs are."""

    reference: Callable
    draw: Callable
    points: float = 1
    properties: Sequence[Callable] = ()
    library: str = "numpy"
    forbids: Sequence[str] = ()  # functions and classes that an answer may not use: each does the whole exercise
    remarks: Sequence[Callable] = ()  # properties that a right answer need not have, and what is worth knowing then
    counts: Callable | None = None  # (a result, inputs) -> what of it is judged, where some places or digits are not
    too_many: Callable | None = None  # inputs -> how many numbers no tensor that an answer makes may have
    pieces: Callable | None = None  # inputs -> how many pieces it must take one by one, each with a tensor of its own
    gradients: bool = True  # they must reach the inputs, in torch
    copies: bool = False  # each entry of the dictionary that comes back must have memory of its own

    def __post_init__(self):
        super().__init__(self.reference)

    @cached_property
    def signature(self):
        """Return the signature of what a learner writes."""
        whole = signature(self.reference)
        return whole.replace(parameters=[p for name, p in whole.parameters.items() if name != "like"])

    @cached_property
    def parameters(self):
        """Return the parameters a learner writes, in order: name -> its default, or Parameter.empty if required."""
        return {name: p.default for name, p in self.signature.parameters.items()}

    @property
    def shown_parameters(self):
        """Return the parameters with which a learner's function, or a layer's `forward`, is called."""
        return self.parameters

    @cache
    def cases(self, seed=None):
        """Return the cases, smallest first, the same on every machine. A seed draws other numbers and sizes."""
        drawn, is_weight = self.draw(np.random.default_rng(seed or 0)), self.course.hooks.is_weight
        cases = tuple(replace(case, weights=frozenset(filter(is_weight, case.inputs))) for case in drawn)
        for x in (x for case in cases for x in case.inputs.values()):
            for array in x.values() if isinstance(x, dict) else [x]:
                if isinstance(array, np.ndarray):
                    array.flags.writeable = False  # they are handed out, as examples
        return cases

    @cached_property
    def mistakes(self):
        """Return its own mistakes, then those of every step that its reference is made of."""
        steps, names = self.course.steps, self.course.versions.steps_of(self.step)
        return [mistake for name in names if name in steps for mistake in steps[name].own_mistakes]

    @cached_property
    def wrong_versions(self):
        """Return a wrong version for each mistake alone."""
        return [WrongVersion((m,), self.step) for m in self.mistakes]

    @cached_property
    def pairs(self):
        """Return wrong versions of two mistakes at once, from the few that each step lists first."""
        always = [m for m in self.mistakes if not m.on]
        if len(self.mistakes) <= FEW:
            return list(self._pairs_of(always))
        common = ([m for m in always if m in self.course.steps[m.step].own_mistakes[:first]] for first in COMMON)
        found = (list(islice(self._pairs_of(some), MOST_PAIRS + 1)) for some in (always, *common))
        return next((pairs for pairs in found if len(pairs) <= MOST_PAIRS), [])

    def _pairs_of(self, common):
        return (WrongVersion(pair, self.step) for pair in product(common, common) if _compatible(*pair))

    def with_rare(self, mistake):
        """Return wrong versions of this mistake together with one that shows on edge cases only."""
        pairs = ((mistake, m) for m in self.mistakes if m.on)
        return [WrongVersion(pair, self.step) for pair in pairs if _compatible(*pair)]


class ModuleExercise(Exercise):
    """A torch module to write; its reference computes the same, as a pure function of inputs and weights.

    sizes: constructor argument -> what it is for a case's inputs, a function of these, as in
        sizes=dict(size=lambda inputs: len(inputs["gain"]), bias=lambda inputs: "bias" in inputs)
    A parameter of the reference is such a size, a weight, or else an input of `forward`.
    no_gradient: weights that change nothing, so that a right layer has gradients of zero for them.
    inspection: where the Inspection of such a layer is, as in "package.module:name"; it imports torch.
    """

    def __init__(self, reference, draw, sizes, inspection, no_gradient=(), **options):
        super().__init__(reference, draw, library="torch", **options)
        self.sizes, self.no_gradient, self._inspection = sizes, no_gradient, inspection

    @cached_property
    def inspection(self):
        """Return how the judge looks at such a layer; only now torch is imported."""
        return resolve_name(self._inspection)

    def arguments(self, inputs):
        """Return what the constructor is called with for these inputs."""
        return {name: size(inputs) for name, size in self.sizes.items()}

    @cached_property
    def layer(self):
        """Return the class to write, as the reference has it."""
        return getattr(import_module(self.course.layers), self.name)

    @cached_property
    def constructor(self):
        """Return the signature of the class to write."""
        return signature(self.layer)

    @cached_property
    def shown_parameters(self):
        """Return the parameters of `forward`, in order, with their defaults."""
        return {n: d for n, d in self.parameters.items() if n not in self.sizes and not self.course.hooks.is_weight(n)}


def _compatible(first, second):
    """Say whether to try two mistakes together: on one step, the second must build on the first."""
    if first.function is second.function:
        return False
    if first.step == second.step:
        return second.step in second.function.__code__.co_names
    return bool(first.on) != bool(second.on) or first.name < second.name


class TestWriting(Task):
    """A test to write: a function that takes an implementation, and fails for the wrong ones.

    catches: names of mistakes of the exercise; each is a wrong version that the test must not let pass.
    also_right: right versions in another style, in the lesson's own library, which it must let pass as well; the
        docstring of each says what it does differently, after "one that".
    """

    __test__ = False  # for pytest: not a class of tests

    def __init__(self, exercise, catches, points=2, also_right=()):
        self.exercise, self.catches, self.points, self.also_right = exercise, catches, points, also_right

    @cached_property
    def wrong_versions(self):
        known = {m.name: m for m in self.exercise.mistakes}
        return [WrongVersion((known[name],), self.exercise.step) for name in self.catches]
