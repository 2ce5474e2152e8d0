"""Returned answers -> what speaks against them: what `klue check` does (Sections 3.7.1, 3.8.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pyarrow as pa

from flows.commands.votes import Loaded, load, task_and_spec
from flows.view.console import console, emit_json, say
from pipeline.annotation.batches.batch import folder_of, list_batches, read_card
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import answered
from pipeline.core.errors import InputError, SpecError
from pipeline.core.jsontext import parsed
from pipeline.tasks.mrc.spec import ReadingSampling, Returned

if TYPE_CHECKING:
    from rich.table import Table

#: So many findings are printed one by one.
TOLD: Final = 200
_COUNTS: Final = ("answers", "faults", "hints")


@dataclass(frozen=True)
class Check:
    """What `klue check` was asked for."""

    task: str
    batch: str | None = None
    votes: Path | None = None
    items: Path | None = None
    work: Path = Path("data/work")
    specs: Path | None = None


class Against(NamedTuple):
    """What speaks against an answer, without any text of it; a hint only says that it may."""

    rule: str
    detail: str
    hint: bool = False


class Item(NamedTuple):
    """What an answer is about: what its writer saw, and the evidence that they did not see."""

    fields: Mapping[str, Any]
    meta: Mapping[str, Any]


@dataclass(frozen=True)
class Found:
    """A finding: whose answer to which item, in which round and attempt, and what is wrong."""

    item: str
    annotator: str | None
    round: str
    attempt: int
    rule: str
    detail: str
    hint: bool


@dataclass(frozen=True)
class _Said:
    """A returned answer, a corrected one of an inspector too."""

    item: str
    annotator: str | None
    round: str
    attempt: int
    answer: Any


Judge = Callable[[Any, Item], Iterator[Against]]


def check(request: Check, *, as_json: bool) -> None:
    """Check the answers of a batch or a vote file; print what speaks against them."""
    judges = _judges(request.task)
    task, spec = task_and_spec(request.task, request.specs)
    judge = judges(spec)
    loaded = _loaded(request)
    for line in loaded.messages:
        say(line)
    items = _items(loaded)
    said = [one for one in _said(loaded.votes, spec) if one.item in items]
    found = [
        Found(one.item, one.annotator, one.round, one.attempt, *against)
        for one in said
        for against in judge(one.answer, items[one.item])
    ]
    record = {**_record(task.id, spec, said, found), "refused": dict(loaded.refused)}
    if as_json:
        emit_json(record)
    else:
        _show(record, found)


def _judges(task: str) -> Callable[[TaskSpec], Judge]:
    if task not in _JUDGES:
        raise InputError(
            f"there are no checks of returned answers for {task!r}; allowed: {', '.join(_JUDGES)}"
        )
    return _JUDGES[task]


def _loaded(request: Check) -> Loaded:
    task, spec = task_and_spec(request.task, request.specs)
    if request.votes is not None:
        if request.batch is not None:
            raise InputError("give --batch or --votes, not both")
        if request.items is None and not request.votes.is_dir():
            raise InputError("--votes needs --items FILE: what the answers are about")
        return load(request.votes, task=task, spec=spec, items=request.items)
    if request.items is not None:
        raise InputError("--items goes with --votes; a batch has its items")
    folder = folder_of(request.work, task.id, request.batch or _only(request.work, task.id))
    read_card(folder)  # tells which batches there are if this one is not
    return load(folder, task=task, spec=spec)


def _only(work: Path, task: str) -> str:
    """Return the name of the only batch of a task; raises InputError where there are others."""
    names = [card.name for card in list_batches(work, task)]
    if len(names) != 1:
        there = f"there are {', '.join(names)}" if names else "there is none"
        raise InputError(f"--batch: which batch of {task}? {there}")
    return names[0]


def _items(loaded: Loaded) -> dict[str, Item]:
    if loaded.items is None:
        return {}
    columns = (loaded.items[name].to_pylist() for name in ("item", "fields", "meta"))
    return {
        name: Item(parsed(fields), _object(meta))
        for name, fields, meta in zip(*columns, strict=True)
    }


def _object(text: str | None) -> Mapping[str, Any]:
    value = parsed(text) if text is not None else None
    return value if isinstance(value, dict) else {}


def _said(votes: pa.Table, spec: TaskSpec) -> Iterator[_Said]:
    """Yield the answers, by item, round, attempt and annotator."""
    rounds = {one.id: one for one in spec.rounds}
    order = [(name, "ascending") for name in ("item", "round", "attempt", "annotator", "seat")]
    for row in votes.sort_by(order).to_pylist():
        round_ = rounds.get(row["round"])
        answer = _answer(row["label"], spec, round_) if round_ is not None else None
        if answer is not None:
            who = row["annotator"] if row["annotator"] is not None else row["seat"]
            yield _Said(row["item"], who, row["round"], row["attempt"], answer)


def _answer(label: str | None, spec: TaskSpec, round_: Round) -> Any:
    """Return the reading or dialogue that a vote holds; a verdict holds one if it corrects."""
    if label is None or answered(spec, round_) not in ("reading", "dialogue"):
        return None
    value = parsed(label)
    return value.get("answer") if round_.answer == "verdict" else value


def _record(task: str, spec: TaskSpec, said: list[_Said], found: list[Found]) -> dict[str, Any]:
    """Return all findings and their numbers, by rule and by annotator."""
    faulty = {(one.item, one.annotator, one.round, one.attempt) for one in found if not one.hint}
    return {
        "task": task,
        "spec": spec.name,
        "answers": len(said),
        "with_faults": len(faulty),
        "by_rule": dict(sorted(Counter(one.rule for one in found).items())),
        "by_annotator": _by_annotator(said, found),
        "findings": [asdict(one) for one in found],
    }


def _by_annotator(said: list[_Said], found: list[Found]) -> list[dict[str, Any]]:
    answers = Counter(one.annotator or "" for one in said)
    faults = Counter(one.annotator or "" for one in found if not one.hint)
    hints = Counter(one.annotator or "" for one in found if one.hint)
    return [
        {"annotator": who, "answers": n, "faults": faults[who], "hints": hints[who]}
        for who, n in sorted(answers.items())
    ]


def _show(record: dict[str, Any], found: list[Found]) -> None:
    out = console()
    for one in found[:TOLD]:
        kind = "hint " if one.hint else ""
        who = one.annotator or "(nobody)"
        out.print(f"{one.item} {who}: {kind}{one.rule}: {one.detail}", soft_wrap=True)
    if len(found) > TOLD:
        out.print(f"and {len(found) - TOLD:,} more findings; --json has all")
    out.print(
        f"{record['answers']:,} answers of {record['spec']}: {record['with_faults']:,} with faults,"
        f" {len(found):,} findings"
    )
    if not record["answers"]:
        return
    rules = [(rule, f"{n:,}") for rule, n in record["by_rule"].items()]
    out.print(_table("By rule", ("rule", "findings"), rules))
    people = [
        (one["annotator"] or "(nobody)", *(f"{one[key]:,}" for key in _COUNTS))
        for one in record["by_annotator"]
    ]
    out.print(_table("By annotator", ("annotator", *_COUNTS), people))


def _table(title: str, names: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for place, name in enumerate(names):
        table.add_column(name, justify="right" if place else "left")
    for row in rows:
        table.add_row(*row)
    return table


def _reading(spec: TaskSpec) -> Judge:
    """Return what judges questions by the numbers of a spec; raises SpecError if it has none."""
    if not isinstance(spec.sampling, ReadingSampling):
        raise SpecError(
            f"{spec.name}: has no section `sampling`, whose part `returned` holds the numbers of"
            " these checks; add it to the spec, as annotation_specs/mrc/spec.yaml has it"
        )
    return partial(_question, limits=spec.sampling.returned)


def _question(answer: Any, item: Item, *, limits: Returned) -> Iterator[Against]:
    from pipeline.tasks.mrc.returned import findings

    for one in findings(answer, item.fields, limits):
        yield Against(one.rule, one.detail, one.is_hint)


def _dialogue(answer: Any, item: Item) -> Iterator[Against]:
    """Yield what speaks against a dialogue: of its turns, of its goal, of the values offered."""
    from pipeline.tasks.dst.returned import findings

    offered, expected = item.fields.get("candidates"), item.meta.get("expected")
    for one in findings(
        answer["turns"], expected=_lists(expected), candidates=_lists(offered) or None
    ):
        yield Against(one.rule, f"turn {one.turn}, {one.slot}: {one.detail}")


def _lists(value: object) -> dict[str, list[str]]:
    """Return the lists of texts by slot that an item holds; what is of another form is none."""
    held = value.items() if isinstance(value, dict) else ()
    return {
        slot: found
        for slot, found in held
        if isinstance(found, list) and all(isinstance(one, str) for one in found)
    }


#: What checks the answers of a task.
_JUDGES: Final[dict[str, Callable[[TaskSpec], Judge]]] = {
    "mrc": _reading,
    "dst": lambda _: _dialogue,
}
