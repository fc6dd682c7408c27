"""A sandbox: namespaces and mounts, made by bubblewrap, for one worker to join.

Inside runs a keeper, `cat`, which keeps the namespaces alive. It is process 1 there: nothing inside can kill it,
and when it ends, the kernel ends all others, whatever they do. It ends when its pipe is closed, so even if we crash.
It holds one capability, of no use in there, that no worker has: so the kernel lets none look into it, or change it.
Of our disk a worker sees Python and its libraries, to be read, and nothing else.
"""

import json
import os
import shutil
import signal
import site
import socket
import sys
import tempfile
from contextlib import contextmanager, suppress
from functools import cache
from glob import glob
from pathlib import Path
from subprocess import PIPE, Popen

from ...outline import outline
from .. import NoSandbox

TMP = "/tmp"
HOME = "/tmp/home"
USER = 1000  # inside; outside it is whoever runs this, or nobody if that is root
NOBODY = 65534
MARK = "CAP_WAKE_ALARM"
NAMESPACES = ("pid", "net", "ipc", "uts", "cgroup")
LIBRARIES = ("lib", "lib32", "lib64", "libx32", "local/lib", "local/lib64")
# Not the whole of /usr: a course may lie in /usr/src, or in /usr/local/share.
SYSTEM = (*(f"/usr/{part}" for part in ("bin", "sbin", "share/zoneinfo", *LIBRARIES)), "/bin", "/sbin")
SYSTEM += ("/lib", "/lib32", "/lib64", "/libx32")
# Where libraries are found, the time of day, how many cores there are. No names, no passwords.
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime")
SYSTEM_FILES += ("/sys/devices/system/cpu",)
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class Sandbox:
    """Made, and empty but for its keeper, for which the rules hold. Libraries in `without` are not seen inside."""

    def __init__(self, rules, without=()):
        bwrap = shutil.which("bwrap")
        if not bwrap:
            raise NoSandbox("bubblewrap is not installed")
        info, told = socket.socketpair()
        with info, told, tempfile.TemporaryFile() as file, users() as (options, user_namespace):
            rules.export_bpf(file)
            file.seek(0)
            given = [file.fileno(), told.fileno(), *user_namespace]
            options += [*view(without), "--seccomp", str(file.fileno()), "--info-fd", str(told.fileno())]
            command = [bwrap, *options, "cat"]
            self._monitor = Popen(command, 0, stdin=PIPE, stdout=PIPE, stderr=PIPE, pass_fds=given, env={}, cwd="/")
            with self._monitor.stdout as said, self._monitor.stderr as errors:
                with suppress(BrokenPipeError):  # it has ended, and says why
                    self._monitor.stdin.write(b"?")  # `cat` repeats it as soon as it runs
                if said.read(1) != b"?":
                    self._monitor.wait()
                    raise NoSandbox(errors.read().decode(errors="replace").strip() or "bubblewrap ended")
            self.keeper = os.pidfd_open(json.loads(info.recv(4096))["child-pid"])
        with self._monitor.stdin as pipe_to_keeper:
            self.lifeline = os.dup(pipe_to_keeper.fileno())

    def close(self):
        signal.pidfd_send_signal(self.keeper, signal.SIGKILL)
        self._monitor.wait()
        os.close(self.keeper)
        os.close(self.lifeline)


@contextmanager
def users():
    """Return bubblewrap's options for users inside, and the descriptors they name.

    For root there are two: root makes the mounts, and the worker is nobody. Else it would be root to all files
    of /proc that go by user and not by capability, and no limit of threads would hold for it.
    """
    if os.geteuid() != 0:
        yield ["--unshare-user", "--uid", str(USER), "--gid", str(USER)], []
        return
    with Popen(["unshare", "--user", "cat"], 0, stdin=PIPE, stdout=PIPE) as holder:
        holder.stdin.write(b"?")
        holder.stdout.read(1)
        for kind in ("uid_map", "gid_map"):  # written from outside, while a process holds the namespace
            Path(f"/proc/{holder.pid}/{kind}").write_text(f"0 0 1\n{USER} {NOBODY} 1\n")
        with open(f"/proc/{holder.pid}/ns/user", "rb", 0) as namespace:
            yield ["--userns", str(namespace.fileno())], [namespace.fileno()]


def view(without):
    """Return bubblewrap's options for what there is to see inside; later ones cover earlier ones."""
    python, covered = python_folders(), covered_folders(without)
    return [
        *(f"--unshare-{kind}" for kind in NAMESPACES),
        *f"--as-pid-1 --die-with-parent --cap-drop ALL --cap-add {MARK} --hostname sandbox --chdir /".split(),
        *("--perms", "1777", "--tmpfs", TMP, "--dir", HOME),
        *("--proc", "/proc", "--tmpfs", "/dev", "--symlink", TMP, "/dev/shm", "--symlink", "/proc/self/fd", "/dev/fd"),
        *_each("--dir", parents(python)),
        *_each("--ro-bind-try", (*SYSTEM, *SYSTEM_FILES, *python), twice=True),
        *_each("--dev-bind", DEVICES, twice=True),
        *_each("--tmpfs", covered),
        *_each("--remount-ro", ("/", "/dev", *covered)),
    ]


def _each(option, places, twice=False):
    return [word for place in places for word in ((option, place, place) if twice else (option, place))]


def python_folders():
    """Return Python's folders, not the whole virtual environment: it may be in the repository, which stays outside."""
    libraries = [os.path.join(prefix, "lib") for prefix in (sys.base_prefix, sys.prefix)]
    return [folder for folder in (*_with_real(libraries), *package_folders()) if os.path.isdir(folder)]


def package_folders():
    """Return where pip installs, as far as this Python looks there."""
    folders = [*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])]
    return _with_real(folder for folder in folders if folder in sys.path)


def _with_real(folders):
    """Return folders also by the names to which links lead: libraries find their own files by either."""
    return list(dict.fromkeys(name for folder in folders for name in (folder, os.path.realpath(folder))))


@cache  # to look for them takes longer than to cover them
def covered_folders(without=()):
    """Return our own packages where they are installed among others, and libraries that a lesson lacks.

    Other Pythons have packages, too, that a worker sees.
    """
    roots = (*SYSTEM, *python_folders())
    others = (folder for root in roots for folder in glob(os.path.join(root, "python*", "*-packages")))
    places = sorted({*package_folders(), *others})
    candidates = (os.path.join(folder, name) for folder in places for name in (*outline().packages, *without))
    return [folder for folder in candidates if os.path.isdir(folder)]


def parents(folders):
    """Return all folders above these, outermost first: bubblewrap would hide some of them from ordinary users."""
    above = {str(parent) for folder in folders for parent in Path(folder).parents}
    return sorted(above - {"/"} - set(folders))


def importable(path):
    """Return what is left of sys.path in a sandbox: what lies in Python's folders."""
    return [entry for entry in path if any(Path(entry).is_relative_to(folder) for folder in python_folders())]
