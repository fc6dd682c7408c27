# %% [markdown]
# # Lesson 05 · Several heads
#
# One head gives each word one row of shares, and mixes everything by that row.
# In lesson 04 *love* wanted to know two things, who loves and what is loved.
# One head could tell it either of them well, or both badly.
#
# The way out is almost too simple: **take several heads.**
# Each has matrices of its own and looks in its own way.
# Their results are put side by side, and a last matrix mixes them.
# That is multi-head attention, and this course is named after it.
#
# New in this lesson are
#
# - the loop over heads, and the matrix after it;
# - a mistake that nobody reports, because every shape fits;
# - heads that divide the work, although nobody tells them to;
# - counting: how many numbers such a layer learns.
#
# This lesson is made for three sittings, of about 70, 30 and 60 minutes.
# The second begins with *Nobody tells them what to learn*, the third with *What does it cost to have eight heads?*
#
# When you are stuck, run `hint(multi_head_by_loop)` in a cell of your own, or `hint("love_from_two_heads")` for a question.

# %% locked=true
import os

import torch

from autograder import after, check, hint, progress, solution
from autograder.pictures import curves, heatmap, heatmaps, steps
from mha_ref import attention_head, attention_weights, masked_attention

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_printoptions(precision=3, sci_mode=False)

# %% [markdown]
# ## Do you remember?
#
# Three questions to warm up: they are not required, and bring no points.
# The first two are about lesson 04.
#
# A head reads 5 words, so `x` is `(5, 16)`.
# `w_query` and `w_key` are `(16, 4)`, and `w_value` is `(16, 6)`.
# What is the shape of its shares, the weights that softmax makes?

# %% exercise="remember_the_map"
remember_the_map = ...  # a shape: (..., ...)
### BEGIN SOLUTION
remember_the_map = (5, 5)
### END SOLUTION

# %% [markdown]
# A layer with one head computes its shares in torch, and they are right.
# Then comes this line, and after it the shares mix the values:
#
# ```python
# shares = torch.tensor(shares.tolist())
# ```
#
# The layer is trained.
# What does the line do?
#
# - `"a"`: nothing, since the numbers stay the same
# - `"b"`: `w_query` and `w_key` never learn
# - `"c"`: none of the three matrices ever learns

# %% exercise="remember_the_cut"
remember_the_cut = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_the_cut = "b"
### END SOLUTION

# %% [markdown]
# And one from lesson 01.
# A row has the scores $\log 6$, $\log 3$ and $\log 1$.
# What is the first of the three weights?

# %% exercise="remember_the_logarithms"
remember_the_logarithms = ...  # a number
### BEGIN SOLUTION
remember_the_logarithms = 0.6
### END SOLUTION

# %% [markdown]
# ## Two heads read a sentence
#
# In many texts about attention you find tables of made-up shares for *I love AI*.
# Let us take two of them, and then find the matrices that really give them.
# The first head is about the subject and its verb, the second about the verb and its object.

# %%
three_words = ["I", "love", "AI"]
wanted = torch.tensor(
    [
        [[0.1, 0.8, 0.1], [0.7, 0.2, 0.1], [0.3, 0.4, 0.3]],  # head 0: I and love look at each other
        [[0.3, 0.4, 0.3], [0.1, 0.2, 0.7], [0.1, 0.8, 0.1]],  # head 1: love and AI look at each other
    ],
    device=device,
)  # (heads, queries, keys)

# %% [markdown]
# As in lesson 04 each word gets one feature of its own, so that row i of a matrix says what word i looks for.
# Which score gives a share of 0.8?
# You know it from lesson 01: softmax takes exponentials, so the score is the logarithm of the share.
# Then the exponentials *are* the shares, and they sum to 1 already.
# One thing stands in between: a head divides its scores by $\sqrt{d_k} = \sqrt 3$, so we multiply by it.
#
# The matrices of both heads lie on top of each other, in one tensor whose first axis counts the heads.
# In this lesson we always stack them like this.

# %%
love_x = torch.eye(3, device=device)  # (tokens, model_size): one feature for each word
love_query = 3**0.5 * wanted.log()  # (heads, model_size, head_size): what each word looks for
love_key = torch.eye(3, device=device).expand(2, 3, 3)  # what each word offers: itself; repeated for the two heads

love_maps = attention_weights(love_x @ love_query, love_x @ love_key)
print("shape of the maps:", tuple(love_maps.shape))

