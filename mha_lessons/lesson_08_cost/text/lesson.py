# %% [markdown]
# # Lesson 08 · What it costs
#
# You have built a multi-head layer and used it in a translator.
# How large can such a layer be, and how long its text, before your computer gives up?
# To find out, we count the operations that attention takes and the bytes that it stores.
#
# This lesson also ends Part I, with what you can now read and a glossary.
# Before these comes a task for another day: your layer once more, from a blank page, which takes about half an hour.

# %% locked=true
import os
import time

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention as fused_attention
from torch.utils.flop_counter import FlopCounterMode

from autograder import after, check, hint, progress, solution
from autograder.mine import multi_head_attention, scaled_dot_product_attention
from autograder.pictures import curves, use_our_look

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)  # several would wait for each other whenever the machine has something else to do
use_our_look()

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them.
#
# **From lesson 07.**
# A translator's loss in training is very low, and yet not one new sentence comes out right.
# What was most likely left out?
#
# - `"a"`: the causal mask
# - `"b"`: the positions
# - `"c"`: the matrix $W^O$

# %% exercise="remember_a_loss_that_deceives"
remember_a_loss_that_deceives = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_a_loss_that_deceives = "a"
### END SOLUTION

# %% [markdown]
# **From lesson 05.**
# A layer has a model size of 10 and 5 heads, which together are as wide as the model.
# There are no biases.
# How many parameters does it have?

# %% exercise="remember_four_matrices"
remember_four_matrices = ...  # a number
### BEGIN SOLUTION
remember_four_matrices = 400
### END SOLUTION

# %% [markdown]
# ## Counting operations
#
# A **FLOP** is one floating-point operation: a multiplication or an addition.
# (Some texts count a multiplication together with the addition that follows as one, which halves every count.)
#
# Nearly all the arithmetic of attention is in matrix products.
# The product of an $(a, b)$ matrix with a $(b, c)$ matrix has $a \cdot c$ numbers.
# Each takes $b$ multiplications and $b$ additions (the first product is added to 0):
#
# $$(a, b) \text{ times } (b, c) \text{ takes } 2\,a\,b\,c \text{ FLOPs.}$$
#
# **Calculate**, without running it: how many FLOPs does a $(2, 3)$ matrix times a $(3, 4)$ matrix take?

# %% exercise="product_flops"
product_flops = ...  # a number
### BEGIN SOLUTION
product_flops = 48
### END SOLUTION

# %% [markdown]
# Now follow $n$ tokens with model size $d$ through self-attention with a single head.
#
# | step | product | result |
# |---|---|---|
# | query, key, value: three times | $(n, d)$ times $(d, d)$ | $(n, d)$ |
# | scores | $(n, d)$ times $(d, n)$ | $(n, n)$ |
# | mix: the weighted mean of the values | $(n, n)$ times $(n, d)$ | $(n, d)$ |
# | output projection $W^O$ | $(n, d)$ times $(d, d)$ | $(n, d)$ |
#
# There are two kinds of work.
# *Projecting* treats each token alone: four products.
# *Mixing* brings every token together with every other: two products, whose cost grows with $n^2$.
# Scaling, softmax and biases take only a few operations for each number, so we leave them out.

# %% exercise="attention_flops"
def attention_flops(tokens, model_size):
    """The FLOPs of all matrix products of self-attention, for one sequence that goes through the layer once.

    tokens, model_size: two integers -> a plain number, an int or a float.
    A product of (a, b) with (b, c) takes 2·a·b·c: a multiplication and an addition are two.
    Counted: four projections with square matrices, the scores, and the mix. No mask saves anything.
    Not counted: softmax, scaling, biases, and all other layers of the model.
    """
    ### BEGIN SOLUTION
    projections = 4 * 2 * tokens * model_size**2
    scores_and_mix = 2 * 2 * tokens**2 * model_size
    return projections + scores_and_mix
    ### END SOLUTION

# %% [markdown]
# Can you trust your formula?
# torch has a counter that watches any code while it runs.
# The tensors are on the device `"meta"`: they have shapes but no numbers, so even a huge layer costs nothing to count.

