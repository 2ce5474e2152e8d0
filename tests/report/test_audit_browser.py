"""The page of an audit in a real browser, without a network."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from audit_records import EVIL, labelled, odd, recorded, scored, whole

from pipeline.agreement.audit import audit
from pipeline.contracts.official.files import read_official
from pipeline.contracts.registry import TASKS
from pipeline.report.audit_page import page

#: Bars, dots and the cells of a heat map.
_MARKS = "svg g > rect, svg g > path"


def console(browser: Any) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser")]


def all_(browser: Any, css: str) -> list[Any]:
    found: list[Any] = browser.find_elements("css selector", css)
    return found


def one(browser: Any, css: str) -> Any:
    return browser.find_element("css selector", css)


def column(browser: Any, table: str, title: str) -> list[str]:
    """Return the texts of a column of a table, by its heading."""
    heads = [head.text.split("\u00a0")[0] for head in all_(browser, f"#table-{table} thead button")]
    place = heads.index(title) + 1
    cells = all_(browser, f"#table-{table} tbody td:nth-child({place})")
    return [cell.text for cell in cells]


def total(browser: Any) -> int:
    """Return how many items the table of items says it has."""
    told = one(browser, "#table-items .pager span").get_attribute("textContent")
    found = re.search(r"([\d,]+) rows?$", told)
    assert found, told
    return int(found[1].replace(",", ""))


def press(browser: Any, table: str, title: str) -> None:
    """Click a heading."""
    from selenium.webdriver.support.ui import WebDriverWait

    def button(_: Any) -> Any:
        buttons = all_(browser, f"#table-{table} thead button")
        return next((b for b in buttons if b.text.split("\u00a0")[0] == title), None)

    WebDriverWait(browser, 60).until(button).click()


def choose(browser: Any, name: str, text: str) -> None:
    """Choose an option of a filter."""
    from selenium.webdriver.support.ui import Select

    Select(one(browser, f"#filter-{name}")).select_by_visible_text(text)


def write(browser: Any, name: str, text: str) -> None:
    """Write into a filter."""
    field = one(browser, f"#filter-{name}")
    field.clear()
    field.send_keys(text)


def drawn(browser: Any) -> None:
    """Check that all charts of the page are drawn and that the console is silent."""
    places = all_(browser, "figure.plot > div")
    assert places
    for place in places:
        assert place.find_elements("css selector", _MARKS), place.get_attribute("id")
    assert console(browser) == []


@pytest.mark.thin(3)
@pytest.mark.parametrize(
    "make",
    [labelled, scored, odd, *(partial(whole, task) for task in ("ner", "dp", "dst"))],
)
def test_tables_and_plots_are_drawn_without_a_console_error(opened: Any, make: Any) -> None:
    browser = opened(page(make()))
    drawn(browser)
    for table in all_(browser, "[id^=table-]"):
        assert table.find_elements("css selector", "tbody tr td"), table.get_attribute("id")


def test_an_empty_record_opens_too(opened: Any) -> None:
    browser = opened(page(recorded([], level="nominal")))
    assert console(browser) == []
    assert "There is no vote to compare" in one(browser, ".findings").text


def test_a_click_on_a_heading_sorts_and_another_turns_round(opened: Any) -> None:
    browser = opened(page(scored()))
    before = column(browser, "annotators", "annotator")
    press(browser, "annotators", "annotator")
    names = column(browser, "annotators", "annotator")
    assert names == [str(n) for n in range(1, 11)] != before
    press(browser, "annotators", "annotator")
    assert column(browser, "annotators", "annotator") == names[::-1]
    press(browser, "annotators", "bias")
    bias = [float(text.replace("−", "-")) for text in column(browser, "annotators", "bias")]
    assert bias == sorted(bias, reverse=True)
    head = one(browser, "#table-annotators th[aria-sort=descending]")
    assert head.text.startswith("bias")
    assert console(browser) == []


def test_rows_without_a_value_stand_last_either_way(opened: Any) -> None:
    record = labelled()
    person = next(iter(record["per_annotator"].values()))
    person |= {"alpha_vs_rest": None, "reasons": {"alpha_vs_rest": "alone"}}
    browser = opened(page(record))
    for _ in range(2):
        press(browser, "annotators", "alpha")
        values = column(browser, "annotators", "alpha")
        assert values[-1] == "–"
        assert values[0] != "–"


def test_a_heading_keeps_the_focus_so_that_keys_sort_again(opened: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = opened(page(labelled()))
    press(browser, "annotators", "votes")
    first = column(browser, "annotators", "votes")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.switch_to.active_element.text.startswith("votes")
    assert one(browser, "#table-annotators th[aria-sort=ascending]").text.startswith("votes")
    assert len(column(browser, "annotators", "votes")) == len(first)


def test_pages_of_a_table_turn(opened: Any) -> None:
    browser = opened(page(labelled()))
    first = column(browser, "items", "item")
    back, following = all_(browser, "#table-items .pager button")
    assert not back.is_enabled()
    following.click()
    assert not set(first) & set(column(browser, "items", "item"))
    following.click()
    assert not following.is_enabled()
    back.click()
    back.click()
    assert column(browser, "items", "item") == first


def test_paper_has_the_rows_of_all_pages_and_says_how_many(opened: Any) -> None:
    browser = opened(page(labelled()))
    first = column(browser, "items", "item")
    every = total(browser)
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert len(column(browser, "items", "item")) == every == 61 > len(first)
    assert one(browser, "#table-items .pager span").text == "61 rows"
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert column(browser, "items", "item") == first


def test_filters_leave_what_fits_and_are_cleared(opened: Any) -> None:
    record = labelled()
    rows = record["per_item"]
    browser = opened(page(record))
    every = total(browser)
    assert every == len(rows) == 61
    wanted = {
        ("label", "긍정"): sum("긍정" in row["values"] for row in rows),
        ("source", "nsmc"): sum(row["source"] == "nsmc" for row in rows),
        ("only", "reported"): 1,
        ("annotator", "가람"): sum("가람" in row["by"] for row in rows),
    }
    for (name, value), n in wanted.items():
        choose(browser, name, value)
        assert 0 < total(browser) == n < every, name
        assert f"{n:,} of {every} item" in one(browser, "#filter-state").text
        one(browser, "#filter-none").click()
        assert total(browser) == every
        assert one(browser, "#filter-state").text == ""
    write(browser, "above", "0.5")
    assert total(browser) == sum((row["disagreement"] or 0) >= 0.5 for row in rows)
    assert min(map(float, column(browser, "items", "disagreement"))) >= 0.5
    one(browser, "#filter-none").click()
    write(browser, "find", "I-0")
    assert total(browser) == 10
    write(browser, "find", "nothing like it")
    assert "Nothing fits these filters." in one(browser, "#table-items").text
    one(browser, "#filter-none").click()
    assert total(browser) == every
    assert console(browser) == []


def test_filters_join(opened: Any) -> None:
    record = labelled()
    browser = opened(page(record))
    choose(browser, "annotator", "제멋대로")
    choose(browser, "label", "중립")
    own = [
        row
        for row in record["per_item"]
        if ("제멋대로", "중립") in zip(row["by"], row["values"], strict=True)
    ]
    assert total(browser) == len(own)
    choose(browser, "other", "긍정")
    assert total(browser) == sum("긍정" in row["values"] for row in own)


def test_a_name_shows_the_items_of_this_annotator_the_furthest_first(opened: Any) -> None:
    record = scored()
    for row in record["per_item"][:50]:  # 10 keeps 30 of 80 items
        place = row["by"].index("10")
        del row["by"][place], row["values"][place]
    browser = opened(page(record))
    next(b for b in all_(browser, "#table-annotators button.link") if b.text == "10").click()
    assert total(browser) == 30
    assert all("10" in text.split() for text in column(browser, "items", "votes"))
    apart = [float(text) for text in column(browser, "items", "apart")]
    assert apart == sorted(apart, reverse=True)
    assert {own.text.split()[0] for own in all_(browser, "#table-items .vote.own")} == {"10"}
    one(browser, "#filter-none").click()
    assert total(browser) == 80
    heads = [button.text for button in all_(browser, "#table-items thead button")]
    assert not any(head.startswith("apart") for head in heads)


def test_findings_lead_to_their_items(opened: Any) -> None:
    browser = opened(page(labelled()))
    buttons = all_(browser, ".findings button")
    assert buttons
    for button in buttons:
        button.click()
        assert 0 < total(browser) < 61
        assert one(browser, "#items").rect["y"] - browser.execute_script("return scrollY") < 400


def test_a_click_on_a_dot_shows_the_annotator(opened: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.support.ui import WebDriverWait

    browser = opened(page(labelled()))
    dots = partial(all_, css="#plot-annotators [data-show] path")
    dot = WebDriverWait(browser, 60).until(dots)[0]
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", dot)
    ActionChains(browser).move_to_element(dot).pause(0.3).click().perform()
    assert one(browser, "#filter-state").text == "60 of 61 items fit the filters."
    chosen = "#filter-annotator option:checked"
    assert one(browser, chosen).text == "제멋대로"


def test_markup_of_others_stays_text(opened: Any) -> None:
    from selenium.common.exceptions import NoAlertPresentException

    browser = opened(page(odd(), title=f"Audit {EVIL}"))
    with pytest.raises(NoAlertPresentException):
        _ = browser.switch_to.alert
    assert one(browser, "h1").get_property("textContent") == f"Audit {EVIL}"
    names = [
        cell.get_property("textContent")
        for cell in all_(browser, "#table-annotators tbody td:first-child")
    ]
    assert EVIL in names
    assert {"__proto__", "constructor"} <= set(names)
    texts = [cell.get_property("textContent") for cell in all_(browser, "#table-items .text")]
    assert set(texts) == {f"{EVIL} 본문"}
    labels = column(browser, "labels", "label")
    assert {EVIL, "__proto__", "<b>굵게</b>", "a & b &lt;"} <= set(labels)
    assert not all_(browser, "td b, td i, svg b, .findings script, td script")
    ticks = {tick.get_property("textContent") for tick in all_(browser, "#plot-labels text")}
    assert {"<b>굵게</b>", "a & b &lt;", "%{x}", "__proto__"} <= ticks
    assert console(browser) == []


@pytest.mark.thin(3)
@pytest.mark.parametrize("label", [EVIL, "__proto__", "constructor", "toString"])
def test_any_text_may_be_a_label_that_is_filtered_by(opened: Any, label: str) -> None:
    record = odd()
    browser = opened(page(record))
    choose(browser, "label", label)
    assert total(browser) == sum(label in row["values"] for row in record["per_item"])
    choose(browser, "annotator", label if label != "toString" else EVIL)
    assert 0 < total(browser) < len(record["per_item"])


def test_a_page_cannot_reach_out(opened: Any) -> None:
    browser = opened(page(labelled()))
    tried = browser.execute_async_script(
        "const done = arguments[0];"
        "fetch('http://127.0.0.1:9/').then(() => done('reached'), (e) => done('refused'));"
    )
    assert tried == "refused"
    assert any("Content Security Policy" in text for text in console(browser))
    browser.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.hit = 1';"
        "document.body.append(s)"
    )
    assert browser.execute_script("return window.hit") is None
    loaded = browser.execute_script("return performance.getEntriesByType('resource').length")
    assert loaded == 0


def test_korean_is_drawn_in_letters(opened: Any) -> None:
    """A letter that no font has is drawn as the same box as any other such letter."""
    browser = opened(page(labelled()))
    if not browser.execute_script(_DIFFER, "\u4e00", "\U00030000"):
        pytest.skip("no font here has letters beyond the Latin ones")
    assert browser.execute_script(_DIFFER, "가", "나")
    assert browser.execute_script(_DIFFER, "가", "\U0010fffd")
    ticks = {tick.text for tick in all_(browser, "#plot-labels text")}
    assert ticks >= {"긍정", "부정", "중립"}
    assert "제멋대로" in one(browser, ".findings").text


_DIFFER = """
const drawn = (text) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 60, height: 60 });
  const pen = canvas.getContext("2d");
  pen.font = "40px " + getComputedStyle(document.body).fontFamily;
  pen.fillText(text, 5, 45);
  return canvas.toDataURL();
};
return drawn(arguments[0]) !== drawn(arguments[1]);
"""


@pytest.mark.parametrize("width", [420, 1250])
def test_the_page_itself_never_scrolls_sideways(opened: Any, width: int) -> None:
    html = page(odd())
    browser = opened(html)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    try:
        wide = browser.execute_script(
            "const e = document.documentElement; return [e.scrollWidth, e.clientWidth]"
        )
        assert wide[0] <= wide[1]
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_spans_and_words_are_told_by_their_text_where_it_is_exact(opened: Any) -> None:
    record = whole("ner")
    text = "가나다라마바사아자차카타파하거너더러머버"
    for row in record["per_item"]:
        row |= {"text": text, "text_exact": True}
    shown = " ".join(column(opened(page(record)), "items", "answers"))
    assert "“가나다” " in shown
    assert "0-3" not in shown
    record = whole("dp")
    for row in record["per_item"]:
        n = row["values"][0].count(",") + 1
        row |= {"text": " ".join(f"말{place}" for place in range(1, n + 1)), "text_exact": True}
    shown = " ".join(column(opened(page(record)), "items", "answers"))
    assert re.search(r"1 말1 → \d 말\d [A-Z]", shown)


def test_states_are_not_compared_by_the_words_they_are_told_in(opened: Any) -> None:
    record = whole("dst")
    browser = opened(page(record))
    assert not all_(browser, "#table-items .vote.apart")
    choose(browser, "only", "answers that differ")
    assert total(browser) == sum((row["disagreement"] or 0) > 0 for row in record["per_item"])
    choose(browser, "annotator", "라온")
    assert len(column(browser, "items", "disagreement")) > 0
    assert console(browser) == []


def test_seats_stand_where_people_are_unnamed(opened: Any) -> None:
    record = labelled()
    for row in record["per_item"]:
        row |= {"by": [None] * row["n"], "seats": [f"label{i}" for i in range(row["n"])]}
    unnamed = {"per_annotator": {}, "review": [], "untested": {}, "no_annotators": "unnamed"}
    browser = opened(page({**record, **unnamed}))
    assert column(browser, "items", "votes")[0].split()[0] == "label0"


@pytest.mark.parametrize(
    ("task", "name"), [("sts", "klue-sts-v1.1_dev.json"), ("nli", "klue-nli-v1.1_train.json")]
)
def test_official_files_are_shown(opened: Any, data_dir: Path, task: str, name: str) -> None:
    found = read_official(task, data_dir / "klue" / name)
    record = audit(found.votes, task=TASKS[task], items=found.items, bootstrap=20)
    browser = opened(page(record))
    drawn(browser)
    assert total(browser) == len(record["per_item"])
    if task == "sts":
        assert len(column(browser, "annotators", "annotator")) == 17
    else:
        assert "nothing can be said of a person" in one(browser, ".findings").text
    choose(browser, "only", "answers that differ")
    split = sum(len(set(row["values"])) > 1 for row in record["per_item"])
    assert total(browser) == split
    assert console(browser) == []
