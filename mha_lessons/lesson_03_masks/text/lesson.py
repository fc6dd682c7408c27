# %% [markdown]
# # Lesson 03 · Masks
#
# In lesson 02 every query looked at every key.
# Often it must not.
# Short sentences in a batch are filled up with places that mean nothing.
# And a model that learns to predict the next word must not see the next word.
# Both times we need a way to say: this query may look at these keys, and at no others.
# That is a mask.
#
# This is a long lesson, so it comes in two sittings.
# The **first sitting** is about padding: it leads from one row of True and False to attention with any mask.
# With all its exercises it takes about an hour and a half.
# The **second sitting** is about the future: how to hide it, and how to prove that nobody peeks.
# It takes about 80 minutes.
# A bold line marks the end of the first.
#
# New in this lesson are masks, and nothing else: you write them, and attention that obeys them.
# The weighted mean comes from lesson 00, softmax from lesson 01, scores from lesson 02.
#
# When you are stuck, run `hint(masked_softmax)` in a cell of your own, or `hint("masked_row")` for a question.

# %% locked=true
import numpy as np

from autograder import after, check, hint, progress, solution
from autograder.pictures import heatmap, heatmaps, shapes
from autograder.play import MaskGrid, play
from mha_ref import attention_scores, attention_weights, scaled_dot_product_attention, softmax, weighted_mean

np.set_printoptions(precision=3, suppress=True)

# %% [markdown]
# ## Do you remember?
#
# Three questions before we begin: two about lesson 02, and the last one about lesson 01.
# You may skip them; they do not count.
#
# `query` has the shape `(4, 3, 6)`: a batch of 4, with 3 queries of 6 features each.
# `key` has the shape `(4, 5, 6)`.
# What is the shape of `query @ key.mT`?

# %% exercise="remember_the_scores"
remember_the_scores = ...  # a shape: (..., ..., ...)
### BEGIN SOLUTION
remember_the_scores = (4, 3, 5)
### END SOLUTION

# %% [markdown]
# You have computed attention.
# Now the *value* of one token changes, and nothing else does.
# You compute once more.
# What changes?
#
# - `"a"`: the scores, and all that follows from them
# - `"b"`: nothing, since all keys are as they were
# - `"c"`: the outputs, and nothing before them

# %% exercise="remember_a_new_value"
remember_a_new_value = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_a_new_value = "c"
### END SOLUTION

# %% [markdown]
# `powers` has the shape `(3, 4)`, a row for each query.
# Somebody wants weights, and writes `powers / powers.sum(axis=-1)`.
# What does this line do?
#
# - `"a"`: it stops with an error
# - `"b"`: it divides each row by the sum of the row
# - `"c"`: it divides each column by the sum of the column

# %% exercise="remember_the_lost_axis"
remember_the_lost_axis = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_the_lost_axis = "a"
### END SOLUTION

# %% [markdown]
# ## First sitting: padding
#
# ### One word, two answers
#
# Many sentences are processed at once, in a *batch*.
# A batch is one array, so every sentence in it gets the same number of places.
# Sentences do not have the same number of words.
# The short ones are therefore filled up to the length of the longest, and the filling is called *padding*.
#
# Here are three sentences.
# Each word has a vector of six random numbers, and a padded place has six zeros.
# A word plays all three parts for now: its vector is its query, its key and its value.
# (In lesson 04 these become three different things.)

# %%
sentences = [line.split() for line in ("we sleep", "cats sleep all day", "she reads the old book")]
words = sorted({word for sentence in sentences for word in sentence})
rng = np.random.default_rng(1)
vectors = {word: rng.normal(size=6) for word in words}

batch = np.zeros((3, 5, 6))  # sentences, places, features
for number, sentence in enumerate(sentences):
    batch[number, : len(sentence)] = [vectors[word] for word in sentence]

# %% [markdown]
# Now let the words of "we sleep" attend to each other, once alone and once in the batch.

# %%
we_sleep = batch[0, :2]
alone = scaled_dot_product_attention(we_sleep, we_sleep, we_sleep)
in_batch = scaled_dot_product_attention(batch, batch, batch)

print("we, alone:      ", alone[0])
print("we, in a batch: ", in_batch[0, 0])

# %% [markdown]
# The same word in the same sentence, and two answers.
# With a longer neighbour there would be a third one.
# That cannot be right: what a word means should not depend on who else is in the batch.
#
# The weights show what happened.

# %% picture=true
heatmap(
    attention_weights(batch[0], batch[0])[:2],
    alt="Attention weights of the two words of 'we sleep' over five places. "
    "From 'we': 0.58, 0.14, and about 0.09 for each of three padded places. "
    "From 'sleep': 0.24, 0.27, and 0.16 for each padded place.",
    row_labels=sentences[0],
    column_labels=[*sentences[0], "pad", "pad", "pad"],
)

