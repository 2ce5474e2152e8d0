"""Candidates -> batches -> annotators -> votes: what `klue export`, `import` and `status` do."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from flows.console import console, emit_json, say
from flows.votes import OFFICIAL, items_of, of_ledger, specified, told
from pipeline.annotation import batches
from pipeline.annotation.assignment import barred_by
from pipeline.annotation.batchcard import folder_of, list_batches, read_card
from pipeline.annotation.batches import Batch, Kind, Plan
from pipeline.annotation.exchange.registry import FORMATS
from pipeline.annotation.following import pairs, rejected, standing
from pipeline.annotation.human_baseline import human_baseline, require_fresh
from pipeline.annotation.intake import Taken
from pipeline.annotation.progress import Progress, progress
from pipeline.annotation.qualification import Qualified
from pipeline.annotation.qualification import qualify as judged
from pipeline.annotation.raw import RawVote, Refused
from pipeline.annotation.receive import receive
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.tasks.base import Task
from pipeline.tasks.klue.files import read_official
from pipeline.tasks.spec import Round, TaskSpec

#: So many annotators are told one by one.
_TOLD: Final = 30


@dataclass(frozen=True)
class Export:
    """What `klue export` was asked for."""

    task: str
    to: str
    items: Path | None = None
    source: str = "items"
    annotators: str | None = None
    out: Path | None = None
    batch: str = "main"
    round_: str | None = None
    after: str | None = None
    pilot: bool = False
    human_baseline: int | None = None
    qualified: str | None = None
    seed: int = 0
    work: Path = Path("data/work")
    specs: Path | None = None


@dataclass(frozen=True)
class Import:
    """What `klue import` was asked for."""

    file: Path
    task: str
    source: str = "jsonl"
    batch: str = "main"
    annotators: Path | None = None
    replace: bool = False
    work: Path = Path("data/work")
    specs: Path | None = None


@dataclass(frozen=True)
class _Given:
    """What a batch is made of: items, what they show, who may not answer, votes it begins with."""

    items: pa.Table
    shown: Mapping[str, Any] | None = None
    barred: Mapping[str, set[str]] | None = None
    begun: tuple[RawVote, ...] = ()
    attempt: int = 1


def export(request: Export, *, as_json: bool) -> None:
    """Make a batch (or find it as it was made) and write the files of a tool."""
    task, spec = _specified(request.task, request.specs)
    if request.to not in FORMATS:
        raise InputError(f"--to {request.to!r} is not known; allowed: {', '.join(FORMATS)}")
    if request.pilot and request.human_baseline is not None:
        raise InputError("--pilot and --human-baseline exclude each other; make two batches")
    round_ = _round(spec, request.round_)
    with store.locked(request.work):
        batch, shown = _batch(request, task, spec, round_)
    folder = request.out or batch.folder / "export"
    written = FORMATS[request.to].write(
        _without_gold(batch.items),
        spec=spec,
        round_=round_,
        folder=folder,
        assigned=_assigned(batch.assignments),
        shown=shown,
    )
    _report_export(batch, written, as_json=as_json)


def _batch(
    request: Export, task: Task, spec: TaskSpec, round_: Round
) -> tuple[Batch, Mapping[str, Any] | None]:
    people = _people(request, task, spec)
    given = _given(request, task, spec, round_)
    plan = Plan(
        name=request.batch,
        round=round_.id,
        seed=request.seed,
        annotators=people,
        kind=_kind(request),
        format=request.to,
        attempt=given.attempt,
    )
    batch = batches.make(request.work, plan, given.items, spec, barred=given.barred)
    if given.begun:
        batch, _ = receive(batch, given.begun, task=task, spec=spec)
    return batch, given.shown


def _specified(name: str, specs: Path | None) -> tuple[Task, TaskSpec]:
    task, spec = specified(name, specs)
    assert task is not None  # a name was given
    assert spec is not None
    return task, spec


def _kind(request: Export) -> Kind:
    if request.pilot:
        return "pilot"
    return "main" if request.human_baseline is None else "baseline"


def _round(spec: TaskSpec, name: str | None) -> Round:
    found = spec.rounds[0] if name is None else spec.round(name)
    if found is None:
        allowed = ", ".join(r.id for r in spec.rounds)
        raise InputError(f"{spec.name} has no round {name!r}; allowed: {allowed}")
    return found


def _people(request: Export, task: Task, spec: TaskSpec) -> tuple[str, ...]:
    """Return who is to answer: names, a file of names, a number; those who passed a pilot."""
    names = _names(request.annotators)
    if request.qualified is not None:
        results = _results(request.qualified, request.work, task, spec)
        passed = {one.annotator for one in results if one.status == "passed"}
        names = tuple(n for n in names if n in passed) if names else tuple(sorted(passed))
        if not names:
            raise InputError(f"nobody passed the pilot {request.qualified!r}; see klue qualify")
    if request.human_baseline is not None:
        require_fresh(request.work, task.id, names)
    return names


def _names(given: str | None) -> tuple[str, ...]:
    if given is None:
        return ()
    if given.isdigit():
        if not 1 <= int(given) <= 10_000:
            raise InputError(f"--annotators {given} is out of range; allowed: 1 to 10000")
        return tuple(f"annotator-{n:03}" for n in range(1, int(given) + 1))
    path = Path(given)
    try:
        text = path.read_text("utf-8-sig") if path.is_file() else given.replace(",", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"--annotators {given}: cannot be read ({type(error).__name__}); give a UTF-8 file of"
            " names, one a line"
        ) from None
    names = tuple(name.strip() for name in text.splitlines() if name.strip())
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice or not names:
        raise InputError(f"--annotators: {twice[0] + ' is named twice' if twice else 'no name'}")
    return names


def _given(request: Export, task: Task, spec: TaskSpec, round_: Round) -> _Given:
    if request.after is not None:
        if request.items is not None:
            raise InputError("give --items or --after, not both: a later round has its items")
        return _following(request, spec, round_)
    if round_.after is not None or round_.not_by:
        before = round_.after or ", ".join(round_.not_by)
        raise InputError(
            f"round {round_.id} comes after {before}; name that batch with --after BATCH"
        )
    if request.items is None:
        raise InputError("give --items FILE: what is to be annotated (JSONL, Parquet)")
    items = _items(request.items, request.source, task)
    if request.human_baseline is not None:
        items = human_baseline(items, request.human_baseline, task=task, seed=request.seed)
    return _Given(items)


def _items(path: Path, source: str, task: Task) -> pa.Table:
    if source == OFFICIAL:
        return read_official(task.id, path).items
    if source != "items":
        raise InputError(f"--from {source!r} is not known here; allowed: items, {OFFICIAL}")
    return items_of(path, task)


def _following(request: Export, spec: TaskSpec, round_: Round) -> _Given:
    """Return what earlier batches hand to a round: pairs, answers to judge, answers to revise."""
    names = [name.strip() for name in (request.after or "").split(",") if name.strip()]
    earlier = [batches.read(folder_of(request.work, spec.task, name)) for name in names]
    if not earlier:
        raise InputError("--after names no batch")
    votes = pa.concat_tables([batch.votes for batch in earlier])
    items = earlier[-1].items
    writing = spec.round(earlier[-1].card.round)
    if writing is not None and writing.answer == "hypotheses" and round_.answer == "label":
        made, authors = pairs(items, votes, round_)
        return _Given(made, None, barred_by(round_, votes, made), tuple(authors))
    if round_.after is None:
        return _again(items, votes, spec, round_)
    shown = standing(votes, spec, _round(spec, round_.after))
    kept = _only(items, shown, "an answer that stands")
    return _Given(kept, shown, barred_by(round_, votes), (), earlier[-1].card.attempt)


def _again(items: pa.Table, votes: pa.Table, spec: TaskSpec, round_: Round) -> _Given:
    back = rejected(votes, spec, round_)
    wanted = max(back.values(), default=1)
    now = {item: attempt for item, attempt in back.items() if attempt == wanted}
    shown = {item: a for item, a in standing(votes, spec, round_).items() if item in now}
    return _Given(_only(items, now, "a rejected answer"), shown, None, (), wanted)


def _only(items: pa.Table, wanted: Mapping[str, object], what: str) -> pa.Table:
    kept = items.filter(pc.is_in(items["item"], value_set=pa.array(wanted, pa.string())))
    if not kept.num_rows:
        raise InputError(f"no item of these batches has {what}; import their votes first")
    return kept


def _without_gold(items: pa.Table) -> pa.Table:
    """Return items as annotators may see them: no pilot or official answer, nor how it came."""
    empty = pa.nulls(items.num_rows, pa.string())
    return items.set_column(items.schema.get_field_index("gold"), items.schema.field("gold"), empty)


def _assigned(assignments: pa.Table) -> dict[str, tuple[str, ...]] | None:
    if not assignments.num_rows:
        return None
    found: dict[str, list[str]] = {}
    columns = (assignments.column(name).to_pylist() for name in ("item", "annotator"))
    for item, who in zip(*columns, strict=True):
        found.setdefault(item, []).append(who)
    return {item: tuple(sorted(who)) for item, who in found.items()}


def _report_export(batch: Batch, written: Iterable[Path], *, as_json: bool) -> None:
    card = batch.card
    record = {
        **asdict(card),
        "folder": str(batch.folder),
        "files": [str(path) for path in written],
    }
    if as_json:
        emit_json(record)
        return
    out = console()
    whom = f"to {len(card.annotators)} annotators" if card.annotators else "to nobody by name"
    out.print(
        f"batch {card.name} ({card.kind}) of {card.spec}, round {card.round}: {card.items:,} items,"
        f" {card.per_item} answers each, {whom}"
    )
    if card.taken_out:
        out.print(f"{card.taken_out:,} items of a pilot were left out")
    for path in record["files"]:
        out.print(f"written  {path}", soft_wrap=True)


def import_votes(request: Import, *, as_json: bool) -> None:
    """Take the answers of a file into a batch."""
    task, spec = _specified(request.task, request.specs)
    folder = folder_of(request.work, task.id, request.batch)
    read_card(folder)  # a batch that is not there is told before a lock file is made
    with store.locked(request.work):
        batch = batches.read(folder)
        batch, taken = receive(
            batch,
            _raw(request, task, spec, batch),
            task=task,
            spec=spec,
            barred=_barred(batch, spec, request.work),
            replace=request.replace,
        )
    _report_import(batch, taken, as_json=as_json)


def _raw(request: Import, task: Task, spec: TaskSpec, batch: Batch) -> Iterator[RawVote | Refused]:
    if request.source == OFFICIAL:
        yield from _official_votes(request.file, task)
        return
    if request.source not in FORMATS:
        allowed = ", ".join([*FORMATS, OFFICIAL])
        raise InputError(f"--from {request.source!r} is not known; allowed: {allowed}")
    people = _map(request.annotators)
    round_ = spec.round(batch.card.round)
    form = FORMATS[request.source]
    yield from form.read(request.file, task=task, spec=spec, round_=round_, annotators=people)


def _official_votes(path: Path, task: Task) -> Iterator[RawVote | Refused]:
    found = read_official(task.id, path)
    yield from (Refused(path.name, *problem) for problem in found.problems)
    for line, row in enumerate(found.votes.to_pylist(), 1):
        value = {key: one for key, one in row.items() if one is not None and key != "at"}
        if "label" in value:
            value["label"] = parsed(value["label"])
        yield RawVote(path.name, line, value)


def _map(path: Path | None) -> dict[str, str] | None:
    if path is None:
        return None
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"--annotators {path}: cannot be read ({type(error).__name__})") from None
    if not isinstance(found, dict) or not all(isinstance(v, str) for v in found.values()):
        raise InputError(f'--annotators {path}: must be an object such as {{"7": "kim"}}')
    return {str(key): value for key, value in found.items()}


def _barred(batch: Batch, spec: TaskSpec, work: Path) -> dict[str, set[str]]:
    """Return who answered the batch's items in a round whose annotators must not answer here."""
    round_ = _round(spec, batch.card.round)
    if not round_.not_by:
        return {}
    others = [
        batches.read(folder_of(work, spec.task, card.name)).votes
        for card in list_batches(work, spec.task)
        if card.round in round_.not_by
    ]
    return barred_by(round_, pa.concat_tables(others), batch.items) if others else {}


