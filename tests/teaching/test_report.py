"""`mha report`: what an instructor reads about a class, and what goes into a spreadsheet."""

import csv
import re
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO

import pytest
from classroom import CONFIG, Submission, mha_here, open_course
from helpers import our_answers, released
from made_up import class_of
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from autograder import EXERCISES
from autograder.catalogue import LESSONS
from autograder.exercise import Exercise
from autograder.intake.course_folder import note_class
from autograder.intake.students import Student
from autograder.intake.wording import (
    broken_in_words,
    finding_in_words,
    listed,
    main_facts,
    name_in_words,
    reason_in_words,
)
from autograder.judging.follow_through import GIVEN
from autograder.question import Question
from autograder.teaching.counting import (
    Group,
    compared,
    hardest,
    later_exercises,
    right_or_wrong,
    shown,
    since,
    skeleton,
    tallies,
    totals,
    unexplained,
)
from autograder.teaching.gradebook import Results, Row, choices_in
from autograder.teaching.report import answers_as_csv, bars, page, points_as_csv

LESSON = "lesson_02_scaled_dot_product"
ATTACK = "<script>alert(1)</script>"


def row(student, exercise, reason="right", **more):
    return Row(student, exercise, 2.0 if reason == "right" else 0.0, 2.0, reason, **more)


def forgets(student, exercise="attention_scores", **more):
    told = dict(misconception="forgets_to_scale", message="Your scores grow.") | more
    return row(student, exercise, "misconception", **told)


def letters(task):
    """Of a question with choices."""
    answers = (task.answer, *task.wrong) if isinstance(task, Question) else ()
    return [letter for letter in answers if task.answer in ("a", "b", "c", "d") and letter in ("a", "b", "c", "d")]


def found_in(rows):
    return shown(rows, right_or_wrong(rows))


def page_of(*rows, **more):
    results = Results(LESSON, rows, **more)
    return page(results, found_in(rows))


of_a_class = pytest.mark.xdist_group("class_page")  # made once, for all of them


@pytest.fixture(scope="module")
def class_page():
    """Of a class of 80, whose wrong answers are those of our tests."""
    results = class_of(80, LESSON)
    return page(results, found_in(results.rows))


