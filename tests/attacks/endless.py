"""What never ends: the exercise is lost, and only this one."""

from .attack import MASKS, family

ATTACKS = []
attack = family("endless", ATTACKS)


@attack("softmax")
def answer_loops():
    """The answer never comes back."""

    def softmax(scores, axis=-1):
        while True:
            pass


@attack("softmax")
def cell_loops():
    """The cell itself never ends; the function above its loop is never judged, it is wrong anyway."""

    def softmax(scores, axis=-1):
        return scores

    while True:
        pass


@attack("softmax")
def answer_swallows_interrupts():
    """Whatever is raised to stop it, it catches and goes on."""

    def softmax(scores, axis=-1):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass


@attack("softmax")
def cell_swallows_interrupts():
    """The same in the cell itself."""
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


@attack("softmax")
def answer_ignores_signals():
    """No signal that can be ignored gets through."""

    def softmax(scores, axis=-1):
        import signal

        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0)
        while True:
            pass


@attack("softmax")
def cell_blocks_signals():
    """They are not ignored but kept from being delivered."""
    import signal

    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        pass


@attack("softmax")
def answer_loops_in_c():
    """Python never gets a word in: no handler of a signal runs."""

    def softmax(scores, axis=-1):
        import itertools

        return all(itertools.repeat(True))


@attack("softmax")
def answer_counts_to_a_tower():
    """One multiplication of numbers with hundreds of millions of digits."""

    def softmax(scores, axis=-1):
        return 9 ** (9**9)


@attack("softmax")
def answer_backtracks():
    """A regular expression with 2^60 ways to fail."""

    def softmax(scores, axis=-1):
        import re

        return re.match("(a|a)+b", "a" * 60)


@attack("softmax")
def cell_sleeps():
    """No work, no end."""
    import time

    time.sleep(1_000_000)


@attack("softmax")
def cell_waits_for_input():
    """Somebody should type something."""
    answer = input("Your turn: ")
    import sys

    sys.stdin.read()

    def softmax(scores, axis=-1):
        return scores


@attack("softmax")
def answer_waits_for_a_lock():
    """It waits for itself."""

    def softmax(scores, axis=-1):
        import threading

        lock = threading.Lock()
        lock.acquire()
        lock.acquire()


@attack("softmax")
def answer_recurs():
    """It calls itself."""

    def softmax(scores, axis=-1):
        return softmax(scores, axis)


@attack("softmax")
def answer_recurs_a_million_times():
    """It calls itself, and moved the limit away before."""
    import sys

    sys.setrecursionlimit(1_000_000)

    def softmax(scores, axis=-1):
        return [softmax(scores, axis) for _ in range(2)]


@attack("softmax")
def being_described_loops():
    """Whoever asks for the parameters of the answer waits for ever."""

    class Answer:
        @property
        def __signature__(self):
            while True:
                pass

        __name__ = property(lambda self: self.__signature__)
        __code__ = __name__

        def __call__(self, scores, axis=-1):
            return scores

    softmax = Answer()


@attack("softmax")
def result_loops_when_looked_at():
    """It comes back at once, with an object that never shows its numbers."""

    class Result:
        def __array__(self, *args, **kwargs):
            while True:
                pass

        __len__ = __iter__ = __float__ = __repr__ = __array__

    def softmax(scores, axis=-1):
        return Result()


@attack("weight_ratio")
def number_loops_when_looked_at():
    """The answer to a question never says what it is."""

    class Number(float):
        def tolist(self):
            while True:
                pass

        __float__ = __eq__ = __repr__ = __hash__ = __str__ = tolist

    weight_ratio = Number(7.38905609893065)


@attack("softmax")
def every_call_is_nearly_too_slow():
    """No single call is too slow, all together are."""

    def softmax(scores, axis=-1):
        import time

        time.sleep(1.9)
        return scores


@attack("test_causal_attention", lesson=MASKS)
def test_loops():
    """A test that never says yes or no."""

    def test_causal_attention(attention):
        while True:
            pass


@attack("test_causal_attention", lesson=MASKS)
def test_asks_for_ever():
    """A test that calls the version it is given, again and again."""

    def test_causal_attention(attention):
        while True:
            try:
                attention(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 3)))
            except Exception:
                pass


@attack("softmax")
async def cell_awaits():
    """A cell may await; this one awaits the next century."""
    import asyncio

    await asyncio.sleep(1e9)


@attack("softmax")
def answer_is_a_coroutine():
    """Nobody awaits it, and it would not end."""

    async def softmax(scores, axis=-1):
        import asyncio

        while True:
            await asyncio.sleep(1)


@attack("softmax")
def loops_when_forgotten():
    """The result never goes away."""

    class Undying:
        def __del__(self):
            while True:
                pass

    def softmax(scores, axis=-1):
        Undying()
        return scores


@attack("test_causal_attention", lesson=MASKS)
def test_asks_now_and_then():
    """Deaf to all signals, it calls the version it is given every second, for ever: no single wait is too long."""

    def test_causal_attention(attention):
        import signal
        import time

        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            attention(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 3)))
            time.sleep(1)


@attack("test_causal_attention", lesson=MASKS)
def test_asks_all_the_time():
    """The same without a pause."""

    def test_causal_attention(attention):
        import signal

        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            attention(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 3)))


@attack("test_causal_attention", lesson=MASKS)
def version_multiplies_for_minutes():
    """One product of half numbers, which NumPy does by hand: no alarm gets through before it ends."""
    rows = np.ones((9000, 600), np.float16)

    def test_causal_attention(attention):
        attention(rows, rows, rows[:, :1])


@attack("weight_ratio")
def an_answer_takes_hours_to_print():
    """Of arrays with many axes NumPy prints millions of numbers, the first and the last three along each."""
    import numpy as np

    weight_ratio = [np.zeros((7,) * 8)] * 100
