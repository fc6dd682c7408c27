"""What a learner has done is remembered, in one file that survives whatever happens to it, and shown kindly."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from helpers import ROOT
from running_notebook import run_notebook

from autograder import EXERCISES, check, hint, progress, solution
from autograder.catalogue import LESSONS
from autograder.cli import main
from autograder.course import installed
from autograder.learner import journal
from autograder.learner.progress import _hours

RIGHT = dict(weight_ratio=7.389, added_thousand="a")


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Where a learner in a notebook of my_course/, who has just begun, will have the journal."""
    monkeypatch.setattr(journal, "in_a_notebook", lambda: True)
    monkeypatch.setattr(journal, "_unwritten", [])
    for name in ("MHA_PROGRESS", "NBGRADER_EXECUTION", "NBGRADER_VALIDATING"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "my_course" / "lesson_01_softmax"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    return journal.place()


def is_empty(file):
    return not file.exists() or not file.stat().st_size


@pytest.fixture
def someone(file):
    """One question right, one wrong."""
    check(weight_ratio=7.389)
    check(added_thousand="b")
    return file


def states():
    return progress().states


# the journal


def test_each_change_is_one_line(someone):
    """Checking again adds nothing, and what was done stays done."""
    for answers in (dict(weight_ratio=7.389), dict(added_thousand="c"), dict(weight_ratio=3)):
        check(**answers)
    lines = [json.loads(line) for line in someone.read_text().strip().splitlines()]
    assert [(line["what"], line["task"]) for line in lines] == [("done", "weight_ratio"), ("tried", "added_thousand")]
    assert (states()["weight_ratio"], states()["added_thousand"]) == ("done", "tried")


def test_a_blank_answer_is_no_try(file):
    """Run All on an untouched lesson remembers nothing."""
    check(weight_ratio=...)
    assert is_empty(file)


def test_a_kill_in_mid_write_loses_the_last_line_at_most(someone):
    """Wherever the file was cut off, the lines before are known, and the next one is whole again."""
    whole = someone.read_bytes()
    second = whole.rindex(b"\n")
    for end in range(len(whole) + 1):
        someone.write_bytes(whole[:end])
        assert ("weight_ratio" in journal.tasks("done")) == (end >= second)
        journal.note("done", "softmax")
        assert "softmax" in journal.tasks("done")


DAMAGE = b"\xff\xfe", b"{", b"[1]", b'"done"', b"{}", b'{"what": 1, "task": []}', b"[" * 100_000, b"\0" * 99


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: repr(damage[:20]))
def test_a_damaged_line_is_lost_alone(someone, damage):
    """Those before it and after it count."""
    someone.write_bytes(someone.read_bytes() + b"\n" + damage)
    check(sum_bounds=(1, 8))
    assert {"weight_ratio", "sum_bounds"} == journal.tasks("done")
    assert str(progress())


def test_two_notebooks_write_at_once(file):
    """No line of either is lost or mixed with another."""
    code = (
        "import sys; from autograder.learner import journal; journal.in_a_notebook = lambda: True\n"
        "for n in range(100): journal.note('tried', f'{sys.argv[1]}_{n}')"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, name]) for name in "ab"]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert len(journal.tasks("tried")) == 200


def test_one_may_say_where(file, monkeypatch, tmp_path):
    """Another place than the user's own."""
    monkeypatch.setenv("MHA_PROGRESS", str(tmp_path / "mine.jsonl"))
    check(weight_ratio=7.389)
    assert (tmp_path / "mine.jsonl").exists() and is_empty(file)


@pytest.mark.parametrize("place", ["no/such/folder/progress.jsonl", "."])
def test_a_place_that_cannot_be_written_disturbs_nothing(file, monkeypatch, place):
    """The check is as ever, and this kernel remembers."""
    monkeypatch.setenv("MHA_PROGRESS", place)
    assert check(weight_ratio=7.389) == EXERCISES["weight_ratio"].points
    assert states()["weight_ratio"] == "done"


