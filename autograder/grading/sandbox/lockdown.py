"""How a worker locks itself in before it runs a stranger's code: it joins its sandbox, and gives up all rights."""

import fcntl
import os
import random
import signal
import sys
import time

from . import kernel
from .bubblewrap import HOME, TMP, USER
from .folders import importable
from .limits import set_limits

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
    """Keep only these descriptors, as 3, 4, ..., and nothing in place of keyboard and screen."""
    nothing = os.open("/dev/null", os.O_RDWR)
    high = [fcntl.fcntl(number, fcntl.F_DUPFD, 100) for number in (nothing, nothing, nothing, *descriptors)]
    for number, copy in enumerate(high):
        os.dup2(copy, number, inheritable=number < 3)
    os.closerange(len(high), os.sysconf("SC_OPEN_MAX"))
    return range(3, len(high))


def lock(limits, program):
    """Lock a child that has joined a sandbox, and keeps no descriptor but its own."""
    forget_environment()
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    take_folder(limits)
    set_limits(limits)
    end_first_when_memory_is_short()
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
    """Take the only folder to write in, all of it in memory."""
    kernel.resize_tmpfs(TMP, limits.tmp_size, limits.tmp_files)
    os.chown(HOME, USER, USER)


def end_first_when_memory_is_short():
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def give_up_privileges():
    """Give up the privileges that joining gave us inside; if root started us, become an ordinary user, too."""
    kernel.empty_bounding_set()
    if os.getuid() != USER:
        os.setgroups([])
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    kernel.drop_capabilities()
    kernel.hide_memory()


def reseed():
    """Seed random numbers anew: workers are copies of one process, and would all draw the same."""
    import numpy  # here: whoever starts a zygote need not wait for it

    random.seed()
    numpy.random.seed()
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.seed()
