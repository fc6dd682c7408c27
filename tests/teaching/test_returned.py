"""A notebook as it goes back: what is added for the learner, and what is left out."""

import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.api import Gradebook

from autograder.grading.outputs import MOST_TEXT, REST
from autograder.teaching.feedback.returned import Returned, _shorten_texts, tasks_in

pytestmark = [
    pytest.mark.slow,  # nbgrader takes its time for a new gradebook
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),  # of nbgrader, which is right all the same
]
LESSON, STUDENT = "my_lesson", "ada"
LIBRARY = f"{sys.prefix}/lib/numpy/linalg.py"


def about(name, points, **what):
    facts = dict(grade=True, solution=False, locked=True, task=False, schema_version=3) | what
    return {"nbgrader": {"grade_id": name, "points": points, **facts}}


def graded():
    """A hidden test that failed, an answer in words that nobody has read, and a cell that failed in a library."""
    test = new_code_cell("### BEGIN HIDDEN TESTS\nassert f(7) == 49\n### END HIDDEN TESTS", metadata=about("test_f", 2))
    shown = ["----> 2 assert f(7) == 49", f"File {LIBRARY}:12"]
    test.outputs = [new_output("error", ename="AssertionError", evalue="squares are positive", traceback=shown)]
    words = new_markdown_cell("Because it does.", metadata=about("essay", 5, solution=True, locked=False))
    own = new_code_cell("np.linalg.inv(x)", metadata={"tags": ["mine"], "verdict": "secret"})
    own.outputs = [
        new_output("error", ename="E", evalue="no", traceback=[f"File {LIBRARY}:12"]),
        new_output("display_data", data={"text/plain": LIBRARY}, metadata={"verdict": {"alike": "secret"}}),
    ]
    return new_notebook(
        cells=[test, words, own], metadata={"kernelspec": {"name": "python3", "display_name": "P"}, "path": LIBRARY}
    )


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory):
    """Where the two cells have 1 of 2 points, and none yet; and it came too late."""
    address = f"sqlite:///{tmp_path_factory.mktemp('course')}/gradebook.db"
    with Gradebook(address) as book:
        book.add_assignment(LESSON)
        book.add_notebook(LESSON, LESSON)
        book.add_grade_cell("test_f", LESSON, LESSON, max_score=2, cell_type="code")
        book.add_grade_cell("essay", LESSON, LESSON, max_score=5, cell_type="markdown")
        book.add_solution_cell("essay", LESSON, LESSON)
        book.add_student(STUDENT)
        book.add_submission(LESSON, STUDENT)
        book.find_submission_notebook(LESSON, LESSON, STUDENT).late_submission_penalty = 0.5
        grade = book.find_grade("test_f", LESSON, LESSON, STUDENT)
        grade.auto_score, grade.needs_manual_grade = 1.0, False
        book.find_comment("essay", LESSON, LESSON, STUDENT).manual_comment = "Say *why*."
        book.db.commit()
    return address


@pytest.fixture(scope="module")
def returned(gradebook):
    where = {"nbgrader": dict(notebook=LESSON, assignment=LESSON, student=STUDENT, db_url=gradebook)}
    nb, resources = Returned().preprocess(graded(), where)
    assert nbformat.reads(resources["outputs"][f"{LESSON}.ipynb"].decode(), as_version=4) == nb
    return nb


def test_points(returned):
    """Above all, and at each cell; an answer that nobody has read has not got 0 points."""
    first, *others = [cell.source for cell in returned.cells]
    assert first.startswith("# my_lesson, 0.5 of 7 points")
    assert '| <span class="so">◐</span> | [test_f](#test_f:-1-of-2-points) | 1 of 2 |' in first
    assert "| too late | -0.5 |" in first and "| – of 5 | Somebody reads this and gives it points. |" in first
    assert "#### test_f: 1 of 2 points" in others and "#### essay: not marked yet, 5 points" in others