# %% [markdown]
# A place full of zeros is not nothing.
# Its score is 0, the exponential of 0 is 1, and so it takes its share like everybody else.
# Nearly half of what "sleep" has to give goes to places where no word stands.
#
# ### A mask says who may look at whom
#
# A **mask** is an array of True and False, with a row for each query and a column for each key.
# In this course **True means: may look**.
# Elsewhere True can mean "blocked", and some libraries use numbers instead.
# Lesson 06 translates between four such conventions; until then there is only this one.
#
# The *masked softmax* is softmax over the allowed keys alone.
# Write $A_q$ for the set of keys that query $q$ may look at.
# Then
#
# $$w_{qk} = \frac{e^{s_{qk}}}{\sum_{j \in A_q} e^{s_{qj}}} \quad \text{if } k \in A_q, \qquad w_{qk} = 0 \quad \text{otherwise.}$$
#
# A blocked key is missing twice: above the line and in the sum below it.
# Watch the sum below the line.
#
# Here is the formula in loops that are easy to believe.
# They are slow, they know nothing of batches, and large scores break them.
# We keep them to check the fast version.

# %%
def masked_softmax_by_loops(scores, mask):
    """The definition, for one matrix of scores and a mask of the same shape."""
    weights = np.zeros(scores.shape)
    for query, row in enumerate(scores):
        allowed = [key for key in range(len(row)) if mask[query, key]]
        for key in allowed:
            weights[query, key] = np.exp(row[key]) / sum(np.exp(row[other]) for other in allowed)
    return weights


# %% [markdown]
# **Predict.**
# A query has the scores `1, 1, 1, 1` for four keys, and its row of the mask is `True, True, False, False`.
# Which four weights does it give?

# %% exercise="masked_row"
masked_row = ...  # four numbers: (..., ..., ..., ...)
### BEGIN SOLUTION
masked_row = (0.5, 0.5, 0.0, 0.0)
### END SOLUTION

# %% [markdown]
# ### Write the masked softmax
#
# For whole arrays there is a neat trick.
# Find a score whose exponential is 0, and give it to every blocked key before softmax starts.
# Then the key is missing above the line and in the sum, with no further work.
# That score is minus infinity: `np.exp(-np.inf)` is exactly 0.
# The paper that this course follows does it (Vaswani and others, 2017, section 3.2.3).
#
# A tool for choosing is `np.where(condition, a, b)`.
# It makes a new array, with the number from `a` where the condition is True, and the one from `b` where it is False.
# All three are stretched to one shape: they *broadcast*, and the rule comes below.
# And `any` asks along an axis whether at least one place is True.

# %%
print(np.where([True, False, True], [10, 20, 30], 0))
print(np.array([[True, False, True], [False, False, False]]).any(axis=-1))

# %% [markdown]
# For one kind of row the trick fails: a **dead row**, a query that may look at nothing at all.
# An empty sentence makes one, and you will meet another source in the second sitting.
# All scores of a dead row become minus infinity, and so does the largest, which softmax subtracts.

# %%
with np.errstate(all="ignore"):  # NumPy would warn us, and rightly
    print("-inf - -inf is", -np.inf - -np.inf)
    print("softmax of a dead row:", softmax(np.full(3, -np.inf)))

# %% [markdown]
# So a dead row needs a decision.
# Ours is the plain one: **nothing to look at, nothing to get.**
# Its weights are zero, and so is its output.
# The loops above say the same by themselves, since there is nothing to loop over.
#
# Others do not agree about it, not even inside PyTorch, the library of lessons 04 to 08 (version 2.13).
# Its function `torch.nn.functional.scaled_dot_product_attention` decides as we do.
# Its class `torch.nn.MultiheadAttention`, used in the usual way, gives NaN.
#
# Your turn.

# %% exercise="masked_softmax"
def masked_softmax(scores, mask):
    """Softmax over the allowed keys alone: a blocked key gets weight 0.

    scores: (..., queries, keys) floating, mask: boolean, broadcastable to scores -> shape of scores.
    True in the mask means "may look".
    A blocked score becomes minus infinity, or a number far below all others: -1e9 is low enough, -10000 is not.
    A row with nothing allowed gets weights of zero.
    The result is finite for any finite scores, blocked ones included.
    The inputs are not changed.
    """
    ### BEGIN SOLUTION
    filled = np.where(mask, scores, -np.inf)
    alive = mask.any(axis=-1, keepdims=True)
    weights = softmax(np.where(alive, filled, 0.0))  # a dead row: zeros for now, so that no NaN is made
    return np.where(alive, weights, 0.0)
    ### END SOLUTION


# %% [markdown]
# Does your version agree with the loops?
# And what becomes of "we sleep"?
# (A RuntimeWarning here comes from the dead row, if your code makes a NaN on the way; it does no harm.)

# %%
def compare_with_loops():
    """Random scores, a random mask, and a dead row for good measure."""
    rng = np.random.default_rng(0)
    scores, mask = rng.normal(size=(6, 9)), rng.random((6, 9)) < 0.5
    mask[2] = False
    difference = np.abs(masked_softmax(scores, mask) - masked_softmax_by_loops(scores, mask)).max()
    return f"largest difference from the loops: {difference:.0e}"


