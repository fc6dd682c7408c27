"""What pyproject.toml cannot say: a wheel carries the released lessons, course/, as mha_lessons/course."""

from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree

from setuptools import setup
from setuptools.command.build_py import build_py


class WithLessons(build_py):
    def run(self):
        """Build the packages anew, without what an earlier build has left behind, and put the lessons into theirs."""
        if not self.editable_mode:  # else it is all used where it is
            rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if not self.editable_mode:
            copytree("course", Path(self.build_lib, "mha_lessons", "course"), ignore=ignore_patterns(".*"))


setup(cmdclass={"build_py": WithLessons})
