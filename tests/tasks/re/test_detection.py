"""Entities: names of a knowledge base in Korean sentences, and the union with a tagger."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_knowledge import Lexical

from pipeline.core.morphology import morphemes
from pipeline.tasks.re.detection import Detection, find_names
from pipeline.tasks.re.entities import Entity, merge_entities
from pipeline.tasks.re.knowledge import Knowledge, create_knowledge
from pipeline.tasks.re.patterns import find_forms


def _names(text: str, known: Knowledge) -> list[tuple[str, str]]:
    found = find_names(text, morphemes(text), known)
    return [(text[one.start : one.end], one.type) for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "한빛섬에서 난 차은목은 소설가였다.",
            [("한빛섬", "LOC"), ("차은목", "PER"), ("소설가", "POH")],
        ),
        ("문태율이 가람포 FC의 주장이다.", [("문태율", "PER"), ("가람포 FC", "ORG")]),
        ("《소금밭의 달력》(1980)을 읽었다.", [("소금밭의 달력", "POH")]),
        ("구름이 한빛섬을 덮었다.", [("한빛섬", "LOC")]),
        ("구한빛섬에 갔다.", []),
        ("", []),
        ("   \n🙂 ", []),
    ],
)
def test_names_in_sentences(known: Knowledge, text: str, expected: list[tuple[str, str]]) -> None:
    assert _names(text, known) == expected


def test_the_longest_name_is_taken(tmp_path: Path) -> None:
    with create_knowledge(tmp_path / "kb.sqlite") as making:
        for name in ("가람포", "가람포 FC", "가람포 FC 유소년단"):
            making.add_evidence(name, "ORG", 1)
    connection = sqlite3.connect(tmp_path / "kb.sqlite")
    known = Knowledge(connection)
    assert _names("그는 가람포 FC 유소년단에서 뛰었다.", known) == [("가람포 FC 유소년단", "ORG")]
    assert _names("그는 가람포 FC에서 뛰었다.", known) == [("가람포 FC", "ORG")]


def test_the_union_keeps_the_longer_and_notes_agreement() -> None:
    tagger, names = ("tagger",), ("gazetteer",)
    found = merge_entities(
        [
            Entity(0, 5, "ORG", tagger),
            Entity(0, 8, "POH", names),
            Entity(10, 13, "LOC", tagger),
            Entity(10, 13, "ORG", names),
            Entity(15, 18, "PER", tagger),
            Entity(15, 18, "LOC", names),
            Entity(20, 23, "PER", tagger),
            Entity(20, 23, "POH", names, is_occupation=True),
            Entity(30, 33, "PER", tagger),
            Entity(30, 33, "POH", names),
            Entity(40, 43, "LOC", tagger),
            Entity(42, 45, "PER", names),
        ]
    )
    both = (*tagger, *names)
    assert [(e.start, e.end, e.type, e.detectors) for e in found] == [
        (0, 8, "POH", names),
        (10, 13, "LOC", both),
        (15, 18, "LOC", both),
        (20, 23, "POH", both),
        (30, 33, "PER", both),
        (40, 43, "LOC", tagger),
    ]


def test_detection_asks_both(known: Knowledge) -> None:
    text = "한빛섬에서 난 차은목은 1949년에 백소령을 만났다."
    tagger = Lexical({"1949년": "DT", "한빛섬": "OG", "백소령": "PS"})
    ((found, _),) = Detection(tagger, known).detect([text])
    shown = [(text[e.start : e.end], e.type, len(e.detectors)) for e in found]
    assert shown == [
        ("한빛섬", "ORG", 2),
        ("차은목", "PER", 1),
        ("1949년", "DAT", 1),
        ("백소령", "PER", 2),
    ]
    assert [found for found, _ in Detection(None, None).detect([text, ""])] == [[], []]
    alone = Detection(tagger, None).detect([text, ""])
    assert [len(found) for found, _ in alone] == [3, 0]


@pytest.mark.parametrize(
    ("text", "span", "names"),
    [
        ("선장 마누엘 디아스’ 씨가 왔다", "마누엘 디아스’", ["마누엘 디아스"]),
        ("그는 “한빛교육청”의 직원이다", "“한빛교육청”", ["한빛교육청"]),
        ("북한 역시 “새 정부가 왔다", "북한 역시 “새 정부", ["북한 역시"]),
        ("이방카가 왔다", "방카", []),
        ("“ ”라고 했다", "“ ”", []),
    ],
)
def test_spans_of_the_tagger_hold_no_quotation_marks_and_no_half_words(
    text: str, span: str, names: list[str]
) -> None:
    detection = Detection(Lexical({span: "PS"}), None)
    ((entities, _),) = detection.detect([text])
    assert [text[entity.start : entity.end] for entity in entities] == names


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("소설 《소금밭의 달력》이 나왔다.", {}, [("소금밭의 달력", "POH")]),
        ("그는 오렐 3세를 만났다.", {"3세": "QT"}, [("오렐 3세", "PER")]),
        ("베르 오렐 3세가 왔다.", {"베르 오렐": "PS", "3세": "QT"}, [("베르 오렐 3세", "PER")]),
        ("둘째는 이제 3세 때 왔다.", {}, []),
        (
            "가람전자(Garam Co.)가 왔다.",
            {"가람전자": "OG"},
            [("가람전자", "ORG"), ("Garam Co.", "ORG")],
        ),
        ("회의(Meeting)가 있었다.", {}, []),
        (
            "푸른고개당(이하 고개당)이 왔다.",
            {"푸른고개당": "OG"},
            [("푸른고개당", "ORG"), ("고개당", "ORG")],
        ),
        ("별솔시(시장 윤도하)는 오늘 말했다.", {}, [("윤도하", "PER")]),
        ("은가람대학교에서 추진위원회를 열었다.", {}, [("은가람대학교", "ORG")]),
        ("마르코 벨디(1950년 ~ 2001년)는 지휘자이다.", {}, [("마르코 벨디", "PER")]),
        ("그러나 마르코 벨디(1950년 ~ 2001년)는 지휘자이다.", {}, []),
        ("(주)가람전자가 왔다.", {"주)가람전자": "OG"}, [("가람전자", "ORG")]),
        (
            "그는 솔빛도 여울시에 산다.",
            {"솔빛도 여울시": "LC"},
            [("솔빛도", "LOC"), ("솔빛도 여울시", "LOC"), ("여울시", "LOC")],
        ),
    ],
)
def test_entities_by_their_form(
    text: str, names: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    ((entities, _),) = Detection(Lexical(names), None, has_forms=True).detect([text])
    assert sorted((text[e.start : e.end], e.type) for e in entities) == sorted(expected)


@given(st.text(alphabet="가나이 3세(《》)~년1A,대학교", max_size=60))
def test_forms_lie_within_any_text(text: str) -> None:
    for form in find_forms(text):
        assert 0 <= form.start < form.end <= len(text)
        assert form.after <= form.start
