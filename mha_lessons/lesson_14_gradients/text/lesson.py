# %% [markdown]
# # Lesson 14 · Gradients
#
# Every training loop so far had a line that you have not looked into: `loss.backward()`.
# It finds the gradient of every parameter, and without it no model learns anything.
# The part of torch behind this line is called **autograd**, since it finds gradients automatically.
# What does it do inside attention?
#
# In this lesson you write it yourself.
# On the way forward, attention is four short lines; on the way back there are six gradients to find, and none of them takes more than a line.
# You compare each of them with torch's, and you see at which line a gradient dies.
# At the end, if you like, the language model from lesson 09 trains with your gradients instead of torch's.

# %% locked=true
import math
from functools import partial

import torch
from torch import nn

from autograder import after, check, hint, progress, solution
from autograder.mine import (
    Block,
    MultiHeadAttention,
    attention_scores,
    masked_attention,
    masked_softmax,
    merge_heads,
    softmax,
    split_heads,
)
from autograder.pictures import curves, heatmaps
from mha_ref.language_model import LanguageModel, alphabet, encode, prose, split_text, train_language_model

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)  # our products are small: more threads would only wait for each other
torch.set_printoptions(precision=3, sci_mode=False)


def random(*shapes, seed=0, dtype=torch.float64):
    """Tensors of random numbers, the same in every run."""
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=generator, dtype=dtype) for shape in shapes]

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them, for example if you have not read those lessons yet.
#
# **From lesson 13.**
# For one query, attention to part A of the keys gives the output 4, and attention to part B gives 8.
# Part B weighs three times as much as A: $e^{\ell_A} = 1$ and $e^{\ell_B} = 3$.
# What is the output for both parts together?

# %% exercise="remember_two_parts_joined"
remember_two_parts_joined = ...  # a number
### BEGIN SOLUTION
remember_two_parts_joined = (1 * 4 + 3 * 8) / (1 + 3)
### END SOLUTION

# %% [markdown]
# **From lesson 11.**
# Six query heads share three key-value heads.
# Which key-value head does each of them use?
# Count from 0.

# %% exercise="remember_who_shares_with_whom"
remember_who_shares_with_whom = ...  # six numbers: (..., ..., ..., ..., ..., ...)
### BEGIN SOLUTION
remember_who_shares_with_whom = (0, 0, 1, 1, 2, 2)
### END SOLUTION

# %% [markdown]
# ## Two ways to find a slope
#
# The slow way needs no calculus.
# Nudge one number up, then down, and see how far the loss moves:
#
# $$\frac{\partial\,\text{loss}}{\partial x} \approx \frac{\text{loss}(x + h) - \text{loss}(x - h)}{2h}$$
#
# These are **finite differences**.
# They take two runs for each number, and the smallest GPT-2 has 124 million numbers.
#
# The fast way is **backpropagation**, and this is what autograd does.
# It begins at the loss and goes back through the program, line by line.
# Each line gets the gradient of its *result* and turns it into the gradients of its *inputs*.
# One such walk gives all gradients at once.
#
# The slow way is still useful: it checks the fast one.
# torch's `gradcheck` does this for all inputs, and stops with an error if a gradient is wrong.
# (It wants float64: a float32 number has seven digits, and two losses that lie close together agree in nearly all of them.)

# %%
print(torch.autograd.gradcheck(masked_attention, [x.requires_grad_() for x in random((3, 5), (4, 5), (4, 2))]))

# %% [markdown]
# **Choose.**
# A sentence has a single word, and an attention head from lesson 04 reads it.
# Which of the three matrices have a nonzero gradient?
#
# - `"a"`: all three
# - `"b"`: `w_query` and `w_key` only
# - `"c"`: `w_value` only
# - `"d"`: none

# %% exercise="slopes_for_one_word"
slopes_for_one_word = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
slopes_for_one_word = "c"
### END SOLUTION

# %%
word, *matrices = (x.requires_grad_() for x in random((1, 6), (6, 4), (6, 4), (6, 2)))
masked_attention(*(word @ matrix for matrix in matrices)).sum().backward()
print("largest gradient of w_query, w_key, w_value:", *(f"{matrix.grad.abs().max():.1f}" for matrix in matrices))

# %% [markdown]
# ## Back through softmax
#
# In lesson 02 you met the slope of a weight by its *own* score: $w_i (1 - w_i)$.
# But the weights of a row share one whole, so each weight also depends on all *other* scores of its row.
# When one of those rises, it falls:
#
# $$\frac{\partial w_i}{\partial s_i} = w_i\,(1 - w_i), \qquad \frac{\partial w_i}{\partial s_j} = -\,w_i\,w_j \quad (j \ne i)$$
#
# All slopes of a row together form a table, the **Jacobian**.

