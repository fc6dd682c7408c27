# %% [markdown]
# # Lesson 10 · What heads learn
#
# The language model from lesson 09 has eight heads.
# No one told them what to do.
# Which of them does it need?
#
# There is a simple way to find out: take a head away, and see what breaks.
# You do this with each head in turn, and read what the model writes without it.
# Then you train the smallest model in which two heads work together, and see how little the picture of a head can tell.

# %% locked=true
from contextlib import contextmanager

import torch
import torch.nn.functional as F

from autograder import after, check, hint, progress, solution
from autograder.mine import (
    Block,
    DecoderLayer,
    MultiHeadAttention,
    encoder_decoder_masks,
    generate,
    multi_head_by_loop,
    sample,
    split_heads,
)
from autograder.pictures import bars, curves, heatmap, heatmaps
from autograder.play import Slider, play
from mha_ref.exchange import heads_of
from mha_ref.induction import AttentionOnly, repeat_loss, repeated_rows, train_on_repeats
from mha_ref.language_model import decode, encode, mean_loss, prose, ready_made, split_text
from mha_ref.translator import Translator, corpus, exact_accuracy, loss_of, train

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)  # our products are small: more threads would only wait for each other
torch.set_printoptions(precision=2, sci_mode=False)

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them.
#
# **From lesson 09.**
# The tokens of a training row are numbered from 0, and so are the positions.
# At position 5, what is the number of the token that the model must guess?

# %% exercise="remember_the_token_to_guess"
remember_the_token_to_guess = ...  # a number
### BEGIN SOLUTION
remember_the_token_to_guess = 6
### END SOLUTION

# %% [markdown]
# **From lesson 07.**
# No positions have been added.
# The tokens of a memory are shuffled, and those of the sequence that asks are not.
# What happens to the result of cross-attention?
#
# - `"a"`: it stays as it was
# - `"b"`: its rows are shuffled
# - `"c"`: its numbers change

# %% exercise="remember_a_shuffled_memory"
remember_a_shuffled_memory = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_a_shuffled_memory = "a"
### END SOLUTION

# %% [markdown]
# ## The model
#
# This is the model that you trained in lesson 09, with two layers of four heads each.
# If there is none, the cell trains one, which takes about a minute, and keeps it for later.
# (The text gives the numbers of our run; if your block begins with other random numbers, yours differ.)

# %%
model, characters = ready_made(device, Block)
_, unseen = split_text(encode(prose(), characters, device))
print(f"loss on unseen text: {mean_loss(model, unseen):.2f}")


def write(prompt="The mask ", steps=160):
    """Let the model continue a prompt, with the same draws each time."""
    draws = torch.Generator().manual_seed(1)

    def choose(logits):
        return sample(logits, 0.7, torch.rand(len(logits), generator=draws).to(device))

    with torch.no_grad():
        return decode(generate(model, encode(prompt, characters, device)[None], steps, 128, choose)[0], characters)


print(write())

# %% [markdown]
# ## Take a head out
#
# Each head produces a vector for every token.
# $W^O$ mixes them, so a layer's output is a sum with one term for each head:
#
# $$\text{output} = \sum_{h} Z_h \, W^O_h$$
#
# $Z_h$ is the result of head $h$, and $W^O_h$ is its block of rows in $W^O$.
# Taking a head out, or **ablation**, means leaving out its term.

# %% exercise="without_head"
def without_head(results, w_output, head):
    """The output of a layer in which one head contributes nothing.

    results: (batch, heads, tokens, head_size), floating-point: what each head hands on
    w_output: (heads · head_size, model_size), floating-point: a block of rows for each head, in order
    head: an integer, the head to leave out, counted from 0
    -> (batch, tokens, model_size), floating-point. There is no bias. The inputs are not changed.
    """
    ### BEGIN SOLUTION
    kept = results.clone()
    kept[:, head] = 0
    return kept.transpose(1, 2).flatten(2) @ w_output  # (batch, tokens, model_size)
    ### END SOLUTION

# %% [markdown]
# The next cell, which is folded, puts your function into a trained layer.
# It uses a **hook**: a function that torch calls after a module, and whose result replaces the module's own.

# %% picture=true
@contextmanager
def head_taken_out(attention, head):
    """Inside a `with`, the layer works without this head."""
    heads = heads_of(attention)

    def instead(linear, inputs, output):
        results = split_heads(inputs[0], heads)  # (batch, heads, tokens, head_size)
        return without_head(results, linear.weight.mT, head) + linear.bias

    hook = attention.output.register_forward_hook(instead)
    try:
        yield
    finally:
        hook.remove()