def _report_import(batch: Batch, taken: Taken, *, as_json: bool) -> None:
    for line in told(of_ledger(taken.ledger)):
        say(line)
    record = {
        "batch": batch.card.name,
        "task": batch.card.task,
        **asdict(taken.counts),
        "votes": taken.votes.num_rows,
    }
    if as_json:
        emit_json(record)
        return
    counts = taken.counts
    console().print(
        f"{counts.read:,} records read: {counts.new:,} new, {counts.unchanged:,} unchanged,"
        f" {counts.replaced:,} replaced, {counts.quarantined:,} quarantined;"
        f" {taken.votes.num_rows:,} votes in batch {batch.card.name}"
    )
    for rule, n in counts.rules.items():
        console().print(f"  {rule}: {n:,}")


def status(build_file: Path | None, *, task: str | None, work: Path, as_json: bool) -> None:
    """Tell where a build stands, and every batch: what is answered, what is missing from whom."""
    named, _ = specified(task, None)
    cards = list_batches(work, named.id if named is not None else None)
    found = [progress(batches.read(folder_of(work, card.task, card.name))) for card in cards]
    built = _build(build_file, work) if build_file is not None else None
    if as_json:
        record: dict[str, Any] = {"batches": [asdict(one) for one in found]}
        emit_json(record | ({"build": built} if built is not None else {}))
        return
    if built is not None:
        done, total = built["done"], built["stages"]
        console().print(f"build {built['name']}: {done} of {total} stages are in the store")
    if not found:
        console().print(f"no batches below {work}/annotation; `klue export` makes one")
    for one in found:
        _show_progress(one)


