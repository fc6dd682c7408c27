# %% [markdown]
# # Lesson 09 · A language model
#
# In this lesson your attention learns to write.
# You put it into a block, stack two blocks, and train them to guess the next character of a text.
# That is a GPT, and it differs from the famous ones in size, not in kind.
# After a minute of training on one processor core, ours wrote this:
#
# > The mask of the shape, and value, and the call should not last you shares have the should be that the same
#
# It is nonsense, yet it has words, commas, and something like grammar.
# No one taught it these: it was only ever told which character came next.

# %% locked=true
import inspect
import math
from collections import Counter

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from torch import nn

from autograder import after, check, hint, progress, solution
from autograder.mine import MultiHeadAttention, causal_mask, export
from autograder.pictures import bars, curves, diagram, use_our_look
from autograder.play import Slider, play
from mha_ref.exchange import to_torch
from mha_ref.language_model import (
    LanguageModel,
    alphabet,
    decode,
    draw_batch,
    encode,
    keep_for_later,
    mean_loss,
    prose,
    split_text,
    train_language_model,
)

device = "cuda" if torch.cuda.is_available() else "cpu"
use_our_look()  # plots on no paper, with words for those who cannot see them
torch.manual_seed(0)
torch.set_num_threads(1)  # our products are small: more threads would only wait for each other

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them.
#
# **From lesson 08.**
# Your functions store every score.
# A text gets three times as long.
# How many times as much memory do its scores take?

# %% exercise="remember_a_longer_text"
remember_a_longer_text = ...  # a number
### BEGIN SOLUTION
remember_a_longer_text = 9
### END SOLUTION

# %% [markdown]
# **From lesson 06.**
# Projected tokens have the shape (batch, tokens, model_size).
# Someone reshapes them to (batch, heads, tokens, head_size), with no `transpose`.
# What happens?
#
# - `"a"`: torch refuses this, with an error
# - `"b"`: each head gets columns of every token
# - `"c"`: each head gets a part of the sentence

# %% exercise="remember_a_plain_reshape"
remember_a_plain_reshape = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_a_plain_reshape = "c"
### END SOLUTION

# %% [markdown]
# ## A text is a row of numbers
#
# The text is this course: paragraphs from its lessons and hints, shuffled.
# A **token** is one character here, and its number is its index in the text's alphabet.
# (Large models have 50,000 tokens or more to choose from, most of them pieces of words; nothing else changes.)
# The last tenth of the text is never shown in training, so that we can test the model on something new.

# %%
text = prose()
characters = alphabet(text)
tokens = encode(text, characters, device)
seen, unseen = split_text(tokens)

print(f"{len(text)} characters, {len(characters)} different ones")
print(text[:60], "->", tokens[:12].tolist(), "...")

# %% [markdown]
# ## How surprised is it?
#
# A language model gives every token a probability of coming next.
# The **loss** of a guess is $-\log p$, where $p$ is the probability it gave to the token that came: 0 if the model was certain of it, large if it was surprised.
#
# **Calculate.**
# A model that has learned nothing gives each of the 84 characters the same probability.
# What is its loss?
# You may use `math.log`.

# %% exercise="loss_before_training"
loss_before_training = ...  # a number
### BEGIN SOLUTION
loss_before_training = math.log(84)
### END SOLUTION

# %% [markdown]
# Here is a ladder to climb.
# Count how often each character occurs, and you have a model, the *unigram*: its guess never changes.
# Count what follows each character, and you have a *bigram*; what follows each pair, a *trigram*.
# All of these are tables, and no one has to train them.
# The next cell, which is folded, counts in the seen text and prints the loss on the unseen text.

