"""Labels are those of the spec that the manifest names, and what they point at is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.spec import Mean, TaskSpec, load_spec
from pipeline.core.errors import KlueError, RecordError
from pipeline.release.checks.subject import Check, Subject, judged
from pipeline.release.columns import leaf
from pipeline.release.tables import COLUMNS
from pipeline.tasks.dp.task import check_shape
from pipeline.tasks.ner.columns import spans

Row = Mapping[str, Any]


def labels(subject: Subject) -> Check:
    """Look for rows without a label, and for labels that the spec does not have."""
    faults: list[str] = []
    skipped: list[str] = []
    for config, entry in subject.configs:
        spec = _spec(entry.task, entry.spec, entry.spec_digest)
        if spec is None:
            skipped.append(f"{config} ({entry.spec})")
        for path, table in subject.labelled(config):
            faults += _unlabelled(path, table, entry.task)
            faults += _strange(path, table, spec) if spec is not None else []
    other = f"; another spec than this tool's, names not compared: {', '.join(skipped)}"
    return judged("labels", faults, f"as the specs have them{other if skipped else ''}")


def places(subject: Subject) -> Check:
    """Look for spans, heads, answers and states that do not fit the text they are about."""
    faults: list[str] = []
    for config, entry in subject.configs:
        if entry.task in _FITS:
            for path, table in subject.labelled(config):
                faults += [f"{path}: {told}" for told in _misplaced(table, _FITS[entry.task])]
    return judged("places", faults, "every span, head, answer and state fits its text")


def _spec(task: str, name: str, digest: str) -> TaskSpec | None:
    """Return this tool's spec if it is the one that the release was annotated by."""
    try:
        spec = load_spec(task)
    except KlueError:
        return None
    return spec if (spec.name, spec.digest) == (name, digest) else None


def _unlabelled(path: str, table: pa.Table, task: str) -> Iterator[str]:
    for column in COLUMNS[task].answer:
        if leaf(table, column).null_count:
            yield f"{path} has rows without {column}"


def _strange(path: str, table: pa.Table, spec: TaskSpec) -> Iterator[str]:
    if spec.task == "sts":
        yield from (f"{path}: {told}" for told in _scores(table, spec))
        return
    allowed = _allowed(spec)
    strange = sorted(_used(spec.task, table) - allowed)
    if strange:
        yield f"{path} has {len(strange)} labels that are not those of {spec.name}"


def _allowed(spec: TaskSpec) -> frozenset[str]:
    if spec.task == "dp":
        syntax, function = spec.ids("syntax"), spec.ids("function")
        return frozenset((*syntax, *(f"{one}_{role}" for one in syntax for role in function)))
    if spec.task == "dst":
        return frozenset(slot.id for slot in spec.slots if slot.informable)
    return frozenset(spec.ids("question_type" if spec.task == "mrc" else None))


def _used(task: str, table: pa.Table) -> set[str]:
    """Return the names of labels that occur."""
    column = leaf(table, _NAMED[task]).combine_chunks()
    while pa.types.is_list(column.type):
        column = column.flatten()
    found = {str(one) for one in pc.unique(column).to_pylist() if one is not None}
    if task == "ner":
        return {tag.partition("-")[2] for tag in found if tag != "O"}
    return {"-".join(one.split("-", 2)[:2]) for one in found} if task == "dst" else found


_NAMED: Final = {
    "tc": "label",
    "nli": "label",
    "re": "label",
    "ner": "ner_tags",
    "dp": "deprel",
    "mrc": "question_type",
    "dst": "dialogue.state",
}


def _scores(table: pa.Table, spec: TaskSpec) -> Iterator[str]:
    scale, rule = spec.scale, spec.aggregation
    for guid, one in zip(table["guid"].to_pylist(), table["labels"].to_pylist(), strict=True):
        if one is None or None in one.values():
            yield f"{guid} lacks a score"
        elif scale and not all(scale.low <= one[k] <= scale.high for k in ("label", "real-label")):
            yield f"{guid} has a score off the scale"
        elif isinstance(rule, Mean) and one["binary-label"] != (
            one["real-label"] >= rule.binary_at
        ):
            yield f"{guid} has a binary label that its score does not make"


def _misplaced(table: pa.Table, fits: Callable[[Row], bool]) -> Iterator[str]:
    for batch in table.to_batches(max_chunksize=1_024):
        for row in batch.to_pylist():
            try:
                sound = fits(row)
            except (TypeError, ValueError, KeyError, IndexError, RecordError):
                sound = False
            if not sound:
                yield f"the label of {row['guid']} does not fit its text"


def _entities(row: Row) -> bool:
    tokens, tags = row["tokens"], row["ner_tags"]
    spans(tags)
    letters = all(len(token) == 1 for token in tokens)
    return letters and "".join(tokens) == row["sentence"] and len(tags) == len(tokens)


def _relation(row: Row) -> bool:
    ends = (row["subject_entity"], row["object_entity"])
    return all(
        0 <= one["start_idx"] <= one["end_idx"]
        and row["sentence"][one["start_idx"] : one["end_idx"] + 1] == one["word"]
        for one in ends
    )


def _tree(row: Row) -> bool:
    columns = ("index", "lemma", "pos", "head", "deprel")
    many, heads = len(row["word_form"]), row["head"]
    check_shape(heads)
    lengths = all(row[name] is None or len(row[name]) == many for name in columns)
    in_range = all(0 <= head <= many for head in heads)
    return lengths and in_range and row["index"] == list(range(1, many + 1))


def _answers(row: Row) -> bool:
    both = (row["answers"], row["plausible_answers"])
    found = [pair for one in both for pair in zip(one["answer_start"], one["text"], strict=True)]
    stands = all(
        start >= 0 and text and row["context"][start : start + len(text)] == text
        for start, text in found
    )
    return stands and row["is_impossible"] == (not row["answers"]["text"])


def _dialogue(row: Row) -> bool:
    turns = row["dialogue"]
    states = [one for turn in turns for one in turn["state"]]
    quiet = all(not turn["state"] for turn in turns if turn["role"] != "user")
    return bool(turns) and quiet and all(len(one.split("-", 2)) == 3 for one in states)


_FITS: Final[dict[str, Callable[[Row], bool]]] = {
    "ner": _entities,
    "re": _relation,
    "dp": _tree,
    "mrc": _answers,
    "dst": _dialogue,
}
