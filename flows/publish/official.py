"""The official KLUE files of a folder as a verified release: splits and guids as they are.

The tables hold what the files hold; the rest of each file, by which it can be written again byte
for byte, lies in `official/`. What this tool would not release (leaks between splits, labels that
do not fit their text, personal data) is kept as published, and told by the ledgers and the report.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from flows.lineage.outputs import Outputs
from flows.publish.alignment import Aligned, align, ledger_rows, summary
from flows.publish.originals import describe_files
from flows.publish.quality_official import official_report
from flows.publish.report_files import report_files
from flows.publish.verified import verify_release
from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.contracts.splits import SPLITS
from pipeline.core import schemas
from pipeline.core.errors import InputError, StoreError
from pipeline.core.fingerprint import of_file
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.resources import DATA
from pipeline.core.specs import Spec, load
from pipeline.core.wording import count
from pipeline.release import tables
from pipeline.release.cards import official_texts
from pipeline.release.checks.contents import KEPT, MISFIT, misfits
from pipeline.release.checks.subject import Check
from pipeline.release.manifest import OFFICIAL
from pipeline.release.material import (
    Facts,
    Material,
    RawFile,
    SourceFacts,
    TaskFacts,
    TaskMaterial,
    score_scale,
)
from pipeline.release.originals import FILES, Unlike
from pipeline.release.soft_labels import SOFT_LABEL, label_order, soft_value
from pipeline.release.tables import COLUMNS
from pipeline.release.writing import Written, write
from pipeline.report.official import Official, OfficialTask, official_examples

#: Digests of whole files as KLUE v1.1 published them.
PUBLISHED_FILES: Final = DATA / "published" / "files.yaml"
#: The version of KLUE whose files are known, and that of the release made of them.
VERSION: Final = "1.1"
FIRST: Final = "1.1.0"
#: The one source of the release: where the texts of an example are from says its own column.
_SOURCE: Final = "klue"
_VERSIONED: Final = re.compile(r"-v(\d+(?:\.\d+)*)[_.]")
_RELEASE: Final = re.compile(r"\d+\.\d+\.\d+")


class _Files(Spec):
    files: Mapping[str, str]


@dataclass(frozen=True)
class Imported:
    """A release of official files: what was read, and which files are as published, if known.

    `unlike` are the files that cannot be written again byte for byte, with their first such byte.
    """

    read: Official
    written: Written
    as_published: Mapping[str, bool | None]
    unlike: Mapping[str, Unlike]
    aligned: Mapping[str, Mapping[str, Aligned]]


def import_files(folder: Path, out: Path, corpus: Outputs | None = None) -> Imported:
    """Write the official files of a folder as a release, checked before it has its name.

    Examples are aligned with the raw units of `corpus`, the outputs of a build, where it is given.
    Raises InputError for a folder without such files, for files of another version of KLUE, and for
    test examples; StoreError as `write` does.
    """
    read = official_examples(folder)
    names = sorted(name for task in read.tasks.values() for name in task.files)
    _require_version(folder, names)
    _require_no_test(folder, read)
    known = load(PUBLISHED_FILES, _Files).files
    digests = {name: of_file(folder / name) for name in names}
    as_published = {
        name: known[Path(name).name] == digest if Path(name).name in known else None
        for name, digest in digests.items()
    }
    report, leaks = official_report(read)
    tables = {task: part.examples for task, part in read.tasks.items()}
    aligned = align(tables, corpus) if corpus is not None else {}
    material = {
        task: _material(task, part, leaks[task], ledger_rows(aligned.get(task, {})))
        for task, part in read.tasks.items()
    }
    parts = [material[task] for task in TASKS if task in material]
    facts = _facts(out.name if _RELEASE.fullmatch(out.name) else FIRST, parts, digests)
    originals, kept = describe_files(
        folder, facts.name, ((part, read.tasks[part.task.id]) for part in parts)
    )
    texts = official_texts(facts, as_published) | {
        FILES: originals.model_dump_json(indent=1) + "\n",
        **report_files(report),
    }
    written = write(
        Material(
            facts=facts,
            tasks={part.task.config: part for part in parts},
            corpus={},
            stages=[],
            build={OFFICIAL: VERSION, "personal_data": {"drop": []}},
            texts=texts,
            tables=kept,
        ),
        out,
        check=lambda public, private: _require_sound(verify_release(public, private)),
    )
    unlike = {file.file: file.unlike for file in originals.files if file.unlike}
    return Imported(read, written, as_published, unlike, aligned)


def _require_version(folder: Path, names: list[str]) -> None:
    other = {
        name: match[1]
        for name in names
        if (match := _VERSIONED.search(Path(name).name)) and match[1] != VERSION
    }
    if other:
        name, number = next(iter(other.items()))
        raise InputError(
            f"{folder}: not of KLUE v{VERSION}: {count(len(other), 'file')}, the first is {name}"
            f" (v{number}); take them out, or give a folder of v{VERSION}"
        )


def _require_no_test(folder: Path, read: Official) -> None:
    for task, part in read.tasks.items():
        if tests := pc.sum(pc.equal(part.examples["split"], "test")).as_py():
            raise InputError(
                f"{folder}: holds {count(tests, 'test example')} of {task}, whose labels KLUE did"
                " not"
                " publish; take their files out"
            )


def _require_sound(checks: list[Check]) -> None:
    if wrong := [f"{check.name}: {check.detail}" for check in checks if not check.ok]:
        raise StoreError(
            f"the official files make no sound release: {'; '.join(wrong[:3])}; fetch them again"
        )


def _material(
    task: str, part: OfficialTask, leaks: pa.Table, aligned: Iterable[dict[str, object]]
) -> TaskMaterial:
    spec = load_spec(task)
    examples = _with_soft_labels(part, spec)
    gold: list[dict[str, object]] = [
        {
            **{"item": item, "task": task, "status": "gold", "rule": "gold.official@1"},
            **{"votes": 0, "simulated": False, "label": label, "source": source},
        }
        for item, label, source in schemas.rows(examples, "id", "label", "source")
    ]
    rows = tables.rows(examples, task, labels=True)
    kept: list[dict[str, object]] = [
        {
            **{"unit": guid, "source": _SOURCE, "stage": KEPT, "rule": MISFIT},
            **{"action": "keep", "reason": "its label does not fit its text; kept as published"},
        }
        for guid in misfits(rows, task)
    ]
    stops = leaks.schema.get_field_index("stops")
    open_ = pa.array([False] * leaks.num_rows, pa.bool_())
    return TaskMaterial(
        task=TASKS[task],
        spec=spec,
        examples=examples,
        votes=part.votes,
        gold=schemas.build("gold", gold),
        constraints=schemas.empty("constraints"),
        leaks=leaks.set_column(stops, leaks.schema.field(stops), open_),
        ledgers={KEPT: schemas.build("ledger", [*kept, *aligned])},
    )


def _with_soft_labels(part: OfficialTask, spec: TaskSpec) -> pa.Table:
    """Return the examples with what the votes of their files say, for tasks that count votes."""
    columns, examples = COLUMNS[spec.task], part.examples
    if SOFT_LABEL not in columns.schema.names or not part.votes.num_rows:
        return examples
    order = label_order(columns, spec)
    gold = aggregate(part.votes, task=TASKS[spec.task], spec=spec, exclude=False).gold
    soft = {
        item: soft_value(parsed(text), order)
        for item, text in schemas.rows(gold, "item", SOFT_LABEL)
        if text is not None
    }
    metas = [
        canonical({**parsed(meta or "{}"), SOFT_LABEL: soft[item]}) if item in soft else meta
        for item, meta in schemas.rows(examples, "id", "meta")
    ]
    place = examples.schema.get_field_index("meta")
    return examples.set_column(place, examples.schema.field(place), pa.array(metas, pa.string()))


def _facts(number: str, parts: list[TaskMaterial], digests: Mapping[str, str]) -> Facts:
    source = SourceFacts(
        id=_SOURCE,
        name=f"KLUE v{VERSION}",
        description="The official files of the benchmark.",
        licence="CC-BY-SA-4.0",
        basis={"kind": "licence", "attribution": "KLUE benchmark (Park et al., 2021)"},
        domain="mixed",
        style="mixed",
        ethical_risk="medium",
        volume="",
        contemporary=True,
        address="https://github.com/KLUE-benchmark/KLUE",
        timeframe=None,
        snapshot=None,
        tasks=tuple(part.task.id for part in parts),
        inputs=tuple(RawFile(file=name, sha256=digest) for name, digest in digests.items()),
        counts={},
    )
    return Facts(
        name=_SOURCE,
        version=number,
        seed=0,
        simulated=False,
        sources=(source,),
        tasks=tuple(map(_task, parts)),
        maintainer="the KLUE authors",
        tool_version=version("klue-rebuild"),
    )


def _task(part: TaskMaterial) -> TaskFacts:
    spec, sizes = part.spec, Counter(part.examples["split"].to_pylist())
    return TaskFacts(
        id=part.task.id,
        config=part.task.config,
        title=spec.title.model_dump(),
        spec=spec.name,
        spec_digest=spec.digest,
        splits={split: sizes[split] for split in SPLITS},
        sources=(_SOURCE,),
        labels=() if spec.scale is not None else spec.ids(),
        scale=score_scale(spec),
        rounds=(),
        annotators=pc.count_distinct(part.votes["annotator"]).as_py(),
        votes=part.votes.num_rows,
        gold=part.examples.num_rows,
        unresolved=0,
        removed=0,
        left_out=0,
        split_rule="as published",
        coefficient="",
        agreement=None,
    )


def record(imported: Imported) -> dict[str, Any]:
    """Return what an import came to, as plain data."""
    tasks = imported.read.tasks
    notes = [*imported.read.notes, *(note for task in tasks.values() for note in task.notes)]
    return {
        "release": str(imported.written.folder),
        "release_hash": imported.written.release_hash,
        "tasks": {
            task: dict(Counter(tasks[task].examples["split"].to_pylist()))
            for task in TASKS
            if task in tasks
        },
        "absent": [task for task in TASKS if task not in tasks],
        "as_published": dict(imported.as_published),
        "unlike": {name: byte.model_dump() for name, byte in imported.unlike.items()},
        "aligned": {
            task: summary(aligned, tasks[task].examples.num_rows)
            for task, aligned in imported.aligned.items()
        },
        "notes": [note._asdict() for note in notes],
    }
