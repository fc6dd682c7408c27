"""`mha lab` for real, the one way in which tests start JupyterLab."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from helpers import ROOT

from autograder.outline import outline


@dataclass(frozen=True)
class Lab:
    """folder: the project it runs in. address: what it says, where the first lesson is."""

    folder: Path
    address: str

    def url(self, path):
        """Another page of this server, with the token that it asks for."""
        base, token = re.fullmatch(r"(.*)/lab/tree/.*\?(.*)", self.address).groups()
        return f"{base}/{path}?{token}"

    def stop_kernels(self):
        with urlopen(self.url("api/kernels")) as kernels:
            for kernel in json.load(kernels):
                urlopen(Request(self.url(f"api/kernels/{kernel['id']}"), method="DELETE")).close()


@contextmanager
def running_lab(project, *options):
    """`mha lab`, for learners or with --teach, in a folder that has a course/.

    Our packages are copied beside it, and its home is almost empty.
    """
    for name, folder in outline().folders.items():
        shutil.copytree(folder, project / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "nbgrader_config.py", project)
    foreign_kernel(project / "home")
    watch_cells(project / "home")
    mha = [sys.executable, "-c", "from autograder.cli import main; main()"]
    command = [*mha, "lab", *options, "--port", str(free_port())]
    environment = {**os.environ, "CI": "true", "HOME": str(project / "home")}
    environment.pop("MHA_PROGRESS", None)
    with open(project / "said.txt", "w+") as said:
        process = subprocess.Popen(
            command, cwd=project, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
        try:
            yield Lab(project, address(process, project / "said.txt"))
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0


def foreign_kernel(home):
    """Another kernel of the same name, such as other courses leave behind."""
    folder = home / ".local/share/jupyter/kernels/python3"
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text('{"argv": ["false"], "display_name": "foreign", "language": "python"}')


def watch_cells(home):
    """What `mha lab` puts into the course's own Python, which that of the tests is not."""
    profile = home / ".ipython" / "profile_default"
    profile.mkdir(parents=True)
    shutil.copy(ROOT / "autograder" / "jupyter" / "ipython_kernel_config.json", profile)


def free_port():
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


def address(process, said, seconds=120):
    """The line that says where the lessons are."""
    for _ in range(seconds * 10):
        if found := re.search(r"http://\S+\n", said.read_text()):
            return found[0].strip()
        with pytest.raises(subprocess.TimeoutExpired):  # it still runs
            process.wait(0.1)
    raise AssertionError(f"no address after {seconds} s: {said.read_text()}")
