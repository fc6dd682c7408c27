# %% [markdown]
# # Lesson 01 · Softmax
#
# In lesson 00 you took weighted means, and somebody gave you the weights.
# From now on nobody does.
#
# What a model can compute is a **score**: how well does this fit that?
# A score can be any number, large or small, positive or negative.
# A mean needs **weights**: shares of one whole, none of them below 0, all together 1.
#
# *Softmax* makes weights out of scores.
# Its formula is two lines of code.
# A third line makes it survive on a real computer, and that line is half of this lesson.
#
# You will write
#
# - `softmax`, which every later lesson calls;
# - `log_softmax`, its logarithm, which comes back in lessons 04 and 07, where models learn;
# - `softmax_with_temperature`, which comes back in lesson 02 under another name;
# - a test that tells a right softmax from six wrong ones.
#
# With all its exercises the lesson takes two sittings, of about an hour and a quarter each.
# After `softmax` there is a good place for a break.
#
# When you are stuck, run `hint(softmax)` in a cell of your own, or `hint("weight_ratio")` for a question.
# There are three hints for each: the idea, the place, the line.

# %% locked=true
import numpy as np

from autograder import after, check, hint, progress, solution
from autograder.pictures import bars, curves, heatmaps
from autograder.play import Slider, play
from mha_ref import weighted_mean  # what lesson 00 taught

np.set_printoptions(precision=4, suppress=True)

# %% [markdown]
# ## Do you remember?
#
# Three short questions about lesson 00, to warm up.
# They are not required: no points, no grade, and you may skip them.
#
# A query has the weights 0.25 and 0.75.
# The values are 8 and 4.
# What does the query get?

# %% exercise="remember_the_mean"
remember_the_mean = ...  # a number
### BEGIN SOLUTION
remember_the_mean = 5
### END SOLUTION

# %% [markdown]
# Which of these can be a row of weights?
#
# - `"a"`: (0.5, 0.5, 0.5)
# - `"b"`: (1.2, -0.2, 0)
# - `"c"`: (0.7, 0.3, 0)

# %% exercise="remember_the_weights"
remember_the_weights = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_the_weights = "c"
### END SOLUTION

# %% [markdown]
# Weights of queries × keys meet values of keys × features.
# One of the three lengths is gone in the result of `weights @ values`.
# Which one?
#
# - `"a"`: the queries
# - `"b"`: the keys
# - `"c"`: the features

# %% exercise="remember_the_axis"
remember_the_axis = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_the_axis = "b"
### END SOLUTION

# %% [markdown]
# ## A score is not yet a share
#
# > The cat sat on the mat. It purred.
#
# Who purred?
# A reader looks back from *it* to the words before, and some of them help more than others.
# We say how much by giving each word a score.
# (These four are made up. Lesson 02 computes such scores.)
#
# Shares of one whole: the first idea is to divide by the sum.

# %%
words = ["cat", "mat", "sat", "the"]
scores = np.array([2.0, 1.0, 0.0, -1.0])
scores / scores.sum()

# %% [markdown]
# They sum to 1, but they are not shares.
# *cat* got everything, *mat* got a half on top, and *the* got less than nothing.
# With the scores 1, 0, 0, -1 we would even have divided by 0.
#
# So let us make each score positive first, by some function $f$, and divide after that:
#
# $$w_i = \frac{f(s_i)}{\sum_j f(s_j)}$$
#
# Here $s_i$ is the score of word $i$, and $w_i$ its weight.
# The sum runs over all words $j$ of the row.
# (The upper part of a fraction is its *numerator*, the lower part its *denominator*. You will meet both words again.)
#
# Which $f$?
# It has to lie above 0 everywhere, or some word gets nothing, or less.
# And it has to rise everywhere, or a better score does not get a larger share.
# Here are four that people try.

# %%
s = np.linspace(-2, 2, 81)
candidates = {"exp(s)": np.exp(s), "|s|": abs(s), "s²": s**2, "max(s, 0)": np.maximum(s, 0)}

