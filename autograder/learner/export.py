"""Write a learner's own parts, and the few lines between them, as one program that needs no notebook and no course.

The course has each program with a version of its own of every part; a learner's right ones take their places.
"""

import ast
import re
import shutil
from pathlib import Path
from textwrap import fill

from click import ClickException

from ..catalogue import EXERCISES
from ..course import installed
from ..outline import folder_of
from . import journal
from .own_parts import FILES, OwnFile, own_part
from .source_text import bound, defined, first_line, names_read, needed

MINE = "I wrote these parts in a course, and they were judged right, the last of them on {since}: {names}."
NOTHING = "Nothing in it is mine yet: what I write in the course takes its place when it is judged right."
THEIRS = "These are of the course, {title}: {names}."


class Program:
    """A program of the course, in pieces; what several programs share is in `parts.py` beside it.

    about: its docstring; imports: lines; constants: what comes before the first piece; pieces: name -> text, of each
    function and class; tail: what comes after the last one.
    """

    def __init__(self, file):
        self.imports, self.pieces = set(), {}
        for each in (file.with_name("parts.py"), file):
            text = each.read_text(encoding="utf-8")
            lines, tree = text.splitlines(), ast.parse(text)
            self.about = ast.get_docstring(tree)
            self.imports |= {ast.unparse(s) for s in tree.body if isinstance(s, ast.Import | ast.ImportFrom)}
            definitions = [s for s in tree.body if isinstance(s, ast.FunctionDef | ast.ClassDef)]
            self.pieces |= {s.name: "\n".join(lines[first_line(s) - 1 : s.end_lineno]) for s in definitions}
        first, last = first_line(definitions[0]), definitions[-1].end_lineno
        constants = [s for s in tree.body if isinstance(s, ast.Assign) and s.lineno < first]
        self.constants = "\n".join("\n".join(lines[s.lineno - 1 : s.end_lineno]) for s in constants)
        self.tail = "\n".join(lines[last:]).strip()
        self.imports = {line for line in self.imports if not line.startswith("from .")}

    def fill(self):
        """Let a learner's right versions take the places of ours; return the names of those that the program uses."""
        right = [name for name in self.pieces if name in EXERCISES and own_part(name)[0]]
        file, mine = OwnFile("torch"), []
        imports = {line for line in file.imports if not re.match(r"from autograder\.|import numpy", line)}
        for name in right:
            text = file.parts[name]
            if names_read(text) <= self.pieces.keys() | defined(text).keys() | set().union(*map(bound, imports)):
                self.pieces[name] = text
                mine.append(name)
        self.imports |= imports
        return [name for name in self.used() if name in mine]

    def used(self):
        """Return the names of the pieces that the program needs, in their order."""
        used = needed(names_read(self.tail) & self.pieces.keys(), self.pieces)
        return [name for name in self.pieces if name in used]

    def text(self, mine):
        """Return the program with a heading that says what in it is the learner's, and since when that is right."""
        names = self.used()
        read = names_read(self.tail).union(*(names_read(self.pieces[name]) for name in names))
        imports = sorted(line for line in self.imports if bound(line) & read)
        imports.sort(key=lambda line: line.startswith("from"))
        groups = [line for line in imports if "torch" not in line], [line for line in imports if "torch" in line]
        head = _head(self.about, mine, [name for name in names if name not in mine])
        head += "\n\n" + "\n\n".join(map("\n".join, groups))
        body = [head, self.constants, *(self.pieces[name] for name in names), self.tail]
        return "\n\n\n".join(filter(None, body)) + "\n"


def _head(about, mine, theirs):
    """Return the docstring of a program: what it does, how it is called, and who wrote which of its parts."""
    done = [entry for entry in journal.entries() if entry["task"] in mine and entry["what"] == "done"]
    since = max((entry.get("when", "")[:10] for entry in done), default="")
    said = [MINE.format(since=since, names=", ".join(mine)) if mine else NOTHING]
    said += [THEIRS.format(title=installed().outline.title, names=", ".join(theirs))] if theirs else []
    return '"""' + "\n\n".join([about, *(fill(sentence, 110) for sentence in said)]) + '\n"""'


def export():
    """Write each program of the course beside the lessons, with the learner's own parts; return a sentence for each.

    A program that somebody has changed is kept under another name. Its text to learn from lies beside it.
    """
    try:
        course, folder, said = installed(), OwnFile("torch").path.parent, []
    except (SyntaxError, ValueError) as error:  # somebody changed the file
        raise ClickException(f"{FILES['torch']} cannot be read ({error}): mend it, or take it away.") from None
    for name, text in course.outline.programs.items():
        program, target = Program(course.folder / name), folder / Path(name).name
        mine = program.fill()
        new = program.text(mine)
        if target.exists() and target.read_text(encoding="utf-8") != new:
            target.rename(journal.dated(target))
        target.write_text(new, encoding="utf-8")
        if text:
            shutil.copy(folder_of(course.reference) / text, target.with_suffix(".txt"))
        said.append(f"{target.name}: {len(new.splitlines())} lines; yours: {', '.join(mine) or 'nothing yet'}.")
    return said
