"""The toy course is the installed one here, and the course on attention cannot be imported.

This suite runs in a process of its own: see tests/test_toy_course.py.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]
sys.modules |= {"mha_ref": None, "mha_lessons": None}
