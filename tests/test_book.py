"""The book as its readers get it: complete, every link leads somewhere, nothing comes from elsewhere."""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from threading import Thread
from urllib.parse import unquote
from urllib.request import urlopen

import nbformat
import pytest
from bs4 import BeautifulSoup
from helpers import ROOT, at_night, released, solved
from nbformat.v4 import new_code_cell, new_notebook, new_output

from autograder.build import INSTALL
from autograder.catalogue import LESSONS, lacking

SITE = ROOT / "book" / "build" / "site"
LIVE = SITE / "live"  # JupyterLite's
HAS_LITE = find_spec("jupyterlite_pyodide_kernel") is not None
CHROMIUM = shutil.which("chromium")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
SCREENSHOTS = ROOT / "tests" / "browser" / "screenshots"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("book")]


def make_book(**variables):
    """As `make book` does, with trainings of three steps: the lessons' trainings together take ten minutes."""
    command = [sys.executable, "-m", "autograder.cli", "book"]
    short = os.environ | {"NBGRADER_EXECUTION": "test"} | variables
    done = subprocess.run(command, cwd=ROOT, env=short, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"{SITE / 'index.html'}\n")


@pytest.fixture(scope="module", autouse=True)
def book(copied_kernels):
    """Every lesson is run for it, with our solutions, in a kernel as Jupyter itself has it: one that stops stops it."""
    make_book(**copied_kernels)


def pages():
    return sorted(page for page in SITE.rglob("*.html") if LIVE not in page.parents)


@cache
def soup(page):
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def lesson_page(lesson):
    return SITE / "lessons" / f"{lesson}.html"


@pytest.mark.nightly
def test_a_second_build_changes_nothing():
    """No lesson runs again, no page is written again."""
    files = [*pages(), *(ROOT / "book" / "lessons").glob("*.ipynb")]
    lessons = [file for file in files if file.stem in LESSONS]
    before = [file.stat().st_mtime_ns for file in lessons]
    assert len(lessons) == 2 * len(LESSONS)
    make_book()
    assert [file.stat().st_mtime_ns for file in lessons] == before


def test_progress_is_one_line(monkeypatch):
    """A bar that moved is shown as it was at the end; what comes before and after it stays where it is."""
    monkeypatch.syspath_prepend(ROOT / "book")
    from pages import still

    moved = [new_output("stream", text=text) for text in ("begun\n", "\r[#.] 1 of 2", "\r[##] 2 of 2\n", "done\n")]
    shown = new_output("display_data", {"text/plain": "a card"})
    cell = new_code_cell(outputs=[*moved[:3], shown, moved[3]])
    still(new_notebook(cells=[cell]))
    assert [output.get("text") for output in cell.outputs] == ["begun\n[##] 2 of 2\n", None, "done\n"]


def test_the_front_page_shows_where_it_leads():
    """The promise of README, both pictures with README's words for them, and the way to try it."""
    front, readme = soup(SITE / "index.html"), soup(ROOT / "README.md")
    assert "a check that tells you which idea went wrong" in front.article.get_text()
    shown = {Path(img["src"]).name: img["alt"] for img in front.select("article figure img")}
    assert shown == {Path(img["src"]).name: img["alt"] for img in readme.select("img")}
    assert front.select_one("article a[href='#run-it-yourself']") and "make lab" in front.article.get_text()


