"""What learners' cells show comes through as in Jupyter, and is safe; of this project a worker has what was taught."""

import re
from contextlib import contextmanager

import pytest
from helpers import ROOT, solution_cells

from autograder.catalogue import EXERCISES, LESSONS
from autograder.exercise import Exercise
from autograder.grading.cells import taught_before
from autograder.grading.examiner import error_in
from autograder.grading.outputs import safe_outputs
from autograder.grading.port.remote import Remote
from autograder.grading.sandbox.sources import Spawner, source_of_workers

pytestmark = pytest.mark.slow

SECONDS = 30
FUNCTIONS = {name: task.lesson for name, task in EXERCISES.items() if isinstance(task, Exercise)}


def well(reply):
    """Whether a cell came to its end."""
    return error_in(safe_outputs(reply)) is None


@contextmanager
def begun(lesson, source):
    """A worker as the examiner has it."""
    with source.worker() as worker:
        remote = Remote(worker, SECONDS)
        remote.ask("begin", seconds=SECONDS, taught=taught_before(lesson))
        yield remote


@pytest.fixture(scope="module")
def cell():
    """Runs a cell; what it shows, as nbgrader keeps it."""
    with begun("lesson_03_masks", Spawner()) as remote:
        yield lambda code, seconds=SECONDS: safe_outputs(remote.reply("run", seconds=seconds, code=code))


def test_text_is_shown(cell):
    """Pieces of it in one output, and what goes to stderr in another."""
    out, err = cell("import sys\nprint('a')\nprint('b')\nprint('c', file=sys.stderr)")
    assert (out.name, out.text) == ("stdout", "a\nb\n") and (err.name, err.text) == ("stderr", "c\n")


def test_the_last_value_is_shown(cell):
    """As text."""
    (output,) = cell("1 + 1")
    assert output.output_type == "execute_result" and output["data"] == {"text/plain": "2"}
    assert cell("2;") == []


def test_an_error_is_shown(cell):
    """With the line where it happened."""
    *_, output = cell("x = 1\nx / 0")
    assert output.output_type == "error" and output.ename == "ZeroDivisionError" and output.evalue == "division by zero"
    assert "x / 0" in re.sub(r"\x1b\[[\d;]*m", "", "".join(output.traceback))


