"""A learner's own run on the card, line by line: above all the line where it stops."""

import linecache

import numpy as np
import torch
from torch import nn

from autograder import check, judge
from mha_ref import masked_attention


def stops_at_once(scores, axis=-1):
    return np.exp(scores.foo)


def test_a_run_that_stops_in_its_first_line_is_told():
    """Of a single line, too."""
    assert judge(stops_at_once, "softmax").example.lines == (("return np.exp(scores.foo)", "stops: AttributeError"),)


def one_line(scores, axis=-1):
    return np.exp(scores)


def test_a_single_line_that_runs_is_not_told():
    """The result says it all."""
    assert judge(one_line, "softmax").example.lines == ()


# fmt: off
def takes_many_lines(scores, axis=-1):
    shifted = scores - np.max(
        scores,
        axis=axis,
        keepdims=True,
    )
    for _ in range(
        2,
    ):
        # each of them takes the exponential
        shifted = np.exp(
            shifted
        )
    return shifted / shifted.sum(
        axis=axis,
        keepdim=True,
    )
# fmt: on


def test_a_statement_of_many_lines_is_one():
    """It is told once, whole, with what it made."""
    lines = judge(takes_many_lines, "softmax").example.lines
    assert [source.replace(" ", "") for source, _ in lines] == [
        "shifted=scores-np.max(scores,axis=axis,keepdims=True,)",
        "for_inrange(2,):",
        "shifted=np.exp(shifted)",
        "returnshifted/shifted.sum(axis=axis,keepdim=True,)",
    ]
    assert [made for _, made in lines] == [
        "shifted: shape (3,)",
        "_: 0 (the first pass)",
        "shifted: shape (3,)",
        "stops: TypeError",
    ]


def long_function(stopping, after=0):
    """The source of a function of 30 lines, the last but `after` of which is `stopping`."""
    before = [f"    x{number} = scores + {number}" for number in range(29 - after)]
    behind = [f"    y{number} = scores" for number in range(after)]
    return "\n".join(["def softmax(scores, axis=-1):", *before, f"    {stopping}", *behind, "    return scores"])


def run_of(source, tmp_path):
    """The lines on the card of a function that is written in a file."""
    (tmp_path / "cell.py").write_text(source)
    made = {"np": np}
    exec(compile(source, tmp_path / "cell.py", "exec"), made)
    return judge(made["softmax"], "softmax").example.lines


def test_a_long_run_is_told_where_it_stops(tmp_path):
    """The lines before that one; how many were left out is said."""
    lines = run_of(long_function("z = scores.foo"), tmp_path)
    assert lines[-1] == ("z = scores.foo", "stops: AttributeError")
    assert lines[0] == ("(12 more lines)", "") and len(lines) <= 20


def test_a_long_run_is_told_where_the_first_odd_number_turns_up(tmp_path):
    """What comes after it is left out, as are the first lines."""
    lines = run_of(long_function("z = scores * np.inf", after=5), tmp_path)
    assert ("z = scores * np.inf", "z: shape (3,), with ∞") in lines or "with nan" in dict(lines)["z = scores * np.inf"]
    assert lines[-1] == ("(6 more lines)", "") and len(lines) <= 20


def makes_all_kinds(x, w_query, w_key, w_value, mask=None):
    query, key = x @ w_query, x @ w_key
    largest = query.max(dim=-1)
    parts = (query, key)
    pieces = [query, key, key]
    nothing = pieces.reverse()
    small = query.half()
    choice = query > 0
    layer = nn.Identity()
    function = torch.exp
    size = query.shape
    word = "causal"
    return query @ key.mT, largest, parts, nothing, small, choice, layer, function, size, word


def test_what_is_no_array_is_told_in_short():
    """A pair, a list, nothing at all, another type of numbers."""
    made = dict(
        part.split(": ", 1)
        for _, made in judge(makes_all_kinds, "attention_head").example.lines[1:-1]
        for part in [made]
    )
    assert made["largest"] == "a pair of tensors: values and indices"
    assert made["parts"] == "a pair of tensors" and made["pieces"] == "a list of 3 tensors"
    assert made["nothing"] == "None" and made["word"] == "'causal'"
    assert made["small"].endswith("float16") and made["choice"].endswith("bool")
    assert made["layer"] == "a layer, Identity" and made["function"] == "a function"


def stops_at_the_end_of_a_long_line(x, w_query, w_key, w_value, mask=None):
    return masked_attention(torch.matmul(x, w_query), torch.matmul(x, w_key), torch.matmul(x, w_value), mask.foo)


def test_the_line_that_stops_is_shown_to_its_end():
    """The culprit may be there."""
    folded = dict(check(attention_head=stops_at_the_end_of_a_long_line).card.folded)
    assert "mask.foo)" in folded["Your run on this input, line by line"]


def loses_a_result(scores, axis=-1):
    powers = np.exp(scores)
    powers.astype(int)
    powers == 0  # noqa: B015
    print(powers.sum())
    np.exp(scores, powers)
    [].append(powers)
    return powers


def test_only_what_nothing_keeps_is_called_lost():
    """Not a line that prints, or writes into an array."""
    message = judge(loses_a_result, "softmax").message
    assert "`powers.astype(int)` makes" in message and "`powers == 0` makes" in message
    assert message.count("nothing keeps") == 2


def goes_round_the_return(weights, values):
    for query in range(len(weights)):
        if query == 0:
            continue
        return weights[query] @ values


def test_a_loop_that_goes_on_is_not_said_to_end():
    """A `continue`, or a condition, may go round the `return`."""
    assert "first pass" not in judge(goes_round_the_return, "weighted_mean").message


def test_an_error_that_is_caught():
    """It stops nothing, and the lines below it are told."""

    def softmax(scores, axis=-1):
        try:
            top = scores.max(axis=axis, keepdim=True)
        except TypeError:
            top = scores.max(axis=axis, keepdims=True)
        return np.exp(scores - top)

    lines = dict(judge(softmax, "softmax").example.lines)
    assert lines["    top = scores.max(axis=axis, keepdim=True)"] == "raises TypeError, which is caught"
    assert "return np.exp(scores - top)" in lines


def catches_nothing(scores, axis=-1):
    try:
        top = {}["a"]
    except ValueError:
        top = 3
    finally:
        low = 1
    return np.exp(scores - top - low)


def test_an_error_that_another_except_does_not_catch():
    """The function stops there, and returns nothing."""
    lines = dict(judge(catches_nothing, "softmax").example.lines)
    assert "stops: KeyError" in lines.values() and not any("returns" in told for told in lines.values())


def takes_two_ways(scores, axis=-1):
    total = 0
    for n in range(4):
        if n == 3:  # noqa: SIM108
            total = total + 100
        else:
            total = total + n
    return np.exp(scores) / total


def test_the_first_pass_of_a_loop():
    """Only what it ran is told, and not the branch of a later one."""
    lines = [line.strip() for line, _ in judge(takes_two_ways, "softmax").example.lines]
    assert "total = total + n" in lines and "total = total + 100" not in lines


def test_source_that_cannot_be_read():
    """A file that has changed since shows no lines of another function, and the answer is judged all the same."""
    code = "def softmax(scores, axis=-1):\n    return scores\n"
    linecache.cache["<changed>"] = (1, None, ["x = (\n", "1\n"], "<changed>")
    exec(compile(code, "<changed>", "exec"), variables := {})
    assert not judge(variables["softmax"], "softmax").right
