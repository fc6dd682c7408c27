# %% [markdown]
# # Lesson 03 · Masks
#
# In lesson 02 every query looked at every key.
# Often it must not.
# A model that learns to predict the next word must not see that word.
# And in a batch of sentences of different lengths some positions are empty, and must not be seen either.
# A mask says which keys a query may look at.
#
# There are five short functions and a test to write, with a good place for a break before the test.

# %% locked=true
import numpy as np

from autograder import after, check, hint, progress, solution
from autograder.mine import attention_scores, attention_weights, scaled_dot_product_attention, softmax, weighted_mean
from autograder.pictures import heatmap, heatmaps
from autograder.play import MaskGrid, play

np.set_printoptions(precision=3, suppress=True)

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them.
#
# **From lesson 02.**
# You double the *value* of one key, and leave everything else as it is.
# What changes?
#
# - `"a"`: the output, but not the weights
# - `"b"`: the weights, but not the output
# - `"c"`: the weights and the output, both

# %% exercise="remember_doubled_value"
remember_doubled_value = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_doubled_value = "a"
### END SOLUTION

# %% [markdown]
# **From lesson 00.**
# A query gives a weight of 0.25 to a key whose value is (8, 0), and 0.75 to one whose value is (0, 4).
# What does it receive?

# %% exercise="remember_what_arrives"
remember_what_arrives = ...  # two numbers: (..., ...)
### BEGIN SOLUTION
remember_what_arrives = (2.0, 3.0)
### END SOLUTION

# %% [markdown]
# ## Do not give away the answer
#
# A **language model** predicts the next token of a text.
# To write, it predicts one token, appends it to the text, and goes on from there.
# A model that feeds on its own output like this is called **autoregressive**.
#
# In training we have whole sentences, and each one provides several exercises:
#
# | the model reads | it should predict |
# |---|---|
# | she | reads |
# | she reads | the |
# | she reads the | old |
# | she reads the old | book |
#
# Attention does all of them in one pass: each position in the sentence predicts the token at the next position.
# But during that pass the whole sentence is visible, and the next token sits one position to the right.
# If a query can look at it, the answer is given away, and all the model has to learn is to copy.
# In training it looks brilliant; when it has to write, it is lost, because the next token does not exist yet.
#
# How can we tell whether a model peeks?
# **Change a later token, and see whether an earlier output changes.**
# For now each word is a vector of random numbers, which serves as query, key and value alike.

# %%
sentences = [line.split() for line in ("we sleep", "cats sleep all day", "she reads the old book")]
rng = np.random.default_rng(1)
vectors = {word: rng.normal(size=6) for word in sorted({word for sentence in sentences for word in sentence})}
x = np.array([vectors[word] for word in sentences[2]])  # (tokens, features)

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
    return heatmap(influence(attention, x), alt=alt, rows="output at", columns="changed token",
                   row_labels=sentences[2], column_labels=sentences[2])

influence_map(
    scaled_dot_product_attention,
    alt="Influence of each of five changed tokens on each of five outputs, for attention without a mask. "
    "No square is zero: from 0.01 up to 1.93, and the largest of each row lies on the diagonal. "
    "The first row, at 'she': 1.93, 0.14, 0.04, 0.72, 0.07.",
)

# %% [markdown]
# Look at the first row: the output at *she* moves whichever word we change, even the last one.
# If nothing leaked back from later words, every square above the diagonal would be exactly 0.

# %% [markdown]
# ## Hide the future
#
# A token may look at itself and at everything before it.
# In a row of scores, all that lies to the right of the token itself is the future.
# So we replace those scores with minus infinity; since $e^{-\infty} = 0$, softmax gives them nothing.
# (It has to happen before softmax: further down you find out what leaks if weights are set to zero afterwards.)

# %%
scores = attention_scores(x, x)  # a row for each query, a column for each key
without_future = scores.copy()
for query in range(5):
    without_future[query, query + 1 :] = -np.inf

