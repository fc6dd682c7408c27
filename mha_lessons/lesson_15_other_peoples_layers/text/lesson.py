# %% [markdown]
# # Lesson 15 · Other people's layers
#
# This lesson is a draft: what stands here came from earlier lessons, and waits to be made into one.

# %% locked=true
import torch
import torch.nn.functional as F
from torch import nn

from autograder import after, check, hint, progress, solution
from autograder.pictures import heatmap
from mha_ref import causal_mask, masked_attention, padding_mask
from mha_ref.layer import MultiHeadAttention

device = "cuda" if torch.cuda.is_available() else "cpu"


def normal(*shape):
    return torch.randn(shape).to(device)


# %% [markdown]
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

# %%
progress()
