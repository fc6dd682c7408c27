# %% [markdown]
# # Lesson 13 · Blocks
#
# A text of 8,192 tokens has 67 million pairs of tokens.
# In float32, the scores of one head fill 256 MiB.
# While softmax works on them, three tables of this size are in memory.
# Yet torch's own attention gets by with less than 3 MiB, and up to rounding it gives the same numbers.
#
# How can it compute a softmax without ever seeing a whole row?
# **Attention can be merged**: split the keys any way you like, attend to each part, and join the results.
# In this lesson you write attention that reads its keys in blocks, forgets each block, and loses nothing.
# Then you measure what it saves on your machine.

# %% locked=true
import math
import os
from time import perf_counter

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F

from autograder import after, check, hint, progress, solution
from autograder.mine import attention_scores, scaled_dot_product_attention, softmax
from autograder.pictures import heatmaps, use_our_look
from mha_ref.peak_memory import peak_memory, peak_on_gpu

use_our_look()  # plots on no paper, with words for those who cannot see them
torch.set_num_threads(1)
torch.set_printoptions(precision=3, sci_mode=False)

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them, for example if you have not read those lessons yet.
#
# **From lesson 12.**
# The rotary model was trained on texts of 64 tokens.
# Why does it break at 256?
#
# - `"a"`: some distances are new to it
# - `"b"`: some positions are new to it
# - `"c"`: some characters are new to it

# %% exercise="remember_what_is_new_beyond"
remember_what_is_new_beyond = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_what_is_new_beyond = "a"
### END SOLUTION

# %% [markdown]
# **From lesson 10.**
# These are the weights of one head, for three queries.
# What is its previous-token score?
#
# | query | key 0 | key 1 | key 2 |
# |---|---|---|---|
# | query 0 | 1 | 0 | 0 |
# | query 1 | 0.8 | 0.2 | 0 |
# | query 2 | 0.1 | 0.6 | 0.3 |

# %% exercise="remember_the_token_before"
remember_the_token_before = ...  # a number
### BEGIN SOLUTION
remember_the_token_before = (0.8 + 0.6) / 2
### END SOLUTION

# %% [markdown]
# ## Log-sum-exp
#
# A weight is a share of a sum: $e^{s_k} / \sum_j e^{s_j}$.
# To forget the scores and still know how much they weigh, keep that sum.
# As a plain number it can overflow, so keep its logarithm, the **log-sum-exp**.
# With $m$ for the largest score:
#
# $$\operatorname{lse}(s) = \log \sum_j e^{s_j} = m + \log \sum_j e^{s_j - m}$$
#
# After the subtraction the largest exponent is 0, so nothing overflows.
#
# **Calculate.**
# Two scores are both 1000.
# What is their log-sum-exp?
# Give at least six digits, or use `math`.

# %% exercise="lse_of_two_thousands"
lse_of_two_thousands = ...  # a number
### BEGIN SOLUTION
lse_of_two_thousands = 1000 + math.log(2)
### END SOLUTION

# %% [markdown]
# As in lesson 03, a blocked score is minus infinity, and $e^{-\infty}$ is 0.
# If all scores of a row are blocked, the sum is 0 and the log-sum-exp is minus infinity.
# Such a row needs care: its maximum is minus infinity too, and `-inf - (-inf)` is NaN.

# %% exercise="log_sum_exp"
def log_sum_exp(scores, axis=-1):
    """The logarithm of the sum of the exponentials, along `axis`.

    scores: floating, of any size; any of them may be -inf -> the same shape without `axis`, floating.
    Scores far from 0 neither overflow nor vanish.
    Where all scores of a row are -inf, the result is -inf.
    Write it with exp, log, sum and a maximum: torch.logsumexp would be the whole exercise.
    The scores are not changed, and gradients reach them.
    """
    ### BEGIN SOLUTION
    largest = scores.amax(dim=axis, keepdim=True)
    largest = largest.masked_fill(largest == -math.inf, 0.0)
    return (scores - largest).exp().sum(dim=axis).log() + largest.squeeze(axis)
    ### END SOLUTION

