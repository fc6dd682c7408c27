"""JupyterLab as a learner starts it, and a browser before it.

Playwright keeps an event loop running, which other tests would trip over: so no browser outlives its module.
"""

import shutil

import pytest
from helpers import ROOT
from learner import CHROMIUM, Learner, chromium
from running_lab import running_lab

from autograder.lab import copy_lessons
from autograder.outline import outline


@pytest.fixture(scope="session")
def needs_chromium():
    if not CHROMIUM:
        pytest.skip("needs chromium")


@pytest.fixture(scope="module")
def browser(needs_chromium):
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def lab(needs_chromium, tmp_path_factory):
    """`mha lab` in a copy of the course, for all who learn there one after the other."""
    project = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "course", project / "course")
    with running_lab(project) as lab:
        yield lab


@pytest.fixture
def learner(browser, lab):
    """Somebody who has done nothing yet; what they leave behind is cleared away."""
    with browser.new_context() as context:
        yield Learner(context.new_page(), lab)
    start_afresh(lab)


def start_afresh(lab):
    """No kernel runs, no setting is changed, no progress is known, every lesson is a new copy."""
    lab.stop_kernels()
    settings, progress = lab.folder / "home/.jupyter/lab/user-settings", lab.folder / "home/.local/share" / outline().id
    for left in (settings, progress, *(lab.folder / "my_course").iterdir()):
        shutil.rmtree(left, ignore_errors=True)
    copy_lessons(lab.folder / "course", lab.folder / "my_course")