# %% picture=true
heatmaps(
    {"head 0": love_maps[0].cpu(), "head 1": love_maps[1].cpu()},
    alt="Two maps of three words by three words. In head 0, I gives 0.80 to love, and love gives 0.70 to I. "
    "In head 1, love gives 0.70 to AI, and AI gives 0.80 to love.",
    row_labels=three_words,
    column_labels=three_words,
)

# %% [markdown]
# These are the shares that we wanted, computed.
#
# Look at the shape, (2, 3, 3).
# With one head, attention is a table of n × n shares.
# **With h heads it is h such tables: an object of shape (h, n, n).**
# Nothing in one table depends on another.
# (The code needed no loop for it: `@` goes through all axes in front of the last two. Lesson 06 builds on that.)
#
# Now the values.
# To keep them short, each word carries a single number: *I* carries 10, *love* carries 0, *AI* carries 20, in both heads.
#
# **Calculate.**
# What do the two heads hand to *love*?

# %% exercise="love_from_two_heads"
love_from_two_heads = ...  # two numbers, head 0 first: (..., ...)
### BEGIN SOLUTION
love_from_two_heads = (9.0, 15.0)
### END SOLUTION

# %% [markdown]
# Two numbers, from two different mixtures.
# From either of them alone, nobody could tell what *I* carries and what *AI* carries.
# From both together you can, if you know that *love* itself carries 0:
# two different mixtures of two unknown numbers are two equations for two unknowns.
# Keep this thought. It will come back when heads learn by themselves.

# %% [markdown]
# ## The formula
#
# Each head $i$ has three matrices $W_i^Q$, $W_i^K$, $W_i^V$, and works as in lesson 04.
# The results are *concatenated*, which means put side by side, and multiplied by one more matrix $W^O$, the output matrix:
#
# $$\mathrm{head}_i = \mathrm{Attention}(XW_i^Q,\; XW_i^K,\; XW_i^V)$$
#
# $$\mathrm{MultiHead}(X) = \mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)\, W^O$$
#
# (Formulas count heads from 1, code counts them from 0.
# And $W^O$ is `W_O` in pictures, and `w_output` in code.)
#
# In the paper of 2017 that this course follows, a token has 512 numbers, and there are 8 heads.
# Here is what happens to one token in the layer:
#
# ```
#                        one token: 512 numbers
#          ┌──────────────┬──────────────┬─── ... ──┐
#       head 0         head 1         head 2      head 7    every head reads all 512,
#     64 numbers     64 numbers     64 numbers     64       computes 64 new ones
#          └──────────────┴──────────────┴─── ... ──┘
#                   side by side: 8 × 64 = 512
#                               W_O
#                     the result: 512 numbers
# ```
#
# In words: the token goes into every head *whole*.
# It is not cut into pieces; each head makes its own short summary of it, with its own matrices.
# The eight results of 64 lie side by side, which is 512 again, and `w_output` makes 512 numbers out of those.
#
# Why 64? Because 8 × 64 = 512.
# Usually all heads together are as wide as the model: `head_size` is `model_size / heads`.
# That is a habit and not a law, as you will see.
#
# | | shape |
# |---|---|
# | `x` | (tokens, model_size) |
# | `w_query`, `w_key`, `w_value` | (heads, model_size, head_size) |
# | `w_output` | (heads · head_size, model_size) |
#
# **Predict.**
# Another well-known model, the smaller version of BERT, has `model_size` 768 and 12 heads, which together are as wide as the model.
# A text of 128 tokens comes in.
# Give four shapes: the query of one head, the map of one head, the result of one head, and all results side by side.

# %% exercise="shapes_in_a_layer"
shapes_in_a_layer = ...  # four shapes: ((..., ...), (..., ...), (..., ...), (..., ...))
### BEGIN SOLUTION
shapes_in_a_layer = ((128, 64), (128, 128), (128, 64), (128, 768))
### END SOLUTION

# %% [markdown]
# **Calculate.**
# A layer has `model_size` 1024 and 16 heads, which together are as wide as the model.
# How large is `head_size`, and what number does each head divide its scores by?

# %% exercise="head_of_1024"
head_of_1024 = ...  # two numbers: (..., ...)
### BEGIN SOLUTION
head_of_1024 = (64, 8)
### END SOLUTION