# %% picture=true
def loss_of_a_table(before):
    """Count which character follows which `before` others in the seen text; return the mean loss on the unseen text."""
    known, new = text[: len(seen)], text[len(seen) :]

    def runs(text, length):
        return [text[n : n + length] for n in range(len(text) - before)]

    counts, totals = Counter(runs(known, before + 1)), Counter(runs(known, before))
    share = lambda run: (counts[run] + 0.05) / (totals[run[:-1]] + 0.05 * len(characters))  # nothing is impossible
    losses = [-math.log(share(run)) for run in runs(new, before + 1)]
    return sum(losses) / len(losses)


names = ["unigram", "bigram", "trigram", "4-gram", "5-gram", "6-gram"]
ladder = {name: loss_of_a_table(before) for before, name in enumerate(names)}
for name, loss in ladder.items():
    print(f"{name:8} {loss:.2f}")

# %% [markdown]
# The best of these tables looks at three characters and guesses the fourth.
# Longer ones get worse, because they have not seen enough: nearly one in five runs of six characters in the unseen text never occurs in the seen text.
# A model that pays attention has no such table.
# Ours can look at 128 characters, and choose among them.
#
# ## From logits to a loss
#
# The model's scores are **logits**; softmax turns them into probabilities.
# The loss needs the *logarithm* of a softmax.
# Here is a row in which one token has almost no chance.

# %%
print(torch.tensor([0.0, -1000.0]).softmax(dim=-1).log())

# %% [markdown]
# The second number should be -1000.
# But $e^{-1000}$ is too small for a floating-point number: it became 0, and the logarithm of 0 is $-\infty$.
# No model can learn from an infinite loss.
#
# The scores held the answer, and it was lost when they became weights.
# But the logarithm of a quotient is a difference, and with the maximum $m$ of the row
#
# $$\log \frac{e^{s_i - m}}{\sum_j e^{s_j - m}} = (s_i - m) - \log \sum_j e^{s_j - m}$$
#
# Nothing gets lost on the right-hand side: the sum is at least 1, since one of its terms is $e^0$.
# (`torch.log_softmax` does this, too; here you write it out.)

# %% exercise="log_softmax"
def log_softmax(scores, axis=-1):
    """The natural logarithm of softmax along `axis`.

    scores: (...) floating-point, with any number of axes -> same shape.
    Finite wherever the result fits into a floating-point number, even where the weight itself is too small for one.
    The scores themselves are not changed, and gradients reach them.
    """
    ### BEGIN SOLUTION
    lowered = scores - scores.amax(dim=axis, keepdim=True)
    return lowered - lowered.exp().sum(dim=axis, keepdim=True).log()
    ### END SOLUTION

# %% [markdown]
# Now the loss of a whole batch.
# A row of `context + 1` tokens holds `context` guesses at once: the model sees all but the last token, and at each position it guesses the token that comes next.
#
# | position | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | sees | m | a | s | k |
# | must guess | a | s | k | s |
#
# The causal mask from lesson 03 keeps this honest: no position sees the token that it has to guess.
#
# Use your `log_softmax`, and pick one number out of each row with `torch.take_along_dim(table, indices, dim=-1)`, where both have the same number of axes.
# Or use `F.cross_entropy`, which does all of this: it wants one row of logits for each guess, and all the right tokens in one row, so flatten both.

# %% exercise="next_token_loss"
def next_token_loss(model, tokens):
    """The mean loss of a model that guesses the next token, at every position of every row.

    model: a function of tokens: (batch, context) -> logits: (batch, context, vocabulary), for the token after each position.
    tokens: (batch, context + 1), integers; the model is shown all but the last of each row.
    -> one floating-point number, in a tensor without axes: the mean of -log of the probabilities of the right tokens.
    It is finite wherever the logits are. The inputs are not changed, and gradients reach the model.
    """
    ### BEGIN SOLUTION
    logs = log_softmax(model(tokens[:, :-1]))  # (batch, context, vocabulary)
    return -torch.take_along_dim(logs, tokens[:, 1:, None], dim=-1).mean()
    ### END SOLUTION

