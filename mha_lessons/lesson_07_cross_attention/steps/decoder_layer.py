"""What people get wrong about `DecoderLayer`, and what helps them."""

import numpy as np

import mha_ref
from autograder.layers import attend_to_itself, attend_to_memory, decoder_layer, multi_head_layer
from mha_ref import combine_masks

from ..exercises import DecoderLayer, add_back, feed_forward, normalise
from .cross_attention import ONE_MEMORY_EACH, OTHER_MEMORIES, SINGLE_TOKENS

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
    Those places are padding, and what stands there means nothing.
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
    """Your norms stand behind the parts: what a part finds is normalised before it is added, and what it reads is not.
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
    """What your layer returns is normalised once more at the end.
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
    What should stand on the right side of each `x = ...`?"""
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
    They stand one behind the other: the second reads what the first has added, and the third reads what both have.
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
    """Your layer makes a causal mask of its own, also where nobody asks for one.
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
    Which line stands there a second time?"""
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
    Which sign stands between `x` and what it found?"""
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
    "self-attention and your feed-forward part, which stands last,": (0, 1, 0),
    "self-attention and your feed-forward part, which stands second,": (0, 0, 2),
}


@DecoderLayer.misconception(which=tuple(_BESIDE_EACH_OTHER))
def lets_two_parts_read_the_same(x, memory, *, which, **rest):
    """Your {which} read the same normalised copy.
    Some models put two parts side by side like this. Here they stand one behind the other: each reads what all parts
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
    Which line stands there a second time?"""
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


DecoderLayer.hints_for("asks_the_memory_of_another_item", "asks_a_single_vector_of_the_memory", hints=ONE_MEMORY_EACH)


DecoderLayer.hints_for(
    "gives_all_queries_one_row_of_a_mask",
    "turns_the_mask_of_the_past_on_its_side",
    hints=(
        "A mask is a table. "
        "A row belongs to a query and says which keys it may see, so the last two axes are queries and keys, in this "
        "order, as they are in the scores. "
        "If the table is turned, each word sees what comes after it. "
        "If one row is used for all, every word has the permissions of one of them.",
        "Give your layer 4 tokens and a causal mask, and change the last token of `x`: only the last row of the result "
        "should move. "
        "Then change the first one: all rows should move. "
        "If it is otherwise, look for what happens to the mask between the first line of `forward` and the call: "
        "a transpose, an index, a slice.",
        "Hand each mask to its attention exactly as it came in, under the name `mask`. "
        "It may have two, three or four axes, and an axis of length 1 where all share the same. "
        "Broadcasting takes care of that, so there is nothing to turn, to cut or to choose.",
    ),
)


DecoderLayer.hints_for(
    "normalises_after_adding",
    "normalises_what_the_parts_find",
    "normalises_what_some_parts_find",
    "normalises_some_of_the_sums",
    "normalises_twice_around_each_part",
    hints=(
        "One can normalise at three moments: before a part reads, after it has found something, and after the sum. "
        "Only the first leaves the path of `x` alone. "
        "Then `x` runs through the layer, and through many layers, by plain sums, and each part adds as much as it "
        "likes. "
        "A norm is like a pair of glasses: it belongs to the one who reads.",
        "Look at each norm in `forward`, and write down what it is given. "
        "It should be `x` alone: no result of a part, and no sum. "
        "Do this for all three of them, since two right ones say nothing about the third. "
        "Then look at what each part is given: it should be what a norm has made of `x`.",
        "In each step the order is, from the inside to the outside: norm, part, dropout, sum. "
        "The norm gets `x`, and the part gets what the norm returns. "
        "What the part finds is added to `x` as it was before the norm, and the sum is left as it is. "
        "If one line becomes too long, give the normalised copy a name.",
    ),
)

