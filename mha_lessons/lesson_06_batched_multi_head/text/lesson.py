# %% [markdown]
# # Lesson 06 · All heads at once
#
# In lesson 05 the heads worked one after another, in a Python loop.
# That is right, and it is how the idea is best explained.
# It is not how anybody computes it.
#
# In this lesson the loop disappears.
# What is left is a handful of operations on whole arrays: first as functions, then as a layer that you could put into any model.
# At the end your layer stands beside those of PyTorch and Keras, with the same weights, and gives the same numbers.
#
# There is no new mathematics here: every result is the result of lesson 05.
# What is new is how to get there fast, and how easily one arrives somewhere else, *without any error message*.
# This is the summit of the course, so it comes in two sittings.
# The **first sitting** is about functions: fuse, split, attend, merge.
# The **second sitting** is about the layer: biases, dropout, and everybody else's conventions.
# With all exercises the first takes about 120 minutes, the second about 140.
# A line between them says where to rest, and parts that you may skip are marked.
#
# When you are stuck, run `hint(split_heads)` in a cell of your own, or `hint("split_by_reshape")` for a question.

# %% locked=true
import torch
import torch.nn.functional as F
from torch import nn

from autograder import after, check, hint, progress, solution
from autograder.pictures import heatmap, heatmaps, shapes, steps
from mha_ref import (
    attention_scores,
    causal_mask,
    masked_attention,
    masked_softmax,
    multi_head_by_loop,
    padding_mask,
    parameter_count,
)

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)  # for matrices as small as ours, one thread is the fastest
torch.set_printoptions(precision=3, sci_mode=False)


def normal(*shape):
    """Random numbers around 0: made on the CPU, the same on every machine, and sent to the device."""
    return torch.randn(shape).to(device)


# %% [markdown]
# ## Do you remember?
#
# The first two questions are about lesson 05, the third is about lesson 03.
# They are not required, but all three things will be needed on the way up.
#
# Three heads have 4 columns each, and their results have been put side by side.
# We count heads and columns from 0.
# With which column does head 2 begin?

# %% exercise="remember_the_third_head"
remember_the_third_head = ...  # a number
### BEGIN SOLUTION
remember_the_third_head = 8
### END SOLUTION

# %% [markdown]
# Then comes the product with $W^O$.
# What happens in it?
#
# - `"a"`: for each token the best head is picked
# - `"b"`: each head gets columns of the output for itself
# - `"c"`: each head writes to all columns of the output, and what they write is added up

# %% exercise="remember_the_output_matrix"
remember_the_output_matrix = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_the_output_matrix = "c"
### END SOLUTION

# %% [markdown]
# A query may look at none of its three keys.
# The values are 3, 6 and 9.
# What does it get from `masked_attention`?
#
# - `"a"`: 0
# - `"b"`: 6
# - `"c"`: NaN

# %% exercise="remember_the_dead_row"
remember_the_dead_row = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_the_dead_row = "a"
### END SOLUTION

# %% [markdown]
# ## First sitting: without a loop
#
# ### What the loop costs
#
# Look at the loop from outside, and count matrix products.
# For each head it projects into queries, keys and values; then come the scores, then the weighted mean.
# When all heads are done, there is one product more, with $W^O$.
#
# **Calculate.**
# How many matrix products does the loop start for 12 heads?

# %% exercise="products_in_the_loop"
products_in_the_loop = ...  # a number
### BEGIN SOLUTION
products_in_the_loop = 12 * 5 + 1
### END SOLUTION

# %% [markdown]
# By the end of this sitting there will be six.
#
# The arithmetic stays the same: six large products do what all the small ones did.
# But each start has a price of its own, and a small product leaves most of a processor idle.
# On a graphics card, thousands of numbers can be worked on at the same moment, if somebody hands them over together.
#
# ### One projection for all heads
#
# Here is a fact about matrix products that does half of the work.
# Column $j$ of $XW$ is made of $X$ and column $j$ of $W$, and of no other column.
# So columns never disturb each other, and we may put the heads' matrices side by side:
#
# $$X \, [\, W_1 \mid W_2 \mid \dots \mid W_h \,] \;=\; [\, XW_1 \mid XW_2 \mid \dots \mid XW_h \,]$$
#
# Check it on two tokens, and two heads of two columns each.

# %%
first_head = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # (model_size, head_size)
second_head = torch.tensor([[2.0, 0.0], [0.0, 2.0], [1.0, -1.0]])
side_by_side = torch.tensor([[1.0, 0.0, 2.0, 0.0], [0.0, 1.0, 0.0, 2.0], [1.0, 1.0, 1.0, -1.0]])
two_tokens = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

print("first head:  ", (two_tokens @ first_head).tolist())
print("second head: ", (two_tokens @ second_head).tolist())
print("side by side:", (two_tokens @ side_by_side).tolist())

# %% [markdown]
# From now on this is how the learned weights are kept: **one matrix for all heads, and a head is a block of neighbouring columns**.
# In lesson 05 they were stacked, one matrix behind the other.
# `fuse_heads` goes from the one to the other.
#
# A warning before you write.
# A tensor can be given a new shape in many ways, and most of them put numbers where they do not belong.
# The shape of the result tells you nothing about that.
# Look at the columns.

# %% exercise="fuse_heads"
def fuse_heads(weights):
    """The heads' matrices side by side, as one matrix that projects into all heads.

    weights: (heads, model_size, head_size) -> (model_size, heads · head_size).
    The first head_size columns are the first head's matrix, the next ones are the second head's, and so on.
    The input is not changed, and gradients reach it.
    """
    ### BEGIN SOLUTION
    return torch.cat(tuple(weights), dim=-1)
    ### END SOLUTION


# %% picture=true
after(fuse_heads, lambda: heatmaps(
    {"first head": first_head, "second head": second_head,
     "yours": fuse_heads(torch.stack([first_head, second_head]))},
    alt="Two small matrices of three rows and two columns, one for each head, and your fused matrix of four columns: "
    "its left half is the first matrix, its right half the second.",
    rows="model size", columns="columns", digits=0,
))

