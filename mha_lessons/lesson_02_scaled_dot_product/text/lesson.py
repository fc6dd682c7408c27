# %% [markdown]
# # Lesson 02 · Scaled dot-product attention
#
# In lesson 00 you mixed values by weights, and in lesson 01 you made weights from scores.
# Where do the scores come from?
#
# The answer fits on one line, which is the heart of every model in this course:
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V$$
#
# You will write it as three functions of about one line each, and see why the square root is there, by measuring what happens without it.

# %% locked=true
import numpy as np

from autograder import after, check, hint, progress, solution
from autograder.mine import softmax, weighted_mean
from autograder.pictures import arrows, bars, curves, heatmaps, matrix_product
from autograder.play import Slider, play

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them.
#
# **From lesson 01.**
# A row has the scores -3, -3 and -1000.
# What weights does softmax make of them, to two digits?

# %% exercise="remember_three_weights"
remember_three_weights = ...  # three numbers: (..., ..., ...)
### BEGIN SOLUTION
remember_three_weights = (0.5, 0.5, 0.0)
### END SOLUTION

# %% [markdown]
# **From lesson 00.**
# Each of eight sentences has its own table of weights, for 2 queries and 5 keys: all weights together have the shape (8, 2, 5).
# All sentences use the same values, of shape (5, 3).
# What shape do the weighted means have?

# %% exercise="remember_shared_values"
remember_shared_values = ...  # a shape: (..., ..., ...)
### BEGIN SOLUTION
remember_shared_values = (8, 2, 3)
### END SOLUTION

# %% [markdown]
# ## Three roles
#
# Think of a library.
# You arrive with a wish: that is the query, *what I look for*.
# Each book has a label on its spine: that is the key, *what I offer*.
# And each book has a text: that is the value, *what I carry*.
# You compare your wish with the labels, but you take home the text.
# Attention takes a little of every book, and more of those whose labels fit.
#
# Now take a sentence: *the dogs near the house bark*.
# When a model reaches *bark*, it needs to know who is barking.
# Text is cut into pieces called **tokens**; here each word is one.
# Each token has a key and a value, and *bark* has a query.
# All three are *vectors*, that is, rows of numbers.

# %%
words = ["the", "dogs", "near", "the", "house"]
offers = np.array([[0, 0], [1, 1], [0, 0], [0, 0], [1, -1]])  # keys: is it a noun? a plural?
carries = np.array([[0, 0], [1, 0], [0, 0], [0, 0], [0, 1]])  # values: is it an animal? a building?
bark = np.array([3, 2])  # the query: wants a noun, preferably a plural
fit = offers @ bark  # for each key: multiply feature by feature, and sum
shares = softmax(fit / np.sqrt(2))
received = shares @ carries
print("how well each key fits:", fit)
print("shares of attention:   ", shares.round(3))
print("what bark receives:    ", received.round(3))

# %% [markdown]
# The fit is what lesson 01 called a score.
# (It is divided by the root of the number of features, here $\sqrt 2$; you will see why.)
# The key of *dogs* fits best: 5, against 1 for *house*, which is also a noun but not a plural.
# So *dogs* gets 87 % of the attention, and *bark* receives a mixture of 0.87 animal and 0.05 building.
# Now *bark* carries the information that an animal is barking.
#
# Note that "animal" is in the value, and values play no part in the comparison: the query never saw it.
#
# We wrote these numbers by hand; a real model learns them, as you will see in lesson 04.

# %% [markdown]
# ## Why not read in order?
#
# Before attention, many models read a text one token after another and carried along a summary.
# Suppose that at each step the summary becomes half old summary and half new token.
# How much of each token is left when *bark* arrives?

# %%
in_order = [0.5**steps for steps in (5, 4, 3, 2, 1)]

# %% picture=true
bars(
    {"reading in order": in_order, "attention": shares}, labels=words, y="share",
    alt="Bars for five words. Reading in order leaves dogs 6 % and house 50 %. Attention gives dogs 87 % and house 5 %.",
)

# %% [markdown]
# The summary is half *house*, because that word came last; only 6 % of *dogs* is left.
# Real models that read in order (*recurrent networks*) learn what to keep, so they forget more slowly than this.
# But each token has to survive every step in between, while attention goes straight to what fits, however far away it is.
# And each summary has to wait for the one before it, while all scores can be computed at once.
#
# This has a price: $n$ tokens make $n^2$ scores (lesson 08), and attention does not notice the order of the words (lesson 07 mends that).

