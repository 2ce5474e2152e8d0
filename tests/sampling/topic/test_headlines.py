"""Headlines: quotas by press section, keyed draws, and a category that annotators never see."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipeline.annotation.exchange.registry import FORMATS
from pipeline.core import running, schemas, store
from pipeline.core.ids import draw
from pipeline.core.jsontext import parsed
from pipeline.core.stage import Call, call
from pipeline.sampling.topic.headlines import DUPLICATE, SECTION
from pipeline.tasks.spec import load_spec

MODULE = "pipeline.sampling.topic.headlines"
NAMES = ["정치", "경제", "사회", "생활/문화", "세계", "IT/과학", "스포츠"]
SECTIONS = dict(zip(NAMES, load_spec("tc").sampling.quotas, strict=True))  # type: ignore[union-attr]


def _document(number: int, section: str | None, source: str) -> dict[str, Any]:
    return {
        "id": f"{source}-d{number:04}",
        "source": source,
        "key": str(number),
        "text": f"제목 {number}",
        "sections": [],
        "meta": [],
        "file": "f",
        "line": number + 1,
        "date": "2018-03-04",
        "section": section,
        "url": f"https://news.example.org/read?aid={number}",
    }


def _unit(number: int, cluster: int, source: str) -> dict[str, Any]:
    return {
        "id": f"{source}-w{number:04}",
        "source": source,
        "document": f"{source}-d{number:04}",
        "kind": "whole",
        "ordinal": 0,
        "start": 0,
        "end": 4,
        "text": f"제목 {number}",
        "cluster": f"{source}-w{cluster:04}",
    }


def _call(
    folder: Path,
    sections: list[str | None],
    *,
    quota: int,
    clusters: dict[int, int] | None = None,
    files: int = 1,
    sources: tuple[str, ...] = ("yna",),
) -> Call:
    """Lay out the folders of select and dedup by hand, and make a call over them."""
    dedup = folder / "store" / "all" / "dedup-x"
    dedup.mkdir(parents=True)
    inputs = [dedup]
    for source in sources:
        select = folder / "store" / source / "select-x"
        select.mkdir(parents=True)
        inputs.append(select)
        rows = [_document(n, section, source) for n, section in enumerate(sections)]
        units = [_unit(n, (clusters or {}).get(n, n), source) for n in range(len(sections))]
        for part in range(files):
            label = f"{part:05}"
            documents = schemas.build("documents", rows[part::files])
            store.write_table(select, "documents", label, documents)
            kept = schemas.build("kept", units[part::files])
            store.write_table(dedup, "kept", f"{source}-{label}", kept)
    sampling = load_spec("tc").sampling
    assert sampling is not None
    plain = sampling.model_dump(mode="json")
    plain["quotas"] = dict.fromkeys(plain["quotas"], quota)
    params = {
        "seed": 5,
        "sampling": plain,
        "sources": {s: {"kind": "whole", "style": "formal"} for s in sources},
    }
    return replace(call(MODULE, work=folder, source="tc", params=params), inputs=tuple(inputs))


def _done(planned: Call) -> dict[str, pa.Table]:
    running.complete(planned)
    return {
        name: pa.concat_tables(
            [store.read_table(path, name) for path in store.tables(planned.folder, name)]
        )
        for name in ("items", "drawn", "ledger")
    }


def test_each_section_gets_its_quota_by_keyed_draw(tmp_path: Path) -> None:
    given: list[str | None] = [NAMES[n % 7] for n in range(350)]
    found = _done(_call(tmp_path, given, quota=5))
    units: dict[str, list[str]] = {}
    for row in found["items"].to_pylist():
        meta = parsed(row["meta"])
        units.setdefault(meta["section"], []).append(meta["units"][0])
    for name, id_ in SECTIONS.items():
        own = [f"yna-w{n:04}" for n, section in enumerate(given) if section == name]
        assert units[id_] == sorted(own, key=lambda unit: draw(5, "tc", unit))[:5]
    assert found["ledger"].num_rows == 0


def test_sections_are_mixed_in_the_order_of_items(tmp_path: Path) -> None:
    found = _done(_call(tmp_path, [NAMES[n % 7] for n in range(350)], quota=5))
    sections = [parsed(meta)["section"] for meta in found["items"]["meta"].to_pylist()]
    runs = sum(one != two for one, two in pairwise(sections))
    assert runs > 15  # 35 headlines in seven blocks would change section six times


def test_order_of_input_makes_no_difference(tmp_path: Path) -> None:
    given: list[str | None] = [NAMES[n % 7] for n in range(100)]
    one = _done(_call(tmp_path / "1", given, quota=4, files=1))
    three = _done(_call(tmp_path / "3", given, quota=4, files=3))
    assert one["items"].equals(three["items"])
    assert one["ledger"].equals(three["ledger"])


def test_a_headline_of_no_known_section_is_refused(tmp_path: Path) -> None:
    found = _done(_call(tmp_path, ["정치", None, "", "연예", "오피니언"], quota=3))
    rows = found["ledger"].to_pylist()
    refused = {row["unit"] for row in rows if row["rule"] == SECTION}
    assert refused == {f"yna-w{n:04}" for n in (1, 2, 3, 4)}
    assert not any("연예" in row["reason"] for row in rows)


def test_one_headline_of_a_cluster(tmp_path: Path) -> None:
    found = _done(_call(tmp_path, ["정치", "정치", "세계"], quota=3, clusters={1: 0, 2: 0}))
    assert found["items"].num_rows == 1
    rules = Counter(found["ledger"]["rule"].to_pylist())
    assert rules[DUPLICATE] == 2


def test_quotas_that_cannot_be_met_are_noted(tmp_path: Path) -> None:
    found = _done(_call(tmp_path, ["정치", "정치"], quota=3))
    short = {
        row["unit"]: row["score"] for row in found["ledger"].to_pylist() if row["action"] == "short"
    }
    assert short == {f"tc:yna:{id_}": 1 if id_ == "정치" else 3 for id_ in SECTIONS.values()}


def test_an_empty_source_is_noted_for_every_section(tmp_path: Path) -> None:
    found = _done(_call(tmp_path, [], quota=2))
    assert found["items"].num_rows == 0
    assert found["ledger"]["action"].to_pylist() == ["short"] * 7


def test_two_sources_share_the_quotas(tmp_path: Path) -> None:
    given: list[str | None] = [NAMES[n % 7] for n in range(70)]
    found = _done(_call(tmp_path, given, quota=6, sources=("yna", "zeitung")))
    counts = Counter(found["items"]["source"].to_pylist())
    assert counts == {"yna": 21, "zeitung": 21}


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_no_form_for_annotators_tells_the_section(form: str, tmp_path: Path) -> None:
    items = _done(_call(tmp_path, ["생활/문화", "IT/과학"], quota=2))["items"]
    told = {parsed(meta)["predefined_news_category"] for meta in items["meta"].to_pylist()}
    assert told == {"생활/문화", "IT/과학"}
    spec = load_spec("tc")
    (tmp_path / "out").mkdir()
    files = FORMATS[form].write(items, spec=spec, round_=spec.rounds[0], folder=tmp_path / "out")
    text = "".join(path.read_text("utf-8") for path in files)
    assert "제목 0" in text and "제목 1" in text
    for secret in ("생활/문화", "IT/과학", "predefined_news_category", "news.example.org"):
        assert secret not in text
    assert all(set(parsed(one)) == {"title"} for one in items["fields"].to_pylist())
    assert set(items["sampler"].to_pylist()) == {"headlines"}
