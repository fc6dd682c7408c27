# %% [markdown]
# # Lesson 12 · Positions
#
# A model is trained on texts of 64 tokens.
# Then it gets a text of 256 tokens.
# What happens at token 65?
#
# That depends on how the model knows where its tokens are.
# In this lesson you write four ways to tell it, train a small language model with each, and measure it beyond its trained length.
# The results go into a table that grows from section to section.
# At the end you write one mask that repairs a broken row of this table, without a single step of training.

# %% locked=true
import inspect
import math

import torch
import torch.nn.functional as F

from autograder import after, check, hint, progress, solution
from autograder.pictures import arrows, curves, heatmaps
from autograder.play import Slider, play
from mha_ref import causal_mask
from mha_ref.language_model import alphabet, encode, prose, split_text, train_language_model
from mha_ref.layer import MultiHeadAttention
from mha_ref.positions_model import PlacedAttention, PlacedModel, loss_by_place

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)  # our products are small: more threads would only wait for each other
torch.set_printoptions(precision=3, sci_mode=False)

# %% [markdown]
# ## Shuffle the tokens
#
# Here are six words, each with a vector of six random numbers, and a layer of lesson 06 that has learned nothing.
# We send the words through it twice: in order, and shuffled.

# %%
words, order = "the small cat sees a dog".split(), [3, 0, 5, 1, 4, 2]
torch.manual_seed(0)
x, layer = 2 * torch.randn(1, 6, 6), MultiHeadAttention(6, heads=2)


@torch.no_grad()
def in_order_and_shuffled(mask=None):
    return layer(x, mask=mask)[0], layer(x[:, order], mask=mask)[0]


straight, shuffled = in_order_and_shuffled()
print(f"gap between the shuffled outputs and the outputs of the shuffled words: {(straight[order] - shuffled).abs().max():.0e}")

# %% picture=true
heatmaps(
    {"in order": torch.cat([x[0], straight], 1), "shuffled": torch.cat([x[0, order], shuffled], 1)},
    alt="Two tables with a row for each word: its six inputs, then its six outputs. In the second table the words are "
    "shuffled, and each word has the same row as before, in its new place.",
    rows="place", columns="six inputs, then six outputs", digits=1,
)

# %% [markdown]
# Find a row of the first table in the second one.
# Every word has the same output as before; the rows have moved, and that is all.
# This is called **equivariance**: shuffle what goes in, and what comes out is shuffled in the same way.
#
# It shows that the layer does not know the order of its words.
# "The cat sees a dog" and "a dog sees the cat" are one bag of words to it.
#
# **Predict.**
# Now the same layer gets a causal mask, and again we shuffle the words.
#
# - `"a"`: the outputs are shuffled in the same way
# - `"b"`: most words get another output
# - `"c"`: the outputs stay in their old order

# %% exercise="shuffled_under_a_causal_mask"
shuffled_under_a_causal_mask = ...  # "a", "b" or "c"
### BEGIN SOLUTION
shuffled_under_a_causal_mask = "b"
### END SOLUTION

# %%
straight, shuffled = in_order_and_shuffled(causal_mask(6, 6, like=x))
print(f"gap with a causal mask: {(straight[order] - shuffled).abs().max():.2f}")

# %% [markdown]
# With the mask a word sees those before it, and a shuffle changes those.
# So a causal model is *not* equivariant: the mask itself tells it a little about order.
# The first token sees one key and the tenth sees ten, and a model can learn to feel the difference.
#
# How far does that take it?
# We train the language model of lesson 09 with no positions at all, on texts of 64 characters.
# Then we measure its loss on unseen text, cut into pieces of 64, 128 and 256 characters.
# Each run in this lesson takes about 15 seconds, or up to a minute on a busy machine.

# %%
characters = alphabet(prose())
learn_from, unseen = split_text(encode(prose(), characters, device))
trained, table = {}, {}


def measure(name, model):
    """Put a row into the table: the loss at each place, for each length."""
    table[name] = {length: loss_by_place(model, unseen, length).cpu() for length in (64, 128, 256)}
    print(f"\n{'mean loss on unseen text of':28}{64:>8}{128:>8}{256:>8}")
    for row, losses in table.items():
        print(f"{row:28}" + "".join(f"{each.mean():8.2f}" for each in losses.values()))