# %%
weights = torch.tensor([0.7, 0.2, 0.1])
print(torch.diag(weights) - torch.outer(weights, weights))

# %% [markdown]
# Now let a gradient $g_i$ arrive at each weight.
# Score $j$ moves all the weights, so we multiply each slope by what arrives there and add up.
# Put in both kinds of slope, the one for $i = j$ first; its $-\,g_j\,w_j\,w_j$ completes the sum:
#
# $$\frac{\partial\,\text{loss}}{\partial s_j} \;=\; \sum_i g_i\,\frac{\partial w_i}{\partial s_j} \;=\; g_j\,w_j\,(1 - w_j) - \sum_{i \ne j} g_i\,w_i\,w_j \;=\; w_j \Big( g_j - \sum_i w_i\,g_i \Big)$$
#
# The sum is the mean of what arrives, weighted by the row itself.
# So a score has a gradient if its key is *better or worse than the mean* and has any weight at all.
# No table is needed: one mean for each row will do.
#
# **Calculate.**
# A row of weights is $(\frac12, \frac14, \frac14)$, and the gradient $(4, 0, 0)$ arrives.
# What is the gradient of the three scores?

# %% exercise="gradient_of_three_scores"
gradient_of_three_scores = ...  # (..., ..., ...)
### BEGIN SOLUTION
gradient_of_three_scores = (1, -0.5, -0.5)
### END SOLUTION

# %% [markdown]
# Write it for many rows at once.
# Autograd is not allowed here: you are writing a piece of it.

# %% exercise="softmax_backward"
def softmax_backward(weights, grad_output):
    """The gradient of the scores, by hand, without autograd.

    weights: (..., queries, keys), floating: what softmax made of the scores, along the last axis
    grad_output: (..., queries, keys), floating: the gradient that arrives at the weights
    -> (..., queries, keys), floating: the gradient of the scores.
    A weight may be exactly 0 or 1. A row of zeros, of a query whose keys are all blocked, gets zeros.
    The inputs are not changed.
    """
    ### BEGIN SOLUTION
    mean = (weights * grad_output).sum(dim=-1, keepdim=True)
    return weights * (grad_output - mean)
    ### END SOLUTION

# %% [markdown]
# torch has the same function, well hidden.
# The folded cell compares yours with it, and with autograd, on rows that get sharper from top to bottom: the same five scores, times 1, 2, 4, 8, 16 and 32.

# %% picture=true
five_scores, arrives = random((1, 5), (1, 5), seed=3)
sharper = (five_scores * torch.tensor([[1.0], [2], [4], [8], [16], [32]])).requires_grad_()
rows, arriving = sharper.softmax(dim=-1), arrives.expand(6, 5)
rows.backward(arriving)


def beside_torchs_own():
    yours, torchs = softmax_backward(rows, arriving), torch._softmax_backward_data(arriving, rows, -1, rows.dtype)
    return f"to torch's own {(yours - torchs).abs().max():.0e}, to autograd {(yours - sharper.grad).abs().max():.0e}"


after(softmax_backward, beside_torchs_own)

# %% picture=true
after(softmax_backward, lambda: heatmaps(
    {"weights": rows, "gradients of the scores": softmax_backward(rows, arriving)},
    alt="Two tables with a row for each sharpness, 1 to 32, and a column for each of five keys. On the left the weights: "
    "from top to bottom one key takes everything. On the right your gradients: numbers up to a few tenths in the first "
    "rows, and nothing but zeros in the last ones.",
    rows="scores times", columns="keys", row_labels=[1, 2, 4, 8, 16, 32],
))

# %% [markdown]
# The same gradient arrives in every row.
# In the last rows next to nothing of it is left, because one key has all the weight.
# The row is saturated: it has made up its mind, and no gradient can tell it that it is wrong.

# %% [markdown]
# ## Back through attention
#
# These are the four lines of attention:
#
# $$P = Q K^\top, \qquad S = P / \sqrt{d_k}, \qquad W = \text{softmax}(S), \qquad O = W V$$
#
# You know the way back through the third.
# The second multiplies by a number, and so does the way back.
# The first and the fourth are products of matrices, and for these there is one rule.
# Write $\mathrm dC$ for the gradient that arrives at $C$:
#
# $$C = A B \quad\Rightarrow\quad \mathrm dA = \mathrm dC\; B^\top, \qquad \mathrm dB = A^\top\, \mathrm dC$$
#
# You need not remember where the transposes are.
# The gradient of a matrix has the shape of the matrix, and only one order of the factors gives that shape.
# (In $P$ the second factor is $K^\top$, so the rule gives you the gradient of $K^\top$.)

