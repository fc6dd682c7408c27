# %% [markdown]
# # Lesson 12 · Positions
#
# A model is trained on texts of 64 tokens.
# Then it is given a text of 256 tokens.
# What happens at token 65?
#
# That depends on how the model knows where its tokens are.
# In this lesson you try four ways to tell it: you train a small language model with each, and measure it beyond the length it was trained on.
# At the end you write a mask that repairs one of them, without a single step of training.

# %% locked=true
import math

import torch

from autograder import after, check, hint, progress, solution
from autograder.mine import MultiHeadAttention, causal_mask
from autograder.pictures import arrows, curves, heatmaps
from autograder.play import Slider, play
from mha_ref.language_model import alphabet, encode, prose, split_text, train_language_model
from mha_ref.positions_model import PlacedModel, loss_by_place

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)  # our products are small: more threads would only wait for each other
torch.set_printoptions(precision=3, sci_mode=False)

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them, for example if you have not read those lessons yet.
#
# **From lesson 11.**
# A model has 4 layers.
# In each of them, 16 query heads share 2 key-value heads of size 10.
# How many numbers does the cache keep for one token?

# %% exercise="remember_what_one_token_leaves"
remember_what_one_token_leaves = ...  # a number
### BEGIN SOLUTION
remember_what_one_token_leaves = 160
### END SOLUTION

# %% [markdown]
# **From lesson 09.**
# At every position, one model gives the right token a probability of 1/2, and another model gives it 1/4.
# How many times as large is the loss of the second?

# %% exercise="remember_a_loss_beside_another"
remember_a_loss_beside_another = ...  # a number
### BEGIN SOLUTION
remember_a_loss_beside_another = 2
### END SOLUTION

# %% [markdown]
# ## Shuffle the tokens
#
# Here are six words, each with a vector of six random numbers, and a layer from lesson 06 that has learned nothing.
# We send the words through it twice: in order, and shuffled.

# %%
words, order = "the small cat sees a dog".split(), [3, 0, 5, 1, 4, 2]
torch.manual_seed(0)
x, layer = 2 * torch.randn(1, 6, 6), MultiHeadAttention(6, 2)


@torch.no_grad()
def in_order_and_shuffled(mask=None):
    return layer(x, mask=mask)[0], layer(x[:, order], mask=mask)[0]


straight, shuffled = in_order_and_shuffled()
print(f"gap between the shuffled outputs and the outputs of the shuffled words: {(straight[order] - shuffled).abs().max():.0e}")

# %% [markdown]
# The gap is rounding: each word's output is the same as before, and only its place has changed.
# This is called **equivariance**: shuffle what goes in, and what comes out is shuffled in the same way.
# So the layer does not know the order of its words.
#
# **Predict.**
# Now the same layer is given a causal mask, and we shuffle the words again.
#
# - `"a"`: the outputs are shuffled in the same way
# - `"b"`: most words get a different output
# - `"c"`: the outputs stay in their old order

# %% exercise="shuffled_under_a_causal_mask"
shuffled_under_a_causal_mask = ...  # "a", "b" or "c"
### BEGIN SOLUTION
shuffled_under_a_causal_mask = "b"
### END SOLUTION

# %%
straight, shuffled = in_order_and_shuffled(causal_mask(6, 6))
gaps = (straight[order] - shuffled).abs().amax(dim=1)  # one for each word
print(f"gaps with a causal mask, word by word: from {gaps.min():.2f} to {gaps.max():.2f}")

# %% [markdown]
# With the mask, a word sees itself and the words before it, and a shuffle changes which words those are: here, for all six.
# So a causal model is *not* equivariant.
# The first token sees one key and the tenth sees ten: even without any positions, models learn roughly where their tokens are (Haviv and others, 2022).
#
# How far does that take them?
# We train the language model from lesson 09 with no positions at all, on texts of 64 characters.
# Then we measure its loss on unseen text, cut into pieces of 64, 128 and 256 characters.
# Each run in this lesson takes about 15 seconds, or up to a minute on a busy machine, and adds a row to a table; the folded cell defines how.
#
# **Predict** before you run the cell (not marked): as the texts get longer, will the mean loss `"rise"`, `"fall"` or `"stay"` the same?

