# %% [markdown]
# # Lesson 08 · What attention costs
#
# You have built a whole multi-head layer, and used it in a translator.
# How large may such a layer become, and how long a text, before your computer gives up?
# The answer needs no new tensors, only counting: you write three short functions, and a test.
#
# We count three things: **parameters** (what is learned), **operations** (what is computed) and **bytes** (what is stored).
# With these counts in hand we look at three beliefs that sound right.
# Eight heads cost eight times as much; more heads mean more insight; a picture of the weights explains what a model does.
# Each of them is false, in part or as a whole, and you can show it with numbers.
#
# This is a long lesson, made for **three sittings**.
# The first counts operations, and takes about an hour.
# The second asks what heads cost and what is stored, and ends with a test; it takes about 45 minutes.
# The third measures time, and looks at what heads do; it takes about an hour.
# A line tells you where to stop.
#
# When you are stuck, run `hint(attention_flops)` in a cell of your own, or `hint("product_flops")` for a question.

# %% locked=true
import os
import time

import torch
from torch.nn.functional import scaled_dot_product_attention as fused_attention
from torch.utils.flop_counter import FlopCounterMode

from autograder import after, check, hint, progress, solution
from autograder.pictures import bars, curves
from mha_ref import (  # what earlier lessons taught
    multi_head_attention,
    multi_head_by_loop,
    parameter_count,
    scaled_dot_product_attention,
)

device = "cuda" if torch.cuda.is_available() else "cpu"

# %% [markdown]
# ## Do you remember?
#
# Before you count, look back: twice to lesson 07, and once to lesson 06.
# As in the other lessons, this is not required.
#
# A French sentence of 4 words asks an English sentence of 6 words, by cross-attention.
# How many attention weights does one head make?

# %% exercise="remember_the_cross_map"
remember_the_cross_map = ...  # a number
### BEGIN SOLUTION
remember_the_cross_map = 24
### END SOLUTION

# %% [markdown]
# Somebody takes one part out of a trained model, and the model gets much worse.
# Which sentence has been shown by that?
#
# - `"a"`: no model can do this work without such a part
# - `"b"`: the rest of this model has learned to rely on the part
# - `"c"`: the part is the most important one of this model

# %% exercise="remember_a_part_removed"
remember_a_part_removed = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_a_part_removed = "b"
### END SOLUTION

# %% [markdown]
# The layer of lesson 06 computes its 16 heads all at once.
# How many matrix products does that take, from the tokens to the output?

# %% exercise="remember_the_products"
remember_the_products = ...  # a number
### BEGIN SOLUTION
remember_the_products = 6
### END SOLUTION

# %% [markdown]
# ## What is learned
#
# You counted parameters in lesson 05, with `parameter_count`.
# With a model size of $d$, and heads that share it equally, the four matrices together hold $4d^2$ numbers, and the biases $4d$ more.
# The number of heads $h$ does not appear, because each head gets $d/h$ columns: more heads, thinner heads.
#
# For $d = 512$ that makes 1,048,576, or 1,050,624 with biases.
# (Only if heads share $d$ equally. You wrote the count for all other cases as well.)
#
# Here are sizes of well-known models, with the head size $d/h$ of each, and the parameters of *one* attention layer without biases.

# %%
models = {  # model size, heads
    "first transformer (2017)": (512, 8),
    "BERT base (2018)": (768, 12),
    "BERT large (2018)": (1024, 16),
    "GPT-3, the 6.7 B one (2020)": (4096, 32),
    "GPT-3, the 175 B one (2020)": (12288, 96),
}
print(f"{'model':30} {'d':>6} {'h':>4} {'d/h':>5} {'parameters':>12}")
for name, (size, heads) in models.items():
    print(f"{name:30} {size:6} {heads:4} {size // heads:5} {parameter_count(size, heads, bias=False):12,}")

# %% [markdown]
# The sizes are those of the papers: Vaswani and others 2017, Devlin and others 2018, Brown and others 2020.
# Note that there are eight models called GPT-3, from 125 million parameters to 175 billion.
# Texts that say "GPT-3 has $d = 4096$" mean one of the smaller ones.
#
# From 2017 to 2020 the model size grew by a factor of 24, and the head size stayed at 64 or 128.
# Keep that in mind; we come back to it.