# %%
def counted_by_torch(tokens, model_size, heads):
    """The FLOPs that torch sees in multi_head_attention."""
    x = torch.empty(1, tokens, model_size, device="meta")
    weights = [torch.empty(model_size, model_size, device="meta") for _ in range(4)]
    with FlopCounterMode(display=False) as counter:
        multi_head_attention(x, x, x, *weights, heads)
    return counter.get_total_flops()


after(attention_flops, lambda: print(
    f"yours:   {attention_flops(2048, 4096):,}\ntorch's: {counted_by_torch(2048, 4096, heads=1):,}"
))

# %% [markdown]
# For one layer of width 4096 and 2048 tokens that is 343.6 GFLOP (a GFLOP is a billion FLOPs).
#
# **Find the mistake.**
# An article counts the same layer, $n = 2048$ and $d = 4096$.
# It adds $n d^2 = 34.4$ billion for the projections, $n^2 d = 17.2$ billion for the scores and $17.2$ billion for the mix, and reports 68.8 billion FLOPs.
# What went wrong?
#
# - `"a"`: it forgot that the layer has 32 heads
# - `"b"`: it counted one projection instead of four, and a multiplication with its addition as one
# - `"c"`: it forgot the softmax
# - `"d"`: nothing but another unit

# %% exercise="what_the_article_forgot"
what_the_article_forgot = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
what_the_article_forgot = "b"
### END SOLUTION

# %% [markdown]
# ## Where $n$ rules, and where $d$ does
#
# Divide the count by $n$ to get the cost of *one token*:
#
# $$\frac{\text{FLOPs}}{n} = 8 d^2 + 4 n d$$
#
# The first part is for the token's own projections, and does not depend on the text.
# The second part is for its scores and its mix, and grows with the text.

# %%
lengths = [2**power for power in range(5, 18)]  # 32 to 131072
sizes = (512, 4096, 12288)


def gflop(n, d):
    return attention_flops(n, d) / n / 1e9

# %% picture=true
def cost_of_a_token():
    return curves(
        {f"d = {d}": (lengths, [gflop(n, d) for n in lengths]) for d in sizes},
        alt="Your GFLOP for each token over the number of tokens, both axes logarithmic. "
        "Each curve is flat at first and then bends upwards; the wider the model, the later it bends. "
        + "; ".join(f"d = {d}: {', '.join(f'{gflop(n, d):.2g} at {n}' for n in lengths[::4])}" for d in sizes),
        x="tokens in the text",
        y="GFLOP for each token",
        title="flat: projecting rules · rising: mixing rules",
        log_x=True,
        log_y=True,
    )


after(attention_flops, cost_of_a_token)

# %% [markdown]
# In the flat part of a curve, a longer text costs more only because it has more tokens.
# In the rising part, each token costs more, too: this is where attention "is quadratic".
#
# **Calculate.** For $n = 2048$ and $d = 4096$: what percentage of the 343.6 GFLOP is spent on projections?

# %% exercise="share_of_projections"
share_of_projections = ...  # per cent, a number from 0 to 100
### BEGIN SOLUTION
share_of_projections = 80
### END SOLUTION

# %% [markdown]
# So at this length the famous $n^2$ is the smaller part of the arithmetic.
# Where are the two parts equal?
# Set them equal, and solve for $n$.

# %% exercise="crossover_length"
def crossover_length(model_size):
    """The number of tokens at which mixing (scores and mix) takes as many FLOPs as the four projections.

    model_size: an integer -> a plain number, an int or a float.
    With fewer tokens than this, projections cost more; with more tokens, mixing does.
    """
    ### BEGIN SOLUTION
    return 2 * model_size
    ### END SOLUTION

# %%
after(crossover_length, lambda: print(*(f"d = {d:6}: {crossover_length(d):6} tokens" for d in sizes), sep="\n"))

# %% [markdown]
# ## Eight heads again
#
# In lesson 05 you replaced one head by eight narrow ones, and counted parameters.
# Now you count operations.
#
# **Predict.** Replace the one head of width $d$ by 8 heads of width $d/8$.
# By what factor does the number of FLOPs in the matrix products grow?

# %% exercise="factor_for_eight_heads"
factor_for_eight_heads = ...  # a number; 1 means: it stays the same
### BEGIN SOLUTION
factor_for_eight_heads = 1
### END SOLUTION

# %%
for heads in (1, 8, 32):
    print(f"{heads:2} heads: {counted_by_torch(2048, 4096, heads):,} FLOPs")

