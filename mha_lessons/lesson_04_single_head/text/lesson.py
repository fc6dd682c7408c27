# %% [markdown]
# # Lesson 04 · One head that learns
#
# In lesson 02 I wrote queries, keys and values by hand.
# In lesson 03 a word's vector played all three parts at once.
# Neither was meant to last, and both end today: three matrices make queries, keys and values out of the words.
# Attention with its three matrices is called a **head**.
#
# New in this lesson are
#
# - the matrices, and why there are three;
# - *torch*, a library like NumPy that knows how to learn;
# - slopes that torch computes for you, and a way to check them;
# - a head that finds out by itself where to look, in about a second.
#
# You will also see what one head cannot do.
# That is why lesson 05 takes several.
#
# This is a long lesson, made for three sittings of about 100, 60 and 90 minutes.
# The second begins with *How a matrix learns*, the third with *A head as a module*.
#
# When you are stuck, run `hint(attention_head)` in a cell of your own, or `hint("head_output_shape")` for a question.

# %% locked=true
import io
import math
import os
import random

import torch
from torch import nn

from autograder import after, check, hint, progress, solution
from autograder.pictures import curves, heatmap, heatmaps, shapes
from mha_ref import attention_scores, attention_weights, log_softmax, masked_attention, padding_mask

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)  # for matrices as small as ours, one thread is the fastest
torch.set_printoptions(precision=3, sci_mode=False)
training_steps = 3 if "NBGRADER_EXECUTION" in os.environ else 200  # a grader need not wait

# %% [markdown]
# ## Do you remember?
#
# Masks (from lesson 03) and slopes (from lesson 02) come back today.
# Here are three short questions about them; you need not answer.
#
# Two sentences, of 4 and of 6 words, are padded to 6 places.
# `lengths` holds the 4 and the 6.
# What is the shape of `padding_mask(lengths, 6)[:, 0]`?

# %% exercise="remember_the_padding"
remember_the_padding = ...  # a shape
### BEGIN SOLUTION
remember_the_padding = (2, 1, 6)
### END SOLUTION

# %% [markdown]
# A query has the same score for each of three keys.
# Their values are 6, 10 and 50.
# The third key is blocked by a mask.
# What does the query get from `masked_attention`?

# %% exercise="remember_a_blocked_key"
remember_a_blocked_key = ...  # a number
### BEGIN SOLUTION
remember_a_blocked_key = 8
### END SOLUTION

# %% [markdown]
# The scores of a row lie so far apart that its weights are 1, 0 and 0.
# Somebody makes one of the scores a tiny bit larger.
# What do the weights do?
#
# - `"a"`: they change a lot, because the scores are large
# - `"b"`: they stay where they are
# - `"c"`: they all rise a little

# %% exercise="remember_a_sure_row"
remember_a_sure_row = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_a_sure_row = "b"
### END SOLUTION

# %% [markdown]
# ## From NumPy to torch
#
# NumPy computes. To learn, we need slopes too: if I change this number a little, how does the result move?
# **torch** (or PyTorch, by its full name) computes like NumPy and gives the slopes on top.
# And it can do its work on a graphics processor, a GPU, where large matrix products are fast.
#
# What NumPy calls an array, torch calls a **tensor**.
# You can read torch already, but for a few words:
#
# | NumPy | torch |
# |---|---|
# | `np.array([1.0, 2.0])` | `torch.tensor([1.0, 2.0])` |
# | `x @ y`, `x.shape`, `x.mT`, `x[..., None]` | the same |
# | `x.sum(axis=-1, keepdims=True)` | `x.sum(dim=-1, keepdim=True)` |
# | `np.where(mask, x, 0)` | `torch.where(mask, x, 0)` or `x.masked_fill(~mask, 0)` |
# | `x.copy()` | `x.clone()` |
# | float64, if you say nothing | float32, if you say nothing |
#
# Tensors live somewhere: in the memory of the CPU, or in that of a GPU.
# Only tensors in the same place can be combined.
# The line `device = ...` above has looked up what your machine has.
# All that we make goes there, and the lesson runs on both.
# The functions of `mha_ref` take tensors as they take arrays.
#
# The checks of these lessons also try float64.
# A tensor that you make yourself needs the type of an input, `dtype=x.dtype`, and on a GPU its place, `device=x.device`.

# %%
small = torch.tensor([[3.0, 4.0], [1.0, 0.0]], device=device)
print("shape:", tuple(small.shape), " type:", small.dtype, " device:", small.device)
print("dot products of the rows:", small @ small.mT, sep="\n")
print("sums of the rows:", small.sum(dim=-1))
print("and back to NumPy:", small.cpu().numpy().sum(axis=-1))

# %% [markdown]
# ## A word that is its own query
#
# Why not go on as in lesson 03?
# Here is a sentence, each of its words a vector of 64 random numbers.
# As before, each word's vector is its query, its key and its value.

