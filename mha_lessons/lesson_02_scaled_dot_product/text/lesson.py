# %% [markdown]
# # Lesson 02 · Scaled dot-product attention
#
# In lesson 00 you mixed values by their weights.
# In lesson 01 you made weights from scores.
# One question is still open: where do the scores come from?
#
# The answer fits on one line, and that line is the heart of every model in this course:
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V$$
#
# Today you write it, in three functions of about one line each.
# And you find out why the root is there.
# Many people know that it is there. You will measure what happens without it.
#
# The lesson is made for two sittings of about 60 minutes each.
# The second begins with *Write the scores*.
#
# When you are stuck, run `hint(attention_scores)` in a cell of your own, or `hint("score_variance")` for a question.

# %% locked=true
import numpy as np

from autograder import after, check, hint, progress, solution
from autograder.pictures import bars, curves, heatmaps, matrix_product
from autograder.play import Slider, play
from mha_ref import softmax, weighted_mean  # what earlier lessons taught

# %% [markdown]
# ## Do you remember?
#
# Two short questions about lesson 01, and one about lesson 00.
# They are a warm-up and not required, so skip them if you like.
#
# A row has the scores 2, 1 and 0.
# Somebody multiplies all three by 10.
# What happens to the weights that softmax makes?
#
# - `"a"`: they stay as they are
# - `"b"`: they become more even
# - `"c"`: the first one takes nearly all

# %% exercise="remember_larger_scores"
remember_larger_scores = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_larger_scores = "c"
### END SOLUTION

# %% [markdown]
# A table of scores has 4 rows, one for each query, and 6 columns, one for each key.
# Softmax along the last axis turns it into 24 weights.
# What do you get if you add up all 24?

# %% exercise="remember_the_sum"
remember_the_sum = ...  # a number
### BEGIN SOLUTION
remember_the_sum = 4
### END SOLUTION

# %% [markdown]
# The values are 3, 5 and 9.
# One of these numbers can never be their weighted mean, whatever the weights are.
# Which one?
#
# - `"a"`: 3
# - `"b"`: 9.5
# - `"c"`: 6.2

# %% exercise="remember_the_range"
remember_the_range = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_the_range = "b"
### END SOLUTION

# %% [markdown]
# ## Three roles
#
# Think of a library.
# You come with a wish: that is the **query**, what I look for.
# Each book has a label on its spine: that is the **key**, what I offer.
# And each book has its text: that is the **value**, what I carry.
# You compare your wish with the labels, but it is the text that you take home.
# Label and text differ for a good reason: what makes a thing easy to find is seldom all that is in it.
#
# In a library you take one book.
# Attention takes a little of every book, and more of those whose label fits.
#
# Now a sentence: *the dogs near the house bark*.
# When a model reaches *bark*, it has to know who barks.
# The pieces of a text are called **tokens**; here each word is one.
# Each token has a key and a value, and *bark* has a query. All three are rows of numbers, called **features**.
# (In a whole text every token has all three, since every token may ask. Here we follow one of them.)

# %%
words = ["the", "dogs", "near", "the", "house"]
offers = np.array([[0, 0], [1, 1], [0, 0], [0, 0], [1, -1]])  # keys: is it a noun? a plural?
carries = np.array([[0, 0], [1, 0], [0, 0], [0, 0], [0, 1]])  # values: is it an animal? a building?
bark = np.array([3, 2])  # the query: a noun, please, and preferably a plural

fit = offers @ bark  # for each key: multiply feature by feature, and sum
shares = softmax(fit / np.sqrt(2))
received = weighted_mean(shares, carries)
print("how well each key fits:", fit)
print("shares of attention:   ", shares.round(3))
print("what bark receives:    ", received.round(3))

