"""The life of a document, section, unit, record or candidate: its origin, and every decision."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from flows.lineage.outputs import SAMPLING, Outputs, Row, Step, builds_of
from flows.view.console import Result, print_line, say
from pipeline.contracts.registry import task_of
from pipeline.contracts.splits import FILES
from pipeline.core.errors import InputError
from pipeline.core.ids import source_of
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.wording import count
from pipeline.pii.detect import mask

#: The letter after the source in an id, and the kind it stands for.
KINDS: Final = {
    "d": "document",
    "p": "section",
    "s": "sentence",
    "w": "whole",
    "q": "record",
    "c": "candidate",
}
#: The stages whose votes are all there are of a task, the last one first.
_ANSWERED: Final = ("decide", "collect", "answer")
#: The date of a headline or article in the evidence of a candidate.
_DATE: Final = re.compile(r'"date":"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"')
#: What a candidate tells of the answer that is asked for, and what is told besides.
_HIDDEN: Final = frozenset(
    {
        *("predefined_news_category", "section", "url", "relations", "facts", "suggestion"),
        *("question_type", "goal", "candidates", "knowledge", "offers", "expected", "parts"),
        "domains",
        "units",
    }
)
#: So many leaks of an example are told one by one.
_LEAKS: Final = 3


def explain(name: str, work: Path, build_name: str | None = None) -> Result:
    """Return the life of an id in order of time, of the newest build of a work directory with it.

    Raises InputError when the id has no form that this project gives, or no build knows it.
    """
    kind = KINDS.get(name.rpartition("-")[2][:1])
    if not source_of(name) or kind is None:
        raise InputError(
            f"{name!r} is not an id; ids look like nsmc-s4f0c... (source, kind, digest) and stand"
            " in the columns `id` and `unit` of the tables"
        )
    builds = builds_of(work, build_name)
    for outputs in builds:
        if steps := [asdict(step) for step in _STEPS[kind](outputs, name, source_of(name))]:
            others = [other.build for other in builds if other is not outputs]
            if others and build_name is None:
                say(f"the newest build that has it; --build NAME asks another: {', '.join(others)}")
            return {"id": name, "kind": kind, "build": outputs.build, "steps": steps}, _show
    raise InputError(
        f"{name}: unknown in the builds {', '.join(other.build for other in builds)} of {work};"
        " check the id, or give the --work directory of the build that it belongs to"
    )


def _show(life: dict[str, Any]) -> None:
    print_line("{id} ({kind}) in build {build}".format(**life))
    width = max(len(step["stage"]) for step in life["steps"])
    for step in life["steps"]:
        rule = f" {step['rule']}" if step["rule"] else ""
        print_line(f"  {step['stage']:{width}} {step['action']}{rule}: {step['detail']}")


def _record(outputs: Outputs, name: str, source: str) -> Iterator[Step]:
    return outputs.ledger("read", source, name)


def _document(outputs: Outputs, name: str, source: str) -> Iterator[Step]:
    steps = list(outputs.origin(name, source))
    if not steps:
        return
    yield from steps
    units = outputs.rows("segment", source, "units", "document", name)
    kept_units = outputs.rows("dedup", "all", "kept", "document", name)
    if units:
        detail = f"{count(len(units), 'unit')}, {len(kept_units)} kept: " + " ".join(
            u["id"] for u in units
        )
        yield Step("segment", None, "cut", detail)
    yield from outputs.ledger("segment", source, name)


def _section(outputs: Outputs, name: str, source: str) -> Iterator[Step]:
    for row in outputs.rows("segment", source, "sections", "id", name):
        members = [member["id"] for member in row["sentences"]]
        kept_units = {unit["id"] for unit in outputs.rows("dedup", "all", "kept", "id", *members)}
        lost = [member for member in members if member not in kept_units]
        title = f"section {mask(row['title'])!r}" if row["title"] else "untitled section"
        detail = (
            f"{title} of {row['document']}: {count(len(members), 'sentence')}, {len(lost)} lost"
        )
        yield from outputs.origin(row["document"], source)
        yield Step("segment", None, "section", " ".join([detail, *lost]))
        yield from _task_steps(outputs, name, "section")


def _unit(outputs: Outputs, name: str, source: str) -> Iterator[Step]:
    units = outputs.rows("segment", source, "units", "id", name)
    if not units:
        yield from outputs.ledger("segment", source, name)
        return
    unit = units[0]
    where = f"code points {unit['start']} to {unit['end']} of {unit['document']}"
    yield from outputs.origin(unit["document"], source)
    yield Step("segment", None, unit["kind"], f"{where}: {mask(unit['text'])}")
    yield from outputs.ledger("clean", source, name)
    for row in outputs.rows("clean", source, "units", "id", name):
        if row["text"] != unit["text"]:
            yield Step("clean", None, "result", mask(row["text"]))
    for stage in ("length", "decontaminate", "pii"):
        yield from outputs.ledger(stage, source, name)
    for row in outputs.rows("score", source, "scores", "unit", name):
        judged = row["hate"] is not None
        detail = (
            f"gender bias {row['gender_bias']:g}, hate {row['hate']:g}" if judged else "not Korean"
        )
        yield Step("score", None, "scored", detail)
    yield from outputs.ledger("toxicity", source, name)
    yield from outputs.ledger("dedup", "all", name)
    for row in outputs.rows("dedup", "all", "kept", "id", name):
        cluster = outputs.rows("dedup", "all", "kept", "cluster", row["cluster"])
        yield Step("dedup", None, "kept", f"cluster {row['cluster']} of {len(cluster)}")
        yield from _task_steps(outputs, name, unit["kind"])


def _task_steps(outputs: Outputs, name: str, kind: str) -> Iterator[Step]:
    """Yield what the tasks made of a unit or section: candidates, why not, or nothing."""
    for task in (source for stage, source in outputs.folders if stage == SAMPLING):
        steps = list(outputs.ledger(SAMPLING, task, name))
        for row in outputs.rows(SAMPLING, task, "drawn", "unit", name):
            role = f" as {row['role']}" if row["role"] else ""
            steps.append(Step(SAMPLING, None, "drawn", f"{task}: {row['item']}{role}"))
        if not steps and outputs.reads(task, source_of(name), kind):
            full = f"{task}: not looked at, or not needed, when its quotas were full"
            steps = [Step(SAMPLING, None, "undrawn", full)]
        yield from steps


def _candidate(outputs: Outputs, name: str, task: str) -> Iterator[Step]:
    """Yield the life of a candidate, or of a pair written for one, from the raw file to a split."""
    candidate = name.partition(".")[0]
    items = outputs.rows(SAMPLING, task, "items", "item", candidate)
    annotated = list(_annotation_steps(outputs, name, task)) if items else []
    if items and (annotated or candidate == name):
        for item in items:
            yield from _sampling_steps(outputs, candidate, task, item)
        yield from annotated


def _sampling_steps(outputs: Outputs, name: str, task: str, item: Row) -> Iterator[Step]:
    parts = outputs.rows(SAMPLING, task, "drawn", "item", name)
    for unit in (part["unit"] for part in parts):
        source, table = source_of(unit), "sections" if "-p" in unit[-23:] else "units"
        for row in outputs.rows("segment", source, table, "id", unit):
            yield from outputs.origin(row["document"], source)
            where = f"code points {row['start']} to {row['end']} of {row['document']}: {unit}"
            yield Step("segment", None, "cut", where)
    units = ", ".join(f"{p['role'] or 'unit'} {p['unit']}" for p in parts) or "no corpus"
    detail = f"{task} from {item['source']} by {item['sampler']}: {units}"
    yield Step(SAMPLING, None, "drawn", detail)
    yield Step(SAMPLING, None, "shows", _without_answer(item["fields"]))
    evidence = _without_answer(item["meta"] or "{}")
    if evidence != "{}":
        yield Step(SAMPLING, None, "evidence", evidence)


def _without_answer(text: str) -> str:
    """Return an object, masked but for its date, without what tells the answer that is asked for.

    The date is the day that the reader made of it; masked it would be a number.
    """
    entries = [
        f"{canonical(key)}:{canonical(value)}"
        for key, value in sorted(parsed(text).items())
        if key not in _HIDDEN
    ]
    shown = (entry if _DATE.fullmatch(entry) else mask(entry) for entry in entries)
    return f"{{{','.join(shown)}}}"


def _annotation_steps(outputs: Outputs, name: str, task: str) -> Iterator[Step]:
    """Yield what annotators, aggregation and the split rule made of an item, without any answer.

    Gold labels of test examples are never shown, and for one rule for all, neither are others.
    """
    stage = next((s for s in _ANSWERED if (s, task) in outputs.folders), "")
    for row in outputs.rows(stage, task, "items", "item", name):
        if row["item"] != name.partition(".")[0]:
            yield Step(stage, None, "written", mask(row["fields"]))
        votes = outputs.rows(stage, task, "votes", "item", name)
        rounds = Counter(vote["round"] for vote in votes)
        detail = ", ".join(f"{n} in round {round_}" for round_, n in rounds.items())
        reports = Counter(vote["report"] for vote in votes if vote["report"])
        detail += "".join(
            f"; reported {count(n, 'time')} for {why}" for why, n in sorted(reports.items())
        )
        yield Step(stage, None, "votes", detail or "none")
    yield from outputs.ledger(stage, task, name)
    for row in outputs.rows("aggregate", task, "gold", "item", name):
        agreement = f"agreement {row['agreement']:.2f}" if row["agreement"] is not None else ""
        ends = [f"{key} {row[key]}" for key in ("reason", "queue") if row[key]]
        detail = ", ".join(filter(None, (count(row["votes"], "vote"), agreement, *ends)))
        yield Step("aggregate", row["rule"], row["status"], detail)
    yield from outputs.ledger("aggregate", task, name)
    yield from outputs.ledger("split", task, name)
    examples = outputs.rows("split", task, "examples", "id", name)
    for row in examples:
        remark = ", as in the version before" if row["kept"] else ""
        yield Step("split", None, row["split"], f"group {row['group']}{remark}")
    yield from _leaks(outputs, name, task)
    for row in examples if outputs.release else ():
        path = f"{outputs.release}/{task_of(task).config}/{FILES[row['split']]}.parquet"
        yield Step("release", None, "written", path)


def _leaks(outputs: Outputs, name: str, task: str) -> Iterator[Step]:
    leaks = [
        (row["kind"], row["right" if side == "left" else "left"] or row["file"])
        for side in ("left", "right")
        for row in outputs.rows("leakage", task, "leaks", side, name)
    ]
    for kind, other in leaks[:_LEAKS]:
        yield Step("leakage", None, kind, f"with {other}")
    for kind, n in Counter(kind for kind, _ in leaks[_LEAKS:]).items():
        yield Step("leakage", None, kind, f"with {n} more")


_STEPS: Final[dict[str, Callable[[Outputs, str, str], Iterator[Step]]]] = {
    "document": _document,
    "section": _section,
    "sentence": _unit,
    "whole": _unit,
    "record": _record,
    "candidate": _candidate,
}