# %% picture=true
heatmaps(
    {"scores": scores, "without the future": without_future, "weights": softmax(without_future)},
    alt="Three tables of five words by five words. Scores: 'the' has -0.97, -0.57, 1.10, -1.21 and -0.07. "
    "Without the future: everything above the diagonal is minus infinity, and the rest is as it was. "
    "Weights: 'she' gives 1.00 to itself, 'the' gives 0.10, 0.14 and 0.76 to she, reads and itself, and only 'book' gives "
    "something to all five. Above the diagonal everything is 0.",
    row_labels=sentences[2], column_labels=sentences[2],
)

# %% [markdown]
# Take the row *the*.
# It may look at *she*, at *reads* and at itself, but not at *old*, because that is the answer it has to predict.
# *old* and *book* get exactly 0, and the three allowed words share the whole among themselves.
#
# ## The causal mask
#
# What may be seen is a triangle, whatever the scores are.
# So we write it down once: a **mask** is an array of True and False with a row for each query and a column for each key.
# In this course, **True means: may look**.
# (In some libraries True means the opposite; lesson 15 is about them.)
# A mask that allows the past and hides the future is called **causal**.
# Here it is, with 1 for True:

# %% picture=true
heatmap(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]],
    alt="The causal mask of five words, with 1 for True. she: 1 0 0 0 0. reads: 1 1 0 0 0. the: 1 1 1 0 0. old: 1 1 1 1 0. book: 1 1 1 1 1.",
    row_labels=sentences[2], column_labels=sentences[2], digits=0,
)

# %% [markdown]
# Such a table needs no loop.
# `np.arange(5)` numbers five positions from 0, `None` makes a column of them, and a column compared with a row gives a table: each query meets each key.
# It asks whether the two are at the same position.
# **Try it:** change one operator, so that the triangle comes out.

# %%
position = np.arange(5)
print((position[:, None] == position).astype(int))

# %% [markdown]
# ### Fewer queries than keys
#
# So far each key had a query of its own.
# But a model that writes need not ask again for words whose outputs it already has.
# It keeps their keys and values, in a *cache* (lesson 11), and only the newest words ask.
# Suppose the first three of our words are in the cache, and *old* and *book* ask.
# Then they get the last two rows of the triangle: *book* may look at all five words, and *old* at the first four.
# So the rule is:
#
# > **The last query lines up with the last key**, the query before it with the key before that, and so on.
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
# Now write the mask for any two sizes.
# Begin with the square, and then ask by how much the queries' positions are shifted.

# %% exercise="causal_mask"
def causal_mask(queries, keys):
    """Each query may look at the keys up to its own position; the last query lines up with the last key.

    queries, keys: two integers -> (queries, keys), boolean.
    True means "may look".
    With more keys than queries, the extra keys come before every query.
    With more queries than keys, the first queries come before all keys: their rows contain no True.
    """
    ### BEGIN SOLUTION
    position = np.arange(queries) + keys - queries
    return position[:, None] >= np.arange(keys)
    ### END SOLUTION

# %% picture=true
after(causal_mask, lambda: heatmaps(
    {"5 queries, 5 keys": causal_mask(5, 5), "3 queries, 5 keys": causal_mask(3, 5)},
    alt="Your causal masks. With five queries and five keys, a lower triangle of ones that includes the diagonal. "
    "With three queries and five keys, rows of three, four and five ones.",
    digits=0,
))

# %% [markdown]
# ## Softmax over the allowed keys
#
# Masks differ, and softmax must take any: it runs over the allowed keys alone.
# If $A_q$ is the set of keys that query $q$ may look at:
#
# $$w_{qk} = \frac{e^{s_{qk}}}{\sum_{j \in A_q} e^{s_{qj}}} \quad \text{if } k \in A_q, \qquad w_{qk} = 0 \quad \text{otherwise.}$$
#
# A blocked key is missing twice: it has no weight of its own, and its score is left out of the sum in the denominator.
# Here is the definition in loops that are easy to trust.

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
# What are its four weights?

