"""The report of quality in a real browser, without a network."""

from __future__ import annotations

import re
from importlib import resources
from typing import Any

import pytest
from audit_records import labelled, scored, whole
from quality_records import EVIL, ODD, odd, ordinary
from test_results_record import run

from flows.commands.compare_versions import compare_versions
from pipeline.contracts.registry import TASKS
from pipeline.report.audit_page import page as audit_page
from pipeline.report.pretraining import Pretrained, pretrained_of
from pipeline.report.quality_page import page
from pipeline.report.results import results
from pipeline.report.section_view import FIRST
from pipeline.report.versions import versions_page
from pipeline.scoring.scorer import scorer_of

_MARKS = "svg rect, svg path"


def _pretrained() -> Pretrained:
    numbers = {"training_seconds": 320.5, "tokens_per_second": 21_000.0, "waiting_share": 0.01}
    scores = {"loss": 8.5, "masked_accuracy": 12.5}
    made = pretrained_of(
        {
            "finished": True,
            "kind": "pretraining",
            "architecture": "roberta",
            "size": "small",
            "seed": 0,
            "model": {"name": "a-long-name", "parameters": 44_000_000, "vocabulary": 32_000},
            "recipe": {
                **{"learning_rate": 5e-4, "batch_size": 64, "max_length": 128, "masked": 0.15},
                **{"masking": "whole_word", "packing": "full"},
            },
            "objectives": ["masked"],
            "sequences": {"train": 1_200_000, "held_out": 300},
            "points": [
                {"step": step, "loss": 9.0, "inputs": step, "scores": scores} for step in (50, 1000)
            ],
            "measured": {
                **numbers,
                **{"device": "cpu", "processes": 1, "model_flops_utilisation": None},
                "peak_memory_bytes": 900_000_000,
            },
        }
    )
    assert made
    return made


def _scores() -> str:
    """Return a page of runs of all tasks, with pretraining."""
    runs = [
        run(task, f"model-of-a-long-name-{place}", scores, scores)
        for task in TASKS
        for scores in [dict.fromkeys(scorer_of(task).names, 100.0 / 7)]
        for place in range(3)
    ]
    return page(results(runs, pretrained=[_pretrained()]), translated=False)


def _versions() -> str:
    record, _ = compare_versions("published:Table 36", "published:Table 32")
    return page(versions_page(record), translated=False)


#: A page of each kind, made when it is asked for.
_KINDS: dict[str, Any] = {
    "quality": lambda: page(ordinary()),
    "odd quality": lambda: page(odd()),
    "audit of labels": lambda: audit_page(labelled()),
    "audit of scores": lambda: audit_page(scored()),
    "audit of spans": lambda: audit_page(whole("ner")),
    "scores of runs": _scores,
    "versions": _versions,
}


def console(browser: Any) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser")]


def all_(browser: Any, css: str) -> list[Any]:
    found: list[Any] = browser.find_elements("css selector", css)
    return found


def one(browser: Any, css: str) -> Any:
    return browser.find_element("css selector", css)


def texts(browser: Any, css: str) -> list[str]:
    """Return the texts of elements as they are in the page, seen or not."""
    return [found.get_property("innerText") for found in all_(browser, css)]


def load_anew(browser: Any) -> None:
    """Load the page again; a refresh may return while the page is the old one still."""
    url = browser.current_url
    browser.get("about:blank")
    browser.get(url)


def waited(browser: Any, test: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 120).until(test)


def column(browser: Any, table: str, place: int) -> list[str]:
    """Return the texts of a column as they are seen."""
    cells = all_(browser, f"#table-{table} tbody td:nth-child({place})")
    return [cell.text for cell in cells if cell.is_displayed()]


def heading(browser: Any, table: str, place: int) -> Any:
    return one(browser, f"#table-{table} th:nth-child({place}) button")


def narrow(browser: Any, width: int) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )


@pytest.fixture
def shown(opened: Any) -> Any:
    """Return a function that opens a record, and gives the window its own size back."""
    yield lambda report: opened(page(report))
    opened("<title>done</title>").execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("make", [ordinary, odd])
def test_every_section_is_there_and_every_chart_is_drawn(shown: Any, make: Any) -> None:
    report = make()
    browser = shown(report)
    sections = [*report.sections, *report.sections[0].parts]
    for section in sections:
        head = one(browser, f"#{section.id} > h2, #{section.id} > h3")
        assert head.is_displayed()
        assert head.text == section.title
    charts = [chart for section in sections for chart in section.charts]
    assert charts
    for chart in charts:
        assert one(browser, f"#chart-{chart.id}").find_elements("css selector", _MARKS), chart.id
    assert console(browser) == []


