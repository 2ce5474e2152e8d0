"""Pairs by intent: the same intent, or another one of the same topic."""

from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from sts_corpus import Row, document, make_call, plan, unit

from pipeline.core import running, store
from pipeline.core.stage import Call
from pipeline.sampling import inputs

TEN = 10


def _corpus(intents: int) -> tuple[list[Row], list[Row]]:
    """Return units and documents: ten utterances of each intent, four topics in turn."""
    units, documents = [], []
    for number in range(intents * TEN):
        intent = number // TEN
        meta = {"intent": f"{intent:06}", "topic": str(intent % 4), "act_name": "prohibition"}
        units.append(unit("parakqc", number, f"말 {intent} 뜻 {number}"))
        documents.append(document("parakqc", number, meta))
    return units, documents


def _call(folder: Path, para: int, sampled: int, intents: int = 20) -> Call:
    units, documents = _corpus(intents)
    quotas = {"parakqc-para": para, "parakqc-sampled": sampled}
    call = make_call(folder, units, plan(quotas=quotas), documents=documents)
    running.complete(call)
    return call


def _told(call: Call, sampler: str) -> list[Row]:
    rows = store.read_all(call.folder, "items").to_pylist()
    return [json.loads(row["meta"]) for row in rows if row["sampler"] == sampler]


def _number(name: str) -> int:
    return int(name.removeprefix("parakqc-s"))


def test_similar_pairs_share_the_intent_and_others_the_topic_alone(tmp_path: Path) -> None:
    call = _call(tmp_path, 24, 24)
    assert [len(_told(call, f"parakqc-{kind}")) for kind in ("para", "sampled")] == [24, 24]
    for told in _told(call, "parakqc-para"):
        one, two = (_number(name) // TEN for name in told["units"])
        assert one == two
        assert told["intents"] == [f"{one:06}"] * 2
    for told in _told(call, "parakqc-sampled"):
        one, two = (_number(name) // TEN for name in told["units"])
        assert one != two
        assert one % 4 == two % 4
        assert told["topic"] == str(one % 4)


@pytest.mark.parametrize(
    ("para", "sampled"), [(24, 24), (50, 50), (5, 7), (90, 1), (1, 99), (500, 500)]
)
def test_each_sentence_is_in_one_pair_and_intents_take_turns(
    tmp_path: Path, para: int, sampled: int
) -> None:
    call = _call(tmp_path, para, sampled)
    units = [row["unit"] for row in store.read_all(call.folder, "drawn").to_pylist()]
    assert len(units) == len(set(units))
    turns = Counter(told["intents"][0] for told in _told(call, "parakqc-para"))
    assert max(turns.values()) - min(turns.get(f"{n:06}", 0) for n in range(20)) <= 1
    met = Counter(i for told in _told(call, "parakqc-sampled") for i in told["intents"])
    assert max(met.values()) - min(met.get(f"{n:06}", 0) for n in range(20)) <= 2


def test_too_few_utterances_are_shared_by_both_kinds(tmp_path: Path) -> None:
    call = _call(tmp_path, 90, 60, intents=8)
    assert len(_told(call, "parakqc-para")) == 24  # 40 pairs at most, three in five of them
    assert len(_told(call, "parakqc-sampled")) == 16
    rows = store.read_all(call.folder, "ledger").to_pylist()
    assert [(row["action"], row["score"]) for row in rows] == [("short", 66), ("short", 44)]


def test_near_duplicates_give_one_sentence(tmp_path: Path) -> None:
    units, documents = _corpus(4)
    for row in units[:TEN]:
        row["cluster"] = "c"
    quotas = {"parakqc-para": 20, "parakqc-sampled": 1}
    call = make_call(tmp_path, units, plan(quotas=quotas), documents=documents)
    running.complete(call)
    drawn = {row["unit"] for row in store.read_all(call.folder, "drawn").to_pylist()}
    assert len(drawn & {row["id"] for row in units[:TEN]}) <= 1
    rules = Counter(r["rule"] for r in store.read_all(call.folder, "ledger").to_pylist())
    assert rules["sts.near_duplicate@1"] == TEN - 1


def test_a_document_without_intent_is_refused(tmp_path: Path) -> None:
    units, documents = _corpus(8)
    documents[0]["meta"] = []
    quotas = {"parakqc-para": 2, "parakqc-sampled": 2}
    call = make_call(tmp_path, units, plan(quotas=quotas), documents=documents)
    running.complete(call)
    (row,) = store.read_all(call.folder, "ledger").to_pylist()
    assert (row["unit"], row["rule"]) == (units[0]["id"], "sts.intent@1")


def test_the_act_is_told_by_name_or_else_by_number(tmp_path: Path) -> None:
    units, documents = _corpus(1)
    for number, row in enumerate(documents):
        told = [("act_name", "order")] if number % 2 else []
        row["meta"] = [("intent", "1"), ("topic", "0"), ("act", "4"), *told]
    call = make_call(tmp_path, units, plan(quotas={"parakqc-para": 5}), documents=documents)
    running.complete(call)
    acts = Counter(act for told in _told(call, "parakqc-para") for act in told["acts"])
    assert acts == {"4": 5, "order": 5}


def test_pools_of_documents_change_no_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _call(tmp_path / "1", 24, 24)
    monkeypatch.setattr(inputs, "ROWS", 7)
    pools = _call(tmp_path / "2", 24, 24)
    assert store.read_all(whole.folder, "items").equals(store.read_all(pools.folder, "items"))


def test_what_else_documents_hold_costs_no_memory(tmp_path: Path) -> None:
    units, documents = _corpus(20)
    for row in documents:
        row["text"] = "글" * 30_000
        row["meta"] = [*row["meta"], ("address", "x" * 100_000)]
    quotas = {"parakqc-para": 24, "parakqc-sampled": 24}
    call = make_call(tmp_path, units, plan(quotas=quotas), documents=documents)
    running.prepare(call)
    tracemalloc.start()
    running.run(call)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000  # the documents hold 38 MB


def _meet(folder: Path, **changes: float) -> list[Row]:
    """Return what is told of pairs of utterances of two acts, of whom two in four share a word."""
    units, documents = _corpus(80)
    for number, (row, document_row) in enumerate(zip(units, documents, strict=True)):
        row["text"] = f"{'바람' if number % 4 < 2 else '구름'} 이야기 {number}"
        act = "order" if number // TEN % 8 < 4 else "question"
        document_row["meta"] = [*document_row["meta"], ("act_name", act)]
    sampling = plan(quotas={"parakqc-para": 1, "parakqc-sampled": 120}, **changes)
    call = make_call(folder, units, sampling, documents=documents)
    running.complete(call)
    return _told(call, "parakqc-sampled")


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_share_of_less_similar_pairs_has_one_act(tmp_path: Path, share: float) -> None:
    told = _meet(tmp_path, same_act=share)
    assert len(told) == 120
    same = sum(len(set(row["acts"])) == 1 for row in told) / len(told)
    assert same == pytest.approx(share, abs=0.1)


def test_less_similar_pairs_overlap_more_the_more_choices_there_are(tmp_path: Path) -> None:
    def overlap(choices: int) -> float:
        told = _meet(tmp_path / str(choices), choices=choices)
        places = [[_number(name) % 4 < 2 for name in row["units"]] for row in told]
        return sum(one == two for one, two in places) / len(places)

    assert overlap(8) > overlap(1) + 0.2
