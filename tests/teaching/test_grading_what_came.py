"""From an export to points: what was mended earns what it deserves."""

import pytest
from classroom import CONFIG, mha, open_course, points_in, scores, well
from corpus import BROKEN
from corpus.broken import FILE, LESSON, RELEASED

pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("grading_what_came")]
FULL = points_in(LESSON)
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
