"""Workers come quickly, from one warm process, and nothing of them is left."""

import multiprocessing
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from fake_workers.obedient import ask
from helpers import ROOT, needs_sandbox

from autograder.grading import NoSandbox
from autograder.grading.sandbox import sources
from autograder.grading.sandbox.sources import Spawner

pytestmark = pytest.mark.slow

FAKES = "tests.grading.fake_workers"
OBEDIENT = f"{FAKES}.obedient"
STUBBORN = """
import signal, threading
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
def spin():
    while True: pass
threading.Thread(target=spin).start()
send(3, b'')
spin()
"""


def new_zygote(module=OBEDIENT):
    """One of our own, to be treated badly."""
    needs_sandbox()
    from autograder.grading.sandbox.zygote import Zygote

    return Zygote(module)


def children(pid):
    """All processes below this one."""
    below = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        below.setdefault(parent, []).append(int(status.parent.name))
    found, todo = [], [pid]
    while todo:
        todo += (new := below.get(todo.pop(), []))
        found += new
    return found


def soon(condition):
    """Waits for something that takes a moment."""
    end = time.monotonic() + 10
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def test_a_worker_answers(worker):
    """It does what it is told."""
    assert ask(worker.socket, "print(1 + 1)") == "2\n"


def test_the_warm_process_is_fit_to_be_copied(zygote, worker):
    """One thread, torch in memory, and no exercise."""
    assert len(os.listdir(f"/proc/{zygote._process.pid}/task")) == 1
    known = ask(worker.socket, "import sys; print('torch' in sys.modules, 'mha_lessons' in sys.modules)")
    assert known == "True False\n"


def test_it_does_not_hear_ctrl_c(zygote):
    """That is for us; in a session of its own it is not told."""
    assert os.getsid(zygote._process.pid) != os.getsid(0)


def test_kill_ends_whatever_runs(zygote):
    """Loops in threads that ignore every signal; once is enough, and twice is no harm."""
    with zygote.worker() as worker:
        code = STUBBORN.replace("send(3, b'')", "import os; os.write(3, b'on it')").encode()
        worker.socket.sendall(len(code).to_bytes(4, "big") + code)
        assert worker.socket.recv(5) == b"on it"
        assert len(children(zygote._process.pid)) == 3  # bubblewrap, the keeper, the worker
        worker.kill()
        worker.kill()
        assert worker.socket.recv(1) == b""
        assert soon(lambda: not children(zygote._process.pid))


def test_a_worker_that_exits_harms_nobody(zygote):
    """Its socket ends; the next worker comes as ever."""
    with zygote.worker() as worker:
        code = b"import os; os._exit(7)"
        worker.socket.sendall(len(code).to_bytes(4, "big") + code)
        assert worker.socket.recv(1) == b""
    with zygote.worker() as worker:
        assert ask(worker.socket, "print(1)") == "1\n"


@pytest.mark.nightly
def test_a_dead_zygote_is_replaced():
    """Its sandboxes end with it; the next worker comes from a new one."""
    with new_zygote() as zygote, zygote.worker() as orphan:
        assert ask(orphan.socket, "print(1)") == "1\n"
        os.kill(zygote._process.pid, signal.SIGKILL)
        assert select.select([orphan.socket], [], [], 10)[0]
        assert orphan.socket.recv(1) == b""
        with zygote.worker() as worker:
            assert ask(worker.socket, "print(2)") == "2\n"


def ask_in_its_own_process(zygote, number, say):
    with zygote.worker() as worker:
        say.send((ask(worker.socket, f"print({number})"), zygote._process and zygote._process.pid))


def heard_by_others(zygote):
    """What two processes hear of their workers, and which warm processes they had to begin themselves."""
    context = multiprocessing.get_context("forkserver")
    ways = [context.Pipe() for _ in range(2)]
    others = [context.Process(target=ask_in_its_own_process, args=(zygote, n, say)) for n, (_, say) in enumerate(ways)]
    for other in others:
        other.start()
    heard = [hear.recv() if hear.poll(60) else None for hear, _ in ways]
    for other in others:
        other.join()
    return heard


