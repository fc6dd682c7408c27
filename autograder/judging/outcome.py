"""What comes out of one run of an answer, and when two outcomes are the same."""

import math
import signal
import sys
import threading
import warnings
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from inspect import Parameter
from io import StringIO
from time import monotonic

import numpy as np

TOLERANCES = {2: 2e-2, 4: 1e-4, 8: 1e-6}  # bytes of a floating number -> relative difference that never counts
RECOGNISED = 1e-5  # recognising is looser: -1e9 added and taken away again costs nine digits
ACCIDENTS = (NameError, TypeError, AttributeError, ImportError, RecursionError)  # nobody refuses an input with these
TIME_LIMIT = 10.0  # seconds for all runs of one answer
LARGEST_INTEGER = 2**63 - 1  # that NumPy has room for
LARGEST = 100_000  # numbers of a result that are kept; a right one has some thousands
MOST_RESULTS, MOST_PARTS = 3, 10  # arrays of a tuple, in exercises; that are looked at
MOST_THINGS = 1000  # of a list, or another kind of thing, that are kept
PRINT_LIMIT = 2000  # characters of an answer's printing that are kept


@dataclass(frozen=True, eq=False)
class Outcome:
    """kind: floating, integer, boolean, none, error, or the name of another type; parts: of a tuple of arrays."""

    value: object = None
    kind: str = "none"
    error: Exception = None
    parts: tuple = ()
    changed: dict = field(default_factory=dict)
    printed: str = ""

    @property
    def refuses(self):
        """Whether it is an error that says no to the input, whatever its type."""
        return self.kind == "error" and not isinstance(self.error, ACCIDENTS)

    @property
    def is_array(self):
        return self.kind in ("floating", "integer", "boolean")

    @property
    def is_number(self):
        return self.kind in ("floating", "integer") and self.value.shape == ()


class TooSlow(BaseException):
    """An answer did not end in time. Not an Exception, so that an answer does not catch it by accident."""


class FirstCharacters(StringIO):
    """Keeps the beginning of what is printed, and drops the rest."""

    def write(self, text):
        room = PRINT_LIMIT - self.tell()
        super().write(text[: max(room, 0)])
        return len(text)

    def close(self):
        """An answer may close its output; what it printed is still ours to read."""


_end, _alarms = ContextVar("end", default=math.inf), ContextVar("alarms", default=True)


def end_of_time():
    """When the narrowest time limit is over, by the clock `time.monotonic`."""
    return _end.get()


def without_alarms():
    """For answers that run in another process, which is told how much time it has."""
    return _alarms_are(False)


def with_alarms():
    """In there, for what runs here all the same."""
    return _alarms_are(True)


@contextmanager
def _alarms_are(on):
    before = _alarms.set(on)
    try:
        yield
    finally:
        _alarms.reset(before)


@contextmanager
def time_limit(seconds):
    """Raise TooSlow after so many seconds."""
    before = _end.set(min(_end.get(), monotonic() + seconds))
    try:
        with _alarm(seconds) if _alarms.get() else nullcontext():
            yield
    finally:
        _end.reset(before)


@contextmanager
def _alarm(seconds):
    """Again and again until it gets through.

    Only where alarms exist (not on Windows, not in threads); elsewhere the notebook's own limit holds.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    over = False

    def stop(*_):
        if not over:
            raise TooSlow

    before, left = signal.signal(signal.SIGALRM, stop), 0
    try:
        left, _ = signal.setitimer(signal.ITIMER_REAL, seconds, 0.01)
        yield
    finally:
        over = True  # before anything is called: Python calls a handler once more before it takes another one
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # not while we clear up
        signal.setitimer(signal.ITIMER_REAL, left)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def caught_output():
    """What is printed, to either stream, goes here."""
    output = FirstCharacters()
    with redirect_stdout(output), redirect_stderr(FirstCharacters()):
        yield output


@contextmanager
def quiet():
    """No warnings: an answer is judged by what it returns."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@contextmanager
def one_thread():
    """On small tensors torch's threads only wait for each other, for seconds where the machine has more to do."""
    torch = sys.modules.get("torch")
    threads = torch and torch.get_num_threads()
    if torch:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        if torch:
            torch.set_num_threads(threads)


def with_gradients():
    """Whatever a cell has set for all that follows."""
    torch = sys.modules.get("torch")
    return torch.enable_grad() if torch else nullcontext()


def uncompiled():
    """`torch.compile` takes longer than an answer may; what is written below it computes the same."""
    compiles = "torch._dynamo" in sys.modules
    return sys.modules["torch"].compiler.set_stance("force_eager") if compiles else nullcontext()


def observe(function, inputs):
    """Run a reference, or a wrong version of one, on NumPy inputs."""
    try:
        return outcome_of(function(**inputs))
    except (TooSlow, KeyboardInterrupt):
        raise
    except BaseException as error:
        return Outcome(kind="error", error=error)


def ask(answer, inputs, library, parameters, order="C"):
    """Run a learner's answer on copies in the lesson's library: required inputs by position, others by keyword.

    order: that of the numbers in memory, NumPy's "C" (rows one after the other) or "F" (columns).
    """
    sent = send(inputs, library, order)
    positional = [sent[name] for name in required(parameters)]
    optional = {name: x for name, x in sent.items() if parameters[name] is not Parameter.empty}
    with quiet(), caught_output() as output:  # quiet anew: an answer may turn NumPy's warnings into errors
        outcome = observe(lambda: answer(*positional, **optional), {})
    after = {n: to_array(sent[n]) for n, x in inputs.items() if isinstance(x, np.ndarray)}
    changed = {n: x for n, x in after.items() if _differs(x, inputs[n])}
    return replace(outcome, changed=changed, printed=output.getvalue())


