"""What people get wrong about `attention_head`, and what helps them."""

import math

from array_api_compat import array_namespace

import mha_ref

from ..exercises import attention_head


@attention_head.misconception
def forgets_to_pass_the_mask(x, w_query, w_key, w_value, mask=None):
    """Hidden tokens are looked at like all others: wherever a query may look at something, your result is as without a
    mask.
    The mask comes in as a parameter, and has to take effect where scores become weights.
    Does it get there, through every call on the way?"""
    return attention_head(x, w_query, w_key, w_value)


@attention_head.misconception
def scales_by_the_model_size(x, w_query, w_key, w_value, mask=None):
    """The scores were divided by the root of the token's size, model_size.
    A dot product of query and key sums over *their* features, and after the projection these are head_size many.
    From which tensor do you take the size?"""
    return attention_head(x, w_query * math.sqrt(w_query.shape[-1] / x.shape[-1]), w_key, w_value, mask)


@attention_head.misconception
def scales_twice(x, w_query, w_key, w_value, mask=None):
    """In effect the scores were divided by the whole head_size: by its root twice, or by the number without a root.
    The root, once, makes their standard deviation about 1.
    `masked_attention` and `attention_scores` divide by themselves, so is there a second division in your own code?"""
    return attention_head(x, w_query / math.sqrt(w_query.shape[-1]), w_key, w_value, mask)


@attention_head.misconception
def adds_the_input_back(x, w_query, w_key, w_value, mask=None):
    """The tokens that came in were added to your output.
    A sum of this kind (a residual connection) stands outside attention, and a later lesson uses it there.
    Here the output is the weighted mean of the values and nothing else."""
    return attention_head(x, w_query, w_key, w_value, mask) + x


@attention_head.misconception
def answers_for_the_first_token_only(x, w_query, w_key, w_value, mask=None):
    """Your output has an answer for one token only, the first.
    In self-attention every token asks, so there are as many rows as tokens.
    Is there an index that takes one row out?"""
    return attention_head(x, w_query, w_key, w_value, mask)[..., :1, :]


@attention_head.misconception
def averages_the_tokens_of_the_output(x, w_query, w_key, w_value, mask=None):
    """The axis of the tokens is gone: your answers were averaged into one.
    Every token asks a question of its own and gets an answer of its own.
    Leave the rows side by side, as many as there are tokens."""
    return attention_head(x, w_query, w_key, w_value, mask).mean(axis=-2)


@attention_head.misconception(which=("last", "first"))
def leaves_one_token_out(x, w_query, w_key, w_value, mask=None, *, which):
    """The {which} token has no influence on any other: nobody compares with its key, and nobody receives its value.
    Every token may be looked at by all, itself included.
    Where does your loop or your slice over the keys begin, and where does it end?"""
    tokens = x.shape[-2]
    seen = array_namespace(x).arange(tokens) != (tokens - 1 if which == "last" else 0)
    return attention_head(x, w_query, w_key, w_value, seen if mask is None else mask & seen)


@attention_head.misconception(diagonal=(0, -1))
def compares_with_earlier_tokens_only(x, w_query, w_key, w_value, mask=None, *, diagonal):
    """Scores for later tokens stayed at 0, as if they had never been computed.
    A 0 is a score like any other, so those tokens still get a share, whatever their keys are.
    Every query is compared with every key: does the inner loop run over all tokens?"""
    query, key, value = mha_ref.project(x, x, x, w_query, w_key, w_value)
    scores = array_namespace(x).tril(mha_ref.attention_scores(query, key), k=diagonal)
    return mha_ref.masked_softmax(scores, scores == scores if mask is None else mask) @ value


@attention_head.misconception
def shifts_the_keys_by_one(x, w_query, w_key, w_value, mask=None):
    """Each share belongs to the token before: keys and values were moved against each other by one place.
    What a query finds by a key, it should receive as the value of that same token.
    Is something rolled, or an index one too low, on one side only?"""
    query, key, value = mha_ref.project(x, x, x, w_query, w_key, w_value)
    return mha_ref.masked_attention(query, array_namespace(x).roll(key, 1, axis=-2), value, mask)


