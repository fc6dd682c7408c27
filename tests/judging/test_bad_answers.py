"""Whatever stands in the learner's cell, the judge answers with a sentence that helps."""

import contextlib
import itertools
import signal

import numpy as np
import pytest
import torch
from IPython.core.formatters import DisplayFormatter
from modules import reference_of
from written_tests import OF_A_HEAD, OF_SOFTMAX

import mha_ref
from autograder import EXERCISES, check, hint, judge
from autograder.judging.time_limits import TooSlow, time_limit


def softmax(scores, axis=-1):
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


class AClass:
    def __init__(self, scores, axis=-1):
        pass


def nothing_yet(scores, axis=-1):
    """Docstring only."""


def raises_not_implemented(scores, axis=-1):
    raise NotImplementedError("softmax is not written yet")


def other_parameters(scores, temperature, axis=-1):
    return scores


def no_axis(scores):
    return softmax(scores)


def forgets_return(scores, axis=-1):
    weights = softmax(scores, axis)  # noqa: F841


def returns_a_list(scores, axis=-1):
    return softmax(scores, axis).tolist()


def returns_two_things(scores, axis=-1):
    return softmax(scores, axis), scores


def generates(scores, axis=-1):
    yield softmax(scores, axis)


def returns_nan(scores, axis=-1):
    return softmax(scores, axis) * np.nan


def returns_complex(scores, axis=-1):
    return softmax(scores, axis) + 0j


def returns_integers(scores, axis=-1):
    return softmax(scores, axis).astype(int)


def never_ends(scores, axis=-1):
    return never_ends(scores, axis)


def changes_its_input(scores, axis=-1):
    scores -= scores.max(axis=axis, keepdims=True)
    return softmax(scores, axis)


def is_random(scores, axis=-1):
    return softmax(scores, axis) * (1 + np.random.default_rng().random() / 100)


def misses_a_name(scores, axis=-1):
    return undefined_helper(scores)  # noqa: F821


def exits(scores, axis=-1):
    raise SystemExit("bye")


def reads_a_variable_of_the_notebook(x, axis=-1):
    return softmax(np.zeros_like(x), axis)


def keeps_three_digits(scores, axis=-1):
    return softmax(scores, axis).astype(np.float16)


def takes_no_single_row(scores, axis=-1):
    return softmax(scores, axis) if scores.shape[1] else None


def returns_an_error(scores, axis=-1):
    return ValueError("no")


def drops_an_axis(scores, axis=-1):
    return softmax(scores, axis).sum(axis=axis)


BAD = [
    (AClass, "type", "yours is a class"),
    (3.0, "type", "yours is of type float"),
    (..., "unwritten", "not written yet"),
    (nothing_yet, "unwritten", "not written yet"),
    (raises_not_implemented, "unwritten", "not written yet"),
    (other_parameters, "raised", "Keep the parameters"),
    (no_axis, "raised", "axis=-1"),
    (forgets_return, "type", "Is `return` missing"),
    (returns_a_list, "type", "np.array"),
    (returns_two_things, "type", "a tuple"),
    (generates, "type", "yield"),
    (returns_nan, "property", "NaN"),
    (returns_complex, "type", "complex"),
    (returns_integers, "type", "integers"),
    (never_ends, "raised", "calls itself"),
    (changes_its_input, "mutated", "changed its input scores"),
    (is_random, "property", "two different results"),
    (misses_a_name, "raised", "undefined_helper"),
    (exits, "raised", "SystemExit"),
    (drops_an_axis, "shape", "it should be"),
    (reads_a_variable_of_the_notebook, "property", "stays the same whatever is in `scores`"),
    (keeps_three_digits, "type", "few digits"),
    (takes_no_single_row, "raised", "only for a single row"),
    (returns_an_error, "property", "`raise`, not `return`"),
]


@pytest.mark.parametrize(("answer", "reason", "sentence"), BAD, ids=[getattr(b[0], "__name__", str(b[0])) for b in BAD])
def test_a_bad_answer_gets_a_sentence(answer, reason, sentence):
    """Never a traceback, never a bare 'wrong'."""
    verdict = judge(answer, "softmax")
    assert (verdict.reason, verdict.score) == (reason, 0), verdict.message
    assert sentence in verdict.message