# %%
sentence = "the animal did not cross the street because it was too tired".split()


def random_words(words, features, seed):
    """A vector of random numbers for each word, the same on every machine: {word: vector}."""
    generator = torch.Generator().manual_seed(seed)
    return {word: torch.randn(features, generator=generator).to(device) for word in sorted(set(words))}


animal_words = random_words([*sentence, "wide"], features=64, seed=0)
x = torch.stack([animal_words[word] for word in sentence])  # (tokens, model_size)

# %% picture=true
heatmap(
    attention_weights(x, x),
    alt="Attention weights of the twelve words of the sentence for each other. Every word gives itself between "
    "0.92 and 1.00; only the two words 'the' share with each other, half and half. Everything else is 0.02 or less.",
    row_labels=sentence,
    column_labels=sentence,
)

# %% [markdown]
# Every word looks at itself, and at hardly anything else.
# (The word *the* comes twice, so there it is half and half.)
# No wonder: among vectors of about the same length, none fits a vector as well as itself.
# A mean of a single word is that word: after all this work nothing has changed.
#
# There is a second problem.
# A dot product is the same both ways, so *it* fits *animal* exactly as well as *animal* fits *it*.
# But a pronoun needs its noun, and the noun does well without the pronoun.
# Looking is not mutual.

# %%
scores = attention_scores(x, x)
animal, it = sentence.index("animal"), sentence.index("it")
print("score of 'it' for 'animal':", scores[it, animal].item())
print("score of 'animal' for 'it':", scores[animal, it].item())

# %% [markdown]
# ## Three matrices
#
# What I look for, what I offer and what I carry are three different things.
# So each gets a matrix of its own.
# Write $X$ for the words, one in each row:
#
# $$Q = X W^Q \qquad K = X W^K \qquad V = X W^V$$
#
# $$\mathrm{head}(X) = \mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right) V$$
#
# The first line is new, the second is lesson 02.
# A matrix product like $X W^Q$ is called a **projection**: it shows the word from one side.
# All three come from the same words here, so this is called **self-attention**.
#
# The sizes have names.
# A word has `model_size` features; that is what the whole model works with, 512 for example.
# Query and key have `head_size` features (the $d_k$ of the formula), often fewer, 64 for example.
# The value may have yet another size, `value_size`.
#
# | | shape |
# |---|---|
# | `x` | (tokens, model_size) |
# | `w_query`, `w_key` | (model_size, head_size) |
# | `w_value` | (model_size, value_size) |
#
# Rows are words, so the words stand on the left, and the matrices multiply from the right.
# The word *weights* is used for two things: for the shares of attention, and for the learned numbers.
# This lesson calls the learned numbers *matrices*, or *parameters*; torch and the cards call them weights too.
#
# **Predict.**
# A batch of 2 sentences has 5 words each, with 16 features: `x` is `(2, 5, 16)`.
# `w_query` and `w_key` are `(16, 4)`, `w_value` is `(16, 3)`.
# What is the shape of the head's output?

# %% exercise="head_output_shape"
head_output_shape = ...  # a tuple of sizes
### BEGIN SOLUTION
head_output_shape = (2, 5, 3)
### END SOLUTION

# %% [markdown]
# Here is a head with other sizes, from left to right.
# Change a size and run the cell again: which boxes change, and which do not?

# %% picture=true
def shapes_of_a_head(tokens, model_size, head_size, value_size):
    return shapes({
        "x": ((tokens, model_size), "tokens model_size"),
        "query": ((tokens, head_size), "tokens head_size"),
        "key": ((tokens, head_size), "tokens head_size"),
        "shares": ((tokens, tokens), "queries keys"),
        "value": ((tokens, value_size), "tokens value_size"),
        "output": ((tokens, value_size), "tokens value_size"),
    })

# %%
shapes_of_a_head(tokens=6, model_size=7, head_size=4, value_size=2)

# %% [markdown]
# ### A head made by hand: *I love AI*
#
# Before a machine learns such matrices, let us make some, to see what they say.
# In this sentence *I* is the subject, *love* is the verb, *AI* is the object.
# Each word gets one feature of its own, with a 1 in it.
#
# A row like `(0, 1, 0)` times a matrix picks out row 1 of the matrix.
# So you can read the matrix row by row: **row i says what word i looks for, offers, or carries.**
# (A 4 means: it looks hard for this. With a 1 the maps below would be paler.)

# %%
three_words = ["I", "love", "AI"]
love_x = torch.eye(3, device=device)  # one row for each word
offers = torch.eye(3, device=device)  # columns: I am a subject, a verb, an object
asks_for_subject = torch.tensor([[0.0, 4, 0], [4, 0, 0], [0, 4, 0]], device=device)  # I, love, AI look for ...
asks_for_object = torch.tensor([[0.0, 4, 0], [0, 0, 4], [0, 4, 0]], device=device)
carries = torch.tensor([[1.0, 0], [0, 0], [0, 1]], device=device)  # columns: a person, a machine

