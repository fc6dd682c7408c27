"""Kernels that have imported what lessons import: copies of one process, which begin in a tenth of the time.

For tests that ask what cells show. That a kernel begins by itself is seen in JupyterLab.

    python warm_kernels.py serve ADDRESS      the process that is copied, until its stdin closes
    python warm_kernels.py ADDRESS OPTIONS    what Jupyter starts for a kernel: it asks for a copy, and ends with it
"""

import json
import os
import socket
import sys
from contextlib import contextmanager, suppress


@contextmanager
def warm_kernels(folder):
    """Serve copies for a while; gives the variables with which Jupyter takes them."""
    from subprocess import PIPE, Popen

    address, spec = str(folder / "address"), folder / "kernels" / "python3" / "kernel.json"
    spec.parent.mkdir(parents=True)
    asks = [sys.executable, "-I", "-S", __file__, address, "-f", "{connection_file}"]
    spec.write_text(json.dumps({"argv": asks, "display_name": "Python 3 (ipykernel)", "language": "python"}))
    with Popen([sys.executable, __file__, "serve", address], stdin=PIPE, stdout=PIPE) as server:
        server.stdout.readline()  # it is ready
        yield {"JUPYTER_PATH": str(folder)}


def serve(address):
    from select import select

    import ipykernel.kernelapp  # noqa: F401
    import ipywidgets  # noqa: F401
    import torch  # noqa: F401

    import autograder.judging.judge  # noqa: F401  (autograder.learner watches the kernel that imports it)

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()
        print("ready", flush=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        while sys.stdin not in select([server, sys.stdin], [], [])[0]:
            asked, _ = server.accept()
            bury_the_dead()
            if os.fork() == 0:
                server.close()
                be_a_kernel(asked)
            asked.close()


def bury_the_dead():
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def be_a_kernel(asked):
    """Begin as if this process were new; whoever asked is its parent."""
    from threading import Thread

    from ipykernel.kernelapp import IPKernelApp

    options, folder, environment = json.loads(asked.makefile().readline())
    os.environ.clear()
    os.environ.update({name: value for name, value in environment.items() if name != "JPY_PARENT_PID"})
    os.chdir(folder)
    Thread(target=lambda: asked.recv(1) or os._exit(0), daemon=True).start()
    try:
        IPKernelApp.launch_instance(options)
    finally:
        os._exit(0)


def ask_for_a_copy(address, *options):
    """Stand for the kernel before Jupyter: whoever ends this process ends the kernel."""
    with socket.socket(socket.AF_UNIX) as asked:
        asked.connect(address)
        asked.sendall(json.dumps([options, os.getcwd(), dict(os.environ)]).encode() + b"\n")
        with suppress(KeyboardInterrupt):
            asked.recv(1)


if __name__ == "__main__":
    serve(sys.argv[2]) if sys.argv[1] == "serve" else ask_for_a_copy(*sys.argv[1:])
