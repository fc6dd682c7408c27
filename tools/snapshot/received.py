"""What `mha collect` says of each broken submission of the tests, and what it leaves."""

import re
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from classroom import CONFIG, mha, open_course
from corpus import BROKEN
from corpus.broken import LESSON


def received():
    """Yield what becomes of each broken submission, each in a course of its own."""
    for name, broken in BROKEN.items():
        with TemporaryDirectory() as folder:
            root, handed_in = Path(folder, "course"), Path(folder, "class")
            root.mkdir()
            open_course(root, LESSON, {}, CONFIG.format(root=str(root), limit=15))
            broken.write(handed_in / name)
            done = mha(root, "collect", handed_in, "--lesson", LESSON)
            words = re.sub(re.escape(folder), "", done.stdout + done.stderr)
            left = {str(f.relative_to(root)): _digest(f) for f in sorted(root.glob("submitted/**/*")) if f.is_file()}
        yield name, [done.returncode, words, left]


def _digest(file):
    return sha256(file.read_bytes()).hexdigest()[:16] if file.suffix == ".ipynb" else ""
