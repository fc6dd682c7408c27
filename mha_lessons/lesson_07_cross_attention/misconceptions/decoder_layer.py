"""What people get wrong about `DecoderLayer`."""

import numpy as np

import mha_ref
from autograder.mistakes import mistake
from mha_lessons.lesson_06_batched_multi_head.functional import multi_head_layer
from mha_ref import combine_masks

from ..exercises import add_back, feed_forward, normalise
from ..functional import attend_to_itself, attend_to_memory, decoder_layer
from .cross_attention import OTHER_MEMORIES, SINGLE_TOKENS

_WHICH = {"self-attention": (0,), "the attention to the memory": (1,), "the feed-forward part": (2,)}
_WHICH |= {"self-attention, and also the attention to the memory,": (0, 1)}
_WHICH |= {"the attention to the memory, and also the feed-forward part,": (1, 2)}
_WHICH |= {"self-attention, and also the feed-forward part,": (0, 2)}
_ORDERS = {
    "memory, own past, feed-forward": (1, 0, 2),
    "own past, feed-forward, memory": (0, 2, 1),
    "feed-forward, own past, memory": (2, 0, 1),
    "feed-forward, memory, own past": (2, 1, 0),
    "memory, feed-forward, own past": (1, 2, 0),
}


def _parts(steps, memory, heads, self_mask=None, memory_mask=None, **weights):
    """The three parts of the layer, each a function of what it reads; steps: what they are made of in this world."""
    attend_to_itself, attend_to_memory, feed_forward = steps
    own, other = ((weights[f"{name}_weights"], weights[f"{name}_biases"]) for name in ("self", "cross"))
    feed = [weights[name] for name in ("w_widen", "b_widen", "w_narrow", "b_narrow")]
    return (
        lambda x: attend_to_itself(x, heads, *own, self_mask),
        lambda x: attend_to_memory(x, memory, heads, *other, memory_mask),
        lambda x: feed_forward(x, *feed),
    )


def normalises_after_adding(x, memory, **rest):
    """Your layer normalises after each sum, not before each part.
    That is post-norm, as in the paper of 2017; it works, but deep models are harder to train with it.
    This layer is pre-norm: each part reads a normalised copy, and `x` itself is never normalised."""
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        x = normalise(add_back(x, part(x)))
    return x


def normalises_the_memory(x, memory, **rest):
    """Your layer also normalises the memory.
    The norm in front of a part is for `x`, which passes through the layer.
    Use the memory as it comes in: the encoder has already normalised it."""
    return decoder_layer(x, normalise(memory), **rest)


def ignores_the_mask_of_the_memory(x, memory, memory_mask=None, **rest):
    """`memory_mask` has no effect on your result: it looks at positions of the memory that should be hidden.
    Those positions are padding, which means nothing.
    Does the mask reach the second attention?"""
    return decoder_layer(x, memory, **rest)


def ignores_the_mask_of_the_past(x, memory, self_mask=None, **rest):
    """`self_mask` has no effect on your result: every word sees all the others, even the future.
    In training, that gives the answer away.
    Does the mask reach the first attention?"""
    return decoder_layer(x, memory, **rest)


def adds_to_the_normalised_copy(x, memory, **rest):
    """Your sums add to the normalised copy, not to `x` itself.
    The residual connection is a path on which `x` stays unchanged, and normalising it breaks that path.
    Does your code overwrite `x` with its norm?"""
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        x = normalise(x)
        x = add_back(x, part(x))
    return x


def normalises_what_the_parts_find(x, memory, **rest):
    """Your norms come after the parts: you normalise what a part finds, but not what it reads.
    Here the norm comes first: a part reads a normalised copy, and its result is added as it is.
    Which call is inside the other?"""
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        x = add_back(x, normalise(part(x)))
    return x