DecoderLayer.hints_for(
    "normalises_the_memory",
    "normalises_the_memory_and_not_the_query",
    "normalises_the_memory_for_one_role",
    hints=(
        "A norm guards something that grows. "
        "`x` grows in this layer by one sum after the other, so it is normalised before it is read. "
        "The memory does not: nothing is added to it here. "
        "Every decoder layer of a model reads the same memory, and whoever made it has chosen its size. "
        "So a layer takes it as it is, like a book from a shelf.",
        "Look at the call of the second attention, and go through its arguments one by one. "
        "Which of them have been normalised? "
        "Look above the call as well, since a line that begins with `memory =` changes all that follows. "
        "A test: with ten times the memory the result should change a lot. "
        "If it hardly does, a norm has taken the ten away.",
        "Each of the three norms is called with `x`, as the step before has left it. "
        "For the second attention, this normalised copy is the query. "
        "The memory goes in as it came into `forward`: as the key, and by default as the value. "
        "No norm is ever called with the memory, and no part reads a plain `x`.",
    ),
)

DecoderLayer.hints_for(
    "adds_to_the_normalised_copy",
    "overwrites_x_before_some_of_the_parts",
    hints=(
        "A name holds one thing. "
        "If the copy is stored under the name of the original, the original is gone. "
        "From there on `x` means the copy, for the part that reads it and for the sum as well. "
        "With the original one loses how large each feature had become over all the layers, and that was knowledge, "
        "too.",
        "Look for a line in `forward` that begins with `x =` and holds a norm, but no plus. "
        "There may be one for each part, or for some of them. "
        "Then print `x` at the beginning of a step and in front of its plus: both times you should see the same "
        "numbers. "
        "A norm makes something new, and leaves what it reads alone.",
        "Give the normalised copy a name of its own, or no name at all: the call of the norm can stand inside the "
        "call of the part. "
        "What stands in front of the plus is `x`, as the step before has left it. "
        "So `x` is used twice in each step, once by the norm and once by the sum.",
    ),
)

DecoderLayer.hints_for(
    "forgets_some_of_the_norms",
    "normalises_the_queries_alone",
    "leaves_one_role_of_self_attention_raw",
    hints=(
        "A norm helps only if the part sees nothing of `x` but the copy. "
        "Self-attention reads its sequence three times, for queries, keys and values; the feed-forward part reads it "
        "once. "
        "If one of these readings goes past the norm, large numbers come in by this door. "
        "So there is one norm for each part, and it stands in front of all that the part reads of `x`.",
        "List the three calls of parts in `forward`, with all that they are given. "
        "Mark each argument that is `x` itself, and was not normalised: there should be none. "
        "What is left out counts as well, because a missing key is filled in with the query. "
        "How many norms are called, and does each part have its own?",
        "In front of each part call its own norm with `x`, and give the part what comes back. "
        "The first attention needs this copy once: given as the query, it becomes key and value too. "
        "The second gets it as the query, and the feed-forward part gets it as its only input. "
        "The plain `x` is read by the norms and by the sums, and by nobody else.",
    ),
)

DecoderLayer.hints_for(
    "adds_to_the_x_from_the_start",
    "asks_with_the_x_from_the_start",
    "gives_all_parts_the_same_x",
    "reads_only_what_the_part_before_has_found",
    "lets_two_parts_read_the_same",
    "adds_to_the_x_before_the_memory",
    hints=(
        "The three steps are a chain. "
        "What one step has made is what the next one begins with, both to read it and to add to it. "
        "Only then can the second part ask with what the first has learned, and only then does the sum keep all of it. "
        "If an older `x` comes in again, a link of the chain is left out, although every part has been computed.",
        "Number the versions of `x` on paper: 0 came in, 1 is what the first sum makes, 2 what the second makes. "
        "Write the number at every `x` in `forward`, also at names of your own, such as `residual` or `start`. "
        "In the first step both should be 0, the one in the norm and the one in front of the plus. "
        "In the second step both should be 1, in the third both 2.",
        "Give what each sum makes the name `x` again, and use this name in the next step, in the norm and in front of "
        "the plus. "
        "Then no older `x` has a name, and nothing can be mixed up. "
        "If you like numbered names better, let each step use only the number that the step before has made.",
    ),
)

