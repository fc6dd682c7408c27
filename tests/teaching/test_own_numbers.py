"""A class in which each has numbers of their own: kits go out, notebooks come in, and are graded."""

import json
import shutil
import subprocess
import sys
import zipfile

import click
import nbformat
import pytest
from classroom import CONFIG, mha_here, open_course, scores, well
from corpus.broken import LESSON as WITHOUT_NUMBERS
from helpers import ROOT, our_answers
from nbformat.v4 import new_markdown_cell, new_notebook

from autograder import EXERCISES
from autograder.grading.fingerprints import fingerprint
from autograder.grading.outputs import verdicts_of
from autograder.intake.course_folder import receipt
from autograder.intake.own_numbers import COMMON, as_given, own_numbers, place, whose_numbers
from autograder.intake.own_numbers import NAME as NUMBER
from autograder.intake.students import Student
from autograder.outline import outline
from autograder.question import NUMBERS
from autograder.teaching.kit import hand_out, make_kit, make_kits

LESSON = "lesson_02_scaled_dot_product"
QUESTIONS = ("score_variance", "scaled_score", "attention_output_shape")
INSIDE = f"{outline().id}/course/{LESSON}"
CLASS = [Student("ada", "Ada"), Student("bo", "Bo"), Student("cem", "Cem"), Student("eve", "Eve")]


@pytest.fixture
def beginning(course):
    """A course that has lesson 02, and has handed out nothing."""
    released = ROOT / "course" / LESSON / f"{LESSON}.ipynb"
    target = course.format_path(course.release_directory, ".", LESSON)
    (root := type(released)(target)).mkdir(parents=True)
    (root / released.name).write_bytes(released.read_bytes())
    course.db_url = f"sqlite:///{course.root}/gradebook.db"
    return course


def in_kit(kit, name):
    with zipfile.ZipFile(kit) as archive:
        return archive.read(f"{INSIDE}/{name}").decode()


def test_each_kit_holds_the_numbers_of_its_student_alone(beginning, tmp_path):
    """In the text and in the file beside it; nobody else's, and no key."""
    kits = {kit.stem: kit for kit in make_kits(LESSON, beginning, CLASS, tmp_path / "kits")}
    handed_out = own_numbers(beginning.db_url, LESSON)
    assert kits.keys() == handed_out.keys() == {"ada", "bo", "cem", "eve"}
    for student, kit in kits.items():
        assert json.loads(in_kit(kit, NUMBERS)) == handed_out[student]
        text = in_kit(kit, f"{LESSON}.ipynb")
        assert f"The query and the key have {handed_out[student]['score_variance']['features']} features each" in text
        assert "The query and the key have 100 features" not in text
    key = (tmp_path / "my_course" / "grading_seed.txt").read_text().split()[0]
    with zipfile.ZipFile(kits["ada"]) as archive:
        assert not [name for name in archive.namelist() if "grading_seed" in name or "own_numbers/" in name]
        assert not [name for name in archive.namelist() if key.encode() in archive.read(name)]


def test_a_kit_for_everybody_is_as_ever(beginning, tmp_path):
    """Before and after kits with numbers were made: the released notebook, and no file of numbers."""
    released = ROOT / "course" / LESSON / f"{LESSON}.ipynb"
    list(make_kits(LESSON, beginning, CLASS, tmp_path / "kits"))
    kit = make_kit(LESSON, beginning, tmp_path / "kit.zip")
    assert in_kit(kit, released.name) == released.read_text(encoding="utf-8")
    with zipfile.ZipFile(kit) as archive:
        assert [name for name in archive.namelist() if name.startswith(INSIDE)] == [f"{INSIDE}/{released.name}"]


def test_whoever_has_numbers_keeps_them(beginning, monkeypatch):
    """When kits are made again, for more people, or after the course has learned to draw others."""
    first = hand_out(LESSON, ["ada"], beginning.db_url)
    monkeypatch.setattr(type(EXERCISES["scaled_score"].variants), "draw", lambda self, seed: self.fit[-1])
    second = hand_out(LESSON, ["ada", "zoe"], beginning.db_url)
    assert second["ada"] == first["ada"] and second["zoe"] != first["ada"]


def test_lost_notes_are_made_again(beginning):
    """From the course's key: the same numbers for the same student."""
    first = hand_out(LESSON, ["ada", "bo"], beginning.db_url)
    place(beginning.db_url, LESSON).unlink()
    assert hand_out(LESSON, ["bo", "ada"], beginning.db_url) == first
    assert first["ada"] != first["bo"]


