"""Broken notebooks, as students hand them in: what is mended, what is told, and that nothing is lost."""

import json
import subprocess
import sys
import time

import nbformat
import pytest
from corpus import BROKEN
from corpus.broken import FILE, LESSON, RELEASED, as_bytes, solved, stub
from helpers import ROOT, every_one, our_answers
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.nbgraderformat import MetadataValidator

from autograder.intake.bounds import Refused
from autograder.intake.triage import shape, triage
from autograder.intake.triage.shape import parsed

CHECKS = {f"check_{name}": name for name in our_answers(LESSON)}


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory):
    """name of a broken submission -> (the folder, what triage says)."""
    done = {}

    def look(name):
        if name not in done:
            folder = tmp_path_factory.mktemp(name)
            BROKEN[name].write(folder)
            done[name] = folder, triage(folder, RELEASED)
        return done[name]

    return look


LINKS = ("a_link", "a_pipe", "a_link_beside")  # whoever copies what came leaves them out, and says so
MENDED = [name for name, broken in BROKEN.items() if not broken.trouble]
with_all = pytest.mark.xdist_group("corpus")  # in one process, so that each notebook is looked at once


def test_the_corpus_is_large_enough():
    """Sixty kinds of trouble, at least."""
    assert len(BROKEN) >= 60


@with_all
@pytest.mark.slow
def test_what_is_said(looked_at):
    """Every sentence that is expected, and no other; a notebook, or why there is none."""

    def is_said(name):
        broken, (_, looked) = BROKEN[name], looked_at(name)
        assert broken.trouble in looked.trouble
        assert bool(broken.trouble) == bool(looked.trouble) == (looked.notebook is None), looked
        assert broken.trouble or len(looked.mended) == len(broken.mended), looked.mended
        assert all(any(words in sentence for sentence in looked.mended) for words in broken.mended), looked.mended

    every_one(is_said, [name for name in BROKEN if name not in LINKS])


@with_all
def test_nbgrader_can_take_it(looked_at):
    """The format is right, all cells of the lesson are there once, and each check stands below its answer."""
    released = [c.metadata.nbgrader for c in nbformat.read(RELEASED, 4).cells if "nbgrader" in c.metadata]

    def can_be_taken(name):
        _, looked = looked_at(name)
        nbformat.validate(looked.notebook)
        MetadataValidator().validate_nb(looked.notebook)
        ids = [cell.metadata.nbgrader.grade_id for cell in looked.notebook.cells if "nbgrader" in cell.metadata]
        assert sorted(ids) == sorted(marks.grade_id for marks in released)
        assert all(ids.index(check) > ids.index(answer) for check, answer in CHECKS.items())

    every_one(can_be_taken, MENDED)


@with_all
def test_locked_cells_say_what_they_said(looked_at):
    """nbgrader has nothing to overwrite any more."""
    ours = {cell.id: cell.source for cell in nbformat.read(RELEASED, 4).cells if "nbgrader" in cell.metadata}
    for name in MENDED:
        for cell in looked_at(name)[1].notebook.cells:
            if cell.metadata.get("nbgrader", {}).get("locked"):
                assert cell.source == ours[cell.metadata.nbgrader.grade_id], name


@with_all
def test_nothing_that_was_written_is_lost(looked_at):
    """Every line of code that a learner wrote is there still, in the order in which it was."""
    for name in MENDED:
        folder, looked = looked_at(name)
        kept = [line for cell in looked.notebook.cells for line in cell.source.splitlines()]
        for source in _sources(folder, looked.mended):
            assert set(source.splitlines()) <= set(kept), name


def _sources(folder, mended):
    """Those of notebooks that can be read as they are; but for stubs, in which nothing was written."""
    stubs = [stub(name) for name in our_answers(LESSON)]
    for file in folder.glob(f"*{LESSON}*.ipynb"):
        if f"Beside it lay {file.name}" in " ".join(mended):
            continue  # that is told, and the file is kept
        try:
            cells = json.loads(file.read_bytes())["cells"]
        except (ValueError, KeyError):
            continue
        for cell in cells:
            source = cell.get("source", "") if isinstance(cell, dict) else ""
            text = (source if isinstance(source, str) else "".join(source)).replace("\ud83d", "?")
            if text not in stubs:
                yield text


