"""The class report in a browser: on a screen, on a telephone, on paper."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from learner import SCREENSHOTS

from autograder.teaching.counting import Shown
from autograder.teaching.gradebook import Results, Row
from autograder.teaching.report import page

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("class report")]
NAME, UNFOLD = "ada.okafor", "document.querySelectorAll('details').forEach(fold => fold.open = true)"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Of six, some with long names: two share a misconception, two an answer without a name, one was not graded."""
    rows = [Row(f"{n}.okafor", "softmax", 3.0, 3.0, "right") for n in range(2)]
    rows += [Row(NAME, "softmax", 0.0, 3.0, "misconception", "sums_all", "", "", "Along `axis`.")]
    rows += [Row(f"odd{n}", "softmax", 0.0, 3.0, "values", message="Not it.", alike="a", code="x" * 300) for n in "12"]
    found = {
        "softmax": [
            Shown("softmax", "sums_all", (NAME, "bo"), 5, "Along `axis`.", ("softmax_bug",), (NAME, "bo"), ("bo",))
        ]
    }
    file = tmp_path_factory.mktemp("report") / "report.html"
    names = {NAME: "Ada" * 40, "fay.novak": "Fay" * 40}
    absent = dict(pages={NAME: "../feedback/ada.html"}, missing=("gus.novak",), excused=("hal.novak",))
    results = Results("lesson_01_softmax", tuple(rows), {"fay.novak": "broken"}, names, **absent)
    file.write_text(page(results, found, found["softmax"]), encoding="utf-8")
    return file.as_uri()


@pytest.mark.parametrize("width", [390, 1100])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_everybody_can_read_it(browser, report, colours, width):
    """Contrast, names, what the keyboard reaches: axe finds nothing; all folds open, nothing sticks out."""
    with browser.new_page(color_scheme=colours, viewport={"width": width, "height": 900}) as tab:
        tab.goto(report)
        tab.evaluate(UNFOLD)
        assert [(v["id"], v["nodes"][0]["html"]) for v in Axe().run(tab).response["violations"]] == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        SCREENSHOTS.mkdir(exist_ok=True)
        tab.screenshot(path=SCREENSHOTS / f"class report {colours} {width}.png", full_page=True)


def test_on_paper_no_names_are_seen(browser, report):
    """It may lie on a table: counts and explanations are there, students and their code are not."""
    with browser.new_page() as tab:
        tab.goto(report)
        tab.evaluate(UNFOLD)
        named = NAME, "fay.novak", "gus.novak", "hal.novak"
        assert all(name in tab.inner_text("body") for name in named)
        tab.emulate_media(media="print")
        words = tab.inner_text("body")
        assert "sums all" in words and "Along axis." in words
        assert not any(name in words for name in named) and "xxx" not in words
