# %% [markdown]
# # Lesson 14 · Gradients
#
# This lesson is a draft: what stands here came from earlier lessons, and waits to be made into one.

# %% locked=true
import numpy as np
import torch

from autograder import after, check, hint, progress, solution
from autograder.pictures import bars, curves, heatmaps
from autograder.play import Slider, play
from mha_ref import attention_head, softmax

device = "cuda" if torch.cuda.is_available() else "cpu"
sizes = (4, 16, 64, 512, 4096)

# %%
sizes = (4, 16, 64, 512, 4096)


def random_dot_products(features, blocks=64, queries=20, keys=64):
    """Dot products of random queries, one in each row, with 64 keys. Each key is a column here."""
    rng = np.random.default_rng(features)
    columns = rng.normal(size=(blocks, features, keys))
    return (rng.normal(size=(blocks, queries, features)) @ columns).reshape(-1, keys)


dots = {features: random_dot_products(features) for features in sizes}

# %% [markdown]
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

# %%
def random_matrices(*shapes, seed, size=1.0, dtype=torch.float32):
    """Small random matrices; divided by √model_size, so that queries and keys are of moderate size."""
    generator = torch.Generator().manual_seed(seed)
    return [(torch.randn(shape, generator=generator, dtype=dtype) * size / shape[0] ** 0.5).to(device) for shape in shapes]


# %% [markdown]
# Take one parameter $w$ and the loss $(3w - 5)^2$.
# A nudge of $w$ moves $3w - 5$ three times as far.
# And a nudge of a number $u$ moves $u^2$ by $2u$ times as much: $(3 + 0.01)^2 \approx 9 + 6 \cdot 0.01$.
# One after the other, the two factors multiply: the slope is $3 \cdot 2\,(3w - 5)$.
# This is the *chain rule*.
#
# torch does it for us.
# We mark the parameter with `requires_grad=True`.
# From then on torch writes down each operation that the parameter takes part in.
# `loss.backward()` goes through these notes from the end to the beginning, multiplies the factors, and leaves the slope in `.grad`.
# This is called *autograd*.

# %%
w = torch.tensor(3.0, requires_grad=True, device=device)
loss = (3 * w - 5) ** 2
loss.backward()
print("loss:", loss.item(), " slope by autograd:", w.grad.item(), " by the chain rule:", 3 * 2 * (3 * 3.0 - 5))

# %% [markdown]
# **Calculate**, without running anything: what is the slope at $w = 2$?

# %% exercise="slope_at_two"
slope_at_two = ...  # a number
### BEGIN SOLUTION
slope_at_two = 6
### END SOLUTION

# %% [markdown]
# Three things to know about it:
#
# - `.grad` *adds up*: a second `backward()` adds to what is there. So we throw it away after each step, with `.grad = None`.
# - Inside `with torch.no_grad():` torch takes no notes. The step downhill happens there, since it is no part of the loss.
# - A number taken out of torch is out of the notes, and no gradient comes back from it.
#   That is why `attention_head` had to stay inside.
#
# ### Trust, but nudge
#
# Is what autograd says true for your head?
# A slope can be measured, as in lesson 02: move one parameter a little up, then a little down, and look how far the loss moves.
#
# $$\frac{\partial\,\mathrm{loss}}{\partial w} \approx \frac{\mathrm{loss}(w + h) - \mathrm{loss}(w - h)}{2h}$$
#
# These are *finite differences*.
# They know nothing of chain rules, so if both agree, we can believe both.

# %%
def nudged_slopes(loss_of, matrix, nudge=1e-5):
    """The slope of the loss in each number of the matrix, by moving one after the other."""
    slopes = torch.zeros_like(matrix)
    for row in range(matrix.shape[0]):
        for column in range(matrix.shape[1]):
            step = torch.zeros_like(matrix)
            step[row, column] = nudge
            slopes[row, column] = (loss_of(matrix + step) - loss_of(matrix - step)) / (2 * nudge)
    return slopes


