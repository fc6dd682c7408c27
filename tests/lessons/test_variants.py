"""Questions with numbers of one's own: whatever is drawn, text, answer and named mistakes belong together."""

import json
import re

import pytest
from click import ClickException
from helpers import released
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder import EXERCISES, check, hint, judge, solution
from autograder.build import solution_notebook
from autograder.catalogue import LESSONS, varying
from autograder.course import installed
from autograder.judging.behaviour import behaviour_hash
from autograder.plain_values import plain
from autograder.question import NUMBERS, Question, put_numbers_in, varied

VARYING = [question for lesson in LESSONS for question in varying(lesson)]
NAMES = [question.name for question in VARYING]
SEEDS = st.integers(0, 2**128 - 1)  # as those that grading derives


def shape_of_a_weighted_mean(text):
    (batch, queries, _), (_, keys, _), (_, again, features) = shapes_in(text)
    assert keys == again
    return batch, queries, features


def shape_from_a_head(text):
    (*words, features), (inputs, _), (again, outputs) = shapes_in(text)
    assert features == inputs == again
    return *words, outputs


def scaled(text):
    query, key = shapes_in(text)
    return sum(q * k for q, k in zip(query, key)) / len(query) ** 0.5


def rows_of_a_third(text):
    ((rows, _),) = shapes_in(text)
    return rows // 3, rows - rows // 3


def loops(text):
    (rows, inner), (again, columns) = shapes_in(text)
    assert inner == again
    return sum(2 for _ in range(rows) for _ in range(columns) for _ in range(inner))


def shapes_in(text):
    return [tuple(map(int, shape.split(","))) for shape in re.findall(r"\(([\d, ]+)\)", question_in(text))]


def numbers_in(text):
    return [int(n) for n in re.findall(r"\b\d+\b", question_in(text))]


def question_in(text):
    """The last paragraph."""
    return text.split("\n\n")[-1]


def two_weighted_means(text):
    """By the rows of love in the two maps, which the lesson shows above."""
    carried = [int(n) for n in re.findall(r"carries (\d+)", text)]
    return tuple(sum(share * n for share, n in zip(row, carried)) for row in ((0.7, 0.2, 0.1), (0.1, 0.2, 0.7)))


def three_matrices(text):
    features, size = numbers_in(text)
    return sum(features * size for _ in ("query", "key", "value"))


# What somebody works out who has read the text, and nothing else of ours.
BY_READING = {
    "score_variance": lambda text: numbers_in(text)[-1],
    "scaled_score": scaled,
    "attention_output_shape": shape_of_a_weighted_mean,
    "head_output_shape": shape_from_a_head,
    "parameters_of_a_head": three_matrices,
    "love_from_two_heads": two_weighted_means,
    "rows_of_the_keys": rows_of_a_third,
    "product_flops": loops,
}


def asked(notebook, name):
    """The text above an answer."""
    place = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells].index(name)
    return notebook.cells[place - 1].source


def drawn(question, seed):
    return question.variants.with_numbers(question.variants.draw(seed))


def test_there_is_something_to_test():
    """Each question that varies has somebody here who reads its text; there are many, in several lessons."""
    assert sorted(NAMES) == sorted(name for name in BY_READING if EXERCISES[name].lesson in LESSONS)
    assert len(NAMES) >= 7 and len({question.lesson for question in VARYING}) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_there_is_enough_to_draw_from(name):
    """At least eight different right answers, beside the common one."""
    question = EXERCISES[name]
    answers = {plain(question.variants.with_numbers(numbers).answer) for numbers in question.variants.fit}
    assert len(answers) >= 8 and plain(question.answer) not in answers


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_what_is_drawn_can_be_answered(name, seed):
    """Right is right, and the answer to the common numbers, which others pass on, is not."""
    common = EXERCISES[name]
    own = drawn(common, seed)
    assert judge(own.answer, own).right
    assert not judge(common.answer, own).right and not judge(own.answer, common).right


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_mistakes_have_the_same_names_for_all(name, seed):
    """Each wrong answer is told what it is, in a student's own numbers, and counted with the others' in reports."""
    common = EXERCISES[name]
    own = drawn(common, seed)
    for (wrong, message), its_common in zip(own.wrong.items(), common.wrong, strict=True):
        verdict = judge(wrong, own)
        assert not verdict.right and verdict.message == message
        assert verdict.misconception.name == judge(its_common, common).misconception.name


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_text_and_answer_belong_together(name, seed):
    """Whoever reads the text of their notebook and works it out is right."""
    own, notebook = drawn(EXERCISES[name], seed), released(EXERCISES[name].lesson)
    put_numbers_in(notebook, EXERCISES[name], own.numbers)
    assert judge(BY_READING[name](asked(notebook, name)), own).right, asked(notebook, name)


@pytest.mark.parametrize("name", NAMES)
def test_the_common_text_and_answer_belong_together(name):
    """In the notebook that lies in the course."""
    assert judge(BY_READING[name](asked(released(EXERCISES[name].lesson), name)), name).right


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_nothing_else_changes(name, seed):
    """One text cell of the notebook, and in it as many words on as many lines."""
    before, after = released(EXERCISES[name].lesson), released(EXERCISES[name].lesson)
    put_numbers_in(after, EXERCISES[name], EXERCISES[name].variants.draw(seed))
    changed = [(old.source, new.source) for old, new in zip(before.cells, after.cells, strict=True) if old != new]
    assert len(changed) == 1
    for old, new in zip(changed[0][0].split("\n"), changed[0][1].split("\n"), strict=True):
        assert re.sub(r"\d+", "0", old) == re.sub(r"\d+", "0", new)


