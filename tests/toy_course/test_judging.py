"""A second course is judged as the first one is: by its own reference, cases, misconceptions and layers."""

import numpy as np
import pytest
import torch
from torch import nn

from autograder import EXERCISES, judge
from autograder.course import installed
from autograder.exercise import Exercise, ModuleExercise
from autograder.judging.results import RECOGNISED, same
from autograder.judging.running import observe
from autograder.learner.card import verdict_card

FUNCTIONS = [
    name for name, task in EXERCISES.items() if isinstance(task, Exercise) and not isinstance(task, ModuleExercise)
]
HELD = [(name, version) for name in FUNCTIONS for version in EXERCISES[name].wrong_versions]


def changes_something(exercise, version):
    """Say whether a misconception of a deeper step shows in this exercise."""
    return not all(
        same(observe(version.function, case.inputs), observe(exercise.reference, case.inputs), RECOGNISED)
        for case in exercise.cases()
    )


def test_the_course_is_the_toy():
    """Neither attention's reference nor its lessons can be imported."""
    assert installed().lessons == ("lesson_00_spread", "lesson_01_layers")
    with pytest.raises(ModuleNotFoundError):
        import mha_ref  # noqa: F401


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_reference_is_right(name):
    """On the cases of three seeds."""
    for seed in (None, 1, 2):
        assert judge(EXERCISES[name].reference, name, seed=seed).right


@pytest.mark.parametrize(("name", "version"), HELD, ids=lambda x: x if isinstance(x, str) else x.mistakes[0].name)
def test_a_misconception_is_rejected(name, version):
    """In its own exercise by its name, and in those that are built on its step unless it changes nothing there."""
    (held,) = version.mistakes
    verdict = judge(version.function, name)
    assert verdict.right != changes_something(EXERCISES[name], version)
    if held.step == EXERCISES[name].step:
        assert verdict.misconception.name == held.name


def test_lesson_01_inherits_from_lesson_00_and_adds_to_it():
    """A misconception of a step is one of all that is built on it, in whichever lesson it was written."""
    names = {held.name for held in EXERCISES["standard_scores"].mistakes}
    assert {"takes_the_middle", "stays_where_the_numbers_are", "measures_from_the_mean_of_the_table"} <= names


def test_an_optional_input_is_named_where_only_it_goes_wrong():
    """Such an answer is right as long as there are no counts."""

    def squares_the_counts(numbers, counts=None):
        counts = np.ones(numbers.shape) if counts is None else counts**2
        return (numbers * counts).sum(axis=-1, keepdims=True) / counts.sum(axis=-1, keepdims=True)

    verdict = judge(squares_the_counts, "mean")
    assert "only where `counts` is given" in verdict.message


def test_a_property_explains_what_no_misconception_does():
    """Its first sentence comes from the property, its second from the docstring."""

    def mean_of_sizes(numbers, counts=None):
        counts = np.ones(numbers.shape) if counts is None else counts
        return (np.abs(numbers) * counts).sum(axis=-1, keepdims=True) / counts.sum(axis=-1, keepdims=True)

    verdict = judge(mean_of_sizes, "mean")
    assert verdict.property == "the_mean_moves_with_the_numbers"
    assert "did not rise by 3" in verdict.message and "moves with them" in verdict.message


@pytest.mark.parametrize(("letters", "right"), [("a b c", True), ("A, B,C", True), ("b a c", False), ("d", False)])
def test_lines_are_put_in_order(letters, right):
    """Letters may be written with blanks and commas, or without."""
    assert judge(letters, "order_of_the_variance").right == right


def test_a_question_with_numbers_of_ones_own():
    """Each choice of numbers has its own answer, wrong answers and hints."""
    question = EXERCISES["mean_of_two"]
    own = question.variants.with_numbers({"first": 4, "second": 10})
    assert judge(4, question).right and judge(7, own).right
    assert "14 is the sum" in judge(14, own).message
    assert own.hints[1] == "The sum of 4 and 10 is 14."


def test_a_written_test_must_find_what_it_names():
    """One that compares nothing lets wrong versions pass."""

    def test_variance(variance):
        assert np.allclose(variance(np.array([[1.0, 3.0]])), 1)

    assert judge(test_variance, "test_variance").right
    assert not judge(lambda variance: None, "test_variance").right