# %% [markdown]
# ## Counting operations
#
# A **FLOP** is one floating-point operation: one multiplication, or one addition.
# A billion of them are one GFLOP.
# (FLOPS with a large S is something else: operations *per second*, the speed of a machine.)
#
# Some texts count a multiplication with the addition that follows as *one*. That makes half of our numbers.
# Neither is false, but to compare two counts you must know how each was made.
#
# Nearly all work in attention is matrix products, so one rule is enough.
# Here is a matrix product in the slowest way there is. It counts what it does.


# %%
def operations_by_loops(rows, inner, columns):
    """Multiply (rows, inner) by (inner, columns), number by number, and count."""
    left, right = torch.ones(rows, inner), torch.ones(inner, columns)
    operations = 0
    for row in range(rows):
        for column in range(columns):
            total = 0.0
            for i in range(inner):
                total = total + left[row, i] * right[i, column]
                operations += 2  # one multiplication, one addition
    return operations


print("(1, 5) times (5, 1):", operations_by_loops(1, 5, 1))
print("(4, 5) times (5, 3):", operations_by_loops(4, 5, 3))

# %% [markdown]
# One number of the result takes 5 multiplications and 5 additions (the first addition is to 0, and we count it).
# There are $4 \cdot 3$ numbers in the second result. In general:
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
# ## Six products
#
# Now follow one sequence of $n$ tokens through self-attention, first with a single head as wide as the model.
#
# | step | product | result |
# |---|---|---|
# | query, key, value: three times | $(n, d)$ times $(d, d)$ | $(n, d)$ |
# | scores | $(n, d)$ times $(d, n)$ | $(n, n)$ |
# | mix: the weighted mean of the values | $(n, n)$ times $(n, d)$ | $(n, d)$ |
# | output projection $W^O$ | $(n, d)$ times $(d, d)$ | $(n, d)$ |
#
# So there are two kinds of work.
# *Projecting* treats each token alone: four products. *Mixing* lets every token meet every token: two products.
# In the second kind $n$ occurs twice.
#
# Scaling, masking, softmax and biases come on top.
# Each of them takes a few operations for each number of a result, where the product before took hundreds.
# So they are usually left out, and we leave them out too. (They come back below, when we measure time.)
#
# The rule above, six times, gives the function.


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
# Can we trust the formula?
# torch has a counter that watches any code while it runs, and counts the FLOPs of its matrix products.
# We let it watch the multi-head attention of lesson 06.
# The tensors live on the device `"meta"`: they have shapes and no numbers, so that even a huge layer costs nothing to count.


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
# 343.6 GFLOP, for one layer and a text of 2048 tokens.
#
# **Find the mistake.**
# An article works out the same layer, $n = 2048$ and $d = 4096$.
# It adds $n d^2 = 34.4$ billion for the projections, $n^2 d = 17.2$ billion for the scores and $17.2$ billion for the mix, and reports 68.8 billion FLOPs.
# What went wrong?
#
# - `"a"`: it forgot that the layer has 32 heads
# - `"b"`: it counted one projection in place of four, and a multiplication with its addition as one
# - `"c"`: it forgot the softmax
# - `"d"`: nothing but another unit

# %% exercise="what_the_article_forgot"
what_the_article_forgot = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
what_the_article_forgot = "b"
### END SOLUTION

# %% [markdown]
# ## Tokens against features
#
# Which of the two kinds is more work?
# Divide the whole count by $n$, and you have the cost of *one token*:
#
# $$\frac{\text{FLOPs}}{n} = 8 d^2 + 4 n d$$
#
# The first part is the token's own projections, and it is always the same.
# The second part is its meetings with all the others, and it grows with the length of the text.
# Both axes of the picture are **logarithmic**: each step along them multiplies by the same number.

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
# Each curve has a flat part and a rising part.
# In the flat part a longer text costs more only because it has more tokens.
# In the rising part each single token costs more, too.
# People who say that attention "is quadratic" speak of the right half of this picture.
#
# **Calculate.** For $n = 2048$ and $d = 4096$: how many per cent of the 343.6 GFLOP are projections?

# %% exercise="share_of_projections"
share_of_projections = ...  # per cent, a number from 0 to 100
### BEGIN SOLUTION
share_of_projections = 80
### END SOLUTION

