"""System calls of Linux that Python's own library lacks, by way of the C library."""

import ctypes
import os

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


def _call(name, *arguments):
    """Call a function of libc with integers as longs: prctl takes any number of arguments, and reads each as a long."""
    arguments = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in arguments]
    if getattr(LIBC, name)(*arguments) < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")


def join_namespaces(process):
    """Join all namespaces of a process, given as a pidfd; its pid namespace is that of children born from now on."""
    _call("setns", process, ALL_NAMESPACES)


def adopt_orphans():
    """Let grandchildren whose parent has ended become our children, and not those of the machine's first process."""
    _call("prctl", _BE_SUBREAPER, 1, 0, 0, 0)


def resize_tmpfs(folder, size, files):
    """Limit the bytes and files of a tmpfs that exists already."""
    flags = _REMOUNT | _NO_SETUID | _NO_DEVICES
    _call("mount", None, os.fsencode(folder), None, flags, f"size={size},nr_inodes={files}".encode())


def empty_bounding_set():
    """Let no program that is started later get any capability back."""
    with open("/proc/sys/kernel/cap_last_cap") as file:
        last = int(file.read())
    for capability in range(last + 1):
        _call("prctl", _DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)


def drop_capabilities():
    _call("prctl", _AMBIENT, _CLEAR_ALL, 0, 0, 0)
    _call("capset", (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION_3, 0), (ctypes.c_uint32 * 6)())


def forbid_new_privileges():
    _call("prctl", _SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def hide_memory():
    """Allow no core dump, and no other process to look into this one."""
    _call("prctl", _SET_DUMPABLE, 0, 0, 0, 0)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def allow_system_calls(program):
    """Allow only system calls that this filter lets through from now on: eight bytes an instruction."""
    _call("prctl", _SET_SECCOMP, _SECCOMP_FILTER, ctypes.byref(_Program(len(program) // 8, program)), 0, 0)
