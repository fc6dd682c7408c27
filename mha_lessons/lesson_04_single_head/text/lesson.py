# %% [markdown]
# # Lesson 04 · One head that learns
#
# So far we have made queries, keys and values by hand, or used a word's vector for all three.
# Real models *learn* how to make them, with three matrices.
# Attention with its three matrices is a head.
#
# In this lesson you write a head and watch it find out by itself where to look.
# This is also where we move from NumPy to torch (PyTorch), a library for programs that learn.

# %% locked=true
import itertools
import os
import random

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from torch import nn

from autograder import after, check, hint, progress, solution
from autograder.mine import attention_weights, masked_attention, padding_mask
from autograder.pictures import arrows, heatmap, heatmaps, use_our_look
from autograder.play import Slider, play

device = "cuda" if torch.cuda.is_available() else "cpu"  # a graphics processor, if there is one
torch.set_num_threads(1)  # for matrices as small as ours, one thread is fastest
torch.set_printoptions(precision=3, sci_mode=False)
use_our_look()  # plots that can be read on light and on dark pages
training_steps = 3 if "NBGRADER_EXECUTION" in os.environ else 200  # a grader need not wait

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them.
#
# **From lesson 03.**
# A model is trained to predict the next token.
# What shows that it peeks at the future?
#
# - `"a"`: an earlier token that moves a later output
# - `"b"`: a loss that sinks to almost 0 in training
# - `"c"`: a later token that moves an earlier output

# %% exercise="remember_the_sign_of_peeking"
remember_the_sign_of_peeking = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_the_sign_of_peeking = "c"
### END SOLUTION

# %% [markdown]
# **From lesson 01.**
# Scores for 4 queries and 7 keys fill a table, with a row for each query.
# Softmax along the last axis makes weights of them.
# What is the sum of all 28 weights?

# %% exercise="remember_the_sum_of_a_table"
remember_the_sum_of_a_table = ...  # a number
### BEGIN SOLUTION
remember_the_sum_of_a_table = 4
### END SOLUTION

# %% [markdown]
# ## The same in torch
#
# What NumPy calls an array, torch calls a **tensor**: it can also be on a GPU, and it can record how it was computed.
# Most of what you know has the same name, `@`, `.mT`, `exp` and `arange` among it.
# A few words change:
#
# | NumPy | torch |
# |---|---|
# | `axis=-1`, `keepdims=True` | `dim=-1`, `keepdim=True` |
# | `np.max(x, axis=-1)` | `torch.amax(x, dim=-1)`; `torch.max` gives a pair, values and positions |
# | `np.sqrt(64)`, of a plain number | `64 ** 0.5`; `torch.sqrt` wants a tensor |
# | `np.where(mask, x, -np.inf)` | `torch.where(mask, x, -torch.inf)` |
#
# Now write four of your functions again, this time for tensors.
# Copy them from lessons 01 to 03, and change the words that must change: this is not marked, and takes five to eight minutes.
# What is right is kept in `mine.py`, beside the folders of the lessons, and later lessons use it: your heads, your translator and your language model are made of it.
# (What you wrote for NumPy is in `mine_in_numpy.py`; of that, lessons in torch use what calls nothing of NumPy's, and ours for the rest.)
# Where you skip one, the course's version takes its place.

# %% again="softmax"
def softmax(scores, axis=-1):
    """As in lesson 01, for tensors: positive weights that sum to 1 along `axis`.

    scores: (...), floating-point, with any number of axes -> same shape. Finite for any finite scores.
    """
    ### BEGIN SOLUTION
    top = torch.amax(scores, dim=axis, keepdim=True)
    unscaled = torch.exp(scores - top)
    return unscaled / torch.sum(unscaled, dim=axis, keepdim=True)
    ### END SOLUTION

# %% again="attention_scores"
def attention_scores(query, key):
    """As in lesson 02, for tensors: dot products, divided by the root of the number of features.

    query: (..., queries, features), key: (..., keys, features) -> (..., queries, keys).
    """
    ### BEGIN SOLUTION
    return query @ key.mT / query.shape[-1] ** 0.5
    ### END SOLUTION

# %% again="causal_mask"
def causal_mask(queries, keys):
    """As in lesson 03, as a tensor: a query may look at the keys up to its own position.

    queries, keys: two integers -> (queries, keys), boolean. The last query lines up with the last key.
    """
    ### BEGIN SOLUTION
    position = torch.arange(queries) + keys - queries
    return position[:, None] >= torch.arange(keys)
    ### END SOLUTION

