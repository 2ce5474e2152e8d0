"""The examples of docstrings give what they show."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

import klue_rebuild
from klue_rebuild import texts, votes

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"


@pytest.mark.parametrize("module", [texts, votes], ids=lambda module: module.__name__)
def test_examples(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLE)
    names = {
        "pd": pd,
        "klue_rebuild": klue_rebuild,
        "texts": pd.DataFrame({"text": ["전화 주세요 010-2345-6789"]}),
        "votes": pd.DataFrame(
            {
                "item": [1, 1, 2, 2],
                "annotator": list("abab"),
                "label": ["yes", "yes", "no", "yes"],
            }
        ),
    }
    result = doctest.testmod(module, extraglobs=names)
    assert result.attempted > 2
    assert result.failed == 0