# %% [markdown]
# ## Join two parts
#
# Split the keys into two parts, $A$ and $B$.
# Attention to $A$ alone gives an output $o_A$, and its scores have a log-sum-exp $\ell_A$; the same goes for $B$.
# Each output is a mean, and $e^{\ell}$ is how much it weighs.
# So attention to all keys is the mean of two means:
#
# $$\ell = \log\left(e^{\ell_A} + e^{\ell_B}\right), \qquad o = e^{\ell_A - \ell}\, o_A + e^{\ell_B - \ell}\, o_B$$
#
# Nothing else about the two parts is needed: neither the scores nor the weights, nor how many keys there were.
#
# **Calculate.**
# For one query, $\ell_A = 2$ and $\ell_B = 2 + \log 3$.
# What share of its attention does part $B$ get?

# %% exercise="share_of_the_second_part"
share_of_the_second_part = ...  # a number between 0 and 1
### BEGIN SOLUTION
share_of_the_second_part = 3 / 4
### END SOLUTION

# %% [markdown]
# A part is **empty** for a query if all its keys are blocked: then $\ell = -\infty$.
# It gets no share, whatever its output is.
# Some code leaves NaN in such an output, and `0 * NaN` is NaN, so a share of 0 is not enough to remove it.

# %% exercise="merge_attention"
def merge_attention(output_a, lse_a, output_b, lse_b):
    """Join the attention of the same queries to two parts of the keys.

    output_a, output_b: (..., queries, value_features), floating, attention to each part
    lse_a, lse_b: (..., queries), floating, the log-sum-exp of its scores, of any size
    -> two results: the output for both parts together, (..., queries, value_features),
    and its log-sum-exp, (..., queries).
    An lse of -inf means an empty part, and its output does not count, even if it is NaN.
    For two empty parts the results are zeros and -inf.
    The inputs are not changed, and gradients reach them.
    """
    ### BEGIN SOLUTION
    lse = log_sum_exp(torch.stack([lse_a, lse_b], dim=-1))
    whole = torch.where(lse > -math.inf, lse, 0.0)
    merged = torch.zeros_like(output_a)
    for output, part in ((output_a, lse_a), (output_b, lse_b)):
        output = output.masked_fill((part == -math.inf)[..., None], 0.0)
        merged = merged + (part - whole).exp()[..., None] * output
    return merged, lse
    ### END SOLUTION

# %% [markdown]
# Here are six queries, and twelve keys that are split into the parts A, B and C, with two, seven and three keys.
# You see how far the merged output is from attention to all twelve keys, with either pair of brackets, and then the share of each part.

# %% picture=true
def three_parts():
    torch.manual_seed(0)
    query, key, value, parts = torch.randn(6, 8), torch.randn(12, 8), torch.randn(12, 5), []
    for keys, values in zip(key.split((2, 7, 3)), value.split((2, 7, 3))):
        scores = attention_scores(query, keys)
        parts.append((softmax(scores) @ values, scores.logsumexp(dim=-1)))
    whole = scaled_dot_product_attention(query, key, value)
    output, lse = merge_attention(*merge_attention(*parts[0], *parts[1]), *parts[2])
    other, _ = merge_attention(*parts[0], *merge_attention(*parts[1], *parts[2]))
    for brackets, merged in {"(A, B), C": output, "A, (B, C)": other}.items():
        print(f"{brackets}: gap {(merged - whole).abs().max():.0e}")
    return heatmaps(
        {"share of each part": torch.stack([(part - lse).exp() for _, part in parts], dim=-1)},
        alt="A table with a row for each of six queries and a column for each of the parts A, B and C, with two, seven "
        "and three keys. Each row sums to 1. B, with seven keys, has the largest share in every row, from 0.49 to 0.80.",
        rows="query", columns="part", column_labels="ABC",
    )


after(merge_attention, three_parts)

# %% [markdown]
# The brackets do not matter: merging is **associative**, as addition is.
# So neighbouring parts may be joined in any order, on several processors at once or one after the other.