# %% again="masked_softmax"
def masked_softmax(scores, mask):
    """As in lesson 03, for tensors: softmax over the allowed keys, and zeros in a row that has none.

    scores: (..., queries, keys), mask: boolean, broadcastable to it -> (..., queries, keys).
    """
    ### BEGIN SOLUTION
    alive = mask.any(dim=-1, keepdim=True)
    weights = softmax(torch.where(mask | ~alive, scores, -torch.inf))
    return torch.where(alive, weights, 0.0)
    ### END SOLUTION

# %% [markdown]
# ## One word, two sentences
#
# In a model every word begins as a vector called its **embedding**, the same wherever the word occurs.
# But *bank* is one thing in *the river bank*, and another in *the savings bank*.
# Its embedding cannot know which, so let it lie halfway between water and money.
# The words around it have to *change* it, and that is a head's job.

# %%
bank = torch.tensor([0.5, 0.5])  # features: water, money
river_carries = torch.tensor([0.5, -0.5])  # more water, less money
savings_carries = torch.tensor([-0.5, 0.5])

# %% [markdown]
# The slider sets how much of its attention *bank* gives to the word before it; here the other words carry nothing.

# %% picture=true
def bank_after(attention):
    found = {"river bank": bank + attention * river_carries, "savings bank": bank + attention * savings_carries}
    said = "; ".join(f"in {place}: water {x:.2f}, money {y:.2f}" for place, (x, y) in found.items())
    return arrows(
        {place: vector.tolist() for place, vector in found.items()},
        {"bank": bank.tolist(), "water": (1, 0), "money": (0, 1)},
        alt=f"Arrows over water and money. The embedding of bank: 0.50 and 0.50. After attention, {said}.",
    )

play(bank_after, attention=Slider((0.2, 0.4, 0.6, 0.8), start=0.4, words=lambda share: f"{share:.0%}"))

# %% [markdown]
# The more attention *bank* gives to the word before, the further the two meanings move apart.
#
# Three vectors decide what happens:
#
# - *bank* asks: "Does any word say which kind I am?" That is its query.
# - *river* answers: "I do." That is its key; *savings* has the same one.
#   It fits the query, so *bank* gives *river* its attention.
# - What *river* carries is added to the embedding of *bank*: "more water, less money". That is its value.
#
# A value does not say what its word is; it says how that word changes another.
#
# ## Three matrices
#
# In lesson 03 one vector played all three roles.
# But a dot product is the same both ways, so *river* would fit *bank* exactly as well as *bank* fits *river*, although only *bank* needs the other.
# What I look for, what I offer and what I carry are three different things, so each gets a matrix of its own.
# With the words in the rows of $X$:
#
# $$Q = X W^Q \qquad K = X W^K \qquad V = X W^V \qquad \mathrm{head}(X) = \mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right) V$$
#
# A product like $X W^Q$ is called a **projection**.
# Here all three projections start from the same words, which is called **self-attention**.
#
# For *bank* we can choose the matrices by hand.
# Each embedding below has four features with a meaning, and row i of a matrix says what feature i looks for, offers, or carries.
# (The 2 says how strong the wish is: with it, *bank* gives *river* 0.79 of its attention; with 6 it would be 0.995.)

# %%
meaning = ["noun", "says which", "water", "money"]
embeddings = torch.tensor([
    [[0.0, 0, 0, 0], [0, 1, 1, 0], [1, 0, 0.5, 0.5]],  # the river bank
    [[0.0, 0, 0, 0], [0, 1, 0, 1], [1, 0, 0.5, 0.5]],  # the savings bank
], device=device)  # (sentences, tokens, model_size)
looks_for = torch.tensor([[2.0], [0], [0], [0]], device=device)  # a noun looks for a word that says which
offers = torch.tensor([[0.0], [1], [0], [0]], device=device)  # such a word offers just that
carries = torch.tensor([[0.0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0.5, -0.5], [0, 0, -0.5, 0.5]], device=device)  # water adds water, money adds money

