"""What a stranger's code can do in a sandbox, and what it cannot."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from fake_workers.obedient import ask
from helpers import needs_sandbox

from autograder.grading.sandbox import bubblewrap

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent.parent
MINE = os.getpid()
START = """
import ctypes, os, resource, signal, socket, threading
libc = ctypes.CDLL(None, use_errno=True)

def call(*arguments):
    if libc.syscall(*[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]) < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
"""

READ = {
    "the repository": f"open({str(ROOT / 'pyproject.toml')!r}).read()",
    "the solutions": f"os.listdir({str(ROOT / 'solutions')!r})",
    "the exercises": f"os.listdir({str(ROOT / 'autograder' / 'exercises')!r})",
    "the tests": f"open({__file__!r}).read()",
    "a course below /usr": "os.listdir('/usr/share/doc') + os.listdir('/usr/src') + os.listdir('/usr/local/share')",
    "people's names": "open('/etc/passwd').read()",
    "passwords": "open('/etc/shadow').read()",
    "our memory": f"open('/proc/{MINE}/maps').read()",
    "our environment": f"open('/proc/{MINE}/environ').read()",
    "the keeper's memory": "open('/proc/1/mem', 'rb')",
    "what the keeper has open": "os.readlink('/proc/1/fd/0')",
    "the keeper's environment": "open('/proc/1/environ').read()",
    "disks": "os.listdir('/dev/disk')",
    "devices": "os.listdir('/sys/class')",
    "sockets of services": "os.listdir('/run')",
}

DO = {
    "change the keeper": "open('/proc/1/mem', 'rb+')",
    "write at the top": "open('/mine', 'w')",
    "write among devices": "open('/dev/mine', 'w')",
    "write among packages": "import numpy; open(os.path.dirname(numpy.__file__) + '/mine.py', 'w')",
    "write in /usr": "open('/usr/mine', 'w')",
    "write a setting of the kernel": "open('/proc/sys/kernel/core_pattern', 'w')",
    "write a setting of namespaces": "open('/proc/sys/user/max_user_namespaces', 'w')",
    "press magic keys": "open('/proc/sysrq-trigger', 'w')",
    "make packages writable": "os.chmod(os.__file__, 0o777)",
    "make a device": "os.mknod('null', 0o666 | 0o20000, os.makedev(1, 3))",
    "connect to the network": "socket.create_connection(('1.1.1.1', 53), 1)",
    "connect to this machine": "socket.create_connection(('127.0.0.1', 22), 1)",
    "send a packet": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "listen": "socket.socket(socket.AF_UNIX).bind('listening')",
    "talk to an abstract socket": "socket.socket(socket.AF_UNIX).connect('\\0mha-test')",
    "talk to the kernel": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "look names up": "socket.getaddrinfo('example.org', 80)",
    "send us a signal": f"os.kill({MINE}, 0)",
    "end the keeper": "os.kill(1, signal.SIGKILL); os.kill(1, 0); import time; time.sleep(0.1); raise PermissionError",
    "look into the keeper": "call(101, 16, 1, 0, 0)",
    "read the keeper's memory": "call(310, 1, 0, 0, 0, 0, 0)",
    "mount": "call(165, b'none', b'/tmp', b'tmpfs', 0, 0)",
    "unmount": "call(166, b'/usr', 0)",
    "pivot": "call(155, b'/tmp', b'/tmp')",
    "change the root": "os.chroot('/tmp')",
    "make a namespace": "call(272, 0x10000000)",
    "join a namespace": "call(308, os.open('/proc/self/ns/user', os.O_RDONLY), 0)",
    "be born in a namespace": "call(56, 0x10000000 | 17, 0, 0, 0, 0)",
    "be born in a namespace, the new way": "call(435, ctypes.create_string_buffer(88), 88)",
    "fork": "os.fork()",
    "vfork": "call(58)",
    "start a program": "import subprocess; subprocess.run(['/bin/true'])",
    "run a shell": "assert os.system('true') == 0 or exec('raise OSError')",
    "become root": "os.setuid(0)",
    "join a group": "os.setgroups([0])",
    "get capabilities": "call(126, (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(*[2**32 - 1] * 6))",
    "keep memory without a name": "os.memfd_create('mine')",
    "keep shared memory": "call(29, 0, 4096, 0o1600)",
    "lock memory": "call(149, ctypes.create_string_buffer(4096), 4096)",
    "keep a key": "call(248, b'user', b'mine', b'x', 1, -3)",
    "talk to keyrings": "call(250, 0, -3, 0, 0, 0)",
    "load a program into the kernel": "call(321, 0, 0, 0)",
    "count events": "call(298, 0, 0, -1, -1, 0)",
    "use rings": "call(425, 8, ctypes.create_string_buffer(120))",
    "handle page faults": "call(323, 0)",
    "be another machine": "call(135, 0x0040000)",
    "boot": "call(169, 0, 0, 0, 0)",
    "load a kernel": "call(246, 0, 0, 0, 0)",
    "set a clock": "import time; time.clock_settime(time.CLOCK_REALTIME, 0)",
    "rename this machine": "socket.sethostname('mine')",
    "type for others": "import fcntl; fcntl.ioctl(3, 0x5412, b'x')",
    "go first": "os.nice(-5)",
    "raise a limit": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "make others wait for a file": "import fcntl; fcntl.fcntl(os.open('mine', os.O_CREAT), fcntl.F_SETLEASE, 0)",
    "hide in the attributes of files": "os.setxattr('.', 'user.mine', b'x' * 1000)",
    "call what nobody has heard of": "call(9999)",
}


def attempt(code):
    """Code that says what became of it."""
    return f"""{START}