# %% [markdown]
# ## Similarity
#
# How well does a key fit a query?
# We multiply them feature by feature and add up:
#
# $$q \cdot k = \sum_{i=1}^{d_k} q_i\, k_i$$
#
# This is the **dot product**, and $d_k$ is the number of features.
# With two features we can draw it: query and keys are arrows.
# The slider turns the query, the thick one.
#
# **Predict** before you move it (not marked): is there a direction in which the short key *b* gets the largest weight?
#
# - `"a"`: yes, and there it gets more than half
# - `"b"`: yes, but there it gets less than half
# - `"c"`: no, a longer key always gets more

# %% exercise="predict_the_short_key"
predict_the_short_key = ...  # "a", "b" or "c"
### BEGIN SOLUTION
predict_the_short_key = "b"
### END SOLUTION

# %%
arrow_keys = {"a": (2.0, 0.5), "b": (0.6, 0.9), "c": (-1.2, 1.2), "d": (-0.5, -1.5)}

# %% picture=true
def turned(angle):
    query = 2 * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    fits = np.array(list(arrow_keys.values())) @ query
    weights = softmax(fits / np.sqrt(2))
    products = ", ".join(f"{name} {fit:z.1f}" for name, fit in zip(arrow_keys, fits))
    shares = ", ".join(f"{name} {weight:.2f}" for name, weight in zip(arrow_keys, weights))
    said = [f"query at {angle}°", f"dot products: {products}", f"weights: {shares}"]
    return arrows({"": query}, arrow_keys, title="\n".join(said), alt=f"A thick arrow, four thin ones. {'; '.join(said)}.")

play(turned, angle=Slider(tuple(range(0, 360, 15)), start=30))

# %% [markdown]
# The dot product is large where two arrows point the same way, 0 at a right angle, and negative beyond it.
# It also grows with length.
# That is why *b* wins only near 75°, and even there with no more than 0.36: where it fits well, the longer *a* or *c* fits about as well.
# A longer query is a stronger wish: at 75°, one ten times as long would give *b* 0.56.
#
# For the rest of this lesson we use a small example: four tokens, with three features for queries and keys and two for values.

# %%
Q = np.array([[0.2, 0.1, 0.4], [0.0, 0.5, 0.3], [0.1, 0.0, 0.2], [0.3, 0.2, 0.1]])  # (queries, features)
K = np.array([[0.2, 0.0, 0.1], [0.1, 0.4, 0.3], [0.3, 0.1, 0.2], [0.0, 0.2, 0.2]])  # (keys, features)
V = np.array([[0.5, 0.0], [-0.2, 0.1], [0.3, -0.1], [0.0, 0.2]])  # (keys, value features)

def dot_products_by_loops(query, key):
    """The definition, slowly. Later it serves to check the fast version."""
    return np.array([[(q * k).sum() for k in key] for q in query])

print(dot_products_by_loops(Q, K))

# %% [markdown]
# There is one row for each query and one column for each key.
# A matrix product makes such a table in one go, but it combines the rows of its left table with the *columns* of its right one.
# So we turn the keys on their side, or *transpose* them, which is what $\top$ means in $QK^\top$.
#
# The frames show where one number comes from: query 1 meets key 1.
# To follow another, unfold the cell and change `place`.

# %% picture=true
matrix_product(
    Q, np.transpose(K), place=(1, 1), names=("Q, queries × features", "keys on their side", "dot products"),
    alt="Three tables. Q on the left, with a frame around its row 1: 0.0, 0.5, 0.3. The keys above, on their side, with a "
    "frame around column 1: 0.1, 0.4, 0.3. In the corner between them 4 by 4 dot products; the framed one is 0.29.",
)

# %% [markdown]
# ## Write the scores
#
# Now compute all scores at once, for batches too.
# A score is a dot product divided by $\sqrt{d_k}$; the next section shows why.
# NumPy has two ways to turn the keys on their side.

# %%
many_keys = np.zeros((2, 7, 8))  # (batch, keys, features)
print("many_keys.T  has shape", many_keys.T.shape)
print("many_keys.mT has shape", many_keys.mT.shape)

# %% [markdown]
# `.T` reverses the order of all axes, which puts the batch last.
# `.mT` (matrix transpose) swaps the last two and leaves the rest alone.
#
# **Calculate** by hand first: the query is $(2, 1, 0, 2)$ and the key is $(1, 3, 5, 0)$.
# What is their scaled score, the dot product divided by $\sqrt{d_k}$?