after(masked_softmax, compare_with_loops)

# %%
first_two = np.array([[True, True, False, False, False]])  # one row for all five queries

# %% picture=true
after(masked_softmax, lambda: heatmap(
    masked_softmax(attention_scores(batch[0], batch[0]), first_two)[:2],
    alt="Your weights of the two words of 'we sleep' over five places. "
    "From 'we': 0.80 and 0.20, from 'sleep': 0.48 and 0.52, and 0 for each of the three padded places.",
    row_labels=sentences[0],
    column_labels=[*sentences[0], "pad", "pad", "pad"],
))

# %% [markdown]
# ### Minus infinity, or minus a billion?
#
# Much code uses -1,000,000,000 in place of minus infinity, written `-1e9`.
# Some of it *puts* this number where a blocked score was, and some *adds* it to the score.
# For most rows, all of these give the same weights.
# The difference shows in a dead row, when -1e9 is added: then *every* score of the row gets it.
#
# What comes out depends on how the computer stores a number.
# It takes 16, 32 or 64 bits for each, and more bits hold more digits.
# NumPy calls the three formats `float16`, `float32` and `float64`.
#
# | | float16 | float32 | float64 |
# |---|---|---|---|
# | largest number; beyond it comes infinity | 65504 | about $3 \cdot 10^{38}$ | about $2 \cdot 10^{308}$ |
# | from one number to the next, near $10^9$ | there are none | 64 | about 0.0000001 |
#
# **Predict.**
# A dead row has the scores `2, 1, 0`, and `-1e9` is added to each.
# What does the softmax of lesson 01 make of it?
#
# - `"a"`: NaN, as above
# - `"b"`: three equal weights
# - `"c"`: the weights that the row would have without any mask
#
# Give a letter for float16, for float32 and for float64, in this order.

# %% exercise="a_billion_less"
a_billion_less = ...  # three letters: ("...", "...", "...")
### BEGIN SOLUTION
a_billion_less = ("a", "b", "c")
### END SOLUTION

# %%
for float_type in (np.float16, np.float32, np.float64):
    with np.errstate(all="ignore"):  # we expect NaN, so no warnings
        lowered = np.array([2, 1, 0], float_type) + float_type(-1e9)
        print(f"{float_type.__name__:8} scores {lowered}  weights {softmax(lowered)}")
print(f"{'':8} without a mask:", softmax(np.array([2.0, 1.0, 0.0])))

# %% [markdown]
# Three formats, three answers, and none of them says "nothing to look at".
# (float64 prints its scores rounded; underneath, they still differ by 1.)
#
# Could another number do better, *put in* for every score of a dead row?
#
# | put in | float16 | float32 | float64 |
# |---|---|---|---|
# | -1e9 | NaN | equal weights | equal weights |
# | -65504 | equal weights | equal weights | equal weights |
# | minus infinity | NaN | NaN | NaN |
#
# No number can save a dead row, because softmax shares out one whole, whatever the scores are.
#
# So when is -1e9 good enough?
#
# - In float32 and float64 it serves as well as minus infinity, put in or added, as long as no score comes near a billion.
#   In a healthy model none does. Dead rows must then be set to zero afterwards, by a product with the mask for example.
#   If your function works this way, the check accepts it, here and in every later lesson.
# - In float16 there is no such number: it becomes minus infinity.
# - Numbers nearer to 0, such as -100 or -10000, are not low enough, and every check rejects them.
#   A real score can lie below them, and then the blocked key wins.
#
# ### What if one zeroes afterwards?
#
# There is a shortcut that looks just as good: run softmax on everything, then multiply by the mask.
# A blocked weight becomes 0, and that was the aim.

# %%
def attention_zeroed_afterwards(query, key, value, mask):
    """Softmax over all keys; then the blocked weights are set to zero."""
    return weighted_mean(attention_weights(query, key) * mask, value)


# %% [markdown]
# People say of this shortcut that it *leaks*: that a blocked token still has an influence on the output.
#
# **Choose.**
# How can a blocked token influence the output here?
#
# - `"a"`: through its value, which is mixed in a little
# - `"b"`: through its key, which makes a score
# - `"c"`: not at all, since its weight is 0

# %% exercise="zeroing_after_softmax"
zeroing_after_softmax = ...  # "a", "b" or "c"
### BEGIN SOLUTION
zeroing_after_softmax = "b"
### END SOLUTION

# %% [markdown]
# Measure it.
# We block the last place of a sentence, change only its value, then only its key, and look whether any output moves.

# %%
she_reads = batch[2]
all_but_last = np.array([True, True, True, True, False])  # the same for every query
last_changed = she_reads.copy()
last_changed[-1] += 1.0

as_it_was = attention_zeroed_afterwards(she_reads, she_reads, she_reads, all_but_last)
with_new_value = attention_zeroed_afterwards(she_reads, she_reads, last_changed, all_but_last)
with_new_key = attention_zeroed_afterwards(she_reads, last_changed, she_reads, all_but_last)
print("value changed:", np.abs(with_new_value - as_it_was).max())
print("key changed:  ", np.abs(with_new_key - as_it_was).max().round(3))
print("rows sum to:  ", (attention_weights(she_reads, she_reads) * all_but_last).sum(axis=-1))

