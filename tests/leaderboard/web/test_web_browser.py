"""The board in a real browser: as a new submitter goes, at three widths, by the rules of axe."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import web_boards
from live_server import serving
from web_boards import METRICS, NOW, WebBoard

from pipeline.leaderboard import database, submissions
from pipeline.leaderboard.records import Score, Standing, Submission
from pipeline.leaderboard.web.site import Site, snapshots

pytestmark = pytest.mark.full

PHONE = {"width": 375, "height": 812, "deviceScaleFactor": 2, "mobile": True}
#: A4 lying, less its margins.
PAPER = {"width": 1032, "height": 702, "deviceScaleFactor": 1, "mobile": False}
WIDE = {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False}
#: Rules of WCAG 2.2 A and AA, and axe's best practices.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module")
def served(full: WebBoard) -> Iterator[str]:
    with serving(full.app) as base:
        yield base


@pytest.fixture
def screen(browser: Any) -> Iterator[Any]:
    """Return the browser; what is emulated ends with the test."""
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", WIDE)
    yield browser
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    browser.delete_all_cookies()


def one(browser: Any, css: str) -> Any:
    return browser.find_element("css selector", css)


def text(browser: Any, css: str = "main") -> str:
    return " ".join(one(browser, css).text.split())


def wait_for(browser: Any, words: str) -> None:
    """Wait until the page shows these words; the page looks for news by itself."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 60).until(lambda _: words in text(browser), f"no {words!r}")


def press(browser: Any, css: str) -> None:
    """Press what leads to another page, and wait for it."""
    from selenium.webdriver.support import expected_conditions
    from selenium.webdriver.support.ui import WebDriverWait

    old = one(browser, "main")
    one(browser, css).click()
    WebDriverWait(browser, 60).until(expected_conditions.staleness_of(old))


def log_in(browser: Any, base: str, token: str) -> None:
    browser.get(f"{base}/submit")
    one(browser, "#token").send_keys(token)
    press(browser, "button.main")


def violations(browser: Any) -> list[str]:
    """Return what axe finds in the page."""
    script = resources.files("selenium_axe_python") / "axe-core" / "axe.min.js"
    browser.execute_script(script.read_text("utf-8"))
    found = browser.execute_async_script(
        "const done = arguments[1];"
        "axe.run(document, {runOnly: arguments[0], resultTypes: ['violations'], preload: false})"
        ".then((found) => done(found.violations),"
        " (error) => done([{id: String(error), nodes: []}]))",
        TAGS,
    )
    return [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]


def console(browser: Any) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser")]


def newest(web: WebBoard) -> Submission:
    with database.reading(web.board.engine) as connection:
        return submissions.history(connection, web.submitter_of("한도담"))[0]


def test_a_new_submitter_submits_is_refused_mends_and_finds_the_own_rank(
    screen: Any, tmp_path: Path
) -> None:
    web = web_boards.make(tmp_path / "board", tasks=("tc", "ner"))
    web_boards.fill(web, {"tc": METRICS["tc"]})
    bad, good = tmp_path / "bad.jsonl", tmp_path / "good.jsonl"
    bad.write_text('{"guid": "a", "label": "IT과학"}\n{"guid": "b"}\n', "utf-8")
    good.write_text('{"guid": "a", "label": "IT과학"}\n{"guid": "b", "label": "사회"}\n', "utf-8")
    with serving(web.app) as base:
        screen.get(base)
        press(screen, 'header a[href="/submit"]')
        assert "Log in" in text(screen), "the page for submitters leads to the log-in"
        one(screen, "#token").send_keys(web.token())
        press(screen, "button.main")
        assert "3 left now" in text(screen) and "refused costs nothing" in text(screen)

        fill_in(screen, "Topic classification of news headlines", "새벽-base", bad)
        press(screen, "button.main")
        assert "position 1 in the queue" in text(screen)
        check(web, newest(web), bad)
        wait_for(screen, "Refused: mend the file")
        assert one(screen, "table.faults tbody th").text == "2"
        assert "Nothing was charged: 3 left now." in text(screen)

        press(screen, "a.button")
        assert one(screen, "#model").get_attribute("value") == "새벽-base"
        one(screen, "#file").send_keys(str(good))
        press(screen, "button.main")
        check(web, newest(web), good)
        wait_for(screen, "Accepted")
        rank(web, newest(web))
        wait_for(screen, "rank 4 to 6 of 8; three systems are surely better")
        assert "2 left now" in text(screen)

        press(screen, "#outcome a[href*='#s-']")
        assert "새벽-base" in text(screen, "tr.own") and "yours" in text(screen, "tr.own")
        assert screen.execute_script(
            "const row = document.querySelector('tr.own').getBoundingClientRect();"
            "return row.top >= 0 && row.top < innerHeight"
        ), "the link leads to the row"
        press(screen, "header form button")
        assert "Log in" in text(screen)
        assert console(screen) == []


