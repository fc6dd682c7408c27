"""What commands print of troubles that stand in receipts: names of files come from strangers, in a zip any name."""

from types import SimpleNamespace

import click
import pytest
from classroom import mha
from corpus.broken import FILE, LESSON, RELEASED
from corpus.zips import zip_of

from autograder.intake import platforms
from autograder.intake.triage import triage
from autograder.teaching import feedback, marks, regrade
from autograder.teaching.gradebook import Grade

COMMANDS = "\x1b[2J\x1b]0;mine\x07.ipynb"


@pytest.fixture
def trouble(tmp_path):
    """As triage notes it."""
    (tmp_path / "work.zip").write_bytes(zip_of(**{COMMANDS: b"no JSON"}))
    trouble = triage(tmp_path, RELEASED).trouble
    assert COMMANDS in trouble
    return trouble


def is_seen(said):
    """Not obeyed."""
    return "\x1b" not in said and "\x07" not in said and "\\x1b[2J" in said


LINE = "\nzoe 15 of 15"
CLASSES = {
    "something to leave out": {f"ada/{FILE}": b"{}", f"ada/{COMMANDS}": b"", f"bo/{FILE}": b"{}"},
    "a folder, or a class": {f"ada/{FILE}": b"", "ada/more.ipynb": b"", f"bo{LINE}{COMMANDS}": b""},
    "two of one name": {f"a{COMMANDS}/{FILE}": b"", f"a?{COMMANDS}/{FILE}": b"", f"bo{LINE}/{FILE}": b""},
}


@pytest.mark.parametrize("files", CLASSES.values(), ids=CLASSES)
@pytest.mark.slow
def test_collect(files, course, tmp_path):
    """Also where it stops, since nobody can tell whose is what."""
    (tmp_path / "all.zip").write_bytes(zip_of(**files))
    done = mha(course.root, "collect", str(tmp_path / "all.zip"), "--lesson", LESSON)
    assert is_seen(done.stdout + done.stderr) and LINE not in done.stdout + done.stderr


def test_feedback_for_a_zip_of_something_else(tmp_path):
    """Of the names in it some are told, each on one line."""
    (source := tmp_path / "all.zip").write_bytes(zip_of(**{f"bo{LINE}": b""}))
    with pytest.raises(click.ClickException) as told:
        feedback.pack(platforms.Canvas, LESSON, [], source, "", "")
    assert "zoe" in told.value.message and LINE not in told.value.message


@pytest.fixture
def asked(monkeypatch):
    """Feedback for three, of a course that is not there."""
    monkeypatch.setattr(feedback, "take_anew", lambda *_: None)
    monkeypatch.setattr(feedback, "students_of", lambda *_: ["ada", "bo", "cem"])
    monkeypatch.setattr(feedback, "_course", lambda: SimpleNamespace(coursedir=SimpleNamespace(root="", db_url="")))
    monkeypatch.setattr(feedback, "names_of", lambda _: {})


def test_feedback(asked, trouble, monkeypatch, capsys):
    monkeypatch.setattr(feedback, "results", lambda *_: [((LESSON, "ada"), trouble)])
    feedback.give_back(LESSON, (), "Canvas", None, None)
    assert is_seen(capsys.readouterr().out)


def test_feedback_that_is_stopped(asked, monkeypatch, capsys):
    """By Ctrl-C: how far it is, and what to do then, as `mha grade` says it; whoever made pages is told to end."""
    ended = []

    def stopped(work, tasks, size):
        try:
            yield (LESSON, "ada"), ""
            raise KeyboardInterrupt
        finally:
            ended.append(True)

    monkeypatch.setattr(feedback, "results", stopped)
    with pytest.raises(SystemExit) as stop:
        feedback.give_back(LESSON, (), "Canvas", None, None)
    told = "Stopped. 1 of 3 are done. The same command makes all of them, from the beginning."
    assert told in capsys.readouterr().err.splitlines()
    assert stop.value.code == 130 and ended


def test_marks(trouble, monkeypatch, capsys, tmp_path):
    table, to = tmp_path / "table.csv", tmp_path / "to.csv"
    table.write_text(f"Student,ID,SIS Login ID,Section,{LESSON} (1)\nDoe,1,ada,,\n")
    monkeypatch.setattr(marks, "course", lambda: SimpleNamespace(coursedir=SimpleNamespace(db_url="", root="")))
    monkeypatch.setattr(marks, "late_for_free", lambda *_: [f"{COMMANDS} came late"])
    monkeypatch.setattr(marks, "names_of_all", lambda _: {"ada": COMMANDS})
    monkeypatch.setattr(marks, "marks_of", lambda *_: {"ada": Grade(0.0, 0.0, trouble)})
    marks.hand_over([LESSON], "Canvas", table, to, (), False)
    assert is_seen(capsys.readouterr().out)


def test_regrade(trouble, capsys):
    regrade.tell([], 0, {"ada": trouble}, {"ada": "Ada Doe (ada)"})
    assert is_seen(capsys.readouterr().out)