# %% [markdown]
# Go from the end to the beginning: from $O$ to $W$ and $V$, from $W$ to $S$, then to $P$, and last to $Q$ and $K$.
# First one line at a time, on a small example with random numbers.

# %%
query, key, value, arrives = random((5, 16), (6, 16), (6, 3), (5, 3))
products = query.requires_grad_() @ key.requires_grad_().mT
scores = products / math.sqrt(16)
weights = scores.softmax(dim=-1)
output = weights @ value.requires_grad_()
for on_the_way in (weights, scores, products):
    on_the_way.retain_grad()  # otherwise autograd keeps the gradients of the inputs alone
output.backward(arrives)

# %% picture=true
def compare(name, yours, theirs):
    if not isinstance(yours, torch.Tensor):
        verdict = "not written yet"
    elif yours.shape != theirs.grad.shape:
        verdict = f"yours has the shape {tuple(yours.shape)}, autograd's {tuple(theirs.grad.shape)}"
    else:
        verdict = f"differs from autograd's by at most {(yours - theirs.grad).abs().max():.0e}"
    print(f"{name:9}{verdict}")

# %% [markdown]
# Now write the six gradients; `arrives` is the one that arrives at the output.
# Run the cell after each of them: `compare`, in the folded cell above, puts it beside what autograd found.
# It is right if the difference is below 1e-13, which is rounding.

# %% free="six_gradients"
grad_weights = ...  # (queries, keys)
### BEGIN SOLUTION
grad_weights = arrives @ value.mT
### END SOLUTION
compare("weights", grad_weights, weights)

grad_value = ...  # (keys, value_features)
### BEGIN SOLUTION
grad_value = weights.mT @ arrives
### END SOLUTION
compare("value", grad_value, value)

grad_scores = ...  # (queries, keys), by your softmax_backward
### BEGIN SOLUTION
grad_scores = softmax_backward(weights, grad_weights)
### END SOLUTION
compare("scores", grad_scores, scores)

grad_products = ...  # (queries, keys)
### BEGIN SOLUTION
grad_products = grad_scores / math.sqrt(16)
### END SOLUTION
compare("products", grad_products, products)

grad_query = ...  # (queries, features)
### BEGIN SOLUTION
grad_query = grad_products @ key
### END SOLUTION
compare("query", grad_query, query)

grad_key = ...  # (keys, features)
### BEGIN SOLUTION
grad_key = grad_products.mT @ query
### END SOLUTION
compare("key", grad_key, key)

# %% [markdown]
# Put your lines into a function, for any sizes and any mask.
# It has to make the weights itself, without autograd: use `attention_scores`, and `masked_softmax` where there is a mask, or else `softmax`.

# %% exercise="attention_backward"
def attention_backward(query, key, value, grad_output, mask=None):
    """The gradients of query, key and value in the attention from lesson 03, by hand, without autograd.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features), floating
    grad_output: (..., queries, value_features), floating: the gradient that arrives at attention's output
    mask: boolean, broadcastable to (..., queries, keys), True means "may look"; None allows everything
    -> three gradients, floating, in the order query, key, value, each of the same shape as its input.
    The axes in front are the same for all but the mask.
    A query whose keys are all blocked gets zeros, never NaN, and adds nothing to the gradients of keys and values.
    The gradients are finite for any finite scores. The inputs are not changed.
    """
    ### BEGIN SOLUTION
    scores = attention_scores(query, key)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)  # (..., queries, keys)
    grad_weights = grad_output @ value.mT  # (..., queries, keys)
    grad_value = weights.mT @ grad_output  # (..., keys, value_features)
    grad_products = softmax_backward(weights, grad_weights) / math.sqrt(query.shape[-1])
    return grad_products @ key, grad_products.mT @ query, grad_value
    ### END SOLUTION

# %% [markdown]
# **Predict.**
# We follow a gradient all the way back, for 64 tokens with 64 features.
# Then we do it again with queries 8, 32 and 64 times as large.
# At which step do the four part ways?
#
# - `"a"`: from the output to the weights
# - `"b"`: from the weights to the scores
# - `"c"`: from the scores to the products
# - `"d"`: from the products to the queries

# %% exercise="line_where_it_dies"
line_where_it_dies = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
line_where_it_dies = "b"
### END SOLUTION