# %% [markdown]
# In general, words have `model_size` features, queries and keys have `head_size` (the $d_k$ of the formula), and values have `value_size`.
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
# ## Write the head
#
# `masked_attention` is imported, and it takes tensors, too.
# One rule is new: **gradients must reach x and the matrices**, or nothing can be learned.
# (The next section says what gradients are.)
# They do so on their own if you compute with tensors from beginning to end.
# Do not use `.detach()`, `.item()`, `.data`, or `torch.tensor(...)` around a result: they keep the numbers and forget where these came from.
# The checks also try float64, so if you make a tensor yourself, give it `dtype=x.dtype` and `device=x.device`.

# %% exercise="attention_head"
def attention_head(x, w_query, w_key, w_value, mask=None):
    """One head of self-attention: every token asks all tokens of its own sequence.

    x: (..., tokens, model_size), w_query, w_key: (model_size, head_size), w_value: (model_size, value_size)
    -> (..., tokens, value_size), floating-point numbers.
    Each matrix multiplies from the right. Scores are divided by the square root of head_size.
    mask: boolean, broadcastable to (..., tokens, tokens), True means "may look"; None allows everything.
    A query with no allowed key gets zeros.
    Any number of axes `...`, or none. The inputs are not changed.
    The result is finite for any finite inputs. Gradients reach x and all three matrices.
    """
    ### BEGIN SOLUTION
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    return masked_attention(query, key, value, mask)
    ### END SOLUTION

# %% [markdown]
# Here is your head at work on *bank*.

# %% picture=true
def bank_before_and_after():
    changed = embeddings + attention_head(embeddings, looks_for, offers, carries)
    return heatmaps(
        {"embedding": embeddings[:, 2].cpu(), "embedding + head": changed[:, 2].cpu()},
        alt="The word bank in two sentences, by four features. Before, both rows are the same: a noun, with 0.50 of water and "
        "0.50 of money. After the head's output is added, bank in 'the river bank' has 0.89 of water and 0.11 of money, in "
        "'the savings bank' the reverse; it is still a noun in both.",
        rows="bank in", columns="features", row_labels=["the river bank", "the savings bank"], column_labels=meaning,
    )

after(attention_head, bank_before_and_after)

# %% [markdown]
# One word now has two vectors, one for each sentence, and is still a noun in both.
# Because the result is added to the embedding instead of replacing it, a head only has to say what changes.
# (The addition is not the head's work, and needs values as long as the embedding; lesson 05 gets there with $W^O$.)
# In a large model dozens of layers add to the same embeddings, one after another; this running sum is called the **residual stream**.

# %% [markdown]
# ## How a matrix learns
#
# A learned matrix is called a **parameter**, and so is each of its numbers.
# They are **initialised** with random numbers.
# To improve them, we need a number that says how bad the result is: the **loss**.
# For each parameter we ask: if it becomes a little larger, how fast does the loss rise?
# That slope is the **gradient**.
# Then every parameter takes a small step downhill, and we start over.
#
# torch finds all the gradients for us.
# In the **forward** pass it computes the loss and takes notes on every operation; in the **backward** pass it goes through its notes from end to beginning and works out the slopes.

# %%
w = torch.tensor(3.0, requires_grad=True)  # keep notes about w
loss = (3 * w - 5) ** 2  # forward
loss.backward()  # backward: 2 · (3w - 5) · 3
print("loss:", loss.item(), " gradient:", w.grad.item())

# %% [markdown]
# Now a task.
# A sentence names a person, a thing and a place, in any order, with some other words in between.
# A question comes first: *who?*, *what?* or *where?*
# The head must name the noun that answers it.
#
# No one tells it that *Ann* is a person or that *Rome* is a place: each word is a vector of random numbers.
# All it gets is the questions with their sentences and, afterwards, the answers.
# Three sentences are printed; the folded cell after them makes tensors of 300.

# %%
def random_words(words, features, seed):
    """A vector of random numbers for each word, the same on every machine: {word: vector}."""
    generator = torch.Generator().manual_seed(seed)
    return {word: torch.randn(features, generator=generator).to(device) for word in sorted(set(words))}

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

for words, answer in (make_sentence(random.Random(seed)) for seed in range(3)):
    print(" ".join(words), "->", answer)

