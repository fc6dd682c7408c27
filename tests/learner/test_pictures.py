"""What a learner sees beside the words: pictures of their own arrays, and their own run."""

import base64
import io
import re
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image

from autograder import EXERCISES, after, check, judge
from autograder.pictures import (
    arrows,
    bars,
    curves,
    diagram,
    heatmap,
    heatmaps,
    matrix_product,
    steps,
    use_our_look,
)
from autograder.pictures.comparison import comparison, first_difference
from autograder.pictures.diagrams import box
from autograder.pictures.picture import INK, Scale, ink_on, width_of
from mha_lessons.hooks import HOOKS

WEIGHTS = np.array([[0.7, 0.2, 0.1], [0.0, 0.5, 0.5]])


def texts(picture):
    """All that is written in a drawing; it has to be well-formed to be shown at all."""
    return [element.text for element in ElementTree.fromstring(picture.data).iter() if element.text]


def count(picture, mark):
    return picture.data.decode().count(mark)


RING, CORNER, HATCH = 'stroke-width="3"', "<path", 'fill="url(#hatch)"'


# Expected and yours


def test_the_first_difference_is_ringed_and_named():
    """In both tables, by a ring, and in words: which query, which key, and the two numbers."""
    yours = WEIGHTS + [[0, 0, 0], [0, 0.25, 0]]
    figure = comparison(WEIGHTS, yours, ("...", "queries", "keys"))
    assert figure.caption == "Ringed: the first difference, query 1, key 1."
    assert [count(picture, RING) for picture in figure.pictures] == [1, 1]
    assert ["at query 1, key 1 it holds 0.50." in figure.pictures[0].alt, "0.75." in figure.pictures[1].alt] == [
        True
    ] * 2
    assert "0.75" in texts(figure.pictures[1])


def test_what_the_judge_lets_pass_is_not_ringed():
    """In single precision, a number that is off by a few of its last digits is no difference."""
    expected = np.linspace(0, 1, 6).reshape(2, 3)
    got = (expected * (1 + 3e-5)).astype(np.float32)
    assert comparison(expected, got) is None
    got[1, 2] = 2
    assert first_difference(expected, got) == (1, 2)


def test_every_further_difference_has_a_corner():
    """Only on the learner's side, and the caption says what a corner means."""
    figure = comparison(WEIGHTS, WEIGHTS[::-1])
    assert [count(picture, CORNER) for picture in figure.pictures] == [0, 6]
    assert "Corners: other differences." in figure.caption


def test_what_the_mask_hides_is_hatched():
    """Laid over the weights, since mask and weights share their axes."""
    mask = np.array([[True, True, False], [True, False, True]])
    hatched = HOOKS.hatched({"mask": mask}, ("queries", "keys"))
    figure = comparison(WEIGHTS, WEIGHTS + 0.1, ("queries", "keys"), hatched, HOOKS.why_hatched)
    assert [count(picture, HATCH) for picture in figure.pictures] == [2, 2]
    assert "Hatched: not allowed by the mask." in figure.caption


def test_a_mask_of_other_axes_is_not_laid_over():
    """Outputs have features where masks have keys: hatching them would be a lie."""
    assert HOOKS.hatched({"mask": np.zeros((2, 3), bool)}, ("queries", "value_features")) is None
    assert "Hatched" not in comparison(WEIGHTS, WEIGHTS + 0.1, ("queries", "value_features")).caption


def test_of_a_batch_the_item_that_differs_is_shown():
    """And of a large matrix the part around the difference, with its own row and column numbers."""
    expected = np.zeros((2, 3, 40, 50))
    yours = expected.copy()
    yours[1, 2, 30, 45] = 1
    figure = comparison(expected, yours, ("...", "heads", "queries", "keys"))
    assert "batch 1, head 2, query 30, key 45" in figure.caption
    assert {"30", "45"} < set(texts(figure.pictures[1]))
    assert len(texts(figure.pictures[1])) < 80


def test_other_shapes_are_drawn_as_boxes():
    """With the words of the axes that were expected."""
    figure = comparison(np.zeros((2, 3, 4)), np.zeros((4, 3)), ("...", "queries", "keys"))
    assert {"2 × 3 × 4", "3 queries", "4 keys", "batch of 2"} < set(texts(figure.pictures[0]))
    assert "4 × 3" in texts(figure.pictures[1])


@pytest.mark.parametrize("got", [None, "text", (1, 2), np.array(1.0), WEIGHTS, np.array(["a"])])
def test_no_picture_where_there_is_nothing_to_see(got):
    """No array, or no difference."""
    assert comparison(WEIGHTS, got) is None


