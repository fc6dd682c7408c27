"""Pictures that learners put into a page: those that a browser draws at once stay, and a bomb does not."""

import base64
import struct
import zlib
from io import BytesIO
from types import SimpleNamespace

import numpy as np
import pytest
from helpers import on_a_page
from PIL import Image

from autograder.grading.outputs import clean, is_shown, safe_outputs
from autograder.pictures.diagrams import box
from autograder.pictures.grids import heatmap


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


def test_our_own_pictures():
    """Boxes and grids, as lessons and cards show them."""
    for made in (box("scores", (2, 3, 4)), heatmap(np.eye(3), "weights")):
        html = made._repr_html_()
        assert html.count("data:image") == clean(html).count("data:image") > 0


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp"])
def test_a_picture_in_a_text(kind):
    """Any of the kinds that browsers know, and a text beside it."""
    assert on_a_page(f"Mine: ![a map]({address(kind, raster(kind))})").count(f"data:image/{kind}") == 1


def test_a_vast_picture():
    """Of 16,000 by 16,000 pixels: a browser would take a gigabyte for it. What the cell says beside it stays."""
    vast = vast_png(16_000)
    reply = SimpleNamespace(
        outputs=[dict(output_type="display_data", data={"image/png": base64.b64encode(vast).decode()})]
    )
    (output,) = safe_outputs(reply)
    assert "image/png" not in output.data
    vast = vast_png(4_000)  # a text has room for it, and a browser has not
    assert "data:" not in on_a_page(f"Mine ![]({address('png', vast)})")


@pytest.mark.parametrize(
    "source", [*(f"data:image/svg+xml{way}" for way in (",<svg/>", ";base64,PHN2Zy8+")), "x.png", "//h/x"]
)
def test_other_addresses(source):
    """Of drawings, which may be bombs, and of what lies elsewhere, nothing is shown, also where it is attached."""
    assert not is_shown(source) and source not in on_a_page(f"![x]({source})")
    assert "svg" not in on_a_page("![x](attachment:x)", {"x": {"image/svg+xml": "PHN2Zy8+"}})


@pytest.mark.parametrize("kind", ["text/html", "image/svg+xml", "text/markdown", "application/javascript"])
def test_other_outputs(kind):
    """Are shown by their words."""
    (output,) = safe_outputs(
        SimpleNamespace(outputs=[dict(output_type="display_data", data={kind: "<b>x</b>", "text/plain": "x"})])
    )
    assert output.data == {"text/plain": "x"}