# %% exercise="masked_row"
masked_row = ...  # four numbers: (..., ..., ..., ...)
### BEGIN SOLUTION
masked_row = (0.5, 0.5, 0.0, 0.0)
### END SOLUTION

# %% [markdown]
# For whole arrays, minus infinity does the same, put in place before softmax.
# `np.where(condition, a, b)` does the replacing, and `any` asks along an axis whether at least one entry is True.

# %%
print(np.where([True, False, True], [10, 20, 30], 0))
print(np.array([[True, False, True], [False, False, False]]).any(axis=-1))

# %% [markdown]
# One kind of row needs a second thought: that of a query with no allowed key at all, as in an empty sentence.
# All its scores become minus infinity, and so does the maximum that softmax subtracts; `-inf - -inf` is `nan`.
# For such a **dead row** we decide: **nothing to look at, nothing received.**
# Its weights are all zero, as in the loops, and so is its output.
# Softmax must not meet such a row as it is, so give it other scores first, and put zeros into its weights afterwards.
#
# A mask is *broadcastable* to the scores if broadcasting can stretch it to their shape, as from `(1, 5)` to `(3, 5)`.

# %% exercise="masked_softmax"
def masked_softmax(scores, mask):
    """Softmax over the allowed keys alone: a blocked key gets weight 0.

    scores: (..., queries, keys) floating-point numbers, mask: boolean, broadcastable to scores -> shape of scores.
    True in the mask means "may look".
    A blocked score becomes minus infinity, or a number far below all others: -1e9 is low enough, -10000 is not.
    A row with no allowed key gets weights of zero.
    The result is finite for any finite scores, blocked ones included.
    The inputs are not changed.
    """
    ### BEGIN SOLUTION
    filled = np.where(mask, scores, -np.inf)
    alive = mask.any(axis=-1, keepdims=True)
    weights = softmax(np.where(alive, filled, 0.0))  # a dead row: zeros for now, so that no NaN is made
    return np.where(alive, weights, 0.0)
    ### END SOLUTION

# %%
def compare_with_loops():
    """Random scores, a random mask, and a dead row for good measure."""
    rng = np.random.default_rng(0)
    scores, mask = rng.normal(size=(6, 9)), rng.random((6, 9)) < 0.5
    mask[2] = False
    difference = np.abs(masked_softmax(scores, mask) - masked_softmax_by_loops(scores, mask)).max()
    return f"largest difference from the loops: {difference:.0e}"

after(masked_softmax, compare_with_loops)

# %% [markdown]
# Now paint masks by hand.
# Each button belongs to a query and a key; press it to allow or block the key for that query.
#
# **Predict** before you press (not marked): under the causal mask, you allow the query *the* one more key, *book*.
# Which weights change?
#
# - `"a"`: only that of *book*, in this row
# - `"b"`: those of all allowed keys, in every row
# - `"c"`: those of all allowed keys, in this row

# %% exercise="predict_one_more_key"
predict_one_more_key = ...  # "a", "b" or "c"
### BEGIN SOLUTION
predict_one_more_key = "c"
### END SOLUTION

# %% [markdown]
# Now try it.
# What is left of a row when you block its last allowed key?

# %% picture=true
places = sentences[2]
patterns = {"causal": np.tri(5, dtype=bool), "all": np.ones((5, 5), dtype=bool), "itself": np.eye(5, dtype=bool)}


def painted(mask):
    weights = masked_softmax(attention_scores(x, x), mask)
    rows = []
    for query, row in zip(places, weights):
        shares = [f"{key} {weight:.2f}" for key, weight in zip(places, row) if weight]
        rows.append(f"{query} gives {', '.join(shares) or 'nothing'}")
    return heatmap(weights, alt=f"Weights: {'; '.join(rows)}.", row_labels=places, column_labels=places)

