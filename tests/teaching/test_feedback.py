"""Feedback as learners get it, and marks from a gradebook, as an instructor types it."""

import csv
import re
import shutil
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from itertools import count

import nbformat
import pytest
from classroom import CONFIG, Submission, mha_here, nbgrader, open_course, points_in
from click.testing import CliRunner
from helpers import at_night, our_answers
from platforms import Person, archive, canvas_gradebook, canvas_name

from autograder.cli import main

LESSON = "lesson_01_softmax"
MOST = sum(points_in(LESSON).values())
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("feedback")]  # graded once, for all tests here
FORGETS_TO_DIVIDE = {"softmax": "def softmax(scores, axis=-1):\n    return np.exp(scores)\n"}
STUDENTS = {"ada@uni": "ada", "bo@uni": "bo", "cem@uni": "cem", "dee@uni": "dee"}
ROSTER = [Person(name, str(4000 + i), f"S{i}", login) for i, (login, name) in enumerate(STUDENTS.items())]


def writes_a_lot(notebook):
    """Formulas and pictures of their own, a path, and an error in a library."""
    notebook.cells.append(
        nbformat.v4.new_markdown_cell("Mine: $e^{-m}$ ![x](https://a.example/x.png) <script>document.title=1</script>")
    )
    notebook.cells.append(nbformat.v4.new_code_cell(f"# {'a long line ' * 30}"))
    notebook.cells.append(nbformat.v4.new_code_cell("import sys\nprint(sys.prefix)\nnp.linalg.inv(np.zeros((2, 3)))"))


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A graded class: right, wrong, a submission whose graded notebook was lost halfway, one that nobody graded."""
    root = tmp_path_factory.mktemp("course")
    ours = our_answers(LESSON)
    long = {"weight_ratio": ours["weight_ratio"] + "\n# I tried much else." * 60}
    class_ = {
        "ada@uni": Submission(ours),
        "bo@uni": Submission(ours | FORGETS_TO_DIVIDE | long, surgery=writes_a_lot),
        "cem@uni": Submission(ours),
        "dee@uni": Submission(ours),
    }
    open_course(root, LESSON, class_, CONFIG.format(root=str(root), limit=15))
    graded = mha_here(root, "grade", LESSON, "ada@uni", "bo@uni", "cem@uni", "--trust-submissions")
    assert graded.returncode == 0, graded.stderr
    broken = root / "autograded" / "cem@uni" / LESSON / f"{LESSON}.ipynb"
    broken.chmod(0o644)
    broken.write_text('{"cells": [')
    return root


def test_before_anything_is_graded(tmp_path):
    """One sentence says what to do, and not one for each."""
    open_course(tmp_path, LESSON, {"ada": ..., "bo": ...}, CONFIG.format(root=str(tmp_path), limit=15))
    done = mha_here(tmp_path, "feedback", "lesson_01")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == f"Error: Nothing of {LESSON} is graded yet: call `mha grade {LESSON}`, and then this again.\n"


@pytest.fixture(scope="module")
def told(course):
    """What `mha feedback` said."""
    done = mha_here(course, "feedback", LESSON)
    assert done.returncode == 0, done.stderr
    return done.stdout


def page(course, student="bo@uni", ending="html"):
    return (course / "feedback" / student / LESSON / f"{LESSON}.{ending}").read_text(encoding="utf-8")


def test_one_that_fails_stops_nobody(course, told):
    """The others have a page, and it is told who has none."""
    assert "2 of 4 have feedback." in told
    assert "no feedback for cem@uni: " in told and "no feedback for dee@uni: not graded yet" in told
    assert "ada@uni" not in told and f"{MOST} of {MOST} points" in page(course, "ada@uni")


def test_points_and_cards(course, told):
    """All points above, each beside its card, as the notebook shows them."""
    html = page(course)
    row = r'<td><span[^>]*>(.)</span></td>\s*<td><a href="#[^"]*"[^>]*>(\w+)</a></td>\s*<td>(.*?)</td>\s*<td>(.*?)</td>'
    rows = {name: (mark, points, said) for mark, name, points, said in re.findall(row, html)}
    said = "Your weights are positive, but they do not sum to 1: they are the exponentials themselves."
    assert rows["softmax"] == ("✗", "0 of 3", said)
    assert rows["weight_ratio"] == ("✓", "1 of 1", "Right.")
    assert "✗ softmax: not yet" in html and "what should come out" in html and "✓ weight_ratio: right" in html
    anchors = set(re.findall(r'id="([^"]+)"', html))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= anchors, "a link leads nowhere"


def test_nothing_secret(course, told):
    """No folder of this computer, no number that inputs are drawn from, nothing that was noted for reports."""
    seed = (course / "grading_seed.txt").read_text().split()[0]
    for text in (page(course), page(course, ending="ipynb")):
        assert str(course) not in text and sys.prefix not in text and seed not in text
        assert "grade_id" not in text and "misconception" not in text


def test_nothing_runs_and_nothing_is_asked_for(course, told):
    """One file: no script, no address of a script, a picture or a style."""
    html = page(course)
    assert "<script" not in html and "document.title=1" not in html.replace("&lt;", "<").partition("<pre")[0]
    assert not re.findall(r'(?:src|srcset|data)="(?!data:)[^"]', html) and "@import" not in html and "<link" not in html
    assert "default-src 'none'" in html


@pytest.mark.parametrize("colours", ["light", *at_night(["dark"])])
def test_in_a_browser(course, told, colours):
    """Nothing is asked for, formulas are drawn, nothing is cut off in a narrow window, axe finds nothing serious."""
    if not shutil.which("chromium"):
        pytest.skip("needs chromium")
    with narrow_window(colours) as tab:
        asked = []
        tab.on("request", lambda request: asked.append(request.url))
        tab.route(lambda url: not url.startswith(("file:", "data:")), lambda route: route.abort())
        tab.goto((course / "feedback" / "bo@uni" / LESSON / f"{LESSON}.html").as_uri())
        heights = tab.evaluate("[...document.querySelectorAll('math')].map(m => m.getBoundingClientRect().height)")
        fractions = tab.evaluate("[...document.querySelectorAll('mfrac')].map(m => m.getBoundingClientRect().height)")
        assert len(heights) > 20 and min(heights) > 5 and min(fractions) > 20
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        assert tab.title() == "Lesson 01: softmax · bo@uni: feedback"
        assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
        assert not barriers(tab)


LANDED = """() => {
    const heading = document.querySelector(":target"), seen = element => element.getBoundingClientRect();
    let cell = heading.closest("section").nextElementSibling, code = seen(cell.querySelector(".highlight"));
    while (!/^5px/.test(cell.querySelector(".output > div")?.style.borderLeft)) cell = cell.nextElementSibling;
    const card = seen(cell.querySelector(".output > div > strong"));
    return {code: code.bottom, card: card.bottom, shown: [heading.innerText, code.top <= card.top]};
}"""


@pytest.mark.parametrize("width, height", [(1366, 768), pytest.param(1440, 900, marks=pytest.mark.nightly)])
def test_a_link_lands_on_the_code_with_its_card_in_view(course, told, width, height):
    """Of an answer of two lines, and of one of seventy: the last lines at least, and the beginning of the card."""
    if not shutil.which("chromium"):
        pytest.skip("needs chromium")
    with narrow_window("light") as tab:
        tab.set_viewport_size({"width": width, "height": height})
        tab.goto((course / "feedback" / "bo@uni" / LESSON / f"{LESSON}.html").as_uri())
        links = tab.locator("section.summary td a")
        assert links.count() == len(points_in(LESSON))
        for link in links.all():
            link.click()
            at = tab.evaluate(LANDED)
            assert 60 < at["code"] < height - 150 and at["card"] < height - 100, (link.inner_text(), at)
            tab.evaluate("window.scrollTo(0, 0)")


@contextmanager
def narrow_window(colours):
    from playwright.sync_api import sync_playwright
    from test_book import CHROMIUM, OPTIONS

    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS) as browser,
        browser.new_page(color_scheme=colours, viewport={"width": 390, "height": 900}, bypass_csp=True) as tab,
    ):
        yield tab


def barriers(tab):
    """What axe finds; it is a script, which the page itself would refuse."""
    from axe_playwright_python.sync_playwright import Axe

    tab.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    found = Axe().run(tab).response["violations"]
    return [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")]


@pytest.mark.nightly
def test_nbgrader_makes_the_same_page(course, told):
    """So does the button of formgrader, which calls the same."""
    before = page(course, "ada@uni"), page(course, "ada@uni", "ipynb")
    nbgrader(course, "generate_feedback", LESSON, "--student", "ada@uni", "--force")
    assert (page(course, "ada@uni"), page(course, "ada@uni", "ipynb")) == before


def test_the_notebook(course, told):
    """Is a valid one, opens with the points, and has every card."""
    notebook = nbformat.reads(page(course, ending="ipynb"), as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells[0].source.startswith("# Lesson 01: softmax, ")
    cards = [o for cell in notebook.cells for o in cell.get("outputs", ()) if "✗ softmax:" in str(o.get("data"))]
    assert len(cards) == 1 and [cell.id for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.nightly
def test_there_and_back(course, told, tmp_path):
    """Canvas' own zip and gradebook become what Canvas takes back, and no file was edited by hand."""
    for one, number in zip(ROSTER, count(1)):
        assert mha_note(course, one.login, canvas_name(one, f"{LESSON}-{number}.ipynb")) == 0
    names = [canvas_name(one, f"{LESSON}-{number}.ipynb") for one, number in zip(ROSTER, count(1))]
    submissions = archive(tmp_path / "in.zip", names)
    done = mha_here(course, "feedback", LESSON, "--canvas", submissions, "--to", tmp_path / "out.zip")
    assert done.returncode == 0 and "feedback for 2 of 4" in done.stdout, done.stderr
    with zipfile.ZipFile(tmp_path / "out.zip") as parcel:
        assert parcel.namelist() == names[:2]
        assert f"{MOST} of {MOST} points" in parcel.read(names[0]).decode()

    (tmp_path / "in.csv").write_bytes(canvas_gradebook(ROSTER))
    done = mha_here(course, "marks", LESSON, "--canvas", tmp_path / "in.csv", "--to", tmp_path / "out.csv")
    assert done.returncode == 0, done.stderr
    rows = list(csv.reader((tmp_path / "out.csv").open(encoding="utf-8-sig", newline="")))
    assert [row[5] for row in rows[3:]] == [str(MOST), row_of_bo(course), str(MOST), "", ""]


