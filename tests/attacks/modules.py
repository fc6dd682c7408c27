"""Classes that lie: what they hold, what they do, and what they are."""

from .attack import BATCHED, NOTHING, ONE_HEAD, WHATEVER, family

ATTACKS = []
attack = family("modules", ATTACKS)


@attack("AttentionHead", lesson=ONE_HEAD)
def a_metaclass_agrees():
    """The class is an instance of something that equals and contains everything."""

    class Meta(type):
        def __eq__(cls, other):
            return True

        def __instancecheck__(cls, thing):
            return True

        def __subclasscheck__(cls, other):
            return True

        __hash__ = type.__hash__

    class AttentionHead(nn.Module, metaclass=Meta):
        def __init__(self, model_size, head_size):
            super().__init__()

        def forward(self, x, mask=None):
            return x


@attack("AttentionHead", lesson=ONE_HEAD)
def making_one_never_ends():
    """Its constructor loops."""

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            super().__init__()
            while True:
                pass

        def forward(self, x, mask=None):
            return x


@attack("AttentionHead", lesson=ONE_HEAD)
def making_one_exits():
    """Its constructor ends the process."""

    class AttentionHead(nn.Module):
        def __new__(cls, *args, **kwargs):
            import os

            os._exit(0)

        def __init__(self, model_size, head_size):
            pass

        def forward(self, x, mask=None):
            return x


@attack("AttentionHead", lesson=ONE_HEAD)
def it_has_every_attribute():
    """Whatever is asked of it, it gives back itself."""

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            pass

        def __getattr__(self, name):
            return self

        def __call__(self, *args, **kwargs):
            return self

        def forward(self, x, mask=None):
            return x


@attack("AttentionHead", lesson=ONE_HEAD)
def its_methods_have_names_that_matter():
    """Methods that Python calls by itself, and those by which a judge looks at a layer."""

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            nn.Module.__init__(self)

        def named_parameters(self, *args, **kwargs):
            raise SystemExit

        __del__ = __hash__ = __eq__ = __repr__ = __len__ = __bool__ = __dir__ = named_parameters
        parameters = named_modules = modules = buffers = register_parameter = named_parameters

        def forward(self, x, mask=None):
            return x


@attack("AttentionHead", lesson=ONE_HEAD)
def asking_for_any_attribute_fails():
    """`__getattribute__` itself, on the object and on its class."""

    class Meta(type):
        def __getattribute__(cls, name):
            if name.startswith("__") and name not in ("__mro__", "__dict__"):
                return type.__getattribute__(cls, name)
            raise SystemExit(name)

    class AttentionHead(nn.Module, metaclass=Meta):
        def __init__(self, model_size, head_size):
            pass

        def __getattribute__(self, name):
            raise SystemExit(name)

        def forward(self, x, mask=None):
            return x


@attack("AttentionHead", lesson=ONE_HEAD)
def its_weights_are_forged():
    """Its state is not what it computes with, and loading does nothing."""

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            super().__init__()
            self.query = self.key = self.value = nn.Linear(model_size, head_size, bias=False)

        def state_dict(self, *args, **kwargs):
            return {f"{name}.weight": torch.zeros(2**20, 0) for name in ("query", "key", "value")}

        def load_state_dict(self, *args, **kwargs):
            return None

        def named_parameters(self, *args, **kwargs):
            while True:
                yield "query", self.query.weight

        parameters = named_modules = named_parameters

        def forward(self, x, mask=None):
            return x[..., :1]


@attack("AttentionHead", lesson=ONE_HEAD)
def its_names_are_odd():
    """Parameters called after methods, paths and dots, and thousands of them."""

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            super().__init__()
            for n in range(3000):
                self._parameters[f"../{n}.__class__\n<script>"] = nn.Parameter(torch.zeros(1))
            self._parameters[""] = self._parameters["forward"] = nn.Parameter(torch.zeros(2))

        def forward(self, x, mask=None):
            return x