# %% picture=true
curves(
    {name: (s, values) for name, values in candidates.items()},
    x="score s",
    y="f(s)",
    alt="Four curves over scores from -2 to 2. exp(s) is above 0 and rises everywhere, up to 7.4 at s = 2; no other does "
    "that: |s| and s² fall to 0 and rise again, and max(s, 0) is 0 on the whole left half.",
)

# %% [markdown]
# For $|s|$ and $s^2$, a score of -2 is as good as 2.
# $\max(s, 0)$ lies flat on the left: for it, everything below 0 is equally worthless.
# Of the four only $e^s$ is above 0 everywhere and rises everywhere.
# (In code it is `np.exp`. The number $e$ is 2.718..., and we come to the reason for it now.)
#
# ## Only differences count
#
# $e^s$ does one more thing for us.
# Compare the weights of two words of one row.
# Both are divided by the same sum, so the sum cancels:
#
# $$\frac{w_i}{w_j} = \frac{e^{s_i}}{e^{s_j}} = e^{s_i - s_j}$$
#
# One point more makes the weight $e$ times as large, from 0 to 1 just as from 41 to 42.
# Where the zero of the scale lies does not matter.
# ($2^s$ and $10^s$ would do all this, too. We come back to them under *Temperature*.)
#
# With $f(s) = e^s$ the formula has a name:
#
# $$\mathrm{softmax}(s)_i = \frac{e^{s_i}}{\sum_j e^{s_j}}$$
#
# A *hard* maximum gives everything to the best word.
# The soft one gives the best word most, and every word something.
# So a small change of a score changes the weights a little.
# That is how a model can learn, step by step, which scores to give.
#
# Two lines are the formula.
# We keep them: this naive version will check the safe one.
# It knows one row only, since its sum takes in all that it is given.

# %%
def naive_softmax(scores):
    """The formula, word for word."""
    exponentials = np.exp(scores)
    return exponentials / np.sum(exponentials)

# %% picture=true
bars(
    {"score": scores, "weight": naive_softmax(scores)},
    words,
    y="score, weight",
    alt="Two bars for each of four words. The scores go down in even steps: 2, 1, 0, -1. "
    "The weights go down, too: 0.64, 0.24, 0.09 and 0.03. None is below 0.",
)

# %% [markdown]
# **Calculate.**
# *cat* has a score of 2, *sat* has a score of 0.
# How many times as large as *sat*'s weight is *cat*'s?
# Try to find it from the two scores alone.

# %% exercise="weight_ratio"
weight_ratio = ...  # a number
### BEGIN SOLUTION
weight_ratio = np.exp(2 - 0)
### END SOLUTION

# %% [markdown]
# **Predict.**
# Somebody adds 1000 to every score of the row.
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
# On paper there were three answers.
# The computer has a fourth: `nan`, *not a number*.
#
# $e^{1000}$ has 435 digits before the point.
# A float has a largest value, and whatever is larger becomes `inf`, infinity: it *overflows*.
# Then `inf / inf` is asked for. That could be anything, so it is `nan`.
#
# How large may a score be?
# The logarithm undoes $e^s$, so it finds the score at which $e^s$ is as large as a float can get.

# %%
for kind in (np.float64, np.float32, np.float16):
    largest = float(np.finfo(kind).max)  # finfo: what NumPy knows about this kind of float
    print(f"{kind.__name__} ends at {largest:.3g}, so exp overflows above a score of {np.log(largest):.2f}")