# %% [markdown]
# ## In blocks
#
# Now attention becomes a loop, known as **online softmax**, because the result is updated as the keys come in.
#
# 1. Begin with nothing: `nothing_yet(query, value)`, in the next cell, gives its output and its log-sum-exp.
# 2. For each block of keys, `for start in range(0, keys, block)`, compute the scores $s$, their log-sum-exp $\ell$, the weights $e^{s - \ell}$, and the output of this block.
# 3. Merge that with what you have.
#
# A slice that ends beyond the last key holds the keys that are there, so the last block may be shorter.
#
# Write it for `causal=False` first: the result must be that of `scaled_dot_product_attention`.
# Then add the mask, with two things to watch:
#
# - A mask for all queries and keys would be as large as the table that we want to avoid.
#   So make the columns of one block from indices: the query in row $r$ is at position $\text{keys} - \text{queries} + r$, and sees the keys up to that position.
# - A block may lie wholly in the future of a query: then all its scores are $-\infty$, and so is $\ell$.
#   Their difference is NaN, and even a NaN that merging throws away comes back with the gradients, so subtract something else there.

# %% locked=true
def nothing_yet(query, value):
    """Attention to no keys at all: an output of zeros, and a log-sum-exp of minus infinity."""
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])  # (..., queries, value_features)
    return output, query.new_full(query.shape[:-1], -math.inf)  # (..., queries)

# %% exercise="attention_in_blocks"
def attention_in_blocks(query, key, value, block, causal=False):
    """Attention, scaled by the root of the features, that looks at no more than `block` keys at a time.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features), floating,
    with the same axes in front; block: at least 1, may be more than there are keys, and need not divide them
    -> (..., queries, value_features), floating.
    causal: each query sees the keys up to its own position; the last query lines up with the last key, queries <= keys.
    Where block is smaller than keys, no tensor that is made on the way has as many numbers as there are pairs of a query
    and a key.
    torch's scaled_dot_product_attention would be the whole exercise. The inputs are not changed, and gradients reach them.
    """
    ### BEGIN SOLUTION
    queries, keys = query.shape[-2], key.shape[-2]
    output, lse = nothing_yet(query, value)
    rows = torch.arange(keys - queries, keys, device=query.device)[:, None]
    for start in range(0, keys, block):
        stop = min(start + block, keys)
        scores = query @ key[..., start:stop, :].mT / math.sqrt(query.shape[-1])  # (..., queries, block)
        if causal:
            columns = torch.arange(start, stop, device=query.device)
            scores = scores.masked_fill(columns > rows, -math.inf)
        part = log_sum_exp(scores)  # (..., queries)
        weights = (scores - part.masked_fill(part == -math.inf, 0.0)[..., None]).exp()
        output, lse = merge_attention(output, lse, weights @ value[..., start:stop, :], part)
    return output
    ### END SOLUTION

# %% picture=true
def compare_with_torch():
    torch.manual_seed(0)
    query, key, value = torch.randn(3, 2, 500, 64).unbind()
    for causal in (False, True):
        yours = attention_in_blocks(query, key, value, 128, causal=causal)
        fused = F.scaled_dot_product_attention(query, key, value, is_causal=causal)
        print(f"causal={causal!s:5}  gap to torch's fused attention: {(yours - fused).abs().max():.0e}")


after(attention_in_blocks, compare_with_torch)

# %% [markdown]
# **Calculate.**
# A text has 32,768 tokens, and a float32 number takes four bytes.
# The scores of all pairs would take 4 GiB.
# How many MiB do the scores of one block of 128 keys take, for all queries?
# (A MiB is $2^{20}$ bytes.)

# %% exercise="mebibytes_of_a_block"
mebibytes_of_a_block = ...  # a number
### BEGIN SOLUTION
mebibytes_of_a_block = 32768 * 128 * 4 / 2**20
### END SOLUTION

