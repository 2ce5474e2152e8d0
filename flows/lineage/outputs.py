"""The stored tables of one build, looked up by id, and what they tell as steps of a life."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from flows.lineage.notes import FINISHED, FOLDER
from pipeline.contracts.build_inputs import INPUTS
from pipeline.core import store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.files import MOST_BYTES, refuse, regular_file
from pipeline.pii.detect import mask

Row = dict[str, Any]

#: A key of letters and digits that is shorter than any number of a person is shown as it is.
_PLAIN: Final = 9
#: The stage that draws candidates; its source is a task.
SAMPLING: Final = "candidates"


@dataclass(frozen=True)
class Step:
    """One thing that happened: at which stage, by which rule (if any), and what of it."""

    stage: str
    rule: str | None
    action: str
    detail: str


class Outputs:
    """The outputs of one build by stage and source; of a stage that ran twice, the last."""

    def __init__(self, work: Path, name: str) -> None:
        """Take the work directory and the name of a build; raises StoreError for a damaged note."""
        path = work / FOLDER / f"{name}{FINISHED}"
        try:
            pointer = json.loads(regular_file(path, most=MOST_BYTES).read_text("utf-8"))
            self.build: str = pointer["name"]
            self.release: str | None = pointer.get("release")
            self._inputs: dict[str, list[dict[str, Any]]] = pointer.get("inputs", {})
            self.folders = {
                (call["stage"], call["source"]): work / call["folder"] for call in pointer["calls"]
            }
        except (ValueError, TypeError, KeyError):
            raise StoreError(f"{path}: damaged; run the build again") from None

    def reads(self, task: str, source: str, kind: str) -> bool:
        """Tell whether a task draws from units of that kind of a source."""
        manifest = store.read_manifest(self.folders[SAMPLING, task])
        entry = manifest.params["sources"].get(source) if manifest is not None else None
        if entry is None:
            return False
        # What a task reads of the stage `segment` beside kept units are sections.
        inputs = INPUTS.get(task)
        reads_sections = inputs is not None and "segment" in inputs.stages
        return bool(kind == ("section" if reads_sections else entry["kind"]))

    def origin(self, document: str, source: str) -> Iterator[Step]:
        """Yield in which file and line a document was found, and why it was left out if it was."""
        for row in self.rows("read", source, "documents", "id", document):
            key, title = row["key"], f", titled {mask(row['title'])!r}" if row["title"] else ""
            key = key if key.isalnum() and len(key) < _PLAIN else mask(key)
            where = f"{self._path_of(source, row['file'])} line {row['line']}, key {key}{title}"
            yield Step("read", None, "found", where)
        yield from self.ledger("read", source, document)
        yield from self.ledger("select", source, document)

    def ledger(self, stage: str, source: str, name: str) -> Iterator[Step]:
        """Yield the decisions of a stage about an id."""
        for row in self.rows(stage, source, "ledger", "unit", name):
            score = f" (score {row['score']:g})" if row["score"] is not None else ""
            path = self._path_of(source, row["file"] or "")
            place = f" at {path} line {row['line']}" if path else ""
            yield Step(stage, row["rule"], row["action"], f"{row['reason']}{score}{place}")

    def _path_of(self, source: str, file: str) -> str:
        """Return the path of a raw file as the build file has it; of several, all that it may be.

        Tables hold its name alone, since a path would tell a release where it was made.
        """
        head, mark, member = file.partition("!")
        inputs = self._inputs.get(source, ()) if file else ()
        paths = [f"{one['path']}{mark}{member}" for one in inputs if one["name"] == head]
        inside = [f"{one['path']}/{file}" for one in inputs if one["folder"]]
        return " or ".join(paths or inside) or file

    def rows(self, stage: str, source: str, table: str, column: str, *values: str) -> list[Row]:
        """Return the rows of a stage's table that have one of several values in a column."""
        import pyarrow.dataset as ds

        folder = self.folders.get((stage, source))
        paths = [str(path) for path in store.tables(folder, table)] if folder else []
        if not paths:
            return []
        try:
            matches = ds.dataset(paths).to_table(filter=pc.field(column).isin(values))
        except (pa.ArrowException, OSError):
            raise StoreError(
                f"{folder}: holds a damaged table; remove it and build again"
            ) from None
        return matches.to_pylist()  # type: ignore[no-any-return]


def corpus_of(work: Path, build: str | None = None) -> Outputs:
    """Return the outputs of the newest run of one build of a work directory, which read a corpus.

    Raises InputError where the directory holds no such build, or several and none is named.
    """
    runs = builds_of(work, build)
    if len(names := sorted({_build_name(outputs.build) for outputs in runs})) > 1:
        raise InputError(f"{work}: holds several builds; give --build, one of {', '.join(names)}")
    outputs = next((run for run in runs if ("dedup", "all") in run.folders), None)
    if outputs is None:
        raise InputError(f"{work}: the build {names[0]} reads no corpus")
    return outputs


def builds_of(work: Path, build: str | None = None) -> Sequence[Outputs]:
    """Return the outputs of the builds of a work directory, or of those of a name; newest first.

    `build` is the name in the build file, or with a part or tasks that of one run (mini.corpus).
    Raises InputError where there is none, StoreError for a damaged note of one.
    """
    refuse(work, (not work.is_dir(), "no such folder; give the work folder of a build"))
    paths = sorted((work / FOLDER).glob(f"*{FINISHED}"), key=lambda path: -path.stat().st_mtime_ns)
    names = [path.stem for path in paths]
    chosen = [name for name in names if build in {None, name, _build_name(name)}]
    if not chosen:
        known = ", ".join(sorted(set(map(_build_name, names))))
        missing = f"no build {build!r}" if build else "no build"
        there = f"known builds: {known}" if known else "run `klue build BUILD.yaml` first"
        raise InputError(f"{work}: holds {missing}; {there}")
    return [Outputs(work, name) for name in chosen]


def _build_name(run: str) -> str:
    """Return the name that the build file of a run has: names hold no full stop."""
    return run.partition(".")[0]
