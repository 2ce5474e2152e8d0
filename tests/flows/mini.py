"""A corpus of three small sources, and the command line run on it as a user would."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import commandline

ROOT = Path(__file__).resolve().parents[2]

BUILD = """\
name: mini
seed: 1
catalogue: {root}/data/catalogue.yaml
sources:
  nsmc:
    inputs:
      - path: raw/nsmc
  parakqc:
    inputs:
      - path: raw/kqc.txt
  yna:
    inputs:
      - path: raw/heads.jsonl
"""
REVIEWS = [
    "배우들의 연기가 정말 좋았어요. 다만 결말이 조금 아쉽네요.",
    "처음부터 끝까지 긴장을 놓을 수 없었다!! #강추 꼭 보세요",
    "the best movie ever",
    "음악이   참 좋다",
    "감독의 전작보다 못하다",
]


def write(folder: Path, movies: int = 6) -> Path:
    """Write the raw files and the build file; returns the build file."""
    raw = folder / "raw"
    (raw / "nsmc").mkdir(parents=True)
    for movie in range(movies):
        reviews = [
            {
                "review": f"{text} {movie}" + ("" if text.isascii() else "번째로 본 영화"),
                "date": "14.05.06",
                "rating": "8",
                "author": "gild****",
                "review_id": f"{movie}{n}",
                "movie_id": f"{movie}",
            }
            for n, text in enumerate(REVIEWS)
        ]
        reviews.append({**reviews[0], "review_id": "00"})
        text = json.dumps(reviews, ensure_ascii=False)
        (raw / "nsmc" / f"{movie}.json").write_text(text, "utf-8")
    (raw / "nsmc" / "broken.json").write_text('[{"review": "', "utf-8")
    lines = [f"{n // 20 % 4}\t{n % 4}\t거실 불을 {n}번 켜 줄래?" for n in range(40)]
    (raw / "kqc.txt").write_bytes("\r\n".join(lines).encode())
    heads = [
        {
            "title": f"가람시 {n}번 버스 노선 새로 연다…시민 불편 줄 듯",
            "date": f"201{n % 10}.09.21. 오후 5:09",
            "section": "사회",
            "url": f"https://news.example.org/?aid={n}",
        }
        for n in range(30)
    ]
    text = "\n".join(json.dumps(head, ensure_ascii=False) for head in heads)
    (raw / "heads.jsonl").write_text(text, "utf-8")
    build = folder / "mini.yaml"
    build.write_text(BUILD.format(root=ROOT), "utf-8")
    return build


def klue(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return commandline.run(command(*arguments)[3:], **environment)


def command(*arguments: object) -> list[str]:
    """Return the words of a command line; a build ends at the corpus unless it says until when."""
    words = [*map(str, arguments)]
    if words[:1] == ["build"] and "--until" not in words:
        words += ["--until", "corpus"]
    return [sys.executable, "-m", "flows.cli", *words]


def built(build: Path, work: Path, *arguments: object, **environment: str) -> dict[str, Any]:
    """Build and return what ``--json`` printed."""
    done = klue("build", build, "--work", work, "--json", *arguments, **environment)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def contents(work: Path) -> dict[str, bytes]:
    """Return the bytes of everything in the store, by name."""
    store = work / "store"
    return {
        p.relative_to(store).as_posix(): p.read_bytes() for p in store.rglob("*") if p.is_file()
    }
