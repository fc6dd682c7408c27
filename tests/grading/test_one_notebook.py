"""`mha grade-file`: one notebook from any folder, told as JSON, as a page, and by an exit code."""

import json
import re
from contextlib import chdir

import nbformat
import pytest
from classroom import points_in
from click.testing import CliRunner
from helpers import ROOT, our_answers, released
from jsonschema import Draft202012Validator

from autograder.cli import main
from autograder.grading.sandbox import sources

LESSON, IN_WORDS = "lesson_02_scaled_dot_product", "lesson_07_cross_attention"
SCHEMA = json.loads((ROOT / "docs" / "result.schema.json").read_text(encoding="utf-8"))
FORGETS_TO_SCALE = {"attention_scores": "def attention_scores(query, key):\n    return query @ key.mT\n"}


@pytest.fixture
def here(tmp_path):
    """A folder with nothing of the course in it, in which it stays."""
    with chdir(tmp_path):
        yield tmp_path


def handed_in(folder, lesson=LESSON, name="mine.ipynb", **answers):
    """A notebook with our answers, and these in the place of some."""
    notebook, sources = released(lesson), our_answers(lesson) | answers
    for cell in notebook.cells:
        cell.source = sources.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    nbformat.write(notebook, folder / name)
    return folder / name


def grade_file(*words):
    """The exit code, the JSON, which fits its schema, and what stands on stderr."""
    done = CliRunner().invoke(main, ["grade-file", *map(str, words), "--json", "-", "--trust-submissions"])
    result = json.loads(done.stdout) if done.stdout else None
    if result:
        Draft202012Validator(SCHEMA).validate(result)
        assert list(result) == list(SCHEMA["properties"])
    return done.exit_code, result, done.stderr


def by_name(result):
    return {one["name"]: one for one in result["exercises"]}


def test_a_right_notebook_has_all_points_and_leaves_nothing_behind(here):
    code, result, complaint = grade_file(handed_in(here))
    assert (code, complaint, result["trouble"]) == (0, "", None)
    assert result["lesson"] == LESSON and result["score"] == result["max"] == sum(points_in(LESSON).values())
    assert {one["name"]: one["max"] for one in result["exercises"]} == points_in(LESSON)
    assert [file.name for file in here.iterdir()] == ["mine.ipynb"]


def test_a_wrong_answer_is_named_and_costs_once(here):
    code, result, _ = grade_file(handed_in(here, **FORGETS_TO_SCALE), "--seed", 1)
    found = by_name(result)
    wrong, built_on_it = found["attention_scores"], found["scaled_dot_product_attention"]
    assert code == 0 and result["score"] == result["max"] - wrong["max"]
    assert (wrong["points"], wrong["misconception"]) == (0, "forgets_to_scale") and "grow" in wrong["message"]
    assert built_on_it["followed_through"] and built_on_it["points"] == built_on_it["max"]
    assert not wrong["followed_through"]


@pytest.mark.slow
def test_the_same_seed_says_the_same(here):
    """Word for word, but for how long it took; and the schema that tells what it may say is one."""
    notebook = handed_in(here, attention_scores="def attention_scores(query, key):\n    return query[..., :1] * 3\n")
    first, second = (grade_file(notebook, "--seed", 7)[1] for _ in range(2))
    assert first | {"seconds": 0} == second | {"seconds": 0} and first["score"] < first["max"]
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.slow
def test_an_answer_in_words_waits_for_a_mark_once_it_is_written(here):
    first = by_name(grade_file(handed_in(here, IN_WORDS))[1])["explain_a_map"]
    assert (first["points"], first["reason"]) == (None, "by_hand")
    stub = next(cell.source for cell in released(IN_WORDS).cells if cell.id == "explain_a_map")
    left = by_name(grade_file(handed_in(here, IN_WORDS, explain_a_map=stub))[1])["explain_a_map"]
    assert (left["points"], left["reason"]) == (0, "unwritten")