@mistake(which=tuple(_WHICH))
def normalises_what_some_parts_find(x, memory, *, which, **rest):
    """In your layer, {which} has its norm after it: you normalise what it finds, but not what it reads.
    The rest is right: first the norm, then the part.
    Which line differs from the others?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = add_back(x, normalise(part(x)) if number in _WHICH[which] else part(normalise(x)))
    return x


@mistake(which=tuple(_WHICH))
def normalises_some_of_the_sums(x, memory, *, which, **rest):
    """In your layer {which} is post-norm: you normalise the sum, and not what the part reads.
    The rest is pre-norm, which is right.
    Which line differs from the others?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = normalise(add_back(x, part(x))) if number in _WHICH[which] else add_back(x, part(normalise(x)))
    return x


@mistake(which=tuple(_WHICH))
def overwrites_x_before_some_of_the_parts(x, memory, *, which, **rest):
    """Before {which} your code replaces `x` by the normalised copy, and adds to that.
    The residual connection is a path on which `x` stays unchanged.
    Give the copy to the part, and keep `x` for the sum."""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        read = normalise(x)
        x = add_back(read if number in _WHICH[which] else x, part(read))
    return x


@mistake(sums=("the second sum adds", "the third sum adds", "the second and the third sum add"))
def adds_to_the_x_from_the_start(x, memory, *, sums, **rest):
    """In your layer, {sums} to the `x` that came in, so what an earlier part has added is lost.
    Each sum builds on the one before it.
    To which `x` does each line add?"""
    start = x
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = add_back(start if ("first", "second", "third")[number] in sums else x, part(normalise(x)))
    return x


def asks_with_the_x_from_the_start(x, memory, **rest):
    """Your second attention asks with the `x` that came into the layer.
    It should ask with the result of the first sum: a word looks at its own past in order to know what to ask.
    Which `x` goes into the second norm?"""
    look, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(add_back(x, look(normalise(x))), ask(normalise(x)))
    return add_back(x, think(normalise(x)))


def normalises_the_memory_and_not_the_query(x, memory, **rest):
    """Your second attention reads a normalised memory, but `x` without a norm.
    The norm in front of a part is for `x`, which passes through the layer; the encoder has normalised the memory.
    Which of the two arguments does the second norm belong to?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    weights, biases, mask = rest["cross_weights"], rest["cross_biases"], rest.get("memory_mask")
    x = add_back(x, attend_to_memory(x, normalise(memory), rest["heads"], weights, biases, mask))
    return add_back(x, think(normalise(x)))


def normalises_the_queries_alone(x, memory, **rest):
    """In your self-attention the queries come from the normalised copy, but keys and values from `x` without a norm.
    In self-attention, all three read the same thing.
    Which arguments does the first attention need, and what are their defaults?"""
    _, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    weights, biases, mask = rest["self_weights"], rest["self_biases"], rest.get("self_mask")
    x = add_back(x, attend_to_memory(normalise(x), x, rest["heads"], weights, biases, mask))
    x = add_back(x, ask(normalise(x)))
    return add_back(x, think(normalise(x)))


def normalises_the_result_too(x, memory, **rest):
    """Your layer normalises its result at the end.
    A pre-norm layer returns the sum as it is; the next layer normalises its own copy.
    (A model has one more norm, after its last layer.)
    Where is your fourth norm?"""
    return normalise(decoder_layer(x, memory, **rest))


@mistake(which=tuple(_WHICH))
def forgets_some_of_the_norms(x, memory, *, which, **rest):
    """Of your three parts, {which} reads `x` without a norm.
    Each part should read a normalised copy, from its own norm.
    Go through the calls one by one: what exactly goes in?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = add_back(x, part(x if number in _WHICH[which] else normalise(x)))
    return x


@mistake(which=tuple(_WHICH))
def forgets_some_of_the_residuals(x, memory, *, which, **rest):
    """In your layer, what {which} finds replaces `x`; the other sums are right.
    A part says what to add to the tokens, and they must keep what they knew before.
    What should be on the right-hand side of each `x = ...`?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = part(normalise(x)) if number in _WHICH[which] else add_back(x, part(normalise(x)))
    return x


@mistake(which=tuple(_WHICH))
def leaves_out_some_of_the_parts(x, memory, *, which, **rest):
    """Your result contains nothing from {which}.
    First comes self-attention, then attention to the memory, then the feed-forward part.
    Is a part not called, or is its result not used?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = x if number in _WHICH[which] else add_back(x, part(normalise(x)))
    return x


