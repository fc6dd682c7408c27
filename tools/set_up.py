"""Makes .venv, with all that the course needs; quick when there is nothing to do.

    python3 tools/set_up.py         what learners and instructors need
    python3 tools/set_up.py book    what the book needs, too
    python3 tools/set_up.py test    what the tests need, too: the book is among it

Written so that an old Python can read it too, and say that it is old.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = [ROOT / "pyproject.toml", ROOT / "constraints.txt"]
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "set_up.txt"
LOG = VENV / "pip.log"
EXTRAS = ["teach", "book", "test"]  # each includes those before it
OF_PIP = {  # a setting of pip -> uv's variable of the same meaning
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "constraint": "UV_CONSTRAINT",
    "cert": "SSL_CERT_FILE",
}
IMPATIENT = {"UV_HTTP_TIMEOUT": "5", "UV_HTTP_RETRIES": "0", "PIP_TIMEOUT": "5", "PIP_RETRIES": "0"}
CPU_TORCH = "https://download.pytorch.org/whl/cpu"


class Problem(Exception):
    """What a person can do something about, in one sentence."""


def set_up(extra="teach"):
    """Do what is left to do."""
    if read(STAMP) in map(stamp, EXTRAS[EXTRAS.index(extra) :]):
        return
    if not usable():
        make_venv()
    install(extra)
    STAMP.write_text(stamp(extra), encoding="utf-8")


def stamp(extra):
    """What .venv is made of: its place (its scripts hold it), its Python, the pins, the extra packages."""
    pins = hashlib.sha256(b"".join(file.read_bytes() for file in PINS)).hexdigest()
    return f"{ROOT}\n{version_in_venv()}\n{pins}\n{extra}\n"


def version_in_venv():
    """Such as (3, 11); None if there is no Python, or one that does not run, without pip, or not .venv's own.

    A .venv whose making was interrupted leads to the Python that made it, and pip would install there.
    """
    question = "import pip, sys; print(*sys.version_info[:2] if sys.prefix != sys.base_prefix else '')"
    try:
        answer = subprocess.run([str(PYTHON), "-c", question], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return None
    return tuple(map(int, answer.stdout.split())) or None


def usable():
    """There is a .venv that fits, and its folder was not moved or copied here."""
    moved = STAMP.exists() and read(STAMP).splitlines()[:1] != [str(ROOT)]
    return not moved and version_in_venv() in supported_versions()


def supported_versions():
    """All (3, minor) that pyproject.toml allows."""
    first, beyond = re.search(r'requires-python = ">=3\.(\d+),<3\.(\d+)"', read(PINS[0])).groups()
    return [(3, minor) for minor in range(int(first), int(beyond))]


def make_venv():
    check_version(sys.version_info[:2])
    check_venv_module()
    if VENV.is_symlink():
        raise Problem(".venv is a link, and its folder may belong to others: remove the link, then run this again.")
    print("Making .venv ...", flush=True)
    made = run([sys.executable, "-m", "venv", "--clear", str(VENV)], stdout=subprocess.PIPE)
    if made.returncode:
        raise Problem(why_not(made.stdout + made.stderr, "Python could not make .venv"))


def check_version(version):
    known = supported_versions()
    if version not in known:
        raise Problem(
            f"The course needs Python {dotted(known[0])} to {dotted(known[-1])}, and this is {dotted(version)}: "
            f"install one of them, then run `python{dotted(known[-2])} tools/set_up.py` with it."
        )


def dotted(version):
    return ".".join(map(str, version))


def check_venv_module():
    """Debian and Ubuntu leave a part of it out of python3."""
    if find_spec("ensurepip") is None:
        package = f"python{dotted(sys.version_info[:2])}-venv"
        raise Problem(f"Python's venv module is missing: `sudo apt install {package}`, then run this again.")


def install(extra):
    installer = pip if pip("uv").returncode else uv  # which takes a quarter of pip's time
    if sys.platform == "linux" and not has_nvidia():
        print("Installing torch: without CUDA, if PyTorch's own index answers ...", flush=True)
        # PyPI's torch for Linux brings gigabytes of CUDA. Where this fails, the next step takes it all the same.
        installer("torch", "--no-deps", "--index-url", CPU_TORCH, **IMPATIENT)
    print("Installing what the course needs: 300 to 500 MB, and a minute or more, the first time ...", flush=True)
    done = installer("-e", f"{ROOT}[{extra}]")
    if done.returncode and installer is uv:
        done = pip("-e", f"{ROOT}[{extra}]")
    if done.returncode:
        LOG.write_text(done.stderr, encoding="utf-8")
        raise Problem(why_not(done.stderr, "pip could not install the course") + f" pip's own words are in {LOG}.")


def has_nvidia():
    return os.path.exists("/proc/driver/nvidia/version") or shutil.which("nvidia-smi") is not None


def pip(*arguments, **settings):
    options = ["--quiet", "--disable-pip-version-check", "-c", str(PINS[1])]
    return run([str(PYTHON), "-m", "pip", "install", *options, *arguments], env={**os.environ, **settings})


def uv(*arguments, **settings):
    """Install as `pip` does, and with its settings."""
    command = [str(PYTHON), "-m", "uv", "pip", "install", "--quiet", "--python", str(PYTHON), "-c", str(PINS[1])]
    return run([*command, *arguments], env={**os.environ, **settings_of_pip(), **settings})


def settings_of_pip():
    """Return where pip finds packages, and whom it trusts, as uv's variables: uv reads none of pip's settings."""
    said = run([str(PYTHON), "-m", "pip", "config", "list"], stdout=subprocess.PIPE).stdout
    lines = re.findall(r"^(\S+?)\.([a-z-]+)='(.*)'$", said, re.MULTILINE)
    found = {name: value for where, name, value in sorted(lines, key=lambda line: line[0] == ":env:")}  # it wins
    given = {variable: found[name] for name, variable in OF_PIP.items() if name in found}
    return {"UV_INDEX_STRATEGY": "unsafe-best-match", **given}  # pip takes the best version from wherever it is


def run(command, **options):
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, **options)


def why_not(said, what):
    """One sentence from all that a program said."""
    if "No space left" in said:
        return "The disk is full: the course takes about 2.5 GB; make room, then run this again."
    if re.search("connection|name resolution|timed out", said, re.IGNORECASE):
        return "Could not reach the package index: see whether you are online, then run this again."
    lines = [line.strip() for line in said.splitlines() if line.strip()] or ["it did not say why"]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return f"{what}: {(errors or lines)[-1]}."


def read(file):
    return file.read_text(encoding="utf-8") if file.exists() else ""


if __name__ == "__main__":
    try:
        set_up(*sys.argv[1:2])
    except Problem as problem:
        sys.exit(str(problem))
    except OSError as error:
        sys.exit(why_not(str(error), "Could not make .venv"))
    except KeyboardInterrupt:
        sys.exit("Stopped; run this again to go on.")
