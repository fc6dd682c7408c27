"""A learner in front of JupyterLab: what one does there, and what one sees."""

import re
import shutil
from contextlib import contextmanager
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

CHROMIUM = shutil.which("chromium")
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
SCREENSHOTS = Path(__file__).parent / "screenshots"
SIZE = {"width": 1280, "height": 900}
SEEN = ".jp-Notebook .jp-OutputArea-output"  # what cells have shown

# Lab's body is 0 pixels high, which to axe hides all that is inside.
OUTPUTS_ALONE = """
body { height: 100vh }
.jp-MarkdownCell, .jp-Cell-inputWrapper { display: none !important }
.jp-Cell { content-visibility: visible !important }
"""

# The outermost elements that stick out of the output they are in, unless a box around them scrolls.
CUT_OFF = """outputs => outputs.flatMap(output => {
    const limit = output.getBoundingClientRect().right + 1;
    const sticks_out = element => element.getBoundingClientRect().right > limit;
    const scrolls = element => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
    const in_a_scrolling_box = element => {
        for (let box = element; box !== output; box = box.parentElement) if (scrolls(box)) return true;
        return false;
    };
    return [...output.querySelectorAll("*")]
        .filter(element => sticks_out(element) && !in_a_scrolling_box(element))
        .filter(element => element.parentElement === output || !sticks_out(element.parentElement))
        .map(element => `${element.tagName} is cut off: ${element.textContent.slice(0, 60)}`);
})"""

DESCRIPTIONS = "all => all.map(one => one.naturalWidth !== 0 && (one.alt || one.ariaLabel))"

TO_THE_MIDDLE = """it => new Promise(done => {
    it.scrollIntoView({block: "center"});
    requestAnimationFrame(() => requestAnimationFrame(done));
})"""

expect.set_options(timeout=30_000)  # a machine may be busy with other tests


@contextmanager
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET.split())
        yield browser
        browser.close()


