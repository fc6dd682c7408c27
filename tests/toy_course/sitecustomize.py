"""No process of the toy course's suite can import the course on attention: Python reads this file when it begins."""

import sys

sys.modules |= {"mha_ref": None, "mha_lessons": None}
