# %% [markdown]
# # Lesson 05 · Multi-head attention
#
# One head gives each word one row of weights, and mixes all values by that row.
# In lesson 04, *love* needed to know who loves and what is loved, and one head could not tell it both.
#
# The way out is to use **several heads.**
# Each has its own matrices and looks in its own way.
# Their results are put side by side, and one more matrix mixes them.

# %% locked=true
import os

import matplotlib.pyplot as plt
import torch

from autograder import after, check, hint, progress, solution
from autograder.mine import attention_head, attention_weights
from autograder.pictures import curves, diagram, heatmaps, steps, use_our_look
from mha_ref.training_progress import show_progress

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)  # our products are small: more threads would only wait for each other
torch.set_printoptions(precision=3, sci_mode=False)
use_our_look()
training_steps = 3 if "NBGRADER_EXECUTION" in os.environ else 900  # a grader need not wait

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them.
#
# **From lesson 04.**
# The loss is $(w - 3)^2$, and the parameter $w$ is 5.
# Training takes one step, with a rate of 0.1.
# What is $w$ then?

# %% exercise="remember_one_step_downhill"
remember_one_step_downhill = ...  # a number
### BEGIN SOLUTION
remember_one_step_downhill = 4.6
### END SOLUTION

# %% [markdown]
# **From lesson 02.**
# Queries and keys are random, with 512 features each.
# Someone divides their dot products by 512, and not by the root of 512.
# What do the weights look like?
#
# - `"a"`: all keys get nearly the same
# - `"b"`: one key gets nearly the whole
# - `"c"`: the same as with the root

# %% exercise="remember_divided_by_too_much"
remember_divided_by_too_much = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_divided_by_too_much = "a"
### END SOLUTION

# %% [markdown]
# ## Two heads read a sentence
#
# Suppose we want these weights for *I love AI*: in head 0 the subject and its verb look at each other, in head 1 the verb and its object.
# Which matrices give them?

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
# Here each word has a feature of its own, so row i of a matrix says what word i looks for.
# Softmax takes exponentials, so the score that gives a weight of 0.8 is the logarithm of 0.8.
# A head also divides by $\sqrt{d_k} = \sqrt 3$, so we multiply by that first.
# The matrices of both heads are stacked in one tensor, whose first axis counts the heads.

# %%
love_x = torch.eye(3, device=device)  # (tokens, model_size): one feature for each word
love_query = 3**0.5 * wanted.log()  # (heads, model_size, head_size): what each word looks for
love_key = torch.eye(3, device=device).expand(2, 3, 3)  # what each word offers: itself; expand shows it to both heads

love_maps = attention_weights(love_x @ love_query, love_x @ love_key)
print("shape of the maps:", tuple(love_maps.shape))

# %% [markdown]
# **Draw them.**
# `plt.imshow` draws a table of numbers as squares, and `plt.xticks(positions, names)` writes names along the x axis.
# Add four lines: the names along the y axis (`plt.yticks`), a label for each axis (which is the query, which the key?), and the title.

# %% free="draw_map"
def draw_map(weights, words, title):
    """Draw a table of weights, with a row for each query and a column for each key."""
    plt.imshow(weights, vmin=0, vmax=1)  # white is 0, dark blue is 1
    plt.xticks(range(len(words)), words)
    ### BEGIN SOLUTION
    plt.yticks(range(len(words)), words)
    plt.xlabel("key")
    plt.ylabel("query")
    plt.title(title)
    ### END SOLUTION
    plt.show()

for head in range(2):
    draw_map(love_maps[head].cpu(), three_words, f"head {head}")

# %% [markdown]
# A row belongs to a query, so the y axis shows the query: in head 0, the row *I* has its dark square at *love*.
#
# With one head, attention is a table of n × n weights.
# With h heads there are h tables, a tensor of shape (h, n, n), and each is computed without the others.
#
# Now the values.
# Each word carries a single number: *I* carries 10, *love* carries 0, *AI* carries 20, in both heads.
#
# **Calculate.**
# What does *love* receive from each of the two heads?

