"""The stage: both ways of drawing, caps, refusals, evidence, and the same bytes however it runs."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from small_knowledge import LABELS, SPEC, Lexical, fields, write

from pipeline.contracts.registry import TASKS
from pipeline.core import running, schemas, stage, store
from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.core.pool import Workers
from pipeline.sampling.tagging import registry
from pipeline.tasks.re import candidates as pairs
from pipeline.tasks.re.detection import Entity

NAMES = {"솔하": "PS", "한여울방송": "OG", "2019년": "DT", "백소령": "PS"}
COUPLE = "차은목과 백소령은 한빛섬에서 {n}번 만났다."
HOME = "한여울방송은 2019년 {n}월에 솔하를 불렀다."
POOR = "오늘은 {n}번 비가 왔다."
PLACE = "2019년 한빛섬에 {n}번 눈이 왔다."


def _kept(folder: Path, texts: list[str], *, cluster: int = 1, source: str = "wikipedia") -> None:
    rows = [
        {
            "id": f"{source}-s{n:04}",
            "source": source,
            "document": "d",
            "kind": "sentence",
            "ordinal": n,
            "start": 0,
            "end": len(text),
            "text": text,
            "cluster": f"{source}-s{n - n % cluster:04}",
        }
        for n, text in enumerate(texts)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    store.write_table(folder, "kept", f"{source}-0000", schemas.build("kept", rows))


def _boxes(folder: Path, rows: list[tuple[str, str, str, str, list[str]]]) -> None:
    folder.mkdir(parents=True)
    names = ("title", "template", "name", "value", "links")
    table = [
        {
            "document": f"wikipedia-d{n}",
            "source": "wikipedia",
            "ordinal": n,
            **dict(zip(names, row, strict=True)),
        }
        for n, row in enumerate(rows)
    ]
    store.write_table(folder, "infoboxes", "0000", schemas.build("infoboxes", table))


def _call(
    work: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    quota: int = 40,
    detectors: tuple[str, ...] = ("tagger", "gazetteer"),
    knowledge: bool = True,
    **sampling: Any,
) -> stage.Call:
    registry.load_planned.cache_clear()
    monkeypatch.setattr(registry, "load", lambda _: Lexical(NAMES))
    assert SPEC.sampling is not None
    section = SPEC.sampling.model_dump(mode="json") | {"quotas": {"wikipedia": quota}} | sampling
    params = {
        "seed": 7,
        "sampling": section,
        "sources": {"wikipedia": {"kind": "sentence", "style": "formal"}},
        "tagger": {"name": "lexical", "digest": Lexical.digest},
        "detectors": list(detectors),
        "labels": list(LABELS.values()),
        "knowledge": [{"name": "small", "format": "tsv"}] if knowledge else [],
    }
    paths = [str(write(work / "kb.tsv"))] if knowledge else []
    arguments = {"tagger": "lexical", "knowledge": paths, "properties": None}
    call = stage.call(
        "pipeline.tasks.re.candidates",
        work=work,
        source="re",
        params=params,
        arguments=arguments,
    )
    folders = (work / "all" / "dedup-0", work / "wikipedia" / "read-0")
    return replace(call, inputs=tuple(f for f in folders if f.exists()))


def _items(call: stage.Call) -> list[dict[str, Any]]:
    running.complete(call)
    found: list[dict[str, Any]] = store.read_all(call.folder, "items").to_pylist()
    return found


def _rules(call: stage.Call) -> Counter[str]:
    return Counter(store.read_all(call.folder, "ledger").column("rule").to_pylist())


def test_both_ways_fill_their_quotas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [t.format(n=n) for n in range(50) for t in (COUPLE, HOME, POOR, PLACE)]
    _kept(tmp_path / "all" / "dedup-0", texts)
    call = _call(tmp_path, monkeypatch, quota=40, uniform_share=0.25, pair_cap=30)
    items = _items(call)
    assert Counter(item["sampler"] for item in items) == {"uniform": 10, "kb": 30}
    rules = _rules(call)
    assert set(rules) == {"re.entities@1", "re.subject@1"}
    manifest = store.read_manifest(call.folder)
    assert manifest is not None
    counts = manifest.counts
    assert counts.rows_in == 200 == counts.drawn + counts.undrawn + counts.dropped
    assert len({item["item"] for item in items}) == len(items)


def test_a_base_too_small_says_with_which_quota_the_share_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [HOME.format(n=n) for n in range(50)] + [COUPLE.format(n=n) for n in range(4)]
    _kept(tmp_path / "all" / "dedup-0", texts)
    call = _call(tmp_path, monkeypatch, quota=80, pair_cap=30)
    drawn = Counter(item["sampler"] for item in _items(call))
    assert drawn["uniform"] == 40 and 0 < drawn["kb"] < 40
    (reason,) = (
        row["reason"]
        for row in store.read_all(call.folder, "ledger").to_pylist()
        if row["rule"] == "re.quota@1"
    )
    share, quota = drawn["kb"] / drawn.total(), 2 * drawn["kb"]
    assert (
        f"kb: 40 wanted, {drawn['kb']} drawn ({share:.1%} of the pairs instead of 50.0%" in reason
    )
    assert f"want {quota} pairs of this source" in reason

    smaller = tmp_path / "smaller"
    _kept(smaller / "all" / "dedup-0", texts)
    kept = _call(smaller, monkeypatch, quota=quota, pair_cap=30)
    again = Counter(item["sampler"] for item in _items(kept))
    assert again == {"uniform": quota // 2, "kb": quota // 2}


def test_fields_and_evidence_are_those_of_the_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _kept(tmp_path / "all" / "dedup-0", [t.format(n=n) for n in range(9) for t in (COUPLE, HOME)])
    items = _items(_call(tmp_path, monkeypatch))
    assert {item["sampler"] for item in items} == {"uniform", "kb"}
    for item in items:
        value, meta = json.loads(item["fields"]), json.loads(item["meta"])
        assert tuple(sorted(value)) == tuple(sorted(TASKS["re"].fields))
        for end in ("subject", "object"):
            one = value[end]
            assert value["sentence"][one["start"] : one["end"]] == one["word"]
            assert set(meta["detectors"][end]) <= {"tagger", "gazetteer", "forms"}
        assert value["subject"]["type"] in ("PER", "ORG")
        assert value["subject"]["word"] != value["object"]["word"]
        assert len(meta["units"]) == 1
        assert "suggestion" not in meta
        if item["sampler"] == "kb":
            assert meta["facts"]
    told = {tuple(fields(i["fields"]).values()): json.loads(i["meta"]) for i in items}
    assert told["차은목", "백소령"]["relations"] == ["per:spouse"]
    assert told["차은목", "한빛섬"]["facts"] == [
        {
            "knowledge": "small",
            "property": "birthPlace",
            "inverse": False,
            "relation": "per:place_of_birth",
        }
    ]


def test_caps_hold_for_pairs_in_either_order_and_for_entities(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _kept(tmp_path / "all" / "dedup-0", [COUPLE.format(n=n) for n in range(60)])
    for caps, most in (
        ({"pair_cap": 2, "entity_cap": 100}, 2),
        ({"pair_cap": 9, "entity_cap": 5}, 9),
    ):
        work = tmp_path / f"{caps['pair_cap']}"
        _kept(work / "all" / "dedup-0", [COUPLE.format(n=n) for n in range(60)])
        call = _call(work, monkeypatch, uniform_share=0.0, quota=50, **caps)
        drawn = [tuple(sorted(fields(item["fields"]).values())) for item in _items(call)]
        names = Counter(name for pair in drawn for name in pair)
        assert drawn
        assert max(Counter(drawn).values()) <= most
        assert max(names.values()) <= caps["entity_cap"]
        assert _rules(call)["re.quota@1"] == 1


def test_uniform_pairs_do_not_depend_on_the_knowledge_base(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [t.format(n=n) for n in range(40) for t in (COUPLE, HOME)]
    found = []
    for name in ("with", "without"):
        _kept(tmp_path / name / "all" / "dedup-0", texts)
        call = _call(tmp_path / name, monkeypatch, detectors=("tagger",), knowledge=name == "with")
        found.append([i["item"] for i in _items(call) if i["sampler"] == "uniform"])
    assert found[0] == found[1][:20]
    assert len(found[1]) == 40  # without any fact, all pairs are uniform


def test_the_two_pairs_of_a_sentence_differ_in_an_entity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """차은목 and 백소령 are spouses: in a sentence of these two the mirror says nothing new."""
    texts = ["차은목과 백소령은 {n}번 만났다.", COUPLE]
    folder = tmp_path / "all" / "dedup-0"
    _kept(folder, [t.format(n=n) for n in range(40) for t in texts])
    items = _items(_call(tmp_path, monkeypatch, quota=160, pair_cap=100))
    drawn: dict[str, dict[str, set[str]]] = {}
    for item in items:
        unit = json.loads(item["meta"])["units"][0]
        drawn.setdefault(unit, {})[item["sampler"]] = set(fields(item["fields"]).values())
    assert len(drawn) == 80
    both = [found for found in drawn.values() if len(found) == 2]
    assert len(both) == 40, "the sentences of three entities, and no other"
    assert all(found["kb"] - found["uniform"] for found in both)


def test_every_possible_pair_is_drawn_about_as_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [HOME.format(n=n) for n in range(600)]
    _kept(tmp_path / "all" / "dedup-0", texts)
    items = _items(_call(tmp_path, monkeypatch, quota=600, uniform_share=1.0, knowledge=False))
    counts = Counter(tuple(fields(item["fields"]).values()) for item in items)
    possible = {p for p in permutations(("한여울방송", "2019년", "솔하"), 2) if p[0] != "2019년"}
    assert set(counts) == possible
    assert all(110 <= n <= 190 for n in counts.values())  # 150 expected, deviation 10.6


def test_the_pair_is_the_keyed_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _kept(tmp_path / "all" / "dedup-0", [HOME.format(n=n) for n in range(30)])
    items = _items(_call(tmp_path, monkeypatch, quota=30, uniform_share=1.0, knowledge=False))
    order = [json.loads(item["meta"])["units"][0] for item in items]
    assert order == sorted(order, key=lambda unit: draw(7, "re.sentences", unit))
    possible = [
        ("한여울방송", "2019년"),
        ("한여울방송", "솔하"),
        ("솔하", "한여울방송"),
        ("솔하", "2019년"),
    ]
    for unit, item in zip(order, items, strict=True):
        chosen = possible[int(draw(7, "re.uniform", unit) * 4)]
        assert tuple(fields(item["fields"]).values()) == chosen


def test_near_duplicates_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _kept(tmp_path / "all" / "dedup-0", [HOME.format(n=n) for n in range(20)], cluster=2)
    call = _call(tmp_path, monkeypatch, uniform_share=1.0)
    assert len(_items(call)) == 10
    assert _rules(call) == {"re.near_duplicate@1": 10, "re.quota@1": 1}


def test_infoboxes_give_names_and_facts_and_broken_ones_a_ledger_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _kept(tmp_path / "all" / "dedup-0", ["도하늘은 솔바람 수도회에서 일한다.", "도하늘은 신부다."])
    _boxes(
        tmp_path / "wikipedia" / "read-0",
        [
            ("도하늘 (신부)", "인물 정보", "소속", "[1] 솔바람 수도회(가람포)", ["솔바람 수도회"]),
            ("도하늘 (신부)", "인물 정보", "직업", "신부 / 요리사", []),
            ("솔바람 수도회", "단체 정보", "표어", "한 끼라도", []),
            ("", "인물 정보", "직업", "가수", []),
            ("깨진 곳", "인물 정보", "출생지", "{{깨진", []),
            ("긴 곳", "인물 정보", "출생지", "가" * 3000, []),
        ],
    )
    call = _call(tmp_path, monkeypatch, knowledge=False, uniform_share=0.0)
    items = _items(call)
    told = {tuple(fields(i["fields"]).values()): json.loads(i["meta"])["relations"] for i in items}
    assert told[("도하늘", "신부")] == ["per:title"]
    other = {
        ("도하늘", "솔바람 수도회"): ["per:employee_of"],
        ("솔바람 수도회", "도하늘"): ["org:top_members/employees"],
    }
    assert any(told.get(pair) == relations for pair, relations in other.items())
    ledger = [
        r for r in store.read_all(call.folder, "ledger").to_pylist() if r["action"] == "quarantine"
    ]
    assert {(r["file"], r["line"], r["rule"]) for r in ledger} == {
        (f"wikipedia-d{n}", n, "re.infobox@1") for n in (3, 4, 5)
    }
    assert not any("깨진" in r["reason"] for r in ledger)


def test_broken_triples_reach_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _kept(tmp_path / "all" / "dedup-0", [])
    call = _call(tmp_path, monkeypatch)
    path = Path(call.arguments["knowledge"][0])
    path.write_text(path.read_text("utf-8") + "\nbroken\n", "utf-8")
    assert _items(call) == []
    rows = store.read_all(call.folder, "ledger").to_pylist()
    assert [(r["source"], r["file"], r["line"]) for r in rows if r["rule"] == "re.triple@1"] == [
        ("small", "kb.tsv", 11)
    ]
    assert [r["reason"] for r in rows if r["rule"] == "re.quota@1"] == [
        "uniform: 20 wanted, 0 drawn",
        "kb: 20 wanted, 0 drawn (the base links no pair of this text; make a larger one)",
    ]


def test_batches_and_workers_do_not_change_a_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [t.format(n=n) for n in range(40) for t in (COUPLE, HOME, POOR)]
    contents = set()
    for name, batch, workers in (("a", 1, 1), ("b", 256, 1), ("c", 7, 2)):
        monkeypatch.setattr(pairs, "BATCH", batch)
        _kept(tmp_path / name / "all" / "dedup-0", texts)
        call = _call(tmp_path / name, monkeypatch, detectors=("gazetteer",), pair_cap=20)
        with Workers(workers):
            running.complete(call)
        manifest = store.read_manifest(call.folder)
        assert manifest is not None
        contents.add((manifest.content, str(manifest.counts)))
    assert len(contents) == 1


def test_a_name_that_comes_again_is_one_entity() -> None:
    text = "솔하는 솔 하를 안다."
    found = pairs.keyed_entities(
        text, [Entity(0, 2, "PER", ("tagger",)), Entity(4, 7, "PER", ("tagger",))]
    )
    assert [(entity.start, key) for key, entity in found.items()] == [(0, "솔하")]


def test_a_careless_tagger_is_mended_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _kept(tmp_path / "all" / "dedup-0", [HOME.format(n=n) for n in range(5)])
    call = _call(tmp_path, monkeypatch, uniform_share=1.0, quota=9)
    overlapping = {**NAMES, "한여울": "OG", "한": "XX"}
    monkeypatch.setattr(registry, "load", lambda _: Lexical(overlapping))
    assert len(_items(call)) == 5
    assert _rules(call) == {"re.mention@1": 10, "re.quota@1": 1}


def test_another_tagger_than_planned_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _kept(tmp_path / "all" / "dedup-0", [COUPLE])
    call = _call(tmp_path, monkeypatch)
    monkeypatch.setattr(Lexical, "digest", "1" * 64)
    with pytest.raises(InputError, match="changed since the build was planned"):
        running.complete(call)


def test_a_quota_of_an_absent_source_falls_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _kept(tmp_path / "all" / "dedup-0", [HOME])
    quotas = {"wikipedia": 1, "wikitree": 4}
    call = _call(tmp_path, monkeypatch, quotas=quotas, uniform_share=1.0)
    assert len(_items(call)) == 1
    rows = store.read_all(call.folder, "ledger").to_pylist()
    assert [(r["source"], r["reason"], r["score"]) for r in rows] == [
        ("wikitree", "not in this build: 4 wanted, 0 drawn", 4)
    ]
