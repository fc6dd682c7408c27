"""A learner who opens the course, and opens it again: only the lessons, nothing unsaved, and help that stays."""

import pytest
from helpers import our_answers
from playwright.sync_api import expect

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab")]

LESSON = "lesson_01_softmax"
NO_MAXIMUM = (
    "def softmax(scores, axis=-1):\n    unscaled = np.exp(scores)\n    return unscaled / np.sum(unscaled, axis=axis)"
)
NO_COLON = "def softmax(scores, axis=-1)\n    return np.exp(scores)"
RUN_ABOVE = "Run the cell above first, or choose Run > Run All Above Selected Cell in the menu."


def test_only_the_lessons_are_there(learner):
    """With a cheat sheet; no solutions, no tests, no menu for those who teach. `mha lab` opens the first lesson."""
    page = learner.page
    page.goto(learner.lab.address + "&reset")
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("heading", name="Lesson 00 · Start here")).to_be_visible()
    assert "Nbgrader" not in page.locator(".lm-MenuBar-item").all_inner_texts()
    page.locator(".jp-BreadCrumbs-home").click()
    expect(page.locator(".jp-DirListing-item", has_text="lesson_08_cost")).to_be_visible()
    names = page.locator(".jp-DirListing-itemText").all_inner_texts()
    assert [name for name in names if not name.startswith("lesson_")] == ["cheat_sheet.html"]
    learner.screenshot("tidy room")


@pytest.mark.nightly
@pytest.mark.parametrize("lesson", ["lesson_07_cross_attention", "lesson_00_start_here"])
def test_a_lesson_that_was_only_opened_is_saved(learner, lesson):
    """JupyterLab has nothing to add to it, also after a while."""
    before = (learner.file_of(lesson)).read_bytes()
    learner.open_lesson(lesson)
    learner.page.wait_for_timeout(2_000)
    assert learner.page.locator(".jp-mod-dirty").count() == 0
    assert learner.file_of(lesson).read_bytes() == before


@pytest.mark.nightly
def test_in_a_new_kernel_cells_say_what_to_run_first(learner):
    """The check, and what waits for the answer; after Run All Above, the answer is right, and Validate agrees."""
    learner.open_lesson(LESSON)
    learner.write_answer("softmax", our_answers(LESSON)["softmax"])
    learner.save()
    learner.page.goto("about:blank")
    learner.lab.stop_kernels()
    learner.open_lesson(LESSON)
    expect(learner.check("softmax")).to_contain_text(RUN_ABOVE)
    needs_it = learner.run_cell_with("after(softmax, compare)")
    expect(needs_it).to_contain_text("○ The cells above have not run yet")
    learner.screenshot("new kernel", of=learner.card_below("softmax"))
    learner.run_all_above("softmax")
    expect(learner.check("softmax")).to_contain_text("✓ softmax: right")
    said = learner.validate()
    assert "check(weight_ratio=weight_ratio)" in said and "✗ softmax" not in said


@pytest.mark.nightly
def test_validate_does_not_pass_an_answer_that_is_not_there(learner):
    """Its cell stops, and the card that stands for it counts as an error."""
    learner.open_lesson(LESSON)
    learner.run_cell_with("import numpy")
    learner.write_answer("softmax", NO_COLON)
    said = learner.validate()
    assert "softmax: not run yet" in said and "Traceback" not in said.partition("softmax: not run yet")[2][:300]


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["Dark", "Light"])
def test_help_stays_on_the_page(learner, theme):
    """After an error the card is about the version before, hints add up to the solution, and all can be read."""
    learner.open_lesson(LESSON)
    learner.theme(theme)
    learner.run_cell_with("import numpy")
    for code in (NO_MAXIMUM, NO_COLON):
        learner.write_answer("softmax", code)
        card = learner.check("softmax")
    expect(card).to_contain_text("Your cell stopped with a SyntaxError in line 1; this is about the version before.")
    hints = learner.run_in_a_cell_of_my_own("hint()")
    for number in (2, 3):
        learner.run_cell_with("hint()")
        expect(hints).to_contain_text(f"Hint {number} of 3 for softmax")
    expect(hints).to_contain_text("Hint 1.")
    expect(hints).to_contain_text('solution("softmax", anyway=True)')
    solution = learner.run_in_a_cell_of_my_own('solution("softmax", anyway=True)')
    expect(solution.locator("pre span", has_text="return")).to_have_css("color", "rgb(255, 123, 114)")
    learner.screenshot(f"help {theme}", of=solution)
    learner.write_answer("softmax", NO_MAXIMUM)  # IPython's own colours of errors are not for us to judge
    assert learner.barriers() == []
