"""What people get wrong about `DecoderLayer`."""

import numpy as np

import mha_ref
from mha_lessons.lesson_06_batched_multi_head.functional import multi_head_layer
from mha_ref import combine_masks

from ..exercises import DecoderLayer, add_back, feed_forward, normalise
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


@DecoderLayer.misconception
def normalises_after_adding(x, memory, **rest):
    """Your layer normalises after each sum, not before each part.
    That is post-norm, as in the paper of 2017; it works, and deep models learn less easily with it.
    This layer is pre-norm: the part reads a normalised copy, and `x` itself is never normalised."""
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        x = normalise(add_back(x, part(x)))
    return x


@DecoderLayer.misconception
def normalises_the_memory(x, memory, **rest):
    """Your layer normalises the memory as well.
    The norm in front of a part is for what passes through the layer, `x`.
    The memory is used as it comes: the encoder hands it over ready."""
    return decoder_layer(x, normalise(memory), **rest)


@DecoderLayer.misconception
def ignores_the_mask_of_the_memory(x, memory, memory_mask=None, **rest):
    """`memory_mask` changes nothing in your result: places of the memory that should be hidden are looked at.
    Those places are padding, and what is there means nothing.
    Does the mask arrive at the second attention?"""
    return decoder_layer(x, memory, **rest)


@DecoderLayer.misconception
def ignores_the_mask_of_the_past(x, memory, self_mask=None, **rest):
    """`self_mask` changes nothing in your result: every word sees all the others, and the future too.
    In training that is the answer itself.
    Does the mask arrive at the first attention?"""
    return decoder_layer(x, memory, **rest)


@DecoderLayer.misconception
def adds_to_the_normalised_copy(x, memory, **rest):
    """Your sums add to the normalised copy, not to `x` itself.
    The residual connection is a path on which `x` arrives unchanged, and normalising it breaks this path.
    Does your code overwrite `x` with its norm?"""
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        x = normalise(x)
        x = add_back(x, part(x))
    return x


@DecoderLayer.misconception
def normalises_what_the_parts_find(x, memory, **rest):
    """Your norms are behind the parts: what a part finds is normalised before it is added, and what it reads is not.
    Here the norm comes first: a part reads a normalised copy, and what it finds is added as it is.
    Which call is inside which?"""
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        x = add_back(x, normalise(part(x)))
    return x


@DecoderLayer.misconception(which=tuple(_WHICH))
def normalises_what_some_parts_find(x, memory, *, which, **rest):
    """In your layer, {which} has its norm behind it: what it finds is normalised, and what it reads is not.
    The rest is as it should be: the norm first, then the part.
    Which line differs from the other ones?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = add_back(x, normalise(part(x)) if number in _WHICH[which] else part(normalise(x)))
    return x


@DecoderLayer.misconception(which=tuple(_WHICH))
def normalises_some_of_the_sums(x, memory, *, which, **rest):
    """In your layer {which} is post-norm: the sum is normalised, and not the copy that the part reads.
    The rest is pre-norm, as it should be.
    Which line differs from the other ones?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = normalise(add_back(x, part(x))) if number in _WHICH[which] else add_back(x, part(normalise(x)))
    return x


@DecoderLayer.misconception(which=tuple(_WHICH))
def overwrites_x_before_some_of_the_parts(x, memory, *, which, **rest):
    """Before {which} your code puts the normalised copy in the place of `x`, and adds to that.
    The residual connection is a path on which `x` arrives unchanged.
    Give the copy to the part, and keep `x` for the sum."""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        read = normalise(x)
        x = add_back(read if number in _WHICH[which] else x, part(read))
    return x


@DecoderLayer.misconception(sums=("the second sum adds", "the third sum adds", "the second and the third sum add"))
def adds_to_the_x_from_the_start(x, memory, *, sums, **rest):
    """In your layer, {sums} to the `x` that came in, so what an earlier part has added is lost.
    Each sum builds on the one before it.
    To which `x` does each line add?"""
    start = x
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = add_back(start if ("first", "second", "third")[number] in sums else x, part(normalise(x)))
    return x


