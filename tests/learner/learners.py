"""Learners who answer everything in a style of their own, with cells made of right answers that others wrote."""

import ast
import re
from functools import cache
from pathlib import Path

from helpers import answers_from_stubs, functions_of, of, solved
from running_notebook import run_notebook

from autograder import EXERCISES, judge
from autograder.exercise import Exercise
from autograder.learner.source_text import first_line, names_read

GRADED = 'import os\n\nos.environ["NBGRADER_EXECUTION"] = "autograde"\n'  # trainings are cut short
WORDS = {
    "import numpy as np": "import torch",
    r"\bnp\.max\(": "torch.amax(",
    r"\.max\(": ".amax(",
    r"np\.": "torch.",
    "keepdims": "keepdim",
}
WORDS |= {r"(?<!scores, )axis=": "dim="}  # but for the parameter
PARTS = {
    "MultiHeadAttention": ("self.query", "self.output"),
    "DecoderLayer": (".self_attention", ".cross_attention"),
    "Block": ("self.attention", "self.norms", "MultiHeadAttention("),
}
FOR_EVER = "__counted", "__one_by_one"  # at the sizes that lesson 08 draws
LEARNS = 'os.environ.pop("NBGRADER_EXECUTION", None);'


def lesson_of_a_learner(lesson, number, folder):
    """Run a lesson with the answers of one of several learners, its trainings cut short; return its cells, run.

    folder: of the learner's lessons, as my_course is.
    """
    cells = [cell for cell in solved(lesson).cells if cell.cell_type == "code"]
    sources = [cell_of_a_learner(cell, number) for cell in cells]
    (folder / lesson).mkdir(parents=True, exist_ok=True)
    return list(zip(sources, run_notebook(sources, folder / lesson, MHA_PROGRESS=str(folder / "progress.jsonl"))))


def cell_of_a_learner(cell, number):
    """Return what stands in a cell: a learner's own answer, or what the lesson has there."""
    name = cell.metadata.get("nbgrader", {}).get("grade_id", "").removeprefix("again_")
    if isinstance(EXERCISES.get(name), Exercise):
        answers = right_answers(name)
        return (
            answers[number % len(answers)] if "As in lesson" not in cell.source else in_torch(name, number, cell.source)
        )
    if "check(" in cell.source or "autograder.mine" in cell.source:
        return f"import os\n\n{LEARNS}\n{cell.source}"
    return f"{GRADED}{cell.source}"


def in_torch(name, number, ours):
    """Return a learner's answer to a lesson in NumPy with a few words changed, or ours where more must change."""
    text = right_answers(name)[number % len(right_answers(name))]
    for pattern, instead in WORDS.items():
        text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    try:
        exec(text, found := {})
        return text if judge(found[name], name, library="torch").right else ours
    except Exception:
        return ours


@cache
def right_answers(name):
    """Return the right answers to an exercise, as cells; of layers those with the names that their stub asks for."""
    task = EXERCISES[name]
    written = of(functions_of("right", task.lesson), name) | of(answers_from_stubs("right"), name)
    cells = [as_cell(function, name) for answer, function in written.items() if not answer.endswith(FOR_EVER)]
    tensors = task.library == "torch"
    cells = [cell for cell in cells if not (tensors and "numpy" in cell)]  # right, but of no use beside tensors
    return [cell for cell in cells if all(part in cell for part in PARTS.get(name, ()))]


def as_cell(function, name):
    """Return the text of an answer, under the exercise's name, below all of its file that it needs."""
    code = function.__init__ if isinstance(function, type) else function
    text = Path(code.__code__.co_filename).read_text(encoding="utf-8")
    pieces = {bound: piece for piece in ast.parse(text).body for bound in names_bound(piece)}
    needed, queue = {}, [function.__name__]
    while queue:
        piece = pieces[queue.pop()]
        source = "\n".join(text.splitlines()[first_line(piece) - 1 : piece.end_lineno])
        if first_line(piece) not in needed:
            needed[first_line(piece)] = source
            queue += names_read(source) & pieces.keys()
    whole = "\n".join(needed[line] for line in sorted(needed)).replace(
        "from mha_ref import", "from autograder.mine import"
    )
    return re.sub(rf"\b{re.escape(function.__name__)}\b", name, whole)


def names_bound(piece):
    """Return the names that a statement at the top of a file gives."""
    if isinstance(piece, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name for alias in piece.names]
    if isinstance(piece, ast.Assign):
        return [name.id for target in piece.targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return [piece.name] if hasattr(piece, "name") else []