# %% [markdown]
# ## Write it
#
# You need one new tool, for joining tensors.
# There are two, and they are easily mixed up.
# `torch.cat` makes one of the axes longer.
# `torch.stack` makes a new axis.
# Both do it at the front, if you say nothing.

# %%
pair = [torch.zeros(5, 4), torch.ones(5, 4)]
print("cat:          ", tuple(torch.cat(pair).shape))
print("stack:        ", tuple(torch.stack(pair).shape))
print("stack, dim=1: ", tuple(torch.stack(pair, dim=1).shape))

# %% [markdown]
# None of these three is what a layer needs.
# Five tokens that come from two heads should still be five rows.
# Here are two small heads, and what should become of them; every number keeps the colour of its head.

# %% picture=true
two_heads = torch.tensor([[[0, 1], [10, 11], [20, 21]], [[2, 3], [12, 13], [22, 23]]])

steps(
    {
        "the results of two heads": (two_heads, "heads tokens head_size"),
        "joined": (torch.tensor([[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]]), "tokens columns"),
    },
    groups=[[[0]], [[1]]],
    alt="Two tables of three tokens and two columns, one for each head, and below them one table of three tokens and four "
    "columns: in each row stand first the two numbers of head 0 for this token, then the two of head 1.",
)

# %% [markdown]
# Rows stay rows; the columns of head 0 come first.
# (If torch complains that two *shapes cannot be multiplied*, it shows both.
# Then print the shape of what you have joined: are the tokens still its rows, and are all heads in it?)
#
# Now write the layer as the formula says it: one head after the other.
# The work of one head is done by `attention_head(x, w_query, w_key, w_value, mask)` of lesson 04, which is imported.
# In lesson 06 you make it fast, and this slow version will be the one that you trust.

# %% exercise="multi_head_by_loop"
def multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask=None):
    """Self-attention with several heads: one after the other, their results side by side, then mixed by w_output.

    x: (..., tokens, model_size), w_query, w_key, w_value: (heads, model_size, head_size),
    w_output: (heads · head_size, model_size) -> (..., tokens, model_size), floating.
    Head i uses w_query[i], w_key[i] and w_value[i], and its scores are divided by the square root of head_size.
    Head 0 comes first: its columns meet the first head_size rows of w_output.
    Any number of heads from 1 on. heads · head_size may be model_size, or another number.
    mask: boolean, broadcastable to (..., tokens, tokens), True means "may look", the same for every head;
    None allows everything. A query that may look at nothing gets zeros.
    Any number of axes `...`, or none. The inputs are not changed.
    The result is finite for any finite inputs. Gradients reach x and all four kinds of matrices.
    """
    ### BEGIN SOLUTION
    results = []
    for q, k, v in zip(w_query, w_key, w_value):
        results.append(attention_head(x, q, k, v, mask))
    return torch.cat(results, dim=-1) @ w_output
    ### END SOLUTION


# %% [markdown]
# ### An example to compare with
#
# Here are five tokens with eight numbers each, and two heads.
# The numbers come from a generator of 1951, Lehmer's, so that you get the same ones in every language and on every machine.
# You need not read how it works.

# %%
def lehmer(state=42):
    """Numbers between -0.5 and 0.5 that look random, and are the same everywhere."""
    while True:
        state = state * 48271 % 2147483647
        yield state / 2147483647 - 0.5


def draw(*shape):
    count = torch.Size(shape).numel()
    return torch.tensor([next(source) for _ in range(count)], dtype=torch.float64, device=device).reshape(shape)


source = lehmer()
x = draw(5, 8)  # (tokens, model_size)
each_head = draw(2, 3, 8, 4)  # heads; query, key and value; model_size; head_size
w_query, w_key, w_value = each_head[:, 0], each_head[:, 1], each_head[:, 2]  # (heads, model_size, head_size)
w_output = draw(8, 8)  # (heads · head_size, model_size)
past = torch.ones(5, 5, dtype=torch.bool, device=device).tril()  # the causal mask of lesson 03: True up to the diagonal

# %%
first_four_numbers = torch.tensor(  # of the eight numbers of tokens 0 and 4, to six digits
    [[-0.197985, -0.016815, -0.063167, -0.010663], [-0.025516, 0.087552, -0.039290, -0.160947]],
    dtype=torch.float64,
    device=device,
)


def compare_with_the_example():
    yours = multi_head_by_loop(x, w_query, w_key, w_value, w_output, past)[[0, 4], :4]
    print(yours)
    print(f"largest difference from the example: {(yours - first_four_numbers).abs().max():.6f}")


