# %% [markdown]
# # Lesson 15 · Other people's layers
#
# You have written multi-head attention.
# So have PyTorch, Keras and the authors of GPT-2, and many trained models are made of their layers.
# The arithmetic is the same as yours.
# What differs is where the numbers are kept, and what True means in a mask.
# Get one of these wrong, and often there is no error and no warning, only a worse model.
#
# In this lesson you carry weights from other layers into yours, and put yours *inside* a GPT-2.
# Then you look at six transplants that are wrong without any error, and find out what notices them.
#
# Nothing that is graded needs `transformers` or `keras`.
# With them, you also see your layer at work beside the others: `pip install transformers keras`.

# %% locked=true
import copy
import os

import torch
import torch.nn.functional as F
from torch import nn

from autograder import after, check, hint, progress, solution
from autograder.mine import MultiHeadAttention, causal_mask, masked_attention, merge_heads, padding_mask, split_heads
from autograder.pictures import heatmap
from mha_ref.exchange import to_keras

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)  # our products are small: more threads would only wait for each other
os.environ |= {"KERAS_BACKEND": "torch", "TRANSFORMERS_VERBOSITY": "error", "TF_CPP_MIN_LOG_LEVEL": "3"}


def normal(*shape):
    return torch.randn(shape).to(device)


def gap(theirs, ours):
    return f"{(theirs - ours).abs().max():.0e}"

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them, for example if you have not read those lessons yet.
#
# **From lesson 14.**
# One key gets all the weight of a query: its row is (1, 0, 0).
# Which of these can still learn from it?
#
# - `"a"`: the queries, where to look
# - `"b"`: the values, what to carry
# - `"c"`: the keys, what to offer

# %% exercise="remember_a_saturated_row"
remember_a_saturated_row = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_a_saturated_row = "b"
### END SOLUTION

# %% [markdown]
# **From lesson 12.**
# A head has 8 columns, numbered from 0.
# Rotary code by *halves*, such as that of `transformers`, turns them in pairs.
# Which column is turned together with column 1?

# %% exercise="remember_a_pair_of_columns"
remember_a_pair_of_columns = ...  # a number
### BEGIN SOLUTION
remember_a_pair_of_columns = 5
### END SOLUTION

# %% [markdown]
# ## Four ways to say "may look"
#
# Before two layers can be compared, they must agree on masks.
# Four conventions are in wide use.
# The last column shows each of them for a query that may look at the first of two keys.
#
# | name here | what the mask holds | who uses it | the same mask |
# |---|---|---|---|
# | `"allowed"` | True: may look | this course; `F.scaled_dot_product_attention`; Keras' layer | `True, False` |
# | `"blocked"` | True: blocked | `nn.MultiheadAttention` | `False, True` |
# | `"additive"` | what is added to the scores: 0, or where blocked minus infinity, or -10,000 or less | GPT-2 in `transformers`, as we set it up below; both of PyTorch's, if the mask is floating-point | `0, -inf` |
# | `"blocked_float"` | 1: blocked; it is multiplied by -1e9 and then added | many layers written with TensorFlow | `0.0, 1.0` |
#
# The dangerous pair is the first two: both are boolean, both run, and nothing in the array says which it is.
#
# A fifth array is not about pairs but about tokens: the `attention_mask` that you hand to a model of `transformers`, of shape (batch, tokens).
# It holds 1 for a real token and 0 for padding, so its 1 means the opposite of the 1 in the last row.
# From it, the model makes the mask that its attention layers get.
#
# **Predict.**
# Somebody makes our `causal_mask(4, 4)` and hands it to `nn.MultiheadAttention` as it is.
# Which of the four keys does the *second* query look at?

# %% exercise="misread_mask"
misread_mask = ...  # four times True or False: (..., ..., ..., ...)
### BEGIN SOLUTION
misread_mask = (False, False, True, True)
### END SOLUTION

# %%
torch.manual_seed(0)  # batch_first: (batch, tokens, model_size), as in this course
torch_layer = nn.MultiheadAttention(8, 2, batch_first=True).to(device)
four = normal(1, 4, 8)
with torch.no_grad():
    _, misread = torch_layer(four, four, four, attn_mask=causal_mask(4, 4).to(device))