@attention_head.misconception
def normalises_the_tokens_first(x, w_query, w_key, w_value, mask=None):
    """Every token was normalised before it was projected: its mean was taken away, and it was divided by its spread.
    Such a layer norm often stands in front of attention, and a later lesson puts it there; it is no part of a head.
    Project the tokens as they come in."""
    x = x - x.mean(axis=-1, keepdims=True)
    return attention_head(x / ((x**2).mean(axis=-1, keepdims=True) + 1e-5) ** 0.5, w_query, w_key, w_value, mask)


@attention_head.misconception
def hides_each_token_from_itself(x, w_query, w_key, w_value, mask=None):
    """No token looks at itself in your code, though nobody forbids it.
    A word may well be its own best answer, and what it carries is part of the mixture.
    Only the mask hides. Is there an `eye`, a diagonal, or a loop that leaves out the token that asks?"""
    others = array_namespace(x).eye(x.shape[-2]) == 0
    return attention_head(x, w_query, w_key, w_value, others if mask is None else mask & others)


@attention_head.misconception
def hides_blocked_tokens_on_both_sides(x, w_query, w_key, w_value, mask=None):
    """A mask was joined with itself, turned on its side: whoever may not be looked at by a token may not look at it.
    Looking has a direction. That you hide a word from me says nothing about what you may see.
    Row i, column j is about i looking at j. Is there a transpose of the mask?"""
    if mask is None:
        return attention_head(x, w_query, w_key, w_value)
    square = array_namespace(x).broadcast_to(mask, (*x.shape[:-1], x.shape[-2]))
    return attention_head(x, w_query, w_key, w_value, square & square.mT)


@attention_head.misconception
def turns_hidden_tokens_into_zeros(x, w_query, w_key, w_value, mask=None):
    """Tokens that nobody may look at became zeros, and were then looked at like all others.
    A key of zeros has a score of 0, and the exponential of 0 is 1: it still takes a share from the others.
    A mask works on scores, before softmax. Does yours get there?"""
    if mask is None:
        return attention_head(x, w_query, w_key, w_value)
    xp = array_namespace(x)
    seen = xp.any(xp.broadcast_to(mask, (*x.shape[:-1], x.shape[-2])), axis=-2)
    return attention_head(xp.where(seen[..., None], x, 0.0), w_query, w_key, w_value)


attention_head.hints_for(
    "forgets_to_pass_the_mask",
    "turns_hidden_tokens_into_zeros",
    hints=(
        "A parameter that may be None is easily lost. "
        "If a call leaves it out, everything runs as if there were none, and no error says so. "
        "The mask has nothing to do in the projections. "
        "It is needed at one spot, where scores become shares, and this spot may lie two or three calls further in.",
        "Begin at that spot and go outwards. "
        "Which call makes the shares, and does the mask stand in it? "
        "Who makes this call, and was the mask handed over there? "
        "Go on up to your own parameters. "
        "Then test it: hide one token from everybody, change the vector of this token, and look at the rows of the "
        "others. "
        "They should not move.",
        "Whatever makes the shares gets the mask as one more argument, beside query, key and value. "
        "In torch's own function its name is `attn_mask`. "
        "If you compute the shares yourself, softmax must read the masked scores and not the plain ones. "
        "And if there is a branch for a mask of None, an array must take the other branch.",
    ),
)

attention_head.hints_for(
    "scales_by_the_model_size",
    "scales_twice",
    hints=(
        "The root answers a question: how many products were added up in one score? "
        "After the projection these are head_size many. "
        "One division by the root of that, and the scores spread by about 1, whatever the size of a head is. "
        "If you divide by more, all scores come close to 0, the shares come close to each other, and the head "
        "hardly chooses.",
        "List all divisions between the projections and softmax, with those that are hidden in calls: "
        "`attention_scores`, `masked_attention` and torch's own function divide by themselves. "
        "Is there one too many? "
        "Print the number that you divide by, and its square. "
        "The square should be the last size of your query, and not that of the input.",
        "There are two good ways. "
        "Give the plain projections to a function that scales by itself, and divide nowhere. "
        "Or make the scores yourself, and divide them once, by the *square root* of the last size of the query, as "
        "it is after the projection. "
        "Never do both, and never leave the root out.",
    ),
)

