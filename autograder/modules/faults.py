"""What no function can hold: mistakes that show in how a module is built, trained, or called again.

A fault is a function that looks at a learner's class at work, and says whether it is there.
Its name is for the class report, its docstring for the learner, as with misconceptions.
"""

import torch
from torch import nn
from torch.func import functional_call

from ..outcome import ask, same
from .places import projection_of
from .running import as_tensors, built, required, run, weights_for

DROPOUT, TRIES = 0.25, 64  # with 3 heads and 8 queries, a share of zeros that is 0.25 up to 0.07


class Work:
    """A learner's class, the exercise, and what came out of it on each case."""

    def __init__(self, layer_class, exercise, trials):
        self.layer_class, self.exercise, self.trials = layer_class, exercise, trials
        self.inputs = as_tensors(trials[0].inputs)

    def build(self, **options):
        return built(self.layer_class, self.exercise, self.inputs, **options)

    def run(self, layer, **changes):
        return run(layer, self.exercise, self.inputs | changes)


def fault_of(layer_class, exercise, trials):
    """The first fault of a class whose results are right; None if there is none."""
    work = Work(layer_class, exercise, trials)
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(0)
        return next((fault for fault in faults_for(exercise) if fault(work)), None)


def faults_for(exercise):
    """Those that can be looked for in this exercise."""
    found = [registers_a_weight_twice, freezes_its_weights, remembers_an_earlier_call, loses_something_when_saved]
    if "heads" in exercise.sizes:
        found.append(accepts_heads_that_do_not_divide)
    if exercise.dropout is None:
        found.append(drops_though_nobody_asked)
    else:
        found += [drops_in_evaluation, never_drops]
    if exercise.dropout == "weights":
        found += [drops_what_it_should_keep, drops_something_else_than_weights, does_not_make_up_for_what_it_drops]
        found += [returns_weights_after_dropout]
    return found


# Before it can run


def keeps_layers_out_of_sight(layer):
    """Your layer keeps weights where PyTorch does not see them. It looks for modules and parameters among the
    attributes of `self`, but not inside a plain list or dict. So an optimizer would never train them, and they
    would not be saved. Which containers of `torch.nn` are made for that?
    """
    return any(_holds(x, (nn.Module, nn.Parameter)) for x in _attributes(layer).values())


def keeps_weights_as_plain_tensors(layer):
    """Your layer keeps weights as plain tensors, so PyTorch does not know that they are to be learned: no optimizer
    gets them from `parameters()`, and `state_dict()` does not save them. What makes a tensor a weight of its module?
    `nn.Linear` and `nn.Parameter` do.
    """
    return any(_holds(x, torch.Tensor) for x in _attributes(layer).values())


def _attributes(layer):
    """What the learner put there beside modules, parameters and buffers."""
    return {name: x for name, x in vars(layer).items() if name not in vars(nn.Module())}


def _holds(x, kinds):
    """Whether it is of these kinds, or a list or dict that holds one; a tensor with at least two axes."""
    if isinstance(x, (list, tuple, dict)):
        return any(_holds(part, kinds) for part in (x.values() if isinstance(x, dict) else x))
    return isinstance(x, kinds) and getattr(x, "ndim", 2) > 1


def shares_one_projection(layer):
    """Two of your projections are one and the same matrix: change one, and the other changes too. Queries, keys and
    values are three different views of a token, and each learns a matrix of its own. Where do you make the
    projections, and how many `nn.Linear` are made there?
    """
    names = [name for name, _ in layer.named_parameters(remove_duplicate=False)]
    twice = set(names) - {name for name, _ in layer.named_parameters()}
    by_weight = {}
    for name, parameter in layer.named_parameters(remove_duplicate=False):
        by_weight.setdefault(id(parameter), set()).add(projection_of(name))
    return bool(twice) and any(len(projections - {None}) > 1 for projections in by_weight.values())


def wraps_the_layer_of_torch(layer):
    """Your class hands its work to `nn.MultiheadAttention`, the layer that this course teaches you to write. Use
    projections, softmax and the functions that you wrote yourself. Once that works, the lesson compares the two.
    """
    return any(isinstance(part, nn.MultiheadAttention) for part in layer.modules())


# After its results are right


def registers_a_weight_twice(work):
    """Your results are right, but one weight stands under two names in your layer, so `state_dict()` saves it twice,
    and whoever loads it may give the two names different numbers. Keep each `nn.Linear` or `nn.Parameter` as one
    attribute of `self`, not in a second list beside it.
    """
    layer = work.build()
    return len(list(layer.named_parameters(remove_duplicate=False))) > len(list(layer.parameters()))


def freezes_its_weights(work):
    """Your results are right, but some of your weights are frozen: with `requires_grad` False they get no gradient, and
    training leaves them as they are. The weights of a layer are there to be learned.
    """
    return not all(parameter.requires_grad for parameter in work.build().parameters())


def drops_though_nobody_asked(work):
    """Your results are right in evaluation mode, but in train mode they differ from call to call: something is dropped
    at random. This exercise asks for no dropout.
    """
    layer, still = work.build().train(), work.run(work.build())
    return not all(torch.allclose(work.run(layer), still, atol=1e-5) for _ in range(3))


