# %% [markdown]
# # Lesson 00 · Start here
#
# In this course you build **multi-head attention**, the part of a *neural network* that decides where to look.
# (A neural network is a program that learns from examples.)
# Translators, chat assistants and many image generators depend on it.
# You write it yourself, function by function, and after each one you can ask whether it is right and, if not, why.
#
# You need functions and classes in Python, NumPy arrays, and some high-school mathematics: $e^x$, the logarithm, and the sum sign $\sum$.
# Classes come in lesson 04; if you have never written one, see *A class in twenty lines* at the end of this page.
# If you know some of the course already, *Where to begin*, also at the end, is a ten-minute test that tells you which lesson to start with.
#
# This page is a *notebook*: text, with cells of code in between.
# To run a cell, click on it and press Shift + Enter.
# Run the cells in order, because later ones use what earlier ones made.
# On a small screen, Ctrl + B (Cmd + B on a Mac) hides the list of files to make room.
# Cells that only draw a picture are folded into a single line with three dots; run them like any other.
# (The first cell helps where the course is not installed; otherwise it does nothing.)

# %% locked=true
import numpy as np

# Both packages belong to this course: the first checks what you write, the second draws.
from autograder import after, check, hint, progress, solution
from autograder.pictures import heatmap

# %% [markdown]
# ## What you will build
#
# In lesson 07 you will build a small translator.
# It is a **model**: it starts out knowing nothing and learns from examples, which is called **training**.
# Here a smaller one has read *the white cat sees a red car.* and is writing the same sentence in French, one word at a time.

# %% picture=true
english = ["the", "white", "cat", "sees", "a", "red", "car", "."]
french = ["le", "chat", "blanc", "voit", "une", "voiture", "rouge", "."]

# From a trained translator, rounded to two digits; another training run would give slightly different numbers.
alignment = np.array([
    [0.64, 0.00, 0.34, 0.00, 0.00, 0.00, 0.01, 0.00],  # le
    [0.00, 0.00, 1.00, 0.00, 0.00, 0.00, 0.00, 0.00],  # chat
    [0.00, 0.98, 0.01, 0.00, 0.00, 0.00, 0.00, 0.01],  # blanc
    [0.01, 0.04, 0.00, 0.90, 0.01, 0.03, 0.00, 0.01],  # voit
    [0.00, 0.00, 0.00, 0.00, 0.46, 0.00, 0.54, 0.00],  # une
    [0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 1.00, 0.00],  # voiture
    [0.00, 0.00, 0.00, 0.00, 0.00, 1.00, 0.00, 0.00],  # rouge
    [0.00, 0.00, 0.00, 0.00, 0.00, 1.00, 0.00, 0.00],  # .
])

heatmap(
    alignment,
    title="where the translator looks",
    rows="before it writes", columns="it looks at", row_labels=french, column_labels=english,
    alt="A table of weights: eight French words as rows, eight English words as columns. Most rows have one dark square: "
    "chat has 1.00 at cat, voit 0.90 at sees, voiture 1.00 at car, rouge 1.00 at red. "
    "The dark squares follow the diagonal, and cross over where French puts the colour after the noun. "
    "Two rows have two: le has 0.64 at the and 0.34 at cat, and une is asked about below, as blanc is. "
    "The row of the full stop has 1.00 at red.",
)

# %% [markdown]
# Each row is a French word, and each column is an English one.
# The numbers in a row say how much the translator looked at each English word before it wrote the French one.
# They are shares of a whole, so each row adds up to 1, apart from rounding.
#
# English says *white cat*, French says *chat blanc*.
# In the rows `chat` and `blanc`, and again in `voiture` and `rouge`, the dark squares cross over.
# No one programmed this.
# The translator was shown pairs of sentences, tried to guess each next French word, and learned where it helps to look.
#
# A table like this is called an **attention pattern**.
# The part of a model that makes such a table and uses it is a **head**; *multi-head* attention has several heads side by side.
#
# In lesson 09 the same parts make a *language model*, which continues any text you give it.
# Ours learned from the prose of this course and nothing else, one character at a time.
# Given *Attention is*, it went on:
#
# > Attention is a weights. The part the same out is what the place place of the squares not is what tokens of trianglise it make this.
#
# It makes no sense, but look: most of these are English words, and no one told it what a word is.
# A chat assistant is built on the same idea, with many more heads and far more text to learn from.

