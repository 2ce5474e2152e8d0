"""The column path equals the text-by-text path, and the ledger tells what happened."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from clean_one import clean_text
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core import schemas
from pipeline.core.errors import SpecError
from pipeline.corpus.cleaning import clean
from pipeline.corpus.rules import markup
from pipeline.corpus.rules.table import RULE_SETS, RULES, Limits

ALL = tuple(RULES)
NOISE = RULE_SETS["noise"]
PIECES = [
    "==",
    "[１]",
    "[1]",
    "[주 2]",
    "{{가}}",
    "[[나]]",
    "[[파일:가",
    *"가나다ㅋ은.,!~ \t\n\u3000\xa0\u200b\u200d\ufe0f❤#＃_1aA&;<>/()[]「」{}",
    *"=|@'\"-·漢かｶ\u3164\ue000",
    *(
        "#맛집",
        "욕#설",
        "<br>",
        "<b>",
        "</b>",
        "<a href='x'>",
        "<!--",
        "-->",
        "( , )",
        "  ",
        "좋다.",
    ),
    *(
        "(사진)",
        "홍길동 기자",
        "[한빛일보]",
        "(서울=한빛뉴스) ",
        "ⓒ 한빛일보",
        "출처: 가",
        "a@b.com",
    ),
    *("good movie ", "漢字漢字漢字", "ひらがな", "사진=한빛일보", "무단 전재 및 재배포 금지", "10"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=30)
ENTITIES = ["&amp;", "&lt;", "&gt", "&#39;", "&#8203;", "&nbsp", "&amp;lt;", "&#x3C;"]


def units(texts: list[str]) -> pa.Table:
    rows: list[dict[str, object]] = [
        {
            "id": f"toy-w{number}",
            "source": "toy",
            "document": f"toy-d{number}",
            "kind": "whole",
            "ordinal": 0,
            "start": 0,
            "end": len(text),
            "text": text,
            "section": None,
        }
        for number, text in enumerate(texts)
    ]
    return schemas.build("units", rows)


def one_by_one(
    table: pa.Table, rule_ids: tuple[str, ...]
) -> tuple[pa.Table, list[dict[str, object]]]:
    """Clean row by row without Arrow: the reference of the column path."""
    kept, ledger = [], []
    for row in table.to_pylist():
        text, events = clean_text(row["text"], rule_ids)
        ledger += [
            {"unit": row["id"], "source": "toy", "stage": "clean", "rule": rule, **e._asdict()}
            for rule, e in events.items()
        ]
        if text is not None:
            kept.append(row | {"text": text})
    return schemas.build("units", kept), ledger


# --- the table of rules ---


def test_the_ids_and_their_order_are_fixed() -> None:
    assert ALL == (
        "noise.bad_char@1",
        "noise.html@1",
        "noise.hashtag@1",
        "wiki.markup@1",
        "wiki.reference@1",
        "news.copyright@1",
        "news.press@1",
        "news.reporter@1",
        "news.image@1",
        "news.source@1",
        "layout.byline@1",
        "layout.mark@1",
        "layout.quote@1",
        "noise.empty_parens@1",
        "noise.blank@1",
        "noise.empty@1",
        "noise.foreign_script@1",
        "noise.non_korean@1",
    )
    assert set(ALL) == {name for names in RULE_SETS.values() for name in names}
    assert [rule.id for rule in RULES.values()] == list(RULES)


def test_the_order_of_the_request_does_not_matter() -> None:
    table = units(["좋다 #가 (  )", "ⓒ 한빛일보"])
    assert clean(table, ALL[::-1])[0].equals(clean(table, ALL)[0])
    assert clean(table, ALL + ALL)[1].equals(clean(table, ALL)[1])


def test_an_unknown_rule_is_named() -> None:
    with pytest.raises(SpecError, match=r"noise\.typo@1.*allowed: noise\.bad_char@1"):
        clean(units([]), ["noise.typo@1"])


# --- properties ---


@given(st.lists(TEXTS, max_size=8))
def test_column_equals_text_by_text(texts: list[str]) -> None:
    table = units(texts)
    kept, ledger = clean(table, ALL)
    expected, rows = one_by_one(table, ALL)
    assert kept.equals(expected)
    assert ledger.drop(["file", "line"]).to_pylist() == rows


@given(st.lists(st.sampled_from(PIECES + ENTITIES), max_size=12).map("".join))
def test_column_equals_text_by_text_with_entities(text: str) -> None:
    kept, _ = clean(units([text]), NOISE)
    assert kept["text"].to_pylist() == [t for t in [clean_text(text, NOISE)[0]] if t is not None]


@given(TEXTS)
def test_a_gate_passes_every_text_that_its_rule_touches(text: str) -> None:
    for rule in RULES.values():
        if rule.apply(text, Limits()).text != text:
            gate = pc.match_substring_regex(pa.array([text]), rule.gate)
            assert gate[0].as_py(), rule.id


@given(st.lists(TEXTS, max_size=4))
def test_cleaning_twice_changes_nothing_more(texts: list[str]) -> None:
    for rule_ids in (ALL, NOISE):
        kept, _ = clean(units(texts), rule_ids)
        again, ledger = clean(kept, rule_ids)
        assert again.equals(kept)
        assert ledger.num_rows == 0


@given(st.lists(st.sampled_from(PIECES + ENTITIES), max_size=12).map("".join))
def test_cleaning_twice_changes_escaped_tags_only(text: str) -> None:
    once = clean_text(text, NOISE)[0]
    if once is not None and markup.strip_tags(once)[0] == once:
        assert clean_text(once, NOISE)[0] == once


@given(st.lists(TEXTS, max_size=8), st.integers(1, 4))
def test_chunks_give_the_same_rows(texts: list[str], size: int) -> None:
    table = units(texts)
    kept, ledger = clean(table, ALL)
    parts = [clean(table.slice(i, size), ALL) for i in range(0, len(texts), size)]
    assert pa.concat_tables([table.slice(0, 0), *(p[0] for p in parts)]).equals(kept)
    assert pa.concat_tables([ledger.slice(0, 0), *(p[1] for p in parts)]).equals(ledger)


@given(st.lists(TEXTS, max_size=8))
def test_nothing_is_lost_and_nothing_added(texts: list[str]) -> None:
    table = units(texts)
    kept, ledger = clean(table, ALL)
    dropped = ledger.filter(pc.equal(ledger["action"], "drop"))["unit"].to_pylist()
    assert sorted([*kept["id"].to_pylist(), *dropped]) == sorted(table["id"].to_pylist())
    original = dict(zip(table["id"].to_pylist(), texts, strict=True))
    for row in kept.to_pylist():
        remaining = iter(original[row["id"]])
        assert all(c in remaining for c in row["text"] if c != " ")


@given(st.lists(TEXTS, max_size=6))
def test_the_ledger_is_well_formed_and_holds_no_text(texts: list[str]) -> None:
    _, ledger = clean(units(texts), ALL, stage="tidy")
    assert schemas.check(ledger, "ledger").equals(ledger)
    keys = Counter(zip(ledger["unit"].to_pylist(), ledger["rule"].to_pylist(), strict=True))
    assert set(keys.values()) <= {1}
    assert set(ledger["stage"].to_pylist()) <= {"tidy"}
    for reason in ledger["reason"].to_pylist():
        assert reason.isascii()


def test_batches_give_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    table = units(["좋다  #가", "good", "(사진)", "좋다"] * 5)
    whole = clean(table, ALL)
    monkeypatch.setattr("pipeline.corpus.cleaning.BATCH", 3)
    assert [t.to_pylist() for t in clean(table, ALL)] == [t.to_pylist() for t in whole]


# --- edits and drops ---


def test_edits_are_told_with_kind_and_number() -> None:
    _, ledger = clean(units(["좋다\u200b  정말 #가#나 (  )"]), NOISE)
    assert [(r["rule"], r["action"], r["reason"]) for r in ledger.to_pylist()] == [
        ("noise.bad_char@1", "edit", "zero-width 1; 1 characters fewer"),
        ("noise.hashtag@1", "edit", "hashtag 2; 4 characters fewer"),
        ("noise.empty_parens@1", "edit", "pair 1; 4 characters fewer"),
        ("noise.blank@1", "edit", "blank 3; 3 characters fewer"),
    ]


def test_ids_offsets_and_other_columns_stay() -> None:
    table = units(["  좋다 #가", "...", "그래"])
    kept, _ = clean(table, NOISE)
    assert kept["text"].to_pylist() == ["좋다", "그래"]
    assert kept.drop(["text"]).equals(table.drop(["text"]).take(pa.array([0, 2])))
    assert kept.schema.equals(table.schema)


def test_no_units_give_no_rows() -> None:
    kept, ledger = clean(units([]), ALL)
    assert (kept.num_rows, ledger.num_rows) == (0, 0)
    assert kept.schema.equals(schemas.UNITS)
    assert ledger.schema.equals(schemas.LEDGER)


def test_what_one_rule_uncovers_the_others_take() -> None:
    assert clean_text("<b()r>좋다#()가 ( #나 )", NOISE)[0] == "좋다#가"
    assert clean_text("좋다 #()가", NOISE)[0] == "좋다"


def test_escaped_tags_are_read_not_cut() -> None:
    assert clean_text("줄을 바꾸려면 &lt;br&gt;을 쓴다", NOISE)[0] == "줄을 바꾸려면 <br>을 쓴다"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("홍길동 기자 gildong@example.com", "news.reporter@1"),
        ("(서울=한빛뉴스) 홍길동 기자 =", "news.reporter@1"),
        ("[한빛일보]", "news.press@1"),
        ("▲ 사진=한빛일보", "news.image@1"),
        ("출처: 한빛연구소", "news.source@1"),
        ("ⓒ 한빛일보, 무단 전재 및 재배포 금지", "news.copyright@1"),
        ("...", "noise.empty@1"),
        ("", "noise.empty@1"),
    ],
)
def test_the_rule_that_takes_the_last_of_a_text_drops_it(text: str, rule: str) -> None:
    kept, ledger = clean(units([text]), ALL)
    drops = [row for row in ledger.to_pylist() if row["action"] == "drop"]
    assert kept.num_rows == 0
    assert [row["rule"] for row in drops] == [rule]
    assert ledger.to_pylist()[-1] == drops[0]


@pytest.mark.parametrize(
    ("text", "limit", "dropped"),
    [
        ("가" + "漢" * 10, 10, False),
        ("가" + "漢" * 11, 10, True),
        ("가" + "か" * 6 + "ｶ" * 5, 10, True),
        ("가漢字", 1, True),
        ("가", 0, False),
    ],
)
def test_more_foreign_characters_than_allowed(text: str, limit: int, dropped: bool) -> None:
    kept, ledger = clean(units([text]), ["noise.foreign_script@1"], max_foreign=limit)
    assert kept.num_rows == (0 if dropped else 1)
    if dropped:
        row = ledger.to_pylist()[0]
        assert (row["rule"], row["score"]) == ("noise.foreign_script@1", float(len(text) - 1))


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        ("가" * 15 + "漢" * 10, False),
        ("가" * 18 + "漢" * 12, False),
        ("가" * 17 + "漢" * 12, True),
        ("漢" * 10, False),
    ],
)
def test_many_foreign_characters_stay_while_they_are_few_of_the_letters(
    text: str, dropped: bool
) -> None:
    kept, _ = clean(units([text]), ["noise.foreign_script@1"], foreign_share=0.4)
    assert kept.num_rows == (0 if dropped else 1)


@pytest.mark.parametrize(
    "text",
    [
        "ㅋㅋㅋ",
        "OST 굿",
        "BTS 짱",
        "10점",
        "짱 good",
        "아 Eternal Sunshine",
        "ㅇㅇ",
        "ᄏᄏ",
        "영화 '더 리버'(The River) 추천",
    ],
)
def test_korean_texts_stay(text: str) -> None:
    assert clean_text(text, NOISE)[0] == text


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("good", 0.0),
        ("10", 0.0),
        ("2015.01.27", 0.0),
        ("Кино супер", 0.0),
        ("好好", 0.0),
        ("good ㆍㆍ", 0.0),
        ("Do you understand my words at all ㅋㅋ", 0.068966),
    ],
)
def test_texts_without_korean_go(text: str, score: float) -> None:
    kept, ledger = clean(units([text]), NOISE)
    assert kept.num_rows == 0
    row = ledger.to_pylist()[-1]
    assert (row["rule"], row["action"], row["score"]) == ("noise.non_korean@1", "drop", score)


def test_the_share_of_hangul_is_a_setting() -> None:
    table = units(["최고의 노래 somebody to love me"])
    assert clean(table, NOISE)[0].num_rows == 1
    assert clean(table, NOISE, min_hangul=0.5)[0].num_rows == 0