# %% [markdown]
# The fit is what lesson 01 called a score. (The $\sqrt 2$ under it is the subject of this lesson. Be patient.)
# The key of *dogs* fits best: 5, against 1 for *house*, which is a noun too, but not a plural.
# So *dogs* gets 87 % of the attention, and *bark* receives a mixture that is 0.87 animal and 0.05 building.
# It now knows: an animal barks.
#
# Notice what the query did not see.
# "Animal" stands in the value, and values play no part in the comparison.
#
# I wrote these numbers by hand, to make the roles clear.
# In a real model nobody does: in lesson 04 three learned matrices make all of them.

# %% [markdown]
# ## Why not read in order?
#
# Before attention, most models read a text like this: one token after the other, with a summary that they carry along.
# Suppose that at each step the summary becomes half old summary, half new token.
# How much of each token is left when *bark* arrives?

# %%
in_order = [0.5**steps for steps in (5, 4, 3, 2, 1)]

# %% picture=true
bars(
    {"reading in order": in_order, "attention": shares},
    labels=words,
    y="share",
    alt="Bars for five words. Reading in order leaves dogs 6 % and house 50 %. Attention gives dogs 87 % and house 5 %.",
)

# %% [markdown]
# The summary is half *house*, because that word came last.
# Of *dogs* 6 % is left.
# After 20 more tokens it would be less than a millionth of that.
#
# Real models that read in order (*recurrent networks*) learn what to keep, and forget more slowly than this toy.
# But three differences remain, and because of them attention took over:
#
# - **Distance.** In a summary, each token has to survive every step in between.
#   Attention goes there directly, and only the fit counts, not the distance.
# - **Waiting.** A summary needs the summary before it, so step 1000 waits for 999 others.
#   No score waits for another: all of them are computed at once. Graphics processors are best at exactly that.
# - **Direction.** A summary knows only what came before. Attention can look both ways.
#   (When it must not look ahead, a mask covers its eyes: lesson 03.)
#
# Nothing is free.
# With $n$ tokens there are $n^2$ scores, which gets expensive for long texts (lesson 08).
# And since only the fit counts, attention does not notice the order of the words at all.
# Lesson 07 gives it back.

# %% [markdown]
# ## Where it is used
#
# Nothing in the three roles is about words.
#
# | in | who asks (query) | who is asked (key) | what is handed over (value) |
# |---|---|---|---|
# | text | each token | every token of the text | what that token means here |
# | images | each patch, a small square | every patch of the image | what can be seen there |
# | a search | a question | the title of each document | the document |
#
# The functions that you write today serve all three rows without a change.

# %% [markdown]
# ## Similarity
#
# How well does a key fit a query?
# We multiply them feature by feature, and sum:
#
# $$q \cdot k = \sum_{i=1}^{d_k} q_i\, k_i$$
#
# This is the **dot product**, and $d_k$ is the number of features.
# It is large where both are large in the same features, negative where they disagree, and 0 where they have nothing to do with each other.
# And it grows with length: a longer query is a stronger wish.
#
# For the rest of this lesson we take a small example: four tokens, with three features for queries and keys, and two for values.

# %%
Q = np.array([[0.2, 0.1, 0.4], [0.0, 0.5, 0.3], [0.1, 0.0, 0.2], [0.3, 0.2, 0.1]])  # (queries, features)
K = np.array([[0.2, 0.0, 0.1], [0.1, 0.4, 0.3], [0.3, 0.1, 0.2], [0.0, 0.2, 0.2]])  # (keys, features)
V = np.array([[0.5, 0.0], [-0.2, 0.1], [0.3, -0.1], [0.0, 0.2]])  # (keys, value features)


def dot_products_by_loops(query, key):
    """The definition, slowly. Later it checks the fast version."""
    return np.array([[(q * k).sum() for k in key] for q in query])


print(dot_products_by_loops(Q, K))

# %% [markdown]
# One row for each query, one column for each key.
# A **matrix product** makes exactly such tables, but it wants rows on its left and *columns* on its right.
# So the keys have to lie on their side. That is the $\top$ in the formula: $QK^\top$ is this table.
#
# The picture shows the product in the corner between its two factors.
# The frames follow one of its numbers back: query 1, a row, meets key 1, a column.
# Work it out in your head: 0.0 · 0.1 + 0.5 · 0.4 + 0.3 · 0.3.
# To follow another number, change `place`.