# %% [markdown]
# ## Measure it
#
# The next cells, one of them folded, start a fresh Python for each function, and look at its **peak**: the most memory that it has held at any moment, beyond the inputs.
# Each of the two cells takes about 5 seconds, or 10 on a busy machine.
#
# **Predict** before you run them (not marked): a text becomes twice as long, and the blocks stay as they are.
# By what factor does the peak grow, for plain attention and for yours?

# %% exercise="predict_the_peaks"
predict_the_peaks = ...  # two numbers, plain attention first: (..., ...)
### BEGIN SOLUTION
predict_the_peaks = (4, 2)
### END SOLUTION

# %% picture=true
peaks = {}


def measure(name, call, *functions):
    if "NBGRADER_EXECUTION" in os.environ:
        return print(f"{name}: not measured while the notebook is graded")
    print(f"{name:14}", end="", flush=True)
    peaks[name] = peak_memory(call, *functions)
    print("".join(f"{tokens:8,} tokens {mib:6.1f} MiB" for tokens, mib in peaks[name].items()))


measure("plain", "scaled_dot_product_attention(query, key, value)")
measure("torch, fused", "F.scaled_dot_product_attention(query[None, None], key[None, None], value[None, None])")

# %%
yours = log_sum_exp, merge_attention, nothing_yet, attention_in_blocks
after(attention_in_blocks, lambda: measure("yours", "attention_in_blocks(query, key, value, 128)", *yours))

# %% [markdown]
# Here are the peaks as a plot with logarithmic axes: which line is the steepest?

# %%
def draw_the_memory():
    for name, row in peaks.items():
        plt.loglog(list(row), list(row.values()), base=2, marker="o", label=name)  # as plt.plot, with logarithmic axes
    plt.xlabel("tokens")
    plt.ylabel("MiB above the inputs")
    plt.title("Peak memory of attention")
    plt.legend()
    plt.show()


if peaks:
    draw_the_memory()

# %% [markdown]
# In our run, plain attention needs 48, 193 and 770 MiB: four times as much for twice the text.
# Our blocks need 5, 10 and 20 MiB, only twice as much for twice the text; yours may need a little more or less.
# torch's own function needs less than 3 MiB at every length, for a reason that comes next.
#
# And the time? (The cell is folded.)

# %% picture=true
ways = {
    "plain": scaled_dot_product_attention,
    "yours": lambda query, key, value: attention_in_blocks(query, key, value, 128),
    "torch, fused": lambda query, key, value: F.scaled_dot_product_attention(query[None, None], key[None, None], value[None, None]),
}


@torch.no_grad()
def time_them():
    inputs = torch.randn(3, 4096, 64).unbind()
    for name, function in ways.items():
        function(*inputs)  # the first call is slower
        start = perf_counter()
        function(*inputs)
        print(f"{name:14}{1000 * (perf_counter() - start):8.0f} ms for 4,096 tokens, on one core")
    if torch.cuda.is_available():
        for name, function in ways.items():
            mib, seconds = peak_on_gpu(function)
            print(f"{name:14}{1000 * seconds:8.2f} ms for 8,192 tokens, on the GPU, and {mib:.1f} MiB")


after(attention_in_blocks, time_them)

# %% [markdown]
# In our run, on one core of an idle machine: 193 ms for plain attention, 109 for our blocks, and 35 for torch's function.
#
# ### Tiles
#
# Your blocks still hold all queries at once.
# The fused function cuts these into blocks as well, and works on **tiles**, such as 128 queries times 128 keys.
# This is the idea of FlashAttention.
# A GPU has a large memory, and a small one on the chip, which is much faster.
# A tile fits into the small one, so the scores never travel through the large one; according to its authors, that traffic is what costs the time.
#
# Under a causal mask, some tiles lie wholly in the future, and can be skipped.
#
# **Calculate.**
# 8,192 queries and as many keys are cut into tiles of 1,024 × 1,024, so there are 64 tiles.
# How many of them can be skipped under a causal mask?

# %% exercise="tiles_to_skip"
tiles_to_skip = ...  # a whole number
### BEGIN SOLUTION
tiles_to_skip = 8 * 7 // 2
### END SOLUTION

