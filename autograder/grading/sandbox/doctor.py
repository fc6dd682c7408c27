"""`mha doctor`: what protects this machine from submissions, what does not, and how to get what is missing."""

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from .selection import why_no_sandbox

OLDEST_KERNEL = (5, 14)  # from there on threads are counted for each sandbox, and not for each person


@dataclass(frozen=True)
class Finding:
    """One protection: whether it is there, what we saw, and what gets it."""

    name: str
    there: bool
    seen: str
    remedy: str = ""


def examine():
    """Examine what a sandbox needs. Later findings need earlier ones, so people begin at the first that is missing."""
    if sys.platform != "linux":
        return [Finding("Linux", False, f"this is {platform.system()}", ELSEWHERE)]
    findings = [kernel(), bubblewrap(), user_namespaces(), system_calls()]
    trouble = why_no_sandbox()
    return [*findings, Finding("a sandbox", not trouble, trouble or "made one, and ended it")]


ELSEWHERE = (
    "Grade in Linux: on Windows in WSL2 (`wsl --install`), on macOS in a virtual machine or a Linux container "
    "(`podman machine init && podman machine start`)."
)


def kernel():
    release = platform.release()
    version = tuple(int(part) for part in release.split("-")[0].split(".")[:2])
    return Finding("kernel", version >= OLDEST_KERNEL, release, "Linux 5.14 or later is needed: upgrade the system.")


def bubblewrap():
    path = shutil.which("bwrap")
    return Finding("bubblewrap", bool(path), _first_line("bwrap", "--version") if path else "not found", install())


def install():
    """Return how to install something with this system's package manager."""
    commands = {
        "apt-get": "sudo apt-get install bubblewrap libseccomp2",
        "dnf": "sudo dnf install bubblewrap libseccomp",
        "pacman": "sudo pacman -S bubblewrap libseccomp",
        "apk": "sudo apk add bubblewrap libseccomp",
    }
    known = [command for tool, command in commands.items() if shutil.which(tool)]
    return known[0] if known else "Install bubblewrap and libseccomp with your package manager."


def user_namespaces():
    complaint = _first_line("bwrap", "--unshare-user", "--ro-bind", "/", "/", "true")
    return Finding("user namespaces", not complaint, complaint or "allowed", why_forbidden())


SWITCHES = {  # file -> the value that forbids, and what allows
    "kernel/unprivileged_userns_clone": ("0", "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
    "user/max_user_namespaces": ("0", "sudo sysctl -w user.max_user_namespaces=15000"),
    "kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0   (for all programs; "
        "an AppArmor profile with `userns,` for /usr/bin/bwrap is narrower)",
    ),
}


def why_forbidden(switches=Path("/proc/sys")):
    for name, (forbidding, remedy) in SWITCHES.items():
        file = switches / name
        if file.exists() and file.read_text().strip() == forbidding:
            return remedy
    return (
        "In a container, start it so that it may make namespaces: podman does; "
        "docker needs `--security-opt seccomp=unconfined --security-opt apparmor=unconfined "
        "--security-opt systempaths=unconfined`."
    )


def system_calls():
    try:
        from .syscalls import program

        return Finding("seccomp", True, f"a filter of {len(program()) // 8} instructions")
    except (ImportError, OSError, RuntimeError) as error:
        return Finding("seccomp", False, str(error), f"{install()} && pip install pyseccomp")


def _first_line(*command):
    """Return the first line that a program said, or ""."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return next(iter(done.stdout.splitlines()), "")


WITH_SANDBOX = """\
Submissions run in a sandbox, and are judged outside of it.
A submission cannot read your files, the gradebook, the exercises or another submission; it cannot write anywhere
but in a folder of its own, in memory; it has no network; it sees no other process, has no children, and limited
memory, threads and time. All of it ends with its worker.
Not promised: against a flaw of the Linux kernel, or of the processor, there is no protection here. A submission sees
which Python packages and programs are installed, and the kind of this computer. It can make the computer slower."""

WITHOUT_SANDBOX = """\
Submissions can only run as ordinary processes, and grading starts only with --trust-submissions.
They are judged outside of their own process, so they cannot give themselves points by changing the judge in memory.
Not protected: all files that you can read or write, the gradebook among them; the network; your other programs."""

AS_ROOT = "You are root. Workers then run as nobody; better still is to grade as an ordinary user."


def promise(findings):
    text = WITH_SANDBOX if all(finding.there for finding in findings) else WITHOUT_SANDBOX
    return f"{text}\n{AS_ROOT}" if hasattr(os, "geteuid") and os.geteuid() == 0 else text