# %% picture=true
heatmaps(
    {
        "love asks: who loves?": attention_weights(love_x @ asks_for_subject, love_x @ offers),
        "love asks: loves what?": attention_weights(love_x @ asks_for_object, love_x @ offers),
    },
    alt="Two maps of three words by three words. In both, I and AI look at love with 0.83. "
    "In the first, love looks at I with 0.83; in the second, love looks at AI with 0.83.",
    row_labels=three_words,
    column_labels=three_words,
)

# %% [markdown]
# Now *I* looks at *love* and not at itself, because it looks for a verb and is none.
# Both problems are gone.
#
# The two maps differ in one row, since the two matrices do.
# Linguists would find both useful: the subject of *love* and its object.
# Keep that in mind. We come back to it as soon as your head works.

# %% [markdown]
# ## Write the head
#
# First slowly, token by token: the definition.
# It knows neither batches nor masks.

# %%
def head_by_loops(x, w_query, w_key, w_value):
    """One head, one token after the other. Later it checks the fast version."""
    results = []
    for token in x:
        asked = token @ w_query
        fits = torch.stack([asked @ (other @ w_key) for other in x])
        shares = torch.softmax(fits / len(asked) ** 0.5, dim=-1)
        results.append(sum(share * (other @ w_value) for share, other in zip(shares, x)))
    return torch.stack(results)


# %% [markdown]
# Now fast, with a batch and with a mask.
# `masked_attention` is imported.
#
# One demand is new: **gradients must reach x and the three matrices**, or nothing can be learned.
# (*Gradient* is another word for slope.)
# This comes by itself, as long as you compute with tensors from beginning to end.
# Some calls take the bare numbers out, and cut the connection: `.detach()`, `.item()`, `.data`, NumPy, or `torch.tensor(...)` around a result.

# %% exercise="attention_head"
def attention_head(x, w_query, w_key, w_value, mask=None):
    """One head of self-attention: every token asks all tokens of its own sequence.

    x: (..., tokens, model_size), w_query, w_key: (model_size, head_size), w_value: (model_size, value_size)
    -> (..., tokens, value_size), floating.
    Each matrix multiplies from the right. Scores are divided by the square root of head_size.
    mask: boolean, broadcastable to (..., tokens, tokens), True means "may look"; None allows everything.
    A query that may look at nothing gets zeros.
    Any number of axes `...`, or none. The inputs are not changed.
    The result is finite for any finite inputs. Gradients reach x and all three matrices.
    """
    ### BEGIN SOLUTION
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    return masked_attention(query, key, value, mask)
    ### END SOLUTION


# %% [markdown]
# Does it agree with the loops?

# %%
def random_matrices(*shapes, seed, size=1.0, dtype=torch.float32):
    """Small random matrices; divided by √model_size, so that queries and keys are of moderate size."""
    generator = torch.Generator().manual_seed(seed)
    return [(torch.randn(shape, generator=generator, dtype=dtype) * size / shape[0] ** 0.5).to(device) for shape in shapes]


def compare_with_loops():
    matrices = random_matrices((64, 8), (64, 8), (64, 5), seed=1)
    difference = (attention_head(x, *matrices) - head_by_loops(x, *matrices)).abs().max().item()
    return f"largest difference from the loops: {difference:.0e}"


after(attention_head, compare_with_loops)

# %% [markdown]
# And what does *love* receive, in each of the two heads made by hand?

# %% picture=true
after(attention_head, lambda: heatmaps(
    {
        "who loves?": attention_head(love_x, asks_for_subject, offers, carries),
        "loves what?": attention_head(love_x, asks_for_object, offers, carries),
    },
    alt="Your output for I love AI, two features for each word. In the first head love receives 0.83 person and 0.08 machine, "
    "in the second 0.08 person and 0.83 machine.",
    rows="words",
    columns="what it receives",
    row_labels=three_words,
    column_labels=["person", "machine"],
))

# %% [markdown]
# ## What one mixture cannot say
#
# *Love* would like to know both, who loves and what is loved.
# It has one row of shares to give, so let it share: half for the subject, half for the object.
# Then it receives half a person and half a machine.
# But who loves whom?
#
# To find out we take many sentences.
# Eight names can love each other in 56 ways.
# A word tells two things, its name and its role, and the role is what *love* asks for.
# (English shows the role by the order of the words, which attention does not see; lesson 07 deals with that.
# Latin shows it by the ending, and so do we.)
# The next cell builds such a head by hand, for any shares.

# %%
names = ["I", "AI", "you", "we", "cats", "dogs", "music", "rain"]
loves = torch.tensor([(s, o) for s in range(8) for o in range(8) if s != o], device=device)  # (56, 2)
one_of_eight = torch.eye(8, device=device)