def train_with(name, **positions):
    torch.manual_seed(0)
    trained[name] = PlacedModel(len(characters), **positions).to(device)
    train_language_model(trained[name], learn_from, steps=500, batch=16)
    measure(name, trained[name].eval())


train_with("none")

# %% [markdown]
# Is that good?
# Compare it with a table of pairs, which knows the last character and no other.

# %%
counts = torch.full((len(characters), len(characters)), 0.1, device=device)  # so that no pair is impossible
counts.index_put_((learn_from[:-1], learn_from[1:]), torch.tensor(1.0, device=device), accumulate=True)
print(f"loss of the table of pairs: {F.cross_entropy(counts.log()[unseen[:-1]], unseen[1:]):.2f}")

# %% [markdown]
# In our run the model says 2.09, 2.16, 2.24, and the table of pairs 2.33.
# So a causal model without positions uses more than the last character, and it gets worse slowly as the texts get longer.
#
# ## A vector for each place
#
# GPT-2 *learns* a vector for each place, and adds it to the embedding.
# The first Transformer *computes* these vectors instead.
# Think of a clock whose hands turn at different speeds.
# Each pair of columns is one hand: sine and cosine say where its tip is.
# With $p$ for the place, $d$ for the model size, and $j = 0, 2, 4, \dots$ for the even columns:
#
# $$\theta_{p,j} = \frac{p}{10000^{\,j/d}}, \qquad P_{p,j} = \sin \theta_{p,j}, \qquad P_{p,j+1} = \cos \theta_{p,j}$$
#
# The first hand moves by one radian per place, and the last one hardly moves at all.
# Together they tell far more places apart than one hand could.
#
# **Calculate.**
# With $d = 64$ the last pair has $j = 62$.
# After how many places has it made a full turn?
# You may use `math`.

# %% exercise="full_turn_of_the_slowest_pair"
full_turn_of_the_slowest_pair = ...  # a number
### BEGIN SOLUTION
full_turn_of_the_slowest_pair = 2 * math.pi * 10000 ** (62 / 64)
### END SOLUTION

# %% exercise="sinusoidal_positions"
def sinusoidal_positions(tokens, model_size):
    """A vector for each place, made of sines and cosines.

    tokens: how many places, counted from 0; model_size: an even number of columns
    -> (tokens, model_size), floating.
    The columns j and j + 1, for an even j, hold sine and cosine of the same angle, place / 10000^(j / model_size).
    """
    ### BEGIN SOLUTION
    places, columns = torch.arange(tokens), torch.arange(0, model_size, 2)
    angles = places[:, None] / 10000 ** (columns / model_size)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    ### END SOLUTION

# %% picture=true
after(sinusoidal_positions, lambda: heatmaps(
    {"sinusoidal_positions(16, 12)": sinusoidal_positions(16, 12)},
    alt="Your table for 16 places and 12 columns. The two columns on the left swing between -1 and 1 every six places, "
    "the next ones more slowly, and on the right the sine stays near 0 and the cosine near 1.",
    rows="place", columns="column", digits=1,
))

# %% [markdown]
# We train with a learned table, which has 256 rows, and with yours.
# A tenth of your numbers is about as large as our embeddings; the original makes the embeddings larger instead.
# Before you run the cells, say what you expect in the last column.

# %%
train_with("learned", learned=True)

# %%
after(sinusoidal_positions, lambda: train_with("sinusoidal", vectors=lambda *sizes: sinusoidal_positions(*sizes) / 10))

# %% [markdown]
# At 64 both are far better than no positions: 1.58 and 1.56 in our run.
# At 256 both are worse: 2.57 and 2.56.
# The learned table is no surprise: its rows from 64 on were never trained.
# The sinusoids are there for every place, but the layers behind them have never met these vectors.
# A formula for all places does not help a model that has seen 64 of them.
#
# ## Turn, do not add
#
# It rarely matters that a token is at place 40.
# It often matters that another one is three places back.
# **Rotary embedding** builds this in.
# It adds nothing to the tokens.
# In every head it takes the queries and keys, and turns each pair of columns by the angle of its place:
#
# $$\begin{aligned} x'_j &= x_j \cos\theta_{p,j} - x_{j+1} \sin\theta_{p,j} \\ x'_{j+1} &= x_j \sin\theta_{p,j} + x_{j+1} \cos\theta_{p,j} \end{aligned}$$
#
# Turn a query by $\theta_p$ and a key by $\theta_q$: the angle between the two changes by $\theta_p - \theta_q$.
# A score is a dot product, so it depends on the distance $p - q$, and on nothing else about the places.
#
# `x[..., 0::2]` gives the even columns, `x[..., 1::2]` the odd ones.
# `positions` is a parameter, since a text may be continued in the middle; `base` stands for the 10000.

