"""The engine names nothing of our course, but for a few words that have a reason."""

import re

import pytest
from helpers import ROOT

OF_THE_COURSE = re.compile(
    r"\b(mha_ref|mha_lessons|lesson_0[0-9]\w*|attention|softmax|b_key|dead_row|decoder|w_query)\b", re.IGNORECASE
)
ALLOWED = {
    "judging/overlooked.py": "functions of torch and NumPy whose results are numbers",
    "learning/check.py": "an example of a call",
    "learning/naming.py": "an example of a call",
    "outline.py": "the course that is installed by default",
}
FILES = sorted((ROOT / "autograder").rglob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT / "autograder")))
def test_a_file_of_the_engine_names_nothing_of_the_course(file):
    """What is about attention is in `mha_lessons` and `mha_ref`."""
    if file.relative_to(ROOT / "autograder").as_posix() not in ALLOWED:
        assert OF_THE_COURSE.findall(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", ALLOWED)
def test_an_exception_is_still_needed(name):
    """The list gets shorter, never longer without a reason."""
    assert OF_THE_COURSE.search((ROOT / "autograder" / name).read_text(encoding="utf-8"))
