"""How a worker locks itself in before it runs a stranger's code: it joins its sandbox, and gives up all rights.

What Python's own library lacks for that, the C library has. Of system calls it may make those of a list, and no others:
one that is invented tomorrow is not on it. What REFUSED lists fails with "not permitted", as people may really try it.
All else fails with "no such call", as on an older kernel: C libraries then take an older way, and go on.
"""

import ctypes
import errno
import fcntl
import os
import random
import signal
import socket
import sys
import termios
import time

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

FILES = """
    read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2 lseek close close_range
    open openat openat2 creat truncate ftruncate fallocate fsync fdatasync sync_file_range sendfile copy_file_range
    stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink readlinkat getdents getdents64
    mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat
    chmod fchmod fchmodat chown fchown lchown fchownat utime utimes utimensat futimesat umask flock fadvise64 readahead
    getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr getcwd chdir fchdir dup dup2 dup3
"""
MEMORY = "brk mmap munmap mremap mprotect madvise msync mincore membarrier get_mempolicy"
TALK = """
    sendto recvfrom sendmsg recvmsg shutdown getsockopt setsockopt getsockname getpeername pipe pipe2
    poll ppoll select pselect6 eventfd eventfd2
    epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
"""
THREADS = """
    futex set_robust_list get_robust_list set_tid_address rseq restart_syscall sched_yield
    sched_getaffinity sched_setaffinity sched_getparam sched_getscheduler getpriority getcpu
"""
SIGNALS = """
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait rt_sigqueueinfo sigaltstack
    kill tkill tgkill pause
"""
TIME = """
    time gettimeofday clock_gettime clock_getres clock_nanosleep nanosleep times alarm getitimer setitimer
    timer_create timer_settime timer_gettime timer_getoverrun timer_delete
    timerfd_create timerfd_settime timerfd_gettime
"""
ITSELF = """
    getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgid getpgrp getsid capget
    getrlimit getrusage sysinfo uname getrandom arch_prctl execve wait4 waitid exit exit_group
"""
ALLOWED = (FILES, MEMORY, TALK, THREADS, SIGNALS, TIME, ITSELF)

REFUSED = (
    "fork vfork ptrace process_vm_readv process_vm_writev mount umount2 pivot_root chroot unshare setns",
    "socket connect bind listen accept accept4 setsid setuid setgid setresuid setresgid setgroups capset",
    "memfd_create shmget mlock mlock2 mlockall mknod mknodat keyctl add_key request_key bpf perf_event_open",
    "userfaultfd io_uring_setup io_uring_enter io_uring_register reboot kexec_load personality",
    "setxattr lsetxattr fsetxattr",
)

# memfd_create, System V and mlock would be memory that no limit counts; extended attributes, memory of the kernel.
# execve is allowed: it replaces the worker, and changes nothing about what that may do.

_CLONE_THREAD, _NEW_TIME = 0x00010000, 0x00000080
IOCTLS = "TIOCGWINSZ TCGETS FIONREAD FIONBIO FIOCLEX FIONCLEX"
PRCTLS = 15, 16, 3, 39, 0x53564D41  # set or get a name, is it dumpable, may it get privileges, name memory
# Not F_SETLEASE: whoever owns a file would decide when others may open it, and a worker's user owns our libraries.
FCNTLS = """
    F_DUPFD F_DUPFD_CLOEXEC F_GETFD F_SETFD F_GETFL F_SETFL F_GETPIPE_SZ F_SETPIPE_SZ
    F_GETLK F_SETLK F_SETLKW F_OFD_GETLK F_OFD_SETLK F_OFD_SETLKW
"""


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


def lock(rules):
    """Lock a child that has joined a sandbox, and keeps no descriptor but its own."""
    os.environ.clear()
    os.environ.update(ENVIRONMENT)
    time.tzset()
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    flags = _REMOUNT | _NO_SETUID | _NO_DEVICES  # the only folder to write in is in memory: it has few bytes and files
    _call("mount", None, TMP.encode(), None, flags, f"size={TMP_SIZE},nr_inodes={TMP_FILES}".encode())
    os.chown(HOME, USER, USER)
    set_limits()
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # where memory is short, this ends first
    give_up_privileges()
    os.chdir(HOME)
    os.umask(0o022)
    sys.path[:] = importable(sys.path)
    reseed()
    rules.load()  # and no program gets more privileges than whoever starts it


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
    _call("prctl", SET_DUMPABLE, 0, 0, 0, 0)  # no core dump, and no other process looks into this one


def reseed():
    """Seed random numbers anew: workers are copies of one process, and would all draw the same."""
    import numpy  # here: whoever starts a zygote need not wait for it

    random.seed()
    numpy.random.seed()
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.seed()


def rules_for_calls():
    """Return the rules for system calls, which become a small program that the kernel runs before each."""
    rules = pyseccomp.SyscallFilter(ERRNO(errno.ENOSYS))
    for name in " ".join(ALLOWED).split():
        _add(rules, ALLOW, name)
    for name in " ".join(REFUSED).split():
        _add(rules, ERRNO(errno.EPERM), name)
    # Threads, and no children: memory is limited per process, and children would each have it.
    _add(rules, ALLOW, "clone", Arg(0, MASKED_EQ, _CLONE_THREAD | ALL_NAMESPACES | _NEW_TIME, _CLONE_THREAD))
    _add(rules, ERRNO(errno.EPERM), "clone", Arg(0, MASKED_EQ, _CLONE_THREAD, 0))
    for request in IOCTLS.split():
        _add(rules, ALLOW, "ioctl", Arg(1, EQ, getattr(termios, request)))
    for command in FCNTLS.split():
        _add(rules, ALLOW, "fcntl", Arg(1, EQ, getattr(fcntl, command)))
    for option in PRCTLS:
        _add(rules, ALLOW, "prctl", Arg(0, EQ, option))
    _add(rules, ALLOW, "prlimit64", Arg(0, EQ, 0))  # of oneself
    _add(rules, ALLOW, "socketpair", Arg(0, EQ, socket.AF_UNIX))  # an event loop wakes itself up by one
    return rules


def _add(rules, action, name, *arguments):
    number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    if number != -1:  # else libseccomp is older than this call, which then counts as not on the list
        rules.add_rule(action, number, *arguments)
