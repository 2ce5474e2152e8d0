"""A build after changes reads what is new alone, with the bytes of a build from scratch."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Final

import mini
import pytest

from flows.engine.run import run_here
from flows.plan.corpus import CorpusPlan, plan_corpus
from pipeline.core.pool import Workers
from pipeline.core.stage import Call

#: Settings that a build file may get, each of another stage.
SETTINGS: Final = (
    "",
    "cleaning: {without: [noise.hashtag@1]}\n",
    "cleaning: {max_foreign: 3}\n",
    "cleaning: {repeated_spans: {length: 10, documents: 2}}\n",
    "personal_data: {profile: klue, drop: [phone]}\n",
    "toxicity: {thresholds: {nsmc: {gender_bias: 0.2, hate: 0.3}}}\n",
    "duplicates: {threshold: 0.5}\n",
)


class Raw:
    """The raw files of a source of listed files and of a folder, changed step by step."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.draw, self.setting = folder, random.Random(seed), ""
        self.listed: list[str] = []
        (folder / "raw" / "nsmc").mkdir(parents=True)
        for _ in range(3):
            self.add_listed()
            self.add_movie()

    def add_listed(self) -> None:
        name = f"raw/heads-{self.draw.getrandbits(32)}.jsonl"
        self._write_heads(name)
        self.listed.insert(self.draw.randint(0, len(self.listed)), name)

    def add_movie(self) -> None:
        movie = self.draw.getrandbits(24)
        reviews = [
            {"review_id": f"{movie}{n}", "review": self._text(), "date": "14.05.06"}
            | {"rating": "8", "author": "gild****", "movie_id": f"{movie}"}
            for n in range(self.draw.randint(1, 8))
        ]
        path = self.folder / "raw" / "nsmc" / f"{movie}.json"
        path.write_text(json.dumps(reviews, ensure_ascii=False), "utf-8")

    def remove_listed(self) -> None:
        if len(self.listed) > 1:
            self.listed.remove(self.draw.choice(self.listed))

    def remove_movie(self) -> None:
        movies = sorted((self.folder / "raw" / "nsmc").iterdir())
        if len(movies) > 1:
            self.draw.choice(movies).unlink()

    def change_listed(self) -> None:
        self._write_heads(self.draw.choice(self.listed))

    def change_setting(self) -> None:
        self.setting = self.draw.choice(SETTINGS)

    def plan(self, work: str) -> CorpusPlan:
        inputs = "".join(f"      - path: {name}\n" for name in self.listed)
        build = self.folder / "build.yaml"
        build.write_text(
            f"name: steps\nseed: 1\ncatalogue: {mini.ROOT}/data/catalogue.yaml\n{self.setting}"
            "sources:\n  nsmc:\n    inputs:\n      - path: raw/nsmc\n"
            f"  yna:\n    inputs:\n{inputs}",
            "utf-8",
        )
        return plan_corpus(build, self.folder / work)

    def _write_heads(self, name: str) -> None:
        heads = [
            {"title": self._text(), "date": "2018.09.21.", "section": "사회"}
            | {"url": f"https://news.example.org/?aid={self.draw.randint(1, 60)}"}
            for _ in range(self.draw.randint(1, 12))
        ]
        lines = (json.dumps(head, ensure_ascii=False) for head in heads)
        (self.folder / name).write_text("\n".join(lines), "utf-8")

    def _text(self) -> str:
        words = (
            "영화",
            "정말 좋았다.",
            "#강추",
            "결말이 아쉽다!!",
            "010-1234-5678",
            "배우",
            "음악",
        )
        return " ".join(self.draw.choice(words) for _ in range(self.draw.randint(2, 9)))


def _run(plan: CorpusPlan) -> None:
    with Workers(1):
        run_here(plan.calls)


def _contents(calls: list[Call]) -> dict[str, bytes]:
    """Return the bytes of all files of calls, manifests among them."""
    return {
        f"{call.source}/{path.relative_to(call.folder.parent)}": path.read_bytes()
        for call in calls
        for path in call.folder.iterdir()
    }


def _shared(call: Call) -> set[str]:
    """Return the main tables of a call that an earlier one has too."""
    return {path.name for path in call.folder.glob("*.parquet") if path.stat().st_nlink > 1}


