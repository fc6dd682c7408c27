"""For all tests: one thread each, since small tensors only wait for more, and tests run side by side.

And what they check is nobody's progress.
"""

import os
import tempfile
from pathlib import Path

collect_ignore = ["toy_course"]  # another course, which tests/test_toy_course.py runs in a process of its own
os.environ.setdefault("OMP_NUM_THREADS", "1")
_folder = tempfile.TemporaryDirectory()
os.environ["MHA_PROGRESS"] = str(Path(_folder.name) / "progress.jsonl")