# %% [markdown]
# ## Minus infinity, or minus a billion?
#
# In your blocks, a blocked score is minus infinity.
# Much code adds -1,000,000,000 to the score instead, written `-1e9`.
# For most rows, both give the same weights.
# A difference can show in a **dead row**, that of a query whose keys are all blocked: there, *every* score is lowered.
#
# What comes out depends on how the computer stores a number.
# Large models do most of their arithmetic in **half precision**: 16 bits for a number instead of 32.
#
# | type | float16 | float32 | float64 |
# |---|---|---|---|
# | bits | 16 | 32 | 64 |
# | largest number; beyond it comes infinity | 65504 | about $3 \cdot 10^{38}$ | about $2 \cdot 10^{308}$ |
# | from one number to the next, near $10^9$ | there are none | 64 | about 0.0000001 |
#
# **Predict.**
# A dead row has the scores `2, 1, 0`, and `-1e9` is added to each.
# What does softmax make of it?
#
# - `"a"`: NaN
# - `"b"`: three equal weights
# - `"c"`: the weights that the row would have without any mask
#
# Give a letter each for float16, float32 and float64, in this order.

# %% exercise="a_billion_less"
a_billion_less = ...  # three letters: ("...", "...", "...")
### BEGIN SOLUTION
a_billion_less = ("a", "b", "c")
### END SOLUTION

# %%
for float_type in (torch.float16, torch.float32, torch.float64, torch.bfloat16):
    lowered = torch.tensor([2, 1, 0], dtype=float_type) - 1e9
    print(float_type, "scores", lowered.tolist(), "weights", softmax(lowered).float().numpy().round(3))

# %% [markdown]
# Three kinds of answer, and none of them says "nothing to look at".
# **bfloat16** is the other half precision.
# It reaches as far as float32, but with only two to three digits: its three weights sum to 1.002.
#
# No number saves a dead row, because softmax shares out one whole, whatever the scores are.
# So your code uses minus infinity, and treats a dead row as a special case.

# %% [markdown]
# ## What others leave out (optional)
#
# Blocks save memory, but still compute every pair.
# Other ideas compute less and give something up.
#
# | name | what it computes | what it gives up |
# |---|---|---|
# | **window** | the last keys of each query, as in lesson 12 | direct ways to all other tokens |
# | **summaries** | attention to a few learned mixtures of the keys | detail |
# | **buckets** | the pairs in the same bucket: the tokens are sorted into groups, so that similar vectors mostly meet in one | pairs in different buckets |
# | **no softmax** | $\phi(Q)\,\big(\phi(K)^\top V\big)$, with a function $\phi$ that makes positive numbers | the exact, sharp softmax |
#
# A window and buckets make attention **sparse**: most of the $(n, n)$ table is never computed.
# Summaries and $\phi$ give it a **low rank**: the table is a product of two narrow ones.
# Without softmax, the order of the two products is free, and the right brackets avoid the $(n, n)$ map:

# %%
query, key, value = torch.randn(3, 2000, 4, dtype=torch.float64)
with_map = (query @ key.mT) @ value  # on the way: a (2000, 2000) map
without_map = query @ (key.mT @ value)  # on the way: a (4, 4) matrix
print(f"largest difference: {(with_map - without_map).abs().max():.0e}")

# %% [markdown]
# To read on:
#
# - online softmax: Milakov and Gimelshein, 2018; FlashAttention: Dao and others, 2022;
# - windows: Longformer, Beltagy and others, 2020; summaries: Linformer, Wang and others, 2020;
# - $\phi$: Katharopoulos and others, 2020; buckets: Reformer, Kitaev and others, 2020.
#
# ## Summary
#
# You can now
#
# - compute a log-sum-exp that neither overflows nor becomes NaN;
# - join attention to two parts, in any order;
# - compute attention without its $(n, n)$ table, and measure what that saves;
# - say what -1e9 and minus infinity do in each number format.

# %%
progress()
