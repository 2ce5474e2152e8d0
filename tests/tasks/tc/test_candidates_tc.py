"""Headlines: quotas by press section, keyed draws, and a category that annotators never see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipeline.annotation.exchange.formats import FORMATS
from pipeline.contracts.spec import load_spec
from pipeline.core import running, schemas, store
from pipeline.core.ids import draw
from pipeline.core.jsontext import parsed
from pipeline.core.stage import Call, call
from pipeline.sampling import inputs
from pipeline.tasks.tc.candidates import SECTION

MODULE = "pipeline.tasks.tc.candidates"
DUPLICATE = "tc.near_duplicate@1"
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


def _unit(number: int, cluster: str, source: str) -> dict[str, Any]:
    return {
        "id": f"{source}-w{number:04}",
        "source": source,
        "document": f"{source}-d{number:04}",
        "kind": "whole",
        "ordinal": 0,
        "start": 0,
        "end": 4,
        "text": f"제목 {number}",
        "cluster": cluster,
    }


def _call(
    folder: Path,
    sections: list[str | None] | Mapping[str, list[str | None]],
    *,
    quota: int,
    clusters: Mapping[int, str] | None = None,
    files: int = 1,
) -> Call:
    """Lay out the folders of select and dedup by hand, and make a call over them.

    `sections` are those of the headlines of yna, or of each source.
    """
    given = {"yna": sections} if isinstance(sections, list) else sections
    dedup = folder / "store" / "all" / "dedup-x"
    dedup.mkdir(parents=True)
    folders = [dedup]
    for source, own in given.items():
        select = folder / "store" / source / "select-x"
        select.mkdir(parents=True)
        folders.append(select)
        rows = [_document(n, section, source) for n, section in enumerate(own)]
        units = [
            _unit(n, (clusters or {}).get(n, f"{source}-{n}"), source) for n in range(len(own))
        ]
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
        "sources": {s: {"kind": "whole", "style": "formal"} for s in given},
    }
    return replace(call(MODULE, work=folder, source="tc", params=params), inputs=tuple(folders))


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


def test_sections_of_the_build_file(tmp_path: Path) -> None:
    given: list[str | None] = ["정치", None, "연예 / 방송", "오피니언"]

    def count_drawn(name: str, sections: object) -> Counter[str]:
        planned = _call(tmp_path / name, given, quota=3)
        found = _done(replace(planned, params={**planned.params, "sections": sections}))
        return Counter(parsed(meta)["section"] for meta in found["items"]["meta"].to_pylist())

    assert count_drawn("more", {"생활문화": ["연예/방송"]}) == {"정치": 1, "생활문화": 1}
    assert count_drawn("any", "any") == {"any": 4}


def test_one_headline_of_a_cluster(tmp_path: Path) -> None:
    found = _done(
        _call(
            tmp_path, ["정치", "정치", "세계"], quota=3, clusters={0: "same", 1: "same", 2: "same"}
        )
    )
    assert found["items"].num_rows == 1
    rules = Counter(found["ledger"]["rule"].to_pylist())
    assert rules[DUPLICATE] == 2


def test_quotas_that_cannot_be_met_are_noted(tmp_path: Path) -> None:
    found = _done(_call(tmp_path, ["정치", "정치"], quota=3))
    short = {
        row["unit"]: row["score"] for row in found["ledger"].to_pylist() if row["action"] == "short"
    }
    assert short == {f"tc:all:{id_}": 1 if id_ == "정치" else 3 for id_ in SECTIONS.values()}


def test_an_empty_source_is_noted_for_every_section(tmp_path: Path) -> None:
    found = _done(_call(tmp_path, [], quota=2))
    assert found["items"].num_rows == 0
    assert found["ledger"]["action"].to_pylist() == ["short"] * 7


def test_a_section_is_a_keyed_draw_over_all_sources(tmp_path: Path) -> None:
    own: dict[str, list[str | None]] = {
        "yna": [NAMES[n % 7] for n in range(70)],
        "zeitung": [NAMES[n % 7] for n in range(210)],
    }
    found = _done(_call(tmp_path, own, quota=6))
    units = found["drawn"]["unit"].to_pylist()
    for name in NAMES:
        all_ = [
            f"{s}-w{n:04}" for s, given in own.items() for n, x in enumerate(given) if x == name
        ]
        wanted = sorted(all_, key=lambda unit: draw(5, "tc", unit))[:6]
        assert [unit for unit in units if unit in all_] == sorted(
            wanted, key=lambda unit: (unit.split("-")[0], draw(5, "tc", unit))
        )
    rows = found["items"].to_pylist()
    assert all(parsed(row["meta"])["units"][0].startswith(row["source"]) for row in rows)
    assert not found["ledger"].num_rows


def test_what_one_source_lacks_the_other_makes_up_for(tmp_path: Path) -> None:
    """A source without sports headlines takes nothing from the quota of sports."""
    own: dict[str, list[str | None]] = {
        "yna": [NAMES[n % 6] for n in range(600)],
        "zeitung": [NAMES[n % 7] for n in range(70)],
    }
    found = _done(_call(tmp_path, own, quota=10))
    sections = Counter(parsed(meta)["section"] for meta in found["items"]["meta"].to_pylist())
    assert sections == dict.fromkeys(SECTIONS.values(), 10)
    assert found["ledger"].num_rows == 0


def test_a_quota_of_several_sources_is_noted_once(tmp_path: Path) -> None:
    own: dict[str, list[str | None]] = {"yna": ["정치"], "zeitung": ["정치", None], "third": []}
    rows = _done(_call(tmp_path, own, quota=3))["ledger"].to_pylist()
    short = {row["unit"]: row["score"] for row in rows if row["action"] == "short"}
    assert len([row for row in rows if row["action"] == "short"]) == 7
    assert (short["tc:all:정치"], short["tc:all:경제"]) == (1, 3)
    assert [row["source"] for row in rows if row["rule"] == SECTION] == ["zeitung"]


def test_several_empty_sources_are_noted(tmp_path: Path) -> None:
    found = _done(_call(tmp_path, {"yna": [], "zeitung": []}, quota=2))
    assert found["ledger"]["action"].to_pylist() == ["short"] * 7


def test_quotas_smaller_than_the_sources_are_many_are_kept_to(tmp_path: Path) -> None:
    own: dict[str, list[str | None]] = {f"paper{n}": ["정치"] * 5 for n in range(4)}
    assert _done(_call(tmp_path, own, quota=1))["items"].num_rows == 1


def test_near_duplicates_of_two_sources_are_one(tmp_path: Path) -> None:
    own: dict[str, list[str | None]] = {"yna": ["정치"], "zeitung": ["정치"]}
    made = _call(tmp_path, own, quota=2, clusters={0: "same"})
    found = _done(made)
    assert found["items"].num_rows == 1
    assert DUPLICATE in found["ledger"]["rule"].to_pylist()


def test_pools_of_any_size_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own: dict[str, list[str | None]] = {
        "yna": [[*NAMES, None][n % 8] for n in range(80)],
        "zeitung": [NAMES[n % 7] for n in range(50)],
    }
    one = _done(_call(tmp_path / "one", own, quota=9))
    monkeypatch.setattr(inputs, "MOST", 3)
    many = _done(_call(tmp_path / "many", own, quota=9))
    assert all(one[name].equals(many[name]) for name in one)


def test_texts_of_documents_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    plain = inputs.rows

    def rows(*given: Any, **named: Any) -> Iterator[pa.Table]:
        for table in plain(*given, **named):
            asked.append(table.column_names)
            yield table

    monkeypatch.setattr(inputs, "rows", rows)
    _done(_call(tmp_path, ["정치", "세계"], quota=1))
    assert {tuple(sorted(one)) for one in asked} == {("date", "id", "section", "url")}


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
