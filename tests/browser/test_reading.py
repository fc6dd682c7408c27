"""The book in a browser, as somebody reads it who has installed nothing."""

import pytest
from learner import SCREENSHOTS
from playwright.sync_api import expect
from test_book import SITE, make_book

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("book")]


@pytest.fixture(scope="module", autouse=True)
def book():
    make_book()


def test_from_the_front_page_to_a_solution(browser):
    """A lesson is a click away, maths is set, a solution unfolds, and the page turns dark."""
    page = browser.new_page()
    page.goto((SITE / "index.html").as_uri())
    page.get_by_role("main").get_by_role("link", name="Lesson 01").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Lesson 01")
    expect(page.locator("mjx-container").first).to_be_visible()
    solution = page.locator("details", has_text="def softmax(")
    expect(solution.get_by_text("return unscaled")).to_be_hidden()
    solution.locator("summary").click()
    expect(solution.get_by_text("return unscaled")).to_be_visible()
    page.emulate_media(color_scheme="light")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Toggle Light / Dark / Auto color theme").filter(visible=True).click()
    expect(page.locator("body")).not_to_have_css("background-color", paper)
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "book dark.png")
