"""What handing in late costs."""

import pytest
from classroom import CONFIG, Submission, make_known, mha_here, nbgrader, open_course
from helpers import our_answers
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config

from autograder.intake.late import DAY, HOUR, LatePolicy
from autograder.teaching.gradebook import marks_of

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


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_another_due_date(tmp_path):
    """Set, or moved, after a class was graded: whoever was late then, and is in time now, has all points again."""
    config = CONFIG.format(root=str(tmp_path), limit=15) + "c.LatePolicy.percent_a_day = 25\n"
    in_time = Submission(our_answers(LESSON), files={"timestamp.txt": "2026-03-02 18:00:00 UTC"})
    open_course(tmp_path, LESSON, {"bo": in_time}, config)
    for due, taken in (("2026-03-01", 0.5), ("2026-03-08", 0)):
        with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
            gradebook.update_or_create_assignment(LESSON, duedate=f"{due} 12:00:00 UTC")
        mha_here(tmp_path, "grade", LESSON, "--trust-submissions")
        with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
            bo = gradebook.find_submission(LESSON, "bo")
            assert (bo.late_submission_penalty or 0) == pytest.approx(taken * bo.score)


@pytest.fixture
def late(tmp_path):
    """A course in which bo is graded, two days late by a quarter each; what gives the points that stay."""
    config = CONFIG.format(root=str(tmp_path), limit=15) + "c.LatePolicy.percent_a_day = 25\n"
    handed_in = Submission(our_answers(LESSON), files={"timestamp.txt": "2026-03-02 18:00:00 UTC"})
    open_course(tmp_path, LESSON, {"bo": handed_in}, config)
    with gradebook_of(tmp_path) as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate="2026-03-01 12:00:00 UTC")
    mha_here(tmp_path, "grade", LESSON, "--trust-submissions")
    return tmp_path


def gradebook_of(root):
    return Gradebook(f"sqlite:///{root}/gradebook.db")


def mark(root):
    """What `mha marks` would write."""
    api = NbGraderAPI(config=Config(CourseDirectory=dict(root=str(root), db_url=f"sqlite:///{root}/gradebook.db")))
    api.config.LatePolicy.percent_a_day = 25
    api.config.AssignLatePenalties.plugin_class = "autograder.intake.late.LatePolicy"
    return marks_of(api, LESSON)["bo"]


@pytest.mark.slow
def test_an_extension(late):
    """Granted after the class was graded: whoever is in time by it has all points, once anything is called again."""
    with gradebook_of(late) as gradebook:
        gradebook.grant_extension(LESSON, "bo", days=7)
    said = mha_here(late, "grade", LESSON, "--trust-submissions").stdout
    with gradebook_of(late) as gradebook:
        assert not gradebook.find_submission(LESSON, "bo").late_submission_penalty
    assert "graded before" in said


@pytest.mark.nightly
def test_marks_by_hand_of_late_work(late):
    """Half of what somebody is given by hand, and not what half of the judge's points was."""
    with gradebook_of(late) as gradebook:
        for grade in gradebook.find_submission_notebook(LESSON, LESSON, "bo").grades:
            grade.manual_score = 0.5 * grade.auto_score
        gradebook.db.commit()
        most = gradebook.find_submission(LESSON, "bo").max_score
    given = mark(late)
    assert (given.points, given.most) == (pytest.approx(most / 4), most)
