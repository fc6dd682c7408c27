"""Make the pictures of README again: an alignment, a model that writes, a card, and a class report.

Run: .venv/bin/python tools/pictures.py    (after `make test`, which installs what it needs; and with chromium)
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import numpy
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
sys.path[:0] = [str(ROOT / folder) for folder in ("", "tests/support", "tests/browser", "tests/teaching")]

from learner import chromium  # noqa: E402 - the path above leads to it
from made_up import class_of  # noqa: E402
from writing import animated  # noqa: E402

from autograder import EXERCISES, judge  # noqa: E402
from autograder.learner.card import verdict_card  # noqa: E402
from autograder.pictures import heatmap  # noqa: E402
from autograder.teaching.counting import right_or_wrong, shown  # noqa: E402
from autograder.teaching.report import page  # noqa: E402

PAGE = '<body style="margin:12px;width:{width}px;font:15px system-ui,sans-serif;background:white">{inside}</body>'
SPLIT_BY_RESHAPE = """\
def split_heads(x, heads):
    batch, tokens, model_size = x.shape
    return x.reshape(batch, heads, tokens, model_size // heads)
"""


def alignment():
    """Draw the first picture of lesson 00."""
    lesson = nbformat.read(ROOT / "course/lesson_00_start_here/lesson_00_start_here.ipynb", as_version=4)
    cell = next(cell.source for cell in lesson.cells if "french = [" in cell.source)
    shell = InteractiveShell(user_ns={"np": numpy, "heatmap": heatmap})
    with capture_output():
        picture = shell.run_cell(cell).result
    (PICTURES / "alignment.svg").write_bytes(picture.data)


def card():
    """Return the card of a learner who split heads by a plain reshape."""
    names = {}
    exec(SPLIT_BY_RESHAPE, names)
    task = EXERCISES["split_heads"]
    return verdict_card(judge(names["split_heads"], task), task)._repr_html_()


def report():
    """Return the report of a made-up class of forty, about lesson 03."""
    results = class_of(40, "lesson_03_masks")
    return page(results, shown(results.rows, right_or_wrong(results.rows)))


def photograph(browser, name, html, width, part=None, height=None):
    """Save a page as a PNG: from the top of one part of it, or from its beginning; so high, or all of it."""
    with TemporaryDirectory() as folder, browser.new_page(device_scale_factor=1.5) as tab:
        file = Path(folder, "page.html")
        file.write_text(html, encoding="utf-8")
        tab.set_viewport_size({"width": width, "height": 300})
        tab.goto(file.as_uri())
        top = tab.locator(part).bounding_box()["y"] if part else 0
        bottom = top + height if height else tab.evaluate("document.body.getBoundingClientRect().bottom")
        tab.screenshot(path=PICTURES / name, full_page=True, clip=dict(x=0, y=top, width=width, height=bottom - top))


def main():
    PICTURES.mkdir(exist_ok=True)
    alignment()
    (PICTURES / "writing.svg").write_text(animated(), encoding="utf-8")
    with chromium() as browser:
        photograph(browser, "card.png", PAGE.format(width=1000, inside=card()), width=1024)
        photograph(browser, "report.png", report(), width=1000, part="h2:text('Misconceptions')", height=620)


if __name__ == "__main__":
    main()
