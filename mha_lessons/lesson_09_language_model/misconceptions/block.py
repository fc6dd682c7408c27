"""What people get wrong about `Block`."""

import mha_ref
from autograder.mistakes import mistake
from mha_lessons.lesson_06_batched_multi_head.functional import multi_head_layer
from mha_lessons.lesson_07_cross_attention.functional import attend_to_itself, by_name
from mha_ref import combine_masks

from ..exercises import feed_forward_with_gelu
from ..functional import add_back, block, normalise

_WHICH = {"attention": 0, "the feed-forward part": 1}


def _parts(steps, heads, self_weights, self_biases, mask=None, **feed):
    """The two parts of the block, each a function of what it reads; steps: what they are made of in this world."""
    look, think = steps
    return lambda x: look(x, heads, self_weights, self_biases, mask), lambda x: think(x, **feed)


def norms_after_each_sum(x, **rest):
    """Your block normalises after each sum, not before each part.
    That is post-norm, as in the first transformer. GPT-2 changed it, and with pre-norm, training can do without a slow
    start: each part reads a normalised copy, and the residual stream itself is never normalised.
    What do you give to your norms?"""
    for part in _parts((attend_to_itself, feed_forward_with_gelu), **rest):
        x = normalise(add_back(x, part(x)))
    return x


@mistake(which=tuple(_WHICH))
def norms_one_of_the_sums(x, *, which, **rest):
    """In your block {which} is post-norm: the sum is normalised, and not the copy that the part reads.
    The other part is pre-norm, as it should be.
    How do your two lines differ?"""
    for number, part in enumerate(_parts((attend_to_itself, feed_forward_with_gelu), **rest)):
        x = normalise(add_back(x, part(x))) if number == _WHICH[which] else add_back(x, part(normalise(x)))
    return x


def norms_what_the_parts_give(x, **rest):
    """Your norms come after the parts: what a part finds is normalised, and what it reads is not.
    Here the norm comes first: a part reads a normalised copy, and what it finds is added as it is.
    Which call is inside which?"""
    for part in _parts((attend_to_itself, feed_forward_with_gelu), **rest):
        x = add_back(x, normalise(part(x)))
    return x


def adds_to_the_normed_copy(x, **rest):
    """Your sums add to the normalised copy, not to `x` itself.
    The residual stream is a path on which `x` arrives unchanged, and a norm on this path breaks it.
    Does your code overwrite `x` with its norm?"""
    for part in _parts((attend_to_itself, feed_forward_with_gelu), **rest):
        x = normalise(x)
        x = add_back(x, part(x))
    return x


@mistake(which=tuple(_WHICH))
def overwrites_x_before_one_part(x, *, which, **rest):
    """Before {which} your block replaces `x` by the normalised copy, and adds to that.
    The residual stream is a path on which `x` arrives unchanged.
    Give the copy to the part, and keep `x` for the sum."""
    for number, part in enumerate(_parts((attend_to_itself, feed_forward_with_gelu), **rest)):
        read = normalise(x)
        x = add_back(read if number == _WHICH[which] else x, part(read))
    return x


@mistake(which=tuple(_WHICH))
def forgets_one_norm(x, *, which, **rest):
    """Of your two parts, {which} reads `x` as it is.
    Each part has a norm of its own in front of it, and reads a normalised copy.
    Go through both calls: what exactly goes in?"""
    for number, part in enumerate(_parts((attend_to_itself, feed_forward_with_gelu), **rest)):
        x = add_back(x, part(x if number == _WHICH[which] else normalise(x)))
    return x


@mistake(which=tuple(_WHICH))
def forgets_one_residual(x, *, which, **rest):
    """In your block, what {which} finds replaces `x`; the other sum is as it should be.
    A part says what to add to the stream, and what was there before must not get lost.
    What should be on the right-hand side of each `x = ...`?"""
    for number, part in enumerate(_parts((attend_to_itself, feed_forward_with_gelu), **rest)):
        x = part(normalise(x)) if number == _WHICH[which] else add_back(x, part(normalise(x)))
    return x


@mistake(which=tuple(_WHICH))
def leaves_out_one_part(x, *, which, **rest):
    """In your result nothing is left of {which}.
    A block looks first, then it thinks, and both times it adds what it found.
    Is something never called, or is what it returns not kept?"""
    for number, part in enumerate(_parts((attend_to_itself, feed_forward_with_gelu), **rest)):
        x = x if number == _WHICH[which] else add_back(x, part(normalise(x)))
    return x


def thinks_before_it_looks(x, **rest):
    """Your block has both parts, but the feed-forward part comes first.
    A token looks around, and then it thinks about what it has found.
    Which line has to move?"""
    look, think = _parts((attend_to_itself, feed_forward_with_gelu), **rest)
    x = add_back(x, think(normalise(x)))
    return add_back(x, look(normalise(x)))


def lets_both_parts_read_the_same(x, **rest):
    """Both of your parts read the `x` that came into the block, and both results are added to it.
    Some models do that, to compute the two side by side. Here the second part reads what the first has added.
    Which `x` goes into the second norm?"""
    look, think = _parts((attend_to_itself, feed_forward_with_gelu), **rest)
    return add_back(add_back(x, look(normalise(x))), think(normalise(x)))


