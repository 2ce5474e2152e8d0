from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.leaderboard.records import ModelInfo, RefusedError
from pipeline.leaderboard.texts import check_line, check_model, check_name, storable


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("KLUE-RoBERTa (large), lr 1e-5", "KLUE-RoBERTa (large), lr 1e-5"),
        ("  가람   베이스 ", "가람 베이스"),
        ("가람\u3000베이스\u00a0", "가람 베이스"),
        ("\u1100\u1161\u1105\u1161\u11b7", "가람"),  # letters of a Mac's file names
        ("org/model@v1.2+lora & co", "org/model@v1.2+lora & co"),
        ("x" * 80, "x" * 80),
        ("1'; DROP TABLE models; --", "1'; DROP TABLE models; --"),
    ],
)
def test_names_are_kept_in_one_form(given: str, kept: str) -> None:
    assert check_name("model", given) == kept


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "empty"),
        (" \u00a0 ", "empty"),
        ("x" * 81, "81 characters; allowed: 80"),
        ("=HYPERLINK(0)", "begins with '='"),
        ("+1", "begins with '\\+'"),
        ("-1", "begins with '-'"),
        ("@SUM(A1)", "begins with '@'"),
        ("＝SUM(A1)", "begins with '＝'"),
        ("<script>alert(1)</script>", "markup"),
        ('a" onclick="x', "markup"),
        ("a\nb", "control characters"),
        ("a\tb", "control characters"),
        ("a\0b", "control characters"),
        ("a\u202egnp.exe", "control characters"),
        ("a\u200bb", "control characters"),
        ("a\ud800b", "control characters"),
        ("a\ue000b", "control characters"),
        ("{{ 7*7 }}", "braces"),
        ("a\u2028b", "control characters"),
    ],
    ids=ascii,
)
def test_names_that_could_do_harm_are_refused(name: str, message: str) -> None:
    with pytest.raises(RefusedError, match=message) as caught:
        check_name("model", name)
    assert caught.value.status == 422
    assert caught.value.reason.startswith("model: ")


@given(st.text(max_size=100))
def test_a_name_that_is_taken_is_taken_again_unchanged(name: str) -> None:
    try:
        kept = check_name("model", name)
    except RefusedError:
        return
    assert check_name("model", kept) == kept
    assert 1 <= len(kept) <= 80
    assert not set(kept) & set('<>"{}\\`\n\r\t\0')
    assert kept == storable(kept)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (ModelInfo("a", 0), "parameters: 0; allowed: 1 to"),
        (ModelInfo("a", -5), "parameters: -5"),
        (ModelInfo("a", 10**15 + 1), "parameters: 1,000,000,000,000,001"),
        (ModelInfo("a", 1, "bert"), "kind: 'bert'; allowed: encoder, decoder"),
        (ModelInfo("a", 1, link="javascript:alert(1)"), "link: not an address"),
        (ModelInfo("a", 1, link="ftp://example.org"), "link"),
        (ModelInfo("a", 1, link="https://"), "link"),
        (ModelInfo("a", 1, link="https://user:hush@example.org"), "link"),
        (ModelInfo("a", 1, link="https://example.org/a b"), "link"),
        (ModelInfo("a", 1, link='https://example.org/"><script>'), "link"),
        (ModelInfo("a", 1, link="https://[::1"), "link"),
        (ModelInfo("a", 1, link="https://example.org/" + "a" * 500), "link"),
        (ModelInfo("a", 1, description="x" * 2_001), "description: allowed are 2,000"),
        (ModelInfo("a", 1, description="a\0b"), "description"),
        (ModelInfo("<b>", 1), "model: "),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_what_is_said_of_a_model_is_checked(model: ModelInfo, message: str) -> None:
    with pytest.raises(RefusedError, match=message) as caught:
        check_model(model)
    assert caught.value.status == 422
    assert "hush" not in caught.value.reason


def test_a_model_is_kept_as_it_was_told() -> None:
    said = ModelInfo(" 가람 ", 10**15, "decoder", "https://example.org/m?a=1#b", " 한\r\n줄 <b> ")
    kept = ModelInfo("가람", 10**15, "decoder", "https://example.org/m?a=1#b", "한\n줄 <b>")
    assert check_model(said) == check_model(kept) == kept
    assert check_model(ModelInfo("가람")) == ModelInfo("가람")


@given(st.text(st.characters() | st.just("\ud800") | st.just("\0")))
def test_any_text_can_be_stored(text: str) -> None:
    kept = storable(text)
    assert len(kept) == len(text)
    assert "\0" not in kept
    row = sqlite3.connect(":memory:").execute("SELECT ?", (kept,)).fetchone()
    assert row == (kept,)


@pytest.mark.parametrize("text", ["", " \n ", "x" * 2_001, "a\0b", "a\u202eb"], ids=ascii)
def test_a_reason_is_a_line_that_people_can_read(text: str) -> None:
    with pytest.raises(RefusedError, match="reason: has") as caught:
        check_line("reason", text)
    assert caught.value.status == 422


def test_a_reason_is_on_one_line() -> None:
    assert check_line("reason", " 테스트를\n 보고  배웠다 ") == "테스트를 보고 배웠다"