# %% [markdown]
# For this layer, with a text of that length, the famous $n^2$ is the smaller part of the cost.
# Somewhere the two parts are equal. Where?
# Set what projecting costs equal to what mixing costs, and solve for $n$.
# (You may have seen $O(nd^2 + n^2d)$, the *big O*, which says how a cost grows.
# It cannot tell you: it drops the factors in front, and here they matter.)


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
# Here is the share of the projections in *your* count.


# %% picture=true
def share_of_projecting():
    """In per cent, at each length; the last line marks one half."""
    shares = {f"d = {d}": (lengths, [800 * d**2 * n / attention_flops(n, d) for n in lengths]) for d in sizes}
    return curves(
        shares | {"one half": (lengths[:: len(lengths) - 1], [50, 50])},
        alt="The share of projections over the number of tokens, for three model sizes. "
        "Each curve starts near 100 per cent and falls, through 50 per cent at "
        + ", ".join(f"{crossover_length(d):g} tokens for d = {d}" for d in sizes),
        x="tokens in the text",
        y="projections, per cent",
        log_x=True,
    )


after(crossover_length, share_of_projecting)

# %% [markdown]
# Each curve falls through one half at the length that your function gives.
# In a whole model the crossing lies even further to the right, because the feed-forward part of lesson 07 works on each token alone, too.
#
# **This is the end of the first sitting.** You can count what an attention layer computes, and say which part rules.
# If you come back to a fresh kernel, run the cells above first ("Run All Above").

# %% [markdown]
# ## Do eight heads cost eight times as much?
#
# **Predict.** Exchange the one head of width $d$ for 8 heads of width $d/8$.
# By which factor does the number of FLOPs in the matrix products grow?

# %% exercise="factor_for_eight_heads"
factor_for_eight_heads = ...  # a number; 1 means: it stays the same
### BEGIN SOLUTION
factor_for_eight_heads = 1
### END SOLUTION

# %% [markdown]
# Write it down. The projections do not know about heads: one large product, cut into columns afterwards (lesson 06).
# In the mixing part there are $h$ heads, each with $d/h$ features:
#
# $$\underbrace{h}_{\text{heads}} \cdot \Big(\underbrace{2\,n\,\tfrac{d}{h}\,n}_{\text{scores}} + \underbrace{2\,n\,n\,\tfrac{d}{h}}_{\text{mix}}\Big)$$
#
# What becomes of the $h$? Work it out; then let torch count, which knows nothing of our formula.

# %%
for heads in (1, 8, 32):
    print(f"{heads:2} heads: {counted_by_torch(2048, 4096, heads):,} FLOPs")

# %% [markdown]
# The $h$ cancels, and $4n^2d$ is left: that is the proof.
# So "$h$ heads cost $h$ times as much" is false for matrix products.
# But "heads are free", which you can also read, is not true either.
# Each head has a map of weights of its own, and each weight needs an **exponential**: $h \cdot n^2$ of them.
# For $n = 2048$, one head takes 4.2 million exponentials, 8 heads take 33.6 million, and 32 heads take 134 million.
# Next to 343.6 *billion* FLOPs that still looks like nothing.
# But counting operations is one thing and waiting for them is another: the maps have to be written to memory and read again, several times.
#
# We measure the mixing part alone, for 512 tokens and $d = 512$, on your machine, in two versions.
# One is the function of lesson 02, step by step.
# The other is torch's *fused* function, `torch.nn.functional.scaled_dot_product_attention`, which does all the steps in one go.
# It works through the map in small tiles that fit into fast memory, so that the whole map need never be stored.
# That idea is FlashAttention (Dao and others, 2022). It saves no products, it saves trips to memory.


# %%
torch.set_num_threads(1)  # several would wait for each other whenever the machine has something else to do