# %% [markdown]
# The last of these, `float16`, gives each number only 16 bits.
# Large models use such short numbers to save memory.
# There a score of 12 is already too much, and scores of that size turn up every day.
#
# The cure is already on this page: only differences count.
# So we may subtract one number $m$ from all scores of a row, whatever number we like.
# It puts a factor $e^{-m}$ in front of every exponential, in the numerator and in the denominator, and the factor cancels:
#
# $$\mathrm{softmax}(s)_i = \frac{e^{s_i - m}}{\sum_j e^{s_j - m}}$$
#
# On paper any $m$ will do.
# On a computer one choice is better than all others: $m = \max_j s_j$, the largest score of the row.
# Then the largest exponent is 0, all others lie below, and nothing can overflow.
# At the other end, `np.exp(-800)` is 0 in a float.
# That is harmless: the true weight would be below $10^{-300}$, and 0 is as near to it as one can wish.
#
# **Calculate.**
# A row has eight scores.
# Its maximum has been subtracted, and `exp` taken of each.
# Between which two numbers does the *sum* of these eight exponentials lie, whatever the scores were?

# %% exercise="sum_bounds"
sum_bounds = ...  # (the smallest it can be, the largest it can be)
### BEGIN SOLUTION
sum_bounds = (1, 8)
### END SOLUTION

# %% [markdown]
# You will meet code that adds 1e-12 to this sum, because its author is afraid of dividing by 0.
# With the maximum subtracted there is nothing to fear: your lower bound says why.
#
# ## Rows, axes and keepdims
#
# So far we had one row.
# In attention there are many at once: one row for each *query*, the word that looks, and one column for each *key*, a word to be looked at.
# Every row is a whole of its own, so every row needs its own maximum and its own sum.

# %%
queries = ["it", "sat", "purred"]
table = np.array([[2.0, 1.0, 0.0, -1.0], [1.0, 1.0, 0.0, 0.0], [4.0, -1.0, 0.0, -1.0]])
print("scores                       ", table.shape)
print("maximum along the last axis  ", table.max(axis=-1).shape)
print("the same, with keepdims=True ", table.max(axis=-1, keepdims=True).shape)

# %% [markdown]
# `axis` is the axis along which the maximum (or the sum) is taken; -1 is the last one, so that means along each row.
# Afterwards this axis is gone: three rows, three numbers, shape `(3,)`.
# NumPy lines shapes up from the right.
# If you subtract these three numbers from the table, the 3 meets the 4 columns, and that is an error.
# With `keepdims=True` the axis stays, with length 1.
# `(3, 1)` fits `(3, 4)`: each row meets its own number.

# %%
try:
    table - table.max(axis=-1)
except ValueError as error:
    print("without keepdims:", error)
print(table - table.max(axis=-1, keepdims=True))

# %% [markdown]
# An error is the friendly case.
# Look at what happens to a square.

# %%
square = np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0], [5.0, 5.0, 5.0]])
print(square - square.max(axis=-1), "\n")
print(square - square.max(axis=-1, keepdims=True))

# %% [markdown]
# Both lines run.
# In the second result the largest number of each row is 0, as it should be.
# In the first one, the three maxima were laid along the columns, so from most scores the maximum of another row was subtracted.
# The 25, say, is 30 - 5: the 5 is the maximum of the last row.
# Nobody complains.
# A shape that fits by accident is the quietest bug there is, and it will be back in lesson 03.
#
# ## Write softmax
#
# You have all the parts: a maximum to subtract, an exponential, a sum to divide by.
# The maximum and the sum need an axis.

# %% exercise="softmax"
def softmax(scores, axis=-1):
    """Positive weights that sum to 1 along `axis`: the larger the score, the larger the weight.

    scores: (...) floating, with any number of axes -> same shape.
    Finite for any finite scores, also in float16; weights too small for a float are 0.
    The scores themselves are not changed.
    """
    ### BEGIN SOLUTION
    top = np.max(scores, axis=axis, keepdims=True)
    unscaled = np.exp(scores - top)
    return unscaled / np.sum(unscaled, axis=axis, keepdims=True)
    ### END SOLUTION

# %% [markdown]
# First, does it agree with the formula?
# And do 1000 points more still change nothing?
# The last line is in `float16`, with scores from 9 to 12.
# (`after(softmax, ...)` waits until your `softmax` is written, and then runs what follows.)

# %%
def compare():
    print("naive            ", naive_softmax(scores))
    print("yours            ", softmax(scores))
    print("1000 points more ", softmax(scores + 1000))
    print("in float16       ", softmax((scores + 10).astype(np.float16)))  # astype: as another kind of number