@attack("AttentionHead", lesson=ONE_HEAD)
def its_tensors_are_no_tensors():
    """A subclass of tensors that answers every function of torch."""

    class Lying(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            return True if "equal" in function.__name__ or "close" in function.__name__ else args[0]

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            super().__init__()
            self.query = nn.Parameter(torch.zeros(model_size, head_size))
            self.key = nn.Parameter(torch.zeros(model_size, head_size))
            self.value = nn.Parameter(torch.zeros(model_size, head_size))

        def forward(self, x, mask=None):
            return x.as_subclass(Lying)


@attack("AttentionHead", lesson=ONE_HEAD)
def its_tensors_lie_nowhere():
    """Tensors without memory, sparse ones, quantised ones, and some of 2^60 numbers."""

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            super().__init__()
            self.query = nn.Linear(model_size, head_size, bias=False, device="meta")
            self.key = nn.Linear(model_size, head_size, bias=False, device="meta")
            self.value = nn.Linear(model_size, head_size, bias=False, device="meta")

        def forward(self, x, mask=None):
            odd = [torch.empty(2**60, device="meta"), torch.zeros(3, 3).to_sparse(), torch.zeros(1).expand(2**40)]
            return odd[x.ndim % 3]


@attack("AttentionHead", lesson=ONE_HEAD)
def its_gradients_lie():
    """A function of autograd whose way back loops, or gives everybody something."""

    class Back(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, gradient):
            while True:
                pass

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            super().__init__()
            self.query = nn.Linear(model_size, head_size, bias=False)
            self.key = nn.Linear(model_size, head_size, bias=False)
            self.value = nn.Linear(model_size, head_size, bias=False)

        def forward(self, x, mask=None):
            return Back.apply(masked_attention(self.query(x), self.key(x), self.value(x), mask))


@attack("AttentionHead", lesson=ONE_HEAD)
def its_hooks_run_elsewhere():
    """Hooks on tensors and modules that exit in the middle of what others do."""

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            super().__init__()
            self.query = nn.Linear(model_size, head_size, bias=False)
            self.key = nn.Linear(model_size, head_size, bias=False)
            self.value = nn.Linear(model_size, head_size, bias=False)
            self.register_forward_hook(lambda *args: (_ for _ in ()).throw(SystemExit("hook")))
            self.register_load_state_dict_post_hook(lambda *args: (_ for _ in ()).throw(SystemExit("hook")))

        def forward(self, x, mask=None):
            return masked_attention(self.query(x), self.key(x), self.value(x), mask)


@attack("AttentionHead", lesson=ONE_HEAD, rest=NOTHING)
def torch_finds_everything_equal():
    """The comparators of torch say yes, and random numbers are all the same."""
    torch.equal = torch.allclose = torch.isclose = lambda *a, **k: True
    torch.randn = torch.rand = torch.zeros
    torch.Tensor.__eq__ = torch.Tensor.eq = lambda self, other: True
    torch.autograd.gradcheck = lambda *a, **k: True
    nn.Module.__call__ = lambda self, x, *a, **k: x
    nn.Module.state_dict = lambda self, *a, **k: {}

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            super().__init__()

        def forward(self, x, mask=None):
            return x


@attack("AttentionHead", lesson=ONE_HEAD, rest=NOTHING)
def it_is_the_layer_of_the_course():
    """The course keeps its own."""
    from mha_ref.layer import AttentionHead


@attack("MultiHeadAttention", lesson=BATCHED, rest=NOTHING)
def it_is_the_larger_layer_of_the_course():
    """The same for the large layer, found by a way round."""
    import importlib

    MultiHeadAttention = importlib.import_module("mha_ref.layer").MultiHeadAttention


@attack("AttentionHead", lesson=ONE_HEAD)
def it_saves_and_loads_pickles():
    """Somebody may save it, and loading runs a command."""

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            super().__init__()
            self.query = nn.Linear(model_size, head_size, bias=False)
            self.key = nn.Linear(model_size, head_size, bias=False)
            self.value = nn.Linear(model_size, head_size, bias=False)

        def __reduce__(self):
            import os

            return os.system, ("touch {canary}/pickled",)

        __deepcopy__ = __getstate__ = get_extra_state = lambda self, *a: self.__reduce__()

        def forward(self, x, mask=None):
            return x


@attack("multi_head_attention", lesson=BATCHED, rest=NOTHING, deserves=dict(multi_head_attention=WHATEVER))
def all_heads_in_one_call_by_half_its_name():
    """Torch's own function is seen by its name, and here no code has the whole of it: docs/grading.md says so."""
    import torch

    def multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
        at_once = getattr(torch.nn.functional, "multi_head_" + "attention_forward")
        q, k, v = (x.transpose(0, 1) for x in (query, key, value))
        blocked = None
        if mask is not None:
            allowed = mask.expand(len(query), heads, len(q), len(k)).reshape(-1, len(q), len(k))
            allowed = torch.cat([allowed, ~allowed.any(-1, keepdim=True)], -1)  # who may look at no key has a zero
            k, v = (torch.cat([x, x.new_zeros(1, *x.shape[1:])]) for x in (k, v))
            blocked = torch.zeros(allowed.shape, dtype=query.dtype).masked_fill(~allowed, float("-inf"))
        weights = dict(q_proj_weight=w_query.T, k_proj_weight=w_key.T, v_proj_weight=w_value.T)
        no = dict.fromkeys(("in_proj_weight", "in_proj_bias", "bias_k", "bias_v", "out_proj_bias"))
        no |= dict(add_zero_attn=False, dropout_p=0.0, use_separate_proj_weight=True)
        size = dict(embed_dim_to_check=query.shape[-1], num_heads=heads)
        result, _ = at_once(q, k, v, **size, **no, **weights, out_proj_weight=w_output.T, attn_mask=blocked)
        return result.transpose(0, 1)


@attack("AttentionHead", lesson=ONE_HEAD)
def its_parts_have_a_trillion_names():
    """Two parts that both hold two others, which both hold two others: whoever goes all ways is at it for ever."""

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            super().__init__()
            self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))
            self.parts = nn.ModuleList(nn.Module() for _ in range(80))
            for n, part in enumerate(self.parts):
                for below in list(self.parts)[: n // 2 * 2][-2:]:
                    part.add_module(str(id(below)), below)

        def train(self, mode=True):
            return self

        def forward(self, x, mask=None):
            return x
