"""From an export to points: what was mended earns what it deserves, and nbgrader's own exchange leads there, too."""

import pytest
from classroom import CONFIG, mha, nbgrader, open_course, scores, well
from corpus import BROKEN
from corpus.broken import FILE, LESSON, RELEASED
from exports import GOOD

from autograder import EXERCISES
from autograder.grading.handed_in import copied
from autograder.intake.course_folder import course as course_here
from autograder.intake.receipts import receipt

pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("grading_what_came")]
FULL = {name: task.points for name, task in EXERCISES.items() if task.lesson == LESSON and task.points}
SAMPLE = {name: broken for name, broken in BROKEN.items() if broken.graded or broken.loses}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The sample of the corpus, collected from a folder and graded in one go."""
    root, folder = tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("class")
    open_course(root, LESSON, {}, CONFIG.format(root=str(root), limit=15))
    for name, broken in SAMPLE.items():
        broken.write(folder / name)
    (folder / "untouched").mkdir()
    (folder / "untouched" / FILE).write_bytes(RELEASED.read_bytes())
    well(mha(root, "collect", folder, "--lesson", LESSON))
    return root, well(mha(root, "grade", LESSON, "--trust-submissions"))


@pytest.mark.parametrize("name", SAMPLE)
def test_points(course, name):
    """Everything that stands somewhere in the notebook counts; what is gone does not."""
    root, _ = course
    earned = scores(root, LESSON, name)
    assert {task: FULL[task] - points for task, points in earned.items() if points != FULL[task]} == SAMPLE[name].loses


def test_the_sample_is_large_enough(course):
    """A dozen at least, all of them graded, and one that has nothing in it."""
    root, said = course
    lines = [line for line in said.splitlines() if line]
    assert len(SAMPLE) >= 12 and len(lines) == len(SAMPLE) + 1
    assert set(scores(root, LESSON, "untouched").values()) == {0}


@pytest.mark.nightly
def test_the_exchange_of_nbgrader(tmp_path, monkeypatch):
    """Release, fetch, submit, collect; then it is made fit, and graded."""
    root, home = tmp_path / "instructor", tmp_path / "student"
    for folder in (root, home, tmp_path / "exchange"):
        folder.mkdir()
    (tmp_path / "exchange").chmod(0o777)
    exchange = f"c.Exchange.root = {str(tmp_path / 'exchange')!r}\nc.CourseDirectory.course_id = 'mha'\n"
    open_course(root, LESSON, {}, CONFIG.format(root=str(root), limit=15) + exchange)
    (home / "nbgrader_config.py").write_text(f"c = get_config()\n{exchange}")
    nbgrader(root, "release_assignment", LESSON)
    nbgrader(home, "fetch_assignment", LESSON)
    assert (home / LESSON / FILE).read_bytes() == (root / "course" / LESSON / FILE).read_bytes()
    (home / LESSON / FILE).write_bytes(GOOD)
    nbgrader(home, "submit", LESSON)
    nbgrader(root, "collect", LESSON)
    (student,) = [folder.name for folder in (root / "submitted").iterdir()]
    monkeypatch.chdir(root)
    with copied(course_here().coursedir, LESSON, student) as unfit:
        assert unfit == ""
    assert receipt(root, LESSON, student)["found"][0]["file"] == FILE
    assert well(mha(root, "grade", LESSON, "--trust-submissions")).split()[-3:] == ["15", "of", "15"]
