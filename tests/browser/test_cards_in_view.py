"""Where a learner's eye is after Shift + Enter: on the card, and not somewhere above or below it."""

import re
import time

import nbformat
import pytest
from helpers import at_night, our_answers
from playwright.sync_api import expect

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab")]

SCREENS = {"1366x768": (1366, 768), "1440x900": (1440, 900)}

# In each lesson an answer, what we wrote, and what a learner wrote instead.
MISTAKES = {
    "lesson_00_start_here": ("weighted_mean", "weights @ values", "weights @ values / weights.shape[-1]"),
    "lesson_01_softmax": ("softmax", "axis=axis", "axis=0"),
    "lesson_02_scaled_dot_product": ("attention_scores", " / np.sqrt(features)", ""),
    "lesson_03_masks": ("causal_mask", " + keys - queries", ""),
    "lesson_04_single_head": ("attention_head", "value, mask)", "value)"),
    "lesson_05_multi_head": ("multi_head_by_loop", "q, k, v, mask)", "q, k, v)"),
    "lesson_06_batched_multi_head": ("split_heads", "blocks.transpose(1, 2)", "x.reshape(batch, heads, tokens, -1)"),
    "lesson_07_cross_attention": ("cross_attention", "(x, memory, memory,", "(x, x, memory,"),
    "lesson_08_cost": ("attention_flops", "4 * 2 * tokens", "3 * 2 * tokens"),
    "lesson_09_language_model": ("generate", "[:, -context:]", "[:, :context]"),
    "lesson_10_what_heads_learn": ("without_head", "kept[:, head]", "kept[:, :, head]"),
    "lesson_11_cache": ("repeat_heads", "x.repeat_interleave(repeats, dim=-3)", "x.repeat_interleave(repeats, dim=-2)"),
    "lesson_12_positions": ("window_mask", "< window", "<= window"),
    "lesson_14_gradients": ("softmax_backward", "weights * (grad_output - mean)", "grad_output - mean"),
    "lesson_15_other_peoples_layers": ("from_gpt2", 'state["c_proj.weight"].T', 'state["c_proj.weight"]'),
}

# Which of the elements are not wholly inside the panel that shows the notebook.
OUT_OF_SIGHT = """elements => elements.filter(element => {
    const panel = document.querySelector(".jp-WindowedPanel-outer").getBoundingClientRect();
    const box = element.getBoundingClientRect();
    return box.height === 0 || box.top < panel.top || box.bottom > panel.bottom + 1;
}).map(element => `${element.tagName} ${element.textContent || element.alt}`)"""

RESTS = """() => new Promise(rests => {
    const panel = document.querySelector(".jp-WindowedPanel-outer");
    let before, since = performance.now();
    const look = () => {
        if (before !== panel.scrollTop) [before, since] = [panel.scrollTop, performance.now()];
        performance.now() - since > 500 ? rests() : requestAnimationFrame(look);
    };
    look();
})"""


@pytest.mark.parametrize("lesson", [*list(MISTAKES)[:1], *at_night(list(MISTAKES)[1:])])
def test_shift_enter_leaves_the_card_in_view(learner, lesson):
    """A wrong answer, Shift + Enter, and the same on its check: title, sentences and picture are on the screen."""
    name = write_mistake(learner, lesson)
    learner.open_lesson(lesson)
    learner.run_cell_with("from autograder import after")
    for screen, (width, height) in SCREENS.items():
        learner.page.set_viewport_size({"width": width, "height": height})
        card = check_by_shift_enter(learner, name)
        expect(card.locator("strong")).to_have_text(f"✗ {name}: not yet")
        left_out = still_out_of_sight(card, learner.page)
        learner.screenshot(f"in view {lesson[:9]} {screen}")
        assert left_out == [], screen
        expect(card.get_by_text(f"✗ {name}: not yet")).to_have_count(2)  # and again at the end


def write_mistake(learner, lesson):
    """Into the learner's own file; the cell before it stays as it is."""
    name, ours, theirs = MISTAKES[lesson]
    assert ours in our_answers(lesson)[name]
    notebook = nbformat.read(learner.file_of(lesson), as_version=4)
    cell = next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name)
    cell.source = our_answers(lesson)[name].replace(ours, theirs)
    nbformat.write(notebook, learner.file_of(lesson))
    return name


def check_by_shift_enter(learner, name):
    """Lesson 00 teaches this key: it runs a cell and selects the next one, which is the check, then what follows."""
    check = learner.cell_of_check(name)
    before = check.locator(".jp-InputPrompt").inner_text()
    learner.page.locator(".jp-CodeCell", has_text=re.compile(rf"def {name}\b")).first.locator(".cm-content").click()
    learner.page.keyboard.press("Shift+Enter")
    expect(check).to_have_class(re.compile("jp-mod-active"))
    learner.page.evaluate(RESTS)  # one reads before pressing the key again
    learner.page.keyboard.press("Shift+Enter")
    learner._done(check, before)
    return learner.card_below(name)


def still_out_of_sight(card, page):
    """Return what a learner cannot see once the page has come to rest; a busy machine scrolls late."""
    until = time.monotonic() + 10
    page.evaluate(RESTS)
    while out_of_sight(card) and time.monotonic() < until:
        page.evaluate(RESTS)
    return out_of_sight(card)


def out_of_sight(card):
    return card.locator("strong, p, img").evaluate_all(OUT_OF_SIGHT)


@pytest.mark.nightly
def test_folded_code_runs_like_any_other(learner):
    """One sees its first line and three dots, and the same keys run it."""
    learner.open_lesson("lesson_00_start_here")
    folded = learner.page.locator(".jp-CodeCell", has=learner.page.locator(".jp-InputPlaceholder"))
    expect(folded).to_have_count(4)
    expect(folded.first).to_contain_text("english = [")
    expect(folded.first).not_to_contain_text("alignment")
    learner.run_cell_with("import numpy")
    learner.page.keyboard.press("Shift+Enter")  # the one that ran, the text below it, and then the picture
    learner.page.keyboard.press("Shift+Enter")
    learner.page.keyboard.press("Shift+Enter")
    learner.page.keyboard.press("Shift+Enter")
    assert "chat has 1.00 at cat" in learner.described_pictures(folded.first)[0]
    folded.first.locator(".jp-InputPlaceholder").click()
    expect(learner.page.locator(".jp-CodeCell", has_text="alignment = np.array").first).to_be_visible()


@pytest.mark.nightly
def test_a_card_out_of_view_would_be_found(learner):
    """The test above can fail."""
    learner.open_lesson("lesson_00_start_here")
    learner.run_cell_with("from autograder import after")
    write = learner.page.locator(".jp-CodeCell", has_text="def weighted_mean(").first
    write.locator(".cm-content").click()
    learner.page.keyboard.press("Shift+Enter")
    card = learner.check("weighted_mean")
    learner.page.locator(".jp-WindowedPanel-outer").evaluate("panel => panel.scrollTo(0, 0)")
    assert len(out_of_sight(card)) > 0