try:
    {code}
except (OSError, ValueError) as error:
    print("refused:", type(error).__name__)
else:
    print("done")
"""


def outside(code):
    """The same without a sandbox."""
    return subprocess.run([sys.executable, "-c", attempt(code)], capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("what", READ)
def test_cannot_read(worker, what):
    """None of what is not Python's own is there to be read."""
    said = ask(worker.socket, attempt(READ[what]))
    assert said in ("refused: FileNotFoundError\n", "refused: PermissionError\n")


def test_cannot_read_what_lies_beside_python(worker, tmp_path):
    """A gradebook in /tmp say, where the sandbox has a folder of the same name."""
    gradebook = tmp_path / "gradebook.db"
    gradebook.write_text("all of it")
    assert outside(f"open({str(gradebook)!r}).read()") == "done"
    assert "FileNotFoundError" in ask(worker.socket, attempt(f"open({str(gradebook)!r}).read()"))


@pytest.mark.parametrize("what", DO)
def test_cannot(worker, what):
    """It is refused, with an error that code can catch."""
    if os.uname().machine != "x86_64" and "call(" in DO[what]:
        pytest.skip("its number is another on this processor")
    said = ask(worker.socket, attempt(DO[what]))
    assert said.startswith("refused: "), said


OUTSIDE = {
    "read": READ["the repository"],
    "look": READ["our memory"],
    "fork": DO["fork"],
    "kill": DO["send us a signal"],
}


@pytest.mark.parametrize("code", OUTSIDE.values(), ids=OUTSIDE)
def test_could_outside(code):
    """The tries are real ones: without a sandbox they work."""
    assert "done" in outside(code)


def test_sees_no_other_process(worker):
    """Itself and the keeper."""
    said = ask(worker.socket, "import os; print(sorted(n for n in os.listdir('/proc') if n.isdigit()))")
    assert len(eval(said)) == 2


