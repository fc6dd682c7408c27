"""What learners read after a cell that stopped, and in a kernel that has just started: in words, and not in red."""

import json
import re
import shutil
from html import unescape
from types import SimpleNamespace

import pytest
from helpers import ROOT
from running_notebook import run_notebook

from autograder import check, judge
from autograder.grading.port.replies import error_as_dict, rebuilt
from autograder.judging.errors import line_of
from autograder.learner import cell_errors

pytestmark = pytest.mark.slow  # kernels are started

FIRST = "import numpy as np\nfrom autograder import after, check, hint"
CHECK = "from autograder import check\n\ncheck(softmax=softmax)"
UNDIVIDED = "def softmax(scores, axis=-1):\n    return np.exp(scores)"
NO_COLON = "def softmax(scores, axis=-1)\n    return np.exp(scores)"
RUN_ABOVE = "Run the cell above first, or choose Run > Run All Above Selected Cell in the menu."


def said(outputs):
    """What cells show, in words; an error in red says so."""
    return [" ".join(map(words, shown)) for shown in outputs]


def words(output):
    if output.output_type == "error":
        return f"RED {output.ename}"
    html = output.get("data", {}).get("text/html", "")
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", "", html)))


@pytest.fixture
def own_folder(tmp_path, quick_kernels):
    """Where a downloaded lesson lies."""
    return tmp_path


def test_after_an_error_the_check_says_that_it_is_about_the_version_before(own_folder):
    """Until the cell runs well: after a SyntaxError, or an error on the way; in whatever cell the answer is defined."""
    cells = [FIRST, UNDIVIDED, CHECK, NO_COLON, CHECK, UNDIVIDED, CHECK, f"1 / 0\n{UNDIVIDED}", CHECK]
    _, _, before, red, after_it, _, mended, _, later = said(run_notebook(cells, own_folder))
    stale = "Your cell stopped with a {} in line 1; this is about the version before."
    assert "do not sum to 1" in before and "version before" not in before and red == "RED SyntaxError"
    assert re.match(rf"✗ softmax: not yet\s*{stale.format('SyntaxError')}", after_it) and "do not sum to 1" in after_it
    assert mended == before
    assert stale.format("ZeroDivisionError") in later


def test_a_definition_above_the_line_that_stops_is_new(own_folder):
    """Many call their function below it, in the same cell: that it stops there makes it no older version."""
    cells = [FIRST, "\n\ndef softmax(scores, axis=-1):\n    return None or 3\n\nsoftmax(1) + ''", CHECK]
    *_, red, card = said(run_notebook(cells, own_folder))
    assert red == "RED TypeError" and "○" not in card and "version before" not in card


def test_an_answer_that_never_was_is_a_card(own_folder):
    """Without our JupyterLab, too: the check, `after` and `hint` say which cell to run, or which one stopped."""
    cells = [CHECK, "from autograder import after, hint", "after(softmax, lambda: 1)", "hint(softmax)", NO_COLON, CHECK]
    check_, _, after_, hint_, _, stopped = said(run_notebook(cells, own_folder))
    assert check_.startswith("○ softmax: not run yet") and RUN_ABOVE in check_
    assert after_ == hint_ == check_
    assert "Its cell stopped with a SyntaxError in line 1." in stopped and "RED" not in stopped


def test_other_names_are_as_ever(own_folder):
    """A mistyped name in a cell of one's own is Python's matter, also once the course is loaded."""
    assert said(run_notebook([FIRST, "sofmax(3)", "check(sofmax)"], own_folder))[1:] == ["RED NameError"] * 2


@pytest.mark.parametrize("variable", ["NBGRADER_VALIDATING", "NBGRADER_EXECUTION"])
def test_to_nbgrader_a_missing_answer_is_an_error(own_folder, variable):
    """A card alone would count as passed; Validate lists its words, and no traceback."""
    (((error,),)) = run_notebook([CHECK], own_folder, **{variable: "1"})
    assert error.output_type == "error" and error.traceback[0] == "○ softmax: not run yet"


