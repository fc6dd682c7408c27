"""The controls of a Play and its picture, made of ipywidgets.

Every control is reached by Tab and has a name. Sliders move by arrow keys, buttons are pressed by the space bar.
"""

import json
from html import escape
from pathlib import Path

import numpy as np
from ipywidgets import HTML, Box, Button, GridBox, HBox, Label, Layout, SelectionSlider, ToggleButton, VBox
from traitlets import Any

from . import Slider, in_words

SPEAK, LOOK = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("speak.js", "board.css"))


def board(play, hidden):
    """Lay out controls above or beside their picture. `hidden`: the class of the stills, which are not needed here."""
    controls = {name: _widget(control, in_words(name)) for name, control in play.controls.items()}
    picture = HTML()  # which changes in place: an Output would be empty between two pictures, and the page would jump

    def show(change=None):
        picture.value = play.picture({name: control.value for name, control in controls.items()})._repr_html_()

    show()
    for control in controls.values():
        control.observe(show, "value")
    sliders = {in_words(name): control for name, control in play.controls.items() if isinstance(control, Slider)}
    names = json.dumps([(name, list(map(slider.words, slider.values))) for name, slider in sliders.items()])
    style = f"{LOOK}.{hidden} {{display: none}}"
    look = HTML(f'<style data-names="{escape(names)}" onload="{escape(SPEAK)}">{style}</style>')
    layout = Layout(flex_flow="row wrap", grid_gap="0 2em")
    return Box([*controls.values(), picture, look], layout=layout).add_class("play")


def _widget(control, name):
    if not isinstance(control, Slider):
        return Painting(control, name)
    options = [(control.words(value), value) for value in control.values]
    look = dict(layout=Layout(width="100%"), style=dict(description_width="initial"))
    return SelectionSlider(options=options, value=control.start, description=name, **look)


class Painting(VBox):
    """A mask as buttons, with queries on the left and keys above, and a button for each pattern below."""

    value = Any()

    def __init__(self, control, name):
        self.control = control
        self.buttons = [ToggleButton() for _ in control.start.flat]  # without a text: what one is called is its tooltip
        for button in self.buttons:
            button.observe(self._follow, "value")
        cells, width = [Label("query ↓ key →"), *map(Label, control.keys)], len(control.keys)
        for n, query in enumerate(control.queries):
            cells += [Label(query), *self.buttons[n * width : (n + 1) * width]]
        layout = Layout(grid_template_columns=f"repeat({width + 1}, max-content)", grid_gap="2px 6px")
        patterns = [Button(description=pattern) for pattern in control.patterns]
        for button in patterns:
            button.on_click(lambda pressed: self._take(control.patterns[pressed.description]))
        super().__init__([Label(f"{name}: ✓ means may look"), GridBox(cells, layout=layout), HBox(patterns)])
        self._take(control.start)

    def _take(self, pattern):
        """Set all buttons, and only then follow them: one picture for all."""
        self.taking = True
        for button, allowed in zip(self.buttons, pattern.flat):
            button.value = bool(allowed)
        self.taking = False
        self._follow()

    def _follow(self, change=None):
        """Make the mask that the buttons show, and let each say who may look where."""
        if self.taking:
            return
        mask = np.reshape([button.value for button in self.buttons], self.control.start.shape)
        for button, (query, key) in zip(self.buttons, np.ndindex(mask.shape)):
            may = "may look" if button.value else "may not look"
            button.tooltip = f"query {self.control.queries[query]}, key {self.control.keys[key]}: {may}"
        self.value = mask
