"""What tests share."""

import importlib.util
import os
import re
import sys
import warnings
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import nbformat
import pytest

from autograder import EXERCISES, hint, judge
from autograder.course import installed
from autograder.exercise import Exercise
from autograder.judging.results import RECOGNISED, same
from autograder.judging.running import observe, quiet
from autograder.judging.verdict import Verdict
from autograder.learner.check import _given, _remember

ROOT = Path(__file__).resolve().parents[2]
SPECIMENS = ROOT / "specimens"  # a folder for each lesson: right and wrong answers to its exercises
# Written from the stubs alone, and accepted on purpose, as docs/contract.md says: with a remark, and without one.
NAN_GRADIENTS = {"round_2/multi_head_by_loop__5", "round_3/multi_head_by_loop__2", "round_5/cross_attention__1"}
NAN_GRADIENTS |= {"round_6/attention_head__3", "round_6/multi_head_attention__5"}
NAN_GRADIENTS |= {"round_10/grouped_query_attention__3"}
FILLS_WITH_A_BILLION = {"round_5/masked_softmax__1"}
AT_THE_LARGEST_NUMBERS = {"round_5/masked_attention__5", "round_6/weighted_mean__4"}
AS_GOOD = {"round_6/AttentionHead__2", "round_6/AttentionHead__4", "round_6/DecoderLayer__10"}  # by the contract
AS_GOOD |= {"round_7/Block__6", "round_7/apply_rotary__5", "round_7/apply_rotary__6"}
AS_GOOD |= {"round_13/softmax__1", "round_13/translate_greedily__1"}
ACCEPTED = NAN_GRADIENTS | FILLS_WITH_A_BILLION | AT_THE_LARGEST_NUMBERS | AS_GOOD
FUNCTIONS = [name for name, task in EXERCISES.items() if isinstance(task, Exercise)]
MOST_FIRST = sorted(FUNCTIONS, key=lambda name: -len(EXERCISES[name].wrong_versions))  # for two processes


def at_night(values):
    """Return parameters that CI leaves out."""
    return [pytest.param(value, marks=pytest.mark.nightly) for value in values]


def every_one(check, things):
    """Check all things, by name or names alone, and say of each that fails in a line what it is: name, sentence."""
    __tracebackhide__, said = True, []
    for name, thing in things.items() if isinstance(things, dict) else zip(things, things):
        try:
            check(thing)
        except AssertionError as complaint:
            sentence = str(complaint).partition("\nassert ")[0]  # before what pytest says of the expression
            said.append(f"{name}: {' '.join(sentence.split())}")
        except Exception as error:
            error.add_note(f"It was {name}.")
            raise
    if said:
        raise AssertionError("\n".join(said)) from None


def specimens(pattern):
    """Return the files of specimens that fit a pattern, in order; there is at least one."""
    files = sorted(SPECIMENS.glob(pattern))
    assert files, f"no file fits specimens/{pattern}"
    return files


def functions_of(kind, lesson="lesson_*"):
    """Return the answers of a kind ("right", "wrong", "clauses") to all lessons, or to one: name -> function."""
    return {name: answer for file in specimens(f"{lesson}/{kind}*.py") for name, answer in functions_in(file).items()}


def of(answers, name):
    """Return the answers to an exercise, whose name begins their own, or stands after the round."""
    return {answer: f for answer, f in answers.items() if answer.split("/")[-1].split("__")[0] == name}


def functions_in(file):
    """Return the answers of one file by name."""
    module = loaded(file, f"{file.parent.name}_{file.stem}")
    return {name: f for name, f in vars(module).items() if callable(f) and "__" in name.strip("_")}


@cache
def answers_from_stubs(kind):
    """What was written from the stubs alone, "wrong", "right" or "slips": round and name -> answer."""
    found = {}
    files = specimens(f"lesson_*/from_stubs/round_*_{kind}.py")
    for file in sorted(files, key=lambda file: (file.stem, file)):
        module, round_ = loaded(file, f"{file.parts[-3]}_{file.stem}"), file.stem.removesuffix(f"_{kind}")
        names = module.WHY if kind == "right" else module.TRUTH
        found |= {f"{round_}/{name}": getattr(module, name) for name in names}
    return found


