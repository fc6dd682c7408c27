"""Formgrader's page, in which an instructor marks: whatever a learner wrote into it, the buttons there are nbgrader's.

Its script finds by `id` what belongs to a mark, and by `class` what gives points when it is clicked.
"""

import pytest
from bs4 import BeautifulSoup
from helpers import ROOT
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.server_extensions.formgrader import handlers
from traitlets.config import Config, PyFileConfigLoader

from autograder.grading.outputs import safe_outputs

BAIT = '<div class="nbgrader_cell"><p id="check_softmax">My notes</p><b class="full-credit">read more</b></div>'
OF_THE_SCRIPT = ("nbgrader_cell", "score", "extra-credit", "full-credit", "no-credit", "mark-graded", "comment")
OVER_ALL = ("modal", "modal-backdrop", "navbar-fixed-top", "affix", "help")


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