lovers = torch.zeros(56, 3, 11, device=device)  # sentences, tokens, 8 names and 3 roles
lovers[:, 0, :8], lovers[:, 2, :8] = one_of_eight[loves[:, 0]], one_of_eight[loves[:, 1]]
lovers[:, :, 8:] = torch.eye(3, device=device)  # subject, verb, object


def what_love_receives(share, x=lovers, carried=8):
    """The verb gives `share` to the subject and the rest to the object; names are carried -> (56, carried)."""
    w_query, w_key, w_value = (torch.zeros(x.shape[-1], size, device=device) for size in (3, 3, carried))
    # softmax takes exponentials: a score of log(share) gives that share, and one of -20 gives next to nothing
    scores = torch.tensor([math.log(share), -20, math.log(1 - share)])  # for subject, verb, object
    w_query[-2] = 3**0.5 * scores  # the row of the role "verb"; the head divides by the root of 3
    w_key[-3:], w_value[:carried] = torch.eye(3), torch.eye(carried)  # roles are offered, names are carried
    return attention_head(x, w_query, w_key, w_value)[:, 1]


# %% [markdown]
# **Predict**, before you run the next cell: half and half, what does *love* receive in *I love AI*, and what in *AI loves me*?
# (*Me* has the same name feature as *I*; only its role is another.)

# %%
def two_sentences():
    half = what_love_receives(0.5)
    i_love_ai, ai_loves_me = loves.tolist().index([0, 1]), loves.tolist().index([1, 0])
    print("'I love AI':   love receives", half[i_love_ai].cpu().numpy().round(3))
    print("'AI loves me': love receives", half[ai_loves_me].cpu().numpy().round(3))


after(attention_head, two_sentences)

# %% [markdown]
# The same mixture. Half and half cannot say who loves whom.
#
# What about other shares, 0.7 and 0.3 for example?
# Then the mixture leans to one side.
# In a real model a further matrix reads it (you meet it in lesson 05), so we take the best matrix there is.
# It gets the mixture, and should say the subject; another one should say the object.
#
# How much does it miss?
# Say the subject is *I*: a good answer is 1 for *I*, and 0 for each of the seven other names.
# The errors are squared and added up.
# If you know nothing, you say 1/8 for every name, and miss $(7/8)^2 + 7 \cdot (1/8)^2 = 0.875$.
# If you say 0.6 for *I* and 0.1 for each other name, you miss $0.4^2 + 7 \cdot 0.1^2 = 0.23$, about a quarter of that.
# This ratio is what we draw: at 0 everything is read, at 1 nothing is.
# (`torch.linalg.lstsq`, for *least squares*, finds the matrix that misses least.)

# %%
def misses(received, wanted):
    """What the best matrix cannot read: the remaining squared error, as a share of what there was to know."""
    best = torch.linalg.lstsq(received.double(), wanted.double()).solution
    rest = ((received.double() @ best - wanted) ** 2).sum()
    return (rest / ((wanted - wanted.mean(dim=0)) ** 2).sum()).item()


# %% picture=true
def reading_curves():
    shares = [0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99]
    subject, object_ = one_of_eight[loves[:, 0]], one_of_eight[loves[:, 1]]
    return curves(
        {
            "reading the subject": (shares, [misses(what_love_receives(p), subject) for p in shares]),
            "reading the object": (shares, [misses(what_love_receives(p), object_) for p in shares]),
        },
        alt="What cannot be read over the share of attention for the subject. The subject: 0.98 to 1 up to "
        "a share of 0.2, then 0.92 at 0.3, 0.57 at 0.5, 0.17 at 0.7 and 0 at 0.99. The object is the mirror image: "
        "the two curves cross at one half.",
        x="share of attention for the subject",
        y="missed (0: nothing, 1: all)",
    )


after(attention_head, reading_curves)

# %% [markdown]
# At the right end love looks at the subject only: the subject is read without a miss, and the object is lost.
# At the left end it is the other way round.
# In between, what you gain on one you lose on the other; at half and half each misses 0.57.
# No choice of shares is good for both.
# (The subject's curve begins a little below 1: nobody loves itself here, so the object tells one name that the subject is not.)
#
# Two heads would do it: one stands at the right end, the other at the left, and nothing is lost.
# That is lesson 05.
#
# You may read elsewhere that one head can learn *only one relation*.
# That says too much.
# What is true: **for each query, one head has one row of shares, and mixes everything it carries by that same row.**
# If a word's vector itself says *I, as a subject*, as *I* and *me* do in English, then even half and half can be read.
# Let us see: 16 features in place of 8, one for each name in each role.

# %%
told_apart = torch.zeros(56, 3, 19, device=device)  # 8 names as subjects, 8 names as objects, 3 roles
told_apart[:, 0, :8], told_apart[:, 2, 8:16] = lovers[:, 0, :8], lovers[:, 2, :8]
told_apart[:, :, 16:] = lovers[:, :, 8:]


