"""The shell in which a learner's cells run, and the watchdog that stops what does not return.

What the cells show is collected as a notebook keeps it.
"""

import io
import os
import sys
from math import inf
from time import monotonic
from types import FunctionType

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.external.pickleshare import PickleShareDB
from IPython.utils.text import SList
from traitlets import Type
from traitlets.config import Config

from ...judging.running import put
from ...judging.time_limits import TooSlow, time_limit

MOST_CHARACTERS = 2_000_000  # that a cell shows, pictures among them
PAUSE = 1.0  # seconds in which a library may tell of an error before it is stopped, too
DEEPEST = 10_000  # frames that are looked at
QUIET = Config({"HistoryManager": {"enabled": False, "hist_file": ":memory:"}})  # its thread would forbid to fork


class Outputs(list):
    """What one cell shows, in nbformat's words, until there is no more room; of streams the text in pieces."""

    room = MOST_CHARACTERS

    def stream(self, name, text):
        """Add text to the output of the same stream, if that was the last."""
        if self.room <= 0:
            return
        if not (self and self[-1].get("name") == name):
            self.append({"output_type": "stream", "name": name, "text": []})
        left, self.room = self.room, self.room - len(text)
        self[-1]["text"] += [text] if self.room > 0 else [text[:left], REST]

    def show(self, kind, **content):
        if self.room > 0:
            self.room -= len(str(content))
            full = {"output_type": "stream", "name": "stdout", "text": [TOO_LARGE]}
            self.append({"output_type": kind, **content} if self.room > 0 else full)

    def joined(self):
        """Return all of them, of streams the text in one piece: to add to it at each write would take too long."""
        return [one | {"text": "".join(one["text"])} if one["output_type"] == "stream" else one for one in self]


REST, TOO_LARGE = "\n... the rest is left out ...", "... this output is too large, and left out ..."


class Stream(io.TextIOBase):
    """Takes the place of sys.stdout or sys.stderr."""

    encoding, errors = "utf-8", "replace"

    def __init__(self, name, shell):
        self.name, self.shell = name, shell

    def write(self, text):
        self.shell.outputs.stream(self.name, str.__str__(text))  # a TypeError for what is no text
        return len(text)

    def close(self):
        """Do nothing: a cell may close its output, and the next one still has it."""

    def fileno(self):
        """Return a descriptor from which nothing is read or shown: C code may write there."""
        return ("stdin", "stdout", "stderr").index(self.name)

    def writable(self):
        return True


class Published(DisplayPublisher):
    """What `display` shows."""

    def publish(self, data, metadata=None, **_):
        self.shell.outputs.show("display_data", data=dict(data), metadata=dict(metadata or {}))

    def clear_output(self, wait=False):
        self.shell.outputs.clear()


class Result(DisplayHook):
    """The value of a cell's last line."""

    def write_output_prompt(self):
        """Do nothing: the number is beside the data."""

    def write_format_data(self, format_dict, md_dict=None):
        self.shell.outputs.show("execute_result", data=format_dict, metadata=md_dict or {}, execution_count=None)

    def finish_displayhook(self):
        """End without an empty line below the value."""


class Shell(InteractiveShell):
    """IPython without a terminal and without a kernel."""

    kernel = None  # some look whether there is one
    display_pub_class = Type(Published)
    displayhook_class = Type(Result)

    def __init__(self):
        self.outputs = Outputs()
        super().__init__(config=QUIET)
        self.colors = "linux"
        self.extension_manager.load_extension("storemagic")  # as a kernel does

    def move_in(self):
        """Move into the folder where the learner's cells run, with files that they keep and modules that they write."""
        self.ipython_dir = os.path.abspath(".ipython")
        self.db = PickleShareDB(os.path.join(self.ipython_dir, "db"))
        sys.path.insert(0, "")

    def run(self, code):
        """Run a cell; what it showed is in `outputs`."""
        self.outputs = Outputs()
        sys.stdout, sys.stderr = Stream("stdout", self), Stream("stderr", self)
        self.run_cell(code, store_history=True)

    def _showtraceback(self, etype, evalue, stb):
        self.outputs.show("error", ename=etype.__name__, evalue=str(evalue), traceback=list(stb))

    def system(self, command):
        """Run no program, as in `!pip install ...`. In a kernel, too, such a line stops no cell if it fails."""
        print(f"Not run while a submission is graded: {command}")

    def getoutput(self, command, split=True, depth=0):
        """Return no lines, as for `lines = !ls`."""
        self.system(command)
        return SList() if split else ""

    def enable_gui(self, gui=None):
        """Show figures inline, or not at all."""

    def ask_exit(self):
        """Ignore a cell that asks to exit: the next one runs all the same."""

    def init_sys_modules(self):
        """Let `__main__` be the learner's module."""
        super().init_sys_modules()
        sys.modules["__main__"] = self.user_module


