"""The worlds that mha_ref is tried in: a library, a dtype, a device."""

from dataclasses import dataclass
from importlib import import_module

import numpy as np
import pytest
from hypothesis import settings
from twin_device import GPU

settings.register_profile("reference", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("reference")


@dataclass(frozen=True)
class World:
    """Where arrays live while mha_ref computes on them."""

    library: str
    dtype: str
    device: str | None = None

    def __str__(self):
        return "-".join(filter(None, (self.library, self.dtype, self.device)))

    @property
    def xp(self):
        return import_module(self.library)

    @property
    def tolerance(self):
        """Sixteen roundings of a number of size one."""
        return 16 * {"bfloat16": 2**-7, "float16": 2**-10, "float32": 2**-23, "float64": 2**-52}[self.dtype]

    def carry(self, x):
        """A copy of a NumPy array in this world, floats in its dtype; all else is left as it is."""
        if not isinstance(x, np.ndarray):
            return x
        dtype = getattr(self.xp, self.dtype) if x.dtype == float else None
        device = self.xp.Device(self.device) if self.library == "array_api_strict" and self.device else self.device
        return self.xp.asarray(x.copy(), dtype=dtype, device=device)

    def back(self, x):
        """A copy of an array of this world as NumPy, in the widest dtype of its kind."""
        if self.library == "torch":
            x = (x.double() if x.is_floating_point() else x).cpu()
        elif self.library == "array_api_strict":
            x = x.to_device(self.xp.Device("CPU_DEVICE"))
        x = np.asarray(x)
        return x.astype({"b": bool, "i": int}.get(x.dtype.kind, float))

    def rounded(self, x):
        """The same NumPy array with only the digits that this world has."""
        return self.back(self.carry(x)) if isinstance(x, np.ndarray) else x


JAX = World("jax.numpy", "float32")  # it compiles each function for each shape, which takes its time
WORLDS = [
    *(World("numpy", dtype) for dtype in ("float16", "float32", "float64")),
    *(World("torch", dtype) for dtype in ("float16", "bfloat16", "float32", "float64")),
    *(World("array_api_strict", dtype, "device1") for dtype in ("float32", "float64")),
    JAX,
    *(World("torch", dtype, GPU) for dtype in ("float16", "bfloat16", "float32", "float64")),
]


def marks(world):
    return pytest.mark.gpu if world.device == GPU else pytest.mark.nightly if world == JAX else ()


@pytest.fixture(params=[pytest.param(world, marks=marks(world), id=str(world)) for world in WORLDS])
def world(request):
    """Each library, dtype and device in turn; what this machine lacks is skipped and says so."""
    return there(request.param)


@pytest.fixture
def jax():
    return there(JAX)


def there(world):
    pytest.importorskip(world.library, reason=f"{world.library} is not installed")
    return world
