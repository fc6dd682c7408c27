"""The instructor's guide: its first lines are a week, and every command in it is one that there is."""

import re
import shlex

import pytest
from helpers import ROOT

from autograder.cli import main

GUIDE = (ROOT / "docs/teaching.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\w*\n(.*?)^```", GUIDE, flags=re.DOTALL | re.MULTILINE)
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