# %% picture=true
def make_batch(count, seed):
    """Sentences as tensors -> x: (count, 7, 64), mask: (count, 1, 7), answers: (count,) numbers of nouns."""
    rng = random.Random(seed)
    made = [make_sentence(rng) for _ in range(count)]
    x = torch.zeros(count, 7, 64, device=device)
    for number, (words, _) in enumerate(made):
        x[number, : len(words)] = torch.stack([vectors[word] for word in words])  # joins vectors into a table
    lengths = torch.tensor([len(words) for words, _ in made], device=device)
    answers = torch.tensor([nouns.index(answer) for _, answer in made], device=device)
    return x, padding_mask(lengths, 7)[:, 0], answers

train_x, train_mask, train_answers = make_batch(300, seed=0)

# %% [markdown]
# How good is a guess?
#
# - The values get 12 features, one for each noun, so 12 scores arrive at the question's position: the logits.
# - Softmax turns these into probabilities: how likely the head thinks each noun is.
# - The loss is minus the logarithm of the probability that the right answer got: 0 if the head was certain and right, large if it was surprised.
#
# `F.cross_entropy(logits, answers)` does the second and the third in one safe step.
# Read `train` slowly: nearly all neural networks learn by a loop like this one.
# (`rate` says how large a step is.)

# %%
def train(head, parameters, steps=training_steps, rate=0.2):
    """Move every parameter a little downhill, `steps` times -> the loss at each step."""
    losses = []
    for _ in range(steps):
        logits = head(train_x, train_mask)[:, 0]  # what the question's position received
        loss = F.cross_entropy(logits, train_answers)
        loss.backward()
        with torch.no_grad():  # the step itself is not part of the loss
            for parameter in parameters:
                parameter -= rate * parameter.grad
                parameter.grad = None  # else the next gradient would be added to it
        losses.append(loss.item())
    return losses

# %% [markdown]
# Here is your head while it learns.
# The rows are the three questions, asked about one sentence; the slider moves through the training.

# %% picture=true
def small_matrices(*shapes, seed):
    """Random matrices, small enough that all attention weights begin nearly equal."""
    generator = torch.Generator().manual_seed(seed)
    made = [torch.randn(shape, generator=generator) / 4 / shape[0] ** 0.5 for shape in shapes]
    return [matrix.to(device).requires_grad_() for matrix in made]

about_ann = ["Ann", "buys", "bread", "in", "Paris", "today"]
steps_to_show = tuple(step for step in (0, 10, 20, 30, 40, 50, 100, 199) if step < training_steps)

def where_it_looks(w_query, w_key):
    """The weights that each question gives to itself and to the words of the sentence: (questions, words)."""
    asked = torch.stack([torch.stack([vectors[w] for w in [question, *about_ann]]) for question in questions])
    with torch.no_grad():
        return attention_weights(asked @ w_query, asked @ w_key)[:, 0].cpu()

def watch_it_learn():
    matrices, looks, count = small_matrices((64, 8), (64, 8), (64, 12), seed=10), {}, itertools.count()

    def watched_head(x, mask):
        if (step := next(count)) in steps_to_show:
            looks[step] = where_it_looks(*matrices[:2])
        return attention_head(x, *matrices, mask)

    losses = train(watched_head, matrices)

    def at(step):
        said = ", ".join(f"{q} {row.max():.2f} to {['itself', *about_ann][row.argmax()]}" for q, row in zip(questions, looks[step]))
        return heatmap(
            looks[step], title=f"step {step}, loss {losses[step]:.2f}",
            alt=f"Where three questions look at step {step}, most: {said}.",
            rows="questions", columns="words", row_labels=list(questions), column_labels=["itself", *about_ann],
        )

    return play(at, step=Slider(steps_to_show, start=steps_to_show[0]))

after(attention_head, watch_it_learn)

# %% [markdown]
# At first each question looks everywhere equally.
# By the end *who?* looks at the person, *what?* at the thing and *where?* at the place.
# The head was told only the answers; the gradients flowed back from the loss, through the mixture and softmax, into `w_query` and `w_key`.
#
# Why do the matrices start so small?
# Because then all weights begin nearly equal, and no slope of softmax is close to 0.
# With matrices four times as large, the first choices are sharp and accidental, as in lesson 02: of 20 such heads only 8 learned to answer every question, but all 20 that started small did.
#
# This is a good place for a break.

# %% [markdown]
# ## A head as a module
#
# A large model has hundreds of matrices, and something must keep track of them all, to train and to store them.
# In torch this is a **module**: an object that holds parameters, with a method `forward` that uses them.
# You write a class for it, which builds on torch's own class `nn.Module`.
# (*A class in twenty lines*, in lesson 00, says what a class is.)