# %% [markdown]
# Mixing takes $h$ times $4 n^2 \cdot d/h$ operations, and the $h$ cancels, as it did in lesson 05.
# But this time heads are not free, because each has its own table of weights.
# Together they take $h \cdot n^2$ exponentials, and code that goes step by step, like yours, writes all those tables to memory and reads them back.

# %% [markdown]
# ## What is stored
#
# Your functions store every table of scores in full: $n \times n$ numbers for each head and each item of the batch.
# A `float32` takes 4 bytes, a `float16` 2.

# %% exercise="score_bytes"
def score_bytes(batch, heads, tokens, bytes_per_number=4):
    """The bytes of all scores of self-attention, if all of them are stored.

    batch, heads, tokens, bytes_per_number: integers -> a plain number, an int or a float, in bytes (not bits or MB).
    Each head of each item has one score for each pair of a query token and a key token.
    They are stored once, and a mask saves nothing.
    """
    ### BEGIN SOLUTION
    maps = batch * heads
    return maps * tokens * tokens * bytes_per_number
    ### END SOLUTION

# %%
after(score_bytes, lambda: print(f"32 texts of 128 tokens, 8 heads, float32: {score_bytes(32, 8, 128) / 1e6:.1f} MB", *(
    f"{n:7,} tokens, 32 heads, float16: {score_bytes(1, 32, n, 2) / 1e9:10,.2f} GB" for n in (2048, 8192, 32768, 131072)
), sep="\n"))

# %% [markdown]
# All of these are for one layer, and the last four for a single text: four times the length takes sixteen times the memory.
# Nothing else in the layer grows that fast, so for long texts these tables take up most of the memory.
#
# While a model *writes*, something else fills the memory.
# Every new token looks at the keys and values of all tokens before it, so these are kept: the **KV cache** (lesson 11).
# The largest number of tokens that a model can look back on is its **context length**.

# %% [markdown]
# ## On your own machine
#
# torch's *fused* function computes scores, softmax and mix together.
# It works through the table in small tiles and never stores all of it, an idea known as FlashAttention (Dao and others, 2022).
# Here it is timed against your function from lesson 02, with 8 heads of 64 features and up to 2048 tokens.
# This takes a few seconds.

# %%
doublings = 5 if "NBGRADER_EXECUTION" in os.environ else 8  # fewer where a grader runs this
versions = {"step by step": scaled_dot_product_attention, "fused": fused_attention}


def milliseconds(run, inputs):
    """The faster of two runs: anything else the computer is doing can only slow a run down."""
    best = float("inf")
    for _ in range(2):
        start = time.perf_counter()
        run(*inputs)
        if device == "cuda":
            torch.cuda.synchronize()  # a GPU works on while Python has gone ahead
        best = min(best, 1000 * (time.perf_counter() - start))
    return best


tokens = [8 * 2**n for n in range(1 + doublings)]
measured = {name: [] for name in versions}
for n in tokens:
    inputs = torch.randn(3, 1, 8, n, 64, device=device)
    for name, run in versions.items():
        measured[name].append(milliseconds(run, inputs))

# %%
for name, times in measured.items():
    plt.loglog(tokens, times, base=2, marker="o", label=name)  # as plt.plot, with logarithmic axes
end = 4 * measured["step by step"][-1]  # above both curves
plt.loglog([tokens[-1] / 16, tokens[-1]], [end / 256, end], base=2, label="n squared")
plt.xlabel("tokens")
plt.ylabel("milliseconds")
plt.title("8 heads of 64 features")
plt.legend()
plt.show()

# %% [markdown]
# Both axes are logarithmic, so a square is a straight line of a fixed slope: twice the tokens, four times the time.
# For long texts both curves should come close to the slope of that line, because both do the same $4n^2d$ operations.
# Even so, the fused one was several times faster on our CPU; the paper's explanation is that it reads and writes less memory.

# %% [markdown]
# ## From a blank page (optional)
#
# This task has no stub, takes about half an hour, and is best done on another day.
# Write `MultiHeadAttention` once more, from memory: the layer of lesson 06, with biases, masks, dropout, and weights on request.
# You may import what lessons 01 to 05 taught; everything else you write yourself, splitting and merging too.
#
# It is not marked, and judged as in lesson 06: where a parameter has another name, the check says so.
# If the page stays blank, `hint("MultiHeadAttention")` gives you a plan, one step at a time.