def read_both():
    received = what_love_receives(0.5, told_apart, carried=16)
    both = [misses(received, one_of_eight[loves[:, word]]) for word in (0, 1)]
    return "half and half, with I and me: missed {:.2f} of the subject, {:.2f} of the object".format(*map(abs, both))


after(attention_head, read_both)

# %% [markdown]
# ### *It was too tired*
#
# Here is a second sentence, one that you meet everywhere:
#
# > The animal did not cross the street because it was too **tired**.
#
# *It* is the animal.
# Exchange one word, *tired* for *wide*, and *it* is the street.
# People say that attention finds this out. Can one head do it?
#
# Think it through with the formula.
# The head sees word vectors, as they come from the list at the top of this lesson.
# Let $s$ be its scores, so the shares are $e^s$ divided by their sum.
#
# **Predict.**
# With *tired*, a head gives from *it* a share of 0.4 to *animal* and of 0.2 to *street*.
# Now the last word is *wide*, and with it *animal* gets 0.3.
# What does *street* get?

# %% exercise="share_of_street"
share_of_street = ...  # a number
### BEGIN SOLUTION
share_of_street = 0.15
### END SOLUTION

# %%
def shares_from_it(last, w_query, w_key):
    """How 'it' shares out its attention, in the sentence with this last word."""
    x = torch.stack([animal_words[word] for word in [*sentence[:-1], last]])
    return attention_weights(x @ w_query, x @ w_key)[it]


street = sentence.index("street")
for seed in range(3):
    matrices = random_matrices((64, 8), (64, 8), seed=seed)
    for last in ("tired", "wide"):
        shares = shares_from_it(last, *matrices)
        first, second = shares[animal].item(), shares[street].item()
        print(f"head {seed}, {last:5}: animal {first:.4f}, street {second:.4f}, one over the other {first / second:.4f}")

# %% [markdown]
# Three heads with random matrices, and each prefers the same noun in both sentences, by the same factor.
# It has to be so, for any matrices, learned or not.
# *It* has the same vector in both sentences, so it asks the same question.
# *Animal* offers the same key as before, and so does *street*.
# So their two scores stay as they are; the new last word changes the sum that divides both.
#
# A head that reads plain words can therefore learn "a pronoun looks at nouns", but not "at the noun that fits the last word".
# Nor can any number of heads side by side.
# It takes two steps: first *it* collects *tired* (and *animal*, and *street*), then something that has all of it at hand decides.
# Collecting several things at once is what many heads are good for, and deciding is left to later steps of the model.
#
# This is a good place for a break.

# %% [markdown]
# ## How a matrix learns
#
# If you come back to a fresh kernel, run the cells above first ("Run All Above").
#
# Learning needs a number that says how bad the result is.
# It is called the **loss**; small is good.
# For each parameter we ask: if I make it a little larger, does the loss rise or fall, and how fast?
# You know that number from lesson 02: it is the slope, or **gradient**.
# Then every parameter takes a small step downhill, and that is all.
#
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
#
# ## A head learns where to look
#
# Now a task.
# A sentence names a person, a thing and a place, in any order, with up to three other words between them.
# In front stands a question: *who?*, *what?* or *where?*
# The head should name the noun that answers it.
#
# Nobody tells it that *Ann* is a person and *Rome* is a place.
# Each word is a vector of random numbers, so there is nothing to be seen in it either.
# All the head gets is the question with its sentence, and afterwards the answer.

# %%
questions = {
    "who?": ["Ann", "Ben", "Carla", "David"],
    "what?": ["bread", "books", "shoes", "tea"],
    "where?": ["Paris", "Rome", "Cairo", "Lima"],
}
fillers = ["buys", "in", "today", "often", "again"]
nouns = [noun for group in questions.values() for noun in group]
vectors = random_words([*nouns, *fillers, *questions], features=64, seed=9)


def make_sentence(rng):
    """A question, then one noun of each kind and some fillers in any order -> (words, the answer)."""
    answers = {question: rng.choice(group) for question, group in questions.items()}
    words = [*answers.values(), *rng.choices(fillers, k=rng.randrange(4))]
    rng.shuffle(words)
    question = rng.choice(list(questions))
    return [question, *words], answers[question]


# %% [markdown]
# The sentences have 4 to 7 words, so a batch needs padding, and padding needs a mask.
# As in lesson 03 we drop the heads' axis of `padding_mask`: with one head there is none.

# %%
def make_batch(count, seed):
    """Sentences as tensors -> x: (count, 7, 64), mask: (count, 1, 7), answers: (count,) numbers of nouns."""
    rng = random.Random(seed)
    made = [make_sentence(rng) for _ in range(count)]
    x = torch.zeros(count, 7, 64, device=device)
    for number, (words, _) in enumerate(made):
        x[number, : len(words)] = torch.stack([vectors[word] for word in words])
    lengths = torch.tensor([len(words) for words, _ in made], device=device)
    answers = torch.tensor([nouns.index(answer) for _, answer in made], device=device)
    return x, padding_mask(lengths, 7)[:, 0], answers