# %% exercise="predict_without_positions"
predict_without_positions = ...  # "rise", "fall" or "stay"
### BEGIN SOLUTION
predict_without_positions = "rise"
### END SOLUTION

# %% picture=true
characters = alphabet(prose())
learn_from, unseen = split_text(encode(prose(), characters, device))
trained, table = {}, {}


def measure(name, model):
    """Put a row into the table: the loss at each position, for each length."""
    table[name] = {length: loss_by_place(model, unseen, length).cpu() for length in (64, 128, 256)}
    print(f"\n{'mean loss on unseen text of':28}{64:>8}{128:>8}{256:>8}")
    for row, losses in table.items():
        print(f"{row:28}" + "".join(f"{each.mean():8.2f}" for each in losses.values()))


def train_with(name, **positions):
    torch.manual_seed(0)
    trained[name] = PlacedModel(len(characters), **positions).to(device)
    train_language_model(trained[name], learn_from, steps=500, batch=16)
    measure(name, trained[name].eval())

# %%
train_with("none")

# %% [markdown]
# In our run the model gets 2.09, 2.16 and 2.24.
# The bigram from lesson 09 gets 2.33 on the same text, so even without positions this model uses more than the last character.
#
# ## A vector for each position
#
# GPT-2 *learns* a vector for each position and adds it to the embedding.
# The first Transformer *computes* these vectors instead.
# Think of a clock whose hands turn at different speeds.
# Each pair of columns is one hand: sine and cosine say where its tip is.
# With $p$ for the position, $d$ for the model size, and $j = 0, 2, 4, \dots$ for the even columns:
#
# $$\theta_{p,j} = \frac{p}{10000^{\,j/d}}, \qquad P_{p,j} = \sin \theta_{p,j}, \qquad P_{p,j+1} = \cos \theta_{p,j}$$
#
# The first hand moves by one radian per position; with $d = 64$, the last one takes about 47,000 positions for a full turn.
# (To interleave the columns of two tables, use `torch.stack([a, b], dim=-1).flatten(-2)`.)

# %% exercise="sinusoidal_positions"
def sinusoidal_positions(tokens, model_size):
    """A vector for each position, made of sines and cosines.

    tokens: how many positions, counted from 0; model_size: an even number of columns
    -> (tokens, model_size), floating.
    The columns j and j + 1, for an even j, hold sine and cosine of the same angle, position / 10000^(j / model_size).
    """
    ### BEGIN SOLUTION
    positions, columns = torch.arange(tokens), torch.arange(0, model_size, 2)
    angles = positions[:, None] / 10000 ** (columns / model_size)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    ### END SOLUTION

# %% picture=true
after(sinusoidal_positions, lambda: heatmaps(
    {"sinusoidal_positions(16, 12)": sinusoidal_positions(16, 12)},
    alt="Your table for 16 positions and 12 columns. The two columns on the left swing between -1 and 1 every six "
    "positions, the next ones more slowly, and on the right the sine stays near 0 and the cosine near 1.",
    rows="position", columns="column", digits=1,
))

# %% [markdown]
# We train once with a learned table, which has 256 rows, and once with yours, divided by 10 to be about the size of our embeddings.
#
# **Predict** before you run the cells (not marked): at 256 characters, is each of the two `"better"` or `"worse"` than the model without positions?
# Give two words: first for the learned table, then for yours.

# %% exercise="predict_the_last_column"
predict_the_last_column = ...  # ("...", "...")
### BEGIN SOLUTION
predict_the_last_column = ("worse", "worse")
### END SOLUTION

# %%
train_with("learned", learned=True)

# %%
after(sinusoidal_positions, lambda: train_with("sinusoidal", vectors=lambda *sizes: sinusoidal_positions(*sizes) / 10))

