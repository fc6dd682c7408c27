"""Own parts: what a learner wrote, and a check found right, is kept in one file, and later lessons use it.

`mine.py` is in the folder of the lessons; what is written for NumPy, before there are tensors, is in a file beside it.
A part is used if it is right as it stands in the file: what somebody changed there is judged again.
"""

import ast
import re
import time
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType

from IPython import get_ipython

from ..catalogue import EXERCISES, lacking
from ..exercise import Exercise
from ..judging.errors import error_line
from ..judging.judge import judge
from ..outline import ours
from . import journal
from .source_text import CannotBeKept, defined, names_read, needed, source_text

FILES = {"torch": "mine.py", "numpy": "mine_in_numpy.py"}
TITLE = '''"""My own parts: what I wrote in this course, and was judged right. Later lessons use it.

You may change this file. What you change is judged again before a lesson uses it.
"""'''
MARK = re.compile(r"^# %% (\w+), .*$", re.MULTILINE)  # the line above each part
SLOWEST = 8  # times as slow as ours: natural styles need up to 3.4 times as long
HUNGRIEST = 12  # times as many numbers in the largest tensor that is made: natural styles have up to 8 times as many

_parts = {}  # file, fingerprint -> what a part defines
_told = {}  # name -> why the learner's own version is not used, "" if there is none, None if it is used


class OwnFile:
    """The file of a learner's own parts for a library.

    parts: name -> text; imports: lines; added: what somebody wrote above the first part; sections: below marks that
    they made themselves. Both stay as they are.
    """

    def __init__(self, library):
        self.path = (Path.cwd().parent if journal.lesson_here() else Path.cwd()) / FILES[library]
        text = self.path.read_text(encoding="utf-8") if self.path.is_file() else ""
        head, *rest = MARK.split(text)
        parts = {name: part.strip() for name, part in zip(rest[::2], rest[1::2])}
        self.parts = {name: part for name, part in parts.items() if name in EXERCISES}
        marks = [mark for mark in MARK.finditer(text) if mark[1] not in EXERCISES]
        self.sections = [f"{mark[0]}\n{parts[mark[1]]}" for mark in marks]
        head = head.replace(TITLE, "")
        lines = [line for line in ast.parse(head).body if isinstance(line, ast.Import | ast.ImportFrom)]
        self.imports = {ast.unparse(line) for line in lines}
        of_imports = {row for line in lines for row in range(line.lineno, line.end_lineno + 1)}
        self.added = "\n".join(row for n, row in enumerate(head.splitlines(), 1) if n not in of_imports).strip()

    def put(self, name, text, imports):
        """Write a part in the place of an older version; CannotBeKept where its helpers are others than another's."""
        made_now = defined(text)
        for other in self.parts.keys() - {name}:
            theirs = defined(self.parts[other])
            if clash := [helper for helper, it in made_now.items() if theirs.get(helper, it) != it]:
                raise CannotBeKept(f"`{clash[0]}` is something else beside your `{other}`; give it another name")
        self.parts[name] = text
        self.imports |= imports
        new = self.path.with_suffix(".new")
        new.write_text(self.text(), encoding="utf-8")
        new.replace(self.path)

    def text(self):
        """Return the text of the file: parts stand in the order of the course."""
        imports = sorted(self.imports - {f"from autograder.mine import {part}" for part in self.parts})
        in_order = sorted(self.parts, key=[*EXERCISES].index)
        marked = [f"# %% {name}, lesson {EXERCISES[name].lesson[7:9]}\n{self.parts[name]}" for name in in_order]
        head = "\n\n".join(filter(None, (TITLE, "\n".join(imports), self.added)))
        return "\n\n\n".join([head, *marked, *self.sections]) + "\n"

    def fingerprint(self, name):
        """Return what changes with a part, with each part that it uses, and with what somebody wrote above all."""
        texts = [self.added, *self.sections, *(self.parts[part] for part in sorted(needed({name}, self.parts)))]
        return sha256("\n".join(texts).encode()).hexdigest()[:16]

    def run_what_was_added(self, namespace):
        """Run the imports, and what somebody wrote beside the parts, but only what may define something."""
        lines = [line for line in sorted(self.imports) if "autograder.mine" not in line]
        for statement in ast.parse("\n".join([*lines, self.added, *self.sections])).body:
            if not isinstance(statement, ast.Expr):
                with suppress(Exception):  # a part that needs it says so
                    exec(compile(ast.Module([statement], []), self.path, "exec"), namespace)