def answer_to(name, message, earned, by_hand=False, reason="values"):
    """A task whose function is written in a cell, and judged in another, two cells further down."""
    wrote = new_code_cell(f"def {name}(): ...", metadata=about(name, 0, grade=False, solution=True, locked=False))
    check = new_code_cell(f"check({name}={name})", metadata=about(f"check_{name}", 2))
    check.metadata.nbgrader |= dict(score=earned, waits=False, by_hand=by_hand)
    verdict = dict(reason=reason, message=message, points=earned if not by_hand else 0.0)
    check.outputs = [new_output("display_data", data={"text/plain": "0"}, metadata={"verdict": verdict})]
    return [wrote, new_code_cell("print('a try')"), check]


@pytest.mark.parametrize(
    "message, earned, by_hand, said",
    [
        ("Right.", 2, False, '<span class="ok">✓</span> | [f](#f:-2-of-2-points) | 2 of 2 | Right.'),
        ("Right. It is slow. Very.", 2, False, "| It is slow. Very. |"),
        ("Rows, e.g. the first, sum to 3. Why?", 0, False, "✗</span> | [f](#f:-0-of-2-points) | 0 of 2 | Rows, e.g."),
        (
            "Use the sign `a. B` *here*\nand now. Or not.",
            2 / 3,
            False,
            "0.67 of 2 | Use the sign <code>a. B</code> <em>here</em> and now. |",
        ),
        ("It is near. Try `a. B`. Not this.", 0, False, "| It is near. Try <code>a. B</code>. |"),
        ("No | <b> $x$ [a](b)", 0, False, "| No &#124; &lt;b&gt; &#36;x&#36; &#91;a&#93;(b) |"),
        ("It is wrong. So.", 2, True, "✓</span> | [f](#f:-2-of-2-points) | 2 of 2 | Marked by hand. |"),
    ],
)
def test_a_task_in_a_line(message, earned, by_hand, said):
    """Right or not, points, and one sentence: the first of the card's, as text and not as markup of a table."""
    (task,) = tasks_in(answer_to("f", message, earned, by_hand))
    assert said in task.row and not any(words in task.row for words in ("Why", "Or not", "Not this"))


def test_what_was_not_written_is_said_so():
    (task,) = tasks_in(answer_to("f", "There is no `f`.", 0, reason="unwritten"))
    assert "Not written yet." in task.row


def test_a_link_leads_to_what_the_learner_wrote():
    """The heading stands above the cell of the answer, whatever lies between that and the check."""
    cells = [new_markdown_cell("a text"), *answer_to("f", "Right.", 2)]
    (task,) = tasks_in(cells)
    assert (task.begins, task.lines) == (1, 4) and task.heading == "#### f: 2 of 2 points"


def test_comments(returned):
    """Stand below the answer that they are about."""
    sources = [cell.source for cell in returned.cells]
    assert sources[sources.index("Because it does.") + 1] == "**A comment on this answer:**\n\nSay *why*."


def test_nothing_hidden(returned):
    """Not the hidden test, nor its lines in a traceback, nor what is for graders, nor folders of this computer."""
    text = nbformat.writes(returned)
    for secret in ("HIDDEN", "f(7)", "grade_id", "verdict", "secret", sys.prefix):
        assert secret not in text, secret
    assert "AssertionError: squares are positive" in text and "…/lib/numpy/linalg.py" in text


def test_it_is_a_valid_notebook(returned):
    """All cells with names of their own, also where it was made by an old nbformat."""
    nbformat.validate(returned)
    names = [cell.id for cell in returned.cells]
    assert len(names) == len(set(names))


def test_many_long_texts():
    """All of them together have an end; cells that are not text are as they were."""
    cells = [new_markdown_cell("[*<" * 10_000) for _ in range(100)] + [new_code_cell("x" * 50_000)]
    _shorten_texts(cells)
    assert sum(len(cell.source) for cell in cells[:-1]) < MOST_TEXT + 100 * (len(REST) + 1)
    assert all(cell.source.endswith(REST) for cell in cells[:-1]) and len(cells[-1].source) == 50_000