def test_a_module_that_code_names_is_no_array_of_the_notebook():
    """torch has a function `detach`, as a tensor has a method; the card says which input makes no difference."""

    def multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask=None):
        return torch.zeros_like(x) + x.sum()

    message = judge(multi_head_by_loop, "multi_head_by_loop").message
    assert "stays the same whatever is in `w_query`" in message and "a variable of the notebook where" in message


def test_an_endless_loop_is_stopped(monkeypatch):
    """It costs its own exercise, and says so."""
    monkeypatch.setattr("autograder.judging.judge.TIME_LIMIT", 0.3)

    def loops(scores, axis=-1):
        while True:
            with contextlib.suppress(Exception):
                scores = scores + 1

    verdict = judge(loops, "softmax")
    assert verdict.reason == "raised" and "did not finish" in verdict.message


def test_a_refusal_is_no_accident():
    """Bad input may be refused with any error, but a name that is not defined refuses nothing."""

    def padding_mask(lengths, keys, error=None):
        if lengths.max() > keys:
            raise error("too long") if error else misspelled("too long")  # noqa: F821
        return np.arange(keys) < lengths[:, None, None, None]

    for error in (ValueError, AssertionError, IndexError):
        assert judge(lambda lengths, keys, error=error: padding_mask(lengths, keys, error), "padding_mask").right
    assert "misspelled" in judge(padding_mask, "padding_mask").message


def test_a_wrong_answer_shows_what_became_of_its_input():
    """The result is right, so it is the input that the card shows, before and after."""
    card = check(softmax=changes_its_input).card
    assert [name for name, _ in card.blocks] == ["Smallest input that shows it", "What your code made of scores"]


def test_digits_are_shown_until_they_differ():
    """A card whose two results look alike would explain nothing."""
    card = check(softmax=lambda scores, axis=-1: softmax(scores, axis) + 2e-6).card
    shown = dict(card.folded)
    assert shown["What should come out"] != shown["What your code gave"]
    expected, got = card.figure.pictures
    assert expected.alt.rpartition("holds")[2] != got.alt.rpartition("holds")[2]


@pytest.mark.parametrize("constant", [1e-5, 1e-4, 1e-3])
def test_praise_does_not_contradict_the_mistake(constant):
    """Rows that sum to a little less than 1 are not praised for summing to one."""

    def adds_a_small_number(scores, axis=-1):
        weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
        return weights / (weights.sum(axis=axis, keepdims=True) + constant)

    verdict = judge(adds_a_small_number, "softmax")
    assert "a little less than 1" in verdict.message
    assert "shape" in verdict.right_so_far and "sum" not in verdict.right_so_far


def test_a_single_number_is_told_as_that():
    """Of what it happens to fulfil nothing is praised."""
    verdict = judge(lambda scores, axis=-1: 3, "softmax")
    assert (
        verdict.message == "Your function returns a single number; it should return an array of floating-point numbers."
    )
    assert verdict.right_so_far == ""


def test_a_list_is_shown_as_a_list():
    """With brackets, as the learner wrote it."""
    verdict = judge(lambda scores, axis=-1: [scores, scores], "softmax")
    assert "returns a list" in verdict.message and isinstance(verdict.example.got, list)


def test_pythons_own_max_is_told_from_numpys():
    """Its error speaks of truth values, of which there are none in the code."""

    def takes_pythons_max(scores, axis=-1):
        return softmax(scores - max(scores), axis)

    assert "Python's own `max`" in judge(takes_pythons_max, "softmax").message


def test_a_mistake_behind_a_mask_of_none_is_told_with_its_place():
    """The name that fits the wrong cases, and that it does not fit the other way through the code."""

    def masked_attention(query, key, value, mask=None):
        if mask is None:
            return mha_ref.softmax(query @ key.swapaxes(-1, -2)) @ value
        return mha_ref.masked_attention(query, key, value, mask)

    verdict = judge(masked_attention, "masked_attention")
    assert verdict.misconception.name == "forgets_to_scale" and "Only without a mask" in verdict.message


def test_what_a_function_keeps_between_its_calls_is_named():
    """Not what the leftovers of an earlier call look like."""
    masks = {}

    def causal_mask(queries, keys, kept=masks):
        return kept.setdefault(queries, np.tri(queries, keys, keys - queries, dtype=bool))

    message = judge(causal_mask, "causal_mask").message
    assert "depends on earlier calls" in message and "`kept`" in message


def test_a_dictionary_of_settings_is_no_memory():
    """It is the same at every call: the mistake is another one."""
    settings = {"offset": 1}

    def causal_mask(queries, keys, settings=settings):
        return np.tri(queries, keys, keys - queries + settings["offset"], dtype=bool)

    assert judge(causal_mask, "causal_mask").misconception.name == "sees_one_token_ahead"