# %% picture=true
heatmap(
    misread[0],
    alt="Weights of PyTorch's layer that was given our causal mask: each query looks at later keys only. The second "
    "query has 0 and 0, then 0.46 and 0.54, the third has 1 at the last key, and the row of the last query is NaN.",
)

# %% [markdown]
# This model sees nothing but the future, the opposite of what was meant.
# The last query has nothing left to look at, and gets NaN, which is lucky: NaN gets noticed.
#
# Write a function that translates each of the four into ours.

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
# ## PyTorch's layer
#
# A layer keeps its weights in a **state dict**: names, and a tensor for each.
# Here are PyTorch's and ours.

# %%
for layer in (torch_layer, MultiHeadAttention(8, 2)):
    print(type(layer).__name__, {name: tuple(parameter.shape) for name, parameter in layer.state_dict().items()}, "\n")

# %% [markdown]
# PyTorch keeps the projections to queries, keys and values in one matrix, `in_proj_weight`, in this order.
# It is stored like the weight of any `nn.Linear`, as (out, in), so the three lie one below the other.
#
# **Calculate.**
# For a model size of 768, `in_proj_weight` has the shape (2304, 768).
# Which rows make the *keys*?
# Give the first row and the end, as in `in_proj_weight[first:end]`.

# %% exercise="rows_of_the_keys"
rows_of_the_keys = ...  # two numbers: (first, end)
### BEGIN SOLUTION
rows_of_the_keys = (768, 1536)
### END SOLUTION

# %% [markdown]
# To carry weights over, you need no layer at all: a dictionary comes in, and a dictionary goes out.
# The tensors of a state dict share the layer's memory, and so do slices of them: they would change while the other layer is trained.
# That is why you return copies; `clone` makes one.

# %% exercise="from_torch"
def from_torch(state):
    """The weights of a torch.nn.MultiheadAttention under the names of our MultiHeadAttention.

    state: a dictionary of tensors, the layer's state_dict():
        in_proj_weight (3 · model_size, model_size): query, key, value, one block of rows below the other;
        in_proj_bias (3 · model_size,): in the same order;
        out_proj.weight (model_size, model_size) and out_proj.bias (model_size,). Weights are stored as (out, in).
    -> a dictionary of eight tensors, with these names:
        query.weight, key.weight, value.weight, output.weight: (model_size, model_size), stored as (out, in);
        query.bias, key.bias, value.bias, output.bias: (model_size,).
    The state of a layer without biases has the two weights only; the result then has the four weights only.
    Each tensor is a copy, with memory of its own. The input is not changed.
    """
    ### BEGIN SOLUTION
    ours = {}
    for kind in ("weight", "bias"):
        if f"in_proj_{kind}" in state:
            query, key, value = state[f"in_proj_{kind}"].chunk(3)
            parts = {"query": query, "key": key, "value": value, "output": state[f"out_proj.{kind}"]}
            ours |= {f"{name}.{kind}": part.clone() for name, part in parts.items()}
    return ours
    ### END SOLUTION

# %% [markdown]
# Next, the masks.
# `nn.MultiheadAttention` takes two of them, both in the convention "blocked":
#
# - `attn_mask`: (queries, keys), the same for the whole batch; or (batch · heads, queries, keys);
# - `key_padding_mask`: (batch, keys), for padding.
#
# **Choose.**
# `padding` is one of our padding masks, of shape (batch, 1, 1, keys).
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
# Now everything at once: their weights in your layer, biases that are not zero, a padded batch, and cross-attention.

# %% picture=true
torch.manual_seed(3)
theirs, ours = nn.MultiheadAttention(12, 3, batch_first=True).to(device), MultiHeadAttention(12, 3).to(device)
for parameter in (theirs.in_proj_bias, theirs.out_proj.bias):
    nn.init.normal_(parameter)  # they begin as zeros, which would hide a mistake
query, memory = normal(2, 4, 12), normal(2, 7, 12)
padding = padding_mask(torch.tensor([7, 5], device=device), 7)


@torch.no_grad()
def compare_with_torch():
    ours.load_state_dict(from_torch(theirs.state_dict()))
    output, weights = ours(query, memory, mask=padding, return_weights=True)
    expected, averaged = theirs(query, memory, memory, key_padding_mask=~padding[:, 0, 0])
    print("outputs differ by at most", gap(expected, output))
    print("their weights:", tuple(averaged.shape), " yours:", tuple(weights.shape))
    print("theirs differ from the mean of yours over the heads by at most", gap(averaged, weights.mean(dim=1)))


