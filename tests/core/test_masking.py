"""What could identify someone is not shown."""

from __future__ import annotations

import pytest

from pipeline.core.masking import mask


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("메일은hana.kim@example.com으로", "메일은[e-mail]으로"),
        ("https://example.org/a?b=1에서", "[address]에서"),
        ("@gildong 안녕", "[mention] 안녕"),
        ("010-1234-5678로 전화", "[number]로 전화"),
        ("계좌 110123456789", "계좌 [number]"),
        ("2018년에 3.5점", "2018년에 3.5점"),
    ],
)
def test_masks(text: str, shown: str) -> None:
    assert mask(text) == shown
