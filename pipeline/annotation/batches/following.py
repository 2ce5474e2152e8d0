"""What one round hands to the next: the answers that stand, what was rejected, written pairs."""

from __future__ import annotations

from collections.abc import Collection
from string import ascii_lowercase
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.batches.assignment import ORIGIN
from pipeline.annotation.intake.raw import RawVote
from pipeline.contracts.decisions import ADJUDICATE, DECIDING, EXPERT
from pipeline.contracts.inspection import Said, Stage, once, settle, stages, until, valid
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.core import schemas
from pipeline.core.ids import pair_id
from pipeline.core.jsontext import canonical, parsed

#: The seat of an author's own label among those of the validators, as in the official files.
AUTHOR: Final = "author"


def standing(votes: pa.Table, spec: TaskSpec, round_: Round) -> dict[str, Any]:
    """Return the answer that stands for each item after a round, by item.

    Of a round of verdicts it is what gold would take: the accepted answer, the correction, or what
    an expert decided. Of a round of answers that others judge it is the last attempt's. Where
    people contradict each other, or the answer was rejected, there is none.
    """
    stage, ends = until(round_, spec)
    found = {}
    for item, (said, adjudications) in _by_item(votes, spec).items():
        settled = settle(stage, said, adjudications if ends else ())
        if settled.text is not None:
            found[item] = parsed(settled.text)
    return found


def rejected(votes: pa.Table, spec: TaskSpec, round_: Round) -> dict[str, int]:
    """Return the items to be answered again in a round, with the number of the next attempt.

    An item is one if its last attempt was rejected in a later round of verdicts, the spec allows
    another, and no expert has settled it.
    """
    stage = next((one for one in stages(spec) if one.answer.id == round_.id), Stage(round_))
    found = {}
    for item, (said, adjudications) in _by_item(votes, spec).items():
        if settle(stage, said, adjudications).queue == "revision":
            found[item] = 1 + max(one.attempt for one in said if one.round == round_.id)
    return found


def pairs(items: pa.Table, votes: pa.Table, round_: Round) -> tuple[pa.Table, list[RawVote]]:
    """Make a pair of every premise and each hypothesis written for it (Section 3.3.1).

    Neither the id of a pair nor its place says which label it was written for. Returns the pairs
    (ITEMS; `meta` names the premise as `origin`) and the authors' own labels as votes of the round
    of validation, which count among the five.
    """
    source = {row["item"]: row for row in items.to_pylist()}
    rows: dict[str, dict[str, object]] = {}
    authors: dict[str, RawVote] = {}
    for vote in _answers(votes):
        if vote["item"] not in source:
            continue
        for label, text in parsed(vote["label"]).items():
            name = _unused(pair_id(vote["item"], text), rows)
            rows[name] = _pair(name, source[vote["item"]], text)
            authors[name] = RawVote("authors", len(rows), _author(name, vote, label, round_))
    order = sorted(rows)
    return schemas.build("items", [rows[n] for n in order]), [authors[n] for n in order]


def _pair(name: str, premise: dict[str, Any], text: str) -> dict[str, object]:
    return {
        "item": name,
        "task": premise["task"],
        "fields": canonical({**parsed(premise["fields"]), "hypothesis": text}),
        "source": premise["source"],
        "sampler": premise["sampler"],
        "meta": canonical({ORIGIN: premise["item"]}),
    }


def _author(name: str, vote: dict[str, Any], label: str, round_: Round) -> dict[str, Any]:
    return {
        "item": name,
        "annotator": vote["annotator"],
        "role": "author",
        "round": round_.id,
        "seat": AUTHOR,
        "label": label,
        "report": vote["report"],
        "spec": vote["spec"],
        "source": vote["source"],
        "simulated": vote["simulated"],
    }


def _unused(name: str, used: Collection[str]) -> str:
    """Return a name that no other text has: the same text may be written twice."""
    tries = (f"{name}{letter}" for letter in ("", *ascii_lowercase[1:]))
    return next(one for one in tries if one not in used)


def _answers(votes: pa.Table) -> list[dict[str, Any]]:
    """Return the hypotheses written, by item and author."""
    rows = [
        row for row in votes.to_pylist() if row["label"] is not None and row["role"] == "author"
    ]
    return sorted(rows, key=lambda row: (row["item"], row["annotator"] or "", row["seat"] or ""))


def _by_item(votes: pa.Table, spec: TaskSpec) -> dict[str, tuple[list[Said], list[Any]]]:
    """Return the votes on each item that aggregation counts, and its last adjudications."""
    names = ("item", "round", "attempt", "annotator", "seat", "role", "label")
    columns = (votes.column(name).to_pylist() for name in names)
    rows = [row for row in zip(*columns, strict=True) if row[-1] is not None]
    rows.sort(key=lambda row: tuple(one or "" for one in row))
    read = {text: parsed(text) for text in {row[-1] for row in rows}}
    given: dict[str, list[Said]] = {}
    decided: dict[str, list[Said]] = {}
    for place, (item, name, attempt, who, seat, role, text) in enumerate(rows):
        person = ("annotator", who) if who is not None else ("seat", seat or place)
        said = Said(name, attempt, person, role == EXPERT, text, read[text])
        if name == ADJUDICATE and said.expert:
            decided.setdefault(item, []).append(said)
        elif name not in DECIDING and role in spec.aggregation.roles:
            given.setdefault(item, []).append(said)
    plan = stages(spec)
    return {
        item: (valid(once(given.get(item, [])), plan)[0], _last(decided.get(item, [])))
        for item in sorted(given.keys() | decided.keys())
    }


def _last(adjudications: list[Said]) -> list[Any]:
    last = max((one.attempt for one in adjudications), default=0)
    return [one.answer for one in adjudications if one.attempt == last]