# %%
def an_untrained_model():
    model = LanguageModel(len(characters)).to(device)
    batch = draw_batch(seen, rows=8, length=129, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        ours, torchs = next_token_loss(model, batch), F.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
    return f"your loss {ours:.4f}, F.cross_entropy {torchs:.4f}, log 84 = {math.log(84):.4f}"


after(next_token_loss, an_untrained_model)

# %% [markdown]
# A new model is a little worse than one that knows nothing: it already prefers some characters to others, at random.
#
# ## A block
#
# The decoder layer from lesson 07 had three parts.
# A language model has no source sentence to look at, so cross-attention goes, and attention and feed-forward are left.
# Each part reads a normalised copy of `x` and adds what it found:
#
# $$x \leftarrow x + \text{dropout}(\text{part}(\text{norm}(x)))$$
#
# This `x` flows through all the blocks and is only ever added to: it is called the **residual stream**.
#
# Between its two linear layers, GPT has a **GELU** instead of a ReLU: `nn.GELU()`, a ReLU with a rounded corner.

# %% picture=true
diagram(
    {
        "x": (0, 0, "x", "plain"),
        "norm 1": (0, 1, "layer norm"),
        "attention": (0, 2, "attention\nmask", "new"),
        "add 1": (0, 3, "+", "sum"),
        "norm 2": (0, 4, "layer norm"),
        "think": (0, 5, "feed-forward\nGELU"),
        "add 2": (0, 6, "+", "sum"),
    },
    [
        ("x", "norm 1"), ("norm 1", "attention"), ("attention", "add 1"), ("add 1", "norm 2"), ("norm 2", "think"),
        ("think", "add 2"), ("x", "add 1", "around"), ("add 1", "add 2", "around"),
    ],
    alt="A diagram of a block, from bottom to top. Twice: a layer norm, then a part, then a plus, where what went in is "
    "added again. The parts are attention, which also gets the mask, and feed-forward.",
)

# %% exercise="Block"
class Block(nn.Module):
    """Attention, then feed-forward; each step adds to what was there (pre-norm).

    model_size, heads, hidden_size: integers; where heads do not divide model_size, making the block is a ValueError.
    Its parts: attention, a MultiHeadAttention with biases; feed_forward, an nn.Sequential of two nn.Linear with biases
    and an nn.GELU between them, model_size -> hidden_size -> model_size; and norms, two nn.LayerNorm of their own, one
    in front of each part.
    The names attention, feed_forward and norms are needed: later cells use them.
    dropout: applied to the attention weights (MultiHeadAttention does that) and to the result of each of the two parts
    before it is added, and to nothing else; in train mode only, afresh in every call.
    """

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size),
            nn.GELU(),
            nn.Linear(hidden_size, model_size),
        )
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(2)])
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(self, x, mask=None):
        """Attention first, then feed-forward.

        x: (batch, tokens, model_size) -> same shape.
        mask: boolean, broadcastable to (batch, heads, tokens, tokens); None allows everything.
        The inputs are not changed, and gradients reach `x` and all parameters.
        """
        ### BEGIN SOLUTION
        look, think = self.norms
        x = x + self.dropout(self.attention(look(x), mask=mask))
        return x + self.dropout(self.feed_forward(think(x)))
        ### END SOLUTION

# %% [markdown]
# torch has this block, too, under a misleading name: `nn.TransformerEncoderLayer`.
# The next cell, which is folded, gives both the same parameters and compares.

# %% picture=true
def beside_torchs_own():
    ours, torchs = Block(96, 4, 384).to(device), nn.TransformerEncoderLayer(96, 4, 384, 0.0, "gelu", batch_first=True, norm_first=True)
    torchs.to(device).self_attn.load_state_dict(to_torch(ours.attention))
    (widen, _, narrow), (first, second) = ours.feed_forward, ours.norms
    for mine, theirs in ((widen, torchs.linear1), (narrow, torchs.linear2), (first, torchs.norm1), (second, torchs.norm2)):
        theirs.load_state_dict(mine.state_dict())
    x, mask = torch.randn(2, 10, 96, device=device), causal_mask(10, 10).to(device)
    return f"largest difference: {(ours(x, mask) - torchs(x, src_mask=~mask)).abs().max():.0e}"