def test_damaged_notes_are_told(beginning):
    """Nothing is graded by guessing, and nothing is handed out."""
    hand_out(LESSON, ["ada"], beginning.db_url)
    place(beginning.db_url, LESSON).write_text('{"ada": ')
    with pytest.raises(ValueError, match=r"cannot be read.*Take it away, and say `mha kit"):
        own_numbers(beginning.db_url, LESSON)
    with pytest.raises(ValueError, match="cannot be read"):
        hand_out(LESSON, ["bo"], beginning.db_url)


def test_a_lesson_in_which_nothing_varies(beginning, tmp_path):
    """And a roster without students: it is said what to do."""
    with pytest.raises(click.ClickException, match=f"`mha kit {WITHOUT_NUMBERS}` makes the kit for everybody"):
        list(make_kits(WITHOUT_NUMBERS, beginning, CLASS, tmp_path / "kits"))
    with pytest.raises(click.ClickException, match="This roster is empty"):
        list(make_kits(LESSON, beginning, [], tmp_path / "kits"))
    assert not (tmp_path / "kits").exists()


def test_a_released_notebook_that_lost_the_numbers(beginning, tmp_path):
    """Somebody changed its text by hand: no kit is made of it."""
    file = tmp_path / "my_course" / "course" / LESSON / f"{LESSON}.ipynb"
    file.write_text(file.read_text(encoding="utf-8").replace("have 100 features each", "have a few features"))
    with pytest.raises(click.ClickException, match="the text above score_variance should hold this once"):
        list(make_kits(LESSON, beginning, CLASS, tmp_path / "kits"))
    assert not list((tmp_path / "kits").glob("*.zip"))


def test_numbers_that_the_question_no_longer_takes(beginning, tmp_path):
    """The course was changed since they were handed out: no kit says something else than the first one did."""
    hand_out(LESSON, ["ada"], beginning.db_url)
    place(beginning.db_url, LESSON).write_text('{"ada": {"scaled_score": {"old": 3}}}')
    with pytest.raises(click.ClickException, match="scaled_score needs query, key, and here are old"):
        list(make_kits(LESSON, beginning, [Student("ada")], tmp_path / "kits"))


@pytest.mark.parametrize(
    "to, options, says", [("file", ("--for", "roster.csv"), "is a file"), ("folder", (), "is a folder")]
)
def test_a_place_that_cannot_be(tmp_path, to, options, says):
    """Kits for each go into a folder, and the kit for everybody is a file: nothing is overwritten."""
    (tmp_path / "roster.csv").write_text("id\nada\n")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    done = mha_here(tmp_path, "kit", LESSON, *options, "--to", to)
    assert done.returncode == 2 and says in done.stderr
    assert (tmp_path / "file").read_text() == "mine"


def test_numbers_handed_out_are_part_of_what_a_score_depends_on(beginning):
    """Whoever was graded before, and gets numbers afterwards, is graded again; others are not."""
    before = [fingerprint(beginning, LESSON, student) for student in ("ada", "bo")]
    hand_out(LESSON, ["ada"], beginning.db_url)
    hand_out(LESSON, ["ada", "eve"], beginning.db_url)  # the key is there now, for both
    between = [fingerprint(beginning, LESSON, student) for student in ("ada", "bo")]
    hand_out(LESSON, ["bo"], beginning.db_url)
    after = [fingerprint(beginning, LESSON, student) for student in ("ada", "bo")]
    assert before[0] != between[0] == after[0] and between[1] != after[1]


def written(text):
    return new_notebook(cells=[new_markdown_cell(text)])


def with_passages_of(numbers):
    """A notebook that asks with these, wherever its lines are broken."""
    tasks = [EXERCISES[name] for name in QUESTIONS]
    return written("Now\n".join(task.variants.passage(as_given(task, numbers).numbers) for task in tasks))


class TestWhoseNumbers:
    """A notebook's text says whose it is, as far as numbers differ."""

    @pytest.fixture
    def numbers(self, beginning):
        return hand_out(LESSON, ["ada", "bo", "cem"], beginning.db_url)

    @pytest.mark.parametrize("student, asks, whose", [("ada", "ada", None), ("ada", "cem", ["cem"])])
    def test_of_a_class(self, numbers, student, asks, whose):
        """One's own is nothing to tell."""
        assert whose_numbers(with_passages_of(numbers[asks]), LESSON, student, numbers) == whose

    def test_the_common_lesson(self, numbers):
        """It is theirs who got no kit, and of nobody else."""
        assert whose_numbers(with_passages_of({}), LESSON, "ada", numbers) == [COMMON]
        assert whose_numbers(with_passages_of({}), LESSON, "dan", numbers) is None
        assert whose_numbers(with_passages_of(numbers["bo"]), LESSON, "dan", numbers) == ["bo"]

    def test_of_nobody(self, numbers):
        """A kit of last year, say."""
        strange = {name: EXERCISES[name].variants.draw(1234) for name in QUESTIONS}
        assert whose_numbers(with_passages_of(strange), LESSON, "ada", numbers) == []

    def test_nothing_is_said_where_nothing_can_be_seen(self, numbers):
        """The learner's text lacks the numbers; no kits were made; a question was rewritten since."""
        assert whose_numbers(written("How many?"), LESSON, "ada", numbers) is None
        assert whose_numbers(with_passages_of(numbers["bo"]), LESSON, "ada", {}) is None
        old = {name: {"old": 3} for name in QUESTIONS}
        assert whose_numbers(with_passages_of(numbers["bo"]), LESSON, "ada", numbers | {"ada": old}) is None


