"""Instructions: each value of a goal can be read out of them again, by words of this test's own."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from pipeline.tasks.dst.goals.goal import Goal, Part, Setting, Want
from pipeline.tasks.dst.instruction import instruction
from pipeline.tasks.dst.schema import ANY, domain_of, in_words, word_of
from pipeline.tasks.dst.wording import phrases

SEED = 11
NATIVE = ["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열"]
PRICES = {"저렴": "저렴한", "적당": "적당한", "비싼": "비싼"}
CALLED = {"숙소": "숙소", "식당": "식당", "관광": "관광지"}
FEATURES = {
    "도보 가능": "걸어",
    "주차 가능": "주차|차를 댈",
    "인터넷 가능": "인터넷|와이파이",
    "조식 가능": "조식|아침",
    "흡연 가능": "담배|흡연|금연",
    "헬스장 유무": "헬스장",
    "수영장 유무": "수영장",
    "스파 유무": "스파",
    "주류 판매": "술",
    "야외석 유무": "야외",
    "역사적": "역사",
    "교육적": "교육",
    "경치 좋은": "경치",
    "문화 예술": "예술",
}
FREE = {
    "종류": "종류",
    "지역": "지역",
    "가격대": "가격대",
    "예약 요일": "요일",
    "예약 기간": "묵는 기간",
    "예약 명수": "인원",
    "출발 시간": "출발 시간",
}
ENDS = (
    "상관없습니다",
    "아무래도 좋습니다",
    "가리지 않습니다",
    "따지지 않습니다",
    "따로 바라는 것이 없습니다",
)
NO = ("없는 곳", "없어야", "없는", "안 되는", "어려운", "금연", "않는", "아니어야")


def _sentences(text: str) -> list[str]:
    return [s for s in re.split(r"(?<=[.])\s+", text) if s]


def _told(want: Want, part: Part, sentences: list[str]) -> bool:
    word, text = word_of(want.slot), " ".join(sentences)
    if word in FEATURES:
        return _feature(word, want.value, sentences)
    if want.value == ANY:
        return any(FREE[word] in s for s in sentences if _is_free(s))
    if want.same_as:
        return (
            CALLED[domain_of(want.same_as)] in text
            or "같은 인원" in text
            or "인원도 똑같이" in text
        )
    if word == "이름":
        return not part.named or f"'{want.value}'" in text
    return any(form in text for form in _forms(word, want.value))


def _forms(word: str, value: str) -> list[str]:
    if word == "예약 명수":
        return [f"{value}명", f"{NATIVE[int(value) - 1]} 명"]
    if word == "예약 기간":
        return [f" {value}일", *{"1": ["하루"], "2": ["이틀"]}.get(value, [])]
    if word.endswith("시간"):
        return in_words(value)
    return [PRICES[value] if word == "가격대" else value]


def _is_free(sentence: str) -> bool:
    return sentence.endswith(tuple(f"{end}." for end in ENDS))


def _feature(word: str, value: str, sentences: list[str]) -> bool:
    """Find the clause of a feature, and whether it is wanted, refused, or free."""
    for sentence in (s for s in sentences if re.search(FEATURES[word], s)):
        if _is_free(sentence):
            if value == ANY:
                return True
            continue
        wanted = re.search(
            r"(어야|아야|가능해야|되어야|나와야|팔아야|좋아야) (합니다|한다고 말하세요)\.$",
            sentence,
        )
        if not wanted:
            continue
        for clause in re.split(" 하고 | 하며 ", sentence):
            if re.search(FEATURES[word], clause):
                found = "no" if any(form in clause for form in NO) else "yes"
                if found == value or (value == "no" and "관계가 없" in clause):
                    return True
    return False


def _by_part(goal: Goal, text: str) -> list[list[str]]:
    """Cut an instruction where it goes on to another domain."""
    starts = (*phrases().next, *phrases().last)
    parts: list[list[str]] = [[]]
    for sentence in _sentences(text):
        if any(sentence.startswith(f"{start} ") for start in starts):
            parts.append([])
        parts[-1].append(sentence)
    assert len(parts) == len(goal.parts)
    return parts


def test_every_value_can_be_read_out(setting: Setting, drawn: list[Goal]) -> None:
    for goal in drawn:
        text = instruction(goal, schema=setting.schema, phrases=phrases(), seed=SEED)
        for part, sentences in zip(goal.parts, _by_part(goal, text), strict=True):
            for want in part.wants:
                if want.value or want.same_as:
                    assert _told(want, part, sentences) or word_of(want.slot) == "이름", (
                        want,
                        text,
                    )
                if want.first:
                    first = PRICES.get(want.first, want.first)
                    assert first in " ".join(sentences)


def test_a_value_that_is_not_wanted_is_not_told(setting: Setting, drawn: list[Goal]) -> None:
    """The reader above is no rubber stamp: other values are not read out."""
    wrong = total = 0
    for goal in drawn[:300]:
        text = instruction(goal, schema=setting.schema, phrases=phrases(), seed=SEED)
        for part, sentences in zip(goal.parts, _by_part(goal, text), strict=True):
            for want in part.wants:
                values = set(setting.schema.values(want.slot)) - {*want.values, want.first}
                if not want.same_as:
                    total += len(values)
                    other = [Want(want.slot, (value,)) for value in sorted(values)]
                    wrong += sum(_told(one, part, sentences) for one in other)
    assert total > 1_000
    assert wrong / total < 0.02  # a shop may be 비싼 in one place and 저렴한 in the change


def test_all_that_is_asked_for_is_told(setting: Setting, drawn: list[Goal]) -> None:
    names = phrases().slots
    for goal in drawn:
        text = instruction(goal, schema=setting.schema, phrases=phrases(), seed=SEED)
        for part in goal.parts:
            assert all(names[word_of(slot)] in text for slot in part.asks)


def test_instructions_are_clean(setting: Setting, drawn: list[Goal]) -> None:
    for goal in drawn:
        text = instruction(goal, schema=setting.schema, phrases=phrases(), seed=SEED)
        assert text.startswith("당신은 ")
        assert text.endswith(".")
        assert not re.search(r"[{}/]|\.\.|  |\((을|은|이|과|으)|dontcare", text)


def test_instructions_differ_in_their_words(setting: Setting, drawn: list[Goal]) -> None:
    texts = {
        instruction(goal, schema=setting.schema, phrases=phrases(), seed=SEED) for goal in drawn
    }
    assert len(texts) == len(drawn)


def test_no_two_sentences_in_a_row_say_what_does_not_matter(
    setting: Setting, drawn: list[Goal]
) -> None:
    seen = 0
    for goal in drawn:
        text = instruction(goal, schema=setting.schema, phrases=phrases(), seed=SEED)
        free = [_is_free(sentence) for sentence in _sentences(text)]
        seen += sum(free)
        assert not any(one and two for one, two in pairwise(free))
    assert seen > len(drawn) / 2


def test_a_goal_says_the_same_thing_in_other_words(setting: Setting, drawn: list[Goal]) -> None:
    """Searches of one goal end differently, and so do neighbouring questions."""
    ends = [form.rsplit("}", 1)[1].removeprefix("(을/를) ") for form in phrases().search]
    for goal in drawn:
        text = instruction(goal, schema=setting.schema, phrases=phrases(), seed=SEED)
        places = [part for part in goal.parts if part.matches and not part.named]
        asked = [s for s in _sentences(text) if any(s.endswith(end) for end in ends)]
        assert sum(any(s.endswith(end) for s in asked) for end in ends) >= len(places)


@pytest.mark.parametrize("group", ["next", "search", "free", "ask", "openings"])
def test_there_are_several_variants(group: str) -> None:
    assert len(getattr(phrases(), group)) >= 3


def test_every_feature_and_every_type_has_words(setting: Setting) -> None:
    for domain in ("숙소", "식당", "관광"):
        for slot in (slot for slot in setting.schema.of_domain(domain) if slot.boolean):
            assert set(phrases().features[word_of(slot.id)]) == {"yes", "no", ANY}
        types = {*setting.schema.values(f"{domain}-종류"), ANY}
        assert set(phrases().domains[domain].noun) == types
    for slot in setting.schema.slots.values():
        if not slot.informable:
            assert word_of(slot.id) in phrases().slots