def keep(task, answer) -> str:
    """Keep a right answer for later lessons; return a sentence that says where, or why not, or "" for no function."""
    if not isinstance(task, Exercise) or not journal.may_write():
        return ""
    newest = max(task.lesson, journal.lesson_here())
    taught = {n for n, other in EXERCISES.items() if isinstance(other, Exercise) and other.lesson <= newest}
    try:
        text, imports = source_text(task.name, answer, taught - {task.name})
        OwnFile(_library()).put(task.name, text, imports)
        if task.name not in OwnFile("torch").parts and not any("numpy" in line for line in imports):
            OwnFile("torch").put(task.name, text, imports)  # what calls nothing of NumPy's may do for tensors, too
    except (CannotBeKept, SyntaxError, OSError, ValueError) as why:  # somebody changed the file, perhaps
        return f"It cannot be kept for later lessons: {why}."
    return f"Kept for later lessons, in `{FILES[_library()]}`."


def part(name):
    """Return the learner's own version of what a lesson taught if it is right and fit for use, else the course's."""
    own, trouble = (None, "") if journal.is_on(journal.OURS) else own_part(name)
    if not _told and (shell := get_ipython()):
        shell.events.register("post_run_cell", _tell)
    _told[name] = None if own else trouble
    return own or ours(name)


def own_part(name):
    """Return the learner's version if it is right and fit for use, else None, and why not."""
    try:
        file = OwnFile(_library())
        if name not in file.parts:
            return None, "yours is for NumPy" if name in OwnFile("numpy").parts else ""
        own = _made(file, name)
    except Exception as error:  # somebody changed the file
        return None, f"{FILES[_library()]} stops with {error_line(error)}"
    entry = dict(what="own part", task=name, library=_library(), fingerprint=file.fingerprint(name))
    known = next((known for known in journal.entries() if entry.items() <= known.items()), None)
    if known is None:
        known = entry | {"trouble": trouble_with(own, EXERCISES[name])}
        journal.note(**known)
    return (None if known["trouble"] else own), known["trouble"]


def _made(file, name):
    """Run a part of a file, and return what it defines. Of the parts that it uses it gets those that are used now.

    It keeps its place in the file, so that tracebacks show its lines.
    """
    known = file.path, file.fingerprint(name)
    if known not in _parts:
        module, used = ModuleType(file.path.stem), names_read(file.parts[name]) & EXERCISES.keys() - {name}
        vars(module).update({part: own_part(part)[0] or ours(part) for part in used})
        file.run_what_was_added(vars(module))
        lines_above = file.text().partition(f"# %% {name}, ")[0].count("\n") + 1
        exec(compile("\n" * lines_above + file.parts[name], file.path, "exec"), vars(module))
        _parts[known] = vars(module)[name]
    return _parts[known]


def trouble_with(own, task):
    """Return why a version should not be used in later lessons: it is wrong, or much hungrier or slower than ours."""
    if not judge(own, task, library=_library() if task.library == "numpy" else None).right:
        return "yours is not right"
    at_work = task.course.hooks.at_work
    run = resolve_name(at_work).get(task.name) if at_work and _library() == "torch" else None
    if run is None:
        return ""
    try:
        larger, slower = (measure(run, own, ours(task.name)) for measure in (_times_as_large, _times_as_long))
    except Exception as error:
        return f"with yours, {error_line(error)}"
    if larger > HUNGRIEST:
        return f"yours makes a tensor {larger:.0f} times as large"
    return f"yours takes {slower:.0f} times as long" if slower > SLOWEST else ""


def _times_as_large(run, own, ours):
    """Compare the largest tensors that are made on the way, at the size of later lessons."""
    from ..judging.layers.contents import tensors_made  # here: it imports torch

    (_, mine), (_, theirs) = (tensors_made(part, partial(run, part)) for part in (own, ours))
    return mine / theirs


def _times_as_long(run, own, ours):
    """Compare the processor's seconds at the size of later lessons: the fewest of several times, by turns.

    By the clock, and in other threads, what others do on this machine would count.
    """
    seconds = {own: [], ours: []}
    for _ in range(6):  # the first is also what makes everything ready
        for part in (own, ours):
            begin = time.thread_time()  # which a browser's Python lacks; lessons in NumPy do not come here
            run(part)
            seconds[part].append(time.thread_time() - begin)
    return min(seconds[own]) / min(seconds[ours])


def _library():
    lesson = journal.lesson_here()
    return "numpy" if lesson and lacking(lesson) else "torch"


def _tell(result):
    """Say, when the cell has run, whose version each name is, unless there is nothing of the learner's."""
    get_ipython().events.unregister("post_run_cell", _tell)
    told = {name: why for name, why in _told.items() if name in result.info.raw_cell}  # not what own parts import
    own = [name for name, trouble in told.items() if trouble is None]
    others = [f"{name} ({trouble})" if trouble else name for name, trouble in told.items() if trouble is not None]
    if own or any(told.values()):
        print(". ".join(f"{whose}: {', '.join(names)}" for whose, names in (("Yours", own), ("Ours", others)) if names))
    _told.clear()
