# %% [markdown]
# # Lesson 01 · Softmax
#
# In lesson 00 the weights were given.
# From now on you compute them.
#
# A model can compute a **score**, a number that says how well one thing fits another.
# A score can be large or small, positive or negative.
# But a mean needs weights that are never below 0 and add up to 1.
# *Softmax* turns scores into weights.
# Its formula takes two lines of code.
# A third line keeps it from failing on a real computer, and half of this lesson is about that line.
#
# You will write one function, `softmax`, on which the attention of all later lessons rests.

# %% locked=true
import numpy as np

from autograder import after, check, hint, progress, solution
from autograder.mine import weighted_mean
from autograder.pictures import bars, curves, heatmaps

np.set_printoptions(precision=4, suppress=True)

# %% [markdown]
# ## A score is not yet a share
#
# > The cat sat on the mat. It purred.
#
# Who purred?
# A reader looks back from *it* to the earlier words, and some of them help more than others.
# Suppose we give each word a score.
# (These four are made up; lesson 02 computes such scores.)
#
# Can we turn the scores into shares by dividing by their sum?

# %%
words = ["cat", "mat", "sat", "the"]
scores = np.array([2.0, 1.0, 0.0, -1.0])
scores / scores.sum()

# %% [markdown]
# They add up to 1, but they are not shares: *cat* got everything, and *the* got less than nothing.
# With the scores 1, 0, 0, -1 we would even have divided by 0.
#
# So let us first make each score positive with some function $f$, and then divide:
#
# $$w_i = \frac{f(s_i)}{\sum_j f(s_j)}$$
#
# Here $s_i$ is the score of word $i$, and $w_i$ is its weight.
# The sum runs over all the words in the row.
#
# Which $f$?
# It must be above 0 everywhere, so that no weight is negative.
# It must also rise everywhere, so that a better score gets a larger share.
# Here are four functions that people try.

# %%
s = np.linspace(-2, 2, 81)
candidates = {"exp(s)": np.exp(s), "|s|": abs(s), "s²": s**2, "max(s, 0)": np.maximum(s, 0)}

# %% picture=true
curves(
    {name: (s, values) for name, values in candidates.items()},
    x="score s", y="f(s)",
    alt="Four curves over scores from -2 to 2. exp(s) is above 0 and rises everywhere, up to 7.4 at s = 2; no other does "
    "that: |s| and s² fall to 0 and rise again, and max(s, 0) is 0 on the whole left half.",
)

# %% [markdown]
# For $|s|$ and $s^2$, a score of -2 is as good as one of 2; for $\max(s, 0)$, all scores below 0 are equally worthless.
# Of the four, only $e^s$ is positive everywhere and rises everywhere.
# (In code it is `np.exp(s)`, and $e$ is about 2.718.)
#
# ## Only differences count
#
# There is another reason for $e^s$.
# Compare the weights of two words in the same row.
# Both are divided by the same sum, so the sum cancels:
#
# $$\frac{w_i}{w_j} = \frac{e^{s_i}}{e^{s_j}} = e^{s_i - s_j}$$
#
# If one word scores one point more than another, its weight is $e$ times as large, whether their scores are 1 and 0 or 42 and 41.
#
# With $f(s) = e^s$ the formula is called softmax:
#
# $$\mathrm{softmax}(s)_i = \frac{e^{s_i}}{\sum_j e^{s_j}}$$
#
# Scores that are about to go through a softmax are also called **logits**, a word that you will often meet in code.
# A *hard* maximum would give everything to the best word.
# Softmax gives the best word the largest share and every other word at least a little, and a small change in a score changes the weights only a little.
# This lets a model improve its scores step by step.
#
# Here is the formula for a single row.
# We keep this naive version so that we can check the safe one against it.

# %%
def naive_softmax(scores):
    """The formula, taken literally."""
    exponentials = np.exp(scores)
    return exponentials / np.sum(exponentials)

# %% picture=true
bars(
    {"score": scores, "weight": naive_softmax(scores)},
    words, y="score, weight",
    alt="Two bars for each of four words. The scores go down in even steps: 2, 1, 0, -1. "
    "The weights go down, too: 0.64, 0.24, 0.09 and 0.03. None is below 0.",
)

# %% [markdown]
# **Calculate.**
# *cat* has a score of 2, and *sat* has a score of 0.
# By what factor is the weight of *cat* larger than that of *sat*?
# You need only the two scores.

