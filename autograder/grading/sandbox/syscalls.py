"""The system calls that a worker may make: this list, and no others.

An allow-list: a system call that is invented tomorrow is not on it.
What REFUSED lists fails with "not permitted", as people may really try it.
All else fails with "no such call", as on an older kernel: C libraries then take an older way, and go on.
"""

import errno
import fcntl
import socket
import tempfile

import pyseccomp
from pyseccomp import ALLOW, EQ, ERRNO, MASKED_EQ, Arg

from .lockdown import ALL_NAMESPACES

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

_UNKNOWN = -1
_CLONE_THREAD = 0x00010000
_NEW_NAMESPACES = ALL_NAMESPACES | 0x00000080  # that of time
_TERMINAL_SIZE, _TERMINAL_SETTINGS, _BYTES_WAITING = 0x5413, 0x5401, 0x541B
_NOT_BLOCKING, _CLOSE_ON_EXEC, _KEEP_ON_EXEC = 0x5421, 0x5451, 0x5450
IOCTLS = [_TERMINAL_SIZE, _TERMINAL_SETTINGS, _BYTES_WAITING, _NOT_BLOCKING, _CLOSE_ON_EXEC, _KEEP_ON_EXEC]
_SET_NAME, _GET_NAME, _GET_DUMPABLE, _GET_NO_NEW_PRIVILEGES, _NAME_MEMORY = 15, 16, 3, 39, 0x53564D41
# Not F_SETLEASE: whoever owns a file would decide when others may open it, and a worker's user owns our libraries.
FCNTLS = """
    F_DUPFD F_DUPFD_CLOEXEC F_GETFD F_SETFD F_GETFL F_SETFL F_GETPIPE_SZ F_SETPIPE_SZ
    F_GETLK F_SETLK F_SETLKW F_OFD_GETLK F_OFD_SETLK F_OFD_SETLKW
"""
PRCTLS = [_SET_NAME, _GET_NAME, _GET_DUMPABLE, _GET_NO_NEW_PRIVILEGES, _NAME_MEMORY]


def program():
    """Return the list as the kernel wants it: bytes of a small program that it runs before every system call."""
    rules = pyseccomp.SyscallFilter(ERRNO(errno.ENOSYS))
    for name in " ".join(ALLOWED).split():
        _add(rules, ALLOW, name)
    for name in " ".join(REFUSED).split():
        _add(rules, ERRNO(errno.EPERM), name)
    _allow_threads_alone(rules)
    for request in IOCTLS:
        _add(rules, ALLOW, "ioctl", Arg(1, EQ, request))
    for command in FCNTLS.split():
        _add(rules, ALLOW, "fcntl", Arg(1, EQ, getattr(fcntl, command)))
    for option in PRCTLS:
        _add(rules, ALLOW, "prctl", Arg(0, EQ, option))
    _add(rules, ALLOW, "prlimit64", Arg(0, EQ, 0))  # of oneself
    _add(rules, ALLOW, "socketpair", Arg(0, EQ, socket.AF_UNIX))  # an event loop wakes itself up by one
    return _compiled(rules)


def _allow_threads_alone(rules):
    """Allow threads and no children: memory is limited per process, and children would each have it."""
    both = _CLONE_THREAD | _NEW_NAMESPACES
    _add(rules, ALLOW, "clone", Arg(0, MASKED_EQ, both, _CLONE_THREAD))
    _add(rules, ERRNO(errno.EPERM), "clone", Arg(0, MASKED_EQ, _CLONE_THREAD, 0))


def _add(rules, action, name, *arguments):
    number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    if number != _UNKNOWN:  # else libseccomp is older than this call, which then counts as not on the list
        rules.add_rule(action, number, *arguments)


def _compiled(rules):
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