# %% picture=true
matrix_product(
    Q,
    np.transpose(K),
    place=(1, 1),
    names=("Q, queries × features", "keys on their side", "dot products"),
    alt="Three tables. Q on the left, with a frame around its row 1: 0.0, 0.5, 0.3. The keys above, on their side, with a "
    "frame around column 1: 0.1, 0.4, 0.3. In the corner between them 4 by 4 dot products; the framed one is 0.29.",
)

# %% [markdown]
# ## How large does a dot product get?
#
# Here the numbers are small, because I chose them small.
# What if they are not chosen at all?
#
# At the start of training a model knows nothing, and its features are more or less random.
# So let all features be random numbers with mean 0 and variance 1, independent of each other.
# (The **variance** is the mean squared distance from the mean. Its root is the **standard deviation**: how far from the mean a number typically lies.
# **Independent** means that one number tells nothing about another.)
#
# - One product $q_i k_i$ has mean 0, so its variance is the mean of $q_i^2 k_i^2$.
#   The mean of $q_i^2$ is the variance of $q_i$, so 1, since $q_i$ has mean 0. The same holds for $k_i^2$.
#   For independent numbers the mean of a product is the product of the means: $1 \cdot 1 = 1$.
# - A dot product is a sum of $d_k$ such products, and the variances of independent terms add up.
#
# **Predict.** Query and key have 100 features each. What is the variance of their dot product?

# %% exercise="score_variance"
score_variance = ...  # a number
### BEGIN SOLUTION
score_variance = 100
### END SOLUTION

# %% [markdown]
# Now we measure.
# For each of five sizes: 1280 random queries, each with 64 random keys, and all their dot products.

# %%
sizes = (4, 16, 64, 512, 4096)


def random_dot_products(features, blocks=64, queries=20, keys=64):
    """Dot products of random queries, one in each row, with 64 keys. Each key is a column here."""
    rng = np.random.default_rng(features)
    columns = rng.normal(size=(blocks, features, keys))
    return (rng.normal(size=(blocks, queries, features)) @ columns).reshape(-1, keys)


dots = {features: random_dot_products(features) for features in sizes}

# %% picture=true
curves(
    {"measured": (sizes, [dots[d].var() for d in sizes]), "predicted (dashed)": (sizes, sizes)},
    alt="Variance of a dot product over the number of features, both axes logarithmic. "
    "The measured points lie on the dashed line, where the variance is the number of features.",
    x="features",
    y="variance of q · k",
    title="4, 16, 64, 512 and 4096 features",
    log_x=True,
    log_y=True,
)

# %% [markdown]
# On both axes each large mark is ten times the one before.
# The measured points lie on the predicted line: the variance of a dot product is the number of features.
# So a typical score is about as large as $\sqrt{d_k}$: 8 with 64 features, 64 with 4096.
#
# Dividing by $\sqrt{d_k}$ makes the standard deviation 1, whatever the number of features.
# A dot product divided by $\sqrt{d_k}$ is called a **scaled score**.
# But is it needed? Softmax takes scores of any size.

# %% [markdown]
# ## What large scores do
#
# Softmax looks at differences: a score that is 8 higher gets a weight that is $e^8 \approx 2981$ times as large.
# With scores that far apart, one key takes nearly all.
#
# We take softmax of the dot products that we have, in three versions, and look at the largest of the 64 weights, on average.
# If all 64 keys got the same share, it would be $1/64 \approx 0.016$.
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
    x="features (d)",
    y="largest weight",
    title="4, 16, 64, 512 and 4096 features",
    log_x=True,
)

