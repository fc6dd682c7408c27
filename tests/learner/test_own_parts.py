"""What a learner wrote, and was judged right, is used in later lessons; where it cannot be, the course's own is."""

import re
from html import unescape

import pytest
from helpers import at_night
from learners import lesson_of_a_learner
from running_notebook import run_notebook

from autograder.catalogue import LESSONS

SOFTMAX = '''
def softmax(scores, axis=-1):
    """Mine."""
    scores = numbers.exp(scores - scores.max(axis=axis, keepdims=True))
    return scores / total(scores, axis)


def total(scores, axis):
    return scores.sum(axis=axis, keepdims=True)
'''
CHECK = "import numpy as numbers\nfrom autograder import check", SOFTMAX, "check(softmax)"
pytestmark = pytest.mark.usefixtures("quick_kernels")
IMPORT = "from autograder.mine import softmax, weighted_mean", "print(softmax.__doc__)"
LAYER = """
from math import sqrt

import torch
from torch import nn
from autograder import check
"""


@pytest.fixture
def in_lesson(tmp_path):
    """A function that runs cells in a lesson's folder, as the same learner each time; returns what they show."""

    def run(lesson, *cells, **environment):
        folder = tmp_path / next(name for name in LESSONS if name[7:9] == lesson)
        folder.mkdir(exist_ok=True)
        return shown(run_notebook(cells, folder, MHA_PROGRESS=str(tmp_path / "progress.jsonl"), **environment))

    return run


def shown(outputs):
    """Return the words that each cell shows."""
    return [" ".join("".join(map(words, each)).split()) for each in outputs]


def words(output):
    if html := output.get("data", {}).get("text/html"):
        return unescape(re.sub("<[^>]*>", "", html))
    return output.get("text") or output.get("data", {}).get("text/plain") or output.get("evalue")


def test_a_right_answer_is_used_later(in_lesson, tmp_path):
    """With its helpers and imports, and one line says whose each name is; the file is one that people can read."""
    *_, card = in_lesson("01", *CHECK)
    assert "Kept for later lessons, in mine_in_numpy.py." in card
    line, doc = in_lesson("02", *IMPORT)
    assert line == "Yours: softmax. Ours: weighted_mean" and doc == "Mine."
    text = (tmp_path / "mine_in_numpy.py").read_text()
    assert "import numpy as numbers\n" in text and SOFTMAX.split("\n\n\n")[0] in text and "def total(" in text


def test_a_wrong_answer_is_not(in_lesson, tmp_path):
    """Nothing is kept, and nothing is said: a lesson opened alone works."""
    in_lesson("01", *CHECK[:1], SOFTMAX.replace("/ total", "/ 2 / total"), CHECK[2])
    line, doc = in_lesson("02", *IMPORT)
    assert line == "" and "Mine" not in doc and not (tmp_path / "mine_in_numpy.py").exists()


@pytest.mark.slow
def test_somebody_changes_the_file(in_lesson, tmp_path):
    """What is still right is used; what is not steps back with a sentence, and comes again when it is mended."""
    in_lesson("01", *CHECK)
    file = tmp_path / "mine_in_numpy.py"
    text = file.read_text()
    for change, said in {
        ("- scores.max", "+ 0 * scores.max"): "Ours: softmax (yours is not right), weighted_mean",
        ("scores.sum", "2 * scores.sum"): "Ours: softmax (yours is not right), weighted_mean",
        ("return", "retrun"): "Ours: softmax (mine_in_numpy.py stops with SyntaxError: ",
        ("Mine.", "Mine!"): "Yours: softmax. Ours: weighted_mean",
        ("", ""): "Yours: softmax. Ours: weighted_mean",
    }.items():
        file.write_text(text.replace(*change) if change[0] else text)
        assert in_lesson("02", *IMPORT)[0].startswith(said), change
    file.write_text(text.replace("# %%", "EXTRA = 1\n\n\n# %%", 1))
    in_lesson("01", CHECK[0], SOFTMAX.replace("Mine", "Newer"), CHECK[2])
    assert "EXTRA = 1\n" in file.read_text() and "Newer" in file.read_text()