after(from_torch, compare_with_torch)

# %% [markdown]
# The weights that PyTorch's layer returns can surprise you twice.
# They are *averaged over the heads*, unless you say `average_attn_weights=False`.
# And in train mode they are the weights *after dropout*, with holes in them.
#
# ### The fused function
#
# `F.scaled_dot_product_attention` is your `masked_attention` in one piece, written for speed.
# Here, True in a boolean mask means "allowed": one library, two conventions.
#
# As you saw in lesson 11, `is_causal=True` lines up the *first* query with the first key; in our masks, the last query lines up with the last key.
# Here, the two newest queries meet five keys; all scores are equal, and the values are 10, 20, 30, 40 and 50.

# %%
queries, keys, values = torch.zeros(1, 2, 2), torch.zeros(1, 5, 2), torch.tensor([10.0, 20, 30, 40, 50]).reshape(1, 5, 1)
print("is_causal=True: ", F.scaled_dot_product_attention(queries, keys, values, is_causal=True).flatten().tolist())
print("our causal mask:", masked_attention(queries, keys, values, causal_mask(2, 5)).flatten().tolist())

# %% [markdown]
# ## Keras' layer
#
# `keras.layers.MultiHeadAttention(num_heads, key_dim)` keeps an axis for the heads in its weights, which Keras calls **kernels**.
# `key_dim` is the size of *one* head.
#
# | projection | kernel | bias |
# |---|---|---|
# | query, key, value | (model_size, heads, head_size) | (heads, head_size) |
# | output | (heads, head_size, model_size) | (model_size,) |
#
# The kernels multiply from the right; `to_keras` in `mha_ref.exchange` makes them from our weights.
# (The cell is folded, and imports Keras, which takes 2 to 10 seconds.)

# %% picture=true
@torch.no_grad()
def compare_with_keras():
    try:
        import keras
    except ImportError:
        return "keras cannot be imported here: pip install keras"
    x, memory = torch.randn(2, 4, 12), torch.randn(2, 7, 12)
    with keras.device("cpu"):
        theirs = keras.layers.MultiHeadAttention(3, 4)
        theirs.build(x.shape, memory.shape)
        theirs.set_weights(to_keras(ours))
        output = theirs(x, memory)
    return f"outputs differ by at most {gap(output, copy.deepcopy(ours).cpu()(x, memory))}"


after(from_torch, compare_with_keras)

# %% [markdown]
# The order of the arguments differs, too.
# Keras' own layer is called as `layer(query, value, key)`.
# A hand-written layer may have yet another order; say that one is called as
#
# ```python
# layer(v, k, q, mask)
# ```
#
# with a mask of the kind "blocked_float".
# You have the sequence `x` that asks, the sequence `memory` that is asked, and `allowed`, one of our masks.
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
# In self-attention, `layer(x, x, x)`, the order makes no difference: the mistake lies dormant until two sequences meet.
#
# ## GPT-2's attention
#
# GPT-2 was written in TensorFlow, and its weights are still stored as they were there: as (in, out), to be multiplied from the right.
# `transformers` keeps them in a class named `Conv1D`, a linear layer whose weight is stored transposed.
# These lines compute what GPT-2's attention computes:

# %%
def gpt2_attention(x, state, heads):
    block = x @ state["c_attn.weight"] + state["c_attn.bias"]  # (batch, tokens, 3 · model_size)
    query, key, value = (split_heads(part, heads) for part in block.chunk(3, dim=-1))
    mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return merge_heads(mixed) @ state["c_proj.weight"] + state["c_proj.bias"]  # (batch, tokens, model_size)

# %% [markdown]
# For a model size of 768, `c_attn.weight` has the shape (768, 2304), and `c_proj.weight` has (768, 768).
# To carry them into an `nn.Linear`, you cut `c_attn.weight` into three blocks of columns and transpose each of the four matrices with `.T`.
#
# **Predict.**
# You cut as you should, but transpose none of the four.
# For which matrices does `load_state_dict` raise an error: those from `"c_attn"`, the one from `"c_proj"`, `"both"`, or `"neither"`?