# %% [markdown]
# ## How a lesson works
#
# You read, predict, write, and check.
#
# - A *question* asks for a value: write it in place of the three dots.
# - An *exercise* asks for a function: write its body.
#   The text between the triple quotes says everything it must do.
# - Each is followed by a locked cell that calls `check`.
#   Run your cell, then the locked one, and a *card* tells you what it found.
#   Check as often as you like; only your last answer counts.
# - If you are stuck, add a cell with the **+** button above the notebook and run `hint()` in it.
#   It helps with whatever you checked last; for anything else, give its name: `hint("blanc_looks_at")`.
#   Each call tells you a little more; for a function, first the idea, then the place, then the line.
# - Once your answer is right, `solution("blanc_looks_at")` shows you ours.
#
# Try it now: in the picture above, which English word does the row `blanc` look at most?
# Give a wrong answer first if you like, to see what `check` says.

# %% exercise="blanc_looks_at"
blanc_looks_at = ...  # an English word, in quotes
### BEGIN SOLUTION
blanc_looks_at = "white"
### END SOLUTION

# %% [markdown]
# Notebooks have one trap.
# Python remembers every cell in the order you ran it, even cells you have since deleted.
# If a variable has an unexpected value, choose *Kernel*, then *Restart Kernel and Run All Cells*.
# (The kernel is the Python that runs your cells.)
# You can do this at any time: unfinished exercises break nothing, and what you typed stays.
#
# When you come back another day, select the cell where you stopped and choose *Run*, then *Run All Above Selected Cell*.

# %% [markdown]
# ## A dictionary returns one value
#
# Attention is a way of looking things up.
# You already know another one: the dictionary.
# This dictionary holds the weather on one day.
# Its *keys* are hours, and each *value* is a pair of numbers: the temperature in degrees and the wind in km/h.

# %%
weather = {8: (10, 4), 12: (18, 8), 16: (22, 6)}

print("at 12:00:", weather[12])
print("at 14:00:", weather.get(14, "no such key"))

# %% [markdown]
# A dictionary is strict: what you ask for, the *query*, matches one key exactly or none at all.
# It has no answer for 14:00, but we can make a good guess.
# Since 14:00 is halfway between 12:00 and 16:00, take half of each value:
#
# $$0.5 \cdot 18 + 0.5 \cdot 22 = 20 \text{ degrees}$$
#
# This is the step from a dictionary to attention.
# A **query** may match several **keys**, each to some degree, and it takes a share of each key's **value**.
#
# > A dictionary returns one value.
# > Attention returns a **weighted mean** of all of them.

# %% [markdown]
# ## A weighted mean
#
# The shares are called **weights**.
# None of them is negative, and they add up to 1:
#
# $$\text{mean} = \sum_{k} w_k \, v_k \qquad \text{with} \quad w_k \ge 0 \quad \text{and} \quad \sum_{k} w_k = 1$$
#
# In words: multiply each value $v_k$ by its weight $w_k$, and add up the products.
# There is no need to divide by anything, because the weights already add up to 1.
#
# Let us ask four questions about the weather at once, each with its own row of weights.
# Here we choose the weights by hand; in the next two lessons we compute them.

# %%
times = ["12:00", "14:00", "9:00", "all day"]
hours = ["8:00", "12:00", "16:00"]
weather_weights = np.array([[0, 1, 0], [0, 0.5, 0.5], [0.75, 0.25, 0], [1 / 3, 1 / 3, 1 / 3]])
weather_values = np.array([[10.0, 4], [18, 8], [22, 6]])