@pytest.mark.parametrize(
    ("seed", "times"),
    [(0, 2), *(pytest.param(seed, 5, marks=pytest.mark.full) for seed in range(9))],
)
def test_any_history_gives_the_bytes_of_a_build_from_scratch(
    tmp_path: Path, seed: int, times: int
) -> None:
    raw = Raw(tmp_path, seed)
    _run(raw.plan("work"))
    steps = (
        *(raw.add_listed, raw.add_movie, raw.remove_listed, raw.remove_movie),
        *(raw.change_listed, raw.change_setting),
    )
    for number in range(times):
        for _ in range(raw.draw.randint(1, 2)):
            raw.draw.choice(steps)()
        changed, scratch = raw.plan("work"), raw.plan(f"scratch-{number}")
        _run(changed)
        _run(scratch)
        fingerprints = [[call.fingerprint for call in plan.calls] for plan in (changed, scratch)]
        assert fingerprints[0] == fingerprints[1]
        assert _contents(changed.calls) == _contents(scratch.calls)


def test_a_file_at_the_end_of_a_source_is_read_cut_and_cleaned_alone(tmp_path: Path) -> None:
    raw = Raw(tmp_path, 7)
    _run(raw.plan("work"))
    raw._write_heads("raw/new.jsonl")
    raw.listed.append("raw/new.jsonl")
    plan = raw.plan("work")
    _run(plan)
    (chain,) = (chain for chain in plan.chains if chain.source == "yna")
    for call in chain.calls:
        tables = {path.name for path in call.folder.glob("*.parquet")}
        assert {name for name in tables if name.endswith("-00003.parquet")} == (
            tables - _shared(call)
        ), call.stage


def test_a_rule_that_changes_no_unit_runs_its_stage_alone(tmp_path: Path) -> None:
    raw = Raw(tmp_path, 8)
    _run(raw.plan("work"))
    raw.setting = "cleaning: {without: [noise.html@1]}\n"
    plan = raw.plan("work")
    again = {call.stage for call in plan.calls if not call.done}
    assert again == {"clean", "pii", "score", "toxicity", "sign", "dedup"}
    _run(plan)
    for call in (call for chain in plan.chains for call in chain.calls if call.stage in again):
        tables = {path.name for path in call.folder.glob("*.parquet")}
        assert _shared(call) == (set() if call.stage == "clean" else tables), call.stage


def test_the_dry_run_says_how_many_inputs_stay(tmp_path: Path) -> None:
    raw = Raw(tmp_path, 9)
    _run(raw.plan("work"))
    raw.listed.append("raw/new.jsonl")
    raw._write_heads("raw/new.jsonl")
    raw.plan("work")
    words = ("build", tmp_path / "build.yaml", "--work", tmp_path / "work", "--dry-run", "--json")
    stages = json.loads(mini.klue(*words).stdout)["stages"]
    told = {row["stage"]: row["why"] for row in stages if row["source"] in ("yna", "all")}
    assert told["read"] == "changed: inputs, settings; 3 of 4 inputs are as they were"
    assert told["segment"] == "changed: inputs; shards that read the same are taken over"
    assert told["dedup"] == "changed: inputs"


@pytest.mark.full
def test_a_build_with_history_is_a_build_from_scratch(tmp_path: Path) -> None:
    """The same through the command line, on two workers."""
    build = mini.write(tmp_path)
    mini.built(build, tmp_path / "work", "--workers", 2)
    movie = tmp_path / "raw" / "nsmc" / "3.json"
    movie.with_name("31.json").write_text(
        movie.read_text("utf-8").replace('"3', '"31').replace("연기", "연출"), "utf-8"
    )
    again = mini.built(build, tmp_path / "work", "--workers", 2)
    scratch = mini.built(build, tmp_path / "scratch", "--workers", 2)
    assert again["fingerprint"] == scratch["fingerprint"]
    assert again["funnel"] == scratch["funnel"]
    here, there = (mini.contents(tmp_path / name) for name in ("work", "scratch"))
    assert there.items() <= here.items()
    assert os.listdir(tmp_path / "work" / "builds") == ["mini.corpus.json"]  # noqa: PTH208
