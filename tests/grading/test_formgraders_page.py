"""Formgrader's page, in which an instructor marks: whatever a learner wrote into it, the buttons there are nbgrader's.

Its script finds by `id` what belongs to a mark, and by `class` what gives points when it is clicked.
"""

import base64
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from helpers import ROOT, on_a_page
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell
from nbgrader.server_extensions.formgrader import handlers
from playwright.sync_api import sync_playwright
from test_book import CHROMIUM, OPTIONS
from test_images import vast_png
from traitlets.config import Config, PyFileConfigLoader

from autograder.grading.outputs import clean, safe_outputs

BAIT = '<div class="nbgrader_cell"><p id="check_softmax">My notes</p><b class="full-credit">read more</b></div>'
OF_THE_SCRIPT = ("nbgrader_cell", "score", "extra-credit", "full-credit", "no-credit", "mark-graded", "comment")
OVER_ALL = ("modal", "modal-backdrop", "navbar-fixed-top", "affix", "help")
PNG = base64.b64encode(vast_png(100) + bytes(20_000)).decode()
SCROLLS = """picture => {
    const box = picture.closest(".rendered_html");
    box.scrollLeft = 10_000;
    return box.scrollLeft > 0 && picture.getBoundingClientRect().right <= box.getBoundingClientRect().right + 1;
}"""


def page(*cells):
    """As formgrader makes it, above a check and an answer that somebody marks."""
    settings = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    settings.HTMLExporter.template_name = "formgrade"
    settings.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    about = dict(base_url="", submission_id="1", notebook_id="n", assignment_id="a", index=0, total=1)
    graded = new_code_cell("check(softmax=softmax)", metadata=dict(nbgrader=marks("check_softmax", solution=False)))
    read = new_markdown_cell("\n".join(c.source for c in cells), metadata=dict(nbgrader=marks("explain_a_map")))
    notebook = new_notebook(cells=[*cells, read, graded])
    html, _ = HTMLExporter(config=Config(settings)).from_notebook_node(notebook, about)
    return BeautifulSoup(html, "html.parser")


def marks(name, solution=True):
    return dict(grade_id=name, grade=True, solution=solution, points=3, locked=False, schema_version=3, task=False)


@pytest.mark.parametrize("cell", [new_markdown_cell(BAIT), new_markdown_cell("# check_softmax\n\nMine")])
def test_a_click_gives_points_only_where_nbgrader_says_so(cell):
    """The first element with the name of a mark is its own field, and what is clicked is a button."""
    html = page(cell)
    for name in ("check_softmax", "explain_a_map"):
        (field,) = html.select(f"#{name}")
        assert field.name == "input" and "score" in field["class"]
    assert {element.name for element in html.select(".full-credit, .no-credit, .mark-graded")} == {"button"}
    assert len(html.select(".nbgrader_cell")) == 2


@pytest.mark.parametrize("name", OF_THE_SCRIPT + OVER_ALL)
def test_no_class_of_the_page(name):
    """What looks like a part of the page, or lies over all of it."""
    fence = f"```{name}\nmine\n```"
    assert not page(new_markdown_cell(f'<p class="dataframe {name}">mine</p>\n\n{fence}')).select(
        f"p.{name}, pre.{name}"
    )


def test_what_is_honest_stays():
    """Colours of code, and a table."""
    html = page(new_markdown_cell("```python\nx = 1\n```"), new_markdown_cell("|a|\n|-|\n|1|"))
    assert html.select(".highlight .mi") and html.select("table td")


@contextmanager
def opened(html, folder):
    """In a browser, as wide as many are and so high that all of the page is seen."""
    if not CHROMIUM:
        pytest.skip("needs chromium")
    static = (Path(handlers.__file__).parent / "static").as_uri()
    (folder / "page.html").write_text(str(html).replace('"/formgrader/static', f'"{static}'), encoding="utf-8")
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS) as browser,
        browser.new_page(viewport={"width": 1280, "height": 2000}) as tab,
    ):
        tab.route(lambda url: not url.startswith(("file:", "data:")), lambda route: route.abort())
        tab.goto((folder / "page.html").as_uri())
        yield tab


def test_what_is_wide_scrolls(tmp_path):
    cell = new_markdown_cell("|" + "a_long_heading|" * 40 + "\n|" + "-|" * 40)
    with opened(page(cell), tmp_path) as tab:
        assert tab.locator(".rendered_html table").first.evaluate(SCROLLS)


def test_a_raw_cell_and_a_tag_have_no_class_of_the_page():
    """Both go through filters of nbconvert, which trusts those who write notebooks."""
    tagged = new_code_cell("1", metadata={"tags": ["x modal-backdrop"]})
    html = page(new_raw_cell('<a class="modal-backdrop" id="check_softmax" href="https://x.example">x</a>'), tagged)
    assert not html.select(".modal-backdrop") and "modal-backdrop" in html.text
    assert len(html.select("#check_softmax")) == 1


HOSTILE = {
    "script": "<script>alert(1)</script>",
    "a handler": '<img src="x" onerror="alert(1)">',
    "a link that runs": '<a href="javascript:alert(1)">x</a>',
    "a link in disguise": '<a href=" jAvascript&#58;alert(1)">x</a>',
    "a style that asks a server": '<div style="background:url(http://evil/x)">x</div>',
    "a cursor that does": '<div style="cursor:url(http://evil/x),auto">x</div>',
    "a style sheet": "<style>@import 'http://evil/x'</style>",
    "a drawing that runs": '<svg onload="alert(1)"><script>alert(1)</script></svg>',
    "a picture elsewhere": '<img src="http://evil/x">',
    "a frame": '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    "a form": '<form action="http://evil/"><input name="a"></form>',
    "an object": '<object data="data:text/html,<script>alert(1)</script>"></object>',
    "a page that moves": '<meta http-equiv="refresh" content="0;url=http://evil/">',
    "one in the other": "<scr<script>ipt>alert(1)</scr</script>ipt>",
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE)
def test_nothing_runs_and_nobody_is_asked(html):
    """A text shows it as it was written; and where it stands in a notebook that others graded, its tags are gone."""
    assert BeautifulSoup(on_a_page(html), "html.parser").text.strip() == html
    left = clean(html).lower()
    for word in ("<script", "onerror", "onload", "javascript", "evil", "<style", "<svg", "<iframe", "<form", "<object"):
        assert word not in left.replace("&lt;", "")


def test_an_attachment_that_is_shown_a_thousand_times():
    """It is there while there is room, and the text is there in any case."""
    cell = new_markdown_cell("Mine: " + "![](attachment:a)" * 1100, attachments={"a": {"image/png": PNG}})
    html = page(cell)
    assert 3 <= len(html.select("img[src]")) <= 30 and "Mine:" in html.text


def test_an_attachment_without_room():
    """Of a picture of a megabyte, what stands beside it."""
    cell = new_markdown_cell("Mine: ![](attachment:a)", attachments={"a": {"image/png": "A" * 10**6}})
    assert "Mine:" in page(cell).text


def test_marks_above_each_other():
    """A million of them make one sign, for which a browser takes minutes: they are broken into lines."""
    marks = "a" + chr(0x301) * 100_000
    (output,) = safe_outputs(SimpleNamespace(outputs=[dict(output_type="stream", name="stdout", text=marks)]))
    html = page(new_markdown_cell(marks)).text
    assert max(map(len, [*output.text.split("\n"), *html.split("\n")])) < 2000
