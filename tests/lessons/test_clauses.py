"""No hidden rules: every clause of a docstring is demanded by the judge, and every demand of the judge is a clause.

clauses.toml, in a lesson's folder, is its table. A clause is quoted word by word, in the order of the docstring, with

    broken_by   wrong answers that break it, and that the judge must reject: misconceptions of the exercise (its own or
                inherited), specimens in wrong.py or clauses.py of the lesson, or ways in tests/breakers.py;
    edges       tags of the cases that are there for it: on each, one of these answers goes wrong;
    properties  of the exercise, that follow from it;
    faults      of a class, that are looked for because of it;
    explains    why nothing can break it, in the place of all these.

The table `everywhere` has what lessons 00 and 04 say of all exercises; `of` is one to try it on.
A misconception that no clause names breaks the first.
"""

import ast
import re
import tomllib
from inspect import cleandoc

import pytest
from breakers import DEMANDS, OTHERS, broken, goes_wrong
from helpers import FUNCTIONS, functions_of, our_answers, sampled
from modules import answer_of

from autograder import EXERCISES, judge
from autograder.course import installed
from autograder.exercise import ModuleExercise, TestWriting
from autograder.judging.modules.layer import as_function

TABLE, EVERYWHERE = {}, []
for file in sorted(installed().folder.glob("lesson_*/clauses.toml")):
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    EVERYWHERE += [clause | {"lesson": file.parent.name} for clause in tables.pop("everywhere", ())]
    TABLE |= tables
STUBS = [name for name, task in EXERCISES.items() if name in FUNCTIONS or isinstance(task, TestWriting)]
ANSWERS = functions_of("wrong") | functions_of("clauses")
CLAUSES = [(name, clause) for name in TABLE for clause in TABLE[name]] + [(c["of"], c) for c in EVERYWHERE]
BROKEN = [(name, clause, by) for name, clause in CLAUSES for by in clause.get("broken_by", ())]
EDGES = [(name, clause, tag) for name, clause in CLAUSES for tag in clause.get("edges", ())]


def docstring_of(name):
    """All that the stub says: of a class, its own docstring and those of its methods."""
    (stub,) = (
        node
        for node in ast.parse(our_answers(EXERCISES[name].lesson)[name]).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name
    )
    nodes = [node for node in ast.walk(stub) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return words("\n".join(filter(None, map(ast.get_docstring, nodes))))


def words(text):
    """The same text in one line."""
    return " ".join(cleandoc(text).split())


def placed(name, key):
    """What the exercise's own clauses list, and those of all exercises."""
    return {thing for clause in (*TABLE[name], *EVERYWHERE) for thing in clause.get(key, ())}


def wrong_answer_named(name, by):
    """The answer that a name in a table means; of a family of misconceptions the first."""
    exercise, full = EXERCISES[name], f"{name}__{by}"
    if full in ANSWERS:
        return ANSWERS[full]
    if by in DEMANDS | OTHERS:
        return broken(exercise, by)
    belief = next((b for b in exercise.beliefs if b.misconceptions[0].name == by), None)
    assert belief, f"{by} is no misconception of {name}, no wrong answer to it, and no breaker"
    return answer_of(belief.function, exercise)


def marks(name, number=0):
    """Return how a test is marked: CI tries one in eight, and `make test` one in sixteen, but no classes."""
    if number % 8:
        return [pytest.mark.thorough]
    return [pytest.mark.slow] if isinstance(EXERCISES[name], ModuleExercise) or number % 16 else []


def test_every_stub_has_a_table():
    """And no table is left of a stub that is gone."""
    assert set(TABLE) == set(STUBS)


@pytest.mark.parametrize("name", STUBS)
def test_every_word_of_a_docstring_stands_in_a_clause(name):
    """In the docstring's order; between two clauses there is nothing but a comma or so."""
    text, place = docstring_of(name), 0
    for clause in TABLE[name]:
        found = text.find(words(clause["says"]), place)
        assert found >= 0, f"{clause['says']!r} does not stand in {text[place:]!r}"
        assert not re.search(r"\w", text[place:found]), f"no clause says {text[place:found]!r}"
        place = found + len(words(clause["says"]))
    assert not re.search(r"\w", text[place:]), f"no clause says {text[place:]!r}"


@pytest.mark.parametrize("name", STUBS)
def test_every_clause_can_be_broken(name):
    """Or explains something, and the table says why that demands nothing."""
    for clause in TABLE[name]:
        assert bool(clause.get("broken_by")) != bool(clause.get("explains")), clause["says"]


@pytest.mark.parametrize(
    ("name", "clause", "by"),
    [pytest.param(*b, id=f"{b[0]}-{b[2]}", marks=marks(b[0], number)) for number, b in enumerate(BROKEN)],
)
def test_what_breaks_a_clause_is_rejected(name, clause, by, monkeypatch):
    """With the words of the clause, if it is not."""
    if by == "never_ends":
        monkeypatch.setattr("autograder.judging.judge.TIME_LIMIT", 0.3)
    assert not judge(wrong_answer_named(name, by), name).right, clause["says"]


@pytest.mark.parametrize(
    ("name", "clause", "tag"), [pytest.param(*e, id=f"{e[0]}-{e[2]}", marks=marks(e[0])) for e in EDGES]
)
def test_an_edge_shows_what_breaks_its_clause(name, clause, tag):
    """Otherwise the case would be there for nothing, or for another clause."""
    exercise = EXERCISES[name]
    answers = [wrong_answer_named(name, by) for by in clause["broken_by"]]
    if isinstance(exercise, ModuleExercise):
        answers = [as_function(answer, exercise) for answer in answers]
    assert any(goes_wrong(answer, exercise, tag) for answer in answers), clause["says"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_edge_and_property_belongs_to_a_clause(name):
    """What an answer is tried on, and what its result is looked at for."""
    exercise = EXERCISES[name]
    assert placed(name, "edges") >= {case.tag for case in exercise.cases()} - {""}
    assert placed(name, "properties") == {check.__name__ for check in exercise.properties}


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if isinstance(EXERCISES[n], ModuleExercise)])
def test_every_fault_of_a_class_belongs_to_a_clause(name):
    """What is looked for when its weights are put in, and when its results are right."""
    exercise = EXERCISES[name]
    assert placed(name, "faults") >= {fault.__name__ for fault in exercise.at_work.all_faults}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(FUNCTIONS, 5))
@pytest.mark.parametrize("demand", DEMANDS)
def test_what_is_demanded_is_said(name, demand):
    """In the exercise's own docstring, or in lesson 00 for all."""
    if not judge(broken(EXERCISES[name], demand), name).right:
        assert demand in placed(name, "broken_by")


@pytest.mark.parametrize("clause", EVERYWHERE, ids=lambda clause: clause["says"])
def test_a_lesson_says_what_holds_everywhere(clause):
    """Lesson 00 of functions, lesson 04 of classes: where they tell how an answer is checked."""
    text = installed().text(clause["lesson"]).read_text(encoding="utf-8")
    assert words(clause["says"]) in words(re.sub("^# ?", "", text, flags=re.M))
