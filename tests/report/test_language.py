"""Pages in Korean: no fixed text is missing, and names of the data stay as they are."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from audit_records import labelled, odd_people, scored, whole
from fixed_texts import of_audit, without_korean
from hypothesis import given
from hypothesis import strategies as st
from quality_records import ODD, Read, ordinary

from pipeline.core import schemas
from pipeline.corpus.cleaning import clean
from pipeline.corpus.rules.table import RULES
from pipeline.report.audit import people_tables, tables
from pipeline.report.audit.words import COEFFICIENTS, MEASURES
from pipeline.report.audit_page import page as audit_page
from pipeline.report.language import both, catalogue, in_svg, korean
from pipeline.report.page import ASSETS, script_texts
from pipeline.report.quality_page import page

_PLACES = re.compile(r"\{(\w+)(?::\w+)?\}")


@pytest.mark.parametrize("name", sorted(path.name for path in ASSETS.glob("*.j2")))
def test_every_text_of_a_template_has_a_korean_one(name: str) -> None:
    source = (ASSETS / name).read_text("utf-8")
    texts = re.findall(r'"((?:[^"\\])+)"(?:\.format\([^)]*\)\))?\|both', source)
    assert not without_korean(text.replace("{:,}", "7") for text in texts)


@pytest.mark.parametrize("name", sorted(path.name for path in ASSETS.glob("*.js")))
def test_every_text_of_a_script_has_a_korean_one(name: str) -> None:
    source = (ASSETS / name).read_text("utf-8")
    texts = re.findall(r'\bt\("([^"]+)"', source)
    texts += re.findall(r'(?:title|help|none): "([^"]+)"', source)
    assert set(texts) <= script_texts([name]).keys()


@pytest.mark.parametrize(
    "make", [labelled, scored, *(partial(whole, task) for task in ("ner", "dp", "dst"))]
)
def test_every_text_of_an_audit_has_a_korean_one(make: Any) -> None:
    assert not without_korean(of_audit(make()))


@pytest.mark.parametrize(
    ("level", "codes"),
    [
        ("nominal", "constant copying drift fast habit random reversed unused_label"),
        ("ordinal", "biased compressed drift fast random reversed unused_label"),
    ],
)
def test_every_finding_on_annotators_has_a_korean_text(level: str, codes: str) -> None:
    record = odd_people(level)
    flags = [flag for person in record["per_annotator"].values() for flag in person["flags"]]
    assert {finding["code"] for finding in (*record["review"], *flags)} >= set(codes.split())
    assert not without_korean(of_audit(record))


def test_what_has_no_value_is_told_in_korean_with_its_reason() -> None:
    record = labelled()
    table = people_tables.annotators(record)
    assert table is not None
    for note in (tables.without_value(record), table["note"]):
        assert "(" in note
        assert not re.search(r"\b(the|not|values?|alpha|severity)\b", korean(note) or note)


def test_every_coefficient_and_measure_has_a_korean_name_and_says_in_korean_what_it_is() -> None:
    texts = [*COEFFICIENTS.values(), *((one.title, one.help) for one in MEASURES.values())]
    assert not without_korean(text for pair in texts for text in pair)


def test_a_korean_text_has_the_placeholders_of_the_english_one() -> None:
    for text, own in catalogue().texts.items():
        assert set(_PLACES.findall(own)) <= set(_PLACES.findall(text)), text
        assert "{" not in _PLACES.sub("", own), text


def test_numbers_and_names_keep_their_places() -> None:
    assert korean("1,234 leaks that would stop a release") == "릴리스를 막을 누출 1,234건"
    assert korean("1 annotator flagged") == "표시된 주석자 1명"
    assert korean("Agreement is −0.680 (Span F1).") == "일치도는 −0.680입니다(구간 F1)."
    assert korean("3,424 train, 276 dev.") == "train 3,424, dev 276."
    assert (
        korean("No unit was dropped for: {x}, {0}.")
        == "다음 때문에 버린 단위는 없습니다: {x}, {0}."
    )


def test_a_list_is_translated_part_by_part() -> None:
    told = korean("2 of 9 constraints hold; these do not: size, my own, lone pairs.")
    assert (
        told == "제약 9개 중 2개를 충족하며, 다음은 충족하지 않습니다: 크기, my own, 홀로 있는 쌍."
    )
    told = korean("Without a value on these votes (`klue audit` says why): Scott's pi, alpha.")
    assert told == "이 투표에서 값이 없는 것(`klue audit`이 이유를 알려 줌): 스콧 파이, 알파."
    told = korean(
        "2 annotators untested: kim (12 shared items; 20 are needed), a b (1 shared item; 20 are"
        " needed)."
    )
    assert told == (
        "시험하지 않은 주석자 2명: kim(공유 항목 12개, 20개 필요), a b(공유 항목 1개, 20개 필요)."
    )


#: Texts in which every rule of cleaning finds something of every kind.
_SOILED = (
    "".join(f"가{sign}" for sign in "\u200b\u2028\u202a\x01\u3164\ufffd\ue000\ufdd0"),
    "<!-- 말 --><script>x</script><!doctype html><b>문장</b> &amp; #여행 끝 () 이다.",
    "1. 첫째 항목이다.",
    '"닫히지 않은 따옴표다.',
    "大韓民國憲法第一條民主共和國",
    "No Korean word here.",
    "...",
)


def test_what_rules_of_cleaning_did_is_told_in_korean() -> None:
    rules = [rule for rule in RULES if rule.startswith(("noise.", "layout."))]
    place = {"source": "mine", "document": "d", "kind": "whole", "start": 0}
    rows = [
        {**place, "id": str(n), "ordinal": n, "end": len(text), "text": text}
        for n, text in enumerate(_SOILED)
    ]
    decisions = clean(schemas.build("units", rows), rules)[1].to_pylist()
    reasons = {row["reason"] for row in decisions}
    assert any(", " in reason for reason in reasons)
    assert {row["rule"] for row in decisions} >= {*rules} - {"layout.byline@1"}
    letters = {re.sub("HTML", "", korean(reason) or reason) for reason in reasons}
    assert not [reason for reason in letters if re.search("[A-Za-z]", reason)]
    assert korean("Hangul in pieces; 26 characters fewer") == "나뉜 한글 자모, 26자 줄어듦"


def test_texts_of_several_sentences_are_found_sentence_by_sentence() -> None:
    told = korean("22 of 22 constraints hold. Unknown words stay. Leakage")
    assert told == "제약 22개 중 22개를 충족합니다. Unknown words stay. 누출"
    assert korean("alpha: alpha of their votes") is None
    told = korean("1 of 2 constraints holds; these do not: size. Sizes are limited by lone pairs.")
    assert told is not None and not re.search("constraints|limited", told)


@given(st.text())
def test_any_text_is_shown_whole(text: str) -> None:
    told = Read(f"<p>{both(text)}</p>").text
    assert text.replace("`", "") in told.replace("`", "") or korean(text) is not None
    assert "<script" not in both(text).lower()


@pytest.mark.parametrize("text", ODD)
def test_markup_stays_text_in_both(text: str) -> None:
    for made in (both(f"Annotator {text}: x"), in_svg(f"{text} below 1")):
        assert not {tag for tag, _ in Read(str(made)).elements} - {"span", "tspan", "code"}


def test_a_page_holds_both_languages_and_opens_in_one() -> None:
    html = page(ordinary())
    assert '<span lang="en">Contents</span><span lang="ko">차례</span>' in html
    assert '<html lang="en">' in html
    assert '<html lang="ko" data-language="ko">' in page(ordinary(), language="ko")
    assert '<html lang="ko" data-language="ko">' in audit_page(labelled(), language="ko")
