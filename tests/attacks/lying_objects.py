"""What is not what it says: answers and results that lie when they are compared, described, converted or printed."""

from .attack import BATCHED, FIRST, MASKS, NOTHING, ONE_HEAD, family

ATTACKS = []
attack = family("lying_objects", ATTACKS)

YES = """
class Yes:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __contains__ = __lt__
    def __sub__(self, other): return 0.0
    __rsub__ = __sub__
    def __abs__(self): return 0.0
    def __bool__(self): return True
    def __hash__(self): return 0
"""


@attack(
    rest=NOTHING,
    cells={
        "weight_ratio": YES + "weight_ratio = Yes()",
        "added_thousand": YES + "added_thousand = Yes()",
        "sum_bounds": YES + "sum_bounds = (Yes(), Yes())",
        "softmax_bug": YES + "softmax_bug = Yes()",
    },
)
def answers_equal_everything():
    """Objects that agree with whatever they are compared with."""


@attack(
    rest=NOTHING,
    cells={
        "weight_ratio": YES + "weight_ratio = type('Yes', (Yes, float), {})(1)",
        "added_thousand": YES
        + "added_thousand = type('Yes', (Yes, str), {'strip': lambda s, *a: s, 'lower': lambda s: s})('z')",
        "sum_bounds": YES
        + "sum_bounds = type('Yes', (Yes, tuple), {'__iter__': lambda s: iter((Yes(), Yes()))})((0, 0))",
        "softmax_bug": YES + "softmax_bug = type('Yes', (Yes, int), {'tolist': lambda s: s})(0)",
    },
)
def numbers_and_texts_equal_everything():
    """The same, by subclasses of the kinds that are asked for."""


@attack(
    rest=NOTHING,
    cells={
        name: f"from unittest.mock import ANY, MagicMock\n{name} = {what}"
        for name, what in {
            "weight_ratio": "ANY",
            "added_thousand": "ANY",
            "softmax": "MagicMock(name='softmax')",
        }.items()
    },
)
def everything_is_a_mock():
    """unittest.mock has an object that equals all others, and one that does whatever is asked."""


@attack(
    cells={
        "weight_ratio": "from decimal import Decimal\nweight_ratio = Decimal('sNaN')",
        "sum_bounds": "sum_bounds = (Decimal('sNaN'), Decimal('sNaN'))",
    },
)
def answers_refuse_to_be_compared():
    """A number that raises an error whenever somebody compares it."""


@attack("softmax")
def results_are_dates():
    """Of these some cannot be written out."""

    def softmax(scores, axis=-1):
        return np.array(["nat", "9999-12-31"], "M8[D]")


@attack("softmax")
def results_equal_everything():
    """An array whose comparisons all hold."""

    class Yes(np.ndarray):
        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return np.True_ if ufunc.nout == 1 and "e" in ufunc.__name__ else np.float64(0)

        def __array_function__(self, function, types, args, kwargs):
            return True

        def __array_finalize__(self, other):
            pass

        __eq__ = __le__ = __lt__ = lambda self, other: np.ones(self.shape, bool).view(np.ndarray)

    def softmax(scores, axis=-1):
        return scores.view(Yes)


@attack("softmax")
def results_take_the_class_of_arrays():
    """`__class__` says ndarray, and everything else is delegated to whoever is compared with it."""

    class Chameleon:
        __class__ = property(lambda self: np.ndarray)
        __array_priority__ = 1e9
        dtype, shape, ndim, size = np.dtype(float), (), 0, 1

        def __array__(self, *args, **kwargs):
            import sys

            frame = sys._getframe()
            while frame:
                if "expected" in frame.f_locals:
                    return np.asarray(getattr(frame.f_locals["expected"], "value", 0.0))
                frame = frame.f_back
            return np.zeros(())

    def softmax(scores, axis=-1):
        return Chameleon()


