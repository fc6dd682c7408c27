"""Sliders by keyboard, as somebody meets them who uses no mouse, or cannot see the picture."""

import re
import shutil

import pytest
from helpers import ROOT
from playwright.sync_api import expect

pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("lab")]

MASKS, HEAD = "lesson_03_masks", "lesson_04_single_head"


@pytest.fixture
def solved(learner):
    """Run a whole lesson that somebody has solved, and give back what its slider stands on."""

    def run(lesson):
        shutil.copy(ROOT / "solutions" / lesson / f"{lesson}.ipynb", learner.file_of(lesson))
        learner.open_lesson(lesson)
        learner.run_all()
        return learner.page.locator(".jp-OutputArea-output .play")

    return run


def tab_to(page, control, presses=30):
    """Press Tab until the control has the focus."""
    for _ in range(presses):
        if control.evaluate("it => it === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{control} was not reached by {presses} presses of Tab")


def has_a_ring(control):
    return control.evaluate("it => getComputedStyle(it).outlineStyle") == "solid"


def check_that_everybody_can_read_it(learner, lesson, board):
    """Names, contrast and room, in light and in dark; the stills are out of the way while there is a slider."""
    expect(learner.page.get_by_text("Run this cell in Jupyter").locator("visible=true")).to_have_count(0)
    for theme in ("Light", "Dark"):
        learner.theme(theme)
        learner.screenshot(f"slider {lesson[:9]} {theme}", of=board)
        assert learner.barriers() == learner.cut_off() == []


def test_a_slider_moves_by_arrow_keys(solved, learner):
    """It says its name and its value in words; picture and description follow; the page stays where it is."""
    board = solved(HEAD).filter(has=learner.page.get_by_role("slider", name="step"))
    keys = learner.page.keyboard
    slider, picture = board.get_by_role("slider", name="step"), board.get_by_role("img")
    cell = learner.page.locator(".jp-CodeCell", has=board)
    cell.locator(".jp-InputPrompt").click()
    tab_to(learner.page, slider)
    assert has_a_ring(slider)
    height = board.bounding_box()["height"]
    for key, value in (("ArrowRight", 10), ("ArrowUp", 20), ("ArrowLeft", 10), ("End", 199), ("ArrowUp", 199)):
        keys.press(key)
        expect(slider).to_have_attribute("aria-valuetext", str(value))
        expect(picture).to_have_attribute("alt", re.compile(f"Where three questions look at step {value},"))
        expect(slider).to_be_focused()
    assert board.bounding_box()["height"] == height
    check_that_everybody_can_read_it(learner, HEAD, board)


def test_a_mask_is_painted_with_tab_and_space(solved, learner):
    """Each button says which query may look at which key; a row without keys gives nothing."""
    board, keys = solved(MASKS), learner.page.keyboard
    first = board.get_by_role("button", name="query she, key she: may look", exact=True)
    learner.page.locator(".jp-CodeCell", has=board).locator(".jp-InputPrompt").click()
    tab_to(learner.page, first)
    keys.press("Space")
    taken = board.get_by_role("button", name="query she, key she: may not look", exact=True)
    expect(taken).to_be_focused()
    assert has_a_ring(taken)
    expect(board.get_by_role("img", name="she gives nothing")).to_be_visible()
    keys.press("Tab")
    keys.press("Space")
    expect(board.get_by_role("img", name="she gives reads 1.00")).to_be_visible()
    tab_to(learner.page, board.get_by_role("button", name="itself"), presses=40)
    keys.press("Space")
    expect(board.get_by_role("button", name="may not look")).to_have_count(20)
    check_that_everybody_can_read_it(learner, MASKS, board)


def test_a_saved_notebook_shows_the_stills(solved, learner):
    """Without a kernel there is no slider: its first and its last step tell the story."""
    solved(HEAD)
    learner.save()
    learner.lab.stop_kernels()
    learner.open_lesson(HEAD)
    stills = learner.page.locator(".jp-OutputArea-output", has_text="you can set the step yourself")
    expect(stills).to_be_visible()
    words = learner.described_pictures(stills)
    assert [text.split(",")[0] for text in words] == [f"Where three questions look at step {s}" for s in (0, 199)]
    learner.screenshot("slider without a kernel", of=stills)