# %% [markdown]
# The value does not leak.
# The key does, through the sum: it was counted below the line, so the rows sum to less than 1.
# By how much depends on a key that nobody should see.
#
# One can repair this by dividing each row by what is left of it.
# In exact arithmetic the result then equals masking.
# On a computer it fails where a blocked score towers over the others: their weights are rounded to 0 before the division.
# Blocking *before* softmax has no such problem.
# (And in a dead row nothing is left to divide by: there `0 / 0` is NaN once more.)
#
# One warning about values.
# A weight of 0 protects you from any number, but not from NaN or infinity, since `0 * nan` is NaN.
# Fill padding with numbers, zeros for example.
#
# ### Shapes that fit, and one that only seems to
#
# The scores of a batch have the shape (batch, queries, keys).
# From lesson 05 on, several attentions run side by side, called *heads*, and scores then have four axes: (batch, heads, queries, keys).
# A mask need not have all these axes.
# It must broadcast to them, by NumPy's rule:
#
# > Line the shapes up from the right.
# > Two lengths fit if they are equal, or if one of them is 1.
# > Axes that are missing in front count as 1.
#
# With T for tokens and B for the batch, you will meet these shapes in code everywhere:
#
# | shape of the mask | what it says |
# |---|---|
# | (T, T) | each query has a row of its own, the same in all sentences and heads |
# | (1, 1, T, T) | the same, written with all four axes |
# | (B, 1, 1, T) | each sentence has a row of its own, the same for all heads and queries |
#
# **Predict.**
# The scores have the shape `(2, 8, 5, 5)`: 2 sentences, 8 heads, 5 queries, 5 keys.
# Which of these five masks broadcast to them?
# `(5, 5)`, `(1, 1, 5, 5)`, `(2, 1, 1, 5)`, `(2, 5)`, `(2, 5, 5)`

# %% exercise="masks_that_fit"
masks_that_fit = ...  # five times True or False: (..., ..., ..., ..., ...)
### BEGIN SOLUTION
masks_that_fit = (True, True, True, False, False)
### END SOLUTION

# %%
for mask_shape in [(5, 5), (1, 1, 5, 5), (2, 1, 1, 5), (2, 5), (2, 5, 5)]:
    try:
        print(mask_shape, "with the scores gives", np.broadcast_shapes(mask_shape, (2, 8, 5, 5)))
    except ValueError as error:
        print(mask_shape, "does not fit:", str(error).partition(".")[0])

# %% [markdown]
# Two of them fail, and they fail loudly.
# That is luck.
# The bad ones are those that fit by accident.
#
# Here are four sentences of at most four words, without heads, so the scores have the shape `(4, 4, 4)`.
# Row i of this mask marks the real words of sentence i; its shape is (batch, keys).

# %%
real_words = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 0, 0]], dtype=bool)  # 1 becomes True

# %% [markdown]
# **Predict.**
# Somebody calls `masked_softmax(scores, real_words)`.
# What happens?
#
# - `"a"`: NumPy complains about the shapes
# - `"b"`: in each sentence, its own padding is hidden
# - `"c"`: query i gets the mask of sentence i, in every sentence

# %% exercise="equal_sizes_trap"
equal_sizes_trap = ...  # "a", "b" or "c"
### BEGIN SOLUTION
equal_sizes_trap = "c"
### END SOLUTION

# %%
meant = np.broadcast_to(real_words[:, None, :], (4, 4, 4))  # None adds an axis: (batch, 1, keys), then stretched
used = np.broadcast_to(real_words, (4, 4, 4))

# %% picture=true
heatmaps(
    {"meant for sentence 1": meant[1], "used for sentence 1": used[1]},
    alt="Two masks of four queries by four keys for a sentence of two words. "
    "Meant: every query sees keys 0 and 1. Used: query 0 sees all four keys, query 1 two, query 2 three, query 3 one.",
    digits=0,
)

# %% [markdown]
# No error, no warning, and numbers that look fine.
# With five sentences the same line would have stopped, so this kind of mistake passes a test with equal lengths and shows itself later.
# Two habits protect you.
# Give a mask an axis for everything, of length 1 where it makes no difference.
# And test with lengths that are all different: our checks do.
#
# That is why a padding mask is made with the shape (batch, 1, 1, keys).
# Its axis for heads is meant for later lessons.
# What if we use it now, when there are no heads?
# The scores are then (batch, queries, keys), say 2 sentences, 3 queries and 5 keys.

# %%
print("scores and mask together:", np.broadcast_shapes((2, 3, 5), (2, 1, 1, 5)))

