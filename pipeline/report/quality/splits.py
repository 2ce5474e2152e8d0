"""Facts about the splits: which constraints of the split rule hold, and what leaks between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import PurePath
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.registry import TASKS
from pipeline.contracts.splits import SPLITS
from pipeline.contracts.task import Texts
from pipeline.core.wording import count, verb
from pipeline.report.quality.statistics import ratio
from pipeline.report.record import Chart, Column, Section, Series, Table

#: So many leaks are listed one by one, the gravest first.
LISTED: Final = 200
_HIDDEN: Final = "(a test example)"
#: Numbers below this are told with all their decimals: shares, and means.
_EXACT: Final = 10
_KINDS: Final = {
    "exact": "equal texts",
    "near": "nearly equal texts",
    "contained": "one text within the other",
    "document": "the same document or group",
    "entity": "an entity",
    "hypothesis": "the same hypothesis, another premise",
}
#: Kinds that many pairs are of and none is wrong with: they are counted and not listed.
_COUNTED: Final = frozenset({"hypothesis"})


def constraints_section(task: str, constraints: pa.Table) -> Section:
    """Return the constraints (CONSTRAINTS) of a task: those that do not hold first, then binding.

    Wanted and found count examples unless `detail` names another unit. Numbers of 10 and more are
    told to a tenth.
    """
    rows = [row for row in constraints.to_pylist() if row["task"] == task]
    order = sorted(rows, key=lambda row: (row["met"], not row["binds"]))
    table = Table(
        id=f"constraints-{task}-all",
        title="Constraints of the split",
        columns=[
            *(Column("constraint", "text"), Column("split", "text")),
            *(Column("wanted"), Column("found"), Column("holds", "text")),
            *(Column("limits the size", "text"), Column("remark", "text")),
        ],
        rows=[
            [
                *(
                    _display_name(row),
                    row["split"] or "all",
                    *(
                        round(number, 1) if abs(number) >= _EXACT else number
                        for number in (row["wanted"], row["found"])
                    ),
                ),
                *("yes" if row["met"] else "no", "yes" if row["binds"] else None),
                row["detail"] or None,
            ]
            for row in order
        ],
        note="Wanted and found are numbers of examples where the remark names nothing else. What"
        " limits the size kept a split from becoming as large as the spec wants it.",
        long=True,
    )
    return Section(
        id=f"constraints-{task}",
        title="Constraints",
        lead=_constraints_lead(rows),
        tables=[table] if rows else (),
    )


def _display_name(row: dict[str, Any]) -> str:
    return str(row["name"]).replace("_", " ")


def _constraints_lead(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "These splits were not made by a rule of this project: nothing was promised."
    failed = sorted({_display_name(row) for row in rows if not row["met"]})
    binding = sorted({_display_name(row) for row in rows if row["binds"]})
    met = sum(row["met"] for row in rows)
    lead = f"{met} of {count(len(rows), 'constraint')} {verb(met, 'holds', 'hold')}"
    lead += f"; these do not: {', '.join(failed)}" if failed else ""
    return lead + (f". Sizes are limited by {', '.join(binding)}." if binding else ".")


def leakage_section(
    task: str,
    leaks: pa.Table,
    overlaps: pa.Table,
    *,
    splits: Collection[str] = SPLITS,
) -> Section:
    """Return the leaks (LEAKS) and overlaps (OVERLAPS) of a task.

    Ids of test examples are not shown: what they are like would tell their answers. Files are
    named without their folders. `splits` are those that have examples: of others nothing is told.
    """
    rows, shared = leaks.to_pylist(), _of_present_splits(overlaps, splits)
    grams, entities = ([row for row in shared if bool(row["n"]) == runs] for runs in (True, False))
    tables = [
        _counts(task, rows),
        _leak_table(task, [row for row in rows if row["kind"] not in _COUNTED]),
        _overlaps(task, grams),
        _entities(task, entities),
    ]
    return Section(
        id=f"leakage-{task}",
        title="Leakage",
        lead=_leakage_lead(rows, shared),
        tables=[table for table in tables if table.rows],
        charts=[_chart(task, grams)] if sum(row["sharing"] > 0 for row in grams) > 1 else [],
    )


def _of_present_splits(overlaps: pa.Table, splits: Collection[str]) -> list[dict[str, Any]]:
    """Return the overlaps between what has examples; the right one may be a file."""
    empty = set(SPLITS) - set(splits)
    return [
        row
        for row in overlaps.to_pylist()
        if row["examples"] and row["left_split"] not in empty and row["right"] not in empty
    ]


def _leakage_lead(rows: list[dict[str, Any]], shared: list[dict[str, Any]]) -> str:
    stops, same = sum(row["stops"] for row in rows), sum(row["kind"] in _COUNTED for row in rows)
    lesser = len(rows) - stops - same
    sentences = []
    if stops:
        sentences.append(f"{count(stops, 'leak')} that {verb(stops, 'stops', 'stop')} a release.")
    if lesser:
        do = verb(lesser, "does", "do")
        sentences.append(f"{count(lesser, 'lesser leak')} that {do} not stop a release.")
    if same:
        sentences.append(
            f"{count(same, 'example')} of one split {verb(same, 'shares', 'share')} the hypothesis"
            " of another: this alone stops nothing."
        )
    if not stops:
        nothing = "Nothing was compared: fewer than two splits, and no file to check against."
        sentences.insert(0, "No leak that stops a release." if shared or rows else nothing)
    return " ".join(sentences)


def _counts(task: str, rows: list[dict[str, Any]]) -> Table:
    leaks = Counter((not row["stops"], row["kind"], row["left_split"], _other(row)) for row in rows)
    return Table(
        id=f"leakage-{task}-counts",
        title="Leaks by kind",
        columns=[
            *(Column(name, "text") for name in ("what is shared", "examples of", "found in")),
            *(Column("stops a release", "text"), Column("examples")),
        ],
        rows=[
            [_KINDS.get(kind, kind), left, right, "no" if passes else "yes", n]
            for (passes, kind, left, right), n in sorted(leaks.items())
        ],
    )


def _leak_table(task: str, rows: list[dict[str, Any]]) -> Table:
    ranked = sorted(
        rows, key=lambda row: (not row["stops"], -row["score"], row["left"], row["right"])
    )
    return Table(
        id=f"leakage-{task}-pairs",
        title="Leaks, those that stop a release first",
        columns=[
            *(Column(name, "text") for name in ("what is shared", "example", "split")),
            *(Column("is like", "text"), Column("in", "text"), Column("line")),
            *(Column("alike", "three"), Column("stops", "text")),
        ],
        rows=[
            [
                _KINDS.get(row["kind"], row["kind"]),
                *(_HIDDEN if row["left_split"] == "test" else row["left"], row["left_split"]),
                *(_HIDDEN if row["right_split"] == "test" else row["right"], _other(row)),
                *(row["line"], row["score"], "yes" if row["stops"] else "no"),
            ]
            for row in ranked[:LISTED]
        ],
        note=f"The first {LISTED} of {len(rows):,}." if len(rows) > LISTED else "",
        long=True,
    )


def _other(row: dict[str, Any]) -> str:
    return str(row["right_split"]) if row["right_split"] else _file(row["file"] or "a file")


def _file(name: str) -> str:
    """Return a file's own name; a split's stays as it is."""
    return PurePath(name).name or name


def _overlaps(task: str, shared: list[dict[str, Any]]) -> Table:
    return Table(
        id=f"leakage-{task}-overlaps",
        title="Shared runs of words",
        columns=[
            *(Column("examples of", "text"), Column("looked for in", "text")),
            *(Column("words a run"), Column("examples"), Column("sharing a run")),
            *(Column("share of examples", "share"), Column("mean share of runs", "share")),
        ],
        rows=[
            [
                *(row["left_split"], _file(row["right"]), row["n"], row["examples"]),
                *(row["sharing"], ratio(row["sharing"], row["examples"]), row["mean"]),
            ]
            for row in shared
        ],
        note="Sharing a run: examples with at least one run of so many words that occurs there too;"
        " shorter texts are not looked for. Common phrases are shared; long runs should be rare."
        + _looked_at(TASKS[task].texts),
        long=True,
    )


def _looked_at(texts: Texts) -> str:
    """Say which fields are compared, where examples have other texts of which nothing is told."""
    if not texts.fields or not (texts.reported or texts.written):
        return ""
    return f" Only the {' and the '.join(texts.fields)} of an example counts."


def _entities(task: str, shared: list[dict[str, Any]]) -> Table:
    return Table(
        id=f"leakage-{task}-entities",
        title="Shared entities",
        columns=[
            *(Column("examples of", "text"), Column("looked for in", "text"), Column("examples")),
            *(Column("sharing an entity"), Column("share of examples", "share")),
            Column("mean share of entities", "share"),
        ],
        rows=[
            [
                *(row["left_split"], _file(row["right"]), row["examples"], row["sharing"]),
                *(ratio(row["sharing"], row["examples"]), row["mean"]),
            ]
            for row in shared
        ],
        note="Sharing an entity: examples with at least one entity of the same wording there.",
    )


def _chart(task: str, shared: list[dict[str, Any]]) -> Chart:
    sizes = sorted({row["n"] for row in shared})
    series = []
    for n in sizes:
        of_size = [row for row in shared if row["n"] == n]
        names = [f"{row['left_split']} in {_file(row['right'])}" for row in of_size]
        series.append(
            Series(
                count(n, "word"), names, [ratio(row["sharing"], row["examples"]) for row in of_size]
            )
        )
    return Chart(
        id=f"leakage-{task}-overlaps",
        title="Examples that share a run of words",
        kind="bars",
        x="split, and where it was looked for",
        y="share of examples",
        series=series,
        form="share",
    )
