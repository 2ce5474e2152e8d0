"""Documents stay whole, files keep their size, and text says what data says."""

from __future__ import annotations

from itertools import chain

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.release.pretraining.parts import ROWS, cut_parts, one_line, statistics, text_of

DOCUMENTS = st.lists(
    st.lists(st.text("가나다 ab", min_size=1, max_size=9), min_size=1, max_size=5), max_size=20
)


def _table(documents: list[list[str]], first: int = 0) -> pa.Table:
    rows = [
        {"id": f"s{number}.{n}", "document_id": f"d{number}", "source": "x", "text": text}
        | {"cluster": f"s{number}.{n}"}
        for number, texts in enumerate(documents, first)
        for n, text in enumerate(texts)
    ]
    return pa.Table.from_pylist(rows, schema=ROWS)


@given(DOCUMENTS, DOCUMENTS, st.integers(1, 200))
def test_files_hold_whole_documents_in_order(
    left: list[list[str]], right: list[list[str]], limit: int
) -> None:
    parts = list(cut_parts([_table(left), _table(right, len(left))], limit))
    whole = pa.concat_tables([_table(left), _table(right, len(left))])
    assert pa.concat_tables([whole.slice(0, 0), *parts]).equals(whole)
    texts = [text_of(part) for part in parts]
    documents = [text.removesuffix("\n").split("\n\n") for text in texts]
    assert list(chain.from_iterable(documents)) == ["\n".join(texts) for texts in left + right]
    for text, of_file in zip(texts, documents, strict=True):
        assert len(text.encode()) <= limit or len(of_file) == 1
    for text, following in zip(texts, documents[1:], strict=False):
        assert len(f"{text}\n{following[0]}\n".encode()) > limit


def test_statistics_count_as_table_28_does() -> None:
    counts = statistics(_table([["가 나", "다"], ["a b c"]]))
    assert (counts.documents, counts.sentences, counts.words) == (2, 3, 6)
    assert (counts.characters, counts.bytes) == (9, len("가 나\n다\na b c\n".encode()))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\u2028", "\u0085", "\x0c\x0b"])
def test_a_sentence_is_one_line_for_every_reader(end: str) -> None:
    (text,) = one_line(pa.chunked_array([[f"가{end}나"]])).to_pylist()
    assert text == "가 나"
