"""The sample build, read back, and what in it differs from data/sample/gold.jsonl."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import mini

from pipeline.core import store

Row = dict[str, Any]
SAMPLE = mini.ROOT / "data" / "sample"
BUILD = mini.ROOT / "data" / "builds" / "sample.yaml"


def gold_rows() -> list[Row]:
    """Return gold.jsonl (its fields: data/sample/README.md)."""
    lines = (SAMPLE / "gold.jsonl").read_text("utf-8").removesuffix("\n").split("\n")
    return [json.loads(line) for line in lines]


class Sample:
    """The tables of a finished sample build, and the JSON that the build printed."""

    def __init__(self, work: Path) -> None:
        """Build into `work` through the command line."""
        self.work = work
        self.printed = mini.built(BUILD, work)
        calls = json.loads((work / "builds" / "sample.corpus.json").read_text("utf-8"))["calls"]
        self._folders = {(call["stage"], call["source"]): work / call["folder"] for call in calls}

    @property
    def sources(self) -> list[str]:
        """The sources of the build."""
        return sorted({source for stage, source in self._folders if stage == "read"})

    def stages(self, source: str) -> set[str]:
        """Return the stages that a source went through."""
        return {stage for stage, of in self._folders if of == source}

    def rows(self, stage: str, source: str, table: str) -> list[Row]:
        """Return the rows of one table of one stage and source."""
        rows: list[Row] = store.read_all(self._folders[stage, source], table).to_pylist()
        return rows

    def files(self) -> list[Path]:
        """Return the files of the corpus: its stages' outputs, and all that is not in the store."""
        store_of_all = self.work / "store"
        whole = [path for path in self.work.rglob("*") if store_of_all not in path.parents]
        stages = [path for folder in self._folders.values() for path in folder.rglob("*")]
        return sorted(path for path in (*whole, *stages) if path.is_file())

    def _of_all(self, stage: str, table: str) -> list[Row]:
        with_stage = [source for source in self.sources if (stage, source) in self._folders]
        return [row for source in with_stage for row in self.rows(stage, source, table)]

    @cached_property
    def documents(self) -> dict[str, Row]:
        """Every document that was selected, by id."""
        return {row["id"]: row for row in self._of_all("select", "documents")}

    @cached_property
    def units(self) -> dict[tuple[str, str], list[Row]]:
        """The units as segmented, in their order, by document and kind."""
        found = defaultdict(list)
        for row in sorted(self._of_all("segment", "units"), key=lambda row: row["ordinal"]):
            found[row["document"], row["kind"]].append(row)
        return found

    @cached_property
    def kinds(self) -> dict[str, list[str]]:
        """The kinds of units of each source."""
        pairs = {(row["source"], kind) for (_, kind), rows in self.units.items() for row in rows}
        return {s: sorted(kind for source, kind in pairs if source == s) for s in self.sources}

    @cached_property
    def kept(self) -> dict[str, Row]:
        """The units that were kept, by id."""
        return {row["id"]: row for row in self.rows("dedup", "all", "kept")}

    @cached_property
    def decisions(self) -> dict[str, list[Row]]:
        """The ledger rows of all stages that decide on units, in order, by unit."""
        found = defaultdict(list)
        screens = [
            row for stage in ("clean", "pii", "toxicity") for row in self._of_all(stage, "ledger")
        ]
        for row in screens + self.rows("dedup", "all", "ledger"):
            found[row["unit"]].append(row)
        return found

    @cached_property
    def refusals(self) -> list[Row]:
        """The ledger rows of records that became no document."""
        return self._of_all("read", "ledger") + self._of_all("select", "ledger")

    @cached_property
    def clusters(self) -> dict[str, list[Row]]:
        """The kept units of each cluster that holds units of several documents."""
        found = defaultdict(list)
        for row in self.kept.values():
            found[row["cluster"]].append(row)
        return {k: rows for k, rows in found.items() if len({r["document"] for r in rows}) > 1}


def refused(rows: list[Row]) -> list[tuple[str, str, int, str, str]]:
    """Return (source, file name, line, rule, action) of gold or ledger rows about records."""
    return sorted(
        (row["source"], Path(row["file"]).name, row["line"], rule, row["action"])
        for row in rows
        for rule in row.get("rules", [row.get("rule")])
    )


def mismatches(sample: Sample, gold: list[Row]) -> Iterator[str]:
    """Say of every planted document what differs from its gold rows, unit by unit."""
    about_units = [row for row in gold if row["line"] is None]
    for (source, key), group in groupby(about_units, lambda row: (row["source"], row["key"])):
        rows = list(group)
        found = [d for d in sample.documents.values() if _is(d, source, key)]
        if len(found) != 1:
            yield f"{source} {key}: {len(found)} documents, 1 wanted"
            continue
        for kind in sample.kinds[source]:
            units = sample.units[found[0]["id"], kind]
            wanted = [row for row in rows if row["kind"] in {None, kind}]
            yield from _differing(sample, f"{source} {key} {kind}", wanted, units)


def _is(document: Row, source: str, key: str) -> bool:
    names = {document["key"], document["title"], f"L{document['line']}"}
    return document["source"] == source and key in names


def _differing(sample: Sample, where: str, wanted: list[Row], units: list[Row]) -> Iterator[str]:
    texts = [unit["text"] for unit in units]
    if texts != [row["sentence"] for row in wanted]:
        yield f"{where}: the units\n  want {[row['sentence'] for row in wanted]}\n  are  {texts}"
        return
    for row, unit in zip(wanted, units, strict=True):
        want = (row["action"], row["rules"], row["after"])
        got = _outcome(sample, unit)
        if want != got:
            yield f"{where}: {unit['text']!r}\n  want {want}\n  got  {got}"
        elif row["near"] and row["near"] not in _neighbours(sample, unit):
            yield f"{where}: {unit['text']!r} shares no cluster with {row['near']!r}"


def _outcome(sample: Sample, unit: Row) -> tuple[str, list[str], str | None]:
    """Return the action on a unit, its rules in order, and the text that was kept."""
    rows = sample.decisions.get(unit["id"], [])
    actions = [row["action"] for row in rows]
    action = actions[-1] if actions else "keep"
    if "drop" in actions[:-1]:
        action = "decided on after it was dropped"
    kept = sample.kept.get(unit["id"])
    return action, [row["rule"] for row in rows], kept["text"] if kept else None


def _neighbours(sample: Sample, unit: Row) -> set[str]:
    rows = sample.clusters.get(sample.kept[unit["id"]]["cluster"], [])
    return {row["text"] for row in rows if row["document"] != unit["document"]}