def compare_slopes(dtype=torch.float64):
    (tiny,) = random_matrices((6, 5), seed=4, size=2.0, dtype=dtype)
    w_query, w_key, w_value = random_matrices((5, 4), (5, 4), (5, 3), seed=5, size=2.0, dtype=dtype)
    w_query.requires_grad_()  # sets the mark on a tensor that is already there
    (attention_head(tiny, w_query, w_key, w_value) ** 2).sum().backward()
    nudged = nudged_slopes(lambda w: (attention_head(tiny, w, w_key, w_value) ** 2).sum(), w_query.detach())
    return w_query.grad, nudged


# %% picture=true
def slopes_picture():
    by_autograd, by_nudging = compare_slopes()
    return heatmaps(
        {"autograd": by_autograd, "nudged": by_nudging},
        alt="Slopes of a loss in the 5 by 4 numbers of your w_query: by autograd, and by nudging. "
        "The two tables are the same, number by number, from -5.5 to 5.2.",
        rows="model_size",
        columns="head_size",
    )


after(attention_head, slopes_picture)

# %% [markdown]
# (The colours know no sign: the darkest is the largest number, the palest the most negative.)
#
# The tables are the same as far as we see.
# And behind that? It depends on how many digits the numbers have.

# %%
def gap(dtype):
    by_autograd, by_nudging = compare_slopes(dtype)
    return f"{(by_autograd - by_nudging).abs().max().item():.0e}"


after(attention_head, lambda: print("largest difference, float64:", gap(torch.float64), " float32:", gap(torch.float32)))

# %% [markdown]
# In float64 they agree to about eight decimals.
# In float32 nudging fails: the two losses are so close that their difference keeps hardly any of the seven digits.
# Autograd has no such problem, since it does not subtract them.
# So gradients are *checked* in float64, and used in float32.
# torch has this check ready, for all inputs at once: `torch.autograd.gradcheck`.

# %%
def check_all_gradients():
    inputs = random_matrices((6, 5), (5, 4), (5, 4), (5, 3), seed=6, size=2.0, dtype=torch.float64)
    return torch.autograd.gradcheck(attention_head, [x.requires_grad_() for x in inputs])


after(attention_head, check_all_gradients)

# %% [markdown]
# Why not nudge always?
# It takes two runs for each parameter, and a head may have a hundred thousand of them.
# `backward()` walks through the notes once, and for each product there it makes about two.
# So it costs about as much as two runs more, and gives all slopes, however many there are.
#
# **Choose.**
# A sentence has a single word.
# Which matrices get slopes other than 0?
#
# - `"a"`: all three
# - `"b"`: `w_query` and `w_key` only
# - `"c"`: `w_value` only
# - `"d"`: none

# %% exercise="slopes_for_one_word"
slopes_for_one_word = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
slopes_for_one_word = "c"
### END SOLUTION

# %%
def slopes_of_one_word():
    (word,) = random_matrices((1, 64), seed=7)
    matrices = [m.requires_grad_() for m in random_matrices((64, 8), (64, 8), (64, 8), seed=8)]
    (attention_head(word, *matrices) ** 2).sum().backward()
    return {name: m.grad.abs().max().item() for name, m in zip(("w_query", "w_key", "w_value"), matrices)}


after(attention_head, slopes_of_one_word)

# %% [markdown]
# Queries and keys learn only where there is a choice.

# %% [markdown]
# **Choose.**
# One of the four biases has no influence on any output, whatever its numbers are. Which one?
# (Think of what softmax does when the same number is added to all scores of a row: lesson 01.)
#
# - `"a"`: that of the queries
# - `"b"`: that of the keys
# - `"c"`: that of the values
# - `"d"`: that of the output
# - `"e"`: none: all four make a difference

# %% exercise="needless_bias"
needless_bias = ...  # "a", "b", "c", "d" or "e"
### BEGIN SOLUTION
needless_bias = "b"
### END SOLUTION

# %% [markdown]
# A key's bias $b$ adds $q \cdot b$ to the scores of query $q$, the same number to the whole row.
# Softmax looks at differences only, so nothing moves, and the gradient of this bias is zero.
# Some models leave it out. PyTorch and Keras keep it, and so do we, so that all four projections look the same.

# %%
progress()