# %% [markdown]
# Four axes where there should be three: every sentence met the padding of every sentence, and again nobody complained.
# In this lesson and in lesson 04 we therefore drop the heads' axis: `mask[:, 0]` has the shape (batch, 1, keys).
#
# As boxes: the mask is as deep and as wide as the scores, and one row high.
# That row is laid over every query of its sentence.

# %% picture=true
shapes({"scores": ((2, 3, 5), "batch queries keys"), "mask[:, 0]": ((2, 1, 5), "batch queries keys")})

# %% [markdown]
# ### Write the padding mask
#
# Places are numbered from 0, so a word is real if its number is smaller than the length of the sentence.
# `np.arange` makes the numbers, and a comparison makes True and False.
# An index with `None` adds an axis of length 1: with it, two lists become a table.

# %%
print(np.arange(5) < 3)
print(np.array([10, 20])[:, None] + np.arange(5))  # (2, 1) and (5,) give (2, 5)

# %% [markdown]
# Now for all sentences of a batch, and with four axes.

# %% exercise="padding_mask"
def padding_mask(lengths, keys):
    """Each sentence may look at its real tokens, and not at its padding.

    lengths: (batch,) integers, keys: an integer -> (batch, 1, 1, keys), boolean.
    True means "may look": the first `length` keys of a sentence are real, the others are padding.
    A length of 0 is allowed, and gives a row without any True.
    A length above `keys` is refused with an error, a ValueError say.
    The inputs are not changed.
    """
    ### BEGIN SOLUTION
    if (lengths > keys).any():
        raise ValueError(f"a length of {lengths.max()} does not fit {keys} keys")
    return np.arange(keys) < lengths.reshape(-1, 1, 1, 1)
    ### END SOLUTION


# %%
sentence_lengths = np.array([len(sentence) for sentence in sentences])

# %% picture=true
after(padding_mask, lambda: heatmap(
    padding_mask(sentence_lengths, 5)[:, 0, 0],
    alt="Your padding mask for sentences of two, four and five words: one row for each sentence, with a 1 for each real word.",
    rows="sentences",
    digits=0,
))

# %% [markdown]
# ### Write attention with a mask
#
# Everything is ready.
# Scores, masked softmax, weighted mean: that is all of masked attention.
# A mask of None means that there is none, so everything is allowed.

# %% exercise="masked_attention"
def masked_attention(query, key, value, mask=None):
    """Each query gets the weighted mean of the values that it may look at.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features)
    -> (..., queries, value_features), floating.
    mask: boolean, broadcastable to (..., queries, keys), True means "may look"; None allows everything.
    Scores are divided by the square root of features, as in lesson 02.
    A query that may look at nothing gets zeros.
    The result is finite for any finite scores and values, and the inputs are not changed.
    """
    ### BEGIN SOLUTION
    scores = attention_scores(query, key)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    return weighted_mean(weights, value)
    ### END SOLUTION


# %% [markdown]
# Back to where we began: "we", alone and in its batch, now with your code.
# Note the `[:, 0]` that drops the heads' axis.

# %%
def we_again():
    """How far the answer in the batch is from the answer alone."""
    masked = masked_attention(batch, batch, batch, padding_mask(sentence_lengths, 5)[:, 0])
    print("we, alone:      ", alone[0])
    print("we, in a batch: ", masked[0, 0])
    return f"largest difference, both words: {np.abs(masked[0, :2] - alone).max():.0e}"


after(masked_attention, we_again)

# %% [markdown]
# One word, one answer, whoever the neighbours are.
#
# What about the padded places as *queries*?
# They look at the two real words and get some answer.
# Nobody reads it, so we let them.
#
# This function is the heart of the course.
# A head in lesson 04 is three matrices in front of it, and in lesson 06 one call serves many heads.
#
# **Here ends the first sitting.**
# You can mask, you know two mistakes with shapes that nobody reports, and you have decided what becomes of a dead row.
# Take a break; the future can wait.
#
# ## Second sitting: the future
#
# If you come back to a fresh kernel, run the cells above first ("Run All Above").
#
# ### A model that peeks
#
# A language model learns to say the next word.
# After "she" comes "reads", after "she reads" comes "the", and so on: a sentence of five words holds four such steps.
# Attention can take all four at once, in one pass.
# Each place looks at the sentence and guesses the word at the next place.
#
# But the next word stands right there, one place further on.
# If a query may look at it, there is nothing to guess: copying is enough.
# The model would look brilliant in *training*, as this learning is called, and be lost when the next word is really missing.
#
# So nobody may look ahead.
# How can we tell whether somebody does?
# **Change a later token, and see whether an earlier output moves.**
# If it moves, there was a way for the future to get in.

# %%
def influence(attention, x):
    """How far each output (row) moves when one token (column) changes."""
    before = attention(x, x, x)
    moved = np.zeros((len(x), len(x)))
    for token in range(len(x)):
        changed = x.copy()
        changed[token] += 1.0
        moved[:, token] = np.abs(attention(changed, changed, changed) - before).max(axis=-1)
    return moved

# %% picture=true
def influence_map(attention, alt):
    return heatmap(influence(attention, batch[2]), alt=alt, rows="output at", columns="changed token",
                   row_labels=sentences[2], column_labels=sentences[2])


