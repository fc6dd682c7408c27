# %% [markdown]
# # Lesson 00 · Start here
#
# In this course you build *multi-head attention*.
# It is a part of many neural networks, programs that learn from examples, and it decides where they look.
# Translators are built on it, and chat assistants, and many programs that read images or listen to speech.
# You write every line of it yourself, and after each line you can ask whether it is right, and if not, why.
#
# In this first lesson you write one function, a weighted mean, and it takes about an hour.
# You need to know Python functions and NumPy arrays.
# We explain everything else when we need it.
#
# This page is a *notebook*: text, and between it cells with code.
# To run a cell, click on it, and press Shift + Enter; after that, the next cell is selected.
# Run them all as you read, in their order: later cells use what earlier ones made.
# Where a cell does nothing but draw, its code is folded: you see its first line and three dots.
# Run it like any other; a click on the dots shows the rest.
# You can leave out the very first one: it helps readers who opened this page on a website that runs notebooks, such as Google Colab.

# %% locked=true
import numpy as np

# Both are parts of this course: one checks what you write, the other draws.
from autograder import after, check, hint, progress, solution
from autograder.pictures import heatmap

# %% [markdown]
# ## What you will build
#
# Near the end of the course you train a small translator: it learns from pairs of sentences.
# Here is one at work.
# It has read *the white cat sees a red car.*, and it writes the same in French, one word after the other.

# %% picture=true
english = ["the", "white", "cat", "sees", "a", "red", "car", "."]
french = ["le", "chat", "blanc", "voit", "une", "voiture", "rouge", "."]

# Made by translator_alignment.py, beside the text of this lesson, and rounded to two digits; another machine gives slightly different ones.
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
    rows="before it writes",
    columns="it looks at",
    row_labels=french,
    column_labels=english,
    alt="A table of weights: eight French words as rows, eight English words as columns. Most rows have one dark square: "
    "chat has 1.00 at cat, voit 0.90 at sees, voiture 1.00 at car, rouge 1.00 at red. "
    "The dark squares follow the diagonal, and cross over where French puts the colour after the noun. "
    "Two rows have two: le has 0.64 at the and 0.34 at cat, and une is asked about below, as blanc is. "
    "The row of the full stop has 1.00 at red.",
)

# %% [markdown]
# Every row is a French word, and every column an English one.
# The numbers in a row say how much the translator looked at each English word before it wrote the French one.
# They are shares of a whole, so each row sums to 1 (up to rounding: we show two digits).
#
# English says *white cat*, French says *chat blanc*: cat white.
# Look at the rows `chat` and `blanc`, and then at `voiture` and `rouge`: there the squares cross over.
# Nobody told the translator which word belongs to which.
# It saw pairs of sentences, tried to guess the next French word, and learned where looking helps.
#
# To be honest about these numbers: they are real, but they come from a small translator that learned for this picture only.
# It took some ten seconds on a small computer, with sentences that a short script makes up.
# In lesson 07 you build such a translator and train it yourself.
# Then the picture is yours.
#
# A table of weights like this one is the heart of *attention*.
# One such table, with what is done with it, is called a *head*.
# *Multi-head* attention has several of them, side by side.

# %% [markdown]
# ## How a lesson works
#
# You read, you **predict**, you **write**, you **check**.
#
# - A *question* asks you for one value.
#   Write it in place of the three dots.
# - An *exercise* asks you for a function.
#   Write its body.
#   The text between the triple quotes says everything it must do.
# - Below each of them stands a locked cell that calls `check`.
#   Run your cell, then that one.
#   It tries your answer, and a *card* says what it found.
#   Check as often as you like: only your last answer counts.
#   A cell that stopped with an error has changed nothing: the check then sees the old answer, and says so.
#   So mend your cell first, and run it again.
# - If you are stuck, ask for a hint: run `hint("blanc_looks_at")` in a cell of your own, with the name in quotes.
#   Ask again, and the next one comes below it, if there is one.
#   When a check has named a mistake in your function, the hints are about that mistake.
#   And `hint()`, with nothing between the brackets, helps with what you checked last.
# - When your answer is right, `solution("blanc_looks_at")` shows you ours.
#   Before that, it tells you how you can see it anyway.
#   Reading a solution early does no harm, if you write your own afterwards.
#
# Here is a first question, to see all this work.
# In the picture above, at which English word does the row `blanc` look most?
# Give a wrong answer first, if you like, and see what `check` says about it.

# %% exercise="blanc_looks_at"
blanc_looks_at = ...  # an English word, in quotes
### BEGIN SOLUTION
blanc_looks_at = "white"
### END SOLUTION