def loaded(file, name):
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():  # such as of an assert that is always true: slips have them on purpose
        warnings.simplefilter("ignore", SyntaxWarning)
        spec.loader.exec_module(module)
    return module


def released(lesson):
    """Return a lesson's notebook as learners get it."""
    return nbformat.read(ROOT / "course" / lesson / f"{lesson}.ipynb", as_version=4)


def solved(lesson):
    """Return a lesson's notebook with our solutions."""
    return nbformat.read(ROOT / "solutions" / lesson / f"{lesson}.ipynb", as_version=4)


def solution_cells(lesson):
    """The code of a lesson's cells, solutions written in."""
    import jupytext

    notebook = jupytext.read(installed().text(lesson), fmt="py:percent")
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


@cache
def our_answers(lesson):
    """The cells that a learner writes, as we wrote them: exercise -> source, in the lesson's order."""
    from autograder.build import solution_notebook

    notebook = solution_notebook(installed().text(lesson))
    cells = (cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution"))
    names = {cell.metadata.nbgrader.grade_id: cell.source for cell in cells}
    return {name: source for name, source in names.items() if not name.startswith("again_")}


FINDS_A_DEVICE = '"cuda" if torch.cuda.is_available() else "cpu"'


@cache
def solutions_of(lesson, device=None):
    """The variables after all cells of a lesson have run, with the solutions; nothing is shown, or trained for long.

    device: which the lesson takes in place of the one that it finds.
    """
    variables, shows = {"__name__": lesson}, ("after", "when_ready")
    with redirect_stdout(StringIO()), patch.dict(os.environ, NBGRADER_EXECUTION="1"):  # trainings are cut short
        for source in solution_cells(lesson):
            source = source.replace(FINDS_A_DEVICE, repr(device)) if device else source
            exec(compile(source, lesson, "exec"), variables)
            variables |= {name: lambda *of: None for name in shows if name in variables}
    return variables


@cache
@quiet()
def right_outcomes(exercise):
    """Return each case of an exercise with what the reference gives."""
    return [(case, observe(exercise.reference, case.inputs)) for case in exercise.cases()]


@quiet()
def first_case_changed(exercise, version):
    """Return the first case, with what is right, on which a wrong version gives something else; or None."""
    pairs = right_outcomes(exercise)
    return next((p for p in pairs if not same(observe(version.function, p[0].inputs), p[1], RECOGNISED)), None)


def accepts(answer, name, seed=None):
    """Say whether the judge accepts an answer; it is not asked what is wrong, which takes most of its time."""
    with patch("autograder.judging.judge.diagnose", return_value=Verdict("values", "It is wrong.")):
        return judge(answer, name, seed).right


def hints_after(verdict, name):
    """Return what one reads who asks for three hints after a check that found this."""
    _given.clear()
    _remember(EXERCISES[name], verdict)
    return [newest(hint(name)) for _ in range(3)]


def newest(card):
    """Of a card with hints the one that was new when it was given."""
    return re.split(r"(?:^|\n\n)\*Hint \d\.\* ", card.text)[-1]


def on_a_page(text, attachments=None):
    """Return what a learner wrote as it stands on a page of feedback."""
    from autograder.teaching import rendering

    return rendering.prose({"resources": {}}, text, attachments)


def needs_sandbox():
    """Skip a test where submissions cannot be graded in a sandbox."""
    from autograder.grading.sandbox.sources import why_no_sandbox

    if trouble := why_no_sandbox():
        pytest.skip(f"there is no sandbox here: {trouble}")


def as_nobody():
    """A view of this machine in which anybody can read Python, even if it lies in root's home."""
    above = Path(sys.base_prefix).parents
    closed = [folder for folder in above if not folder.stat().st_mode & 0o001]
    opened = []
    if closed:
        between = [str(folder) for folder in reversed(above) if folder.is_relative_to(closed[-1])]
        opened = ["--tmpfs", str(closed[-1]), *(word for folder in between for word in ("--dir", folder))]
        opened += ["--ro-bind", sys.base_prefix, sys.base_prefix, "--chmod", "755", str(closed[-1])]
    drop = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]
    return ["bwrap", "--dev-bind", "/", "/", *opened, "--cap-add", "ALL", "setpriv", *drop]