# %% [markdown]
# **Predict.**
# With all heads the loss is 1.34 in our run.
# Remember the ladder from lesson 09, on the same text: trigram 1.73, bigram 2.33, unigram 3.02.
# We take out one head at a time, which takes a few seconds in all.
# How good is the model without the head that it needs most?
#
# - `"a"`: about as good as a trigram table
# - `"b"`: about as good as a bigram table
# - `"c"`: about as good as a unigram table
# - `"d"`: nearly as good as before, since seven others remain

# %% exercise="what_it_falls_back_to"
what_it_falls_back_to = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
what_it_falls_back_to = "b"
### END SOLUTION

# %% picture=true
attentions = [block.attention for block in model.blocks]
losses = {}


def take_each_out():
    for layer, attention in enumerate(attentions):
        for head in range(heads_of(attention)):
            with head_taken_out(attention, head):
                losses[layer, head] = mean_loss(model, unseen)

def loss_without_each():
    take_each_out()
    names = [f"{layer}.{head}" for layer, head in losses]
    said = ", ".join(f"{name} {loss:.2f}" for name, loss in zip(names, losses.values()))
    return bars({"loss": list(losses.values())}, names, y="loss without head (layer.head)", alt=f"Loss without each head: {said}.")


after(without_head, loss_without_each)

# %% [markdown]
# In our run one head stands out.
# Without head 1 of layer 0 the loss is 2.39, a little worse than a table of pairs.
# So the model, with its two layers and 250,000 parameters, depends above all on one of its eight heads.
# Without head 0.3 the loss is 1.79; each of the other six heads is worth less than 0.03.
# With another random start, it may be another head.
#
# Now read what the patient writes.

# %%
def broken_text():
    layer, head = max(losses, key=losses.get)
    with head_taken_out(attentions[layer], head):
        return write()


after(without_head, broken_text)

# %% [markdown]
# Pairs of characters still look like English, but hardly a word does.
#
# ## What does it look at?
#
# Let us watch this head at work.
# Another hook, in a folded cell again, collects the attention patterns.

# %% picture=true
@torch.no_grad()
def patterns(attentions, run):
    """What these layers look at while `run()` works: (batch, heads, queries, keys) for each."""
    seen = []

    def look(attention, inputs, options, output):
        seen.append(attention.forward(*inputs, **options | {"return_weights": True})[1])

    hooks = [attention.register_forward_hook(look, with_kwargs=True) for attention in attentions]
    run()
    for hook in hooks:
        hook.remove()
    return seen

# %% picture=true
def pattern_of_the_head():
    layer, head = max(losses, key=losses.get)
    text = "attention looks"
    seen = patterns(attentions, lambda: model(encode(text, characters, device)[None]))[layer][0, head]
    labels = ["␣" if character == " " else character for character in text]
    return heatmap(
        seen, title=f"head {layer}.{head}", row_labels=labels, column_labels=labels, digits=1,
        alt="The attention pattern of the head on the text 'attention looks'. In our run nearly every row has one "
        "large weight, just to the left of the diagonal.",
    )


after(without_head, pattern_of_the_head)

# %% [markdown]
# A stripe beside the diagonal: nearly every character looks at the one before it.
# This is a **previous-token head**.
# Is that so everywhere, or have we picked a nice example?
# Measure it: how much weight goes to the token right before the query, on average?

# %% exercise="previous_token_score"
def previous_token_score(weights):
    """The mean weight that each head puts on the token right before the query.

    weights: (..., heads, queries, keys), floating-point: patterns of self-attention, as many queries as keys, at least 2
    -> (heads,), floating-point. The first query has no token before it, and is left out.
    The mean goes over the other queries and over all axes in front of the heads. The input is not changed.
    """
    ### BEGIN SOLUTION
    before = weights.diagonal(offset=-1, dim1=-2, dim2=-1)  # (..., heads, queries - 1)
    return before.movedim(-2, 0).flatten(1).mean(dim=1)
    ### END SOLUTION

# %% picture=true
def score_all_heads():
    texts = unseen[: 40 * 128].view(40, 128)
    for layer, seen in enumerate(patterns(attentions, lambda: model(texts))):
        for head, score in enumerate(previous_token_score(seen).tolist()):
            print(f"head {layer}.{head}: score {score:.2f}, loss without it {losses[layer, head]:.2f}")


