"""The controls of a Play and its picture, made of ipywidgets.

Every control is reached by Tab and has a name. Sliders move by arrow keys, buttons are pressed by the space bar.
"""

import json
from functools import partial
from html import escape

import numpy as np
from ipywidgets import HTML, Box, Button, GridBox, HBox, IntSlider, Label, Layout, ToggleButton, VBox

from .controls import MaskGrid, Slider, in_words

# A slider of ipywidgets has no name for a screen reader, and tells it the number of a step. A style knows when it gets
# into the page: this one gives each slider its name, and each of its steps the words.
SPEAK = """
(function speak(style) {
    const names = JSON.parse(style.dataset.names), handles = style.closest(".play").querySelectorAll("[role=slider]");
    if (handles.length < names.length) return setTimeout(speak, 50, style);
    names.forEach(([name, words], n) => {
        const say = (values, handle, steps) => handles[n].setAttribute("aria-valuetext", words[Math.round(steps[0])]);
        handles[n].setAttribute("aria-label", name);
        handles[n].closest(".noUi-target").noUiSlider.on("update", say);
    });
})(this)
"""
LOOK = """
.play :focus-visible {outline: 3px solid #4a7ebb !important; outline-offset: 2px}
.play .slider-container {margin: 0 1em}
.play .noUi-handle {background: #4a7ebb}
.play .jupyter-button {width: max-content; min-width: 3em}
.play .widget-toggle-button {width: 3em; padding: 0; border: 1px solid #7f7f7f}
.play .mod-active::before {content: "✓" / ""}
"""


def board(play, hidden):
    """Lay out controls above or beside their picture. `hidden`: the class of the stills, which are not needed here."""
    values = dict(play.start)
    picture = HTML(play.picture(values)._repr_html_())

    def show(name, value):
        values[name] = value
        picture.value = play.picture(values)._repr_html_()

    rows = [CONTROLS[type(control)](control, name, partial(show, name)) for name, control in play.controls.items()]
    layout = Layout(flex_flow="row wrap", grid_gap="0 2em")
    return Box([*rows, picture, look(play.controls, hidden)], layout=layout).add_class("play")


def look(controls, hidden):
    """Return the style of the board, and what a screen reader says of its sliders."""
    sliders = {name: control for name, control in controls.items() if isinstance(control, Slider)}
    names = json.dumps([(in_words(name), list(map(slider.words, slider.values))) for name, slider in sliders.items()])
    style = f"{LOOK}.{hidden} {{display: none}}"
    return HTML(f'<style data-names="{escape(names)}" onload="{escape(SPEAK)}">{style}</style>')


def slider(control, name, tell):
    """Make a row with the slider's name and the value in words."""
    start, last = list(control.values).index(control.start), len(control.values) - 1
    handle, said = IntSlider(start, 0, last, readout=False), Label(control.words(control.start))

    def moved(change):
        value = control.values[change.new]
        said.value = control.words(value)
        tell(value)

    handle.observe(moved, "value")
    return HBox([Label(in_words(name)), handle, said], layout=Layout(width="100%"))


def mask_grid(control, name, tell):
    """Make the buttons of a mask, with queries on the left and keys above, and a button for each pattern below."""
    painting = Painting(control, tell)
    rows = zip(control.queries, np.reshape(painting.buttons, painting.mask.shape))
    cells = [Label("query ↓ key →"), *map(Label, control.keys)]
    cells += [cell for query, buttons in rows for cell in (Label(query), *buttons)]
    layout = Layout(grid_template_columns=f"repeat({len(control.keys) + 1}, max-content)", grid_gap="2px 6px")
    patterns = [Button(description=pattern) for pattern in control.patterns]
    for button in patterns:
        button.on_click(lambda pressed: painting.take(control.patterns[pressed.description]))
    return VBox([Label(f"{in_words(name)}: ✓ means may look"), GridBox(cells, layout=layout), HBox(patterns)])


class Painting:
    """A mask, and its buttons, which follow it."""

    def __init__(self, control, tell):
        self.control, self.tell, self.mask = control, tell, control.start.copy()
        self.buttons = [self._button(*place) for place in np.ndindex(self.mask.shape)]

    def _button(self, query, key):
        def say():
            may = "may look" if button.value else "may not look"
            button.tooltip = f"query {self.control.queries[query]}, key {self.control.keys[key]}: {may}"

        def pressed(change):
            say()
            if self.mask[query, key] != button.value:  # else a whole pattern is being taken
                self.mask[query, key] = button.value
                self.tell(self.mask.copy())

        button = ToggleButton(bool(self.mask[query, key]))  # without a text: what it is called is its tooltip
        say()
        button.observe(pressed, "value")
        return button

    def take(self, pattern):
        self.mask[:] = pattern
        for button, allowed in zip(self.buttons, pattern.flat):
            button.value = bool(allowed)
        self.tell(self.mask.copy())


CONTROLS = {Slider: slider, MaskGrid: mask_grid}
