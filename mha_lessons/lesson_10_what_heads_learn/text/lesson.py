# %% [markdown]
# # Lesson 10 · What heads learn
#
# This lesson is a draft: what stands here came from earlier lessons, and waits to be made into one.

# %% locked=true
import os

import torch

from autograder import after, check, hint, progress, solution
from autograder.pictures import bars, curves, heatmap, heatmaps
from mha_ref import attention_weights, multi_head_by_loop

device = "cuda" if torch.cuda.is_available() else "cpu"

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
# ## How many heads?
#
# If the matrix products cost the same, why not take a head for every feature?
# Because heads get thin, and a thin head cannot choose freely.
#
# The scores of a head are $QK^\top$, with $d_k$ columns in $Q$ and in $K$.
# So a row of scores, that of query $i$, is a mixture of the $d_k$ columns of $K$. For $d_k = 3$:
#
# $$\text{row}_i = q_{i1}\,k_{\cdot 1} + q_{i2}\,k_{\cdot 2} + q_{i3}\,k_{\cdot 3}$$
#
# Here $k_{\cdot 1}$ is the first column of $K$, the first feature of all keys.
# However many tokens there are, all rows are mixtures of the same few columns. Here is the last row of ten.

# %%
torch.manual_seed(0)
query, key = torch.randn(2, 10, 3, dtype=torch.float64).to(device)  # each: 10 tokens, 3 features
scores = query @ key.mT
mixture = query[9, 0] * key[:, 0] + query[9, 1] * key[:, 1] + query[9, 2] * key[:, 2]
print("shape of the scores:", tuple(scores.shape))
print(f"the last row and the mixture differ by {(scores[9] - mixture).abs().max():.0e}")

# %% [markdown]
# The **rank** of a matrix is the smallest number of rows from which all its rows can be mixed.
# (The rows to mix from may be any rows; they need not stand in the matrix.)
# **Predict.** What is the rank of these $10 \times 10$ scores? (`torch.linalg.matrix_rank(scores)` tells, if you want to see it.)

# %% exercise="rank_of_scores"
rank_of_scores = ...  # a number
### BEGIN SOLUTION
rank_of_scores = 3
### END SOLUTION

# %% [markdown]
# Is a low rank bad? After softmax it is usually full again (here it is 10), so the number alone is no verdict.
# Let us ask what a thin head can look for.
#
# Take a head size of 1: each query is one number, each key is one number, and a score is their product.
# The *favourite* of a query is the key with the highest score.
# **Predict.** There are 64 keys, all different and none of them 0. At most how many of them can be the favourite of some query?
# (A query of 0, which finds all keys equally good, does not count.)

# %% exercise="favourites_of_a_thin_head"
favourites_of_a_thin_head = ...  # a number
### BEGIN SOLUTION
favourites_of_a_thin_head = 2
### END SOLUTION

# %% [markdown]
# Now measure it: 64 random keys, 20000 random queries, and a count of the keys that are the favourite of at least one.


# %%
def favourites(head_size, keys=64, queries=20_000):
    """How many keys come out on top for some query."""
    torch.manual_seed(head_size)
    key, query = torch.randn(keys, head_size).to(device), torch.randn(queries, head_size).to(device)
    return len((query @ key.mT).argmax(dim=-1).unique())


head_sizes = (1, 2, 4, 8, 16, 32, 64)

# %% picture=true
bars(
    {"favourites": [favourites(size) for size in head_sizes]},
    labels=[f"size {s}" if s == 1 else s for s in head_sizes],
    alt="Keys out of 64 that are the favourite of some query, one bar for each head size. "
    "2 with a head size of 1, 8 with 2, 33 with 4, 59 with 8, 63 with 16, and all 64 from 32 on.",
    y="keys that won, of 64",
    title="favourites of 20000 queries",
)

