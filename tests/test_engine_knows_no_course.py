"""The engine names nothing of our course, but for a few words that have a reason."""

import re

from helpers import ROOT

OF_THE_COURSE = re.compile(
    r"\b(mha_ref|mha_lessons|lesson_0[0-9]\w*|attention|softmax|b_key|dead_row|decoder|w_query)\b", re.IGNORECASE
)
ALLOWED = {
    "judging/code_slips.py": "functions of torch and NumPy whose results are numbers",
    "learner/check.py": "an example of a call",
    "outline.py": "the course that is installed by default",
}


def test_the_engine_names_nothing_of_the_course():
    """What is about attention is in `mha_lessons` and `mha_ref`; each exception is needed still."""
    engine = ROOT / "autograder"
    found = {
        file.relative_to(engine).as_posix(): OF_THE_COURSE.findall(file.read_text(encoding="utf-8"))
        for file in engine.rglob("*.py")
    }
    assert {file: words for file, words in found.items() if words and file not in ALLOWED} == {}
    assert {file for file in ALLOWED if not found.get(file)} == set()
