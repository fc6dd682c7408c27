"""Takes the place of nbgrader's Execute: a learner's cells run in a worker, and are judged here.

Everything else of nbgrader stays as it is: it reads scores off what check cells show.
"""

import textwrap

from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import Bool, Integer

from ..catalogue import EXERCISES, lacking
from ..intake.numbers_of_students import derived, own_numbers, seed_of
from .examination import Examination
from .outputs import error
from .sandbox.selection import source_of_workers

LONGEST_ERROR = 200  # characters


class Examiner(NbGraderPreprocessor):
    """Runs the cells of one submission, one after the other."""

    timeout = Integer(30, help="Seconds for a cell.").tag(config=True)
    timeout_of_call = Integer(5, help="Seconds for one call of what a learner wrote.").tag(config=True)
    trust_submissions = Bool(False, help="Grade even where there is no sandbox.").tag(config=True)

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        seed, seconds = derived(seed_of(about["db_url"]), about["student"]), (self.timeout, self.timeout_of_call)
        zygote = self.source_of_workers(lacking(about["notebook"]))
        numbers = own_numbers(about["db_url"], about["assignment"]).get(about["student"], {})
        with Examination(zygote, about["notebook"], seed, *seconds, numbers) as examination:
            cells = [cell for cell in nb.cells if cell.cell_type == "code"]
            for number, cell in enumerate(cells, start=1):
                self._examine(cell, number, examination)
        return nb, resources

    def source_of_workers(self, lacks):
        if "torch" not in lacks:
            import torch  # noqa: F401  (here: on a busy machine it takes longer than an answer may, and no answer should pay)
        return source_of_workers(self.trust_submissions, lacks)

    def _examine(self, cell, number, examination):
        """Examine a cell. What nbgrader reads a score from is never run: code that runs can show what it likes."""
        name = name_checked_by(cell)
        if name:
            cell.outputs = examination.check(name)
        elif is_scored(cell):
            cell.outputs = [error("NoCheck", NO_CHECK)]
        else:
            cell.outputs = examination.run(cell.source)
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            examination.stopped[name], examination.sources[name] = error_in(cell.outputs), cell.source
        cell.execution_count = number
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number


def name_checked_by(cell):
    """Return the task of a check cell, or None for any other cell. Only the last line of its text counts.

    An answer may end in the same line: its cell has the name of the task alone, and is run.
    """
    mark = str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
    name = mark.removeprefix("check_")
    ours = name != mark and name in EXERCISES and cell.source.rstrip().endswith(f"check({name}={name})")
    return name if ours else None


def error_in(outputs):
    """Return the error with which a cell stopped, in a line, or None if it came to its end."""
    last = next((f"{o.ename}: {o.evalue}" for o in outputs if o.output_type == "error"), None)
    return last and textwrap.shorten(last, LONGEST_ERROR)


def is_scored(cell):
    """Say whether nbgrader looks for a score in what a cell shows; an answer that a person marks has none."""
    return is_grade(cell) and not is_solution(cell)


NO_CHECK = (
    "This cell is scored, but it is not a check of the course. Such a cell cannot be judged from outside a sandbox."
)