# %% [markdown]
# You may run the whole lesson at any time: *Run* in the menu, then *Run All Cells*.
# Nothing breaks when something is still missing.
# A cell that needs your function waits until you have written it; after that, you run it again.
#
# One thing about notebooks surprises everybody once.
# Python remembers each cell that you ran, in the order in which you ran them, and even cells that you have deleted.
# If a name holds something odd, choose *Kernel* in the menu, then *Restart Kernel and Run All Cells*.
# (The kernel is the Python that runs your cells.)
# Then the notebook does what it says, from top to bottom.
# What you typed stays.
#
# A kernel forgets everything when it ends.
# So when you come back another day, select the cell where you were, and choose *Run*, then *Run All Above Selected Cell*.

# %% [markdown]
# ## A dictionary returns one value
#
# Attention is a way to look things up.
# You know another one: a dictionary.
# Here is the weather of one day.
# The *keys* are hours.
# The *values* have two numbers each: the temperature in degrees, and the wind in km/h.

# %%
weather = {8: (10, 4), 12: (18, 8), 16: (22, 6)}

print("at 12:00:", weather[12])
print("at 14:00:", weather.get(14, "no such key"))

# %% [markdown]
# A dictionary is strict.
# The thing you ask for, the *query*, fits one key exactly, or it fits nothing.
# At 14:00 it has no answer, although the answer is not hard to guess: 14:00 lies in the middle between 12:00 and 16:00.
# So we take half of one value and half of the other:
#
# $$0.5 \cdot 18 + 0.5 \cdot 22 = 20 \text{ degrees}$$
#
# That is the step from a dictionary to attention.
# A query need not *fit* a key.
# It may fit several keys, each to some degree, and it takes a share of each key's value.
#
# > A dictionary returns one value.
# > Attention returns a **weighted mean** of all of them.

# %% [markdown]
# ## A weighted mean
#
# The shares are called *weights*.
# No weight is negative, and together they are 1, one whole:
#
# $$\text{mean} = \sum_{k} w_k \, v_k \qquad \text{with} \quad w_k \ge 0 \quad \text{and} \quad \sum_{k} w_k = 1$$
#
# Read it like this: for each key $k$, multiply its weight $w_k$ by its value $v_k$, and add up the products.
# Nothing is divided at the end.
# The weights have already done it: they sum to 1.
#
# Let us ask four questions about the weather at once.
# Each has its own row of weights.
# We choose them by hand here.
# In lessons 01 and 02 they are computed, and later they are learned.

# %%
times = ["12:00", "14:00", "9:00", "all day"]
hours = ["8:00", "12:00", "16:00"]

weather_weights = np.array([
    [0, 1, 0],
    [0, 0.5, 0.5],
    [0.75, 0.25, 0],
    [1 / 3, 1 / 3, 1 / 3],
])
weather_values = np.array([[10.0, 4], [18, 8], [22, 6]])

# %% picture=true
heatmap(
    weather_weights,
    title="weights",
    row_labels=times,
    column_labels=hours,
    alt="Four rows of weights over the hours 8, 12 and 16. The row 12:00 has all its weight on 12; the row 14:00 has a half "
    "on 12 and a half on 16; the row 9:00 has three quarters on 8 and a quarter on 12; the row all day has a third on each.",
)

# %% [markdown]
# Four queries, three keys.
# Each value has two numbers, which we call its *features*: temperature and wind.
# Features are never mixed with each other.
# Temperature is mixed with temperature, wind with wind.
#
# Which of these three rows of weights does what a dictionary does for `weather[12]`?
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
# So the dictionary has not gone away.
# It is the special case in which one weight is 1.
#
# Now calculate one yourself, by hand: the **temperature** at 9:00.
# The weights are in the third row of the picture.
# The temperatures are 10, 18 and 22 degrees.

# %% exercise="temperature_at_nine"
temperature_at_nine = ...  # a number
### BEGIN SOLUTION
temperature_at_nine = 0.75 * 10 + 0.25 * 18 + 0 * 22
### END SOLUTION

# %% [markdown]
# ## The formula as loops
#
# What you did by hand, in Python: for each query, for each key, add weight times value.
# A value is a whole row here, so both features are mixed in one go.

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
# Each row is the answer to one query: temperature first, then wind.
# Find your temperature at 9:00 in it.
#
# These loops are slow, but nobody can misread them.
# We keep them: they will check the fast version.
#
# Here is a bug that everybody writes at some point.
# One character is missing:
#
# ```python
# for key in range(len(values)):
#     mean[query] = weights[query, key] * values[key]
# ```
#
# Which **temperature** does this version give for the query 14:00?
# Its weights are 0, 0.5 and 0.5; the temperatures are 10, 18 and 22.

# %% exercise="temperature_with_the_bug"
temperature_with_the_bug = ...  # a number
### BEGIN SOLUTION
temperature_with_the_bug = 0.5 * 22
### END SOLUTION

