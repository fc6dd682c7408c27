"""Claims about what one sees of an answer: errors, types, shapes, what changes and what differs."""

import numpy as np

from autograder.judging.errors import is_own
from autograder.judging.in_torch import _gradients, _is_floating
from autograder.judging.results import same
from autograder.shapes import shape_in_words

from .tried import claim, shapes


@claim(r"(?:gives?|gets|comes? out as|becomes?|holds|your weights are) (?:NaN|nan)\b(?! or)")
def some_result_is_nan(tried, match):
    return any(np.isnan(got.astype(float)).any() for got, _, _ in tried.arrays)


@claim(r"holds infinity|gives? NaN or infinity")
def some_result_is_not_finite(tried, match):
    return any(not np.isfinite(got.astype(float)).all() for got, _, _ in tried.arrays)


@claim(r"[Yy]our code stops(?: with `?(\w+Error))?")
def some_call_stops(tried, match):
    if tried.verdict.reason == "raised":
        return None  # of a class it may be its __init__, or another mode
    errors = [type(t.got.error).__name__ for t in tried.runs if t.got.error]
    return match[1] in errors if match[1] else bool(errors)


@claim(r"[Yy]our code (?:also )?(?:refuses(?! only)|says no)|your own `raise` or `assert` refuses it")
def some_error_is_the_learners_own(tried, match):
    errors = [t.got.error for t in tried.wrong if t.got.error]
    lacking = (KeyError, ValueError)  # a collection of theirs that lacks a name
    return any(is_own(e) or isinstance(e, lacking) or type(e).__name__ == "Refused" for e in errors)


@claim(r"[Yy]our code accepts")
def some_call_that_should_stop_does_not(tried, match):
    return any(t.expected.error and not t.got.error for t in tried.runs)


@claim(r"Your result has the shape (.*?); it should be")
def some_result_has_this_shape(tried, match):
    return any(match[1] == shape_in_words(shape) for t in tried.wrong for shape in shapes(t.got))


@claim(r"your code changes? its inputs? (\w+)|your code changed its inputs? (\w+)")
def this_input_changes(tried, match):
    return any((match[1] or match[2]) in t.got.changed for t in tried.runs)


@claim(r"The same input gave two different results")
def asked_again_it_differs(tried, match):
    run = tried.runs[0]
    again = [tried.ask(run.inputs) for _ in range(4)]
    return not all(same(x, run.got, run.tolerance, any_infinity=True) for x in again) or None


@claim(r"(?:NumPy|torch|the code|it) stops (?:wherever|with an error|there)")
def some_call_stops_in_other_words(tried, match):
    return any(t.got.error for t in tried.runs)


@claim(r"Your (?:code|function|`forward`) stops with (\w+)")
def the_example_shows_this_error(tried, match):
    return str(tried.verdict.example.got).startswith(f"an error: {match[1]}")


@claim(r"gives back nothing \(None\)|Your function returns (nothing|integers|booleans)\b")
def some_result_is_of_this_kind(tried, match):
    kind = {"integers": "integer", "booleans": "boolean"}.get(match[1], "none")
    return any(part.kind == kind for t in tried.wrong for part in t.got.parts or (t.got,))


@claim(r"Your (?:result|mask|output) has (?:the )?(one|two|three|four|five) axes")
def some_result_has_so_many_axes(tried, match):
    wanted = ("one", "two", "three", "four", "five").index(match[1]) + 1
    return any(len(shape) == wanted for t in tried.wrong for shape in shapes(t.got))


@claim(r"no gradient reaches ([\w, ]+): ")
def gradients_are_cut(tried, match):
    if "evaluation" in match[1]:
        return None
    asked, names = [t for t in tried.ordinary if _is_floating(t.expected)], match[1].split(", ")
    found = [_gradients(tried.function, tried.exercise, t) for t in asked]
    return any(all(_is_cut(gradients.get(name)) for name in names) for gradients in found)


def _is_cut(gradient):
    return gradient is None or not gradient.any()


@claim(r"([\d,]+) of the ([\d,]+) numbers in the gradient of (\w+) are")
def so_many_are_not_finite(tried, match):
    asked = [t for t in tried.ordinary if _is_floating(t.expected)]
    found = [_gradients(tried.function, tried.exercise, t).get(match[3]) for t in asked]
    counts = [(int((~g.isfinite()).sum()), g.numel()) for g in found if g is not None]
    return (int(match[1].replace(",", "")), int(match[2].replace(",", ""))) in counts


@claim(r"your layer drops after `layer.eval\(\)`")
def two_results_differ_in_evaluation(tried, match):
    from autograder.judging.layers.layer import LayerUnderTest, close
    from autograder.judging.layers.modes import P

    tested = LayerUnderTest(tried.answer, tried.exercise, tried.runs)
    layer = tested.in_training(dropout=P)
    tested.run(layer)
    layer.eval()
    first = tested.run(layer)
    return not all(close(first, tested.run(layer)) for _ in range(20))
