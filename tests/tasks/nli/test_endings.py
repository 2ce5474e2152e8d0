"""Endings: what states something and what does not, in writing and in speech."""

from __future__ import annotations

import pytest

from pipeline.core.morphology import morphemes
from pipeline.tasks.nli.endings import ending, parts_of, without_tail


def _kind(text: str) -> str:
    core = without_tail(text)
    return ending(core, parts_of(morphemes(core)))[0]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("시장은 새 도서관을 내년 봄에 연다.", "final"),
        ("이 다리는 1931년에 놓였습니다.", "final"),
        ("그는 은퇴한 뒤 보험설계사이다.", "final"),
        ("숙소가 역에서 정말 가까워요", "final"),
        ("호스트가 정말 친절하세요", "final"),
        ("음악이 참 좋네요 ㅋㅋㅋ", "final"),
        ("배우들 연기가 좋았어요~~ ㅠㅠ", "final"),
        ("결말이 조금 아쉬웠다!!", "final"),
        ("위치도 좋았고 방도 넓었구요.", "final"),
        ("편안한 분위기에요", "final"),
        ("그 배우는 언제나 옳지", "final"),
        ("왜 인기가 많은지 알겠어요", "final"),
        ("무엇보다 침대가 편했어요", "final"),
        ("내용이 너무 지루해", "final"),
        ("결말이 조금 더 좋았으면 했는데", "suspended"),
        ("음악이 아주 좋았음", "nominalised"),
        ("주인공 연기가 정말 훌륭함ㅋㅋ", "nominalised"),
        ("두 번 보면 더 재미있을 듯", "nominalised"),
        ("당신의 정신 연령은 5살", "copula_less"),
        ("역시 하늬는 명배우", "copula_less"),
        ("오랜 시간이 지나도 기억에 남는 영화", "phrase"),
        ("배우가 주는 묘한 피곤함", "phrase"),
        ("최고의 배우와 최고의 감독", "phrase"),
        ("분위기는 신선했던", "phrase"),
        ("이 영화를 왜 만들었을까", "question"),
        ("평점이 왜 이렇게 낮죠", "question"),
        ("그곳에 가 본 적이 있습니까?", "question"),
        ("도대체 이건 무슨 영화야", "question"),
        ("이것이 사랑인가", "question"),
        ("문을 꼭 잠그고 나가세요", "imperative"),
        ("내일 날씨 좀 알려줘", "imperative"),
        ("이 영화는 절대 보지 마라", "imperative"),
        ("다 같이 극장에 가자", "propositive"),
        ("우리 모두 힘을 냅시다", "propositive"),
        ("이런 명작을 이제야 보다니", "exclamation"),
        ("배우들의 연기도 좋았고", "unfinished"),
        ("결말은 아쉬웠지만", "unfinished"),
        ("", "phrase"),
    ],
)
def test_kinds(text: str, kind: str) -> None:
    assert _kind(text) == kind


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("좋아요!! ㅋㅋㅋ ^^", "좋아요"),
        ("좋다 👍👍", "좋다"),
        ("좋다(강추)", "좋다(강추)"),
        ("그는 “좋다”", "그는 “좋다”"),
        ("100%", "100%"),
        ("ㅋㅋㅋ", ""),
        ("10.", "10"),
    ],
)
def test_bare(text: str, core: str) -> None:
    assert without_tail(text) == core
