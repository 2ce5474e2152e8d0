"""What people score: their answers against gold, as Tables 7 and 21 of the paper.

Everybody who answered is scored like a system, by the metrics of the task over the items that they
answered; the top scoring one is human performance (Section 3.7.3). Where an answer is one class,
the agreement of Table 7 stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.contracts.example import Prediction
from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import parsed
from pipeline.core.wording import count
from pipeline.scoring.breakdown import of_parts, parts
from pipeline.scoring.measure import HUNDRED, Variant
from pipeline.scoring.scorer import Gold, round_score, scores


def human_baseline(votes: pa.Table, gold: Gold, variant: Variant) -> dict[str, Any]:
    """Return the scores of those who gave votes (VOTES) about examples of the gold.

    `annotators`: for each the number of items and the score by every metric (and `types`, by class,
    where answers have classes that are no labels of the spec); `mean` of their scores, not
    weighted; `best`: who scores highest by the first metric, then by the next. `agreement` is there
    for answers of one class. `items`, `votes` and `reports` (objections without an answer) are
    counts; `simulated` tells whether any vote is.
    Raises InputError for votes about items that the gold does not have, for answers of another form
    than gold, and where there is no answer.
    """
    answers = _answers(votes, gold)
    predictions = [prediction for votes_of_one in answers.values() for prediction in votes_of_one]
    by_annotator = {
        who: _score(votes_of_one, gold, variant) for who, votes_of_one in sorted(answers.items())
    }
    names = [name for name in next(iter(by_annotator.values())) if name not in ("n", "types")]
    record: dict[str, Any] = {
        "items": len({prediction.id for prediction in predictions}),
        "votes": len(predictions),
        "reports": votes.column("label").null_count,
        "simulated": any(votes.column("simulated").to_pylist()),
        "annotators": by_annotator,
        "mean": {
            name: _mean([numbers[name] for numbers in by_annotator.values()]) for name in names
        },
        "best": max(by_annotator, key=lambda who: _rank(by_annotator[who], names)),
    }
    task = TASKS[gold.scorer.task]
    if task.kind == "category":
        labels = {example.id: task.view(example.label) for example in gold.examples}
        record["agreement"] = agreement(
            labels, [(prediction.id, prediction.label) for prediction in predictions], variant
        )
    return record


def agreement(
    gold: Mapping[str, str], answers: Sequence[tuple[str, str]], variant: Variant
) -> dict[str, Any]:
    """Return Table 7, in per cent of items: how people's labels agree with the gold label.

    `agree`: for each number of people, the items on which so many gave the gold label; `unanimous`:
    all who answered did. `individual`: the share of single answers equal to gold. A majority label
    is that of more than half. `klue` counts the gold label as one vote more, as Table 7 does: with
    four people three of five, so that two of them suffice to choose it again. `strict` counts the
    people alone. `no_gold`: no label has the majority; `majority_differs`: the majority is not the
    gold label (in `klue` also where there is none, as 26.00 % of KorNLI are the items on which at
    most one agrees); `majority_accuracy`: it is.

    Source: Section 3.3.1. Two cells of the paper do not fit the others: of 400 answers 364, not
    360, are 91.00 %, and the 2 % of KLUE-NLI with one agreeing have another majority or none, where
    the table has 0.00 % and the text 98 % for the majority.
    """
    by_item: dict[str, list[str]] = {}
    for item, label in answers:
        by_item.setdefault(item, []).append(label)
    agree = [labels.count(gold[item]) for item, labels in by_item.items()]
    asked = [len(labels) for labels in by_item.values()]
    chosen = [_majority(labels, gold[item], variant) for item, labels in by_item.items()]
    right = [label == gold[item] for item, label in zip(by_item, chosen, strict=True)]
    none = [label is None for label in chosen]
    pairs = zip(right, none, strict=True)
    differs = [not ok and (variant == "klue" or not no) for ok, no in pairs]
    return {
        "people": max(asked),
        "unanimous": _share([a == n for a, n in zip(agree, asked, strict=True)]),
        "agree": {str(k): _share([a == k for a in agree]) for k in range(max(asked), -1, -1)},
        "individual": round_score(HUNDRED * sum(agree) / sum(asked)),
        "no_gold": _share(none),
        "majority_differs": _share(differs),
        "majority_accuracy": _share(right),
    }


def _majority(labels: Sequence[str], gold: str, variant: Variant) -> str | None:
    voting = [*labels, gold] if variant == "klue" else labels
    return next((answer for answer in voting if 2 * voting.count(answer) > len(voting)), None)


def _share(marks: Sequence[bool]) -> float | None:
    return round_score(HUNDRED * sum(marks) / len(marks))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round_score(float(np.mean(known))) if known else None


def _rank(numbers: Mapping[str, Any], names: Sequence[str]) -> tuple[float, ...]:
    return tuple(-np.inf if numbers[name] is None else numbers[name] for name in names)


def _answers(votes: pa.Table, gold: Gold) -> dict[str, list[Prediction]]:
    """Return the last answers of each person, by item; raises InputError."""
    known = {example.id: example for example in gold.examples}
    rows = [row for row in votes.to_pylist() if row["label"] is not None]
    if not rows:
        raise InputError("no vote holds an answer, so nobody can be scored; import the votes first")
    items = {row["item"] for row in rows}
    if strange := sorted(items.difference(known)):
        raise InputError(
            f"not in the gold: {len(strange):,} of {count(len(items), 'item')} voted on, the first"
            f" is {strange[0]}; give the gold that the items were drawn from"
        )
    by_item: dict[tuple[str, str], Prediction] = {}
    faults = []
    for row in sorted(rows, key=lambda row: int(row["attempt"])):
        try:
            answer = {"label": gold.scorer.answer(parsed(row["label"]))}
            prediction = gold.scorer.read(answer, known[row["item"]], gold.spec)
            by_item[row["item"], row["annotator"] or row["seat"]] = prediction
        except RecordError as fault:
            faults.append((row["item"], fault.reason))
    if faults:
        raise InputError(
            f"no answers of the form of gold: {len(faults):,} of {count(len(rows), 'vote')}, the"
            f" first is about {faults[0][0]}: {faults[0][1]}; give the votes of the round that asks"
            " for them"
        )
    answers: dict[str, list[Prediction]] = {}
    for item, who in sorted(by_item):
        answers.setdefault(who, []).append(by_item[item, who])
    return answers


def _score(predictions: Sequence[Prediction], gold: Gold, variant: Variant) -> dict[str, Any]:
    """Return the number of items and the scores of one person; `predictions` is by item."""
    ids = {prediction.id for prediction in predictions}
    pairs = zip(gold.examples, gold.answers, strict=True)
    examples, answers = zip(*(pair for pair in pairs if pair[0].id in ids), strict=True)
    mine = replace(gold, examples=examples, answers=answers)
    measures = mine.measures(predictions, variant)
    record: dict[str, Any] = {"n": len(mine), **scores(measures, len(mine)).values}
    if gold.scorer.classes:
        record["types"] = of_parts(parts(mine)["label"], measures)
    return record
