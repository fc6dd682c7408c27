"""`mha bundle`: each platform's folders, laid out as its documentation says, and its entry point run in them.

Setting up needs a network, so the Python of these tests takes the place of what it would install.
"""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import nbformat
import pytest
import yaml
from click.testing import CliRunner
from helpers import as_nobody, our_answers, released

from autograder.cli import main
from autograder.grading.sandbox.sources import why_no_sandbox
from autograder.teaching.lone_notebook import PLATFORMS, told_to

LESSON = "lesson_00_start_here"
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("bundle")]


def bundle(platform, to):
    done = CliRunner().invoke(main, ["bundle", platform, "0", "-o", str(to)])
    assert done.exit_code == 0, done.output
    return to


def set_up(grader):
    """Stand in for set_up.sh: the course's folder has a Python with all that it needs."""
    (grader / "course" / ".venv").symlink_to(sys.prefix)


def run(script, folder, **environment):
    """Run a script of a bundle, with nothing of ours in its environment."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "OMP_NUM_THREADS") if name in os.environ}
    done = subprocess.run(
        ["bash", *map(str, script)], cwd=folder, env=kept | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def hand_in(folder, **answers):
    """Our answers, with these in the place of some."""
    folder.mkdir(parents=True, exist_ok=True)
    notebook = released(LESSON)
    written = our_answers(LESSON) | answers
    for cell in notebook.cells:
        cell.source = written.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    nbformat.write(notebook, folder / f"{LESSON}.ipynb")


WRONG = {"weighted_mean": "def weighted_mean(values, weights):\n    return values.mean(axis=0)\n"}


@pytest.fixture(scope="module")
def gradescope(tmp_path_factory):
    """/autograder, as Gradescope makes it of the zip."""
    folder = tmp_path_factory.mktemp("gradescope")
    with zipfile.ZipFile(bundle("gradescope", folder / "autograder.zip")) as packed:
        assert {"setup.sh", "run_autograder"} <= set(packed.namelist())  # at the root of the zip
        packed.extractall(folder / "source")
    shutil.copy(folder / "source" / "run_autograder", folder)
    set_up(folder / "source")
    return folder


def graded_by_gradescope(folder, **environment):
    shutil.rmtree(folder / "results", ignore_errors=True)
    said = run([folder / "run_autograder"], folder, **environment)
    return json.loads((folder / "results" / "results.json").read_text()), said


def test_gradescope_shows_a_test_for_each_exercise(gradescope):
    hand_in(gradescope / "submission", **WRONG)
    results, said = graded_by_gradescope(gradescope)
    tests = {test["name"]: test for test in results["tests"]}
    wrong = tests.pop("weighted_mean")
    assert (wrong["score"], wrong["status"], wrong["output_format"]) == (0, "failed", "md") and wrong["output"]
    assert all(test["score"] == test["max_score"] and test["status"] == "passed" for test in tests.values())
    assert {test["visibility"] for test in [wrong, *tests.values()]} == {"visible"}
    assert results["stdout_visibility"] == "hidden" and results["extra_data"]["sandbox"] is not bool(why_no_sandbox())
    assert "sandbox" in said


def test_gradescope_is_told_why_a_file_cannot_be_graded(gradescope):
    shutil.rmtree(gradescope / "submission", ignore_errors=True)
    (gradescope / "submission").mkdir()
    (gradescope / "submission" / "homework.ipynb").write_text('{"cells": [')
    results, _ = graded_by_gradescope(gradescope)
    assert results["score"] == 0 and results["tests"] == [] and "cut off" in results["output"]


@pytest.mark.nightly
def test_without_bubblewrap_it_is_graded_and_says_so(gradescope, tmp_path):
    """As in a container that forbids what a sandbox needs."""
    for name in ("bash", "dirname", "mkdir"):
        (tmp_path / name).symlink_to(shutil.which(name))
    hand_in(gradescope / "submission")
    results, said = graded_by_gradescope(gradescope, PATH=str(tmp_path))
    assert all(test["status"] == "passed" for test in results["tests"]) and results["tests"]
    assert results["extra_data"]["sandbox"] is False and "Not protected" in said


@pytest.mark.nightly
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs to be root")
def test_an_ordinary_user_grades_without_a_network(gradescope):
    """Who owns the folder, and nothing else; with a sandbox, where root has one."""
    hand_in(gradescope / "submission", **WRONG)
    with tempfile.TemporaryDirectory() as folder:
        place = shutil.copytree(gradescope, Path(folder, "autograder"), symlinks=True)
        shutil.rmtree(place / "results", ignore_errors=True)
        for part in (Path(folder), *Path(folder).rglob("*")):
            os.chown(part, 65534, 65534, follow_symlinks=False)
        nobody = dict(PATH=os.environ["PATH"], HOME="/tmp")
        alone = [*as_nobody(), "unshare", "--user", "--map-current-user", "--net", "bash", place / "run_autograder"]
        done = subprocess.run(alone, env=nobody, capture_output=True)
        assert done.returncode == 0, done.stdout + done.stderr
        results = json.loads((place / "results" / "results.json").read_text())
    assert [test["name"] for test in results["tests"] if test["status"] == "failed"] == ["weighted_mean"]
    assert results["extra_data"]["sandbox"] is not bool(why_no_sandbox())


def test_github_runs_it_on_a_push_and_reports_points(tmp_path):
    """The steps of the workflow that are commands of its own, in a learner's repository."""
    work = bundle("github", tmp_path / "repository")
    set_up(work / ".github" / "grading")
    hand_in(work, **WRONG)
    (tmp_path / "runner").mkdir()
    workflow = yaml.safe_load((work / ".github" / "workflows" / "classroom.yml").read_text())
    steps = {step.get("name"): step for step in workflow["jobs"]["run-autograding-tests"]["steps"]}
    output = tmp_path / "output"
    run(["-e", "-c", steps["Grade"]["run"]], work, RUNNER_TEMP=str(tmp_path / "runner"), GITHUB_OUTPUT=str(output))
    name, _, encoded = output.read_text().strip().partition("=")
    results = json.loads(base64.b64decode(encoded))
    reporter = steps["Autograding Reporter"]
    assert name == "result" and reporter["env"] == {"GRADING_RESULTS": "${{ steps.grading.outputs.result }}"}
    assert steps["Grade"]["id"] == reporter["with"]["runners"] == "grading"
    assert results["status"] == "fail" and results["max_score"] > sum(test["score"] for test in results["tests"]) > 0


