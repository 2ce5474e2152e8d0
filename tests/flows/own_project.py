"""A corpus and three tasks of one's own, and votes about them, as a user would write them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import mini
import yaml
from release_stories import Built, rows

Row = dict[str, Any]
WHEN = ("어제", "지난주에", "오늘 아침", "작년 겨울", "퇴근길에", "비 오는 날")
PLACES = ("동네 도서관", "작은 카페", "제주 숙소", "학교 급식실", "수영장", "구청 민원실")
FEELINGS = {"기뻐서 웃었습니다": "good", "실망해서 나왔습니다": "bad", "그저 그랬습니다": "plain"}
LABELS = ("good", "bad", "plain")
SCORES = {"good": 9, "plain": 5, "bad": 2}
CATALOGUE = """\
version: 1
sources:
  diary:
    name: Diary
    description: Notes about places, made up
    licence: CC0-1.0
    reader: jsonl
    units: [{kind: sentence, tasks: [mood, moods, stars]}]
"""
SPEC = """\
task: {task}
version: 1.0.0
kind: {kind}
title: {{ko: 기분, en: {title}}}
instruction: {{ko: 글의 기분을 고르세요., en: Choose the mood.}}
{more}
sampling:
  quotas: {{diary: 60}}
"""
CHOICES = f"labels: [{', '.join(f'{{id: {label}, title: {label}}}' for label in LABELS)}]"
SPECS = {
    "mood": {"kind": "label", "title": "Mood", "more": CHOICES},
    "moods": {"kind": "labels", "title": "Moods", "more": CHOICES},
    "stars": {"kind": "score", "title": "Stars", "more": "scale: {low: 1, high: 10}"},
}


def write(folder: Path) -> None:
    """Write the corpus, its catalogue and the folders of the tasks."""
    texts = [
        f"{when} 가 본 {place} {number}호점에서는 {feeling}."
        for number, (when, place, feeling) in enumerate(product(WHEN, PLACES, FEELINGS))
    ]
    lines = (json.dumps({"text": text}, ensure_ascii=False) for text in texts)
    (folder / "diary.jsonl").write_text("\n".join(lines), "utf-8")
    (folder / "catalogue.yaml").write_text(CATALOGUE, "utf-8")
    for task, parts in SPECS.items():
        (folder / task).mkdir()
        (folder / task / "spec.yaml").write_text(SPEC.format(task=task, **parts), "utf-8")
        (folder / task / "guideline.en.md").write_text("# Guideline\n", "utf-8")


def build_file(folder: Path, name: str, **sections: Any) -> Path:
    """Write a build file beside the corpus; `sections` are added to it."""
    build = {
        "name": "diary",
        "seed": 3,
        "catalogue": "catalogue.yaml",
        "tasks": [f"./{task}" for task in SPECS],
        "sources": {"diary": {"inputs": [{"path": "diary.jsonl"}]}},
        "candidates": {"annotators": 4, "tool": "jsonl"},
        **sections,
    }
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(build, allow_unicode=True), "utf-8")
    return path


def release(folder: Path, version: str, *arguments: object, **settings: Any) -> Built:
    """Build a version from the votes of votes.jsonl."""
    sections = {
        "annotation": {"mode": "imported", "votes": ["votes.jsonl"]},
        "release": {"version": version, **settings},
    }
    file = build_file(folder, f"release-{version}", **sections)
    work, releases = folder / "work", folder / "releases"
    result = mini.built(
        file, work, "--until", "release", "--releases", releases, "--workers", 1, *arguments
    )
    return Built(file, work, releases, result)


def votes(folder: Path) -> Iterator[Row]:
    """Yield three votes on every candidate that was drawn, by what its text says."""
    for task in SPECS:
        for path in sorted((folder / "work" / "store" / task).glob("candidates-*/items-*.parquet")):
            for row in rows(path):
                text = json.loads(row["fields"])["text"]
                mood = next(label for words, label in FEELINGS.items() if words in text)
                for place in range(3):
                    answer = {"mood": mood, "moods": [mood], "stars": SCORES[mood] + place % 2}
                    yield {
                        "item": row["item"],
                        "annotator": f"person-{place}",
                        "label": answer[task],
                        "task": task,
                        "spec": f"{task}@1.0.0",
                        "round": "main",
                    }


def write_votes(folder: Path, cast: list[Row]) -> None:
    """Write the file of votes."""
    lines = (json.dumps(vote, ensure_ascii=False) for vote in cast)
    (folder / "votes.jsonl").write_text("\n".join(lines), "utf-8")