after(softmax, compare)

# %% [markdown]
# Now the whole table, along either axis.

# %% picture=true
after(
    softmax,
    lambda: heatmaps(
        {"axis=-1": softmax(table), "axis=0": softmax(table, axis=0)},
        row_labels=queries,
        column_labels=words,
        alt="Two tables of weights for the same scores, with rows it, sat, purred and columns cat, mat, sat, the. Once "
        "softmax is right: with axis=-1 each row sums to 1, and purred gives 0.97 to cat; with axis=0 each column sums to 1, and purred gives 0.84 to cat.",
    ),
)

# %% [markdown]
# On the left each row sums to 1: where does this query look?
# On the right each column sums to 1: who looks at this key?
# Both tables hold numbers between 0 and 1, and both look like attention.
# But on the right the rows do not sum to 1, so a query there has no whole to share out.
#
# ---
#
# This is a good place for a break.
# Save the notebook.
# When you come back to it, choose *Run All Cells* first: after a restart Python has forgotten your function until its cell runs again.
#
# ## A bug that hides
#
# **Fix the bug.**
# Here is a softmax with a loop over the rows.
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
# The two rows have the same differences, so they should have the same weights.
# And look which of them failed: the one with the small scores.
# Repair the function where it stands, and run its cell until both rows agree. One line is enough.
# In which line was the bug? (Only this number is checked.)

# %% exercise="softmax_bug"
softmax_bug = ...  # the number of the line
### BEGIN SOLUTION
softmax_bug = 3
### END SOLUTION

# %% [markdown]
# ## Write a test
#
# You have seen how a bug survives: nobody tried the input that shows it.
# A *test* is a function that tries such inputs, and complains.
# In Python it complains by `assert`: the line `assert np.allclose(a, b)` does nothing if `a` and `b` agree up to rounding, and raises an error if they do not.
#
# Your test is given somebody's softmax, and must find out whether it is right.
# Inside the test, the name `softmax` means that one, not yours.
# We try it on the right one, which it must let pass, and on six wrong ones, which it must stop.
# The check calls them by these names (to *normalise* is to divide, so that the sum becomes 1):
#
# 1. it *turns the sign*: the smallest score gets the largest weight;
# 2. it takes *softmax twice*: once more, of its own result;
# 3. it *normalises over the first axis*, whatever was asked for;
# 4. it *ignores the axis* that was asked for, and works along the last one;
# 5. it *forgets to subtract the maximum*;
# 6. it *subtracts the largest of all* scores from every row, as in the bug above.
#
# Only an error counts: nobody looks at what your test returns or prints.
# As long as scores are small, the weights of all six sum to 1 along some axis.
# So a sum of 1 shows little.
# Which inputs show more?

# %% exercise="test_softmax"
def test_softmax(softmax):
    """Raise an error if `softmax` is not right; do nothing if it is.

    softmax: a function to call as softmax(scores) or softmax(scores, axis=0); scores is a NumPy array of floats.
    The right one has to pass; each of the six wrong ones, listed above, has to be stopped by an `assert`.
    What the test returns is ignored.
    """
    ### BEGIN SOLUTION
    small = np.array([[0.0, 1.0, 3.0], [2.0, 2.0, -1.0]])
    wanted = np.exp(small) / np.exp(small).sum(axis=-1, keepdims=True)
    assert np.allclose(softmax(small), wanted)
    assert np.allclose(softmax(small, axis=0).sum(axis=0), 1)
    assert np.allclose(softmax(small + np.array([[0.0], [1000.0]])), wanted)
    ### END SOLUTION

# %% [markdown]
# ## The logarithm, without the weight
#
# A language model gives each possible next word a weight, its probability.
# How surprised is it by the word that really comes?
# The usual measure is $-\log w$: 0 if it was sure of that word, large if it gave the word almost no chance.
# This is the *loss* of lessons 04 and 07, and a model learns by making it smaller.
# ($\log$ is the natural logarithm, the one that undoes $e^s$: `np.log`.)
#
# So we need the logarithm of a softmax.
# Here is a row in which the second word has almost no chance.