# %% picture=true
heatmap(
    weather_weights,
    title="weights", row_labels=times, column_labels=hours,
    alt="Four rows of weights over the hours 8, 12 and 16. The row 12:00 has all its weight on 12; the row 14:00 has a half "
    "on 12 and a half on 16; the row 9:00 has three quarters on 8 and a quarter on 12; the row all day has a third on each.",
)

# %% [markdown]
# There are four queries and three keys.
# The two numbers in a value are its **features**, and features never mix: temperatures are averaged with temperatures, winds with winds.
#
# Which of these rows of weights does what a dictionary does for `weather[12]`?
#
# - **a**: (1/3, 1/3, 1/3)
# - **b**: (0, 1, 0)
# - **c**: (0, 2, 0)

# %% exercise="lookup_weights"
lookup_weights = ...  # "a", "b" or "c"
### BEGIN SOLUTION
lookup_weights = "b"
### END SOLUTION

# %% [markdown]
# So a dictionary is the special case in which one weight is 1.
#
# Now work one out by hand: the *temperature* at 9:00.
# The weights are in the third row of the picture, and the temperatures are 10, 18 and 22 degrees.

# %% exercise="temperature_at_nine"
temperature_at_nine = ...  # a number
### BEGIN SOLUTION
temperature_at_nine = 0.75 * 10 + 0.25 * 18 + 0 * 22
### END SOLUTION

# %% [markdown]
# ## From loops to one operator
#
# Here is the same calculation in Python: for each query, go through the keys, multiply each value by its weight, and add up.

# %%
def weighted_mean_by_loops(weights, values):
    """weights: (queries, keys), values: (keys, features) -> (queries, features)."""
    mean = np.zeros((len(weights), values.shape[1]))
    for query in range(len(weights)):
        for key in range(len(values)):
            mean[query] += weights[query, key] * values[key]
    return mean


weighted_mean_by_loops(weather_weights, weather_values)

# %% [markdown]
# Each row answers one query: temperature first, then wind.
# Loops like these are slow but easy to trust, so we keep them to check the fast version.
#
# The fast version uses `@`, the *matrix product*.
# It takes each row of the left array and each column of the right one, multiplies their numbers in pairs, and adds up the products.

# %%
left = np.array([[1, 2, 3]])
right = np.array([[10, 0], [20, 0], [30, 5]])

print(left.shape, "@", right.shape, "->", (left @ right).shape)
print(left @ right)

# %% [markdown]
# The 140 is $1 \cdot 10 + 2 \cdot 20 + 3 \cdot 30$.
# Look at the shapes: the two inner lengths must agree, and they vanish from the result:
#
# $$(1, \mathbf{3}) \; @ \; (\mathbf{3}, 2) \;\to\; (1, 2)$$
#
# (Do not confuse `@` with `*`, which multiplies number by number and adds nothing up.)
#
# If there are axes in front, `@` works on the last two, once for each item along the others.
# That is how a **batch** is processed: many sentences, or many days, side by side, each as if it were alone.
# Three dots stand for any number of axes in front:
#
# `(..., queries, keys) @ (..., keys, features)` gives `(..., queries, features)`.
#
# Predict: we ask our four questions about six days.
# The weights have shape (6, 4, 3) and the values have shape (6, 3, 2).
# What shape does `@` give?

# %% exercise="shape_of_six_days"
shape_of_six_days = ...  # a shape: numbers in parentheses, with commas between them
### BEGIN SOLUTION
shape_of_six_days = (6, 4, 2)
### END SOLUTION

# %% [markdown]
# ## Your first function
#
# Now write the weighted mean, for any number of axes in front.
# It takes one line, and it is half of attention; the other half makes the weights.
#
# Leave the first line as it is, and use only what the function receives: the check calls it with numbers of its own.
# `return` one array of floating-point numbers, unless the text asks for something else.

