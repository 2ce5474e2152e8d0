"""The trivial system of MRC: it says that no passage answers its question."""

from __future__ import annotations

from typing import Final

from pipeline.scoring.baselines import Baselines

_OWN_PASSAGE: Final = "an answer is a text of its own passage; that of another example is not in it"

BASELINES: Final = Baselines(
    {"most frequent": lambda data: ["" for _ in data.test]},
    dict.fromkeys(("random", "nearest"), _OWN_PASSAGE),
)
