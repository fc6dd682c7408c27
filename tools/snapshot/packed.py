"""What is handed out: the bytes of notebooks, and the names in kits and wheels."""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from helpers import ROOT

from autograder.catalogue import LESSONS
from autograder.intake.course_folder import course
from autograder.teaching.kit import make_kit


def packed():
    """Yield digests of notebooks, and what kits and the wheel contain."""
    for file in sorted([*ROOT.glob("course/*/*"), *ROOT.glob("solutions/lesson_*/*")]):
        if file.is_file() and file.name.endswith((".ipynb", ".png", ".svg", ".py")):
            yield f"file {file.relative_to(ROOT)}", sha256(file.read_bytes()).hexdigest()
    with TemporaryDirectory() as folder:
        for lesson in LESSONS:
            kit = make_kit(lesson, course().coursedir, Path(folder, f"{lesson}.zip"))
            yield f"kit {lesson}", sorted(ZipFile(kit).namelist())
        wheel = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
        subprocess.run([*wheel, "--wheel-dir", folder, str(ROOT)], check=True, stdout=subprocess.DEVNULL)
        yield "wheel", sorted(ZipFile(next(Path(folder).glob("*.whl"))).namelist())
