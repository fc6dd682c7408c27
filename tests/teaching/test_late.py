"""What handing in late costs."""

import pytest
from classroom import CONFIG, Submission, make_known, mha, nbgrader, open_course
from helpers import our_answers
from nbgrader.api import Gradebook

from autograder.teaching.late import DAY, HOUR, LatePolicy

LESSON = "lesson_00_start_here"


@pytest.mark.parametrize(
    "late, taken",
    [(60, 0), (HOUR, 0), (2 * HOUR, 2), (DAY, 2), (DAY + 60, 4), (3 * DAY, 6), (30 * DAY, 10)],
)
def test_points_for_each_day_that_has_begun(late, taken):
    """After an hour of grace, and never more than half of them."""
    policy = LatePolicy(percent_a_day=10, most=50)
    assert (policy.late_submission_penalty("ada", 20, late) or 0) == taken


def test_nothing_is_taken_unless_somebody_says_so():
    """Nor from somebody who has no points."""
    assert not LatePolicy().late_submission_penalty("ada", 20, 9 * DAY)
    assert not LatePolicy(percent_a_day=10).late_submission_penalty("ada", 0, 9 * DAY)


@pytest.mark.slow
def test_nbgrader_takes_them(tmp_path):
    """From whoever is late, when the class is graded; the points that were earned stay known."""
    config = CONFIG.format(root=str(tmp_path), limit=15) + "c.LatePolicy.percent_a_day = 25\n"
    class_ = {
        name: Submission(our_answers(LESSON), files={"timestamp.txt": when})
        for name, when in {"ada": "2026-03-01 11:00:00 UTC", "bo": "2026-03-02 18:00:00 UTC"}.items()
    }
    open_course(tmp_path, LESSON, class_, config, short=True)
    make_known(tmp_path, LESSON)
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate="2026-03-01 12:00:00 UTC")
    nbgrader(tmp_path, "autograde", LESSON)
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
        ada, bo = (gradebook.find_submission(LESSON, name) for name in ("ada", "bo"))
        assert ada.late_submission_penalty in (None, 0) and ada.score > 0
        assert bo.score == ada.score and bo.late_submission_penalty == pytest.approx(bo.score / 2)


@pytest.mark.slow
def test_another_due_date(tmp_path):
    """Set, or moved, after a class was graded: whoever was late then, and is in time now, is graded once more."""
    config = CONFIG.format(root=str(tmp_path), limit=15) + "c.LatePolicy.percent_a_day = 25\n"
    in_time = Submission(our_answers(LESSON), files={"timestamp.txt": "2026-03-02 18:00:00 UTC"})
    open_course(tmp_path, LESSON, {"bo": in_time}, config)
    for due, taken in (("2026-03-01", 0.5), ("2026-03-08", 0)):
        with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
            gradebook.update_or_create_assignment(LESSON, duedate=f"{due} 12:00:00 UTC")
        mha(tmp_path, "grade", LESSON, "--trust-submissions")
        with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
            bo = gradebook.find_submission(LESSON, "bo")
            assert (bo.late_submission_penalty or 0) == pytest.approx(taken * bo.score)