# %%
class Line(nn.Module):
    """slope · x + start, with two numbers to learn."""

    def __init__(self):
        super().__init__()  # first of all: torch's class prepares its list of parameters
        self.slope = nn.Parameter(torch.tensor(2.0))
        self.start = nn.Parameter(torch.tensor(-1.0))

    def forward(self, x):
        return self.slope * x + self.start

line = Line()
print("line(3.0) runs forward:", line(3.0).item(), " parameters:", [name for name, _ in line.named_parameters()])

# %% [markdown]
# `nn.Linear(inputs, outputs)` is the module you will meet most: one matrix and, unless you say `bias=False`, a **bias**, a row of numbers that is added to the product.
# Its product is `x @ weight.mT`, so it stores its matrix transposed.
#
# **Predict.** What is the shape of `nn.Linear(6, 4, bias=False).weight`?

# %% exercise="linear_weight_shape"
linear_weight_shape = ...  # a tuple of sizes
### BEGIN SOLUTION
linear_weight_shape = (4, 6)
### END SOLUTION

# %% [markdown]
# A module registers whatever you assign to one of its attributes, if it is a parameter or another module.
# It does not look into lists, and it ignores ordinary tensors.
#
# **Find the bug.**
# Part of this head never learns.
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
[name for name, _ in ColleaguesHead().named_parameters()]

# %% [markdown]
# You would never see an error: such a head runs, and half of it stays as random as it was.
# (For lists there is `nn.ModuleList`.)
#
# **Calculate.**
# A head takes words with 512 features, and its queries, keys and values all have 64.
# There are no biases.
# How many parameters does it have?

# %% exercise="parameters_of_a_head"
parameters_of_a_head = ...  # a number
### BEGIN SOLUTION
parameters_of_a_head = 3 * 512 * 64
### END SOLUTION

# %% [markdown]
# Now write your head as a module; the first of its matrices is there.
# The check puts its own numbers into your matrices and finds them by name.
# (It also knows `q_proj`, `k_proj`, `v_proj`; `w_query`, `w_key`, `w_value`; and all three side by side in one `in_proj` or `qkv`.)
#
# These rules hold for every *layer*, as we call such a class; written in the usual way, it keeps all but the first without a thought:
#
# - It does the work itself, not with `nn.MultiheadAttention` or the layer in `mha_ref`.
# - A new layer is in train mode, as PyTorch leaves it.
# - Each weight exists once, belongs to this layer alone, and has an effect.
# - A copy that loads its `state_dict()`, which is a dictionary of all parameters, gives the same results.
# - No call leaves anything behind for the next.

# %% exercise="AttentionHead"
class AttentionHead(nn.Module):
    """One head of self-attention, with its three matrices; value_size is head_size.

    model_size, head_size: two integers -> a module with three learned matrices, and no biases.
    Name them query, key and value: each an `nn.Linear`, or an `nn.Parameter` of shape (model_size, head_size).
    """

    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        ### BEGIN SOLUTION
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)
        ### END SOLUTION

    def forward(self, x, mask=None):
        """The same as attention_head, with the module's own matrices.

        x: (..., tokens, model_size) -> (..., tokens, head_size), floating-point numbers.
        mask: boolean, broadcastable to (..., tokens, tokens), True means "may look"; None allows everything.
        A query with no allowed key gets zeros. x is not changed.
        Nothing in it is random: the same x gives the same result. Gradients reach x and all three matrices.
        """
        ### BEGIN SOLUTION
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)
        ### END SOLUTION

# %% [markdown]
# Now train your module in the same way, and test it on 1000 new sentences.
# Using a trained model without further learning, as in this test, is called **inference**.
#
# The last five lines draw its loss with matplotlib, the most widely used plotting library: in lesson 05 you write such lines yourself.

# %%
def train_module():
    torch.manual_seed(0)
    head = AttentionHead(64, 12).to(device)
    with torch.no_grad():
        for parameter in head.parameters():
            parameter *= 0.4  # nn.Linear begins larger than we did above
    losses = train(head, list(head.parameters()))
    new_x, new_mask, new_answers = make_batch(1000, seed=1)
    right = (head(new_x, new_mask)[:, 0].argmax(dim=-1) == new_answers).float().mean().item()
    print(f"right answers to new questions: {right:.1%} (by chance: {1 / 12:.1%})")
    plt.plot(losses)
    plt.xlabel("step")
    plt.ylabel("loss")
    plt.title("My head learns")
    plt.show()