DecoderLayer.hints_for(
    "forgets_some_of_the_residuals",
    "adds_x_twice_in_some_sums",
    "adds_x_at_the_end_only",
    "adds_the_normalised_copy_too",
    "subtracts_what_some_parts_find",
    hints=(
        "One sum that is missing, or made in another way, is enough to break the path. "
        "Everything that earlier steps have found, and the word itself, has to pass through this one place, once. "
        "If only what the part has found goes on from there, all that it does not repeat is gone for good. "
        "And parts do not repeat what they read: they are there to say what is new.",
        "Set the weights and biases of one part to zero, and print `x` before and after its step. "
        "The part finds nothing then, so both should be equal. "
        "Do it for all three parts. "
        "Where zeros come out, the sum is missing; where twice as much comes out, `x` is added twice. "
        "In your code, compare the steps: which of them have a plus, and what stands on its two sides?",
        "Write this step like a step of yours that is right: the old `x`, a plus, and what the part has found, with "
        "dropout on it. "
        "The old `x` is the one from before the norm. "
        "Look also at what the next step begins with: the sum, and not what the part alone has found.",
    ),
)

DecoderLayer.hints_for(
    "leaves_out_some_of_the_parts",
    hints=(
        "A part acts on the result in one way only: by what is added to `x`. "
        "It may be made in `__init__`, have weights, and even be called, and still it does nothing if what it finds "
        "does not arrive in a sum. "
        "Such a layer runs, and it learns too, as well as the other parts can. "
        "So nothing warns you.",
        "Give the layer an input, call `backward` on the sum of its result, and look at the `grad` of every "
        "parameter. "
        "Where it is None, that parameter has no effect. "
        "To which part does it belong, and where does this part stand in `forward`? "
        "If it is called there, which name gets the result, and which line reads this name?",
        "Each part is called in a step of its own. "
        "What it finds is added to `x`, and the sum gets a name that the next step reads; the last sum is what is "
        "returned. "
        "So add the step that is missing, at its place in the order, or bring the result that nobody reads into its "
        "sum.",
    ),
)

DecoderLayer.hints_for(
    "takes_the_parts_in_another_order",
    "takes_a_part_twice",
    hints=(
        "For sums order makes no difference, so this mistake looks harmless. "
        "But each part also *reads* `x`, with everything in it that was added before. "
        "So the order decides who knows what, and another order is another function. "
        "A layer that is loaded with trained weights has to keep the order in which they were learned.",
        "Go through `forward` from top to bottom, and write down the name of each part at the moment when it is "
        "called. "
        "Compare with the first line of the docstring of `forward`. "
        "If you go through the parts in a loop, then it is a list in `__init__` that makes the order. "
        "Check that each mask has stayed with its own attention.",
        "Move whole steps, each with its norm, its mask and its dropout, and leave the inside of the steps alone. "
        "The step in which `x` looks at itself comes first. "
        "The step that looks at the memory comes second. "
        "The feed-forward part comes last, and its sum is returned. "
        "Each step reads the `x` that the step above it has made.",
    ),
)

DecoderLayer.hints_for(
    "looks_at_itself_twice",
    "takes_the_values_from_x",
    "takes_the_keys_from_x",
    "asks_with_the_memory",
    hints=(
        "In the second attention every role is taken. "
        "The words that are being written have the questions, so the copy of `x` makes the queries. "
        "The memory has everything else: what one finds things by, and what one takes away. "
        "A key and its value are two sides of one token, so they do not come from two sequences here.",
        "Find the call of the second attention, and write beside each of its arguments the role that it gets. "
        "Without names they are query, key, value and mask, in this order. "
        "What is missing is filled in: the key with the query, the value with the key. "
        "Now you have a sequence for all three roles. "
        "In which of them does the memory stand?",
        "This call needs two sequences: the normalised copy of `x` as the query, and behind it the memory as the key. "
        "The value follows the key by itself; if you give it all the same, it is the memory again. "
        "Give the mask by its name, so that it is not taken for a sequence. "
        "The result has a row for each token of `x`, and the sum fits.",
    ),
)

