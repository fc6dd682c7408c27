"""Formgrader's page, in which an instructor marks: whatever a learner wrote into it, the buttons there are nbgrader's.

Its script finds by `id` what belongs to a mark, and by `class` what gives points when it is clicked.
"""

import base64
from contextlib import contextmanager
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from helpers import ROOT
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell
from nbgrader.server_extensions.formgrader import handlers
from playwright.sync_api import sync_playwright
from test_book import CHROMIUM, OPTIONS
from test_images import vast_png
from traitlets.config import Config, PyFileConfigLoader

from autograder.grading.outputs import safe_outputs
from autograder.grading.pages import TOO_MUCH, clean

BAIT = '<div class="nbgrader_cell"><p id="check_softmax">My notes</p><b class="full-credit">read more</b></div>'
OF_THE_SCRIPT = ("nbgrader_cell", "score", "extra-credit", "full-credit", "no-credit", "mark-graded", "comment")
OVER_ALL = ("modal", "modal-backdrop", "navbar-fixed-top", "affix", "help")
COVERS = {
    "a link that is not seen": '<a href="https://x.example/" title="theirs" style="{}">x</a>'.format(
        "display:block;opacity:0;margin:-300px 0;height:600px;width:100%"
    ),
    "a text below its box": f'<div title="theirs" style="height:2em">{"<p>Full marks are right here.</p>" * 20}</div>',
    "a text beside its box": f'<p title="theirs" style="white-space:nowrap;width:1em">{"Full marks " * 90}</p>',
}
# Of a grid of points, how many a learner has; and those that lie beside their box, or over what is not theirs.
THEIRS = """() => {
    const boxes = [...document.querySelectorAll(".rendered_html, .input_area, .panel-heading, .panel-footer")];
    const at = (x, y) => boxes.filter(box => {
        const {left, right, top, bottom} = box.getBoundingClientRect();
        return left <= x && x < right && top <= y && y < bottom;
    });
    const found = {inside: 0, outside: []};
    for (let y = 2; y < innerHeight; y += 5) for (let x = 5; x < innerWidth; x += 20) {
        const theirs = document.elementFromPoint(x, y)?.closest("[title=theirs]");
        if (!theirs) continue;
        const here = at(x, y);
        if (here.length === 1 && here[0].contains(theirs)) found.inside++; else found.outside.push([x, y]);
    }
    return found;
}"""
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


def shown(html):
    """A cell that shows this."""
    reply = dict(outputs=[dict(output_type="display_data", data={"text/html": html, "text/plain": "x"})])
    return new_code_cell("show()", outputs=safe_outputs(reply))


@pytest.mark.parametrize("cell", [new_markdown_cell(BAIT), shown(BAIT), new_markdown_cell("# check_softmax\n\nMine")])
def test_a_click_gives_points_only_where_nbgrader_says_so(cell):
    """The first element with the name of a mark is its own field, and what is clicked is a button."""
    html = page(cell)
    for name in ("check_softmax", "explain_a_map"):
        (field,) = html.select(f"#{name}")
        assert field.name == "input" and "score" in field["class"]
    assert {element.name for element in html.select(".full-credit, .no-credit, .mark-graded")} == {"button"}
    assert len(html.select(".nbgrader_cell")) == 2


@pytest.mark.parametrize("cell", [new_markdown_cell, shown])
@pytest.mark.parametrize("name", OF_THE_SCRIPT + OVER_ALL)
def test_no_class_of_the_page(cell, name):
    """What looks like a part of the page, or lies over all of it."""
    assert not page(cell(f'<p class="dataframe {name}">mine</p>')).select(f"p.{name}")


def test_what_is_honest_stays():
    """Colours of code, and the table of a data frame."""
    html = page(
        new_markdown_cell("```python\nx = 1\n```"), shown('<table class="dataframe"><tr><td>1</td></tr></table>')
    )
    assert html.select(".highlight .mi") and html.select("table.dataframe")


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


@pytest.mark.slow
@pytest.mark.parametrize("cell", [new_markdown_cell, shown])
@pytest.mark.parametrize("cover", COVERS)
def test_nothing_lies_over_the_rest_of_the_page(cell, cover, tmp_path):
    """Where one wants to mark, or reads what another cell has shown, nothing else is."""
    around = [shown(f"<p>What {place} shows</p>" * 5) for place in ("one", "another")]
    with opened(page(around[0], cell(COVERS[cover]), around[1]), tmp_path) as tab:
        theirs = tab.evaluate(THEIRS)
        assert theirs["inside"] and not theirs["outside"]