# %% exercise="love_from_two_heads"
love_from_two_heads = ...  # two numbers, head 0 first: (..., ...)
### BEGIN SOLUTION
love_from_two_heads = (9.0, 15.0)
### END SOLUTION

# %% [markdown]
# From either number alone, you could not tell what *I* carries and what *AI* carries.
# From both together you can: two different mixtures of two unknown numbers give two equations.

# %% [markdown]
# ## The formula
#
# The results of all heads are concatenated, which means put side by side, and multiplied by an output matrix $W^O$:
#
# $$\mathrm{head}_i = \mathrm{Attention}(XW_i^Q,\; XW_i^K,\; XW_i^V)$$
#
# $$\mathrm{MultiHead}(X) = \mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)\, W^O$$
#
# In *Attention is all you need*, the 2017 paper that introduced this layer, a token has 512 features and there are 8 heads:

# %% picture=true
diagram(
    {
        "x": (1.5, 0, "x\n(tokens, 512)", "plain"),
        "head 0": (0, 1, "head 0\n(tokens, 64)"),
        "head 1": (1, 1, "head 1\n(tokens, 64)"),
        "more": (2, 1, ". . .", "plain"),
        "head 7": (3, 1, "head 7\n(tokens, 64)"),
        "joined": (1.5, 2, "side by side\n(tokens, 8 · 64)"),
        "mixed": (1.5, 3, "times W_O\n(512, 512)", "new"),
        "output": (1.5, 4, "output\n(tokens, 512)", "plain"),
    },
    [
        *(("x", f"head {head}") for head in (0, 1, 7)),
        *((f"head {head}", "joined") for head in (0, 1, 7)),
        ("joined", "mixed"),
        ("mixed", "output"),
    ],
    alt="A diagram of multi-head attention, from bottom to top. The input x, tokens by 512, goes whole into each of eight "
    "heads. Each gives tokens by 64. Side by side they are tokens by 8 times 64. The product with W_O gives the output, "
    "tokens by 512.",
)

# %% [markdown]
# Every head reads the *whole* token; nothing is cut up.
# Each makes a short summary of 64 numbers, and $W^O$ turns the eight summaries into 512 numbers again.
# Usually all heads together are as wide as the model, so `head_size` is `model_size / heads`.
# That is a habit, not a law.
#
# | tensor | shape |
# |---|---|
# | `x` | (tokens, model_size) |
# | `w_query`, `w_key`, `w_value` | (heads, model_size, head_size) |
# | `w_output` | (heads · head_size, model_size) |
#
# **Predict.**
# BERT base, a well-known model, has `model_size` 768 and 12 heads, which together are as wide as the model.
# A text of 128 tokens comes in.
# Give four shapes: the query of one head, the attention pattern of one head, the result of one head, and all results side by side.

# %% exercise="shapes_in_a_layer"
shapes_in_a_layer = ...  # four shapes: ((..., ...), (..., ...), (..., ...), (..., ...))
### BEGIN SOLUTION
shapes_in_a_layer = ((128, 64), (128, 128), (128, 64), (128, 768))
### END SOLUTION

# %% [markdown]
# ## Write it
#
# To put heads side by side you need `torch.cat`, which makes an axis longer; `torch.stack` would make a new one.
# Both work on the first axis unless you name another with `dim=`.
# Here are the results of two small heads, and what should become of them.

# %% picture=true
two_heads = torch.tensor([
    [[0, 1], [10, 11], [20, 21]],
    [[2, 3], [12, 13], [22, 23]],
])

steps(
    {
        "the results of two heads": (two_heads, "heads tokens head_size"),
        "joined": (torch.tensor([[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]]), "tokens columns"),
    },
    groups=[[[0]], [[1]]],
    alt="Two tables of three tokens and two columns, one for each head, and below them one table of three tokens and four "
    "columns: each row holds the two numbers of head 0 for this token, then the two of head 1.",
)

# %% [markdown]
# Rows stay rows, and the columns of head 0 come first.
#
# Now write the layer as the formula says it, one head after another.
# `attention_head(x, w_query, w_key, w_value, mask)` is imported from lesson 04.
# In lesson 06 you will write a faster version, and check it against this one.
#
# From here on, this holds for every function and layer.
# No input is changed, finite inputs give finite results, and gradients reach all floating-point inputs and all parameters.
# A mask is boolean, and True means "may look".
# None allows everything.
# A query with no allowed key gets zeros.

