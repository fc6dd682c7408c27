"""The page of feedback, whoever asks for it and whatever a learner wrote."""

import re
import shutil
from html import unescape
from pathlib import Path

import pytest
from helpers import ROOT
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.server_extensions.formgrader import handlers
from test_feedback import narrow_window
from traitlets.config import Config, PyFileConfigLoader

from autograder.grading.outputs import LONGEST_TEXT, MOST_TEXT
from autograder.teaching.rendering import MOST, MOST_SHOWN, REST_OF_CODE, REST_OF_OUTPUT, FeedbackPage

pytestmark = pytest.mark.slow  # pages are made by nbconvert, and opened in a browser

# A picture of one place.
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="


def page(*cells, exporter=FeedbackPage, **metadata):
    """As the button in formgrader makes it, which has templates of its own in mind; or what formgrader itself shows."""
    settings = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    settings.merge(Config({"Exporter": {"default_preprocessors": []}}))
    settings.HTMLExporter.template_name = "formgrade"
    settings.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    resources = {"nbgrader": {"notebook": "a_lesson"}, "index": 0, "total": 1}
    return exporter(config=settings).from_notebook_node(new_notebook(cells=list(cells), metadata=metadata), resources)[
        0
    ]


def test_formgraders_button():
    """Makes our page."""
    html = page(new_markdown_cell("Hello, $x^2$"))
    assert "<title>a_lesson: feedback</title>" in html and "<math" in html and "prefers-color-scheme: dark" in html
    assert "bootstrap" not in html and "cdnjs" not in html


def test_an_answer_in_words_in_formgrader():
    """Its formulas are drawn, its table and its picture are there, and nothing in it runs."""
    answer = new_markdown_cell(
        "Since $x^2$:\n\n|a|b|\n|-|-|\n|1|2|\n\n![mine](attachment:map.png)<script>theirs()</script>"
    )
    answer.attachments = {"map.png": {"image/png": DOT}}
    answer.metadata.nbgrader = {"grade": True, "solution": True, "grade_id": "words", "points": 4}
    html = page(answer, exporter=HTMLExporter)
    assert (
        "<msup>" in html
        and "<td>1</td>" in html
        and "td, th) { padding" in html
        and f"data:image/png;base64,{DOT}" in html
    )
    assert "<script>theirs()" not in html and 'id="words-comment"' in html


@pytest.mark.parametrize("text", ["![a](attachment:lost.png)", ">" * 5000 + "deep", "<b>" * 900, "[x](javascript:y())"])
def test_odd_markdown(text):
    """There is a page, and what came after it."""
    for exporter in (FeedbackPage, HTMLExporter):
        html = page(new_markdown_cell(text), new_markdown_cell("the end"), exporter=exporter)
        assert "the end" in html and "javascript:" not in html


def test_text_without_an_end():
    """It is said that it is not all there, or nothing of it: nobody waits a minute for stars and brackets."""
    html = page(new_markdown_cell("the beginning\n\n" + "[*<" * 300_000), new_markdown_cell("the end"))
    assert "left out" in html and "the end" in html
    assert len(html) < 5 * LONGEST_TEXT


def code_in(html):
    """What stands in cells of code, as it was typed; and whether it has colours."""
    pieces = re.findall(r'<div class=" ?highlight.*?<pre[^>]*>(.*?)\n</pre>', html, re.DOTALL)
    return [(unescape(re.sub("<[^>]*>", "", piece)), "<span" in piece) for piece in pieces]


@pytest.mark.parametrize("exporter", [FeedbackPage, HTMLExporter])
def test_code_that_is_long(exporter):
    """All of it is there, and without colours: for these, colours would take minutes."""
    long = ["a." * 20_000 + "a", "x\n" + "\t\n" * 6_000 + "y", f"'{'<&' * 3_000}'"]
    html = page(new_code_cell("x = 1"), *map(new_code_cell, long), exporter=exporter)
    assert code_in(html) == [("x = 1", True), *((code, False) for code in long)]


@pytest.mark.parametrize("exporter", [FeedbackPage, HTMLExporter])
@pytest.mark.nightly
def test_much_code(exporter):
    """The first cells are in colours, the others are not, and at last it is said that there is more."""
    code = "x = 12345" * 500
    shown = code_in(page(*[new_code_cell(code) for _ in range(300)], exporter=exporter))
    colours = [coloured for _, coloured in shown]
    assert colours == sorted(colours, reverse=True) and sum(colours) == MOST // len(code)
    assert sum(text == code for text, _ in shown) == MOST_SHOWN // len(code)
    assert shown[-1][0] == REST_OF_CODE and sum(len(text) for text, _ in shown) < 1.05 * MOST_SHOWN


@pytest.mark.parametrize("exporter", [FeedbackPage, HTMLExporter])
def test_code_in_other_languages(exporter):
    """What a notebook, a cell or a text calls it is not asked: some languages take hours to read."""
    cell = new_code_cell("<b>no tag</b>", metadata={"magics_language": "html"})
    text = new_markdown_cell("```html\n<b>none either</b>\n```\n\n```python\nx = 1\n```\n")
    html = page(cell, text, exporter=exporter, language_info={"name": "x", "pygments_lexer": "html"})
    assert 'class="nt"' not in html and "<code>&lt;b&gt;none either" in html
    assert code_in(html) == [("<b>no tag</b>", True), ("x = 1", True)]


