"""Statistics of topic classification: Table 3."""

from __future__ import annotations

from functools import partial
from typing import Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.report.quality.artefacts import Observation, categories
from pipeline.report.quality.artefacts_words import association
from pipeline.report.quality.distributions import Labels, text_length
from pipeline.report.quality.statistics import TOTAL, Tally, by_split, grid, iter_rows
from pipeline.report.record import Table


def tables(examples: pa.Table, *, spec: TaskSpec, **_: object) -> list[Table]:
    """Return the headlines by topic (the first one counts) and split, with key terms (Table 3)."""
    tally = Tally(
        examples, ((label[0], split) for label, split in iter_rows(examples, "label", "split"))
    )
    rows = {
        topic.id: (f"{topic.id} ({topic.title.en})", ", ".join(topic.terms))
        for topic in spec.labels
        if topic.group is None
    }
    table = grid(
        "tc-topics",
        "Headlines by topic",
        heads=("Topic", "Key terms"),
        rows={**rows, TOTAL: ("Total", "")},
        columns=by_split(),
        cell=tally.cell,
        paper="Table 3",
        note=tally.note,
    )
    return [table]


SIZE: Final = ("Table 3", "total")
LOOK: Final = "Dev and test should be the later headlines; topics differ between splits by design."
LABELS: Final = Labels("Topics", "headlines", lambda _, label: label[:1])
LENGTHS: Final = (text_length("title", "Headline"),)
ARTEFACTS: Final = (
    partial(
        categories,
        observe=lambda fields, label: Observation(label[0], len(fields["title"])),
        text="headline",
    ),
    partial(association, field="title"),
)