@pytest.mark.slow
def test_odd_ways_to_be_right(in_lesson, tmp_path):
    """Another name, an infinite constant, a section of one's own in the file, and the later of two versions are kept.

    What is no function is told.
    """
    odd = SOFTMAX.replace("softmax", "mine").replace("scores = numbers.exp", "scores = LOWEST * 0 + numbers.exp")
    odd = odd.replace("LOWEST * 0", "(LOWEST > 0)") + "\nsoftmax = mine\nLOWEST = float('-inf')\n"
    assert "Kept for later lessons" in in_lesson("01", CHECK[0], odd, CHECK[2])[-1]
    assert in_lesson("02", *IMPORT)[0] == "Yours: softmax. Ours: weighted_mean"
    file = tmp_path / "mine_in_numpy.py"
    section = "# %% helpers, of mine\n# notes\nEXTRA = weighted_mean\nprint(EXTRA)\n"
    file.write_text(file.read_text() + "\n\n" + section)
    for _ in range(2):
        twice = SOFTMAX.replace("/ total", "/ 2 / total") + SOFTMAX
        assert "Kept for later lessons" in in_lesson("01", CHECK[0], twice, CHECK[2])[-1]
        assert file.read_text().endswith(section) and "/ 2 /" not in file.read_text()
        assert in_lesson("02", *IMPORT)[0] == "Yours: softmax. Ours: weighted_mean"
    partial = "from functools import partial", SOFTMAX.replace("softmax", "base"), "softmax = partial(base)", CHECK[2]
    assert "it is no function that a cell defines" in in_lesson("01", CHECK[0], *partial)[-1]
    file.write_bytes("# é\n".encode("latin-1"))
    assert "It cannot be kept for later lessons" in in_lesson("01", *CHECK)[-1]


@pytest.mark.slow
def test_what_stands_above_the_parts_is_changed(in_lesson, tmp_path):
    """They are judged again: one may use it."""
    scaled = SOFTMAX.replace("return scores / total", "return SCALE * scores / total")
    in_lesson("01", CHECK[0], "SCALE = 1.0", scaled, CHECK[2])
    file = tmp_path / "mine_in_numpy.py"
    text = file.read_text().replace("SCALE = 1.0\n\n\n", "").replace("# %%", "SCALE = 1.0\n\n\n# %%", 1)
    for number, said in ((1.0, "Yours: softmax"), (2.0, "Ours: softmax (yours is not right)")):
        file.write_text(text.replace("SCALE = 1.0", f"SCALE = {number}"))
        assert in_lesson("02", *IMPORT)[0].startswith(said)


@pytest.mark.slow
def test_ours_if_one_likes(in_lesson):
    """`use_ours()` turns it off for all lessons, and `use_ours(False)` on again."""
    in_lesson("01", *CHECK)
    on, off = (
        "from autograder.mine import use_ours\nuse_ours()",
        "from autograder.mine import use_ours\nuse_ours(False)",
    )
    assert "Mine" not in in_lesson("02", on, *IMPORT)[2] and "Mine" not in in_lesson("03", *IMPORT)[1]
    assert "Mine." in in_lesson("02", off, *IMPORT)[2]


@pytest.mark.slow
@pytest.mark.parametrize("variable", ["NBGRADER_EXECUTION", *at_night(["NBGRADER_VALIDATING"])])
def test_grading_takes_the_course_s(in_lesson, tmp_path, variable):
    """Whatever lies beside the notebook; and it writes nothing there."""
    in_lesson("01", *CHECK)
    text = (tmp_path / "mine_in_numpy.py").read_text()
    line, doc = in_lesson("02", *IMPORT, **{variable: "1"})
    assert line == "" and "Mine" not in doc
    in_lesson("01", CHECK[0], SOFTMAX.replace("Mine", "Another"), CHECK[2], **{variable: "1"})
    assert (tmp_path / "mine_in_numpy.py").read_text() == text


@pytest.mark.slow
def test_what_no_file_can_hold(in_lesson):
    """It is said what the answer needs of its notebook, and that later lessons use ours."""
    cells = CHECK[0] + "\nones = numbers.ones(1)", SOFTMAX.replace("/ total", "/ ones / total"), CHECK[2]
    *_, said = in_lesson("01", *cells)
    assert "It cannot be kept for later lessons: it uses ones, a value of your notebook" in said


@pytest.mark.nightly
def test_two_helpers_of_one_name(in_lesson, tmp_path):
    """In one file the second would take the first one's place: the learner is asked for another name."""
    in_lesson("01", *CHECK)
    scores = "def attention_scores(query, key):\n    return total(query, key)\n\n\ndef total(query, key):\n"
    scores += "    return query @ key.mT / query.shape[-1] ** 0.5"
    *_, said = in_lesson("02", CHECK[0], scores, "check(attention_scores)")
    assert said.startswith("✓") and "total is something else beside your softmax; give it another name" in said
    assert "Mine." in in_lesson("02", *IMPORT)[1]


@pytest.mark.nightly
def test_what_is_written_for_tensors_is_carried_over(in_lesson):
    """A matrix product is one in torch, too; what calls NumPy is not carried over."""
    mean = "def weighted_mean(weights, values):\n    '''Mine.'''\n    return weights @ values"
    in_lesson("00", CHECK[0], mean, "check(weighted_mean)")
    in_lesson("01", *CHECK)
    line, docs = in_lesson("05", IMPORT[0], "print(weighted_mean.__doc__, softmax.__doc__)")
    assert line == "Yours: weighted_mean. Ours: softmax (yours is for NumPy)" and docs.startswith("Mine. ")