@with_all
def test_what_was_mended_needs_no_mending(looked_at, tmp_path):
    """Looking again changes not a letter: `mha grade` may look at what `mha collect` has made."""
    for name in MENDED:
        text = nbformat.writes(looked_at(name)[1].notebook)
        (tmp_path / f"{LESSON}.ipynb").write_text(text, encoding="utf-8")
        again = triage(tmp_path, RELEASED)
        assert again.mended == () and nbformat.writes(again.notebook) == text, name


@with_all
def test_sentences_are_sentences(looked_at):
    """A report is made of them: each begins with a capital or a file's name, and ends with a full stop."""
    for name in BROKEN:
        for sentence in looked_at(name)[1].mended:
            assert sentence.endswith(".") and "\n" not in sentence, sentence


@pytest.mark.parametrize("thing", ['"ab"', "[]", "0"])
def test_a_file_of_very_many_things(thing):
    """Whatever they are, each takes ten times the memory that it takes in the file."""
    with pytest.raises(Refused, match="more than 5,000,000 parts: ask for it without outputs"):
        parsed(b"[" + f"{thing},".encode() * 10_100_000 + b"0]", [])


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound memory")
@pytest.mark.slow
def test_the_memory_for_one_submission_is_bounded(tmp_path):
    """One emoji makes four bytes of each letter, once in the file's text and again in what its JSON says."""
    notebook, printed = solved(), "\N{PARTY POPPER}" + "x" * 20_000_000
    notebook["cells"][-1]["outputs"] = [dict(output_type="stream", name="stdout", text=printed)]
    (tmp_path / FILE).write_bytes(json.dumps(notebook, ensure_ascii=False).encode())
    command = [sys.executable, "-c", THREE_TIMES, tmp_path, RELEASED]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    first, with_less, again = done.stdout.splitlines()
    assert (first, again) == ("", "") and "to read it takes more than 4 GiB of memory" in with_less


# In a process of its own, since one that has had much memory before may use it again.
THREE_TIMES = """
import re, sys
from pathlib import Path
from autograder.intake import bounds
from autograder.intake.triage import triage

folder, released = map(Path, sys.argv[1:])
print(triage(folder, released).trouble)
used = int(re.search(r"VmData:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) * 1024
most, bounds.MOST_MEMORY = bounds.MOST_MEMORY, used + 50_000_000
print(triage(folder, released).trouble)
bounds.MOST_MEMORY = most
print(triage(folder, released).trouble)
"""


LONGER_WHEN_WRITTEN = {
    "short lines": lambda notebook: notebook["cells"][-1].update(source="a\n" * 3_000_000),
    "lines that end otherwise": lambda notebook: notebook["cells"][-1].update(source="\x0b\x85\u2028" * 1_000_000),
    "letters of four bytes": lambda notebook: notebook["cells"][-1].update(source="\N{PARTY POPPER}" * 10_000_000),
}


def _nested(value, times):
    for _ in range(times):
        value = [value]
    return value


@pytest.mark.parametrize("much", LONGER_WHEN_WRITTEN)
def test_it_is_measured_as_it_is_written(tmp_path, much):
    """A line for each thing, and the deeper the more blanks before it: some MB would be gigabytes."""
    notebook = solved()
    LONGER_WHEN_WRITTEN[much](notebook)
    (tmp_path / FILE).write_bytes(as_bytes(notebook, indent=None))
    assert "without outputs it is larger than 20 MiB" in triage(tmp_path, RELEASED).trouble


def _tagged(cells):
    cells[0]["metadata"]["tags"] = [n * OFTEN_THE_SAME for n in range(1, 60_001)]