# %% exercise="scaled_score"
scaled_score = ...  # a number
### BEGIN SOLUTION
scaled_score = 2.5
### END SOLUTION

# %% [markdown]
# Now write it for all queries and keys.

# %% exercise="attention_scores"
def attention_scores(query, key):
    """How well each key fits each query: dot products, divided by the root of the number of features.

    query: (..., queries, features), key: (..., keys, features) -> (..., queries, keys), floating-point numbers.
    The same axes `...` are in front of both, any number of them or none; each item is computed by itself.
    Any number of features will do. The inputs are not changed.
    """
    ### BEGIN SOLUTION
    features = query.shape[-1]
    return query @ key.mT / np.sqrt(features)
    ### END SOLUTION

# %% [markdown]
# Check the fast version against the loops.

# %% picture=true
after(attention_scores, lambda: heatmaps(
    {"loops, then / √3": dot_products_by_loops(Q, K) / np.sqrt(3), "yours": attention_scores(Q, K)},
    alt="Two 4 by 4 tables of scaled scores side by side: made by the loops, and by your function. They should be the same.",
))

# %% [markdown]
# ## How large does a dot product get?
#
# At the start of training, a model's features are more or less random.
# So let all features be random numbers with mean 0 and variance 1.
# (The **variance** is the mean squared distance from the mean; its square root, the **standard deviation**, says how far from the mean a number typically lies.)
#
# - A product $q_i k_i$ of two of them has mean 0 and variance 1, too.
# - A dot product is a sum of $d_k$ such products; they are drawn separately, so their variances add up.
#
# **Predict.** The query and the key have 100 features each. What is the variance of their dot product?

# %% exercise="score_variance"
score_variance = ...  # a number
### BEGIN SOLUTION
score_variance = 100
### END SOLUTION

# %% [markdown]
# Now measure it: the next cell, which is folded, lets 1280 random queries meet 64 random keys each, in five sizes.

# %% picture=true
sizes = (4, 16, 64, 512, 4096)

def random_dot_products(features, blocks=64, queries=20, keys=64):
    """Dot products of random queries, one in each row, with 64 keys. Each key is a column here."""
    rng = np.random.default_rng(features)
    columns = rng.normal(size=(blocks, features, keys))
    return (rng.normal(size=(blocks, queries, features)) @ columns).reshape(-1, keys)

dots = {features: random_dot_products(features) for features in sizes}
for features, scores in dots.items():
    print(f"{features:5} features: variance {scores.var():7.1f}")

# %% [markdown]
# The variance of a dot product is the number of features.
# A typical score is therefore about as large as $\sqrt{d_k}$: 8 with 64 features, 64 with 4096.
# If we divide by $\sqrt{d_k}$, the standard deviation becomes 1, whatever the number of features.
# But is that necessary?
#
# ## What large scores do
#
# Softmax looks at differences: a score that is 8 points higher gets a weight that is $e^8 \approx 2981$ times as large.
# Here is the largest of the 64 weights, on average, for three ways of scaling.
# If all keys got the same share, it would be $1/64 \approx 0.016$.
# (Pictures and code write d for $d_k$.)

# %%
divisors = {"not scaled": lambda d: 1, "divided by √d": np.sqrt, "divided by d": lambda d: d}

def mean_largest_weight(scores):
    return softmax(scores).max(axis=-1).mean()

# %% picture=true
curves(
    {name: (sizes, [mean_largest_weight(dots[d] / f(d)) for d in sizes]) for name, f in divisors.items()},
    alt="Mean largest of 64 weights over the number of features. Not scaled, it rises from 0.27 at "
    "4 features to 0.97 at 4096. Divided by the root: flat near 0.11. Divided by d: falls to 0.016. "
    "For the number at any mark, run mean_largest_weight(dots[64]) in a cell of your own, with the size in the brackets.",
    x="features (d)", y="largest weight", title="4, 16, 64, 512 and 4096 features", log_x=True,
)

# %% [markdown]
# - *Not scaled*, the weights become peaked: the more features, the closer one key comes to taking everything.
#   Softmax **saturates**.
# - *Divided by $d$*, they become flat, and attention hardly distinguishes one key from another.
# - *Divided by $\sqrt d$*, they are about as peaked for every number of features.
#
# **Read the plot.** The five marks on each curve are the five sizes, from left to right.
# Without scaling, what is the smallest size at which the largest weight is above 0.9 on average?