# %% [markdown]
# ## The formula as one operator
#
# To multiply in pairs, and then to add up: we need this so often that Python has an operator for it.
# It is `@`, the *matrix product*.
# Each row of the left array meets each column of the right one: their numbers are multiplied in pairs, and the products are added up.

# %%
left = np.array([[1, 2, 3]])
right = np.array([[10, 0], [20, 0], [30, 5]])

print(left.shape, "@", right.shape, "->", (left @ right).shape)
print(left @ right)

# %% [markdown]
# The 140 is $1 \cdot 10 + 2 \cdot 20 + 3 \cdot 30$, the row times the first column.
# The 15 is $1 \cdot 0 + 2 \cdot 0 + 3 \cdot 5$, the row times the second.
#
# Look at the shapes.
# The last axis of the left array meets the last but one of the right array.
# These two inner lengths, 3 and 3, must agree, and they are gone in the result:
#
# $$(1, \mathbf{3}) \; @ \; (\mathbf{3}, 2) \;\to\; (1, 2)$$
#
# Do not confuse `@` with `*`.
# The star multiplies what stands at the same place, and adds nothing.
#
# There may be more axes in front.
# Then `@` works on the last two, and does so once for each item in front.
# A *batch* lies along such an axis: many sentences, or many days, side by side, each computed as if it were alone.
# We write three dots for the axes in front, however many there are, even none:
#
# `(..., queries, keys)` and `(..., keys, features)` give `(..., queries, features)`.
#
# Predict: we ask our four questions on six days.
# The weights have the shape (6, 4, 3), the values have the shape (6, 3, 2).
# Which shape does `@` give?

# %% exercise="shape_of_six_days"
shape_of_six_days = ...  # a shape: numbers in parentheses, with commas between them
### BEGIN SOLUTION
shape_of_six_days = (6, 4, 2)
### END SOLUTION

# %% [markdown]
# ## Your first function
#
# Now write the weighted mean, for any number of axes in front.
# It takes one line, and it is one half of attention; the other half makes the weights.
# It comes back in lesson 02 as the last step, and stays with you to the end of the course.
#
# Use only what the function receives, under the names in its first line: the check calls it with numbers of its own.
# *Floating* below means numbers with a decimal point.
# *Finite* numbers are ordinary ones, neither infinity nor `nan`; you need no extra code for them.
#
# What a function must do stands between its triple quotes.
# A few rules hold for all of them, so we say them here, once:
#
# - The first line stays as it is: names, their order, and what stands behind `=`.
# - The result comes back by `return`: one array of floating numbers, where the text asks for nothing else.
#   What you print does not count.
# - The same inputs give the same result, every time.
# - Rounding is no mistake.
#   A difference below a millionth never counts.
#   Three digits alone, as in float16, are enough only where float16 comes in.
# - The check tries many inputs, and all tries together have ten seconds.
#   Ours need less than one.
# - You write it yourself.
#   Later lessons import functions of earlier ones from `mha_ref`, where the course keeps its own; those that you are asked to write are yours.
#
# If you want a hint, run `hint("weighted_mean")` in a cell of your own, three times if you need all three.
# The first names the idea, the second the place, the third the line.

# %% exercise="weighted_mean"
def weighted_mean(weights, values):
    """For each query the mean of all values, weighted by the query's row of weights.

    weights: (..., queries, keys), floating; each row sums to 1.
    values: (..., keys, features), floating; the same axes `...` in front, or none.
    -> (..., queries, features), floating.
    The inputs are not changed. Finite inputs give a finite result, if it fits into a float.
    """
    ### BEGIN SOLUTION
    return weights @ values
    ### END SOLUTION

# %% [markdown]
# Here is your own function at work on the weather.
# The picture shows what it gives, right or not yet right: only the check above can tell.
#
# Once it is right, the row *12:00* is a value as it stands, the dictionary's answer.
# The row *all day* is the plain mean.
# No temperature is below 10 or above 22: a weighted mean never leaves the range of its values.

# %% picture=true
after(weighted_mean, lambda: heatmap(
    weighted_mean(weather_weights, weather_values),
    title="weighted means",
    columns="features",
    row_labels=times,
    column_labels=["degrees", "km/h"],
    digits=1,
    alt="Once it is right: temperature and wind for four queries. 12:00: 18 and 8. 14:00: 20 and 7. 9:00: 12 and 5. All day: 16.7 and 6.",
))

# %% [markdown]
# Now the loops check it, with the questions in reverse order and on another day: 5 degrees warmer, with 1 km/h more wind.
# This should say `True`.
# If it does not, run the check of your function once more: it says why.

# %%
questions, another_day = weather_weights[::-1], weather_values + [5, 1]

after(weighted_mean, lambda: np.allclose(
    weighted_mean(questions, another_day),
    weighted_mean_by_loops(questions, another_day),
))