def adds_to_the_stream_from_the_start(x, **rest):
    """Your second sum adds to the `x` that came into the block, so what attention has added is lost.
    Each sum builds on the one before it.
    To which `x` does your last line add?"""
    look, think = _parts((attend_to_itself, feed_forward_with_gelu), **rest)
    return add_back(x, think(normalise(add_back(x, look(normalise(x))))))


def thinks_about_the_finding_alone(x, **rest):
    """Your feed-forward part reads only what attention has found, without the `x` that this is added to.
    It should read the whole stream, normalised: what a token was, and all that has been found for it.
    Which name goes into the second norm?"""
    look, think = _parts((attend_to_itself, feed_forward_with_gelu), **rest)
    found = look(normalise(x))
    return add_back(add_back(x, found), think(normalise(found)))


def adds_once_at_the_end(x, **rest):
    """Your two parts are a chain without sums, and `x` is added once, at the end.
    A residual connection goes around each part, so that the second reads what was there *and* what was found.
    How many sums does the formula make?"""
    look, think = _parts((attend_to_itself, feed_forward_with_gelu), **rest)
    return add_back(x, think(normalise(look(normalise(x)))))


@mistake(which=tuple(_WHICH))
def adds_x_twice_in_one_sum(x, *, which, **rest):
    """In your block `x` is in the sum of {which} twice.
    A sum has two terms: the `x` from before, once, and what the part has found.
    Does the part, or a function around it, add `x` already?"""
    for number, part in enumerate(_parts((attend_to_itself, feed_forward_with_gelu), **rest)):
        x = add_back(x + x if number == _WHICH[which] else x, part(normalise(x)))
    return x


@mistake(which=tuple(_WHICH))
def subtracts_what_one_part_finds(x, *, which, **rest):
    """In your block, what {which} finds is subtracted from `x`.
    A part says what is to be added to the stream.
    Which sign is between `x` and what it found?"""
    for number, part in enumerate(_parts((attend_to_itself, feed_forward_with_gelu), **rest)):
        found = part(normalise(x))
        x = add_back(x, -found if number == _WHICH[which] else found)
    return x


@mistake(which=tuple(_WHICH))
def takes_one_part_twice(x, *, which, **rest):
    """Your block goes through {which} twice, each time with a sum of its own.
    Each of the two parts is called once.
    Which line is there a second time?"""
    for number, part in enumerate(_parts((attend_to_itself, feed_forward_with_gelu), **rest)):
        for _ in range(2 if number == _WHICH[which] else 1):
            x = add_back(x, part(normalise(x)))
    return x


def norms_the_stream_at_the_end(x, **rest):
    """What your block returns is normalised again at the end.
    A pre-norm block returns the sum as it is; the next block normalises its own copy.
    (A model has one last norm, but outside the block, after the last one.)
    Which is your third norm?"""
    return normalise(block(x, **rest))


def keeps_the_mask_to_itself(x, mask=None, **rest):
    """The mask changes nothing in your result: every token sees all the others, and the future too.
    In training that is the answer itself: the loss falls to almost nothing, and then the model cannot write.
    Does the mask arrive at the attention?"""
    return block(x, **rest)


def always_hides_what_follows(x, mask=None, **rest):
    """Your block makes a causal mask of its own, also where no one asks for one.
    Who may look at whom is for the caller to say: the mask is an input, and None hides nothing.
    Use what comes in."""
    return block(x, mask=combine_masks(mask, mha_ref.causal_mask(x.shape[1], x.shape[1], like=x)), **rest)


def puts_its_own_mask_there(x, mask=None, **rest):
    """Your block hides what follows, and the mask that it is given changes nothing.
    Who may look at whom is for the caller to say, and in a padded text or a translator it is something else.
    Does a line of yours give `mask` another value before it is used?"""
    return block(x, mask=mha_ref.causal_mask(x.shape[1], x.shape[1], like=x), **rest)


def hands_on_the_opposite_mask(x, mask=None, **rest):
    """Your block uses the mask the wrong way round: what it allows is hidden, and what it hides is looked at.
    In torch's own layer True means "hidden". In this course it means "may look", here and in `MultiHeadAttention`.
    Pass the mask on as it comes."""
    return block(x, mask=None if mask is None else ~mask, **rest)


def stops_at_a_mask(x, mask=None, **rest):
    """Without a mask your block is right, but with any mask it stops with an error.
    What does that error say, and does the mask arrive as a mask?
    `MultiHeadAttention` takes query, key, value and then the mask: a mask that comes second is taken for the key."""
    if mask is not None:
        raise ValueError
    return block(x, **rest)


def gives_its_attention_one_head(x, heads, **rest):
    """The attention of your block works with a single head, whatever `heads` is.
    Each head makes weights of its own, from some of the features, so that they can look at different positions.
    Does the argument `heads` reach `MultiHeadAttention`?"""
    return block(x, 1, **rest)


_ROLES = "queries", "keys", "values", "keys and values"


@mistake(raw=_ROLES)
def leaves_a_role_unnormalised(x, heads, self_weights, self_biases, mask=None, *, raw, **feed):
    """Your attention makes its {raw} from `x` as it is, and the rest from the normalised copy.
    In self-attention all three roles come from the same source.
    Which arguments does the attention need, and what are their defaults?"""
    query, key, value = (x if role in raw else normalise(x) for role in ("queries", "keys", "values"))
    named = by_name(self_weights, self_biases)
    x = add_back(x, multi_head_layer(query, heads, key=key, value=value, mask=mask, **named))
    return add_back(x, feed_forward_with_gelu(normalise(x), **feed))
