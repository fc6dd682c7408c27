# %% [markdown]
# # Lesson 13 · Blocks
#
# This lesson is a draft: what stands here came from earlier lessons, and waits to be made into one.

# %% locked=true
import numpy as np
import torch

from autograder import after, check, hint, progress, solution
from mha_ref import softmax

device = "cpu"

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

# %% [markdown]
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

# %%
progress()