# %% again="MultiHeadAttention"
MultiHeadAttention = ...  # write the class in place of this line
### BEGIN SOLUTION
from autograder.mine import attention_scores, masked_softmax


class MultiHeadAttention(torch.nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout: float = 0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"{heads} heads cannot share {model_size} features")
        self.heads, self.dropout = heads, nn.Dropout(dropout)
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias=bias) for _ in range(4))

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)  # (batch, heads, tokens, head_size)

    def forward(self, query, key=None, value=None, mask=None, return_weights: bool = False):
        if key is None:
            key = query
        if value is None:
            value = key
        scores = attention_scores(self.split(self.query(query)), self.split(self.key(key)))
        weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
        each = self.dropout(weights) @ self.split(self.value(value))
        output = self.output(each.transpose(1, 2).flatten(-2))
        return (output, weights) if return_weights else output
### END SOLUTION

# %% [markdown]
# ## What you can now read
#
# This is the end of Part I.
# You have written the attention and the decoder layer of a *transformer*, and read the rest of one, from tokens to logits.
# Well-known models are made of the same kinds of parts, many more of them and far wider, and differ in details.
# With what you know, you can read
#
# - the paper: [*Attention is all you need*](https://arxiv.org/abs/1706.03762) (Vaswani and others, 2017);
# - the code of a small GPT: [`model.py`](https://github.com/karpathy/nanoGPT/blob/master/model.py) in nanoGPT, whose `CausalSelfAttention` does what your layer from lesson 06 does with the mask from lesson 03;
# - a model card, the page that describes a published model: its layers, its heads, its context length.
#
# That a head moves a word's embedding, as in lesson 04, is best explained in 3Blue1Brown's [video on attention](https://www.3blue1brown.com/lessons/attention), which is worth watching now.
#
# Part II shows what people do with attention: `progress()` lists its lessons.
# Lesson 09 comes first, where your layer becomes a small GPT and writes; then you can take the others in any order.

# %% [markdown]
# ### Glossary
#
# To look things up in, not to read.
#
# | word | what it is | lesson |
# |---|---|---|
# | query, key, value | what a token looks for; what it offers; what it carries | 00 |
# | attention pattern | the table of weights, a row for each query | 00 |
# | head | the part of a model that makes one pattern and uses it | 00 |
# | weights | the shares of attention; also what a layer has learned | 00 |
# | batch | many items processed side by side, each as if alone | 00 |
# | model, training | a program with numbers that it learns; learning them from examples | 00 |
# | inference | using what was learned | 04 |
# | logits | scores before a softmax | 01 |
# | broadcasting | stretching axes of length 1 so that shapes fit | 01 |
# | token | a piece of text: a word, or a part of one | 02 |
# | temperature | what scores are divided by before softmax; a high one makes weights even | 02 |
# | language model, autoregressive | predicts the next token; goes on from its own output | 03 |
# | self-attention | a sequence looks at itself | 04 |
# | cross-attention | a sequence looks at another one | 07 |
# | mask, causal | who may look at what; one that hides the future | 03 |
# | padding | filling that makes all sequences of a batch equally long | 03 |
# | embedding | the vector that a token begins as | 04 |
# | projection | a product with a learned matrix | 04 |
# | residual stream | the embedding, with everything that layers have added | 04 |
# | parameter, initialise | a number that is learned; giving it a random start | 04 |
# | loss, gradient | how bad a result is; how it changes with a parameter | 04 |
# | forward, backward | computing the loss; computing the gradients | 04 |
# | dropout | setting numbers to zero at random in training | 06 |
# | encoder, decoder | the half that reads; the half that writes | 07 |
# | layer norm | subtracting a token's mean, dividing by its standard deviation | 07 |
# | pre-norm | a layer norm in front of each part | 07 |
# | feed-forward | two linear layers, for each token alone | 07 |
# | vocabulary | the list of all tokens that a model knows | 07 |
# | optimizer | what takes the steps of training for all parameters | 07 |
# | greedy decoding, sampling | taking the likeliest token; drawing one by its probability | 07 |
# | KV cache | keys and values kept while a model writes | 08 |
# | context length | the most tokens a model can look back on | 08 |

# %%
progress()