# %% [markdown]
# With one feature only the largest and the smallest key can ever win; all keys between them are out of reach, whatever the model learns to ask.
# With two features it is the 8 keys on the outer rim. From 16 or 32 on nearly every key has won.
# Longer texts have more keys, and need more features for that.
# This is the *low-rank bottleneck* (Bhojanapalli and others, 2020): heads that are too thin cannot express some maps, whatever they learn.
#
# Too few heads are no good either, because each of them has only one map (lesson 04).
# The first transformer was tried with 1, 4, 8, 16 and 32 heads, all at $d = 512$.
# Translation was best with 8 and 16 (25.8 points of BLEU, a measure of translations).
# With one head it lost 0.9 points, with 32 heads 0.4 (Vaswani and others, 2017, table 3).
# So the curve is flat in the middle, and falls at both ends.
#
# The habit that came out of this: **take a head size of 64 or 128, and let the number of heads follow.**
#
# It is a habit and no law: $W^O$ takes $h \cdot d_h$ columns and gives back $d$, whatever their number is.
# The largest T5 has $d = 1024$ and 128 heads of 128 (Raffel and others, 2020).
# The price is parameters, as you saw in lesson 05.
#
# **Choose.** GPT-3 has 96 heads, the first transformer 8. What is the best account of that?
#
# - `"a"`: language has about 96 kinds of relation, and each of them needs a head
# - `"b"`: the model grew and the head size did not, so there is room for more heads
# - `"c"`: more heads need less memory for the maps
# - `"d"`: more heads make the matrix products cheaper

# %% exercise="why_more_heads"
why_more_heads = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
why_more_heads = "b"
### END SOLUTION

# %% [markdown]
# ## What heads do, and do not tell
#
# It is tempting to picture heads as a team of experts: one for subjects, one for places, one for reasons.
# Let us see how far that goes.
#
# Here is a map of *one* head, for three tokens.
# *I* looks at its verb, and *love* looks at its object.
#
# | | I | love | AI |
# |---|---|---|---|
# | I | 0.1 | **0.8** | 0.1 |
# | love | 0.1 | 0.1 | **0.8** |
# | AI | 0.3 | 0.4 | 0.3 |
#
# **Choose.** Which sentence is true?
#
# - `"a"`: such a map cannot be: one head can learn one relation only
# - `"b"`: one head can serve several relations, since each query has a row of its own; what it cannot do is give *one* query two separate mixtures
# - `"c"`: one head can do anything that several heads can, if it is wide enough

# %% exercise="what_one_head_can_do"
what_one_head_can_do = ...  # "a", "b" or "c"
### BEGIN SOLUTION
what_one_head_can_do = "b"
### END SOLUTION

# %% [markdown]
# **Choose.** Several heads look at the same tokens. What keeps them from all learning the same map?
#
# - `"a"`: the loss punishes heads that are alike
# - `"b"`: softmax makes them compete with each other
# - `"c"`: $W^O$ forces them to be different
# - `"d"`: nothing forbids it; they start from different random numbers, and often that is enough

# %% exercise="what_keeps_heads_apart"
what_keeps_heads_apart = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
what_keeps_heads_apart = "d"
### END SOLUTION

# %% [markdown]
# And often it is not enough.
# If two heads have become equal, the second one adds nothing that one head with another $W^O$ could not do.
# Check it: two equal heads against one head, whose rows of $W^O$ are the sum of both.

# %%
torch.manual_seed(1)
x = torch.randn(6, 8, dtype=torch.float64).to(device)  # 6 tokens, model size 8
one = torch.randn(3, 1, 8, 4, dtype=torch.float64).to(device)  # query, key and value matrix of one head
w_output = torch.randn(8, 8, dtype=torch.float64).to(device)

two_equal_heads = multi_head_by_loop(x, *one.expand(3, 2, 8, 4), w_output)
one_head = multi_head_by_loop(x, *one, w_output[:4] + w_output[4:])
print(f"largest difference: {(two_equal_heads - one_head).abs().max():.0e}")

