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
from helpers import FUNCTIONS, MOST_FIRST, accepts, every_one, first_case_changed, functions_of, our_answers
from modules import answer_of

from autograder import EXERCISES
from autograder.course import installed
from autograder.exercise import ModuleExercise, TestWriting
from autograder.judging.layers.layer import as_function

TABLE, EVERYWHERE = {}, []
for file in sorted(installed().folder.glob("lesson_*/clauses.toml")):
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    EVERYWHERE += [clause | {"lesson": file.parent.name} for clause in tables.pop("everywhere", ())]
    TABLE |= tables
TESTS = [name for name, task in EXERCISES.items() if isinstance(task, TestWriting)]
STUBS = [*FUNCTIONS, *TESTS]
CLASSES = [name for name in FUNCTIONS if isinstance(EXERCISES[name], ModuleExercise)]
WRONG = functions_of("wrong")
ANSWERS = WRONG | functions_of("clauses")


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


def clauses_on(name, key):
    """Return what its clauses list under a key, with the clause: its own, and those of all that are tried on it."""
    clauses = [*TABLE[name], *(clause for clause in EVERYWHERE if clause["of"] == name)]
    return {f"{thing}: {clause['says']}": (thing, clause) for clause in clauses for thing in clause.get(key, ())}


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
    version = version_named(name, by)
    assert version, f"{by} is no misconception of {name}, no wrong answer to it, and no breaker"
    return answer_of(version.function, exercise)


def version_named(name, by):
    return next((v for v in EXERCISES[name].wrong_versions if v.mistakes[0].name == by), None)


def is_judged_elsewhere(name, by):
    """Say whether it is an answer of wrong.py, a misconception that changes something, or a demand."""
    version = version_named(name, by)
    return (
        first_case_changed(EXERCISES[name], version) is not None
        if version
        else by in DEMANDS or f"{name}__{by}" in WRONG
    )


def test_every_stub_has_a_table():
    """And no table is left of a stub that is gone."""
    assert set(TABLE) == set(STUBS)


def test_every_word_of_a_docstring_stands_in_a_clause():
    """In the docstring's order; between two clauses there is nothing but a comma or so."""

    def is_covered(name):
        text, place = docstring_of(name), 0
        for clause in TABLE[name]:
            found = text.find(words(clause["says"]), place)
            assert found >= 0, f"{clause['says']!r} does not stand in {text[place:]!r}"
            assert not re.search(r"\w", text[place:found]), f"no clause says {text[place:found]!r}"
            place = found + len(words(clause["says"]))
        assert not re.search(r"\w", text[place:]), f"no clause says {text[place:]!r}"

    every_one(is_covered, STUBS)


def test_every_clause_can_be_broken():
    """Or explains something, and the table says why that demands nothing."""
    clauses = [(name, clause) for name in STUBS for clause in TABLE[name]]
    assert [(n, c["says"]) for n, c in clauses if bool(c.get("broken_by")) == bool(c.get("explains"))] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST_FIRST + TESTS)
def test_what_breaks_a_clause_is_rejected(name, monkeypatch):
    """And what is not is told with the words of the clause; what others judge is left to them."""

    def is_rejected(broken):
        by, _ = broken
        with monkeypatch.context() as patched:
            if by == "never_ends":
                patched.setattr("autograder.judging.judge.TIME_LIMIT", 0.3)
            elsewhere = name in FUNCTIONS and is_judged_elsewhere(name, by)
            assert elsewhere or not accepts(wrong_answer_named(name, by), name), "it is accepted"

    every_one(is_rejected, clauses_on(name, "broken_by"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_edge_shows_what_breaks_its_clause(name):
    """Otherwise the case would be there for nothing, or for another clause."""
    exercise = EXERCISES[name]

    def shows_it(edge):
        tag, clause = edge
        answers = [wrong_answer_named(name, by) for by in clause["broken_by"]]
        if isinstance(exercise, ModuleExercise):
            answers = [as_function(answer, exercise) for answer in answers]
        assert any(goes_wrong(answer, exercise, tag) for answer in answers), "nothing goes wrong there"

    every_one(shows_it, clauses_on(name, "edges"))


def test_every_edge_and_property_belongs_to_a_clause():
    """What an answer is tried on, and what its result is looked at for."""

    def has_its_clauses(name):
        exercise = EXERCISES[name]
        tags, properties = {case.tag for case in exercise.cases()} - {""}, {p.__name__ for p in exercise.properties}
        new = (tags - placed(name, "edges")) | (properties ^ placed(name, "properties"))
        assert not new, f"{new}: list it as `edges` or `properties` under the clause that it tries, or no longer"

    every_one(has_its_clauses, FUNCTIONS)


@pytest.mark.parametrize("name", CLASSES)
def test_every_fault_of_a_class_belongs_to_a_clause(name):
    """What is looked for when its weights are put in, and when its results are right."""
    exercise = EXERCISES[name]
    assert placed(name, "faults") >= {fault.__name__ for fault in exercise.inspection.all_faults}


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_demanded_is_said(name):
    """In the exercise's own docstring, or in lesson 00 for all; and what is said of it is demanded."""
    demanded = {demand for demand in DEMANDS if not accepts(broken(EXERCISES[name], demand), name)}
    assert {by for by, _ in clauses_on(name, "broken_by").values()} & {*DEMANDS} <= demanded
    assert demanded <= placed(name, "broken_by")


def test_a_lesson_says_what_holds_everywhere():
    """Lesson 00 of functions, lesson 04 of classes: where they tell how an answer is checked."""
    texts = {clause["lesson"]: installed().text(clause["lesson"]).read_text(encoding="utf-8") for clause in EVERYWHERE}
    said = {lesson: words(re.sub("^# ?", "", text, flags=re.M)) for lesson, text in texts.items()}
    assert [clause["says"] for clause in EVERYWHERE if words(clause["says"]) not in said[clause["lesson"]]] == []