def tasks_of(lesson):
    """What it asks, and what another lesson asks too."""
    notebook = released(lesson)
    ids = [cell.metadata.nbgrader.grade_id for cell in notebook.cells if "nbgrader" in cell.metadata]
    return [name.removeprefix("check_").removeprefix("again_") for name in ids if name.startswith("check_")]


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_shows_every_exercise(lesson):
    """What is asked, a solution folded away, and a check that says right; what is not checked, such as a plot, too.

    Code that only draws is folded, too.
    """
    cells = released(lesson).cells
    written = [cell for cell in cells if "# your work goes here" in cell.source]
    page, checked = soup(lesson_page(lesson)), tasks_of(lesson)
    folds = page.select("div.tag_hide-input details")
    folded = [fold for fold in folds if fold.summary.p.get_text() == "Show a solution"]
    assert len(folded) == len(written) and not [fold for fold in folds if fold.has_attr("open")]
    drawn = [cell for cell in cells if cell.metadata.get("jupyter", {}).get("source_hidden")]
    assert len(folds) == len(written) + len(drawn)
    cards = [card.get_text() for card in page.select(".cell_output strong")]
    assert sorted(card for card in cards if card[0] in "✓✗◐○") == sorted(f"✓ {name}: right" for name in checked)
    for fold in folded:
        asked = fold.find_parent("div", class_="cell").find_previous_sibling("div")
        assert "# your work goes here" in asked.get_text()


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_shows_nothing_of_the_machinery(lesson):
    """Neither marks for nbgrader nor what only a notebook needs."""
    text = soup(lesson_page(lesson)).get_text()
    for foreign in ("BEGIN SOLUTION", "END SOLUTION", "Does nothing where the course is installed", "interactive("):
        assert foreign not in text


def test_the_front_page_leads_to_every_lesson():
    """In order."""
    links = [link["href"] for link in soup(SITE / "index.html").select("article a[href^='lessons/']")]
    assert links == [f"lessons/{lesson}.html" for lesson in LESSONS]


def test_nothing_comes_from_elsewhere():
    """Scripts, styles, fonts and pictures lie beside the pages: a reader without a network sees everything."""
    for page in pages():
        for thing in soup(page).select("[src], link[href], [data-jupyter-widgets-cdn]"):
            address = thing.get("src") or thing.get("href", "")
            assert not re.match(r"(https?:)?//", address) and not thing.has_attr("data-jupyter-widgets-cdn"), thing
    for style in [*SITE.glob("_static/*.css"), *SITE.glob("_static/styles/*.css")]:
        assert not re.search(r"url\(\W*(https?:)?//|@import\W+(https?:)?//", style.read_text(encoding="utf-8")), style


def test_every_link_leads_somewhere():
    """To a file that is there, and to a place in it."""
    for page in pages():
        for thing in soup(page).select("[href], [src]"):
            address = thing.get("href") or thing.get("src", "")
            if not re.match(r"[a-z]+:", address):
                name, _, place = unquote(address).partition("#")
                target = (page.parent / name.partition("?")[0]).resolve() if name else page
                if LIVE in target.parents and not HAS_LITE:
                    continue
                assert target.is_file(), f"{page.relative_to(SITE)}: {address}"
                if place:
                    assert soup(target).find(id=place), f"{page.relative_to(SITE)}: {address}"


def test_pages_say_what_they_are():
    """Language, title, one heading above all, none left out below it, a way past the navigation."""
    for page in pages():
        html = soup(page)
        assert html.html["lang"] == "en" and html.title.get_text().strip()
        levels = [int(heading.name[1]) for heading in html.select("article :is(h1, h2, h3, h4, h5, h6)")]
        assert levels[:1] in ([1], []) and levels.count(1) <= 1
        assert all(deeper <= level + 1 for level, deeper in pairwise(levels)), page
        assert html.find("a", class_="skip-to-content")
    for page in [SITE / "index.html", *map(lesson_page, LESSONS)]:
        assert soup(page).find("meta", attrs={"name": "description"})["content"]


def test_every_picture_has_words():
    """For those who cannot see it."""
    for page in map(lesson_page, LESSONS):
        pictures = soup(page).select("article img")
        assert pictures
        for picture in pictures:
            assert len(picture.get("alt", "").split()) >= 6, picture