def test_the_button_sends_again_on_a_page_that_the_browser_kept(
    screen: Any, full: WebBoard, served: str
) -> None:
    log_in(screen, served, full.token("한도담 0"))
    button, presses = one(screen, "button.main"), "return document.querySelector('button.main')"
    events = {
        "form": "new Event('submit', {cancelable: true})",
        "kept": "new PageTransitionEvent('pageshow', {persisted: true})",
        "click": "new MouseEvent('click', {cancelable: true})",
    }
    screen.execute_script(
        f"document.querySelector('form[enctype]').dispatchEvent({events['form']})"
    )
    assert button.text == "Sending…"
    assert screen.execute_script(f"{presses}.dispatchEvent({events['click']})") is False
    screen.execute_script(f"window.dispatchEvent({events['kept']})")
    assert button.text == "Send" and button.get_attribute("aria-disabled") is None
    assert screen.execute_script(f"{presses}.dispatchEvent({events['click']})") is True


def fill_in(browser: Any, task: str, model: str, file: Path) -> None:
    from selenium.webdriver.support.ui import Select

    choices = Select(one(browser, "#task"))
    title = next(o.text for o in choices.options if o.text.startswith(task))
    assert title.endswith("3 left")
    choices.select_by_visible_text(title)
    one(browser, "#model").send_keys(model)
    one(browser, "#parameters").send_keys("110,000,000")
    one(browser, "#file").send_keys(str(file))


def check(web: WebBoard, submission: Submission, sent: Path) -> None:
    """Do what the checker does: read what was received, refuse it with its line, or accept it."""
    received = web.board.layout.submissions / submission.file
    assert received.read_bytes() == sent.read_bytes()
    rows = [json.loads(line) for line in received.read_text("utf-8").splitlines()]
    wrong = [number for number, row in enumerate(rows, start=1) if "label" not in row]
    if not wrong:
        web.board.accept(submission.id, now=NOW)
        return
    reason = (
        f"{received.name}: nothing is scored; {len(wrong)} wrong; 2 guids are wanted, each once"
    )
    lines = [f"\n  {received.name} line {number}: guid b: no `label`" for number in wrong]
    with database.writing(web.board.engine) as connection:
        submissions.refuse(connection, submission.id, reason + "".join(lines), now=NOW)


def rank(web: WebBoard, submission: Submission) -> None:
    """Do what the scorer does: store a score that is shown, and the ranks of all."""
    score = Score("public", 1_000, shown=True, best=True, metrics={"macro_f1": 81.0})
    web.board.record(submission.id, score, now=NOW)
    web.add_standing("tc", "macro_f1", submission.id, Standing(4, 6, 79.0, 83.0))


PAGES = {
    "board": "/",
    "board by name": "/?sort=name&kind=encoder",
    "task": "/tasks/ner",
    "task by dp": "/tasks/dp?sort=las&order=reverse",
    "nothing fits": "/tasks/tc?size=10B+and+more",
    "model": "/models/MODEL",
    "rules": "/about",
    "log in": "/login",
    "error": "/nope",
}
OWN_PAGES = {
    "submit": "/submit",
    "submissions": "/submissions",
    "received": "/submissions/RECEIVED",
    "refused": "/submissions/REFUSED",
    "scored": "/submissions/SCORED",
    "not shown": "/submissions/HIDDEN",
    "failed": "/submissions/FAILED",
}


