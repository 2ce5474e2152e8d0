"""The cheap gate in front of the exact patterns: which texts can hold a hit, and of which rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline.pii.rules.rule import Rule


def passing(texts: pa.Array, rules: Sequence[Rule]) -> Iterator[tuple[int, str, list[Rule]]]:
    """Yield the row and the text of what passes at least one gate, and the rules that it passes.

    One union of all gates runs over every text, the single gates over the survivors only; RE2 takes
    linear time. A text that does not pass holds no hit: a test shows it on random text.
    """
    if not rules:
        return
    union = pc.match_substring_regex(texts, _union(tuple(rule.gate for rule in rules)))
    rows = pc.indices_nonzero(union)
    few = texts.take(rows)
    gates = sorted({gate for rule in rules for gate in (rule.gate, rule.front) if gate})
    keys = np.zeros(len(few), dtype=np.int64)
    for n, gate in enumerate(gates):
        keys |= _matches(few, gate).astype(np.int64) << n
    chosen = {key: _passed(key, gates, rules) for key in set(keys.tolist())}
    for row, text, key in zip(rows.to_pylist(), few.to_pylist(), keys.tolist(), strict=True):
        yield row, text, chosen[key]


def _passed(key: int, gates: list[str], rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules whose gates are among those of the bits of `key`."""
    passed = {"", *(gate for n, gate in enumerate(gates) if key >> n & 1)}
    return [rule for rule in rules if rule.gate in passed and rule.front in passed]


def _matches(texts: pa.Array, gate: str) -> NDArray[np.bool_]:
    return np.asarray(pc.match_substring_regex(texts, gate).to_numpy(zero_copy_only=False))


@lru_cache(maxsize=64)
def _union(gates: tuple[str, ...]) -> str:
    return "|".join(f"(?:{gate})" for gate in sorted(set(gates)))
