"""JSON lines are read by blocks as they are read singly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.io import (
    Quarantined,
    Source,
    batch,
    guess_source,
    jsonl,
    read_batches,
    streams,
)
from pipeline.core.io.jsonl import JsonLines

SEEDS = [
    b'{"text":"a","x":[1,{"y":null}]}',
    b'{"x":-1.5e3,"text":"\\ud83d\\ude00\\n"}',
    b'{"text":"a","x":"b","z":true}',
    b'{"text":"a","z":1,"z":2}',
    b'{"text":"a","z":{"y":1,"y" :2}}',
    b'{"text":"a \\":","z":null}',
    b"{}",
]
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
            json.loads(line, object_pairs_hook=_once)
            assert json.loads(jsonl.dump(line, {"text": "new"}))["text"] == "new"


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    assert len({key for key, _ in pairs}) == len(pairs), "a key is there twice"
    return dict(pairs)


#: Rows of a file, the text of each between; `REGULAR` is read by its first line, the others not.
REGULAR = '{"id":%d,"text":"글","stars":null,"at":"2020-01-02","old":false}\n'
NESTED = '{"id":%d,"text":"글","labels":{"a":[{"b":1},{"b":2}]}}\n'
SPARSE = '{"text":"글","id%d":1}\n'


@pytest.mark.parametrize("row", [REGULAR, NESTED, SPARSE])
@pytest.mark.parametrize(
    "bad",
    [
        '"n":1,"n":1',
        '"n":{"m":1,"m":2}',
        '"n":[{"m":null,"m":2}]',
        '"text":"둘"',
        '"n":1,"\\u006e":2',
    ],
)
def test_a_key_given_twice_is_quarantined_with_its_line(tmp_path: Path, row: str, bad: str) -> None:
    rows = [row % number for number in range(300)]
    (tmp_path / "a.jsonl").write_text(
        "".join([*rows, f'{{"text":"하나",{bad}}}\n', *rows]), "utf-8"
    )
    faults: list[Quarantined] = []
    batches = list(read_batches(guess_source(tmp_path / "a.jsonl"), quarantine=faults.append))
    assert [(fault.line, fault.rule) for fault in faults] == [(301, "file.malformed@1")]
    assert faults[0].reason == "has a key more than once"
    assert sum(map(len, batches)) == 600


@pytest.mark.parametrize("row", [REGULAR, NESTED, SPARSE])
def test_good_rows_are_read_as_a_block(row: str) -> None:
    data = "".join(row % number for number in range(300)).encode()
    form = JsonLines(Source(Path("a.jsonl"), "jsonl"), [])
    assert form.block(data, batch.line_ends(data)) is not None


def test_a_word_within_a_text_is_no_number() -> None:
    def is_block(text: str) -> bool:
        data = f'{{"text":"a"}}\n{{"text":{text}}}\n'.encode()
        return JsonLines(source, []).block(data, batch.line_ends(data)) is not None

    source = Source(Path("a.jsonl"), "jsonl")
    assert is_block('"Melancholy and Infinite Sadness of NaNa"')
    assert not is_block('"a","x": -Infinity')
    assert not is_block('"a","x":[1,NaN]')
    assert not is_block('"a","x":' + " " * 200 + "NaN")