numbers = arrays.arrays(
    st.sampled_from([np.float64, np.float16, np.int64, np.bool_]),
    arrays.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=3),
)


@given(numbers, numbers)
def test_any_two_arrays_can_be_drawn(expected, got):
    """Whatever comes out of an answer: the drawing is well-formed, and every picture has its words."""
    figure = comparison(expected, got, ("...", "queries", "keys"), np.ones(3, bool))
    for picture in figure.pictures if figure else ():
        assert texts(picture)
        assert len(picture.alt) > 20


def test_numbers_can_be_read_on_their_colours():
    """At least 4.5 to 1, as WCAG 2.2 asks, for every colour of the scale."""
    scale = Scale(np.array([-1.0, 1.0]))
    assert min(contrast(scale(x), ink_on(scale(x))) for x in np.linspace(-1, 1, 201)) >= 4.5


@pytest.mark.parametrize("page", ["#ffffff", "#f5f5f5", "#111111", "#131416", "#1e1e1e"])
def test_labels_can_be_read_on_light_and_dark_pages(page):
    """At least 4.5 to 1 on what a picture makes of the page behind it: of JupyterLab, the book, VS Code."""
    shown = comparison(WEIGHTS, 2 * WEIGHTS)._repr_html_()
    more = float(re.search(r"backdrop-filter:contrast\(([\d.]+)\)", shown)[1])
    parts = np.frombuffer(bytes.fromhex(page[1:]), np.uint8)
    behind = np.clip((parts - 127.5) * more + 127.5, 0, 255).round().astype(np.uint8)
    assert contrast(INK, f"#{bytes(behind).hex()}") >= 4.5


def contrast(one, other):
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    parts = np.frombuffer(bytes.fromhex(colour[1:]), np.uint8) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


# In lessons


@pytest.mark.parametrize("axis", ["keys", "value features (batch 0, head 0)"])
def test_the_words_of_a_small_table_are_not_cut_off(axis):
    """They lie inside of the picture, by the width that we reckon letters with."""
    for names in ({"columns": axis, "rows": ""}, {"rows": axis, "columns": ""}):
        picture = heatmap([[1.0]], alt="small", **names)
        drawing = ElementTree.fromstring(picture.data)
        written = next(element for element in drawing.iter() if element.text == axis)
        along = "x" if names["columns"] else "y"
        start = float(written.get(along)) - {"start": 0, "middle": 0.5}[written.get("text-anchor")] * width_of(axis)
        assert start >= 0
        assert start + width_of(axis) <= float(drawing.get("viewBox").split()[2 if along == "x" else 3])


def test_odd_titles_and_numbers_do_not_break_a_drawing():
    """Titles are text, whatever stands in them."""
    odd = np.array([[np.nan, np.inf, -np.inf]])
    assert {"a < b & c", "nan", "∞", "−∞"} <= set(texts(heatmap(odd, alt="odd", title="a < b & c")))


def test_matrices_on_one_scale_share_their_colours():
    """The same number has the same colour in both."""
    drawn = heatmaps({"one": [[1.0]], "other": [[1.0, 4.0]]}, alt="two").data.decode()
    assert drawn.count(f'fill="{Scale(np.array([4.0]))(1.0)}"') == 2


def test_a_product_shows_its_factors():
    """All numbers of the factors and of the result, and three rings: a row, a column, and where they meet."""
    picture = matrix_product([[1, 2]], [[3], [4]], alt="a product", digits=0)
    assert {"1", "2", "3", "4", "11"} <= set(texts(picture))
    assert count(picture, RING) == 3


def test_bars_carry_their_numbers():
    """So that they can be read without an axis; what lies below 0 hangs down, and every second group is hatched."""
    drawn = bars({"score": [2, -1], "weight": [0.953, 0.047]}, ["cat", "mat"], alt="bars", y="share")
    assert {"2", "-1", "0.95", "0.05", "cat", "mat", "score", "weight", "share"} == set(texts(drawn))
    assert count(drawn, HATCH) == 3  # two bars, and the name