after(masked_softmax, lambda: play(painted, mask=MaskGrid(places, places, patterns)))

# %% [markdown]
# In the row *the*, every allowed key gets another weight, and no other row changes: a new key takes the same *percentage* from each of the others.
# Under the causal mask, *book* gets 0.19, so *she*, *reads* and *the* keep 81 % of what they had.
# A row without any allowed key gives nothing to any key.

# %% [markdown]
# ## Attention that cannot look ahead
#
# Now put the pieces together: scores, masked softmax, weighted mean.
# A mask of `None` allows everything.

# %% exercise="masked_attention"
def masked_attention(query, key, value, mask=None):
    """Each query gets the weighted mean of the values that it may look at.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features)
    -> (..., queries, value_features), floating-point numbers.
    mask: boolean, broadcastable to (..., queries, keys), True means "may look"; None allows everything.
    Scores are divided by the square root of features, as in lesson 02.
    A query with no allowed key gets zeros.
    The result is finite for any finite scores and values, and the inputs are not changed.
    """
    ### BEGIN SOLUTION
    scores = attention_scores(query, key)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    return weighted_mean(weights, value)
    ### END SOLUTION

# %% [markdown]
# With the causal mask, this is the attention inside a language model.
# Here is the example from lesson 02.

# %%
Q = np.array([[0.2, 0.1, 0.4], [0.0, 0.5, 0.3], [0.1, 0.0, 0.2], [0.3, 0.2, 0.1]])  # (queries, features)
K = np.array([[0.2, 0.0, 0.1], [0.1, 0.4, 0.3], [0.3, 0.1, 0.2], [0.0, 0.2, 0.2]])
V = np.array([[0.5, 0.0], [-0.2, 0.1], [0.3, -0.1], [0.0, 0.2]])

# %% [markdown]
# **Calculate without a computer:** what is the first row of the output if no query looks ahead?

# %% exercise="first_causal_output"
first_causal_output = ...  # two numbers: (..., ...)
### BEGIN SOLUTION
first_causal_output = (0.5, 0.0)
### END SOLUTION

# %% exercise="causal_attention"
def causal_attention(query, key, value):
    """Attention that never looks ahead: the last query lines up with the last key.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features)
    -> (..., queries, value_features), floating-point numbers.
    There are never more queries than keys, so every query sees at least one key.
    No output depends on a key or a value that comes after its query's position.
    The result is finite for any finite scores and values, and the inputs are not changed.
    """
    ### BEGIN SOLUTION
    mask = causal_mask(query.shape[-2], key.shape[-2])
    return masked_attention(query, key, value, mask)
    ### END SOLUTION

# %%
after(causal_attention, lambda: print(np.array2string(causal_attention(Q, K, V).round(6) + 0.0, precision=6, floatmode="fixed")))

# %% [markdown]
# To six digits, the four rows should be
#
# | query | output | weights behind it |
# |---|---|---|
# | 0 | 0.500000, 0.000000 | 1 |
# | 1 | 0.123780, 0.053746 | 0.462543, 0.537457 |
# | 2 | 0.198273, 0.000000 | 0.329496, 0.335252, 0.335252 |
# | 3 | 0.147965, 0.048996 | 0.245656, 0.255787, 0.254315, 0.244242 |
#
# The last row is the same as without a mask, because no key comes after the last query.
#
# This is a good place for a break.

# %% [markdown]
# ## Test it
#
# Here is the influence map of your own function.

# %% picture=true
after(causal_attention, lambda: influence_map(
    causal_attention,
    alt="Influence of each changed token on each output, for your causal attention: "
    "every square above the diagonal is zero. On it and below it none is: from 0.01 up to 1.83.",
))

# %% [markdown]
# Above the diagonal the picture shows 0.00.
# Is that exactly 0, or a small number that was rounded?