@pytest.mark.parametrize(
    "code, name",
    [
        ("def f(:", "SyntaxError"),
        ("input('?')", "StdinNotImplementedError EOFError RuntimeError"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_what_cannot_be_is_an_error(cell, code, name):
    """Nobody is there to type, and nothing waits for them."""
    *_, output = cell(code, 10)
    assert output.output_type == "error" and output.ename in name.split()


@pytest.mark.parametrize("code", ["exit()", "quit()", "import sys; sys.exit(3)", "raise SystemExit"])
def test_an_exit_ends_nothing(cell, code):
    """The next cell runs all the same."""
    cell(code)
    assert cell("3")[0]["data"]["text/plain"] == "3"


def test_a_figure_is_shown(cell):
    """Once, with or without the magic that people write."""
    for magic in ("", "%matplotlib inline\n"):
        outputs = cell(f"{magic}import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")
        assert sum("image/png" in output.get("data", {}) for output in outputs) == 1


def test_a_figure_is_shown_from_a_sandbox():
    """A warm process asked where figures are drawn before it was said."""
    with begun("lesson_03_masks", source_of_workers(True, ())) as remote:
        reply = remote.reply("run", seconds=SECONDS, code="import matplotlib.pyplot as plt\nplt.plot([1, 2]);")
    assert ["image/png" in output.get("data", {}) for output in safe_outputs(reply)] == [True]


def test_display_and_warnings_are_shown(cell):
    """What is displayed in a loop, and what NumPy warns of."""
    assert [o["data"]["text/plain"] for o in cell("for n in (1, 2): display(n)")] == ["1", "2"]
    outputs = cell("import numpy as np\nnp.log(np.array([0.0]));")
    assert "divide by zero" in "".join(o.text for o in outputs)


def test_a_command_does_no_harm(cell):
    """Programs may not be there: then that is said."""
    cell("!echo hello", 10)
    assert cell("4")[0]["data"]["text/plain"] == "4"


def test_too_much_is_cut(cell):
    """With a sentence that says so; and what was there before stays."""
    output, *rest = cell("print('start')\nfor _ in range(40):\n    print('x' * 100_000)")
    assert output.text.startswith("start") and "left out" in (output, *rest)[-1].text[-100:]
    assert sum(len(o.text) for o in (output, *rest)) < 2_100_000
    assert "left out" in cell("'x' * 3_000_000")[-1].text


@pytest.mark.parametrize("sign", ["é", "\N{GRINNING FACE}", "\0", '"', "\ud800"], ids=ascii)
def test_odd_signs_are_no_trouble(cell, sign):
    """However many."""
    outputs = cell(f"print({sign!a} * 1000)")
    assert len(outputs[0].text) == 1001
    assert cell(f"print({sign!a} * 2_000_000)")


def test_our_pictures_are_told_in_words(cell):
    """Only pictures of pixels are shown."""
    code = "from autograder.pictures import bars\np = bars({'a': [1.0, 2.0]}, ['x', 'y'], alt='two bars')\np"
    (output,) = cell(code)
    assert output["data"] == {"text/plain": "[picture: two bars]"}


def test_what_needs_more_than_is_here_is_told_as_that(cell):
    """A demonstration that calls what later lessons teach says nothing of the answer, which may be right."""
    gone = "def gone(): raise NotImplementedError('What this lesson teaches, and what comes later, one writes oneself')"
    (output,) = cell(f"from autograder import after\ndef mine(): return 1\n{gone}\nafter(mine, gone)")
    assert output["data"]["text/plain"].startswith("○ Not here")


# Looks for functions of the course, wherever Python can find them: by names, in modules, in closures, in all memory.
SPY = """
import gc, sys, types, mha_ref, mha_ref.layer, autograder
def is_ours(x):
    return str(getattr(x, "__module__", "")).startswith(("mha_ref", "autograder"))
def is_whole(x):
    return isinstance(x, types.FunctionType) and "oneself" not in str(x.__code__.co_consts)
def all_there_is():
    rooms = [room for name, room in sys.modules.items() if name.startswith(("mha_ref", "autograder"))]
    functions = [x for x in gc.get_objects() if isinstance(x, types.FunctionType)]
    yield from (thing for room in rooms for thing in vars(room).values())
    yield from (thing for f in functions if is_ours(f) for thing in f.__globals__.values())
    yield from functions
    yield from (x for x in [*gc.get_objects(), *type.__subclasses__(type), *object.__subclasses__()])
def found(names):
    def name(x):
        if isinstance(x, type):
            return x.__name__ if any(map(is_whole, vars(x).values())) else ""
        return x.__name__ if is_whole(x) else ""
    return sorted({name(x) for x in all_there_is() if is_ours(x)} & set(names))
def exercises():
    return [name for name in sys.modules if name.startswith("mha_lessons")]
"""


def value(remote, expression):
    """Of an expression in a worker."""
    assert well(remote.ask("run", seconds=SECONDS, code=f"value = {expression}"))
    return remote.ask("get", name="value").value


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_worker_has_what_was_taught(lesson):
    """All of the earlier lessons; nothing of this one and later ones, however one looks; imports of lessons work."""
    later = [name for name, home in FUNCTIONS.items() if home >= lesson]
    earlier = taught_before(lesson)
    imports = [code for code in solution_cells(lesson) if "import" in code and "exercise" not in code][:1]
    with begun(lesson, source_of_workers(True, ())) as remote:
        assert well(remote.ask("run", seconds=SECONDS, code=SPY))
        assert value(remote, f"found({later})") == value(remote, "exercises()") == []
        there = "(hasattr(mha_ref, name) or hasattr(mha_ref.layer, name))"
        assert value(remote, f"[name for name in {earlier} if not {there}]") == []
        for code in imports:
            reply = remote.ask("run", seconds=SECONDS, code=code)
            assert well(reply), reply.outputs


def test_there_are_imports_to_try():
    """In the first cell with code of every lesson that uses anything."""
    assert ROOT.is_dir() and all(any("import" in code for code in solution_cells(lesson)) for lesson in LESSONS)