# %% [markdown]
# Three fates:
#
# - *Not scaled*, the weights get peaked: the more features, the nearer one key comes to taking it all.
#   Softmax **saturates**, as this is called.
# - *Divided by $d$*, without the root, they get flat: in the end every key has $1/64$, and attention has no opinion any more.
# - *Divided by $\sqrt d$* they stay as they are. Only the root makes the number of features irrelevant.
#
# **Read the plot.** The five marks on each curve are the five sizes, from left to right.
# Without scaling: what is the smallest of the five sizes at which the largest weight is, on average, above 0.9?

# %% exercise="size_above_ninety_percent"
size_above_ninety_percent = ...  # one of 4, 16, 64, 512, 4096
### BEGIN SOLUTION
size_above_ninety_percent = 512
### END SOLUTION

# %% [markdown]
# ## Nothing left to learn from
#
# A model may have good reasons for a peaked choice.
# But at the start of training it has none: its choice is an accident of random numbers.
# The trouble is that it cannot easily leave it.
#
# Training works by small nudges.
# Change a score a little, see how the weights follow, and keep what helps.
# How strongly weight $i$ follows score $j$ is a **slope**.
# Move score $j$ a tiny step, and leave all other scores where they are.
# The slope is the distance that the weight moved, divided by the length of the step.
# It is written $\partial w_i / \partial s_j$. For softmax there is a simple formula, and below we check it by nudging:
#
# $$\frac{\partial w_i}{\partial s_j} = w_i (1 - w_i) \ \text{ if } i = j, \qquad -w_i w_j \ \text{ if not}$$
#
# Take two keys with the weight 1/2 each. A weight follows its own score with the slope $1/2 \cdot 1/2 = 1/4$, and the other score with $-1/4$.
# Now take the weights 1 and 0: $1 \cdot (1 - 1)$, $0 \cdot (1 - 0)$ and $-1 \cdot 0$ are all 0.
# You may nudge any score, and no weight moves.
#
# **In your head:** with the weights 0.9 and 0.1, how strongly does the first follow its own score?
# The next cell prints it.
#
# All slopes together form a table, the **Jacobian** of softmax.
# For its size we take one number, its *norm*: square all the slopes, add them up, take the root.
# For the weights 1/2 and 1/2 it is 1/2.
#
# You need not read the code of the next cell.
# The first function is the formula, for many rows at once; the second one really nudges, and checks the first.


# %%
def sensitivity(weights):
    """The norm of the table of slopes, for each row of weights."""
    slopes = weights[..., None] * (np.eye(weights.shape[-1]) - weights[..., None, :])
    return np.sqrt((slopes**2).sum(axis=(-1, -2)))


def sensitivity_by_nudging(scores, nudge=1e-6):
    """The same for one row, slowly: nudge each score in turn, and see how the weights follow."""
    slopes = (softmax(scores + nudge * np.eye(len(scores))) - softmax(scores)) / nudge
    return np.sqrt((slopes**2).sum())


print("at 0.9 and 0.1:", round(0.9 * (1 - 0.9), 4))
print("by the formula:", sensitivity(softmax(dots[16][0])).round(4))
print("by nudging:    ", sensitivity_by_nudging(dots[16][0]).round(4))

# %% [markdown]
# The last two agree, so we can believe the formula.
#
# First, watch a single query that meets six keys, all of them random.
# The slider sets the number of features.
# Above the bars stands the norm of the slopes.
#
# **Predict** in your head, before you move it.
# With 1 feature, what does the division change?
# And with 1024 features, what is left of the slopes, without it and with it?

# %%
rng = np.random.default_rng(0)
one_query, six_keys = rng.normal(size=1024), rng.normal(size=(6, 1024))

# %% picture=true
def saturation(features):
    fits = six_keys[:, :features] @ one_query[:features]
    weights = {"not scaled": softmax(fits), "divided by √d": softmax(fits / np.sqrt(features))}
    slopes = ", ".join(f"{sensitivity(w):.3f} {name}" for name, w in weights.items())
    largest = ", ".join(f"{w.max():.2f} {name}" for name, w in weights.items())
    return bars(
        weights,
        [f"key {number}" for number in range(6)],
        y="weight",
        title=f"slopes: {slopes}",
        top=1,
        alt=f"Weights of six keys, number of features: {features}. The largest: {largest}. Norm of the slopes: {slopes}.",
    )


