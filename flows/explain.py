"""The life of a document, section, unit, record or candidate: its origin, and every decision."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from pipeline.core import store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.ids import source_of
from pipeline.pii.masking import mask

Row = dict[str, Any]

#: A key of letters and digits that is shorter than any number of a person is shown as it is.
PLAIN = 9
#: The stage that draws candidates; its source is a task.
CANDIDATES = "candidates"
#: The stages whose votes are all there are of a task, the last one first.
ANSWERED = ("decide", "collect", "answer")
#: The letter after the source in an id, and the kind it stands for.
KINDS = {
    "d": "document",
    "p": "section",
    "s": "sentence",
    "w": "whole",
    "q": "record",
    "c": "candidate",
}


@dataclass(frozen=True)
class Step:
    """One thing that happened: at which stage, by which rule (if any), and what of it."""

    stage: str
    rule: str | None
    action: str
    detail: str


@dataclass(frozen=True)
class Life:
    """All that is known of an id, in order of time."""

    id: str
    kind: str
    build: str
    steps: list[Step]

    def record(self) -> Row:
        """Return the same as a JSON value."""
        return {
            "id": self.id,
            "kind": self.kind,
            "build": self.build,
            "steps": [asdict(step) for step in self.steps],
        }


def explain(name: str, work: Path, build: str | None = None) -> Life:
    """Tell the life of an id, looked up in the builds of a work directory.

    Raises InputError when the id has no form that this project gives, or no build knows it.
    """
    kind = KINDS.get(name.rpartition("-")[2][:1])
    if not source_of(name) or kind is None:
        raise InputError(
            f"{name!r} is not an id; ids look like nsmc-s4f0c... (source, kind, digest) and stand"
            " in the columns `id` and `unit` of the tables"
        )
    pointers = _pointers(work, build)
    for pointer in pointers:
        steps = _Lookup(work, pointer).steps(name, kind)
        if steps:
            return Life(name, kind, pointer["name"], steps)
    raise InputError(
        f"{name}: unknown in the builds {', '.join(p['name'] for p in pointers)} of {work}; check"
        " the id, or give the --work directory of the build that it belongs to"
    )


def _pointers(work: Path, build: str | None) -> list[Row]:
    names = sorted(path.stem for path in (work / "builds").glob("*.json"))
    found = [name for name in names if build in {None, name}]
    if not found:
        known = f"it has {', '.join(names)}" if names else "run `klue build BUILD.yaml` first"
        what = f"no build {build!r}" if build else "no build"
        raise InputError(f"{work}: holds {what}; {known}")
    return [_pointer(work / "builds" / f"{name}.json") for name in found]


def _pointer(path: Path) -> Row:
    try:
        pointer = json.loads(path.read_text("utf-8"))
        return {"name": pointer["name"], "calls": list(pointer["calls"])}
    except (ValueError, TypeError, KeyError):
        raise StoreError(f"{path}: damaged; run the build again") from None


class _Lookup:
    """Finds rows of one id in the stage outputs of one build."""

    def __init__(self, work: Path, pointer: Row) -> None:
        self._folders = {
            (call["stage"], call["source"]): work / call["folder"] for call in pointer["calls"]
        }

    def steps(self, name: str, kind: str) -> list[Step]:
        source = source_of(name)
        if kind == "candidate":
            return self._candidate(name, source)
        if ("read", source) not in self._folders:
            return []
        if kind == "document":
            return self._document(name, source)
        if kind == "section":
            return self._section(name, source)
        if kind == "record":
            return self._ledger("read", source, name)
        return self._unit(name, source, kind)

    def _unit(self, name: str, source: str, kind: str) -> list[Step]:
        rows = self._rows("segment", source, "units", "id", name)
        if not rows:
            return self._ledger("segment", source, name)
        unit = rows[0]
        where = f"code points {unit['start']} to {unit['end']} of {unit['document']}"
        steps = self._origin(unit["document"], source)
        steps.append(Step("segment", None, unit["kind"], f"{where}: {mask(unit['text'])}"))
        steps += self._ledger("clean", source, name)
        cleaned = self._rows("clean", source, "units", "id", name)
        if cleaned and cleaned[0]["text"] != unit["text"]:
            steps.append(Step("clean", None, "result", mask(cleaned[0]["text"])))
        steps += self._ledger("pii", source, name)
        for row in self._rows("score", source, "scores", "unit", name):
            detail = f"gender bias {row['gender_bias']:g}, hate {row['hate']:g}"
            steps.append(Step("score", None, "scored", detail))
        steps += self._ledger("toxicity", source, name)
        steps += self._ledger("dedup", "all", name)
        for kept in self._rows("dedup", "all", "kept", "id", name):
            others = self._rows("dedup", "all", "kept", "cluster", kept["cluster"])
            detail = f"cluster {kept['cluster']} of {len(others)}"
            steps.append(Step("dedup", None, "kept", detail))
            steps += self._drawn(name, kind)
        return steps

    def _drawn(self, name: str, kind: str) -> list[Step]:
        """Tell what the tasks made of a unit or section: candidates, why not, or nothing."""
        steps = []
        for task in (source for stage, source in self._folders if stage == CANDIDATES):
            found = self._ledger(CANDIDATES, task, name)
            for row in self._rows(CANDIDATES, task, "drawn", "unit", name):
                role = f" as {row['role']}" if row["role"] else ""
                found.append(Step(CANDIDATES, None, "drawn", f"{task}: {row['item']}{role}"))
            if not found and self._reads(task, source_of(name), kind):
                full = f"{task}: not looked at, or not needed, when its quotas were full"
                found = [Step(CANDIDATES, None, "undrawn", full)]
            steps += found
        return steps

    def _reads(self, task: str, source: str, kind: str) -> bool:
        """Tell whether a task draws from units of that kind of a source."""
        made = store.read_manifest(self._folders[CANDIDATES, task])
        given = made.params["sources"].get(source) if made is not None else None
        wanted = "section" if task == "mrc" else given and given["kind"]
        return given is not None and wanted == kind

    def _candidate(self, name: str, task: str) -> list[Step]:
        """Tell of a candidate, or of a pair written for one, from the raw file to its split."""
        drawn = name.partition(".")[0]
        items = self._rows(CANDIDATES, task, "items", "item", drawn)
        if not items:
            return []
        steps = [step for item in items for step in self._sampled(drawn, task, item)]
        annotated = self._annotated(name, task)
        return steps + annotated if annotated or drawn == name else []

    def _sampled(self, name: str, task: str, item: Row) -> list[Step]:
        parts = self._rows(CANDIDATES, task, "drawn", "item", name)
        units = ", ".join(f"{p['role'] or 'unit'} {p['unit']}" for p in parts) or "no corpus"
        steps = [step for part in parts for step in self._cut(part["unit"])]
        detail = f"{task} from {item['source']} by {item['sampler']}: {units}"
        steps.append(Step(CANDIDATES, None, "drawn", detail))
        steps.append(Step(CANDIDATES, None, "shows", mask(item["fields"])))
        evidence = {k: v for k, v in json.loads(item["meta"] or "{}").items() if k != "units"}
        if evidence:
            told = json.dumps(evidence, ensure_ascii=False, sort_keys=True)
            steps.append(Step(CANDIDATES, None, "evidence", mask(told)))
        return steps

    def _cut(self, name: str) -> list[Step]:
        """Tell where a unit or section was read and cut out."""
        source, table = source_of(name), "sections" if "-p" in name[-23:] else "units"
        steps = []
        for row in self._rows("segment", source, table, "id", name):
            steps += self._origin(row["document"], source)
            where = f"code points {row['start']} to {row['end']} of {row['document']}: {name}"
            steps.append(Step("segment", None, "cut", where))
        return steps

    def _annotated(self, name: str, task: str) -> list[Step]:
        """Tell what annotators, aggregation and the split rule made of an item; no answer is told.

        What is gold of a test example is nobody's to see, so nobody's is.
        """
        steps = []
        answered = next((s for s in ANSWERED if (s, task) in self._folders), "")
        for row in self._rows(answered, task, "items", "item", name):
            if row["item"] != name.partition(".")[0]:
                steps.append(Step(answered, None, "written", mask(row["fields"])))
            votes = self._rows(answered, task, "votes", "item", name)
            rounds = Counter(vote["round"] for vote in votes)
            told = ", ".join(f"{n} in round {one}" for one, n in rounds.items())
            reports = Counter(vote["report"] for vote in votes if vote["report"])
            told += "".join(f"; reported {n} times for {why}" for why, n in sorted(reports.items()))
            steps.append(Step(answered, None, "votes", told or "none"))
        steps += self._ledger(answered, task, name)
        for row in self._rows("aggregate", task, "gold", "item", name):
            steps.append(Step("aggregate", row["rule"], row["status"], _outcome(row)))
        steps += self._ledger("aggregate", task, name) + self._ledger("split", task, name)
        for row in self._rows("split", task, "examples", "id", name):
            kept = ", as in the version before" if row["kept"] else ""
            steps.append(Step("split", None, row["split"], f"group {row['group']}{kept}"))
        for side in ("left", "right"):
            for row in self._rows("leakage", task, "leaks", side, name):
                other = row["right" if side == "left" else "left"]
                steps.append(Step("leakage", None, row["kind"], f"with {other or row['file']}"))
        return steps

    def _document(self, name: str, source: str) -> list[Step]:
        steps = self._origin(name, source)
        if not steps:
            return []
        units = self._rows("segment", source, "units", "document", name)
        kept = self._rows("dedup", "all", "kept", "document", name)
        if units:
            detail = f"{len(units)} units, {len(kept)} kept: " + " ".join(u["id"] for u in units)
            steps.append(Step("segment", None, "cut", detail))
        return steps + self._ledger("segment", source, name)

    def _section(self, name: str, source: str) -> list[Step]:
        rows = self._rows("segment", source, "sections", "id", name)
        if not rows:
            return []
        members = [member["id"] for member in rows[0]["sentences"]]
        kept = {row["id"] for row in self._rows_in("dedup", "all", "kept", "id", members)}
        lost = [member for member in members if member not in kept]
        title = f"section {mask(rows[0]['title'])!r}" if rows[0]["title"] else "untitled section"
        detail = f"{title} of {rows[0]['document']}: {len(members)} sentences, {len(lost)} lost"
        return [
            *self._origin(rows[0]["document"], source),
            Step("segment", None, "section", " ".join([detail, *lost])),
            *self._drawn(name, "section"),
        ]

    def _origin(self, document: str, source: str) -> list[Step]:
        steps = []
        for row in self._rows("read", source, "documents", "id", document):
            title = f", titled {mask(row['title'])!r}" if row["title"] else ""
            key = (
                row["key"] if row["key"].isalnum() and len(row["key"]) < PLAIN else mask(row["key"])
            )
            where = f"{row['file']} line {row['line']}, key {key}{title}"
            steps.append(Step("read", None, "found", where))
        return steps + self._ledger("select", source, document)

    def _ledger(self, stage: str, source: str, name: str) -> list[Step]:
        return [
            Step(stage, row["rule"], row["action"], _detail(row))
            for row in self._rows(stage, source, "ledger", "unit", name)
        ]

    def _rows(self, stage: str, source: str, table: str, column: str, value: str) -> list[Row]:
        return self._rows_in(stage, source, table, column, [value])

    def _rows_in(
        self, stage: str, source: str, table: str, column: str, values: list[str]
    ) -> list[Row]:
        folder = self._folders.get((stage, source))
        paths = sorted(folder.glob(f"{table}-*.parquet")) if folder else []
        if not paths:
            return []
        try:
            data = ds.dataset([str(path) for path in paths])
            found: list[Row] = data.to_table(filter=pc.field(column).isin(values)).to_pylist()
        except (pa.ArrowException, OSError):
            raise StoreError(
                f"{folder}: holds a damaged table; remove it and build again"
            ) from None
        return found


def _outcome(row: Row) -> str:
    told = f"{row['votes']} votes"
    if row["agreement"] is not None:
        told += f", agreement {row['agreement']:.2f}"
    for name in ("reason", "queue"):
        if row[name]:
            told += f", {name} {row[name]}"
    return told


def _detail(row: Row) -> str:
    detail = str(row["reason"])
    if row["score"] is not None:
        detail += f" (score {row['score']:g})"
    if row["file"]:
        detail += f" at {row['file']} line {row['line']}"
    return detail