DecoderLayer.hints_for(
    "looks_at_the_memory_twice",
    hints=(
        "Your two attentions are modules of the same kind; only the call says what each of them looks at. "
        "Without a second sequence an attention looks at its own. "
        "So the first call is the shorter one. "
        "It is also the only place where one word can learn of another word in its own sentence: everything else in "
        "the layer asks the memory, or works on each word alone.",
        "Give the layer an input without masks, change the first token of `x`, and see which rows of the result move. "
        "All of them should, because every word may look at this one. "
        "If only the first row moves, look at the call of the first attention: which sequences does it get? "
        "Has the line been copied from the second step?",
        "The first attention gets one sequence, the normalised copy of `x`, and beside it the mask of the own past, "
        "by its name. "
        "The key and the value are left out, because by default they come from the query. "
        "The memory occurs for the first time in the second step, and that step is as it should be.",
    ),
)

DecoderLayer.hints_for(
    "uses_one_attention_for_both",
    "gives_each_attention_the_others_weights",
    hints=(
        "A module is a box of weights with a name. "
        "When a trained layer is stored and loaded again, the weights are found by their names alone. "
        "So the name promises what the box is used for. "
        "There are two boxes because there are two tasks, and what is learned for one is of little use for the other.",
        "Read the two calls of attention in `forward`: which name stands behind `self.` in each, and which sequences "
        "does it get? "
        "Then look at `__init__`: are two layers made, or does one layer get two names? "
        "A test: with all weights and biases of `cross_attention` at zero, the memory should lose its influence, and "
        "words of `x` should still see each other.",
        "In `__init__` each of the two names gets a layer of its own, made by a call of its own. "
        "In `forward`, `self_attention` gets the copy of `x` alone, with the mask of the past. "
        "`cross_attention` gets the copy of `x` and the memory, with the mask of the memory. "
        "Module, sequences and mask go together in each step.",
    ),
)

DecoderLayer.hints_for(
    "ignores_the_mask_of_the_memory",
    "ignores_the_mask_of_the_past",
    "ignores_both_masks",
    hints=(
        "A layer of attention knows nothing of padding or of time. "
        "It hides what it is told to hide in this very call, and a mask does not travel along with `x` to the next "
        "step. "
        "So there are two calls, and each has to be told what is hidden from it. "
        "If the argument is left out, its default None allows everything, without a word.",
        "Search `forward` for the names `self_mask` and `memory_mask`. "
        "Each of them should occur in the body, inside a call of attention. "
        "If one does, look how it goes in: by the name `mask`, or by its place? "
        "And look above the call: does an `if`, or a line that gives the name a new value, take the mask away?",
        "Give each attention the mask that is named after it, under the name that `MultiHeadAttention` has for it. "
        "Pass on what came in, a None as well, and change nothing about it. "
        "The feed-forward part needs no mask, because no token sees another one there.",
    ),
)

DecoderLayer.hints_for(
    "fails_where_there_is_a_mask",
    hints=(
        "Python fills parameters by their place, unless a name says something else. "
        "It does not look at what a thing is: a mask at the place of a key becomes a key. "
        'None at this place does no harm, because it means "take the default". '
        "This is why code can run for a long time, and fail on the day when the first mask comes.",
        "Call your layer in a cell of its own, once with a `self_mask` alone and once with a `memory_mask` alone. "
        "Which of the two calls fails, or do both? "
        "Go through the error to the line of yours that it names. "
        "Beside this line write the parameters that the attention has, in their order: what does each of them get "
        "from you?",
        "In each call of attention, say by name which argument is the mask. "
        "What stands without a name in front of it are sequences: one in the first attention, two in the second. "
        "Nothing is done to the mask itself, because it fits already: no new axes, no conversion to numbers, no "
        "product with something else.",
    ),
)

DecoderLayer.hints_for(
    "swaps_the_two_masks",
    "uses_the_first_mask_for_both",
    hints=(
        "A mask is a table of who may look at whom, and its columns are made for one sequence. "
        "`self_mask` has a column for each token of `x`, and `memory_mask` has one for each token of the memory. "
        "Where both sequences are equally long, one fits in the place of the other, and no error comes. "
        "Then a triangle that was made for the past hides the end of the source.",
        "Call your layer with 3 tokens in `x` and 5 in the memory, and with a mask of 3 columns and one of 5. "
        "If it fails, which two sizes does the error name? "
        "Then write down for each call of attention the sequence that is looked at, and the mask. "
        "The tokens of this sequence and the columns of this mask should be equal in number.",
        "The attention that looks at `x` gets `self_mask`, and the one that looks at the memory gets `memory_mask`. "
        "In both calls the parameter has the same name, `mask`, so the difference lies in what you write behind it. "
        "Each of the two masks is used once in `forward`.",
    ),
)

