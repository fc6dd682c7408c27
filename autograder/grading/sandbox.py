"""A sandbox: namespaces and mounts, made by bubblewrap, for one worker to join.

Inside runs a keeper, `cat`, which keeps the namespaces alive. It is process 1 there: nothing inside can kill it,
and when it ends, the kernel ends all others, whatever they do. It ends when its pipe is closed, so even if we crash.
A worker that took hold of it would win nothing: it has the same filter of system calls, and less memory.
"""

import json
import os
import resource
import shutil
import tempfile
from contextlib import contextmanager
from subprocess import PIPE, Popen

from . import folders, kernel

TMP = "/tmp"
HOME = "/tmp/home"
USER = 1000  # inside; outside it is whoever runs this, or nobody if that is root
NOBODY = 65534
KEEPER_MEMORY = 64 * 2**20
NAMESPACES = ("pid", "net", "ipc", "uts", "cgroup")


class NoSandbox(Exception):
    """This machine does not make one; says why."""


class Sandbox:
    """Made, and empty but for its keeper."""

    def __init__(self, program):
        with tempfile.TemporaryFile() as file, users() as (options, user_namespace), pipe() as (info, told):
            file.write(program)
            file.seek(0)
            given = [file.fileno(), told, *user_namespace]
            command = [bubblewrap(), *options, *view(), "--seccomp", str(file.fileno()), "--info-fd", str(told), "cat"]
            self.monitor = Popen(command, 0, stdin=PIPE, stdout=PIPE, stderr=PIPE, pass_fds=given, env={}, cwd="/")
            self._wait_until_made()
            keeper = keeper_in(os.read(info, 4096))
        resource.prlimit(keeper, resource.RLIMIT_AS, (KEEPER_MEMORY, KEEPER_MEMORY))
        self.keeper = os.pidfd_open(keeper)
        with self.monitor.stdin as pipe_to_keeper:
            self.lifeline = os.dup(pipe_to_keeper.fileno())

    def _wait_until_made(self):
        """Cat says what it is told, as soon as it runs."""
        with self.monitor.stdout as said, self.monitor.stderr as errors:
            self.monitor.stdin.write(b"?")
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
    """bubblewrap's options for who is who inside, and the descriptors they name.

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
    """A user namespace of two, as a descriptor; a child makes it, and we, outside, write who is who."""
    with pipe() as (made, make), pipe() as (done, end):
        child = os.fork()
        if child == 0:
            _make_user_namespace(make, done, end)
        os.read(made, 1)
        for kind in ("uid_map", "gid_map"):
            with open(f"/proc/{child}/{kind}", "w") as file:
                file.write(f"0 0 1\n{USER} {NOBODY} 1\n")
        namespace = os.open(f"/proc/{child}/ns/user", os.O_RDONLY)
        os.write(end, b".")
    os.waitpid(child, 0)
    return namespace


def _make_user_namespace(make, done, end):
    try:
        os.close(end)
        kernel.leave_user_namespace()
        os.write(make, b".")
        os.read(done, 1)
    finally:
        os._exit(0)


def view():
    """bubblewrap's options for what there is to see inside; later ones lie on top of earlier ones."""
    python = folders.python_folders()
    covered = folders.covered_folders()
    return [
        *(f"--unshare-{kind}" for kind in NAMESPACES),
        *("--as-pid-1", "--die-with-parent", "--cap-drop", "ALL", "--hostname", "sandbox", "--chdir", "/"),
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