def remembers_an_earlier_call(work):
    """Your results are right when a layer is called once, but a second call with other inputs is influenced by the
    first. Something of the first call, a mask perhaps or a number of tokens, stays behind in an attribute of
    `self`. What belongs to one call lives in variables of `forward`.
    """
    cases = [t for t in work.trials if not t.case.tag and not t.expected.parts]
    layers = {}
    for trial in (*cases, *reversed(cases)):
        sizes = tuple(work.exercise.arguments(trial.inputs).items())
        layers[sizes] = layers.get(sizes) or built(work.layer_class, work.exercise, trial.inputs)
        again = ask(_at(layers[sizes], work.exercise), trial.inputs, "torch", work.exercise.parameters)
        if not same(again, trial.expected, trial.tolerance):
            return True
    return False


def _at(layer, exercise):
    names = required(exercise.parameters)
    return lambda *inputs, **options: run(layer, exercise, dict(zip(names, inputs)) | options)


def loses_something_when_saved(work):
    """Your results are right, but a copy of your layer, made by `copy.load_state_dict(layer.state_dict())`, gives
    other results. So a trained layer could not be saved and loaded. Something that it computes with is neither an
    `nn.Parameter` nor in a module that is an attribute of `self`.
    """
    layer, copy = work.build(), work.build(seed=1)
    copy.load_state_dict(layer.state_dict())
    given = {n: work.inputs[n] for n in work.exercise.forward_parameters if n in work.inputs}
    return not torch.allclose(layer(**given), copy(**given), atol=1e-5, equal_nan=True)


def accepts_heads_that_do_not_divide(work):
    """Your results are right, but your class also accepts a model size of 10 with 3 heads, which cannot be shared out
    evenly. Refuse it in `__init__`, with a ValueError that names both numbers: an error there is easier to
    understand than one of shapes, deep in `forward`.
    """
    arguments = work.exercise.arguments(work.inputs) | dict(model_size=10, heads=3)
    try:
        work.layer_class(**arguments)
    except (NameError, TypeError, AttributeError):
        return True
    except Exception:
        return False
    return True


def drops_in_evaluation(work):
    """Your results are right without dropout, but with `dropout=0.25` your layer also drops after `layer.eval()`.
    Dropout makes training harder on purpose; a trained layer uses all it has. `nn.Dropout` knows by itself which
    mode it is in; the function `F.dropout` has to be told.
    """
    return not torch.allclose(work.run(work.build(dropout=DROPOUT)), work.run(work.build()), atol=1e-5)


def never_drops(work):
    """Your results are right without dropout, but with `dropout=0.25` in train mode nothing is dropped: the result is
    the same as in evaluation. Is the number given to an `nn.Dropout`, and is that applied in `forward`?
    """
    layer = work.build(dropout=DROPOUT).train()
    still = work.run(work.build())
    return all(torch.allclose(work.run(layer), still, atol=1e-5) for _ in range(20))


def _one_key(work, **options):
    """What comes out of train mode if there is one key, values pass through unchanged, and weights are all 1.

    (queries, heads, head_size): a head whose weight was dropped is zero, one that was kept is scaled up.
    """
    heads, size, queries = 3, 4, 8
    one = torch.eye(heads * size)
    inputs = dict(query=torch.randn(TRIES, queries, heads * size), key=torch.ones(TRIES, 1, heads * size), heads=heads)
    inputs |= {f"w_{name}": one for name in ("query", "key", "value", "output")} | options
    layer = built(work.layer_class, work.exercise, inputs, dropout=DROPOUT).train()
    out = functional_call(layer, weights_for(layer, inputs), (inputs["query"], inputs["key"]))
    return out.reshape(TRIES * queries, heads, size)


def _share_of_zeros(out):
    return (out == 0).float().mean().item()


def drops_what_it_should_keep(work):
    """Your results are right without dropout, but with `dropout=0.25` your layer keeps a quarter and drops three
    quarters. The number is the share that is dropped.
    """
    return abs(_share_of_zeros(_one_key(work)) - (1 - DROPOUT)) < 0.07


def drops_something_else_than_weights(work):
    """Your results are right without dropout, but in train mode it is not the attention weights that are dropped.
    Dropout falls on the weights, after softmax and before they mix the values: a dropped weight takes a key from a
    query for once. Where in your `forward` are the finished weights?
    """
    heads_are_dropped_whole = (_one_key(work) == 0).float().mean(dim=-1)
    partly = ((heads_are_dropped_whole > 0) & (heads_are_dropped_whole < 1)).any().item()
    return partly or abs(heads_are_dropped_whole.mean().item() - DROPOUT) > 0.07


def does_not_make_up_for_what_it_drops(work):
    """Your results are right without dropout, but in train mode the weights that are kept stay as they are, so the
    output is smaller on average than in evaluation. What remains has to grow to make up for what is dropped, by 1 /
    (1 - p). `nn.Dropout` does that for you.
    """
    out = _one_key(work)
    return not torch.allclose(out[out != 0], torch.tensor(1 / (1 - DROPOUT)), atol=1e-3)


def returns_weights_after_dropout(work):
    """Your results are right without dropout, but in train mode the weights that you return have holes: some are zero,
    and rows do not sum to 1. Return the weights as softmax made them, before dropout. They are for people to look
    at.
    """
    layer = work.build(dropout=DROPOUT).train()
    wanted = work.run(work.build(), return_weights=True)[1]
    return not all(torch.allclose(work.run(layer, return_weights=True)[1], wanted, atol=1e-5) for _ in range(5))
