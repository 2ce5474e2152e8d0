"""Fingerprints: equal pieces keep equal windows, whatever their spacing and place."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import InputError
from pipeline.tasks.mrc.candidates.assembly import (
    SAMPLE,
    WIDTH,
    fingerprints,
    shared_fraction,
    texts,
)

LETTERS = st.text("가나다라마바사아자차카타파하0123456789", min_size=60, max_size=300)


@given(LETTERS, st.text("강물 ", max_size=40), st.integers(1, 9))
def test_a_piece_inside_keeps_its_windows(text: str, around: str, step: int) -> None:
    spaced = " ".join(text[i : i + step] for i in range(0, len(text), step)) + "!"
    inside = fingerprints(around + spaced + around)
    assert set(fingerprints(text).tolist()) <= set(inside.tolist())


@given(st.text(max_size=400))
def test_any_text_has_sorted_distinct_windows(text: str) -> None:
    found = fingerprints(text)
    assert np.all(found[1:] > found[:-1])
    assert len(found) <= max(len(text) * 20 - WIDTH + 1, 0)
    assert shared_fraction(found, found) == (1.0 if len(found) else 0.0)


def test_released_passages_share_nothing_but_repeats(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-mrc-v1.1_dev_first1350.json"
    contexts = sorted({row["context"] for row in json.loads(path.read_text("utf-8"))})
    prints = [fingerprints(context) for context in contexts]
    letters = sum(sum(c.isalnum() for c in context) for context in contexts)
    assert 0.9 < sum(map(len, prints)) * SAMPLE / letters < 1.1
    values, counts = np.unique(np.concatenate(prints), return_counts=True)
    repeated = values[counts > 1]
    shares = sorted(shared_fraction(one, repeated) for one in prints)
    assert shares[-4] > 0.95
    assert shares[-5] < 0.2


@pytest.mark.parametrize("line", ['{"text": "하나", "text": "둘"}', '{"text": ', "[" * 100_000])
def test_a_line_of_known_texts_that_is_no_json_or_has_a_key_twice(
    tmp_path: Path, line: str
) -> None:
    path = tmp_path / "known.jsonl"
    path.write_text(f'{{"text": "글", "score": NaN}}\n{line}\n', "utf-8")
    with pytest.raises(InputError, match=r"known\.jsonl:2: no JSON, or a key is there twice"):
        list(texts(path))