# %% exercise="size_above_ninety_percent"
size_above_ninety_percent = ...  # one of 4, 16, 64, 512, 4096
### BEGIN SOLUTION
size_above_ninety_percent = 512
### END SOLUTION

# %% [markdown]
# Why is a peaked choice a problem?
# Later in training it may be exactly right, but at the start it is an accident of random numbers, and it is hard to undo.
# Training changes the scores in small steps, and that helps only if the weights follow.
# How strongly weight $i$ follows its own score is a slope, and for softmax it is $w_i (1 - w_i)$: a quarter at a weight of 1/2, but nearly 0 at a weight near 0 or 1.
#
# In the next picture one random query meets six random keys, and the title gives the sum of the six slopes.
#
# **Predict** before you move the slider (not marked): with 1024 features, where do the slopes shrink to almost nothing?
#
# - `"a"`: without scaling, but not with it
# - `"b"`: with scaling, but not without it
# - `"c"`: with scaling, and without it too

# %% exercise="predict_what_is_left"
predict_what_is_left = ...  # "a", "b" or "c"
### BEGIN SOLUTION
predict_what_is_left = "a"
### END SOLUTION

# %%
rng = np.random.default_rng(0)
one_query, six_keys = rng.normal(size=1024), rng.normal(size=(6, 1024))

def slopes(weights):
    """How strongly the weights follow their own scores, all together."""
    return (weights * (1 - weights)).sum(axis=-1)

# %% picture=true
def saturation(features):
    fits = six_keys[:, :features] @ one_query[:features]
    weights = {"not scaled": softmax(fits), "divided by √d": softmax(fits / np.sqrt(features))}
    left = ", ".join(f"{slopes(w):.3f} {name}" for name, w in weights.items())
    largest = ", ".join(f"{w.max():.2f} {name}" for name, w in weights.items())
    alt = f"Weights of six keys, number of features: {features}. The largest: {largest}. Sum of the slopes: {left}."
    return bars(weights, [f"key {number}" for number in range(6)], y="weight", title=f"slopes: {left}", top=1, alt=alt)

play(saturation, features=Slider((1, 4, 16, 64, 256, 1024), start=64))

# %% [markdown]
# One query might be a fluke, so here are all 1280.
# How many of them have slopes that sum to less than 0.001, without scaling and with it?

# %%
for size in sizes:
    share = [(slopes(softmax(scores)) < 0.001).mean() for scores in (dots[size], dots[size] / np.sqrt(size))]
    print("{:5} features: {:4.0%} of the queries without scaling, {:.0%} with it".format(size, *share))

# %% [markdown]
# **Choose.** Why are scores divided by $\sqrt{d_k}$?
#
# - `"a"`: without it, the slopes of softmax explode
# - `"b"`: without it, and with many features, the weights get peaked, and for most queries the slopes of softmax vanish
# - `"c"`: without it, the weights get flat, and no key stands out
# - `"d"`: without it, softmax overflows: its exponentials get too large for the computer

# %% exercise="why_scale"
why_scale = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
why_scale = "b"
### END SOLUTION

# %% [markdown]
# With 4096 features and no scaling, three queries in four are stuck with a choice they made by accident.
# Slopes that become this small are said to **vanish**.
# The paper that introduced the formula (Vaswani and others, *Attention is all you need*, 2017) gives this reason, but only as something its authors "suspect".
# You have seen it in random queries and keys with a variance of 1; with 64 features, as most heads have, it is 7 % of the queries.

# %% [markdown]
# ## From scores to weights
#
# You know the function that turns scores into weights.
# The scores from `attention_scores` are already scaled, so do not divide again.

# %% exercise="attention_weights"
def attention_weights(query, key):
    """How each query shares out its attention: along the keys, the shares are at least 0 and sum to 1.

    query: (..., queries, features), key: (..., keys, features) -> (..., queries, keys), floating-point numbers.
    The same axes `...` in front of both, or none. Softmax gets scaled scores, which may be small or very large.
    The inputs are not changed. Finite scores give a finite result: no NaN, no infinity.
    """
    ### BEGIN SOLUTION
    return softmax(attention_scores(query, key))
    ### END SOLUTION