class Seen(HTMLParser):
    """What a page holds: tags with their attributes, and text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data

    @property
    def words(self):
        return " ".join(self.text.split())


# Counting


def test_a_misconception_counts_whether_it_comes_first_or_second():
    """Two in one answer are two; the message of the second is what stands after the first."""
    both = "Two axes.\n\nWhen that is fixed, there is a second thing. Your scores grow."
    rows = [
        forgets("ada"),
        forgets("bo", misconception="other", also="forgets_to_scale", message=both),
        row("cem", "x"),
    ]
    first, other = found_in(rows)["attention_scores"]
    assert (first.name, first.students, first.of) == ("forgets_to_scale", ("ada", "bo"), 2)
    assert (first.message, other.message) == ("Your scores grow.", "Two axes.")


def test_the_most_frequent_misconception_comes_first():
    rows = [forgets("ada", misconception="rare"), forgets("bo"), forgets("cem")]
    assert [one.name for one in found_in(rows)["attention_scores"]] == ["forgets_to_scale", "rare"]


def test_recovered_are_those_with_a_later_exercise_right():
    """One of the two has the next exercise right, which is built on the same step."""
    rows = [forgets("ada"), forgets("bo"), row("cem", "attention_scores")]
    rows += [row("ada", "attention_weights"), row("bo", "attention_weights", "unwritten")]
    rows += [row("cem", "attention_weights"), row("bo", "score_variance")]
    (one,) = found_in(rows)["attention_scores"]
    assert one.later == ("attention_weights",) and one.recovered == ("ada",) and one.compared == ("ada",)


def test_where_nothing_comes_later_nobody_is_said_to_have_recovered():
    (one,) = found_in([forgets("ada")])["attention_scores"]
    assert one.later == () and one.compared == ()
    words = Seen(page_of(forgets("ada"))).words
    assert "We cannot tell yet who has recovered" in words and "1 recovered" not in words


def test_compared_are_answers_that_tell_something():
    """One who wrote nothing later, or was lent a right part there, has neither failed nor recovered."""
    builds_on = dict(reason="right", property=GIVEN)
    rows = [forgets(name) for name in ("ada", "bo", "cem", "dee")]
    rows += [row("ada", "attention_weights"), row("bo", "attention_weights", "values")]
    rows += [row("cem", "attention_weights", **builds_on), row("dee", "attention_weights", "unwritten")]
    (one,) = found_in(rows)["attention_scores"]
    assert one.compared == ("ada", "bo") and one.recovered == ("ada",)
    assert "1 of 2 recovered: right in attention_weights" in Seen(page_of(*rows)).words


def test_what_became_of_misconceptions_of_earlier_lessons():
    """In the report of the lesson in which their step comes back; where none does there is no table."""
    before = [forgets("ada"), forgets("bo"), forgets("gone"), forgets("cem", "score_variance", misconception="other")]
    here = [row("ada", "masked_attention"), row("bo", "masked_attention", "raised"), row("cem", "padding_mask")]
    (one,) = since(before, here)
    assert (one.name, one.compared, one.recovered) == ("forgets_to_scale", ("ada", "bo"), ("ada",))
    words = Seen(page(Results("lesson_03_masks", tuple(here)), {}, [one])).words
    assert "What became of earlier misconceptions" in words
    assert "forgets to scale in attention_scores 1 of 2" in words
    assert "What became of earlier" not in page(Results("lesson_03_masks", tuple(here)), {}, since([], here))


def test_later_exercises_are_those_that_inherit_the_misconception():
    """In the order of the course, lessons to come as well; never the exercise itself, nor an earlier one."""
    names = later_exercises("attention_weights", "forgets_to_scale")
    assert names[0] == "scaled_dot_product_attention" and "masked_attention" in names
    assert "attention_scores" not in names and "attention_weights" not in names and "padding_mask" not in names


def test_answers_that_do_the_same_stand_together():
    """Across code and message; the largest group first; the shortest code is shown."""
    odd = dict(reason="values", message="It is not so.")
    rows = [row("ada", "x", **odd, alike="b"), row("bo", "x", **odd, alike="a", code="long = 1"), forgets("eli")]
    rows += [row("cem", "x", "property", alike="a", code="x = 1"), row("dee", "y", **odd, alike="a")]
    first, *others = unexplained(rows)
    assert first.students == ["bo", "cem"] and first.shown.code == "x = 1"
    assert [group.students for group in others] == [["ada"], ["dee"]]


def test_the_hardest_exercise():
    """Most fail in it; where all exercises are equal there is none, and what people mark is not compared."""
    each = tallies(
        [row("ada", "x"), row("bo", "x"), row("ada", "y"), row("bo", "y", "raised"), row("ada", "z", "by hand")]
    )
    assert hardest(each).exercise == "y"
    assert hardest(tallies([row("ada", "x"), row("ada", "y")])) is None


def test_what_was_not_written_is_no_failure():
    """`y` has one mistake, and two who wrote nothing: `x`, with two mistakes, is harder."""
    rows = [row("ada", "x", "values"), row("bo", "x", "raised"), row("cem", "x", "unwritten"), row("dee", "x")]
    rows += [row("ada", "y", "values"), row("dee", "y")]
    rows += [row(name, "y", "unwritten") for name in ("bo", "cem", "eli")]
    x, y = tallies(rows)
    assert (x.failed, y.failed) == (2, 1) and hardest([x, y]) == x
    words = Seen(page_of(*rows)).words
    assert "the hardest: 2 of 4 got it wrong; not written by 1" in words and "not written by 3" in words


def test_a_mistake_counts_where_it_was_made():
    """Of three who have `x` wrong, two have a `y` that is right, given a right `x`: it is counted apart."""
    builds_on = dict(reason="right", property=GIVEN)
    rows = [row("ada", "x", "values"), row("bo", "x", "raised"), row("cem", "x"), row("dee", "x")]
    rows += [row("ada", "y", **builds_on), row("bo", "y", **builds_on), row("cem", "y", "values"), row("dee", "y")]
    x, y = tallies(rows)
    assert (x.failed, y.failed) == (2, 1) and hardest([x, y]) == x
    assert y.kinds == {"right, given right parts": 2, "wrong, told why": 1, "right": 1}
    words = Seen(page_of(*rows)).words
    assert "the hardest: 2 of 4 got it wrong" in words and "Right, given right parts means" in words
    assert "given right parts" not in page_of(*rows[:4])


def test_points_are_those_of_the_gradebook():
    rows = [row("ada", "x"), replace(row("ada", "y"), points=1.5), row("bo", "x", "raised"), row("bo", "y")]
    assert totals(rows) == {"ada": 3.5, "bo": 2.0}


def words_answers(*reasons):
    """Of students who have `x` right, and an answer in words to `explain`."""
    points = {"by hand": 1.0, "waits": 0.0}
    rows = [replace(row(str(n), "explain", reason), points=points[reason]) for n, reason in enumerate(reasons)]
    return [*(row(str(n), "x") for n in range(len(reasons))), *rows]


def test_what_waits_for_a_mark_is_in_no_mean():
    """Of its exercise the mean is of the marked answers; of the class it is of the other exercises until all are."""
    some, all_wait = words_answers("by hand", "waits", "waits"), words_answers("waits")
    assert [tally.mean for tally in tallies(some)] == [2.0, 1.0] and tallies(all_wait)[-1].mean is None
    assert compared(some) == ({"0": 2.0, "1": 2.0, "2": 2.0}, 2.0)
    assert compared(words_answers("by hand")) == ({"0": 3.0}, 4.0)
    said = "2 answers wait for a mark by hand, so mean and median leave out explain."
    words = Seen(page_of(*some)).words
    assert f"3 graded submissions: mean 2 and median 2 of 2 points. {said}" in words
    assert "1 answer waits for a mark by hand, so" in page_of(*all_wait)
    assert "for a mark by hand" not in page_of(*words_answers("by hand"))


def test_a_class_of_which_nothing_is_marked_yet():
    """It has no mean, and the page stands."""
    words = Seen(page_of(row("ada", "explain", "waits"))).words
    assert "1 graded submission. 1 answer waits" in words and "mean is" not in words and "– of 2" in words


# Words


def test_main_facts():
    """In one sentence: how many are graded, and how well; how many are not, and so in no other number."""
    facts = main_facts({"ada": 12.0, "bo": 10.5, "cem": 11.0}, 15.0, {"dee": "broken"})
    told = "3 graded submissions: mean 11.2 and median 11 of 15 points"
    assert facts == f"{told}; 1 other is not graded"
    assert main_facts({"ada": 1.0}, 1.0, {}).startswith("1 graded submission: mean 1 and median 1 of 1 point")


@pytest.mark.parametrize(
    "name, words",
    [
        ("forgets_to_scale", "forgets to scale"),
        ("weight_ratio = 5.43656365691809", "answers 5.43656"),
        ("sum_bounds = (8, 1)", "answers (8, 1)"),
        ("added_thousand = b", "answers b"),
    ],
)
def test_names_in_words(name, words):
    assert name_in_words(name) == words


@pytest.mark.parametrize(
    "name, words",
    [
        ("weights_sum_to_one", "not so: weights sum to one"),
        ("depends_on_mask", "does not depend on mask"),
        ("all_zeros", "all zeros"),
        ("builds_on_right_parts", "calls a part that is not right yet"),
        ("", ""),
    ],
)
def test_a_property_is_told_as_what_is_broken(name, words):
    """What holds of right answers is denied; a symptom is one already."""
    assert broken_in_words(name) == words
    assert reason_in_words(Group("x", (row("ada", "x", "property", property=name),))) == words
    verdict = dict(reason="property", property=name, misconception=None, also=None)
    assert finding_in_words(verdict) == (words or "property")
    (line,) = read_table(answers_as_csv([row("ada", "x", "property", property=name)], {}))
    assert line["what is wrong"] == words


def test_names_listed():
    assert [listed("a"), listed("ab"), listed("abc")] == ["a", "a and b", "a, b and c"]
    assert listed("abcde") == "a, b, c and 2 more" and listed("abcd") == "a, b, c and d"


def test_skeletons_are_python():
    """For every exercise four lines that can be pasted, for a question five, inside its brackets."""
    for name in (n for n, task in EXERCISES.items() if isinstance(task, (Exercise, Question))):
        lines = skeleton(row("ada", name, "values", alike="3"))
        assert len(lines.splitlines()) == 4 + isinstance(EXERCISES[name], Question), name
        compile(lines + (")" if isinstance(EXERCISES[name], Question) else ""), name, "exec")


@pytest.mark.parametrize(
    "reason, property", [("raised", ""), ("type", ""), ("mutated", ""), ("unwritten", ""), ("property", "own_work")]
)
def test_a_name_is_offered_where_there_can_be_one(reason, property):
    """Not where nothing came out that others could be known by: it stopped, or is right but for its manners."""
    odd = row("ada", "attention_scores", reason, property=property, message="Not it.", code="x")
    assert skeleton(odd) == "" and "Give it a name" not in page_of(odd)
    assert "Give it a name" in page_of(replace(odd, reason="values", property=""))


# The page


@of_a_class
def test_the_page_needs_nothing_else(class_page):
    """No script, and no address but those of places in it."""
    seen = Seen(class_page)
    assert "script" not in [tag for tag, _ in seen.tags]
    sources = [a[name] for _, a in seen.tags for name in ("src", "href") if name in a]
    assert sources and all(source.startswith("#") for source in sources)
    assert "url(" not in class_page and "@import" not in class_page


@of_a_class
def test_the_histogram_is_told_in_words(class_page):
    """It has a text that holds its numbers; of the strips the table has them."""
    (told,) = [a["aria-label"] for tag, a in Seen(class_page).tags if a.get("role") == "img"]
    assert told.startswith("Histogram of points, mean ")
    assert sum(int(many) for many in re.findall(r"(\d+) with", told)) == 80


def test_bars_of_a_histogram():
    """Each has a point, or more where there are many; points beyond the most count, and so does what is empty."""
    assert bars([0.0, 2.0, 2.9, 5.0], 4.0) == [(0, 0, 1), (1, 1, 0), (2, 2, 2), (3, 3, 0), (4, 4, 0), (5, 5, 1)]
    assert bars([99.0], 100.0)[-2:] == [(98, 99, 1), (100, 101, 0)]


@of_a_class
def test_the_numbers_of_the_page_are_those_of_the_class(class_page):
    """Every misconception with its count; as many as were counted here, in another way."""
    results = class_of(80, LESSON)
    words = Seen(class_page).words
    held = [(r.exercise, name) for r in results.rows for name in {r.misconception, r.also} - {""}]
    for exercise, name in set(held):
        assert f"{held.count((exercise, name))} of 80 {name_in_words(name)}" in words


@of_a_class
def test_the_same_class_gives_the_same_page(class_page):
    results = class_of(80, LESSON)
    assert page(results, found_in(results.rows)) == class_page


@pytest.mark.parametrize(
    "field", ["student", "exercise", "message", "misconception", "also", "property", "alike", "code"]
)
def test_what_learners_wrote_is_text(field):
    """Whatever a student is called or has written, it is shown, and nothing of it is markup."""
    for reason in ("misconception", "values", "raised"):
        bad = replace(row("ada", "attention_scores", reason, message="m", code="c"), **{field: ATTACK})
        assert "<script" not in page_of(bad, row("bo", "attention_scores"))


def test_code_without_an_end():
    """Its beginning is shown, and a sentence says that there is more."""
    told = page_of(row("ada", "attention_scores", "raised", message="m", code="#" + "'" * 1_000_000))
    assert "#" + "&#39;" * 100 in told and "Here stood more code than a page holds." in told
    assert len(told) < 200_000


def test_names_of_those_who_were_not_graded_are_text_too():
    seen = Seen(page_of(row("bo", "x"), not_graded={ATTACK: ATTACK}))
    assert "script" not in [tag for tag, _ in seen.tags] and seen.words.count(ATTACK) == 3


def test_messages_are_set_as_on_cards():
    assert "<code>-1</code> is the <em>last</em> axis" in page_of(forgets("ada", message="`-1` is the *last* axis"))


def test_a_choice_is_told_with_its_text():
    """A letter alone says nothing; the text stands in the lesson, as code and formulas do there."""
    asked = 'Which?\n\n- `"a"`: `~padding` & more;\n- **b** it stays\n- `x`: a list, no choice of this kind\n'
    answer = new_code_cell("why_scale = ...", metadata={"nbgrader": {"grade_id": "why_scale"}})
    choices = choices_in(new_notebook(cells=[new_markdown_cell(asked), answer]))
    assert choices["why_scale = a"] == "`~padding` & more" and choices["why_scale = b"] == "it stays"
    slip = dict(reason="misconception", message="No.")
    rows = [row("ada", "why_scale", misconception="why_scale = a", **slip)]
    rows += [row("bo", "why_scale", misconception="why_scale = nan", **slip)]
    told = page_of(*rows, choices=choices)
    assert "<strong>answers a: <code>~padding</code> &amp; more</strong>" in told
    assert "answers nan</strong>" in told


def test_the_choices_of_every_question_are_found():
    """In the lesson as learners get it."""
    for lesson in LESSONS:
        choices = choices_in(released(lesson))
        for name in (name for name, task in EXERCISES.items() if task.lesson == lesson):
            assert all(len(choices[f"{name} = {letter}"]) > 3 for letter in letters(EXERCISES[name])), name


def test_small_classes_are_told_so():
    few, enough = [row(name, "x") for name in "abcd"], [row(name, "x") for name in "abcde"]
    assert "small class" in page_of(*few) and "small class" not in page_of(*enough)


def test_a_class_that_has_all_right():
    """Nothing to explain: it says so, and stops."""
    words = Seen(page_of(*(row(name, "x") for name in "abcdef"))).words
    assert "No answer showed a known misconception" in words and "There are none." in words


def test_answers_that_people_mark():
    """They have no verdict: how many wait is said, and no bar is drawn."""
    words = Seen(page_of(row("ada", "explain", "by hand"), row("bo", "explain", "waits"), row("bo", "x"))).words
    assert "marked by hand; 1 waits for a mark" in words


def test_names_lead_to_feedback():
    """Wherever a name of a student with a feedback page is a link to it, and no other name is."""
    rows = [forgets("a b"), forgets("bo"), row("cem", "attention_scores")]
    seen = Seen(page_of(*rows, names={"a b": "Ada <u>"}, pages={"a b": "../feedback/a%20b/l/l.html"}))
    links = [a["href"] for tag, a in seen.tags if tag == "a" and not a["href"].startswith("#")]
    assert links == ["../feedback/a%20b/l/l.html"] * 2 and "u" not in [tag for tag, _ in seen.tags]


def test_who_handed_in_nothing():
    """In the first lines, and by name; who is excused is told apart."""
    names = {"dee": "Dee Novak"}
    words = Seen(page_of(row("ada", "x"), missing=("dee", "eli"), excused=("fay",), names=names)).words
    assert "2 did not hand in anything: Dee Novak (dee) and eli." in words
    assert "NosubmissionDeeNovak(dee),eliExcused:fay" in words.replace(" ", "")
    assert "No submission" not in page_of(row("ada", "x"))


def mixed_class():
    """Answers of each kind, by two students with names and one without."""
    given = dict(reason="right", property=GIVEN)
    rows = [row("1", "x"), row("1", "y", "unwritten"), row("1", "z", **given), row("2", "x", "raised")]
    rows += [replace(row("2", "y", "property"), points=2 / 3), row("2", "z", "waits"), forgets("3", "x")]
    return Results(LESSON, tuple(rows), names={"1": "Ann Zhao", "2": "=Zed Ames"}, pages={"1": "../1.html"})


def test_every_student_beside_every_exercise():
    """By last names; a sign for each answer, and the sum of the points. What a student has no answer to is empty."""
    words = Seen(page(mixed_class(), {})).words
    assert (
        "✓ right · (✓) right, given right parts · ◐ in part · ✗ wrong · ! did not run · – not written · ○ waits"
        in words
    )
    assert "studentxyzpoints3✗0=ZedAmes(2)!◐○0.67AnnZhao(1)✓–(✓)4" in words.replace(" ", "")


# Tables


def read_table(text):
    return list(csv.DictReader(StringIO(text.removeprefix("\ufeff"))))


def test_the_table_of_points():
    """One line for each student, rounded; what a student has no answer to is empty, and no name becomes a formula."""
    mixed = mixed_class()
    first, most, *lines = points_as_csv(mixed.rows, mixed.names).removeprefix("\ufeff").splitlines()
    assert first == "student,name,x,y,z,sum" and most == ",out of,2,2,2,6"
    assert lines[:2] == ["3,,0,,,0", "2,'=Zed Ames,0,0.67,0,0.67"] and lines[2].startswith("1,Ann Zhao,2,")


def test_the_table_of_answers():
    """One line for each student and exercise, whatever lines a message has; a name keeps its letters."""
    lines = read_table(answers_as_csv([forgets("Müller, Jo", message='a "b"\n\nc'), row("ada", "x")], {}))
    assert lines[0]["student"] == "Müller, Jo" and lines[0]["message"] == 'a "b" c'
    assert (lines[1]["points"], lines[1]["of"], lines[1]["reason"]) == ("2", "2", "right")


def test_one_line_of_a_table_is_one_line_of_its_file():
    """Also for programs that know nothing of quotes: in all that a learner may have written, or is called."""
    odd = replace(forgets("a\r\nb", message="one\n\ntwo"), property="x\u2028y", also="\x0bz")
    *lines, end = answers_as_csv([odd], {odd.student: "Doe\nJane"}).split("\n")
    assert end == "" and [len(line.splitlines()) for line in lines] == [1] * len(lines)


def test_a_spreadsheet_computes_nothing_that_learners_wrote():
    """A text that begins like a formula gets an apostrophe; a number stays one."""
    assert "\n'=1" in answers_as_csv([row(" \t=1", "x")], {})
    (line,) = read_table(answers_as_csv([replace(row("=1+1", "x"), points=-1.0)], {}))
    assert (line["student"], line["points"]) == ("'=1+1", "-1")


# A class that is graded

FORGETS = "def attention_scores(query, key):\n    return query @ key.mT\n"
WEIGHTS = "def attention_weights(query, key):\n    return softmax(query @ key.mT{})\n"
SCALED = " / np.sqrt(query.shape[-1])"
ODD = """\
def attention_scores(query, key):
    return query @ key.mT / np.sqrt(query.shape[-1]) + 0.3 * query.mean() ** 2