# %% exercise="weight_ratio"
weight_ratio = ...  # a number
### BEGIN SOLUTION
weight_ratio = np.exp(2 - 0)
### END SOLUTION

# %% [markdown]
# **Predict.**
# Someone adds 1000 to every score in the row.
# By the formula, the weights ...
#
# - `"a"` stay as they are;
# - `"b"` become more even;
# - `"c"` become more uneven.

# %% exercise="added_thousand"
added_thousand = ...  # "a", "b" or "c"
### BEGIN SOLUTION
added_thousand = "a"
### END SOLUTION

# %% [markdown]
# Now ask the computer.

# %%
with np.errstate(all="ignore"):  # keeps NumPy from warning us: we want to see it go wrong
    print(naive_softmax(scores + 1000))

# %% [markdown]
# ## Where exp overflows
#
# The computer has an answer of its own: `nan`, *not a number*.
#
# $e^{1000}$ has 435 digits before the decimal point.
# Every kind of float (floating-point number) has a largest value, and anything above it **overflows** to `inf`, infinity.
# Then the computer must work out `inf / inf`, which could be anything, so it says `nan`.
#
# How large can a score be?
# The logarithm undoes $e^s$, so it tells us where $e^s$ reaches the largest float.

# %%
for kind in (np.float64, np.float32, np.float16):
    largest = float(np.finfo(kind).max)  # finfo: what NumPy knows about this kind of float
    print(f"{kind.__name__} ends at {largest:.3g}, so exp overflows above a score of {np.log(largest):.2f}")

# %% [markdown]
# The last kind, `float16`, uses only 16 bits per number.
# Large models often compute with 16 bits to save memory, and in `float16` a score of 12 is already too much.
#
# The cure is already on this page: only differences count.
# So we may subtract any number $m$ from all the scores in a row.
# Every exponential gets the same factor $e^{-m}$, in the numerator and in the denominator, so the factor cancels:
#
# $$\mathrm{softmax}(s)_i = \frac{e^{s_i - m}}{\sum_j e^{s_j - m}}$$
#
# On paper any $m$ will do.
# On a computer a good choice is $m = \max_j s_j$, the largest score of the row.
# Then the largest exponent is 0, so nothing can overflow.
# At the other end, `np.exp(-800)` is rounded to 0, which does no harm: the true value is below $10^{-300}$.
#
# **Calculate.**
# A row has eight scores.
# We subtract their maximum from each and take `exp` of the results.
# Between which two numbers must the *sum* of these eight exponentials lie?

# %% exercise="sum_bounds"
sum_bounds = ...  # (the smallest it can be, the largest it can be)
### BEGIN SOLUTION
sum_bounds = (1, 8)
### END SOLUTION

# %% [markdown]
# Some code adds 1e-12 to this sum, to avoid dividing by 0.
# Your lower bound shows that this is unnecessary once the maximum is subtracted.
#
# ## Rows and axes
#
# That was a single row.
# In attention there are many: one row for each query (the word that looks) and one column for each key (a word it may look at).
# Each query shares out its own attention, so each row needs its own maximum and its own sum.

# %%
queries = ["it", "sat", "purred"]
table = np.array([[2.0, 1.0, 0.0, -1.0], [1.0, 1.0, 0.0, 0.0], [4.0, -1.0, 0.0, -1.0]])
print("scores                       ", table.shape)
print("maximum along the last axis  ", table.max(axis=-1).shape)
print("the same, with keepdims=True ", table.max(axis=-1, keepdims=True).shape)

# %% [markdown]
# `axis=-1` means the last axis, so the maximum is taken along each row.
# Afterwards that axis is gone: three rows give three numbers, with shape `(3,)`.
#
# When two shapes differ, NumPy lines them up from the right and stretches axes of length 1, which is called **broadcasting**.
# Here the 3 maxima would meet the 4 columns, which is an error.
# With `keepdims=True` the axis stays, with length 1.
# Then `(3, 1)` fits `(3, 4)`, and each row meets its own maximum.

# %%
try:
    table - table.max(axis=-1)
except ValueError as error:
    print("without keepdims:", error)
print(table - table.max(axis=-1, keepdims=True))

# %% [markdown]
# That error was the lucky case.
# Now try a square array.