def required(parameters):
    """The names of those without a default: these are given by position."""
    return [name for name, default in parameters.items() if default is Parameter.empty]


def send(inputs, library, order="C"):
    """The same inputs with copies of all arrays, in this library."""
    if library == "numpy":
        return {name: x.copy(order) if isinstance(x, np.ndarray) else x for name, x in inputs.items()}
    import torch  # here, so that a NumPy lesson never waits for it

    return {name: torch.from_numpy(x.copy(order)) if isinstance(x, np.ndarray) else x for name, x in inputs.items()}


def to_array(x):
    """A tensor as an array, wherever it lies and whatever graph it is part of; anything else as it is."""
    if not hasattr(type(x), "detach"):  # which the module torch has, too, and its class Tensor
        return x
    numbers = x.detach().cpu()
    return (numbers.float() if is_bfloat16(x) else numbers).numpy()


def is_bfloat16(tensor):
    """The one type of numbers that NumPy does not have."""
    return str(tensor.dtype) == "torch.bfloat16"


def _differs(sent, x):
    return sent.shape != x.shape or not np.array_equal(sent, x, equal_nan=x.dtype.kind == "f")


def outcome_of(value, most=LARGEST):
    """Whatever an answer returned, as NumPy; of more than so many numbers type and shape."""
    if value is None or value is ...:
        return Outcome()
    if type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "detach"):
        value = to_array(value)
    if isinstance(value, np.ma.MaskedArray):
        value = value.astype(float).filled(np.nan)  # what is masked away is no number
    if isinstance(value, (tuple, list)) and value and all(hasattr(part, "__array__") for part in value):
        room = LARGEST if len(value) <= MOST_RESULTS else LARGEST // MOST_PARTS
        parts = tuple(outcome_of(part, room) for part in value[:MOST_PARTS])
        return Outcome(tuple(part.value for part in parts), _type_name(value), parts=parts)
    if not isinstance(value, (int, float, Fraction, Decimal)) and not hasattr(value, "__array__"):
        return Outcome(_thinned(value, MOST_THINGS), _type_name(value))
    if isinstance(value, (Fraction, Decimal)) or (isinstance(value, int) and abs(value) > LARGEST_INTEGER):
        value = float(value) if abs(value) < 1e300 else np.inf
    value = np.asarray(value)
    # A copy, since an answer may use its array again.
    value = value.copy() if value.size <= most else _only_its_shape(value)
    kind = {"f": "floating", "i": "integer", "u": "integer", "b": "boolean"}.get(value.dtype.kind, str(value.dtype))
    return Outcome(value, kind)


def _only_its_shape(array):
    return np.broadcast_to(np.zeros((), array.dtype), array.shape)


def _thinned(value, most):
    """What is no array is never right: of that is kept what a message has room for."""
    if isinstance(value, np.ndarray):
        return value if value.size <= most else _only_its_shape(value)
    if isinstance(value, str):
        return value[:most]
    if isinstance(value, (list, tuple, dict)) and value:
        some = list(value)[:most]
        if isinstance(value, dict):
            return {key: _thinned(value[key], most // len(some)) for key in some}
        thinned = [_thinned(part, most // len(some)) for part in some]
        return tuple(thinned) if isinstance(value, tuple) else thinned
    return value


def _type_name(value):
    if isinstance(value, type):
        return "class"
    return "tuple" if isinstance(value, tuple) else type(value).__name__


def tolerance_of(*arrays):
    """The loosest among the floating numbers at hand."""
    sizes = (x.dtype.itemsize for x in arrays if isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind == "f")
    return max((TOLERANCES[min(size, 8)] for size in sizes), default=TOLERANCES[8])


def same(got, expected, tolerance, any_infinity=False):
    """Two outcomes agree: both errors, or the same kind, shape, and numbers up to rounding.

    Written so that NaN fails where a number is expected.
    any_infinity: inf, -inf and NaN count as the same symptom.
    """
    if expected.parts:
        pairs = zip(got.parts, expected.parts)
        return len(got.parts) == len(expected.parts) and all(same(g, e, tolerance, any_infinity) for g, e in pairs)
    if got.is_number and expected.is_number and "integer" in (got.kind, expected.kind):
        return abs(float(got.value) - float(expected.value)) <= 1e-12 * abs(float(expected.value))  # 12 and 12.0
    if got.kind != expected.kind or not got.is_array:
        return got.kind == expected.kind and got.kind in ("error", "none")
    if got.value.shape != expected.value.shape:
        return False
    if got.kind != "floating":
        return np.array_equal(got.value, expected.value)
    return _close(got.value.astype(float), expected.value.astype(float), tolerance, any_infinity)


def _close(got, expected, tolerance, any_infinity):
    finite = np.isfinite(expected)
    if not np.array_equal(np.isfinite(got), finite):
        return False
    if not any_infinity and not np.array_equal(got[~finite], expected[~finite], equal_nan=True):
        return False
    return bool((np.abs(got[finite] - expected[finite]) <= tolerance * (1 + np.abs(expected[finite]))).all())