# %% exercise="weighted_mean"
def weighted_mean(weights, values):
    """For each query the mean of all values, weighted by the query's row of weights.

    weights: (..., queries, keys), floating-point numbers; each row sums to 1.
    values: (..., keys, features), floating-point numbers; the same axes `...` in front, or none.
    -> (..., queries, features), floating-point numbers.
    The inputs are not changed. Finite inputs give a finite result, if it fits into a float.
    """
    ### BEGIN SOLUTION
    return weights @ values
    ### END SOLUTION

# %% [markdown]
# Here is your function at work on the weather.
# No temperature is below 10 or above 22: a weighted mean stays within the range of its values.
# (The code of this cell begins with `after(weighted_mean, ...)`, which draws once `weighted_mean` is written, and until then says so.)

# %% picture=true
after(weighted_mean, lambda: heatmap(
    weighted_mean(weather_weights, weather_values),
    title="weighted means", columns="features", row_labels=times, column_labels=["degrees", "km/h"], digits=1,
    alt="Once it is right: temperature and wind for four queries. 12:00: 18 and 8. 14:00: 20 and 7. 9:00: 12 and 5. All day: 16.7 and 6.",
))

# %% [markdown]
# What the check finds right is kept beside your lessons, and later ones use it; where yours is not right yet, they use ours.
#
# Some small print holds for every function in the course.
# You write it yourself.
# The same inputs always give the same result, and the inputs stay unchanged.
# Differences below a millionth never count (in `float16`, numbers of only 16 bits, differences in the fourth digit).
# All runs of a check may take ten seconds in total; ours take under one.
#
# Does yours agree with the loops, on another day and with the questions in reverse order?
# This should say `True`.

# %%
questions, another_day = weather_weights[::-1], weather_values + [5, 1]
after(weighted_mean, lambda: np.allclose(
    weighted_mean(questions, another_day), weighted_mean_by_loops(questions, another_day)
))

# %% [markdown]
# ## Why a mean, and not only the best match?
#
# Most of the translator's rows put nearly all their weight on a single word, as a dictionary would.
# The row `une` looks at `a` and at a second English word.
# Which one?

# %% exercise="une_also_looks_at"
une_also_looks_at = ...  # an English word, in quotes
### BEGIN SOLUTION
une_also_looks_at = "car"
### END SOLUTION

# %% [markdown]
# French nouns are masculine or feminine, and the article must agree: **une** *voiture*, but **un** *bateau*.
# So to choose the article, the translator needs two pieces of information from two words: whether English says *a* or *the*, and which noun follows.
#
# To see how a mean delivers both, we choose four features for each English word by hand.
# Is it *the*? Is it *a*? Is it a noun that is masculine in French? One that is feminine?
# Your function mixes them with the real weights from the picture.

# %%
features = ["the", "a", "masc.", "fem."]
word_values = np.zeros((8, 4))
word_values[english.index("the"), 0] = 1
word_values[english.index("a"), 1] = 1
word_values[english.index("cat"), 2] = 1
word_values[english.index("car"), 3] = 1

# %% picture=true
after(weighted_mean, lambda: heatmap(
    weighted_mean(alignment, word_values),
    title="what arrives", rows="before it writes", columns="features", row_labels=french, column_labels=features,
    alt="Once it is right: what each French word receives. le: 0.64 of the, 0.34 masculine. chat: 1 masculine. une: 0.46 of a, 0.54 feminine. "
    "voiture: 1 feminine. The other rows have no number above 0.01.",
))