def test_sees_nothing_of_our_environment(zygote, monkeypatch):
    """Neither in its own environment nor in memory is there anything of ours."""
    from autograder.grading.sandbox.zygote import Zygote

    monkeypatch.setenv("MHA_SECRET", "correct-" + "horse")
    with Zygote(module=zygote.module) as fresh, fresh.worker() as worker:
        assert "horse" not in ask(worker.socket, "import os; print(dict(os.environ))")
        assert "found 0" in ask(worker.socket, SEARCH)


SEARCH = """
import ctypes, re
name = bytes(reversed(b'=TERCES_AHM'))
found = 0
for line in open('/proc/self/maps'):
    place, rights, *_ = line.split()
    if rights.startswith('rw'):
        start, end = (int(x, 16) for x in place.split('-'))
        found += sum(hit.endswith(b'c') for hit in re.findall(name + b'.', ctypes.string_at(start, end - start)))
print('found', found)
"""


def test_has_nothing_open_but_its_socket(worker):
    """Three times nothing, and the socket; listing takes one more."""
    assert eval(ask(worker.socket, "import os; print(os.listdir('/proc/self/fd'))")) == list("01234")
    assert ask(worker.socket, "print({os.readlink(f'/proc/self/fd/{n}') for n in (0, 1, 2)})") == "{'/dev/null'}\n"


def test_knows_no_exercise(worker):
    """Neither in memory nor on disk; what it imports later comes from Python's folders alone."""
    said = ask(worker.socket, "import sys; print([m for m in sys.modules if 'exercises' in m], sys.path)")
    assert said.startswith("[] ") and str(ROOT / "autograder") not in said and f"'{ROOT}'" not in said


