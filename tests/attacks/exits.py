"""What ends the worker, or tries to: later exercises are judged all the same."""

from .attack import family

ATTACKS = []
attack = family("exits", ATTACKS)


@attack("log_softmax")
def cell_exits():
    """The polite way, in a cell."""
    import sys

    sys.exit(0)


@attack("log_softmax")
def answer_exits():
    """The polite way, when it is asked."""

    def log_softmax(scores, axis=-1):
        import sys

        sys.exit(0)


@attack("log_softmax")
def cell_leaves_at_once():
    """No clearing up: the process is gone in the middle of a cell, as if all were well."""
    import os

    os._exit(0)


@attack("log_softmax")
def answer_leaves_at_once():
    """The process is gone in the middle of a call, as if all were well."""

    def log_softmax(scores, axis=-1):
        import os

        os._exit(0)


@attack("log_softmax")
def answer_aborts():
    """It dies of a signal."""

    def log_softmax(scores, axis=-1):
        import os

        os.abort()


@attack("log_softmax")
def cell_kills_itself():
    """With the signal that nobody can catch."""
    import os
    import signal

    os.kill(os.getpid(), signal.SIGKILL)


@attack("log_softmax")
def answer_stops_itself():
    """It is not dead, and will never go on."""

    def log_softmax(scores, axis=-1):
        import os
        import signal

        os.kill(os.getpid(), signal.SIGSTOP)
        return scores


@attack("log_softmax")
def answer_reads_address_zero():
    """A segmentation fault."""

    def log_softmax(scores, axis=-1):
        import ctypes

        return ctypes.string_at(0)


@attack("log_softmax")
def answer_overflows_the_stack():
    """Deep recursion in C, where no limit of Python counts."""

    def log_softmax(scores, axis=-1):
        import functools

        nested = lambda: 0
        for _ in range(500_000):
            nested = functools.partial(nested)
        return repr(nested)


@attack("log_softmax")
def answer_interrupts():
    """What Ctrl-C raises must not end the grading of a class."""

    def log_softmax(scores, axis=-1):
        raise KeyboardInterrupt


@attack("log_softmax")
def cell_interrupts():
    """The same in a cell."""
    raise KeyboardInterrupt


@attack("log_softmax")
def answer_raises_what_nobody_catches():
    """No Exception, but one step above."""

    class Last(BaseException):
        pass

    def log_softmax(scores, axis=-1):
        raise Last("catch me")


@attack("log_softmax")
def answer_claims_to_be_a_generator_that_ends():
    """Errors that Python takes for signs."""

    def log_softmax(scores, axis=-1):
        raise (StopIteration, GeneratorExit, StopAsyncIteration)[scores.ndim % 3]


@attack("log_softmax")
def alarm_later():
    """The cell is fine; a second later a signal ends the process, whatever is going on."""
    import signal

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(1)

    def log_softmax(scores, axis=-1):
        while True:
            pass


@attack("log_softmax")
def becomes_another_program():
    """The process goes on as another program, and that is content with everything."""
    import os
    import sys

    os.execv(sys.executable, [sys.executable, "-c", "import time; print(3.0); time.sleep(60)"])


@attack("log_softmax")
def answer_becomes_another_program():
    """The same in a call: the other program ends without an error."""

    def log_softmax(scores, axis=-1):
        import os

        os.execv("/bin/true", ["true"])


@attack("log_softmax")
def closes_every_descriptor():
    """No file, no socket, no way to answer."""

    def log_softmax(scores, axis=-1):
        import os

        os.closerange(0, 4096)
        return scores


@attack("log_softmax")
def leaves_when_asked_to_end():
    """It waits until somebody ends the process, and then does not end."""
    import atexit
    import signal
    import time

    atexit.register(time.sleep, 1_000_000)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def log_softmax(scores, axis=-1):
        return scores


@attack("log_softmax")
def tells_the_shell_to_exit():
    """IPython has a way out of its own."""
    get_ipython().ask_exit()
    quit()


@attack("log_softmax")
def leaves_by_a_finaliser():
    """The process ends when the result is thrown away."""

    class Bomb:
        def __del__(self):
            import os

            os._exit(0)

    def log_softmax(scores, axis=-1):
        return Bomb()


@attack("test_softmax")
def test_exits():
    """A test that ends the process when it is given anything."""

    def test_softmax(softmax):
        import os

        os._exit(1)


@attack("test_softmax")
def test_leaves_unless_it_is_the_first():
    """A test that passes once and is gone ever after: gone is no alarm."""
    times = []

    def test_softmax(softmax):
        import os

        times.append(1)
        if len(times) > 3:
            os._exit(1)


COUNTING = """
judged_here = []

def softmax(scores, axis=-1):
    judged_here.extend([1] * (np.ndim(scores) > 3))
    raised = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return raised / raised.sum(axis=axis, keepdims=True)
"""


@attack("test_softmax", cells={"softmax": COUNTING}, deserves={"softmax": 3})
def test_learns_and_leaves():
    """In a first worker it learns which version is right, the one that comes twice in a row, and leaves at a time that
    says so; in a second one, where softmax was not judged, it begins by looking at the clock.
    """
    import os
    import time

    met, right, scores = [], [], np.random.default_rng(0).normal(size=(3, 4, 5))

    def test_softmax(softmax):
        made = []
        for scale in (1, 2000):
            for axis in (0, 1, -1):
                try:
                    made.append(np.nan_to_num(softmax(scores * scale, axis=axis)).round(6).tobytes())
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


@attack("log_softmax")
def allows_itself_nothing_any_more():
    """It takes its own limits to zero."""

    def log_softmax(scores, axis=-1):
        import resource

        for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_DATA):
            resource.setrlimit(limit, (0, 0))
        return scores


@attack(cells=dict.fromkeys(("weight_ratio", "sum_bounds", "test_softmax", "log_softmax"), "import os\nos._exit(0)"))
def leaves_in_four_cells():
    """Each costs its own points, however many they are."""


@attack("half_temperature")
def leaves_in_the_last_cell():
    """The last answer, and then nobody is there."""
    import os

    half_temperature = 1.64
    os._exit(0)
