"""The monitor of requests: planted faults, and how seldom official dialogues are flagged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.contracts.spec import load_spec
from pipeline.tasks.dst.requests import unanswered
from pipeline.tasks.dst.returned import BEFORE_BOOKING, CHECK, NO_REPLY, UNANSWERED, findings
from pipeline.tasks.dst.value_matching import without_blanks

NAME, DAY = "숙소-이름-느루집", "숙소-예약 요일-금요일"
NEW = (UNANSWERED, BEFORE_BOOKING)
SPEC = load_spec("dst")


def _talk(*turns: str | tuple[str, list[str]]) -> list[dict[str, Any]]:
    """Return turns of user and system in turn; a user's may come with its state."""
    pairs = [turn if isinstance(turn, tuple) else (turn, [NAME]) for turn in turns]
    return [
        {"role": ("user", "sys")[n % 2], "text": text, "state": [] if n % 2 else state}
        for n, (text, state) in enumerate(pairs)
    ]


def _flags(*turns: str | tuple[str, list[str]]) -> list[tuple[int, str, str]]:
    return [(f.turn, f.rule, f.slot) for f in findings(_talk(*turns)) if f.rule in NEW]


@pytest.mark.parametrize(
    ("asks", "answer", "slot"),
    [
        ("느루집 전화번호 좀 알려 주세요.", "02-000-1234입니다.", "전화 번호"),
        ("거기 주소가 어떻게 되나요?", "서울 중구 느티길 8에 있습니다.", "주소"),
        ("평점은 몇 점이에요?", "4점입니다.", "평점"),
        ("영업 시간도 궁금해요.", "11시에 엽니다.", "영업 시간"),
        ("입장료는 얼마예요?", "무료입니다.", "입장료"),
        ("가까운 지하철역은 어디예요?", "시청역입니다.", "인근 역"),
        ("대표 메뉴가 뭐예요?", "마늘 치킨입니다.", "대표 메뉴"),
        ("요금은 얼마나 나올까요?", "12,000원쯤입니다.", "비용"),
        ("소요 시간도 알려 주세요.", "35분 걸립니다.", "소요 시간"),
    ],
)
def test_a_request_needs_its_answer(asks: str, answer: str, slot: str) -> None:
    assert _flags(asks, answer) == []
    assert _flags(asks, "네, 더 도와드릴까요?") == [(0, UNANSWERED, slot)]
    # an answer may come late, under its topic
    late = f"{slot} 말씀이시죠? {answer}"
    assert _flags(asks, "잠시만 기다려 주세요.", "네.", late) == []


@pytest.mark.parametrize(
    "text",
    [
        "평점은 됐고 그냥 예약할래요.",
        "요금은 말씀해 주셨고, 이제 됐어요.",
        "평점 높은 데로 부탁드려요.",
        "식당 근처 역에서 숙소 근처 역으로 가는 지하철을 알려 주세요.",
        "주소를 몰라도 찾아갈 수 있어요.",
    ],
)
def test_what_only_mentions_a_slot_asks_nothing(text: str) -> None:
    assert list(unanswered(("user", "sys"), (without_blanks(text), "네."))) == []


def test_the_user_never_has_the_last_word() -> None:
    turns = _talk("안녕하세요.", "네.", "감사합니다.")
    assert [f.rule for f in CHECK({"turns": turns}, {}, {}, SPEC)] == [NO_REPLY, "dst.unheard@1"]
    assert [f.rule for f in CHECK({"turns": turns[:2]}, {}, {}, SPEC)] == ["dst.unheard@1"]


def test_a_booking_number_comes_after_booking() -> None:
    number = "예약 번호는 QK4PM입니다."
    assert _flags("느루집이요.", number) == [(1, BEFORE_BOOKING, "예약 번호")]
    assert _flags(("금요일로 예약해 주세요.", [NAME, DAY]), number) == []


@pytest.fixture(scope="module")
def official(data_dir: Path) -> list[dict[str, Any]]:
    path = data_dir / "klue" / "wos-v1.1_dev_first700.json"
    return json.loads(path.read_text("utf-8"))  # type: ignore[no-any-return]


def test_official_dialogues_are_hardly_flagged(official: list[dict[str, Any]]) -> None:
    """Two of 700; read by hand, in both a question stays without its answer."""
    flags = [
        (dialogue["guid"], f.turn, f.rule, f.slot)
        for dialogue in official
        for f in findings(dialogue["dialogue"])
        if f.rule in NEW
    ]
    assert flags == [
        ("wos-v1_dev_00207", 10, UNANSWERED, "평점"),
        ("wos-v1_dev_00562", 0, UNANSWERED, "입장료"),
    ]


def test_planted_silence_is_mostly_noticed(official: list[dict[str, Any]]) -> None:
    """The system turn after a request says nothing: found unless a later turn has the topic."""
    asked = found = 0
    for dialogue in official:
        roles = [turn["role"] for turn in dialogue["dialogue"]]
        texts = [without_blanks(turn["text"]) for turn in dialogue["dialogue"]]
        mute = [
            "네,알겠습니다." if role == "sys" else text
            for role, text in zip(roles, texts, strict=True)
        ]
        requests = list(unanswered(roles, mute))  # all that is asked for
        asked += len(requests)
        for turn, slot in requests:
            planted = [*texts[: turn + 1], mute[turn + 1], *texts[turn + 2 :]]
            found += (turn, slot) in set(unanswered(roles, planted))
    assert asked > 1300 and found / asked > 0.8