# %%
with np.errstate(divide="ignore"):
    print(np.log(naive_softmax(np.array([0.0, -1000.0]))))

# %% [markdown]
# The second number should be -1000.
# But the weight $e^{-1000}$ is too small for a float, so it became 0, and $\log 0$ is minus infinity.
# No model can learn from an infinite loss.
#
# The scores knew the answer.
# It got lost on the way through the weight, so let us not go that way.
# The logarithm of a quotient is a difference, and the logarithm undoes $e$:
#
# $$\log \frac{e^{s_i - m}}{\sum_j e^{s_j - m}} = (s_i - m) - \log \sum_j e^{s_j - m}$$
#
# Nothing gets lost on the right.
# The first term is a plain difference, however far the score lies below the best one.
# And the logarithm meets only a sum whose bounds you found: it is at least 1.
# Do not try to simplify this last term: the logarithm of a sum is *not* the sum of the logarithms.
#
# A number to remember: four words with equal scores have the weight 1/4 each, and $\log 1/4$ is -1.39.
# So 1.39 is the loss of a model that knows nothing about four words, and one that has learned something should be below it.

# %% exercise="log_softmax"
def log_softmax(scores, axis=-1):
    """The natural logarithm of softmax along `axis`.

    scores: (...) floating, with any number of axes -> same shape.
    Finite wherever the result fits into a float, also where the weight itself is too small for one.
    The scores themselves are not changed.
    """
    ### BEGIN SOLUTION
    lowered = scores - np.max(scores, axis=axis, keepdims=True)
    return lowered - np.log(np.sum(np.exp(lowered), axis=axis, keepdims=True))
    ### END SOLUTION

# %% [markdown]
# The picture shows what becomes of a row of two words, while the second falls further and further behind the first.
# We take the logarithm of its weight in both ways, with your two functions.
# The second way breaks off: a mark shows where.

# %% picture=true
def two_ways():
    gaps = np.linspace(0, 1000, 201)
    rows = np.stack([np.zeros(201), -gaps], axis=-1)  # side by side: 201 rows of two scores
    with np.errstate(divide="ignore"):
        safe, naive = log_softmax(rows)[:, 1], np.log(softmax(rows))[:, 1]
    end = np.isfinite(naive).nonzero()[0][-1:]  # the last place where it is no infinity
    return curves(
        {"log_softmax": (gaps, safe), "log of softmax": (gaps, naive), "here it ends": (gaps[end], naive[end])},
        x="how far the second score lies behind",
        y="log of its weight",
        alt="Once both are right: two lines fall together from -0.7 at a distance of 0. A mark near 745 shows where the "
        "dashed one, log of softmax, ends: from there on it is minus infinity. log_softmax goes on straight to -1000.",
    )


after(log_softmax, two_ways)

# %% [markdown]
# ## Temperature
#
# How much more than the others should the best word get?
# Since only differences count, we can make them larger or smaller: divide all scores by a number $T$, the *temperature*.
#
# $$w_i = \frac{e^{s_i / T}}{\sum_j e^{s_j / T}}$$
#
# - $T = 1$ is plain softmax.
# - Below 1 it is cold: differences grow, and the best word takes nearly all. Near 0 softmax becomes the hard maximum.
# - Above 1 it is hot: differences shrink, and the weights become more and more even.
#
# The word comes from physics, where the same formula tells how many particles have which energy.
# It is also what you turn in a chatbot to make its answers tamer or wilder.
# And it settles the question of the base: $10^s$ is $e^{s / T}$ with $T = 0.43$, and $2^s$ is the same with $T = 1.44$.
# So another base is another temperature, and nothing is lost if everybody takes $e$.
# Lesson 02 divides all scores by $\sqrt{d}$, where $d$ is the number of features: a temperature by another name.
#
# $T$ has to be above 0.
# At 0 one would divide by 0, and below 0 the order turns round: the worst word gets most.