after(Block, beside_torchs_own)

# %% [markdown]
# ## The model
#
# Here is the whole model: an embedding for each token, an embedding for each position, blocks, a last norm, and a linear layer that makes logits.
# (The code says `place` for position.)

# %%
print(inspect.getsource(LanguageModel))

# %% [markdown]
# It has a **context length** of 128: there are 128 position embeddings, so it cannot see more tokens at once.
# With two blocks, four heads and a model size of 96, it has 252,372 parameters.
#
# Training draws 8 rows at random, computes your loss, and takes a step downhill, 1,200 times over.
# This takes about a minute, and two or three on a busy machine.

# %%
trained, losses = {}, []


def train_it():
    """Train a model made of your blocks, with your loss, and keep it."""
    torch.manual_seed(0)
    model = LanguageModel(len(characters), block=Block).to(device)
    losses[:], trained["model"] = train_language_model(model, seen, loss_of=next_token_loss), model
    print(f"loss on the text that it has never seen: {mean_loss(model, unseen, loss_of=next_token_loss):.2f}")
    return keep_for_later(model)


when_ready = lambda draw: after(next_token_loss, lambda: after(Block, draw))
when_ready(train_it)

# %% [markdown]
# Now draw the loss (nobody marks it).
# Some batches are harder than others, so the first line takes the mean of every 20 steps, and the second one draws these means.
# Add the rest:
#
# - the bigram, the trigram and the 4-gram, each a horizontal line from step 0 to the last: `plt.plot([0, len(losses)], [height, height], label="...")`; the heights are in `ladder`;
# - what the axes show, a title and a legend: `plt.xlabel`, `plt.ylabel`, `plt.title` and `plt.legend()`.

# %% free="draw_the_loss"
smooth = [sum(losses[n : n + 20]) / 20 for n in range(0, len(losses) - 19, 20)]
plt.plot([20 * n + 10 for n in range(len(smooth))], smooth, label="your model")
### BEGIN SOLUTION
for name in ("bigram", "trigram", "4-gram"):
    plt.plot([0, len(losses)], [ladder[name], ladder[name]], label=name)
plt.xlabel("step")
plt.ylabel("loss")
plt.title("Your model learns")
plt.legend()
### END SOLUTION
plt.show()

# %% [markdown]
# On the unseen text the model gets to 1.34 in our run, a little better than the best table with 1.41.
#
# ## Find the bug
#
# A friend writes this loss, and it looks right: surely the last logits have nothing to guess, so they are dropped.

# %%
def a_friends_loss(model, tokens):
    logits = model(tokens[:, :-1])[:, :-1]
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:-1].flatten())

# %% [markdown]
# Training goes well, and the loss is low, but what the model writes soon falls apart.
# So let us plot the loss for each position separately, on new text.
# Both models have a context of 32 here, and learn for 400 steps, which takes about 10 seconds each, or half a minute on a busy machine.