@DecoderLayer.misconception
def asks_with_the_x_from_the_start(x, memory, **rest):
    """Your second attention asks with the `x` that came into the layer.
    It should ask with what the first sum has made of it: a word looks at its own past in order to know what to ask.
    Which `x` goes into the second norm?"""
    look, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(add_back(x, look(normalise(x))), ask(normalise(x)))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def normalises_the_memory_and_not_the_query(x, memory, **rest):
    """Your second attention reads a normalised memory, and `x` as it is.
    The norm in front of a part is for what passes through the layer, `x`; the memory comes ready from the encoder.
    Which of the two arguments does the second norm belong to?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    weights, biases, mask = rest["cross_weights"], rest["cross_biases"], rest.get("memory_mask")
    x = add_back(x, attend_to_memory(x, normalise(memory), rest["heads"], weights, biases, mask))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def normalises_the_queries_alone(x, memory, **rest):
    """In your self-attention the queries come from the normalised copy, keys and values from `x` as it is.
    All three read the same thing in self-attention.
    Which arguments does the first attention need, and what are their defaults?"""
    _, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    weights, biases, mask = rest["self_weights"], rest["self_biases"], rest.get("self_mask")
    x = add_back(x, attend_to_memory(normalise(x), x, rest["heads"], weights, biases, mask))
    x = add_back(x, ask(normalise(x)))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def normalises_the_result_too(x, memory, **rest):
    """What your layer returns is normalised again at the end.
    A pre-norm layer returns the sum as it is; the next layer normalises its own copy.
    (A model has one last norm, after its last layer, outside of it.)
    Which is your fourth norm?"""
    return normalise(decoder_layer(x, memory, **rest))


@DecoderLayer.misconception(which=tuple(_WHICH))
def forgets_some_of_the_norms(x, memory, *, which, **rest):
    """Of your three parts, {which} reads `x` as it is.
    Each part has a norm of its own in front of it, and reads a normalised copy.
    Go through the calls one by one: what exactly goes in?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = add_back(x, part(x if number in _WHICH[which] else normalise(x)))
    return x


@DecoderLayer.misconception(which=tuple(_WHICH))
def forgets_some_of_the_residuals(x, memory, *, which, **rest):
    """In your layer, what {which} finds takes the place of `x`; the other sums are as they should be.
    A part says what to add to the tokens, and what they knew before must not get lost.
    What should be on the right side of each `x = ...`?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = part(normalise(x)) if number in _WHICH[which] else add_back(x, part(normalise(x)))
    return x


@DecoderLayer.misconception(which=tuple(_WHICH))
def leaves_out_some_of_the_parts(x, memory, *, which, **rest):
    """In your result nothing is left of {which}.
    First comes self-attention, then attention to the memory, then the feed-forward part.
    Is something not called, or is what it returns not kept?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = x if number in _WHICH[which] else add_back(x, part(normalise(x)))
    return x


@DecoderLayer.misconception(order=tuple(_ORDERS))
def takes_the_parts_in_another_order(x, memory, *, order, **rest):
    """Your layer has all three parts, but takes them in another order: {order}.
    First a word looks at its own sentence, so that it knows what to ask; then it asks the memory; then it thinks about
    what it has found.
    Which line has to move?"""
    parts = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    for number in _ORDERS[order]:
        x = add_back(x, parts[number](normalise(x)))
    return x


@DecoderLayer.misconception
def gives_all_parts_the_same_x(x, memory, **rest):
    """All three of your parts read the `x` that came into the layer.
    They are one behind the other: the second reads what the first has added, and the third reads what both have.
    Which `x` goes into each norm?"""
    parts = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    return x + sum(part(normalise(x)) for part in parts)