# %% [markdown]
# ## Why a mean, and not only the best match?
#
# Back to the translator.
# Most of its rows look at one word, as a dictionary would.
# But look at the row `une`.
# It looks at `a`, and at a second English word.
# At which one?

# %% exercise="une_also_looks_at"
une_also_looks_at = ...  # an English word, in quotes
### BEGIN SOLUTION
une_also_looks_at = "car"
### END SOLUTION

# %% [markdown]
# Why this word?
# French nouns are masculine or feminine, and the article, the little word in front of them, must agree.
# *A car* is **une** *voiture*, feminine; *a boat* would be **un** *bateau*, masculine.
# So the article needs two pieces of information, from two places: that it is *a* and not *the*, and which noun follows.
#
# Let us give each English word a value with four features, by hand.
# Is it *the*, is it *a*, is it a noun that is masculine in French, is it one that is feminine?
# Then your function mixes these values, with the real weights of the picture.
#
# (`blanc` has to agree with a noun as well.
# But by then `chat` is written, and the translator looks back at its own words, too.
# The picture does not show that.)

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
    title="what arrives",
    rows="before it writes",
    columns="features",
    row_labels=french,
    column_labels=features,
    alt="Once it is right: what each French word receives. le: 0.64 of the, 0.34 masculine. chat: 1 masculine. une: 0.46 of a, 0.54 feminine. "
    "voiture: 1 feminine. The other rows have no number above 0.01.",
))

# %% [markdown]
# Read the row `le`: *the*, and masculine.
# Read the row `une`: *a*, and feminine.
# One lookup could bring only one of the two.
# The mean brings both in one row, ready for use.
#
# These four features are ours, made for reading.
# The real translator has 64, learned and without names.
# But the point can be tested on it.
# At the place of `une` we let it look at one word only, and noted what it wrote:
#
# | it looks at | it writes |
# |---|---|
# | `a` alone | *un*: *a*, but not feminine |
# | `car` alone | *la*: feminine, but *the* and not *a* |
# | all words, as it has learned | *une* |
#
# One row of the picture looks odd.
# The full stop looks at `red`, with all its weight.
# So we did the same there: with each of the eight words alone, the translator wrote its full stop.
# The sentence was over, and where it looked no longer mattered.
# Keep this in mind whenever you see such a picture: it shows where a program looks, and not yet whether that matters.
# Lesson 08 comes back to that.

# %% [markdown]
# ## The course
#
# | lesson | what you build | what for |
# |---|---|---|
# | 00 Start here | the weighted mean | to look up several things at once |
# | 01 Softmax | weights from scores | so that they are positive and sum to 1 |
# | 02 Scaled dot-product attention | scores from queries and keys | so that what fits gets the weight |
# | 03 Masks | who may look at what | to hide the future, and what is there only to fill up |
# | 04 A single head | queries, keys and values that are learned | so that nobody has to choose them |
# | 05 Multi-head attention | several heads, and what mixes them | because one table of weights cannot say everything |
# | 06 Batched multi-head attention | all heads in one product, for batches | so that it is fast, and equal to what a big library has |
# | 07 Cross-attention | a translator, trained by you | to see the picture from above with your own numbers |
# | 08 What it costs | the count of what is learned, of time and of memory | to choose the number of heads, and to read such pictures with care |
#
# Lessons 01 to 03 use NumPy, as this one does.
# From lesson 04 on we use PyTorch, a library for programs that learn.

# %% [markdown]
# ## Validate, and hand in
#
# When you have finished a lesson, save it, and press **Validate** above the notebook.
# It runs the saved notebook once from top to bottom, and lists what is not right yet.
#
# If you learn alone, that is all.
# If you are in a class, hand in the saved notebook the way your teacher asks.
# Your functions are then tried on new numbers, so it is the idea that counts.

# %% [markdown]
# ## Summary
#
# You can now
#
# - say what attention returns: for each query, a weighted mean of all values;
# - tell queries, keys, values, weights and features apart, and give their shapes;
# - compute a weighted mean by hand, with loops, and with `@`, for batches too;
# - say why a mean can do what one lookup cannot.
#
# One question is left open: where do the weights come from?
# None may be negative, and each row must sum to 1, whatever numbers we start with.
# That is lesson 01.

# %% [markdown]
# ## How far you are
#
# At the end of each lesson `progress()` shows you the whole course: what is done, what you have tried, and what comes next.
# It counts no points, and what was done once stays done.
# It remembers this in one file on your own computer, `progress.jsonl`, beside your lessons.
# If you would rather not see it, run `progress(hide=True)`; `progress(hide=False)` brings it back.
# `progress(reset=True)` begins anew, and keeps the old file.

# %%
progress()