# %% exercise="load_without_turning"
load_without_turning = ...  # "c_attn", "c_proj", "both" or "neither"
### BEGIN SOLUTION
load_without_turning = "neither"
### END SOLUTION

# %% exercise="from_gpt2"
def from_gpt2(state):
    """The weights of GPT-2's attention under the names of our MultiHeadAttention.

    state: a dictionary of tensors, the state_dict() of one attention module:
        c_attn.weight (model_size, 3 · model_size): query, key, value, one block of columns beside the other;
        c_attn.bias (3 · model_size,): in the same order;
        c_proj.weight (model_size, model_size) and c_proj.bias (model_size,). Weights are stored as (in, out).
    -> a dictionary of eight tensors, with these names:
        query.weight, key.weight, value.weight, output.weight: (model_size, model_size), stored as (out, in);
        query.bias, key.bias, value.bias, output.bias: (model_size,).
    Old files hold further entries, a causal mask named bias for one: these are left out.
    Each tensor is a copy, with memory of its own. The input is not changed.
    """
    ### BEGIN SOLUTION
    weights = [*state["c_attn.weight"].T.chunk(3), state["c_proj.weight"].T]
    biases = [*state["c_attn.bias"].chunk(3), state["c_proj.bias"]]
    ours = {}
    for name, weight, bias in zip(("query", "key", "value", "output"), weights, biases):
        ours[f"{name}.weight"], ours[f"{name}.bias"] = weight.clone(), bias.clone()
    return ours
    ### END SOLUTION

# %% picture=true
torch.manual_seed(5)
sizes = {"c_attn.weight": (48, 144), "c_attn.bias": (144,), "c_proj.weight": (48, 48), "c_proj.bias": (48,)}
gpt2_state = {name: 0.2 * normal(*shape) for name, shape in sizes.items()}


@torch.no_grad()
def compare_with_gpt2_attention():
    layer, x = MultiHeadAttention(48, 4).to(device), normal(2, 9, 48)
    layer.load_state_dict(from_gpt2(gpt2_state))
    print("outputs differ by at most", gap(gpt2_attention(x, gpt2_state, 4), layer(x, mask=causal_mask(9, 9).to(device))))


after(from_gpt2, compare_with_gpt2_attention)

# %% [markdown]
# ## Inside a GPT-2
#
# Now take a small GPT-2 with three blocks from `transformers`, and put our layer in the place of each attention.
# (It is your own `MultiHeadAttention` if the first cell said so.)
#
# GPT-2 calls its attention in its own way, so the layer needs an **adapter**:
#
# - the mask comes as `attention_mask`, with four axes, in the convention "additive", and hides the future and the padding at once (we ask for it with `attn_implementation="eager"`);
# - the result must be a tuple: output and weights.
#
# **Eager** means that attention is computed step by step, as in your code, and not by the fused function.