play(saturation, features=Slider((1, 4, 16, 64, 256, 1024), start=64))

# %% [markdown]
# With 1 feature it changes nothing, since $\sqrt 1$ is 1.
# From there on, the largest weight without scaling climbs: 0.41 with 4 features, 0.79 with 16, and from 64 on it is 1.00.
# As it climbs, the slopes go down: at 64 features 0.001 is left, and at 1024 nothing that you could read.
# With the division the weights move about a little, and the slopes stay between 0.33 and 0.39.
#
# One query is chance: put another number in place of the 0 in `default_rng(0)`, and look again.
# With some numbers two keys are nearly equally good, and share the weight for a while.
# So now for all our scores.

# %%
slopes_unscaled = {d: sensitivity(softmax(dots[d])) for d in sizes}
slopes_scaled = {d: sensitivity(softmax(dots[d] / np.sqrt(d))) for d in sizes}

# %% picture=true
curves(
    {
        "divided by √d: mean": (sizes, [slopes_scaled[d].mean() for d in sizes]),
        "not scaled: mean": (sizes, [slopes_unscaled[d].mean() for d in sizes]),
        "not scaled: half of the queries lie below": (sizes, [np.median(slopes_unscaled[d]) for d in sizes]),
    },
    alt="Norm of the slopes of softmax over the number of features, both axes logarithmic. "
    "Divided by the root: flat near 0.18. Not scaled, the mean: 0.26 at 4 features, 0.29 at 16, "
    "0.21 at 64, 0.09 at 512, 0.036 at 4096. Not scaled, the query in the middle: 0.26, 0.33, 0.20, then 0.0025 at 512, "
    "and less than 2 hundred-millionths at 4096.",
    x="features (d)",
    y="slopes of softmax",
    title="4, 16, 64, 512 and 4096 features",
    log_x=True,
    log_y=True,
)

# %% [markdown]
# - *Divided by $\sqrt d$*, the slopes have a norm of about 0.18, with 4 features as with 4096.
# - *Not scaled*, the mean falls, to 0.036 at 4096.
# - *Not scaled*, half of the queries lie below the third line, and that line falls off a cliff: at 4096 features it stands below $2 \cdot 10^{-8}$.
#   The mean is held up by one lucky query in ten, whose two best keys happen to be almost equally good.
#
# How many queries have next to nothing left, slopes below a thousandth?

# %%
for size in sizes:
    shares_below = [(slopes[size] < 0.001).mean() for slopes in (slopes_unscaled, slopes_scaled)]
    print("{:5} features: {:4.0%} of the queries without scaling, {:.0%} with it".format(size, *shares_below))

# %% [markdown]
# So with many features and no scaling, most queries are stuck with a choice that they made by accident.
# Learning starts very slowly, if at all.
# Slopes are also called **gradients**, and slopes that get this small are said to **vanish**.
#
# The picture says one more thing.
# Up to 64 features the slopes are, *on average*, no smaller without scaling than with it.
# An average hides single queries, though: at 64 features 7 % of them have next to nothing left already.
#
# The argument is that of the paper which gave us the formula (Vaswani and others, *Attention is all you need*, 2017, section 3.2.1).
# Its queries have 64 features. Why does it scale, if that is where the trouble only begins?
# With the root, one formula serves every size. At 64 features it costs nothing; above, it keeps most queries from getting stuck.
# About the reason the authors wrote "we suspect". You have measured it.
#
# **Choose.** Why are scores divided by $\sqrt{d_k}$?
#
# - `"a"`: without it, the gradients of softmax explode
# - `"b"`: without it, and with many features, the weights get peaked, and for most queries the slopes of softmax vanish
# - `"c"`: without it, the weights get flat, and no key stands out
# - `"d"`: without it, softmax overflows: its exponentials get too large for the computer

# %% exercise="why_scale"
why_scale = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
why_scale = "b"
### END SOLUTION

