"""A pretraining corpus as `klue pretrain-corpus` prints it, and as one JSON object."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from flows.plan.corpus import CorpusPlan
from flows.view import funnel
from flows.view.console import from_here, print_line, print_table
from flows.view.next_command import command_line
from flows.view.summary import print_lines
from flows.view.tables import rule_table, source_table
from pipeline.release.pretraining.card import all_changes, share
from pipeline.release.pretraining.manifest import Changes, CorpusManifest, Statistics

Row = dict[str, Any]


def record_of(manifest: CorpusManifest, stages: list[Row]) -> Row:
    """Return what `klue pretrain-corpus --json` prints, but for where the corpus is."""
    total, changes = manifest.total, all_changes(manifest.sources)
    files = sum(path.startswith("text/") for path in manifest.files)
    return {
        "name": manifest.name,
        "corpus_hash": manifest.corpus_hash,
        **total.model_dump(),
        "files": files,
        "changed": _with_shares(changes, total),
        "sources": {
            name: source.statistics.model_dump()
            | {"changed": _with_shares(source.changes, source.statistics)}
            for name, source in manifest.sources.items()
        },
        "benchmark": {
            task: {split: entry.model_dump() for split, entry in splits.items()}
            for task, splits in manifest.benchmark.items()
        },
        "stages": stages,
    }


def _with_shares(changes: Changes, of: Statistics) -> Row:
    """Return changes and their shares, from 0 to 1, of the sentences and characters."""
    sentences, characters = max(of.sentences, 1), max(of.characters, 1)
    return changes.model_dump() | {
        "share_of_sentences": changes.sentences / sentences,
        "share_of_characters": changes.characters / characters,
        "share_by_type": {type: many / sentences for type, many in changes.types.items()},
    }


def show_record(record: Row, *, plan: CorpusPlan, is_new: bool) -> None:
    """Print the way of the units, statistics as Table 28 has them, changes and contamination."""
    funnels = {name: asdict(counts) for name, counts in funnel.funnels(plan).items()}
    source_table(funnels).print()
    rule_table(funnels).print()
    keys = ("documents", "sentences", "words", "characters", "bytes")
    rows = [(name, *(f"{source[key]:,}" for key in keys)) for name, source in _sources(record)]
    print_table("The corpus", ("source", *keys), rows, total=_total(record, keys))
    _show_changes(record)
    _show_benchmark(record)
    folder = from_here(Path(record["out"]).absolute())
    skipped = sum(stage["skipped"] for stage in record["stages"])
    print_lines(
        [
            ("stages", f"{len(record['stages'])}, {skipped} of them in the store already"),
            ("corpus", f"{folder}{'' if is_new else ', which stood already'}"),
            ("hash", record["corpus_hash"]),
            ("try", command_line("verify", folder)),
        ]
    )


def _sources(record: Row) -> list[tuple[str, Row]]:
    return list(record["sources"].items())


def _total(record: Row, keys: tuple[str, ...]) -> list[str]:
    return ["all", *(f"{record[key]:,}" for key in keys)]


def _show_changes(record: Row) -> None:
    rows = [
        (
            name,
            f"{row['changed']['sentences']:,}",
            share(row["changed"]["sentences"], row["sentences"]),
            share(row["changed"]["characters"], row["characters"]),
            ", ".join(f"{type} {many:,}" for type, many in row["changed"]["types"].items()),
        )
        for name, row in [*_sources(record), ("all", record)]
    ]
    heads = ("source", "sentences changed", "share", "of characters", "sentences by type")
    print_table("Personal data replaced", heads, rows, left=(heads[-1],))


def _show_benchmark(record: Row) -> None:
    heads = ("task", "split", "examples", "unguarded", "matched", "removed")
    rows = [
        (task, split, *(f"{entry[key]:,}" for key in heads[2:]))
        for task, splits in record["benchmark"].items()
        for split, entry in splits.items()
    ]
    print_table("The benchmark", heads, rows, left=("split",))
    print_line("removed: sentences whose best match is an example of the split")