# %% picture=true
def loss_by_position(loss_of):
    """Train a model that has a context of 32 with this loss; return its true loss at each of the 32 positions."""
    torch.manual_seed(0)
    model = LanguageModel(len(characters), context=32).to(device)
    train_language_model(model, seen, steps=400, batch=16, loss_of=loss_of)
    rows = unseen[: len(unseen) // 33 * 33].view(-1, 33)
    with torch.no_grad():
        return F.cross_entropy(model(rows[:, :-1]).mT, rows[:, 1:], reduction="none").mean(dim=0).tolist()


def two_losses():
    found = {"your loss": loss_by_position(next_token_loss), "the friend's": loss_by_position(a_friends_loss)}
    return curves(
        {name: (range(32), numbers) for name, numbers in found.items()},
        x="position", y="loss",
        alt="The loss at each of 32 positions, for two models. Both begin at 2.4 at position 0 and fall to about 1.7 by position 4; "
        "from there on they stay level, side by side, and differ at one position.",
    )


after(next_token_loss, two_losses)

# %% [markdown]
# **Choose.**
# What is wrong with the friend's model?
#
# - `"a"`: it never learns to guess from a single token
# - `"b"`: it compares every guess with the wrong token
# - `"c"`: it sees the token that it has to guess
# - `"d"`: it never learns to guess from a full context

# %% exercise="untrained_place"
untrained_place = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
untrained_place = "d"
### END SOLUTION

# %% [markdown]
# The loss that the friend watched leaves out the very position where the model fails.
# Once 32 characters are written, *every* further one comes from a full context, so from logits that were never trained.

# %% [markdown]
# ## Tame or wild
#
# To write, we draw the next token at random, each with its probability.
# How much more should the best token get than the others?
# Divide all logits by a number $T$ before the softmax, the **temperature**:
#
# $$w_i = \frac{e^{s_i / T}}{\sum_j e^{s_j / T}}$$
#
# Below 1, differences grow, and the best token gets more; near 0 it takes nearly everything.
# Above 1, they shrink, and rare tokens get their chance.
# (The $\sqrt{d_k}$ from lesson 02 is a temperature, too.)

# %% exercise="softmax_with_temperature"
def softmax_with_temperature(scores, temperature, axis=-1):
    """Softmax along `axis` of scores / temperature: below 1 the best score gets more, above 1 the weights are more even.

    scores: (...) floating-point, with any number of axes -> same shape.
    temperature: a number above 0.
    Finite wherever scores / temperature fits into a floating-point number; the scores themselves are not changed, and gradients reach them.
    """
    ### BEGIN SOLUTION
    return torch.softmax(scores / temperature, dim=axis)
    ### END SOLUTION

# %% [markdown]
# **Predict** (not marked).
# At $T = 1$, one character is four times as likely as another.
# How many times as likely is it at $T = 2$?

# %% exercise="predict_a_hotter_ratio"
predict_a_hotter_ratio = ...  # a number
### BEGIN SOLUTION
predict_a_hotter_ratio = 2
### END SOLUTION

# %% [markdown]
# The slider shows what your model expects after *"The ma"*.
# Which bars grow when it gets hot?

# %% picture=true
def next_characters(temperature):
    with torch.no_grad():
        logits = trained["model"](encode("The ma", characters, device)[None])[0, -1]
    best = logits.topk(10).indices
    weights = softmax_with_temperature(logits, temperature)[best].tolist()
    likeliest = [repr(characters[token])[1:-1].replace(" ", "space") for token in best.tolist()]
    shares = ", ".join(f"{name} {weight:.2f}" for name, weight in zip(likeliest, weights))
    return bars({"probability": weights}, likeliest, y="probability", top=1, alt=f"At temperature {temperature}: {shares}.")


temperatures = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5)
when_ready(lambda: after(softmax_with_temperature, lambda: play(next_characters, temperature=Slider(temperatures, start=1))))

# %% [markdown]
# Heat never changes the order of the bars: it brings them closer together.
# What the tallest lose goes to rarer characters: those that the picture leaves out have 2 % of the probability at $T = 1$ in our run, and 66 % at 5.

# %% [markdown]
# ## Draw one
#
# How do you draw with given probabilities?
# Lay the probabilities end to end on a line from 0 to 1, throw a dart at the line, and take the token that it hits.
#
# | token | a | b | c | d |
# |---|---|---|---|---|
# | probability | 0.5 | 0.2 | 0.2 | 0.1 |
# | ends at | 0.5 | 0.7 | 0.9 | 1.0 |
#
# The dart 0.83 hits c: the first token that ends *beyond* it.
# The ends are the cumulative sum, `.cumsum(dim=-1)`.