# In a browser


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM:
        pytest.skip("needs chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS) as browser:
        yield browser


# Gives a mark to one of each kind of words: what axe says of contrast is the same of all of a kind.
MARK_KINDS = """() => {
    const seen = new Set(), has_words = it => [...it.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    document.querySelectorAll("[data-kind]").forEach(it => delete it.dataset.kind);
    for (const it of [...document.querySelectorAll("body *")].filter(has_words)) {
        const { color, fontSize, fontWeight } = getComputedStyle(it);
        const kind = [it.tagName, it.className, color, fontSize, fontWeight];
        for (let box = it; box; box = box.parentElement) {
            const { backgroundColor, backgroundImage, opacity } = getComputedStyle(box);
            kind.push(backgroundColor, backgroundImage, opacity);
        }
        if (!seen.has(kind.join())) it.dataset.kind = "first";
        seen.add(kind.join());
    }
}"""
PAGES = [LESSONS[3], "index", "cheat_sheet", "contract", "reference", "search", *LESSONS[:3], *LESSONS[4:]]
CONTRAST = "color-contrast"  # of all rules the one that takes its time


def barriers(tab, context=None, **options):
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(tab, context, {"resultTypes": ["violations"], **options}).response["violations"]
    return [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")]


def pale(tab, colours):
    """Words that are hard to read."""
    tab.emulate_media(color_scheme=colours)
    tab.evaluate(MARK_KINDS)
    return barriers(tab, {"include": [["[data-kind]"]]}, runOnly=[CONTRAST])


@pytest.fixture
def tab(browser):
    """A narrow window."""
    with browser.new_page(viewport={"width": 400, "height": 900}) as tab:
        yield tab


@pytest.mark.parametrize("name", [*PAGES[:1], *at_night(PAGES[1:])])
def test_axe_finds_nothing_serious(tab, name):
    """Contrast in light and dark, names, roles, what the keyboard reaches, with all solutions unfolded."""
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    page = lesson_page(name) if name in LESSONS else SITE / f"{name}.html"
    tab.goto(page.as_uri())
    tab.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    tab.wait_for_timeout(300)
    serious = barriers(tab, rules={CONTRAST: {"enabled": False}}) + pale(tab, "light") + pale(tab, "dark")
    assert not serious
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_pale_words_would_be_found(tab, colours):
    """One among many of their kind."""
    tab.goto(lesson_page(LESSONS[0]).as_uri())
    tab.locator("article p:visible").last.evaluate("it => it.style.color = '#888'")
    tab.locator("article p:visible").last.evaluate("it => it.style.backgroundColor = '#777'")
    assert [rule for rule, _ in pale(tab, colours)] == [CONTRAST]


# Sizes of letters in open code and in solutions; and code that is wider than its box.
CODE = """() => {
    const size = code => parseFloat(getComputedStyle(code).fontSize), sizes = [[], []], cut = [];
    document.querySelectorAll("details").forEach(fold => fold.open = true);
    for (const code of document.querySelectorAll(".cell_input div.highlight pre")) {
        sizes[code.closest("details") ? 1 : 0].push(size(code));
        if (code.scrollWidth > code.clientWidth + 1) cut.push(code.innerText.slice(0, 60));
    }
    return [...sizes, cut];
}"""


@pytest.mark.parametrize("lesson", [LESSONS[3], *at_night([*LESSONS[:3], *LESSONS[4:]])])
def test_code_is_read_without_scrolling(browser, lesson):
    """As large in a fold as above it, and no line of it is cut in a usual window."""
    with browser.new_page(viewport={"width": 1440, "height": 900}) as tab:
        tab.goto(lesson_page(lesson).as_uri())
        plain, folded, cut = tab.evaluate(CODE)
    assert plain and folded and len({*plain, *folded}) == 1
    assert not cut


def test_a_diagram_is_legible_on_a_phone(browser):
    """It keeps most of the size that it has in a wide window, and scrolls in its own box."""
    widths = {}
    with browser.new_page() as tab:
        for window in (1440, 390):
            tab.set_viewport_size({"width": window, "height": 900})
            tab.goto(lesson_page(LESSONS[5]).as_uri())
            boxes = tab.locator(".cell_output img")
            widths[window] = boxes.evaluate_all("them => them.map(it => it.getBoundingClientRect().width)")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    assert min(phone / wide for phone, wide in zip(widths[390], widths[1440], strict=True)) > 0.7


def test_from_the_front_page_to_a_solution(browser):
    """A lesson is a click away, maths is set, a solution unfolds, and the page turns dark."""
    from playwright.sync_api import expect

    page = browser.new_page()
    page.goto((SITE / "index.html").as_uri())
    page.get_by_role("main").get_by_role("link", name="Lesson 01").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Lesson 01")
    expect(page.locator("mjx-container").first).to_be_visible()
    solution = page.locator("details", has_text="def softmax(")
    expect(solution.get_by_text("return unscaled")).to_be_hidden()
    solution.locator("summary").click()
    expect(solution.get_by_text("return unscaled")).to_be_visible()
    page.emulate_media(color_scheme="light")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Toggle Light / Dark / Auto color theme").filter(visible=True).click()
    expect(page.locator("body")).not_to_have_css("background-color", paper)
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "book dark.png")


# Live lessons


def test_the_front_page_and_each_lesson_in_numpy_lead_to_live_ones():
    """Others do not: they need torch."""
    for lesson in LESSONS:
        links = soup(lesson_page(lesson)).select(f"article a[href$='?path={lesson}/{lesson}.ipynb']")
        assert bool(links) == bool(lacking(lesson))
    assert soup(SITE / "index.html").select_one("article a[href^='live/']")


@pytest.fixture
def live(tmp_path):
    """A copy of the live lessons, and its address."""
    if not HAS_LITE:
        pytest.skip("JupyterLite is not installed: `make tools` installs it")
    shutil.copytree(LIVE, tmp_path / "live")
    handler = partial(QuietHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield tmp_path / "live", f"http://127.0.0.1:{server.server_port}/live/lab/index.html"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def open_live(browser, address, lesson):
    """Return the page of a live lesson, as soon as its cells are there; its kernel takes longer."""
    page = browser.new_page()
    page.goto(f"{address}?path={lesson}/{lesson}.ipynb")
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=60_000)
    return page


def test_a_live_lesson_opens(live, browser):
    """With a first cell that gets our wheel from the site; all that is asked of elsewhere is Pyodide's."""
    folder, address = live
    asked = []
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        context.on("request", lambda request: asked.append(request.url))
        page = open_live(context, address, LESSONS[0])
        page.get_by_role("heading", name="Lesson 00").first.wait_for()
        page.locator(".jp-CodeCell", has_text="%pip install").wait_for()
        SCREENSHOTS.mkdir(exist_ok=True)
        page.screenshot(path=SCREENSHOTS / "live lesson.png")
    elsewhere = [url for url in asked if not url.startswith((address.partition("/live")[0], "data:", "blob:"))]
    assert [url for url in elsewhere if not url.startswith(PYODIDE)] == []
    wheels = json.loads((folder / "pypi" / "all.json").read_text(encoding="utf-8"))
    assert {"multi-head-attention-course", "array-api-compat", "comm", "ipywidgets"} <= wheels.keys()


PYODIDE = "https://cdn.jsdelivr.net/pyodide/"


@pytest.mark.nightly
def test_right_answers_are_right_in_the_browser(live, browser):
    """All of lesson 01, with our solutions, in Pyodide with its own NumPy."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_LOCK_DEFAULT_URL
    from playwright.sync_api import expect

    try:
        urlopen(PYODIDE_LOCK_DEFAULT_URL, timeout=5).close()
    except OSError:
        pytest.skip(f"needs NumPy from {PYODIDE}, which cannot be reached from here")
    folder, address = live
    lesson = LESSONS[1]
    target = folder / "files" / lesson / f"{lesson}.ipynb"
    first = next(cell for cell in nbformat.read(target, as_version=4).cells if cell.id == INSTALL)
    notebook = solved(lesson)
    notebook.cells = [first if cell.id == INSTALL else cell for cell in notebook.cells]
    nbformat.write(notebook, target)
    show_all_cells(folder / "jupyter-lite.json")
    page = open_live(browser, address, lesson)
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for(timeout=120_000)
    page.get_by_text("Run", exact=True).first.click()
    page.get_by_text("Run All Cells", exact=True).first.click()
    cards = page.locator(".jp-OutputArea-output strong").filter(has_text=re.compile("^[✓✗◐○]"))
    expect(cards).to_have_count(len(tasks_of(lesson)), timeout=240_000)
    assert sorted(cards.all_inner_texts()) == sorted(f"✓ {name}: right" for name in tasks_of(lesson))


def show_all_cells(file):
    """Let JupyterLab render cells that are out of view, too."""
    settings = json.loads(file.read_text(encoding="utf-8"))
    notebooks = settings["jupyter-config-data"]["settingsOverrides"]["@jupyterlab/notebook-extension:tracker"]
    notebooks["windowingMode"] = "none"
    file.write_text(json.dumps(settings), encoding="utf-8")