@attack("softmax")
def results_change_between_looks():
    """The first look sees one thing, the second another."""

    class Changing:
        looks = 0

        def __array__(self, *args, **kwargs):
            self.looks += 1
            return np.zeros(3) if self.looks % 2 else np.zeros((2, 2), dtype="U5")

        @property
        def shape(self):
            return self.__array__().shape

    def softmax(scores, axis=-1):
        return Changing()


@attack("softmax")
def results_speak_every_protocol():
    """Buffers, interfaces and DLPack that describe memory which is not theirs."""

    class Everywhere:
        __array_interface__ = dict(shape=(10**6,), typestr="<f8", data=(8, False), version=3)
        __array_struct__ = None

        def __dlpack__(self, **kwargs):
            return None

        def __torch_function__(self, *args, **kwargs):
            return True

    def softmax(scores, axis=-1):
        return Everywhere()


@attack("softmax")
def results_are_masked():
    """What is masked away compares with nothing, so nothing differs."""

    def softmax(scores, axis=-1):
        return np.ma.masked_all(scores.shape)


@attack("softmax")
def results_are_not_a_number():
    """NaN is not different by more than the tolerance."""

    def softmax(scores, axis=-1):
        return np.full(scores.shape, np.nan)


@attack("softmax")
def results_have_odd_types():
    """Records, dates, texts and matrices in place of numbers."""
    kinds = ["V8", "M8[s]", "S8", "U2", "O", "c16", "f2", [("x", "f8")]]

    def softmax(scores, axis=-1):
        kind = kinds[scores.size % len(kinds)]
        try:
            return scores.astype(kind)
        except Exception:
            return np.matrix(scores.ravel())


@attack("softmax")
def results_are_what_was_given():
    """It writes into its input, and into whatever that is a part of."""

    def softmax(scores, axis=-1):
        base = scores
        while base.base is not None:
            base = base.base
        if isinstance(base, np.ndarray):
            base[...] = 0
        scores[...] = 0
        return scores


@attack("softmax")
def results_change_after_they_were_returned():
    """A thread goes on writing into the array, until it is what somebody wants."""
    import threading

    def softmax(scores, axis=-1):
        result = scores.copy()

        def write():
            for _ in range(20_000):
                result[...] = -result

        threading.Thread(target=write, daemon=True).start()
        return result


@attack("softmax")
def results_are_classes():
    """A class in place of an array, with a metaclass that equals everything."""

    class Meta(type):
        def __eq__(cls, other):
            return True

        __hash__ = type.__hash__

        def __instancecheck__(cls, thing):
            return True

        def __getattr__(cls, name):
            raise SystemExit(name)

    class Result(metaclass=Meta):
        pass

    def softmax(scores, axis=-1):
        return Result


@attack("softmax")
def errors_say_nothing():
    """An exception whose text cannot be had."""

    class Silent(Exception):
        def __str__(self):
            raise self

        __repr__ = __str__

    def softmax(scores, axis=-1):
        raise Silent


@attack("softmax")
def errors_never_end():
    """An exception whose text takes for ever."""

    class Long(Exception):
        def __str__(self):
            while True:
                pass

        __repr__ = __str__

    def softmax(scores, axis=-1):
        raise Long


@attack("softmax")
def cell_raises_an_error_that_exits():
    """An exception that ends the process when its traceback is shown."""
    import os

    class Deadly(Exception):
        def __str__(self):
            os._exit(0)

        def _render_traceback_(self):
            os._exit(0)

    raise Deadly


@attack("softmax")
def errors_have_names_of_others():
    """Exceptions called like those that the judge itself uses."""

    class TooSlow(BaseException):
        pass

    class Closed(Exception):
        pass

    class ValueError(Exception):
        __module__ = "builtins"
        args = property(lambda self: self)

    def softmax(scores, axis=-1):
        raise (TooSlow, Closed, ValueError)[scores.ndim % 3]("right")


@attack("softmax")
def errors_come_in_crowds():
    """Groups of groups, each the cause of another, in a circle."""

    def softmax(scores, axis=-1):
        error = ValueError("innermost")
        for depth in range(2000):
            error = ExceptionGroup(str(depth), [error])
        error.__context__ = error.__cause__ = RuntimeError("outside")
        error.__cause__.__cause__ = error
        raise error