def seconds(run, *inputs, repeats=3):
    """The fastest of some runs: the others were disturbed."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        run(*inputs)
        if device == "cuda":
            torch.cuda.synchronize()  # a GPU works on while Python has gone ahead
        best = min(best, time.perf_counter() - start)
    return best


def random_heads(heads, tokens, head_size):
    """Query, key and value of one sequence: three times (1, heads, tokens, head_size)."""
    return torch.randn(3, 1, heads, tokens, head_size, device=device)


# %%
head_counts = (1, 2, 4, 8, 16, 32)
inputs = {heads: random_heads(heads, 512, 512 // heads) for heads in head_counts}
versions = {"step by step": scaled_dot_product_attention, "fused": fused_attention}

by_heads = {name: [1000 * seconds(run, *inputs[h]) for h in head_counts] for name, run in versions.items()}

# %% picture=true
bars(
    by_heads,
    labels=[f"h = {h}" for h in head_counts],
    alt="Milliseconds for the mixing part on this machine, with 1, 2, 4, 8, 16 and 32 heads of together 512 features. "
    + " ".join(f"{name.capitalize()}: {', '.join(f'{ms:.1f}' for ms in times)}." for name, times in by_heads.items()),
    y="milliseconds",
    title="the same matrix products, other times",
)

# %% [markdown]
# All bars stand for the same number of FLOPs in matrix products.
# Where we tried it (CPUs, one thread), 32 heads took 10 to 80 times as long as one, step by step.
# With the fused function they took one to five times as long.
# (With a single head the fused function may even be the slower one.)
# Yours will differ, most of all if it has a GPU. What costs here is not the products, it is the $h$ maps.
# So a belief that is false for the products may be nearly true if you look at the clock: always say *what* you count.

# %% [markdown]
# ## What is stored
#
# Step by step, every map is stored: $n \times n$ scores, for each head, for each item of the batch.
# A `float32` takes 4 bytes, a `float16` takes 2. (A byte is 8 bits.)
# A million bytes are a megabyte (MB), a billion are a gigabyte (GB).


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
after(score_bytes, lambda: print(*(
    f"{n:7,} tokens, 32 heads, float16: {score_bytes(1, 32, n, 2) / 1e9:10,.2f} GB" for n in (2048, 8192, 32768, 131072)
), sep="\n"))

# %% [markdown]
# And that is one layer, and one text.
# Four times the length, sixteen times the memory: here $n^2$ does rule, at any length, because no term in $d$ stands beside it.
# Memory was the first wall that long texts ran into. The fused function removed it.
#
# **Calculate.** A batch of 32 texts, 8 heads, 128 tokens, `float32`: how many megabytes do the scores take?
# One decimal is enough.

# %% exercise="megabytes_of_maps"
megabytes_of_maps = ...  # a number
### BEGIN SOLUTION
megabytes_of_maps = 32 * 8 * 128**2 * 4 / 1e6
### END SOLUTION

# %% [markdown]
# While a model *writes*, something else fills the memory.
# It makes one token at a time, and the new token's query meets the keys and values of all tokens before it.
# To compute these again for each new token would be a waste, so they are kept: the **KV cache**.
# Per text it holds
#
# $$\underbrace{2}_{\text{key, value}} \cdot \text{layers} \cdot n \cdot n_{kv} \cdot d_h \text{ numbers,}$$
#
# with $n_{kv}$ heads of keys and values, of size $d_h$ each.
# In the attention that you know, $n_{kv} = h$ and $d_h = d/h$.
#
# **Predict.** Some people say that with more heads a model needs more memory while it writes.
# A model has 32 heads. Another one has 64, of half the size; all else is equal.
# By which factor is the second one's cache larger?

# %% exercise="factor_for_the_cache"
factor_for_the_cache = ...  # a number; 1 means: it stays the same
### BEGIN SOLUTION
factor_for_the_cache = 1
### END SOLUTION

# %% [markdown]
# What does shrink the cache is a smaller $n_{kv}$.
# In *grouped-query attention* (Ainslie and others, 2023) several heads of queries share one head of keys and values.
# With 32 heads of queries and 8 of keys and values, the cache is a quarter.
#
# ## Write a test
#
# Counts look harmless. Nothing crashes if one is off by a factor, and somebody may plan a computer centre with it.
# So write a test for `attention_flops`. Six wrong versions wait for it:
#
# 1. *counts multiply and add as one*: half of everything.
# 2. *forgets the output projection*: three projections.
# 3. *forgets scores and mix*: "two FLOPs for each parameter and token", a well-known rule of thumb, and no more.
# 4. *forgets the square of tokens*: the mix grows with $n$ only.
# 5. *swaps tokens and model size*.
# 6. *counts one addition less in each sum*: $k - 1$ additions for $k$ products.
#
# There are two good sources of right numbers: counting by hand, for small sizes, and `operations_by_loops` above.

# %% exercise="test_attention_flops"
def test_attention_flops(attention_flops):
    """Stops with an assert if this version counts otherwise than the docstring of attention_flops says.

    attention_flops: a function of tokens and model_size, right or wrong -> nothing: a returned value is ignored.
    A right version passes; each of the six wrong ones fails.
    """
    ### BEGIN SOLUTION
    for n, d in ((1, 1), (2, 5), (7, 3)):
        projecting = operations_by_loops(n, d, d)
        mixing = operations_by_loops(n, d, n) + operations_by_loops(n, n, d)
        assert attention_flops(n, d) == 4 * projecting + mixing
    ### END SOLUTION


# %% [markdown]
# **This is the end of the second sitting.** You can count all that an attention layer costs, and test the count.
# If you come back to a fresh kernel, run the cells above first ("Run All Above").

# %% [markdown]
# ## On your own machine
#
# The third sitting begins with time.
# Two versions of the mixing part, 8 heads of 64 features, and texts that double in length, up to 2048 tokens.
# That takes some seconds, and about half a gigabyte of memory.
# (Each further doubling takes four times as much of both; with a GPU or with patience you may raise `doublings`.)


# %%
doublings = 5 if "NBGRADER_EXECUTION" in os.environ else 8  # fewer where a grader runs this, and nobody looks


def time_both():
    """Milliseconds of each version, for 8 tokens and so many doublings."""
    measured = {name: {} for name in versions}
    for tokens in [8 * 2**n for n in range(1 + doublings)]:
        x = random_heads(8, tokens, 64)
        for name, run in versions.items():
            measured[name][tokens] = 1000 * seconds(run, *x, repeats=2)
    return measured


milliseconds = time_both()
largest = max(milliseconds["fused"])
print(f"longest text: {largest} tokens, " + ", ".join(f"{k}: {v[largest]:.1f} ms" for k, v in milliseconds.items()))

# %% picture=true
end = 4 * milliseconds["step by step"][largest]  # above both curves
square = ([largest / 16, largest], [end / 16**2, end])

curves(
    {name: (list(times), list(times.values())) for name, times in milliseconds.items()} | {"n squared": square},
    alt="Milliseconds over the number of tokens on this machine, both axes logarithmic. "
    + " ".join(
        f"{name.capitalize()}: {', '.join(f'{times[n]:.2f} at {n}' for n in (8, largest // 4, largest // 2, largest))}."
        for name, times in milliseconds.items()
    )
    + " A third line shows a square: four times the time for twice the tokens.",
    x="tokens",
    y="milliseconds",
    title="8 heads of 64 features",
    log_x=True,
    log_y=True,
)

# %% [markdown]
# On logarithmic axes a square is a straight line: twice the tokens, four times the time.
# The line *n squared* shows how steep that is; how high it lies means nothing.
# For long texts both curves get near its slope. For short ones they are flatter, because starting a function takes its time, too (very much so on a GPU).
#
# **Read the slope.** Somebody's curve has reached the slope of $n^2$. Their text of 4096 tokens takes 100 ms.
# How many milliseconds will a text of 16384 tokens take?

# %% exercise="milliseconds_of_a_longer_text"
milliseconds_of_a_longer_text = ...  # a number, in ms
### BEGIN SOLUTION
milliseconds_of_a_longer_text = 100 * 4 * 4
### END SOLUTION

# %% [markdown]
# For long texts the fused function is faster: where we tried it (CPUs, one thread), four to seven times as fast.
# But its curve is as steep. It does the same $4n^2d$ operations; what it saves is memory, and the time to move numbers.
# To get rid of $n^2$ itself, you must leave something out.
#
# ## What others leave out (optional)
#
# You may skip this section; nothing is asked about it, and eight minutes are enough to read it.
# Here are four ideas. Each replaces the full map by something smaller.
#
# | name | formula | size of the map | what it gives up |
# |---|---|---|---|
# | full attention | $\mathrm{softmax}(QK^\top/\sqrt{d_k})\,V$ | $n \cdot n$ | nothing |
# | **window** | the same, for the last $w$ keys only | $n \cdot w$ | direct ways to all other tokens |
# | **summaries** | $\mathrm{softmax}(Q(EK)^\top/\sqrt{d_k})\,(EV)$ | $n \cdot r$ | detail: $r$ summaries stand for $n$ tokens |
# | **no softmax** | $\phi(Q)\,\big(\phi(K)^\top V\big)$ | $n \cdot r$ | the exact, sharp softmax |
# | **buckets** | softmax inside each bucket | $n \cdot b$ | pairs that lie in different buckets |
#
# In the row *summaries*, $E$ is a learned $(r, n)$ matrix, which mixes the $n$ keys into $r$, and the values alike.
# In the row *no softmax*, $\phi$ is a function that makes $r$ positive numbers of each query and each key; afterwards each output is divided by the sum of its weights.
# In the row *buckets*, a hash function gives a number to each query and key, the same to those that are similar; tokens with the same number share a bucket of about $b$ tokens.
#
# The brackets in the row *no softmax* are the whole trick. Without softmax the order of two products is free:

# %%
query, key, value = torch.randn(3, 2000, 4, dtype=torch.float64).to(device)
with_map = (query @ key.mT) @ value  # on the way: a (2000, 2000) map
without_map = query @ (key.mT @ value)  # on the way: a (4, 4) matrix
print(f"largest difference: {(with_map - without_map).abs().max():.0e}")

# %% [markdown]
# Softmax stands between the two products, and needs the whole row. So it must go.
#
# To read on:
#
# - windows: Child and others 2019, and Longformer (Beltagy and others 2020);
# - summaries: Linformer (Wang and others 2020);
# - $\phi$: Katharopoulos and others 2020, and Performer (Choromanski and others 2020);
# - buckets: Reformer (Kitaev and others 2020).
#
# ## How many heads?
#
# If the matrix products cost the same, why not take a head for every feature?
# Because heads get thin, and a thin head cannot choose freely.
#
# The scores of a head are $QK^\top$, with $d_k$ columns in $Q$ and in $K$.
# So a row of scores, that of query $i$, is a mixture of the $d_k$ columns of $K$. For $d_k = 3$:
#
# $$\text{row}_i = q_{i1}\,k_{\cdot 1} + q_{i2}\,k_{\cdot 2} + q_{i3}\,k_{\cdot 3}$$
#
# Here $k_{\cdot 1}$ is the first column of $K$, the first feature of all keys.
# However many tokens there are, all rows are mixtures of the same few columns. Here is the last row of ten.

# %%
torch.manual_seed(0)
query, key = torch.randn(2, 10, 3, dtype=torch.float64).to(device)  # each: 10 tokens, 3 features
scores = query @ key.mT
mixture = query[9, 0] * key[:, 0] + query[9, 1] * key[:, 1] + query[9, 2] * key[:, 2]
print("shape of the scores:", tuple(scores.shape))
print(f"the last row and the mixture differ by {(scores[9] - mixture).abs().max():.0e}")

# %% [markdown]
# The **rank** of a matrix is the smallest number of rows from which all its rows can be mixed.
# (The rows to mix from may be any rows; they need not stand in the matrix.)
# **Predict.** What is the rank of these $10 \times 10$ scores? (`torch.linalg.matrix_rank(scores)` tells, if you want to see it.)

# %% exercise="rank_of_scores"
rank_of_scores = ...  # a number
### BEGIN SOLUTION
rank_of_scores = 3
### END SOLUTION

# %% [markdown]
# Is a low rank bad? After softmax it is usually full again (here it is 10), so the number alone is no verdict.
# Let us ask what a thin head can look for.
#
# Take a head size of 1: each query is one number, each key is one number, and a score is their product.
# The *favourite* of a query is the key with the highest score.
# **Predict.** There are 64 keys, all different and none of them 0. At most how many of them can be the favourite of some query?
# (A query of 0, which finds all keys equally good, does not count.)

# %% exercise="favourites_of_a_thin_head"
favourites_of_a_thin_head = ...  # a number
### BEGIN SOLUTION
favourites_of_a_thin_head = 2
### END SOLUTION

# %% [markdown]
# Now measure it: 64 random keys, 20000 random queries, and a count of the keys that are the favourite of at least one.


# %%
def favourites(head_size, keys=64, queries=20_000):
    """How many keys come out on top for some query."""
    torch.manual_seed(head_size)
    key, query = torch.randn(keys, head_size).to(device), torch.randn(queries, head_size).to(device)
    return len((query @ key.mT).argmax(dim=-1).unique())


head_sizes = (1, 2, 4, 8, 16, 32, 64)

# %% picture=true
bars(
    {"favourites": [favourites(size) for size in head_sizes]},
    labels=[f"size {s}" if s == 1 else s for s in head_sizes],
    alt="Keys out of 64 that are the favourite of some query, one bar for each head size. "
    "2 with a head size of 1, 8 with 2, 33 with 4, 59 with 8, 63 with 16, and all 64 from 32 on.",
    y="keys that won, of 64",
    title="favourites of 20000 queries",
)

# %% [markdown]
# With one feature only the largest and the smallest key can ever win; all keys between them are out of reach, whatever the model learns to ask.
# With two features it is the 8 keys on the outer rim. From 16 or 32 on nearly every key has won.
# Longer texts have more keys, and need more features for that.
# This is the *low-rank bottleneck* (Bhojanapalli and others, 2020): heads that are too thin cannot express some maps, whatever they learn.
#
# Too few heads are no good either, because each of them has only one map (lesson 04).
# The first transformer was tried with 1, 4, 8, 16 and 32 heads, all at $d = 512$.
# Translation was best with 8 and 16 (25.8 points of BLEU, a measure of translations).
# With one head it lost 0.9 points, with 32 heads 0.4 (Vaswani and others, 2017, table 3).
# So the curve is flat in the middle, and falls at both ends.
#
# The habit that came out of this: **take a head size of 64 or 128, and let the number of heads follow.**
#
# It is a habit and no law: $W^O$ takes $h \cdot d_h$ columns and gives back $d$, whatever their number is.
# The largest T5 has $d = 1024$ and 128 heads of 128 (Raffel and others, 2020).
# The price is parameters, as you saw in lesson 05.
#
# **Choose.** GPT-3 has 96 heads, the first transformer 8. What is the best account of that?
#
# - `"a"`: language has about 96 kinds of relation, and each of them needs a head
# - `"b"`: the model grew and the head size did not, so there is room for more heads
# - `"c"`: more heads need less memory for the maps
# - `"d"`: more heads make the matrix products cheaper

# %% exercise="why_more_heads"
why_more_heads = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
why_more_heads = "b"
### END SOLUTION

# %% [markdown]
# ## What heads do, and do not tell
#
# It is tempting to picture heads as a team of experts: one for subjects, one for places, one for reasons.
# Let us see how far that goes.
#
# Here is a map of *one* head, for three tokens.
# *I* looks at its verb, and *love* looks at its object.
#
# | | I | love | AI |
# |---|---|---|---|
# | I | 0.1 | **0.8** | 0.1 |
# | love | 0.1 | 0.1 | **0.8** |
# | AI | 0.3 | 0.4 | 0.3 |
#
# **Choose.** Which sentence is true?
#
# - `"a"`: such a map cannot be: one head can learn one relation only
# - `"b"`: one head can serve several relations, since each query has a row of its own; what it cannot do is give *one* query two separate mixtures
# - `"c"`: one head can do anything that several heads can, if it is wide enough

# %% exercise="what_one_head_can_do"
what_one_head_can_do = ...  # "a", "b" or "c"
### BEGIN SOLUTION
what_one_head_can_do = "b"
### END SOLUTION

# %% [markdown]
# **Choose.** Several heads look at the same tokens. What keeps them from all learning the same map?
#
# - `"a"`: the loss punishes heads that are alike
# - `"b"`: softmax makes them compete with each other
# - `"c"`: $W^O$ forces them to be different
# - `"d"`: nothing forbids it; they start from different random numbers, and often that is enough

# %% exercise="what_keeps_heads_apart"
what_keeps_heads_apart = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
what_keeps_heads_apart = "d"
### END SOLUTION

# %% [markdown]
# And often it is not enough.
# If two heads have become equal, the second one adds nothing that one head with another $W^O$ could not do.
# Check it: two equal heads against one head, whose rows of $W^O$ are the sum of both.

# %%
torch.manual_seed(1)
x = torch.randn(6, 8, dtype=torch.float64).to(device)  # 6 tokens, model size 8
one = torch.randn(3, 1, 8, 4, dtype=torch.float64).to(device)  # query, key and value matrix of one head
w_output = torch.randn(8, 8, dtype=torch.float64).to(device)

two_equal_heads = multi_head_by_loop(x, *one.expand(3, 2, 8, 4), w_output)
one_head = multi_head_by_loop(x, *one, w_output[:4] + w_output[4:])
print(f"largest difference: {(two_equal_heads - one_head).abs().max():.0e}")

# %% [markdown]
# Real heads are seldom exactly equal, but many can go.
# To remove heads from a trained model is called **pruning**:
#
# - In a large translator, Michel and others (2019) removed each of the 96 heads of the encoder (the half that reads, lesson 07), one at a time. Only for 8 of them did the quality change measurably, and in half of these cases it got *better*.
# - Voita and others (2019) pruned 38 of 48 encoder heads of an English-Russian translator and lost 0.15 points of BLEU. The last ones to go were those whose job has a name: neighbours, syntax, rare words.
#
# Both pruned *after* training. A model that is trained with few heads from the start is another matter.
#
# Other heads seem to be idle, and that may be useful.
# In BERT every text begins with a token `[CLS]` and has a `[SEP]` at its end.
# Clark and others (2019) found that in layers 6 to 10 more than half of all attention goes to `[SEP]`.
# Their explanation: a row of weights must sum to 1, so a head that has found nothing must look *somewhere*.
# The best place is a token that carries nothing.
# Let us build such a head.

# %%
torch.manual_seed(2)
tokens = ["[CLS]", "the", "dog", "barks", "[SEP]"]
scores = torch.tensor([0.2, 0.0, 0.5, 0.1, 4.0], device=device)  # one query, which has found nothing
values = torch.nn.functional.normalize(torch.randn(5, 4), dim=-1).to(device)  # each row of length 1 ...
values[4] *= 0.01  # ... but that of [SEP]

weights = scores.softmax(dim=-1)
moved = weights * values.norm(dim=-1)  # how far each token moves the output
print(f"all five together move it by {moved.sum():.2f} at most; with five values of length 1 it could be 1.00")

# %% picture=true
def in_words(shares):
    return ", ".join(f"{token} {share:.2f}" for token, share in zip(tokens, shares))


bars(
    {"weights": weights.tolist(), "weight · length of value, as shares": (moved / moved.sum()).tolist()},
    labels=tokens,
    alt=f"Bars for five tokens. By weight: {in_words(weights)}. [SEP] has nearly all. "
    f"By weight times length of the value, as shares of the whole: {in_words(moved / moved.sum())}. [SEP] is last.",
    y="share",
)

# %% [markdown]
# The map says "92 % on `[SEP]`". The output says: hardly anything arrived at all, and of that little `[SEP]` sent a tenth.
# A weight tells how much of a value is taken, not how much there was to take.
# To look at weight times length of the value is the proposal of Kobayashi and others (2020).
#
# **Calculate.** A row gives 0.9 to `[SEP]`, whose value has length 0.01, and 0.1 to *dog*, whose value has length 0.9.
# How many times as far does *dog* move the output as `[SEP]`?

# %% exercise="dog_against_sep"
dog_against_sep = ...  # a number
### BEGIN SOLUTION
dog_against_sep = 10
### END SOLUTION

# %% [markdown]
# There is a second reason for care: different maps may give the same output.
# With the values 0, 1 and 2, the weights $(0.5, 0, 0.5)$ and $(0, 1, 0)$ both give 1.
# Jain and Wallace (2019) found very different maps with nearly the same predictions in trained models, and called their paper *Attention is not explanation*.
# Wiegreffe and Pinter answered in the same year, in *Attention is not not explanation*.
# Such maps exist, they say. But when another, simpler model is given these maps, they help it less than the real ones.
# So the real ones do tell something.
#
# What is safe to say: a map shows where a head looked, in one layer, for this text.
# It is a good source of guesses. To test a guess, *change* something, as you did with leaks in lesson 03: take the head away, and see what breaks.
#
# ## Summary
#
# You can now
#
# - count the parameters, FLOPs and bytes of an attention layer, and say what is in the count and what is not;
# - say which part rules: projections below $n = 2d$ tokens, scores and mix above;
# - prove that the number of heads does not change the FLOPs of the matrix products, and say what heads do cost: $h \cdot n^2$ exponentials, and the memory of the maps;
# - measure a fast function against a slow one, and read the slope of a curve;
# - choose the number of heads by the head size, and say why neither 1 nor $d$ is a good number;
# - look at a map of weights without believing too much.
#
# This is the end of the course: you can write attention, mask it, give it heads, build it into a layer, use it, and pay for it.

# %% [markdown]
# Here is how far you are in the course.

# %%
progress()
