"""Formulas in pages: all that lessons write can be drawn, and nothing that a learner writes there runs."""

import re
from xml.etree import ElementTree

import jupytext
import pytest
from helpers import on_a_page

from autograder.catalogue import LESSONS
from autograder.course import installed


def formulas(lesson):
    notebook = jupytext.read(installed().text(lesson), fmt="py:percent")
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return re.findall(r"\$\$.+?\$\$|\$[^$\n]+\$", text, re.DOTALL)


@pytest.mark.parametrize("lesson", LESSONS)
def test_all_formulas_of_the_lessons(lesson):
    """Each becomes one formula, with no TeX left in it."""
    for formula in formulas(lesson):
        html = on_a_page(f"See {formula} here.")
        assert html.count("<math") == 1 and "\\" not in html and "formula" not in html, formula
        ElementTree.fromstring(html[html.index("<math") : html.index("</math>") + 7])


def test_they_say_the_same():
    """The letters are there, and the fraction and the root are a fraction and a root."""
    html = on_a_page(r"$$\frac{QK^\top}{\sqrt{d_k}}$$")
    assert 'display="block"' in html and "<mfrac>" in html and "<msqrt>" in html
    assert re.sub("<.*?>", "", html).split() == ["QK⊤dk"]


@pytest.mark.parametrize("text", ["`$x$` costs 3", "    $x$ in a block of code", r"\$x\$"])
def test_other_dollars(text):
    """Stay dollars."""
    assert "<math" not in on_a_page(text) and "$" in on_a_page(text)


@pytest.mark.parametrize(
    "formula",
    [
        r"\text{<script>alert(1)</script>}",
        r"\text{&lt;script&gt;alert(1)&lt;/script&gt;}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{background:url(https://a.example/x)}{x}",
        r"\class{x}{y}<img src=x onerror=alert(1)>",
        r'\color{red" onclick="alert(1)}{x}',
    ],
)
def test_what_a_learner_writes_there(formula):
    """No tag but those of formulas, no link, no style, nothing that is called when something happens."""
    html = on_a_page(f"Mine: ${formula}$")
    assert set(re.findall(r"<(\w+)", html)) <= {"p", "math", "code"} | set(re.findall(r"<(m\w+)", html))
    attributes = {name for tag in re.findall(r"<\w+([^>]*)>", html) for name in re.findall(r'([\w-]+)="', tag)}
    assert not attributes & {"href", "style", "onclick", "onerror", "src", "id"}


def test_what_is_no_formula_stays():
    """As it was written; so does one without an end, or of any size."""
    for formula in (r"\frac", r"\left( x", "{" * 3000 + "}" * 3000):
        assert '<code class="formula">' in on_a_page(f"${formula}$") or "<math" in on_a_page(f"${formula}$")


def test_a_place_made_by_hand():
    """Is text."""
    assert "<code" not in on_a_page('<code class="formula">\\text{<script>x</script>}</code>')
