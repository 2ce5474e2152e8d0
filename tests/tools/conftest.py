"""The fixtures of the tests of tools: small models, trained on made-up texts."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "corpus" / "toxicity"))
sys.path.append(str(Path(__file__).resolve().parents[1] / "sampling" / "tagging"))

from comments import dev_file, train_file, weights
from made_up import labelled_file, made

__all__ = ["dev_file", "labelled_file", "made", "train_file", "weights"]
