"""An instructor in front of formgrader: what one clicks there, and what one sees."""

import re

from learner import SCREENSHOTS
from playwright.sync_api import expect

LESSON, WORDS = "lesson_07_cross_attention", "explain_a_map"  # the answer that somebody reads and marks
RESTS = """() => new Promise(rests => {
    const look = () => MathJax.loaded && !$(":animated").length ? rests() : setTimeout(look, 50);
    look();
})"""


class Instructor:
    """In front of JupyterLab, in which formgrader is a page of its own."""

    def __init__(self, page, lab):
        self.page, self.lab, self.asked, self.errors = page, lab, [], []
        self.form = page.frame_locator("iframe[src*=formgrader]")
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open_formgrader(self):
        """From the menu, as soon as the lesson that `mha lab` shows is there."""
        self.page.goto(self.lab.address)
        expect(self.page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible(timeout=60_000)
        self.page.get_by_role("menuitem", name="Nbgrader", exact=True).click()
        self.page.locator(".lm-Menu-item").get_by_text("Formgrader", exact=True).click()

    def open_list(self):
        """The lesson, then its notebook: both have the same name."""
        self.click("Manual Grading")
        self.in_table(LESSON).click()
        expect(self.form.locator(".breadcrumb")).to_contain_text(LESSON)
        self.in_table(LESSON).click()
        self.show_names()

    def show_names(self):
        expect(self.form.get_by_text("Submission #1")).to_be_visible()
        self.form.get_by_text("Show All Names").click()

    def open_submission(self, student):
        self.open_list()
        self.in_table(student).click()
        expect(self.answer()).to_be_visible()
        self.wait_for_rest()

    def wait_for_rest(self):
        """Formgrader draws formulas, then scrolls by itself: a button that moves below the mouse is not clicked."""
        self.form.locator("body").evaluate(RESTS, timeout=10_000)

    def click(self, link):
        self.form.get_by_role("link", name=link).first.click()

    def in_table(self, link):
        return self.form.locator("#main-table").get_by_role("link", name=link, exact=True)

    def answer(self):
        """What was written in words, with the places for points and a comment."""
        return self.form.locator(".nbgrader_cell", has=self.form.locator(f"#{WORDS}"))

    def student(self):
        return self.form.locator(".breadcrumb a.name-shown").text_content().strip()

    def mark(self, points, comment):
        """Once formgrader shows what it knows."""
        expect(self.answer().locator(".extra-credit")).to_have_attribute("placeholder", "0")
        expect(self.answer().locator(".comment")).to_have_attribute("placeholder", re.compile("Type any comments"))
        self._write(self.answer().locator(".score"), str(points), "/api/grade/")
        self._write(self.answer().locator(".comment"), comment, "/api/comment/")

    def _write(self, place, text, address):
        """Formgrader saves as soon as one leaves the place."""
        with self.saved(address):
            place.fill(text)
            place.press("Tab")

    def saved(self, address):
        return self.page.expect_response(lambda reply: address in reply.url and reply.request.method == "PUT")

    def open_submissions(self):
        """Of everybody, also of those that could not be graded."""
        self.click("Manage Assignments")
        self.form.locator("#main-table tr", has_text=LESSON).locator(".num-submissions a").click()

    def row(self, student):
        return self.form.locator("#main-table tr", has=self.form.locator(".student-id", has_text=student))

    def screenshot(self, name, of=None):
        SCREENSHOTS.mkdir(exist_ok=True)
        if of:
            of.evaluate("it => it.scrollIntoView({block: 'center'})")
        self.page.screenshot(path=SCREENSHOTS / f"formgrader {name}.png")