def test_what_is_wide_scrolls(tmp_path):
    with opened(page(shown('<div title="theirs" style="width:3000px">a table</div>')), tmp_path) as tab:
        assert tab.locator("[title=theirs]").evaluate(SCROLLS)


@pytest.mark.parametrize("margin", ["margin:-9px", "m\\61rgin:-9px", "margin/**/:-9px", "margin:calc(9px*cos(3rad))"])
def test_no_margin_is_below_zero(margin):
    assert "margin" not in clean(f'<p style="color:red;{margin};opacity:0">x</p>')
    assert "margin:0.4em 0" in clean('<p style="margin:0.4em 0">x</p>')


def test_a_raw_cell_and_a_tag_have_no_class_of_the_page():
    """Both go through filters of nbconvert, which trusts those who write notebooks."""
    tagged = new_code_cell("1", metadata={"tags": ["x modal-backdrop"]})
    html = page(new_raw_cell('<a class="modal-backdrop" id="check_softmax" href="https://x.example">x</a>'), tagged)
    assert not html.select(".modal-backdrop") and "modal-backdrop" in html.text
    assert len(html.select("#check_softmax")) == 1


GROWS = "<p>" + "".join(f"<b id={n}>" for n in range(2000)) + "</p>" + "<p>x</p>" * 12_000
HIDES = {
    "in an attribute": "<p>" + "".join(f"<b a='</b' x={n}>" for n in range(2000)) + "</p>" + "<p>x</p>" * 12_000,
    "deep, in an attribute": "<div a='</div'>" * 30_000,
    "deep, behind an end": "<div a='>x</div>'>" * 25_000,
    "deep, between two quotes": """<div a="'" c='"" >x</div>' >""" * 15_000,
    "deep, in a comment": "<div><!-- </div> -->" * 20_000,
    "deep, in a style": "<di></di<style></style>v>" * 15_000,
}


@pytest.mark.parametrize("html", [GROWS, *HIDES.values()], ids=["grows", *HIDES])
def test_what_a_browser_makes_large(html):
    """Left out: each of these would take seconds, or gigabytes."""
    assert clean(html) == TOO_MUCH


def test_a_large_table():
    """As pandas writes it, with its style, and with a comment: that is no trick."""
    rows = ("<tr>" + "<td><b>1.25</b></td>" * 20 + "</tr>") * 50
    table = f"<div><style scoped> .dataframe td {{ a: b }} </style><!-- 50 --><table>{rows}</table></div>"
    assert clean(table).count("<td>") == 1000


def table(rows, columns, first="<td>x</td>"):
    return "<table>" + f"<tr>{first * columns}</tr>" + "<tr><td>x</td></tr>" * (rows - 1) + "</table>"


VAST = {
    "wide and long": table(15_000, 3000),
    "wide by spans": table(2000, 200, "<td colspan=99>x</td>"),
    "high by spans": table(300, 200, "<td rowspan=99>x</td>"),
    "a table in each place": table(2000, 200, "<td><table><tr></tr></table></td>"),
    "a row in an attribute": table(2000, 200, '<td title="<tr>">x</td>'),
}


@pytest.mark.parametrize("html", VAST.values(), ids=VAST)
def test_a_vast_table(html):
    """A browser looks at each place where borders meet, also where nothing stands: that takes minutes."""
    assert clean(html) == TOO_MUCH


def test_a_place_of_a_table_takes_some_columns():
    """As in tables of pandas with two rows of heads; a thousand are no table that anybody reads."""
    assert 'colspan="12"' in clean("<table><tr><td colspan=12>x</td></tr></table>")
    assert "span" not in clean('<table><tr><td colspan="&#49;000" rowspan=0>x</td></tr></table>')


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
    (output,) = safe_outputs(dict(outputs=[dict(output_type="stream", name="stdout", text=marks)]))
    html = page(new_markdown_cell(marks), shown(f"<p>{marks}</p>")).text
    assert max(map(len, [*output.text.split("\n"), *html.split("\n")])) < 2000
