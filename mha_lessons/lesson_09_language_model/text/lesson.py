# %% [markdown]
# # Lesson 09 · A language model
#
# This lesson is a draft: what stands here came from earlier lessons, and waits to be made into one.

# %% locked=true
import numpy as np

from autograder import after, check, hint, progress, solution
from autograder.pictures import bars, curves
from autograder.play import Slider, play
from mha_ref import softmax

# %%
words = ["cat", "mat", "sat", "the"]
scores = np.array([2.0, 1.0, 0.0, -1.0])


def naive_softmax(scores):
    exponentials = np.exp(scores)
    return exponentials / np.sum(exponentials)


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

# %%
progress()