def _build(build_file: Path, work: Path) -> dict[str, Any]:
    from flows.plan import plan_corpus

    plan = plan_corpus(build_file, work.resolve(), tasks=frozenset())
    done = sum(call.done for call in plan.calls)
    return {"name": plan.build.name, "stages": len(plan.calls), "done": done}


def _show_progress(one: Progress) -> None:
    from rich.table import Table

    out = console()
    out.print(
        f"{one.task} {one.batch} ({one.kind}, round {one.round}, {one.spec}): {one.answered:,} of"
        f" {one.assigned:,} answers; items: {one.complete:,} complete, {one.partial:,} begun,"
        f" {one.untouched:,} untouched; {one.reported:,} reports, {one.quarantined:,} quarantined"
    )
    late = [share for share in one.annotators if share.missing]
    if not late:
        return
    table = Table(title="Missing", title_justify="left")
    table.add_column("annotator")
    for title in ("assigned", "answered", "missing"):
        table.add_column(title, justify="right")
    table.add_column("next items")
    for share in late[:_TOLD]:
        numbers = (share.assigned, share.answered, len(share.missing))
        table.add_row(share.annotator, *(f"{n:,}" for n in numbers), ", ".join(share.missing[:2]))
    out.print(table)
    if len(late) > _TOLD:
        out.print(f"and {len(late) - _TOLD:,} more annotators; --json has all")