@pytest.fixture(scope="module")
def keys(full: WebBoard) -> dict[str, str]:
    """Return keys that pages are about; one submitter has submissions in every state."""
    return web_boards.every_state(full)


@pytest.mark.parametrize("look", ["wide", "phone", "dark", "paper"])
def test_every_page_is_accessible_and_fits(
    screen: Any, full: WebBoard, served: str, keys: dict[str, str], look: str
) -> None:
    if look == "phone":
        screen.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if look == "dark" else "light"}
    media = "print" if look == "paper" else ""
    if look == "paper":
        screen.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PAPER)
    screen.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [scheme]})
    faults = {
        name: faults_of(screen, f"{served}{path}", keys, look) for name, path in PAGES.items()
    }
    log_in(screen, served, full.token("한도담 0"))
    for name, path in OWN_PAGES.items():
        faults[name] = faults_of(screen, f"{served}{path}", keys, look)
    assert {name: found for name, found in faults.items() if found} == {}


def faults_of(browser: Any, address: str, keys: dict[str, str], look: str) -> list[str]:
    """Return what is wrong with a page: by axe, by its width and colours, by the console."""
    browser.get(re.sub("[A-Z]{5,}", lambda word: keys[word[0]], address))
    found = violations(browser) if look != "paper" else []
    wide, window, paper = browser.execute_script(
        "return [document.documentElement.scrollWidth, innerWidth,"
        " getComputedStyle(document.body).backgroundColor]"
    )
    if wide > window:
        found.append(f"scrolls sideways: {wide} of {window}")
    if (sum(map(int, re.findall(r"\d+", paper)[:3])) < 150) != (look == "dark"):
        found.append(f"has the wrong colours: {paper}")
    return [*found, *(line for line in console(browser) if "404" not in line)]


def test_the_keyboard_reaches_everything(screen: Any, served: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    screen.get(served)
    ActionChains(screen).send_keys(Keys.TAB).perform()
    assert screen.switch_to.active_element.text == "Skip to the content"
    screen.switch_to.active_element.send_keys(Keys.ENTER)
    assert screen.switch_to.active_element.get_attribute("id") == "main"


def test_pages_work_without_scripts(screen: Any, served: str) -> None:
    screen.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        screen.get(f"{served}/?sort=ner.entity_f1")
        press(screen, "thead a[href*='re.auprc']")
        assert "Sorted by Relation extraction, AUPRC" in text(screen)
        choose(screen, "select[name=kind]", "decoder")
        press(screen, ".filters button")
        assert "sort=re.auprc" in screen.current_url and "kind=decoder" in screen.current_url
        assert len(screen.find_elements("css selector", "tbody tr")) == 1
    finally:
        screen.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_published_board_works_from_files(screen: Any, full: WebBoard, tmp_path: Path) -> None:
    board = full.app.state.board
    with database.reading(board.engine) as connection:
        site = Site(board.settings, board.release, True, snapshots(connection))
    for path, html in site.files():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(html, "utf-8")
    screen.get((tmp_path / "index.html").as_uri())
    assert violations(screen) == []
    font = screen.execute_script("return getComputedStyle(document.querySelector('h1')).fontSize")
    assert font == "32px", "the style sheet is loaded"
    choose(screen, "select[name=kind]", "decoder")
    rows = screen.find_elements("css selector", "tbody tr")
    assert [row.is_displayed() for row in rows].count(True) == 1
    press(screen, "thead a[href*='re.auprc']")
    assert "Sorted by Relation extraction, AUPRC" in text(screen)
    press(screen, "thead a[href*='tasks/ner']")
    assert "Places 1 to 3" in text(screen) and violations(screen) == []
    press(screen, "a.system")
    assert "350M" in text(screen)
    press(screen, "header a[href*='about']")
    assert "Rules of this board" in text(screen)
    assert console(screen) == []


def choose(browser: Any, css: str, words: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(one(browser, css)).select_by_visible_text(words)