# %% [markdown]
# At 64 characters, both do far better than the model without positions: 1.58 and 1.56 in our run, against 2.09.
# At 256, both do worse than it does: 2.57 and 2.56, against 2.24.
# The learned table is no surprise: its rows from 64 on were never trained.
# The sinusoids exist for every position, but the layers behind them have never met the later ones.
#
# ## Turn, do not add
#
# It rarely matters that a token is at position 40.
# It often matters that another one is three positions back.
# **Rotary position embedding**, or **RoPE**, builds this in.
# It adds nothing to the tokens: in every head, it rotates each pair of columns of the queries and keys by the angle for that token's position:
#
# $$\begin{aligned} x'_j &= x_j \cos\theta_{p,j} - x_{j+1} \sin\theta_{p,j} \\ x'_{j+1} &= x_j \sin\theta_{p,j} + x_{j+1} \cos\theta_{p,j} \end{aligned}$$
#
# Turn a query by $\theta_p$ and a key by $\theta_q$: the angle between the two changes by $\theta_p - \theta_q$.
# A score is a dot product, so of the two positions only the distance $p - q$ enters it.
#
# `x[..., 0::2]` gives the even columns, and `x[..., 1::2]` the odd ones; interleave them again as above.
# `positions` is a parameter, since a text may be continued in the middle; `base` stands for the 10000.

# %% exercise="apply_rotary"
def apply_rotary(x, positions, base=10000.0):
    """Turn each pair of neighbouring columns by an angle that grows with the position.

    x: (..., tokens, size), floating, size is even; positions: (tokens,), integers, the position of each token
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
# Here is one pair of columns of a query and of a key, three positions apart.
# Move the slider: both arrows turn, and the score stays the same.

# %% picture=true
def both_turn(position):
    pair = torch.tensor([[1.0, 0.2], [0.9, 0.6]])
    query, key = apply_rotary(pair, torch.tensor([position, position - 3]))
    score = f"score {query @ key:.3f}"
    return arrows(
        {f"query at {position}": query.tolist()}, {f"key at {position - 3}": key.tolist()}, title=score,
        alt=f"Two arrows, a query at position {position} and a key at position {position - 3}; {score}.",
    )


after(apply_rotary, lambda: play(both_turn, position=Slider((3, 4, 5, 6, 7, 8, 9, 10, 40, 63), start=3)))

# %% [markdown]
# ### Test it
#
# "The scores depend on distance alone" is a claim that you can test.
# Write a test that passes a correct `apply_rotary` and fails six wrong ones:
#
# 1. *adds a vector for the position*: it adds sines and cosines, and turns nothing;
# 2. *squares the position*: it turns, but its angles grow with the square of the position;
# 3. *adds where it should subtract*: a sign is wrong;
# 4. *reads what it has overwritten*: the second line works with the result of the first;
# 5. *turns each column by an angle of its own*: a pair has two angles;
# 6. *counts the positions itself*: it ignores `positions`.
#
# The last one is tricky: its scores do not depend on `positions` at all.
#
# The next cell gives you the score of one query and one key: `score(apply_rotary, p, q)`, for any two positions `p` and `q`.
# You write what must hold between such scores.
# Take small positions, and allow for rounding, say 1e-5.

# %% locked=true
def score(apply_rotary, p, q):
    """The dot product of a query at position p and a key at position q, both turned by this version of apply_rotary."""
    torch.manual_seed(0)
    query, key = apply_rotary(torch.randn(2, 8), torch.tensor([p, q]))
    return query @ key

# %% exercise="test_apply_rotary"
def test_apply_rotary(apply_rotary):
    """Stops with an assert unless the scores of turned queries and keys depend on distance alone.

    apply_rotary: a function of x, positions, base=10000.0, right or wrong -> nothing: a returned value is ignored.
    A right version passes; each of the six wrong ones fails.
    Every demand is the one in the docstring of apply_rotary.
    """
    ### BEGIN SOLUTION
    first = score(apply_rotary, 5, 2)
    assert abs(first - score(apply_rotary, 9, 6)) < 1e-5, "three positions apart, and another score"
    assert abs(first - score(apply_rotary, 5, 4)) > 1e-3, "other distances, and the same score"
    ### END SOLUTION

# %% [markdown]
# Now train with your `apply_rotary`.
#
# **Predict** before you run the cell (not marked): at 256 characters, does this model hold, or does it break?

# %% exercise="predict_rotary_beyond"
predict_rotary_beyond = ...  # "holds" or "breaks"
### BEGIN SOLUTION
predict_rotary_beyond = "breaks"
### END SOLUTION

# %%
after(apply_rotary, lambda: train_with("rotary", turn=apply_rotary))

# %% [markdown]
# In our run: 1.40, 1.64, 2.33.
# At 64 it is by far the best yet.
# Beyond that, it breaks all the same.
# **Depending on distance alone is not enough: the distances from 64 on were never seen.**
#
# ## A price for distance
#
# **ALiBi**, "attention with linear biases", touches neither the tokens nor the queries and keys.
# It lowers the score by a fixed price for each position of distance:
#
# $$\text{score}_{h,q,k} \;-\; m_h \cdot (\text{position of } q - \text{position of } k), \qquad m_h = 2^{-8h/H}, \quad h = 1, \dots, H$$
#
# The slopes $m_h$ are not learned.
# With $H = 4$ heads they are 1/4, 1/16, 1/64 and 1/256: the first head is short-sighted, and the last one sees far.
# As in lesson 03, the last query lines up with the last key; this time, a column minus a row gives a table of distances.

# %% exercise="alibi_bias"
def alibi_bias(heads, queries, keys):
    """What is added to the scores: minus the slope of the head, times the distance from the query back to the key.

    heads: a power of two; queries, keys: two integers, queries <= keys; the last query lines up with the last key
    -> (heads, queries, keys), floating. At a query's own position the bias is 0.
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
        x="positions back", y="weight", log_y=True,
        alt="Weights of the last of 65 tokens if all scores are equal, on a logarithmic scale, against the distance. "
        "Four straight lines fall from the left: that of head 1 steeply, that of head 4 hardly at all.",
    )


