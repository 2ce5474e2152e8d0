"""JSON lines are read by blocks as they are read singly."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.io import Source, batch, jsonl, streams
from pipeline.core.io.jsonl import JsonLines

SEEDS = [b'{"text":"a","x":[1,{"y":null}]}', b'{"x":-1.5e3,"text":"\\ud83d\\ude00\\n"}', b"{}"]
MARKS = [*b'{}[]":,\\ \t\r\n\0\xff\xed0.-eE', *b"NaN", *b"Inf", *b"text"]


@st.composite
def _near_json(draw: st.DrawFn) -> bytes:
    line = bytearray(b"\n".join(draw(st.lists(st.sampled_from(SEEDS), min_size=1, max_size=3))))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(line)))
        length = draw(st.integers(0, 2))
        line[place : place + length] = draw(st.lists(st.sampled_from(MARKS), max_size=2))
    return bytes(line)


@given(data=_near_json())
def test_blocks_are_read_as_their_lines_are(data: bytes) -> None:
    form = JsonLines(Source(Path("a.jsonl"), "jsonl"), ["x"])
    columns = form.block(data, batch.line_ends(data)) if data else None
    if columns is not None:
        lines = [streams.without_end(line) for line in streams.split_lines(data)]
        texts, others = zip(*(form.line(line) for line in lines), strict=True)
        assert columns[0].to_pylist() == list(texts)
        assert columns[1].to_pylist() == list(others)
        for line in lines:
            assert json.loads(jsonl.dump(line, {"text": "new"}))["text"] == "new"


def test_a_word_within_a_text_is_no_number() -> None:
    def is_block(text: str) -> bool:
        data = f'{{"text":"a"}}\n{{"text":{text}}}\n'.encode()
        return JsonLines(source, []).block(data, batch.line_ends(data)) is not None

    source = Source(Path("a.jsonl"), "jsonl")
    assert is_block('"Melancholy and Infinite Sadness of NaNa"')
    assert not is_block('"a","x": -Infinity')
    assert not is_block('"a","x":[1,NaN]')
    assert not is_block('"a","x":' + " " * 200 + "NaN")
