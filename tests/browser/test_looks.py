"""Cards and pictures in every look of JupyterLab: nothing is cut off, and everybody can read them."""

import re

import nbformat
import pytest
from helpers import at_night, our_answers
from playwright.sync_api import expect

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab")]

# A slip in each of these answers: what we wrote, and what a learner wrote instead.
SLIPS = {
    "lesson_01_softmax": {
        "weight_ratio": ("np.exp(2 - 0)", "7.29"),
        "softmax": ("axis=axis", "axis=0"),
        "softmax_bug": ("= 3", "= 5"),
    },
    "lesson_06_batched_multi_head": {
        "test_split_heads": ("assert ", ""),
        "split_heads": ("return blocks.transpose(1, 2)", "return blocks.reshape(batch, heads, tokens, -1)"),
        "merge_heads": ("x.transpose(1, 2)", "x"),
    },
    "lesson_13_blocks": {
        "log_sum_exp": (" + largest.squeeze(axis)", ""),
        "merge_attention": ("output = output.masked_fill((part == -math.inf)[..., None], 0.0)", "pass"),
        "attention_in_blocks": ("columns > rows", "columns >= rows"),
    },
}

LOOKS = {
    "light": lambda learner: None,
    "dark": lambda learner: learner.theme("Dark"),
    "dark and zoomed": lambda learner: learner.zoom(200),
    "high contrast and narrow": lambda learner: (learner.theme("Dark High Contrast"), learner.narrow_window(480)),
}


@pytest.fixture(params=[*list(SLIPS)[:1], *at_night(list(SLIPS)[1:])])
def finished(request, learner):
    """A lesson that somebody went through to the end, not always rightly; every cell has been run."""
    lesson = request.param
    answers = our_answers(lesson) | {name: with_a_slip(lesson, name) for name in SLIPS[lesson]}
    notebook = nbformat.read(learner.file_of(lesson), as_version=4)
    for cell in notebook.cells:
        cell.source = answers.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    nbformat.write(notebook, learner.file_of(lesson))
    learner.open_lesson(lesson)
    learner.run_all()
    return lesson


def with_a_slip(lesson, name):
    ours, theirs = SLIPS[lesson][name]
    assert ours in our_answers(lesson)[name]
    return our_answers(lesson)[name].replace(ours, theirs)


def take_pictures(learner, lesson, look):
    for name in SLIPS[lesson]:
        learner.screenshot(f"{lesson[:9]} {look} {name}", of=learner.card_below(name))


def test_everybody_can_read_the_cards(finished, learner):
    """Nothing is cut off, pale or without words: in the dark, twice as large, in high contrast, in a narrow window."""
    learner.unfold()
    trouble = []
    for look, change in LOOKS.items():
        change(learner)
        take_pictures(learner, finished, look)
        trouble += [f"{look}: {what}" for what in learner.cut_off() + learner.barriers()]
    assert not trouble, "\n".join(trouble)
    assert len(learner.described_pictures(learner.outputs())) >= 3


@pytest.mark.nightly
def test_a_submitted_notebook_can_be_read_without_trust(finished, learner):
    """Somebody else ran it, so Lab takes styles and scripts out: cards say the same, and look the same."""
    cards, outputs = cards_of(learner), learner.outputs().count()
    learner.save()
    change_a_little(learner.file_of(finished))
    learner.open_lesson(finished)
    expect(learner.outputs()).to_have_count(outputs)
    expect(learner.page.locator(".jp-OutputArea-output.jp-mod-trusted")).to_have_count(0)
    take_pictures(learner, finished, "untrusted")
    assert cards_of(learner) == cards
    assert len(learner.described_pictures(learner.outputs())) >= 3


def cards_of(learner):
    """Words, width and height of each."""
    return [(words, *size) for words, *size in learner.seen() if words.startswith(("✓", "✗", "○"))]


def change_a_little(file):
    """What a notebook holds is signed: another word, and the signature fits no more."""
    notebook = nbformat.read(file, as_version=4)
    notebook.cells[0].source += " Good luck."
    nbformat.write(notebook, file)


@pytest.mark.nightly
def test_pale_and_wide_cards_would_be_found(learner):
    """The tests above can fail."""
    learner.open_lesson("lesson_00_start_here")
    learner.run_all()
    titles = learner.page.locator(".jp-OutputArea-output strong", has_text=re.compile("^[○✓✗]"))
    assert learner.barriers() == learner.cut_off() == []
    titles.evaluate_all("titles => titles.forEach(title => title.style = 'color: #888; display: block; width: 2000px')")
    assert len(learner.barriers()) >= titles.count() == len(learner.cut_off()) > 0