# %% [markdown]
# This is a good place for a break.
#
# ## Write the scores
#
# If you come back to a fresh kernel, run the cells above first ("Run All Above").
#
# **Calculate**, without running anything: the query is $(2, 1, 0, 2)$ and the key is $(1, 3, 5, 0)$.
# What is their scaled score? (The rule stands at the end of *How large does a dot product get?*)

# %% exercise="scaled_score"
scaled_score = ...  # a number
### BEGIN SOLUTION
scaled_score = 2.5
### END SOLUTION

# %% [markdown]
# Now all scores at once, and for a batch too.
# Later there will even be two axes in front.
# Your function should not care how many there are.
#
# `@`, the matrix product, does not care either: it works on the last two axes, once for each item in front.
# But rows of the query meet *rows* of the key here, and `@` takes columns. So the key has to be transposed first.
# Look at the two ways to do that.

# %%
many_keys = np.zeros((2, 7, 8))  # (batch, keys, features)
print("many_keys.T  has shape", many_keys.T.shape)
print("many_keys.mT has shape", many_keys.mT.shape)

# %% [markdown]
# `.T` reverses the order of all axes, so that the batch ends up last.
# `.mT` (matrix transpose) lets the last two change places, and leaves the rest alone.
# (`reshape` is no third way: it keeps the numbers in their order, and only cuts them into other rows.)


# %% exercise="attention_scores"
def attention_scores(query, key):
    """How well each key answers each query: dot products, divided by the root of the number of features.

    query: (..., queries, features), key: (..., keys, features) -> (..., queries, keys), floating-point numbers.
    The same axes `...` stand in front of both, any number of them or none; each item is computed by itself.
    Any number of features will do. The inputs are not changed.
    """
    ### BEGIN SOLUTION
    features = query.shape[-1]
    return query @ key.mT / np.sqrt(features)
    ### END SOLUTION


# %% [markdown]
# The slow version checks the fast one.

# %% picture=true
after(
    attention_scores,
    lambda: heatmaps(
        {"loops, then / √3": dot_products_by_loops(Q, K) / np.sqrt(3), "yours": attention_scores(Q, K)},
        alt="Two 4 by 4 tables of scaled scores side by side: made by the loops, and by your function. "
        "They should be the same.",
    ),
)

# %% [markdown]
# ## From scores to weights
#
# A score says how well a key fits.
# A weight says which share of its attention a query gives to it.
# You know the function that leads from one to the other.
#
# One thing is done already: `attention_scores` has scaled the scores, so nobody else has to.
# (Seen from lesson 01, it has set the temperature, to $\sqrt{d_k}$.)


# %% exercise="attention_weights"
def attention_weights(query, key):
    """How each query shares out its attention: along the keys, the shares are at least 0 and sum to 1.

    query: (..., queries, features), key: (..., keys, features) -> (..., queries, keys), floating-point numbers.
    The same axes `...` in front of both, or none. Softmax sees scaled scores, small ones or very large ones.
    The inputs are not changed. Finite scores give a finite result: no NaN, no infinity.
    """
    ### BEGIN SOLUTION
    return softmax(attention_scores(query, key))
    ### END SOLUTION


# %% [markdown]
# On the left your weights for the example.
# On the right the same, when every query is 30 times as long.

# %% picture=true
after(
    attention_weights,
    lambda: heatmaps(
        {"your weights": attention_weights(Q, K), "queries × 30": attention_weights(30 * Q, K)},
        alt="Two 4 by 4 tables of your weights. For the example all lie near a quarter. "
        "For queries 30 times as long, query 1 gives 0.86 to key 1, and the others still hesitate: "
        "their largest weights are 0.50, 0.31 and 0.42.",
    ),
)

# %% [markdown]
# Our small queries whisper: their scores hardly differ, and each key gets about a quarter.
# Turn up the volume, and each query makes up its mind, except query 2.
# Two keys fit it equally well, and no volume decides between them.
# Here is the first query, from a whisper to a shout.

