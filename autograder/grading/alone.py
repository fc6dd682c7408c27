"""A learner's test once more, in workers that have met no version yet: what it remembers, or counts, is not there."""

from contextlib import ExitStack

from ..judging.judge import undisturbed
from ..judging.test_writing import lets_pass
from .stand_ins.remote import Ended


class Alone:
    """new_remote: begins a worker, for as long as its doors stay open; cells: those of the notebook that ran well."""

    def __init__(self, new_remote, cells, seconds):
        self.new_remote, self.cells, self.seconds = new_remote, cells, seconds

    def says_so(self, task, right, caught):
        """Whether a test tells these two apart, where each is the only one that it meets.

        For most tests a few cells are enough, and take no time; for one that needs others all are run.
        """
        for cells in (self._few(task.name), self.cells):
            if self._passes(task, right, cells):
                return not self._passes(task, caught, cells)
        return False

    def _few(self, name):
        """Those that name it, and those that import something."""
        return [code for code in self.cells if name in code or "import " in code]

    def _passes(self, task, version, cells):
        with ExitStack() as doors, undisturbed():
            remote = self.new_remote(doors)
            try:
                for code in cells:
                    remote.reply("run", self.seconds, code=code)
                return lets_pass(remote.ask("get", name=task.name)["value"], task, version)
            except Ended:
                return False
