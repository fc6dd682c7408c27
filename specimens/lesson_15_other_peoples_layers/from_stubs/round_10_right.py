"""Right answers to lesson 15 (round 10)."""

import re
from enum import Enum
from operator import itemgetter

import torch
from torch import nn


def to_allowed__1(mask, convention):
    class Convention(Enum):
        ALLOWED = "allowed"
        BLOCKED = "blocked"
        ADDITIVE = "additive"
        BLOCKED_FLOAT = "blocked_float"

    kind = Convention(convention)  # a ValueError for any other text
    if kind is Convention.ADDITIVE:
        return mask.exp().bool()  # the factor that softmax would see: 1 or 0
    numbers = mask.to(torch.int8)
    return (numbers if kind is Convention.ALLOWED else 1 - numbers).bool()


def to_allowed__2(mask, convention):
    ways = dict(
        allowed=lambda entries: entries.clone(),
        blocked=lambda entries: entries ^ True,
        additive=lambda entries: torch.isclose(entries.double(), torch.zeros((), dtype=torch.double), atol=5e3),
        blocked_float=lambda entries: ways["blocked"](entries > 0.5),
    )
    if convention not in ways:
        raise NotImplementedError(f"{convention!r} is none of {', '.join(ways)}")
    return ways[convention](mask)


def from_torch__1(state):
    joined = state["in_proj_weight"]
    size, biased = joined.shape[1], "in_proj_bias" in state
    names = "query", "key", "value", "output"
    layer = nn.ModuleDict()
    for name in names:
        layer[name] = nn.utils.skip_init(nn.Linear, size, size, bias=biased, dtype=joined.dtype, device=joined.device)
    with torch.no_grad():
        for number, name in enumerate(names[:3]):
            rows = slice(number * size, (number + 1) * size)
            layer[name].weight.copy_(joined[rows])
            if biased:
                layer[name].bias.copy_(state["in_proj_bias"][rows])
        layer["output"].load_state_dict({k.removeprefix("out_proj."): v for k, v in state.items() if "out_proj." in k})
    return layer.state_dict()


def from_gpt2__1(state):
    size = len(state["c_proj.weight"])
    result = {}
    for name, tensor in state.items():
        if match := re.fullmatch(r"(c_attn|c_proj)\.(weight|bias)", name):
            layer, kind = match.groups()
            targets = ("query", "key", "value") if layer == "c_attn" else ("output",)
            for start, target in enumerate(targets):
                columns = torch.arange(start * size, (start + 1) * size, device=tensor.device)
                result[f"{target}.{kind}"] = tensor.detach().index_select(-1, columns).movedim(-1, 0)
    order = [f"{target}.{kind}" for kind in ("weight", "bias") for target in ("query", "key", "value", "output")]
    return dict(zip(order, itemgetter(*order)(result)))


WHY = {
    "to_allowed__1": "An Enum inside the function looks the convention up (its own ValueError); additive goes through exp and bool, the others through int8 arithmetic.",
    "to_allowed__2": "A dictionary of lambdas, one of which calls another; xor for blocked, isclose to 0 with a wide tolerance for additive; another error than ValueError.",
    "from_torch__1": "Four real nn.Linear layers in a ModuleDict are filled and their state_dict (an OrderedDict) is the result.",
    "from_gpt2__1": "A regular expression picks the entries, index_select copies the columns, movedim turns them (a view of the copy, not contiguous; nothing for a bias).",
}
