"""Duplicates: the first exact one stays; clusters are those that brute force finds."""

from __future__ import annotations

import errno
import os
import shutil
from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pytest
from plain_similarity import similarity

from pipeline.core import partitions, running, schemas, stage, store
from pipeline.core.errors import InputError, RetryError, StoreError
from pipeline.core.ids import unit_id
from pipeline.core.partitions import Partitions

SEEDS = [
    "가람포의 등대는 백 년 동안 밤바다를 비추었다고 마을 사람들은 말한다.",
    "새로 문을 연 도서관에는 어린이 열람실과 작은 정원이 함께 마련되었다.",
    "어제 본 영화는 초반이 지루했지만 결말에서 크게 감동을 받았습니다.",
    "숙소가 역에서 가깝고 주인분이 친절해서 다음에도 꼭 다시 오고 싶어요.",
]


def _corpus() -> list[str]:
    texts = []
    for i, seed in enumerate(SEEDS):
        texts += [seed, seed.replace("다", "네", 1), seed.replace(" ", "  ")]
        texts += [f"{seed} {'아주' * i}", seed[::-1], seed[: len(seed) // 2]]
    return texts


def _upstream(work: Path, source: str, texts: list[str], kind: str) -> tuple[stage.Call, ...]:
    """Put units into the store as if they came out of the clean stage, in two shards."""
    rows = [
        {
            "id": unit_id(source, str(i), "sentence", 0, len(text)),
            "source": source,
            "document": f"{source}-d{i}",
            "kind": kind,
            "ordinal": i,
            "start": 0,
            "end": len(text),
            "text": text,
        }
        for i, text in enumerate(texts)
    ]
    clean = stage.call("pipeline.corpus.cleaning", work=work, source=source, raw=("x",))
    clean.folder.mkdir(parents=True)
    half = len(rows) // 2
    for n, part in enumerate((rows[:half], rows[half:])):
        store.write_table(clean.folder, "units", f"{n:05d}", schemas.build("units", part))
    sign = stage.call("pipeline.corpus.signatures", work=work, source=source, inputs=(clean,))
    running.complete(sign)
    return clean, sign


def _dedup(work: Path, sources: dict[str, list[str]]) -> tuple[pa.Table, pa.Table]:
    inputs = tuple(c for s, t in sources.items() for c in _upstream(work, s, t, "sentence"))
    kept, ledger = _finished(work, inputs)
    assert kept.num_rows + ledger.num_rows == sum(map(len, sources.values()))
    return kept, ledger


def _call(work: Path, inputs: tuple[stage.Call, ...]) -> stage.Call:
    return stage.call(
        "pipeline.corpus.duplicates",
        work=work,
        source="all",
        inputs=inputs,
        params={"threshold": 0.8},
    )


def _finished(work: Path, inputs: tuple[stage.Call, ...]) -> tuple[pa.Table, pa.Table]:
    call = _call(work, inputs)
    running.complete(call)
    return store.read_all(call.folder, "kept"), store.read_all(call.folder, "ledger")


def _components(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Return the smallest id that each unit is connected with, by the plainest way."""
    reach = {unit: {unit} for pair in pairs for unit in pair}
    for _ in reach:
        for a, b in pairs:
            reach[a] = reach[b] = reach[a] | reach[b]
    return {unit: min(all_) for unit, all_ in reach.items()}


def test_the_first_exact_duplicate_stays_and_the_ledger_names_it(tmp_path: Path) -> None:
    kept, ledger = _dedup(tmp_path, {"a": ["하나 둘", "다른 문장", "하나  둘", "하나 둘"]})
    assert kept.column("text").to_pylist() == ["하나 둘", "다른 문장"]
    first = kept.column("id")[0].as_py()
    assert ledger.column("reason").to_pylist() == [f"repeats {first}"] * 2
    assert set(ledger.column("rule").to_pylist()) == {"duplicate.exact@1"}


def test_the_same_text_of_two_sources_stays_in_one_cluster(tmp_path: Path) -> None:
    kept, ledger = _dedup(tmp_path, {"a": [SEEDS[0]], "b": [SEEDS[0], SEEDS[1]]})
    assert ledger.num_rows == 0
    clusters = kept.column("cluster").to_pylist()
    assert clusters[0] == clusters[1] == min(kept.column("id").to_pylist()[:2])
    assert clusters[2] == kept.column("id")[2].as_py()


def test_clusters_are_those_of_brute_force(tmp_path: Path) -> None:
    kept, _ = _dedup(tmp_path, {"a": _corpus(), "b": _corpus()[::-1]})
    rows = kept.select(["id", "text", "cluster"]).to_pylist()
    pairs = [
        (a["id"], b["id"])
        for a, b in combinations(rows, 2)
        if similarity(a["text"], b["text"]) >= 0.8
    ]
    expected = _components(pairs)
    assert {r["id"]: r["cluster"] for r in rows} == {
        r["id"]: expected.get(r["id"], r["id"]) for r in rows
    }
    assert len(set(expected.values())) >= len(SEEDS)


def test_a_whole_text_is_no_near_duplicate_of_its_sentence(tmp_path: Path) -> None:
    inputs = _upstream(tmp_path, "a", [SEEDS[0]], "whole")
    inputs += _upstream(tmp_path, "b", [SEEDS[0]], "sentence")
    kept, _ = _finished(tmp_path, inputs)
    assert len(set(kept.column("cluster").to_pylist())) == 2


def test_a_crowd_of_near_duplicates_is_one_cluster(tmp_path: Path) -> None:
    crowd = [f"{SEEDS[3]}{'!' * n}" for n in range(1, 60)]
    kept, _ = _dedup(tmp_path, {"a": crowd})
    assert kept.num_rows == 59
    assert len(set(kept.column("cluster").to_pylist())) == 1


def test_any_memory_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{seed}{'!' * n}" for n in range(20) for seed in SEEDS] + _corpus() * 2
    inputs = tuple(
        c for name in "ab" for c in _upstream(tmp_path, name, texts[:: 1 + (name == "b")], "whole")
    )
    _finished(tmp_path, inputs)
    (folder,) = (tmp_path / "store" / "all").glob("dedup-*")
    contents = store.read_manifest(folder)
    shutil.rmtree(folder)
    monkeypatch.setattr(partitions, "_SHARE", 2**11)  # parts of a few rows
    _finished(tmp_path, inputs)
    assert store.read_manifest(folder) == contents
    assert not (folder / "join").exists()


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_stops_with_one_clear_error_and_goes_on_later(
    fault: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = _upstream(tmp_path, "a", _corpus(), "whole")

    def fail(_parts: Partitions) -> None:
        raise OSError(fault, os.strerror(fault))

    with monkeypatch.context() as patch, pytest.raises(RetryError, match="disk has room"):
        patch.setattr(Partitions, "_flush", fail)
        _finished(tmp_path, inputs)
    assert not [*tmp_path.rglob("join")]
    kept, ledger = _finished(tmp_path, inputs)
    assert kept.num_rows + ledger.num_rows == len(_corpus())


def test_signatures_of_other_units_are_a_clear_error(tmp_path: Path) -> None:
    clean, sign = _upstream(tmp_path, "a", SEEDS, "whole")
    path = store.tables(clean.folder, "units")[0]
    store.write_parquet(path, store.read_table(path, "units").slice(1))
    with pytest.raises(StoreError, match="are not the signatures of the units of a"):
        _finished(tmp_path, (clean, sign))


def test_more_units_than_joins_can_number_are_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = _upstream(tmp_path, "a", _corpus(), "whole")
    monkeypatch.setattr("pipeline.corpus.unit_files.MOST", 3)
    with pytest.raises(InputError, match="at most 3: build some of the sources alone"):
        _finished(tmp_path, inputs)


@pytest.mark.parametrize("name", ["exact", "clusters"])
def test_what_a_machine_that_stopped_cut_off_is_named(tmp_path: Path, name: str) -> None:
    call = _call(tmp_path, _upstream(tmp_path, "a", _corpus(), "sentence"))
    running.prepare(call)
    folder = store.partial_of(call.folder)
    cut = sorted((folder / name).iterdir())[-1]
    cut.write_bytes(cut.read_bytes()[:20])
    with pytest.raises(StoreError, match=f"damaged .*remove the folder {folder.name}"):
        running.complete(call)
    shutil.rmtree(folder)
    running.complete(call)
    assert store.read_all(call.folder, "kept").num_rows
