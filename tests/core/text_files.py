"""Shared by the tests of core/io: files written, read to the end, and written again."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
from hypothesis import strategies as st

from pipeline.core.io import Batch, Quarantined, Source, guess_source, open_writer, read_batches

SECRET = "비밀전화"
TEXTS = ["안녕하세요", "", "이모지 😀 \u2028 줄", 'he said "hi", \\ back', "탭\t끝", " 앞뒤 "]

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
LINE = TEXT.map(lambda t: t.replace("\n", " "))


def read(
    source: Source, columns: tuple[str, ...] = (), *, whole: bool = False
) -> tuple[list[Batch], list[Quarantined]]:
    bad: list[Quarantined] = []
    good = list(read_batches(source, quarantine=bad.append, columns=columns, whole=whole))
    rows = sorted([r for b in good for r in b.rows.to_pylist()] + [q.row for q in bad])
    assert rows == list(range(len(rows))), "a row is lost or there twice"
    return good, bad


def texts_of(source: Source) -> list[str]:
    return [t for b in read(source)[0] for t in b.texts.to_pylist()]


def faults(source: Source) -> list[tuple[int, int, str]]:
    return [(q.row, q.line, q.rule) for q in read(source)[1]]


def write(folder: Path, name: str, data: bytes) -> Source:
    path = folder / name
    path.write_bytes(data)
    return guess_source(path)


def rewrite(source: Source, out: Path, change: dict[str, str] | None = None) -> bytes:
    with open_writer(source, out, force=True) as writer:
        for part in read(source, whole=True)[0]:
            texts = [(change or {}).get(t, t) for t in part.texts.to_pylist()]
            writer.write(part, pa.array(texts, pa.string()))
    return out.read_bytes()


def as_jsonl(*records: object) -> bytes:
    return b"".join(json.dumps(r, ensure_ascii=False).encode() + b"\n" for r in records)
