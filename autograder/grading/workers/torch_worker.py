"""The worker of a lesson in torch: it knows tensors, layers and gradients, too."""

import linecache
from contextlib import contextmanager, nullcontext
from functools import partial, wraps
from importlib import import_module
from itertools import chain

import torch
from torch.nn.parameter import UninitializedTensorMixin

from ...judging.layers.contents import LOOKS, exchanged, forward, gradients, learning, tensors_made
from ...judging.results import to_array
from ...judging.running import caught_output, quiet
from ...outline import outline
from . import worker

worker.WATCHED |= {"tensors_made": tensors_made}
worker.LOOKS |= LOOKS
MOST_LAYERS = 8  # are kept, since each may hold a large mask: the judge makes many, and looks at one or two
TOOLS = {  # exercise -> the modules that come with it
    name: [import_module(module) for module in modules] for name, modules in outline().worker.get("with", {}).items()
}


def prepare():
    """Prepare a worker while files can still be read, in one thread."""
    torch.set_num_threads(1)
    torch.compiler.set_stance("force_eager")  # compilers cannot be called in a sandbox
    stay_on_the_cpu()
    for module in chain(*TOOLS.values()):  # lessons look at the source of these, when files can no longer be read
        lines = linecache.getlines(module.__file__)
        linecache.cache[module.__file__] = len(lines), None, lines, module.__file__  # None: it stays, whatever the time
    worker.prepare()


def serve(socket):
    TorchWorker(socket).converse()


class TorchWorker(worker.Worker):
    """Adds what the examiner asks about layers, and about gradients."""

    def __init__(self, socket):
        super().__init__(socket)
        self.layers = []  # the numbers of those that are kept
        self.received = []  # what models of the examiner made for the call that runs, for gradients

    def do_begin(self, taught):
        """Begin with what was taught, and with tools that are made of it, but not with what these have imported."""
        torch.manual_seed(0)
        rooms = [(module.__name__, vars(module)) for exercise in taught for module in TOOLS.get(exercise, ())]
        tools = [name for room, there in rooms for name, x in there.items() if getattr(x, "__module__", None) == room]
        super().do_begin([*taught, *tools])

    def do_build(self, at, inputs, options, seed, seconds):
        with quiet(), caught_output(), seeded(seed), self.watchdog.limit(seconds):
            number = self._kept(self.objects[at](*inputs, **options))
        self.layers.append(number)
        if len(self.layers) > MOST_LAYERS:
            del self.objects[self.layers.pop(0)]
        return {"value": number}

    def do_call(self, at, inputs, options, seconds, look=None, weights=None, seed=0):
        """Reply with what a function, or a layer with these weights in the place of its own, makes of inputs."""
        if weights is None:
            return super().do_call(at, inputs, options, seconds, look)
        layer, leaves = self.objects[at], [*inputs, *options.values(), *weights.values()]
        with seeded(seed):
            run = partial(forward, layer, weights, inputs, options)
            return self._done(run, leaves, seconds, look, type(layer).forward)

    def do_look(self, *about, **details):
        with seeded(0):
            return super().do_look(*about, **details)

    def do_gradients(self, at, inputs, options, weights, seed, seconds):
        """Reply with what reaches inputs, weights in a layer's places, and what models of the examiner made."""
        function, leaves, self.received = self.objects[at], [*inputs, *options.values(), *(weights or {}).values()], []
        around = nullcontext() if weights is None else exchanged(function.to(inputs[0].dtype), weights)
        with quiet(), caught_output(), torch.enable_grad(), seeded(seed), self.watchdog.limit(seconds), around:
            value = function(*inputs, **options)
            found = gradients(value, learning([*leaves, *self.received]))
        return {"gradients": [None if gradient is None else to_array(gradient) for gradient in found]}

    def _done(self, *details):
        with torch.enable_grad():
            return super()._done(*details)

    def _over_there(self, number):
        """Return an implementation through which gradients flow: they are asked for over there, too."""
        run = super()._over_there(number)

        def implementation(*inputs, **options):
            value, leaves = run(*inputs, **options), [*inputs, *options.values()]
            if learning([value]):
                self.received.append(value)
                value = value.clone()  # a leaf that learns may not be changed in place
            places = [n for n, x in enumerate(leaves) if learning([x])]
            if not (places and torch.is_grad_enabled()):
                return value
            call = dict(callback=number, inputs=inputs, options=options, learning=places)

            def found_there(directions):
                return self._ask_back(**call, directions=list(directions))["value"]

            parts = value if isinstance(value, (tuple, list)) else [value]
            made = [part for part in parts if isinstance(part, torch.Tensor) and part.is_floating_point()]
            tied = Bridge.apply(found_there, made, *(leaves[n] for n in places))
            return _replaced(value, {id(part): one for part, one in zip(made, tied)})

        return implementation

    def _find(self, description):
        """Find what the examiner sends, tensors included."""
        if description["_is"] == "tensor":
            made = torch.from_numpy(description["numbers"])
            made = made.bfloat16() if description["bfloat16"] else made
            return made.requires_grad_(description["learns"])
        return super()._find(description)


class Bridge(torch.autograd.Function):
    """Forward has been done at the other end; backward asks there."""

    @staticmethod
    def forward(ctx, found_there, results, *learning):
        ctx.found_there = found_there
        ctx.set_materialize_grads(False)
        return tuple(results)

    @staticmethod
    def backward(ctx, *directions):
        return None, None, *ctx.found_there(directions)


def _replaced(value, places):
    if isinstance(value, (tuple, list)):
        return type(value)(_replaced(item, places) for item in value)
    return places.get(id(value), value)


@contextmanager
def seeded(seed):
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        yield


def stay_on_the_cpu():
    """Let `cuda`, `to` and `set_default_device` take the CPU for a GPU, if torch finds none."""
    if torch.cuda.is_available():
        return
    for kind in (torch.Tensor, torch.nn.Module):
        kind.cuda = lambda self, *_, **__: self
        kind.to = to_the_cpu(kind.to)
    UninitializedTensorMixin._allowed_methods += [torch.Tensor.cuda, torch.Tensor.to]  # of lazy layers' weights
    torch.set_default_device = to_the_cpu(torch.set_default_device)


def to_the_cpu(move):
    """Make the same function, with the CPU in place of each GPU that it is given."""

    @wraps(move)
    def moved(*inputs, **options):
        inputs = ["cpu" if is_gpu(x) else x for x in inputs]
        return move(*inputs, **{name: "cpu" if is_gpu(x) else x for name, x in options.items()})

    return moved


def is_gpu(x):
    return isinstance(x, (str, torch.device)) and str(x).startswith("cuda")
