"""The stage: quotas by source, refusals in the ledger, one premise of near-duplicates."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.contracts.spec import load_spec
from pipeline.core import running, schemas, store
from pipeline.core.ids import draw
from pipeline.core.jsontext import parsed
from pipeline.core.stage import Call, call

MODULE = "pipeline.tasks.nli.candidates"
GOOD = "시청은 지난 {}일에 새 도서관을 열었다고 밝혔다."
ASKS = "시청은 왜 지난 {}일에 도서관을 열었을까요?"


def _call(
    folder: Path, texts: dict[str, list[str]], quotas: dict[str, int], *, files: int = 1
) -> Call:
    dedup = folder / "store" / "all" / "dedup-x"
    dedup.mkdir(parents=True)
    for source, given in texts.items():
        rows: list[dict[str, Any]] = [
            {
                "id": f"{source}-s{n:04}",
                "source": source,
                "document": f"{source}-d",
                "kind": "sentence",
                "ordinal": n,
                "start": 0,
                "end": len(text),
                "text": text,
                "cluster": f"{source}-s{given.index(text):04}",
            }
            for n, text in enumerate(given)
        ]
        for part in range(files):
            kept = schemas.build("kept", rows[part::files])
            store.write_table(dedup, "kept", f"{source}-{part:05}", kept)
    sampling = load_spec("nli").sampling
    assert sampling is not None
    params = {
        "seed": 3,
        "sampling": {**sampling.model_dump(mode="json"), "quotas": quotas},
        "sources": {
            s: {"kind": "sentence", "style": "colloquial" if s == "nsmc" else "formal"}
            for s in texts
        },
    }
    return replace(call(MODULE, work=folder, source="nli", params=params), inputs=(dedup,))


def _done(planned: Call) -> dict[str, pa.Table]:
    running.complete(planned)
    return {
        name: pa.concat_tables(
            [store.read_table(path, name) for path in store.tables(planned.folder, name)]
        )
        for name in ("items", "drawn", "ledger")
    }


def test_a_quota_is_filled_in_keyed_order(tmp_path: Path) -> None:
    texts = [(ASKS if n % 3 == 0 else GOOD).format(n) for n in range(60)]
    found = _done(_call(tmp_path, {"policy": texts}, {"policy": 10}))
    good = [f"policy-s{n:04}" for n in range(60) if n % 3]
    assert found["drawn"]["unit"].to_pylist() == sorted(good, key=lambda u: draw(3, "nli", u))[:10]
    row = found["items"].to_pylist()[0]
    assert set(parsed(row["fields"])) == {"premise"}
    assert (row["task"], row["source"], row["sampler"]) == ("nli", "policy", "premises")
    meta = parsed(row["meta"])
    assert (meta["ending"], meta["style"]) == ("final", "formal")
    assert meta["predicates"]["verb"] >= 1
    assert set(found["ledger"]["rule"].to_pylist()) == {"nli.declarative@1"}


def test_files_make_no_difference(tmp_path: Path) -> None:
    texts = [(ASKS if n % 4 == 0 else GOOD).format(n) for n in range(50)]
    made = [
        _done(_call(tmp_path / str(files), {"policy": texts}, {"policy": 12}, files=files))
        for files in (1, 3)
    ]
    assert made[0]["items"].equals(made[1]["items"])
    assert made[0]["ledger"].equals(made[1]["ledger"])


def test_one_premise_of_near_duplicates_and_a_quota_not_met(tmp_path: Path) -> None:
    found = _done(_call(tmp_path, {"policy": [GOOD.format(1)] * 4}, {"policy": 3}))
    assert found["items"].num_rows == 1
    actions = Counter(found["ledger"]["action"].to_pylist())
    assert actions == {"drop": 3, "short": 1}
    short = [row for row in found["ledger"].to_pylist() if row["action"] == "short"]
    assert (short[0]["unit"], short[0]["score"]) == ("nli:policy:policy", 2)


def test_quotas_are_shared_by_what_the_sources_give(tmp_path: Path) -> None:
    texts = {"mine": [GOOD.format(n) for n in range(30)], "yours": [GOOD.format(99)] * 10}
    call = _call(tmp_path, texts, {})
    share = {"key": "quotas", "kinds": [""], "total": 12, "even": False}
    found = _done(replace(call, params={**call.params, "share": share}))
    assert Counter(found["items"]["source"].to_pylist()) == {"mine": 9, "yours": 1}
    short = [row for row in found["ledger"].to_pylist() if row["action"] == "short"]
    assert [(row["reason"], row["score"]) for row in short] == [("yours: 3 wanted, 1 drawn", 2)]


def test_styles_share_evenly_and_no_more_is_wanted_than_there_is(tmp_path: Path) -> None:
    texts = {"mine": [GOOD.format(n) for n in range(30)], "nsmc": [GOOD.format(99)] * 10}
    call = _call(tmp_path, texts, {})
    share = {"key": "quotas", "kinds": [""], "total": 1000, "even": True}
    found = _done(replace(call, params={**call.params, "share": share}))
    assert Counter(found["items"]["source"].to_pylist()) == {"mine": 20, "nsmc": 1}


def test_empty_and_absent_sources_are_noted(tmp_path: Path) -> None:
    quotas = {"policy": 1, "nsmc": 2, "wikitree": 5}
    found = _done(_call(tmp_path, {"policy": [GOOD.format(1)], "nsmc": []}, quotas))
    short = {row["unit"]: row["score"] for row in found["ledger"].to_pylist()}
    assert short == {"nli:nsmc:nsmc": 2, "nli:wikitree:not in this build": 5}