# %% exercise="apply_rotary"
def apply_rotary(x, positions, base=10000.0):
    """Turn each pair of neighbouring columns by an angle that grows with the position.

    x: (..., tokens, size), floating, size is even; positions: (tokens,), integers, the place of each token
    -> same shape as x, floating.
    The columns j and j + 1, for an even j, are a pair: a point in the plane.
    It is turned by position / base^(j / size), in radians, from the column j towards the column j + 1.
    The inputs are not changed, and gradients reach x.
    """
    ### BEGIN SOLUTION
    columns = torch.arange(0, x.shape[-1], 2, device=x.device)
    angles = positions[:, None] / base ** (columns / x.shape[-1])  # (tokens, pairs)
    cos, sin = angles.cos(), angles.sin()
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
    ### END SOLUTION

# %% [markdown]
# Here are a query and a key of one pair, three places apart.
# Move the slider: both turn, and the score stays.

# %% picture=true
def both_turn(place):
    pair = torch.tensor([[1.0, 0.2], [0.9, 0.6]])
    query, key = apply_rotary(pair, torch.tensor([place, place - 3]))
    score = f"score {query @ key:.3f}"
    return arrows(
        {f"query at {place}": query.tolist()}, {f"key at {place - 3}": key.tolist()}, title=score,
        alt=f"Two arrows, a query at place {place} and a key at place {place - 3}; {score}.",
    )


after(apply_rotary, lambda: play(both_turn, place=Slider((3, 4, 5, 6, 7, 8, 9, 10, 40, 63), start=3)))

# %% [markdown]
# ### The same in a library
#
# The library `transformers` pairs the columns of Llama and its relatives differently.
# It pairs column $j$ of the left half with column $j$ of the right half.
# These few lines do the same:

# %%
def apply_rotary_by_halves(x, positions, base=10000.0):
    angles = positions[:, None] / base ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    cos, sin = angles.cos().repeat(1, 2), angles.sin().repeat(1, 2)
    left, right = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-right, left], dim=-1) * sin

# %% [markdown]
# **Choose.**
# A vector `theirs` has six columns, paired as halves: 0 with 3, 1 with 4, 2 with 5.
# You want `theirs[..., order]` to have its pairs side by side: first the pair of column 0, then that of 1, then that of 2.
# Which order is that?

# %% exercise="columns_of_the_pairs"
columns_of_the_pairs = ...  # six columns: (..., ..., ..., ..., ..., ...)
### BEGIN SOLUTION
columns_of_the_pairs = (0, 3, 1, 4, 2, 5)
### END SOLUTION

# %%
def compare_with_halves():
    pairs, places, order = torch.randn(2, 4, 10, 6), torch.arange(10), list(columns_of_the_pairs)
    theirs = apply_rotary_by_halves(pairs, places)
    print(f"gap to the few lines above: {(theirs[..., order] - apply_rotary(pairs[..., order], places)).abs().max():.0e}")
    try:
        from transformers.models.llama.modeling_llama import LlamaConfig, LlamaRotaryEmbedding, apply_rotary_pos_emb
    except ImportError:
        return "transformers is not installed here"
    rotary = LlamaRotaryEmbedding(LlamaConfig(hidden_size=24, num_attention_heads=4))
    library, _ = apply_rotary_pos_emb(pairs, pairs, *rotary(pairs, places[None]))
    return f"gap to transformers: {(library[..., order] - apply_rotary(pairs[..., order], places)).abs().max():.0e}"


after(apply_rotary, compare_with_halves)