def test_our_packages_are_covered_where_pip_put_them(monkeypatch, tmp_path):
    """An installed course lies among the other packages: those are there to be read, it is not."""
    needs_sandbox()
    from autograder.grading.sandbox.bubblewrap import Sandbox
    from autograder.grading.sandbox.lockdown import rules_for_calls

    for name in ("autograder", "mha_lessons", "mha_ref", "another"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.py").touch()
    monkeypatch.setattr(bubblewrap, "package_folders", lambda: [str(tmp_path)])
    bubblewrap.covered_folders.cache_clear()
    sandbox = Sandbox(rules_for_calls())
    bubblewrap.covered_folders.cache_clear()
    pid = Path(f"/proc/self/fdinfo/{sandbox.keeper}").read_text().split("Pid:")[1].split()[0]
    inside = Path(f"/proc/{pid}/root{tmp_path}")
    seen = {name: os.listdir(inside / name) for name in os.listdir(inside)}
    sandbox.close()
    assert seen == {"autograder": [], "mha_lessons": [], "mha_ref": [], "another": ["code.py"]}


def test_pythons_own_modules_are_found_without_a_virtual_environment(monkeypatch, tmp_path):
    """There, as in conda's environments, packages lie in a folder of the library."""
    library, packages = str(tmp_path / "lib"), str(tmp_path / "lib/python3/site-packages")
    Path(packages).mkdir(parents=True)
    monkeypatch.setattr(bubblewrap, "python_folders", lambda: [library, packages])
    path = [str(tmp_path), f"{library}/python3", packages]
    assert bubblewrap.importable(path) == path[1:]


DRAWS = """
from autograder.grading.sandbox.sources import workers
from autograder.grading.port.remote import Remote

with workers(without=("torch",)) as zygote, zygote.worker() as worker:
    remote = Remote(worker, 5)
    remote.reply("begin", taught=[])
    code = "%matplotlib inline\\nimport matplotlib.pyplot as plt; plt.plot([1, 2]); plt.title('two')"
    outputs = remote.reply("run", 30, code=code).outputs
    print([kind for output in outputs for kind in output.get("data", output)])
"""


@pytest.mark.skipif(sys.prefix == sys.base_prefix, reason="these tests do not run in a virtual environment")
def test_figures_are_drawn_where_the_environment_is_a_link(tmp_path):
    """matplotlib looks for its fonts where the link leads."""
    needs_sandbox()
    (tmp_path / "link").symlink_to(sys.prefix)
    python = str(tmp_path / "link" / "bin" / "python")
    done = subprocess.run([python, "-c", DRAWS], cwd=ROOT, capture_output=True, text=True)
    assert "image/png" in done.stdout, done.stdout + done.stderr


def test_our_packages_are_covered_under_both_names(monkeypatch, tmp_path):
    """Where a folder of packages is a link, what lies where it leads to is hidden as well."""
    (tmp_path / "there" / "autograder").mkdir(parents=True)
    (tmp_path / "link").symlink_to("there")
    monkeypatch.setattr(bubblewrap.site, "getsitepackages", lambda: [str(tmp_path / "link")])
    monkeypatch.syspath_prepend(str(tmp_path / "link"))
    bubblewrap.covered_folders.cache_clear()
    covered = bubblewrap.covered_folders()
    bubblewrap.covered_folders.cache_clear()
    assert {str(tmp_path / name / "autograder") for name in ("link", "there")} <= set(covered)


def test_has_no_privileges(worker):
    """No capability in any set, none to be had, a filter on all calls, no core dump."""
    status = dict(
        line.split(":\t")
        for line in ask(worker.socket, "print(open('/proc/self/status').read())").split("\n")
        if ":\t" in line
    )
    assert {int(status[f"Cap{kind}"], 16) for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {0}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert ask(worker.socket, "import ctypes; print(ctypes.CDLL(None).prctl(3))") == "0\n"


def test_is_nobody_outside(worker):
    """Root's worker is not root, not even to files that ask for no capability."""
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    pid = born_in(worker)
    assert Path(f"/proc/{pid}/status").read_text().split("Uid:\t")[1].split()[0] == "65534"


def born_in(worker):
    """The worker's process, as we see it: it answers to our pidfd's namespace."""
    inside = ask(worker.socket, "import os; print(os.readlink('/proc/self/ns/pid'))").strip()
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and os.readlink(process / "ns" / "pid") == inside:
                if (process / "comm").read_text() != "cat\n":
                    return int(process.name)
        except OSError:
            continue
    raise AssertionError("nowhere")


def test_may_write_in_its_folder(worker):
    """A private one, empty at first, and /tmp; both are gone with it."""
    assert ask(worker.socket, "import os; print(os.listdir(), os.getcwd())") == "[] /tmp/home\n"
    assert ask(worker.socket, "open('a', 'w').write('x'); open('/tmp/b', 'w'); print(os.listdir())") == "['a']\n"


FILL = """
try:
    for n in range(10**6):
        open(f"{n}", "wb").write(b"x" * SIZE)
except OSError:
    print(n)
"""
TOO_LARGE = """
open('a', 'wb', 0).write(bytes(2**24))
open('a', 'ab', 0).write(b'x')
"""


def test_cannot_fill_the_folder(worker):
    """Neither with bytes, nor with files, nor with one large file."""
    clean = "import os\nfor name in os.listdir(): os.remove(name)"
    assert 3 <= int(ask(worker.socket, FILL.replace("SIZE", "2**24"))) <= 4
    assert ask(worker.socket, clean) == ""
    assert 1900 < int(ask(worker.socket, FILL.replace("SIZE", "0"))) < 2000
    assert ask(worker.socket, clean) == ""
    assert "File too large" in ask(worker.socket, TOO_LARGE)


def test_cannot_fill_memory(worker):
    """Beyond the limit there is none: in one piece, in many, shared."""
    for code in (
        "x = bytearray(3 * 2**30)",
        "import mmap; x = mmap.mmap(-1, 3 * 2**30)",
        "import torch; x = torch.ones(3 * 2**28)",
    ):
        assert "Error" in ask(worker.socket, code), code
    assert ask(worker.socket, "x = bytearray(2**29); print(len(x))") == f"{2**29}\n"


def test_cannot_have_more_threads_than_allowed(worker):
    """Some, as torch wants; not as many as would stop the machine."""
    assert 16 < int(ask(worker.socket, MANY_THREADS)) < 64


MANY_THREADS = """
import threading, time
n = 0
try:
    while n < 500:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        n += 1
except RuntimeError:
    print(n)
"""


def test_threads_of_one_do_not_count_for_another(zygote):
    """A sandbox full of threads leaves the next one all of its own."""
    with zygote.worker() as greedy, zygote.worker() as modest:
        test_cannot_have_more_threads_than_allowed(greedy)
        test_cannot_have_more_threads_than_allowed(modest)


def test_sees_nothing_of_another(zygote):
    """Neither files nor processes nor abstract sockets are shared."""
    with zygote.worker() as one, zygote.worker() as two:
        ask(one.socket, "open('/tmp/left', 'w').write('for you')")
        assert "FileNotFoundError" in ask(two.socket, "open('/tmp/left')")
        for kind in ("pid", "net", "mnt", "ipc", "uts", "user", "cgroup"):
            code = f"import os; print(os.readlink('/proc/self/ns/{kind}'))"
            assert len({ask(one.socket, code), ask(two.socket, code), os.readlink(f"/proc/self/ns/{kind}") + "\n"}) == 3


def test_an_abstract_socket_is_out_of_reach(worker):
    """Ours, with a name that anybody on this machine could call."""
    with socket.socket(socket.AF_UNIX) as ours:
        ours.bind("\0mha-test")
        ours.listen()
        assert "PermissionError" in ask(worker.socket, attempt(DO["talk to an abstract socket"]))
        assert "done" in outside(DO["talk to an abstract socket"])


def test_another_program_in_its_place_is_locked_in_too(worker):
    """It may replace itself by another program; that is no freer."""
    worker.socket.settimeout(30)
    code = "import os; os.dup2(3, 1); os.dup2(3, 0); os.execv('/bin/sh', ['sh', '-c', 'cat /proc/self/status; ls /'])"
    worker.socket.sendall(len(code).to_bytes(4, "big") + code.encode())
    assert worker.socket.recv(10) == b""  # sh cannot fork to run `cat`


def test_numpy_torch_and_figures_work(worker):
    """What lessons do is allowed: arrays, training, threads, figures, temporary files, IPython."""
    assert ask(worker.socket, WORK) == "well\n"


WORK = """
import asyncio, io, tempfile, threading
import numpy as np, torch
from matplotlib import pyplot
from IPython.core.interactiveshell import InteractiveShell
layer = torch.nn.Linear(8, 8)
optimizer = torch.optim.Adam(layer.parameters())
for _ in range(3):
    optimizer.zero_grad()
    layer(torch.ones(2, 8)).pow(2).sum().backward()
    optimizer.step()
torch.set_num_threads(4)
torch.rand(600, 600) @ torch.rand(600, 600)
assert np.allclose(np.linalg.inv(np.eye(3)), np.eye(3))
figure, axes = pyplot.subplots()
axes.imshow(np.eye(4))
figure.savefig(io.BytesIO())
with tempfile.NamedTemporaryFile() as file:
    torch.save(layer.state_dict(), file)
thread = threading.Thread(target=print)
thread.start()
thread.join()
asyncio.run(asyncio.sleep(0))
assert InteractiveShell.instance().run_cell("x = 1").success
print("well")
""".replace("target=print", "target=len, args=('',)")


@pytest.mark.nightly
def test_all_of_this_holds_for_an_ordinary_user():
    """If we are root: again, as somebody who is not."""
    from helpers import as_nobody  # here: a sandbox is tried without the course in this process

    if os.geteuid() != 0:
        pytest.skip("this is an ordinary user already")
    command = [
        *as_nobody(),
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
        str(Path(__file__).parent),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "HOME": "/tmp"})
    if "No module named" in done.stderr:
        pytest.skip("an ordinary user cannot read this Python")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
