"""The programs that a learner takes along: one file each, which needs torch alone."""

import importlib
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner
from helpers import our_answers

from autograder import EXERCISES, cli, judge, lab
from autograder.learner import journal
from autograder.learner.export import export
from autograder.learner.own_parts import OwnFile

ALONE = "import sys\nsys.modules |= dict.fromkeys(('autograder', 'mha_ref', 'numpy'))\n"  # None: not there
BRIEFLY = """
import {program} as program
program.train.__defaults__ = (2, *program.train.__defaults__[1:])  # steps
sys.argv[1:] = ['{text}']
program.main()
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The folder of a learner's lessons, where a causal mask and a loss are kept that were judged right."""
    folder = tmp_path / "my_course"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("MHA_PROGRESS", str(tmp_path / "progress.jsonl"))
    file = OwnFile("torch")
    mask = "def causal_mask(rows, columns):\n    # Mine.\n    return torch.ones(rows, columns).tril(columns - rows) > 0"
    file.put("causal_mask", mask, {"import torch"})
    loss = our_answers("lesson_09_language_model")["next_token_loss"].replace("### BEGIN SOLUTION", "# Mine.")
    file.put("next_token_loss", loss, {"import torch", "from autograder.mine import log_softmax"})
    journal.place().write_text('{"when": "2026-02-03T10:00:00", "what": "done", "task": "causal_mask"}')
    return folder


def run(folder, *words):
    """Run a program where nothing of the course is, and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    result = subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)
    assert not result.returncode, result.stderr
    return result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("program", ["parts", "my_gpt", "my_translator"])
def test_our_parts_are_right(program):
    """What a learner has not written yet is ours in a program, and is judged as theirs is."""
    module = importlib.import_module(f"mha_lessons.programs.{program}")
    own = {name: x for name, x in vars(module).items() if getattr(x, "__module__", "") == module.__name__}
    for name in own.keys() & EXERCISES.keys():
        library = "torch" if EXERCISES[name].library == "numpy" else None
        assert judge(own[name], name, library=library).right, name


@pytest.mark.slow
def test_a_program_of_one_s_own(mine):
    """One's own parts are in it, the others are ours; its first lines say which. It runs on torch alone."""
    said = export()
    text = (mine / "my_gpt.py").read_text()
    assert said[0].endswith("lines; yours: causal_mask, next_token_loss.") and text.count("Mine.") == 2
    head = " ".join(text.split('"""')[1].split())
    assert "causal_mask, next_token_loss" in head and "2026-02-03" in head and "Block" in head
    assert len(text.splitlines()) < 300 and "autograder" not in text and "mha_ref" not in text
    (mine / "TEXT.txt").write_text("A text of one's own. " * 10)
    said = run(mine, "-c", ALONE + BRIEFLY.format(program="my_gpt", text="TEXT.txt"))
    assert said.startswith("210 characters, 12 different ones") and said.count("temperature") == 3


@pytest.mark.slow
def test_what_somebody_changed_is_kept(mine):
    """Written again, a program that is the same stays; a changed one is kept under another name."""
    export()
    export()
    assert len(list(mine.glob("my_gpt*.py"))) == 1
    (mine / "my_gpt.py").write_text("print('better')")
    export()
    assert sorted(len(file.read_text()) > 100 for file in mine.glob("my_gpt*.py")) == [False, True]


@pytest.mark.slow
def test_the_command(mine, monkeypatch):
    """`mha export` writes where the lessons are; without lessons it says how to get them."""
    monkeypatch.setattr(lab, "places", lambda: (None, mine))
    monkeypatch.chdir(mine.parent)
    assert "my_gpt.py" in CliRunner().invoke(cli.main, ["export"]).output and (mine / "my_gpt.py").exists()
    monkeypatch.setattr(lab, "places", lambda: (None, mine / "nowhere"))
    result = CliRunner().invoke(cli.main, ["export"])
    assert result.exit_code == 1 and "mha lab" in result.output


@pytest.mark.nightly
def test_the_translator(mine):
    """It learns from pairs of one's own as well, here two of them; what is one's own is in it, too."""
    assert "my_translator.py" in export()[1] and "# Mine." in (mine / "my_translator.py").read_text()
    (mine / "pairs.txt").write_text("a b\tc d\n" * 101 + "a\tc\n" * 101)
    said = run(mine, "-c", ALONE + BRIEFLY.format(program="my_translator", text="pairs.txt"))
    assert "of 100 new sentences" in said


@pytest.mark.nightly
def test_it_learns_and_writes(mine):
    """The GPT's loss falls below that of a trigram table, and the translator makes few mistakes."""
    export()
    lines = run(mine, "my_gpt.py").splitlines()
    assert float([line for line in lines if line.startswith("step")][-1].split()[-1]) < 1.6
    assert sum(line.startswith("temperature") for line in lines) == 3
    assert int(run(mine, "my_translator.py").splitlines()[-1].split()[0]) >= 95
