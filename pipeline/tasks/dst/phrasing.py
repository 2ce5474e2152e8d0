"""What the user of an estimated dialogue says: sentences written here, filled with values.

Every value is said in the turn in which it enters the state: names, days, numbers and times as they
are, features and `dontcare` in words. Only a day, a number of people and an area that are those of
a domain before are told as the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from pipeline.tasks.dst.schema import ANY, in_words, word_of
from pipeline.tasks.dst.wording import resolve

_TIME: Final = re.compile(r"[0-9]{1,2}:[0-9]{2}")

_NOUNS: Final = {"관광": "관광지"}
_TYPES: Final = {
    "에어비엔비": "에어비엔비 숙소",
    "공연": "공연을 볼 수 있는 곳",
    "즐길거리": "즐길거리가 있는 곳",
    "쇼핑": "쇼핑할 곳",
    "여행자 자료": "여행자 자료를 얻을 곳",
    "교통편": "교통편과 관련된 곳",
    "기타": "기타로 분류된 곳",
}
_PRICES: Final = {"저렴": "가격이 저렴한", "적당": "가격이 적당한", "비싼": "가격대가 비싼"}
#: Features: what is wanted, what is not, and what does not matter.
_FEATURES: Final[Mapping[str, tuple[str, str, str]]] = {
    "도보 가능": ("역에서 걸어갈 수 있는", "역에서 걸어가기는 어려운", "역에서 걸어갈 수 있는지"),
    "주차 가능": ("주차가 되는", "주차장이 없는", "주차가 되는지"),
    "인터넷 가능": ("와이파이가 되는", "인터넷이 안 되는", "인터넷이 되는지"),
    "조식 가능": ("조식이 나오는", "조식이 없는", "조식이 나오는지"),
    "흡연 가능": ("담배를 피울 수 있는", "담배를 피울 수 없는", "흡연이 되는지"),
    "헬스장 유무": ("헬스장이 있는", "헬스장이 없는", "헬스장이 있는지"),
    "수영장 유무": ("수영장이 있는", "수영장이 없는", "수영장이 있는지"),
    "스파 유무": ("스파가 있는", "스파가 없는", "스파가 있는지"),
    "주류 판매": ("술을 파는", "술을 팔지 않는", "술을 파는지"),
    "야외석 유무": ("야외석이 있는", "야외석이 없는", "야외석이 있는지"),
    "역사적": ("역사적인", "역사와는 관계없는", "역사적인 곳인지"),
    "교육적": ("교육적인", "교육과는 관계없는", "교육적인 곳인지"),
    "경치 좋은": ("경치가 좋은", "경치는 볼 것 없는", "경치가 좋은지"),
    "문화 예술": (
        "문화와 예술을 즐길 수 있는",
        "문화 예술과는 관계없는",
        "문화 예술과 관련 있는지",
    ),
}
_BOOKED: Final = {"예약 기간": "{}일간", "예약 명수": "{}명"}
_SAME: Final = {"예약 요일": "{} 예약과 같은 요일", "예약 명수": "{} 예약과 같은 인원"}
_ENDS: Final = {"출발지": "{}에서", "도착지": "{}까지"}
_TIMES: Final = {"출발 시간": "{}에 출발하려고 해요.", "도착 시간": "{}까지는 도착해야 해요."}
_RIDES: Final = {"택시": "택시를 불러 주세요.", "지하철": "지하철로 가는 길을 알려 주세요."}


class SlotValue(NamedTuple):
    """A slot with the value to tell; `other` is the domain before whose value it refers to."""

    slot: str
    value: str
    other: str = ""

    @property
    def word(self) -> str:
        """Return the name of the slot without its domain."""
        return word_of(self.slot)


def search(domain: str, slot_values: Sequence[SlotValue]) -> str:
    """Ask for a place by its area, price, type and features."""
    by_word = {item.word: item for item in slot_values if item.value != ANY}
    area, price, kind = (by_word.get(word) for word in ("지역", "가격대", "종류"))
    words = [
        area and (f"{_noun(area.other)} 쪽과 같은 지역에서" if area.other else f"{area.value}에서"),
        price and _PRICES.get(price.value, price.value),
        _TYPES.get(kind.value, kind.value) if kind else _noun(domain),
    ]
    features = [item for item in by_word.values() if item.word in _FEATURES]
    others = [
        item for item in slot_values if item.word not in ("지역", "가격대", "종류", *_FEATURES)
    ]
    return _join(
        resolve(f"{' '.join(filter(None, words))}(을/를) 찾고 있어요."),
        f"{', '.join(map(_feature, features))}이면 좋겠어요." if features else "",
        *map(_plainly, others),
        _free(slot_values),
    )


def instead(item: SlotValue) -> str:
    """Change what is searched for to another value."""
    if item.word in _FEATURES:
        return f"그럼 {_feature(item)}으로 다시 찾아 주세요."
    value = _PRICES.get(item.value, item.value)
    return f"그럼 {value}{'' if value.endswith('쪽') else ' 쪽'}으로 다시 찾아 주세요."


def booking(slot_values: Sequence[SlotValue]) -> str:
    """Ask for a booking."""
    values = [
        _SAME[item.word].format(item.other)
        if item.other and item.word in _SAME
        else _BOOKED.get(item.word, "{}").format(_clock(item.value))
        for item in slot_values
        if item.value != ANY
    ]
    return _join(f"{', '.join(values)} 예약을 부탁드려요.".lstrip(), _free(slot_values))


def ride(domain: str, slot_values: Sequence[SlotValue]) -> str:
    """Ask for a taxi or the way by metro."""
    ends = [_ENDS[item.word].format(_end(item)) for item in slot_values if item.word in _ENDS]
    kind = next((o.value for o in slot_values if o.word == "종류" and o.value != ANY), "")
    times = [item for item in slot_values if item.word in _TIMES and item.value != ANY]
    others = [item for item in slot_values if item.word not in (*_ENDS, *_TIMES, "종류")]
    return _join(
        " ".join(filter(None, [*ends, kind, _RIDES.get(domain, f"{domain} 부탁드려요.")])),
        *(_TIMES[item.word].format(_clock(item.value)) for item in times),
        *map(_plainly, others),
        _free(slot_values),
    )


def ask(slots: Sequence[str]) -> str:
    """Ask for what is not tracked, or say nothing."""
    words = ", ".join(word_of(slot) for slot in slots)
    return f"{words} 알려 주세요." if words else ""


def _noun(domain: str) -> str:
    return _NOUNS.get(domain, domain)


def _feature(item: SlotValue) -> str:
    return f"{_FEATURES[item.word][item.value == 'no']} 곳"


def _free(slot_values: Sequence[SlotValue]) -> str:
    free = [item.word for item in slot_values if item.value == ANY]
    words = [_FEATURES[word][2] if word in _FEATURES else word for word in free]
    return f"{', '.join(words)} 쪽은 상관없어요." if words else ""


def _end(item: SlotValue) -> str:
    if item.value == ANY:
        return "아무 곳"
    if not item.other:
        return item.value
    near = " 근처" if item.value.endswith("역") else ""
    return f"{_noun(item.other)}{near} {item.value}"


def _plainly(item: SlotValue) -> str:
    return "" if item.value == ANY else f"{item.word} 쪽은 {_clock(item.value)}, 이렇게 부탁드려요."


def _clock(value: str) -> str:
    return in_words(value)[1] if _TIME.fullmatch(value) else value


def _join(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