train_x, train_mask, train_answers = make_batch(300, seed=0)
for words, answer in (make_sentence(random.Random(seed)) for seed in range(3)):
    print(" ".join(words), "->", answer)

# %% [markdown]
# There are 12 nouns, and the value gets 12 features: one score for each noun.
# What the question's own place (place 0) receives is the head's guess.
# Softmax makes shares of it, and the loss is small if the share of the right noun is large.
# It is the mean of $-\log(\text{share})$, and `log_softmax` from lesson 01 does that without ever taking the log of 0.
#
# `train` is the step downhill, repeated.
# Read it slowly: nearly all neural networks learn by these few lines.

# %%
def loss_of(output, answers):
    """The mean of -log(share of the right noun)."""
    logs = log_softmax(output[:, 0])  # (count, nouns)
    rows = torch.arange(len(answers), device=device)
    return -logs[rows, answers].mean()  # one number of each row: that of the right noun


def train(head, parameters, steps=training_steps, rate=0.2):
    """Move every parameter a little downhill, `steps` times -> the loss at each step."""
    losses = []
    for _ in range(steps):
        loss = loss_of(head(train_x, train_mask), train_answers)
        loss.backward()
        with torch.no_grad():
            for parameter in parameters:
                parameter -= rate * parameter.grad
                parameter.grad = None
        losses.append(loss.item())
    return losses


# %% [markdown]
# Where does the head look, before and after?
# We ask three questions about a sentence, and draw the row of the question each time.

# %%
about_ann = ["Ann", "buys", "bread", "in", "Paris", "today"]


def where_it_looks(w_query, w_key):
    """The shares that each question gives to itself and to the words of the sentence: (questions, words)."""
    asked = torch.stack([torch.stack([vectors[w] for w in [question, *about_ann]]) for question in questions])
    with torch.no_grad():
        return attention_weights(asked @ w_query, asked @ w_key)[:, 0]


# %%
def learn_to_look():
    matrices = random_matrices((64, 8), (64, 8), (64, 12), seed=10, size=0.25)
    before = where_it_looks(*matrices[:2])
    train(lambda x, mask: attention_head(x, *matrices, mask), [m.requires_grad_() for m in matrices])
    return heatmaps(
        {"before": before, "after training": where_it_looks(*matrices[:2])},
        alt="Two maps of three questions by seven words. Before training all shares are between 0.13 and 0.16. "
        "Afterwards who? looks at Ann with 0.97, what? at bread with 0.99, where? at Paris with 0.99.",
        rows="questions",
        columns="words",
        row_labels=list(questions),
        column_labels=["itself", *about_ann],
    )


after(attention_head, learn_to_look)

# %% [markdown]
# Before, a question looked everywhere alike.
# After 200 steps *who?* looks at the person, *what?* at the thing, *where?* at the place.
# Nobody ever told it where to look; it was told the answers only.
# The slopes went back from the loss through the mixture into the scores, and from there into `w_query` and `w_key`.
#
# Why does it start with matrices that small (`size=0.25`)?
# Because then all shares are about equal at first, and every slope of softmax is alive.
# With a large start the first choices are sharp, accidental and hard to undo, as lesson 02 said.
# I tried 20 starts of each kind, with the seeds 0 to 19 (a seed fixes the random numbers), and asked 1000 new questions.
# With `size=0.25` all 20 heads answered everything right; with `size=1.0` 8 did, and the others got between 50 and 98 % right.
# (Other seeds give other numbers; the gap stays.)
#
# Does the head know its sentences by heart, or has it learned something?
# Soon we ask it about sentences that it has never seen.
# But first, here is a good place for a second break.

# %% [markdown]
# ## A head as a module
#
# If you come back to a fresh kernel, run the cells above first ("Run All Above").
#
# Three loose matrices are easy to carry about.
# A large model has hundreds, and somebody must find them all, to move them, to train them, and to store them.
# For that torch has the **module**: an object that holds parameters, and a method `forward` that uses them.
# Here is a small one.
#
# `class Line(nn.Module)` says that a `Line` is a module, and can do whatever modules can.
# In its methods `self` is the object itself: what `__init__` keeps as `self.slope`, `forward` finds there again.

# %%
class Line(nn.Module):
    """slope · x + start, with two numbers to learn."""

    def __init__(self):
        super().__init__()  # first of all: it makes the module's list of parameters
        self.slope = nn.Parameter(torch.tensor(2.0))
        self.start = nn.Parameter(torch.tensor(-1.0))

    def forward(self, x):
        """x: (...) -> (...)."""
        return self.slope * x + self.start


line = Line()
print("line(3.0) runs forward:", line(3.0).item())
print("its parameters:", [name for name, _ in line.named_parameters()])