# %%
class Adapter(nn.Module):
    """Our layer, called as GPT-2 calls its attention."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x, *past, attention_mask=None, **others):
        return self.layer(x, mask=to_allowed(attention_mask, "additive")), None

# %% [markdown]
# The next cell is folded, and takes up to 10 seconds.
# It makes a GPT-2 with random weights, puts our layer into a copy of it, and lets a model write: the token with the largest logit, at each step.

# %% picture=true
try:
    from transformers import GPT2Config, GPT2LMHeadModel
except (ImportError, RuntimeError):  # not there, or not all of it
    GPT2Config = GPT2LMHeadModel = None
without_transformers = "transformers cannot be imported here: pip install transformers"


def small_gpt2(size_of_weights, seed=1):
    torch.manual_seed(seed)
    sizes = dict(vocab_size=65, n_positions=64, n_embd=48, n_layer=3, n_head=4, initializer_range=size_of_weights)
    config = GPT2Config(**sizes, attn_implementation="eager", bos_token_id=0, eos_token_id=None, pad_token_id=0)
    model = GPT2LMHeadModel(config).eval()
    for block in model.transformer.h:
        for bias in (block.attn.c_attn.bias, block.attn.c_proj.bias):
            nn.init.normal_(bias, std=size_of_weights)
    return model.to(device)


def transplant(model, carry, heads=4):
    """Put our layer into a copy of the model, with the weights that `carry` makes of its own."""
    model = copy.deepcopy(model)
    for block in model.transformer.h:
        layer = MultiHeadAttention(48, heads)
        layer.load_state_dict(carry(block.attn.state_dict()))
        block.attn = Adapter(layer.to(device).eval())
    return model


@torch.no_grad()
def logits_and_text(model, **options):
    torch.manual_seed(1)
    prompts = torch.randint(65, (4, 20)).to(device)
    real = torch.ones_like(prompts)
    real[1, :5] = 0  # the second one has five tokens of padding at its left
    start = prompts[:1, :8]
    logits = model(prompts, attention_mask=real).logits[real.bool()]
    options = dict(do_sample=False, max_new_tokens=30, attention_mask=torch.ones_like(start)) | options
    return logits, model.generate(start, **options)[0, 8:].tolist()

# %% picture=true
def compare_inside():
    if GPT2Config is None:
        return without_transformers
    theirs = small_gpt2(0.2)
    logits, text = logits_and_text(theirs)
    ours, without_cache = logits_and_text(transplant(theirs, from_gpt2), use_cache=False)
    print(f"logits between {logits.min():.1f} and {logits.max():.1f} differ by at most {gap(logits, ours)}")
    print("theirs:            ", *text)
    print("ours, without cache:", *without_cache)
    print("ours, with cache:   ", *logits_and_text(transplant(theirs, from_gpt2))[1])


after(from_gpt2, compare_inside)

# %% [markdown]
# In our run the logits lie between -5 and 5 and differ by 3e-06, and the text is the same: 50 50 47 47, and so on.
# Without a cache, the model cannot tell the new layer from its own.
#
# By default, though, `generate` uses a cache (lesson 11), and with it our transplant writes another text: 50 50 52 30.
#
# **Choose.**
# The logits for a whole text are equal up to rounding.
# Why does the text change with the cache?
#
# - `"a"`: the weights are carried over wrongly
# - `"b"`: after the first step only the newest token is sent, and our adapter keeps nothing of the others
# - `"c"`: sampling draws other tokens
# - `"d"`: rounding changes the largest logit

# %% exercise="same_logits_other_text"
same_logits_other_text = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
same_logits_other_text = "b"
### END SOLUTION

# %% [markdown]
# ## Six silent transplants
#
# Here are six ways to get it wrong.
# All six load, and all six run.
#
# 1. The blocks of `c_attn` are not transposed.
# 2. `c_proj` is not transposed.
# 3. Query and key are exchanged.
# 4. `c_attn` is cut by `view(3, 48, 48)`.
# 5. The biases stay behind, and ours are zeros.
# 6. The layer has six heads instead of four.
#
# **Predict.**
# With weights of the size that GPT-2 begins with, what notices all six?
#
# - `"a"`: `load_state_dict`
# - `"b"`: the greedy text, 30 tokens long
# - `"c"`: the logits, compared to 1e-5
# - `"d"`: the shapes of the outputs

# %% exercise="what_notices_all_six"
what_notices_all_six = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
what_notices_all_six = "c"
### END SOLUTION

# %% [markdown]
# The code of the six is folded; open it to see how each mistake is made.
# It tries them in two models: one with weights of the size that GPT-2 begins with (0.02), and one with weights ten times as large.
# The table comes row by row, and takes up to 10 seconds.

# %% picture=true
def turned_back(names):
    return lambda state: {n: x.T if n in names else x for n, x in from_gpt2(state).items()}


def exchanged(state):
    swap = {"query": "key", "key": "query"}
    return {".".join([swap.get(part, part) for part in name.split(".")]): x for name, x in from_gpt2(state).items()}


def viewed(state):
    pieces = state["c_attn.weight"].view(3, 48, 48)
    return from_gpt2(state) | {f"{name}.weight": piece.T for name, piece in zip(("query", "key", "value"), pieces)}


def without_biases(state):
    return {name: x * ("weight" in name) for name, x in from_gpt2(state).items()}


SIX = {
    "c_attn not transposed": (turned_back(("query.weight", "key.weight", "value.weight")), 4),
    "c_proj not transposed": (turned_back(("output.weight",)), 4),
    "query and key exchanged": (exchanged, 4),
    "cut by view(3, 48, 48)": (viewed, 4),
    "biases stay behind": (without_biases, 4),
    "six heads, not four": (lambda state: from_gpt2(state), 6),
}


def show_six():
    if GPT2Config is None:
        return without_transformers
    models = {size: small_gpt2(size) for size in (0.02, 0.2)}
    print(f"{'weights of size':24}" + "".join(f"{size:>24}" for size in models))
    print(f"{'':24}" + f"{'logits':>12}{'same text':>12}" * 2)
    for name, how in {"none of them": (from_gpt2, 4), **SIX}.items():
        row = ""
        for model in models.values():
            logits, text = logits_and_text(model, use_cache=False)
            found, written = logits_and_text(transplant(model, *how), use_cache=False)
            equal = sum(a == b for a, b in zip(text, written))
            row += f"{gap(logits, found):>12}{f'{equal} of 30':>12}"
        print(f"{name:24}{row}")

# %%
after(from_gpt2, show_six)

# %% [markdown]
# In our run:
#
# | mistake | size 0.02: logits off by | same text | size 0.2: logits off by | same text |
# |---|---|---|---|---|
# | none of them | 1e-07 | 30 of 30 | 3e-06 | 30 of 30 |
# | `c_attn` not transposed | 0.2 | 30 of 30 | 7 | 2 of 30 |
# | `c_proj` not transposed | 0.2 | 30 of 30 | 6 | 0 of 30 |
# | query and key exchanged | 0.002 | 30 of 30 | 6 | 12 of 30 |
# | cut by `view(3, 48, 48)` | 0.3 | 30 of 30 | 7 | 0 of 30 |
# | biases stay behind | 0.3 | 30 of 30 | 3 | 14 of 30 |
# | six heads, not four | 0.0008 | 30 of 30 | 4 | 13 of 30 |
#
# Look at the left half first.
# All six write the same text as the original: with small weights, none of the mistakes changes which logit is the largest.
# **The text notices nothing; the logits notice all six.**
# But a tolerance of 0.01 lets two through: both change only the weights of attention, and with small scores these are nearly even anyway.
#
# On the right, each of the six is off by 3 or more, a million times the rounding error.
# So test a transplant like this:
#
# - **compare numbers, not texts**, in evaluation mode, to 1e-5;
# - use weights large enough that the scores differ, and biases that are not zero;
# - use sizes that differ from each other, padding, and more than one sequence.
#
# ### The real weights
#
# If you are online, remove the `#` signs: 548 MB are downloaded, and our layer runs inside OpenAI's GPT-2 with your `from_gpt2`.

# %%
# from transformers import AutoTokenizer
#
# tokenizer = AutoTokenizer.from_pretrained("gpt2")
# gpt2 = GPT2LMHeadModel.from_pretrained("gpt2", attn_implementation="eager").eval()
# words = tokenizer("Attention is a weighted mean of", return_tensors="pt")
# expected = gpt2(**words).logits
# for block in gpt2.transformer.h:
#     layer = MultiHeadAttention(768, 12).eval()
#     layer.load_state_dict(from_gpt2(block.attn.state_dict()))
#     block.attn = Adapter(layer)
# print("logits differ by at most", gap(expected, gpt2(**words).logits))
# print(tokenizer.decode(gpt2.generate(**words, max_new_tokens=20, do_sample=False, use_cache=False)[0]))

# %% [markdown]
# ## Summary
#
# You can now translate between four mask conventions, carry weights from PyTorch and GPT-2 into your layer, and show that they have arrived.
#
# | convention | ours | `nn.MultiheadAttention` | fused function | Keras | GPT-2 in `transformers`, eager |
# |---|---|---|---|---|---|
# | arguments | query, key, value | query, key, value | query, key, value | query, value, key | one sequence |
# | weights stored as | four, (out, in) | one block of rows, and one; (out, in) | none | (in, heads, head_size) | one block of columns, and one; (in, out) |
# | True in a mask | may look | blocked | may look | may look | never there: its masks are added |
# | causal | last query at the last key | your mask decides | first query at the first key | first query at the first key | its mask decides |
#
# These are PyTorch 2.13, Keras 3.15 with the backend torch, and transformers 5.24.

# %%
progress()
