"""Sliders: what one moves, what one sees, and what is left where nothing moves."""

import json
import sys
import warnings
from html.parser import HTMLParser

import numpy as np
import pytest
from core_alone import everything
from ipywidgets import HTML, Button, SelectionSlider, ToggleButton

from autograder import after
from autograder.learner.cell_errors import checked
from autograder.pictures import Picture
from autograder.play import MaskGrid, Slider, play
from autograder.play.board import board
from mha_ref import masked_softmax

WIDGET = "application/vnd.jupyter.widget-view+json"
PATTERNS = {"causal": np.tri(2, dtype=bool), "all": np.ones((2, 2), dtype=bool)}


def drawn(**values):
    """A picture that says what it was drawn from."""
    return Picture(b"", f"seen: {values}", 100)


def moving(shown):
    """A board, and all that lies on it."""
    made = board(shown, hidden="stills")
    return made, list(everything(made))


def one(kind, widgets):
    (found,) = [widget for widget in widgets if type(widget) is kind]
    return found


def picture(made):
    """The HTML of what stands below the controls."""
    return made.children[-2].value


class Tags(HTMLParser):
    """All start tags of a page, with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


@pytest.fixture
def displayed(monkeypatch):
    """What a notebook is asked to show."""
    outputs = []
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setattr("IPython.display.display", lambda data, raw: outputs.append(data))
    return outputs


def test_the_picture_follows_the_slider():
    """Its description, too; and the value stands beside the slider in words."""
    made, widgets = moving(play(drawn, size=Slider((1, 4, 16), start=4, words="{} features".format)))
    slider = one(SelectionSlider, widgets)
    assert (slider.description, slider.label) == ("size", "4 features")
    assert "seen: {&#x27;size&#x27;: 4}" in picture(made)
    slider.index = 2
    assert slider.label == "16 features"
    assert "seen: {&#x27;size&#x27;: 16}" in picture(made)


def test_two_sliders_keep_each_others_values():
    """Moving one does not put back the other."""
    made, widgets = moving(play(drawn, head=Slider((0, 1), start=0), text=Slider("ab", start="a")))
    head, text = [widget for widget in widgets if type(widget) is SelectionSlider]
    head.index, text.index = 1, 1
    assert "{&#x27;head&#x27;: 1, &#x27;text&#x27;: &#x27;b&#x27;}" in picture(made)


def test_an_error_is_told_and_the_slider_lives_on():
    """In the picture's place, as one line; the next value has a picture again."""

    def fragile(size):
        if size == 4:
            raise ValueError("four is <too> many")
        return drawn(size=size)

    made, widgets = moving(play(fragile, size=Slider((1, 4, 16), start=1)))
    slider = one(SelectionSlider, widgets)
    slider.index = 1
    assert "ValueError: four is &lt;too&gt; many" in picture(made)
    slider.index = 2
    assert "seen" in picture(made) and "ValueError" not in picture(made)


def test_a_function_that_is_not_right_yet_gets_a_card():
    """And no traceback: the lesson runs on."""

    def learners(scores):
        return scores.nothing_like_this

    card = after(learners, lambda: play(lambda size: learners(size), size=Slider((1, 2), start=1)))
    assert "This comes once learners is right" in str(card)


def test_right_work_shows_no_red_lines(monkeypatch):
    """NumPy warns of minus infinity minus itself, where a NaN is made that the answer then replaces."""
    monkeypatch.setitem(checked, "learners", True)

    def learners(size):
        return drawn(size=np.subtract(-np.inf, -np.inf))

    with warnings.catch_warnings(action="error"):
        made, widgets = moving(after(learners, lambda: play(learners, size=Slider((1, 2), start=1))))
        one(SelectionSlider, widgets).index = 1
    assert "seen" in picture(made)


def test_every_button_of_a_mask_says_who_may_look_where():
    """A screen reader reads its tooltip, since it has no text; it changes with the button."""
    shown = play(drawn, mask=MaskGrid(("sat", "it"), ("cat", "mat"), PATTERNS))
    _, widgets = moving(shown)
    buttons = [widget for widget in widgets if type(widget) is ToggleButton]
    assert [button.tooltip for button in buttons[:2]] == [
        "query sat, key cat: may look",
        "query sat, key mat: may not look",
    ]
    assert {button.description + button.icon for button in buttons} == {""}
    buttons[1].value = True
    assert buttons[1].tooltip == "query sat, key mat: may look"