# %%
after(causal_attention, lambda: float(np.triu(influence(causal_attention, x), k=1).max()))  # triu keeps what is above the diagonal

# %% [markdown]
# The largest number up there is exactly 0: none of these changes to a later token reached an earlier output.
# The same check can be made of any model, without a look at its code.
#
# **Write a test.**
# A test runs by itself, and complains with `assert`: `assert np.allclose(a, b)` raises an error unless the two agree, apart from rounding.
# Here is a first one, which your version passes.

# %%
def test_the_last_token(causal_attention):
    """Change the last token: the outputs before it must stay."""
    changed = x.copy()
    changed[-1] += 1.0
    before, afterwards = causal_attention(x, x, x), causal_attention(changed, changed, changed)
    assert np.allclose(before[:-1], afterwards[:-1]), "an earlier output has moved"

after(causal_attention, lambda: test_the_last_token(causal_attention))  # no error

# %% [markdown]
# Yours should catch six wrong versions of `causal_attention`:
#
# 1. *forgets the causal mask*: every query sees the whole future.
# 2. *sees one token ahead*: the diagonal is one position too far to the right.
# 3. *zeroes after softmax*: it takes softmax of all scores, and only then sets the blocked weights to zero.
# 4. *hides the last key only*: the rest of the future can be seen.
# 5. *does not see itself*: it also hides the key at the query's own position.
# 6. *starts at the top left*: the first query lines up with the first key, even when there are fewer queries than keys.
#
# The test above catches only the first three.
# It changes one token, it never asks whether what may be seen *is* seen, and it has as many queries as keys.
#
# So begin with 3 queries and 5 keys, where the queries are at positions 2, 3 and 4.
# Change one key and its value, and compare the outputs before and after: those of earlier queries must stay, and each of the others must move.
# For the second, `assert not np.allclose(a, b)` raises an error if the two agree.
# Do this for every key.

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
        first = max(0, token - 2)  # query i is at position i + 2
        assert (moved[:first] < 1e-12).all(), f"token {token} reaches an earlier query"
        assert (moved[first:] > 1e-3).all(), f"token {token} is hidden from a query that may see it"
    ### END SOLUTION

# %% [markdown]
# Version 3 deserves a closer look, because it is a tempting shortcut: multiply by the mask after softmax, as in
#
# ```
# weighted_mean(attention_weights(query, key) * mask, value)
# ```
#
# **Choose.**
# How can a blocked token still influence the output here?
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
# A *decoder* is a model that writes, such as a chat assistant.
# It does attention several times, each time on the outputs of the time before, and it reads its whole text again for every new word.
#
# **Choose.**
# When does a decoder need its causal mask?
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
# In training the whole sentence is visible, so that is when the mask matters most.
# When the model writes, the mask makes sure that old tokens keep the outputs they had before new ones arrived, as in training.
# In lesson 07 you will train a translator without the mask and see what happens.

# %% [markdown]
# ## One word, two answers
#
# A batch of sentences is one array, so shorter sentences are extended to the length of the longest; this is called **padding**.
# Here each padded position holds six zeros.

# %%
batch = np.zeros((3, 5, 6))  # sentences, positions, features
for number, sentence in enumerate(sentences):
    batch[number, : len(sentence)] = [vectors[word] for word in sentence]

we_sleep = batch[0, :2]
alone = scaled_dot_product_attention(we_sleep, we_sleep, we_sleep)
in_batch = scaled_dot_product_attention(batch, batch, batch)
print("we, alone:      ", alone[0])
print("we, in a batch: ", in_batch[0, 0])

# %% [markdown]
# The same word in the same sentence gets two answers, depending on what else is in the batch.
# The weights show why.