# %% [markdown]
# ### Cut the columns
#
# One product now projects every token into all heads.
# Its result has the shape (batch, tokens, model_size), and each row holds all heads side by side.
# To attend, each head needs its columns for itself.
# We want the shape
#
# $$(\text{batch}, \;\text{heads}, \;\text{tokens}, \;\text{head\_size})$$
#
# because attention works on the last two axes, and repeats for whatever stands in front.
# Heads are one more axis in front, like the batch.
# For `masked_attention` nothing changes at all.
#
# The definition, slowly: for each head, take its block of columns.
# We keep this version to check the fast one.

# %%
def split_by_slices(x, heads):
    """Head after head takes its own block of columns from every token."""
    size = x.shape[-1] // heads
    blocks = [x[..., head * size : (head + 1) * size] for head in range(heads)]
    return torch.stack(blocks, dim=-3)  # a new axis, third from the end


# %% [markdown]
# To see where numbers go, let them say where they come from.
# Here are four tokens with six columns, and each number is made of its token and its column: 23 stands in token 2, column 3.

# %%
where_from = 10 * torch.arange(4)[:, None] + torch.arange(6)

print(where_from)
print("split into two heads:")
print(split_by_slices(where_from, heads=2))

# %% [markdown]
# Each head has all four tokens, and half of each token's columns.
# That is what a split means.
#
# ### The silent reshape
#
# The shape went from (4, 6) to (2, 4, 3), and there is a function that changes shapes: `reshape`.
# Why not ask it for the shape that we want?
# `where_from.reshape(2, 4, 3)` runs, and its shape is right.
#
# In memory a tensor is one long line of numbers, row after row: 0, 1, 2, 3, 4, 5, 10, 11, 12, ...
# `reshape` reads along this line and fills the new shape, the last axis first.
# It never moves a number past another.
#
# **Predict.**
# What is the second row of the first head, in `where_from.reshape(2, 4, 3)`?

# %% exercise="split_by_reshape"
split_by_reshape = ...  # three numbers: (..., ..., ...)
### BEGIN SOLUTION
split_by_reshape = (3, 4, 5)
### END SOLUTION

# %%
wanted, reshaped = split_by_slices(where_from, 2), where_from.reshape(2, 4, 3)

# %% picture=true
heatmaps(
    {"head 0, wanted": wanted[0], "head 0, reshaped": reshaped[0],
     "head 1, wanted": wanted[1], "head 1, reshaped": reshaped[1]},
    alt="Four tables of four rows and three columns. Wanted: in each head, row t holds three numbers of token t. "
    "Reshaped: head 0 holds all numbers of tokens 0 and 1, head 1 all numbers of tokens 2 and 3.",
    rows="rows", columns="columns", digits=0,
)

# %% [markdown]
# Look at the tens.
# On the left of each pair a row is a token.
# After the plain reshape, the first head has *all* columns of tokens 0 and 1, and the second head has all of tokens 2 and 3.
# It cut the sentence, not the columns.
#
# What becomes of a model that does this?
# A colleague's layer reshapes on the way in and on the way out, with nothing in between but attention.

