"""The pages of a real Label Studio in headless Chromium, and what an annotator does with them."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from studio_server import Studio

#: Where the code points from `start` to `end` of the text stand on the screen: left and right edge.
_EDGES = """
const [start, end] = arguments;
const root = document.querySelector('.lsf-htx-richtext');
const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
const places = [];
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  if (node.nodeName === 'BR') places.push(null);
  if (node.nodeType !== Node.TEXT_NODE) continue;
  let offset = 0;
  for (const letter of node.data) {
    const range = document.createRange();
    range.setStart(node, offset);
    offset += letter.length;
    range.setEnd(node, offset);
    places.push(range.getBoundingClientRect());
  }
}
const [first, last] = [places[start], places[end - 1]];
return [first.left + 1, first.top + first.height / 2, last.right - 1, last.top + last.height / 2];
"""


class Editor:
    """A browser with one annotator at a time."""

    def __init__(self, studio: Studio, browser: webdriver.Chrome) -> None:
        self.studio, self.browser = studio, browser

    def log_in(self, email: str, password: str) -> None:
        """Log in as somebody, whoever it was before."""
        self.browser.delete_all_cookies()
        self.browser.get(f"{self.studio.base}/user/login")
        for field, value in {"email": email, "password": password}.items():
            self.browser.find_element(By.ID, field).send_keys(value)
        self.browser.execute_script("document.getElementById('login-form').submit()")
        self.wait(lambda: "/user/login" not in self.browser.current_url)

    def label_tab(self, project: int, title: str) -> None:
        """Open the tab of that title, and begin to label its tasks."""
        self.browser.get(f"{self.studio.base}/projects/{project}/data")
        tab = f"//*[contains(@class, 'tabs-dm__item-left') and normalize-space(.)='{title}']"
        self._element(By.XPATH, tab).click()
        self.wait(lambda: "tab=" in self.browser.current_url)
        time.sleep(2)  # the tab's own tasks take the place of those of the first
        self._element(By.XPATH, "//button[starts-with(normalize-space(.), 'Label All')]").click()
        self.wait(lambda: bool(self.item()))

    def item(self) -> str:
        """Return the item of the task that is open."""
        script = "return window.Htx?.annotationStore?.selected ? Htx.task?.dataObj?.item : ''"
        return str(self.browser.execute_script(script) or "")

    def choose(self, number: int, title: str) -> None:
        """Choose an option of the choices with that number, from the top."""
        self._element(By.CSS_SELECTOR, ".lsf-choices")
        group = self.browser.find_elements(By.CSS_SELECTOR, ".lsf-choices")[number]
        group.find_element(By.CSS_SELECTOR, f"input[name='{title}']").click()

    def rate(self, score: int) -> None:
        """Type a number."""
        self._element(By.CSS_SELECTOR, "input[type=number]").send_keys(str(score))

    def mark(self, label: str, start: int, end: int) -> None:
        """Choose a label, and draw the mouse over some code points of the text."""
        where = f"//*[contains(@class, 'lsf-label') and starts-with(normalize-space(.), '{label}')]"
        self.browser.find_elements(By.XPATH, where)[-1].click()
        left, top, right, bottom = self.browser.execute_script(_EDGES, start, end)
        actions = ActionBuilder(self.browser)
        pointer = actions.pointer_action
        pointer.move_to_location(left, top)
        pointer.pointer_down()
        pointer.move_to_location((left + right) / 2, (top + bottom) / 2)
        pointer.move_to_location(right, bottom)
        pointer.pointer_up()
        actions.perform()
        time.sleep(0.5)

    def is_done(self) -> bool:
        """Return whether there is no task left to label."""
        return "No More Tasks Left" in self.browser.find_element(By.TAG_NAME, "body").text

    def submit(self) -> None:
        """Submit the annotation, and wait for the next task, or for the end."""
        before = self.item()
        time.sleep(1)
        self._element(By.CSS_SELECTOR, "button[aria-label='Submit current annotation']").click()
        self.wait(lambda: self.is_done() or self.item() != before)

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition, for a minute at most."""
        for _ in range(120):
            if condition():
                return
            time.sleep(0.5)
        raise AssertionError("the page did not change within a minute")

    def _element(self, by: str, where: str) -> WebElement:
        self.wait(lambda: bool(self.browser.find_elements(by, where)))
        return self.browser.find_element(by, where)


@pytest.fixture(scope="session")
def browser() -> Iterator[webdriver.Chrome]:
    """Start Chromium without a window; the test is skipped where there is none."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("no chromium with its chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--window-size=1600,1200"):
        options.add_argument(argument)
    chrome = webdriver.Chrome(options=options, service=Service(driver))
    yield chrome
    chrome.quit()