# %% [markdown]
# Load one convention's weights into the other's code, and you get no error, but a model that talks nonsense.
# (Where `transformers` is installed, the cell has compared its own function, too: `pip install transformers` does it.)
#
# ### Test it
#
# "The scores depend on distance alone" is a claim that you can test.
# Write a test that passes a correct `apply_rotary`, and fails six wrong ones:
#
# 1. *adds a vector of the place*: it adds sines and cosines, and turns nothing;
# 2. *squares the position*: it turns, and its angles grow with the square of the position;
# 3. *adds where it should subtract*: a sign is wrong;
# 4. *reads what it has overwritten*: the second line works with the result of the first;
# 5. *turns each column by an angle of its own*: a pair has two angles;
# 6. *counts the places itself*: it ignores `positions`.
#
# The last one is tricky: its scores do not depend on the positions at all.
# Use small positions, and allow for rounding, say 1e-5.
# Many correct ones make their angles in float32, and at places near 1,000 their scores drift by nearly 1e-4.

# %% exercise="test_apply_rotary"
def test_apply_rotary(apply_rotary):
    """Stops with an assert unless the scores of turned queries and keys depend on distance alone.

    apply_rotary: a function of x, positions, base=10000.0, right or wrong -> nothing: a returned value is ignored.
    A right version passes; each of the six wrong ones fails.
    Every demand is the one in the docstring of apply_rotary.
    """
    ### BEGIN SOLUTION
    torch.manual_seed(0)
    tokens = torch.randn(2, 8)

    def score(*places):
        query, key = apply_rotary(tokens, torch.tensor(places))
        return query @ key

    assert abs(score(5, 2) - score(9, 6)) < 1e-5, "three places apart, and another score"
    assert abs(score(4, 4) - tokens[0] @ tokens[1]) < 1e-5, "at the same place, and the score has changed"
    assert abs(score(5, 2) - score(5, 4)) > 1e-3, "other distances, and the same score"
    ### END SOLUTION

# %% [markdown]
# Now train with your turns.
# Does the loss stay at 256?

# %%
after(apply_rotary, lambda: train_with("rotary", turn=apply_rotary))

# %% [markdown]
# In our run: 1.40, 1.64, 2.33.
# At 64 it is by far the best yet.
# Beyond that it breaks all the same.
# **Depending on distance alone is not enough: the distances from 64 on were never seen.**
# A query at place 200 meets keys 150 places back, at angles that never came up in training.
#
# ## A price for distance
#
# **ALiBi**, "attention with linear biases", touches neither tokens nor queries.
# It lowers the score for each place of distance:
#
# $$\text{score}_{h,q,k} \;-\; m_h \cdot (\text{place of } q - \text{place of } k), \qquad m_h = 2^{-8h/H}, \quad h = 1, \dots, H$$
#
# The slopes $m_h$ are not learned.
# With $H = 4$ heads they are 1/4, 1/16, 1/64 and 1/256: the first head is short-sighted, the last one sees far.
# As in lesson 03, the last query is at the last key.

# %% exercise="alibi_bias"
def alibi_bias(heads, queries, keys):
    """What is added to the scores: minus the slope of the head, times the distance from the query back to the key.

    heads: a power of two; queries, keys: two integers, queries <= keys; the last query is at the last key
    -> (heads, queries, keys), floating. At a query's own place the bias is 0.
    The slope of head number h, counted from 1, is 2^(-8 · h / heads).
    For keys after the query, which a causal mask hides, the bias may be anything.
    """
    ### BEGIN SOLUTION
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    distances = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return -slopes[:, None, None] * distances
    ### END SOLUTION

# %% picture=true
def what_heads_see():
    weights = alibi_bias(4, 1, 65)[:, 0].softmax(dim=-1)
    back = torch.arange(64, -1, -1)
    return curves(
        {f"head {head}": (back, each) for head, each in enumerate(weights, start=1)},
        x="places back", y="weight", log_y=True,
        alt="Weights of the last of 65 tokens if all scores are equal, on a logarithmic scale, over the distance. Four "
        "straight lines fall from the left: that of head 1 steeply, that of head 4 hardly at all.",
    )


after(alibi_bias, what_heads_see)

# %%
after(alibi_bias, lambda: train_with("ALiBi", bias=alibi_bias))