# %% [markdown]
# The row `le` has received *the* and *masculine*, and the row `une` has received *a* and *feminine*.
# Looking up a single word would have delivered only one of the two.
# We tried that on the real translator, at the point where it should write `une`:
#
# | it looks at | it writes |
# |---|---|
# | `a` alone | *un*: *a*, but not feminine |
# | `car` alone | *la*: feminine, but *the* and not *a* |
# | all words, as it has learned | *une* |
#
# None of the other six words, looked at alone, gave *une* in our run.
# In another run the English full stop did, by luck: it says nothing about articles.
#
# One row of the translator's picture is strange: the full stop looks at `red` with all its weight.
# Whichever single word we let it look at instead, it still wrote its full stop.
# The picture shows where a model looks, but not whether that matters.

# %% [markdown]
# ## The course
#
# | lesson | what you build |
# |---|---|
# | 00 Start here | the weighted mean |
# | 01 Softmax | weights from scores |
# | 02 Scaled dot-product attention | scores from queries and keys |
# | 03 Masks | who may look at what |
# | 04 A single head | queries, keys and values that are learned |
# | 05 Multi-head attention | several heads, and what mixes them |
# | 06 Batched multi-head attention | all heads at once, with the same numbers as PyTorch's own |
# | 07 Cross-attention | a translator, trained by you |
# | 08 What it costs | time and memory, and where to read on |
#
# Lessons 00 to 03 use NumPy; from lesson 04 on we use PyTorch, a library for programs that learn.
# `cheat_sheet.html`, beside the lessons' folders, has every formula with its shapes and a common mistake, on two pages to print.
#
# When you have finished a lesson, save it and press **Validate** above the notebook: this runs everything once from top to bottom and lists what is not yet right.
# If you are taking a class, hand in the saved notebook; your functions will then be tried on new numbers.

# %% [markdown]
# ## Summary
#
# For each query, attention returns a weighted mean of all values, and `@` computes it for whole batches.
# One question remains: where do the weights come from?
# They must not be negative, and each row must add up to 1, whatever numbers we start from.
# That is lesson 01.
#
# Here the lesson ends; below are two extras: a page about classes, and a test for those who know some of the course already.
#
# `progress()` shows what you have done and what comes next.
# The record stays on your computer, in a file named `progress.jsonl`; `progress(hide=True)` hides the overview.

# %%
progress()

# %% [markdown]
# ## A class in twenty lines (optional)
#
# A **class** says what its *objects* keep and what they can do.
# These two have the form that all your layers will have from lesson 04 on.

# %%
class Module:
    """What can be called like a function, and then does what its `forward` says."""

    def __call__(self, *inputs):
        return self.forward(*inputs)


class Line(Module):
    """A straight line, which keeps its slope and where it starts."""

    def __init__(self, slope, start):
        super().__init__()
        self.slope = slope
        self.start = start

    def forward(self, x):
        return self.slope * x + self.start


fahrenheit = Line(1.8, start=32)
print("slope:", fahrenheit.slope)
print(fahrenheit(np.array([10, 18, 22])))

# %% [markdown]
# - `Line(1.8, start=32)` makes an object and runs `__init__` for it.
#   There `self` is the new object; you never pass it yourself.
# - `self.slope = slope` keeps a value in the object, as an **attribute**.
#   Another object, `Line(2, start=0)`, keeps values of its own.
# - A function in a class is a **method**.
#   `forward` finds what `__init__` has kept, again through `self`.
# - `class Line(Module)` says that `Line` builds on `Module`, and has its methods too.
#   That is why `fahrenheit(...)` works: `__call__` comes from `Module`, and calls the `forward` of `Line`.
# - `super().__init__()` first lets `Module` prepare what it needs.
#   Ours needs nothing, but `nn.Module`, PyTorch's class of this kind, does.

# %% [markdown]
# ## Where to begin (optional)
#
# Do you know some of this course already?
# Here are eight questions and two functions, for ten minutes; nothing is marked.
# If you do not know, leave the dots and move on: that is an answer too. You may correct a slip.
# Run the last cell when you are done.
#
# **1.** Softmax makes the weights 0.75 and 0.25 of two scores.
# You add 100 to both scores.
# What is the first weight now?

