"""An animated picture of the language model of lesson 09 while it writes: its text, and what it expects next."""

import torch

from autograder.pictures.picture import GROUPS, INK, element, moved, rectangle, words
from mha_ref import sample, softmax_with_temperature
from mha_ref.language_model import CONTEXT, decode, encode, ready_made

PROMPT, TEMPERATURE, STEPS, SEED = "The mask ", 0.5, 76, 9
LINE, SHOWN = 39, 6  # characters in the first line of the text; bars
SECONDS, REST = 0.16, 25  # for a character; how many of them the end is shown for
WIDTH, HEIGHT, BAR = 480, 214, 90  # of the picture; the height of the highest bar
STYLE = """
.f {{ opacity: 0; animation: on {cycle:.2f}s step-end infinite }}
.last {{ animation-name: rest }}
@keyframes on {{ 0% {{ opacity: 1 }} {share:.3f}% {{ opacity: 0 }} }}
@keyframes rest {{ 0% {{ opacity: 1 }} {rest:.3f}% {{ opacity: 0 }} }}
@media (prefers-reduced-motion: reduce) {{ .f {{ animation: none }} .last {{ opacity: 1 }} }}
"""


@torch.no_grad()
def steps():
    """Yield the text so far, the likeliest next characters, their probabilities, and the one that was drawn."""
    model, characters = ready_made()
    tokens, generator = encode(PROMPT, characters)[None], torch.Generator().manual_seed(SEED)
    for _ in range(STEPS):
        logits = model(tokens[:, -CONTEXT:])[:, -1]  # (1, vocabulary)
        drawn = sample(logits, TEMPERATURE, torch.rand(1, generator=generator))
        best = logits[0].topk(SHOWN).indices
        weights = softmax_with_temperature(logits[0], TEMPERATURE)[best]
        names = [decode(token[None], characters) for token in best]
        yield decode(tokens[0], characters), names, weights.tolist(), decode(drawn, characters)
        tokens = torch.cat([tokens, drawn[:, None]], dim=1)


def frame(text, names, weights, drawn):
    """Draw one moment: two lines of text, and bars below them; the drawn character's bar has the other colour."""
    look = dict(anchor="start", font_family="ui-monospace, monospace", style="white-space:pre")
    lines = [line for line in (text[:LINE], text[LINE:]) if line]
    written = [words(10, 24 + 22 * n, line, size=17, **look) for n, line in enumerate(lines)]
    return "".join(written + [moved(bar(*each, drawn), 40 + 70 * n, 70) for n, each in enumerate(zip(names, weights))])


def bar(name, weight, drawn):
    height = BAR * weight
    box = rectangle(0, round(20 + BAR - height, 1), 46, round(height, 1), GROUPS[name == drawn])
    number = words(23, round(14 + BAR - height, 1), f"{weight:.2f}")
    return box + number + words(23, BAR + 42, {" ": "space", "\n": "line"}.get(name, name), size=17)


def animated():
    """Return the picture: each moment has its share of a cycle, and the last one is shown longer."""
    moments = [frame(*step) for step in steps()]
    beats = len(moments) + REST
    style = STYLE.format(cycle=SECONDS * beats, share=100 / beats, rest=100 * (1 + REST) / beats)
    shown = [moment(each, n, last=n == len(moments) - 1) for n, each in enumerate(moments)]
    ground = element("path", d=f"M30 {91 + BAR}H{WIDTH - 20}", stroke=INK)
    inside = element("style", style) + ground + "".join(shown)
    look = dict(viewBox=f"0 0 {WIDTH} {HEIGHT}", font_family="system-ui, sans-serif")
    return element("svg", inside, xmlns="http://www.w3.org/2000/svg", **look)


def moment(drawn, number, last):
    """Show a frame from its own time on."""
    return element("g", drawn, **{"class": "f last" if last else "f"}, style=f"animation-delay:{number * SECONDS:.2f}s")