# A whole class


def right_for(numbers):
    """name -> the answers of somebody who worked out these numbers."""
    return {name: EXERCISES[name].variants.with_numbers(numbers[name]).answer for name in QUESTIONS}


def hand_in(folder, student, notebook, answers):
    """Our solutions, and these answers to the questions that vary."""
    cells = our_answers(LESSON) | {name: f"{name} = {answer!r}" for name, answer in answers.items()}
    for cell in notebook.cells:
        cell.source = cells.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    (folder / student).mkdir(parents=True)
    nbformat.write(notebook, folder / student / f"{LESSON}.ipynb")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Ada and Cem did their own; Bo has Ada's answers, Eve those to the common lesson; Dan had the common lesson.

    Fay hands in Ada's notebook.
    """
    root = tmp_path_factory.mktemp("class")
    open_course(root, LESSON, {}, CONFIG.format(root=str(root), limit=10), short=True)
    (root / NUMBER).write_text("2\n")  # from this one no two of them draw the same
    (root / "roster.csv").write_text("id,name\nada,Ada Byron\nbo,Bo\ncem,Cem\neve,Eve\nfay,Fay\n")
    assert "5 kits in kits" in well(mha_here(root, "kit", LESSON, "--for", "roster.csv"))
    numbers = own_numbers(f"sqlite:///{root}/gradebook.db", LESSON)
    common = {name: EXERCISES[name].answer for name in QUESTIONS}
    answers = {"ada": right_for(numbers["ada"]), "bo": right_for(numbers["ada"]), "cem": right_for(numbers["cem"])}
    for student, theirs in (answers | {"eve": common}).items():
        notebook = nbformat.reads(in_kit(root / "kits" / LESSON / f"{student}.zip", f"{LESSON}.ipynb"), as_version=4)
        hand_in(root / "came", student, notebook, theirs)
    released = nbformat.read(root / "course" / LESSON / f"{LESSON}.ipynb", as_version=4)
    hand_in(root / "came", "dan", released, common)
    (root / "came" / "bo" / NUMBERS).write_text(json.dumps(numbers["ada"]))  # as if it counted
    shutil.copytree(root / "came" / "ada", root / "came" / "fay")
    (root / "class.csv").write_text((root / "roster.csv").read_text() + "dan,Dan\n")
    collected = well(mha_here(root, "collect", "came", "--lesson", LESSON, "--roster", "class.csv"))
    return root, numbers, collected, well(mha_here(root, "grade", LESSON, "--trust-submissions"))


slow = [pytest.mark.slow, pytest.mark.xdist_group("own_numbers")]  # graded once, for all tests here


class TestAClass:
    pytestmark = slow

    def test_notebooks_come_back_as_they_should_be(self, graded):
        """Other numbers in the text are nothing to mend."""
        _, _, collected, _ = graded
        lines = {line.split()[0]: line for line in collected.splitlines() if line}
        assert all("fine" in lines[student] for student in ("ada", "cem", "dan", "eve")), collected

    def test_whoever_is_not_in_the_roster_is_named(self, graded):
        """Dan may well have the common notebook; or the roster had another name for him."""
        *_, said = graded
        told = [line for line in said.splitlines() if "judged for the common numbers" in line]
        assert [line.split()[0] for line in told] == ["dan"]

    def test_whose_numbers_a_notebook_carries(self, graded):
        """Whoever teaches is told, when it is collected and when it is graded; files may be mixed up."""
        root, _, collected, said = graded
        told = "asks with the numbers of Ada Byron (ada), not with their own: perhaps files were mixed up"
        assert [line.split()[0] for line in collected.splitlines() if told in line and "LOOK" in line] == ["fay"]
        assert [line.split()[0] for line in said.splitlines() if told in line] == ["fay"]
        noted = {student: receipt(root, LESSON, student)["numbers_of"] for student in ("ada", "bo", "dan", "fay")}
        assert noted == {"ada": None, "bo": None, "dan": None, "fay": ["ada"]}

    def test_the_page_says_that_the_text_has_other_numbers(self, graded):
        """Above, and where the points of such an answer stand, with the numbers that count; it does not say whose."""
        root, numbers, *_ = graded
        mha_here(root, "feedback", LESSON)
        pages = {who: root / "feedback" / who / LESSON / f"{LESSON}.html" for who in ("ada", "bo", "dan", "fay")}
        pages = {who: page.read_text(encoding="utf-8") for who, page in pages.items()}
        assert [who for who, page in pages.items() if "asks with other numbers than yours" in page] == ["fay"]
        own = f"judged with yours: <code>features = {numbers['fay']['score_variance']['features']}</code>"
        assert own in pages["fay"] and "Byron" not in pages["fay"]

    @pytest.mark.parametrize("student, points", [("ada", 1), ("cem", 1), ("dan", 1), ("bo", 0), ("eve", 0), ("fay", 0)])
    def test_ones_own_answers_count_and_no_others(self, graded, student, points):
        """Whatever was handed in about numbers: Bo's file with Ada's is not read."""
        root, *_ = graded
        earned = scores(root, LESSON, student)
        assert {name: earned[name] for name in QUESTIONS} == dict.fromkeys(QUESTIONS, points)
        others = {name: score for name, score in earned.items() if name not in QUESTIONS}
        assert others == {name: EXERCISES[name].points for name in others}

    def test_cards_tell_of_ones_own_and_the_common_numbers_only(self, graded):
        """Bo does not learn whose answer it was, nor that it was right for anybody."""
        root, numbers, *_ = graded
        said = {student: self._messages(root, student) for student in ("bo", "eve")}
        assert "right for" not in str(said["bo"])
        assert "right for the numbers of the common notebook" in said["eve"]["scaled_score"]
        assert f"query = {tuple(numbers['eve']['scaled_score']['query'])}" in said["eve"]["scaled_score"]

    def test_the_kits_own_check_says_the_same(self, graded, tmp_path):
        """What Ada saw at home is what she gets, and Bo could have seen that Ada's answers are not his."""
        root, numbers, *_ = graded
        for student, answers in (("ada", right_for(numbers["ada"])), ("bo", right_for(numbers["ada"]))):
            with zipfile.ZipFile(root / "kits" / LESSON / f"{student}.zip") as kit:
                kit.extractall(tmp_path / student)
            seen = f"from autograder import check; print([float(check(**{{n: a}})) for n, a in {answers!r}.items()])"
            done = subprocess.run(
                [sys.executable, "-c", seen],
                cwd=tmp_path / student / INSIDE,
                env={"PYTHONPATH": str(tmp_path / student / outline().id)},
                capture_output=True,
                text=True,
                check=True,
            )
            earned = scores(root, LESSON, student)
            assert done.stdout.splitlines()[-1] == str([earned[name] for name in QUESTIONS])

    @pytest.mark.nightly
    def test_nothing_would_change_in_a_second_judging(self, graded):
        """The scratch course knows whose numbers are which."""
        root, *_ = graded
        said = well(mha_here(root, "grade", LESSON, "--again", "--dry-run", "--trust-submissions"))
        assert "0 marks would change" in said and "6 submissions would stay as they are" in said

    def test_the_report_says_how_answers_are_called(self, graded):
        """One sentence, since names of wrong answers are those of the common numbers."""
        root, *_ = graded
        well(mha_here(root, "report", LESSON))
        assert "numbers of their own" in (root / "reports" / f"{LESSON}.html").read_text(encoding="utf-8")

    @pytest.mark.nightly
    def test_numbers_that_the_lesson_no_longer_knows(self, graded):
        """The question was rewritten since: it is not judged, whoever graded is told, and all else has its points."""
        root, numbers, *_ = graded
        file = place(f"sqlite:///{root}/gradebook.db", LESSON)
        before = file.read_text(encoding="utf-8")
        file.write_text(json.dumps(numbers | {"ada": numbers["ada"] | {"scaled_score": {"old": 3}}}))
        done = mha_here(root, "grade", LESSON, "ada", "--trust-submissions")
        file.write_text(before, encoding="utf-8")
        assert "scaled_score could not be judged: look at it" in done.stdout
        assert scores(root, LESSON, "ada")["score_variance"] == 1
        well(mha_here(root, "grade", LESSON, "ada", "--trust-submissions"))
        assert scores(root, LESSON, "ada")["scaled_score"] == 1

    @staticmethod
    def _messages(root, student):
        notebook = nbformat.read(root / "autograded" / student / LESSON / f"{LESSON}.ipynb", as_version=4)
        return {task: verdict["message"] for task, verdict in verdicts_of(notebook).items()}
