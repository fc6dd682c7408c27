"""The cheat sheet: complete, its shapes are true, and it fits on two sides of A4."""

import re
import shutil
from collections import Counter

import numpy as np
import pytest
from click import ClickException

import mha_ref
from autograder import EXERCISES
from autograder.course import installed
from autograder.shapes import axis_words, words_of_result
from autograder.teaching import cheat_sheet
from autograder.teaching.cheat_sheet import rows_of

COURSE = installed()
ROWS = [row for lesson in COURSE.released for row in rows_of(COURSE, lesson)[0]]
CHROMIUM = shutil.which("chromium")
A4 = (0, 0, 595, 842)  # in points


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page, in a folder of its own."""
    file = tmp_path_factory.mktemp("sheet") / cheat_sheet.FILE
    file.write_text(cheat_sheet.cheat_sheet(COURSE), encoding="utf-8")
    return file


# What is on it


def test_every_function_is_on_it_once():
    """All that is asked and that the reference exports; a class only where its formula is another one."""
    named = Counter(name for row in ROWS for name in row.names)
    assert named.most_common(1)[0][1] == 1
    assert {name for name in EXERCISES if name in mha_ref.__all__} == named.keys() & set(mha_ref.__all__)


def test_a_row_stands_in_its_lesson():
    """It may speak for functions of other lessons."""
    for lesson in COURSE.released:
        assert {row.task.lesson for row in rows_of(COURSE, lesson)[0]} <= {lesson}


def test_every_formula_can_be_set(page):
    """No TeX is left over, and nothing comes from elsewhere."""
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"[\\$`]|https?:", text) and text.count("<math") >= len(ROWS)


@pytest.mark.parametrize("line", ['trap.forgets_to_scale = "..."', 'also = ["softmux"]\ntrap.softmax_twice = "..."'])
def test_a_name_that_is_none_stops_the_build(line, tmp_path, monkeypatch):
    """Of a mistake that softmax does not know, of an exercise that there is not."""
    (tmp_path / "lesson_01_softmax").mkdir()
    (tmp_path / "lesson_01_softmax" / "sheet.toml").write_text(f"[softmax]\nformula = 'x'\n{line}\n")
    monkeypatch.setattr(COURSE, "folder", tmp_path)
    with pytest.raises(ClickException, match=r"forgets_to_scale|softmux"):
        rows_of(COURSE, "lesson_01_softmax")


# Shapes


def misfits(words, array, sizes):
    """Axes whose length is another one than their word's; sizes: word -> length, as far as it is known."""
    named, shape = [word for word in words if word != "..."], np.shape(array)
    if len(named) > len(shape) or ("..." not in words and len(named) < len(shape)):
        yield f"{shape} is not {words}"
    for word, length in zip(reversed(named), reversed(shape)):
        if word.isidentifier():
            sizes.setdefault(word, length)
        if set(re.findall(r"[a-z]\w*", word)) <= sizes.keys() and eval(word.replace("·", "*"), {}, sizes) != length:
            yield f"{word} is {length}, with {sizes}"


def shapes_of(row, case):
    """What a run takes and returns, each array with its words; nothing where the case is refused."""
    words, reference = axis_words(row.task.reference), row.task.reference
    try:
        got = reference(**case.inputs)
    except ValueError:
        return
    yield from ((words[name], x) for name, x in case.inputs.items() if name in words and x is not None)
    yield from ((words_of_result(reference, n), x) for n, x in enumerate(got if isinstance(got, tuple) else [got]))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.task.name)
def test_its_shapes_are_those_of_a_run(row):
    """On every case: one length for each word, in all that goes in and comes out."""
    tried = 0
    for case in row.task.cases():
        sizes = {name: x for name, x in case.inputs.items() if type(x) is int}
        for words, array in shapes_of(row, case):
            tried += 1
            assert not words or not list(misfits(words, array, sizes)), case.inputs
    assert tried


def test_a_wrong_shape_would_be_found():
    """Another length, an axis too many, a sum that is none."""
    table = np.zeros((2, 3))
    assert not list(misfits(("...", "queries", "keys"), table, {"keys": 3}))
    for words in [("...", "keys", "queries"), ("keys",), ("queries", "past+new")]:
        assert list(misfits(words, table, {"keys": 3, "queries": 2, "past": 1, "new": 1})), words


# In a browser


@pytest.fixture
def tab(page):
    """The page in a browser, on the screen of a telephone."""
    if not CHROMIUM:
        pytest.skip("needs chromium")
    from playwright.sync_api import sync_playwright

    options = dict(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
    with sync_playwright() as playwright, playwright.chromium.launch(**options) as browser:
        tab = browser.new_page(viewport={"width": 390, "height": 800})
        tab.goto(page.as_uri())
        yield tab


def test_it_prints_on_two_sides_of_a4(tab):
    """A side for each part of the course."""
    pdf = tab.pdf(prefer_css_page_size=True)
    assert re.findall(rb"/Count (\d+)", pdf) == [b"2"]
    assert {tuple(map(round, map(float, box.split()))) for box in re.findall(rb"/MediaBox \[(.*?)\]", pdf)} == {A4}


def test_it_can_be_read_on_a_telephone(tab):
    """Nothing sticks out, and no formula has to be scrolled, which takes more than a keyboard."""
    wide = "[...document.querySelectorAll('html, .formula')].filter(box => box.scrollWidth > box.clientWidth).length"
    assert tab.evaluate(wide) == 0
