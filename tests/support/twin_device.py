"""The device that tests take for a GPU: CUDA where there is one, else a twin that computes on the CPU.

A tensor of the twin holds one on the CPU, and says that it is on "twin:0". It refuses what CUDA refuses: to meet a
tensor on another device, and to be read by NumPy. What it cannot show is how a GPU rounds, or which kernels it takes.
"""

from functools import partial

import torch
from torch.utils._pytree import tree_leaves, tree_map
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

GPU = "cuda" if torch.cuda.is_available() else "twin"
MAY_CROSS = ("aten::_to_copy", "aten::copy_", "aten::_copy_from")  # between devices: that is what they are for
INDICES_FROM_THE_CPU = ("aten::index", "aten::index_put_", "aten::_index_put_impl_")  # CUDA copies these itself
aten = torch.ops.aten
BY_NAME = (  # torch calls these before it looks for the fallback
    *(aten._to_copy.default, aten._copy_from.default, aten.copy_.default, aten._local_scalar_dense.default),
    *(aten.fill_.Scalar, aten.zero_.default, aten.detach.default, aten.alias.default),
    *(aten.view.default, aten.as_strided.default),
    # and these would make an empty tensor and enlarge it, which a Twin cannot follow
    *(aten.arange.default, aten.arange.start, aten.arange.start_step, aten.eye.default, aten.eye.m),
)
TWO_DEVICES = "Expected all tensors to be on the same device, but found at least two devices, twin:0 and cpu! ({})"
NO_NUMPY = "can't convert twin:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."


class Twin(torch.Tensor):
    """A tensor on the twin, with the same numbers in `.on_cpu`."""

    __torch_function__ = torch._C._disabled_torch_function_impl  # as for any tensor: nothing happens above the ops

    @staticmethod
    def __new__(cls, on_cpu):
        layout = {"strides": on_cpu.stride(), "storage_offset": on_cpu.storage_offset(), "dtype": on_cpu.dtype}
        made = torch.Tensor._make_wrapper_subclass(cls, on_cpu.size(), device=torch.device("twin:0"), **layout)
        made.on_cpu = on_cpu
        return made

    @classmethod
    def __torch_dispatch__(cls, op, types, args=(), kwargs=None):
        return on_the_twin(op, *args, **kwargs or {})

    def __repr__(self):
        return f"{self.on_cpu.detach()!r} on the twin"

    def numpy(self, **_):  # torch would read the memory of the wrapper, which has none
        raise TypeError(NO_NUMPY)

    def __array__(self, *_, **__):
        raise TypeError(NO_NUMPY)

    def tolist(self):  # this and the format copy to the CPU themselves, below what Python sees
        return self.on_cpu.tolist()

    def __format__(self, spec):
        return format(self.on_cpu.detach(), spec)


def cpu_of(x):
    return x.on_cpu if isinstance(x, Twin) else x


def refuse_two_devices(op, tensors):
    """A tensor on the CPU may come along if it is a single number without axes, or an index: as for CUDA."""
    alone = [x for x in tensors if not isinstance(x, Twin) and x.dim()]
    if len(alone) < len(tensors) and alone and op not in MAY_CROSS + INDICES_FROM_THE_CPU:
        if any(isinstance(x, Twin) for x in tensors):
            raise RuntimeError(TWO_DEVICES.format(op))


def on_the_twin(op, *args, **kwargs):
    """Compute on the CPU; what comes out is on the twin if `device=` says so, or else if an input was."""
    name, leaves = op._schema.name, tree_leaves((args, kwargs))
    tensors = [x for x in leaves if isinstance(x, torch.Tensor)]
    refuse_two_devices(name, tensors)
    here = isinstance(args[0], Twin) if name == "aten::copy_" else any(isinstance(x, Twin) for x in tensors)
    if kwargs.get("device") is not None:
        here, kwargs = torch.device(kwargs["device"]).type == "twin", kwargs | {"device": torch.device("cpu")}
    out = op(*tree_map(cpu_of, args), **tree_map(cpu_of, kwargs))
    if not here:
        return out
    known = {id(cpu_of(x)): x for x in tensors}  # an op in place returns the tensor that it was given
    out = tree_map(lambda x: known.get(id(x), Twin(x)) if torch.is_tensor(x) else x, out)
    assert all(x.shape == cpu_of(x).shape for x in tree_leaves(out) if torch.is_tensor(x)), f"{name} resizes a tensor"
    return out


def new(make):
    """An op that makes a tensor of nothing, so that no Twin is asked for it; its other options are of no use here."""
    return lambda *sizes, dtype=None, **_: Twin(make(*sizes, dtype=dtype, device="cpu"))


def read_to_the_cpu(storage, location):
    """A file's numbers stay there: `load_state_dict` copies them to where the module is."""
    return storage if location.startswith("twin") else None


def register():
    """Let torch know the device. What is registered must be kept, or torch forgets it."""
    _setup_privateuseone_for_python_backend("twin")
    torch.twin.get_rng_state = lambda device=None: torch.get_rng_state()  # it draws as the CPU does, so
    torch.twin.set_rng_state = lambda state, device=None: None  # `torch.random.fork_rng` restores both at once
    named, others = (torch.library.Library(name, "IMPL", "PrivateUse1") for name in ("aten", "_"))
    others.fallback(on_the_twin)
    named.impl("empty.memory_format", new(torch.empty))
    named.impl("empty_strided", new(torch.empty_strided))
    for op in BY_NAME:
        named.impl(op.name(), partial(on_the_twin, op))
    torch.serialization.register_package(0, lambda _: None, read_to_the_cpu)
    return named, others


if GPU == "twin":
    REGISTERED = register()
