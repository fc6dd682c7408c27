"""Marking by hand in formgrader, by clicks, as an instructor does it who has said `mha grade`."""

import json
from collections import namedtuple

import pytest
from classroom import CONFIG, Submission, mha, open_course, points_in
from helpers import our_answers
from instructor import LESSON, WORDS, Instructor
from learner import SCREENSHOTS
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook
from playwright.sync_api import expect
from running_lab import running_lab

pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("formgrader")]
THE_MEMORY_ASKS = """
def cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return multi_head_attention(memory, x, x, w_query, w_key, w_value, w_output, heads, mask)
"""
SCRIPTS = "<script>top.document.title = 'mine'</script><img src='x' onerror='top.document.title = `mine`'>"
MOST = sum(points_in(LESSON).values()) + 4  # four are given by hand
OF_BO = MOST - points_in(LESSON)["cross_attention"] - 2.5
POINTS, COMMENTS = {"ada": 4, "bo": 1.5}, {"ada": "A fine test.", "bo": "Which row does *not* fit?"}
Mark = namedtuple("Mark", "points waits comment")


def shows_scripts(notebook):
    notebook.cells.append(new_code_cell(f'from IPython.display import HTML\nHTML("""{SCRIPTS} the end of my work""")'))


def submissions():
    """Right; wrong by a known misconception, with scripts wherever there is room; broken."""
    ours = our_answers(LESSON)
    bo = {"cross_attention": THE_MEMORY_ASKS, WORDS: f"A row adds up to $\\sum_k w_k = 1$. {SCRIPTS}"}
    return {
        "ada": Submission(ours),
        "bo": Submission(ours | bo, surgery=shows_scripts),
        "cem": Submission(ours, files={f"{LESSON}.ipynb": '{"cells": ['}),
    }


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    """A graded class, and JupyterLab in its folder."""
    project = tmp_path_factory.mktemp("project")
    open_course(project, LESSON, submissions(), CONFIG.format(root=str(project), limit=30))
    with running_lab(project, "--teach") as lab:
        said = said_by(lab, "grade", LESSON, "--trust-submissions")
        assert "cut off" in said and said.count(f"{WORDS} waits for your mark") == 2
        yield lab


@pytest.fixture(scope="module")
def instructor(browser, lab):
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        instructor = Instructor(context.new_page(), lab)
        instructor.open_formgrader()
        yield instructor


@pytest.fixture(scope="module")
def marked(instructor):
    """Both explanations have points and a comment; from the last one, Next leads back to the list."""
    instructor.open_list()
    instructor.form.locator("#main-table a.name-shown").first.click()
    for place in (1, 2):
        expect(instructor.form.get_by_text(f"Submission {place} / 2")).to_be_visible()
        student = instructor.student()
        instructor.mark(POINTS[student], COMMENTS[student])
        instructor.click("Next →")
    expect(instructor.form.locator("#main-table tr")).to_have_count(2)


def said_by(lab, *command):
    done = mha(lab.folder, *command)
    return done.stdout + done.stderr


def marks(lab):
    """student -> what the gradebook knows of the explanation."""
    with Gradebook(f"sqlite:///{lab.folder}/gradebook.db") as gradebook:
        where = {student: (WORDS, LESSON, LESSON, student) for student in POINTS}
        grades = {student: gradebook.find_grade(*place) for student, place in where.items()}
        comments = {student: gradebook.find_comment(*place).manual_comment for student, place in where.items()}
        return {s: Mark(grade.manual_score, grade.needs_manual_grade, comments[s]) for s, grade in grades.items()}


def waiting(instructor):
    """Student -> what formgrader's list says of the words: points, and whether they wait for somebody."""
    rows = instructor.form.locator("#main-table tr").all()
    return {
        row.locator(".name-shown").last.inner_text(): (
            row.locator(".written-score").inner_text(),
            row.locator(".needs-manual-grade span").count(),
        )
        for row in rows
    }


def test_verdicts_stand_below_the_answers(instructor):
    """The card that names the misconception, and the points that it left; formulas are drawn, and no script runs."""
    instructor.open_submission("bo")
    check = instructor.form.locator(".nbgrader_cell", has=instructor.form.locator("#check_cross_attention"))
    card = instructor.form.locator(".output_html", has_text="cross_attention: not yet")
    instructor.screenshot("card", card)
    expect(card).to_contain_text("the two are swapped")
    expect(check.locator(".score")).to_have_attribute("placeholder", "0")
    assert instructor.answer().locator("math").count() == 1 and "$$" not in instructor.form.locator("body").inner_text()
    expect(instructor.form.locator(".output_html", has_text="the end of my work")).to_have_count(0)  # a learner's HTML
    assert "mine" not in instructor.page.title()


