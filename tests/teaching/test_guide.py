"""The instructor's guides: one begins with a week, and every command in them is one that there is."""

import re
import shlex

import pytest
from helpers import ROOT

from autograder.cli import main

GUIDE = (ROOT / "docs/teaching.md").read_text(encoding="utf-8")
PLATFORMS = (ROOT / "docs/platforms.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\w*\n(.*?)^```", GUIDE + PLATFORMS, flags=re.DOTALL | re.MULTILINE)
TYPED = re.findall(r"^(?:\$ )?mha (.*)$", "".join(BLOCKS), flags=re.MULTILINE)
COMMANDS = [shlex.split(line, comments=True) for line in TYPED]


def test_it_begins_with_a_week():
    """Nine lines, and nothing else before them: from the kit to the marks."""
    week = BLOCKS[0].splitlines()
    assert GUIDE.startswith(f"# An instructor's week\n\n```\n{BLOCKS[0]}")
    assert len(week) == 9 and all(line.startswith("mha ") for line in week)
    assert (week[0].split()[1], week[-1].split()[1]) == ("kit", "marks")


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_its_commands_can_be_typed(words):
    """Each is there, and takes these options."""
    name, *rest = words
    known = {option for parameter in main.commands[name].params for option in parameter.opts}
    assert name == "lab" or {word for word in rest if word.startswith("--")} <= known


def test_it_has_contents_and_is_short():
    """Each part is linked above; an instructor reads all of it in ten minutes."""
    parts = re.findall(r"^## (.*)$", GUIDE, flags=re.MULTILINE)
    contents = GUIDE.partition("\n## ")[0]
    assert parts and all(f"[{part}](#{part.lower().replace(' ', '-')})" in contents for part in parts)
    assert len(GUIDE.split()) < 2300


def test_it_names_the_nbgrader_that_was_tried():
    """A hub's image gets the version of our own installation."""
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert set(re.findall(r"nbgrader==[\d.]+", GUIDE)) == {pin for pin in pins if pin.startswith("nbgrader==")}


@pytest.mark.parametrize("platform", main.commands["bundle"].params[0].type.choices)
def test_each_platform_has_its_bundle_in_the_guide(platform):
    """With the command that makes it, and whether anything was uploaded."""
    assert f"mha bundle {platform} 3 -o " in PLATFORMS and "uploaded" in PLATFORMS