def test_nearly_right_numbers_are_said_to_be():
    """Digits that were lost are another mistake than a wrong idea."""

    def attention_head(x, w_query, w_key, w_value, mask=None):
        query, key, value = ((x @ w).bfloat16().to(x.dtype) for w in (w_query, w_key, w_value))
        return mha_ref.masked_attention(query, key, value, mask)

    assert judge(attention_head, "attention_head").property == "nearly_right"


def test_a_question_is_not_guessed_by_its_value():
    """Two unanswered questions hold the same three dots."""
    with pytest.raises(KeyError, match="does not say which question"):
        hint(...)
    with pytest.raises(KeyError, match="does not say which question"):
        check(12)


WRITTEN_TESTS = [
    (lambda softmax: np.allclose(softmax(np.ones(4)), 0.25), "write `assert`"),
    (lambda softmax: None if softmax else 1, "never calls"),
]


@pytest.mark.parametrize(("test", "sentence"), WRITTEN_TESTS)
def test_a_test_that_tests_nothing_is_told_why(test, sentence):
    """Not only how little it catches."""
    assert sentence in judge(test, OF_SOFTMAX).message


def compares_it_with_itself(softmax):
    assert np.allclose(softmax(np.ones(4)), softmax(np.ones(4)))


def compares_arrays_by_equality(softmax):
    assert softmax(np.ones(4)) == np.full(4, 0.25)


def forgets_to_keep_an_axis(softmax):
    x = np.array([[1.0, 2.0, 3.0], [0.0, 5.0, 1.0]])
    assert np.allclose(softmax(x), np.exp(x) / np.exp(x).sum(axis=-1))


ADVISED = [
    (compares_it_with_itself, "compare the version with itself"),
    (compares_arrays_by_equality, "np.allclose(a, b, atol=1e-5)"),
    (forgets_to_keep_an_axis, "a line of your test cannot run"),
]


@pytest.mark.parametrize(("test", "sentence"), ADVISED)
def test_advice_fits_the_test(test, sentence):
    """Following it must not lead into the next rejection."""
    assert sentence in judge(test, OF_SOFTMAX).message


def looks_at_the_shape(attention_head):
    x, *matrices = (torch.ones(size) for size in ((5, 4), (4, 4), (4, 4), (4, 3)))
    assert attention_head(x, *matrices).shape == (5, 3)


def compares_equal_sizes_without_a_mask(attention_head):
    x, *matrices = torch.randn(4, 5, 3, 3, generator=torch.Generator().manual_seed(0))[:, 0]
    query, key, value = (x @ w for w in matrices)
    assert torch.allclose(attention_head(x, *matrices), torch.softmax(query @ key.mT / 3**0.5, dim=-1) @ value)


def compares_without_a_mask(attention_head):
    generator = torch.Generator().manual_seed(0)
    x, matrices = torch.randn(5, 6, generator=generator), torch.randn(3, 6, 4, generator=generator)
    query, key, value = (x @ w for w in matrices)
    assert torch.allclose(attention_head(x, *matrices), torch.softmax(query @ key.mT / 2, dim=-1) @ value, atol=1e-5)


def asks_whether_gradients_come(attention_head):
    x, *matrices = (torch.ones(3, 3, requires_grad=True) for _ in range(4))
    attention_head(x, *matrices).sum().backward()
    assert all(each.grad is not None for each in (x, *matrices))


def compares_gradients_without_a_mask(attention_head):
    generator, found = torch.Generator().manual_seed(0), []
    given = [torch.randn(3, 3, generator=generator, dtype=torch.float64) for _ in range(4)]
    for version in (attention_head, lambda x, *three: mha_ref.masked_attention(*(x @ w for w in three))):
        leaves = [each.clone().requires_grad_() for each in given]
        version(*leaves).square().sum().backward()
        found.append([each.grad for each in leaves])
    assert all(torch.allclose(got, expected, atol=1e-6) for got, expected in zip(*found))


PASSING = [
    (compares_gradients_without_a_mask, '2 of them ("forgets to pass the mask" and "scales by the model size") pass'),
    (asks_whether_gradients_come, 'It lets 4 of them ("forgets to pass the mask"'),
    (looks_at_the_shape, "and 1 more) pass. Which input would make the first of them"),
    (compares_equal_sizes_without_a_mask, '2 of them ("forgets to pass the mask" and "scales by the model size") pass'),
    (compares_without_a_mask, 'It lets the one that "forgets to pass the mask" pass.'),
]


