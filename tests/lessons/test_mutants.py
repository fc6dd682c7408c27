"""A small change of right code makes it wrong, and the judge says so, unless we know why it changes nothing.

equivalent_mutants.toml holds what survives: a mutant that is missing there shows that a case is missing.
"""

import inspect
import sys
import tomllib
import warnings
from itertools import count

import mutants
import pytest
from helpers import FUNCTIONS, ROOT, our_answers, solutions_of
from modules import answer_of

import mha_ref.layer
from autograder import EXERCISES, judge
from autograder.course import installed
from autograder.exercise import ModuleExercise
from autograder.judging.explain import diagnose
from autograder.judging.verdict import Verdict
from autograder.mistakes import Mistake

GROUPS = tomllib.loads((ROOT / "tests" / "equivalent_mutants.toml").read_text(encoding="utf-8"))["equivalent"]
EQUIVALENT = [tuple(mutant) for group in GROUPS for mutant in group["mutants"]]
REFERENCES = installed().versions.right
LAYERS = [name for name in FUNCTIONS if isinstance(EXERCISES[name], ModuleExercise)]


def steps_of_its_own(exercise):
    """What its reference is made of, without what an exercise of its own asks for, and without checks."""
    found, queue = [], [exercise.step]
    while queue:
        step = queue.pop(0)
        found.append(step)
        called = [c for c in REFERENCES[step].__code__.co_names if c in REFERENCES and not c.startswith("check_")]
        queue += [c for c in called if c not in (*found, *queue, *FUNCTIONS)]
    return found


ASKING = {}  # step of the reference -> the exercises that it is made for
for name in FUNCTIONS:
    for step in steps_of_its_own(EXERCISES[name]):
        ASKING.setdefault(step, []).append(EXERCISES[name])
SOURCES = {  # kind -> what is mutated -> its source
    "solution": {name: our_answers(EXERCISES[name].lesson)[name] for name in FUNCTIONS},
    "reference": {step: inspect.getsource(REFERENCES[step]) for step in ASKING},
    "layer": {name: inspect.getsource(getattr(mha_ref.layer, name)) for name in LAYERS},
}


def made(source, variables):
    """All that there is after a source has run among these variables."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "is" with a literal
        exec(compile(source, "mutant", "exec"), variables := dict(variables))
    return variables


def solution_is_accepted(name, mutant):
    return judge(made(mutant, solutions_of(EXERCISES[name].lesson))[name], name).right


def reference_is_accepted(step, mutant):
    """By every exercise that asks for this step."""
    wrong = made(mutant, vars(sys.modules[REFERENCES[step].__module__]))[step]
    return all(is_accepted_in(exercise, Mistake(step, "", installed(), wrong, step)) for exercise in ASKING[step])


def is_accepted_in(exercise, misconception):
    """A layer made of a reference computes in NumPy: that no gradient flows through it is no fault of the mutant."""
    answer = answer_of(installed().versions.wrong(exercise.step, misconception), exercise)
    library = None if isinstance(exercise, ModuleExercise) else "numpy"
    verdict = judge(answer, exercise, library=library)
    return verdict.right or (exercise.name in LAYERS and verdict.property == "gradients_flow")


def layer_is_accepted(name, mutant):
    return judge(made(mutant, vars(mha_ref.layer))[name], name).right


ACCEPTED = {"solution": solution_is_accepted, "reference": reference_is_accepted, "layer": layer_is_accepted}
SUBJECTS = [(kind, name) for kind, sources in SOURCES.items() for name in sources]


def lines_of(kind, name):
    return {line.strip() for line in mutants.in_contract(SOURCES[kind][name]).splitlines()}


@pytest.mark.nightly
@pytest.mark.parametrize("kind", SOURCES)
def test_what_is_mutated_is_right(kind):
    """Without a change it is accepted, or a mutant's being rejected would say nothing; for the mutants of the night."""
    sources = SOURCES[kind]
    assert [name for name in sources if not ACCEPTED[kind](name, mutants.in_contract(sources[name]))] == []


EXPLAINED = 10  # of so many that are wrong, what is wrong with one is looked for: that takes most of the time


@pytest.fixture
def seldom_explained(monkeypatch):
    """That the others are wrong is known before, and enough here."""
    numbers = count()

    def sometimes(attempt):
        return diagnose(attempt) if next(numbers) % EXPLAINED == 0 else Verdict("values", "It is not right.")

    monkeypatch.setattr("autograder.judging.judge.diagnose", sometimes)


@pytest.mark.nightly
@pytest.mark.usefixtures("seldom_explained")
@pytest.mark.parametrize(("kind", "name"), SUBJECTS)
def test_a_mutant_is_rejected_or_known_to_be_equivalent(kind, name):
    """Those of a line of which one may change what one likes stand there with the line alone."""
    source, accepted = SOURCES[kind][name], ACCEPTED[kind]
    survivors = {(name, *mutants.change(source, m)) for m in mutants.mutants_of(source) if accepted(name, m)}
    known = {entry for entry in EQUIVALENT if entry[0] == name and entry[1] in lines_of(kind, name)}
    assert not {s for s in survivors if not known & {s, s[:2]}}, "missing cases, or equivalent for a reason to be told"
    assert not known - survivors - {s[:2] for s in survivors}, "does not survive any more"


def test_a_mutant_known_to_be_equivalent_is_of_our_code():
    """The line is there still."""
    lines = {(name, line) for kind, name in SUBJECTS for line in lines_of(kind, name)}
    assert {entry[:2] for entry in EQUIVALENT} - lines == set()