after(alibi_bias, what_heads_see)

# %% [markdown]
# Distances from 64 on are new to this model, too.
#
# **Predict** before you run the cell (not marked): at 256 characters, does it hold, or does it break?

# %% exercise="predict_alibi_beyond"
predict_alibi_beyond = ...  # "holds" or "breaks"
### BEGIN SOLUTION
predict_alibi_beyond = "holds"
### END SOLUTION

# %%
after(alibi_bias, lambda: train_with("ALiBi", bias=alibi_bias))

# %% [markdown]
# 1.48, 1.47, 1.46: it holds.
# A new distance brings no new vector here and no new angle, only a larger number.
# Our run shows that such a number does no harm; it does not show why.
#
# ## One mask
#
# Back to the rotary model.
# If it breaks because of the new distances, let us hide them, with a mask that shows no distance it was not trained on.
# This is a **sliding window**.

# %% exercise="window_mask"
def window_mask(queries, keys, window):
    """Each query sees the newest keys up to its own, as many as the window holds.

    queries, keys: two integers, queries <= keys; the last query lines up with the last key
    window: how many keys a query sees, its own included; at least 1
    -> (queries, keys), boolean, True means "may look".
    A query with fewer keys than that sees all of them, and none that come after it.
    """
    ### BEGIN SOLUTION
    distances = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return (distances >= 0) & (distances < window)
    ### END SOLUTION

# %% [markdown]
# **Predict.**
# We put a window of 64 into two of the finished models, without any training, and measure both again, which takes a few seconds.
# At 256 tokens, is the loss `"repaired"` (as good as at 64) or still `"broken"`?
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
# A window also leaves each query fewer keys, but that matters little: with all keys in sight, and every distance above 63 counted as 63, we measured 1.44 at 256.
# So it was the new distances that broke this model.
# The learned table stays broken: a mask hides keys, but here the vector for the position itself is new.
#
# Below is the loss along a text of 256 tokens.