influence_map(
    scaled_dot_product_attention,
    alt="Influence of each of five changed tokens on each of five outputs, for attention without a mask. "
    "No square is zero: from 0.01 up to 1.93, and the largest of each row lies on the diagonal. "
    "The first row, at 'she': 1.93, 0.14, 0.05, 0.72, 0.07.",
)

# %% [markdown]
# Read the first row: the output at "she" moves whichever word is changed, even the last one.
# A column tells whom a token reaches; a row tells on whom an output depends.
# In a map without leaks every square above the diagonal would be exactly 0.
#
# ### The causal mask
#
# A mask that allows the past and hides the future is called *causal*: an effect does not come before its cause.
# A token may look at itself and at everything before it.
# "Itself" is no leak: a place knows its own word; it must guess the next one.
#
# As long as there is a query for each key, the allowed part is a triangle.
# But often there are fewer queries than keys.
# A model that writes a text one word at a time keeps the keys and values of the words it already has.
# The new word then comes with one query, and looks at all keys so far.
# So the rule that we keep is:
#
# > **The last query stands at the last key.**
# > The query before it stands one key earlier, and so on.
#
# (More queries than keys hardly ever occur, but the rule has an answer for them, too: the first queries come before all keys.)
#
# There is another rule in use: the *first* query stands at the first key.
# PyTorch's `is_causal=True` follows that one.
# With as many queries as keys the two agree.
# With one query and a hundred keys, that rule shows it the oldest key and hides the other 99.
#
# **Predict.**
# There are 3 queries and 5 keys.
# What is the *first* row of the causal mask?

# %% exercise="causal_row"
causal_row = ...  # five times True or False: (..., ..., ..., ..., ...)
### BEGIN SOLUTION
causal_row = (True, True, True, False, False)
### END SOLUTION

# %% [markdown]
# Now write it, for any two sizes.

# %% exercise="causal_mask"
def causal_mask(queries, keys):
    """Each query may look at the keys up to its own place; the last query stands at the last key.

    queries, keys: two integers -> (queries, keys), boolean.
    True means "may look".
    With more keys than queries, the keys that are left over lie in the past of every query.
    With more queries than keys, the first queries come before all keys: their rows hold no True.
    """
    ### BEGIN SOLUTION
    place = np.arange(queries) + keys - queries
    return place[:, None] >= np.arange(keys)
    ### END SOLUTION


# %% picture=true
after(causal_mask, lambda: heatmaps(
    {"5 queries, 5 keys": causal_mask(5, 5), "3 queries, 5 keys": causal_mask(3, 5)},
    alt="Your causal masks. With five queries and five keys, a lower triangle of ones that includes the diagonal. "
    "With three queries and five keys, rows of three, four and five ones.",
    digits=0,
))

# %% [markdown]
# ### Two masks at once
#
# While a model learns from a padded batch, it needs both: no padding, and no future.
# A key may be looked at only if *both* masks allow it.
# Sometimes one of them is missing, and None says so.
#
# The two have different shapes, and broadcasting brings them together.
#
# **Predict.**
# A padding mask has the shape `(3, 1, 1, 5)`, and a causal mask has the shape `(5, 5)`.
# Which shape do they have together?

# %% exercise="shape_of_both_masks"
shape_of_both_masks = ...  # a shape: (..., ...)
### BEGIN SOLUTION
shape_of_both_masks = (3, 1, 5, 5)
### END SOLUTION

# %% [markdown]
# Now combine two masks.
# For arrays, *and* is written `&`; Python's word `and` wants a single True or False.

# %% exercise="combine_masks"
def combine_masks(first, second):
    """Allowed where both masks allow; a mask of None forbids nothing.

    first, second: boolean, broadcastable to each other, either or both may be None
    -> boolean, their common shape.
    If one is None the result is the other mask; if both are None it is None.
    The inputs are not changed.
    """
    ### BEGIN SOLUTION
    if first is None:
        return second
    if second is None:
        return first
    return first & second
    ### END SOLUTION


# %% picture=true
def both_masks():
    padding, causal = padding_mask(sentence_lengths, 5), causal_mask(5, 5)
    together = combine_masks(padding, causal)  # (3, 1, 5, 5)
    return heatmaps(
        {"padding": np.broadcast_to(padding[1, 0], (5, 5)), "causal": causal, "both": together[1, 0]},
        alt="Three masks of five queries by five keys for 'cats sleep all day' and one padded place. "
        "Padding hides the last column, causal hides everything above the diagonal, "
        "and both together hide what at least one of them hides: their rows hold one, two, three, four and four ones.",
        digits=0,
    )


after(combine_masks, both_masks)

