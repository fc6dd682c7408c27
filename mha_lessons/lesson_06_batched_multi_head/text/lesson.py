# %% [markdown]
# # Lesson 06 · All heads at once
#
# In lesson 05 the heads worked one after another, in a Python loop.
# That loop is correct and easy to follow, but on a GPU it is slow.
#
# In this lesson you get rid of the loop: first with functions, then with a layer that you could put into any model.
# At the end your layer gives the same numbers as PyTorch's own.
# The mathematics is still that of lesson 05.
# What is new is how to compute it fast, and how easily that goes wrong *without any error message*.

# %% locked=true
import torch
import torch.nn.functional as F
from torch import nn

from autograder import after, check, hint, progress, solution
from autograder.mine import (
    attention_scores,
    causal_mask,
    masked_attention,
    masked_softmax,
    multi_head_by_loop,
    padding_mask,
    parameter_count,
)
from autograder.pictures import heatmap, heatmaps, steps

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)  # for matrices as small as ours, one thread is fastest
torch.set_printoptions(precision=3, sci_mode=False)


def normal(*shape):
    """Random numbers around 0, the same on every machine."""
    return torch.randn(shape).to(device)


# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them.
#
# **From lesson 05.**
# A layer has a model size of 512 and 8 heads of size 64.
# How many features of a token does each head read?

# %% exercise="remember_features_that_a_head_reads"
remember_features_that_a_head_reads = ...  # a number
### BEGIN SOLUTION
remember_features_that_a_head_reads = 512
### END SOLUTION

# %% [markdown]
# **From lesson 03.**
# A batch has 32 sentences, padded to 50 tokens each.
# What shape does its padding mask have, ready for heads?

# %% exercise="remember_a_mask_for_heads"
remember_a_mask_for_heads = ...  # a shape: (..., ..., ..., ...)
### BEGIN SOLUTION
remember_a_mask_for_heads = (32, 1, 1, 50)
### END SOLUTION

# %% [markdown]
# ## One projection for all heads
#
# In the loop, each head needs five matrix products: three projections, the scores, and the weighted mean.
# After the loop comes one more, with $W^O$.
# With 12 heads that makes 61 products.
# Your version will need only six, because one `@` can serve all heads.
# The arithmetic is the same, but every product has to be started, and a small one leaves most of a GPU idle.
# On an H200, such a layer took us 2.2 ms as a loop and 0.3 ms at once.
#
# Column $j$ of a product $XW$ depends on $X$ and on column $j$ of $W$, and on nothing else.
# So we may put the heads' matrices side by side:
#
# $$X \, [\, W_1 \mid W_2 \mid \dots \mid W_h \,] \;=\; [\, XW_1 \mid XW_2 \mid \dots \mid XW_h \,]$$
#
# From now on there is **one matrix for all heads, and a head is a block of neighbouring columns**.
# This function builds it from lesson 05's stack.

# %%
def fuse_heads(weights):
    """Put the heads' matrices side by side: (heads, model_size, head_size) -> (model_size, heads · head_size)."""
    return torch.cat(tuple(weights), dim=-1)


# %% [markdown]
# ## Cut the columns
#
# One product now projects every token for all heads; the result has shape (batch, tokens, model_size).
# To attend, each head needs its own columns:
#
# $$(\text{batch}, \;\text{heads}, \;\text{tokens}, \;\text{head\_size})$$
#
# Attention works on the last two axes and repeats for everything in front.
# So if the heads are a leading axis, like the batch, `masked_attention` can stay as it is.
#
# This function cuts out one head at a time: it is another loop, but it defines what we want.
# To follow the numbers, we give each one an address: 23 comes from token 2, column 3.

# %%
def split_by_slices(x, heads):
    """Give each head its own block of columns from every token."""
    size = x.shape[-1] // heads
    blocks = [x[..., head * size : (head + 1) * size] for head in range(heads)]
    return torch.stack(blocks, dim=-3)  # a new axis, third from the end


where_from = 10 * torch.arange(4)[:, None] + torch.arange(6)
print(where_from)
print("split into two heads:")
print(split_by_slices(where_from, heads=2))