# %% exercise="softmax_with_temperature"
def softmax_with_temperature(scores, temperature, axis=-1):
    """Softmax along `axis` of scores / temperature: below 1 the best score gets more, above 1 the weights are more even.

    scores: (...) floating, with any number of axes -> same shape.
    temperature: a number above 0.
    Finite wherever scores / temperature fits into a float; the scores themselves are not changed.
    You may call your own softmax.
    """
    ### BEGIN SOLUTION
    return softmax(scores / temperature, axis)
    ### END SOLUTION

# %% [markdown]
# The scores of our four words once more, and a slider for the temperature.
# Each step makes it about one and a half times as hot.
# (You can drag the slider.
# Or press Tab until it has a blue ring, and then the arrow keys.)
#
# On the way from cold to hot *cat* can only lose.
# One of the other words gains at first, and then loses again.
# Guess which, before you move the slider.

# %% picture=true
def weights_at(temperature):
    weights = softmax_with_temperature(scores, temperature)
    shares = ", ".join(f"{word} {weight:.2f}" for word, weight in zip(words, weights))
    return bars({"weight": weights}, words, y="weight", top=1, alt=f"Weights at temperature {temperature}: {shares}.")


temperatures = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10)
after(softmax_with_temperature, lambda: play(weights_at, temperature=Slider(temperatures, start=1)))

# %% [markdown]
# Notice what never happens: no word overtakes another.
# Temperature changes how far apart the weights are, and not their order.
#
# Here are all temperatures up to 6 in one picture.
# Look for the curve that rises and falls.

# %% picture=true
def from_cold_to_hot():
    temperatures = np.linspace(0.1, 6, 60)
    weights = np.array([softmax_with_temperature(scores, t) for t in temperatures])
    return curves(
        {word: (temperatures, weights[:, n]) for n, word in enumerate(words)},
        x="temperature",
        y="weight",
        alt="Once it is right: four curves, one for each word, over temperatures from 0.1 to 6. On the left cat has all "
        "the weight. It falls, to 0.64 at temperature 1 and 0.32 at 6. The others rise from 0; mat stops at 0.28 and "
        "falls again, a little. At 6 all four lie between 0.19 and 0.32.",
    )


after(softmax_with_temperature, from_cold_to_hot)

# %% [markdown]
# It is *mat*.
# As long as it is cold, *mat* gains with each step.
# Between 2 and 3 it has the most that it ever gets, 0.28, and after that it loses a little to *sat* and *the*.
#
# **Read the plot.**
# At which temperature does *cat* have half of the weight?
# An approximate answer is enough.
# Or ask your function, and come as near as you like.

# %% exercise="half_temperature"
half_temperature = ...  # a number
### BEGIN SOLUTION
half_temperature = 1.64
### END SOLUTION

# %% [markdown]
# ## Back to the mean
#
# Here is what it was all for.
# Give each word two values: is it alive, and can one sit on it?
# Your weights, and the weighted mean of lesson 00, tell every query what it has been looking at.

# %%
values = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]])  # cat, mat, sat, the
after(softmax, lambda: weighted_mean(softmax(table), values))

# %% [markdown]
# The first row is *it*: 0.64 of a living being, 0.24 of something to sit on.
# From scores to weights to a mean: one piece of attention is still missing, and that is where the scores come from.
#
# ## Summary
#
# You can now
#
# - turn any scores into weights along any axis, and say why $e^x$ does it: it is positive, it rises, and only differences count;
# - say where `exp` overflows, and why the *row's maximum* is the number to subtract;
# - keep an axis with `keepdims=True`, and distrust a square;
# - take the logarithm of a weight that is too small to exist;
# - make weights colder and hotter;
# - write a test that stops more than the bugs you have met.
#
# In lesson 02 you build the missing piece, the scores.
# A query and a key meet there, and a temperature that depends on how many features they have.

# %% [markdown]
# Here is how far you are in the course, and what comes next.

# %%
progress()