BROKEN = {
    "not_json.ipynb": (b"hello", "not JSON"),
    "cut_off.ipynb": (b'{"cells": [', "cut off"),
    "no_cells.ipynb": (b'{"nbformat": 4, "metadata": {}}', "no cells"),
    "empty.ipynb": (b"", "empty"),
    "strange.ipynb": (b'{"cells": [], "nbformat": 4, "metadata": {}}', "no cell of any lesson"),
    "page.html": (b"<html>", "no notebook"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_graded_is_one_sentence_and_a_json(here, name):
    content, why = BROKEN[name]
    (here / name).write_bytes(content)
    code, result, complaint = grade_file(here / name)
    assert code == 3 and not result["graded"] and result["score"] is None and result["exercises"] == []
    assert why in result["trouble"] and result["trouble"] in complaint
    assert complaint.count("\n") == 1 and "Traceback" not in complaint


def test_another_lesson_than_the_one_asked_for_is_not_graded(here):
    code, result, complaint = grade_file(handed_in(here), "--lesson", 1)
    assert code == 3 and f"this is {LESSON}" in complaint and not result["graded"]


def test_what_is_typed_wrongly_ends_with_2(here):
    notebook = handed_in(here)
    for words in (["nothing.ipynb"], [notebook, "--lesson", "99"], [notebook, "--seed", "x"]):
        code, result, complaint = grade_file(*words)
        assert code == 2 and result is None and complaint


def test_a_folder_and_a_file_of_another_name_are_read_like_a_submission(here):
    (here / "submission").mkdir()
    handed_in(here / "submission", name="Untitled3.ipynb")
    code, result, _ = grade_file(here / "submission")
    assert code == 0 and result["score"] == result["max"]
    assert any("Untitled3.ipynb" in sentence for sentence in result["mended"])


def test_files_hold_the_same_and_a_page_for_the_learner(here):
    notebook = handed_in(here, **FORGETS_TO_SCALE)
    done = CliRunner().invoke(
        main, ["grade-file", str(notebook), "--json", "r.json", "--html", "r.html", "--trust-submissions"]
    )
    result, page = json.loads((here / "r.json").read_text()), re.sub("<[^>]*>", "", (here / "r.html").read_text())
    assert done.exit_code == 0 and done.stdout.startswith(f"{LESSON}: {result['score']:g} of {result['max']}")
    assert "0 of 2  attention_scores:" in done.stdout
    assert "Lesson 02: scaled dot product, 10 of 12 points" in page and "return query @ key.mT" in page
    assert "attention_scores: 0 of 2 points" in page


def test_what_a_kill_leaves_says_that_it_is_not_graded(here, monkeypatch):
    def killed(*_):
        raise SystemExit(137)

    monkeypatch.setattr("autograder.grading.one_notebook.grade_one", killed)
    CliRunner().invoke(main, ["grade-file", str(handed_in(here)), "--json", "r.json"])
    result = json.loads((here / "r.json").read_text())
    Draft202012Validator(SCHEMA).validate(result)
    assert not result["graded"] and "half-way" in result["trouble"]


def test_without_a_sandbox_it_is_graded_only_if_asked_and_says_so(here, monkeypatch):
    monkeypatch.setattr(sources, "why_no_sandbox", lambda: "bubblewrap is not installed")
    sources.source_of_workers.cache_clear()
    try:
        notebook = handed_in(here, "lesson_00_start_here")
        done = CliRunner().invoke(main, ["grade-file", str(notebook), "--json", "r.json"])
        result = json.loads((here / "r.json").read_text())
        assert done.exit_code == 3 and "bubblewrap is not installed" in done.stderr
        assert not result["graded"] and result["sandbox"] is None and "bubblewrap" in result["trouble"]
        code, result, _ = grade_file(notebook)
        assert code == 0 and result["score"] == result["max"] and result["sandbox"] is False
    finally:
        sources.source_of_workers.cache_clear()