# %% [markdown]
# ## The silent reshape
#
# The shape went from (4, 6) to (2, 4, 3), and there is a function that changes shapes.
# Why not use `where_from.reshape(2, 4, 3)`?
#
# In memory a tensor is one long line of numbers, row after row.
# `reshape` reads along this line and fills the new shape, with the last index changing fastest.
# It never moves a number past another.
#
# **Predict.**
# What is the second row of the first head in `where_from.reshape(2, 4, 3)`?

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
# Look at the tens digits.
# We want every row to be a token.
# After the plain reshape, the first head has *all* columns of tokens 0 and 1, and the second head all columns of tokens 2 and 3.
# The reshape has cut the sentence instead of the columns.
#
# What happens to a model that does this?
# Here is a colleague's layer, and below it an influence map like those of lesson 03.

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

# %% picture=true
influence = torch.zeros(len(words), len(words))  # how far each output (row) moves when one word (column) changes
for word in range(len(words)):
    changed = sentence.clone()
    changed[:, word] += 1.0
    difference = colleagues_layer(changed, *weights, heads=2) - colleagues_layer(sentence, *weights, heads=2)
    influence[:, word] = difference[0].abs().amax(dim=-1)  # in each row, the largest

heatmap(
    influence,
    alt="Influence of six words on six outputs in the colleague's layer. Two blocks: the first three words reach "
    "each other, and so do the last three, with 0.1 to 0.9; between the two halves all 18 squares are 0.",
    rows="output at", columns="changed word", row_labels=words, column_labels=words,
)

# %% [markdown]
# Nothing gets from "she reads the" to "old book today", or back.
# Yet the shapes are right and gradients flow, and the loss can still fall, because half a sentence is better than none.
#
# The way out takes two steps, and the picture shows the stage in between.
# Every number has the colour of its head: watch which axis each step changes.

# %% picture=true
steps(
    {
        "before": (where_from, "tokens columns"),
        "1. cut each token's columns": (torch.stack([wanted[:, token] for token in range(4)]), "tokens heads head_size"),
        "2. move the heads in front": (wanted, "heads tokens head_size"),
    },
    groups=torch.arange(6) // 3,
    alt="Three stages, each number in the colour of its head. First one table of tokens by columns: the left block of "
    "columns has the first colour, the next block the second. Then one small table for each token, with a row for each "
    "head. Last one table for each head, with a row for each token: each has a single colour.",
)

# %% [markdown]
# You need two tools.
# A `reshape` is safe as long as it only divides each row into parts, or puts such parts together again.
# `x.transpose(i, j)` swaps the axes `i` and `j`, and every number keeps its token.
#
# **Write the split**, and then the way back.