# %% picture=true
heatmap(
    attention_weights(batch[0], batch[0])[:2],
    alt="Attention weights of the two words of 'we sleep' over five positions. "
    "From 'we': 0.57, 0.14, and about 0.09 for each of three padded positions. "
    "From 'sleep': 0.24, 0.26, and 0.16 for each padded position.",
    row_labels=sentences[0],
    column_labels=[*sentences[0], "pad", "pad", "pad"],
)

# %% [markdown]
# The score of a padded position is 0, and $e^0$ is 1, so nearly half of *sleep*'s attention goes to empty positions.

# %% [markdown]
# ## Shapes that fit by accident
#
# A mask must broadcast to the scores, which in a batch have the shape (batch, queries, keys).
# Some shapes fit by accident.
# Take four sentences of at most four words, without heads: the scores are `(4, 4, 4)`.
# Row i of this mask marks the real words of sentence i.

# %%
real_words = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 0, 0]], dtype=bool)  # 1 becomes True

# %% [markdown]
# **Predict.**
# Someone calls `masked_softmax(scores, real_words)`.
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
def first_sentence():
    """The weights in sentence 0, all of whose four words are real."""
    scores = np.random.default_rng(0).normal(size=(4, 4, 4))
    return masked_softmax(scores, real_words)[0]

after(masked_softmax, first_sentence)

# %% [markdown]
# All four words are real, but only query 0 sees them all: queries 1, 2 and 3 got the masks of sentences 1, 2 and 3.
# With five sentences the same line would have raised an error, since 5 masks do not fit 4 queries.
# Two habits protect you: give a mask all its axes, with length 1 where nothing differs, and test with lengths that are all different, as our checks do.
#
# So a padding mask has a row for each sentence, the same for all of its queries: (batch, 1, keys).
# From lesson 06 on, several attentions run side by side, the *heads*, and they get an axis of their own.
# To be ready for them, ours has the shape (batch, 1, 1, keys).
# Position $k$ holds a real word if $k$ is smaller than the length of the sentence.
# (`raise ValueError("...")` is how a function rejects bad input.)

# %% exercise="padding_mask"
def padding_mask(lengths, keys):
    """Each sentence may look at its real tokens, and not at its padding.

    lengths: (batch,) integers, keys: an integer -> (batch, 1, 1, keys), boolean.
    True means "may look": the first `length` keys of a sentence are real, the others are padding.
    A length of 0 is allowed, and gives a row without any True.
    A length above `keys` raises an error, such as a ValueError.
    The inputs are not changed.
    """
    ### BEGIN SOLUTION
    if (lengths > keys).any():
        raise ValueError(f"a length of {lengths.max()} does not fit {keys} keys")
    return np.arange(keys) < lengths.reshape(-1, 1, 1, 1)
    ### END SOLUTION

# %% [markdown]
# Back to *we*, alone and in its batch, now with your code.
# There is no axis for heads yet, so we drop it from the mask with `[:, 0]`.

# %%
def we_again():
    """How far the answer in the batch is from the one that the sentence gets by itself."""
    lengths = np.array([len(sentence) for sentence in sentences])
    masked = masked_attention(batch, batch, batch, padding_mask(lengths, 5)[:, 0])
    print("we, alone:      ", alone[0])
    print("we, in a batch: ", masked[0, 0])
    return f"largest difference, both words: {np.abs(masked[0, :2] - alone).max():.0e}"

after(masked_attention, lambda: after(padding_mask, we_again))

# %% [markdown]
# One word gets one answer, whatever else is in the batch.
# Padded positions still act as *queries*, but their outputs are never used.
#
# ## Summary
#
# You can now
#
# - explain why a language model must not see the future, and test that it does not;
# - make a causal mask and a padding mask, and say which shapes they have;
# - write a softmax that leaves blocked keys out of the sum and gives zeros for a dead row;
# - recognise a shape that fits by accident.
#
# From now on, `masked_attention` is inside every head.
# In lesson 04 a word no longer serves as its own query, key and value: three matrices make them, and the matrices can learn.

# %%
progress()