@mistake(order=tuple(_ORDERS))
def takes_the_parts_in_another_order(x, memory, *, order, **rest):
    """Your layer has all three parts, but takes them in another order: {order}.
    First a word looks at its own sentence, so that it knows what to ask; then it asks the memory; then it processes
    what it has found.
    Which line has to move?"""
    parts = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    for number in _ORDERS[order]:
        x = add_back(x, parts[number](normalise(x)))
    return x


def gives_all_parts_the_same_x(x, memory, **rest):
    """All three of your parts read the `x` that came into the layer.
    They form a chain: the second reads what the first has added, and the third reads what both have added.
    Which `x` goes into each norm?"""
    parts = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    return x + sum(part(normalise(x)) for part in parts)


@mistake(hidden_by=("memory_mask", "self_mask", "nothing"))
def looks_at_itself_twice(x, memory, *, hidden_by, **rest):
    """The memory has no influence on your result: the second attention looks at `x` again.
    Without a key, `MultiHeadAttention` uses the query as the key.
    What does the second call have to say?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    weights, biases = rest["cross_weights"], rest["cross_biases"]
    x = add_back(x, attend_to_itself(normalise(x), rest["heads"], weights, biases, rest.get(hidden_by)))
    return add_back(x, think(normalise(x)))


def looks_at_the_memory_twice(x, memory, heads, self_weights, self_biases, self_mask=None, **rest):
    """Both of your attentions look at the memory, so no word ever sees the words before it.
    The first one is self-attention: who is looked at there?"""
    found = attend_to_memory(normalise(x), memory, heads, self_weights, self_biases, self_mask)
    nothing = dict(self_weights=0 * self_weights, self_biases=0 * self_biases)
    return decoder_layer(add_back(x, found), memory, heads, **nothing, **rest)


@mistake(used=("self", "cross"))
def uses_one_attention_for_both(x, memory, *, used, **rest):
    """Both of your attentions use the weights of `{used}_attention`; those of the other have no effect.
    Looking at one's own past and looking at the memory are two different skills, and each needs its own weights.
    Which layer do you call twice?"""
    both = {f"{name}_{kind}": rest[f"{used}_{kind}"] for name in ("self", "cross") for kind in ("weights", "biases")}
    return decoder_layer(x, memory, **rest | both)


def gives_each_attention_the_others_weights(x, memory, **rest):
    """Your two attentions are swapped: `self_attention` looks at the memory, and the other at `x`.
    The layer would still learn, but the names of its weights would be wrong.
    Swap the two names."""
    other = {"self": "cross", "cross": "self"}
    swapped = {f"{n}_{kind}": rest[f"{other[n]}_{kind}"] for n in other for kind in ("weights", "biases")}
    return decoder_layer(x, memory, **rest | swapped)


def takes_the_values_from_x(x, memory, **rest):
    """Your second attention takes its keys from the memory and its values from `x`.
    A weight belongs to a token of the memory, and must meet that token's value.
    Without a value, `MultiHeadAttention` uses the key as the value. What do you give it?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    read, mask = normalise(x), rest.get("memory_mask")
    weights, biases = rest["cross_weights"], rest["cross_biases"]
    x = add_back(x, multi_head_layer(read, rest["heads"], *weights, memory, read, mask, False, *biases))
    return add_back(x, think(normalise(x)))


