"""A student with numbers of their own, in JupyterLab: what the notebook asks, and what its card says."""

import json
import zipfile

import pytest
from helpers import ROOT
from learner import Learner
from playwright.sync_api import expect
from running_lab import running_lab
from traitlets.config import Config

from autograder import EXERCISES
from autograder.intake.own_numbers import own_numbers
from autograder.intake.students import Student
from autograder.outline import outline
from autograder.question import NUMBERS
from autograder.teaching.kit import make_kits

pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("lab")]
LESSON = "lesson_02_scaled_dot_product"


@pytest.fixture(scope="module")
def ada(tmp_path_factory):
    """Her kit, unpacked, and her numbers."""
    from nbgrader.coursedir import CourseDirectory

    folder = tmp_path_factory.mktemp("ada")
    config = Config(CourseDirectory={"root": str(ROOT), "release_directory": "course"})
    course = CourseDirectory(config=config, db_url=f"sqlite:///{folder}/gradebook.db")
    (kit,) = make_kits(LESSON, course, [Student("ada")], folder / "kits")
    with zipfile.ZipFile(kit) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith(f"{outline().id}/course/")])
    return folder / outline().id, own_numbers(course.db_url, LESSON)["ada"]


def test_she_is_right_with_her_own_numbers(browser, ada):
    """Her answer has a right card and passes Validate's check; the common one is told; a lost file is told, too."""
    project, numbers = ada
    own = EXERCISES["score_variance"].variants.with_numbers(numbers["score_variance"])
    with running_lab(project) as lab, browser.new_context() as context:
        learner = Learner(context.new_page(), lab)
        learner.open_lesson(LESSON)
        asked = learner.page.locator("p", has_text="What is the variance of their dot product")
        expect(asked).to_contain_text(str(own.numbers["features"]))
        learner.write_answer("score_variance", f"score_variance = {own.answer}")
        expect(learner.check("score_variance")).to_contain_text("✓ score_variance: right")
        assert "score_variance" not in learner.validate()
        learner.write_answer("score_variance", f"score_variance = {EXERCISES['score_variance'].answer}")
        expect(learner.check("score_variance")).to_contain_text("right for the numbers of the common notebook")
        learner.screenshot("common answer", of=learner.card_below("score_variance"))
        file = project / "my_course" / LESSON / NUMBERS
        assert json.loads(file.read_text()) == numbers
        file.write_text("{")
        learner.write_answer("score_variance", f"score_variance = {own.answer}")
        expect(learner.check("score_variance")).to_contain_text("your numbers cannot be read")
        learner.screenshot("damaged numbers", of=learner.card_below("score_variance"))