# %% exercise="multi_head_by_loop"
def multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask=None):
    """Self-attention with several heads: one after the other, their results side by side, then mixed by w_output.

    x: (..., tokens, model_size), w_query, w_key, w_value: (heads, model_size, head_size),
    w_output: (heads · head_size, model_size) -> (..., tokens, model_size), floating-point.
    Head i uses w_query[i], w_key[i] and w_value[i], and its scores are divided by the square root of head_size.
    Head 0 comes first: its columns meet the first head_size rows of w_output.
    There may be one head or many, and heads · head_size need not be model_size.
    mask: broadcastable to (..., tokens, tokens), the same for every head.
    """
    ### BEGIN SOLUTION
    results = []
    for q, k, v in zip(w_query, w_key, w_value):
        results.append(attention_head(x, q, k, v, mask))
    return torch.cat(results, dim=-1) @ w_output
    ### END SOLUTION

# %% [markdown]
# Here is an example to compare with: five tokens with eight features, two heads, and a causal mask.

# %%
def random_matrices(heads, head_size, seed):
    """Small random query, key and value matrices for each head, and the output matrix."""
    generator = torch.Generator().manual_seed(seed)
    shapes = [(heads, 8, head_size)] * 3 + [(heads * head_size, 8)]
    return [(torch.randn(shape, generator=generator) / 8**0.5).to(device) for shape in shapes]

x = torch.randn(5, 8, generator=torch.Generator().manual_seed(0)).to(device)  # (tokens, model_size)
w_query, w_key, w_value, w_output = random_matrices(heads=2, head_size=4, seed=0)
past = torch.ones(5, 5, dtype=torch.bool, device=device).tril()  # the causal mask of lesson 03: True up to the diagonal

def compare_with_the_example():
    expected = [[-0.213719, -0.357954, -0.089991, 0.200718], [-0.301524, -0.299186, -0.477540, -0.202508]]
    yours = multi_head_by_loop(x, w_query, w_key, w_value, w_output, past)[[0, 4], :4]  # of tokens 0 and 4
    return f"largest difference from the example: {(yours.cpu() - torch.tensor(expected)).abs().max():.6f}"


after(multi_head_by_loop, compare_with_the_example)

# %% [markdown]
# A difference below 0.00001 is rounding.

# %% [markdown]
# ## What W_O is for
#
# Cut $W^O$ into blocks of rows, one for each head. Then the formula is a sum:
#
# $$\mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)\, W^O = \sum_i \mathrm{head}_i\, W^O_i$$
#
# Every head writes to *all* columns of the output, each in its own way, and what they write is added up.
# Without $W^O$, each head could write to its own columns only.
# To see that, we double the values of one head and look at which columns of the output move.

# %%
def columns_that_move(w_output):
    """How far each column of the output moves (columns) when the values of one head are doubled (rows)."""
    before = multi_head_by_loop(x, w_query, w_key, w_value, w_output)
    moved = []
    for head in range(2):
        louder = w_value.clone()  # a copy, so that w_value itself stays as it is
        louder[head] *= 2
        change = multi_head_by_loop(x, w_query, w_key, louder, w_output) - before
        moved.append(change.abs().amax(dim=0))  # the largest change among the tokens
    return torch.stack(moved).cpu()

# %% picture=true
identity = torch.eye(8, device=device)
after(multi_head_by_loop, lambda: heatmaps(
    {"with W_O": columns_that_move(w_output), "without": columns_that_move(identity)},
    alt="Two tables of two heads by eight columns of the output. With W_O both heads move every column. "
    "Without it head 0 moves columns 0 to 3 only, and head 1 columns 4 to 7 only.",
    rows="head",
    columns="column of the output",
))

