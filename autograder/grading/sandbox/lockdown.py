"""How a worker locks itself in before it runs a stranger's code: it joins its sandbox, and gives up all rights.

What Python's own library lacks for that, the C library has.
"""

import ctypes
import fcntl
import os
import random
import signal
import sys
import time

from .bubblewrap import HOME, TMP, USER, importable
from .limits import set_limits

LIBC = ctypes.CDLL(None, use_errno=True)

NEW_MOUNTS, NEW_CGROUP, NEW_HOSTNAME, NEW_IPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
NEW_USER, NEW_PIDS, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
ALL_NAMESPACES = NEW_USER | NEW_MOUNTS | NEW_CGROUP | NEW_HOSTNAME | NEW_IPC | NEW_PIDS | NEW_NETWORK

_SET_DUMPABLE, _SET_SECCOMP, _DROP_FROM_BOUNDING_SET, _BE_SUBREAPER = 4, 22, 24, 36
_SET_NO_NEW_PRIVILEGES, _AMBIENT = 38, 47
_SECCOMP_FILTER = 2
_CLEAR_ALL = 4
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
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NBGRADER_EXECUTION": "autograde",
}


def _call(name, *arguments):
    """Call a function of libc with integers as longs: prctl takes any number of arguments, and reads each as a long."""
    arguments = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in arguments]
    if getattr(LIBC, name)(*arguments) < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")


def adopt_orphans():
    """Let grandchildren whose parent has ended become our children, and not those of the machine's first process."""
    _call("prctl", _BE_SUBREAPER, 1, 0, 0, 0)


def join_namespaces(process):
    """Join all namespaces of a process, given as a pidfd; its pid namespace is that of children born from now on."""
    _call("setns", process, ALL_NAMESPACES)


def keep_only(*descriptors):
    """Keep only these descriptors, as 3, 4, ..., and nothing in place of keyboard and screen."""
    nothing = os.open("/dev/null", os.O_RDWR)
    high = [fcntl.fcntl(number, fcntl.F_DUPFD, 100) for number in (nothing, nothing, nothing, *descriptors)]
    for number, copy in enumerate(high):
        os.dup2(copy, number, inheritable=number < 3)
    os.closerange(len(high), os.sysconf("SC_OPEN_MAX"))
    return range(3, len(high))


def lock(limits, program):
    """Lock a child that has joined a sandbox, and keeps no descriptor but its own."""
    os.environ.clear()
    os.environ.update(ENVIRONMENT)
    time.tzset()
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    take_folder(limits)
    set_limits(limits)
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # where memory is short, this ends first
    give_up_privileges()
    os.chdir(HOME)
    os.umask(0o022)
    sys.path[:] = importable(sys.path)
    reseed()
    _call("prctl", _SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    allow_system_calls(program)


def take_folder(limits):
    """Take the only folder to write in, all of it in memory; limit its bytes and files."""
    flags = _REMOUNT | _NO_SETUID | _NO_DEVICES
    _call("mount", None, TMP.encode(), None, flags, f"size={limits.tmp_size},nr_inodes={limits.tmp_files}".encode())
    os.chown(HOME, USER, USER)


def give_up_privileges():
    """Give up the privileges that joining gave us inside; if root started us, become an ordinary user, too."""
    with open("/proc/sys/kernel/cap_last_cap") as file:
        last = int(file.read())
    for capability in range(last + 1):  # no program that is started later gets any of them back
        _call("prctl", _DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)
    if os.getuid() != USER:
        os.setgroups([])
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    _call("prctl", _AMBIENT, _CLEAR_ALL, 0, 0, 0)
    _call("capset", (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION_3, 0), (ctypes.c_uint32 * 6)())
    _call("prctl", _SET_DUMPABLE, 0, 0, 0, 0)  # no core dump, and no other process looks into this one


def reseed():
    """Seed random numbers anew: workers are copies of one process, and would all draw the same."""
    import numpy  # here: whoever starts a zygote need not wait for it

    random.seed()
    numpy.random.seed()
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.seed()


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def allow_system_calls(program):
    """Allow only system calls that this filter lets through from now on: eight bytes an instruction."""
    _call("prctl", _SET_SECCOMP, _SECCOMP_FILTER, ctypes.byref(_Program(len(program) // 8, program)), 0, 0)