def qualify(task: str, *, batch: str, work: Path, specs: Path | None, as_json: bool) -> None:
    """Tell who passed a pilot, and why."""
    found, spec = _specified(task, specs)
    results = _results(batch, work, found, spec)
    if as_json:
        emit_json({"task": found.id, "batch": batch, "annotators": [asdict(r) for r in results]})
        return
    from rich.table import Table

    table = Table(title=f"Pilot {batch} of {spec.name}", title_justify="left")
    for title in ("annotator", "result", "why"):
        table.add_column(title)
    for one in results:
        table.add_row(one.annotator, one.status, one.reason)
    console().print(table)


def _results(batch: str, work: Path, task: Task, spec: TaskSpec) -> list[Qualified]:
    read = batches.read(folder_of(work, task.id, batch))
    if read.card.kind != "pilot":
        raise InputError(f"batch {batch} is no pilot; make one with klue export --pilot")
    return judged(
        read.votes,
        task=task,
        spec=spec,
        items=read.items,
        workers=read.card.annotators,
        round_=read.card.round,
    )


def simulate(
    task: str,
    *,
    out: Path,
    batch: str,
    truth: Path | None,
    seed: int,
    work: Path,
    specs: Path | None,
    as_json: bool,
) -> None:
    """Answer a batch by simulated annotators and write their votes."""
    from pipeline.annotation.simulated.engine import simulate as answered

    found, spec = _specified(task, specs)
    given = batches.read(folder_of(work, found.id, batch))
    truths = items_of(truth, found) if truth is not None else None
    votes = answered(given, task=found, spec=spec, truths=truths, seed=seed)
    lines = [json.dumps(v.value, ensure_ascii=False, sort_keys=True) + "\n" for v in votes]
    store.write_text(out, "".join(lines))
    if as_json:
        emit_json({"task": found.id, "batch": batch, "votes": len(lines), "out": str(out)})
    else:
        console().print(f"written  {out} ({len(lines):,} simulated votes)", soft_wrap=True)
