"""Takes the place of nbgrader's Execute: a learner's cells run in a worker, and are judged here.

Everything else of nbgrader stays as it is: it reads scores off what check cells show.
"""

import ast
import atexit
from contextlib import ExitStack
from functools import cache

from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Integer

from ..catalogue import EXERCISES
from ..libraries import lacking
from .choosing import workers
from .examination import Examination
from .seed import seed_of


class Examiner(NbGraderPreprocessor):
    """Runs the cells of one submission, one after the other."""

    timeout = Integer(30, help="Seconds for a cell.").tag(config=True)
    timeout_of_call = Integer(5, help="Seconds for one call of what a learner wrote.").tag(config=True)
    trust_submissions = Bool(False, help="Grade even where there is no sandbox.").tag(config=True)

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        seed, seconds = seed_of(about["db_url"]), (self.timeout, self.timeout_of_call)
        zygote = source_of_workers(self.trust_submissions, lacking(about["notebook"]))
        with Examination(zygote, about["notebook"], seed, *seconds) as examination:
            cells = [cell for cell in nb.cells if cell.cell_type == "code"]
            for number, cell in enumerate(cells, start=1):
                self._examine(cell, number, examination)
        return nb, resources

    def _examine(self, cell, number, examination):
        name = name_checked_by(cell)
        cell.outputs = examination.check(name) if name else examination.run(cell.source)
        cell.execution_count = number
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number


def name_checked_by(cell):
    """The task of a check cell; None for any other. It is never run, so nothing counts but its name and its form."""
    about = cell.metadata.get("nbgrader", {})
    name = str(about.get("grade_id", "")).removeprefix("check_")
    if not (about.get("locked") and name in EXERCISES):
        return None
    *_, last = ast.parse(cell.source).body
    return name if ast.unparse(last) == f"check({name}={name})" else None


@cache
def source_of_workers(trust_submissions, lacks):
    """One for all submissions that this process grades, of lessons in NumPy or of those in torch."""
    doors = ExitStack()
    atexit.register(doors.close)
    return doors.enter_context(workers(trust_submissions=trust_submissions, lacks=lacks))