# %%
def colleagues_layer(x, w_query, w_key, w_value, w_output, heads):
    batch, tokens, model_size = x.shape
    cut = (batch, heads, tokens, model_size // heads)
    query = (x @ w_query).reshape(cut)
    key = (x @ w_key).reshape(cut)
    value = (x @ w_value).reshape(cut)
    return masked_attention(query, key, value).reshape(x.shape) @ w_output


torch.manual_seed(0)
words = "she reads the old book today".split()
sentence = normal(1, len(words), 8)  # (batch, tokens, model_size)
weights = [normal(8, 8) / 8**0.5 for _ in range(4)]  # W_Q, W_K, W_V, W_O
print(colleagues_layer(sentence, *weights, heads=2).shape)

# %% [markdown]
# The shape is right, the numbers look like numbers, and gradients flow, so it even trains.
# The map of influence from lesson 03 sees more: change one word, and look which outputs move.

# %%
def influence(layer, x):
    """How far each output (row) moves when one token (column) changes."""
    before, tokens = layer(x), x.shape[1]
    moved = torch.zeros(tokens, tokens)
    for token in range(tokens):
        changed = x.clone()
        changed[:, token] += 1.0
        difference = (layer(changed) - before)[0].abs()
        moved[:, token] = difference.amax(dim=-1)  # in each row, the largest
    return moved


# %% picture=true
def influence_map(layer, alt):
    return heatmap(influence(layer, sentence).detach(), alt=alt, rows="output at", columns="changed word",
                   row_labels=words, column_labels=words)


influence_map(
    lambda x: colleagues_layer(x, *weights, heads=2),
    alt="Influence of six words on six outputs in the colleague's layer. Two blocks: the first three words reach "
    "each other, and so do the last three, with 0.1 to 0.9; between the two halves all 18 squares are 0.",
)

# %% [markdown]
# "She reads the" and "old book today" have never heard of each other.
# With 12 columns and three heads there would be three deaf groups of two words.
# The loss of such a model would still fall, since half a sentence is better than none, and nobody would suspect the line with `reshape`.
# Even the leak test of lesson 03 finds nothing: with a causal mask, this layer lets nothing of the future through.
#
# The cure has two steps.
# **First cut each token's columns into (heads, head_size), without touching anything else. Then move the axis of heads in front of the tokens.**
# The first step is a reshape that does no harm: it only draws lines inside the rows.
# The second is a transpose: it exchanges two axes, and every number keeps its token and its column.
# Reshape, *then* transpose.
#
# Here are both steps. Every number keeps the colour of the head that it belongs to.
# Change the sizes in the last line, and run the cell again.

# %% picture=true
def split_in_two_steps(tokens, heads, head_size):
    columns = torch.arange(heads * head_size)
    numbers = 10 * torch.arange(tokens)[:, None] + columns
    by_head = split_by_slices(numbers, heads)
    by_token = torch.stack([by_head[:, token] for token in range(tokens)])
    return steps(
        {
            "before": (numbers, "tokens columns"),
            "1. cut each token's columns": (by_token, "tokens heads head_size"),
            "2. move the heads in front": (by_head, "heads tokens head_size"),
        },
        groups=columns // head_size,
        alt="Three stages, each number in the colour of its head. First one table of tokens by columns: the left block of "
        "columns has the first colour, the next block the second. Then one small table for each token, with a row for each "
        "head. Last one table for each head, with a row for each token: each has a single colour.",
    )

# %%
split_in_two_steps(tokens=4, heads=2, head_size=3)

# %% [markdown]
# Between the first stage and the second nothing changes its place: lines are drawn.
# Between the second and the third the numbers change places in the tables.
# (In memory they stay where they are even now; *And back* says how.)
#
# ### Write the split

# %% exercise="split_heads"
def split_heads(x, heads):
    """Cut every token into consecutive blocks of columns, one for each head.

    x: (batch, tokens, model_size), heads: an integer -> (batch, heads, tokens, head_size).
    Head 0 gets the first head_size columns of every token, head 1 the next ones, and so on.
    Where heads do not divide model_size: raise an error, for example a ValueError.
    The input is not changed, and gradients reach it.
    """
    ### BEGIN SOLUTION
    batch, tokens, model_size = x.shape
    if model_size % heads:
        raise ValueError(f"model size {model_size} does not divide into {heads} heads")
    blocks = x.reshape(batch, tokens, heads, model_size // heads)
    return blocks.transpose(1, 2)
    ### END SOLUTION


# %%
def compare_splits():
    x = normal(2, 5, 12)
    return f"the same as by slices: {torch.equal(split_heads(x, 3), split_by_slices(x, 3))}"


after(split_heads, compare_splits)

# %% [markdown]
# ### And back
#
# After attention, each head holds its own result for every token.
# `merge_heads` puts these side by side again, so that each token has one long row.
# It is the split, read backwards: first the axes change places, then the last two become one.
# Forget the first step, and you have the silent reshape once more.
#
# One thing about PyTorch before you write.
# In memory, changing the order of axes moves no number.
# What changes are the *strides*: how many numbers of the line one has to step over to come to the next row, and to the next column.

# %%
table = torch.arange(6).reshape(2, 3)
print("steps to the next row and column:", table.stride())
print("after exchanging rows and columns:", table.T.stride())
try:
    table.T.view(6)
except RuntimeError as error:
    print("view:", str(error).partition(".")[0])
print("reshape:", table.T.reshape(6))

# %% [markdown]
# `view` promises not to copy, so after a transpose it often has to refuse.
# `reshape` copies where it must.
# (In other people's code you will see `.contiguous().view(...)`: that is the same copy, by hand.)

# %% exercise="merge_heads"
def merge_heads(x):
    """Put the heads' blocks of columns side by side again.

    x: (batch, heads, tokens, head_size) -> (batch, tokens, heads · head_size).
    The first head_size columns of a token come from head 0, the next ones from head 1, and so on.
    The input is not changed, and gradients reach it.
    """
    ### BEGIN SOLUTION
    by_token = x.transpose(1, 2)
    return by_token.flatten(start_dim=2)
    ### END SOLUTION


# %% picture=true
after(merge_heads, lambda: heatmap(
    merge_heads(split_by_slices(where_from[None], heads=2))[0],
    alt="Your merged heads: four rows and six columns, and each number again tells its token and its column, "
    "from 0 at the top left to 35 at the bottom right.",
    rows="tokens", columns="columns", digits=0,
))

# %% [markdown]
# ### How would you know?
#
# You want to be sure of both functions, and write a short test:
# *splitting and merging again gives back what I had*.
# You try it on three pairs.
#
# 1. your `split_heads` with your `merge_heads`
# 2. the colleague's plain reshape in, and plain reshape out
# 3. a split that hands out the columns in turn, like cards (0, 2, 4 to head 0 and 1, 3, 5 to head 1), and a merge that collects them in the same way
#
# **Choose.**
# Which pairs pass?
#
# - `"a"`: the first only
# - `"b"`: the first and the second
# - `"c"`: the first and the third
# - `"d"`: all three

# %% exercise="round_trip"
round_trip = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
round_trip = "d"
### END SOLUTION

# %% [markdown]
# There and back proves only that the second step undoes the first.
# If both make the same mistake, nobody sees it.
# (With a merge that you trust, a round trip does find a wrong split. But yours is as new as your split.)
# A test must know where each number *should* be after one step.
# The slices know, and so do numbers that say where they come from.
#
# ### Write a test that catches the silent ones
#
# Six wrong versions of `split_heads` are waiting.
# Where the heads divide the model size, versions 1, 2, 5 and 6 return the right shape, and version 6 even the right numbers: it has to be caught elsewhere.
#
# 1. *reshapes straight into heads*: the colleague's line.
# 2. *deals the columns out in turn*: head 0 gets columns 0, heads, 2 · heads, ...
# 3. *forgets to move the heads*: (..., tokens, heads, head_size).
# 4. *leaves tokens last*: (..., heads, head_size, tokens).
# 5. *counts heads from the end*: the last block of columns comes first.
# 6. *drops the columns left over*: where heads do not divide the model size, it cuts off the rest and says nothing.

# %% exercise="test_split_heads"
def test_split_heads(split_heads):
    """Stops with an assert if this version puts a number in another place, or accepts heads that do not divide.

    split_heads: a function of x and heads, right or wrong -> nothing: a returned value is ignored.
    A right version passes; each of the six wrong ones fails.
    It takes torch tensors of three axes, on the CPU. Ask for no more than the docstring of split_heads does: the text of
    an error is free, and so is how the numbers lie in memory. All right versions raise a ValueError.
    """
    ### BEGIN SOLUTION
    x = torch.arange(2 * 4 * 6.0).reshape(2, 4, 6)
    result = split_heads(x, 3)
    assert result.shape == (2, 3, 4, 2)
    for head in range(3):
        assert torch.equal(result[:, head], x[:, :, 2 * head : 2 * head + 2])
    try:
        split_heads(x, 4)
    except ValueError:
        return
    raise AssertionError("6 columns do not divide into 4 heads")
    ### END SOLUTION


# %% [markdown]
# ### Every shape on the way
#
# Now all the pieces lie on the table.
#
# 1. **Project**: queries, keys and values, each by one matrix for all heads.
# 2. **Split** each of the three.
# 3. **Scores**: in each head every query meets every key. Then the weights, in the same shape.
# 4. **Mix** the values, in each head, by its weights.
# 5. **Merge** the heads.
# 6. **Output**: one product with $W^O$, where the heads' results meet.
#
# **Predict.**
# Take the sizes of the model from lesson 05: the smaller version of BERT, a reader of texts, has $d = 768$ and $h = 12$.
# We give it a batch of 4 texts with $n = 128$ tokens each.
# Which shape comes out of *project* (queries, say), *split*, *scores*, *mix*, *merge*, *output*?

# %% exercise="shapes_on_the_way"
projected_shape = (4, 128, 768)  # the first one is given
shapes_on_the_way = ...  # five shapes, of split, scores, mix, merge, output: ((...), (...), (...), (...), (...))
### BEGIN SOLUTION
shapes_on_the_way = (
    (4, 12, 128, 64),
    (4, 12, 128, 128),
    (4, 12, 128, 64),
    (4, 128, 768),
    (4, 128, 768),
)
### END SOLUTION

# %% [markdown]
# As boxes, with sizes that fit on a page; change them, and look which boxes follow.

# %% picture=true
def shapes_of_a_layer(batch, tokens, heads, head_size):
    model_size = heads * head_size
    return shapes({
        "project": ((batch, tokens, model_size), "batch tokens model_size"),
        "split": ((batch, heads, tokens, head_size), "batch heads tokens head_size"),
        "scores": ((batch, heads, tokens, tokens), "batch heads queries keys"),
        "mix": ((batch, heads, tokens, head_size), "batch heads queries head_size"),
        "merge": ((batch, tokens, model_size), "batch queries model_size"),
        "output": ((batch, tokens, model_size), "batch queries model_size"),
    })


# %%
shapes_of_a_layer(batch=2, tokens=5, heads=3, head_size=2)

# %% [markdown]
# Back to BERT: 768 = 12 · 64, so a head has 64 columns, and the scores are divided by $\sqrt{64} = 8$.
# Not by $\sqrt{768}$: a dot product inside a head has 64 terms.
# (`masked_attention` looks at the tensors that it gets, so it does this by itself.)
#
# ### Write it
#
# This is the function of the course.
# Everything before it was made to be put in here.

# %% exercise="multi_head_attention"
def multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Attention with several heads at once, each on its own block of columns; then the heads are mixed.

    query: (batch, queries, model_size); key, value: (batch, keys, model_size);
    w_query, w_key, w_value, w_output: (model_size, model_size); heads: an integer that divides model_size
    -> (batch, queries, model_size).
    query, key and value are three sequences that need not be the same: queries are made of the first, keys of the
    second, values of the third. Weights multiply from the right.
    mask: boolean, broadcastable to (batch, heads, queries, keys), True means "may look"; None allows everything.
    A mask of three axes is (heads, queries, keys). A query that may look at nothing gets zeros.
    Results are finite for any finite inputs; no input is changed, and gradients reach all of them.
    """
    ### BEGIN SOLUTION
    queries = split_heads(query @ w_query, heads)
    keys = split_heads(key @ w_key, heads)
    values = split_heads(value @ w_value, heads)
    found = masked_attention(queries, keys, values, mask)  # (batch, heads, queries, head_size)
    return merge_heads(found) @ w_output
    ### END SOLUTION


# %% [markdown]
# Six products, whatever the number of heads.
# Is the result that of the loop?

# %%
def compare_with_the_loop():
    """Three heads of four columns, a batch, and nobody looks ahead."""
    torch.manual_seed(1)
    x, w_output = normal(2, 5, 12), normal(12, 12)
    stacked = [normal(3, 12, 4) for _ in range(3)]  # W_Q, W_K, W_V: (heads, model_size, head_size)
    mask = causal_mask(5, 5, like=x)
    by_loop = multi_head_by_loop(x, *stacked, w_output, mask)
    at_once = multi_head_attention(x, x, x, *(fuse_heads(w) for w in stacked), w_output, 3, mask)
    difference = ((at_once - by_loop).abs().max() / by_loop.abs().max()).item()
    return f"largest difference from the loop, relative: {difference:.0e}"


after(multi_head_attention, compare_with_the_loop)

# %% [markdown]
# Less than a millionth; `0e+00` means equal to the last digit.
# float32 keeps about seven digits, and two ways to add the same numbers may round them differently.
#
# And the map of influence?

# %% picture=true
after(multi_head_attention, lambda: influence_map(
    lambda x: multi_head_attention(x, x, x, *weights, heads=2),
    alt="Influence of six words on six outputs in your function with two heads: every square is above zero, "
    "from 0.09 to 0.68.",
))

# %% [markdown]
# Nobody is deaf.
#
# ### Masks, with heads
#
# In lesson 03 a padding mask got an axis that nobody needed: (batch, 1, 1, keys).
# Now somebody does.
# The scores have the shape (batch, heads, queries, keys), and the two axes of length 1 say: for all heads, for all queries.

# %%
def batch_of_two():
    """The six words, alone and beside a longer neighbour, of twelve."""
    torch.manual_seed(2)
    batch = normal(2, 12, 8)
    batch[0, :6], batch[0, 6:] = sentence[0], 0.0
    mask = padding_mask(torch.tensor([6, 12], device=device), 12)
    in_batch = multi_head_attention(batch, batch, batch, *weights, 2, mask)
    alone = multi_head_attention(sentence, sentence, sentence, *weights, 2)
    print("mask:", tuple(mask.shape))
    return f"the same words, alone and in the batch, differ by at most {(in_batch[:1, :6] - alone).abs().max():.0e}"


after(multi_head_attention, batch_of_two)

# %% [markdown]
# A mask with *three* axes is another matter.
# Suppose each text of a batch has a mask of its own: 4 texts of 10 tokens, so `own` has the shape (4, 10, 10), with three axes as in lesson 04.
# The layer has 4 heads.
#
# **Predict.**
# What does `multi_head_attention(x, x, x, ..., heads=4, mask=own)` do?
#
# - `"a"`: it stops with an error about shapes
# - `"b"`: text i uses mask i, in all its heads
# - `"c"`: head i uses mask i, in all texts

# %% exercise="mask_with_three_axes"
mask_with_three_axes = ...  # "a", "b" or "c"
### BEGIN SOLUTION
mask_with_three_axes = "c"
### END SOLUTION

# %% [markdown]
# Shapes are lined up from the right, so the texts came to lie on the heads.
# With 8 heads it would have stopped; with as many heads as texts it runs.
# `own[:, None]`, shape (4, 1, 10, 10), says what was meant.
#
# **Here ends the first sitting.**
# The loop is gone, and you know three ways to be wrong in silence: a reshape without a transpose, a test that goes there and back, and a mask with one axis too few.
# Take a break.
#
# ## Second sitting: the layer
#
# If you come back to a fresh kernel, run the cells above first ("Run All Above").
#
# Your function is given its weights.
# A layer *has* weights, as you saw in lesson 04: it is an `nn.Module`, made of modules such as `nn.Linear`.
# Two things are new in this one.
#
# The first is **biases**, which you counted in lesson 05.
# Each of the four projections may add a vector of its own: $XW + b$.
# `nn.Linear(model_size, model_size, bias=True)` does this.
# Remember how it stores its matrix: as (out, in), the other way round from ours, and turns it when it is called.
# So inside its `weight` a head is a block of neighbouring *rows*.
#
# **Choose.**
# One of the four biases has no influence on any output, whatever its numbers are. Which one?
# (Think of what softmax does when the same number is added to all scores of a row: lesson 01.)
#
# - `"a"`: that of the queries
# - `"b"`: that of the keys
# - `"c"`: that of the values
# - `"d"`: that of the output
# - `"e"`: none: all four make a difference

# %% exercise="needless_bias"
needless_bias = ...  # "a", "b", "c", "d" or "e"
### BEGIN SOLUTION
needless_bias = "b"
### END SOLUTION

# %% [markdown]
# A key's bias $b$ adds $q \cdot b$ to the scores of query $q$, the same number to the whole row.
# Softmax looks at differences only, so nothing moves, and the gradient of this bias is zero.
# Some models leave it out. PyTorch and Keras keep it, and so do we, so that all four projections look the same.
#
# ### Dropout
#
# The second new thing is **dropout**.
#
# A model that learns tends to rely on a few strong connections.
# Dropout makes connections unreliable while it learns, so that it looks for others as well (Srivastava and others, 2014).
# Each number is set to zero with a probability $p$, by a fresh throw of the dice in every call.
# The numbers that are left are divided by $1 - p$, so that on average nothing gets smaller.
#
# In attention the numbers are the *weights*: now and then a query has to do without one of its keys.
#
# **Calculate.**
# A row of weights is `0.5, 0.3, 0.2`, and $p = 0.5$.
# The dice remove the second weight, and keep the other two.
# What does the row look like after dropout?

# %% exercise="row_after_dropout"
row_after_dropout = ...  # three numbers: (..., ..., ...)
### BEGIN SOLUTION
row_after_dropout = (1.0, 0.0, 0.4)
### END SOLUTION

# %% [markdown]
# It sums to 1.4.
# After dropout a row of weights is no longer a row of shares; only its average over many throws is.
#
# Dropout is for learning only.
# When the model is used, it must be switched off, and a module knows which of the two it is doing.
# `model.train()` and `model.eval()` set a switch in the model and in every module that it is made of; `model.training` shows it.
# `nn.Dropout` obeys that switch.

# %%
torch.manual_seed(0)
drop = nn.Dropout(0.5)
row = torch.tensor([0.5, 0.3, 0.2])
print("in train mode:", drop(row), drop(row), drop(row))
print("in eval mode: ", drop.eval()(row), drop.eval()(row))
print("mean of 10,000 in train mode:", drop.train()(row.expand(10_000, 3)).mean(dim=0))

# %% [markdown]
# A colleague's chat model is in trouble.
# Asked the same thing twice, it gives two answers, although each word is chosen as the most likely one, and `model.eval()` has been called.
# Here is its attention.

# %%
def colleagues_forward(self, x):
    query, key, value = self.query(x), self.key(x), self.value(x)   # line 1
    weights = torch.softmax(attention_scores(query, key), dim=-1)   # line 2
    weights = F.dropout(weights, p=0.1)                             # line 3
    return self.output(weights @ value)                             # line 4


# %% [markdown]
# **Find the bug.**
# Which line does it?

# %% exercise="restless_line"
restless_line = ...  # a number from 1 to 4
### BEGIN SOLUTION
restless_line = 3
### END SOLUTION

# %% [markdown]
# `F.dropout` is a function, and a function has no switch: it drops unless it is told `training=self.training`.
# The same goes for `dropout_p` of `F.scaled_dot_product_attention`, which we will meet below.
# The colleague's model throws dice at every word, for every user.
#
# ### Write the layer
#
# The stub says everything that is asked.
# Begin with `__init__`, and run `MultiHeadAttention(12, 3)` in a cell of your own: it should list your four projections.
# Three remarks before you go on.
#
# Dropout falls between the softmax and the mean, and inside `masked_attention` there is no place for it.
# So this function must be taken apart: scores, then weights, then the mean.
# `attention_scores` and `masked_softmax` are imported. (The latter wants a mask. Without one, use `torch.softmax`.)
#
# `self.query` and the argument `query` share a name: the one is a module, the other a sequence, and `self.query(query)` calls the one on the other.
#
# And about the last parameter.
# For a picture one wants the weights too, one map for each head, and *before* dropout: holes in the map say something about dice, and nothing about attention.

# %% exercise="MultiHeadAttention"
class MultiHeadAttention(nn.Module):
    """Multi-head attention with learned weights.

    model_size, heads: integers; where heads do not divide model_size, __init__ raises an error, a ValueError for example.
    bias: whether the four projections have biases. All weights and biases are parameters, so that they can learn.
    dropout: the probability of dropping an attention weight, each by a throw of its own in every call, in train mode only;
    the others are divided by 1 - dropout.
    Call the projections query, key, value and output, and make each an nn.Linear(model_size, model_size).
    """

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        if model_size % heads:
            raise ValueError(f"model size {model_size} does not divide into {heads} heads")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        """Attend, as multi_head_attention does, with this layer's own weights and biases.

        query: (batch, queries, model_size); key, value: (batch, keys, model_size) -> (batch, queries, model_size).
        key None: the same as query. value None: the same as key.
        mask: boolean, broadcastable to (batch, heads, queries, keys), True means "may look"; None allows everything.
        A query that may look at nothing has weights of zero, so all that it gets is the bias of the output.
        Without a mask use torch.softmax: masked_softmax wants one.
        return_weights=True: two things, (output, weights), the weights (batch, heads, queries, keys), before dropout.
        No input is changed, and gradients reach all inputs and parameters (those of the keys' bias are zero).
        """
        ### BEGIN SOLUTION
        key = query if key is None else key
        value = key if value is None else value
        projected = self.query(query), self.key(key), self.value(value)
        queries, keys, values = (split_heads(x, self.heads) for x in projected)
        scores = attention_scores(queries, keys)
        weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
        output = self.output(merge_heads(self.dropout(weights) @ values))
        return (output, weights) if return_weights else output
        ### END SOLUTION


# %% [markdown]
# (The check finds your weights by their names. If you like others, it knows these, too:
# `q_proj`, `k_proj`, `v_proj`, `out_proj`; or `w_query`, `w_key`, `w_value`, `w_output`; or one `in_proj` or `qkv` for three, with its blocks in the order query, key, value.
# Each may be an `nn.Linear`, or an `nn.Parameter` of shape (in, out).
# But the cells below use `query`, `key`, `value` and `output`.)
#
# Does it have as many parameters as lesson 05 says?
# And does it behave in both modes?

# %%
def count_parameters():
    layer = MultiHeadAttention(512, 8)
    return f"{sum(p.numel() for p in layer.parameters()):,} parameters; expected {parameter_count(512, 8):,}"


after(MultiHeadAttention, count_parameters)


# %%
def two_modes():
    """The same input three times: twice while learning, twice in use, and the mean of many runs while learning."""
    torch.manual_seed(0)
    layer = MultiHeadAttention(8, 2, dropout=0.3).to(device)
    with torch.no_grad():
        print("train:", layer(sentence)[0, 0, :3], layer(sentence)[0, 0, :3])
        many = layer(sentence.expand(20_000, -1, -1)).mean(dim=0)
        layer.eval()
        print("eval: ", layer(sentence)[0, 0, :3], layer(sentence)[0, 0, :3])
        print("mean of 20,000 in train mode:", many[0, :3])


after(MultiHeadAttention, two_modes)

# %% [markdown]
# The mean of many noisy outputs is the quiet one.
# That is no accident: after the softmax come only products with fixed numbers, and sums, and the average of sums is the sum of the averages.
#
# And here is what the heads look at, before anything was learned.

# %% picture=true
def maps_of_the_heads():
    torch.manual_seed(0)
    layer = MultiHeadAttention(8, 2).to(device)
    _, weights = layer(sentence, return_weights=True)
    return heatmaps(
        {f"head {head}": weights[0, head].detach() for head in range(2)},
        alt="Attention maps of two heads of your layer over six words, with random weights: two different maps, "
        "no share near 0 or 1, and each row sums to 1.",
        row_labels=words, column_labels=words,
    )


after(MultiHeadAttention, maps_of_the_heads)

# %% [markdown]
# Two heads, two maps, both meaningless: the weights are random.
# In lesson 07 they will have learned something.
#
# ### Four ways to say "may look"
#
# Now to the others.
# PyTorch has this layer, too: `nn.MultiheadAttention`.
# Before we compare, there must be agreement on masks, and there is none.
# Four conventions are in wide use.
#
# | name here | what it holds | who speaks it |
# |---|---|---|
# | `"allowed"` | True: may look | this course; `F.scaled_dot_product_attention`; Keras' layer |
# | `"blocked"` | True: blocked | `nn.MultiheadAttention` |
# | `"additive"` | 0: may look; minus infinity, or a very negative number (-10,000 or less): blocked. It is added to the scores. | both of PyTorch's, if the mask is floating-point; many language models |
# | `"blocked_float"` | 1: blocked; 0: may look. It is multiplied by -1e9 and then added. | many layers written with TensorFlow |
#
# The dangerous pair is the first two.
# Both are boolean, both run, and nothing in the array says which it is.
#
# **Predict.**
# Somebody makes our `causal_mask(4, 4)` and hands it to `nn.MultiheadAttention` as it is.
# Which of the four keys does the *second* query look at, then?

# %% exercise="misread_mask"
misread_mask = ...  # four times True or False: (..., ..., ..., ...)
### BEGIN SOLUTION
misread_mask = (False, False, True, True)
### END SOLUTION

# %%
torch.manual_seed(0)  # batch_first: (batch, tokens, model_size), as with us
torch_layer = nn.MultiheadAttention(8, 2, batch_first=True).to(device)
four = normal(1, 4, 8)
with torch.no_grad():
    _, misread = torch_layer(four, four, four, attn_mask=causal_mask(4, 4, like=four))

# %% picture=true
heatmap(
    misread[0],
    alt="Weights of PyTorch's layer that was given our causal mask: each query looks at later keys only. The second "
    "query has 0 and 0, then 0.46 and 0.54, the third has 1 at the last key, and the row of the last query is NaN.",
)

# %% [markdown]
# A model that sees nothing but the future: the opposite of what was meant.
# The last query has nothing left to look at, and there PyTorch's layer gives NaN.
# That is luck, for a NaN gets noticed.
#
# Write the function that translates.
# Whatever convention comes in, what goes out is ours.

# %% exercise="to_allowed"
def to_allowed(mask, convention):
    """A mask in one of four conventions, in ours: boolean, True means "may look".

    mask: (...), convention: a text -> (...), boolean.
    "allowed": boolean, True = may look.
    "blocked": boolean, True = blocked.
    "additive": numbers; 0 = may look, -1e4 or less, down to minus infinity = blocked.
    "blocked_float": numbers; 1 = blocked, 0 = may look.
    Each entry speaks for itself, also in a row where all are blocked.
    Any other convention: raise an error, for example a ValueError. (Let it name the four; that helps with typing slips.)
    The input is not changed.
    """
    ### BEGIN SOLUTION
    if convention == "allowed":
        return mask
    if convention == "blocked":
        return ~mask
    if convention in ("additive", "blocked_float"):
        return mask == 0
    raise ValueError(f'{convention!r} is not one of "allowed", "blocked", "additive" and "blocked_float"')
    ### END SOLUTION


# %% [markdown]
# ### PyTorch's layer
#
# `nn.MultiheadAttention(model_size, heads, batch_first=True)` is the layer that you have written.
# (Without `batch_first=True` it wants (tokens, batch, model_size): the old order, and still the default.)
# It keeps its weights in another way; `state_dict()` lists them by name.

# %%
for name, parameter in torch_layer.state_dict().items():
    print(f"{name:16}", tuple(parameter.shape))

# %% [markdown]
# The projections into queries, keys and values are one matrix, `in_proj_weight`, in this order.
# It is stored like that of any `nn.Linear`, as (out, in), so the three lie one below the other.
#
# **Calculate.**
# For a model size of 768, `in_proj_weight` has the shape (2304, 768).
# Which rows make the *keys*: from which row on, and up to which row, in the way Python counts in `in_proj_weight[first:last]`?

# %% exercise="rows_of_the_keys"
rows_of_the_keys = ...  # two numbers: (first, last)
### BEGIN SOLUTION
rows_of_the_keys = (768, 1536)
### END SOLUTION

# %% [markdown]
# Carrying weights over is then a matter of cutting in three, and copying.
# (`.chunk(3)` cuts along the first axis, `copy_` writes into a tensor that is there, and `torch.no_grad()` says that this is no step of learning.)

# %%
def copy_from_torch(theirs, ours):
    """Put the weights of an nn.MultiheadAttention into your layer."""
    weights, biases = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
    with torch.no_grad():
        for projection, weight, bias in zip((ours.query, ours.key, ours.value), weights, biases):
            projection.weight.copy_(weight)
            projection.bias.copy_(bias)
        ours.output.weight.copy_(theirs.out_proj.weight)
        ours.output.bias.copy_(theirs.out_proj.bias)


# %% [markdown]
# Next, the masks.
# `nn.MultiheadAttention` takes two of them, both in the convention "blocked":
#
# - `attn_mask`: (queries, keys), the same for the whole batch; or (batch · heads, queries, keys). Four axes are refused.
# - `key_padding_mask`: (batch, keys), for padding.
#
# **Choose.**
# `padding` is a padding mask of ours, of shape (batch, 1, 1, keys).
# What do you hand over as `key_padding_mask`?
#
# - `"a"`: `padding`
# - `"b"`: `~padding`
# - `"c"`: `padding[:, 0, 0]`
# - `"d"`: `~padding[:, 0, 0]`

# %% exercise="padding_for_torch"
padding_for_torch = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
padding_for_torch = "d"
### END SOLUTION

# %% [markdown]
# Here is everything at once: their weights in your layer, biases that are not zero, a padded batch, and queries of one sequence with keys of another, which is called `memory`.

# %%
def compare_with_torch():
    torch.manual_seed(3)
    theirs = nn.MultiheadAttention(12, 3, batch_first=True).to(device).eval()
    nn.init.normal_(theirs.in_proj_bias)  # they begin as zeros, which would hide a mistake
    nn.init.normal_(theirs.out_proj.bias)
    ours = MultiHeadAttention(12, 3).to(device).eval()
    copy_from_torch(theirs, ours)
    query, memory = normal(2, 4, 12), normal(2, 7, 12)
    padding = padding_mask(torch.tensor([7, 5], device=device), 7)
    output, weights = ours(query, memory, mask=padding, return_weights=True)
    blocked = ~padding[:, 0, 0]
    expected, averaged = theirs(query, memory, memory, key_padding_mask=blocked)
    print(f"outputs differ by at most {(output - expected).abs().max():.0e}")
    print("their weights:", tuple(averaged.shape), " yours:", tuple(weights.shape))
    print(f"theirs are the mean of yours over the heads, up to {(weights.mean(dim=1) - averaged).abs().max():.0e}")


after(MultiHeadAttention, compare_with_torch)

# %% [markdown]
# Equal.
# You have written `nn.MultiheadAttention`.
#
# Two things about the weights that it returns, because they surprise people.
# They are *averaged over the heads*, unless you say `average_attn_weights=False`.
# And in train mode they are the weights *after dropout*, with the holes in them:

# %%
torch.manual_seed(0)
dropping = nn.MultiheadAttention(8, 2, dropout=0.5, batch_first=True).to(device)
_, with_holes = dropping(four, four, four, average_attn_weights=False)
print("one head's weights, in train mode:")
print(with_holes[0, 0].detach())
print("sums of the rows:", with_holes[0, 0].detach().sum(dim=-1))

# %% [markdown]
# ### The fused function
#
# `F.scaled_dot_product_attention` is your `masked_attention` in one piece, written for speed.
# It is called *fused* because scores, softmax and mean are melted into one step, so the whole map of weights need not be stored at any time.
# (That is another fusing than in `fuse_heads`, where matrices came to stand side by side.)
# Queries, keys and values come to it projected and split.
# Inside most models of today, this is what runs.
# (Lesson 08 measures how much faster it is.)

# %%
torch.manual_seed(4)
q, k, v = normal(2, 3, 5, 4), normal(2, 3, 7, 4), normal(2, 3, 7, 4)  # (batch, heads, tokens, head_size)
padding = padding_mask(torch.tensor([7, 5], device=device), 7)

fused = F.scaled_dot_product_attention(q, k, v, attn_mask=padding)  # True: may look, as with us
print(f"differs from masked_attention by at most {(fused - masked_attention(q, k, v, padding)).abs().max():.0e}")

# %% [markdown]
# Here the boolean mask means "allowed".
# One library, two conventions.
# And there are two more traps:
#
# - `dropout_p` drops whenever it is above 0. You know this one: it wants `dropout_p=p if self.training else 0.0`.
# - `is_causal=True` places the *first* query at the first key, at the top left. Ours places the last at the last.
#
# A model that writes a text keeps old keys and values, and sends one new query (lesson 03).
# Say there are five keys, all scores are equal, and the values are 10, 20, 30, 40, 50.
#
# **Predict.**
# What does `F.scaled_dot_product_attention(..., is_causal=True)` give this query?

# %% exercise="causal_at_the_top_left"
causal_at_the_top_left = ...  # a number
### BEGIN SOLUTION
causal_at_the_top_left = 10
### END SOLUTION

# %%
one_query, five_keys = torch.zeros(1, 1, 1, 2), torch.zeros(1, 1, 5, 2)
five_values = torch.tensor([10.0, 20.0, 30.0, 40.0, 50.0]).reshape(1, 1, 5, 1)
print("is_causal=True:", F.scaled_dot_product_attention(one_query, five_keys, five_values, is_causal=True).item())
print("our causal mask:", masked_attention(one_query, five_keys, five_values, causal_mask(1, 5, like=one_query)).item())

# %% [markdown]
# ### Keras' layer
#
# > **Read this part if you use Keras.** If not, you may skip the next lines, and go on where it says *One more difference*: the order of arguments concerns everybody.
#
# Keras is not installed here, and you need not install it: its layer is a few sums, and we can write those down.
# `keras.layers.MultiHeadAttention(num_heads, key_dim)` never puts the heads' weights side by side.
# The axis of heads stays visible in them (Keras calls a matrix of weights a *kernel*):
#
# | | kernel | bias |
# |---|---|---|
# | query, key, value | (model_size, heads, head_size) | (heads, head_size) |
# | output | (heads, head_size, model_size) | (model_size,) |
#
# They multiply from the right, as ours do, so a kernel is our matrix with its columns cut into heads.
# Note that `key_dim` is the size of *one* head: `MultiHeadAttention(8, 64)` for a model size of 512.
#
# `einsum` is made for tensors like these.
# Every axis gets a letter; letters that are missing on the right of the arrow are summed over.
# So `"btm,mhs->bths"` says: batch, tokens, model times model, heads, size; sum over model.

# %%
def keras_layer(x, kernels, biases):
    """What Keras' layer computes for self-attention, in its own shapes."""
    query, key, value = (torch.einsum("btm,mhs->bths", x, kernels[n]) + biases[n] for n in range(3))
    scores = torch.einsum("bqhs,bkhs->bhqk", query, key) / query.shape[-1] ** 0.5
    mixed = torch.einsum("bhqk,bkhs->bqhs", torch.softmax(scores, dim=-1), value)
    return torch.einsum("bqhs,hsm->bqm", mixed, kernels[3]) + biases[3]


def compare_with_keras():
    torch.manual_seed(5)
    layer, x = MultiHeadAttention(12, 3).to(device).eval(), normal(2, 5, 12)
    projections = layer.query, layer.key, layer.value, layer.output
    kernels = [p.weight.T.reshape(12, 3, 4) for p in projections[:3]] + [layer.output.weight.T.reshape(3, 4, 12)]
    biases = [p.bias.reshape(3, 4) for p in projections[:3]] + [layer.output.bias]
    return f"differs from your layer by at most {(keras_layer(x, kernels, biases) - layer(x)).abs().max():.0e}"


after(MultiHeadAttention, compare_with_keras)

# %% [markdown]
# The same layer for the third time.
# Look where the split is: nowhere.
# In Keras' shapes the heads are never cut, so nobody can cut them wrongly.
# The price is one axis more in everything.
#
# Here a plain `reshape` of the kernel was right, by the way.
# It draws lines where one head's block ends and the next begins, and moves nothing.
#
# To hand weights over for good, `mha_ref.layer.MultiHeadAttention` has `load_torch`, `to_torch`, `load_keras` and `to_keras`.
#
# **One more difference: the order of arguments.**
# Keras' own layer is called as `layer(query, value, key)`, with value before key, and in a tutorial that has been copied far and wide a hand-written layer is called as
#
# ```python
# layer(v, k, q, mask)
# ```
#
# with a mask of the kind "blocked_float".
# You have the sequence `x` that asks, the sequence `memory` that is asked, and `allowed`, a mask of ours.
#
# **Choose.**
# How do you call this hand-written layer?
#
# - `"a"`: `layer(x, memory, memory, allowed)`
# - `"b"`: `layer(memory, memory, x, allowed.float())`
# - `"c"`: `layer(memory, memory, x, (~allowed).float())`
# - `"d"`: `layer(x, memory, memory, (~allowed).float())`

# %% exercise="arguments_of_the_other_layer"
arguments_of_the_other_layer = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
arguments_of_the_other_layer = "c"
### END SOLUTION

# %% [markdown]
# In self-attention with `layer(x, x, x)` nobody notices the order.
# The mistake sleeps until two sequences meet for the first time, in the next lesson.
#
# Everything in one table, to come back to.
# T is queries, S is keys, B is batch, d is model_size, h is heads.
#
# | | ours | `nn.MultiheadAttention` | `F.scaled_dot_product_attention` | Keras |
# |---|---|---|---|---|
# | order | query, key, value | query, key, value | query, key, value | query, value, key |
# | weights | function: four, (in, out), a head is a block of columns; layer: four `nn.Linear`, (out, in), a block of rows | one (3d, d), and one (d, d), both (out, in) | none | (d, h, d/h); output (h, d/h, d) |
# | boolean mask | True: may look | True: blocked | True: may look | True: may look |
# | shape of the mask | (batch, heads, queries, keys), or less | (T, S), (B·h, T, S); padding (B, S) | (batch, heads, queries, keys), or less | (B, T, S) |
# | nothing to look at | zeros | NaN, or zeros: it depends on how it is called | zeros | a mean of all values |
# | causal | last query at the last key | your mask decides | first query at the first key | first query at the first key |
# | returned weights | per head, before dropout | mean over heads, after dropout | none | per head |
#
# (PyTorch 2.13 and Keras 3.)
#
# ## Summary
#
# You can now
#
# - say why one product projects into all heads, and fuse the heads' weights;
# - split and merge heads, and show with numbers what a reshape without a transpose does;
# - write a test that does not fall for a round trip;
# - give the shape at every step, for any sizes;
# - write multi-head attention in six matrix products, equal to the loop;
# - write it as a layer, with biases, and with dropout that stops when learning stops;
# - translate between four mask conventions;
# - carry weights to and from PyTorch and Keras, and get equal outputs.
#
# All the rest of the course stands on this layer.
# Next, in lesson 07, two of them go into a decoder layer, one that looks at its own words and one that looks at another sentence; a translator learns with it.
# Lesson 08 asks what it all costs.

# %% [markdown]
# Here is how far you are in the course, and what comes next.

# %%
progress()
