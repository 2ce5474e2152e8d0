"""The stage `translate`: quotas, refusals, the law, resuming, and the same rows in any order."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from loopback import KEY, SECRET, Service, error, running
from translate_calls import TEXTS, keep, make_call, papago, unit

from pipeline.core import store
from pipeline.core.errors import InputError, RetryError
from pipeline.core.ids import draw
from pipeline.core.pool import Workers
from pipeline.core.running import complete
from pipeline.core.stage import Call
from pipeline.tasks.sts.build_inputs import FileTranslator
from pipeline.tasks.sts.translation import letters, translation_refusal


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("KEY_VAR", KEY)
    monkeypatch.setenv("SECRET_VAR", SECRET)
    with running() as made:
        yield made


def _file(tmp_path: Path, rows: list[dict[str, str]], *more: str) -> dict[str, Any]:
    path = tmp_path / "ready.jsonl"
    lines = [json.dumps(row, ensure_ascii=False) for row in rows] + list(more)
    path.write_text("\n".join(lines), "utf-8")
    return FileTranslator(kind="file", paths=(str(path),)).model_dump(mode="json")


def _ledger(made: Call) -> list[tuple[str, str, str]]:
    rows = store.read_all(made.folder, "ledger").to_pylist()
    assert {row["stage"] for row in rows} <= {"translate"}
    return sorted((row["unit"], row["action"], row["rule"]) for row in rows)


def test_quota_and_reserve_are_translated_in_keyed_order(tmp_path: Path, service: Service) -> None:
    keep(tmp_path, [unit("airbnb", n, text) for n, text in enumerate(TEXTS)])
    made = make_call(tmp_path, papago(service), quotas={"airbnb-rtt": 10}, reserve=0.15)
    complete(made)
    rows = store.read_all(made.folder, "translations").to_pylist()
    order = sorted(range(40), key=lambda n: draw(7, "sts.translate", f"airbnb-s{n:03}"))
    assert [row["unit"] for row in rows] == [f"airbnb-s{n:03}" for n in order[:12]]
    first = rows[0]
    assert first["pivot"] == f"[en] {first['text']}"
    assert first["back"] == f"다시 {first['text']}요"
    assert first["translator"] == made.params["translator"]["name"]
    drawn = store.read_all(made.folder, "drawn").to_pylist()
    assert [(row["item"], row["role"]) for row in drawn] == [
        (row["unit"], "translated") for row in rows
    ]
    counts = store.read_manifest(made.folder)
    assert counts is not None
    assert (counts.counts.rows_in, counts.counts.drawn, counts.counts.undrawn) == (40, 12, 28)
    assert len(service.billed) == 24


def test_what_is_refused_is_in_the_ledger_and_costs_little(
    tmp_path: Path, service: Service
) -> None:
    units = [
        unit("airbnb", 0, "짧다."),
        unit("airbnb", 1, "가" * 61),
        unit("airbnb", 2, "창이 넓고 조용했다.", cluster="airbnb-s002"),
        unit("airbnb", 3, "창이 넓고 조용했다!", cluster="airbnb-s002"),
        unit("airbnb", 4, "부엌도 깨끗했다 정말."),
    ]
    keep(tmp_path, units)
    made = make_call(tmp_path, papago(service), quotas={"airbnb-rtt": 9})
    complete(made)
    ledger = _ledger(made)
    assert ("airbnb-s000", "drop", "sts.length@1") in ledger
    assert ("airbnb-s001", "drop", "sts.length@1") in ledger
    near = [unit for unit, _, rule in ledger if rule == "sts.near_duplicate@1"]
    assert len(near) == 1
    assert near[0] in {"airbnb-s002", "airbnb-s003"}
    assert ("sts:airbnb:airbnb-rtt", "short", "sts.quota@1") in ledger
    assert len(service.billed) == 4  # two sentences, both ways


def test_ready_translations_alone_are_walked(tmp_path: Path) -> None:
    keep(tmp_path, [unit("airbnb", n, text) for n, text in enumerate(TEXTS)])
    settings = _file(
        tmp_path,
        [
            {"text": TEXTS[3], "back": "숙소는 역 근처에 있었습니다.", "pivot": "Near."},
            {"text": TEXTS[5], "back": f"  {TEXTS[5].rstrip('.')} !"},
            {"text": TEXTS[7], "back": "The house was near."},
            {"text": TEXTS[9], "back": " "},
            {"text": "모르는 문장이었다.", "back": "알 수 없는 문장이었습니다."},
        ],
        "{broken",
    )
    quotas = {"airbnb-rtt": 30, "policy-rtt": 2, "policy-sampled": 9}
    made = make_call(tmp_path, settings, quotas=quotas)
    complete(made)
    (row,) = store.read_all(made.folder, "translations").to_pylist()
    assert (row["unit"], row["pivot"]) == ("airbnb-s003", "Near.")
    ledger = _ledger(made)
    assert [(unit, rule) for unit, action, rule in ledger if action == "drop"] == [
        ("airbnb-s005", "sts.unchanged@1"),
        ("airbnb-s007", "sts.untranslated@1"),
        ("airbnb-s009", "sts.untranslated@1"),
    ]
    assert [rule for _, action, rule in ledger if action == "quarantine"] == [
        "sts.translation_malformed@1"
    ]
    short = [unit for unit, action, _ in ledger if action == "short"]
    assert short == ["sts:airbnb:airbnb-rtt", "sts:policy:policy-rtt, not in this build"]


def test_without_translator_quotas_are_short(tmp_path: Path) -> None:
    keep(tmp_path, [unit("airbnb", 0, TEXTS[0])])
    quotas = {"airbnb-rtt": 3, "airbnb-sampled": 3, "elsewhere-rtt": 4}
    made = make_call(tmp_path, None, quotas=quotas)
    complete(made)
    rows = store.read_all(made.folder, "ledger").to_pylist()
    assert {row["unit"]: row["score"] for row in rows} == {
        "sts:airbnb:airbnb-rtt": 3.0,
        "sts:elsewhere:elsewhere-rtt, not in this build": 4.0,
    }
    assert store.read_all(made.folder, "translations").num_rows == 0


def test_a_source_with_another_quota_is_not_translated(tmp_path: Path, service: Service) -> None:
    keep(tmp_path, [unit("airbnb", 0, TEXTS[0]), unit("policy", 0, TEXTS[1])])
    both = ("airbnb", "policy")
    quotas = {"airbnb-rtt": 1, "policy-sampled": 2}
    made = make_call(tmp_path, papago(service), quotas=quotas, sources=both)
    complete(made)
    rows = store.read_all(made.folder, "translations").to_pylist()
    assert [row["source"] for row in rows] == ["airbnb"]


def test_numbers_of_other_pairs_do_not_make_it_run_again(tmp_path: Path) -> None:
    keep(tmp_path, [unit("airbnb", 0, TEXTS[0])])
    calls = [
        make_call(tmp_path, None, quotas={"airbnb-rtt": 3, "airbnb-sampled": n}, pool=n)
        for n in (1, 2)
    ]
    assert calls[0].fingerprint == calls[1].fingerprint
    more = make_call(tmp_path, None, quotas={"airbnb-rtt": 4, "airbnb-sampled": 1})
    assert more.fingerprint != calls[0].fingerprint


def test_a_quota_without_any_round_trip_source(tmp_path: Path) -> None:
    keep(tmp_path, [unit("airbnb", 0, TEXTS[0])])
    made = make_call(tmp_path, None, quotas={"airbnb-sampled": 3})
    complete(made)
    assert store.read_all(made.folder, "ledger").num_rows == 0


@pytest.mark.thin("fault", "paid")
@pytest.mark.parametrize("fault", [error(429, "400"), error(503), (0, b"", {})])
@pytest.mark.parametrize("paid", [0, 1, 6, 7])
def test_a_run_that_failed_half_way_pays_for_nothing_twice(
    tmp_path: Path, service: Service, fault: Any, paid: int
) -> None:
    keep(tmp_path, [unit("airbnb", n, text) for n, text in enumerate(TEXTS)])
    made = make_call(tmp_path, papago(service), quotas={"airbnb-rtt": 5}, reserve=0)
    once = service.answer
    service.answer = lambda *given: fault if len(service.billed) == paid else once(*given)  # type: ignore[method-assign]
    with pytest.raises(RetryError):
        complete(made)
    assert not made.done
    assert len(service.billed) == paid
    service.answer = once  # type: ignore[method-assign]
    complete(made)
    assert store.read_all(made.folder, "translations").num_rows == 5
    assert len(service.billed) == len(set(service.billed)) == 10


def test_a_wrong_key_stops_the_run(
    tmp_path: Path, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_VAR", "wrong")
    keep(tmp_path, [unit("airbnb", 0, TEXTS[0])])
    with pytest.raises(InputError, match="the key is wrong"):
        complete(make_call(tmp_path, papago(service), quotas={"airbnb-rtt": 1}))


def test_a_file_that_changed_after_the_plan_is_refused(tmp_path: Path) -> None:
    keep(tmp_path, [unit("airbnb", 0, TEXTS[0])])
    settings = _file(tmp_path, [{"text": TEXTS[0], "back": "역 근처였습니다."}])
    made = make_call(tmp_path, settings, quotas={"airbnb-rtt": 1})
    _file(tmp_path, [{"text": TEXTS[0], "back": "멀었습니다."}])
    with pytest.raises(InputError, match="changed since the run was planned"):
        complete(made)


def test_the_same_bytes_for_any_workers_and_order(tmp_path: Path, service: Service) -> None:
    units = [unit("airbnb", n, text) for n, text in enumerate(TEXTS)]
    units += [unit("policy", n, f"정부는 {text}") for n, text in enumerate(TEXTS)]
    found = []
    for n, reverse in ((1, False), (2, True)):
        work = tmp_path / str(n)
        keep(work, units, reverse=reverse)
        quotas = {"airbnb-rtt": 6, "policy-rtt": 6}
        made = make_call(work, papago(service), quotas=quotas, sources=("airbnb", "policy"))
        with Workers(n):
            complete(made)
        manifest = store.read_manifest(made.folder)
        assert manifest is not None
        found.append(manifest.content)
        tables = [pq.read_table(path) for path in store.tables(made.folder, "translations")]
        assert [table.num_rows for table in tables] == [7, 7]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("text", "back", "same"),
    [
        ("위치, 가격 다 좋아요!", "위치 가격 다 좋아요.", True),
        ("Wi-Fi 됩니다", "WIFI 됩니다", True),
        ("５층입니다", "5층입니다.", True),
        ("위치, 가격 다 좋아요!", "위치, 가격 모두 좋아요!", False),
        ("4만 원입니다", "5만 원입니다", False),
    ],
)
def test_marks_and_width_are_no_change(text: str, back: str, same: bool) -> None:
    assert (letters(text) == letters(back)) is same


def test_real_round_trips_all_pass(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-sts-v1.1_dev.json"
    pairs = [one for one in json.loads(path.read_text("utf-8")) if one["source"].endswith("-rtt")]
    assert len(pairs) == 181
    for one in pairs:
        assert translation_refusal(one["sentence1"], one["sentence2"]) is None
    assert translation_refusal(pairs[0]["sentence1"], pairs[0]["sentence1"])