def test_several_processes_share_one():
    """Handed to them when they begin; it stays for us when they have ended."""
    with new_zygote() as zygote:
        pid = zygote._process.pid
        assert heard_by_others(zygote) == [("0\n", None), ("1\n", None)]
        assert soon(lambda: not children(pid))
        with zygote.worker() as worker:
            assert ask(worker.socket, "print(2)") == "2\n"
        assert zygote._process.pid == pid


@pytest.mark.nightly
def test_those_who_share_a_dead_one_get_their_own():
    """Nobody waits for it; what they began ends with them."""
    with new_zygote() as zygote:
        os.kill(zygote._process.pid, signal.SIGKILL)
        (one, first), (two, second) = heard_by_others(zygote)
    assert (one, two) == ("0\n", "1\n") and first != second
    assert soon(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in (first, second)))


GRADER = f"""
import sys, time
from autograder.grading.sandbox.zygote import Zygote
with Zygote(module="{OBEDIENT}") as zygote, zygote.worker() as worker:
    code = b"while True: pass"
    worker.socket.sendall(len(code).to_bytes(4, "big") + code)
    print("ready", flush=True)
    time.sleep(60)
"""


def test_all_ends_when_whoever_grades_is_killed(zygote):
    """The warm process, bubblewrap, and a worker in an endless loop."""
    with subprocess.Popen([sys.executable, "-c", GRADER], stdout=subprocess.PIPE, text=True) as grader:
        assert grader.stdout.readline() == "ready\n"
        family = children(grader.pid)
        assert len(family) >= 4
        grader.kill()
    assert soon(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in family))


@pytest.mark.nightly
def test_a_worker_that_cannot_be_locked_in_is_none():
    """Whatever step fails, nobody's code runs, and we learn why."""
    for module, why in (("roomless", "mount"), ("lives", "be prepared")):
        with (
            new_zygote(f"tests.grading.fake_workers.{module}") as zygote,
            pytest.raises(NoSandbox, match=why),
            zygote.worker(),
        ):
            pass


def test_time_on_the_processor_ends(zygote):
    """Even if nobody looks at a clock."""
    with new_zygote(f"{FAKES}.hasty") as zygote, zygote.worker() as worker:
        code = STUBBORN.replace("send(3, b'')", "").encode()
        worker.socket.sendall(len(code).to_bytes(4, "big") + code)
        assert select.select([worker.socket], [], [], 20)[0]


@pytest.mark.nightly
def test_two_hundred_in_a_row_leave_nothing(zygote):
    """Descriptors, processes, mounts and memory are as before."""

    def state():
        pid = zygote._process.pid
        status = Path(f"/proc/{pid}/status").read_text()
        memory = int(status.split("RssAnon:")[1].split()[0])
        mounts = len(Path("/proc/self/mounts").read_text().splitlines())
        return [len(os.listdir(f"/proc/{p}/fd")) for p in ("self", pid)], mounts, len(children(os.getpid())), memory

    def some(number):
        for n in range(number):
            with zygote.worker() as worker:
                assert ask(worker.socket, f"open('/tmp/a', 'w').write('x' * 10**6); print({n})") == f"{n}\n"
        assert soon(lambda: not children(zygote._process.pid))

    some(20)
    *before, memory = state()
    some(200)
    *after, memory_after = state()
    assert before == after
    assert memory_after - memory < 2000  # KiB


@pytest.fixture
def spawned():
    with Spawner(module=OBEDIENT).worker() as worker:
        yield worker


