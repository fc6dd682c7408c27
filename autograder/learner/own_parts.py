"""Own parts: what a learner wrote, and a check found right, is kept in one file, and later lessons use it.

`mine.py` is in the folder of the lessons; what is written for NumPy, before there are tensors, is in a file beside it.
A part is used if it is right as it stands in the file: what somebody changed there is judged again.
"""

import ast
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from pkgutil import resolve_name
from time import process_time
from types import FunctionType, ModuleType

from IPython import get_ipython

from ..catalogue import EXERCISES, LESSONS, lacking
from ..exercise import Exercise
from ..judging.judge import judge
from ..judging.verdict import error_line
from ..mine import ours
from . import journal
from .source_text import CannotBeKept, SourceText, bound, defined, names_read, source_text

FILES = {"torch": "mine.py", "numpy": "mine_in_numpy.py"}
TITLE = '''"""My own parts: what I wrote in this course, and was judged right. Later lessons use it.

You may change this file. What you change is judged again before a lesson uses it.
"""'''
MARK = re.compile(r"^# %% (\w+), .*$", re.MULTILINE)  # the line above each part
CARRIED = "carried over"
SLOWEST = 5  # times as slow as ours: several times what natural styles differ by

_told = {}  # name -> why the learner's own version is not used, "" if there is none, None if it is used


class OwnFile:
    """The file of a learner's own parts for a library.

    parts: name -> text; imports: lines; added: what somebody wrote above the first part.
    """

    def __init__(self, library):
        self.path = (Path.cwd().parent if _lesson() else Path.cwd()) / FILES[library]
        text = self.path.read_text(encoding="utf-8") if self.path.is_file() else ""
        head, *rest = MARK.split(text)
        self.parts = {name: part.strip() for name, part in zip(rest[::2], rest[1::2])}
        lines = [line for line in ast.parse(head).body if not isinstance(line, ast.Expr)]
        self.imports = {ast.unparse(line) for line in lines if isinstance(line, ast.Import | ast.ImportFrom)}
        self.added = [ast.get_source_segment(head, line) for line in lines if ast.unparse(line) not in self.imports]

    def put(self, name, made):
        """Let a part take the place of an older version; CannotBeKept where its helpers are others than another's."""
        new = defined(made.text)
        for other in self.parts.keys() - {name}:
            theirs = defined(self.parts[other])
            if clash := [helper for helper in new if theirs.get(helper, new[helper]) != new[helper]]:
                raise CannotBeKept(f"`{clash[0]}` is something else beside your `{other}`; give it another name")
        self.parts[name] = made.text
        self.imports |= made.imports | {f"from autograder.mine import {used}" for used in made.used}

    def text(self):
        """Return the text of the file: parts stand in the order of the course."""
        imports = sorted(self.imports - {f"from autograder.mine import {part}" for part in self.parts})
        in_order = sorted(self.parts, key=[*EXERCISES].index)
        marked = [f"# %% {name}, lesson {EXERCISES[name].lesson[7:9]}\n{self.parts[name]}" for name in in_order]
        head = "\n\n".join(filter(None, (TITLE, "\n".join(imports), *self.added)))
        return "\n\n\n".join([head, *marked]) + "\n"

    def write(self):
        new = self.path.with_suffix(".new")
        new.write_text(self.text(), encoding="utf-8")
        new.replace(self.path)

    def used_by(self, name):
        """Return the parts in this file that a part names."""
        return names_read(self.parts[name]) & self.parts.keys()

    def fingerprint(self, name):
        """Return what changes with a part, and with each part that it uses."""
        texts, queue = {}, [name]
        while queue:
            part = queue.pop()
            texts[part] = self.parts[part]
            queue += self.used_by(part) - texts.keys()
        return sha256("\n".join(texts[part] for part in sorted(texts)).encode()).hexdigest()[:16]


def keep(task, answer) -> str:
    """Keep a right answer for later lessons; return a sentence that says where, or why not, or "" for no function."""
    if not isinstance(task, Exercise) or not journal.may_write():
        return ""
    newest = max(task.lesson, _lesson())
    taught = {n for n, other in EXERCISES.items() if isinstance(other, Exercise) and other.lesson <= newest}
    try:
        file = OwnFile(_library())
        file.put(task.name, source_text(answer, taught - {task.name}))
        file.write()
    except (CannotBeKept, SyntaxError, OSError) as why:
        return f"It cannot be kept for later lessons: {why}."
    return f"Kept for later lessons, in `{file.path.name}`."


