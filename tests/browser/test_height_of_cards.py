"""How high cards are: what matters has to fit between the top of the window and the next cell."""

from collections import Counter

import pytest
from helpers import functions_of

from autograder import EXERCISES, check

pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("cards")]

WIDTH = 934  # of an output in JupyterLab, in a window of 1366 × 768
MOST, USUAL = 350, 310  # pixels
FEW = 4
PAGE = (
    "<!doctype html><meta charset=utf-8>"
    "<style>body {{ font: 14px/1.5 system-ui; width: {}px; margin: 0 }} pre {{ font-size: 13px }}</style>"
)
HEIGHTS = """all => all.map(card => {
    const top = card.getBoundingClientRect().top, texts = card.querySelectorAll("p, img");
    const bottoms = [...texts].map(one => one.getBoundingClientRect().bottom);
    return [Math.max(...bottoms) - top, card.getBoundingClientRect().height];
})"""


@pytest.fixture(scope="module")
def heights(browser, tmp_path_factory):
    """Of the cards of some wrong answers, by name: to the end of its sentences and pictures, and in all."""
    cards = {name: check(**{task: answer}).card._repr_html_() for task, name, answer in some_wrong_answers()}
    page = tmp_path_factory.mktemp("cards") / "cards.html"
    page.write_text(PAGE.format(WIDTH) + "".join(cards.values()), encoding="utf-8")
    tab = browser.new_page()
    tab.goto(page.as_uri(), timeout=120_000)
    return dict(zip(cards, tab.locator("body > div").evaluate_all(HEIGHTS)))


def some_wrong_answers():
    """The first few to each exercise: its name, the answer's name, and the answer."""
    seen = Counter()
    for name, answer in functions_of("wrong").items():
        task = name.split("__")[0]
        seen[task] += 1
        if task in EXERCISES and seen[task] <= FEW:
            yield task, name, answer


def test_what_matters_fits_above_the_next_cell(heights):
    """The title, the sentences and the picture of every card."""
    assert len(heights) > 100
    assert {name: height for name, (height, _) in heights.items() if height > MOST} == {}


def test_nearly_all_cards_fit_as_a_whole(heights):
    """With the smallest input, the folds, and the line at the end."""
    whole = sorted(height for _, height in heights.values())
    assert whole[len(whole) * 9 // 10] <= USUAL
