"""What could identify someone is not shown."""

from __future__ import annotations

import pytest

from pipeline.core.masking import mask


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("메일은 hana.kim@example.com으로", "메일은 [e-mail]"),
        ("한글@예시.한국 주소", "[e-mail] 주소"),
        ("https://example.org/홍길동 에서", "[address] 에서"),
        ("블로그 naver.me/abc 참고", "블로그 [address] 참고"),
        ("@gildong 안녕", "[mention] 안녕"),
        ("010-1234-5678로 전화", "[number]로 전화"),
        ("계좌 110123456789", "계좌 [number]"),
        ("번호는 010 - 8765 - 4321번", "번호는 [number]번"),
        ("０１０－４４４４－５５５５로", "[number]로"),
        ("010\u20116666\u20117777", "[number]"),
        ("kim＠example.com 님", "[e-mail] 님"),
        ("2018년에 3.5점", "2018년에 3.5점"),
    ],
)
def test_masks(text: str, shown: str) -> None:
    assert mask(text) == shown


def test_long_texts_are_masked_in_linear_steps() -> None:
    assert mask("가" * 200_000 + "@") == "가" * 200_000 + "@"