@pytest.mark.parametrize("variable", ["NBGRADER_EXECUTION", "NBGRADER_VALIDATING"])
def test_nbgrader_writes_nothing(file, monkeypatch, variable):
    """Grading somebody's notebook is no progress of the one who grades, and Validate is no try."""
    monkeypatch.setenv(variable, "1")
    check(weight_ratio=7.389)
    assert is_empty(file)


def test_a_script_writes_nothing(file, monkeypatch):
    """Only a notebook does."""
    monkeypatch.setattr(journal, "in_a_notebook", lambda: False)
    check(weight_ratio=7.389)
    assert is_empty(file)


def test_running_our_solutions_is_no_progress(file, monkeypatch):
    """The solution notebooks lie in solutions/, and whoever runs one has not solved it."""
    monkeypatch.setenv("MHA_PROGRESS", str(file))
    monkeypatch.chdir(journal.SOLUTIONS / "lesson_01_softmax")
    check(weight_ratio=7.389)
    assert is_empty(file)


# progress()


def test_progress_shows_all_lessons_in_words_and_symbols(someone):
    """As a table and as text; no state is told by colour alone, and there are no points."""
    for shown in (str(progress()), progress()._repr_html_()):
        assert (
            shown.count(f"1 of {number_of_tasks(before='lesson_09')} done, about") == 2
        )  # in the title and in the table
        assert (
            "✓ done: weight_ratio" in shown and "◐ tried: added_thousand" in shown and "○ not yet: sum_bounds" in shown
        )
        assert "point" not in shown
        for lesson in LESSONS:
            assert lesson.removeprefix("lesson_").replace("_", " ") in shown


def number_of_tasks(after="", before="~"):
    lessons = [lesson for lesson in LESSONS if after <= lesson < before]
    return sum(task.points > 0 and task.lesson in lessons for task in EXERCISES.values())


def test_each_part_has_its_own_sum(file):
    """The title speaks of the part one is working on; the other's numbers are beside its lessons."""
    assert progress().title.startswith("Part I so far: 0 of")
    check(reach_of_two_layers=126)
    first, second = number_of_tasks(before="lesson_09"), number_of_tasks(after="lesson_09")
    for shown in (str(progress()), re.sub("</?strong>", "", progress()._repr_html_())):
        assert f"Part I: 0 of {first} done" in shown and f"Part II: 1 of {second} done" in shown
        assert f"Part II so far: 1 of {second} done" in shown


def test_it_says_about_how_long_the_rest_takes(someone):
    """The minutes of each lesson count by the share of its exercises that are not done."""
    assert "done, about 8½ hours left" in str(progress()) and "done, about 8½ hours left" in progress()._repr_html_()
    assert [_hours(minutes) for minutes in (2, 33, 58, 75, 200)] == [
        "about 5 minutes",
        "about 35 minutes",
        "about an hour",
        "about 1½ hours",
        "about 3½ hours",
    ]


def test_cards_of_progress_survive_an_untrusted_notebook(someone):
    """JupyterLab takes style sheets, scripts and inline drawings out."""
    assert not any(tag in progress()._repr_html_() for tag in ("<style", "<script", "<svg", "class="))


def test_the_next_thing_is_an_open_one_where_you_work(file):
    """At first the first; then in the lesson of the last change, in the order of its text; earlier gaps come last."""
    assert progress().next.name == "blanc_looks_at"
    check(scaled_score=2.5)
    assert progress().next.name == "attention_scores"
    for name, task in EXERCISES.items():
        if task.lesson >= "lesson_02":
            journal.note("done", name)
    assert progress().next.name == "blanc_looks_at"


