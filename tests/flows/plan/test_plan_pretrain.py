"""A pretraining corpus is refused before a stage runs, with the place in the build file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.plan import pretrain
from flows.plan.pretrain import PretrainPlan, plan_pretraining
from pipeline.core.errors import FatalError, InputError, SpecError
from pipeline.core.fingerprint import ROOT
from pipeline.core.io import batch
from pipeline.pii.kinds import TYPES

BUILD = """\
name: own
seed: 1
catalogue: {root}/data/catalogue.yaml
sources:
  cc100:
    inputs:
      - path: {file}
        reader: {reader}
{more}
"""
Plan = Callable[..., PretrainPlan]
MORE = "personal_data: {{key_file: key}}\npretraining: {{against: [{against}]}}"


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """Return a function that plans a build of one file; `more` are the other sections."""
    (tmp_path / "key").write_text("0123456789abcdef0123456789abcdef\n", "utf-8")
    (tmp_path / "bench.txt").write_text("이 문장은 시험에 나오는 문장입니다.\n", "utf-8")

    def run(
        data: bytes = "글이다.\n".encode(),
        *,
        name: str = "raw.txt",
        reader: str = "paragraphs",
        against: str = "bench.txt",
        more: str = MORE,
    ) -> PretrainPlan:
        (tmp_path / name).write_bytes(data)
        sections = more.format(against=against)
        build = BUILD.format(root=ROOT, file=name, reader=reader, more=sections)
        (tmp_path / "build.yaml").write_text(build, "utf-8")
        return plan_pretraining(tmp_path / "build.yaml", tmp_path / "work")

    return run


def _stages(work: Path) -> list[Path]:
    return list((work / "store").rglob("*")) if (work / "store").exists() else []


def test_the_five_corpora_are_known_beside_a_catalogue(plan: Plan) -> None:
    (chain,) = plan().corpus.chains
    stages = [call.stage for call in chain.calls]
    assert stages == [
        *("read", "select", "segment", "clean", "length", "decontaminate", "pii", "sign"),
    ]
    assert chain.policy.pseudonymise == tuple(sorted(TYPES))
    assert chain.policy.drop == ()
    assert chain.segment.params["kinds"] == ["sentence"]
    assert chain.screens[0].params == {"shortest": 200}


@pytest.mark.parametrize(
    ("data", "name", "reader", "message"),
    [
        (b"", "raw.txt", "paragraphs", "is empty"),
        ("글이다.\n\n글이다".encode()[:-1], "raw.txt", "paragraphs", "ends within a character"),
        ("글이다.\n글이다".encode()[:-1], "raw.txt", "text", "ends within a character"),
        (b'[{"title": "a", "text": "b"}', "raw.json", "namuwiki", "cut off"),
        (b'{"document": [{"id": "1"', "raw.json", "modu", "cut off"),
        (b"x\n" + b"a" * 2000, "raw.txt", "paragraphs", r"raw.txt:2: the line is longer than"),
    ],
    ids=("empty", "cut", "cut line", "cut dump", "cut list", "giant line"),
)
def test_files_that_are_not_whole_are_refused(
    plan: Plan,
    data: bytes,
    name: str,
    reader: str,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(batch, "LIMIT", 1000)
    with pytest.raises(InputError, match=message) as caught:
        plan(data, name=name, reader=reader)
    assert "sources.cc100.inputs.0" in str(caught.value)
    assert _stages(tmp_path / "work") == []


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("", "pretraining: is missing"),
        ("pretraining: {{against: [{against}]}}", "personal_data.key_file: is missing"),
        ("pretraining: {{against: []}}", "pretraining.against"),
        (MORE.replace("]}}", "], shards: 3}}"), "pretraining.shards: unknown key; allowed here"),
        (MORE.replace("]}}", "], shard_bytes: 10}}"), "pretraining.shard_bytes"),
        (
            f"{MORE}\ntoxicity: {{{{thresholds: {{{{cc100: flag}}}}}}}}",
            "toxicity.thresholds: a pretraining corpus keeps toxic text",
        ),
    ],
)
def test_faults_of_the_build_file_name_their_key(plan: Plan, more: str, message: str) -> None:
    with pytest.raises(SpecError, match=r"build\.yaml") as caught:
        plan(more=more)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("against", "message"),
    [("nowhere", "pretraining.against.0"), ("broken", "does not verify")],
)
def test_a_benchmark_has_to_be_there_and_sound(
    plan: Plan,
    against: str,
    message: str,
    tmp_path: Path,
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "manifest.json").write_text(json.dumps({"format": 1}), "utf-8")
    with pytest.raises(FatalError, match=message):
        plan(against=against)
    assert _stages(tmp_path / "work") == []


def test_a_benchmark_is_read_once(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    guarded = plan().guarded
    monkeypatch.setattr(pretrain, "guarded_texts", None)
    assert plan().guarded == guarded
