"""A sandbox: namespaces and mounts, made by bubblewrap, for one worker to join.

Inside runs a keeper, `cat`, which keeps the namespaces alive. It is process 1 there: nothing inside can kill it,
and when it ends, the kernel ends all others, whatever they do. It ends when its pipe is closed, so even if we crash.
It holds one capability, of no use in there, that no worker has: so the kernel lets none look into it, or change it.
"""

import json
import os
import shutil
import signal
import tempfile
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen

from .. import NoSandbox
from . import folders

TMP = "/tmp"
HOME = "/tmp/home"
USER = 1000  # inside; outside it is whoever runs this, or nobody if that is root
NOBODY = 65534
MARK = "CAP_WAKE_ALARM"
NAMESPACES = ("pid", "net", "ipc", "uts", "cgroup")


class Sandbox:
    """Made, and empty but for its keeper. Libraries that it `lacks` are not to be seen inside."""

    def __init__(self, program, lacks=()):
        bwrap = bubblewrap()
        with tempfile.TemporaryFile() as file, users() as (options, user_namespace), pipe() as (info, told):
            file.write(program)
            file.seek(0)
            given = [file.fileno(), told, *user_namespace]
            command = [bwrap, *options, *view(lacks), "--seccomp", str(file.fileno()), "--info-fd", str(told), "cat"]
            monitor = Popen(command, 0, stdin=PIPE, stdout=PIPE, stderr=PIPE, pass_fds=given, env={}, cwd="/")
            wait_until_made(monitor)
            keeper = keeper_in(os.read(info, 4096))
        self.keeper = os.pidfd_open(keeper)
        with monitor.stdin as pipe_to_keeper:
            self.lifeline = os.dup(pipe_to_keeper.fileno())
        self._monitor = monitor

    def close(self):
        """End all that is in the sandbox."""
        signal.pidfd_send_signal(self.keeper, signal.SIGKILL)
        self._monitor.wait()
        os.close(self.keeper)
        os.close(self.lifeline)


def wait_until_made(monitor):
    """Wait until the sandbox is made: `cat` in it repeats what it is told as soon as it runs."""
    with monitor.stdout as said, monitor.stderr as errors:
        monitor.stdin.write(b"?")
        if said.read(1) != b"?":
            raise NoSandbox(errors.read().decode(errors="replace").strip() or "bubblewrap ended")


def bubblewrap():
    path = shutil.which("bwrap")
    if not path:
        raise NoSandbox("bubblewrap is not installed")
    return path


@contextmanager
def pipe():
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


def keeper_in(info):
    return json.loads(info)["child-pid"]


@contextmanager
def users():
    """Return bubblewrap's options for users inside, and the descriptors they name.

    For root there are two: root makes the mounts, and the worker is nobody. Else it would be root to all files
    of /proc that go by user and not by capability, and no limit of threads would hold for it.
    """
    if os.geteuid() != 0:
        yield ["--unshare-user", "--uid", str(USER), "--gid", str(USER)], []
        return
    namespace = namespace_with_nobody()
    try:
        yield ["--userns", str(namespace)], [namespace]
    finally:
        os.close(namespace)


def namespace_with_nobody():
    """Return a user namespace of two as a descriptor; we write its users from outside, while a process holds it."""
    with Popen(["unshare", "--user", "cat"], 0, stdin=PIPE, stdout=PIPE) as holder:
        holder.stdin.write(b"?")
        holder.stdout.read(1)
        for kind in ("uid_map", "gid_map"):
            Path(f"/proc/{holder.pid}/{kind}").write_text(f"0 0 1\n{USER} {NOBODY} 1\n")
        return os.open(f"/proc/{holder.pid}/ns/user", os.O_RDONLY)


def view(lacks):
    """Return bubblewrap's options for what there is to see inside; later ones cover earlier ones."""
    python = folders.python_folders()
    covered = folders.covered_folders(lacks)
    return [
        *(f"--unshare-{kind}" for kind in NAMESPACES),
        *(
            "--as-pid-1",
            "--die-with-parent",
            "--cap-drop",
            "ALL",
            "--cap-add",
            MARK,
            "--hostname",
            "sandbox",
            "--chdir",
            "/",
        ),
        *("--perms", "1777", "--tmpfs", TMP, "--dir", HOME),
        *("--proc", "/proc", "--tmpfs", "/dev", "--symlink", TMP, "/dev/shm", "--symlink", "/proc/self/fd", "/dev/fd"),
        *_each("--dir", folders.parents(python)),
        *_each("--ro-bind-try", (*folders.SYSTEM, *folders.SYSTEM_FILES, *python), twice=True),
        *_each("--dev-bind", folders.DEVICES, twice=True),
        *_each("--tmpfs", covered),
        *_each("--remount-ro", ("/", "/dev", *covered)),
    ]


def _each(option, places, twice=False):
    return [word for place in places for word in ((option, place, place) if twice else (option, place))]