# %% picture=true
def place_by_place():
    middle = torch.arange(8, 256, 16)
    rows = {name: losses[256].view(16, 16).mean(dim=1) for name, losses in table.items()}
    shown = ("learned", "rotary", "ALiBi", "rotary, window of 64")
    return curves(
        {name: (middle, rows[name]) for name in shown if name in rows},
        x="position in the text", y="loss, mean of 16 positions",
        alt="Four curves of the loss against the position. Up to 64 all lie between 1.3 and 1.6. There the learned table "
        "jumps to nearly 3 and stays; rotary follows at about 100 and climbs above 3; ALiBi and rotary with a window "
        "stay flat to the end.",
    )


after(window_mask, place_by_place)

# %% [markdown]
# The learned table breaks at the first position that it was not trained on.
# Rotary holds until position 90 or so; there, less than a third of the keys are at a new distance.
# Nothing before position 64 warns you: test a model only at its training length, and you never see the cliff.
#
# ### What a window costs
#
# A token sees 63 positions back.
# But what it sees there, in the second layer, is a vector that has looked back itself.
#
# **Calculate.**
# A model has two layers, each with a window of 64.
# How many positions back is the farthest token that can influence an output?

# %% exercise="reach_of_two_layers"
reach_of_two_layers = ...  # a whole number
### BEGIN SOLUTION
reach_of_two_layers = 2 * 63
### END SOLUTION

# %% [markdown]
# The language model Mistral 7B did this in its first version, with 32 layers and a window of 4,096; later versions dropped the window.
# Others let some layers see everything, or slow the rotation with a larger `base`, so that distant positions land on familiar angles.
#
# ## The same in a library
#
# Llama is a family of language models that uses RoPE.
# The library `transformers` runs it, and pairs the columns differently: column $j$ of the left half goes with column $j$ of the right half.
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
# You want `theirs[..., order]` to have its pairs side by side: first the pair of column 0, then that of column 1, then that of column 2.
# Which `order` does this?

# %% exercise="columns_of_the_pairs"
columns_of_the_pairs = ...  # six columns: (..., ..., ..., ..., ..., ...)
### BEGIN SOLUTION
columns_of_the_pairs = (0, 3, 1, 4, 2, 5)
### END SOLUTION

# %% picture=true
def compare_with_halves():
    if columns_of_the_pairs is ...:
        return "This comes once columns_of_the_pairs is answered."
    pairs, positions, order = torch.randn(2, 4, 10, 6), torch.arange(10), list(columns_of_the_pairs)
    theirs, yours = apply_rotary_by_halves(pairs, positions), apply_rotary(pairs[..., order], positions)
    print(f"gap to the few lines above: {(theirs[..., order] - yours).abs().max():.0e}")
    try:
        from transformers.models.llama.modeling_llama import LlamaConfig, LlamaRotaryEmbedding, apply_rotary_pos_emb
    except (ImportError, RuntimeError):  # not there, or not all of it
        return "transformers cannot be imported here"
    rotary = LlamaRotaryEmbedding(LlamaConfig(hidden_size=24, num_attention_heads=4))
    library, _ = apply_rotary_pos_emb(pairs, pairs, *rotary(pairs, positions[None]))
    return f"gap to transformers: {(library[..., order] - yours).abs().max():.0e}"


after(apply_rotary, compare_with_halves)

# %% [markdown]
# If you load weights made for one convention into code written for the other, you get no error, only wrong scores.
#
# ## Summary
#
# You can now
#
# - show that attention is equivariant, and why a causal mask breaks that;
# - tell a model where its tokens are in four ways: learned, sinusoidal, rotary (RoPE) and ALiBi;
# - test that rotary scores depend on distance alone, and carry vectors over from the other convention;
# - explain why a model breaks beyond the length it was trained on, and repair it with a window.
#
# To read on: Haviv and others, 2022 (no positions); Vaswani and others, 2017 (sinusoids); Su and others, 2021 (RoPE); Press and others, 2022 (ALiBi).

# %%
progress()
