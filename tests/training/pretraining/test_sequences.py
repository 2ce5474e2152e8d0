"""Sequences as arrays, against a slow way of making them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_text import job

from pipeline.training.pretraining.corpus import Corpus, prepare, read_corpus
from pipeline.training.pretraining.packing import NO_LABEL
from pipeline.training.pretraining.sequences import Sequences, attended
from pipeline.training.pretraining.shards import sentences

KINDS = {
    "packed": {},
    "blocks": {"packing": "blocks"},
    "pairs": {"architecture": "bert", "next_sentence": True},
}


def corpus(folder: Path, **changed: Any) -> Corpus:
    made = job(folder / "run", **changed)
    prepare(made, folder / "data", "x", documents=True, stop=lambda: False)
    return read_corpus(made, folder / "data")


def slow(sequences: Sequences, number: int) -> dict[str, list[int]]:
    """Return the tokens of one sequence and what goes with them, one token at a time."""
    start, end, next_start, next_end, label, _ = sequences.rows[number].tolist()
    text, special = sequences.text, sequences.special
    breaks = set(text.breaks.tolist())
    ids, types, blocks = [special.begin], [0], [1]
    for at in range(start, end):
        if at in breaks and at != start:
            ids.append(special.end), types.append(0), blocks.append(blocks[-1])
            if sequences.blocks:
                ids.append(special.begin), types.append(0), blocks.append(blocks[-1] + 1)
        ids.append(int(text.tokens[at])), types.append(0), blocks.append(blocks[-1])
    ids.append(special.end), types.append(0), blocks.append(blocks[-1])
    if label != NO_LABEL:
        ids += [*text.tokens[next_start:next_end].tolist(), special.end]
        types += [1] * (next_end - next_start + 1)
    positions = [sum(b == blocks[i] for b in blocks[:i]) for i in range(len(blocks))]
    return {"ids": ids, "types": types, "blocks": blocks, "positions": positions}


@pytest.mark.parametrize("multiple", [1, 13])
@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_is_what_its_sequences_are(tmp_path: Path, kind: str, multiple: int) -> None:
    made = corpus(tmp_path, **KINDS[kind]).train
    rows = np.arange(len(made))
    batch = made.batch(rows, multiple=multiple)
    assert batch.ids.shape[1] % multiple == 0
    assert batch.ids.shape[1] - made.lengths.max() < multiple
    for number in rows:
        expected, size = slow(made, number), int(made.lengths[number])
        assert batch.ids[number, :size].tolist() == expected["ids"]
        assert (batch.ids[number, size:] == made.special.pad).all()
        assert batch.types[number, :size].tolist() == expected["types"]
        if batch.blocks is not None and batch.positions is not None:
            assert batch.blocks[number, :size].tolist() == expected["blocks"]
            assert batch.positions[number, :size].tolist() == expected["positions"]
            assert not batch.blocks[number, size:].any()
        ids = np.array(expected["ids"])
        is_text = ~np.isin(ids, made.special)
        assert (batch.free[number, :size] == is_text).all()
    assert (batch.words <= batch.free).all()
    assert (attended(batch) > 0).all()


def test_the_words_of_a_text_are_in_its_sequences(tmp_path: Path) -> None:
    made = corpus(tmp_path, held_out=0.0)
    counts = made.record["counts"]["train"]
    files = [tmp_path / "text" / "part-00000.txt"]
    lines = list(sentences(files, documents=True))
    assert counts["sentences"] == len(lines)
    assert counts["documents"] == sum(begins for begins, _ in lines)
    assert counts["words"] == sum(len(text.split()) for _, text in lines)
    batch = made.train.batch(np.arange(len(made.train)))
    assert int(batch.free.sum()) == counts["tokens"]
    assert int(batch.words.sum()) == counts["words"]


def test_long_sentences_are_cut_at_words(tmp_path: Path) -> None:
    made = corpus(tmp_path, max_length=8, held_out=0.0)
    counts = made.record["counts"]["train"]
    assert counts["cut"] > 0
    assert int(made.train.lengths.max()) <= 8
    batch = made.train.batch(np.arange(len(made.train)))
    assert int(batch.free.sum()) == counts["tokens"]


def test_held_out_documents_are_nowhere_else(tmp_path: Path) -> None:
    made = corpus(tmp_path, held_out=0.3)
    parts = made.record["counts"]
    assert parts["held_out"]["documents"] > 0
    assert parts["held_out"]["documents"] + parts["train"]["documents"] == 150
