"""Stage `decontaminate`: sentences that hold texts of a benchmark leave.

A sentence leaves, and not its document: see docs/pretraining-corpus.md. The table `contaminated`
has a row for each example whose text a sentence holds; the ledger names the one of the best match.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.core import ledger, schemas, store
from pipeline.core.stage import Call, Outcome, Shard, Stage, own_shards
from pipeline.corpus.decontamination.benchmark import Owner
from pipeline.corpus.decontamination.guard import Guard, load_guard
from pipeline.corpus.decontamination.rules import find_matches


def decontaminate(units: pa.Table, guard: Guard) -> dict[str, pa.Table]:
    """Return the tables `units` (those that stay), `contaminated` and `ledger`.

    No table has a text of the benchmark: the ledger's reason names task, split and example, and its
    score is the similarity from 0 to 1.
    """
    matches = find_matches(units.column("text").to_pylist(), guard.rule)
    by_unit = list(_by_unit(units, matches, guard))
    best = [rows[0] for rows in by_unit]
    stays = np.ones(units.num_rows, dtype=bool)
    stays[matches.column("row").to_numpy()] = False
    reasons = [f"holds a text of {_name(row)}" for row in best]
    return {
        "units": units.filter(pa.array(stays)),
        "contaminated": schemas.build("contaminated", list(chain.from_iterable(by_unit))),
        "ledger": ledger.rows(
            units.filter(pa.array(~stays)),
            stage="decontaminate",
            rule=pa.array([row["rule"] for row in best], pa.string()),
            action="drop",
            reason=pa.array(reasons, pa.string()),
            score=pa.array([row["score"] for row in best], pa.float64()),
        ),
    }


def _by_unit(units: pa.Table, matches: pa.Table, guard: Guard) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of `contaminated` of each unit that leaves, in order, the best match first."""
    ids, sources = (units.column(name).to_pylist() for name in ("id", "source"))
    for place, of_unit in groupby(matches.to_pylist(), key=itemgetter("row")):
        rows: dict[Owner, dict[str, Any]] = {}
        for match in of_unit:
            for owner in guard.benchmark.owners[match["text"]]:
                row = {"unit": ids[place], "source": sources[place], **owner._asdict()}
                row |= {"split": owner.split or None, "score": match["score"]}
                rows.setdefault(owner, row | {"rule": match["rule"]})
        yield list(rows.values())


def _name(row: dict[str, Any]) -> str:
    return " ".join(filter(None, (row["task"], row["split"], row["example"])))


def _run(call: Call, shard: Shard) -> Outcome:
    units = store.read_table(shard.payload, "units")
    guard = load_guard(Path(call.arguments["guarded"]), call.params["rule"])
    return Outcome(units.num_rows, decontaminate(units, guard), units.column("id").combine_chunks())


STAGE = Stage(
    name="decontaminate",
    main="units",
    invariant="filter",
    shards=lambda call: own_shards(
        call, "units", *call.input_fingerprints[1:]
    ),  # the guarded texts
    run=_run,
    distributions=("numpy", "scipy"),
)