def takes_the_keys_from_x(x, memory, **rest):
    """Your second attention takes its keys from `x` and its values from the memory.
    A key says where its value can be found, so both belong to the same token.
    `MultiHeadAttention` takes query, key, value, in this order: which sequence is searched?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    read, mask = normalise(x), rest.get("memory_mask")
    weights, biases = rest["cross_weights"], rest["cross_biases"]
    x = add_back(x, multi_head_layer(read, rest["heads"], *weights, read, memory, mask, False, *biases))
    return add_back(x, think(normalise(x)))


@mistake(hidden_by=("memory_mask", "nothing"))
def asks_with_the_memory(x, memory, *, hidden_by, **rest):
    """Your second attention makes its queries from the memory, and looks at `x`.
    Where the two lengths differ, that does not even run.
    The words that are being written ask, and the memory answers: which comes first in the call?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    weights, biases, mask = rest["cross_weights"], rest["cross_biases"], rest.get(hidden_by)
    x = add_back(x, attend_to_memory(memory, normalise(x), rest["heads"], weights, biases, mask))
    return add_back(x, think(normalise(x)))


def ignores_both_masks(x, memory, self_mask=None, memory_mask=None, **rest):
    """Neither mask has any effect on your result.
    `forward` receives them, but attention hides only what its own call tells it to hide.
    Pass each of them to the attention that it is named after."""
    return decoder_layer(x, memory, **rest)


def swaps_the_two_masks(x, memory, self_mask=None, memory_mask=None, **rest):
    """Your two masks are swapped: the one for the past hides the memory, and the other way round.
    That runs only where the two sequences have the same length.
    `self_mask` is for the words that are written, `memory_mask` for those that are read."""
    return decoder_layer(x, memory, self_mask=memory_mask, memory_mask=self_mask, **rest)


def uses_the_first_mask_for_both(x, memory, self_mask=None, memory_mask=None, **rest):
    """Both of your attentions use `self_mask`; `memory_mask` has no effect.
    A mask has a column for each token that is looked at, and the two attentions look at two different sequences.
    Which mask belongs to the second attention?"""
    return decoder_layer(x, memory, self_mask=self_mask, memory_mask=self_mask, **rest)


def always_hides_the_future(x, memory, self_mask=None, **rest):
    """Your layer always adds a causal mask of its own.
    The caller decides who may look at what: the masks are inputs, and None hides nothing.
    Use what comes in."""
    past = combine_masks(self_mask, mha_ref.causal_mask(x.shape[1], x.shape[1], like=x))
    return decoder_layer(x, memory, self_mask=past, **rest)


def hides_the_later_memory(x, memory, memory_mask=None, **rest):
    """Your second attention sees only the beginning of the memory: your layer makes a causal mask for it.
    The memory is complete, so none of it is in the future.
    The caller decides who may look at what: use the mask that comes in."""
    past = mha_ref.causal_mask(x.shape[1], memory.shape[1], like=x)
    return decoder_layer(x, memory, memory_mask=combine_masks(memory_mask, past), **rest)


@mistake(name=("self_mask", "memory_mask"))
def turns_one_of_the_masks_round(x, memory, *, name, **rest):
    """Your layer inverts `{name}`: it hides what the mask allows, and looks at what the mask hides.
    In this course True means "may look", here and in `MultiHeadAttention`.
    Pass the mask on as it comes."""
    mask = rest.get(name)
    return decoder_layer(x, memory, **rest | {name: None if mask is None else ~mask})


def has_one_head_whatever_is_asked_for(x, memory, heads, **rest):
    """Both of your attentions work with a single head, whatever `heads` is.
    Each head makes its own weights, from its own block of features, so heads can look at different places.
    Does the argument `heads` reach `MultiHeadAttention`?"""
    return decoder_layer(x, memory, 1, **rest)


def thinks_twice(x, memory, **rest):
    """Your layer calls its feed-forward part twice.
    Call each of the three parts once.
    Which line is there a second time?"""
    think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)[2]
    x = decoder_layer(x, memory, **rest)
    return add_back(x, think(normalise(x)))


def fails_where_there_is_a_mask(x, memory, self_mask=None, memory_mask=None, **rest):
    """Without masks your layer is right, but with any mask it fails.
    What does the error say, and does each mask arrive as a mask?
    `MultiHeadAttention` takes query, key, value and then the mask: a mask in second place is taken for the key."""
    if self_mask is not None or memory_mask is not None:
        raise ValueError
    return decoder_layer(x, memory, **rest)