# %% picture=true
volumes = np.logspace(0, 3, 13)

after(
    attention_weights,
    lambda: curves(
        {f"key {k}": (volumes, [attention_weights(v * Q, K)[0, k] for v in volumes]) for k in range(4)},
        alt="Weights of query 0 for four keys, over the volume of the query, from 1 to 1000. "
        "All begin near a quarter; key 1 rises to 1. Key 2 climbs to 0.29 at a volume of 32. All but key 1 end at 0.",
        x="volume",
        y="weight",
        log_x=True,
    ),
)

# %% [markdown]
# You have seen this picture before, from right to left: it is the temperature of lesson 01.
# A volume of 100 is a temperature of 1/100.
# But nobody sets this one by hand.
# A model that wants to be sure learns longer queries or keys; one that wants an overview learns shorter ones.
# So it matters that the dot product grows with length.

# %% [markdown]
# ## Mix the values
#
# The last step is the first that you learned: a weighted mean of the values, one for each query.
#
# **Predict.** Follow the shapes through the whole formula.
# There is a batch of 2, with 5 queries and 7 keys. Queries and keys have 8 features, values have 3.
# So `query` is `(2, 5, 8)`, `key` is `(2, 7, 8)`, `value` is `(2, 7, 3)`.
# What is the shape of the output?

# %% exercise="attention_output_shape"
attention_output_shape = ...  # a tuple of sizes
### BEGIN SOLUTION
attention_output_shape = (2, 5, 3)
### END SOLUTION

# %% [markdown]
# **Put in order.** Here is the whole way from query, key and value to the output, in small steps.
# It uses neither your functions nor `@`, only `*` and `sum`.
# (`None` in the brackets puts in an axis of length 1, as `keepdims` does.
# So in line `g` each query meets each key, and in line `a` each weight meets the value of its key.)
#
# The lines are shuffled, and two of them do not belong here.
# Write down the letters of the others, in an order that works.
# More than one order does.
#
# ```
# a   parts = weights[..., None] * value[..., None, :, :]
# b   scores = products.sum(axis=-1)
# c   weights = softmax(scores, axis=-2)
# d   scores = scores / np.sqrt(size)
# e   return parts.sum(axis=-2)
# f   size = query.shape[-1]
# g   products = query[..., :, None, :] * key[..., None, :, :]
# h   weights = softmax(scores, axis=-1)
# i   weights = weights / np.sqrt(size)
# ```

# %% exercise="attention_in_order"
attention_in_order = ...  # letters in quotes, as in "a b c"
### BEGIN SOLUTION
attention_in_order = "g b f d h a e"
### END SOLUTION

# %% [markdown]
# The check makes a function of your lines, tries it, and tells you what it finds, as if you had typed it.
#
# Now write the formula that this lesson began with.
# You have all the pieces: two of them are yours, and `weighted_mean` is imported.


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
# In the next lesson the same example comes back, and a mask covers its eyes.
#
# **Calculate.** Suppose that all four keys were equal. What would the first row of the output be then?
# You need no computer for it, and no query:
#
# $$V = \begin{pmatrix} 0.5 & 0 \\ -0.2 & 0.1 \\ 0.3 & -0.1 \\ 0 & 0.2 \end{pmatrix}$$

# %% exercise="output_for_equal_keys"
output_for_equal_keys = ...  # two numbers: (..., ...)
### BEGIN SOLUTION
output_for_equal_keys = (0.15, 0.05)
### END SOLUTION

# %% [markdown]
# That is close to the row above, and now you know why: a whispering query gets nearly the plain mean.
#
# Earlier I said that attention does not notice the order. Let us see.
# We shuffle the keys, and the values with them.

# %%
shuffled = [2, 0, 3, 1]


def change_by_shuffling():
    before = scaled_dot_product_attention(Q, K, V)
    return abs(scaled_dot_product_attention(Q, K[shuffled], V[shuffled]) - before).max()