# %% [markdown]
# Is there a dead row in the third map?
# No: the first key is a real word, and every query may look at it.
# But some programs put the padding in *front* of a sentence, so that all sentences end at the same place.
# Then the first queries are padding, they may look back at padding only, and their rows are dead.
# This is the other source of dead rows that the first sitting promised, and it is an everyday one.
#
# Now paint masks by hand, for "cats sleep all day" and one padded place.
# Each button stands for a query and a key: press it, and the query may look there; press it again, and it may not.
# (With the keyboard: Tab leads from button to button, and the space bar presses one.)
# The weights beside them are those of your `masked_softmax`.
#
# **Predict**, before you press.
# You allow the query *sleep* one more key.
# Which weights change: that one, its row, its column, or all?
# And what becomes of a row if you take its last key away?

# %% picture=true
places = [*sentences[1], "pad"]
patterns = {
    "causal": np.tri(5, dtype=bool),  # True on the diagonal and below it
    "all": np.ones((5, 5), dtype=bool),
    "padding": np.tile([True, True, True, True, False], (5, 1)),
}


def painted(mask):
    weights = masked_softmax(attention_scores(batch[1], batch[1]), mask)
    rows = []
    for query, row in zip(places, weights):
        shares = [f"{key} {weight:.2f}" for key, weight in zip(places, row) if weight]
        rows.append(f"{query} gives {', '.join(shares) or 'nothing'}")
    return heatmap(weights, alt=f"Weights: {'; '.join(rows)}.", row_labels=places, column_labels=places)


after(masked_softmax, lambda: play(painted, mask=MaskGrid(places, places, patterns)))

# %% [markdown]
# The whole row changes, and no other row does.
# A new key takes the same *percentage* from each key of its row, so the old keys keep their proportions to each other.
# And a row that has lost its last key is all zeros: nothing to look at, nothing to get.
#
# ### Attention that cannot look ahead
#
# You know these numbers from lesson 02: four tokens, three features, values of two features.

# %%
Q = np.array([[0.2, 0.1, 0.4], [0.0, 0.5, 0.3], [0.1, 0.0, 0.2], [0.3, 0.2, 0.1]])
K = np.array([[0.2, 0.0, 0.1], [0.1, 0.4, 0.3], [0.3, 0.1, 0.2], [0.0, 0.2, 0.2]])
V = np.array([[0.5, 0.0], [-0.2, 0.1], [0.3, -0.1], [0.0, 0.2]])

# %% [markdown]
# **Calculate, without a computer.**
# What is the first row of the output, if nobody looks ahead?

# %% exercise="first_causal_output"
first_causal_output = ...  # two numbers: (..., ...)
### BEGIN SOLUTION
first_causal_output = (0.5, 0.0)
### END SOLUTION

# %% exercise="causal_attention"
def causal_attention(query, key, value):
    """Attention that never looks ahead: the last query stands at the last key.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features)
    -> (..., queries, value_features), floating.
    There are never more queries than keys, so every query sees at least one key.
    No output depends on a key or a value that comes after its query's place.
    The result is finite for any finite scores and values, and the inputs are not changed.
    """
    ### BEGIN SOLUTION
    mask = causal_mask(query.shape[-2], key.shape[-2])
    return masked_attention(query, key, value, mask)
    ### END SOLUTION


# %%
after(causal_attention, lambda: print(np.array2string(causal_attention(Q, K, V), precision=6, floatmode="fixed")))

# %% [markdown]
# To six digits the four rows should be
#
# | query | output | weights behind it |
# |---|---|---|
# | 0 | 0.500000, 0.000000 | 1 |
# | 1 | 0.123780, 0.053746 | 0.462543, 0.537457 |
# | 2 | 0.198273, 0.000000 | 0.329496, 0.335252, 0.335252 |
# | 3 | 0.147965, 0.048996 | 0.245656, 0.255787, 0.254315, 0.244242 |
#
# Query 2 is a small accident: its second and third key have the same score, so +0.1 and -0.1 cancel (a computer may print `-0.000000`).
# And the last row is the one that you got in lesson 02 without any mask.
# Nothing lies ahead of the last query.
#
# ### Prove it
#
# Now the map of influence, for your own function.

# %% picture=true
after(causal_attention, lambda: influence_map(
    causal_attention,
    alt="Influence of each changed token on each output, for your causal attention: "
    "every square above the diagonal is zero. On it and below it none is: from 0.01 up to 1.83.",
))

# %% [markdown]
# Above the diagonal the picture shows 0.00.
# Is it 0, or a small number that was rounded?

# %%
def above_the_diagonal():
    largest = np.triu(influence(causal_attention, batch[2]), k=1).max()  # triu keeps what lies above
    return f"largest number above the diagonal: {largest}, exactly 0: {largest == 0}"


after(causal_attention, above_the_diagonal)

# %% [markdown]
# It is exactly 0: no later token has any influence.
# This kind of proof needs no look at the code, so it works for any model, however large.
# Strictly speaking it holds for these numbers only; but with random numbers, a leak can hardly hide.
#
# A colleague has written causal attention too, for as many queries as keys.
# `np.tri(rows, columns, k)` makes a table of ones on and below a diagonal.
# `k=0` is the main one, and `k=1` lies one place further to the right.