# %% [markdown]
# - `nn.Parameter` wraps a tensor that is to be learned: `requires_grad` is set, and the module *registers* it, that is, puts it on its list.
# - You call the module, `line(3.0)`, and not `forward`. The call does a little more around it.
# - A module may hold modules. Their parameters count as its own.
# - A module that is a step of a network is also called a **layer**.
#
# The layer that you meet most is `nn.Linear(inputs, outputs)`: one matrix, and a bias unless you say `bias=False`.
# (A *bias* is a row of learned numbers that is added to the product. Our head has none.)
# It draws random numbers for a start.
#
# `nn.Linear` has a habit that everybody stumbles over once.
# It computes `x @ weight.mT`, so it stores its matrix lying on its side: **(outputs, inputs)**.
# Our `w_query` is (inputs, outputs).
#
# **Predict.** What is the shape of `nn.Linear(6, 4, bias=False).weight`?

# %% exercise="linear_weight_shape"
linear_weight_shape = ...  # a tuple of sizes
### BEGIN SOLUTION
linear_weight_shape = (4, 6)
### END SOLUTION

# %%
torch.manual_seed(0)
linear = nn.Linear(6, 4, bias=False)
row = torch.arange(6.0)
print("linear(row):           ", linear(row).detach())
print("row @ linear.weight.mT:", (row @ linear.weight.mT).detach())

# %% [markdown]
# The module finds what it is given *as an attribute*, if that is a parameter or a module.
# It does not look into lists, and it thinks that nobody wants to learn an ordinary tensor.
#
# **Find the bug.**
# A colleague complains that part of this head never learns.
# How many of its four matrices does the module know as parameters?

# %%
class ColleaguesHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(6, 4, bias=False)
        self.key = nn.Parameter(torch.randn(6, 4))
        self.value = torch.randn(6, 4)
        self.more = [nn.Linear(4, 6, bias=False)]


# %% exercise="matrices_that_learn"
matrices_that_learn = ...  # a number from 0 to 4
### BEGIN SOLUTION
matrices_that_learn = 2
### END SOLUTION

# %%
for name, parameter in ColleaguesHead().named_parameters():
    print(name, tuple(parameter.shape))

# %% [markdown]
# The plain tensor and the list are missing.
# Nothing will ever complain: give this head a `forward`, and it runs, and half of it stays as random as it was.
# (For lists there is `nn.ModuleList`.)
#
# **Calculate.**
# A head takes words of 512 features, and queries, keys and values all have 64.
# There are no biases.
# How many parameters does it have?

# %% exercise="parameters_of_a_head"
parameters_of_a_head = ...  # a number
### BEGIN SOLUTION
parameters_of_a_head = 3 * 512 * 64
### END SOLUTION

# %% [markdown]
# ### Write the module
#
# Now your head as a module.
# You may hold the matrices in `nn.Linear` or in `nn.Parameter`; the check takes both.
# It does not judge which random numbers you start with.
# It puts numbers of its own in, and so it has to know which matrix is which: the names matter.
# (It also knows `q_proj`, `k_proj`, `v_proj` and `w_query`, `w_key`, `w_value`.
# All three in one matrix, side by side in this order, may be called `in_proj` or `qkv`.)
#
# A few rules hold for every class of this course, so we say them here, once:
#
# - A new layer is in train mode, as PyTorch leaves it.
# - It does its work itself, and gives it neither to `nn.MultiheadAttention` nor to the layer of its name in `mha_ref`.
# - Each weight stands in it once, belongs to this layer alone, and has an effect.
# - A copy that loads its `state_dict()` gives the same results.
#   (That is all parameters by name. We save with it below.)
# - No call leaves anything behind for the next.

# %% exercise="AttentionHead"
class AttentionHead(nn.Module):
    """One head of self-attention, with its three matrices; value_size is head_size.

    model_size, head_size: two integers -> a module with three learned matrices, and no biases.
    Name them query, key and value: each an `nn.Linear`, or an `nn.Parameter` of shape (model_size, head_size).
    """

    def __init__(self, model_size, head_size):
        super().__init__()
        ### BEGIN SOLUTION
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)
        ### END SOLUTION

    def forward(self, x, mask=None):
        """The same as attention_head, with the module's own matrices.

        x: (..., tokens, model_size) -> (..., tokens, head_size), floating.
        mask: boolean, broadcastable to (..., tokens, tokens), True means "may look"; None allows everything.
        A query that may look at nothing gets zeros. x is not changed.
        Nothing in it is random: the same x gives the same result. Gradients reach x and all three matrices.
        """
        ### BEGIN SOLUTION
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)
        ### END SOLUTION


# %% [markdown]
# The same training, for your module.
# `head.parameters()` hands out all its matrices, whatever they are called, and `head.to(device)` moves them all.
# They start smaller than `nn.Linear` makes them, for the reason above.
# This time we draw the loss, and we ask about 1000 new sentences.

