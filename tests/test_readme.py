"""README is short, and what it links, shows and promises is there."""

import re

import pytest
from click.testing import CliRunner
from helpers import ROOT

from autograder.catalogue import LESSONS
from autograder.cli import main
from autograder.outline import outline

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def prose(text):
    """Return the text without code, tables, and descriptions of pictures."""
    return re.sub(r"```.*?```|^\|.*?$|!\[.*?\]\(.*?\)|\]\(.*?\)|<img .*?>", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(text):
    """Return the anchors that GitHub gives to the headings of a text."""
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_it_is_read_in_two_minutes():
    """Prose of 500 words at most; figures have a page of their own."""
    assert len(prose(README).split()) <= 500


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document):
    """Each link to a file of ours finds it, and each anchor its heading."""
    for link in re.findall(r"\]\(([^)]*)\)", document.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        if path.startswith("https:"):
            continue
        target = document.parent / path if path else document
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def test_every_lesson_has_its_row():
    """The table links each lesson, in their order."""
    assert re.findall(r"^\| \[.*?\]\(course/(.*?)/", README, flags=re.MULTILINE) == list(LESSONS)


def test_its_hours_are_the_sum_of_its_minutes():
    """A reader who adds up the table comes to the hours that the text gives; `progress()` counts with the same."""
    minutes = dict(zip(LESSONS, map(int, re.findall(r"^\| \[.* (\d+) \|$", README, flags=re.MULTILINE)), strict=True))
    first = sum(n for lesson, n in minutes.items() if lesson < outline().parts["Part II"])
    assert round(first / 60) == 9 and "about nine hours" in README
    assert round(2 * (sum(minutes.values()) - first) / 60) / 2 == 8 and "Part II is seven, about eight" in README
    assert minutes == {lesson: outline().about(lesson)["minutes"] for lesson in LESSONS}


def test_the_try_shows_a_mistake_by_its_name(capsys):
    """Whoever pastes the example reads what README shows below it."""
    code, shown = re.search(r"```python\n(.*?)```\s+```\n(.*?)```", README, flags=re.DOTALL).groups()
    exec(code, {})
    said = capsys.readouterr().out
    assert "✗ softmax: not yet" in shown and "sum to 1" in shown
    for part in shown.split("[...]\n"):
        assert part in said


def test_every_command_exists():
    """Each `mha` verb in README and in the docs is one that `mha` knows."""
    named = {verb for file in DOCUMENTS for verb in re.findall(r"`mha (\w+)", file.read_text(encoding="utf-8"))}
    known = CliRunner().invoke(main, ["--help"]).output
    assert {"lab", "grade", "report"} <= named
    assert [verb for verb in sorted(named) if not re.search(rf"^  {verb} ", known, flags=re.MULTILINE)] == []


def test_it_names_the_torch_that_set_up_takes():
    """Whoever uses pip does not download CUDA either."""
    (index,) = re.findall(r'^CPU_TORCH = "(.*)"$', (ROOT / "tools/set_up.py").read_text("utf-8"), flags=re.MULTILINE)
    assert f"`--extra-index-url {index}`" in README


def test_workflows_call_what_there_is():
    """And publish the site that `make book` makes."""
    texts = {file.stem: file.read_text(encoding="utf-8") for file in (ROOT / ".github" / "workflows").glob("*.yml")}
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert set(re.findall(r"run: make ([\w-]+)", "".join(texts.values()))) <= set(targets)
    assert "run: make book" in texts["pages"] and "path: book/build/site" in texts["pages"]
