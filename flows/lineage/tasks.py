"""What the tasks made of units: candidates, the answers to them, gold, and their split."""

from __future__ import annotations

from collections import Counter

from flows.lineage.outputs import SAMPLING, Outputs, Row, Step
from pipeline.contracts.registry import task_of
from pipeline.contracts.splits import FILES
from pipeline.core.ids import source_of
from pipeline.core.jsontext import canonical, parsed
from pipeline.pii.detect import mask

#: The stages whose votes are all there are of a task, the last one first.
ANSWERED = ("decide", "collect", "answer")
#: What a candidate tells of the answer that is asked for, and what is told besides.
_TELLING = frozenset(
    {
        *("predefined_news_category", "section", "url", "relations", "facts", "suggestion"),
        *("question_type", "goal", "candidates", "knowledge", "offers", "expected", "parts"),
        "domains",
        "units",
    }
)
#: So many leaks of an example are told one by one.
_LEAKS = 3


def drawn(outputs: Outputs, name: str, kind: str) -> list[Step]:
    """Tell what the tasks made of a unit or section: candidates, why not, or nothing."""
    steps = []
    for task in (source for stage, source in outputs.folders if stage == SAMPLING):
        found = outputs.ledger(SAMPLING, task, name)
        for row in outputs.rows(SAMPLING, task, "drawn", "unit", name):
            role = f" as {row['role']}" if row["role"] else ""
            found.append(Step(SAMPLING, None, "drawn", f"{task}: {row['item']}{role}"))
        if not found and outputs.reads(task, source_of(name), kind):
            full = f"{task}: not looked at, or not needed, when its quotas were full"
            found = [Step(SAMPLING, None, "undrawn", full)]
        steps += found
    return steps


def candidate(outputs: Outputs, name: str, task: str) -> list[Step]:
    """Tell of a candidate, or of a pair written for one, from the raw file to its split."""
    drawn = name.partition(".")[0]
    items = outputs.rows(SAMPLING, task, "items", "item", drawn)
    if not items:
        return []
    steps = [step for item in items for step in _sampled(outputs, drawn, task, item)]
    annotated = _annotated(outputs, name, task)
    return steps + annotated if annotated or drawn == name else []


def _sampled(outputs: Outputs, name: str, task: str, item: Row) -> list[Step]:
    parts = outputs.rows(SAMPLING, task, "drawn", "item", name)
    units = ", ".join(f"{p['role'] or 'unit'} {p['unit']}" for p in parts) or "no corpus"
    steps = [step for part in parts for step in _cut(outputs, part["unit"])]
    detail = f"{task} from {item['source']} by {item['sampler']}: {units}"
    steps.append(Step(SAMPLING, None, "drawn", detail))
    steps.append(Step(SAMPLING, None, "shows", _open(item["fields"])))
    evidence = _open(item["meta"] or "{}")
    return [*steps, Step(SAMPLING, None, "evidence", evidence)] if evidence != "{}" else steps


def _open(text: str) -> str:
    """Return an object, masked, without what tells the answer that is asked for."""
    told = {key: value for key, value in parsed(text).items() if key not in _TELLING}
    return mask(canonical(told))


def _cut(outputs: Outputs, name: str) -> list[Step]:
    """Tell where a unit or section was read and cut out."""
    source, table = source_of(name), "sections" if "-p" in name[-23:] else "units"
    steps = []
    for row in outputs.rows("segment", source, table, "id", name):
        steps += outputs.origin(row["document"], source)
        where = f"code points {row['start']} to {row['end']} of {row['document']}: {name}"
        steps.append(Step("segment", None, "cut", where))
    return steps


def _annotated(outputs: Outputs, name: str, task: str) -> list[Step]:
    """Tell what annotators, aggregation and the split rule made of an item; no answer is told.

    What is gold of a test example is nobody's to see, so nobody's is.
    """
    steps = []
    answered = next((s for s in ANSWERED if (s, task) in outputs.folders), "")
    for row in outputs.rows(answered, task, "items", "item", name):
        if row["item"] != name.partition(".")[0]:
            steps.append(Step(answered, None, "written", mask(row["fields"])))
        votes = outputs.rows(answered, task, "votes", "item", name)
        rounds = Counter(vote["round"] for vote in votes)
        told = ", ".join(f"{n} in round {one}" for one, n in rounds.items())
        reports = Counter(vote["report"] for vote in votes if vote["report"])
        told += "".join(f"; reported {n} times for {why}" for why, n in sorted(reports.items()))
        steps.append(Step(answered, None, "votes", told or "none"))
    steps += outputs.ledger(answered, task, name)
    for row in outputs.rows("aggregate", task, "gold", "item", name):
        steps.append(Step("aggregate", row["rule"], row["status"], _outcome(row)))
    steps += outputs.ledger("aggregate", task, name) + outputs.ledger("split", task, name)
    for row in outputs.rows("split", task, "examples", "id", name):
        kept = ", as in the version before" if row["kept"] else ""
        steps.append(Step("split", None, row["split"], f"group {row['group']}{kept}"))
    return steps + _leaks(outputs, name, task) + _released(outputs, name, task)


def _leaks(outputs: Outputs, name: str, task: str) -> list[Step]:
    found = [
        (row["kind"], row["right" if side == "left" else "left"] or row["file"])
        for side in ("left", "right")
        for row in outputs.rows("leakage", task, "leaks", side, name)
    ]
    steps = [Step("leakage", None, kind, f"with {other}") for kind, other in found[:_LEAKS]]
    more = Counter(kind for kind, _ in found[_LEAKS:])
    return steps + [Step("leakage", None, kind, f"with {n} more") for kind, n in more.items()]


def _released(outputs: Outputs, name: str, task: str) -> list[Step]:
    """Tell in which file of the build's release an example stands."""
    rows = outputs.rows("split", task, "examples", "id", name) if outputs.release else []
    config = task_of(task).config
    return [
        Step(
            "release", None, "written", f"{outputs.release}/{config}/{FILES[row['split']]}.parquet"
        )
        for row in rows
    ]


def _outcome(row: Row) -> str:
    told = f"{row['votes']} votes"
    if row["agreement"] is not None:
        told += f", agreement {row['agreement']:.2f}"
    for name in ("reason", "queue"):
        if row[name]:
            told += f", {name} {row[name]}"
    return told