# %% [markdown]
# 1.48, 1.47, 1.46: it gets *better* with length, since later tokens have more to read.
# Why does this one survive?
# At 150 places back, the first two heads have taken 37 and 9 off the score, so nothing is left of the key.
# The other two have taken 2.3 and 0.6, a little more than they know from training.
# There are no new angles here, and no new vectors: what the model has never seen gets hardly any weight.
#
# ## One mask
#
# If that is the reason, the rotary model needs no new way to count.
# It needs blinkers: a mask that hides every distance it was not trained for.
# This is a **sliding window**.

# %% exercise="window_mask"
def window_mask(queries, keys, window):
    """Each query sees the newest keys up to its own, as many as the window holds.

    queries, keys: two integers, queries <= keys; the last query is at the last key
    window: how many keys a query sees, its own among them; at least 1
    -> (queries, keys), boolean, True means "may look".
    A query with fewer keys than that sees all of them, and none that come after it.
    """
    ### BEGIN SOLUTION
    distances = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return (distances >= 0) & (distances < window)
    ### END SOLUTION

# %% [markdown]
# **Predict.**
# We put a window of 64 into the finished models, and train nothing.
# At 256 tokens, is the loss `"repaired"` (as good as at 64), or still `"broken"`?
# Give two words: first for the learned table, then for rotary.

# %% exercise="repaired_by_a_window"
repaired_by_a_window = ...  # ("...", "...")
### BEGIN SOLUTION
repaired_by_a_window = ("broken", "repaired")
### END SOLUTION

# %%
def put_in_a_window():
    for name in filter(trained.get, ("learned", "rotary")):
        trained[name].sees = lambda queries, keys: window_mask(queries, keys, 64)
        measure(f"{name}, window of 64", trained[name])


after(window_mask, put_in_a_window)

# %% [markdown]
# The rotary row now says 1.40, 1.39, 1.38, and not one weight has changed.
# The learned table stays broken: a mask hides keys, and here the vector of the place itself is new.
#
# Below is the loss at every place of a text of 256 tokens.

# %% picture=true
def place_by_place():
    middle = torch.arange(8, 256, 16)
    rows = {name: losses[256].view(16, 16).mean(dim=1) for name, losses in table.items()}
    shown = ("learned", "rotary", "ALiBi", "rotary, window of 64")
    return curves(
        {name: (middle, rows[name]) for name in shown if name in rows}, x="place in the text", y="loss, mean of 16 places",
        alt="Four curves of the loss over the place. Up to 64 all lie between 1.3 and 1.6. There the learned table jumps "
        "to nearly 3 and stays; rotary follows at about 100, and climbs above 3; ALiBi and rotary with a window stay "
        "flat to the end.",
    )


after(window_mask, place_by_place)

# %% [markdown]
# Two of the four fall off a cliff, each in its own way.
# The learned table breaks at the first place that it was not trained for.
# Rotary holds on until 90 or so: before that, few keys are at a new distance.
# As these multiply, the loss climbs above that of a model that knows nothing of places.
#
# Nothing before place 64 warns you.
# Test a model only at its training length, and you never see the cliff.
#
# ### What a window costs
#
# Has the model become short-sighted?
# A token sees 63 places back.
# But what it sees there, in the second layer, is a vector that has looked back itself.
#
# **Calculate.**
# A model has two layers, each with a window of 64.
# How many places back is the farthest token that can influence an output?

# %% exercise="reach_of_two_layers"
reach_of_two_layers = ...  # a whole number
### BEGIN SOLUTION
reach_of_two_layers = 2 * 63
### END SOLUTION

# %% [markdown]
# Mistral 7B uses this: 32 layers with a window of 4,096.
# Others let some layers see everything, or stretch the angles so that far places land on familiar angles.
# That is what `base` is for: a larger one turns more slowly.
#
# ## Summary
#
# You can now
#
# - show that attention is equivariant, and why a causal mask breaks that;
# - give tokens their places in four ways: learned, sinusoidal, rotary, ALiBi;
# - prove that rotary scores depend on distance alone, and carry vectors over from the other convention;
# - say why a model breaks beyond its trained length, and repair it with a window.
#
# Where the positions enter the model is worth reading: this is the attention that you have trained.

# %%
print(inspect.getsource(PlacedAttention.forward))

# %%
progress()