@DecoderLayer.misconception(hidden_by=("memory_mask", "self_mask", "nothing"))
def looks_at_itself_twice(x, memory, *, hidden_by, **rest):
    """The memory has no influence on your result: the second attention looks at `x` again.
    `MultiHeadAttention` takes its key from the query where you give it none.
    What does the second one have to be told?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    weights, biases = rest["cross_weights"], rest["cross_biases"]
    x = add_back(x, attend_to_itself(normalise(x), rest["heads"], weights, biases, rest.get(hidden_by)))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def looks_at_the_memory_twice(x, memory, heads, self_weights, self_biases, self_mask=None, **rest):
    """Both of your attentions look at the memory, so no word ever sees the words before it.
    The first one is self-attention: who is looked at there?"""
    found = attend_to_memory(normalise(x), memory, heads, self_weights, self_biases, self_mask)
    nothing = dict(self_weights=0 * self_weights, self_biases=0 * self_biases)
    return decoder_layer(add_back(x, found), memory, heads, **nothing, **rest)


@DecoderLayer.misconception(used=("self", "cross"))
def uses_one_attention_for_both(x, memory, *, used, **rest):
    """Both of your attentions compute with the weights of `{used}_attention`; those of the other one have no effect.
    To look at one's own past and to look at the memory are two different skills, and each has weights to learn it.
    Which layer is called twice?"""
    both = {f"{name}_{kind}": rest[f"{used}_{kind}"] for name in ("self", "cross") for kind in ("weights", "biases")}
    return decoder_layer(x, memory, **rest | both)


@DecoderLayer.misconception
def gives_each_attention_the_others_weights(x, memory, **rest):
    """Your two attentions have changed places: `self_attention` looks at the memory, and the other one at `x`.
    It would learn as well, but whoever looks for the weights by their names finds the others.
    Swap the two names."""
    other = {"self": "cross", "cross": "self"}
    swapped = {f"{n}_{kind}": rest[f"{other[n]}_{kind}"] for n in other for kind in ("weights", "biases")}
    return decoder_layer(x, memory, **rest | swapped)


@DecoderLayer.misconception
def takes_the_values_from_x(x, memory, **rest):
    """Your second attention takes its keys from the memory and its values from `x`.
    A weight belongs to a token of the memory, and must meet this token's value.
    `MultiHeadAttention` takes its value from the key where you give it none. What do you give it?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    read, mask = normalise(x), rest.get("memory_mask")
    weights, biases = rest["cross_weights"], rest["cross_biases"]
    x = add_back(x, multi_head_layer(read, rest["heads"], *weights, memory, read, mask, False, *biases))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
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


@DecoderLayer.misconception(hidden_by=("memory_mask", "nothing"))
def asks_with_the_memory(x, memory, *, hidden_by, **rest):
    """Your second attention makes its queries of the memory, and looks at `x`.
    Where the two lengths differ, the sum cannot even be computed.
    The words that are being written ask, and the memory answers: which comes first in the call?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    weights, biases, mask = rest["cross_weights"], rest["cross_biases"], rest.get(hidden_by)
    x = add_back(x, attend_to_memory(memory, normalise(x), rest["heads"], weights, biases, mask))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def ignores_both_masks(x, memory, self_mask=None, memory_mask=None, **rest):
    """Neither of the two masks changes anything in your result.
    `forward` receives them, but attention hides only what it is told to hide.
    Pass each of them on, to the attention that it is named after."""
    return decoder_layer(x, memory, **rest)


@DecoderLayer.misconception
def swaps_the_two_masks(x, memory, self_mask=None, memory_mask=None, **rest):
    """Your two masks have changed places: the one for the past hides the memory, and the other way round.
    That can only be computed where the two sequences are equally long.
    `self_mask` is for the words that are written, `memory_mask` for those that are read."""
    return decoder_layer(x, memory, self_mask=memory_mask, memory_mask=self_mask, **rest)


@DecoderLayer.misconception
def uses_the_first_mask_for_both(x, memory, self_mask=None, memory_mask=None, **rest):
    """Both of your attentions use `self_mask`, and `memory_mask` has no effect.
    A mask has a column for each token that is looked at, and the two attentions look at two different sequences.
    Which mask belongs to the second?"""
    return decoder_layer(x, memory, self_mask=self_mask, memory_mask=self_mask, **rest)


@DecoderLayer.misconception
def always_hides_the_future(x, memory, self_mask=None, **rest):
    """Your layer makes a causal mask of its own, also where no one asks for one.
    Who may look at whom is for the caller to say: the masks are inputs, and None hides nothing.
    Use what comes in."""
    past = combine_masks(self_mask, mha_ref.causal_mask(x.shape[1], x.shape[1], like=x))
    return decoder_layer(x, memory, self_mask=past, **rest)


@DecoderLayer.misconception
def hides_the_later_memory(x, memory, memory_mask=None, **rest):
    """Your second attention sees the beginning of the memory only: your layer makes a causal mask for it.
    The memory has been read to its end, so nothing in it is future.
    And who may look at whom is for the caller to say: use the mask that comes in."""
    past = mha_ref.causal_mask(x.shape[1], memory.shape[1], like=x)
    return decoder_layer(x, memory, memory_mask=combine_masks(memory_mask, past), **rest)


@DecoderLayer.misconception(name=("self_mask", "memory_mask"))
def turns_one_of_the_masks_round(x, memory, *, name, **rest):
    """Your layer uses `{name}` the other way round: what it allows is hidden, and what it hides is looked at.
    In this course True means "may look", here and in `MultiHeadAttention`.
    Pass the mask on as it comes."""
    mask = rest.get(name)
    return decoder_layer(x, memory, **rest | {name: None if mask is None else ~mask})


@DecoderLayer.misconception
def has_one_head_whatever_is_asked_for(x, memory, heads, **rest):
    """Both of your attentions work with a single head, whatever `heads` is.
    Each head makes weights of its own, over a block of the features, and so they can look at different places.
    Does the argument `heads` reach `MultiHeadAttention`?"""
    return decoder_layer(x, memory, 1, **rest)


@DecoderLayer.misconception
def thinks_twice(x, memory, **rest):
    """Your layer goes through its feed-forward part twice.
    Each of the three parts is called once.
    Which line is there a second time?"""
    think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)[2]
    x = decoder_layer(x, memory, **rest)
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def fails_where_there_is_a_mask(x, memory, self_mask=None, memory_mask=None, **rest):
    """Without masks your layer is right, and with any mask it stops with an error.
    What does that error speak of, and does each mask arrive as a mask?
    `MultiHeadAttention` takes query, key, value and then the mask: one in second place is taken for the key."""
    if self_mask is not None or memory_mask is not None:
        raise ValueError
    return decoder_layer(x, memory, **rest)


@DecoderLayer.misconception(which=tuple(_WHICH))
def adds_x_twice_in_some_sums(x, memory, *, which, **rest):
    """In your layer `x` is in the sum of {which} twice.
    A sum has two terms: the `x` of before, once, and what the part has found.
    Does the part, or a function around it, add `x` already?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = add_back(x + x if number in _WHICH.get(which, (0, 1, 2)) else x, part(normalise(x)))
    return x