after(multi_head_by_loop, compare_with_the_example)

# %% [markdown]
# The difference should be at most 0.000001, which is the rounding.
#
# And where do the two heads look?
# The numbers are small, so all shares are about equal.
# For the picture we take tokens three times as large; then you see that heads choose differently.
# Token 4, for example, gives most to token 0 in head 0 (0.29), and most to token 3 in head 1 (0.48).

# %%
example_maps = attention_weights(3 * x @ w_query, 3 * x @ w_key)

# %% picture=true
heatmaps(
    {"head 0": example_maps[0].cpu(), "head 1": example_maps[1].cpu()},
    alt="Two maps of five tokens by five tokens, without a mask. Shares go from 0.08 to 0.36 in head 0, and from 0.02 to 0.48 "
    "in head 1. Token 4 looks most at token 0 in head 0, and most at token 3 in head 1.",
)

# %% [markdown]
# **Predict.**
# A layer with 8 heads works on a batch of 32 texts, with 128 tokens each.
# What is the shape of all its maps together, with the axis of heads right after the batch axis?

# %% exercise="shape_of_all_maps"
shape_of_all_maps = ...  # a tuple of four sizes
### BEGIN SOLUTION
shape_of_all_maps = (32, 8, 128, 128)
### END SOLUTION

# %% [markdown]
# That is 256 maps of 16 384 shares each.
# At four bytes a number they take 16.8 MB, for a single layer (lesson 08 has more to say about that).
#
# ## What W_O is for
#
# Write $W^O$ in blocks of rows, one for each head: the first `head_size` rows are $W^O_1$, the next $W^O_2$, and so on.
# Then the product of the joined results with $W^O$ is a sum:
#
# $$\mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)\, W^O = \sum_i \mathrm{head}_i\, W^O_i$$
#
# Every head writes to *all* columns of the output, each in its own way, and what they write is added up.
# Without $W^O$, a head could write to its own columns only, and what two heads know would not meet in this layer.
#
# We can see that with your function.
# We make the values of one head twice as large, and see which columns of the output move.
# For "without $W^O$" we give it the identity matrix, which leaves everything as it is.

# %%
def columns_that_move(w_output):
    """How far each column of the output moves (columns) when the values of one head are doubled (rows)."""
    before = multi_head_by_loop(x, w_query, w_key, w_value, w_output)
    moved = []
    for head in range(2):
        louder = w_value.clone()
        louder[head] *= 2
        change = multi_head_by_loop(x, w_query, w_key, louder, w_output) - before
        moved.append(change.abs().amax(dim=0))  # the largest change among the tokens
    return torch.stack(moved).cpu()

# %% picture=true
identity = torch.eye(8, dtype=torch.float64, device=device)
after(multi_head_by_loop, lambda: heatmaps(
    {"with W_O": columns_that_move(w_output), "without": columns_that_move(identity)},
    alt="Two tables of two heads by eight columns of the output. With W_O both heads move every column. "
    "Without it head 0 moves columns 0 to 3 only, and head 1 columns 4 to 7 only.",
    rows="head",
    columns="column of the output",
))

# %% [markdown]
# ### The mistake that nobody reports
#
# Some texts say: forget $W^O$, and the size of the output is wrong.
# Sometimes it is, and then you are lucky, because the next layer will complain.
#
# **Predict.**
# Somebody returns the joined results and forgets $W^O$.
# In which of these layers does the output have the right shape, in spite of that?
#
# | | model_size | heads | head_size |
# |---|---|---|---|
# | first | 512 | 8 | 64 |
# | second | 512 | 8 | 128 |
# | third | 3 | 2 | 3 |
# | fourth | 768 | 12 | 64 |

# %% exercise="right_shape_without_output"
right_shape_without_output = ...  # four times True or False: (..., ..., ..., ...)
### BEGIN SOLUTION
right_shape_without_output = (True, False, False, True)
### END SOLUTION