OFTEN_THE_SAME = 2**61 - 1  # all its multiples have the hash 0: in a set each is compared with all others
SOON = 10  # seconds, for what took minutes
NOTES = {
    "zeros in lists in lists": lambda notebook: notebook["metadata"].update(x=_nested([0] * 300_000, 90)),
    "very deep": lambda notebook: notebook["cells"][0]["metadata"].update(x=_nested(0, 900)),
    "very deep among nbgrader's": lambda notebook: notebook["cells"][-1]["metadata"].update(
        nbgrader={"x": _nested(0, 900)}
    ),
    "tags that are numbers": lambda notebook: _tagged(notebook["cells"]),
    "many nothings": lambda notebook: notebook["metadata"].update(x=[{} for _ in range(1_000_000)]),
}


@pytest.mark.parametrize("much", NOTES)
def test_notes_are_not_even_looked_at(tmp_path, much):
    """Some MB would be gigabytes when they are written, and some would take hours to be read."""
    notebook = solved()
    NOTES[much](notebook)
    (tmp_path / FILE).write_bytes(as_bytes(notebook, indent=None))
    began = time.monotonic()
    looked = triage(tmp_path, RELEASED)
    assert time.monotonic() - began < SOON
    assert looked.trouble == "" and len(nbformat.writes(looked.notebook)) < 200_000


@pytest.mark.parametrize("level, becomes", [(2, "## A title"), (30_000_000, "###### A title")])
def test_headings_of_the_old_format(tmp_path, level, becomes):
    """Are headings still; none is lower than six."""
    old = nbformat.convert(nbformat.from_dict(solved()), 3)
    old.worksheets[0].cells.append(dict(cell_type="heading", level=level, source="A title", metadata={}))
    (tmp_path / FILE).write_bytes(as_bytes(old))
    assert triage(tmp_path, RELEASED).notebook.cells[-1].source == becomes


def test_what_an_upgrade_makes_is_measured_again(tmp_path, monkeypatch):
    """Whatever else nbformat may write more of."""
    monkeypatch.setattr(shape.nbformat, "convert", lambda old, to: new_notebook(cells=[new_code_cell("x" * 2**25)]))
    (tmp_path / FILE).write_bytes(as_bytes({"nbformat": 3, "metadata": {}, "worksheets": []}))
    assert "without outputs it is larger than 20 MiB" in triage(tmp_path, RELEASED).trouble


def test_tags_that_are_numbers_in_the_old_format(tmp_path):
    """Are dropped before nbformat makes a set of them."""
    notebook = nbformat.convert(nbformat.from_dict(solved()), 3)
    _tagged(notebook["worksheets"][0]["cells"])
    (tmp_path / FILE).write_bytes(as_bytes(notebook))
    began = time.monotonic()
    looked = triage(tmp_path, RELEASED)
    assert time.monotonic() - began < SOON
    assert "tags" not in looked.notebook.cells[0].metadata


BIG = {
    "lines": lambda notebook: notebook["cells"][-1].update(source="\n" * 25_000_000),
    "lines that end otherwise": lambda notebook: notebook["cells"][-1].update(source="\x85" * 9_000_000),
    "nothings": lambda notebook: notebook["metadata"].update(x=[{} for _ in range(1_000_000)]),
}


def test_all_that_ends_a_line_is_measured():
    """As str.splitlines sees it, which nbformat uses."""
    assert {c for c in map(chr, range(sys.maxunicode + 1)) if len(f"a{c}b".splitlines()) > 1} == {*shape.LINE_ENDS}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is counted otherwise")
@pytest.mark.parametrize("much", BIG)
@pytest.mark.nightly
def test_it_takes_no_more_memory_than_there_is(tmp_path, much):
    """A file of some MB is looked at in 1 GiB."""
    notebook = solved()
    BIG[much](notebook)
    (tmp_path / FILE).write_bytes(as_bytes(notebook))
    look = f"from autograder.intake.triage import triage; triage({str(tmp_path)!r}, {str(RELEASED)!r})"
    peak = "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"  # not that of whoever called
    done = subprocess.run([sys.executable, "-c", f"{look}; {peak}"], cwd=ROOT, check=True, capture_output=True)
    assert int(done.stdout) < 2**20, f"{int(done.stdout) / 2**10:.0f} MiB"