after(without_head, lambda: after(previous_token_score, score_all_heads))

# %% [markdown]
# The indispensable head has 0.84 in our run, and the next one 0.21.
#
# Now we can say what it is for.
# Apart from attention, everything in a block works on one token at a time.
# To know the last *two* characters, the model must bring the earlier one to the position of the later one, and this head carries it.
#
# ## Two heads that work together
#
# A previous-token head has a more famous use.
# Read this, and guess: *Q K X A F Z Q K X A F ...*
# You looked for an earlier F, and read what came after it.
# A head that does this is an **induction head**.
# Large language models have such heads (Olsson and others, 2022): they may be what lets a model repeat names and phrases that it meets for the first time.
#
# We train a model that has nothing but attention: two layers with one head each, and no feed-forward part.
# Its texts are random tokens that begin again after 8 to 16 positions.
# The distance is drawn afresh for each text, so that positions alone do not give the answer away.
# The loss counts only tokens that could be known.
# A guess among all 32 tokens has a loss of 3.47.
# We train one layer as well, and give it three times as many steps.
# Together this takes about 15 seconds, or a minute on a busy machine.

# %%
small = {}


def train_small(name, layers, heads, steps=400):
    torch.manual_seed(0)
    small[name] = AttentionOnly(layers, heads, attention=MultiHeadAttention).to(device)
    return train_on_repeats(small[name], steps)


falling = {"two layers": train_small("two layers", 2, 1), "one layer": train_small("one layer", 1, 1, steps=1200)}

# %% picture=true
curves(
    {name: (range(len(each)), each) for name, each in falling.items()}, x="step", y="loss",
    alt="Loss over the steps. With two layers it falls from above 3.5 to nearly 0 within 100 steps. With one layer it sinks "
    "more and more slowly: it is near 1.9 after 400 steps, and near 1.6 after 1,200.",
)

# %% [markdown]
# In our run two layers have a loss below 0.01 after 400 steps.
# One layer has 1.9 by then, and 1.6 after 1,200 steps: better than a guess, but far from knowing.
#
# **Choose.**
# Why can one layer not do it?
#
# - `"a"`: one head can look at one position only, and this takes two
# - `"b"`: it could, if we gave it as many steps again
# - `"c"`: the key to be found holds its own token, and not the one before it
# - `"d"`: the query does not know its own token

# %% exercise="why_one_layer_fails"
why_one_layer_fails = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
why_one_layer_fails = "c"
### END SOLUTION

# %% [markdown]
# Step through it.
# The text has nine letters, twice.
# Move the slider to any letter in the second half, and compare the two rows: where does each layer look?

# %% picture=true
letters = "QKXAFZRMB" * 2
spelled = torch.tensor([[ord(letter) - 65 for letter in letters]], device=device)
first, second = (seen[0, 0] for seen in patterns(small["two layers"].layers, lambda: small["two layers"](spelled)))


def one_query(position):
    rows = torch.stack([first[position], second[position]])[:, : position + 1]
    best = [letters[row.argmax()] + f" at {int(row.argmax())}" for row in rows]
    return heatmap(
        rows, title=f"query {letters[position]}, at position {position}", rows="", columns="keys", digits=1,
        row_labels=["layer 0", "layer 1"], column_labels=list(letters[: position + 1]),
        alt=f"Weights of the query {letters[position]} at position {position}: layer 0 looks most at {best[0]}, layer 1 at {best[1]}.",
    )


play(one_query, position=Slider(tuple(range(1, 18)), start=13))

# %% [markdown]
# Up to position 16, layer 0 looks one letter back.
# So the vector of Z holds the news that F came before it.
# Later, F asks: "who comes after an F?", and in layer 1 the key of Z answers.
# The second head finds what the first has written; neither can do it alone.
#
# Does the GPT from lesson 09 do the same?
# The folded cell gives it 64 random characters, twice, and then 64 characters from the unseen text, twice.

# %% picture=true
@torch.no_grad()
def once_and_again(texts):
    """The loss on texts of 64 characters, and when each text is repeated."""
    twice = texts.repeat(1, 2)
    losses = F.cross_entropy(model(twice[:, :-1]).mT, twice[:, 1:], reduction="none")  # (texts, positions)
    return f"{losses[:, :63].mean():.2f} the first time, {losses[:, 64:].mean():.2f} the second time"