def test_the_next_thing_has_a_link_if_its_lesson_is_there(someone, monkeypatch, tmp_path):
    """From a notebook to the one beside it; a lesson that was opened alone has no link to nowhere."""
    assert "<a href" not in progress()._repr_html_()
    for lesson in LESSONS[:2]:
        (tmp_path / lesson).mkdir()
        (tmp_path / lesson / f"{lesson}.ipynb").touch()
    monkeypatch.chdir(tmp_path / LESSONS[0])
    assert 'href="../lesson_01_softmax/lesson_01_softmax.ipynb"' in progress()._repr_html_()


def test_when_all_is_done_it_says_so(file):
    """And asks for nothing more."""
    for name in EXERCISES:
        journal.note("done", name)
    assert "All of it is done" in str(progress()) and "All of it is done" in progress()._repr_html_()


def test_hidden_it_says_how_to_see_it_again(someone):
    """One line, until it is wanted again, also after a restart; what is done meanwhile is remembered."""
    for shown in (progress(hide=True), progress()):
        assert str(shown).count("\n") == 0 and "progress(hide=False)" in str(shown)
    check(sum_bounds=(1, 8))
    assert progress(hide=False).states["sum_bounds"] == "done"


def test_a_new_beginning_keeps_the_old_file(someone):
    """Under another name, which it says; twice a day is no trouble."""
    before = someone.read_bytes()
    first, second = progress(reset=True), (check(weight_ratio=7.389), progress(reset=True))[1]
    kept = sorted(someone.parent.glob("progress_*.jsonl"))
    assert len(kept) == 2 and before in [file.read_bytes() for file in kept]
    assert all(one.name in first.text + second.text for one in kept)
    assert set(states().values()) == {"not yet"}


def test_hints_are_part_of_it(file):
    """Which, and for what."""
    hint("weight_ratio")
    (entry,) = journal.entries()
    assert (entry["what"], entry["task"], entry["about"], entry["number"]) == ("hint", "weight_ratio", "", 1)


def test_mha_status_is_for_learners_too(someone, monkeypatch):
    """Where nobody hands in, it says how far one is; where a class does, how far the class is."""
    mine = Path.cwd().parent
    monkeypatch.setattr("autograder.lab.places", lambda: (mine.parent / "course", mine))
    said = CliRunner().invoke(main, ["status"]).stdout
    assert "1 of " in said and "Next: added_thousand, in lesson 01 softmax." in said
    (mine.parent / "received").mkdir()
    assert CliRunner().invoke(main, ["status"]).stdout == ""


# solution()


def test_a_solution_is_shown_once_the_exercise_was_passed(file):
    """Ours, with the signature, without the docstring and without marks of the build."""
    journal.note("done", "softmax")
    ((_, code),) = solution("softmax").blocks
    assert code.startswith("def softmax(scores, axis=-1):\n    top = ") and "###" not in code and '"""' not in code
    assert "solution read" not in str(progress())


def test_before_that_it_says_what_stands_open(someone):
    """Kindly, with the way to see it all the same; then progress says that it was read."""
    card = solution("added_thousand")
    assert not card.blocks and "not right yet" in card.title and "anyway=True" in card.text
    assert "3 hints are left" in card.text
    assert "added_thousand = 'a'" in str(solution("added_thousand", anyway=True))
    assert "added_thousand (solution read)" in str(progress())
    check(added_thousand="a")
    assert "✓ done: weight_ratio, added_thousand (solution read)" in str(progress())


def test_every_task_has_a_solution_to_show(file):
    """It is valid Python that gives the task's name a meaning."""
    for name in EXERCISES:
        ((_, code),) = solution(name, anyway=True).blocks
        compile(code, name, "exec")
    assert name in code and not re.search(r'(?<!["[(])[.]{3}', code)  # but in a text, an index, and a shape


def test_without_the_solutions_it_says_where_they_are(file, monkeypatch, tmp_path):
    """A lesson opened alone has none."""
    monkeypatch.setattr(type(installed()), "text", lambda course, lesson: tmp_path / lesson)
    card = solution("softmax", anyway=True)
    assert "not here" in card.title and not card.blocks
    assert "solution read" not in str(progress())


