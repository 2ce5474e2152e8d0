"""Trained-up labelled texts, small enough to train on within a test."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.fingerprint import ROOT

sys.path.append(str(ROOT / "tools"))

from train_tagger import Trained, train

NAMES = ("추가람", "민노을", "한새벽", "노다솜", "강이슬", "표나래")
PLACES = ("솔마을", "물빛시", "바람골", "하늘섬")
FORMS = (
    ("{}이 {}에서 노래했다.", ("PS", "LC")),
    ("어제 {}은 {}으로 떠났다.", ("PS", "LC")),
    ("{} 씨가 {}에 산다.", ("PS", "LC")),
)


def marked(form: str, words: tuple[str, ...], labels: tuple[str, ...]) -> dict[str, Any]:
    """Return fields and gold of a form whose gaps are filled with words."""
    text, spans = "", []
    for part, word, label in zip(form.split("{}"), (*words, ""), (*labels, ""), strict=True):
        text += part
        if word:
            spans.append({"start": len(text), "end": len(text) + len(word), "label": label})
        text += word
    return {"fields": {"text": text}, "gold": spans}


def rows(n: int) -> list[dict[str, Any]]:
    """Return n items, all of them different."""
    found = []
    for i in range(n):
        form, labels = FORMS[i % len(FORMS)]
        words = (NAMES[i % len(NAMES)], PLACES[i // 2 % len(PLACES)])
        row = marked(f"{i + 1}번. {form}", words, labels)
        found.append({"item": f"ner-{i:03}", "source": ("nsmc", "wikitree")[i % 2], **row})
    return found


def write(path: Path, items: list[dict[str, Any]]) -> Path:
    """Write items as JSONL."""
    lines = [json.dumps(item, ensure_ascii=False) + "\n" for item in items]
    path.write_text("".join(lines), "utf-8")
    return path


@pytest.fixture(scope="session")
def labelled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return 60 made-up labelled texts."""
    return write(tmp_path_factory.mktemp("labelled") / "items.jsonl", rows(60))


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, labelled_file: Path) -> tuple[Path, Trained]:
    """Return the folder of a tagger trained on these, and what was made."""
    folder = tmp_path_factory.mktemp("tagger")
    return folder, train([labelled_file], folder)