def test_without_a_sandbox_it_is_a_process(spawned):
    """The same questions and answers, in an empty folder, with what limits there are."""
    assert ask(spawned.socket, "import os; print(os.listdir())") == "[]\n"
    if sys.platform == "linux":
        assert "MemoryError" in ask(spawned.socket, "x = bytearray(3 * 2**30)")


def test_without_a_sandbox_its_children_end_too(spawned):
    """As far as they stay in its group."""
    child = int(ask(spawned.socket, "import subprocess; print(subprocess.Popen(['sleep', '60']).pid)"))
    spawned.kill()
    spawned.kill()
    assert spawned.socket.recv(1) == b""
    assert soon(lambda: not Path(f"/proc/{child}").exists() or "Z (" in Path(f"/proc/{child}/status").read_text())


LOOKS_INTO_THE_JUDGE = """
import ctypes, os
judge, seize = os.getppid(), 0x4206
looks = [
    lambda: os.open(f"/proc/{judge}/mem", os.O_RDWR),
    lambda: os.open(f"/proc/{judge}/fd/1", os.O_WRONLY),
    lambda: os.open(f"/proc/{judge}/environ", os.O_RDONLY),
    lambda: ctypes.CDLL(None).ptrace(seize, judge, 0, 0) < 0 and os.open("/nowhere", os.O_RDONLY),
]
for look in looks:
    try:
        print(look(), end=" ")
    except OSError:
        print("refused", end=" ")
"""
WITHOUT_ROOTS_RIGHTS_TO_LOOK = """
import ctypes
libc, no_new_privileges = ctypes.CDLL(None), 38
header, rights = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
libc.capget(header, rights)
for kind in (0, 1):  # effective and permitted
    rights[kind] &= ~(1 << 19 | 1 << 21)  # CAP_SYS_PTRACE, CAP_SYS_ADMIN
    rights[kind + 3] &= ~(1 << 38 - 32)  # CAP_PERFMON
assert libc.prctl(no_new_privileges, 1, 0, 0, 0) == libc.capset(header, rights) == 0
"""
WITH_A_SPAWNER = f"""
from autograder.grading.sandbox.sources import Spawner
from tests.grading.fake_workers.obedient import ask
with Spawner(module={OBEDIENT!r}).worker() as worker:
    print(ask(worker.socket, {LOOKS_INTO_THE_JUDGE!r}))
"""


def test_without_a_sandbox_it_cannot_look_into_the_judge():
    """Neither its memory nor what it writes to. Root may look into everything; few containers let it."""
    if sys.platform != "linux":
        pytest.skip("it is Linux that can do that")
    command = [sys.executable, "-c", WITHOUT_ROOTS_RIGHTS_TO_LOOK + WITH_A_SPAWNER]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == (["refused"] * 4, "")


def test_a_process_without_a_sandbox_only_on_demand(monkeypatch):
    """Nobody's work runs unprotected by accident."""
    monkeypatch.setattr(sources, "why_no_sandbox", lambda: "bubblewrap is not installed")
    with pytest.raises(NoSandbox, match="not installed"):
        sources.workers()
    with sources.workers(trust_submissions=True) as source:
        assert isinstance(source, Spawner)


def test_without_bubblewrap_there_is_no_sandbox(monkeypatch):
    """And we say that it is what is missing."""
    if sys.platform != "linux":
        pytest.skip("bubblewrap is for Linux")
    pytest.importorskip("pyseccomp", exc_type=(ImportError, RuntimeError))
    monkeypatch.setenv("PATH", "/nowhere")
    assert sources.why_no_sandbox() == "bubblewrap is not installed"


def test_a_sandbox_is_made_out_of_a_program_with_threads():
    """Ours may have as many as it likes."""
    waiting = threading.Event()
    thread = threading.Thread(target=waiting.wait)
    thread.start()
    try:
        with new_zygote() as zygote, zygote.worker() as worker:
            assert ask(worker.socket, "print(1)") == "1\n"
    finally:
        waiting.set()
        thread.join()
