"""What holds for cross-attention, for a decoder layer, and for other layers of parts."""

import numpy as np

from autograder.cases import changed, near
from mha_lessons.lesson_03_masks.properties import last_key_blocked

from .functional import decoder_layer

PARTS = {"self-attention": "self", "the attention to the memory": "cross", "the feed-forward part": "feed-forward"}


def nothing_found_leaves_x_as_it_came(run, inputs):
    """What a part finds is added to `x`, and nothing else is done to it: not scaled, not normalised, nothing added."""
    if not near(run(**inputs | _silent(inputs, *_parts(inputs).values())), inputs["x"]):
        return "With zeros for all weights and biases no part finds anything, and your result was another than `x`."


def targets_meet_in_self_attention_only(run, inputs):
    """Norms, attention to a memory and the feed-forward part treat each token by itself."""
    inputs = inputs | _silent(inputs, "self")
    if not near(run(**changed(inputs, "x", np.s_[:, 0]))[:, 1:], run(**inputs)[:, 1:]):
        return "With a self-attention that finds nothing, changing the first token of `x` changed the result of others."


def every_item_has_its_own_memory(run, inputs):
    """The items of a batch are independent: each looks at its own memory."""
    if _is_masked(inputs) or len(inputs["memory"]) == 1:
        return
    before, after = run(**inputs), run(**_turned(inputs, 0))
    touched = [item for item in range(1, len(before)) if not near(after[item], before[item])]
    if touched:
        return f"We changed the memory of item 0, and the result of item {touched[0]} changed, too."
    if near(after[0], before[0]):
        return "We changed the memory of item 0, and its result stayed the same."


def every_source_has_influence(run, inputs):
    """Without a mask no weight is exactly 0: each token of the memory adds a little to every result."""
    if _is_masked(inputs):
        return
    before = run(**inputs)
    for source in range(inputs["memory"].shape[1]):
        if near(run(**_turned(inputs, np.s_[:, source])), before):
            return f"We changed token {source} of the memory, and your result stayed the same."


def each_part_reads_one_normalised_copy(run, inputs):
    """A part that reads only a normalised copy finds the same: a norm removes mean and spread."""
    if _is_masked(inputs) or len(inputs["x"]) > 1:  # a single item shows it as well, and sooner
        return
    for part, name in _parts(inputs).items():
        alone = _alone(name, inputs)
        found = run(**alone) - alone["x"]
        for did, x in (("added 1 to", alone["x"] + 1), ("doubled", 2 * alone["x"])):
            if not near(run(**alone | {"x": x}) - x, found):
                return f"We silenced every other part and {did} every number of `x`: what {part} found changed."


def each_part_alone_finds_what_it_should(run, inputs):
    """A part whose weights and biases are zero finds nothing, so each of the others can be heard alone."""
    return parts_heard_alone(decoder_layer, run, inputs)


def parts_heard_alone(reference, run, inputs):
    """Return a sentence about the parts that find other numbers than in the reference, where the results differ."""

    def is_right(inputs):
        return near(run(**inputs), reference(**inputs))

    parts = _parts(inputs)
    if is_right(inputs):
        return None
    wrong = [part for part, name in parts.items() if not is_right(_alone(name, inputs))]
    if not wrong:
        return (
            "Alone, each of your parts finds what it should; together they do not. "
            "So look at what each part reads, and at what its result is added to."
        )
    if len(wrong) == len(parts):
        return "None of your parts finds what it should, not even alone. What do they have in common?"
    which = "one part finds other numbers than it" if len(wrong) == 1 else "two parts find other numbers than they"
    return f"Heard alone, {which} should: {' and '.join(wrong)}."


def _parts(inputs):
    """The parts of a layer that gets these inputs: their names for learners -> those among the inputs."""
    return {part: name for part, name in PARTS.items() if name == "feed-forward" or f"{name}_weights" in inputs}


def _turned(inputs, where):
    """The same inputs, but for the sign of some tokens of the memory: a norm would not see that 1 is added."""
    memory = inputs["memory"].copy()
    memory[where] = -memory[where]
    return inputs | {"memory": memory}


def _is_masked(inputs):
    return any("mask" in name for name in inputs)


def _alone(part, inputs):
    """The same inputs, where all parts but this one find nothing."""
    return inputs | _silent(inputs, *(other for other in _parts(inputs).values() if other != part))


def _silent(inputs, *parts):
    """Weights and biases of zero for these parts of a layer."""
    names = {"feed-forward": ("w_widen", "b_widen", "w_narrow", "b_narrow")}
    silent = (name for part in parts for name in names.get(part, (f"{part}_weights", f"{part}_biases")))
    return {name: np.zeros_like(inputs[name]) for name in silent}


def a_blocked_source_has_no_influence(run, inputs):
    """What may not be looked at leaves no trace, neither through its key nor through its value."""
    if inputs.get("mask") is None:
        return
    inputs = last_key_blocked(inputs)
    if not near(run(**changed(inputs, "memory", np.s_[:, -1])), run(**inputs)):
        return "We hid the last token of the memory from everyone, and then changed it: your output changed, too."


def sources_may_be_shuffled(run, inputs):
    """Attention finds things by what they are, not by where they are."""
    shuffled = {"memory": inputs["memory"][:, ::-1].copy()}
    if inputs.get("mask") is not None:
        shuffled["mask"] = inputs["mask"][..., ::-1].copy()
    if not near(run(**inputs | shuffled), run(**inputs)):
        return "Another order of the memory's tokens changed your output."


def every_target_is_computed_by_itself(run, inputs):
    """In cross-attention nothing looks at the tokens that ask, so none of them can influence another."""
    if not near(run(**changed(inputs, "x", np.s_[:, 0]))[:, 1:], run(**inputs)[:, 1:]):
        return "Changing the first token of x changed the output of another."


def order_of_masks_does_not_matter(run, inputs):
    """Swapping the two masks changes nothing."""
    if not np.array_equal(run(**inputs), run(first=inputs["second"], second=inputs["first"])):
        return "Swapping the two masks changed your result."


def nothing_forbidden_gets_allowed(run, inputs):
    """What either mask forbids stays forbidden."""
    out = run(**inputs).astype(bool)
    if any((out & ~mask).any() for mask in inputs.values() if mask is not None):
        return "Your result allows what one of the masks forbids."


def what_both_allow_stays_allowed(run, inputs):
    """A key that both masks allow is allowed."""
    out, given = run(**inputs).astype(bool), [mask for mask in inputs.values() if mask is not None]
    if given and (~out & np.logical_and.reduce(np.broadcast_arrays(*given))).any():
        return "Your result forbids what both masks allow."


def each_text_is_translated_by_itself(run, inputs):
    """A batch is many texts side by side, and each is translated as if it were alone."""
    together = run(**inputs)
    for number in range(len(inputs["sources"])):
        alone = run(**inputs | {"sources": inputs["sources"][number : number + 1]})
        if (alone[0] != together[number]).any():
            return "A text got another translation in a batch than alone."


def fewer_steps_give_the_same_beginning(run, inputs):
    """The loop never takes back a token: with fewer steps it writes the beginning of the same translation."""
    if inputs["steps"] > 1:
        shorter = run(**inputs | {"steps": inputs["steps"] - 1})
        if (shorter != run(**inputs)[:, :-1]).any():
            return "With one step less, your translation is not the beginning of the longer one."