def test_a_mistyped_name_gets_the_near_one(file):
    """As with hint."""
    with pytest.raises(KeyError, match="did you mean 'softmax'"):
        solution("sofmax")


# where it is


def test_wherever_a_notebook_lies_the_file_is_the_same(file, monkeypatch, tmp_path):
    """Of `mha lab`, or downloaded alone; nothing appears beside it."""
    check(weight_ratio=7.389)
    for folder in ("my_course/lesson_02_scaled_dot_product", "downloads", "my_course/lesson_01_softmax/notes"):
        (tmp_path / folder).mkdir(parents=True)
        monkeypatch.chdir(tmp_path / folder)
        check(weight_ratio=7.389)
        assert journal.tasks("done") == {"weight_ratio"} and not [*(tmp_path / folder).iterdir()]
    assert file == tmp_path / "data" / "multi_head_attention" / journal.NAME
    assert file.read_text().count("weight_ratio") == 1


@pytest.mark.parametrize("place", ["my_course", "my_course/lesson_00_start_here", "."])
def test_what_an_older_course_remembered_still_counts(file, tmp_path, place):
    """In the folder of all lessons, beside a notebook, or above; new things go to the user's own file."""
    old = tmp_path / place / journal.NAME
    old.parent.mkdir(exist_ok=True)
    old.write_text('\n{"when": "2026-01-01T12:00:00", "what": "done", "task": "weighted_mean"}')
    check(weight_ratio=7.389)
    assert journal.tasks("done") == {"weighted_mean", "weight_ratio"}
    assert "weight_ratio" in file.read_text() and "weight_ratio" not in old.read_text()
    progress(reset=True)
    assert not journal.tasks("done") and len([*tmp_path.rglob("progress_*.jsonl")]) == 2


def test_a_file_further_above_is_another_course(file, tmp_path):
    """The nearest one counts alone."""
    for folder, task in ((".", "weighted_mean"), ("my_course", "weight_ratio")):
        line = {"when": "2026-01-01T12:00:00", "what": "done", "task": task}
        (tmp_path / folder / journal.NAME).write_text(f"\n{json.dumps(line)}")
    assert journal.tasks("done") == {"weight_ratio"}


@pytest.mark.slow
def test_making_the_book_is_no_progress(tmp_path):
    """It runs our solutions, which whoever makes it has not written."""
    code = "import sys; sys.path[:0] = ['book']; import nbformat.v4 as v4, pages; "
    code += "cell = v4.new_code_cell('from autograder import check\\ncheck(weight_ratio=7.389)'); "
    code += (
        "print(pages.run(v4.new_notebook(cells=[cell]), pages.ROOT / 'solutions' / pages.LESSONS[1]).cells[0].outputs)"
    )
    surroundings = {name: x for name, x in os.environ.items() if name != "MHA_PROGRESS"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=surroundings | {"XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert "✓ weight_ratio: right" in done.stdout, done.stderr
    assert not [*tmp_path.rglob(journal.NAME)]


def test_a_file_of_another_program_is_not_taken(file, tmp_path):
    """It may have the same name; it is neither read nor written."""
    foreign = tmp_path / journal.NAME
    foreign.write_text('{"step": 1, "loss": 0.5}')
    check(weight_ratio=7.389)
    assert foreign.read_text() == '{"step": 1, "loss": 0.5}' and journal.tasks("done") == {"weight_ratio"}


def test_a_real_kernel_finds_it(file, tmp_path):
    """Not only one that we pretend to be."""
    cells = ["from autograder import check, progress", "check(weight_ratio=7.389)", "progress()"]
    assert "1 of " in run_notebook(cells, tmp_path)[2][0].data["text/html"]
    assert '"task": "weight_ratio"' in file.read_text()
