"""Claims about what is right in a wrong answer."""

from .tried import axes, claim, shapes


@claim("the shape of every result")
def every_shape_is_right(tried, match):
    return all(shapes(t.got) == shapes(t.expected) for t in tried.runs if t.expected.kind != "error")


@claim(r"(?i)the right shape")
def some_wrong_result_has_the_right_shape(tried, match):
    return any(shapes(t.got) == shapes(t.expected) for t in tried.wrong)


@claim(r"the numbers for (\d+) of the \d+ inputs")
def so_many_are_right(tried, match):
    changes = tried.verdict.property == "same_input_same_result"  # with each call
    counted = [t for t in tried.exercise.cases() if t.tag == "huge"]
    return changes or bool(counted) or sum(t.same_value for t in tried.runs) == int(match[1])


@claim(r"Your results are right(?! for)")
def all_results_are_right(tried, match):
    return all(t.right for t in tried.runs)


@claim(r"Only (with|without) a mask does your code do this")
def right_on_the_other_side(tried, match):
    others = [t for t in tried.runs if not t.case.tag and ("mask" in t.inputs) == (match[1] == "without")]
    return all(t.same_value for t in others)


@claim(
    r"With(?:out)? (a batch|no axis|one axis|two axes|more axes)[^.;,]*?(?:, or with one[^.;,]*,)?"
    r" your \w+ (?:is|are) right"
)
def right_with_so_many_axes(tried, match):
    most = 3 if match[1] == "one axis" else 2
    with_a_batch = match[0].startswith("With a batch")
    about = [t for t in tried.ordinary if (axes(t) > 2 if with_a_batch else axes(t) <= most)]
    return all(t.same_value for t in about)


@claim(r"With one head your result is right")
def right_with_one_head(tried, match):
    return all(t.same_value for t in tried.ordinary if t.inputs.get("heads") == 1)


@claim(r"Along the last axis your \w+ (?:is|are) right")
def right_along_the_last_axis(tried, match):
    return all(t.same_value for t in tried.ordinary if t.inputs.get("axis", -1) in (-1, axes(t) - 1))
