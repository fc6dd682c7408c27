"""Servers for a test, on ports of this machine that nobody else uses, with folders of their own."""

import glob
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, suppress

import psutil
import pytest
from running_lab import free_port

PATIENCE = 60  # seconds


@contextmanager
def postgresql(folder):
    """The address of an empty database, as SQLAlchemy wants it; a function that kills its server, and starts another.

    Debian's packages are enough; no service is needed.
    """
    programs = max(glob.glob("/usr/lib/postgresql/*/bin"), default=None)
    if not programs:
        pytest.skip("PostgreSQL is not installed here: `apt-get install postgresql`")
    data, port = folder / "data", free_port()
    _as_nobody_special(folder, f"{programs}/initdb", "-D", data, "-U", "instructor", "--auth=trust", "--no-sync")
    server = [*_user(folder), f"{programs}/postgres", "-D", data, "-p", port, "-h", "127.0.0.1", "-k", "", "-F"]
    with ExitStack() as doors:
        running = [doors.enter_context(_running(*server))]

        def kill():
            first = running.pop()
            for process in (*psutil.Process(first.pid).children(), first):
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            first.wait()  # or the next one would take it for alive
            running.append(doors.enter_context(_running(*server)))
            _wait_for(port)

        _wait_for(port)
        yield f"postgresql+psycopg://instructor@127.0.0.1:{port}/postgres", kill


@contextmanager
def dask_cluster(number, *options):
    """The address of a scheduler, and its workers' processes."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", 1, "--no-dashboard", *options]
    with _running(*dask, "--host", "127.0.0.1", "--port", port, "--no-dashboard"):
        _wait_for(port)
        with _running(*worker, "--nworkers", number, "--local-directory", "/tmp") as workers:
            yield address, workers


def _user(folder):
    """PostgreSQL refuses to be root."""
    if os.getuid() != 0:
        return []
    for place in (folder, *folder.parents):  # who owns a folder must get there
        with suppress(PermissionError):
            if str(place).startswith("/tmp/"):
                place.chmod(0o755)
    shutil.chown(folder, "nobody", "nogroup")
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


def _as_nobody_special(folder, *command):
    subprocess.run([*_user(folder), *map(str, command)], check=True, capture_output=True, cwd=folder)


@contextmanager
def _running(*command):
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait_for(port):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise TimeoutError(f"nobody answers on port {port}")