# %% [markdown]
# The first and the last are the usual sizes.
# So where it matters most, nothing breaks: no error, no odd shape, no NaN.
# Even training goes on, since the layers that come after can do some of the mixing.
# (In lesson 07 you will train a translator without $W^O$, and it works. Take $W^O$ out of one that was trained *with* it, and it is ruined.)
#
# What protects you is what you did just now: compare with numbers that you trust, and change something that must make a difference.
# Our checks use sizes where heads · head_size is not model_size, and others where it is.
#
# The same table says one more thing.
# Some texts claim that `head_size` *must* be model_size / heads, or "the shapes won't align".
# They do align: $W^O$ has heads · head_size rows, however many that is, and leads back to model_size.
# A large language model, Google's T5 with 11 billion parameters, has model_size 1024 and 128 heads of 128: 16 384 columns side by side, and $W^O$ brings them down to 1024.
#
# This is a good place for a break.

# %% [markdown]
# ## Nobody tells them what to learn
#
# If you come back to a fresh kernel, run the cells above first ("Run All Above").
#
# Pictures in articles have captions like "head 3: pronouns".
# Nobody ever gave head 3 that task.
# Heads get what every parameter gets: slopes.
# Then where does the division of labour come from, if there is one?
#
# We give two heads a task that needs two mixtures.
# A sentence has five words: a subject, a verb, an object, and two others.
# Each word has four random numbers that say who it is, and four that say its role.
# The task: every word should be told *who acts* (the subject's four numbers) and *on whom* (the object's four numbers).
# That is eight numbers, the same for all five words of a sentence.

# %%
def make_sentences(count, seed):
    """Random sentences -> x: (count, 5, 8), and what every word should be told: (count, 1, 8)."""
    x = torch.zeros(count, 5, 8)
    x[..., :4] = torch.randn(count, 5, 4, generator=torch.Generator().manual_seed(seed))  # who
    x[..., 4:] = torch.eye(4)[[0, 1, 2, 3, 3]]  # the role, a 1 in its place: subject, verb, object, other, other
    told = x[:, [0, 2], :4].reshape(count, 1, 8)  # subject and object: the first four numbers of words 0 and 2
    return x.to(device), told.to(device)


def random_matrices(heads, head_size, seed):
    """Small random query, key and value matrices for each head, and the output matrix."""
    generator = torch.Generator().manual_seed(seed)
    shapes = [(heads, 8, head_size)] * 3 + [(heads * head_size, 8)]
    return [(torch.randn(shape, generator=generator) / 8**0.5).to(device) for shape in shapes]


# %% [markdown]
# Training is the step downhill of lesson 04, repeated.
# The loss is the mean squared error: the difference between what a word is told and what it should be told, squared, on average.
# A layer that always says 0 has a loss of about 1.

# %%
train_x, train_told = make_sentences(256, seed=100)


