"""Feedback as a zip for 300 students: what the platforms' own rules make of its names."""

import zipfile

import corpus.broken
import exports
import pytest
from click import ClickException
from nbgrader.coursedir import CourseDirectory
from platforms import (
    archive,
    canvas_name,
    moodle_name,
    people,
    who_gets_what_in_canvas,
    who_gets_what_in_moodle,
)
from traitlets.config import Config

from autograder.grading.whole_class import Graded
from autograder.intake.collect import collect
from autograder.intake.course_folder import note
from autograder.intake.platforms import Canvas, Moodle
from autograder.intake.students import read_roster
from autograder.teaching.feedback import pack

CLASS = people(300)
LESSON = "lesson_01_softmax"


@pytest.fixture
def made(tmp_path):
    """A function that makes feedback, which says whose it is, for folders of these names."""

    def made(students):
        given = []
        for student in students:
            folder = tmp_path / "feedback" / student / LESSON
            folder.mkdir(parents=True)
            for ending in (".html", ".ipynb"):
                (folder / f"{LESSON}{ending}").write_text(f"{student}{ending}")
            given.append(Graded(LESSON, student))
        return given

    return made


def course_in(folder):
    return CourseDirectory(config=Config(CourseDirectory={"root": str(folder)}))


def sent(tmp_path, platform, given, names):
    """What was told; the zip is parcel.zip."""
    submissions = archive(tmp_path / "submissions.zip", names)
    return "\n".join(pack(platform, LESSON, given, submissions, tmp_path / "parcel.zip", course_in(tmp_path)))


def test_canvas_by_receipts(tmp_path, made):
    """Folders are called by SIS logins; receipts know what came. Everybody gets their own, also namesakes."""
    for i, one in enumerate(CLASS):
        note(tmp_path, LESSON, one.login, came_as=[canvas_name(one, late=i % 7 == 0)])
    names = [canvas_name(one, late=i % 7 == 0) for i, one in enumerate(CLASS)]
    told = sent(tmp_path, Canvas, made(one.login for one in CLASS), names)
    assert who_gets_what_in_canvas(tmp_path / "parcel.zip") == {one.number: f"{one.login}.ipynb" for one in CLASS}
    assert "feedback for 300 of 300" in told and len(told.splitlines()) == 1
    with zipfile.ZipFile(tmp_path / "parcel.zip") as parcel:
        assert set(parcel.namelist()) == set(names), "a notebook keeps its name: Canvas shows it by that"


def test_canvas_by_numbers(tmp_path, made):
    """Without receipts, folders that are called by Canvas' numbers are found."""
    sent(tmp_path, Canvas, made(one.number for one in CLASS), [canvas_name(one, "Lesson 1-2.ipynb") for one in CLASS])
    assert who_gets_what_in_canvas(tmp_path / "parcel.zip") == {one.number: f"{one.number}.ipynb" for one in CLASS}


def test_moodle(tmp_path, made):
    """Each in the folder that theirs came in, as a page."""
    told = sent(tmp_path, Moodle, made(one.number for one in CLASS), [moodle_name(one) for one in CLASS])
    assert who_gets_what_in_moodle(tmp_path / "parcel.zip") == {one.number: f"{one.number}.html" for one in CLASS}
    assert "feedback for 300 of 300" in told


def test_moodle_after_collecting(course, tmp_path, made):
    """Folders are called by mail addresses then, which no name in the zip holds: receipts know what came."""
    (tmp_path / "class.csv").write_text(exports.MOODLE)
    names = [f"{name}_{n}_assignsubmission_file_/work.ipynb" for name, n in (("Jane Doe", 501), ("Richard Roe", 502))]
    files = {name: exports.another(name) for name in names}
    zipped = exports.zipped(tmp_path / "in.zip", files)
    came = list(collect(zipped, corpus.broken.LESSON, course, read_roster(tmp_path / "class.csv"), Moodle))
    given = made(["jane@uni.example", "richard@uni.example"])
    assert {one.student for one in given} < {one.student for one in came}
    course.feedback_directory = str(tmp_path / "feedback")
    told = list(pack(Moodle, LESSON, given, zipped, tmp_path / "parcel.zip", course))
    assert told[0].count("2 of 2") and who_gets_what_in_moodle(tmp_path / "parcel.zip") == {
        "501": "jane@uni.example.html",
        "502": "richard@uni.example.html",
    }