# %%
def train_module():
    torch.manual_seed(0)
    head = AttentionHead(64, 12).to(device)
    with torch.no_grad():
        for parameter in head.parameters():
            parameter *= 0.4
    return head, train(head, list(head.parameters()))

# %% picture=true
def training_picture():
    head, losses = train_module()
    new_x, new_mask, new_answers = make_batch(1000, seed=1)
    right = (head(new_x, new_mask)[:, 0].argmax(dim=-1) == new_answers).float().mean().item()
    print(f"right answers to 1000 new questions: {right:.1%}. By chance it would be {1 / 12:.1%}.")
    return curves(
        {"loss": (range(len(losses)), losses)},
        alt="The loss of your head over 200 steps of training: it begins at 2.5, "
        "is 0.03 after 50 steps and 0.005 at the end.",
        x="step",
        y="loss",
    )


after(AttentionHead, training_picture)

# %% [markdown]
# The sentences are new, the words are not: a head cannot know a word that it has never seen.
#
# You need not always write the step downhill yourself.
# `torch.optim.SGD(head.parameters(), lr=0.2)` makes an *optimizer* that takes the very same step with `optimizer.step()`;
# `torch.optim.Adam` takes a cleverer one: the translator of lesson 07 is trained with it.
#
# ### Keep what it has learned
#
# `state_dict()` gives all parameters by name.
# Stored in a file, they can be loaded into another module of the same class.
# Here the file is a piece of memory, and we train once more: with the same seed we get the same head.

# %%
def save_and_load():
    trained, _ = train_module()
    file = io.BytesIO()  # a file that lies in memory
    torch.save(trained.state_dict(), file)
    file.seek(0)
    fresh = AttentionHead(64, 12).to(device)
    fresh.load_state_dict(torch.load(file, map_location=device))  # wherever it was stored, it comes to our device
    for name, matrix in fresh.state_dict().items():
        print(name, tuple(matrix.shape))
    same = torch.equal(fresh(train_x, train_mask), trained(train_x, train_mask))
    return f"the fresh head answers like the trained one: {same}"


after(AttentionHead, save_and_load)

# %% [markdown]
# A state dict holds numbers and names, no code.
# The names tie it to the class, so think before you rename a matrix.
# In lesson 06 you carry the weights of torch's own layer over into yours in this way.
#
# ## Write a test
#
# Six wrong versions of `attention_head` are waiting.
#
# 1. *forgets to pass the mask*: every token looks at all tokens.
# 2. *uses the query weights for keys*: `w_key` is not used.
# 3. *swaps key and value weights*: they have changed places.
# 4. *forgets to project the values*: the words themselves are mixed.
# 5. *scales by the model size*: the root is taken of the wrong size.
# 6. *projects keys to values*: the values are made of the keys.
#
# Some of them stop with an error if the sizes do not fit, and an error counts as caught.
# One gives right numbers as long as two of the sizes are equal. Which one, and which two?
# You have a slow version above that you can trust.
# It knows no mask; but hiding the last words should do the same as a sentence that ends before them.

# %% exercise="test_attention_head"
def test_attention_head(attention_head):
    """Stops with an assert (or another error) if this version of attention_head is not right.

    attention_head: a function of x, w_query, w_key, w_value, mask=None, right or wrong, for tensors
    -> nothing: a returned value is ignored.
    A right version passes; each of the six wrong ones fails.
    """
    ### BEGIN SOLUTION
    for sizes in ((5, 4, 3), (4, 4, 4), (4, 3, 4)):
        model_size, head_size, value_size = sizes
        generator = torch.Generator().manual_seed(1)
        words, *three = (
            torch.randn(shape, generator=generator, dtype=torch.float64)
            for shape in ((6, model_size), (model_size, head_size), (model_size, head_size), (model_size, value_size))
        )
        assert torch.allclose(attention_head(words, *three), head_by_loops(words, *three)), sizes
        first_four = torch.arange(6) < 4
        hidden = attention_head(words, *three, first_four)[:4]
        assert torch.allclose(hidden, head_by_loops(words[:4], *three)), "the mask"
    ### END SOLUTION


# %% [markdown]
# ## Summary
#
# You can now
#
# - say why a word needs a query, a key and a value of its own, and write the head that makes them;
# - give the shape at every step, with a batch and with a mask;
# - show, with numbers, what one row of shares cannot say, and where people claim too much about it;
# - let torch compute slopes, and check them with finite differences;
# - train a head by a loop of your own, and see where it has learned to look;
# - write a module, know what it registers and what it overlooks, count its parameters, store it and load it.
#
# All of it comes back.
# `attention_head` is what lesson 05 calls once for each head.
# Modules, `nn.Linear` and `state_dict` stay with us to the end.
# And `train` becomes the training of a translator in lesson 07.
#
# Next, in lesson 05, *love* may ask two questions at once.

# %% [markdown]
# Here is how far you are in the course, and what comes next.

# %%
progress()
