"""A release as tasks of lm-evaluation-harness: what `klue export-eval` does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from flows.commands.examples import tasks_at
from flows.commands.outputs import check_choice
from flows.commands.releases import require_release, require_sound
from flows.commands.votes import task_and_spec
from flows.view.console import Result, from_here, print_line
from pipeline.contracts.example import Example
from pipeline.contracts.registry import task_of
from pipeline.contracts.splits import SPLITS, Split
from pipeline.core.files import refuse
from pipeline.core.wording import count
from pipeline.release.manifest import read_manifest
from pipeline.release.reading import read_split
from pipeline.release.tables import examples_of
from pipeline.scoring.harness.folder import PROMPTS, write_groups, write_task

FORMATS: Final = ("lm-eval",)


def export_eval(
    folder: Path, out: Path, *, to: str = "lm-eval", specs: Path | None = None
) -> Result:
    """Write the tasks of a release into a folder, new or empty; test labels are not read.

    The folder gets its name when all files are written. Raises InputError or StoreError for what is
    no release, or one that was changed.
    """
    check_choice("--to", to, FORMATS)
    refuse(
        f"--out {out}",
        (
            out.exists() and (not out.is_dir() or any(out.iterdir())),
            "is there and not empty; give a new or empty folder",
        ),
    )
    require_release(folder)
    release = read_manifest(folder).release_hash
    require_sound(folder)
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as temporary:
        making = Path(temporary) / "files"
        making.mkdir()
        entries, left_out = [], []
        for task in tasks_at(folder):
            splits = _public_splits(folder, task)
            if not set(splits) - {"train"}:
                left_out.append(task)
                continue
            spec = task_and_spec(task, specs)[1]
            entries += write_task(
                making / task,
                task_of(task),
                splits,
                labels=PROMPTS[task].labels(spec),
                release=release,
            )
        refuse(folder, (not entries, "has no dev or test example; there is nothing to export"))
        groups = write_groups(making, entries)
        if out.exists():
            out.rmdir()  # it was empty
        making.rename(out)
    record = {"release": str(folder), "out": str(out), "groups": groups, "left_out": left_out}
    return record, _show


def _public_splits(folder: Path, task: str) -> dict[Split, list[Example]]:
    splits = {split: list(_examples(folder, task, split)) for split in SPLITS}
    return {split: examples for split, examples in splits.items() if examples}


def _examples(folder: Path, task: str, split: Split) -> Iterable[Example]:
    return examples_of(read_split(folder, task, split), task)


def _show(record: Mapping[str, Any]) -> None:
    for group, names in record["groups"].items():
        print_line(f"{group:20} {count(len(names), 'task')}")
    for task in record["left_out"]:
        print_line(f"left out: {task} has no dev or test example")
    print_line(
        f"try          lm_eval --include_path {from_here(Path(record['out']))} --tasks klue ..."
    )
