"""Find what an author got wrong: in declarations, before notebooks are built, and in all that `mha try` looks at.

`mha try` says whether a step or an exercise of our course is as it should be, with all that is built on it.
It runs those tests that are about it, and tells in a line what each part of them found.
"""

import re
from collections import Counter
from difflib import get_close_matches
from functools import cache
from inspect import Parameter, signature
from pathlib import Path

import click

from .course import installed
from .exercise import ModuleExercise
from .judging.results import same
from .judging.running import observe, quiet
from .outline import INSTALLED, where

EQUAL = 1e-9  # relative difference of results that come from the same formula

TESTS = Path(__file__).resolve().parent.parent / "tests"
DEFINITIONS = "test_definitions.py"
PARTS = {
    DEFINITIONS: "the reference computes what its definition in plain loops does",
    "test_judgement.py": "right answers are accepted, wrong ones are rejected and called by their names",
    "test_separation.py": "a case tells every two versions apart, here and in what is built on it",
    "test_clauses.py": "the stub says all that is demanded, and something wrong breaks each of its clauses",
    "test_hints.py": "each mistake has three hints of 20 to 160 words",
    "test_tone.py": "messages and hints are kind",
    "test_leaks.py": "neither messages nor hints give the answer away",
}
LONGEST = 12  # lines of what a test says
SEARCH = "test_no_input_tells_equivalent_versions_apart"  # takes minutes


def check_declarations(course):
    """Raise ClickException for the first exercise, or wrong version of a step, that cannot work as it is written."""
    for step in course.steps.values():
        if step.step not in course.versions.right:
            raise click.ClickException(f"`{step.step}` is not in `__all__` of {course.reference}: add it there")
        for misconception in step.own_mistakes:
            _check_wrong_version(misconception, step)
    for exercise in filter(lambda task: hasattr(task, "cases"), course.exercises.values()):
        _check_cases(exercise)


def with_hints(course):
    """Return the names of all that must have hints: tasks, the misconceptions of every step, the faults of classes."""
    classes = [task.inspection for task in course.exercises.values() if isinstance(task, ModuleExercise)]
    faults = [name for how in classes for name in (*(fault.__name__ for fault in how.all_faults), *how.misfits)]
    mistakes = [mistake.name for step in course.steps.values() for mistake in step.own_mistakes]
    return dict.fromkeys([*course.exercises, *mistakes, *faults])


def _check_wrong_version(misconception, step):
    name, function = f"{misconception.name}, a wrong version of {step.step},", misconception.function
    if not function.__doc__:
        raise click.ClickException(f"{name} needs a docstring, which learners read; a helper begins with _.")
    if unknown := _names_of(function, Parameter.POSITIONAL_OR_KEYWORD) - set(signature(step.reference).parameters):
        takes = ", ".join(signature(step.reference).parameters)
        raise click.ClickException(f"{name} has the input `{min(unknown)}`, but {step.step} takes {takes}.")
    if unknown := misconception.constants.keys() - _names_of(function, Parameter.KEYWORD_ONLY):
        raise click.ClickException(f"{name} has no keyword-only parameter `{min(unknown)}`, which its @mistake gives.")
    if unknown := set(misconception.on) - _tags(step.course):
        raise click.ClickException(f"{name} shows on {min(unknown)!r}, it says: no case of any exercise has that tag.")


def _names_of(function, kind):
    return {name for name, p in signature(function).parameters.items() if p.kind is kind}


@cache
def _tags(course):
    return {case.tag for task in course.exercises.values() if hasattr(task, "cases") for case in task.cases()}


def _check_cases(exercise):
    cases = exercise.cases()
    if unknown := {name for case in cases for name in case.inputs} - exercise.parameters.keys():
        wrong = f"a case of {exercise.step} has the input {min(unknown)!r}"
        takes = ", ".join(exercise.parameters)
        raise click.ClickException(f"cases.py of {exercise.lesson}: {wrong}, but the reference takes {takes}.")
    for version in exercise.wrong_versions:
        misconception = version.mistakes[0]
        if misconception.step != exercise.step:
            continue
        with quiet():
            outcomes = ([observe(f, case.inputs) for f in (version.function, exercise.reference)] for case in cases)
            changes_nothing = all(same(*both, EQUAL) for both in outcomes)
        if changes_nothing:
            name = f"{misconception.name}, a wrong version of {exercise.step},"
            raise click.ClickException(f"{name} gives the right result in every case: correct it, or add a case.")


def try_out(name):
    """Run the tests about a step or an exercise, print what they find, and return whether all is well."""
    if where() != INSTALLED:
        raise click.ClickException("`mha try` runs tests of our course; docs/own_course.md says what to do in yours.")
    if not TESTS.is_dir():
        raise click.ClickException("`mha try` needs the course's whole folder, with its tests.")
    import pytest  # here: a build does without it

    found = Concerned(name)
    check_declarations(installed())
    files = [str(file) for name in PARTS for file in TESTS.glob(f"*/{name}")]
    pytest.main(["-p", "no:terminal", "-p", "no:cacheprovider", *files], [found])
    found.tell()
    return not found.failures


class Concerned:
    """A plugin of pytest that keeps the tests about one step or exercise, and what they found."""

    def __init__(self, name):
        course = installed()
        steps = {task.step: step for step, task in course.exercises.items() if hasattr(task, "step")}
        if name not in course.steps and name not in course.exercises:
            near = get_close_matches(name, [*course.steps, *course.exercises], n=1)
            raise click.ClickException(f"There is no step or exercise {name!r}" + (f": {near[0]!r}?" if near else "."))
        self.step = getattr(course.exercises.get(name), "step", name)
        self.names = {name, self.step}
        self.built_on_it = {task for step, task in steps.items() if self.step in course.versions.steps_of(step)}
        self.passed, self.failures = Counter(), []

    def pytest_collection_modifyitems(self, items):
        items[:] = filter(self._is_about_it, items)

    def _is_about_it(self, item):
        if item.path.name == DEFINITIONS:
            return not item.get_closest_marker("slow")
        values = getattr(item, "callspec", None) and item.callspec.params
        if not values:
            return True
        if "version" in values:
            return values["version"].mistakes[0].step == self.step
        names = self.built_on_it if item.path.name == "test_separation.py" else self.names
        about = {str(value).partition("__")[0] for value in values.values()}
        everything = item.path.name in ("test_hints.py", "test_tone.py")
        return (everything or not about.isdisjoint(names)) and item.originalname != SEARCH

    def pytest_collectreport(self, report):
        if report.failed:
            self.failures.append((Path(report.nodeid).name, report.nodeid, str(report.longrepr)))

    def pytest_runtest_logreport(self, report):
        file = Path(report.location[0]).name
        if report.failed:
            self.failures.append((file, report.location[2], report.longrepr.reprcrash.message))
        elif report.when == "call":
            self.passed[file] += 1

    def tell(self):
        """Print a line for each part, and below it what failed."""
        for file, part in PARTS.items():
            failures = [(test, message) for where, test, message in self.failures if where == file]
            click.secho(f"{'✗' if failures else '✓'} {part} ({self.passed[file]})", fg="red" if failures else "green")
            for test, message in failures:
                said = re.sub(r"^[\w.]+: ", "", message).partition("\nassert ")[0]  # without the name of the error
                click.echo(f"  {test}\n" + "".join(f"    {line}\n" for line in said.split("\n")[:LONGEST]))