"""


def submissions():
    """Ten students: two forget to scale, and one of them later on as well; two do the same that has no name."""
    ours = our_answers(LESSON)
    forgets = ours | {"attention_scores": FORGETS}
    four = {f"fine_{n}": Submission(ours) for n in range(4)}
    return four | {
        "forgets": Submission(forgets | {"attention_weights": WEIGHTS.format(SCALED)}),
        "forgets_twice": Submission(forgets | {"attention_weights": WEIGHTS.format("")}),
        "odd_1": Submission(ours | {"attention_scores": ODD}),
        "odd_2": Submission(ours | {"attention_scores": ODD.replace("0.3 *", "0.1 * 3 *")}),
        "nothing": Submission(...),
        "broken": Submission(ours, files={f"{LESSON}.ipynb": '{"cells": ['}),
    }


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    root = tmp_path_factory.mktemp("course")
    open_course(root, LESSON, submissions(), CONFIG.format(root=str(root), limit=15), short=True)
    mha_here(root, "grade", LESSON, "--trust-submissions")
    return root


@pytest.fixture(scope="module")
def reported(course):
    return mha_here(course, "report", LESSON)


@pytest.mark.nightly
@pytest.mark.xdist_group("report")
class TestGraded:
    def test_what_the_command_says(self, course, reported):
        """The main facts, and where the page is."""
        assert reported.returncode == 0, reported.stderr
        assert "9 graded submissions: mean " in reported.stdout and "1 other is not graded" in reported.stdout
        assert str(course / "reports" / f"{LESSON}.html") in reported.stdout

    def test_the_page(self, course, reported):
        words = Seen((course / "reports" / f"{LESSON}.html").read_text(encoding="utf-8")).words
        assert "2 of 9 forgets to scale" in words and "1 of 2 recovered: right in attention_weights" in words
        assert "broken" in words and "cut off" in words
        assert "odd_1, odd_2" in words and "0.3 * query.mean()" in words

    def test_who_handed_in_nothing(self, course, reported):
        """By the class list, as it was noted; names lead to pages of feedback that are there."""
        assert "handed in nothing" not in reported.stdout
        note_class(course, LESSON, [Student("gus", "Novak, Gus"), Student("fine_0", "Fine, Ann")])
        assert mha_here(course, "feedback", LESSON, "fine_0").returncode == 0
        again = mha_here(course, "report", "2")
        assert "; 1 handed in nothing" in again.stdout
        html = (course / "reports" / f"{LESSON}.html").read_text(encoding="utf-8")
        assert "Gus Novak (gus)" in Seen(html).words
        assert f'href="../feedback/fine_0/{LESSON}/{LESSON}.html"' in html
        assert (course / "reports" / f"../feedback/fine_0/{LESSON}/{LESSON}.html").exists()
        points = (course / "reports" / f"{LESSON}_points.csv").read_text(encoding="utf-8")
        assert len(points.splitlines()) == 2 + 9

    def test_points_are_those_of_the_gradebook(self, course, reported):
        """Student by student, their sum."""
        lines = read_table((course / "reports" / f"{LESSON}.csv").read_text(encoding="utf-8"))
        with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
            everybody = {s.student.id: s.score for s in gradebook.assignment_submissions(LESSON)}
        graded = {student: score for student, score in everybody.items() if student != "broken"}
        sums = {student: sum(float(x["points"]) for x in lines if x["student"] == student) for student in graded}
        assert len(sums) == 9 and sums == pytest.approx(graded, abs=0.02)

    def test_who_forgot_to_scale(self, course, reported):
        lines = read_table((course / "reports" / f"{LESSON}.csv").read_text(encoding="utf-8"))
        who = {x["student"] for x in lines if x["misconception"] == "forgets_to_scale"}
        assert who == {"forgets", "forgets_twice"}

    def test_what_nobody_touched_is_not_written(self, course, reported):
        """Functions, questions, and lines to put in order."""
        lines = read_table((course / "reports" / f"{LESSON}.csv").read_text(encoding="utf-8"))
        assert {x["reason"] for x in lines if x["student"] == "nothing"} == {"unwritten"}

    def test_all_are_the_lessons_that_are_graded(self, course, reported):
        done = mha_here(course, "report", "--all")
        assert done.returncode == 0 and done.stdout.count("->") == 1

    def test_a_lesson_that_nobody_handed_in(self, course):
        done = mha_here(course, "report", "lesson_03_masks")
        assert done.returncode == 1 and "There are no submissions of lesson_03_masks" in done.stderr

    def test_a_name_that_is_no_lesson(self, course):
        done = mha_here(course, "report", "lesson_33")
        assert done.returncode == 2 and "lesson_03_masks" in done.stderr
