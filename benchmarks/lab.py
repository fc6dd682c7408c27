"""How long a learner waits in JupyterLab: until it is there, and from the key to the card.

Run: make bench
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.extend(str(Path(__file__).parent.parent / folder) for folder in ("tests/support", "tests/browser"))

from helpers import ROOT, our_answers
from learner import CHROMIUM, Learner, chromium
from running_lab import running_lab

LESSON = "lesson_01_softmax"
CHECKS = 15
NO_MAXIMUM = """\
def softmax(scores, axis=-1):
    unscaled = np.exp(scores)
    return unscaled / np.sum(unscaled, axis=axis, keepdims=True)
"""

# From the press of a key to the first frame with another card.
WAIT_FOR_CARD = """cell => {
    window.waited = new Promise(resolve => {
        let pressed;
        document.addEventListener("keydown", () => pressed = performance.now(), {capture: true});
        new MutationObserver((changes, observer) => {
            if (changes.every(change => change.addedNodes.length === 0)) return;
            if (!cell.querySelector(".jp-OutputArea-output strong")) return;
            observer.disconnect();
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)));
        }).observe(cell.querySelector(".jp-OutputArea"), {childList: true, subtree: true});
    });
}"""


def milliseconds_to_card(learner, answer):
    """Of many checks of one answer."""
    learner.write_answer("softmax", answer)
    learner.check("softmax")
    return [one_check(learner.page, learner.cell_of_check("softmax")) for _ in range(CHECKS)]


def one_check(page, cell):
    cell.evaluate(WAIT_FOR_CARD)
    page.keyboard.press("Control+Enter")
    return page.evaluate("window.waited")


def main():
    if not CHROMIUM:
        print("JupyterLab is not timed: that needs chromium.")
        return
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        shutil.copytree(ROOT / "course", Path(folder) / "course")
        start = time.perf_counter()
        with running_lab(Path(folder)) as lab:
            learner = Learner(browser.new_page(), lab)
            learner.open_lesson(LESSON)
            print(f"from `mha lab` to an idle kernel: {time.perf_counter() - start:.1f} s\n")
            learner.run_cell_with("import numpy")
            print(f"{f'{CHECKS} checks of softmax, from the key to the card':<50}{'median':>8}{'worst':>8}   ms")
            for kind, answer in (("wrong", NO_MAXIMUM), ("right", our_answers(LESSON)["softmax"])):
                times = milliseconds_to_card(learner, answer)
                print(f"{kind:<50}{median(times):>8.0f}{max(times):>8.0f}")


if __name__ == "__main__":
    main()