class Standardise(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.gain, self.bias = nn.Parameter(torch.ones(size)), nn.Parameter(torch.zeros(size))

    def scores(self, x):
        return (x - x.mean(dim=-1, keepdim=True)) / x.var(dim=-1, keepdim=True, correction=0).sqrt()

    def forward(self, x, counts=None):
        return self.scores(x) * self.gain + self.bias


class StartsAtZero(Standardise):
    def __init__(self, size):
        super().__init__(size)
        self.gain = nn.Parameter(torch.zeros(size))


class BiasFirst(Standardise):
    def forward(self, x, counts=None):
        return (self.scores(x) + self.bias) * self.gain


class OtherNames(Standardise):
    def __init__(self, size):
        super().__init__(size)
        self.more = nn.Parameter(torch.zeros(size))


@pytest.mark.parametrize(
    ("layer", "found"), [(StartsAtZero, "starts_with_other_weights"), (BiasFirst, "adds_before_it_multiplies")]
)
def test_a_layer_is_known_by_its_results_and_by_its_faults(layer, found):
    """The course says where weights belong, and what no result shows."""
    assert judge(Standardise, "Standardise").right
    verdict = judge(layer, "Standardise")
    assert verdict.misconception.name == found and len(installed().hints[found]) == 3


def test_a_layer_whose_weights_have_no_place():
    """The message is the course's own."""
    assert "Call the two parameters" in judge(OtherNames, "Standardise").message


def gain_and_bias(state):
    return tuple(column.clone() for column in state["pairs"].unbind(dim=1))


def a_tuple(state):
    return gain_and_bias(state)


def an_entry_less(state):
    return {"gain": gain_and_bias(state)[0]}


def an_entry_more(state):
    gain, bias = gain_and_bias(state)
    return {"gain": gain, "bias": bias, **state}


def another_name(state):
    gain, bias = gain_and_bias(state)
    return {"gain": gain, "offset": bias}


def another_sign(state):
    gain, bias = gain_and_bias(state)
    return {"gain": gain, "bias": -bias}


def a_list_inside(state):
    gain, bias = gain_and_bias(state)
    return {"gain": gain, "bias": bias.tolist()}


def views(state):
    gain, bias = state["pairs"].unbind(dim=1)
    return {"gain": gain, "bias": bias}


def takes_it_out(state):
    gain, bias = state.pop("pairs").clone().unbind(dim=1)
    return {"gain": gain, "bias": bias}


def changes_a_number(state):
    state["pairs"][0, 0] += 1
    gain, bias = gain_and_bias(state)
    gain[0] -= 1
    return {"gain": gain, "bias": bias}


@pytest.mark.parametrize(
    ("answer", "reason", "said"),
    [
        (a_tuple, "type", "a dictionary is wanted"),
        (an_entry_less, "type", 'lacks "bias"'),
        (an_entry_more, "type", 'has "pairs", which should not be there'),
        (another_name, "type", 'lacks "bias". Your dictionary has "offset"'),
        (another_sign, "property", 'the entry "bias"'),
        (a_list_inside, "type", "The entry 'bias' of your dictionary is of type list"),
        (views, "property", 'the entry "gain" is not a copy'),
        (takes_it_out, "mutated", "changed its input state"),
        (changes_a_number, "mutated", "changed its input state"),
    ],
)
def test_a_dictionary_is_judged_entry_by_entry(answer, reason, said):
    """Cards say which entry is wrong, missing or no copy, and whether the input was changed."""
    verdict = judge(answer, "from_pairs")
    assert verdict.reason == reason and said in verdict.message


def test_entries_come_in_any_order():
    """A dictionary has no order that counts."""

    def from_pairs(state):
        gain, bias = gain_and_bias(state)
        return {"bias": bias, "gain": gain}

    assert judge(from_pairs, "from_pairs").right


def test_a_card_shows_a_dictionary_entry_by_entry():
    """What comes in, and the entry that is wrong."""
    card = str(verdict_card(judge(another_sign, "from_pairs"), EXERCISES["from_pairs"]))
    assert "state: a dictionary with 1 entry" in card and '"pairs": 3×2' in card