@DecoderLayer.misconception(which=(*_WHICH, "each of the three parts"))
def subtracts_what_some_parts_find(x, memory, *, which, **rest):
    """What {which} finds is taken away from `x` in your layer.
    A part says what is to be added to the tokens.
    Which sign is between `x` and what it found?"""
    minus = _WHICH.get(which, (0, 1, 2))
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        found = part(normalise(x))
        x = add_back(x, -found if number in minus else found)
    return x


@DecoderLayer.misconception(which=("attention to the memory", "feed-forward part"))
def reads_only_what_the_part_before_has_found(x, memory, *, which, **rest):
    """Your {which} reads what the part before it has found, without the `x` that this was added to.
    Each part reads the whole sum, normalised: what a word was, and all that has been found for it.
    Which name goes into the norm in front of it?"""
    found = x
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        alone = number == (1 if which.startswith("attention") else 2)
        found = part(normalise(found if alone else x))
        x = add_back(x, found)
    return x


@DecoderLayer.misconception(role=("keys", "values"))
def normalises_the_memory_for_one_role(x, memory, *, role, **rest):
    """Your second attention makes its {role} of a normalised memory, and the rest of the memory as it is.
    The norm in front of a part is for what passes through the layer, `x`; the memory comes ready from the encoder.
    What do you give to the second attention, argument by argument?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    sequences = (normalise(memory), memory) if role == "keys" else (memory, normalise(memory))
    weights, biases, mask = rest["cross_weights"], rest["cross_biases"], rest.get("memory_mask")
    x = add_back(x, multi_head_layer(normalise(x), rest["heads"], *weights, *sequences, mask, False, *biases))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def adds_what_came_in_once_more(x, memory, **rest):
    """Your result is the right one plus the `x` that came in.
    The three sums have carried it along already.
    Which line adds it for a fourth time?"""
    return x + decoder_layer(x, memory, **rest)


@DecoderLayer.misconception(whose=tuple(OTHER_MEMORIES))
def asks_the_memory_of_another_item(x, memory, *, whose, **rest):
    """In a batch, each item of your layer looks at {whose}.
    A translation has its own source: item 0 of `x` belongs to item 0 of the memory, item 1 to item 1.
    Is something done along the axis of the batch: an index, a roll, a mean, another order?"""
    return decoder_layer(x, OTHER_MEMORIES[whose](memory), **rest)


@DecoderLayer.misconception(which=("first token", "last token", "mean"))
def asks_a_single_vector_of_the_memory(x, memory, memory_mask=None, *, which, **rest):
    """All that your layer finds in the memory is a single vector, its {which}, the same for every query.
    Models before attention handed over one vector like this, and long sentences did not fit into it.
    Here a query chooses among all tokens. What is done to the memory before it becomes keys and values?"""
    one = memory.mean(axis=1, keepdims=True) if which == "mean" else memory[SINGLE_TOKENS[which.split()[0]]]
    return decoder_layer(x, one, **rest)


_BESIDE_EACH_OTHER = {
    "attention to the memory and your feed-forward part": (0, 1, 1),
    "self-attention and your feed-forward part, which is last,": (0, 1, 0),
    "self-attention and your feed-forward part, which is second,": (0, 0, 2),
}


@DecoderLayer.misconception(which=tuple(_BESIDE_EACH_OTHER))
def lets_two_parts_read_the_same(x, memory, *, which, **rest):
    """Your {which} read the same normalised copy.
    Some models put two parts side by side like this. Here they are one behind the other: each reads what all parts
    before it have added.
    Which `x` goes into each norm?"""
    look, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    sums = [x]
    for part, read in zip((look, think, ask) if "second" in which else (look, ask, think), _BESIDE_EACH_OTHER[which]):
        sums.append(add_back(sums[-1], part(normalise(sums[read]))))
    return sums[-1]


@DecoderLayer.misconception(second=("what it finds", "the sum"))
def normalises_twice_around_each_part(x, memory, *, second, **rest):
    """Around each of your parts there are two norms: one for what it reads, as it should be, and one for {second}.
    Some models have both. In this layer a part reads a normalised copy, and nothing else is normalised.
    Which of your norms come after a part?"""
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        found = part(normalise(x))
        x = normalise(add_back(x, found)) if second == "the sum" else add_back(x, normalise(found))
    return x


@DecoderLayer.misconception(which=(*_WHICH, "each of the three parts"))
def adds_the_normalised_copy_too(x, memory, *, which, **rest):
    """In your layer the sum after {which} has three terms: `x`, its normalised copy, and what was found.
    The residual connection comes twice, once around the part and once inside of it.
    Which of the two adds the copy?"""
    again = _WHICH.get(which, (0, 1, 2))
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        read = normalise(x)
        x = add_back(x, part(read) + read if number in again else part(read))
    return x


@DecoderLayer.misconception
def adds_x_at_the_end_only(x, memory, **rest):
    """Your three parts are a chain without sums, and `x` is added once, at the end.
    A residual connection goes around each part, so that the next one reads what was there *and* what was found.
    How many sums should there be?"""
    found = x
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        found = part(normalise(found))
    return add_back(x, found)


@DecoderLayer.misconception
def adds_to_the_x_before_the_memory(x, memory, **rest):
    """In your layer the third sum adds to the `x` from before the attention to the memory, so what was found there is
    lost in the result.
    Each sum builds on the one before it.
    To which `x` does the last line add?"""
    look, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    return add_back(x, think(normalise(add_back(x, ask(normalise(x))))))


@DecoderLayer.misconception(role=("queries", "keys", "values"))
def leaves_one_role_of_self_attention_raw(x, memory, *, role, **rest):
    """Your self-attention makes its {role} of `x` as it is, and the other two of the normalised copy.
    All three come from the same thing in self-attention.
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