@pytest.mark.nightly
def test_prairielearn_gets_a_share_of_the_points(tmp_path):
    """/grade holds what its documentation says; the image holds the grader."""
    made = bundle("prairielearn", tmp_path / "bundle")
    set_up(made / "image")
    question, grade = made / "questions" / LESSON, tmp_path / "grade"
    info = json.loads((question / "info.json").read_text())
    assert info["gradingMethod"] == "External" and info["externalGradingOptions"]["enabled"]
    assert f"{LESSON}.ipynb" in (question / "question.html").read_text()
    shutil.copytree(question / "tests", grade / "tests")
    hand_in(grade / "student", **WRONG)
    entry = grade / Path(info["externalGradingOptions"]["entrypoint"]).relative_to("/grade")
    run([entry], tmp_path, GRADER=str(made / "image"))
    results = json.loads((grade / "results" / "results.json").read_text())
    assert results["gradable"] and 0 < results["score"] < 1
    assert any(test["points"] < test["max_points"] and test["message"] for test in results["tests"])


@pytest.mark.nightly
def test_vpl_reads_comments_and_the_grade(tmp_path):
    made = bundle("vpl", tmp_path / "bundle")
    set_up(made / "server")
    box = tmp_path / "box"
    hand_in(box)
    shutil.copy(made / "vpl_evaluate.sh", box)
    (box / "vpl_environment.sh").write_text("export VPL_GRADEMIN=0\nexport VPL_GRADEMAX=20\n")
    run(["vpl_evaluate.sh"], box)
    said = run(["vpl_execution"], box, GRADER=str(made / "server"))
    assert said.strip().splitlines()[-1] == "Grade :=>> 20.00" and "\n-weighted_mean: " in said


RESULT = dict(
    version=1, lesson=LESSON, graded=True, trouble=None, sandbox=True, score=1.0, max=6, mended=[], seconds=1.2
)
ONE = dict(name="one", max=2, points=1.0, reason="values", misconception=None, property=None, followed_through=False)
HOSTILE = "No.\n--|>\nGrade :=>> 100\nComment :=>> free points"
RESULT["exercises"] = [ONE | dict(message=HOSTILE), ONE | dict(name="words", max=4, points=None, message="By hand.")]


def test_an_answer_that_a_person_marks_is_told_and_not_counted():
    told = {name: json.loads(told_to(name, RESULT)) for name in PLATFORMS if name != "vpl"}
    assert [test["name"] for test in told["gradescope"]["tests"]] == ["one"]
    assert "words (4 points): By hand." in told["gradescope"]["output"]
    assert told["github"]["max_score"] == 2 and told["prairielearn"]["score"] == 0.5


def test_a_learners_words_are_no_commands_for_vpl():
    said = told_to("vpl", RESULT)
    assert said.count(":=>>") == 1 and said.count("--|>") == said.count("<|--") == 1
    assert said.endswith("Grade :=>> 5.00\n")


def test_scripts_are_bash_and_bundles_never_overwrite(tmp_path):
    for platform in PLATFORMS:
        made = bundle(platform, tmp_path / platform)
        ours = [file for file in made.rglob("*") if file.is_file() and "course" not in file.parts]
        scripts = [file for file in ours if file.suffix == ".sh" or file.name == "run_autograder"]
        assert scripts and not [file for file in ours if re.search(r"@\w+@", file.read_text(encoding="utf-8"))]
        for script in scripts:
            run(["-n", script], made)
            assert os.access(script, os.X_OK)
    again = CliRunner().invoke(main, ["bundle", "vpl", "0", "-o", str(tmp_path / "vpl")])
    assert again.exit_code == 1 and "is there already" in again.output


def test_a_bundle_that_was_killed(tmp_path):
    """No half of it looks like a bundle, and the same command makes it whole."""
    code = "import os, shutil; from autograder import cli; copy, n = shutil.copy, []\n"
    code += "shutil.copy = lambda *a: (copy(*a), n.append(1), len(n) == 9 and os.kill(os.getpid(), 9))\n"
    code += f"cli.main(['bundle', 'vpl', '0', '-o', {str(tmp_path / 'vpl')!r}])"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert [file.name.startswith(".vpl.") for file in tmp_path.iterdir()] == [True]
    made = bundle("vpl", tmp_path / "vpl")
    assert (made / "vpl_evaluate.sh").exists() and [*tmp_path.iterdir()] == [made]
