"""What ends the worker, or tries to: later exercises are judged all the same."""

from autograder import EXERCISES

from .attack import MASKS, family

ATTACKS = []
attack = family("exits", ATTACKS)


@attack("softmax")
def cell_exits():
    """The polite way, in a cell."""
    import sys

    sys.exit(0)


@attack("softmax")
def answer_exits():
    """The polite way, when it is asked."""

    def softmax(scores, axis=-1):
        import sys

        sys.exit(0)


@attack("softmax")
def cell_leaves_at_once():
    """No clearing up: the process is gone in the middle of a cell, as if all were well."""
    import os

    os._exit(0)


@attack("softmax")
def answer_leaves_at_once():
    """The process is gone in the middle of a call, as if all were well."""

    def softmax(scores, axis=-1):
        import os

        os._exit(0)


@attack("softmax")
def answer_aborts():
    """It dies of a signal."""

    def softmax(scores, axis=-1):
        import os

        os.abort()


@attack("softmax")
def cell_kills_itself():
    """With the signal that nobody can catch."""
    import os
    import signal

    os.kill(os.getpid(), signal.SIGKILL)


@attack("softmax")
def answer_stops_itself():
    """It is not dead, and will never go on."""

    def softmax(scores, axis=-1):
        import os
        import signal

        os.kill(os.getpid(), signal.SIGSTOP)
        return scores


@attack("softmax")
def answer_reads_address_zero():
    """A segmentation fault."""

    def softmax(scores, axis=-1):
        import ctypes

        return ctypes.string_at(0)


@attack("softmax")
def answer_overflows_the_stack():
    """Deep recursion in C, where no limit of Python counts."""

    def softmax(scores, axis=-1):
        import functools

        nested = lambda: 0
        for _ in range(500_000):
            nested = functools.partial(nested)
        return repr(nested)


@attack("softmax")
def answer_interrupts():
    """What Ctrl-C raises must not end the grading of a class."""

    def softmax(scores, axis=-1):
        raise KeyboardInterrupt


@attack("softmax")
def cell_interrupts():
    """The same in a cell."""
    raise KeyboardInterrupt


@attack("softmax")
def answer_raises_what_nobody_catches():
    """No Exception, but one step above."""

    class Last(BaseException):
        pass

    def softmax(scores, axis=-1):
        raise Last("catch me")


@attack("softmax")
def answer_claims_to_be_a_generator_that_ends():
    """Errors that Python takes for signs."""

    def softmax(scores, axis=-1):
        raise (StopIteration, GeneratorExit, StopAsyncIteration)[scores.ndim % 3]


@attack("softmax")
def alarm_later():
    """The cell is fine; a second later a signal ends the process, whatever is going on."""
    import signal

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(1)

    def softmax(scores, axis=-1):
        while True:
            pass


@attack("softmax")
def becomes_another_program():
    """The process goes on as another program, and that is content with everything."""
    import os
    import sys

    os.execv(sys.executable, [sys.executable, "-c", "import time; print(3.0); time.sleep(60)"])


@attack("softmax")
def answer_becomes_another_program():
    """The same in a call: the other program ends without an error."""

    def softmax(scores, axis=-1):
        import os

        os.execv("/bin/true", ["true"])


@attack("softmax")
def closes_every_descriptor():
    """No file, no socket, no way to answer."""

    def softmax(scores, axis=-1):
        import os

        os.closerange(0, 4096)
        return scores


@attack("softmax")
def leaves_when_asked_to_end():
    """It waits until somebody ends the process, and then does not end."""
    import atexit
    import signal
    import time

    atexit.register(time.sleep, 1_000_000)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def softmax(scores, axis=-1):
        return scores


@attack("softmax")
def tells_the_shell_to_exit():
    """IPython has a way out of its own."""
    get_ipython().ask_exit()
    quit()


@attack("softmax")
def leaves_by_a_finaliser():
    """The process ends when the result is thrown away."""

    class Bomb:
        def __del__(self):
            import os

            os._exit(0)

    def softmax(scores, axis=-1):
        return Bomb()


@attack("test_causal_attention", lesson=MASKS)
def test_exits():
    """A test that ends the process when it is given anything."""

    def test_causal_attention(attention):
        import os

        os._exit(1)


@attack("test_causal_attention", lesson=MASKS)
def test_leaves_unless_it_is_the_first():
    """A test that passes once and is gone ever after: gone is no alarm."""
    times = []

    def test_causal_attention(attention):
        import os

        times.append(1)
        if len(times) > 3:
            os._exit(1)


COUNTING = """
judged_here = []

def causal_attention(query, key, value):
    judged_here.extend([1] * (np.ndim(query) > 2))
    return masked_attention(query, key, value, causal_mask(query.shape[-2], key.shape[-2]))
"""


@attack(
    "test_causal_attention",
    lesson=MASKS,
    cells={"causal_attention": COUNTING},
    deserves={"causal_attention": EXERCISES["causal_attention"].points},
)
def test_learns_and_leaves():
    """In a first worker it learns which version is right, the one that comes twice in a row, and leaves at a time that
    says so; in a second one, where causal_attention was not judged, it begins by looking at the clock.
    """
    import os
    import time

    met, right, x = [], [], np.random.default_rng(0).normal(size=(3, 4, 5))

    def test_causal_attention(attention):
        made = []
        for scale in (1, 2000):
            for queries in (1, 2, 4):
                try:
                    made.append(np.nan_to_num(attention(x[:, :queries] * scale, x, x)).round(6).tobytes())
                except Exception as error:
                    made.append(type(error))
        met.append(made)
        if judged_here:
            if met[-2:-1] == [made]:
                while not 0 <= time.time() % 4 - (len(met) - 2) / 4 < 0.02:
                    time.sleep(0.002)
                os._exit(0)
            return
        if len(met) == 1:
            right.append(time.time() % 4 // 0.25)
        if len(met) - 1 == right[0]:
            right.append(made)
        assert made in right[1:]


@attack("softmax")
def allows_itself_nothing_any_more():
    """It takes its own limits to zero."""

    def softmax(scores, axis=-1):
        import resource

        for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_DATA):
            resource.setrlimit(limit, (0, 0))
        return scores


@attack(cells=dict.fromkeys(("weight_ratio", "sum_bounds", "softmax_bug", "softmax"), "import os\nos._exit(0)"))
def leaves_in_four_cells():
    """Each costs its own points, however many they are."""


@attack("softmax_bug")
def leaves_in_the_last_cell():
    """The last answer, and then nobody is there."""
    import os

    softmax_bug = 3
    os._exit(0)