# %% picture=true
def gradients_on_the_way(factor):
    """The norm of the gradient that a query gets at each line, the median of 64 queries, by autograd."""
    query, key, value, arrives = random((64, 64), (64, 64), (64, 64), (64, 64))
    query = (factor * query).requires_grad_()
    products = query @ key.mT
    scores = products / math.sqrt(64)
    weights = scores.softmax(dim=-1)
    lines = [weights @ value, weights, scores, products, query]
    for line in lines:
        line.retain_grad()
    lines[0].backward(arrives)
    return [line.grad.norm(dim=-1).median() for line in lines]

# %% picture=true
after(attention_backward, lambda: curves(
    {f"queries times {factor}": (range(5), gradients_on_the_way(factor)) for factor in (1, 8, 32, 64)},
    x="0 output · 1 weights · 2 scores · 3 products · 4 queries", y="norm of the gradient (median)", log_y=True,
    alt="Norm of the gradient on its way back, on a logarithmic axis, for four sizes of the queries. All four are at 8 at the "
    "output and at 66 at the weights. At the scores they are at 1.4, 0.9, 0.003 and 0.0000005, and from there on they "
    "stay as far apart.",
))

# %% [markdown]
# Read it from left to right, as the gradient goes: up to the weights, all four are the same, and then comes softmax.
# With queries 64 times as large, less than a ten-millionth of the gradient gets through it for half of the queries.
#
# Queries 8 times as large have the scores that you get if you forget to divide by $\sqrt{64}$.
# Here this costs a little more than a third of the gradient: with 64 features, the slip is easy to miss.
#
# The gradient of the values branches off before softmax.
# So a saturated head still learns *what* to carry, but no longer *where* to look.
#
# ## What the mask, dropout and W_O do
#
# A mask and dropout both put zeros into a row of weights: the mask before softmax, dropout after it.
#
# **Predict.**
# In one row, key 1 is masked, and dropout drops the weight of key 2.
# For each of the two, is the gradient of its *score* `"zero"`, or `"alive"` (something else)?
# Give two words: first for the masked key, then for the dropped one.

# %% exercise="masked_or_dropped"
masked_or_dropped = ...  # ("...", "...")
### BEGIN SOLUTION
masked_or_dropped = ("zero", "alive")
### END SOLUTION

# %%
scores, value = random((1, 4), (4, 3), seed=5)
mask, kept = torch.tensor([[True, False, True, True]]), torch.tensor([[1.0, 1, 0, 1]])  # key 1 masked, key 2 dropped
weights = masked_softmax(scores.requires_grad_(), mask)
weights.retain_grad()
(weights * kept / 0.75 @ value).sum().backward()
print("gradient of the weights:", weights.grad, "\ngradient of the scores: ", scores.grad)

# %% [markdown]
# Nothing arrives at the dropped weight, because dropout multiplies by the same zeros on the way back.
# Yet its score still moves the other weights of the row.
# A gradient does arrive at the masked weight, but softmax multiplies it by a weight of 0.
# A masked score moves nothing, and that is what a mask promises.
#
# ### A row whose keys are all blocked
#
# Many programs add $-\infty$ to the scores that are not allowed.
# In a row whose keys are all blocked, softmax then gives NaN.
# So someone writes zeros there, and the output looks right:

# %%
def attend(scores, mask, value):
    blocked = torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    weights = (scores + blocked).softmax(dim=-1)
    return weights.nan_to_num() @ value


scores, mask = random((2, 3))[0].requires_grad_(), torch.tensor([[True, True, False], [False, False, False]])
attend(scores, mask, torch.ones(3, 1, dtype=torch.float64)).sum().backward()
print(scores.grad)

# %% [markdown]
# The gradient is NaN, and it goes on into the matrices that made the scores.
# After a single step with one such row, all their numbers are NaN.
#
# **Fix the bug.**
# Let `dead = ~mask.any(dim=-1, keepdim=True)`.
# Which change repairs the gradient?
#
# - `"a"`: call `nan_to_num()` on the output as well
# - `"b"`: instead of `nan_to_num()`, use `torch.where(dead, 0.0, weights)`
# - `"c"`: write `-torch.inf` only where `~mask & ~dead`, and then use `torch.where(dead, 0.0, weights)`
# - `"d"`: call `nan_to_num()` on the gradient that arrives at the weights

# %% exercise="repaired_rows"
repaired_rows = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
repaired_rows = "c"
### END SOLUTION