def _luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (((x + 0.055) / 1.055) ** 2.4 if x > 0.03928 else x / 12.92 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_schemes_of_colour_can_be_read(shown: Any, scheme: str) -> None:
    browser = shown(ordinary())
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    try:
        paper = _luminance(one(browser, "body").value_of_css_property("background-color"))
        assert (paper < 0.02) == (scheme == "dark")
        for css in ("h1", "main p", "main a, button.more", "td", "th", ".card dd", ".note"):
            ink = _luminance(one(browser, css).value_of_css_property("color"))
            assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) > 4.5, css
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_button_changes_the_language_and_the_tab_remembers_it(shown: Any) -> None:
    browser = shown(ordinary())
    assert one(browser, ".toc summary").text == "Contents"
    one(browser, "#page-language").click()
    assert one(browser, "html").get_attribute("lang") == "ko"
    assert one(browser, ".toc summary").text == "차례"
    load_anew(browser)
    assert one(browser, ".toc summary").text == "차례"
    one(browser, "#page-language").click()
    assert one(browser, ".toc summary").text == "Contents"
    assert console(browser) == []


@pytest.mark.full
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1250])
@pytest.mark.parametrize("kind", _KINDS)
def test_axe_finds_nothing(opened: Any, kind: str, width: int, scheme: str) -> None:
    browser = opened(_KINDS[kind]())
    narrow(browser, width)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    try:
        axe = resources.files("selenium_axe_python") / "axe-core" / "axe.min.js"
        browser.execute_script(axe.read_text("utf-8"))
        found = browser.execute_async_script(
            "const done = arguments[0]; axe.run().then((all) => done(all.violations.map("
            "(one) => [one.id, one.nodes[0].html])))"
        )
        assert found == []
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.full
@pytest.mark.parametrize("width", [794, 1032])
@pytest.mark.parametrize("kind", [kind for kind in _KINDS if kind != "odd quality"])
def test_paper_cuts_nothing(opened: Any, kind: str, width: int) -> None:
    """A4 upright, whose width browsers ask style sheets about, and lying with its margins."""
    browser = opened(_KINDS[kind]())
    narrow(browser, width)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        cut = browser.execute_script(
            "dispatchEvent(new Event('beforeprint'));"
            "return [...document.querySelectorAll('table, figure, svg')].filter((one) =>"
            " one.getBoundingClientRect().right > innerWidth || (one.scrollWidth > one.clientWidth"
            "  && getComputedStyle(one).overflowX !== 'visible')"
            ").map((one) => one.outerHTML.slice(0, 200))"
        )
        assert cut == []
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_page_that_is_not_translated_stays_english(opened: Any) -> None:
    browser = opened(page(ordinary()))
    one(browser, "#page-language").click()  # the tab remembers Korean
    browser = opened(page(ordinary(), translated=False))
    assert one(browser, "html").get_attribute("lang") == "en"
    assert one(browser, ".toc summary").text == "Contents"
    assert not all_(browser, "#page-language")
    assert console(browser) == []
    browser.execute_script("sessionStorage.clear()")


def test_nothing_is_asked_of_any_host(shown: Any) -> None:
    browser = shown(ordinary())
    assert browser.execute_script("return performance.getEntriesByType('resource')") == []
    tried = browser.execute_async_script(
        "const done = arguments[0];"
        "fetch('http://127.0.0.1:9/').then(() => done('reached'), () => done('refused'));"
    )
    assert tried == "refused"
    assert any("Content Security Policy" in text for text in console(browser))


def test_markup_of_others_stays_text_and_does_not_run(shown: Any) -> None:
    from selenium.common.exceptions import NoAlertPresentException

    browser = shown(odd())
    with pytest.raises(NoAlertPresentException):
        _ = browser.switch_to.alert
    assert browser.title == ODD[0]
    assert one(browser, "h1").get_property("textContent") == EVIL
    assert set(texts(browser, "#table-odd tbody tr:first-child td")) == set(ODD)
    assert texts(browser, "#odd > section > h3") == list(ODD)
    assert texts(browser, "#odd figcaption")[4].startswith("{{7*7}}{% raw %}")
    assert not all_(browser, "main img, svg b, svg a, main script, [onmouseover]")
    assert not all_(browser, "a[href^=javascript]")
    drawn = all_(browser, ".chart svg text")
    marks = {mark.get_property("textContent").strip() for mark in drawn}
    assert {"<b>굵게</b> & &lt;", "{{7*7}}{% raw %}", "javascript:alert(1)"} <= marks
    assert console(browser) == []