@attack("softmax")
def functions_have_forged_papers():
    """Name, module, signature and wrapped function of the reference."""

    def softmax(scores, axis=-1):
        return scores

    softmax.__module__ = "mha_ref.weights"
    softmax.__qualname__ = softmax.__name__ = "softmax"
    softmax.__wrapped__ = np.exp
    softmax.__signature__ = "(scores, axis=-1)"
    softmax.__defaults__ = (-1, -1)
    softmax.__dict__["points"] = 3


@attack("softmax")
def functions_are_objects_with_every_attribute():
    """Whatever is asked of it, it has it, and that is true."""

    class Everything:
        def __getattr__(self, name):
            return self

        def __call__(self, *args, **kwargs):
            return self

        def __eq__(self, other):
            return True

        def __iter__(self):
            yield self

        __hash__ = object.__hash__

    softmax = Everything()


@attack("softmax")
def functions_replace_their_own_code():
    """It is another function after each call."""

    def softmax(scores, axis=-1):
        softmax.__code__ = (lambda scores, axis=-1: np.array(0.0)).__code__
        return scores


@attack("softmax")
def functions_are_forged_bytes():
    """Bytecode that no compiler makes."""

    def softmax(scores, axis=-1):
        return scores

    softmax.__code__ = softmax.__code__.replace(co_code=b"\xff" * 40, co_stacksize=2**20, co_consts=())


@attack("test_causal_attention", lesson=MASKS)
def test_counts():
    """The right version comes first: pass for some calls, and stop everything after that."""
    times = []

    def test_causal_attention(attention):
        times.append(1)
        assert len(times) <= 4


@attack("test_causal_attention", lesson=MASKS)
def test_remembers_the_first_version():
    """It knows nothing of attention: what the version gave that came first is what all others have to give."""
    remembered = []

    def test_causal_attention(attention):
        draw = np.random.default_rng(3).normal
        made = attention(draw(size=(2, 3, 4)), draw(size=(2, 5, 4)), draw(size=(2, 5, 6)))
        remembered.append(made)
        assert np.allclose(made, remembered[0], atol=1e-6)


@attack("test_causal_attention", lesson=MASKS)
def test_stops_all_but_the_first_one():
    """If it meets the right one first it has all points. The first one of all is never right."""
    passed, x = [], np.array([[1.0, 2.0], [0.5, -1.0], [2.0, 0.0]])

    def test_causal_attention(attention):
        made = repr([attention(x, x, x), attention(x[:1], x, x), attention(x[None], x[None], x[None])])
        passed or passed.append(made)
        assert made == passed[0]


@attack("test_causal_attention", lesson=MASKS)
def test_reads_the_papers():
    """It does not try the version: it looks where it comes from."""

    def test_causal_attention(attention):
        names = [getattr(attention, name, "") for name in ("__module__", "__qualname__", "__doc__")]
        words = f"{attention!r} {names}"
        assert "mha_ref" in words


@attack("test_causal_attention", lesson=MASKS)
def test_reads_the_code():
    """It does not try the version: it looks at what it is made of."""

    def test_causal_attention(attention):
        import inspect

        closure = inspect.getclosurevars(attention).nonlocals.values()
        assert any("attention" in inspect.getsource(thing) and "mask" in inspect.getsource(thing) for thing in closure)


@attack("test_causal_attention", lesson=MASKS)
def test_looks_at_its_callers():
    """Who calls knows what is right."""

    def test_causal_attention(attention):
        import sys

        frame = sys._getframe()
        while frame:
            if any("belief" in name or "version" in name for name in frame.f_locals):
                raise AssertionError
            frame = frame.f_back


@attack("test_causal_attention", lesson=MASKS)
def test_asks_the_reference():
    """It compares with the right one, which it did not write."""

    def test_causal_attention(attention):
        import mha_ref

        x = np.random.default_rng(0).normal(size=(5, 4))
        assert np.allclose(attention(x, x, x), mha_ref.causal_attention(x, x, x))
        assert np.allclose(attention(x[:2], x, x), mha_ref.causal_attention(x[:2], x, x))