def test_nothing_is_said_to_wait_for_a_right_answer(lab):
    """Where a cell needs what a grader's copy of the course lacks, it says so, and does not doubt what is right."""
    text = (lab.folder / "autograded" / "ada" / LESSON / f"{LESSON}.ipynb").read_text()
    assert "A grader's copy of the course lacks" in text and "This comes once" not in text


def test_what_points_are_given_for_stands_above_the_answer(instructor):
    """In sight together with the words, each on a line of its own."""
    instructor.open_submission("bo")
    rubric = instructor.form.locator("table", has_text="a point for")
    instructor.screenshot("explanation", instructor.answer())
    assert rubric.locator("tr").count() == 1 + 4
    above, below = rubric.bounding_box(), instructor.answer().bounding_box()
    assert above["y"] + above["height"] <= below["y"] < above["y"] + above["height"] + 100


def test_no_network_is_needed(instructor, lab):
    """Nothing is asked of it, and nothing fails for want of it."""
    server = lab.address.split("/lab/")[0]
    assert [url for url in instructor.asked if not url.startswith((server, "data:", "blob:"))] == []
    assert instructor.errors == []


def test_points_and_comments_are_kept(instructor, lab, marked):
    """In the gradebook, and in formgrader's own list."""
    assert marks(lab) == {s: Mark(POINTS[s], False, COMMENTS[s]) for s in POINTS}
    instructor.show_names()
    assert waiting(instructor) == {"ada": ("4 / 4", 0), "bo": ("1.5 / 4", 0)}


def test_feedback_has_them(browser, instructor, lab, marked):
    """Formgrader's button makes a page, `mha feedback` those of the class; scripts sleep there, too."""
    instructor.open_submissions()
    expect(instructor.row("cem")).to_contain_text("needs autograding")
    instructor.row("ada").locator(".generate-feedback a").click()
    expect(instructor.form.get_by_text("Successfully generated feedback")).to_be_visible()
    instructor.form.get_by_role("button", name="OK").click()
    assert "4 of 4 points" in feedback(lab, "ada").read_text(encoding="utf-8")
    assert "2 of 3 have feedback" in said_by(lab, "feedback", LESSON)
    for colours in ("light", "dark"):
        with browser.new_page(color_scheme=colours) as tab:
            tab.goto(feedback(lab, "bo").as_uri())
            page = tab.inner_text("body")
            tab.get_by_text(f"{WORDS}: 1.5 of 4 points").evaluate("it => it.scrollIntoView()")
            tab.screenshot(path=SCREENSHOTS / f"formgrader feedback {colours}.png")
            assert "Which row does not fit?" in page and "the two are swapped" in page
            assert f"{OF_BO:g} of {MOST} points" in page and "the end of my work" in page
            assert tab.title() == "Lesson 07: cross attention · bo: feedback"


def test_marks_survive_another_grading(instructor, lab, marked):
    """Who is as they were stays settled, graded again or not; who writes other words keeps the mark, and it is told."""
    assert "2 were graded before, and nothing has changed" in said_by(lab, "grade", LESSON, "--trust-submissions")
    assert marks(lab)["ada"] == Mark(4, False, COMMENTS["ada"])
    write_other_words(lab.folder / "submitted" / "bo" / LESSON / f"{LESSON}.ipynb")
    said = said_by(lab, "grade", LESSON, "--again", "--trust-submissions")
    assert said.count("has your mark") == 1 and f"{OF_BO:g} of {MOST}; {WORDS} has your mark" in said
    assert marks(lab) == {"ada": Mark(4, False, COMMENTS["ada"]), "bo": Mark(1.5, True, COMMENTS["bo"])}
    instructor.open_submission("bo")
    expect(instructor.answer()).to_contain_text("other words")
    with instructor.saved("/api/grade/"):
        instructor.answer().get_by_text("Resolve").click()
    assert marks(lab)["bo"] == Mark(1.5, False, COMMENTS["bo"])


def feedback(lab, student):
    return lab.folder / "feedback" / student / LESSON / f"{LESSON}.html"


def write_other_words(file):
    notebook = json.loads(file.read_text(encoding="utf-8"))
    cell = next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == WORDS)
    cell["source"] = "Said in other words."
    file.write_text(json.dumps(notebook), encoding="utf-8")
