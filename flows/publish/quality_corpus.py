"""What the report says of the corpus: funnel, drops with masked examples, screens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from heapq import nsmallest
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from flows.plan.build import BuildPlan
from flows.plan.corpus import Chain
from flows.plan.release import ReleasePlan
from flows.view import funnel
from pipeline.core import store
from pipeline.core.stage import Call
from pipeline.pii.detect import mask
from pipeline.report.quality.corpus import Drop, Example, corpus_section
from pipeline.report.quality.screens import Personal, Toxicity
from pipeline.report.record import Section

#: So many texts are shown of a rule and source, of at most so many characters.
_SHOWN: Final = 3
_LONGEST: Final = 160
Row = dict[str, Any]
_TOLD: Final = ["rule", "action", "unit", "reason", "file", "line"]
_SCORES: Final = ("gender_bias", "hate")
_BINS: Final = 20


def corpus_of(plan: BuildPlan, release: ReleasePlan) -> Section:
    """Return the section on the corpus and on what became of it for each task."""
    found = funnel.funnels(plan.corpus)
    sizes = funnel.splits(release)
    tasks: dict[str, dict[str, Any]] = {
        name: asdict(one) for name, one in funnel.task_funnels(plan.tasks).items()
    }
    for one in release.tasks:
        own = sizes[one.task]
        released = {"released": own["train"] + own["dev"] + own["test"]}
        tasks[one.task] |= {**funnel.outcomes(one.gold.gold), **released}
        tasks[one.task]["left_out"] = own["left_out"]
    return corpus_section(
        {name: asdict(one) for name, one in found.items()},
        tasks,
        [drop for chain in plan.corpus.chains for drop in _drops(chain)] + list(_dedup(plan)),
        personal=[one for chain in plan.corpus.chains for one in _personal(chain)],
        toxicity=[one for chain in plan.corpus.chains for one in _toxicity(chain)],
    )


def _drops(chain: Chain) -> Iterator[Drop]:
    """Yield what each rule did to a source, with texts as they were before it."""
    before: Call | None = None
    for call in (chain.read, chain.select, chain.segment, *chain.filters):
        texts = before if before is not None and call in chain.filters else None
        yield from _of_call(call, chain.source, texts)
        before = call if call in (chain.segment, *chain.filters) else None


def _dedup(plan: BuildPlan) -> Iterator[Drop]:
    if plan.corpus.chains:
        last = {chain.source: chain.filters[-1] for chain in plan.corpus.chains}
        for source in sorted(plan.corpus.sources):
            yield from _of_call(plan.corpus.dedup, source, last.get(source))


def _of_call(call: Call, source: str, texts: Call | None) -> Iterator[Drop]:
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], list[Row]] = {}
    for path in store.tables(call.folder, "ledger"):
        table = store.read_table(path, "ledger")
        for row in table.filter(pc.equal(table["source"], source)).select(_TOLD).to_pylist():
            key = row["rule"], row["action"]
            counts[key] += 1
            kept = first.setdefault(key, [])
            kept.append(row)
            if len(kept) > 4 * _SHOWN:
                first[key] = _first(kept)
    chosen = {key: _first(rows) for key, rows in first.items()}
    found = _texts(texts, {row["unit"] for rows in chosen.values() for row in rows})
    for (rule, action), many in sorted(counts.items()):
        examples = [_example(row, found.get(row["unit"], "")) for row in chosen[rule, action]]
        yield Drop(call.stage, source, rule, action, many, examples)


def _first(rows: list[Row]) -> list[Row]:
    return nsmallest(_SHOWN, rows, key=lambda row: (row["unit"], row["reason"]))


def _example(row: Row, text: str) -> Example:
    place = f"line {row['line']:,} of {row['file']}" if row["file"] and row["line"] else ""
    return Example(row["unit"], text, row["reason"], place)


def _texts(call: Call | None, wanted: set[str]) -> dict[str, str]:
    """Return the masked texts of units as a call's output has them."""
    found: dict[str, str] = {}
    ids = pa.array(sorted(wanted), pa.string())
    for path in store.tables(call.folder, "units") if call is not None and wanted else []:
        table = store.read_table(path, "units")
        own = table.filter(pc.is_in(table["id"], value_set=ids)).select(["id", "text"])
        found |= {row["id"]: _short(mask(row["text"])) for row in own.to_pylist()}
    return found


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _personal(chain: Chain) -> Iterator[Personal]:
    """Yield what was found by type; a unit with two types counts for both."""
    pieces: Counter[str] = Counter()
    units: dict[str, set[str]] = {}
    for path in store.tables(chain.pii.folder, "personal"):
        for row in store.read_table(path, "personal").select(["type", "unit"]).to_pylist():
            pieces[row["type"]] += 1
            units.setdefault(row["type"], set()).add(row["unit"])
    gone = funnel.manifest(chain.pii).counts.rules.get("drop", {})
    for kind in sorted(pieces):
        left = gone.get(f"pii.{kind}@1", 0)
        yield Personal(chain.source, kind, pieces[kind], len(units[kind]), left)


def _toxicity(chain: Chain) -> Iterator[Toxicity]:
    if not chain.toxic:
        return
    score, screen = chain.toxic
    gone = funnel.manifest(screen).counts.rules.get("drop", {})
    counts = {name: np.zeros(_BINS, dtype=np.int64) for name in _SCORES}
    for path in store.tables(score.folder, "scores"):
        table = store.read_table(path, "scores")
        for name in _SCORES:
            counts[name] += np.histogram(table[name].to_numpy(), _BINS, (0.0, 1.0))[0]
    for name in _SCORES:
        yield Toxicity(
            chain.source,
            name,
            screen.params[name],
            int(counts[name].sum()),
            gone.get(f"toxicity.{name}@1", 0),
            counts[name].tolist(),
        )