@pytest.mark.slow
def test_parts_that_use_each_other_are_carried_over(in_lesson):
    """Some are in one file and some in the other; each finds the newest version of what it uses."""
    weights = "def attention_weights(query, key):\n    return softmax(query @ key.mT / query.shape[-1] ** 0.5)"
    mean = "def scaled_dot_product_attention(query, key, value):\n    return attention_weights(query, key) @ value"
    in_lesson("01", *CHECK)
    use = "from autograder.mine import "
    in_lesson(
        "02",
        CHECK[0],
        use + "softmax",
        weights,
        "check(attention_weights)",
        mean,
        "check(scaled_dot_product_attention)",
    )
    in_torch = SOFTMAX.replace("numbers.exp(", "(").replace("keepdims=True))", "keepdims=True).values).exp()")
    in_torch = in_torch.replace("axis=axis, keepdims", "dim=axis, keepdim").replace("Mine", "In torch")
    for _ in range(2):
        assert in_lesson("04", LAYER, in_torch, "check(softmax)")[-1].startswith("✓")
    names = "attention_weights, scaled_dot_product_attention, softmax"
    line, doc = in_lesson("05", use + names, "print(softmax.__doc__)")
    assert line == f"Yours: {names}" and doc == "In torch."


@pytest.mark.nightly
def test_a_slow_version_steps_back(in_lesson, tmp_path):
    """And every part that uses it takes ours in its place."""
    slow = LAYER + (
        "def split_heads(x, heads):\n    '''Mine.'''\n    if x.shape[-1] % heads:\n        raise ValueError\n"
        "    for row in x.flatten().tolist() * 3:\n        sqrt(row * row)\n"
        "    return x.unflatten(-1, (heads, -1)).transpose(1, 2)"
    )
    attention = (
        "from autograder.mine import masked_attention\n"
        "def multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):\n"
        "    parts = (split_heads(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))\n"
        "    return masked_attention(*parts, mask).transpose(1, 2).flatten(2) @ w_output"
    )
    assert "Kept for later lessons" in in_lesson("06", slow, "check(split_heads)")[1]
    assert "Kept for later lessons" in in_lesson("06", slow, attention, "check(multi_head_attention)")[2]
    look = "print(split_heads.__doc__, multi_head_attention.__globals__['split_heads'] is split_heads)"
    line, same = in_lesson("07", "from autograder.mine import multi_head_attention, split_heads", look)
    assert re.fullmatch(r"Yours: multi_head_attention. Ours: split_heads \(yours takes \d+ times as long\)", line)
    assert "Mine" not in same and same.endswith("True")


@pytest.mark.nightly
def test_a_hungry_version_steps_back(in_lesson):
    """It is right, and each query meets each key in a table with an axis more: sixteen times the memory of ours."""
    hungry = (
        "def attention_scores(query, key):\n    '''Mine.'''\n"
        "    return (query[..., :, None, :] * key[..., None, :, :]).sum(dim=-1) / sqrt(query.shape[-1])"
    )
    assert "Kept for later lessons" in in_lesson("04", LAYER, hungry, "check(attention_scores)")[2]
    line, doc = in_lesson("06", "from autograder.mine import attention_scores", "print(attention_scores.__doc__)")
    assert line == "Ours: attention_scores (yours makes a tensor 16 times as large)" and "Mine" not in doc


LEARNERS = at_night(range(5))


@pytest.mark.parametrize("number", LEARNERS)
def test_a_learner_s_own_parts_run_every_lesson(number, tmp_path):
    """Five learners answer everything in styles of their own; each lesson runs on what they wrote before.

    Where one wrote for NumPy and did not write it again in torch, it is ours; no cell stops, and no card complains.
    """
    lessons = LESSONS if number else LESSONS[:8]  # all of them at night
    for lesson in lessons:
        run = lesson_of_a_learner(lesson, number, tmp_path)
        said = dict(zip([source for source, _ in run], shown(outputs for _, outputs in run)))
        stopped = [source for source, outputs in run for output in outputs if output.output_type == "error"]
        waits = [text for text in said.values() if text.startswith(("✗", "○"))]
        assert not stopped and not waits, (lesson, stopped, waits)
        told = " ".join(text for text in said.values() if re.match("(Yours|Ours): ", text))
        such_styles = r" \(yours (is for NumPy|(takes|makes a tensor) \d+ times as \w+)\)"
        told = re.sub(such_styles, "", told)
        assert "(" not in told and ("Yours" in told or lesson == LESSONS[0] or lesson == LESSONS[4]), (lesson, told)