def test_a_mistake_keeps_its_name_when_numbers_have_changed():
    """Five is the plain dot product, for everybody."""
    own = EXERCISES["scaled_score"].variants.with_numbers({"query": (4, 1, 0, 3), "key": (3, 1, 4, 0)})
    assert judge(13, own).misconception.name == "scaled_score = 5"
    assert judge(13, own).message.startswith("13 is the plain dot product")


def test_drawing_is_the_same_each_time_and_not_for_everybody():
    """A kit that is made again is the same kit."""
    variants = EXERCISES["attention_output_shape"].variants
    assert variants.draw(7) == variants.draw(7)
    assert len({str(variants.draw(seed)) for seed in range(50)}) > 20


def test_numbers_that_make_two_mistakes_one_are_not_drawn():
    """With 2 and 2, adding is multiplying: that would be a right answer for a wrong reason."""

    @varied(first=(2, 2, 3, 4), second=(3, 2, 4))
    def product(first, second):
        """{first} times {second}"""
        return Question(answer=first * second, wrong={first + second: "You added."})

    assert product.answer == 6
    assert {"first": 2, "second": 2} not in product.variants.fit  # 4 is 4
    assert {"first": 3, "second": 4} in product.variants.fit
    assert not [numbers for numbers in product.variants.fit if numbers["first"] * numbers["second"] == 6]


def test_a_lesson_that_lost_the_numbers_is_not_built(tmp_path):
    """The author changed the text, and reads which passage the question needs."""
    text = installed().text("lesson_08_cost").read_text(encoding="utf-8")
    changed = tmp_path / "lesson_08_cost" / "text" / "lesson.py"
    changed.parent.mkdir(parents=True)
    changed.write_text(text.replace("does a $(2, 3)$ matrix", "does a $(3, 3)$ matrix"), encoding="utf-8")
    with pytest.raises(ClickException, match=r"above product_flops should hold this once.*\n.*a \$\(2, 3\)\$ matrix"):
        solution_notebook(changed)


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """A learner's folder, with the file of numbers that came with the kit."""
    numbers = {"scaled_score": {"query": [4, 1, 0, 3], "key": [3, 1, 4, 0]}}
    (tmp_path / NUMBERS).write_text(json.dumps(numbers), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / NUMBERS


def test_check_goes_by_the_learners_numbers(beside):
    """13 / 2 is right here, and the common 2.5 is not: it may have come from somebody else."""
    assert check(scaled_score=6.5) == 1
    common = check(scaled_score=2.5)
    assert common == 0 and "2.5 is right for the numbers of the common notebook" in str(common.card)


def test_hints_and_solution_go_by_them_too(beside):
    """What is shown of the learner's own question is about its numbers."""
    hint("scaled_score")
    hint("scaled_score")
    assert "12 + 1 + 0 + 0" in str(hint("scaled_score"))
    assert "scaled_score = 6.5" in str(solution("scaled_score", anyway=True))


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"scaled_score": 3}', '{"scaled_score": {"query": "abc", "key": 1}}']
)
def test_a_damaged_file_is_told(beside, content):
    """The common numbers count, and the card says which these are and how to get one's own back."""
    beside.write_text(content, encoding="utf-8")
    said = " ".join(str(check(scaled_score=6.5).card).split())
    assert "beside this notebook, your numbers cannot be read" in said
    assert "query = (2, 1, 0, 2), key = (1, 3, 5, 0)" in said and "mha lab" in said
    assert check(scaled_score=2.5) == 1


def test_a_lost_file_is_told_where_it_matters(beside):
    """An answer that would be right for other numbers, and no other one."""
    beside.unlink()
    numbers = "query = (2, 1, 0, 2), key = (1, 3, 5, 0)"
    assert numbers in " ".join(str(check(scaled_score=6.5).card).split())
    assert numbers not in " ".join(str(check(scaled_score=123.0).card).split())


def test_a_known_mistake_is_what_it_was_for_whoever_has_the_common_notebook(tmp_path, monkeypatch):
    """(2, 5, 12) would be right for values of 12 features; but here it is what putting all side by side would give."""
    monkeypatch.chdir(tmp_path)
    said = str(check(head_output_shape=(2, 5, 12)).card)
    assert "4, 4 and 3 are not joined" in said and NUMBERS not in said
    variants = EXERCISES["head_output_shape"].variants
    assert (2, 5, 12) in [variants.with_numbers(numbers).answer for numbers in variants.fit]


def test_wrong_answers_are_alike_only_with_the_same_numbers():
    """16 says nothing if two students had other questions; without own numbers it is as ever."""
    question = EXERCISES["scaled_score"]
    one, other = (question.variants.with_numbers(numbers) for numbers in question.variants.fit[:2])
    assert behaviour_hash(16, one) != behaviour_hash(16, other) != behaviour_hash(16, question) == "16"
    assert behaviour_hash(16, one).startswith("16, for query = (")