DecoderLayer.hints_for(
    "always_hides_the_future",
    "hides_the_later_memory",
    hints=(
        "A layer is a tool, and a tool does not decide what it is used for. "
        "The same layer may learn from whole sentences, where a future must be hidden, or serve where all words may "
        "be seen. "
        "Only the caller knows. "
        "So masks are made outside of the layer, where lengths and purpose are known, and the layer does what they "
        "say.",
        "Call your layer without any mask. "
        "Change the last token of `x`, and then the last token of the memory: each time all rows of the result should "
        "move. "
        "Where early rows stay as they were, something makes a triangle. "
        "Look for `tril`, `triu`, `causal_mask` or `is_causal`, in `forward` and in what it calls.",
        "Take out the line that makes the triangle, and the line that joins it with a mask that came in. "
        "Then each attention gets its mask from the arguments of `forward`, as it is, and None stays None. "
        "Nothing is lost by this: whoever wants the past alone hands in a causal mask as `self_mask`.",
    ),
)

DecoderLayer.hints_for(
    "turns_one_of_the_masks_round",
    hints=(
        "There are two habits. "
        "In torch's own layer `nn.MultiheadAttention`, a True in a mask forbids. "
        "In the layer that you use here a True allows, and so it does in the masks that come in. "
        "A `~` translates from one habit into the other. "
        "Where both sides speak the same language already, such a translation makes nonsense of it.",
        "Call your layer with a mask that is True everywhere, and then with None, once for each of the two masks. "
        "Both allow everything, so the results should be equal. "
        "Where they are not, follow this mask through `forward`: is there a `~`, a `not`, a `1 -`, a comparison with "
        "False or with 0?",
        "Between the first line of `forward` and the call of the attention, nothing happens to a mask. "
        "The tensor that came in is the one that is passed on. "
        "You do it like this with one of the two masks already, so treat the other one in the same way.",
    ),
)

DecoderLayer.hints_for(
    "has_one_head_whatever_is_asked_for",
    hints=(
        "A head makes one choice for each word: its weights sum to 1. "
        "A word that needs two things at once gets a blend of both from a single head, and gets each by itself from "
        "two. "
        "The parameters are equally many in both cases, and so are the shapes of all results. "
        "So neither of these tells you how many heads are at work.",
        "Make a layer with 2 heads, and print `layer.self_attention.heads` and `layer.cross_attention.heads`. "
        "Then look at the two calls in `__init__` that make them: the model size comes first, the number of heads "
        "second. "
        "What stands in the second place: a 1, or a name that got its value somewhere else?",
        "Both attention layers are made with the model size and with the number of heads, as `__init__` gets them. "
        "You need not store this number, because only the attention layers use it. "
        "They take care of everything that follows from it: the split, the scale of the scores, and the error where "
        "the heads do not divide the model size.",
    ),
)

DecoderLayer.hints_for(
    "thinks_twice",
    "normalises_the_result_too",
    "adds_what_came_in_once_more",
    hints=(
        "Layers are stacked: what one returns, the next one takes as its `x`. "
        "After three sums everything is in there, once: what came in, and what each part has found. "
        "So nothing is left to collect or to finish. "
        "Whatever a layer does beyond this is done again by every layer of the stack.",
        "Count in `forward`: how many norms are called, how many parts, and how many sums are there? "
        "Each of these should be three. "
        "Calls in a loop, or in a function of your own, count as often as they run. "
        "Then look at the line with `return`, and at the line above it: does one of them do what has been done "
        "already?",
        "The third sum, that of the feed-forward part, is the result. "
        "Either it stands behind `return`, or it is given the name `x` and `x` is returned; both together would be "
        "one too many. "
        "Around it stands nothing: no norm, no further plus, no further call.",
    ),
)