# %%
def colleagues_attention(query, key, value):
    tokens = query.shape[-2]                         # line 1
    scores = attention_scores(query, key)            # line 2
    mask = np.tri(tokens, tokens, k=1, dtype=bool)   # line 3
    scores = scores + np.where(mask, 0.0, -np.inf)   # line 4
    return weighted_mean(softmax(scores), value)     # line 5

# %% picture=true
influence_map(
    colleagues_attention,
    alt="Influence of each changed token on each output, for the colleague's version: "
    "not zero on the diagonal and below it, and also one place above it, "
    "where it holds 0.18, 0.08, 0.13 and 0.02; zero further up.",
)

# %% [markdown]
# **Find the bug.**
# Which line lets the future in?

# %% exercise="leaking_line"
leaking_line = ...  # a number from 1 to 5
### BEGIN SOLUTION
leaking_line = 3
### END SOLUTION

# %% [markdown]
# One place too far, and it is the worst possible place: the word to be guessed.
# A model trained with this line would guess nearly every next word right in training, and never write a sentence of its own.
# (Line 4 *adds* a mask of 0 and -inf. That is not wrong: it is a convention that you will meet again in lesson 06.)
#
# ### When is a decoder causal?
#
# A *decoder* is a model that writes: a translator's second half, or a chat model.
# An *encoder* reads a text that is all there, such as the sentence to translate, and its tokens may look both ways.
#
# A decoder has many layers of attention, one on top of the other: each works on what the layer below made of the words.
# It writes one word at a time.
# Suppose that for each new word it runs the whole text so far through all its layers again, and the last place says what comes next.
#
# **Choose.**
# When does this decoder need its causal mask?
#
# - `"a"`: only when it writes
# - `"b"`: only in training
# - `"c"`: both when it writes and in training
# - `"d"`: never, if it is trained well

# %% exercise="when_a_decoder_is_causal"
when_a_decoder_is_causal = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
when_a_decoder_is_causal = "c"
### END SOLUTION

# %% [markdown]
# Some texts say: switch the mask on when the model writes.
# By then it is too late.
# In training the whole sentence lies on the table, so there the mask is needed most.
# In lesson 07 you will train a small translator without it: in training it seems to do well, and then it gets no sentence right.
# And when the model writes, the mask keeps old tokens as they were when new ones arrive, which is what the model knows from training.
# (If it keeps the numbers of the old tokens, and does not compute them again, there is one query only, and that may see everything.
# Then nothing is left for the mask to hide.)
#
# ### Write a test that catches a leak
#
# The map of influence needs a person who looks at it.
# A test does the looking by itself.
# Six wrong versions of `causal_attention` are waiting for yours.
# Each has a name, and the card will use it when your test lets one pass:
#
# 1. *forgets the causal mask*: every query sees the whole future.
# 2. *sees one token ahead*: the diagonal lies one place too far to the right.
# 3. *zeroes after softmax*: the future leaks through the sum of softmax alone.
# 4. *hides the last key only*: the rest of the future can be seen.
# 5. *does not see itself*: it hides too much, the key at the query's own place.
# 6. *starts at the top left*: the first query stands at the first key, also when there are fewer queries than keys.
#
# As always, a test speaks by `assert`. What it returns is ignored.

# %% exercise="test_causal_attention"
def test_causal_attention(causal_attention):
    """Stops with an assert if this version looks ahead, or hides what may be seen.

    causal_attention: a function of query, key, value, right or wrong -> nothing: a returned value is ignored.
    A right version passes; each of the six wrong ones fails.
    Every demand is the one in the docstring of causal_attention, for queries <= keys.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    query, key, value = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
    expected = causal_attention(query, key, value)
    for token in range(5):
        new_key, new_value = key.copy(), value.copy()
        new_key[token] -= 1.0
        new_value[token] += 1.0
        moved = np.abs(causal_attention(query, new_key, new_value) - expected).max(axis=-1)
        first = max(0, token - 2)  # query i stands at place i + 2
        assert (moved[:first] < 1e-12).all(), f"token {token} reaches an earlier query"
        assert (moved[first:] > 1e-3).all(), f"token {token} is hidden from a query that may see it"
    ### END SOLUTION


# %% [markdown]
# ## Summary
#
# You can now
#
# - say why a mask is needed, and show it with two numbers that should be equal;
# - write a softmax that leaves blocked keys out of the sum, and that gives zeros for a dead row;
# - say when -1e9 is good enough, and when it is not;
# - make a padding mask and a causal mask, combine them, and give the shape of the result before you run it;
# - distrust a shape that fits by accident, and find it with lengths that all differ;
# - prove that nothing looks ahead, and write the proof down as a test.
#
# All of it comes back.
# `masked_attention` is inside every head from lesson 04 on.
# Lesson 06 translates masks from and to other libraries.
# Lesson 07 needs padding and causal masks together.
#
# Next, in lesson 04, a word stops being its own query, key and value: three matrices make them from it, and they can learn.

# %% [markdown]
# Here is how far you are in the course, and what comes next.

# %%
progress()
