"""Nothing of an address stays in its pseudonym, and blanks do not change which it is."""

from __future__ import annotations

import re

import labelled_set
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pipeline.pii.actions import Pseudonymiser
from pipeline.pii.korea import DISTRICTS, METROPOLITAN, PROVINCES, SPELLINGS
from pipeline.pii.normal import normal
from pipeline.pii.pseudonyms.addresses import split

PSEUDONYMISER = Pseudonymiser(b"a key of the test, 32 bytes long")
#: What says of which kind a part is, and nothing of where it is.
UNITS = re.compile(
    r"번지|번?[가나다라마바사]?길|대로|[로길가층호동번리산]|지하|지상|별관|본관|"
    r"아파트|빌라|빌딩|타워|오피스텔|단지|차"
)
#: Metropolitan cities and provinces end so in full.
REGION_ENDS = re.compile(r"(특별자치시|특별자치도|특별시|광역시|직할시|시|도)$")
LABELLED = sorted(
    {
        row["text"][span["start"] : span["end"]]
        for row in labelled_set.rows()
        for span in row["spans"]
        if span["type"] == "address"
    }
)


def replace(value: str) -> str:
    return PSEUDONYMISER.replace("address", value)


def _left(value: str, found: str) -> list[str]:
    """Return the words of an address, told apart by its blanks, that its pseudonym still has."""
    words = re.findall(r"[^\W\d_]+", value)
    words = [w for w in words if not UNITS.fullmatch(w)]
    stems = [REGION_ENDS.sub("", w) if w in SPELLINGS else w[:-1] for w in words]
    stems += [w.removesuffix("대로") for w in words]
    return [w for w in {*words, *stems} if len(w) > 1 and w in found]


def _is_consistent(*spellings: str) -> bool:
    keys = {normal("address", s) for s in spellings}
    return len(keys) > 1 or len({normal("address", replace(s)) for s in spellings}) == 1


@pytest.mark.parametrize("value", LABELLED)
def test_no_word_of_a_labelled_address_stays(value: str) -> None:
    found = replace(value)
    assert not _left(value, found), found
    for old, new in zip(re.findall(r"\d+", value), re.findall(r"\d+", found), strict=True):
        assert len(old) == len(new)
        assert old != new


@pytest.mark.parametrize("value", LABELLED)
def test_a_labelled_address_has_one_pseudonym_without_blanks(value: str) -> None:
    glued = re.sub(r"(?<!\d) | (?!\d)", "", value)
    found = normal("address", replace(value))
    if normal("address", glued) == normal("address", value):
        assert normal("address", replace(glued)) == found
    assert re.sub(r"\d", "0", re.sub(r"[^\d ,()-]", "", replace(value))) == re.sub(
        r"[0-9０-９]", "0", re.sub(r"[^\d ,()-]", "", value)
    )


@pytest.mark.parametrize(
    "value",
    ["서울 구로구 시흥대로 10", "서울시 중구 시청길 3", "경기 고양시 일산동구 중앙로 1",
     "전남 신안군 군청길 7", "부산 부산진구 시민공원로 73", "서울 동대문구 문화로 2",
     "경기 성남 분당구 정자동 12"],
)  # fmt: skip
def test_blanks_do_not_matter(value: str) -> None:
    glued = value.replace(" ", "")
    assert normal("address", glued) == normal("address", value)
    assert normal("address", replace(glued)) == normal("address", replace(value))


SYLLABLES = "가강구나남다대동라로리마면바봉사산서성수시신안양원읍이장정중진천청평포하한해호화흥"
NAMES = st.one_of(st.text(SYLLABLES, min_size=1, max_size=9), st.sampled_from(["LG", "APEC", "KT"]))
REGIONS = st.sampled_from(["", *SPELLINGS])
ROADS = st.tuples(NAMES, st.sampled_from(["대로", "로", "길", "동", "리", "가", "로2가", "3로"]))


@st.composite
def addresses(draw: st.DrawFn) -> list[str]:
    """Give the words of an address, made up or with real districts."""
    district = st.sampled_from(DISTRICTS)
    words = [draw(REGIONS), *draw(st.lists(district, max_size=2))]
    if words[0] and draw(st.booleans()):
        words.append(draw(district)[:-1])
    words += ["".join(road) for road in draw(st.lists(ROADS, min_size=1, max_size=2))]
    words.append(draw(st.from_regex(r"[1-9][0-9]{0,3}(-[1-9][0-9]?)?", fullmatch=True)))
    words += draw(st.sampled_from([[], ["101동", "3호"], ["한빛아파트", "3층"], ["지하", "2층"]]))
    return [word for word in words if word]


@given(addresses())
def test_no_word_of_a_made_up_address_stays(words: list[str]) -> None:
    value = " ".join(words)
    found = replace(value)
    assert not _left(value, found), found


@given(addresses(), st.data())
def test_spellings_of_a_made_up_address_have_one_pseudonym(
    words: list[str], data: st.DataObject
) -> None:
    gaps = data.draw(
        st.lists(st.sampled_from(["", " ", ", ", "  "]), min_size=len(words), max_size=len(words))
    )
    spelt = "".join(word + gap for word, gap in zip(words, gaps, strict=True))
    assume(normal("address", spelt) == normal("address", " ".join(words)))
    assert normal("address", replace(spelt)) == normal("address", replace(" ".join(words)))


@given(st.text("서울경기 강남구성시로동가12-,()·ＬＧ", min_size=1, max_size=30))
def test_parts_are_the_whole_canonical_address(text: str) -> None:
    key = normal("address", text)
    region, parts = split(key)
    assert region + "".join(part.text for part in parts) == re.sub("[ -]", "", key)


def test_regions_are_of_the_same_kind() -> None:
    for short, full in (METROPOLITAN | PROVINCES).items():
        found = replace(f"{short} 중구 한들로 1")[:2]
        kind = METROPOLITAN if full in METROPOLITAN.values() else PROVINCES
        assert found in kind
        assert found != short
