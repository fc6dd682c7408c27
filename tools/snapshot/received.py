"""What `mha collect` says of the broken submissions of the tests, and what it leaves."""

import re
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from classroom import CONFIG, mha, open_course
from corpus import BROKEN
from corpus.broken import LESSON


def received():
    """Yield what is said when all broken submissions of the tests are taken in, and what is left of each."""
    with TemporaryDirectory() as folder:
        root, handed_in = Path(folder, "course"), Path(folder, "class")
        root.mkdir()
        open_course(root, LESSON, {}, CONFIG.format(root=str(root), limit=15))
        for name, broken in BROKEN.items():
            broken.write(handed_in / name)
        done = mha(root, "collect", handed_in, "--lesson", LESSON)
        words = re.sub(re.escape(folder), "", done.stdout + done.stderr)
        yield "said", [done.returncode, sorted(words.splitlines())]
        for name in BROKEN:
            files = sorted(file for file in root.glob(f"submitted/{name}/**/*") if file.is_file())
            yield name, {str(file.relative_to(root)): _digest(file) for file in files}


def _digest(file):
    return sha256(file.read_bytes()).hexdigest()[:16] if file.suffix == ".ipynb" else ""