# %% [markdown]
# Real heads are seldom exactly equal, but many can go.
# To remove heads from a trained model is called **pruning**:
#
# - In a large translator, Michel and others (2019) removed each of the 96 heads of the encoder (the half that reads, lesson 07), one at a time. Only for 8 of them did the quality change measurably, and in half of these cases it got *better*.
# - Voita and others (2019) pruned 38 of 48 encoder heads of an English-Russian translator and lost 0.15 points of BLEU. The last ones to go were those whose job has a name: neighbours, syntax, rare words.
#
# Both pruned *after* training. A model that is trained with few heads from the start is another matter.
#
# Other heads seem to be idle, and that may be useful.
# In BERT every text begins with a token `[CLS]` and has a `[SEP]` at its end.
# Clark and others (2019) found that in layers 6 to 10 more than half of all attention goes to `[SEP]`.
# Their explanation: a row of weights must sum to 1, so a head that has found nothing must look *somewhere*.
# The best place is a token that carries nothing.
# Let us build such a head.

# %%
torch.manual_seed(2)
tokens = ["[CLS]", "the", "dog", "barks", "[SEP]"]
scores = torch.tensor([0.2, 0.0, 0.5, 0.1, 4.0], device=device)  # one query, which has found nothing
values = torch.nn.functional.normalize(torch.randn(5, 4), dim=-1).to(device)  # each row of length 1 ...
values[4] *= 0.01  # ... but that of [SEP]

weights = scores.softmax(dim=-1)
moved = weights * values.norm(dim=-1)  # how far each token moves the output
print(f"all five together move it by {moved.sum():.2f} at most; with five values of length 1 it could be 1.00")

# %% picture=true
def in_words(shares):
    return ", ".join(f"{token} {share:.2f}" for token, share in zip(tokens, shares))


bars(
    {"weights": weights.tolist(), "weight · length of value, as shares": (moved / moved.sum()).tolist()},
    labels=tokens,
    alt=f"Bars for five tokens. By weight: {in_words(weights)}. [SEP] has nearly all. "
    f"By weight times length of the value, as shares of the whole: {in_words(moved / moved.sum())}. [SEP] is last.",
    y="share",
)

# %% [markdown]
# The map says "92 % on `[SEP]`". The output says: hardly anything arrived at all, and of that little `[SEP]` sent a tenth.
# A weight tells how much of a value is taken, not how much there was to take.
# To look at weight times length of the value is the proposal of Kobayashi and others (2020).
#
# **Calculate.** A row gives 0.9 to `[SEP]`, whose value has length 0.01, and 0.1 to *dog*, whose value has length 0.9.
# How many times as far does *dog* move the output as `[SEP]`?

# %% exercise="dog_against_sep"
dog_against_sep = ...  # a number
### BEGIN SOLUTION
dog_against_sep = 10
### END SOLUTION

# %% [markdown]
# There is a second reason for care: different maps may give the same output.
# With the values 0, 1 and 2, the weights $(0.5, 0, 0.5)$ and $(0, 1, 0)$ both give 1.
# Jain and Wallace (2019) found very different maps with nearly the same predictions in trained models, and called their paper *Attention is not explanation*.
# Wiegreffe and Pinter answered in the same year, in *Attention is not not explanation*.
# Such maps exist, they say. But when another, simpler model is given these maps, they help it less than the real ones.
# So the real ones do tell something.
#
# What is safe to say: a map shows where a head looked, in one layer, for this text.
# It is a good source of guesses. To test a guess, *change* something, as you did with leaks in lesson 03: take the head away, and see what breaks.

# %% [markdown]
# But does the map show everything that the model knows?
# A French article must agree with the gender of its noun: *le chat*, but *la voiture*.
# So let us make a hard test.
# The decoder may look at **one** English word only, the first one, which is `the` or `a`.
# All other words are hidden from it by the third mask.
# How often is the first French word, the article, still right?

# %% exercise="who_tells_the_article"
who_tells_the_article = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
who_tells_the_article = "b"
### END SOLUTION

# %%
progress()