after(AttentionHead, train_module)

# %% [markdown]
# With equal guesses for twelve nouns the loss would be $\log 12 = 2.48$, and that is about where your curve begins.

# %% [markdown]
# ## What one mixture cannot say
#
# One head gives each word one row of weights, and uses that row to mix everything.
# In *I love AI*, the verb needs to know both who loves and what is loved.
# The head below was made by hand, so that *love* looks at the subject and the object, half and half.
#
# **Predict** (not marked): what does the verb receive in *I love AI*, and what in *AI loves me*?
#
# - `"a"`: two different mixtures
# - `"b"`: the same mixture twice
# - `"c"`: the subject both times

# %% exercise="predict_who_loves_whom"
predict_who_loves_whom = ...  # "a", "b" or "c"
### BEGIN SOLUTION
predict_who_loves_whom = "b"
### END SOLUTION

# %%
i_love_ai = torch.tensor([[1.0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 1, 0, 0, 1]], device=device)
ai_loves_me = torch.tensor([[0.0, 1, 1, 0, 0], [0, 0, 0, 1, 0], [1, 0, 0, 0, 1]], device=device)
# columns: I (or me), AI, subject, verb, object
verb_asks = torch.tensor([[0.0, 0], [0, 0], [0, 0], [20, 20], [0, 0]], device=device)  # for a subject and an object
role_offers = torch.tensor([[0.0, 0], [0, 0], [1, 0], [0, 0], [0, 1]], device=device)
name_carries = torch.tensor([[1.0, 0], [0, 1], [0, 0], [0, 0], [0, 0]], device=device)

def the_verb_receives():
    for said, x in (("I love AI", i_love_ai), ("AI loves me", ai_loves_me)):
        print(f"{said:12}", attention_head(x, verb_asks, role_offers, name_carries)[1])

after(attention_head, the_verb_receives)

# %% [markdown]
# It receives the same mixture both times, so it cannot tell who loves whom.
# Two heads could: one looks at the subject, the other at the object.
#
# A second limit, in a famous sentence:
#
# > The animal did not cross the street because it was too **tired**.
#
# *It* is the animal.
# If the last word is *wide*, *it* is the street.
# Can one head find that out?
#
# **Predict.**
# In the sentence with *tired*, suppose that *it* gives 0.4 of its attention to *animal* and 0.2 to *street*.
# With *wide* as the last word, *animal* gets 0.3.
# What does *street* get?
# (Ask yourself which scores have changed.)

# %% exercise="share_of_street"
share_of_street = ...  # a number
### BEGIN SOLUTION
share_of_street = 0.15
### END SOLUTION

# %% [markdown]
# *It* asks the same question in both sentences, and *animal* and *street* offer the same keys, so their two scores stay as they are.
# The folded cell shows it for three heads with random matrices.

# %% picture=true
sentence = "the animal did not cross the street because it was too tired".split()
animal_words = random_words([*sentence, "wide"], features=64, seed=0)
street, it, animal = (sentence.index(word) for word in ("street", "it", "animal"))
for seed in range(3):
    w_query, w_key = small_matrices((64, 8), (64, 8), seed=seed)
    for last in ("tired", "wide"):
        x = torch.stack([animal_words[word] for word in [*sentence[:-1], last]])
        shares = attention_weights(x @ w_query, x @ w_key)[it]
        ratio = (shares[animal] / shares[street]).item()
        print(f"head {seed}, {last:5}: animal {shares[animal]:.4f}, street {shares[street]:.4f}, ratio {ratio:.4f}")

# %% [markdown]
# No head can make that ratio depend on the last word, whether or not it has learned.
# It takes two layers.
# In the first layer, the word *it* picks up *tired* or *wide*; the second layer can then decide.
#
# ## Summary
#
# You can now
#
# - say why a word needs a query, a key and a value of its own, and write the head that makes them;
# - explain how a head changes an embedding, so that one word gets a vector for each sentence;
# - train a head with a loop of your own, see where it has learned to look, and draw its loss;
# - write a module, and know which parameters it finds;
# - show with numbers what one row of weights cannot say.
#
# In lesson 05, *love* can ask two questions at once.

# %%
progress()
