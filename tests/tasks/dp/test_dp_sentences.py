"""Sentences to be parsed: equal shares, whatever one style lacks."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.contracts.spec import load_spec
from pipeline.core import schemas, store
from pipeline.core.running import complete
from pipeline.core.stage import Call, call

SPEC = load_spec("dp").sampling
assert SPEC is not None
STYLES = {"wikitree": "formal", "airbnb": "colloquial", "policy": "formal"}


def _text(number: int) -> str:
    return f"{number}번 버스가 달못시 앞에서 아침마다 떠납니다."


def _call(
    tmp_path: Path, given: dict[str, list[str]], quotas: dict[str, int], *, files: int = 1
) -> Call:
    folder = tmp_path / "all" / "dedup-x"
    folder.mkdir(parents=True)
    for source, texts in given.items():
        rows = [_row(source, number, text) for number, text in enumerate(texts)]
        for n in range(files):
            table = schemas.build("kept", rows[n::files])
            store.write_table(folder, "kept", f"{source}-{n:04}", table)
    params = {
        "seed": 5,
        "sampling": {**SPEC.model_dump(mode="json"), "quotas": quotas},
        "sources": {name: {"kind": "sentence", "style": STYLES[name]} for name in given},
    }
    made = call("pipeline.tasks.dp.candidates", work=tmp_path, source="dp", params=params)
    return replace(made, inputs=(folder,))


def _row(source: str, number: int, text: str) -> dict[str, Any]:
    name = f"{source}-s{number:04}"
    return {
        "id": name,
        "source": source,
        "document": "d",
        "kind": "sentence",
        "ordinal": number,
        "start": 0,
        "end": len(text),
        "text": text,
        "cluster": name,
    }


def _drawn(made: Call) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    complete(made)
    items = store.read_all(made.folder, "items").to_pylist()
    return items, store.read_all(made.folder, "ledger").to_pylist()


@pytest.mark.parametrize(("formal", "colloquial"), [(40, 40), (40, 7), (3, 40)])
def test_styles_are_equal(tmp_path: Path, formal: int, colloquial: int) -> None:
    given = {
        "wikitree": [_text(n) for n in range(formal)],
        "airbnb": [_text(n) for n in range(colloquial)] + ["깨끗한 방."] * 5,
    }
    items, rows = _drawn(made := _call(tmp_path, given, {"wikitree": 20, "airbnb": 20}))
    number = min(formal, colloquial, 20)
    found = Counter(item["sampler"] for item in items)
    assert found == Counter({"formal": number, "colloquial": number})
    assert sum(r["score"] for r in rows if r["action"] == "short") == 40 - 2 * number
    manifest = store.read_manifest(made.folder)
    assert manifest is not None
    counts = manifest.counts
    assert counts.rows_in == formal + colloquial + 5
    assert counts.rows_in == counts.drawn + counts.undrawn + counts.dropped


@pytest.mark.parametrize("texts", [[], ["깨끗한 방."] * 5])
def test_a_style_without_a_sentence_leaves_the_other_alone(
    tmp_path: Path, texts: list[str]
) -> None:
    given = {"wikitree": [_text(n) for n in range(40)], "airbnb": texts}
    items, rows = _drawn(_call(tmp_path, given, {"wikitree": 20, "airbnb": 20}))
    assert Counter(item["sampler"] for item in items) == {"formal": 20}
    short = [(r["source"], r["reason"]) for r in rows if r["action"] == "short"]
    assert short == [("airbnb", "colloquial: 20 wanted, 0 drawn")]


def test_two_sources_of_a_style_share_its_part(tmp_path: Path) -> None:
    given = {
        "wikitree": [_text(n) for n in range(30)],
        "policy": [_text(n) for n in range(100, 110)],
        "airbnb": [_text(n) for n in range(200, 220)],
    }
    items, rows = _drawn(_call(tmp_path, given, {"wikitree": 30, "policy": 10, "airbnb": 40}))
    assert Counter(i["source"] for i in items) == {"airbnb": 20, "wikitree": 15, "policy": 5}
    why = " (the other style has fewer, and both have equal numbers)"
    assert {r["source"]: r["reason"] for r in rows if r["action"] == "short"} == {
        "airbnb": "colloquial: 40 wanted, 20 drawn",
        "policy": f"formal: 10 wanted, 5 drawn{why}",
        "wikitree": f"formal: 30 wanted, 15 drawn{why}",
    }


def test_a_candidate_is_what_annotators_need(tmp_path: Path) -> None:
    items, _ = _drawn(_call(tmp_path, {"airbnb": [_text(7)]}, {"airbnb": 1, "wikitree": 1}))
    fields = json.loads(items[0]["fields"])
    assert fields == {"text": _text(7), "words": _text(7).split()}
    suggested = json.loads(items[0]["meta"])["suggestion"]
    assert len(suggested["lemmas"]) == len(suggested["pos"]) == len(fields["words"])


def test_a_source_that_a_build_lacks_is_told(tmp_path: Path) -> None:
    _, rows = _drawn(_call(tmp_path, {"airbnb": [_text(7)]}, {"airbnb": 1, "wikitree": 9}))
    assert [(r["source"], r["score"]) for r in rows] == [("wikitree", 9)]


def test_near_duplicates_and_files_make_no_difference(tmp_path: Path) -> None:
    given = {name: [_text(n) for n in range(25)] for name in ("wikitree", "airbnb")}
    found = []
    for files in (1, 4):
        root = tmp_path / str(files)
        items, _ = _drawn(_call(root, given, {"wikitree": 9, "airbnb": 9}, files=files))
        found.append([(item["item"], item["meta"]) for item in items])
    assert found[0] == found[1]