@pytest.mark.parametrize("exporter", [FeedbackPage, HTMLExporter])
def test_much_that_is_printed(exporter):
    """Its beginning is there, and it is said that the rest is not."""
    cells = [new_code_cell("f()", outputs=[new_output("stream", text="\x1b[31m<" * 100_000)]) for _ in range(3)]
    html = page(*cells, exporter=exporter)
    assert "&lt;&lt;" in html and REST_OF_OUTPUT.strip() in html and len(html) < 5 * MOST_SHOWN


@pytest.mark.parametrize("exporter", [FeedbackPage, HTMLExporter])
@pytest.mark.nightly
def test_many_texts(exporter):
    """All of them together have an end; code and what it shows are as they were."""
    html = page(*[new_markdown_cell("[*<" * 6_000) for _ in range(50)], new_code_cell("the_end = 1"), exporter=exporter)
    assert len(html) < 5 * MOST_TEXT and html.count("The rest is left out.") >= 39 and "the_end" in html


def test_outputs():
    """Text and pictures are there, and what a card says; scripts, widgets and what asks a network are not."""
    shown = {
        "text/html": "<div>a card</div><script>x()</script><img src='http://a.example/x.png'>",
        "text/plain": "in words",
    }
    cell = new_code_cell("print('a < b')")
    cell.outputs = [
        new_output("stream", name="stdout", text="1 < 2 \x1b[31mred\x1b[0m"),
        new_output("display_data", data=shown),
        new_output("display_data", data={"image/png": DOT}),
        new_output("display_data", data={"image/svg+xml": "<svg onload='x()'></svg>"}),
        new_output("display_data", data={"application/javascript": "x()", "text/plain": "only words"}),
    ]
    html = page(cell)
    assert "1 &lt; 2 red" in html and "a card" in html and "only words" in html
    assert html.count('src="data:image/') == 1 and "<script" not in html and "a.example" not in html
    assert "onload" not in html


WIDE = {
    "a word": "W" * 300,
    "code": f"`{'c' * 300}`\n\n    {'p' * 300}",
    "a table": "| a_long_heading" * 12 + "|\n" + "|---" * 12 + "|\n",
    "a formula": f"Here: ${' + '.join('abcdefghijklmnopqrstuvw')}$",
    "an address": f"https://a.example/{'u' * 300}",
}


PICTURE = f"[picture: Four curves. {'One rises everywhere. ' * 20}]"


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs chromium")
def test_the_words_of_a_picture_are_read_without_scrolling(tmp_path):
    """They stand in its place, on as many lines as they need; an array keeps its lines."""
    cell = new_code_cell("curves()\nx")
    cell.outputs = [new_output("display_data", data={"text/plain": text}) for text in (PICTURE, "0 1 " * 200)]
    (tmp_path / "page.html").write_text(page(cell), encoding="utf-8")
    with narrow_window("light") as tab:
        tab.goto((tmp_path / "page.html").as_uri())
        wide = tab.locator("pre.output").evaluate_all("shown => shown.map(it => it.scrollWidth > it.clientWidth)")
    assert wide == [False, True]


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs chromium")
def test_it_fits_a_telephone(tmp_path):
    """Whatever a learner wrote: what is too wide is broken, or scrolls in its own place."""
    code = new_code_cell(f"x = {' + '.join(['a_long_name'] * 30)}")
    code.outputs = [new_output("error", ename="E", evalue="", traceback=["x" * 300])]
    with narrow_window("light") as tab:
        for what, text in WIDE.items():
            (tmp_path / "page.html").write_text(page(new_markdown_cell(text), code), encoding="utf-8")
            tab.goto((tmp_path / "page.html").as_uri())
            assert tab.evaluate("document.documentElement.scrollWidth") == 390, what


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs chromium")
def test_the_tasks_fit_a_telephone(tmp_path):
    """Each with its points and its whole sentence: nobody scrolls to read it."""
    row = f"| ✗ | [{'a_long_name' * 2}](#x) | 0 of 1 | {'Your weights sum to 1. ' * 5} |"
    table = "\n".join(["| | task | points | what was found |", "|---|---|---|---|", row])
    (tmp_path / "page.html").write_text(page(new_markdown_cell(table, id="points")), encoding="utf-8")
    with narrow_window("light") as tab:
        tab.goto((tmp_path / "page.html").as_uri())
        assert tab.locator("table").evaluate("table => table.scrollWidth <= table.clientWidth")


def test_no_other_file_is_needed():
    """The styles stand in the page."""
    css = Path(ROOT / "autograder/teaching/templates/returned/returned.css").read_text(encoding="utf-8")
    assert css.strip().splitlines()[0] in page(new_markdown_cell("x")) and "url(" not in css