def test_a_lesson_that_was_opened_again_says_what_to_run(tmp_path):
    """In the course's own Python each kernel watches from its start: then even `after`, and NumPy, may be missing."""
    profile, lesson = tmp_path / "ipython" / "profile_default", tmp_path / "lesson_01_softmax"
    profile.mkdir(parents=True)
    lesson.mkdir()
    shutil.copy(ROOT / "autograder/jupyter/ipython_kernel_config.json", profile)
    cells = ["after(softmax, lambda: 1)", "np.exp(1)", FIRST, "mp.exp(1)"]
    needs_it, numpy, _, mistyped = said(run_notebook(cells, lesson, IPYTHONDIR=str(profile.parent)))
    assert needs_it.startswith("○ The cells above have not run yet") and RUN_ABOVE in needs_it
    assert numpy.startswith("○ The cells above have not run yet") and "np is not there yet" in numpy
    assert mistyped == "RED NameError"


def test_a_handler_of_another_program_stays():
    """IPython has room for one only."""
    shell = SimpleNamespace(events=SimpleNamespace(callbacks={"post_run_cell": []}), custom_exceptions=(ValueError,))
    shell.events.register = lambda event, call: shell.events.callbacks[event].append(call)
    for _ in range(2):
        cell_errors.load_ipython_extension(shell)
    assert shell.events.callbacks["post_run_cell"] == [cell_errors.note_how_it_ended]


def stops_deep_inside(scores, axis=-1):
    def divided(numbers):
        return numbers / missing  # noqa: F821

    return divided(scores)


def test_a_card_names_the_line_that_stopped():
    """Its number, and what stands there: the learner's own line, in a helper too."""
    number = stops_deep_inside.__code__.co_firstlineno + 2
    assert f"It happens in line {number}: `return numbers / missing" in judge(stops_deep_inside, "softmax").message
    assert f"It happens in line {number}" in check(softmax=stops_deep_inside).card.text


def test_feedback_names_it_too():
    """What is graded runs in another process, and errors cross over in words."""
    with pytest.raises(NameError) as stopped:
        stops_deep_inside(1)
    assert line_of(rebuilt(json.loads(json.dumps(error_as_dict(stopped.value))))) == line_of(stopped.value) != ""


def test_in_a_notebook_it_is_the_line_of_the_cell(own_folder):
    """As the numbers at the edge of the cell count."""
    cells = [FIRST, "def softmax(scores, axis=-1):\n    top = scores.max()\n    return scores @ tpo", CHECK]
    assert "It happens in line 3: return scores @ tpo." in said(run_notebook(cells, own_folder))[2]


@pytest.mark.parametrize(
    "cell, found",
    [
        (
            UNDIVIDED.replace("softmax", "Softmax"),
            "Its cell defines Softmax, and the name that is asked for is softmax.",
        ),
        (f"# my answer\n%%time\n{UNDIVIDED}", "In its cell %%time comes after another line."),
        (f"%%writefile answer.py\n{UNDIVIDED}", "Its cell begins with %%writefile"),
        (f"# {UNDIVIDED}".replace("\n", "\n# "), "is a comment"),
    ],
)
def test_what_was_written_and_is_not_there_is_said(own_folder, cell, found):
    """It is not "not written": it has another name, or none of it was run."""
    *_, missing = said(run_notebook([FIRST, cell, CHECK], own_folder))
    assert found in missing and "written yet" not in missing


def test_a_card_about_an_older_answer_says_so(own_folder):
    """The newer one has a name that is spelled otherwise, or was not run."""
    newer, kept = UNDIVIDED.replace("softmax", "softMax"), f"%%writefile answer.py\n{UNDIVIDED}"
    cells = [FIRST, UNDIVIDED, CHECK, newer, CHECK, UNDIVIDED, CHECK, kept, CHECK, f"%%time\n{UNDIVIDED}", CHECK]
    _, _, alone, _, misspelt, _, again, _, not_run, _, timed = said(run_notebook(cells, own_folder))
    assert "A cell that you ran later defines softMax, and this is about softmax." in misspelt
    assert "So this is about the version before." in not_run
    assert alone == again == timed


def test_a_text_without_quotes_is_told_so(own_folder):
    """Python takes the word for a variable; whoever has never programmed cannot know that."""
    check_it = "from autograder import check\n\ncheck(blanc_looks_at=blanc_looks_at)"
    cells = [FIRST, "blanc_looks_at = cat  # the word", check_it, check_it]
    _, red, once, twice = said(run_notebook(cells, own_folder))
    assert red == "RED NameError" and 'a text has quotes: "cat".' in once and once == twice