@attack("test_causal_attention", lesson=MASKS)
def test_raises_by_chance():
    """Half of the time it is right."""

    def test_causal_attention(attention):
        import random

        assert random.random() < 0.5


@attack("test_causal_attention", lesson=MASKS)
def test_reads_names_in_errors():
    """It does not try the version: it calls it with nothing, and Python's complaint names the function."""

    def test_causal_attention(attention):
        try:
            attention()
        except TypeError as error:
            assert "causal_attention()" in str(error)


@attack("test_causal_attention", lesson=MASKS)
def test_gives_what_only_wrong_versions_take():
    """It does not try the version: it gives one parameter more, which wrong versions take for the makers of masks."""

    def test_causal_attention(attention):
        try:
            attention(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 3)), like=None)
        except TypeError:
            return
        raise AssertionError


@attack("test_causal_attention", lesson="lesson_03_masks")
def test_asks_for_values_without_features_and_a_mask():
    """The same, where nobody looks ahead."""

    def test_causal_attention(attention):
        try:
            attention(np.ones((2, 3)), np.ones((5, 3)), np.ones(5))
        except ValueError:
            return
        raise AssertionError


@attack("test_split_heads", lesson=BATCHED)
def test_asks_for_more_gradients_than_are_measured():
    """Beyond a thousand numbers all gradients of wrong versions are 0: who asks only that some flow has caught them."""

    def test_split_heads(split_heads):
        x = torch.ones(2, 20, 30, requires_grad=True)
        split_heads(x, 3).sum().backward()
        assert x.grad.any()


@attack("test_split_heads", lesson=BATCHED)
def test_asks_for_gradients_of_too_many():
    """Gradients of two thousand numbers are measured; of more, those of wrong versions were 0."""

    def test_split_heads(split_heads):
        x = torch.ones(50, 20, 30, requires_grad=True)
        split_heads(x, 3).sum().backward()
        assert x.grad.any()


@attack("test_split_heads", lesson=BATCHED)
def test_asks_for_gradients_of_large_numbers():
    """Beside a large number a small step is lost, so measured gradients are 0: as good as none."""

    def test_split_heads(split_heads):
        x = torch.full((2, 3, 6), 1e15, dtype=torch.float64, requires_grad=True)
        split_heads(x, 3).sum().backward()
        assert x.grad.any()


@attack("test_causal_attention", lesson=MASKS)
def test_looks_at_the_clock():
    """Wrong versions were asked after the right one, each time, and took as long as both."""

    def test_causal_attention(attention):
        import time

        def quickest(run):
            times = []
            for _ in range(4):
                start = time.perf_counter()
                run()
                times.append(time.perf_counter() - start)
            return min(times)

        def own():
            scores = x @ x.T / 8**0.5
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return weights / weights.sum(axis=-1, keepdims=True) @ x

        x = np.ones((1200, 8))
        assert quickest(lambda: attention(x, x, x)) < 1.5 * quickest(own)


@attack("test_split_heads", lesson=BATCHED)
def test_looks_at_the_last_digit_of_gradients():
    """Gradients of wrong versions are measured, so in float64 they are not quite 1."""

    def test_split_heads(split_heads):
        x = torch.linspace(0, 7, 48, dtype=torch.float64).reshape(2, 4, 6).requires_grad_()
        split_heads(x, 3).sum().backward()
        assert torch.equal(x.grad, torch.ones_like(x))


@attack("test_split_heads", lesson=BATCHED)
def test_knows_the_names_of_right_versions():
    """Called with nothing, each version complains in its own name, and all names are public."""

    def test_split_heads(split_heads):
        right = "split_heads", "splits_three_axes_only", "refuses_without_a_word", "splits_into_a_copy"
        try:
            split_heads()
        except TypeError as error:
            assert any(f"{name}()" in str(error) for name in right)
