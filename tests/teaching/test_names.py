"""What students are called: taken in once, with the class list or the export, and told wherever they are."""

import re

import click
import pytest
from classroom import CONFIG, mha_here, open_course
from corpus.broken import LESSON
from exports import CANVAS, canvas_zip
from nbgrader.api import Gradebook, MissingEntry

from autograder.grading.whole_class import Graded
from autograder.intake.course_folder import note
from autograder.intake.names import find_student, find_students, first_and_last, whom
from autograder.intake.progress_output import tell
from autograder.intake.students import names_of, put_names
from autograder.intake.wording import points

HOSTILE = "<script>alert(1)</script>\x1b[2J\nDoe, Jane"


@pytest.mark.parametrize(
    "name, first, last",
    [
        ("Doe, Jane", "Jane", "Doe"),
        ("Jane Doe", "Jane", "Doe"),
        ("Müller, Jr., Björk", "Björk", "Müller, Jr."),
        ("Suharto", "", "Suharto"),
        ("李, 小龙", "小龙", "李"),
        ("", "", ""),
        (HOSTILE, "Jane", "‹script›alert(1)‹/script› [2J Doe"),
        ("x" * 500, "", "x" * 128),
    ],
)
def test_first_and_last(name, first, last):
    """As platforms write names, in both orders; nothing of one is markup, and the gradebook has room for it."""
    assert first_and_last(name) == (first, last)


@pytest.mark.parametrize(
    "student, name, told",
    [
        ("12345", "Jane Doe", "Jane Doe (12345)"),
        ("12345", "", "12345"),
        ("jane_doe", "Jane Doe", "jane_doe"),
        ("Jane_Doe", "Jane Doe", "Jane_Doe"),
    ],
)
def test_a_name_with_its_id(student, name, told):
    """The id alone where no name is known, or where it says the same."""
    assert whom(student, {student: name}) == told


TOLD = {"12345": "Jane Doe (12345)", "12346": "Richard Roe (12346)", "777": "Jane Roe (777)", "12.345": "12.345"}


@pytest.mark.parametrize("asked", ["12345", "Jane Doe (12345)", "Jane Doe", "Doe, Jane", "jane doe", "DOE Jane"])
def test_whatever_is_printed_of_a_student_may_be_typed(asked):
    """The id, the name as lists and class lists have it, and both as our tables print them."""
    assert find_student(asked, TOLD) == "12345" and find_students([asked], TOLD) == ["12345"]


def test_an_id_is_taken_as_it_stands():
    """Also where another one has the same figures."""
    assert find_student("12.345", TOLD) == "12.345"


@pytest.mark.parametrize(
    "asked, words", [("Jan Doe", "Perhaps Jane Doe (12345)"), ("jane", "Jane Roe (777)"), ("zz", "There are ")]
)
def test_somebody_who_is_not_here(asked, words):
    """Whoever is near is told; else all there are."""
    with pytest.raises(click.ClickException, match=re.escape(words)):
        find_student(asked, TOLD)


def test_two_of_one_name():
    """Nobody guesses; the ids are told."""
    with pytest.raises(click.ClickException, match=r"Jane Doe \(1\) and Jane Doe \(2\). Give the id"):
        find_student("Jane Doe", {"1": "Jane Doe (1)", "2": "Jane Doe (2)"})


@pytest.fixture
def gradebook(tmp_path):
    """A function: after these names were collected, what is in the gradebook."""
    db_url = f"sqlite:///{tmp_path}/gradebook.db"

    def put(**names):
        for student, name in names.items():
            note(tmp_path, LESSON, student, name=name)
        put_names(db_url, tmp_path, LESSON, [*names, "without_receipt"])
        return names_of(db_url)

    put.db_url, put.root = db_url, tmp_path
    return put


@pytest.mark.slow
def test_names_go_into_the_gradebook(gradebook):
    """Without the numbers that platforms know people by."""
    found = gradebook(a="Doe, Jane", b="Richard Roe (Participant 502)", c="coeann (c)", d="")
    assert found == {"a": "Jane Doe", "b": "Richard Roe", "c": "coeann"}


@pytest.mark.slow
def test_what_stands_in_the_gradebook_stays(gradebook):
    """Somebody may have corrected it in formgrader; but half a name makes room for a whole one."""
    assert gradebook(a="van Dijk Jan", b="roerichard (b)") == {"a": "van Dijk Jan", "b": "roerichard"}
    with Gradebook(gradebook.db_url) as book:
        book.update_or_create_student("a", first_name="Jan", last_name="van Dijk")
    assert gradebook(a="Somebody Else", b="Roe, Richard") == {"a": "Jan van Dijk", "b": "Richard Roe"}
    assert gradebook(b="roerichard (b)") == {"a": "Jan van Dijk", "b": "Richard Roe"}


