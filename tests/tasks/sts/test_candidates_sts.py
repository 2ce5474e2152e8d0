"""The stage: translated and matched pairs of a source, and where every unit ends."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from sts_corpus import Row, make_call, plan, translation, unit

from pipeline.core import running, store
from pipeline.core.stage import Call

NOUNS = ("방", "거실", "부엌", "마당", "욕실", "침대", "창문", "복도")
SENTENCES = [f"이 집은 {a}하고 {b}이 넓어요" for a in NOUNS for b in NOUNS if a < b]
KEPT = [unit("airbnb", n, text) for n, text in enumerate(SENTENCES)]


def _items(call: Call) -> list[Row]:
    running.complete(call)
    rows = store.read_all(call.folder, "items").to_pylist()
    return [row | {k: json.loads(row[k]) for k in ("fields", "meta")} for row in rows]


def _ledger(call: Call) -> list[Row]:
    rows: list[Row] = store.read_all(call.folder, "ledger").to_pylist()
    return rows


def _drawn(call: Call) -> list[Row]:
    rows: list[Row] = store.read_all(call.folder, "drawn").to_pylist()
    return rows


def test_every_unit_is_drawn_refused_or_undrawn_and_in_one_pair(tmp_path: Path) -> None:
    made = [translation(row, f"{row['text']} 정말") for row in KEPT[:6]]
    call = make_call(tmp_path, KEPT, plan(), translations=made)
    items = _items(call)
    assert Counter(i["sampler"] for i in items) == {"airbnb-rtt": 3, "airbnb-sampled": 4}
    counts = store.read_manifest(call.folder)
    assert counts is not None
    total = counts.counts
    assert (total.rows_in, total.drawn, total.undrawn) == (28, 3 + 8, 28 - 11)
    units = [row["unit"] for row in _drawn(call)]
    assert len(units) == len(set(units))
    assert all(i["task"] == "sts" and len(set(i["fields"].values())) == 2 for i in items)


def test_a_round_trip_shows_sentence_and_translation_on_either_side(tmp_path: Path) -> None:
    made = [translation(row, f"{row['text']} 정말") for row in KEPT]
    call = make_call(tmp_path, KEPT, plan(quotas={"airbnb-rtt": 28}), translations=made)
    items = _items(call)
    texts = {row["id"]: row["text"] for row in KEPT}
    roles = {row["item"]: row["role"] for row in _drawn(call)}
    for item in items:
        (name,) = item["meta"]["units"]
        role, back = roles[item["item"]], item["meta"]["back"]
        assert {role, back} == {"sentence1", "sentence2"}
        assert item["fields"][role] == texts[name]
        assert item["fields"][back] == f"{texts[name]} 정말"
        assert item["meta"]["translator"] == "file:invented"
    assert set(roles.values()) == {"sentence1", "sentence2"}


@pytest.mark.parametrize(
    ("back", "rule"),
    [
        ("", "sts.untranslated@1"),
        ("It has a wide room.", "sts.untranslated@1"),
        ("이집은 방하고,거실이 넓어요!", "sts.unchanged@1"),
        ("이 집은 방하고 거실이 넓어요 " * 3, "sts.stretched@1"),
        ("넓어요", "sts.stretched@1"),
    ],
)
def test_a_translation_that_makes_no_pair_is_refused(tmp_path: Path, back: str, rule: str) -> None:
    row = unit("airbnb", 1, "이 집은 방하고 거실이 넓어요")
    call = make_call(
        tmp_path, [row], plan(quotas={"airbnb-rtt": 1}), translations=[translation(row, back)]
    )
    assert _items(call) == []
    found = {entry["rule"]: entry for entry in _ledger(call)}
    assert found[rule]["unit"] == row["id"]
    assert found[rule]["action"] == "drop"
    assert "집은" not in found[rule]["reason"]
    assert found["sts.quota@1"]["score"] == 1


def test_what_was_translated_or_nearly_is_never_matched(tmp_path: Path) -> None:
    twin = unit("airbnb", 90, "이 집은 방하고 거실이 넓어요.", cluster=KEPT[0]["id"])
    made = [translation(row, f"{row['text']} 정말") for row in KEPT[:6]]
    sampling = plan(quotas={"airbnb-rtt": 1, "airbnb-sampled": 50})
    call = make_call(tmp_path, [*KEPT, twin], sampling, translations=made)
    matched = {u for i in _items(call) if "score" in i["meta"] for u in i["meta"]["units"]}
    assert matched == {row["id"] for row in KEPT[6:]}
    assert ("sts.near_duplicate@1", twin["id"]) in {(r["rule"], r["unit"]) for r in _ledger(call)}


def test_only_one_of_a_cluster_and_only_lengths_of_the_plan_are_matched(tmp_path: Path) -> None:
    rows = [
        *(unit("airbnb", n, f"{text} 참", cluster="c") for n, text in enumerate(SENTENCES[:5])),
        unit("airbnb", 50, "넓다"),
        unit("airbnb", 51, "이 집은 아주 넓고 " * 4),
        *(unit("airbnb", 60 + n, text) for n, text in enumerate(SENTENCES[5:10])),
    ]
    call = make_call(tmp_path, rows, plan(quotas={"airbnb-sampled": 50}))
    items = _items(call)
    units = {name for i in items for name in i["meta"]["units"]}
    assert len(items) == 3
    assert len(units & {row["id"] for row in rows[:5]}) == 1
    rules = Counter(row["rule"] for row in _ledger(call) if row["action"] == "drop")
    assert rules == {"sts.near_duplicate@1": 4, "sts.length@1": 2}


@pytest.mark.parametrize("algorithm", ["anchors", "global"])
@pytest.mark.parametrize("rouge", ["rouge1", "rougeL"])
def test_a_matched_pair_tells_its_score_order_and_algorithm(
    tmp_path: Path, algorithm: str, rouge: str
) -> None:
    sampling = plan(quotas={"airbnb-sampled": 14}, algorithm=algorithm, rouge=rouge)
    items = _items(make_call(tmp_path, KEPT, sampling))
    told = [item["meta"] for item in items]
    assert {(m["algorithm"], m["rouge"], m["of"]) for m in told} == {(algorithm, rouge, 14)}
    assert [m["order"] for m in told] == list(range(1, 15))
    assert all(0 <= m["score"] <= 1 for m in told)
    if algorithm == "global":
        assert [m["score"] for m in told] == sorted((m["score"] for m in told), reverse=True)


def test_neither_files_nor_order_of_rows_change_a_candidate(tmp_path: Path) -> None:
    made = [translation(row, f"{row['text']} 정말") for row in KEPT[:6]]
    one = make_call(tmp_path / "1", KEPT, plan(), translations=made)
    two = make_call(tmp_path / "2", KEPT[::-1], plan(), translations=made[::-1], files=3)
    other = make_call(tmp_path / "3", KEPT, plan(), translations=made, seed=8)
    assert _items(one) == _items(two) != _items(other)
    tables = [store.read_all(call.folder, "drawn") for call in (one, two)]
    assert tables[0].equals(tables[1])


def test_an_empty_source_is_short_of_everything(tmp_path: Path) -> None:
    call = make_call(tmp_path, [], plan(), sources=["airbnb"])
    assert _items(call) == []
    assert [(row["action"], row["score"]) for row in _ledger(call)] == [("short", 3), ("short", 4)]


def test_every_quota_of_a_source_that_is_not_in_the_build_is_told(tmp_path: Path) -> None:
    others = {"away-rtt": 5, "away-sampled": 6, "intents-para": 7, "intents-sampled": 8}
    call = make_call(tmp_path, KEPT, plan(quotas={"airbnb-sampled": 2, **others}))
    assert {(i["sampler"], i["source"]) for i in _items(call)} == {("airbnb-sampled", "airbnb")}
    assert {(r["action"], r["reason"], r["score"]) for r in _ledger(call)} == {
        ("short", f"{name}, not in this build: {n} wanted, 0 drawn", n)
        for name, n in others.items()
    }


def test_other_sources_have_quotas_of_their_own(tmp_path: Path) -> None:
    rows = [unit("nsmc", n, text) for n, text in enumerate(SENTENCES)]
    quotas = {"nsmc-sampled": 2, "airbnb-sampled": 3}
    items = _items(make_call(tmp_path, [*rows, *KEPT], plan(quotas=quotas)))
    assert Counter((i["sampler"], i["source"]) for i in items) == {
        (name, name.removesuffix("-sampled")): n for name, n in quotas.items()
    }


@pytest.mark.parametrize("quota", [4, 50])
def test_a_matched_pair_tells_how_full_its_bin_was(tmp_path: Path, quota: int) -> None:
    whole = _items(make_call(tmp_path / "all", KEPT, plan(quotas={"airbnb-sampled": 14})))
    found = Counter(int(item["meta"]["score"] * 4) for item in whole)
    sampling = plan(quotas={"airbnb-sampled": quota}, bins=4)
    items = _items(make_call(tmp_path / "some", KEPT, sampling))
    drawn = Counter(min(int(item["meta"]["score"] * 4), 3) for item in items)
    assert len(found) > 1
    assert len(items) == min(quota, 14)
    for item in items:
        place = min(int(item["meta"]["score"] * 4), 3)
        told = {"from": place / 4, "found": found[place], "drawn": drawn[place]}
        assert item["meta"]["bin"] == told