def mha_note(root, student, came_as):
    """What `mha collect` leaves in a receipt."""
    code = "import sys; from autograder.intake.course_folder import note; "
    code += "note(*sys.argv[1:4], came_as=[sys.argv[4]])"
    return subprocess.run([sys.executable, "-c", code, root, LESSON, student, came_as]).returncode


def row_of_bo(course):
    return re.search(rf"softmax, ([\d.]+) of {MOST} points", page(course))[1]


@pytest.mark.nightly
def test_nbgraders_exporter(course, told, tmp_path):
    """Goes on to work, and says the same."""
    nbgrader(course, "export", "--to", str(tmp_path / "grades.csv"))
    rows = {row["student_id"]: row for row in csv.DictReader((tmp_path / "grades.csv").open())}
    assert float(rows["ada@uni"]["score"]) == MOST and float(rows["bo@uni"]["score"]) == float(row_of_bo(course))


def test_what_is_missing_is_told(course, tmp_path, monkeypatch):
    """A student, a lesson, an option: in one sentence, and nothing is made."""
    monkeypatch.chdir(course)
    for command, words in [
        (("feedback", LESSON, "eve"), "No submission of lesson_01_softmax by eve"),
        (("feedback", "lesson_08"), "/submitted/<student>/lesson_08_cost: `mha collect` takes them in"),
        (("feedback", LESSON, "--to", tmp_path / "x.zip"), "say --canvas or --moodle, and --to"),
        (("marks", LESSON, "--to", tmp_path / "x.csv"), "Say --canvas or --moodle"),
        (("marks", "lesson_08", "--canvas", __file__, "--to", tmp_path / "x.csv"), "Nothing of lesson_08_cost"),
    ]:
        done = CliRunner().invoke(main, [str(word) for word in command])
        assert done.exit_code and words in done.output and isinstance(done.exception, SystemExit)
    assert not any(tmp_path.iterdir())
