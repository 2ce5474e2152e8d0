"""What could identify someone is not shown."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.pii.detect import mask, shape


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("메일은 hana.kim@example.com으로", "메일은 [email]으로"),
        ("한글@예시.한국 주소", "[email] 주소"),
        ("https://example.org/홍길동 에서", "[url] 에서"),
        ("블로그 naver.me/abc 참고", "블로그 [url] 참고"),
        ("@gildong 안녕", "[mention] 안녕"),
        ("010-1234-5678로 전화", "[phone]로 전화"),
        ("계좌 110123456789", "계좌 [bank_account]"),
        ("번호는 010 - 8765 - 4321번", "번호는 [phone]번"),
        ("０１０－４４４４－５５５５로", "[phone]로"),
        ("010\u20116666\u20117777", "[phone]"),
        ("kim＠example.com 님", "[email] 님"),
        ("어디 번호인지 55-123-4567", "어디 번호인지 [number]"),
        ("적힌 것은 9001011 234567 뿐", "적힌 것은 [number] 뿐"),
        ("m12345678라고만", "[number]라고만"),
        ("x1234567라고만", "[number]라고만"),
        ("010:1234:5678", "[phone]"),
        ("0 1 0 1 2 3 4 5 6 7 8", "[phone]"),
        ("2018년에 3.5점", "2018년에 3.5점"),
    ],
)
def test_masks(text: str, shown: str) -> None:
    assert mask(text) == shown


def test_long_texts_are_masked_in_linear_steps() -> None:
    assert mask("가" * 200_000 + "@") == "가" * 200_000 + "@"


@given(st.text(alphabet="0123456789０-–.~,: ", max_size=40))
def test_no_seven_digits_are_shown_near_each_other(text: str) -> None:
    assert not re.search(r"[0-9０](?:[^\w\[\]]{0,3}[0-9０]){6}", mask(text))


def test_a_shape_keeps_separators_and_nothing_else() -> None:
    assert shape("hana_kim@example.com") == "********@*******.***"
    assert shape("０２)123-4567") == "**)***-****"
    assert shape("서울 12가 3456") == "** *** ****"
