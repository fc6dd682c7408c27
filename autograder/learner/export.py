"""Write a learner's own parts, and the few lines between them, as one program that needs no notebook and no course.

The course has each program with a version of its own of every part; a learner's right ones take their places.
"""

import ast
import shutil
from datetime import date
from pathlib import Path

from ..catalogue import EXERCISES
from ..course import installed
from ..outline import folder_of
from .own_parts import OwnFile, own_version
from .source_text import bound, names_read

TITLE = '''"""{title}

{usage}

I wrote these parts in the course "{course}", where they were judged right, by {day}:
{mine}.
{theirs}
"""'''


class Program:
    """A program of the course, in pieces.

    pieces: name -> text, of each function and class; imports: lines; tail: what comes after the last piece.
    """

    def __init__(self, file):
        text = file.read_text(encoding="utf-8")
        lines, tree = text.splitlines(), ast.parse(text)
        self.about = ast.get_docstring(tree)
        self.imports = {ast.unparse(s) for s in tree.body if isinstance(s, (ast.Import, ast.ImportFrom))}
        defined = [s for s in tree.body if isinstance(s, (ast.FunctionDef, ast.ClassDef))]
        self.pieces = {s.name: "\n".join(lines[s.lineno - 1 : s.end_lineno]) for s in defined}
        self.tail = "\n".join(lines[defined[-1].end_lineno :]).strip()

    def put(self, name, text, imports):
        """Let a learner's version take the place of ours; say whether all that it names is there."""
        known = self.pieces.keys() | {bound for line in imports for bound in bound(line)} | _defined(text)
        fits = names_read(text) <= known
        if fits:
            self.pieces[name] = text
            self.imports |= imports
        return fits

    def used(self):
        """Return the names of the pieces that the program needs, in their order."""
        needed, queue = set(), [self.tail]
        while queue:
            new = names_read(queue.pop()) & self.pieces.keys() - needed
            needed |= new
            queue += [self.pieces[name] for name in new]
        return [name for name in self.pieces if name in needed]


def export(folder="."):
    """Write each program of the course with the learner's own parts, and its text beside it; return the files."""
    course, folder = installed(), Path(folder)
    written = []
    for name, text in course.outline.programs.items():
        target = folder / name
        target.write_text(_filled(Program(course.folder / name)), encoding="utf-8")
        shutil.copy(folder_of(course.reference) / text, target.with_suffix(".txt"))
        written.append(target)
    return written


def _filled(program):
    """Return a program's text, with a learner's parts in it."""
    file, mine = OwnFile("torch"), []
    imports = {line for line in file.imports if not line.startswith("from autograder.")}
    for name in [name for name in program.pieces if name in EXERCISES]:
        if own_version(name) and program.put(name, file.parts[name], imports):
            mine.append(name)
    names = program.used()
    read = set().union(*(names_read(program.pieces[name]) for name in names), names_read(program.tail))
    lines = sorted((line for line in program.imports if bound(line) & read), key=lambda line: (" torch" in line, line))
    head = _head(program.about, [n for n in names if n in mine], [n for n in names if n not in mine])
    parts = ["\n".join(lines), *(program.pieces[name] for name in names), program.tail]
    return head + "\n\n" + "\n\n\n".join(parts) + "\n"


def _head(about, mine, theirs):
    title, _, usage = about.partition("\n\n")
    rest = f"From the course are {', '.join(theirs)}." if theirs else ""
    said = dict(title=title, usage=usage, course=installed().outline.title, day=f"{date.today():%d %B %Y}")
    return TITLE.format(**said, mine=", ".join(mine) or "none yet", theirs=rest)


def _defined(text):
    """Return the names that a text gives to functions, classes and constants."""
    body = ast.parse(text).body
    return {name for s in body for name in ([s.name] if hasattr(s, "name") else [t.id for t in s.targets])}