# %% exercise="split_heads"
def split_heads(x, heads):
    """Cut every token into consecutive blocks of columns, one for each head.

    x: (batch, tokens, model_size), heads: an integer -> (batch, heads, tokens, head_size).
    Head 0 gets the first head_size columns of every token, head 1 the next ones, and so on.
    If model_size is not a multiple of heads, raise an error, for example a ValueError.
    """
    ### BEGIN SOLUTION
    batch, tokens, model_size = x.shape
    if model_size % heads:
        raise ValueError(f"model size {model_size} does not divide into {heads} heads")
    blocks = x.reshape(batch, tokens, heads, model_size // heads)
    return blocks.transpose(1, 2)
    ### END SOLUTION

# %%
x = normal(2, 5, 12)
after(split_heads, lambda: f"the same as by slices: {torch.equal(split_heads(x, 3), split_by_slices(x, 3))}")

# %% [markdown]
# `merge_heads` undoes the split, step by step, from the last to the first.

# %% exercise="merge_heads"
def merge_heads(x):
    """Put the heads' blocks of columns side by side again.

    x: (batch, heads, tokens, head_size) -> (batch, tokens, heads · head_size).
    The first head_size columns of a token come from head 0, the next ones from head 1, and so on.
    """
    ### BEGIN SOLUTION
    by_token = x.transpose(1, 2)
    return by_token.flatten(start_dim=2)
    ### END SOLUTION

# %% picture=true
after(merge_heads, lambda: heatmap(
    merge_heads(split_by_slices(where_from[None], heads=2))[0],
    alt="Your merged heads: four rows and six columns. Each number is back in the row of its token and in its column, "
    "from 0 at the top left to 35 at the bottom right.",
    rows="tokens", columns="columns", digits=0,
))

# %% [markdown]
# **Write a test.**
# How would you know that a split is right?
# "Splitting and merging gives back what I had" proves nothing: if both make the same mistake, it passes.
# A test must know where each number *should* be after one step.
#
# Begin with `x = torch.arange(48.0).reshape(2, 4, 6)`, in which no two numbers are the same.
# Then write lines that start with `assert`, for the shape and for the numbers of each head.
# End with these lines, which check that there is an error:
#
# ```python
#     try:
#         split_heads(x, 4)
#     except ValueError:
#         return
#     raise AssertionError("6 columns do not divide into 4 heads")
# ```
#
# Your test will meet six wrong versions of `split_heads`:
#
# 1. *reshapes straight into heads*: what the colleague wrote.
# 2. *deals the columns out in turn*: head 0 gets columns 0, heads, 2 · heads, ...
# 3. *forgets to move the heads*: (..., tokens, heads, head_size).
# 4. *leaves tokens last*: (..., heads, head_size, tokens).
# 5. *counts heads from the end*: the last block of columns comes first.
# 6. *drops the leftover columns*: if the model size is not a multiple of heads, it silently cuts off the remainder.

# %% exercise="test_split_heads"
def test_split_heads(split_heads):
    """Raises an AssertionError if this version puts a number in the wrong place, or accepts heads that do not divide model_size.

    split_heads: a function of x and heads, right or wrong -> nothing: a returned value is ignored.
    A right version passes; each of the six wrong ones fails.
    Test only what the docstring of split_heads promises: any text of the error will do, and so will any order of the
    numbers in memory. Every right version takes torch tensors with three axes, on the CPU, and raises a ValueError.
    """
    ### BEGIN SOLUTION
    x = torch.arange(2 * 4 * 6.0).reshape(2, 4, 6)
    result = split_heads(x, 3)
    assert result.shape == (2, 3, 4, 2)
    for head in range(3):
        assert torch.equal(result[:, head], x[:, :, 2 * head : 2 * head + 2])
    try:
        split_heads(x, heads=4)
    except ValueError:
        pass
    else:
        raise AssertionError("6 columns do not divide into 4 heads")
    ### END SOLUTION

# %% [markdown]
# ## Six products
#
# 1. **Project** the tokens: queries, keys and values, each with one matrix for all heads (three products).
# 2. **Split** each of the three into heads.
# 3. **Scores**: in each head, every query meets every key (one product). Softmax makes them weights of the same shape.
# 4. **Mix** the values by the weights (one product).
# 5. **Merge** the heads.
# 6. **Output**: multiply by $W^O$ (one product).
#
# **Predict.**
# BERT base has $d = 768$ and $h = 12$, and reads a batch of 4 texts with $n = 128$ tokens each.
# What shapes come out of *split*, *scores*, *mix*, *merge* and *output*?

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
# A head has 64 columns, so its scores are divided by $\sqrt{64} = 8$, not by $\sqrt{768}$.
#
# Now write the function that this course is named after.

# %% exercise="multi_head_attention"
def multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Attention with several heads at once, each on its own block of columns; then the heads are mixed.

    query: (batch, queries, model_size); key, value: (batch, keys, model_size);
    w_query, w_key, w_value, w_output: (model_size, model_size); heads: an integer that divides model_size
    -> (batch, queries, model_size).
    query, key and value are three sequences that need not be the same: queries come from the first, keys from the
    second, values from the third. Weights multiply from the right.
    mask: broadcastable to (batch, heads, queries, keys), so a mask with three axes is (heads, queries, keys).
    """
    ### BEGIN SOLUTION
    queries = split_heads(query @ w_query, heads)
    keys = split_heads(key @ w_key, heads)
    values = split_heads(value @ w_value, heads)
    found = masked_attention(queries, keys, values, mask)  # (batch, heads, queries, head_size)
    return merge_heads(found) @ w_output
    ### END SOLUTION

# %% [markdown]
# Does it match the loop?

# %%
def compare_with_the_loop():
    """Three heads of four columns, a batch of two, and a causal mask."""
    torch.manual_seed(1)
    x, w_output = normal(2, 5, 12), normal(12, 12)
    stacked = [normal(3, 12, 4) for _ in range(3)]  # W_Q, W_K, W_V: (heads, model_size, head_size)
    mask = causal_mask(5, 5).to(device)
    by_loop = multi_head_by_loop(x, *stacked, w_output, mask)
    at_once = multi_head_attention(x, x, x, *(fuse_heads(w) for w in stacked), w_output, 3, mask)
    difference = ((at_once - by_loop).abs().max() / by_loop.abs().max()).item()
    return f"largest difference from the loop, relative: {difference:.0e}"


after(multi_head_attention, compare_with_the_loop)

# %% [markdown]
# A difference below a millionth is rounding.
#
# The padding mask of lesson 03 has shape (batch, 1, 1, keys): its axes of length 1 make it apply to all heads and all queries.
# If each text has its own mask, of shape (batch, queries, keys), add an axis for the heads: `mask[:, None]`.
# Without it, with four texts and four heads, each text's mask would go to a head instead, and no error would tell you.
#
# This is a good place for a break.

# %% [markdown]
# ## The layer: biases and dropout
#
# A layer holds its own weights, in modules such as `nn.Linear`, and has two things that your function lacks.
#
# The first is biases: each of the four projections may add a row of numbers, $XW + b$.
#
# The second is **dropout**.
# A model in training may come to rely on a few strong connections.
# Dropout makes every connection unreliable, so that the model has to use others as well.
# It sets each number to zero with probability $p$ and divides the rest by $1 - p$, so that the average stays the same.
# In attention, it is applied to the *weights*, so that now and then a query has to do without one of its keys.
#
# Dropout is for training only.
# `model.train()` and `model.eval()` set a switch, `training`, in the model and in all its modules, and `nn.Dropout` obeys it.

# %%
torch.manual_seed(0)
drop = nn.Dropout(0.5)
row = torch.tensor([0.5, 0.3, 0.2])
print("in train mode:", drop(row), drop(row), drop(row))
print("in eval mode: ", drop.eval()(row), drop.eval()(row))
print("mean of 10,000 in train mode:", drop.train()(row.expand(10_000, 3)).mean(dim=0))

# %% [markdown]
# **Find the bug.**
# A colleague's chat model gives different answers to the same question, although it always picks the likeliest word and `model.eval()` has been called.
# Here is its attention; `self.dropout` is an `nn.Dropout`.
# Which line is to blame?

# %%
def colleagues_forward(self, x):
    query, key, value = self.query(x), self.key(x), self.value(x)   # line 1
    weights = torch.softmax(attention_scores(query, key), dim=-1)   # line 2
    weights = F.dropout(weights, p=0.1)                             # line 3
    return self.dropout(self.output(weights @ value))               # line 4

# %% exercise="restless_line"
restless_line = ...  # a number from 1 to 4
### BEGIN SOLUTION
restless_line = 3
### END SOLUTION

# %% [markdown]
# `F.dropout` is a function, so it has no switch: it needs `training=self.training`.
# Line 4 drops as well, but with a module, and `model.eval()` has switched that off.
#
# In the layer, dropout comes between the weights and the mean.
# So `masked_attention` will not do, and you need its first half alone:

# %%
def masked_weights(query, key, mask=None):
    """The attention weights, with a mask or without: (batch, heads, queries, keys)."""
    logits = attention_scores(query, key)
    return torch.softmax(logits, dim=-1) if mask is None else masked_softmax(logits, mask)

# %% [markdown]
# Now write the layer, beginning with `__init__`.
# Its `forward` is your `multi_head_attention` with three changes:
#
# - Fill in the defaults first: `key = query if key is None else key`, and `value` in the same way.
# - Each projection is one of your modules, called like a function: it adds the bias by itself.
# - In place of `masked_attention` come three steps: `masked_weights`, dropout, and the product with the values.
#   The weights that the layer returns are those *before* dropout: a picture of them should show attention, not chance.

# %% exercise="MultiHeadAttention"
class MultiHeadAttention(nn.Module):
    """Multi-head attention with learned weights.

    model_size, heads: integers; if model_size is not a multiple of heads, __init__ raises an error, for example a ValueError.
    bias: whether the four projections have biases. All weights and biases are parameters, so that they can learn.
    dropout: the drop probability of the nn.Dropout applied to the attention weights.
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
        mask: broadcastable to (batch, heads, queries, keys).
        A query with no allowed key has weights of zero, so its output is the bias of the output projection.
        return_weights=True: a pair, (output, weights), with the weights before dropout, (batch, heads, queries, keys).
        """
        ### BEGIN SOLUTION
        key = query if key is None else key
        value = key if value is None else value
        projected = self.query(query), self.key(key), self.value(value)
        queries, keys, values = (split_heads(x, self.heads) for x in projected)
        weights = masked_weights(queries, keys, mask)
        output = self.output(merge_heads(self.dropout(weights) @ values))
        return (output, weights) if return_weights else output
        ### END SOLUTION

# %% [markdown]
# Does your layer have as many parameters as lesson 05 says, and does it do the right thing in both modes?

# %%
def try_the_layer():
    count = sum(parameter.numel() for parameter in MultiHeadAttention(512, 8).parameters())
    print(f"{count:,} parameters; expected {parameter_count(512, 8):,}")
    layer = MultiHeadAttention(8, 2, dropout=0.3).to(device)
    print("two calls in train mode agree:", torch.equal(layer(sentence), layer(sentence)))
    layer.eval()
    print("two calls in eval mode agree:", torch.equal(layer(sentence), layer(sentence)))


after(MultiHeadAttention, try_the_layer)

# %% [markdown]
# ## The same numbers as PyTorch
#
# PyTorch has this layer too: `nn.MultiheadAttention(model_size, heads, batch_first=True)`.
# If we copy its weights into your layer, both must give the same output.
#
# It keeps the three input projections in one matrix, `in_proj_weight`, stacked one below the other; `.chunk(3)` cuts it into three.
# Its padding masks mean the opposite of ours: True is *blocked*.
# So we pass it `~mask[:, 0, 0]`: `~` means *not*, and the two zeros drop the axes for heads and queries.

# %%
def copy_from_torch(theirs, ours):
    """Put the weights of an nn.MultiheadAttention into your layer."""
    weights, biases = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
    with torch.no_grad():  # copying is not part of any loss
        for projection, weight, bias in zip((ours.query, ours.key, ours.value), weights, biases):
            projection.weight.copy_(weight)
            projection.bias.copy_(bias)
        ours.output.weight.copy_(theirs.out_proj.weight)
        ours.output.bias.copy_(theirs.out_proj.bias)

# %%
def compare_with_torch():
    torch.manual_seed(3)
    theirs = nn.MultiheadAttention(12, 3, batch_first=True).to(device).eval()
    for bias in (theirs.in_proj_bias, theirs.out_proj.bias):
        nn.init.normal_(bias)  # it begins as zeros, which would hide a mistake
    ours = MultiHeadAttention(12, 3).to(device).eval()
    copy_from_torch(theirs, ours)
    query, memory = normal(2, 4, 12), normal(2, 7, 12)  # queries from one sequence, keys and values from another
    mask = padding_mask(torch.tensor([7, 5], device=device), 7)
    output, weights = ours(query, memory, mask=mask, return_weights=True)
    expected, averaged = theirs(query, memory, memory, key_padding_mask=~mask[:, 0, 0])
    print(f"outputs differ by at most {(output - expected).abs().max():.0e}")
    print("their weights:", tuple(averaged.shape), " yours:", tuple(weights.shape))
    print(f"theirs are the mean of yours over the heads, to within {(weights.mean(dim=1) - averaged).abs().max():.0e}")


after(MultiHeadAttention, compare_with_torch)

# %% [markdown]
# Up to rounding they agree: your layer computes what `nn.MultiheadAttention` computes.
#
# ## Summary
#
# You can now
#
# - say why one product can project into all heads;
# - split and merge heads, and show what a reshape without a transpose does;
# - give the shape at every step, for any sizes;
# - write multi-head attention in six matrix products, equal to the loop;
# - write it as a layer with biases and dropout, equal to PyTorch's.
#
# In lesson 07 two such layers go into the half of a translator that writes.
# Lesson 15 moves weights and masks between your layer and other people's.

# %%
progress()