after(scaled_dot_product_attention, lambda: f"largest change of any output: {change_by_shuffling():.12f}")

# %% [markdown]
# ## Find the bug
#
# A colleague has written attention in her own way.
# Her `np.einsum("qd,kd->qk", ...)` is another way to say "all dot products": `d` is missing after the arrow, so it is summed over.
# She tried it on the prices of four things: 20, 24, 28 and 30.


# %%
def colleagues_attention(query, key, value):
    dot_products = np.einsum("qd,kd->qk", query, key)  # line 1
    weights = softmax(dot_products)  # line 2
    mixed = weighted_mean(weights, value)  # line 3
    return mixed / np.sqrt(query.shape[-1])  # line 4


prices = np.array([[20.0], [24.0], [28.0], [30.0]])
print(colleagues_attention(Q, K, prices).round(2))

# %% [markdown]
# No number is missing, no shape is off, nothing warns.
# And yet this cannot be right: the cheapest thing costs 20, so how can a mean of the four be below 15?
#
# Which line does something that has no place there?

# %% exercise="colleagues_line"
colleagues_line = ...  # 1, 2, 3 or 4
### BEGIN SOLUTION
colleagues_line = 4
### END SOLUTION

# %% [markdown]
# ## Write a test
#
# Such bugs are silent.
# What finds them is a test, and a good one is small: an example so simple that you know its output before you run anything.
#
# Write a test that lets the right version pass, and fails for each of six wrong ones.
# Each has a name, and the card will use it when your test lets one pass:
#
# 1. *forgets to scale*: the scores stay plain dot products.
# 2. *scales by the number of keys*: it divides by the root of that number.
# 3. *scales after softmax*: plain dot products go into softmax, and what comes out is divided.
# 4. *forgets the softmax*: the values are mixed with the scores.
# 5. *compares keys with themselves*: the query is not used.
# 6. *transposes every axis*: `key.T`, harmless for two axes, and with a batch it fails.
#
# You get points for each one that your test catches.
# Version 6 cannot be seen without a batch, and version 2 hides where there are as many keys as features.
# A test speaks by `assert`: `assert np.allclose(a, b)` stops it if the two are not close.
# What it returns is ignored.


# %% exercise="test_attention"
def test_attention(attention):
    """Let a right scaled_dot_product_attention pass, and stop with an assert at each of the six wrong ones above.

    attention: a function of (query, key, value), right or wrong -> nothing: a returned value is ignored.
    Call it on inputs of your choice.
    """
    ### BEGIN SOLUTION
    query = np.array([[2.0, 0.0, 0.0, 0.0]])
    key = np.array([[np.log(3), 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])  # scaled scores: ln 3 and 0
    value = np.array([[8.0], [4.0]])
    assert np.allclose(attention(query, key, value), 7)  # 3/4 of 8 and 1/4 of 4

    batch = [np.stack([x, x + 1]) for x in (query, key, value)]
    for item in (0, 1):
        alone = attention(*(x[item] for x in batch))
        assert np.allclose(attention(*batch)[item], alone)
    ### END SOLUTION


# %% [markdown]
# ## Summary
#
# You can now
#
# - say what query, key and value are for: what I look for, what I offer, what I carry;
# - compare all queries with all keys in one matrix product, whatever stands in front;
# - show, by a measurement, that the variance of a dot product is $d_k$, and what softmax and its slopes make of that;
# - say why the divisor is $\sqrt{d_k}$, and not $d_k$ or nothing;
# - write scaled dot-product attention, and a test that finds the silent bugs in it.
#
# These three functions stay with you to the end.
# In lesson 04 queries, keys and values get learned matrices.
# In lesson 06 all heads run through the same lines at once, as one more axis in front.
# In lesson 08 you count what $QK^\top$ costs.
#
# Next comes lesson 03.
# So far every query sees every key: also the empty places that fill up a short sentence, and also the words that come after it.
# Some of them it must not see.

# %% [markdown]
# Here is how far you are in the course, and what comes next.

# %%
progress()