# %% [markdown]
# Write this, with temperature 0 as a case of its own; the darts come from outside, as `uniform`.
# A dart at exactly 0 must not hit a token whose probability is 0, so a dart flies past a token that ends exactly where it lands.
#
# Probabilities are rounded, so the last end may be 0.9999999, with a dart at it or beyond.
# Then the token is the last one that can come, and `last_that_can_come(weights)`, in the next cell, finds it.
# If you count the ends that a dart flies past, take `torch.minimum` of that count and this last token.

# %% locked=true
def last_that_can_come(weights):
    """The last token of each row whose weight is above 0: (batch, vocabulary) -> (batch,)."""
    places = torch.arange(weights.shape[-1], device=weights.device)
    return torch.where(weights > 0, places, 0).amax(dim=-1)

# %% exercise="sample"
def sample(logits, temperature, uniform):
    """Draw the next token of each row.

    logits: (batch, vocabulary), floating-point; temperature: a number, at least 0; uniform: (batch,), floating-point, in [0, 1).
    -> (batch,), integers. At temperature 0: the token with the largest logit.
    Above 0: the first token whose cumulative probability, at this temperature, exceeds the row's number in `uniform`.
    Where rounding leaves none: the last token whose probability is above 0.
    The inputs are not changed.
    """
    ### BEGIN SOLUTION
    if temperature == 0:
        return logits.argmax(dim=-1)
    weights = softmax_with_temperature(logits, temperature)
    passed = (weights.cumsum(dim=-1) <= uniform[:, None]).sum(dim=-1)
    return torch.minimum(passed, last_that_can_come(weights))
    ### END SOLUTION

# %% [markdown]
# ## Let it write
#
# A model predicts one token at a time, so a text is written in a loop, as in lesson 07.
# In each round
#
# - the model is shown the text so far, but no more than its last `context` tokens;
# - it returns logits for every position, (batch, tokens, vocabulary), and only those of the last position count: they are about the next token;
# - `choose` takes these and returns one token for each text;
# - that token is appended, so every text grows by one token.

# %% exercise="generate"
def generate(model, tokens, steps, context, choose):
    """Write on, one token after the other, for all texts at once.

    model: a function of tokens: (batch, tokens) -> logits: (batch, tokens, vocabulary), for the token after each position.
    tokens: (batch, prompt), integers: how the texts begin.
    steps: how many tokens to write; context: how many tokens the model sees at most, the last ones.
    choose: a function of the logits for the token after the last, (batch, vocabulary) -> (batch,), integers.
    -> (batch, prompt + steps), integers: the prompt, and what was written. The inputs are not changed.
    """
    ### BEGIN SOLUTION
    for _ in range(steps):
        logits = model(tokens[:, -context:])[:, -1]  # (batch, vocabulary)
        tokens = torch.cat([tokens, choose(logits)[:, None]], dim=1)
    return tokens
    ### END SOLUTION

# %%
def write(prompt, temperature, steps=200):
    """Continue a prompt with your model."""
    model, darts = trained["model"], torch.Generator().manual_seed(1)

    def choose(logits):
        return sample(logits, temperature, torch.rand(len(logits), generator=darts).to(logits.device))

    with torch.no_grad():
        rows = generate(model, encode(prompt, characters, device)[None], steps, model.context, choose)
    return decode(rows[0], characters)


def three_temperatures():
    print("Each text takes a second or two.\n")
    for temperature in (0, 0.7, 1.5):
        print(f"temperature {temperature}:\n{write('The mask ', temperature)}\n")


when_ready(lambda: after(sample, lambda: after(generate, three_temperatures)))

