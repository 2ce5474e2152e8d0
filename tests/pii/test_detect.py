"""What the detector must do beyond the labelled set: the issue's own examples, and its promises."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from table_29 import TABLE_29

from pipeline.core import schemas
from pipeline.pii.detect import RULES, detect, detect_text
from pipeline.pii.kinds import TYPES, Hit

#: What these need beside them to be told from other numbers: they fail their check digits, or have
#: none. The foreign registration number of Table 29 has 1 as its seventh digit: a resident's.
BESIDE = {
    "bank_account": "계좌 ",
    "business_number": "사업자등록번호 ",
    "card": "카드번호 ",
}


def _values(text: str) -> list[tuple[str, str]]:
    return [(hit.type, text[hit.start : hit.end]) for hit in detect_text(text)]


@pytest.mark.parametrize("kind", TYPES)
def test_the_examples_of_table_29(kind: str) -> None:
    text = f"{BESIDE.get(kind, '')}{TABLE_29[kind]}"
    found = "rrn" if kind == "frn" else kind
    assert _values(text) == [(found, TABLE_29[kind])]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("메일은user@naver.com으로", ("email", "user@naver.com")),
        ("8.8.8.8에서", ("ip", "8.8.8.8")),
        ("4111-1111-1111-1111로", ("card", "4111-1111-1111-1111")),
        ("３７８２ ８２２４６３ １０００５로", ("card", "３７８２ ８２２４６３ １０００５")),
        ("user골뱅이naver.com", ("email", "user골뱅이naver.com")),
        ("user at naver dot com으로", ("email", "user at naver dot com")),
    ],
)
def test_particles_and_spellings(text: str, value: tuple[str, str]) -> None:
    assert _values(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "3.14.15.926",
        "2020-10-11에 2020.10.11. 다시",
        "21-15로 이겼다",
        "1,500,000원",
        "버전 10.0.3.1",
        "ISBN 978-89-123-4567-8",
        "주문번호 2020-1234-5678-9012",
        "@cached_property를 빼면 느려져요",  # a name in code, with an underscore
        "@font-face도 그렇고",
        "공인은 세종대왕, 이순신",  # names of public figures are not personal data (footnote 3)
    ],
)
def test_look_alikes(text: str) -> None:
    assert _values(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "{0},{1}",
        "{0}/{1}",
        "{0}.{1}",
        "연락처1:{0}, 담당자2:{1}",
        "1.{0} 2.{1}",
        "연락처2/{0}·{1}",
    ],
)
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("phone", ("010-1234-5678", "010-2222-3333")),
        ("card", ("4111-1111-1111-1111", "5555-5555-5555-4444")),
        ("rrn", ("900101-1234568", "851212-2345673")),
    ],
)
def test_values_in_lists_and_behind_numbers(text: str, kind: str, values: tuple[str, str]) -> None:
    assert _values(text.format(*values)) == [(kind, value) for value in values]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("계좌번호 국민 2024 110-234-567890 입금", ["110-234-567890"]),
        ("홍길동 900101-1234567 110-234-567890 국민은행", ["900101-1234567", "110-234-567890"]),
        ("농협 계좌 302 1234 5678 91 010 1234 5678", ["302 1234 5678 91", "010 1234 5678"]),
        ("국민은행 계좌 10 110-234-567890", ["110-234-567890"]),
    ],
)
def test_an_account_takes_in_no_neighbour(text: str, values: list[str]) -> None:
    assert [value for _, value in _values(text)] == values


def _only(text: str) -> Hit:
    (hit,) = detect_text(text)
    return hit


def test_a_registration_number_without_check_digit_is_less_sure_not_refused() -> None:
    with_digit, without = _only("900101-1234568"), _only("900101-1234567")
    assert with_digit.validated == ("date", "checksum")
    assert without.validated == ("date",)
    assert with_digit.confidence > without.confidence >= 0.5
    recent = _only("201105-3123456")  # born after the reform of October 2020
    assert without.confidence < recent.confidence < with_digit.confidence


def test_hits_say_what_was_validated() -> None:
    assert _only("4111-1111-1111-1111").validated == ("luhn",)
    assert _only("사업자번호 116-82-00276").validated == ("checksum", "context")
    assert _only("11-17-174133-01").validated == ("region",)
    assert _only("서울 12가 3456").validated == ("region",)


def test_types_and_confidence_are_chosen_by_the_caller() -> None:
    text = "hana@example.com, 010-2345-6789"
    assert [hit.type for hit in detect_text(text, types=["phone"])] == ["phone"]
    assert detect_text("1588-1592", minimum=0.5) == []
    assert detect_text("1588-1592", minimum=0.0) != []


def test_rows_and_schema() -> None:
    texts = pa.chunked_array([["없다", "@gildong 안녕"], ["", "hana@example.com"]])
    found = detect(texts)
    assert found.schema == schemas.HITS
    assert found.column("row").to_pylist() == [1, 3]
    assert detect(pa.array([], pa.string())).num_rows == 0


def test_every_type_has_a_rule_and_every_rule_a_type_and_an_id_of_its_own() -> None:
    assert {rule.type for rule in RULES} == set(TYPES)
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert all(rule.id.startswith(f"{rule.type}.") for rule in RULES)


@given(st.text(max_size=200))
def test_hits_lie_in_the_text_and_never_overlap(text: str) -> None:
    end = 0
    for hit in detect_text(text, minimum=0.0):
        assert end <= hit.start < hit.end <= len(text)
        assert 0 < hit.confidence <= 1
        end = hit.end