def test_a_painted_mask_is_what_the_picture_shows():
    """A row that has lost its last key holds zeros."""
    seen = []

    def weights(mask):
        seen.append(masked_softmax(np.zeros((2, 2)), mask))
        return drawn()

    _, widgets = moving(play(weights, mask=MaskGrid(("sat", "it"), ("cat", "mat"), PATTERNS)))
    buttons = [widget for widget in widgets if type(widget) is ToggleButton]
    buttons[0].value = False
    np.testing.assert_array_equal(seen[-1], [[0, 0], [0.5, 0.5]])


def test_a_pattern_is_painted_at_once():
    """One new picture, whatever stood there before; and the pattern itself stays as it was."""
    seen = []
    _, widgets = moving(play(lambda mask: seen.append(mask) or drawn(), mask=MaskGrid("ab", "xy", PATTERNS)))
    toggles = [widget for widget in widgets if type(widget) is ToggleButton]
    causal, everywhere = [widget for widget in widgets if type(widget) is Button]
    drawings = len(seen)
    everywhere.click()
    assert len(seen) == drawings + 1 and seen[-1].all() and all(button.value for button in toggles)
    toggles[0].value = False
    causal.click()
    np.testing.assert_array_equal(seen[-1], np.tri(2, dtype=bool))
    assert PATTERNS["all"].all()


def test_stills_tell_the_story():
    """The ends and the start of the first control, with captions, and what to do to move it."""
    shown = play(drawn, size=Slider((1, 4, 16, 64), start=4), head=Slider((0, 1), start=1))
    assert list(shown.stills) == ["size: 1", "size: 4", "size: 64"]
    images = [attributes["alt"] for tag, attributes in Tags(shown._repr_html_()).found if tag == "img"]
    assert images == [f"seen: {{'size': {size}, 'head': 1}}" for size in (1, 4, 64)]
    for said in (repr(shown), shown._repr_html_()):
        assert "size: 64" in said
        assert "Run this cell in Jupyter, and you can set the size and the head yourself." in said


def test_stills_of_a_mask_are_its_patterns():
    """By name."""
    shown = play(drawn, mask=MaskGrid("ab", "xy", PATTERNS))
    assert list(shown.stills) == ["mask: causal", "mask: all"]


def test_stills_survive_in_an_untrusted_notebook():
    """Nothing in them that JupyterLab would take out."""
    shown = play(drawn, size=Slider((1, 4), start=1))
    for tag, attributes in Tags(shown._repr_html_("stills-1")).found:
        assert tag in ("div", "em", "br", "img", "p")
        assert not [name for name in attributes if name.startswith("on")]


def test_a_notebook_keeps_the_stills_apart_from_the_widget(displayed):
    """In a saved notebook JupyterLab shows an error in place of a widget, and would show it in place of the stills."""
    play(drawn, size=Slider((1, 4), start=1))._ipython_display_()
    stills, widget = displayed
    assert "seen" in stills["text/html"] and "seen" in stills["text/plain"] and WIDGET not in stills
    assert widget.keys() == {WIDGET, "text/plain"} and widget["text/plain"] == ""


def test_the_board_hides_its_own_stills(displayed):
    """By a name that no other stills have, or those of a saved notebook would vanish as well."""
    shown = play(drawn, size=Slider((1, 4), start=1))
    for _ in range(2):
        shown._ipython_display_()
    names = {Tags(stills["text/html"]).found[0][1]["class"] for stills in displayed[::2]}
    assert len(names) == 2
    made, _ = moving(shown)
    assert ".stills {display: none}" in one(HTML, [made.children[-1]]).value


@pytest.mark.parametrize("without", ["ipywidgets", "a browser"])
def test_where_no_widget_runs_there_are_stills(displayed, monkeypatch, without):
    """ipywidgets is missing, or nbgrader makes a report."""
    if without == "ipywidgets":
        monkeypatch.setitem(sys.modules, "ipywidgets", None)
    else:
        monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    play(drawn, size=Slider((1, 4), start=1))._ipython_display_()
    (stills,) = displayed
    assert "seen" in stills["text/html"]


def test_values_may_hold_any_characters():
    """Quotes in words do not break the page, nor what a screen reader is told."""
    made, _ = moving(play(drawn, text=Slider(('"a" < b', "it's"), start="it's")))
    (style,) = [attributes for tag, attributes in Tags(made.children[-1].value).found if tag == "style"]
    assert json.loads(style["data-names"]) == [["text", ['"a" < b', "it's"]]]
