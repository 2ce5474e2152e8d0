"""`klue decontaminate`: any files of text without what they hold of a benchmark."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any, Final

from flows.commands.guarded_texts import guarded_texts
from flows.commands.outputs import check_new_folder, new_folder
from flows.engine.run import check_workers
from flows.plan.own import find_inputs
from flows.view.console import Result, from_here, print_line, print_table, say
from pipeline.core import steps, store
from pipeline.core.files import refuse
from pipeline.core.io import guess_source
from pipeline.core.io.shards import check_shard
from pipeline.core.io.source import form_of
from pipeline.core.pool import Workers
from pipeline.core.wording import count
from pipeline.corpus.decontamination.files import (
    CONTAMINATED,
    QUARANTINE,
    REMOVED,
    CorpusFile,
    decontaminate_files,
)
from pipeline.corpus.decontamination.tally import Tally

REPORT: Final = "report.json"
_OWN: Final = (REMOVED, CONTAMINATED, QUARANTINE, REPORT)
#: So many files are shown.
_SHOWN: Final = 20


def decontaminate(
    inputs: tuple[str, ...],
    *,
    against: tuple[Path, ...],
    out: Path,
    rule: str,
    text_column: str,
    workers: int,
) -> Result:
    """Write files without the rows that hold texts of benchmarks; returns the record of `--json`.

    Everything is checked before a row is looked at, and `out` appears when all is written. Raises
    InputError for files that cannot be used, StoreError for a release that does not verify.
    """
    check_workers(workers)
    check_new_folder(out)
    files = _corpus_files(inputs, out, text_column)
    for file in files:
        check_shard(file.source)
    guarded = guarded_texts(against, text_column=text_column)
    with new_folder(out) as folder, Workers(workers) as pool, steps.running("rows"):
        table = folder.with_name("guarded.parquet")
        store.write_parquet(table, guarded)
        tally = decontaminate_files(
            files,
            folder,
            guarded=table,
            rule=rule,
            workers=pool,
            advance=lambda batch: steps.advance("rows", len(batch)),
        )
        record = _record(tally, rule)
        store.write_json(folder / REPORT, record)
    return record | {"out": str(out)}, partial(_show, out=out)


def _corpus_files(inputs: tuple[str, ...], out: Path, text_column: str) -> list[CorpusFile]:
    """Return the files in the order of their names; raises InputError where two have the same."""
    files: dict[str, CorpusFile] = {}
    for found in find_inputs(inputs, out):
        others = 0
        for name, path in found.files:
            if found.path.is_dir() and form_of(path) is None:
                others += 1
                continue
            refuse(
                path,
                (name in files, f"another input is named {name} too; give them to two commands"),
                (name in _OWN, f"{name} is written by this command; rename the file"),
            )
            files[name] = CorpusFile(name, guess_source(path, text=text_column))
        if others:
            say(f"{found.path}: {count(others, 'file')} of other forms left out")
    refuse(", ".join(inputs), (not files, "no file of a form that can be written again"))
    return [files[name] for name in sorted(files)]


def _record(tally: Tally, rule: str) -> dict[str, Any]:
    files = {
        name: {
            "rows_in": counts.rows + counts.quarantined.total(),
            "rows_out": counts.rows - counts.removed.total(),
            "removed": counts.removed.total(),
        }
        for name, counts in tally.files.items()
    }
    removed = sum((counts.removed for counts in tally.files.values()), Counter[str]())
    unread = sum((counts.quarantined for counts in tally.files.values()), Counter[str]())
    splits = tally.benchmark_counts()
    benchmark = {
        task: {
            key: sum(counts[key] for counts in by_split.values())
            for key in ("examples", "matched", "unguarded")
        }
        for task, by_split in splits.items()
    }
    return {
        **{key: sum(f[key] for f in files.values()) for key in ("rows_in", "rows_out", "removed")},
        "quarantined": dict(sorted(unread.items())),
        "benchmark": benchmark,
        "rule": rule,
        "rules": dict(sorted(removed.items())),
        "splits": splits,
        "files": files,
    }


def _show(record: dict[str, Any], *, out: Path) -> None:
    rows = [
        (
            task,
            split,
            *(f"{counts[key]:,}" for key in ("examples", "unguarded", "matched", "removed")),
        )
        for task, splits in record["splits"].items()
        for split, counts in splits.items()
    ]
    heads = ("task", "split", "examples", "too short", "matched", "rows removed")
    print_table("The benchmark", heads, rows, left=("split",))
    files = [
        (name, f"{counts['rows_in']:,}", f"{counts['removed']:,}", _share(counts))
        for name, counts in record["files"].items()
    ]
    print_table("The corpus", ("file", "rows", "removed", "share"), files[:_SHOWN])
    if len(files) > _SHOWN:
        print_line(f"and {count(len(files) - _SHOWN, 'more file')}, all in {REPORT}")
    unread = sum(record["quarantined"].values())
    of_removed = ", ".join([_share(record), *(f"{r} {n:,}" for r, n in record["rules"].items())])
    print_line(
        f"{count(record['rows_in'], 'row')} in = {record['rows_out']:,} out"
        f" + {record['removed']:,} removed ({of_removed}) + {unread:,} that could not be read"
    )
    print_line(f"written  {from_here(out.absolute())}: {REMOVED}, {CONTAMINATED}, {REPORT}")


def _share(counts: dict[str, Any]) -> str:
    return f"{counts['removed'] / counts['rows_in']:.3%}" if counts["rows_in"] else "0 %"