attention_head.hints_for(
    "adds_the_input_back",
    "normalises_the_tokens_first",
    hints=(
        "In a whole model a head has neighbours: often a normalisation in front of it, and a sum with the input "
        "behind it. "
        "In many programs they stand so close together that they look like one thing. "
        "Yet each is a part of its own, and whoever builds the model puts them together. "
        "The head projects, attends, and gives back a mixture.",
        "Compare your code with the formula: three projections, scores, root, softmax, mixture. "
        "Is there more? "
        "Look at both ends. "
        "Multiply the input by 2, and the values should double; if they stay, it was normalised. "
        "Then give the head a single token: the output should be its value, that is its product with the values' "
        "matrix, and nothing more.",
        "The three products read the input as it was handed in, with no mean taken away and no division. "
        "And what the attention gives back is the result; nothing is added to it. "
        "In general it could not be: the size of a value may be another than that of a token, and then the two "
        "shapes do not fit.",
    ),
)

attention_head.hints_for(
    "answers_for_the_first_token_only",
    "averages_the_tokens_of_the_output",
    hints=(
        "As many rows as go in come out, and row i of the result is the answer to token i. "
        "Within a row, values of many tokens have been mixed, and with that the mixing is over. "
        "To make one row of them all, for a verdict on a whole sentence say, is the work of another part, behind "
        "the attention.",
        "Take a sentence in which the number of tokens, the features and the size of the head are all different, "
        "and print the shape after each line. "
        "Where does the number of tokens go? "
        "Look for an index or a slice on the last axis but one, for a `mean` or a `sum` over it, and for a `return` "
        "inside a loop.",
        "The shares are (..., tokens, tokens) and the values are (..., tokens, value_size). "
        "Their product has a row for each token, and all of these rows are the result. "
        "No index and no mean comes after it. "
        "If you loop over the tokens, collect the rows in a list, and stack them when the loop has ended.",
    ),
)

attention_head.hints_for(
    "leaves_one_token_out",
    "compares_with_earlier_tokens_only",
    "hides_each_token_from_itself",
    "hides_blocked_tokens_on_both_sides",
    hints=(
        "Each token asks all tokens, itself included, so n tokens make n times n scores. "
        "A pair may be forbidden by a mask, and by nothing else. "
        "If a loop or a slice leaves pairs out, this is a rule that nobody gave. "
        "And where their places in the table stay 0, softmax does not even take them for hidden.",
        "Print the scores of one sentence, just before softmax, without a mask. "
        "There should be a row and a column for each token, and a score at every place. "
        "Is a column missing or blocked, or is there a triangle of zeros? "
        "Then look where loops and slices begin and end: `range(i)`, `1:` and `:-1` are the likely ones.",
        "The inner loop runs over all tokens, from the first to the last, wherever the outer loop has come to. "
        "Keys and values are used whole. "
        "Or make the table with one matrix product, of the queries with the keys, whose last two axes are swapped. "
        "To hide a pair is left to the mask.",
    ),
)

attention_head.hints_for(
    "shifts_the_keys_by_one",
    hints=(
        "The key and the value of a token belong together, like a label and its box. "
        "One compares with the label, and takes what is in the box. "
        "Nothing holds the two together but their number: key j and value j are the same token. "
        "If one side moves by a place, each label sticks to the box of a neighbour, and no shape shows it.",
        "Let one key fit a query very well and all others badly, so that nearly the whole share goes to it. "
        "Which value comes out, the one with the same number? "
        "Then look for a `roll`, for an index with plus or minus 1, or for a list that begins with another token, "
        "on the side of the keys or on that of the values.",
        "Keys and values are made from the same tokens in the same order, and both go into the attention like that. "
        "In loops, one counter picks the key for the score, and the same counter picks the value for the mixture. "
        "Column j of the scores and row j of the values have to be the same token.",
    ),
)