# %% [markdown]
# On the way back, softmax multiplies by its weights, and 0 times NaN is NaN.
# So never make a NaN, not even one that you throw away in the next line.
# In your `attention_backward`, such a row has weights of zero, and its gradients are zeros.
#
# ### The last matrix
#
# After the heads comes $W_O$: `output = heads @ w_output`.
# By the rule for products, the gradient that arrives at the heads has been multiplied by $W_O^\top$.
# Each head has its own rows in $W_O$ and learns through these alone.
#
# **Predict.**
# Some models start with $W_O = 0$, so that a layer adds nothing to the residual stream at first.
# Which of the four matrices have a nonzero gradient at the first step?
#
# - `"a"`: $W_O$ only
# - `"b"`: $W_Q$, $W_K$ and $W_V$ only
# - `"c"`: none
# - `"d"`: $W_V$ and $W_O$

# %% exercise="zero_output_matrix"
zero_output_matrix = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
zero_output_matrix = "a"
### END SOLUTION

# %% [markdown]
# **Choose.**
# A layer has four biases, and one of them never learns: its gradient is 0, whatever happens.
# Which one?
#
# - `"a"`: that of the queries
# - `"b"`: that of the keys
# - `"c"`: that of the values
# - `"d"`: that of the output
# - `"e"`: none: all four learn

# %% exercise="needless_bias"
needless_bias = ...  # "a", "b", "c", "d" or "e"
### BEGIN SOLUTION
needless_bias = "b"
### END SOLUTION

# %% picture=true
def gradients_of_a_layer(kind, zero_output):
    torch.manual_seed(0)
    layer, x = MultiHeadAttention(16, 2).double(), random((2, 5, 16))[0]
    if zero_output:
        nn.init.zeros_(layer.output.weight)
    (layer(x) - x).square().sum().backward()
    return {name: f"{parameter.grad.norm():.0e}" for name, parameter in layer.named_parameters() if name.endswith(kind)}


print("W_O = 0:     ", gradients_of_a_layer("weight", zero_output=True))
print("W_O as usual:", gradients_of_a_layer("bias", zero_output=False))

# %% [markdown]
# With $W_O = 0$ the layer is not stuck: after one step $W_O$ is no longer zero, and the others begin to learn.
#
# The bias of the keys adds the same vector to every key, so it adds the same number to all scores of a row, and no weight moves.
# What is printed there is rounding error.
#
# ## Train with it (optional)
#
# You can give torch your own backward pass, with a `torch.autograd.Function`.
# `forward` computes the result and keeps what will be needed later; `backward` gets the gradient that arrives and returns one for each input.

# %%
class ByHand(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *inputs):
        ctx.save_for_backward(*inputs)
        return masked_attention(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        query, key, value, mask = ctx.saved_tensors
        return *attention_backward(query, key, value, grad_output, mask), None  # a mask learns nothing

# %% picture=true
class AttentionByHand(MultiHeadAttention):
    def __init__(self, model_size, heads):
        super().__init__(model_size, heads)
        self.split = partial(split_heads, heads=heads)

    def forward(self, query, key=None, value=None, mask=None):
        """Self-attention: a block gives the same tokens three times, or once."""
        query, key, value = (self.split(part(query)) for part in (self.query, self.key, self.value))
        return self.output(merge_heads(ByHand.apply(query, key, value, mask)))


class BlockByHand(Block):
    def __init__(self, model_size, heads, hidden_size):
        super().__init__(model_size, heads, hidden_size)
        self.attention = AttentionByHand(model_size, heads)

# %% [markdown]
# The folded cell above puts it into a layer and a block.
# Now the language model from lesson 09 trains twice from the same start: once with your gradients, and once with torch's.
# That takes about 20 seconds in all, or a minute on a busy machine.

# %%
def train_both():
    losses = {}
    characters = alphabet(prose())
    seen, _ = split_text(encode(prose(), characters, device))
    for name, block in (("your gradients", BlockByHand), ("torch's gradients", Block)):
        torch.manual_seed(0)
        model, start = (LanguageModel(len(characters), block=made_of).to(device) for made_of in (Block, block))
        start.load_state_dict(model.state_dict())
        losses[name] = train_language_model(start, seen, steps=150)
    gaps = [abs(a - b) for a, b in zip(*losses.values())]
    return f"last loss {losses['your gradients'][-1]:.3f}; largest difference between the two at any step: {max(gaps):.0e}"


after(attention_backward, train_both)

# %% [markdown]
# The losses are the same, but for rounding: sums are taken in a different order.
#
# Your function computes the weights a second time instead of storing one number for each query and key, in each head and layer.
# FlashAttention makes the same choice.
#
# ## Summary
#
# You can now
#
# - check any gradient against finite differences;
# - go back through softmax and through a product of matrices, and so through attention;
# - say where a saturated row loses its gradient, and why the values keep theirs;
# - say what reaches a masked score, a dropped weight, a row with nothing allowed, and a layer whose $W_O$ is zero;
# - put a gradient of your own into torch, and train with it.

# %%
progress()
