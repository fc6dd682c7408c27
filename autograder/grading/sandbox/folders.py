"""The folders that a worker can see: Python and its libraries, to be read, and nothing else."""

import os
import site
import sys
from functools import cache
from glob import glob
from pathlib import Path

from ...outline import outline

SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin")
# Where libraries are found, the time of day, how many cores there are. No names, no passwords.
SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/sys/devices/system/cpu",
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


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
def covered_folders(lacks=()):
    """Return our own packages where they are installed among others, and libraries that a lesson lacks."""
    places = {*package_folders(), *other_package_folders()}
    candidates = (os.path.join(folder, name) for folder in sorted(places) for name in (*outline().packages, *lacks))
    return [folder for folder in candidates if os.path.isdir(folder)]


def other_package_folders():
    """Return where other Pythons have their packages, as far as a worker sees them."""
    roots = (*SYSTEM, *(f"/usr/{lib}" for lib in ("lib", "lib64", "local/lib", "local/lib64")), *python_folders())
    return [folder for root in roots for folder in glob(os.path.join(root, "python*", "*-packages"))]


def parents(folders):
    """Return all folders above these, outermost first: bubblewrap would hide some of them from ordinary users."""
    above = {str(parent) for folder in folders for parent in Path(folder).parents}
    return sorted(above - {"/"} - set(folders))


def importable(path):
    """Return what is left of sys.path in a sandbox; a folder that only leads to Python's is empty there."""
    there = python_folders()
    empty = [folder for folder in parents(there) if not any(Path(folder).is_relative_to(one) for one in there)]
    return [entry for entry in path if os.path.isabs(entry) and os.path.exists(entry) and entry not in empty]
