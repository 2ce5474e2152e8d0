"""Samples of scores that are shown, kept in the private folder of a board; they can be made again.

A file is written whole or not at all, and one that is damaged counts as absent. Of many the oldest
are removed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from pipeline.core.files import replacing
from pipeline.scoring.measure import Floats

#: So many samples are kept, each of a few dozen KiB; when there are more, this share of them goes.
MOST: Final = 5_000
_REMOVED: Final = 0.2
_ENDING: Final = ".npz"


@dataclass(frozen=True)
class Sampled:
    """Scores by metric (None with a reason), and the numbers of the draws of those that have one.

    `examples` is how many they are over.
    """

    examples: int
    scores: Mapping[str, float | None]
    reasons: Mapping[str, str]
    draws: Mapping[str, Floats]


class DrawCache:
    """Samples in a folder, by name."""

    def __init__(self, folder: Path, *, most: int = MOST) -> None:
        self._folder, self._most = folder, most

    def load(self, name: str) -> Sampled | None:
        """Return a sample; None for one that is not there, or damaged."""
        path = self._path(name)
        try:
            with np.load(path, allow_pickle=False) as arrays:
                head = json.loads(str(arrays["head"]))
                metrics = head.pop("metrics")
                draws = dict(zip(metrics, arrays["draws"], strict=True))
                return Sampled(**head, draws=draws)
        except FileNotFoundError:
            return None
        except Exception:
            path.unlink(missing_ok=True)
            return None

    def keep(self, name: str, sampled: Sampled) -> None:
        """Keep a sample."""
        head = {
            "examples": sampled.examples,
            "scores": dict(sampled.scores),
            "reasons": dict(sampled.reasons),
            "metrics": list(sampled.draws),
        }
        draws = np.stack([*sampled.draws.values()]) if sampled.draws else np.zeros((0, 0))
        with replacing(self._path(name)) as temporary, temporary.open("wb") as stream:
            np.savez(stream, head=np.array(json.dumps(head)), draws=draws)
            stream.flush()
            os.fsync(stream.fileno())
        self._tidy()

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{_ENDING}"

    def _tidy(self) -> None:
        kept = list(self._folder.glob(f"*{_ENDING}"))
        if len(kept) > self._most:
            kept.sort(key=lambda path: path.stat().st_mtime)
            for path in kept[: max(1, int(_REMOVED * len(kept)))]:
                path.unlink(missing_ok=True)