@pytest.mark.parametrize(
    "name, feedback",
    [
        ("Åsa Ek_12_assignsubmission_file_/work/a_1.ipynb", f"Åsa Ek_12_assignsubmission_file_/{LESSON}.html"),
        ("Åsa Ek_12_assignsubmission_file/a.ipynb", f"Åsa Ek_12_assignsubmission_file/{LESSON}.html"),
        ("Åsa Ek_12_assignsubmission_file_a.ipynb", f"Åsa Ek_12_assignsubmission_file_{LESSON}.html"),
        ("all/Åsa Ek_12_assignsubmission_file_/a.ipynb", f"Åsa Ek_12_assignsubmission_file_/{LESSON}.html"),
    ],
)
def test_moodle_of_all_ages(tmp_path, made, name, feedback):
    """Folders with and without an underscore at the end, older ones in one name, and zipped again by hand."""
    sent(tmp_path, Moodle, made(["12"]), [name, "Åsa Ek_12_assignsubmission_onlinetext_/onlinetext.html"])
    with zipfile.ZipFile(tmp_path / "parcel.zip") as parcel:
        assert parcel.namelist() == [feedback]


def test_anonymous_in_canvas(tmp_path, made):
    """Canvas gives letters in the place of a number."""
    sent(tmp_path, Canvas, made(["x7Kq2"]), ["anon_x7Kq2_50001_work.ipynb", "anon_LATE_9tR_50002_work.ipynb"])
    with zipfile.ZipFile(tmp_path / "parcel.zip") as parcel:
        assert parcel.namelist() == ["anon_x7Kq2_50001_work.ipynb"]


def test_several_files_of_one_student(tmp_path, made):
    """Feedback goes to the notebook, or to the file that was graded."""
    one, two = CLASS[:2]
    names = [canvas_name(one, "notes.pdf"), canvas_name(one, f"{LESSON}-3.ipynb"), canvas_name(one, "other.ipynb")]
    names += [canvas_name(two, "a.ipynb"), canvas_name(two, f"{LESSON}.ipynb")]
    note(tmp_path, LESSON, two.number, found=[{"file": canvas_name(two, "a.ipynb")}])
    sent(tmp_path, Canvas, made([one.number, two.number]), names)
    with zipfile.ZipFile(tmp_path / "parcel.zip") as parcel:
        assert parcel.namelist() == [names[1], names[3]]


def test_a_zip_was_handed_in(tmp_path, made):
    """The page goes back; Canvas will call it a zip, and that is told."""
    name = canvas_name(CLASS[0], "my_work.zip")
    told = sent(tmp_path, Canvas, made([CLASS[0].number]), [name])
    assert who_gets_what_in_canvas(tmp_path / "parcel.zip") == {CLASS[0].number: f"{CLASS[0].number}.html"}
    assert f"{name}: Canvas will call the page that" in told


def test_who_gets_nothing_is_told(tmp_path, made):
    """No feedback, nothing in the zip, nobody graded, two folders for one: each with its reason."""
    given = made([one.number for one in CLASS[:4]])
    given[0] = Graded(LESSON, given[0].student, trouble="not graded yet")
    note(tmp_path, LESSON, CLASS[3].number, came_as=[canvas_name(CLASS[2])])
    told = sent(tmp_path, Canvas, given, [canvas_name(one) for one in (CLASS[0], CLASS[2], CLASS[5])])
    assert "feedback for 0 of 3" in told and f"no feedback for {CLASS[0].number}: not graded yet" in told
    assert f"no feedback for {CLASS[1].number}: nothing in" in told
    assert told.count("2 of the folders here belong to") == 2
    assert f"no feedback for {canvas_name(CLASS[5])}: nothing of theirs has been graded" in told


@pytest.mark.parametrize("platform, name", [(Canvas, "lesson_01_softmax.ipynb"), (Moodle, "doe_1_2_a.ipynb")])
def test_another_zip(tmp_path, made, platform, name):
    """What is in it, is told, and no zip is made."""
    with pytest.raises(ClickException, match=f"there is {name}"):
        sent(tmp_path, platform, made(["1"]), [name])
    (tmp_path / "no.zip").write_text("no zip")
    with pytest.raises(ClickException, match="not a zip that can be read"):
        pack(platform, LESSON, [], tmp_path / "no.zip", tmp_path / "parcel.zip", course_in(tmp_path))
    assert not (tmp_path / "parcel.zip").exists()
