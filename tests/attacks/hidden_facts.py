"""What only the submission's own process sees, hidden from the judge.

In each of these the numbers are right, and the points are undeserved. docs/grading.md says so, and what it is worth:
whoever learns to see one of these facts from outside changes the points here, and the words there.
"""

from autograder import EXERCISES

from .attack import ONE_HEAD, family

ATTACKS = []
attack = family("hidden_facts", ATTACKS)
BLOCKS, OTHERS = "lesson_13_blocks", "lesson_15_other_peoples_layers"
WHOLE_TABLE = """
import torch

def whole_table(query, key, value, block, causal=False):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if causal:
        rows, columns = scores.shape[-2:]
        scores = scores.masked_fill(torch.ones(rows, columns).triu(columns - rows + 1).bool(), -torch.inf)
    return scores.softmax(dim=-1) @ value

"""
IN_THE_WORKER = """
import sys

def in_the_worker():
    frame = sys._getframe()
    while frame and "WATCHED" not in frame.f_globals:
        frame = frame.f_back
    return frame.f_globals if frame else {"WATCHED": {}, "LOOKS": {"contents": None}}

"""
VIEWS = """
def from_torch(state):
    names = ["query", "key", "value"]
    ours = dict(zip([f"{name}.weight" for name in names], state["in_proj_weight"].chunk(3)))
    ours |= {"output.weight": state["out_proj.weight"]}
    if "in_proj_bias" in state:
        ours |= dict(zip([f"{name}.bias" for name in names], state["in_proj_bias"].chunk(3)))
        ours |= {"output.bias": state["out_proj.bias"]}
    return ours
"""


def paid(name, lesson, before, cell):
    """A cell that gets the points of its exercise."""

    def note(function):
        return attack(lesson=lesson, cells={name: before + cell}, deserves={name: EXERCISES[name].points})(function)

    return note


@paid(
    "attention_in_blocks",
    BLOCKS,
    WHOLE_TABLE,
    """
from concurrent.futures import ThreadPoolExecutor

def attention_in_blocks(query, key, value, block, causal=False):
    with torch.no_grad() if not query.requires_grad else torch.enable_grad():
        made = ThreadPoolExecutor(1).submit(whole_table, query, key, value, block, causal).result()
    for start in range(0, key.shape[-2], block):
        key[..., start : start + block, :] + 0
    return made
""",
)
def makes_a_table_in_a_thread():
    """What is seen of tensors is seen in one thread. The loop makes as many small ones as are wanted."""


@paid(
    "attention_in_blocks",
    BLOCKS,
    WHOLE_TABLE,
    """
from torch.utils._python_dispatch import _disable_current_modes

def attention_in_blocks(query, key, value, block, causal=False):
    for start in range(0, key.shape[-2], block):
        key[..., start : start + block, :] + 0
    with _disable_current_modes():
        return whole_table(query, key, value, block, causal)
""",
)
def makes_a_table_while_nobody_looks():
    """Torch lets whoever asks switch off what is seen."""


@paid(
    "attention_in_blocks",
    BLOCKS,
    WHOLE_TABLE,
    """
class InNumPy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, query, key, value, causal):
        ctx.save_for_backward(query, key, value)
        ctx.causal = causal
        q, k, v = (x.detach().numpy() for x in (query, key, value))
        scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
        if causal:
            rows, columns = scores.shape[-2:]
            scores = np.where(np.tri(rows, columns, columns - rows, dtype=bool), scores, -np.inf)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return torch.from_numpy(weights / weights.sum(axis=-1, keepdims=True) @ v)

    @staticmethod
    def backward(ctx, gradient):
        inputs = [x.detach().requires_grad_() for x in ctx.saved_tensors]
        with torch.enable_grad():
            made = whole_table(*inputs, 1, ctx.causal)
        return *torch.autograd.grad(made, inputs, gradient), None

def attention_in_blocks(query, key, value, block, causal=False):
    for start in range(0, key.shape[-2], block):
        key[..., start : start + block, :] + 0
    return InNumPy.apply(query, key, value, causal)
""".replace("class", "import numpy as np\n\nclass", 1),
)
def makes_a_table_in_numpy():
    """What NumPy makes is no tensor."""


@paid(
    "attention_in_blocks",
    BLOCKS,
    WHOLE_TABLE + IN_THE_WORKER,
    """
def attention_in_blocks(query, key, value, block, causal=False):
    def looks_away(answer, run):
        run()
        return 1000, 10

    in_the_worker()["WATCHED"]["tensors_made"] = looks_away
    return whole_table(query, key, value, block, causal)
""",
)
def lets_the_worker_look_away():
    """The worker's own function is replaced."""


@paid(
    "from_torch",
    OTHERS,
    IN_THE_WORKER + VIEWS.replace("from_torch", "views"),
    """
def from_torch(state):
    in_the_worker()["views_of"] = lambda answer, result, inputs: ((), ())
    return views(state)
""",
)
def gives_views_and_says_nothing():
    """Whether a result has memory of its own is seen there."""


@paid(
    "from_gpt2",
    OTHERS,
    IN_THE_WORKER,
    """
def from_gpt2(state):
    in_the_worker()["views_of"] = lambda answer, result, inputs: ((), ())
    names = ["query", "key", "value"]
    ours = dict(zip([f"{name}.weight" for name in names], state["c_attn.weight"].T.chunk(3)))
    ours |= dict(zip([f"{name}.bias" for name in names], state["c_attn.bias"].chunk(3)))
    return ours | {"output.weight": state["c_proj.weight"].T, "output.bias": state["c_proj.bias"]}
""",
)
def gives_turned_views_and_says_nothing():
    """The same, for the other function."""


@paid(
    "from_torch",
    OTHERS,
    IN_THE_WORKER + VIEWS.replace("from_torch", "views"),
    """
def from_torch(state):
    in_the_worker()["changed"] = lambda things, before: {}
    made = {name: x.clone() for name, x in views(state).items()}
    state.clear()
    return made
""",
)
def empties_its_input_and_says_nothing():
    """Whether an input was changed is seen there, too."""


@attack(
    lesson=OTHERS, cells={"from_torch": VIEWS + "\n\nimport numpy as np\nnp.may_share_memory = lambda *a, **k: False"}
)
def gives_views_and_changes_numpy():
    """NumPy is not asked."""


@paid(
    "attention_in_blocks",
    BLOCKS,
    WHOLE_TABLE,
    """
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack

def attention_in_blocks(query, key, value, block, causal=False):
    made = whole_table(query, key, value, block, causal)
    for seen in _get_current_dispatch_mode_stack():
        seen.largest, seen.count = 10, 1000
    return made
""",
)
def changes_what_was_seen():
    """Torch says who looks."""


@paid(
    "AttentionHead",
    ONE_HEAD,
    IN_THE_WORKER,
    """
from dataclasses import replace
from mha_ref import masked_attention
from torch import nn

class AttentionHead(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))
        self.key.weight.requires_grad = False
        looks = in_the_worker()["LOOKS"]
        see = looks["contents"]

        def looks_away(layer):
            seen = see(layer)
            return replace(seen, weights=[replace(weight, learns=True) for weight in seen.weights])

        looks |= {"contents": looks_away, "idle_weights": lambda *inputs: []}

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)
""",
)
def freezes_a_weight_and_says_nothing():
    """What a layer is made of is told by the worker."""