def test_curves_are_drawn_without_matplotlib(monkeypatch):
    """As small as the other drawings, with words at the axes, and round numbers along them."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    drawn = curves({"one": ([1, 10, 1000], [0.2, 0.5, 0.9])}, "", x="size", y="weight", title="a title", log_x=True)
    assert {"size", "weight", "a title", "1", "10", "100", "1,000", "0.2", "0.4", "0.8"} <= set(texts(drawn))
    assert "one" not in texts(drawn) and len(drawn.data) < 5000  # a single curve needs no name


def test_curves_are_told_apart_without_colours():
    """By dashes and by marks, beside their names, too; what is no number leaves a gap."""
    gap = [1.0, np.nan, 3.0, 2.0]
    drawn = curves({"one": (range(4), gap), "other": (range(4), gap), "many": (range(99), np.ones(99))}, "")
    assert {"one", "other", "many"} < set(texts(drawn))
    lines = [e for e in ElementTree.fromstring(drawn.data).iter() if e.get("stroke-width") == "2"]
    assert len({e.get("stroke-dasharray") for e in lines}) == 3
    assert sorted(e.get("d").count("M") for e in lines) == [1, 1, 1, 1, 2, 2]
    assert count(drawn, 'fill="#4a7ebb"') == count(drawn, 'fill="#d9822b"') == 4  # three points, and the name
    assert count(drawn, 'fill="#3a9d6e"') == 0


points = st.lists(st.floats(width=32) | st.integers(-9, 9), max_size=5)


@given(points, points, st.booleans(), st.booleans())
def test_any_curve_can_be_drawn(xs, ys, log_x, log_y):
    """Nothing at all, one point, huge numbers, infinity: whatever an answer makes of them."""
    number = min(len(xs), len(ys))
    drawn = curves({"one": (xs[:number], ys[:number])}, "words", log_x=log_x, log_y=log_y)
    assert "nan" not in drawn.data.decode() and "inf" not in drawn.data.decode()
    assert len(texts(drawn)) < 40


def test_arrows_point_where_their_vectors_do():
    """Up is up, and the longest one reaches the circle; each has its name at its tip."""
    drawn = arrows({"query": (0, 1)}, {"a": (2, 0), "b": (0, -1)}, alt="three arrows", title="a title\nand more")
    assert {"query", "a", "b", "a title", "and more"} == set(texts(drawn))
    tips = [e.get("points").split()[0] for e in ElementTree.fromstring(drawn.data).iter() if e.get("points")]
    assert tips == ["300.0,150.0", "150.0,225.0", "150.0,75.0"]


def test_a_diagram_has_a_box_for_each_part_and_an_arrow_for_each_way():
    """Words alone have no box, and a sum is a circle; arrows go straight or around."""
    boxes = {"x": (0, 0, "x", "plain"), "part": (0, 1, "a part\nof it", "new"), "sum": (0, 2, "+", "sum")}
    ways = [("x", "part"), ("part", "sum"), ("x", "sum", "around")]
    drawn = diagram(boxes, ways, alt="a diagram", frames={"all of it": ["part", "sum"]})
    assert {"x", "a part", "of it", "+", "all of it"} == set(texts(drawn))
    assert (count(drawn, "<rect"), count(drawn, "<circle"), count(drawn, "<polygon")) == (2, 1, 3)
    with pytest.raises(KeyError, match="nothing"):
        diagram(boxes, [("x", "nothing")], alt="a diagram")


def test_whole_numbers_are_shown_without_digits():
    """In a comparison, too."""
    said = repr(comparison(np.array([1.0, 2.0]), np.array([1.0, 3.0]), ("keys",)))
    assert "holds 2" in said and "2.00" not in said


def test_numbers_keep_their_colour_on_the_way():
    """A number is followed by its colour: as many boxes of each group after a step as before it."""
    x = np.arange(12.0).reshape(2, 6)
    moved = x.reshape(2, 2, 3).transpose(1, 0, 2)
    drawn = steps(
        {"x": (x, "tokens columns"), "split": (moved, "heads tokens head_size")}, "", groups=np.arange(6) // 3
    )
    colours = [element.get("fill") for element in ElementTree.fromstring(drawn.data).iter() if element.get("fill")]
    first, second = (colour for colour in dict.fromkeys(colours) if colour in ("#9cc3e6", "#f4bd80"))
    assert colours.count(first) == colours.count(second) == 12
    assert {"head 0", "head 1", "2 heads × 2 tokens × head size 3"} <= set(texts(drawn))


def test_four_axes_are_so_many_boxes_of_three():
    """The size in front of the box, the words at its edges."""
    drawn = box("weights", (2, 4, 3, 7), ("batch", "heads", "queries", "keys"))
    assert drawn.alt == "A box: weights has the shape 2×4×3×7 (batch × heads × queries × keys)."
    assert {"batch of 2 ×", "4 heads", "3 queries", "7 keys"} <= set(texts(drawn))


def test_a_picture_of_a_wrong_answer_does_not_claim_to_be_right():
    """Its words tell what one should see; while the last check found something, they say so."""

    def merge_heads(x):
        return x[:, 0]

    def draw():
        return heatmap(WEIGHTS, alt="The left half of each row is the first head.")

    check(merge_heads)
    assert after(merge_heads, draw).alt == "Once merge_heads is right: The left half of each row is the first head."
    check(merge_heads=lambda x: x.transpose(1, 2).flatten(2))
    assert after(merge_heads, draw).alt == "The left half of each row is the first head."


def test_a_cell_that_has_not_run_is_not_blamed_on_the_answer():
    """The answer may be right: what is missing is made further up."""
    card = after(without_maximum, lambda: undefined)  # noqa: F821
    assert "A cell above has not run yet" in str(card)


# One's own run


def without_maximum(scores, axis=-1):
    exponentials = np.exp(scores)
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / total


def row_by_row(scores, axis=-1):
    result = np.zeros_like(scores)
    for row in range(len(scores)):
        powers = np.exp(scores[row])
        result[row] = powers / powers.sum(axis=1)
    return result


def test_the_run_is_told_line_by_line():
    """Each line with the shape of what it made, and where infinity turned up."""
    lines = judge(without_maximum, "softmax").example.lines
    assert lines[0][0] == "exponentials = np.exp(scores)"
    assert [made for _, made in lines] == [
        "exponentials: shape (2, 3), with ∞",
        "total: shape (2, 1), with ∞",
        "returns shape (2, 3), with nan",
    ]


def test_a_run_that_stops_is_told_up_to_there():
    """The line where it stopped says so."""
    lines = judge(row_by_row, "softmax").example.lines
    assert lines[-1][1].startswith("stops: ")
    assert len(lines) <= 4


def looks_for_a_row_that_is_not_there(weights, values):
    mean = np.zeros((len(weights), values.shape[1]))
    for query in range(len(weights)):
        for key in range(len(values)):
            mean[key] += weights[query, key] * values[key]
    return mean


def test_a_loop_says_which_pass_is_told():
    """The one that stops. Without another pass there is nothing to say."""
    lines = dict(judge(looks_for_a_row_that_is_not_there, "weighted_mean").example.lines)
    assert lines["    for key in range(len(values)):"] == "key: 2 (pass 3)"
    assert lines["for query in range(len(weights)):"] == "query: 0"
    assert lines["        mean[key] += weights[query, key] * values[key]"] == "stops: IndexError"


def takes_another_branch_later(scores, axis=-1):
    exponentials = []
    for row in scores:
        if len(exponentials) == 0:
            first = np.exp(row)
            exponentials.append(first)
        else:
            exponentials.append(np.exp(row) / first.sum(axis=1))
    return np.stack(exponentials)


def test_of_the_pass_that_stops_only_its_own_lines_are_told():
    """What an earlier pass ran is left out, and an `else` is seen as one."""
    told = dict(check(softmax=takes_another_branch_later).card.folded)["Your run on this input, line by line"]
    assert (
        "for row in scores:\n    → row: -0.5 (pass 2)\n"
        "    if len(exponentials) == 0:\n    else:\n"
        "        exponentials.append(np.exp(row) / first.sum(axis=1))\n            → stops: AxisError"
    ) in told


def counts_then_stops(scores, axis=-1):
    largest = scores[0]
    for row in scores:
        largest = np.maximum(largest, row)
    return np.exp(scores - largest).sum(axis=5)


def test_a_loop_that_has_ended_is_told_by_its_first_pass():
    """Where the run stops behind it."""
    lines = judge(counts_then_stops, "softmax").example.lines
    assert [made for _, made in lines][1:] == [
        "row: 1.0 (the first pass)",
        "largest: 1.0",
        "stops: AxisError",
    ]


def test_lines_are_shown_as_far_in_as_they_are_written():
    """What a loop or a condition holds is seen, and what each line made stands below it."""
    folded = dict(check(weighted_mean=looks_for_a_row_that_is_not_there).card.folded)
    assert (
        "for query in range(len(weights)):\n    → query: 0\n"
        "    for key in range(len(values)):\n        → key: 2 (pass 3)\n"
    ) in folded["Your run on this input, line by line"]


def test_code_without_source_has_no_lines():
    """One made by exec, say: there is nothing to show, and nothing fails."""
    made = {}
    exec("def softmax(scores, axis=-1):\n    y = scores\n    return y", made)
    assert judge(made["softmax"], "softmax").example.lines == ()


def test_a_tracer_of_the_learner_is_left_as_it_was(monkeypatch):
    """A debugger or a coverage tool goes on after a check."""
    seen, before = [], sys.gettrace()
    sys.settrace(lambda frame, event, argument: seen.append(event))
    try:
        mine = sys.gettrace()
        judge(without_maximum, "softmax")
        assert sys.gettrace() is mine
    finally:
        sys.settrace(before)


# What is right


def over_the_last_axis(scores, axis=-1):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def test_a_card_begins_with_what_is_right():
    """Shapes, and inputs with the right numbers: something to build on."""
    card = check(softmax=over_the_last_axis).card
    assert card.text.startswith("Right so far, in what we tried: the shape of every result; the numbers for ")


def test_shapes_and_inputs_that_are_right_are_said_to_be():
    """Where large scores give NaN, too."""
    said = judge(without_maximum, "softmax").right_so_far
    assert re.fullmatch(
        r"Right so far, in what we tried: the shape of every result; the numbers for \d+ of the \d+ inputs.", said
    )


def test_what_is_wrong_is_not_called_right():
    """Scores are no weights: no number is right."""
    said = judge(lambda scores, axis=-1: scores * 1.0, "softmax").right_so_far
    assert said == "Right so far, in what we tried: the shape of every result."


YESTERDAY, KNOWN = np.eye(3), np.ones((3, 2))


def test_what_ignores_its_inputs_is_not_praised():
    """Items of a batch do not touch each other if nothing is read. The card names what was read instead."""
    verdict = judge(lambda weights, values: YESTERDAY @ KNOWN, "weighted_mean")
    assert not verdict.right_so_far
    assert "whatever is in `weights`" in verdict.message and "`YESTERDAY` and `KNOWN`" in verdict.message


def divides_in_place(weights, values):
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ values


def test_an_input_that_changed_in_its_last_digits_is_not_shown_twice():
    """Nobody sees the difference; and a right result is not right for some inputs only."""
    card = check(weighted_mean=divides_in_place).card
    assert dict(card.blocks)["What your code made of weights"] == "the same numbers, but for the last digits"
    assert "inputs we tried" not in card.text


@pytest.mark.parametrize("name", ["softmax", "masked_softmax", "split_heads", "causal_mask"])
def test_the_figure_of_a_card_shows_what_its_text_shows(name):
    """Every misconception that gives numbers or another shape has its picture."""
    exercise = EXERCISES[name]
    for version in exercise.wrong_versions[:10]:
        example = judge(version.function, exercise, library="numpy").example
        if isinstance(example.got, np.ndarray) and example.got.ndim:
            figure = comparison(example.expected, example.got)
            assert figure is not None or np.allclose(example.got, example.expected, atol=1e-5), version.mistakes


# Learners' own plots


@pytest.fixture
def our_look():
    """Pyplot with our look, and afterwards as it was."""
    from matplotlib import pyplot, rc_context
    from matplotlib.figure import Figure

    before = Figure._repr_html_
    pyplot.close("all")  # whoever ran a lesson in this process may have left some
    with rc_context({"backend": "agg"}):
        use_our_look()
        yield pyplot
    pyplot.close("all")
    Figure._repr_html_ = before


def test_a_plot_of_ones_own_has_words(our_look):
    """From its labels, and from what is drawn; a bar of colours adds nothing to them."""
    our_look.plot([0, 10], [2.5, 0.1], label="mine")
    our_look.xlabel("step")
    our_look.title("It learns")
    said = "A plot: It learns. Horizontal axis: step. Vertical axis: without a name. mine: from 2.5 at 0 to 0.1 at 10."
    assert f'alt="{said}"' in our_look.gcf()._repr_html_()
    our_look.plot([2048, 8192], [48.4, 770])
    assert "from 48.4 at 2,048 to 770 at 8,192." in our_look.gcf()._repr_html_()
    figure, axes = our_look.subplots()
    figure.colorbar(axes.imshow([[0.25, 0.5], [1, 0]]))
    assert "A table of 2 by 2, from 0.00 to 1.00." in figure._repr_html_()
    axes.set_xticks([0, 1], ["cat", "mat"])
    axes.set_yticks([0, 1], ["the", "sat"])
    assert "The largest in each row: the: mat 0.50; sat: cat 1.00." in figure._repr_html_()


def test_a_plot_of_ones_own_has_no_paper(our_look):
    """Whatever the page's colour is, one sees it; the ink is that of our pictures."""
    our_look.plot([1, 2])
    drawn = Image.open(io.BytesIO(base64.b64decode(our_look.gcf()._repr_html_().split('"')[1].partition(",")[2])))
    assert drawn.mode == "RGBA" and drawn.getpixel((0, 0))[3] == 0
    assert our_look.gca().xaxis.label.get_color() == INK
