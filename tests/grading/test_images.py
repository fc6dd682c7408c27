"""Pictures that learners put into a page: those that a browser draws at once stay, and a bomb does not."""

import base64
import struct
import zlib
from io import BytesIO, StringIO

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from autograder.grading.images import MOST_DRAWN, fits, is_shown
from autograder.grading.outputs import safe_outputs
from autograder.grading.pages import TOO_MUCH, clean
from autograder.pictures.boxes import shapes
from autograder.pictures.grids import heatmap

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{}</svg>'
PATH = '<path id="a0" d="M0 0h9v9z"/>'


def of_levels(levels, way, times=10):
    """Each part uses the one before ten times."""
    each = "".join(f'<g id="a{n}">{way.format(n - 1) * times}</g>' for n in range(1, levels + 1))
    return SVG.format(f"<defs>{PATH}{each}</defs>{way.format(levels)}")


BOMB = of_levels(6, '<use href="#a{}"/>')
BOMBS = {
    "each uses another": BOMB,
    "by the older name": of_levels(6, '<use xlink:href="#a{}"/>'),
    "by an escaped name": of_levels(6, '<use href="#%61{}"/>'),
    "by a mask": of_levels(6, '<g mask="url(#a{})"/>'),
    "by a mask, spelled otherwise": of_levels(6, '<g style="mask: URL( &quot;#a{}&quot; )"/>'),
    "by a mask, hidden in a style": of_levels(6, '<g style="mask: \\75rl(#a{})"/>'),
    "by a rule for all": SVG.format("<style>g { mask: url(#a) }</style>" + "<g>" * 50 + "</g>" * 50),
    "by a rule from elsewhere": '<?xml-stylesheet href="data:text/css,g{mask:url(%23a)}"?>' + SVG.format("<g/>"),
    "a shadow": SVG.format('<g style="filter:drop-shadow(0 0 99px red)"/>'),
    "a blur": SVG.format('<g filter="blur(99px)"/>'),
    "dashes": SVG.format('<path d="M0 0h9e9" stroke-dasharray=".001"/>' * 60),
    "two of one name": of_levels(6, '<use href="#a{}"/>').replace("</svg>", '<g id="a5"/></svg>'),
    "draws itself": SVG.format('<g id="a"><use href="#a"/></g>'),
    "by entities": '<!DOCTYPE svg [<!ENTITY a "<g/>"><!ENTITY b "&a;&a;">]>' + SVG.format("&b;"),
    "a drawing in a drawing": SVG.format(f'<image href="data:image/svg+xml;base64,{base64.b64encode(b"<svg/>")}"/>'),
    "another page": SVG.format("<foreignObject/>"),
    "each pixel": SVG.format("<filter><feTurbulence numOctaves='9999999'/></filter>"),
    "deep": SVG.format("<g>" * 100_000 + "</g>" * 100_000),
    "many": SVG.format("<g/>" * (MOST_DRAWN + 1)),
    "no drawing": "<svg",
}


def figure(kind, **settings):
    made = Figure()
    axes = made.add_subplot()
    axes.plot([1, 2, 3], marker="o", label="a")
    axes.bar([1, 2], [1, 2], hatch="/")
    axes.imshow(np.eye(3))
    axes.legend()
    written = StringIO() if kind == "svg" else BytesIO()
    made.savefig(written, format=kind)
    return written.getvalue()


def raster(kind):
    written = BytesIO()
    Image.new("RGB", (90, 60)).save(written, kind)
    return written.getvalue()


def address(kind, data):
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def vast_png(side):
    """Some kilobytes of one bit a pixel."""

    def part(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * (side // 8 + 1) * side)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", rows) + part(b"IEND", b"")


@pytest.mark.parametrize("svg", BOMBS.values(), ids=BOMBS)
def test_no_bomb(svg):
    """As an output, and in a text: left out, and the output says so."""
    reply = dict(outputs=[dict(output_type="display_data", data={"image/svg+xml": svg, "text/plain": "x"})])
    (output,) = safe_outputs(reply)
    assert output.data["text/html"] == TOO_MUCH
    assert "svg" not in clean(f'<p>Mine: <img src="{address("svg+xml", svg.encode())}" alt="a map"></p>')


@pytest.mark.parametrize("fonttype", ["path", "none"])
def test_figures_of_matplotlib(fonttype):
    """Which use markers, clip, and hold pictures of their own."""
    with matplotlib.rc_context({"svg.fonttype": fonttype}):
        assert fits(figure("svg").encode(), is_drawing=True)
    assert fits(figure("png"))


def test_our_own_pictures():
    """Boxes and grids, as lessons and cards show them."""
    for made in (shapes({"scores": np.ones((2, 3, 4))}), heatmap(np.eye(3), "weights")):
        html = made._repr_html_()
        assert html.count("data:image") == clean(html).count("data:image") > 0


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp"])
def test_a_picture_in_a_text(kind):
    """Any of the kinds that browsers know, and a text beside it."""
    html = f'<p>Mine: <img src="{address(kind, raster(kind))}" alt="a map"></p>'
    assert clean(html).count(f"data:image/{kind}") == 1


def test_a_vast_picture():
    """Of 16,000 by 16,000 pixels: a browser would take a gigabyte for it. What the cell says beside it stays."""
    vast = vast_png(16_000)
    reply = dict(outputs=[dict(output_type="display_data", data={"image/png": base64.b64encode(vast).decode()})])
    (output,) = safe_outputs(reply)
    assert "image/png" not in output.data
    assert clean(f'<p>Mine <img src="{address("png", vast)}"></p>') == "<p>Mine <img></p>"


@pytest.mark.parametrize("source", ["data:image/svg+xml,<svg/>", "data:image/svg+xml,%3Csvg/%3E", "x.png", "//h/x"])
def test_other_addresses(source):
    """Of what cannot be looked through, nothing is shown."""
    assert not is_shown(source)