class Learner:
    """Acts on a running JupyterLab through `page`, a page of Playwright's."""

    def __init__(self, page, lab):
        self.page, self.lab = page, lab
        page.set_viewport_size(SIZE)

    def file_of(self, lesson):
        return self.lab.folder / "my_course" / lesson / f"{lesson}.ipynb"

    # what one does

    def open_lesson(self, lesson):
        """No tab of an earlier visit comes back; ready when the kernel is."""
        self.page.goto(self.lab.url(f"lab/tree/{lesson}/{lesson}.ipynb") + "&reset")
        expect(self.page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible(timeout=60_000)

    def run_cell_with(self, text):
        """Run the first cell that holds this text, wait until it is done, and return what it shows."""
        cell = self.page.locator(".jp-CodeCell", has_text=text).first
        for dots in cell.locator(".jp-InputPlaceholder").all():  # its code is folded
            dots.click()
        return self._run(cell)

    def write_answer(self, name, code):
        """Replace what stands in the exercise's cell, and run it."""
        place = re.compile(rf"(def|class) {name}\b|\b{name} = ")
        cell = self.page.locator(".jp-CodeCell", has_text=place).first
        self._type(cell, code)
        return self._run(cell)

    def check(self, name):
        """Run the check below an answer, and return its card."""
        return self._run(self.cell_of_check(name))

    def run_in_a_cell_of_my_own(self, code):
        """A new cell below the one that ran last."""
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("b")
        cell = self.page.locator(".jp-Notebook .jp-Cell.jp-mod-active")
        self._type(cell, code)
        return self._run(cell)

    def run_all(self):
        """Run, Run All Cells; done when the last one is, and Lab has gone there, which takes the focus."""
        self._choose("Run", "Run All Cells")
        self._done(self.page.locator(".jp-CodeCell").last, timeout=120_000)
        expect(self.page.locator(".jp-Notebook .jp-Cell").last).to_be_in_viewport()

    def run_all_above(self, name):
        """Run, Run All Above Selected Cell; the selected one is the check of this answer."""
        self.cell_of_check(name).locator(".cm-content").click()
        self.page.keyboard.press("Escape")
        self._choose("Run", "Run All Above Selected Cell")

    def save(self):
        self.page.keyboard.press("Control+s")
        expect(self.page.locator(".jp-mod-dirty")).to_have_count(0)

    def validate(self):
        """Press Validate, read what its dialog says, and close it."""
        self.page.locator(".jp-NotebookPanel-toolbar >> text=Validate").click()
        dialog = self.page.locator(".jp-Dialog", has_text="Validation Results")
        expect(dialog).to_be_visible(timeout=120_000)
        said = dialog.inner_text()
        dialog.get_by_role("button", name="Ok").click()
        return said

    def unfold(self):
        """All that cards have folded away."""
        self.page.locator(f"{SEEN} details").evaluate_all("all => all.forEach(one => one.open = true)")

    def theme(self, name):
        """One of "Light", "Dark" and "Dark High Contrast"."""
        self._choose("Settings", "Theme", f"JupyterLab {name}")
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-name", f"JupyterLab {name}")

    def zoom(self, percent):
        """To a page, zoom is a smaller window."""
        self.page.set_viewport_size({side: length * 100 // percent for side, length in SIZE.items()})

    def narrow_window(self, width):
        """With the sidebar closed, as one does to have room."""
        self.page.keyboard.press("Control+b")
        expect(self.page.locator("#jp-left-stack")).to_be_hidden()
        self.page.set_viewport_size({**SIZE, "width": width})

    # what one sees

    def card_below(self, name):
        return self._shown(self.cell_of_check(name))

    def cell_of_check(self, name):
        return self.page.locator(".jp-CodeCell", has_text=re.compile(rf"check\({name}[=)]")).first

    def outputs(self):
        """All that cells have shown."""
        return self.page.locator(SEEN)

    def described_pictures(self, shown):
        """What a screen reader says of the pictures in an output; one without words, or not drawn, fails."""
        words = shown.locator("img, [role=img]").evaluate_all(DESCRIPTIONS)
        assert all(words)
        return words

    def seen(self):
        """What cells have shown, each as its words, its width and its height."""
        with self._outputs_alone():
            boxes = self.outputs().evaluate_all("all => all.map(one => one.getBoundingClientRect())")
            words = self.outputs().all_inner_texts()
        return [(text, round(box["width"]), round(box["height"])) for text, box in zip(words, boxes)]

    def cut_off(self):
        """What sticks out of its output."""
        return self.outputs().evaluate_all(CUT_OFF)

    def barriers(self):
        """What axe-core finds in outputs that keeps people from reading them."""
        with self._outputs_alone():
            found = Axe().run(self.page, context={"include": [SEEN]}).response["violations"]
        serious = [rule for rule in found if rule["impact"] in ("serious", "critical")]
        return [f"{rule['id']}: {node['html'][:300]}" for rule in serious for node in rule["nodes"]]

    def screenshot(self, name, of=None):
        """For people to look at; `of` is what should be in sight."""
        SCREENSHOTS.mkdir(exist_ok=True)
        for _ in range(3 if of else 0):  # what comes into sight gets its height, and moves the rest
            of.first.evaluate(TO_THE_MIDDLE)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")

    # how

    @contextmanager
    def _outputs_alone(self):
        """In a window as high as all of them: axe passes over what is out of sight."""
        window = self.page.viewport_size
        style = self.page.add_style_tag(content=OUTPUTS_ALONE)
        height = self.page.locator(".jp-WindowedPanel-viewport").bounding_box()["height"]
        self.page.set_viewport_size({**window, "height": int(height) + window["height"]})
        self.page.locator(".jp-WindowedPanel-outer").evaluate("panel => panel.scrollTo(0, 0)")
        yield
        self.page.set_viewport_size(window)
        style.evaluate("style => style.remove()")

    def _type(self, cell, code):
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(code)

    def _run(self, cell):
        before = cell.locator(".jp-InputPrompt").inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        self._done(cell, before)
        return self._shown(cell)

    def _done(self, cell, before="", timeout=60_000):
        """The number in front of a cell is new."""
        number = re.compile(rf"^(?!{re.escape(before)}$)\[\d+\]:$")
        expect(cell.locator(".jp-InputPrompt")).to_have_text(number, timeout=timeout)

    def _shown(self, cell):
        return cell.locator(".jp-OutputArea-output")

    def _choose(self, menu, *entries):
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        for entry in entries:
            self.page.locator(".lm-Menu-item").get_by_text(entry, exact=True).click()