draws = torch.Generator().manual_seed(5)
print("random characters:", once_and_again(torch.randint(len(characters), (200, 64), generator=draws).to(device)))
print("unseen text:      ", once_and_again(unseen[: len(unseen) // 64 * 64].view(-1, 64)))

# %% [markdown]
# In our run it does not: 7.38 and then 7.24 on random characters, 1.36 and then 1.39 on text.
# It has two layers and a previous-token head, but it did not learn to use them for this.
# What an architecture can do, a trained model need not do: you have to measure it.
#
# The score of an induction head is the weight on all keys right after an earlier copy of the query's token.
# In the text *a b c a b*, two queries have such a key:
#
# | query | key 0, *a* | key 1, *b* | key 2, *c* | key 3, *a* | key 4, *b* |
# |---|---|---|---|---|---|
# | query 3, *a* | | counts | | | |
# | query 4, *b* | | | counts | | |
#
# `tokens[:, :, None] == tokens[:, None, :]` compares each token with each, and gives a table of copies.

# %% exercise="induction_score"
def induction_score(weights, tokens):
    """The mean weight that each head puts right behind earlier copies of the query's token.

    weights: (batch, heads, queries, keys), floating-point: patterns of self-attention, as many queries as keys
    tokens: (batch, queries), integers: the texts
    -> (heads,), floating-point. A key counts if the token right before it is an earlier copy of the query's token;
    such a key may be at the query's own position.
    For each query, the weights on all such keys are added up.
    The mean is over the queries that have such a key, of all texts together; there is at least one in the batch.
    The inputs are not changed.
    """
    ### BEGIN SOLUTION
    copies = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)  # (batch, queries, keys), earlier ones
    behind = F.pad(copies, (1, -1))  # one key further
    found = (weights * behind[:, None]).sum(dim=-1)  # (batch, heads, queries)
    return found.sum(dim=(0, 2)) / behind.any(dim=-1).sum()
    ### END SOLUTION

# %% picture=true
rows, known = repeated_rows(200, torch.Generator().manual_seed(9))
rows, known = rows.to(device), known.to(device)


@torch.no_grad()
def examine(name):
    """Print the scores of all heads of a small model, and its loss without each."""
    model = small[name]
    print(f"{name}: loss {repeat_loss(model, rows, known):.3f}")
    for layer, seen in enumerate(patterns(model.layers, lambda: model(rows[:, :-1]))):
        before, behind = previous_token_score(seen).tolist(), induction_score(seen, rows[:, :-1]).tolist()
        for head, scores in enumerate(zip(before, behind)):
            with head_taken_out(model.layers[layer], head):
                loss = repeat_loss(model, rows, known)
            print(f"  head {layer}.{head}: previous token {scores[0]:.2f}, induction {scores[1]:.2f}, loss without it {loss:.2f}")


def when_ready(draw):
    """Show this once all three functions are right."""
    return after(without_head, lambda: after(previous_token_score, lambda: after(induction_score, draw)))


when_ready(lambda: examine("two layers"))

# %% [markdown]
# In our run layer 1 has an induction score of 0.99.
# Layer 0 has a previous-token score of only 0.52, because it looks one back up to position 16 and no further, as the slider showed.
# (16 is the longest distance in training.)
#
# Take out either of the two heads, and the loss is above 3.47: worse than guessing at random.
#
# (This is a good place for a break.)
#
# ## Two heads for one job
#
# Does that mean that every head with a clear job is needed?
# Give each layer two heads, and train again, which takes about 6 seconds, or half a minute on a busy machine.

# %%
train_small("two heads", 2, 2)
when_ready(lambda: examine("two heads"))

# %% [markdown]
# Now both heads of a layer do the same job, and one can nearly replace the other: without one head the loss is at most 0.47, and before it was above 3.47.
# A high score does not make a head important.
# Here each head is nearly **redundant**: its work is done twice.
#
# How alike are two heads?
# Treat each pattern as one long vector, row after row, and compare the directions of the two.
# The **cosine** of two vectors is their dot product divided by both their lengths:
#
# $$\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert \, \lVert b \rVert}$$

# %% exercise="head_similarity"
def head_similarity(weights):
    """The cosine of the patterns of every two heads.

    weights: (heads, queries, keys), floating-point: the patterns for one text; each row sums to 1
    -> (heads, heads), floating-point. Each whole pattern is one vector, with all its rows.
    The input is not changed.
    """
    ### BEGIN SOLUTION
    flat = weights.flatten(1)  # (heads, queries · keys)
    units = flat / flat.norm(dim=-1, keepdim=True)
    return units @ units.T
    ### END SOLUTION

# %% picture=true
def compare_heads():
    model = small["two heads"]
    for layer, seen in enumerate(patterns(model.layers, lambda: model(rows[:, :-1]))):
        alike = torch.stack([head_similarity(each)[0, 1] for each in seen])
        flat = seen.flatten(2)
        theirs = F.cosine_similarity(flat[:, 0], flat[:, 1], dim=-1)
        print(f"layer {layer}: {alike.mean():.2f}, gap to torch's cosine_similarity {(alike - theirs).abs().max():.0e}")
    scores = torch.randn(200, 2, 32, 32)
    random = scores.masked_fill(torch.ones(32, 32).triu(1).bool(), -torch.inf).softmax(dim=-1)
    return f"two random causal heads: {torch.stack([head_similarity(each)[0, 1] for each in random]).mean():.2f}"


after(head_similarity, compare_heads)

# %% [markdown]
# Always ask what chance would give.
# Two random causal patterns score 0.62 here: both must put their weight on the past, and early rows have little choice.
# So a similarity of 0.6 says nothing.
#
# What keeps heads apart, then?
#
# **Choose.**
# Two heads start with *equal* numbers in $W^Q$, $W^K$, $W^V$ and in their blocks of $W^O$.
# Each has its own matrices, and all of them are trained.
# What happens?
#
# - `"a"`: they drift apart, since each has its own matrices
# - `"b"`: they stay equal
# - `"c"`: they drift apart, because two equal heads would be a waste
# - `"d"`: training stops with an error

# %% exercise="equal_start"
equal_start = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
equal_start = "b"
### END SOLUTION

# %% picture=true
def train_twins(steps=50):
    """Train two equal heads; return how far apart their matrices are then."""
    torch.manual_seed(0)
    x, told = torch.randn(64, 5, 8), torch.randn(64, 5, 8)
    single = [torch.randn(shape) / 8**0.5 for shape in ((1, 8, 4),) * 3 + ((4, 8),)]
    twins = [torch.cat([matrix, matrix]).requires_grad_() for matrix in single]
    for _ in range(steps):
        loss = ((multi_head_by_loop(x, *twins) - told) ** 2).mean()
        for matrix, gradient in zip(twins, torch.autograd.grad(loss, twins)):
            matrix.data -= 0.5 * gradient
    first, second = twins[0].detach()
    return f"moved by {(first - single[0][0]).abs().max():.2f}, apart by {(first - second).abs().max():.6f}"


train_twins()

# %% [markdown]
# Equal numbers get equal gradients, take equal steps, and stay equal.
# It is the random start that makes heads different, and nothing in the loss keeps them from growing alike again.
#
# ### How many can go? (optional)
#
# Taking heads out for good is called **pruning**.
# We train the translator from lesson 07 with 8 heads in each of its three attention layers, 24 in all.
# Then we remove, again and again, the head that is missed least.
# The cell is folded, and takes about 10 seconds, or half a minute on a busy machine.

# %% picture=true
pairs = corpus(3000)
learned, fresh = pairs[:2500], pairs[2500:]
torch.manual_seed(0)
translator = Translator(DecoderLayer, encoder_decoder_masks, heads=8, attention=MultiHeadAttention).to(device)
train(translator, learned)
translator.eval()


@torch.no_grad()
def set_head(attention, head, numbers=0.0):
    """Put numbers into a head's columns of the output layer; return what was there before."""
    size = attention.output.in_features // heads_of(attention)
    columns = attention.output.weight[:, size * head : size * (head + 1)]
    before = columns.clone()
    columns[:] = numbers
    return before


@torch.no_grad()
def loss_without(attention, head):
    before = set_head(attention, head)
    loss = loss_of(translator, learned[:100]).item()
    set_head(attention, head, before)
    return loss


left = [(part, head) for part in translator.modules() if isinstance(part, MultiHeadAttention) for head in range(heads_of(part))]
shares = [exact_accuracy(translator, fresh)]
for removed in range(1, 17):
    weakest = min(left, key=lambda each: loss_without(*each))
    left.remove(weakest)
    set_head(*weakest)
    if removed % 2 == 0:
        shares.append(exact_accuracy(translator, fresh))
        print(f"{removed} heads removed: {shares[-1]:.1%} exactly right")

curves(
    {"exactly right": (range(0, 17, 2), shares)}, x="heads removed, of 24", y="share of new sentences",
    alt=f"The share of new sentences that are exactly right: {', '.join(f'{n} heads off {shares[n // 2]:.0%}' for n in (0, 4, 8, 12, 16))}.",
)

# %% [markdown]
# In our run 4 heads can go at no cost at all, and 8 of the 24 at the price of 5 % of the sentences.
# Then the curve falls steeply: with 12 heads gone, half of the sentences are wrong.
#
# Large models can spare heads, too.
# Voita and others (2019) pruned 38 of the 48 encoder heads of a translator, and translations hardly got worse; the heads with a clear job went last.
#
# ## How many heads to choose?
#
# If many heads can go, why not begin with few?
# And if the matrix products cost the same for any number of heads, why not take one for every feature?
# Because heads get thin.
#
# Take a head size of 1: each query is one number, each key is one number, and a score is their product.
# The *favourite* of a query is the key with the highest score.
#
# **Predict.**
# There are 64 keys, all different, and none of them is 0.
# At most how many of them can be the favourite of some query?
# (A query of 0, which finds all keys equally good, does not count.)

# %% exercise="favourites_of_a_thin_head"
favourites_of_a_thin_head = ...  # a number
### BEGIN SOLUTION
favourites_of_a_thin_head = 2
### END SOLUTION

# %% picture=true
def favourites(head_size, keys=64, queries=20_000):
    """How many keys come out on top for some query."""
    torch.manual_seed(head_size)
    key, query = torch.randn(keys, head_size), torch.randn(queries, head_size)
    return len((query @ key.mT).argmax(dim=-1).unique())


sizes = (1, 2, 4, 8, 16, 32, 64)
counted = [favourites(size) for size in sizes]
bars(
    {"favourites": counted}, [f"size {size}" for size in sizes], y="keys that won, of 64",
    alt="Keys out of 64 that are the favourite of some query: " + ", ".join(f"size {s} {n}" for s, n in zip(sizes, counted)) + ".",
)

# %% [markdown]
# With one feature, only the largest and the smallest key can win.
# With 16 or more, nearly every key has won.
# This is the **low-rank bottleneck** (Bhojanapalli and others, 2020): the rank of $QK^\top$ is at most the head size, so a thin head cannot make every pattern.
#
# A single wide head is no way out, since it can make only one pattern at a time.
# At a model size of 512, the first Transformer translated best with 8 and 16 heads, of 1, 4, 8, 16 and 32 (Vaswani and others, 2017, table 3).
# A common habit: take a head size of 64 or 128, and let the number of heads follow from it.
#
# **Choose.**
# GPT-3 has 96 heads in each layer, the first Transformer 8. Which explanation is best?
#
# - `"a"`: language has about 96 kinds of relation, and each of them needs a head
# - `"b"`: the model size grew and the head size hardly did, so there is room for more heads
# - `"c"`: more heads need less memory for their patterns
# - `"d"`: more heads make the matrix products cheaper

# %% exercise="why_more_heads"
why_more_heads = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
why_more_heads = "b"
### END SOLUTION

# %% [markdown]
# ## What a pattern explains
#
# In BERT every text ends with a token `[SEP]`.
# Clark and others (2019) found that in layers 6 to 10 more than half of all attention goes to it.
# Is `[SEP]` so important?
# A row of weights must sum to 1, so a head that has found nothing must still look *somewhere*.
# A token whose value is nearly zero is a good one to look at: it changes almost nothing.
#
# **Calculate.**
# A row gives 0.9 to `[SEP]`, whose value has length 0.01, and 0.1 to *dog*, whose value has length 0.9.
# How many times as far as `[SEP]` does *dog* move the output?

# %% exercise="dog_against_sep"
dog_against_sep = ...  # a number
### BEGIN SOLUTION
dog_against_sep = 10
### END SOLUTION

# %% [markdown]
# A weight says how much of a value is taken, not how much there was to take (Kobayashi and others, 2020).
# Nor does a pattern show what $W^O$ and later layers make of the result, or what a vector has already gathered: the key of Z above held the news of F.
#
# So a caption such as "this head finds the subject" is a guess.
# It becomes knowledge when you *change* something: take the head out, and see what breaks.
#
# ## Summary
#
# You can now
#
# - take a head out of a trained model, and measure what it was worth;
# - find a previous-token head and an induction head, and say how two layers work together;
# - say when heads are redundant, and compare their likeness with chance;
# - choose the number of heads, and say what a pattern does not tell you.

# %%
progress()