@pytest.mark.slow
def test_a_receipt_that_cannot_be_read_stops_nobody(gradebook):
    """It is told when its submission is graded."""
    (gradebook.root / "receipts" / LESSON).mkdir(parents=True)
    (gradebook.root / "receipts" / LESSON / "without_receipt.json").write_text("{")
    assert gradebook(a="Doe, Jane") == {"a": "Jane Doe"}


@pytest.mark.parametrize(
    "value, told", [(2.0000001, "2"), (3.3333333, "3.33"), (11.25, "11.25"), (-0.001, "0"), (120.0, "120")]
)
def test_points_as_people_write_them(value, told):
    """At most two decimals, in the list of what was graded as elsewhere."""
    assert points(value) == told and str(Graded(LESSON, "ada", value, 3.0)) == f"{told} of 3"


def test_columns_are_as_wide_as_the_class_needs(capsys):
    """Also with names that take two places a letter; one that is very long sticks out alone."""
    names = ["Ada Okafor (1)", "小龙 李 (2)", "x" * 200]
    tell((Graded(LESSON, str(n), 1, 2, whom=name) for n, name in enumerate(names)), names)
    ada, xiaolong, long = [line for line in capsys.readouterr().out.splitlines() if line]
    assert ada.index(LESSON) == 62 and xiaolong.index(LESSON) == 62 - 3
    assert long == f"{'x' * 200}  {LESSON}  1 of 2"
    tell((Graded(LESSON, student, 1, 2) for student in ["ada"]), ["ada"])
    assert capsys.readouterr().out.splitlines()[0] == f"ada  {LESSON}  1 of 2"


# From the export to all that is read


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Two have handed in through Canvas; one of them has a name that is to break things."""
    root = tmp_path_factory.mktemp("course")
    open_course(root, LESSON, {}, CONFIG.format(root=str(root), limit=15))
    (root / "roster.csv").write_text(CANVAS.replace("Roe, Richard", HOSTILE.replace("\n", " ").replace("Doe", "Roe")))
    mha_here(root, "collect", canvas_zip(root / "in.zip"), "--canvas", "--lesson", LESSON, "--roster", "roster.csv")
    return root


@pytest.fixture(scope="module")
def graded(course):
    return mha_here(course, "grade", LESSON, "--trust-submissions")


@pytest.mark.nightly
@pytest.mark.xdist_group("names")
class TestTold:
    def test_by_the_grader(self, course, graded):
        """With the id, and nothing in it is obeyed by a terminal; and students are asked for by id or by name."""
        assert re.search(r"^Jane Doe \(12345\) +lesson_01_softmax  \d", graded.stdout, re.MULTILINE), graded.stderr
        assert "Jane ‹script›alert(1)‹/script› [2J Roe (12346)" in graded.stdout and "\x1b" not in graded.stdout
        again = mha_here(course, "grade", LESSON, "12345", "--trust-submissions", "--again")
        assert again.returncode == 0 and "Jane Doe (12345)" in again.stdout and "12346" not in again.stdout
        by_name = mha_here(course, "grade", "1", "Jane Doe", "--trust-submissions", "--again")
        assert by_name.returncode == 0 and by_name.stdout == again.stdout

    def test_by_formgrader(self, course, graded):
        """It shows what nbgrader's gradebook has."""
        with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
            assert gradebook.find_student("12345").first_name == "Jane"
            assert gradebook.find_student("12345").last_name == "Doe"
            assert "<" not in gradebook.find_student("12346").last_name
            with pytest.raises(MissingEntry):  # nothing is there of who handed in nothing
                gradebook.find_student("12347")

    def test_by_the_report(self, course, graded):
        """The page, and the table for a spreadsheet."""
        assert mha_here(course, "report", LESSON).returncode == 0
        page = (course / "reports" / f"{LESSON}.html").read_text(encoding="utf-8")
        table = (course / "reports" / f"{LESSON}.csv").read_text(encoding="utf-8-sig")
        assert "<script" not in page and table.startswith("student,name,exercise,")
        assert "12345,Jane Doe,softmax," in table

    def test_by_the_page_of_feedback(self, course, graded):
        """In its title, and on top of it."""
        assert mha_here(course, "feedback", LESSON).returncode == 0
        pages = {s: (course / "feedback" / s / LESSON / f"{LESSON}.html").read_text() for s in ("12345", "12346")}
        assert "<title>Lesson 01: softmax · Jane Doe (12345): feedback</title>" in pages["12345"]
        assert "<p>Jane Doe (12345)</p>" in pages["12345"]
        assert "‹script›alert(1)‹/script›" in pages["12346"] and "<script" not in pages["12346"]