# %%
square = np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0], [5.0, 5.0, 5.0]])
print(square - square.max(axis=-1), "\n")
print(square - square.max(axis=-1, keepdims=True))

# %% [markdown]
# Both lines run.
# In the second result the largest number of each row is 0, as it should be.
# In the first, the three maxima were lined up with the columns, so most scores had another row's maximum subtracted.
# There was no error.
# A shape that fits by accident causes the quietest kind of bug; you will meet another in lesson 03.
#
# ## Write softmax
#
# You have all the parts: a maximum to subtract, an exponential, and a sum to divide by.

# %% exercise="softmax"
def softmax(scores, axis=-1):
    """Positive weights that sum to 1 along `axis`: the larger the score, the larger the weight.

    scores: (...) floating-point numbers, with any number of axes -> same shape.
    Finite for any finite scores, also in float16; weights too small for a float are 0.
    The scores themselves are not changed.
    """
    ### BEGIN SOLUTION
    top = np.max(scores, axis=axis, keepdims=True)
    unscaled = np.exp(scores - top)
    return unscaled / np.sum(unscaled, axis=axis, keepdims=True)
    ### END SOLUTION

# %% [markdown]
# Does it agree with the formula, and does adding 1000 now change nothing?
# The last line uses `float16`, with scores from 9 to 12.

# %%
def compare():
    print("naive            ", naive_softmax(scores))
    print("yours            ", softmax(scores))
    print("1000 points more ", softmax(scores + 1000))
    print("in float16       ", softmax((scores + 10).astype(np.float16)))  # astype: as another kind of number

after(softmax, compare)

# %% [markdown]
# Here is the whole table, along either axis.

# %% picture=true
after(softmax, lambda: heatmaps(
    {"axis=-1": softmax(table), "axis=0": softmax(table, axis=0)},
    row_labels=queries, column_labels=words,
    alt="Two tables of weights for the same scores, with rows it, sat, purred and columns cat, mat, sat, the. "
    "Once softmax is right: with axis=-1 each row sums to 1, and purred gives 0.97 to cat; "
    "with axis=0 each column sums to 1, and purred gives 0.84 to cat.",
))

# %% [markdown]
# On the left each row adds up to 1 and answers a question: where does this query look?
# On the right each column adds up to 1: which queries look at this key?
# Both look like attention, but on the right the weights of a query no longer add up to 1.
#
# ## A bug that hides
#
# **Fix the bug.**
# This softmax loops over the rows.
# Its author tried it on many matrices with small scores, and it was right every time.

# %%
def softmax_by_rows(scores):
    """Softmax of every row of a matrix."""
    weights = np.empty(scores.shape)  # line 1
    for row in range(len(scores)):  # line 2
        powers = np.exp(scores[row] - scores.max())  # line 3
        total = powers.sum()  # line 4
        weights[row] = powers / total  # line 5
    return weights  # line 6

with np.errstate(all="ignore"):
    print(softmax_by_rows(np.array([[1.0, 2.0, 3.0], [1001.0, 1002.0, 1003.0]])))

# %% [markdown]
# Both rows have the same differences, so they should have the same weights.
# Surprisingly, the row that failed is the one with the small scores.
# Changing one line is enough to make both rows agree.
# Which line has the bug?
# (Only its number is checked; to be sure, change the line and run the cell again.)

# %% exercise="softmax_bug"
softmax_bug = ...  # the number of the line
### BEGIN SOLUTION
softmax_bug = 3
### END SOLUTION

# %% [markdown]
# ## Back to the mean
#
# Now put the weights to use.
# Give each word two values: is it alive, and can you sit on it?
# Your weights and the weighted mean from lesson 00 tell each query what it has been looking at.

# %%
values = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]])  # cat, mat, sat, the
after(softmax, lambda: weighted_mean(softmax(table), values))

# %% [markdown]
# The first row belongs to *it*, which has received 0.64 of a living being and 0.24 of something to sit on.
#
# ## Summary
#
# You can now
#
# - turn any scores into weights along any axis, and explain why $e^s$ is a good choice;
# - say where `exp` overflows, and why we subtract the maximum of the *row*;
# - keep an axis with `keepdims=True`, and be wary of square arrays.
#
# One piece of attention is still missing: where do the scores come from?
# Lesson 02 computes them.

# %%
progress()
