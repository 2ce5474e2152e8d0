"""The facts of an invented release of all eight tasks, and its files."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.release.manifest import Entry, Files
from pipeline.release.material import Facts, RawFile, SourceFacts, TaskFacts
from pipeline.release.tables import COLUMNS

#: id, licence, kind of basis, style, risk
_SOURCES = (
    ("yna", "none", "not_protected", "formal", "low"),
    ("wikipedia", "CC-BY-SA-3.0", "licence", "formal", "low"),
    ("wikitree", "CC-BY-SA-2.0", "licence", "formal", "medium"),
    ("policy", "KOGL-1", "licence", "formal", "low"),
    ("parakqc", "CC-BY-SA-4.0", "licence", "colloquial", "low"),
    ("airbnb", "CC0-1.0", "licence", "colloquial", "medium"),
    ("ked", "CC-BY-SA-4.0", "contract", "formal", "low"),
)
_OF = {
    "tc": ("yna",),
    "sts": ("parakqc", "airbnb", "policy"),
    "nli": ("wikipedia", "airbnb"),
    "ner": ("wikitree",),
    "re": ("wikipedia", "policy"),
    "dp": ("airbnb", "wikitree"),
    "mrc": ("ked", "wikipedia"),
    "dst": ("written",),
}
_SPLITS = ("train", "validation", "test")
#: An invented row of each config, whole.
ROWS: dict[str, dict[str, Any]] = {
    "tc": {"title": "바다마을 등대 백 돌", "label": "사회", "date": "2020-03-01"},
    "sts": {
        "sentence1": "불을 꺼 줘.",
        "sentence2": "불 좀 꺼 줄래?",
        "labels": {"label": 4.3, "real-label": 4.29, "binary-label": 1},
    },
    "nli": {"premise": "방이 넓다.", "hypothesis": "방이 좁다.", "label": "contradiction"},
    "ner": {
        "sentence": "달래 옴",
        "tokens": ["달", "래", " ", "옴"],
        "ner_tags": ["B-PS", "I-PS", "O", "O"],
    },
    "re": {
        "sentence": "달래는 들꽃사 대표다.",
        "subject_entity": {"word": "달래", "start_idx": 0, "end_idx": 1, "type": "PER"},
        "object_entity": {"word": "대표", "start_idx": 8, "end_idx": 9, "type": "POH"},
        "label": "per:title",
    },
    "dp": {
        "sentence": "달래가 왔다",
        "index": [1, 2],
        "word_form": ["달래가", "왔다"],
        "lemma": ["달래 가", "오 았 다"],
        "pos": ["NNP+JKS", "VV+EP+EF"],
        "head": [2, 0],
        "deprel": ["NP_SBJ", "VP"],
    },
    "mrc": {
        "title": "등대",
        "context": "등대는 1901년에 섰다.",
        "is_impossible": False,
        "question_type": 1,
        "question": "등대는 언제 섰나?",
        "answers": {"answer_start": [4], "text": ["1901년"]},
        "plausible_answers": {"answer_start": [], "text": []},
    },
    "dst": {
        "domains": ["숙소"],
        "dialogue": [
            {"role": "user", "text": "동쪽 숙소요.", "state": ["숙소-지역-동쪽"]},
            {"role": "sys", "text": "몇 명인가요?", "state": []},
        ],
    },
}


def source(name: str, licence: str, kind: str = "licence", **given: Any) -> SourceFacts:
    """Return an invented source."""
    basis = {
        "kind": kind,
        "derivatives": True,
        "redistribution": True,
        "commercial": True,
        "note": "an agreement | with `signs` <b>" if kind == "contract" else None,
        "act": None,
        "article": None,
        "attribution": f"The people of {name} (https://{name}.example/a_b)",
        **given.pop("basis", {}),
    }
    made = SourceFacts(
        id=name,
        name=name.title(),
        description=f"Texts of {name}.",
        licence=licence,
        basis=basis,
        domain="News",
        style="formal",
        ethical_risk="low",
        volume="small",
        contemporary=True,
        address=f"https://{name}.example/",
        timeframe="2016-01-01 to 2020-12-31",
        snapshot=None,
        tasks=(),
        inputs=(RawFile(file=f"{name}.jsonl", sha256="ab" * 32),),
        counts={"records": 1200, "documents": 1100, "units": 5000, "kept": 4321},
    )
    return replace(made, **given)


def task(name: str, sources: tuple[str, ...] | None = None, **given: Any) -> TaskFacts:
    """Return an invented task of 1,500 examples."""
    made = TaskFacts(
        id=name,
        config=TASKS[name].config,
        title={"ko": name, "en": f"Task of {name}"},
        spec=f"{name}@1.0.0",
        spec_digest="cd" * 32,
        splits={"train": 1000, "dev": 200, "test": 300},
        sources=_OF[name] if sources is None else sources,
        labels=("하나", "per:title"),
        rounds=({"id": "main", "role": "annotator", "per_item": 3, "answer": "label"},),
        annotators=14,
        votes=4500,
        gold=1500,
        unresolved=12,
        removed=7,
        left_out=5,
        split_rule=load_spec(name).split.rule,
        coefficient="krippendorff_alpha",
        agreement=0.7654,
    )
    return replace(made, **given)


@pytest.fixture
def facts() -> Facts:
    """Return the facts of a whole release, annotated by people."""
    made = [
        source(name, licence, kind, style=style, ethical_risk=risk)
        for name, licence, kind, style, risk in _SOURCES
    ]
    return Facts(
        name="ondol",
        version="1.0.0",
        seed=20201201,
        simulated=False,
        sources=tuple(made),
        tasks=tuple(task(name) for name in TASKS),
        personal={"email": 31, "url": 2},
        toxic=77,
        maintainer="The Ondol group",
        contact="ondol@example.org",
        tool_version="0.1.0",
    )


@pytest.fixture
def schemas() -> dict[str, pa.Schema]:
    """Return the columns of the configs."""
    return {TASKS[name].config: columns.schema for name, columns in COLUMNS.items()}


@pytest.fixture
def files(tmp_path: Path, schemas: dict[str, pa.Schema]) -> Files:
    """Write tiny tables of all eight configs into tmp_path and return what is known of them."""
    found = {}
    for name, row in ROWS.items():
        config = TASKS[name].config
        (tmp_path / config).mkdir()
        for many, split in enumerate(_SPLITS, start=2):
            hidden = {
                path.split(".")[0] for path in COLUMNS[name].hidden_in_test if "." not in path
            }
            shown = {key: None if split == "test" and key in hidden else row[key] for key in row}
            made = [
                {**shown, "guid": f"{config}-{split}-{at}", "source": "here"} for at in range(many)
            ]
            path = tmp_path / config / f"{split}.parquet"
            pq.write_table(pa.Table.from_pylist(made, schema=schemas[config]), path)
            found[f"{config}/{split}.parquet"] = Entry(
                bytes=path.stat().st_size, sha256=sha256(path.read_bytes()).hexdigest()
            )
    return found
