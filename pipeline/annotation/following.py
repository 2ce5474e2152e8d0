"""What one round hands to the next: the answers that stand, what was rejected, written pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.assignment import ORIGIN
from pipeline.annotation.raw import RawVote
from pipeline.core import schemas
from pipeline.core.jsontext import canonical, parsed
from pipeline.tasks.spec import Round, TaskSpec

#: The seat of an author's own label among those of the validators, as in the official files.
AUTHOR: Final = "author"


def standing(votes: pa.Table, spec: TaskSpec, round_: Round) -> dict[str, Any]:
    """Return the answer that stands for each item after a round, by item.

    Of a round of verdicts it is the answer judged, if the last attempt was accepted, or the
    correction; a rejected item has none. Of a round of answers it is the last attempt's, the first
    by annotator where several answered.
    """
    last = _last(votes, round_)
    if round_.answer != "verdict":
        return last
    judged = spec.round(round_.after or "")
    before = standing(votes, spec, judged) if judged is not None else {}
    found = {}
    for item, verdict in last.items():
        if verdict["verdict"] == "revise":
            found[item] = verdict["answer"]
        elif verdict["verdict"] == "accept" and item in before:
            found[item] = before[item]
    return found


def rejected(votes: pa.Table, spec: TaskSpec, round_: Round) -> dict[str, int]:
    """Return the items to be answered again in a round, with the number of the next attempt.

    An item is one if its last attempt was rejected in a later round of verdicts, and the spec
    allows another.
    """
    judging = next((r for r in spec.rounds if r.after == round_.id and r.answer == "verdict"), None)
    if judging is None:
        return {}
    made, seen = _attempts(votes, round_), _attempts(votes, judging)
    verdicts = _last(votes, judging)
    return {
        item: made[item] + 1
        for item, verdict in sorted(verdicts.items())
        if verdict["verdict"] == "reject"
        and seen[item] == made.get(item)
        and made[item] < round_.attempts
    }


def pairs(items: pa.Table, votes: pa.Table, round_: Round) -> tuple[pa.Table, list[RawVote]]:
    """Make a pair of every premise and each hypothesis written for it (Section 3.3.1).

    Returns the pairs (ITEMS; `meta` names the premise as `origin`) and the authors' own labels as
    votes of the round of validation, which count among the five.
    """
    source = {row["item"]: row for row in items.to_pylist()}
    answers = [vote for vote in _answers(votes) if vote["item"] in source]
    several = Counter(vote["item"] for vote in answers)
    made: Counter[str] = Counter()
    rows: list[dict[str, object]] = []
    authors: list[RawVote] = []
    for vote in answers:
        premise = source[vote["item"]]
        made[vote["item"]] += 1
        place = f"{made[vote['item']]}" if several[vote["item"]] > 1 else ""
        fields = parsed(premise["fields"])
        for label, text in sorted(parsed(vote["label"]).items()):
            name = f"{vote['item']}.{place}{label[0]}"
            rows.append(
                {
                    "item": name,
                    "task": premise["task"],
                    "fields": canonical({**fields, "hypothesis": text}),
                    "source": premise["source"],
                    "sampler": premise["sampler"],
                    "meta": canonical({ORIGIN: vote["item"]}),
                }
            )
            value = {
                "item": name,
                "annotator": vote["annotator"],
                "role": "author",
                "round": round_.id,
                "seat": AUTHOR,
                "label": label,
                "spec": vote["spec"],
                "simulated": vote["simulated"],
            }
            authors.append(RawVote("authors", len(rows), value))
    return schemas.build("items", rows), authors


def _answers(votes: pa.Table) -> list[dict[str, Any]]:
    """Return the hypotheses written, by item and author."""
    rows = [
        row for row in votes.to_pylist() if row["label"] is not None and row["role"] == "author"
    ]
    return sorted(rows, key=lambda row: (row["item"], row["annotator"] or "", row["seat"] or ""))


def _of(votes: pa.Table, round_: Round) -> Iterable[tuple[str, int, str, str]]:
    columns = (votes.column(n).to_pylist() for n in ("item", "attempt", "annotator", "round"))
    labels = votes.column("label").to_pylist()
    for (item, attempt, who, name), label in zip(zip(*columns, strict=True), labels, strict=True):
        if name == round_.id and label is not None:
            yield item, attempt, who or "", label


def _last(votes: pa.Table, round_: Round) -> dict[str, Any]:
    found: dict[str, str] = {}
    rows = sorted(_of(votes, round_), key=lambda row: (row[0], -row[1], row[2], row[3]))
    for item, _, _, label in rows:
        found.setdefault(item, label)
    return {item: parsed(label) for item, label in found.items()}


def _attempts(votes: pa.Table, round_: Round) -> dict[str, int]:
    found: dict[str, int] = {}
    for item, attempt, _, _ in _of(votes, round_):
        found[item] = max(attempt, found.get(item, 0))
    return found
