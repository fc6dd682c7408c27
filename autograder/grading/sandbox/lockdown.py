"""How a worker locks itself in before it runs a stranger's code: it joins its sandbox, and gives up all rights.

What Python's own library lacks for that, the C library has. Of system calls it may make those of system_calls.toml.
"""

import ctypes
import errno
import fcntl
import os
import signal
import socket
import sys
import termios
import time
import tomllib
from pathlib import Path

import pyseccomp
from pyseccomp import ALLOW, EQ, ERRNO, MASKED_EQ, Arg

from .bubblewrap import HOME, TMP, USER, importable
from .sources import ONE_THREAD, SET_DUMPABLE, TMP_FILES, TMP_SIZE, set_limits

LIBC = ctypes.CDLL(None, use_errno=True)

ALL_NAMESPACES = 0x7E020000  # of mounts, control groups, the host's name, messages, users, processes, the network
_DROP_FROM_BOUNDING_SET, _BE_SUBREAPER, _AMBIENT, _CLEAR_ALL = 24, 36, 47, 4
_REMOUNT, _NO_SETUID, _NO_DEVICES = 32, 2, 4
_CAPABILITIES_VERSION_3 = 0x20080522

# All that a learner's code sees of the environment; nbgrader sets the last one, and lessons look at it.
ENVIRONMENT = {
    "HOME": HOME,
    "TMPDIR": TMP,
    "USER": "learner",
    "LOGNAME": "learner",
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "MPLCONFIGDIR": f"{HOME}/.matplotlib",
    "IPYTHONDIR": f"{HOME}/.ipython",
    **ONE_THREAD,
    "NBGRADER_EXECUTION": "autograde",
}

CALLS = tomllib.loads(Path(__file__).with_name("system_calls.toml").read_text(encoding="utf-8"))
_CLONE_THREAD, _NEW_TIME = 0x00010000, 0x00000080


def call(name, *arguments):
    """Call a function of libc with integers as longs: prctl takes any number of arguments, and reads each as a long."""
    arguments = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in arguments]
    if getattr(LIBC, name)(*arguments) < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")


def adopt_orphans():
    """Let grandchildren whose parent has ended become our children, and not those of the machine's first process."""
    call("prctl", _BE_SUBREAPER, 1, 0, 0, 0)


def keep_only(*descriptors):
    """Keep only these descriptors, as 3, 4, ..., and nothing in place of keyboard and screen."""
    nothing = os.open("/dev/null", os.O_RDWR)
    high = [fcntl.fcntl(number, fcntl.F_DUPFD, 100) for number in (nothing, nothing, nothing, *descriptors)]
    for number, copy in enumerate(high):
        os.dup2(copy, number, inheritable=number < 3)
    os.closerange(len(high), os.sysconf("SC_OPEN_MAX"))
    return range(3, len(high))


def lock(rules):
    """Lock a child that has joined a sandbox, and keeps no descriptor but its own."""
    os.environ.clear()
    os.environ.update(ENVIRONMENT)
    time.tzset()
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    flags = _REMOUNT | _NO_SETUID | _NO_DEVICES  # the only folder to write in is in memory: it has few bytes and files
    call("mount", None, TMP.encode(), None, flags, f"size={TMP_SIZE},nr_inodes={TMP_FILES}".encode())
    os.chown(HOME, USER, USER)
    set_limits()
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # where memory is short, this ends first
    give_up_privileges()
    os.chdir(HOME)
    os.umask(0o022)
    sys.path[:] = importable(sys.path)
    rules.load()  # and no program gets more privileges than whoever starts it


def give_up_privileges():
    """Give up the privileges that joining gave us inside; if root started us, become an ordinary user, too."""
    with open("/proc/sys/kernel/cap_last_cap") as file:
        last = int(file.read())
    for capability in range(last + 1):  # no program that is started later gets any of them back
        call("prctl", _DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)
    if os.getuid() != USER:
        os.setgroups([])
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    call("prctl", _AMBIENT, _CLEAR_ALL, 0, 0, 0)
    call("capset", (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION_3, 0), (ctypes.c_uint32 * 6)())
    call("prctl", SET_DUMPABLE, 0, 0, 0, 0)  # no core dump, and no other process looks into this one


def rules_for_calls():
    """Return the rules for system calls, which become a small program that the kernel runs before each."""
    rules = pyseccomp.SyscallFilter(ERRNO(errno.ENOSYS))
    for name in " ".join(CALLS["allowed"].values()).split():
        _add(rules, ALLOW, name)
    for name in CALLS["refused"]["calls"].split():
        _add(rules, ERRNO(errno.EPERM), name)
    # Threads, and no children: memory is limited per process, and children would each have it.
    _add(rules, ALLOW, "clone", Arg(0, MASKED_EQ, _CLONE_THREAD | ALL_NAMESPACES | _NEW_TIME, _CLONE_THREAD))
    _add(rules, ERRNO(errno.EPERM), "clone", Arg(0, MASKED_EQ, _CLONE_THREAD, 0))
    for request in CALLS["only"]["ioctl"].split():
        _add(rules, ALLOW, "ioctl", Arg(1, EQ, getattr(termios, request)))
    for command in CALLS["only"]["fcntl"].split():
        _add(rules, ALLOW, "fcntl", Arg(1, EQ, getattr(fcntl, command)))
    for option in CALLS["only"]["prctl"]:
        _add(rules, ALLOW, "prctl", Arg(0, EQ, option))
    _add(rules, ALLOW, "prlimit64", Arg(0, EQ, 0))  # of oneself
    _add(rules, ALLOW, "socketpair", Arg(0, EQ, socket.AF_UNIX))  # an event loop wakes itself up by one
    return rules


def _add(rules, action, name, *arguments):
    number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    if number != -1:  # else libseccomp is older than this call, which then counts as not on the list
        rules.add_rule(action, number, *arguments)
