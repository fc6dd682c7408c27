"""How a broken submission is written down.

    @broken("The cell of softmax was deleted", loses={"softmax": 3})
    def deleted(notebook):
        \"\"\"What happened to it.\"\"\"

The function gets our solved notebook, as JSON, and changes it; or it returns the files that are handed in instead:
name -> bytes, or a function that makes something of the path.
"""

import copy
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from helpers import ROOT, our_answers

LESSON = "lesson_01_softmax"
FILE = f"{LESSON}.ipynb"
RELEASED = ROOT / "course" / LESSON / FILE
OWN = "print('a cell of my own, für mich')"


@dataclass(frozen=True)
class Broken:
    """mended: words of the sentences that must be said, no others are; trouble: words of why it cannot be graded.

    loses: exercise -> the points that are lost; graded: it is in the sample that is graded by `mha grade`.
    """

    name: str
    what: str
    make: Callable
    mended: tuple = ()
    trouble: str = ""
    loses: dict = field(default_factory=dict)
    graded: bool = False

    def files(self):
        """name -> bytes, or what makes it."""
        notebook = solved()
        return self.make(notebook) or {FILE: as_bytes(notebook)}

    def write(self, folder):
        for name, content in self.files().items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            content(file) if callable(content) else file.write_bytes(content)


def family(collected):
    """The decorator with which a file writes down its own."""

    def broken(*mended, **expected):
        def note(make):
            collected.append(Broken(make.__name__, inspect.getdoc(make), make, mended, **expected))
            return make

        return note

    return broken


def solved(lesson=LESSON):
    """What a good student hands in: the released notebook with our answers, outputs and a cell of their own."""
    return copy.deepcopy(_solved(lesson))


@cache
def _solved(lesson):
    notebook = json.loads((ROOT / "course" / lesson / f"{lesson}.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = our_answers(lesson).get(id_of(cell), "".join(cell["source"]))
        if cell["cell_type"] == "code":
            cell |= {"execution_count": 7, "outputs": [{"output_type": "stream", "name": "stdout", "text": ["done\n"]}]}
    notebook["cells"].append(code(OWN))
    return notebook


def as_bytes(notebook, **options):
    return json.dumps(notebook, **({"indent": 1, "ensure_ascii": False} | options)).encode()


def code(source, **metadata):
    cell = {"cell_type": "code", "source": source, "metadata": metadata, "outputs": [], "execution_count": None}
    return cell | {"id": f"own-{len(source)}"}


def id_of(cell):
    marks = cell["metadata"].get("nbgrader")
    return marks.get("grade_id") if isinstance(marks, dict) else None


def cell_of(name, notebook):
    return next(cell for cell in notebook["cells"] if id_of(cell) == name)


def place_of(name, notebook):
    return notebook["cells"].index(cell_of(name, notebook))


def delete(name, notebook):
    """Take a cell away, and return it."""
    return notebook["cells"].pop(place_of(name, notebook))


def clone(name, notebook, source=None):
    """The same cell again, marks and all, with an id of its own."""
    copied = copy.deepcopy(cell_of(name, notebook))
    return copied | {"id": f"{name}-copy", "source": copied["source"] if source is None else source}


def after(name, notebook, *cells):
    place = place_of(name, notebook) + 1
    notebook["cells"][place:place] = cells


def stub(name):
    released = json.loads(RELEASED.read_text(encoding="utf-8"))
    return "".join(cell_of(name, released)["source"])