def test_headings_sort_either_way_and_cells_without_a_value_stand_last(shown: Any) -> None:
    browser = shown(ordinary())
    one(browser, "#table-words button.more").click()
    heading(browser, "words", 2).click()
    down = column(browser, "words", 2)
    assert down[:2] == ["39", "38"]
    assert down[-2:] == ["0", ""]
    heading(browser, "words", 2).click()
    up = column(browser, "words", 2)
    assert up == [*down[:-1][::-1], ""]
    assert one(browser, "#table-words th[aria-sort]").get_attribute("aria-sort") == "ascending"
    heading(browser, "words", 1).click()
    assert column(browser, "words", 1)[:3] == ["낱말0", "낱말1", "낱말2"]
    heading(browser, "words", 3).click()
    assert column(browser, "words", 3)[:2] == ["0.00", "−0.01"]
    assert console(browser) == []


def test_headings_are_pressed_by_keys_and_keep_the_focus(shown: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = shown(ordinary())
    heading(browser, "words", 2).send_keys(Keys.ENTER)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.switch_to.active_element == heading(browser, "words", 2)
    assert column(browser, "words", 2)[0] == "0"


def test_long_tables_open_with_their_first_rows(shown: Any) -> None:
    browser = shown(ordinary())
    more = one(browser, "#table-words button.more")
    assert len(column(browser, "words", 1)) == FIRST
    assert more.get_attribute("aria-expanded") == "false"
    more.click()
    assert len(column(browser, "words", 1)) == 40
    assert more.get_attribute("aria-expanded") == "true"
    more.click()
    assert len(column(browser, "words", 1)) == FIRST
    assert more.text == "show all 40 rows"


def test_the_papers_numbers_can_be_put_away(shown: Any) -> None:
    browser = shown(ordinary())
    assert column(browser, "topics", 3)[2] == "1,234"
    one(browser, "#page-compared").click()
    assert column(browser, "topics", 3) == []
    assert column(browser, "topics", 2)[2] == "1,002"


def test_contents_stand_beside_the_text_and_tell_where_one_is(shown: Any) -> None:
    browser = shown(ordinary())
    assert one(browser, ".toc ol").rect["x"] < one(browser, "main").rect["x"]
    one(browser, ".toc a[href='#dst']").click()
    waited(browser, lambda own: texts(own, ".toc [aria-current]") == ["Dialogue state tracking"])
    assert one(browser, ".toc").rect["y"] >= 0


@pytest.mark.thin("width", "make")
@pytest.mark.parametrize("make", [ordinary, odd])
@pytest.mark.parametrize("width", [390, 1250])
def test_the_page_itself_never_scrolls_sideways(shown: Any, width: int, make: Any) -> None:
    browser = shown(make())
    narrow(browser, width)
    wide = browser.execute_script(
        "const e = document.documentElement; return [e.scrollWidth, e.clientWidth]"
    )
    assert wide[0] <= wide[1]


def test_contents_are_folded_where_it_is_narrow(shown: Any) -> None:
    browser = shown(ordinary())
    narrow(browser, 390)
    waited(browser, lambda own: not one(own, ".toc ol").is_displayed())
    one(browser, ".toc summary").click()
    one(browser, ".toc a[href='#dst']").click()
    waited(browser, lambda own: not one(own, ".toc ol").is_displayed())
    top = browser.execute_script("return document.querySelector('#dst').getBoundingClientRect().y")
    assert top <= browser.execute_script("return innerHeight")


def test_paper_gets_every_row_and_what_is_folded(shown: Any) -> None:
    browser = shown(ordinary())
    assert len(column(browser, "words", 1)) == FIRST
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        browser.execute_script("dispatchEvent(new Event('beforeprint'))")
        assert len(column(browser, "words", 1)) == 40
        assert all(found.get_attribute("open") for found in all_(browser, "figure details"))
        assert not one(browser, "#page-language").is_displayed()
        browser.execute_script("dispatchEvent(new Event('afterprint'))")
        assert not any(found.get_attribute("open") for found in all_(browser, "figure details"))
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_tables_and_numbers_are_there_without_scripts(shown: Any) -> None:
    browser = shown(ordinary())
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        load_anew(browser)
        # Without scripts the browser is told too early that the page is there; what stands in it
        # would still run if they were allowed again.
        state = "return document.readyState"
        waited(browser, lambda seen: seen.execute_script(state) == "complete")
        assert not all_(browser, "th button")
        assert one(browser, "#chart-one svg").is_displayed()
        assert len(column(browser, "topics", 1)) == 7
        numbers = one(browser, "#tc figure details")
        one(browser, "#tc figure summary").click()
        assert re.search(r"정치\s+0", numbers.text)
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