@mistake(which=tuple(_WHICH))
@mistake(which=("each of the three parts",))
def adds_x_twice_in_some_sums(x, memory, *, which, **rest):
    """In your layer the sum of {which} contains `x` twice.
    A sum has two terms: the old `x`, once, and what the part has found.
    Does the part, or a function around it, add `x` already?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = add_back(x + x if number in _WHICH.get(which, (0, 1, 2)) else x, part(normalise(x)))
    return x


@mistake(which=(*_WHICH, "each of the three parts"))
def subtracts_what_some_parts_find(x, memory, *, which, **rest):
    """Your layer subtracts what {which} finds from `x`.
    A part says what to add to the tokens.
    Which sign is between `x` and what it found?"""
    minus = _WHICH.get(which, (0, 1, 2))
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        found = part(normalise(x))
        x = add_back(x, -found if number in minus else found)
    return x


@mistake(which=("attention to the memory", "feed-forward part"))
def reads_only_what_the_part_before_has_found(x, memory, *, which, **rest):
    """Your {which} reads only what the part before it has found, without `x`.
    Each part reads the whole sum, normalised: the word, and everything that has been found for it.
    Which name goes into the norm in front of it?"""
    found = x
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        alone = number == (1 if which.startswith("attention") else 2)
        found = part(normalise(found if alone else x))
        x = add_back(x, found)
    return x


@mistake(role=("keys", "values"))
def normalises_the_memory_for_one_role(x, memory, *, role, **rest):
    """Your second attention makes its {role} from a normalised memory, and the rest from the memory as it is.
    The norm in front of a part is for `x`, which passes through the layer; the encoder has normalised the memory.
    What do you give to the second attention, argument by argument?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    sequences = (normalise(memory), memory) if role == "keys" else (memory, normalise(memory))
    weights, biases, mask = rest["cross_weights"], rest["cross_biases"], rest.get("memory_mask")
    x = add_back(x, multi_head_layer(normalise(x), rest["heads"], *weights, *sequences, mask, False, *biases))
    return add_back(x, think(normalise(x)))


def adds_what_came_in_once_more(x, memory, **rest):
    """Your result is the right one plus the `x` that came in.
    The three sums already contain it.
    Which line adds it for a fourth time?"""
    return x + decoder_layer(x, memory, **rest)


@mistake(whose=tuple(OTHER_MEMORIES))
def asks_the_memory_of_another_item(x, memory, *, whose, **rest):
    """In a batch, each item of your layer looks at {whose}.
    A translation has its own source: item 0 of `x` belongs to item 0 of the memory, item 1 to item 1.
    Does something change the axis of the batch: an index, a roll, a mean, another order?"""
    return decoder_layer(x, OTHER_MEMORIES[whose](memory), **rest)


@mistake(which=("first token", "last token", "mean"))
def asks_a_single_vector_of_the_memory(x, memory, memory_mask=None, *, which, **rest):
    """Your layer finds only a single vector in the memory, its {which}, the same for every query.
    Before attention, models passed on one vector like this, and long sentences did not fit into it.
    Here a query chooses among all tokens. What happens to the memory before it becomes keys and values?"""
    one = memory.mean(axis=1, keepdims=True) if which == "mean" else memory[SINGLE_TOKENS[which.split()[0]]]
    return decoder_layer(x, one, **rest)


_BESIDE_EACH_OTHER = {
    "attention to the memory and your feed-forward part": (0, 1, 1),
    "self-attention and your feed-forward part, which is last,": (0, 1, 0),
    "self-attention and your feed-forward part, which is second,": (0, 0, 2),
}


@mistake(which=tuple(_BESIDE_EACH_OTHER))
def lets_two_parts_read_the_same(x, memory, *, which, **rest):
    """Your {which} read the same normalised copy.
    Some models have two parts side by side like this. Here they form a chain: each reads what all parts
    before it have added.
    Which `x` goes into each norm?"""
    look, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    sums = [x]
    for part, read in zip((look, think, ask) if "second" in which else (look, ask, think), _BESIDE_EACH_OTHER[which]):
        sums.append(add_back(sums[-1], part(normalise(sums[read]))))
    return sums[-1]