@DecoderLayer.misconception(order=tuple(_AGAIN))
def takes_a_part_twice(x, memory, *, order, **rest):
    """Your layer has four steps: {order}.
    Each of the three parts is called once: first a word looks at its own past, then it asks the memory, then it thinks.
    Which line is there a second time?"""
    parts = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    for number in _AGAIN[order]:
        x = add_back(x, parts[number](normalise(x)))
    return x


_ROWS = {"first": np.s_[..., :1, :], "last": np.s_[..., -1:, :]}


@DecoderLayer.misconception(name=("self_mask", "memory_mask"), row=tuple(_ROWS))
def gives_all_queries_one_row_of_a_mask(x, memory, *, name, row, **rest):
    """Your layer uses the {row} row of `{name}` for every query.
    Each row belongs to one query, and may allow something else than the others.
    Pass on the whole mask, without an index."""
    mask = rest.get(name)
    return decoder_layer(x, memory, **rest | {name: None if mask is None else mask[_ROWS[row]]})


@DecoderLayer.misconception
def turns_the_mask_of_the_past_on_its_side(x, memory, self_mask=None, **rest):
    """In your layer rows and columns of `self_mask` have changed places, so the past is hidden and the future is seen.
    Rows are for those who look, columns for those who are looked at, in the mask as in the scores.
    Pass the mask on as it comes."""
    return decoder_layer(x, memory, self_mask=None if self_mask is None else self_mask.mT, **rest)


DecoderLayer.misconception(adds_x_twice_in_some_sums, which=("each of the three parts",))