def part(name):
    """Return the learner's own version of what a lesson taught if it is right and fit for use, else the course's."""
    own, trouble = (None, "") if journal.wants_ours() else _own(name)
    _tell_later(name, own, trouble)
    return own or ours(name)


def own_version(name):
    """Return the learner's version if it is right and fit for use, else None."""
    return _own(name)[0]


def _own(name):
    """Return the learner's version, or None, and why it is not used."""
    try:
        file = OwnFile(_library())
        kept = name in file.parts or _carried_over(name, file)
        variables = _run(file.text(), file.path) if kept else {}
        for used in file.used_by(name) - {name} if kept else ():  # one that steps back does so everywhere
            variables[used] = _own(used)[0] or ours(used)
        own = variables.get(name)
    except Exception as error:  # somebody changed the file
        return None, f"{FILES[_library()]} stops with {error_line(error)}"
    if own is None:
        return None, ""
    entry = dict(what="own part", task=name, library=_library(), fingerprint=file.fingerprint(name))
    known = next((known for known in journal.entries() if entry.items() <= known.items()), None)
    if known is None:
        known = entry | {"trouble": trouble_with(own, EXERCISES[name])}
        journal.note(**known)
    if kept is CARRIED and known["trouble"]:  # it is for NumPy alone, which is no mistake
        return None, ""
    if kept is CARRIED and journal.may_write():
        file.write()
    return (None if known["trouble"] else own), known["trouble"]


@cache
def _run(text, path):
    """Return what a file defines. Its functions show their lines in tracebacks, as those of a module."""
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    exec(compile(text, path, "exec"), vars(module))
    return vars(module)


def _carried_over(name, file):
    """Put into a file for torch what was written before there were tensors, and calls nothing of NumPy's."""
    older = OwnFile("numpy")
    if name not in older.parts or file.path == older.path:
        return False
    text, reads = older.parts[name], names_read(older.parts[name])
    imports = {line for line in older.imports if bound(line) & reads and "autograder.mine" not in line}
    if any("numpy" in line for line in imports):
        return False
    file.put(name, SourceText(text, imports, reads & EXERCISES.keys()))
    return CARRIED


def ours_for_own(variables):
    """Return name -> the course's version, for each own part in a notebook: answers are judged with that."""
    parts = {name: thing for name, thing in variables.items() if isinstance(thing, (FunctionType, type))}
    return {name: ours(thing.__name__) for name, thing in parts.items() if f"{thing.__module__}.py" in FILES.values()}


def trouble_with(own, task):
    """Return why a version should not be used in later lessons: it is wrong, or much slower than ours."""
    if not judge(own, task, library=_library() if task.library == "numpy" else None).right:
        return "yours is not right"
    at_work = task.course.hooks.at_work
    run = resolve_name(at_work).get(task.name) if at_work and _library() == "torch" else None
    if run is None:
        return ""
    try:
        slower = _work(run, own) / _work(run, ours(task.name))
    except Exception as error:
        return f"with yours, {error_line(error)}"
    return f"yours takes {slower:.0f} times as long" if slower > SLOWEST else ""


def _work(run, part):
    """Return the processor's seconds at the size of later lessons: the fewest of a few times, the first not counted."""
    run(part)
    times = []
    for _ in range(5):
        begin = process_time()  # by the clock, others that are at work would count
        run(part)
        times.append(process_time() - begin)
    return min(times)


def _lesson():
    """Return the lesson whose notebook this is, or "" where it lies somewhere else."""
    return Path.cwd().name if Path.cwd().name in LESSONS else ""


def _library():
    return "numpy" if _lesson() and lacking(_lesson()) else "torch"


def _tell_later(name, own, trouble):
    """Say, when the cell has run, whose version each name is."""
    shell = get_ipython()
    if shell and not _told:
        shell.events.register("post_run_cell", _tell)
    _told[name] = None if own else trouble


def _tell(result):
    """Print one line, unless there is nothing of the learner's."""
    get_ipython().events.unregister("post_run_cell", _tell)
    told = {name: why for name, why in _told.items() if name in result.info.raw_cell}  # not what own parts import
    own = [name for name, trouble in told.items() if trouble is None]
    others = [f"{name} ({trouble})" if trouble else name for name, trouble in told.items() if trouble is not None]
    if own or any(told.values()):
        print(". ".join(f"{whose}: {', '.join(names)}" for whose, names in (("Yours", own), ("Ours", others)) if names))
    _told.clear()