@pytest.mark.parametrize(("test", "sentence"), PASSING)
def test_a_test_is_told_which_versions_pass(test, sentence):
    """All of them if they are few."""
    assert sentence in judge(test, OF_A_HEAD).message


def spoils_its_input_then_fails(scores, axis=-1):
    if abs(scores).max() > 500:
        return scores * np.nan
    result = softmax(scores, axis)
    scores *= 2
    return result


def is_constant_when_large(scores, axis=-1):
    return softmax(scores, axis) if abs(scores).max() < 500 else np.ones_like(scores)


def is_a_little_off_in_single_precision(scores, axis=-1):
    return (softmax(scores, axis) * 1.01).astype(np.float32)


def turns_warnings_into_errors(scores, axis=-1):
    np.seterr(all="raise")
    return np.exp(scores) / np.exp(scores).sum(axis=axis, keepdims=True)


def returns_text(scores, axis=-1):
    return softmax(scores, axis).astype(str)


def swallows_everything(scores, axis=-1):
    raise GeneratorExit


# Two things at once, and what must not be said then: it would be false.
ODD = [
    (spoils_its_input_then_fails, "the result is right"),
    (is_constant_when_large, "stays the same"),
    (is_constant_when_large, "without a batch"),
    (is_a_little_off_in_single_precision, "numbers are right"),
    (turns_warnings_into_errors, "should be refused"),
    (returns_text, "numbers are right"),
    (swallows_everything, "numbers are right"),
]


@pytest.mark.parametrize(("answer", "falsehood"), ODD, ids=[f"{a.__name__}-{n}" for n, (a, _) in enumerate(ODD)])
def test_an_odd_answer_is_told_nothing_false(answer, falsehood):
    """It is rejected, on a card that can be shown, and without the sentence that would not be true of it."""
    mark = check(softmax=answer)
    assert mark == 0
    assert falsehood not in mark.card.text and mark.card._repr_html_()


def test_an_answer_may_use_its_array_again():
    """What it returned for one input is kept, whatever it does with that array later."""
    buffers = {}

    def reuses(scores, axis=-1):
        buffer = buffers.setdefault(scores.shape, np.empty(scores.shape))
        buffer[...] = softmax(scores.astype(float), axis)
        return buffer

    assert judge(reuses, "softmax").right


def test_a_helper_may_have_the_name_of_a_step():
    """Only what is taken from mha_ref is borrowed."""
    import mha_ref

    def scale(scores, features):
        return scores / np.sqrt(features)

    def attention_scores(query, key):
        assert mha_ref
        return scale(query @ key.mT, query.shape[-1])

    assert check(attention_scores=attention_scores) == EXERCISES["attention_scores"].points


def test_an_alarm_set_before_still_rings():
    """The time limit of the judge gives back the alarm clock as it found it."""
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, 100)
    try:
        assert judge(softmax, "softmax").right
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 50
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_alarm_that_comes_while_it_is_cleared_away(monkeypatch):
    """After an endless loop it rings a hundred times a second: none of these may reach what runs next."""
    before, change = signal.getsignal(signal.SIGALRM), signal.signal

    def changed_too_late(number, handler):
        if handler is signal.SIG_IGN:
            signal.raise_signal(signal.SIGALRM)
        return change(number, handler)

    monkeypatch.setattr(signal, "signal", changed_too_late)
    with pytest.raises(TooSlow), time_limit(0.01):
        while True:
            pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0) and signal.getsignal(signal.SIGALRM) is before


@pytest.mark.parametrize("name", ["attention_head", "AttentionHead"])
def test_a_notebook_without_gradients_costs_nothing(name):
    """Some begin so, to save memory; in grading it costs nothing either. It stays as it was set."""
    answer = reference_of(EXERCISES[name])
    torch.set_grad_enabled(False)
    try:
        assert judge(answer, name).right and not torch.is_grad_enabled()
    finally:
        torch.set_grad_enabled(True)


def test_versions_are_ready_before_a_test_meets_the_first():
    """Made while a test waits, wrong versions would come later than the right one, and the test could see that."""
    task, met = EXERCISES["test_causal_attention"], []
    for version in task.wrong_versions:
        vars(version).pop("function", None)

    def meets(attention):
        met.append(all("function" in vars(version) for version in task.wrong_versions))

    assert not judge(meets, task).right and met and all(met)


