"""`mha try`: whether a step or an exercise is as it should be, with all that is built on it.

In our course it runs those tests that are about it, and tells in a line what each part of them found.
In others, which have no such tests, it judges the solution and the wrong versions.
"""

from collections import Counter
from difflib import get_close_matches
from pathlib import Path

import click

from .course import installed
from .outline import INSTALLED, where
from .trying_versions import try_versions

TESTS = Path(__file__).resolve().parent.parent / "tests" / "lessons"
PARTS = {
    "test_judgement.py": "right answers are accepted, wrong ones are rejected and called by their names",
    "test_separation.py": "a case tells every two versions apart, here and in what is built on it",
    "test_clauses.py": "the stub says all that is demanded, and something wrong breaks each of its clauses",
    "test_hints.py": "each mistake has three hints of 20 to 160 words",
    "test_tone.py": "messages and hints are kind",
    "test_leaks.py": "neither messages nor hints give the answer away",
}
LONGEST = 12  # lines of what a test says
SEARCH = "test_no_input_tells_equivalent_versions_apart"  # takes minutes


def try_out(name):
    """Run the tests about a step or an exercise, print what they find, and return whether all is well."""
    if where() != INSTALLED:  # the tests are those of our course
        return try_versions(name)
    if not TESTS.is_dir():
        raise click.ClickException("`mha try` needs the course's whole folder, with its tests.")
    try:
        import pytest
    except ImportError:
        raise click.ClickException("pytest is missing: run `make test` once, which installs it.") from None
    found = Concerned(name)
    pytest.main(["-p", "no:terminal", "-p", "no:cacheprovider", *(str(TESTS / file) for file in PARTS)], [found])
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
        self.built_on_it = {task for step, task in steps.items() if self.step in course.mutants.steps_of(step)}
        self.passed, self.failures = Counter(), []

    def pytest_collection_modifyitems(self, items):
        items[:] = filter(self._is_about_it, items)

    def _is_about_it(self, item):
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
                said = message.removeprefix("AssertionError: ").partition("\nassert ")[0]
                click.echo(f"  {test}\n" + "".join(f"    {line}\n" for line in said.split("\n")[:LONGEST]))
