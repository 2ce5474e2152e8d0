"""What the report says of the corpus: funnel, drops with masked examples, screens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from heapq import nsmallest
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from flows.plan.build import BuildPlan
from flows.plan.corpus import Chain, CorpusPlan
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
_COLUMNS: Final = ["rule", "action", "unit", "reason", "file", "line"]
_SCORES: Final = ("gender_bias", "hate")
_BINS: Final = 20


def corpus_of(plan: BuildPlan, release: ReleasePlan) -> Section:
    """Return the section on the corpus and on what became of it for each task."""
    sizes = funnel.splits(release)
    tasks = funnel.task_rows(plan.tasks)
    for split_plan in release.tasks:
        sizes_of_task = sizes[split_plan.task]
        tasks[split_plan.task] |= {
            **funnel.outcomes(split_plan.gold.gold),
            "released": sizes_of_task["train"] + sizes_of_task["dev"] + sizes_of_task["test"],
            "left_out": sizes_of_task["left_out"],
        }
    return section_of(plan.corpus, tasks)


def section_of(corpus: CorpusPlan, tasks: Mapping[str, Row]) -> Section:
    """Return the section on a corpus; `tasks` has the counts of each task."""
    chains = corpus.chains
    last = {chain.source: chain.filters[-1] for chain in chains}
    repeated = [
        drop for source in sorted(last) for drop in _drops_of(corpus.dedup, source, last[source])
    ]
    return corpus_section(
        {name: asdict(counts) for name, counts in funnel.funnels(corpus).items()},
        tasks,
        [drop for chain in chains for drop in _drops(chain)] + repeated,
        personal=[leftover for chain in chains for leftover in personal_of(chain)],
        toxicity=[score for chain in chains for score in _toxicity(chain)],
    )


def _drops(chain: Chain) -> Iterator[Drop]:
    """Yield what each rule did to a source, with texts as they were before it."""
    for call in (chain.read, chain.select, chain.segment):
        yield from _drops_of(call, chain.source, None)
    for call, before in zip(chain.filters, (chain.segment, *chain.filters), strict=False):
        yield from _drops_of(call, chain.source, before)


def _drops_of(call: Call, source: str, before: Call | None) -> Iterator[Drop]:
    """Yield what each rule of a call did, with the first texts as the call before has them."""
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], list[Row]] = {}
    for path in store.tables(call.folder, "ledger"):
        table = store.read_table(path, "ledger", ("source", *_COLUMNS))
        for row in table.filter(pc.equal(table["source"], source)).select(_COLUMNS).to_pylist():
            key = row["rule"], row["action"]
            counts[key] += 1
            rows = first.setdefault(key, [])
            rows.append(row)
            if len(rows) > 4 * _SHOWN:
                first[key] = _first(rows)
    first_masked = {key: _first(rows) for key, rows in first.items()}
    texts = _texts(before, {row["unit"] for rows in first_masked.values() for row in rows})
    for (rule, action), n in sorted(counts.items()):
        examples = [
            Example(row["unit"], texts.get(row["unit"], ""), row["reason"], _place(row))
            for row in first_masked[rule, action]
        ]
        yield Drop(call.stage, source, rule, action, n, examples)


def _first(rows: list[Row]) -> list[Row]:
    return nsmallest(_SHOWN, rows, key=lambda row: (row["unit"], row["reason"]))


def _place(row: Row) -> str:
    return f"line {row['line']:,} of {row['file']}" if row["file"] and row["line"] else ""


def _texts(call: Call | None, wanted: set[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    ids = pa.array(sorted(wanted), pa.string())
    for path in store.tables(call.folder, "units") if call is not None and wanted else []:
        table = store.read_table(path, "units", ("id", "text"))
        for row in table.filter(pc.is_in(table["id"], value_set=ids)).to_pylist():
            line = " ".join(mask(row["text"]).split())
            texts[row["id"]] = line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
    return texts


def personal_of(chain: Chain) -> Iterator[Personal]:
    """Yield what was found by type; a unit with two types counts for both."""
    table = store.read_all(chain.pii.folder, "personal")
    dropped = funnel.manifest(chain.pii).counts.rules.get("drop", {})
    counts = table.group_by("type").aggregate([("unit", "count"), ("unit", "count_distinct")])
    for row in counts.sort_by("type").to_pylist():
        kind, pieces, units = row["type"], row["unit_count"], row["unit_count_distinct"]
        yield Personal(chain.source, kind, pieces, units, dropped.get(f"pii.{kind}@1", 0))


def _toxicity(chain: Chain) -> Iterator[Toxicity]:
    if not chain.toxic:
        return
    score, *screens = chain.toxic
    limits = screens[0].params if screens else {}
    dropped = funnel.manifest(screens[0]).counts.rules.get("drop", {}) if screens else {}
    unscored = 0
    counts = {name: np.zeros(_BINS, dtype=np.int64) for name in _SCORES}
    for path in store.tables(score.folder, "scores"):
        table = store.read_table(path, "scores")
        for name in _SCORES:
            counts[name] += np.histogram(table[name].drop_null(), _BINS, (0.0, 1.0))[0]
        unscored += table["hate"].null_count
    for name in _SCORES:
        yield Toxicity(
            chain.source,
            name,
            limits.get(name),
            int(counts[name].sum()),
            unscored,
            dropped.get(f"toxicity.{name}@1", 0),
            counts[name].tolist(),
        )