# %% [markdown]
# **Predict.**
# Suppose you forget $W^O$.
# In which of these layers does the output have the right shape anyway?
#
# | layer | model_size | heads | head_size |
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
# The first and the last have the usual sizes, so in most models nothing breaks: no error, no odd shape, no `nan`.
# To catch such a mistake, compare with numbers that you trust, or change something that must make a difference.
#
# The table also shows that `head_size` need not be model_size / heads.
# The largest T5, a 2019 model, has model_size 1024 and 128 heads of 128; its $W^O$ brings 16,384 columns back to 1024.

# %% [markdown]
# ## Nobody tells them what to learn
#
# A caption may say "head 3: pronouns", but nobody ever gave head 3 that task.
# So where does the division of labour come from?
#
# Here is a task that needs two mixtures.
# A sentence has a subject, a verb, an object, and two other words.
# Each word has four random numbers that say who it is, and four numbers that say what its role is.
# Every word should learn who acts and on whom: it should receive the subject's four numbers and the object's.

# %%
def make_sentences(count, seed):
    """Random sentences -> x: (count, 5, 8), and what every word should receive: (count, 1, 8)."""
    x = torch.zeros(count, 5, 8)
    x[..., :4] = torch.randn(count, 5, 4, generator=torch.Generator().manual_seed(seed))  # who
    x[..., 4:] = torch.eye(4)[[0, 1, 2, 3, 3]]  # the role, as a 1 in one of four columns: subject, verb, object, other, other
    wanted = x[:, [0, 2], :4].reshape(count, 1, 8)  # subject and object: the first four numbers of words 0 and 2
    return x.to(device), wanted.to(device)

# %% [markdown]
# Training is the loop of lesson 04.
# The loss is the mean squared error; a layer that always answers 0 has a loss of about 1.

# %%
train_x, train_wanted = make_sentences(256, seed=100)