def begun_shell():
    """Return the shell of this process, in which figures are drawn as in a notebook that nbgrader runs."""
    os.environ |= {"MPLBACKEND": "module://matplotlib_inline.backend_inline", "NBGRADER_EXECUTION": "autograde"}
    return Shell.instance()


class NotCalledAgain(Exception):
    """A function that did not return is called again."""

    def _render_traceback_(self):
        return [f"{type(self).__name__}: {self}"]


class Watchdog:
    """Finds which function does not return and stops it, and lets it refuse to be called again.

    A learner's code may forge all of this: what it says can cost only its author points.
    `stuck`: the name of the function that did not come back last, perhaps empty.
    """

    def __init__(self, variables):
        self.variables, self.stuck = variables, ""
        self.halted = {}  # name -> what undoes it

    def limit(self, seconds, patience=inf, names=()):
        """Raise TooSlow after so many seconds; sooner if a call of a function of these names outlasts our patience.

        `stuck` then says whose call it was.
        """
        self.seconds, self.patience, self.names, self.stuck = seconds, patience, names, ""
        self.since, self.stopped, self.looks = {}, -inf, False  # since: call that is at work -> since when
        return time_limit(seconds, self._look)

    def _look(self, frame, late):
        if self.looks:  # the alarm came meanwhile
            return
        self.looks = True
        try:
            frames = self._seen(frame)
            waits = any(home(f) in self.names and monotonic() - self.since[f] >= self.patience for f in frames)
            stops = (late or waits) and (frames or monotonic() - self.stopped > PAUSE)
        finally:
            self.looks = False
        if stops:
            self.stopped = now = monotonic()
            # The innermost call that took half of the time, and not one that a loop calls again and again.
            latest = now - min(self.patience, self.seconds) / 2
            names = (home(frame) for frame, begun in self.since.items() if begun <= latest)
            self.stuck = next(filter(self._is_function, names), self.stuck)
            who = f"`{self.stuck}`" if self.stuck else "This cell"
            seconds = self.seconds if late else self.patience
            raise TooSlow(f"{who} did not come back within {seconds:g} seconds, and was stopped.")

    def _seen(self, frame):
        """Return the calls of the notebook's own code that are at work now, innermost first."""
        found, now = [], monotonic()
        while frame is not None and len(found) < DEEPEST:
            found += [frame] * (frame.f_globals is self.variables)
            frame = frame.f_back
        self.since = {frame: self.since.get(frame, now) for frame in found}
        return found

    def halt(self, names):
        """Let these functions raise NotCalledAgain, and no others: those that were halted before are there again.

        A function that is written anew under such a name is another one, and is called.
        """
        for name in [name for name in self.halted if name not in names]:
            self.halted.pop(name)()
        for name in names:
            if name not in self.halted and self._is_function(name):
                self.halted[name] = put(refusal(name), name, self.variables)

    def _is_function(self, name):
        return isinstance(self.variables.get(name), (FunctionType, type))


def home(frame):
    """Return the name of the function, or of the class, whose definition contains a frame's code."""
    return frame.f_code.co_qualname.partition(".")[0]


def refusal(name):
    """Return what stands in for a function that did not return."""

    def instead(*inputs, **options):
        raise NotCalledAgain(f"`{name}` did not come back before, so it is not called again, and this was skipped.")

    return instead