# %% [markdown]
# At 0 it goes in circles: the likeliest characters keep leading back to the same phrase.
# At 1.5 the words fall apart.
# In between it sounds like this course, as far as a model can that sees 128 characters.
#
# ## Your own text (optional)
#
# Put any text of at least 50,000 characters into `my_text`, such as your email, a book, or code, and train a model on it.
# For a start, there is Python's own documentation, which comes with Python.

# %%
from pydoc_data.topics import topics

my_text = "\n".join(topics.values())[:200_000]


def train_on(text):
    global characters
    characters = alphabet(text)
    model = LanguageModel(len(characters), block=Block).to(device)
    train_language_model(model, split_text(encode(text, characters, device))[0], loss_of=next_token_loss)
    trained["model"] = model
    return write("The ", 0.7)


# Remove the "#" to try it, which takes a minute; to go back, run all cells from "A text is a row of numbers" on.
# print(train_on(my_text))

# %% [markdown]
# ## What you can now read
#
# nanoGPT is a well-known small GPT: <https://github.com/karpathy/nanoGPT/blob/master/model.py>.
# You have written nearly all of its model:
#
# | there | what it is | here |
# |---|---|---|
# | `block_size`, `n_embd`, `n_head`, `n_layer` | context length, model size, heads, blocks | `context`, `model_size`, `heads`, `layers` |
# | `CausalSelfAttention`: `c_attn`, `.view(...).transpose(1, 2)`, `c_proj` | projections as one matrix, splitting the heads, $W^O$ | `MultiHeadAttention` |
# | `MLP`: `c_fc`, `gelu`, `c_proj` | feed-forward | `Block.feed_forward` |
# | `wte`, `wpe`, `ln_f`, `lm_head` | embeddings of tokens and positions, last norm, logits | `token`, `place`, `last_norm`, `next_token` |
# | `generate`: `idx_cond`, `temperature`, `multinomial` | cut to the context, soften, draw | `generate`, `sample` |
#
# Two ideas there are new to you.
# `wte.weight` and `lm_head.weight` are one and the same matrix, which saves parameters (*weight tying*).
# And `top_k` sets all but the k largest logits to $-\infty$ before drawing, so the wild ones never come up.
#
# **Read.**
# These are the shapes of some of GPT-2's parameters, under the names that `model.py` gives them, but without `transformer.` in front; a linear layer's shape is (out, in).
#
# ```
# wte.weight              (50257, 768)
# wpe.weight              (1024, 768)
# h.0.attn.c_attn.weight  (2304, 768)
# h.0.attn.c_proj.weight  (768, 768)
# h.0.mlp.c_fc.weight     (3072, 768)
# h.0.mlp.c_proj.weight   (768, 3072)
# ...
# h.11.mlp.c_proj.weight  (768, 3072)
# ```
#
# How many tokens does it know, how many can it see at once, how wide is its feed-forward part on the inside, and how many blocks does it have?

# %% exercise="sizes_of_gpt2"
sizes_of_gpt2 = ...  # (vocabulary, context length, hidden size, blocks)
### BEGIN SOLUTION
sizes_of_gpt2 = (50257, 1024, 3072, 12)
### END SOLUTION

# %% [markdown]
# ## One file, and it is yours
# The next cell writes `my_gpt.py` beside your lessons: your own functions and classes from softmax to `generate`, and the few lines between them.
# It needs no notebook and no course, only torch: `python my_gpt.py` trains for about a minute and writes; `python my_gpt.py TEXT.txt` does it with a text of your own.
# Beside it comes `my_translator.py`, the translator from lesson 07, in the same way.

# %%
when_ready(export)

# %% [markdown]
# ## Summary
#
# You can now
#
# - say what a language model is trained to do, and compute its loss safely;
# - write the block of a GPT, and check it against torch's;
# - train a language model with your own attention, and compare its loss with that of a table;
# - draw tokens at any temperature, and let the model write;
# - read nanoGPT's `model.py`.
#
# Lesson 10 opens this model up, and takes out its heads one by one.

# %%
progress()
