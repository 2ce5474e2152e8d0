"""The tables of a build, which its last screen and its Prefect artifacts show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from flows.view.console import print_line, print_table

Row = Mapping[str, Any]
#: The columns of the table of sources and the counts that they show.
_SOURCE_COLUMNS: Final = {
    "read": "records",
    "quarantined": "quarantined",
    "left out": "dropped_documents",
    "documents": "documents",
    "units": "units",
    "edited": "edited",
    "dropped": "dropped_units",
    "kept": "kept",
}
_TASK_COLUMNS: Final = ("units", "drawn", "refused", "undrawn", "items")
#: The columns of the table of a release: where a count stands in the result, and its key.
_RELEASE_COLUMNS: Final = {
    "units": ("candidates", "units"),
    "items": ("candidates", "items"),
    "gold": ("gold", "gold"),
    "open": ("gold", "unresolved"),
    "removed": ("gold", "removed"),
    "left out": ("splits", "left_out"),
    "train": ("splits", "train"),
    "dev": ("splits", "dev"),
    "test": ("splits", "test"),
}


class Table(NamedTuple):
    """A table whose columns hold numbers, but for the first one and those of `left`.

    `total` is a last row, set apart; `note` a line below.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Collection[str] = ()
    total: Sequence[str] | None = None
    note: str = ""

    def print(self) -> None:
        """Print the table, or nothing where it has no rows."""
        print_table(self.title, self.heads, self.rows, left=self.left, total=self.total)
        if self.note:
            print_line(self.note)

    def markdown(self) -> str:
        """Return the table in Markdown; without rows its title says that there are none."""
        if not self.rows:
            return f"### {self.title}\n\nnone\n"
        is_left = [head in {self.heads[0], *self.left} for head in self.heads]
        lines = [self.heads, [":--" if left else "--:" for left in is_left], *self.rows]
        body = "\n".join(_markdown_row(row) for row in [*lines, *filter(None, [self.total])])
        return f"### {self.title}\n\n{body}\n\n{self.note}\n"


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def source_table(sources: Mapping[str, Row]) -> Table:
    """Return the funnel of each source: records to documents, units to kept ones."""
    counts = {s: [row[key] for key in _SOURCE_COLUMNS.values()] for s, row in sources.items()}
    return Table(
        "Records to documents, units to kept sentences",
        ("source", *_SOURCE_COLUMNS),
        [[source, *(f"{n:,}" for n in row)] for source, row in counts.items()],
        total=["all", *(f"{sum(column):,}" for column in zip(*counts.values(), strict=True))],
        note="read = quarantined + left out + documents; units (sentences, whole texts) = dropped"
        " + kept",
    )


def rule_table(sources: Mapping[str, Row]) -> Table:
    """Return how many rows each rule edited, dropped and quarantined."""
    columns = {"edited": "edits", "dropped": "drops", "quarantined": "quarantines"}
    totals: list[Counter[str]] = [Counter() for _ in columns]
    for counts in sources.values():
        for total, key in zip(totals, columns.values(), strict=True):
            total.update(counts[key])
    rules = sorted(set().union(*totals))
    rows = [[rule, *(f"{n[rule]:,}" if rule in n else "" for n in totals)] for rule in rules]
    return Table("What each rule did", ("rule", *columns), rows)


def task_table(tasks: Mapping[str, Row]) -> Table:
    """Return how many units became candidates of each task, and what refused the others."""
    return Table(
        "Kept units to candidates",
        ("task", *_TASK_COLUMNS, "refused by rule"),
        [
            [task, *(f"{counts[key]:,}" for key in _TASK_COLUMNS), listing(counts["refusals"])]
            for task, counts in tasks.items()
        ],
        left=("refused by rule",),
        note="units = drawn + refused + undrawn; a unit may be drawn for several items",
    )


def batch_table(batches: Iterable[Row]) -> Table:
    """Return the batch of each task."""
    rows = [[batch["task"], batch["name"], f"{batch['items']:,}"] for batch in batches]
    return Table("Candidates to batches", ("task", "batch", "items"), rows, left=("batch",))


def gold_table(gold: Mapping[str, Row]) -> Table:
    """Return what became of the items of each task."""
    heads = ("gold", "unresolved", "removed")
    rows = [[task, *(f"{counts[head]:,}" for head in heads)] for task, counts in gold.items()]
    return Table("Items to gold answers", ("task", *heads), rows)


def release_table(result: Row, agreement: Mapping[str, str]) -> Table:
    """Return how many examples each task has in each split, and what became of the others."""
    return Table(
        "Kept units to examples",
        ("task", *_RELEASE_COLUMNS, "agreement"),
        [
            [
                task,
                *(f"{result[part][task][key]:,}" for part, key in _RELEASE_COLUMNS.values()),
                agreement.get(task, ""),
            ]
            for task in result["splits"]
        ],
        left=("agreement",),
        note="gold = left out + train + dev + test; open: unresolved, they wait for an answer or"
        " for experts",
    )


def stage_table(stages: Iterable[Row]) -> Table:
    """Return rows and seconds of each stage of each source, those that took longest first."""
    rows = sorted(stages, key=lambda row: -row["seconds"])
    return Table(
        "Where the time went",
        ("stage", "source or task", "rows in", "rows out", "seconds"),
        [
            [
                *(row["stage"], row["source"], f"{row['rows_in']:,}", f"{row['rows_out']:,}"),
                "in the store already" if row["skipped"] else f"{row['seconds']:.1f}",
            ]
            for row in rows
        ],
        left=("source or task",),
        note="Seconds of processes beside each other add up to more than the clock shows.",
    )


def listing(counts: Mapping[str, int]) -> str:
    """Return names with their counts, in one line."""
    return ", ".join(f"{name} {n:,}" for name, n in counts.items())