def train(matrices, steps=training_steps, rate=0.5):
    """Move all four kinds of matrices downhill -> the loss at each step."""
    losses = []
    for matrix in matrices:
        matrix.requires_grad_()
    for step in range(steps):
        loss = ((multi_head_by_loop(train_x, *matrices) - train_wanted) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            for matrix in matrices:
                matrix -= rate * matrix.grad
                matrix.grad = None
        losses.append(loss.item())
        show_progress(step + 1, steps, losses[-1])
    return losses

# %% [markdown]
# We compare one head of 8 columns with two heads of 4 columns each, which have the same number of parameters.
# Both together train for about 6 seconds, or half a minute on a busy machine.

# %%
def one_against_two():
    one, two = train(random_matrices(1, 8, seed=1)), train(random_matrices(2, 4, seed=1))
    print(f"loss at the end: one head {one[-1]:.3f}, two heads {two[-1]:.3f}")
    return curves(
        {"one head of 8": (range(len(one)), one), "two heads of 4": (range(len(two)), two)},
        alt="Loss over 900 steps. One head begins at 1.2, is at 0.50 after 100 steps, and stays between 0.35 and 0.55. "
        "Two heads begin at 1.1 and are at 0.55 after 100 steps; they cross the first line before step 120, are at 0.005 "
        "after 300 steps, and end below 0.001.",
        x="step",
        y="loss",
    )


after(multi_head_by_loop, one_against_two)

# %% [markdown]
# Here two heads solve the task, and one does not.
# It was the same with each of the twenty starts that we tried, `seed=1` to `seed=20`: two heads ended below 0.002, and one head never got below 0.33.
# One head gives each word a single mixture of subject and object, and no matrix can separate the two again.
#
# Where do the two heads look?
# We train twice, from two different random starts, which takes as long again, and plot the verb's row.

# %%
roles = ["subject", "verb", "object", "other", "other"]


def looks_of_the_verb(matrices):
    """Train, then return the verb's weights for the words of an unseen sentence: (heads, words)."""
    train(matrices)
    new_x, _ = make_sentences(1, seed=7)
    with torch.no_grad():
        return attention_weights(new_x @ matrices[0], new_x @ matrices[1])[:, 1].cpu()

# %% picture=true
after(multi_head_by_loop, lambda: heatmaps(
    {f"start {seed}": looks_of_the_verb(random_matrices(2, 4, seed=seed)) for seed in (1, 4)},
    alt="Two tables of two heads by five words, after training. From start 1, head 0 gives 0.88 to the object and 0.08 to "
    "the subject, head 1 gives 0.79 to the subject and 0.16 to the object. "
    "From start 4 it is the other way round: head 0 gives 0.77 to the subject and 0.19 to the object, "
    "head 1 gives 0.92 to the object and 0.04 to the subject.",
    rows="head",
    columns="words",
    column_labels=roles,
))

# %% [markdown]
# - **They divided the work**, although the loss never mentions heads.
#   Gradients favour whatever makes the loss smaller, and two different mixtures do.
# - **Which head does what depends on the random start.** A head's number means nothing.
# - **Neither head looks at one word only**, and neither needs to: two different mixtures give two equations, and $W^O$ solves them.
#
# So "head 3: pronouns" describes, at best, one head of one trained model.
# In lesson 10 you find out what heads learn in a language model, and what happens when one is removed.

# %% [markdown]
# ## What do eight heads cost?
#
# "Eight heads, so eight times as many parameters" sounds right, but it is not.
# If $h$ heads split the width $d$ evenly, each head's matrices have $d/h$ columns:
#
# | projection | one head | all heads |
# |---|---|---|
# | queries, keys, values: each | $d \cdot d/h$ | $d^2$ |
# | output | | $d^2$ |
#
# Together that is $4d^2$, whatever the number of heads.
# Each of the four projections may also have a bias, which holds one number per output.
# Here is how torch counts one of the four, the query projection of all 8 heads:

# %%
to_queries = torch.nn.Linear(512, 8 * 64)
print([parameter.numel() for parameter in to_queries.parameters()])  # the weights, the bias

# %% [markdown]
# **Calculate.**
# With model_size 512: how many parameters does a layer have with 8 heads and no biases, with 8 heads and biases, and with 16 heads and no biases?
# Give exact numbers.

# %% exercise="parameters_of_512"
parameters_of_512 = ...  # three numbers: (..., ..., ...)
### BEGIN SOLUTION
parameters_of_512 = (4 * 512**2, 4 * 512**2 + 4 * 512, 4 * 512**2)
### END SOLUTION

# %% [markdown]
# $4d^2$ holds only without biases, and only if the heads together are as wide as the model.
# Queries and keys need the same size, because they meet in a dot product, but values may have another.
#
# Write the count that is always right, in two steps.
#
# 1. Suppose that both sizes are given, and add up four projections, each like the one above:
#
#    | projection | from | to |
#    |---|---|---|
#    | query, key: each | model_size | heads · head_size |
#    | value | model_size | heads · value_size |
#    | output | heads · value_size | model_size |
#
#    `parameter_count(6, 2, True, 4, 5)` is 248.
# 2. Then put lines in front that replace a size that is `None`.

# %% exercise="parameter_count"
def parameter_count(model_size, heads, bias=True, head_size=None, value_size=None):
    """How many numbers a layer with several heads learns, in its projections to queries, keys, values and output.

    model_size, heads: integers -> a number.
    bias: whether the four projections have biases. A bias holds one number per output.
    head_size: columns of one head's query and of its key; value_size: columns of one head's value.
    A size that is None is model_size / heads. If that is not a whole number, raise an error, for example a ValueError.
    If both sizes are given, nothing is divided, and any number of heads will do.
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
# torch has such a layer too, and we can count its parameters.

# %%
def compare_with_torch():
    for bias in (True, False):
        layer = torch.nn.MultiheadAttention(512, 8, bias=bias)
        held = sum(parameter.numel() for parameter in layer.parameters())
        print(f"bias={bias}: torch's layer has {held:,}, you count {parameter_count(512, 8, bias):,}")


after(parameter_count, compare_with_torch)

# %% [markdown]
# ## Summary
#
# You can now
#
# - say what several heads are for, and what $W^O$ does;
# - give the shape at every step, from (tokens, 512) through 8 × 64 and back;
# - write multi-head attention as a loop that you can trust;
# - explain why heads end up different;
# - count parameters for any sizes.
#
# In lesson 06 the loop disappears: all heads are computed at once, and you check the result against your loop.

# %%
progress()
