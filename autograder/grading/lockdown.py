"""What a worker does to itself before it runs a stranger's code: it joins its sandbox, and locks all doors."""

import fcntl
import os
import random
import resource
import sys
import time

from . import kernel
from .folders import importable
from .sandbox import HOME, TMP, USER

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


def keep_only(*descriptors):
    """These, as 3, 4, ..., and nothing in place of keyboard and screen."""
    nothing = os.open("/dev/null", os.O_RDWR)
    high = [fcntl.fcntl(number, fcntl.F_DUPFD, 100) for number in (nothing, nothing, nothing, *descriptors)]
    for number, copy in enumerate(high):
        os.dup2(copy, number, inheritable=number < 3)
    os.closerange(len(high), os.sysconf("SC_OPEN_MAX"))
    return range(3, len(high))


def lock(limits, program):
    """In a child that has joined a sandbox, and keeps no descriptor but its own."""
    forget_environment()
    os.setsid()
    take_folder(limits)
    set_limits(limits)
    give_up_privileges()
    os.chdir(HOME)
    os.umask(0o022)
    sys.path[:] = importable(sys.path)
    reseed()
    kernel.forbid_new_privileges()
    kernel.allow_system_calls(program)


def forget_environment():
    os.environ.clear()
    os.environ.update(ENVIRONMENT)
    time.tzset()


def take_folder(limits):
    """The only place to write, all of it in memory."""
    kernel.resize_tmpfs(TMP, limits.tmp_size, limits.tmp_files)
    os.chown(HOME, USER, USER)


def set_limits(limits):
    """Hard ones: without privileges they can only become smaller."""
    values = {
        resource.RLIMIT_AS: memory_in_use() + limits.memory,
        resource.RLIMIT_NPROC: limits.threads,
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_FSIZE: limits.file_size,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: 64,
    }
    for kind, value in values.items():
        resource.setrlimit(kind, (value, value))
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # if the machine runs out of memory, a worker ends first


def memory_in_use():
    """Address space, as RLIMIT_AS counts it."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def give_up_privileges():
    """Joining gave us all of them inside; if root started us, we become nobody, too."""
    kernel.empty_bounding_set()
    if os.getuid() != USER:
        os.setgroups([])
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    kernel.drop_capabilities()
    kernel.hide_memory()


def reseed():
    """Workers are copies of one process: without this they would all draw the same numbers."""
    random.seed()
    for library, name in (("numpy.random", "seed"), ("torch", "seed")):
        if library in sys.modules:
            getattr(sys.modules[library], name)()