def train(matrices, steps=300, rate=0.5):
    """Move all four kinds of matrices downhill -> the loss at each step."""
    losses = []
    for matrix in matrices:
        matrix.requires_grad_()
    for _ in range(3 if "NBGRADER_EXECUTION" in os.environ else steps):  # 3 only where nbgrader grades the notebook
        loss = ((multi_head_by_loop(train_x, *matrices) - train_told) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            for matrix in matrices:
                matrix -= rate * matrix.grad
                matrix.grad = None
        losses.append(loss.item())
    return losses


# %% [markdown]
# One head with 8 columns, against two heads with 4 columns each.
# Both have the same number of parameters.
# The starts are fixed, so your numbers should be ours, perhaps up to the last digit.

# %%
def one_against_two():
    one, two = train(random_matrices(1, 8, seed=1)), train(random_matrices(2, 4, seed=1))
    print(f"loss at the end: one head {one[-1]:.3f}, two heads {two[-1]:.3f}")
    return curves(
        {"one head of 8": (range(len(one)), one), "two heads of 4": (range(len(two)), two)},
        alt="Loss over 300 steps. One head begins at 1.2, is at 0.50 after 100 steps, and ends at 0.38. "
        "Two heads begin at 1.1 and are at 0.55 after 100 steps; they cross the first line before step 120, and reach 0.005.",
        x="step",
        y="loss",
    )


after(multi_head_by_loop, one_against_two)

# %% [markdown]
# Two heads solve the task.
# One head is left with more than a third of the loss that "always 0" has; after 3000 steps I still found 0.34.
# It hands each word one mixture of subject and object, and nobody can take both out of one mixture.
#
# Where do the two heads look?
# We train twice, from two different random starts, and draw the row of the verb for each head.

# %%
roles = ["subject", "verb", "object", "other", "other"]


def looks_of_the_verb(matrices):
    """Train, then the shares that the verb of an unseen sentence gives in each head: (heads, words)."""
    train(matrices)
    new_x, _ = make_sentences(1, seed=7)
    with torch.no_grad():
        return attention_weights(new_x @ matrices[0], new_x @ matrices[1])[:, 1].cpu()

# %% picture=true
after(multi_head_by_loop, lambda: heatmaps(
    {f"start {seed}": looks_of_the_verb(random_matrices(2, 4, seed=seed)) for seed in (1, 4)},
    alt="Two tables of two heads by five words, after training. From start 1, head 0 gives 0.79 to the object and 0.11 to "
    "the subject, head 1 gives 0.74 to the subject and 0.16 to the object. "
    "From start 4 it is the other way round: head 0 gives 0.76 to the subject and 0.17 to the object, "
    "head 1 gives 0.82 to the object and 0.07 to the subject.",
    rows="head",
    columns="words",
    column_labels=roles,
))

# %% [markdown]
# Read this picture slowly; it holds most of what there is to know about heads.
#
# - **They divided the work**, though the loss never mentions heads.
#   The slopes reward whatever makes the loss smaller, and two different mixtures do.
# - **Who does what is an accident of the start.**
#   From one start head 0 looks at the object, from the other at the subject. "Head 0" means nothing.
# - **They are not pure.** The head of the subject gives a sixth of its attention to the object, and still the loss is almost 0.
#   (Some starts are slower: of ten that I tried, one still stood above 0.1 after 300 steps.)
#   Here is the thought from above: two different mixtures are two equations, and $W^O$ solves them.
#   A head need not be clean; the heads *together* must say enough.
#
# So a caption like "head 3: pronouns" says at best what one head does in one trained model.
# And what if there are more heads than the task needs?
# We give it four, look at them, and then silence each head in turn while the others stay, by setting its rows of $W^O$ to 0.

# %%
def four_heads():
    matrices = random_matrices(4, 4, seed=0)
    looks = looks_of_the_verb(matrices)

    def loss(output):
        return ((multi_head_by_loop(train_x, *matrices[:3], output) - train_told) ** 2).mean().item()

    print(f"loss with all heads:  {loss(matrices[3]):.3f}")
    for head in range(4):
        silenced = matrices[3].detach().clone()
        silenced[4 * head : 4 * head + 4] = 0  # nothing of this head reaches the output
        print(f"loss without head {head}: {loss(silenced):.3f}")
    return heatmap(
        looks,
        alt="A table of four heads by five words, after training. Head 1 gives 0.80 to the object, head 3 gives 0.79 to the "
        "subject. Head 2 spreads its attention evenly, 0.19 to 0.22 for each word; "
        "head 0 gives 0.34 to the object, 0.24 and 0.21 to subject and verb, and 0.11 to each of the others.",
        rows="head",
        columns="words",
        column_labels=roles,
    )


after(multi_head_by_loop, four_heads)

# %% [markdown]
# Heads 1 and 3 do most of the work; heads 0 and 2 look around.
# With all four the loss is below 0.01.
# Without head 1, or without head 3, it jumps above 0.5; without head 0 or head 2 it stays below 0.05.
# So "how much does the layer need this head?" has an answer: take the head away, and see.
# In large models, too, heads were found that do nothing much, or the same as others; lesson 08 has figures.
#
# ### What keeps heads apart?
#
# Each head has its own matrices.
# Does that alone make heads different?
#
# **Choose.**
# Two heads start with *equal* numbers: the same $W^Q$, the same $W^K$, the same $W^V$, and the same block of $W^O$.
# Each still has matrices of its own, and all of them are trained, as above.
# What happens?
#
# - `"a"`: they drift apart, since each has matrices of its own
# - `"b"`: they stay equal for ever
# - `"c"`: they drift apart, because two equal heads would be a waste
# - `"d"`: training stops with an error

# %% exercise="equal_start"
equal_start = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
equal_start = "b"
### END SOLUTION

# %%
def from_an_equal_start():
    single = random_matrices(1, 4, seed=0)
    twins = [torch.cat([matrix, matrix]) for matrix in single]  # this head twice
    alone, together = train(single)[-1], train(twins)[-1]
    first, second = twins[0].detach()
    print(f"loss at the end: one head of 4 {alone:.3f}, two equal heads of 4 {together:.3f}")
    return f"difference of the two query matrices: {(first - second).abs().max():.6f}"


after(multi_head_by_loop, from_an_equal_start)

# %% [markdown]
# Nothing pulls them apart.
# Equal numbers get equal slopes, take equal steps, and are equal again.
# So two equal heads are no better than one, and the losses show it.
# (Two heads of the same size that began with different numbers came close to 0 above.)
#
# So it is the **random start** that makes heads different, and the slopes that make use of the difference.
# Nothing in the formula does it.
# (Chance can also come in later; lesson 06 has an example.)
# And nothing forbids that two heads become similar again.
#
# ### Shared by accident, shared on purpose
#
# A wrong index, and two heads share a matrix: `w_key[0]` where `w_key[head]` was meant.
#
# **Choose.**
# All other matrices are random.
# Which matrices must two heads share, so that their *maps* are certainly equal, whatever the sentence?
#
# - `"a"`: the value matrix
# - `"b"`: the key matrix
# - `"c"`: the query matrix and the key matrix
# - `"d"`: the key matrix and the value matrix

# %% exercise="equal_maps"
equal_maps = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
equal_maps = "c"
### END SOLUTION

# %% [markdown]
# Sharing keys and values, `"d"`, is done on purpose in many of today's language models: the maps still differ, and there is less to keep in memory.
# (It is called multi-query or grouped-query attention.)
# By accident it is a bug, and since every shape fits, only numbers can tell.

# %% [markdown]
# ## What does it cost to have eight heads?
#
# If you come back to a fresh kernel, run the cells above first ("Run All Above").
#
# "Eight heads, so eight times as many parameters": it sounds right, and it is not.
# If eight heads split the width of the model evenly, each is an eighth as wide.
# Let us count, for $d$ = model_size and $h$ heads of $d / h$ columns:
#
# | | one head | all heads |
# |---|---|---|
# | queries | $d \cdot d/h$ | $d^2$ |
# | keys | $d \cdot d/h$ | $d^2$ |
# | values | $d \cdot d/h$ | $d^2$ |
# | output | | $d^2$ |
#
# Together $4d^2$, and the number of heads is gone.
#
# Often each of these four projections has a **bias** too: a vector that is added to what comes out.
# It has one number for each number that comes out, so here $d$ for each projection.
#
# **Calculate.**
# With model_size 512: how many parameters does a layer have with 8 heads and no biases, with 8 heads and biases, and with 16 heads and no biases?
# Give exact numbers.

# %% exercise="parameters_of_512"
parameters_of_512 = ...  # three numbers: (..., ..., ...)
### BEGIN SOLUTION
parameters_of_512 = (4 * 512**2, 4 * 512**2 + 4 * 512, 4 * 512**2)
### END SOLUTION

# %% [markdown]
# "It is always $4d^2$" is what many people remember.
# But biases are not in it.
# And it needs heads that together are as wide as the model: with other sizes the four matrices are not square.
# Queries and keys need the same size, because they meet in a dot product.
# Values may have another one, and it is values that the heads hand on to $W^O$.
#
# Write the count that is always right.

# %% exercise="parameter_count"
def parameter_count(model_size, heads, bias=True, head_size=None, value_size=None):
    """How many numbers a layer with several heads learns: queries, keys and values of all heads, and the output.

    model_size, heads: integers -> a number.
    bias: whether the four projections have biases. A bias has one number for each number that comes out.
    head_size: columns of one head's query and of its key; value_size: columns of one head's value.
    A size of None is model_size / heads, each of the two by itself: with head_size=7 and value_size=None
    queries and keys have 7 columns in each head, and values have model_size / heads.
    If heads do not divide model_size, a size of None is refused with an error, for example a ValueError.
    If both sizes are given, nothing has to be divided, and any number of heads will do.
    The output projection takes in the values of all heads side by side, and gives back model_size numbers.
    """
    ### BEGIN SOLUTION
    if None in (head_size, value_size) and model_size % heads:
        raise ValueError(f"{heads} heads do not divide a model size of {model_size}")
    head_size = model_size // heads if head_size is None else head_size
    value_size = model_size // heads if value_size is None else value_size
    ways = [(model_size, heads * head_size)] * 2
    ways += [(model_size, heads * value_size), (heads * value_size, model_size)]
    return sum(going_in * coming_out + (coming_out if bias else 0) for going_in, coming_out in ways)
    ### END SOLUTION


# %% [markdown]
# Counting is easily checked: torch has such a layer, and we can ask it how many numbers it holds.
# (Its heads always split the width evenly. Lesson 06 carries weights to and from it.)

# %%
def compare_with_torch():
    for bias in (True, False):
        layer = torch.nn.MultiheadAttention(512, 8, bias=bias)
        held = sum(parameter.numel() for parameter in layer.parameters())
        print(f"bias={bias}: torch's layer holds {held:,}, you count {parameter_count(512, 8, bias):,}")


after(parameter_count, compare_with_torch)

# %% picture=true
counts_of_heads = (1, 2, 4, 8, 16, 32)

after(parameter_count, lambda: curves(
    {
        "512 split evenly": (counts_of_heads, [parameter_count(512, h) / 1e6 for h in counts_of_heads]),
        "every head has 64": (counts_of_heads, [parameter_count(512, h, True, 64, 64) / 1e6 for h in counts_of_heads]),
    },
    alt="Your count in millions over the number of heads, for a model size of 512. With 512 split evenly it is flat at 1.05. "
    "With 64 columns for every head it rises in a straight line, from 0.13 for one head to 4.2 for 32; they meet at 8 heads.",
    x="heads",
    y="million parameters",
))

# %% [markdown]
# If heads split the width evenly, they are free: more of them, each thinner.
# With a fixed size each head costs the same, and the count grows with them.
# The two lines meet where 8 heads of 64 are exactly 512.
#
# Heads are free in *parameters*.
# Thin heads have a price of another kind: a dot product of few terms can tell fewer things apart.
# And whether heads cost time and memory is the subject of lesson 08.
#
# ## Write a test that catches silent mistakes
#
# Six versions of `multi_head_by_loop` are waiting.
# In all of them the shapes fit, at least for the usual sizes. Only numbers can tell.
#
# 1. *forgets the output weights*: the heads lie side by side, and that is all.
# 2. *shares the weights of head 0*: every head is the same head.
# 3. *gives every head the same map*: queries and keys of head 0 for all, values of their own.
# 4. *attends once for all heads*: the queries and keys of all heads are joined, and give one single map.
# 5. *scales by all heads together*: divides scores by √(heads · head_size).
# 6. *masks the first head only*: one head is well-behaved, the others see everything.
#
# You know what a right version must do, and you have `attention_head` to compute it with.
# (Inside the test, the name `multi_head_by_loop` means the version that is tried, and not yours.)
# As always, a test speaks by `assert`. What it returns is ignored.

# %% exercise="test_multi_head_by_loop"
def test_multi_head_by_loop(multi_head_by_loop):
    """Stops with an assert if this version differs from what the formula says.

    multi_head_by_loop: a function of x, w_query, w_key, w_value, w_output and mask=None, right or wrong
    -> nothing: a returned value is ignored.
    It takes torch tensors, and computes on the CPU. Shapes are those of the docstring of multi_head_by_loop.
    A right version passes; each of the six wrong ones fails.
    """
    ### BEGIN SOLUTION
    generator = torch.Generator().manual_seed(0)
    x, w_output = torch.randn(6, 8, generator=generator), torch.randn(12, 8, generator=generator)
    stacks = torch.randn(3, 3, 8, 4, generator=generator)  # query, key, value; heads; model_size; head_size
    for mask in (None, torch.ones(6, 6, dtype=torch.bool).tril()):
        out = multi_head_by_loop(x, *stacks, w_output, mask)
        pieces = [attention_head(x, *stacks[:, i], mask) @ w_output[4 * i : 4 * i + 4] for i in range(3)]
        assert out.shape == (6, 8), "the shape"
        assert torch.allclose(out, sum(pieces), atol=1e-5), "the numbers"
    ### END SOLUTION


# %% [markdown]
# ## Summary
#
# You can now
#
# - say what several heads are for: one row of shares is one mixture, and several mixtures together say more;
# - give the shape at every step, from (tokens, 512) through 8 × 64 and back, and of the maps: (heads, tokens, tokens);
# - write multi-head attention as a loop that you trust;
# - say what $W^O$ does, when its absence goes unnoticed, and how to notice it;
# - explain why heads differ: a random start, and slopes that use it; no one assigns them roles;
# - count parameters for any sizes, and say when $4d^2$ is right.
#
# In lesson 06 the loop goes: all heads are computed at once, with one large matrix and a reshape, and your loop checks the result.
# There the layer also becomes a class, with biases and dropout.
# Lesson 07 builds a translator with it.
# Lesson 08 asks what it costs, and how many heads one should take.

# %% [markdown]
# Here is how far you are in the course, and what comes next.

# %%
progress()
