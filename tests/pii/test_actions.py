"""Redaction and pseudonyms over columns of text."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import InputError
from pipeline.pii.actions import Pseudonymiser, originals, pseudonymise, redact
from pipeline.pii.detect import detect
from pipeline.pii.key import Originals, digest
from pipeline.pii.normal import normal

KEY = b"0123456789abcdef"
TEXTS = pa.array(
    [
        "문의는 02)345-6789, 010-2345-6789로",
        "아무것도 없다",
        "",
        "메일은hana@example.com으로, 서버는 203.0.113.9",
    ]
)


def _hits(texts: pa.Array) -> pa.Table:
    return detect(texts)


def test_redaction_leaves_everything_else_as_it_was() -> None:
    assert redact(TEXTS, _hits(TEXTS)).to_pylist() == [
        "문의는 [phone], [phone]로",
        "아무것도 없다",
        "",
        "메일은[email]으로, 서버는 [ip]",
    ]


def test_texts_without_hits_come_back_as_they_are() -> None:
    texts = pa.array(["아무것도 없다"])
    assert redact(texts, _hits(texts)) is texts


def test_pseudonyms_stand_where_the_values_stood() -> None:
    written = pseudonymise(TEXTS, _hits(TEXTS), Pseudonymiser(KEY)).to_pylist()
    assert written[1:3] == TEXTS.to_pylist()[1:3]
    assert written[0].startswith("문의는 0") and written[0].endswith("로")
    assert "345-6789" not in written[0]
    assert "hana" not in written[3] and written[3].startswith("메일은")


def test_every_original_is_collected_in_its_canonical_form() -> None:
    texts = pa.array(["010-2345-6789", "+82 10 2345 6789", "０１０２３４５６７８９"])
    found = set(originals(texts, _hits(texts), KEY))
    assert found == {digest(KEY, "phone", "01023456789")}


@given(st.permutations(TEXTS.to_pylist()), st.integers(0, 4))
def test_pseudonyms_depend_on_neither_order_nor_parts(texts: list[str], cut: int) -> None:
    whole = pseudonymise(TEXTS, _hits(TEXTS), Pseudonymiser(KEY)).to_pylist()
    wanted = dict(zip(TEXTS.to_pylist(), whole, strict=True))
    for part in (pa.array(texts[:cut], pa.string()), pa.array(texts[cut:], pa.string())):
        got = pseudonymise(part, _hits(part), Pseudonymiser(KEY)).to_pylist()
        assert got == [wanted[text] for text in part.to_pylist()]


def test_a_value_without_a_free_pseudonym_is_redacted() -> None:
    texts = pa.array(["서버는 203.0.113.9"])

    class Everything(Originals):
        def contains(self, digest: bytes) -> bool:
            return len(digest) == 16

    everything = Everything(Originals.of(())._digests)
    pseudonymiser = Pseudonymiser(KEY, everything)
    got = pseudonymise(texts, _hits(texts), pseudonymiser).to_pylist()
    assert got == ["서버는 [ip]"]
    assert pseudonymiser.refused == {"ip": 1}


def test_errors_of_another_kind_are_not_swallowed() -> None:
    texts = pa.array(["홍길동"])
    hits = _hits(TEXTS).slice(0, 1)
    place = hits.schema.get_field_index("type")
    odd = hits.set_column(place, hits.schema.field(place), pa.array(["name"], hits["type"].type))
    with pytest.raises(InputError, match="unknown type 'name'"):
        pseudonymise(texts, odd, Pseudonymiser(KEY))


def test_a_line_of_very_many_hits_is_rewritten_in_pieces() -> None:
    # No clock: copying the whole line for every hit would move some 300 GB.
    line = "a@b.co " * 300_000
    starts = np.arange(300_000, dtype=np.int32) * 7
    columns = {"row": np.zeros_like(starts), "start": starts, "end": starts + 6}
    hits = pa.table(columns | {"type": ["email"] * len(starts)})
    assert redact(pa.array([line]), hits).to_pylist() == ["[email] " * 300_000]


def test_normal_forms_agree_with_what_is_detected() -> None:
    value = TEXTS[0].as_py()[4:15]
    assert normal("phone", value) == "023456789"