@pytest.mark.slow
def test_what_is_compiled_is_judged_as_it_is_written():
    """The compiler would take longer than an answer may."""
    assert judge(torch.compile(EXERCISES["attention_head"].reference), "attention_head").right


def test_printing_and_warnings_cost_nothing(capfd):
    """A print of a megabyte and a warning: the answer is right all the same, and nothing is printed."""

    def prints(scores, axis=-1):
        print("x" * 1_000_000)
        import sys
        import warnings

        warnings.warn("careful", stacklevel=1)
        print("oh", file=sys.stderr)
        return softmax(scores, axis)

    assert judge(prints, "softmax").right
    assert capfd.readouterr() == ("", "")


def test_what_a_wrong_answer_prints_is_shown():
    """Printing is how people debug; the card shows what was printed for its example, not for all."""

    def prints(scores, axis=-1):
        print("shape is", scores.shape)
        return scores

    example = judge(prints, "softmax").example
    assert example.printed == f"shape is {example.inputs['scores'].shape}\n"


def test_an_unknown_name_suggests_the_near_one():
    """A typing mistake is answered with what was probably meant."""
    with pytest.raises(KeyError, match="did you mean 'softmax'"):
        EXERCISES["sofmax"]
    with pytest.raises(KeyError, match="did you mean 'softmax'"):
        hint("sofmax")


def test_check_shows_a_card_and_counts_points():
    """A person sees the card; nbgrader reads the text, which must be the number and nothing else."""
    formatter = DisplayFormatter()
    for answer, points in ((softmax, EXERCISES["softmax"].points), (forgets_return, 0)):
        shown, _ = formatter.format(check(softmax=answer))
        assert "softmax" in shown["text/html"] and float(shown["text/plain"]) == points


def test_check_finds_the_name_of_a_nameless_answer():
    """A lambda, or a function with another name, is judged by the variable that holds it."""
    variables = {"check": check, "function": softmax}
    exec("log_softmax = lambda scores, axis=-1: function(scores, axis)\nmark = check(log_softmax)", variables)
    assert variables["mark"].card.title.startswith("✗ log_softmax")


def test_a_wrong_answer_raises_while_nbgrader_validates(monkeypatch):
    """Validate lists what raised, so that it shows the card's words."""
    monkeypatch.setenv("NBGRADER_VALIDATING", "1")
    with pytest.raises(Exception, match="not yet"):
        check(softmax=lambda scores, axis=-1: scores)


def test_the_reference_is_no_answer():
    """Calling mha_ref where the lesson asks to write is said, and earns nothing."""
    import mha_ref

    def borrows(scores, axis=-1):
        return mha_ref.softmax(scores, axis)

    def borrows_from_a_module(scores, axis=-1):
        return mha_ref.weights.softmax(scores, axis)

    for answer in (mha_ref.softmax, borrows, borrows_from_a_module):
        assert check(softmax=answer) == 0
    assert "mha_ref" in check(softmax=borrows).card.text


def test_hints_come_one_by_one():
    """Three steps, and the last stays."""
    texts = [hint(softmax).text for _ in range(4)]
    assert len(set(texts)) == 3 and texts[2] == texts[3]


@pytest.mark.parametrize("slow_times", [0, 1, 2])
def test_a_computer_that_is_slow_for_a_moment(monkeypatch, slow_times):
    """Whoever counts in 32 bits is asked for huge counts also where the first tries were not quick."""
    seconds = [0.006] * slow_times + [0.001] * 9
    clock = itertools.accumulate(each for second in seconds for each in (0.0, second))
    monkeypatch.setattr("autograder.judging.answer.process_time", lambda: next(clock))

    def score_bytes(batch, heads, tokens, bytes_per_number=4):
        sizes = np.array([batch, heads, tokens, tokens, bytes_per_number], dtype=np.int32)
        return int(np.prod(sizes, dtype=np.int32))

    assert not judge(score_bytes, "score_bytes").right


@pytest.mark.parametrize("name", ["floating", "integer", "boolean", "none", "error", "text", "other"])
def test_a_class_may_have_the_name_of_a_kind(name):
    """It is told as what it is, something of that type, and stops nothing."""
    verdict = judge(lambda scores, axis=-1: type(name, (), {})(), "softmax")
    assert verdict.reason == "type" and f"something of type {name}" in verdict.message