@mistake(second=("what it finds", "the sum"))
def normalises_twice_around_each_part(x, memory, *, second, **rest):
    """Each of your parts has two norms: one for what it reads, which is right, and one for {second}.
    Some models have both. In this layer a part reads a normalised copy, and nothing else is normalised.
    Which of your norms come after a part?"""
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        found = part(normalise(x))
        x = normalise(add_back(x, found)) if second == "the sum" else add_back(x, normalise(found))
    return x


@mistake(which=(*_WHICH, "each of the three parts"))
def adds_the_normalised_copy_too(x, memory, *, which, **rest):
    """In your layer the sum after {which} has three terms: `x`, its normalised copy, and what was found.
    The residual connection is there twice, once around the part and once inside it.
    Which of the two adds the copy?"""
    again = _WHICH.get(which, (0, 1, 2))
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        read = normalise(x)
        x = add_back(x, part(read) + read if number in again else part(read))
    return x


def adds_x_at_the_end_only(x, memory, **rest):
    """Your three parts form a chain without sums, and you add `x` only once, at the end.
    Each part needs its own residual connection, so that the next part reads what was there *and* what was found.
    How many sums should there be?"""
    found = x
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        found = part(normalise(found))
    return add_back(x, found)


def adds_to_the_x_before_the_memory(x, memory, **rest):
    """In your layer the third sum adds to the `x` from before the second attention, so what that found is
    lost.
    Each sum builds on the one before it.
    To which `x` does the last line add?"""
    look, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    return add_back(x, think(normalise(add_back(x, ask(normalise(x))))))


@mistake(role=("queries", "keys", "values"))
def leaves_one_role_of_self_attention_raw(x, memory, *, role, **rest):
    """Your self-attention makes its {role} from `x` without a norm, and the other two from the normalised copy.
    In self-attention, all three come from the same sequence.
    Which arguments does the first attention need, and what are their defaults?"""
    _, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    read = [x if role == name else normalise(x) for name in ("queries", "keys", "values")]
    weights, biases, mask = rest["self_weights"], rest["self_biases"], rest.get("self_mask")
    x = add_back(x, multi_head_layer(read[0], rest["heads"], *weights, *read[1:], mask, False, *biases))
    x = add_back(x, ask(normalise(x)))
    return add_back(x, think(normalise(x)))


_AGAIN = {
    "own past, own past, memory, feed-forward": (0, 0, 1, 2),
    "own past, memory, memory, feed-forward": (0, 1, 1, 2),
    "own past, feed-forward, memory, feed-forward": (0, 2, 1, 2),
}


@mistake(order=tuple(_AGAIN))
def takes_a_part_twice(x, memory, *, order, **rest):
    """Your layer has four steps: {order}.
    Call each of the three parts once: self-attention, then cross-attention, then feed-forward.
    Which line is there a second time?"""
    parts = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    for number in _AGAIN[order]:
        x = add_back(x, parts[number](normalise(x)))
    return x


_ROWS = {"first": np.s_[..., :1, :], "last": np.s_[..., -1:, :]}


@mistake(name=("self_mask", "memory_mask"), row=tuple(_ROWS))
def gives_all_queries_one_row_of_a_mask(x, memory, *, name, row, **rest):
    """Your layer uses the {row} row of `{name}` for every query.
    Each row belongs to one query, and may differ from the others.
    Pass on the whole mask, without an index."""
    mask = rest.get(name)
    return decoder_layer(x, memory, **rest | {name: None if mask is None else mask[_ROWS[row]]})


def turns_the_mask_of_the_past_on_its_side(x, memory, self_mask=None, **rest):
    """Your layer transposes `self_mask`, so the past is hidden and the future is seen.
    Rows belong to queries and columns to keys, in the mask as in the scores.
    Pass the mask on as it comes."""
    return decoder_layer(x, memory, self_mask=None if self_mask is None else self_mask.mT, **rest)
