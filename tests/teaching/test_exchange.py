"""nbgrader's exchange, on one server: an instructor with a course, and a student who has only what a hub has.

Each has a home; both are the same account, since nbgrader asks the system who somebody is.
"""

from getpass import getuser

import nbformat
import pytest
from bs4 import BeautifulSoup
from classroom import CONFIG, mha, open_course, points_in, scores, started, well
from helpers import our_answers

pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("exchange")]
LESSON, MISSING, STUDENT = "lesson_02_scaled_dot_product", "scaled_dot_product_attention", getuser()
FILE = f"{LESSON}.ipynb"
COURSE = "c.CourseDirectory.course_id = 'multi_head_attention'\n"  # as docs/teaching.md says


class Person:
    """Somebody in a home of their own, with settings in it."""

    def __init__(self, home, config):
        home.mkdir()
        self.home = home
        (home / "nbgrader_config.py").write_text(config)

    def nbgrader(self, *command):
        """All that it says, if it comes to a good end."""
        done = started(self.home, *command, HOME=str(self.home))
        assert "Traceback" not in done.stderr
        return well(done) + done.stderr

    def answers(self, sources):
        """Write into the lesson that was fetched."""
        file = self.home / LESSON / FILE
        notebook = nbformat.read(file, as_version=4)
        for cell in notebook.cells:
            cell.source = sources.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
        nbformat.write(notebook, file)


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    """The instructor's course is as in a fresh clone: without a gradebook."""
    place = tmp_path_factory.mktemp("hub")
    (place / "exchange").mkdir(mode=0o777)
    (place / "exchange").chmod(0o777)
    exchange = f"c.Exchange.root = {str(place / 'exchange')!r}\n"
    root = place / "instructor"
    instructor = Person(root, "")
    open_course(root, LESSON, {}, CONFIG.format(root=str(root), limit=15) + exchange)
    return instructor, Person(place / "student", f"c = get_config()\n{exchange}{COURSE}")


@pytest.fixture(scope="module")
def graded(people):
    """From the release to the gradebook; what the student's own check said before and after."""
    instructor, student = people
    instructor.nbgrader("release_assignment", LESSON)
    assert LESSON in student.nbgrader("list")
    student.nbgrader("fetch_assignment", LESSON)
    released = student.nbgrader("validate", f"{LESSON}/{FILE}")
    student.answers({name: source for name, source in our_answers(LESSON).items() if name != MISSING})
    answered = student.nbgrader("validate", f"{LESSON}/{FILE}")
    student.nbgrader("submit", LESSON)
    instructor.nbgrader("collect", LESSON)
    instructor.nbgrader("autograde", LESSON)
    return released, answered


def test_a_student_checks_what_they_fetched(graded):
    """What is missing is named; what is right is not."""
    released, answered = graded
    todo = "○ {}: not written yet".format
    assert todo(MISSING) in released and todo("attention_scores") in released
    assert todo(MISSING) in answered and answered.count("The following cell failed") == 1


def test_it_is_graded_where_nothing_was_generated(people, graded):
    """`nbgrader autograde` is the first command in a fresh clone: it learns by itself what the lesson asks for."""
    instructor, _ = people
    earned = scores(instructor.home, LESSON, STUDENT)
    assert {name: earned[name] for name in points_in(LESSON)} == points_in(LESSON) | {MISSING: 0}


@pytest.mark.parametrize("command", ["nbgrader generate_feedback", "mha feedback"])
def test_the_page_comes_back(people, graded, command):
    """By nbgrader's own command, and by ours after `mha grade`."""
    instructor, student = people
    if command.startswith("mha"):
        well(mha(instructor.home, "grade", LESSON, "--trust-submissions"))
        well(mha(instructor.home, "feedback", LESSON))
    else:
        instructor.nbgrader("generate_feedback", LESSON)
    instructor.nbgrader("release_feedback", LESSON)
    student.nbgrader("fetch_feedback", LESSON)
    (page,) = student.home.glob(f"{LESSON}/feedback/*/*.html")
    words = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").get_text()
    assert f"{MISSING}: not written yet" in words and "attention_scores: right" in words
    page.unlink()
    page.parent.rmdir()