# %% [markdown]
# On the left are your weights for the example; on the right, those of queries 30 times as long.

# %% picture=true
after(attention_weights, lambda: heatmaps(
    {"your weights": attention_weights(Q, K), "queries × 30": attention_weights(30 * Q, K)},
    alt="Two 4 by 4 tables of your weights. For the example all lie near a quarter. For queries 30 times as long, "
    "query 1 gives 0.86 to key 1, and the others still hesitate: their largest weights are 0.50, 0.31 and 0.42.",
))

# %% [markdown]
# Our small queries hardly distinguish between keys; longer queries choose more sharply.
# Dividing all scores by the same number, as we do with $\sqrt{d_k}$, sets the **temperature** of a softmax: a high one makes weights even; a low one makes them sharp.
#
# ## Mix the values
#
# The last step is the first thing you learned: a weighted mean of the values for each query.
#
# **Predict.** Follow the shapes through the whole formula.
# There is a batch of 2, with 5 queries and 7 keys. Queries and keys have 8 features, and values have 3.
# So `query` is `(2, 5, 8)`, `key` is `(2, 7, 8)`, `value` is `(2, 7, 3)`.
# What is the shape of the output?

# %% exercise="attention_output_shape"
attention_output_shape = ...  # a tuple of sizes
### BEGIN SOLUTION
attention_output_shape = (2, 5, 3)
### END SOLUTION

# %% [markdown]
# **Put in order.** Here is the whole calculation, one step per line, but the lines are shuffled, and two of them do not belong here.
# Write the letters of the others in order.
#
# ```
# a   mixed = weights @ value
# b   scores = query @ columns
# c   weights = softmax(scores, axis=-2)
# d   scores = scores / np.sqrt(query.shape[-1])
# e   return mixed
# f   columns = key.mT
# g   weights = softmax(scores, axis=-1)
# h   weights = weights / np.sqrt(query.shape[-1])
# ```

# %% exercise="attention_in_order"
attention_in_order = ...  # letters in quotes, as in "a b c"
### BEGIN SOLUTION
attention_in_order = "f b d g a e"
### END SOLUTION

# %% [markdown]
# With your own functions and `weighted_mean`, which is imported, the same takes a single line.

# %% exercise="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value):
    """For each query the mean of all values, weighted by how well their keys fit.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features)
    -> (..., queries, value_features), an array of floating-point numbers, and nothing else.
    The same axes `...` in front of all three, or none. Scores are scaled as in `attention_scores`.
    The inputs are not changed. Finite scores give a finite result for values of ordinary size: no NaN, no infinity.
    """
    ### BEGIN SOLUTION
    return weighted_mean(attention_weights(query, key), value)
    ### END SOLUTION

# %%
after(scaled_dot_product_attention, lambda: scaled_dot_product_attention(Q, K, V).round(6))

# %% [markdown]
# The first row should be `0.146022  0.049642`.
# Lesson 03 uses the same example.
#
# ## Find the bug
#
# A colleague has written attention her own way.
# Her `np.einsum("qd,kd->qk", ...)` also computes all the dot products: `d` is missing after the arrow, so it is summed over.
# She tried it on the prices of four items: 20, 24, 28 and 30.

# %%
def colleagues_attention(query, key, value):
    dot_products = np.einsum("qd,kd->qk", query, key)  # line 1
    weights = softmax(dot_products)  # line 2
    mixed = weighted_mean(weights, value)  # line 3
    return mixed / np.sqrt(query.shape[-1])  # line 4

prices = np.array([[20.0], [24.0], [28.0], [30.0]])
print(colleagues_attention(Q, K, prices).round(2))

# %% [markdown]
# Every number is there, every shape is right, and there is no warning.
# Yet the cheapest item costs 20, so how can a mean of the four be below 15?
#
# Which line does something it should not?

# %% exercise="colleagues_line"
colleagues_line = ...  # 1, 2, 3 or 4
### BEGIN SOLUTION
colleagues_line = 4
### END SOLUTION

# %% [markdown]
# ## Summary
#
# You can now
#
# - say what query, key and value are for;
# - compare all queries with all keys in one matrix product, for any batch;
# - show by a measurement why scores are divided by $\sqrt{d_k}$, and not by $d_k$ or by nothing;
# - write scaled dot-product attention.
#
# So far every query sees every key, including words that come later and empty positions that only fill up short sentences.
# In lesson 03 you hide what must not be seen.

# %%
progress()