# %% exercise="entry_shifted_scores"
entry_shifted_scores = ...  # a number
### BEGIN SOLUTION
entry_shifted_scores = 0.75
### END SOLUTION

# %% [markdown]
# **2.** A query and a key have 64 features each, and their dot product is 24.
# What is their score in scaled dot-product attention?

# %% exercise="entry_score"
entry_score = ...  # a number
### BEGIN SOLUTION
entry_score = 3
### END SOLUTION

# %% [markdown]
# **3.** Five tokens look at each other under a causal mask, and all their scores are equal.
# What are the weights of the fourth token?

# %% exercise="entry_causal_weights"
entry_causal_weights = ...  # five numbers: (..., ..., ..., ..., ...)
### BEGIN SOLUTION
entry_causal_weights = (0.25, 0.25, 0.25, 0.25, 0)
### END SOLUTION

# %% [markdown]
# **4.** How many parameters does `torch.nn.Linear(10, 4)` have?

# %% exercise="entry_parameters_in_torch"
entry_parameters_in_torch = ...  # a number
### BEGIN SOLUTION
entry_parameters_in_torch = 44
### END SOLUTION

# %% [markdown]
# **5.** A head reads tokens of 100 features.
# Its queries and keys have 16 features, and its values have 32.
# How many parameters does it have, without biases?

# %% exercise="entry_parameters_of_a_head"
entry_parameters_of_a_head = ...  # a number
### BEGIN SOLUTION
entry_parameters_of_a_head = 6400
### END SOLUTION

# %% [markdown]
# **6.** A layer of model size 512 has 8 heads, as wide together as the model.
# How many features does a query of one head have?

# %% exercise="entry_size_of_a_head"
entry_size_of_a_head = ...  # a number
### BEGIN SOLUTION
entry_size_of_a_head = 64
### END SOLUTION

# %% [markdown]
# **7.** A tensor `x` of shape (2, 10, 512) holds two sentences of 10 tokens.
# Which line splits it for 8 heads?
#
# - `"a"`: `x.reshape(2, 8, 10, 64)`
# - `"b"`: `x.reshape(2, 10, 8, 64)`
# - `"c"`: `x.reshape(2, 10, 8, 64).transpose(1, 2)`
# - `"d"`: `x.transpose(1, 2).reshape(2, 8, 10, 64)`

# %% exercise="entry_line_that_splits"
entry_line_that_splits = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
entry_line_that_splits = "c"
### END SOLUTION

# %% [markdown]
# **8.** A decoder has written 5 words, and looks at the 7 words of an encoder, with 8 heads.
# There are 2 such pairs of sentences in a batch.
# What is the shape of the weights?

# %% exercise="entry_cross_weights"
entry_cross_weights = ...  # a shape: (..., ..., ..., ...)
### BEGIN SOLUTION
entry_cross_weights = (2, 8, 5, 7)
### END SOLUTION

# %% [markdown]
# Now two functions, in NumPy.
# What is right is kept, and later lessons use it, even if you skip the lesson that asks for it.

# %% again="softmax"
def softmax(scores, axis=-1):
    """Positive weights that sum to 1 along `axis`: the larger the score, the larger the weight.

    scores: (...) floating-point numbers, with any number of axes -> same shape. Finite for any finite scores.
    """
    ### BEGIN SOLUTION
    unscaled = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return unscaled / np.sum(unscaled, axis=axis, keepdims=True)
    ### END SOLUTION

# %% again="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value):
    """For each query the mean of all values, weighted by how well their keys fit.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features)
    -> (..., queries, value_features). There is no mask.
    """
    ### BEGIN SOLUTION
    return softmax(query @ key.swapaxes(-1, -2) / np.sqrt(key.shape[-1])) @ value
    ### END SOLUTION

# %%
from autograder import where_to_begin

where_to_begin()
