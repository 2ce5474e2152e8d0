"""A small release made by hand: all eight tasks, two sources, five annotators, every kind of item.

Each task has four train, two dev and two test examples, and three items more: one is unresolved,
one was removed, and one has gold but no split.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core import schemas, store
from pipeline.core.jsontext import canonical
from pipeline.release.material import (
    Facts,
    Material,
    RawFile,
    SourceFacts,
    TaskFacts,
    TaskMaterial,
)

SPLIT_OF = ("train", "train", "train", "train", "dev", "dev", "test", "test")
UNRESOLVED, REMOVED, LEFT = 8, 9, 10
PEOPLE = ("worker-01", "worker-02", "worker-03")
INSPECTOR, EXPERT = "inspector-7", "expert-1"
NAME = "mini"
#: A build file that names people, in lists and by the names of their files.
BUILD: Mapping[str, Any] = {
    "name": NAME,
    "seed": 7,
    "workers": 2,
    "catalogue": "../kim/catalogue.yaml",
    "sources": {"airbnb": {"inputs": [{"path": "/elsewhere/reviews.csv", "reader": None}]}},
    "candidates": {
        "annotators": list(PEOPLE),
        "knowledge": [{"path": "kim/known.tsv", "format": "tsv"}],
        "translator": {"kind": "file", "paths": ["kim/back.jsonl"], "pivot": "en"},
        "tagger": "crf:../kim/tagger",
    },
    "annotation": {
        "mode": "imported",
        "votes": [f"/elsewhere/{who}.jsonl" for who in PEOPLE],
        "truths": "kim/truths",
    },
}
Made = tuple[dict[str, Any], Any, dict[str, Any]]


def guid(task: str, place: int) -> str:
    """Return the id of an item; pairs of three hang on one premise."""
    if task == "nli":
        return f"{premise(place)}.{place:08x}"
    return f"{task}-c{place * 7919 % 97:020x}"


def premise(place: int) -> str:
    """Return the premise of a pair: 0 to 2, 3 with the pair without a split, 4 and 5, 6 and 7."""
    at = (0, 0, 0, 1, 2, 2, 3, 3, 4, 4, 1)[place]
    return f"nli-c{at:020x}"


def _tc(place: int) -> Made:
    label = ["정치", "경제", "사회", "세계"][place % 4]
    url = f"https://news.example.org/read?sid1=10{place % 4}&aid={place}"
    told = {"date": f"2019-0{place % 9 + 1}-11", "predefined_news_category": label, "url": url}
    return {"title": f"가상시 {place}번 버스 노선 바뀐다"}, [label, "사회"][: 1 + place % 2], told


def _sts(place: int) -> Made:
    mean = place % 6
    label = {"label": mean + 0.0, "real-label": mean + 0.0, "binary-label": int(mean >= 3)}
    fields = {"sentence1": f"방이 {place}층이에요.", "sentence2": f"숙소는 {place}층입니다."}
    return fields, label, {"units": [f"airbnb-s{place}"]}


def _nli(place: int) -> Made:
    label = ["entailment", "contradiction", "neutral"][place % 3]
    fields = {"premise": f"{premise(place)[-1]}번 창문이 열렸다.", "hypothesis": f"가설 {place}."}
    return fields, label, {"origin": premise(place)}


def _ner(place: int) -> Made:
    text = f"한도담 씨는 가람시에 {place}번 갔다"
    label = [{"start": 0, "end": 3, "label": "PS"}, {"start": 7, "end": 10, "label": "LC"}]
    return {"text": text}, label, {"suggestion": [{"start": 0, "end": 2, "label": "PS"}]}


def _re(place: int) -> Made:
    sentence = f"누리전자 대표 한도담은 {place}년째 일한다."
    fields = {
        "sentence": sentence,
        "subject": {"word": "누리전자", "start": 0, "end": 4, "type": "ORG"},
        "object": {"word": "한도담", "start": 8, "end": 11, "type": "PER"},
    }
    label = ["org:top_members/employees", "no_relation"][place % 2]
    return fields, label, {"relations": [label]}


def _dp(place: int) -> Made:
    words = ["비가", f"{place}일째", "온다."]
    label = {
        "heads": [3, 3, 0],
        "deprels": ["NP_SBJ", "NP_AJT", "VP"],
        "lemmas": ["비 가", f"{place} 일째", "오 ㄴ다 ."],
        "pos": ["NNG+JKS", "SN+XSN", "VV+EF+SF"],
    }
    return {"text": " ".join(words), "words": words}, label, {}


def _mrc(place: int) -> Made:
    context = f"가람시 도서관은 {place}월에 문을 연다. 책은 9천 권이다."
    answer = [{"start": context.index("9천"), "text": "9천 권"}]
    kind = place % 3 + 1
    label = {
        "question": f"도서관에 책이 몇 권 있는가? ({place})",
        "type": kind,
        "answers": [] if kind == 3 else answer,
        "plausible_answers": answer if kind == 3 else [],
    }
    fields = {"title": "도서관", "context": context, "question_type": kind}
    return fields, label, {"news_category": "문화", "document": f"acrofan-d{place}"}


def _dst(place: int) -> Made:
    state = ["식당-종류-한식당", f"식당-이름-달빛 {place}호점"]
    turns = [
        {"role": "user", "text": "한식당을 찾아요.", "state": state[:1]},
        {"role": "sys", "text": f"달빛 {place}호점은 어떠세요?", "state": []},
        {"role": "user", "text": "좋아요.", "state": state},
    ]
    goal = {"goal": "당신은 여행자입니다.", "domains": ["식당"], "knowledge": []}
    return goal, {"turns": turns}, {"counterfactual": place > 5, "pool": "train"}


MADE: Mapping[str, Callable[[int], Made]] = {
    "tc": _tc,
    "sts": _sts,
    "nli": _nli,
    "ner": _ner,
    "re": _re,
    "dp": _dp,
    "mrc": _mrc,
    "dst": _dst,
}
SAMPLER = {"sts": "airbnb-rtt", "re": "uniform", "nli": "premises"}
SOURCE = {"tc": "yna", "dst": "written"}


def examples(task: str) -> pa.Table:
    """Return the examples of a task (EXAMPLES)."""
    return schemas.build("examples", [_example(task, place) for place in range(len(SPLIT_OF))])


def _example(task: str, place: int) -> dict[str, Any]:
    fields, label, meta = MADE[task](place)
    return {
        "id": guid(task, place),
        "task": task,
        "split": SPLIT_OF[place],
        "source": SOURCE.get(task, "airbnb"),
        "group": guid(task, place),
        "fields": canonical(fields),
        "label": canonical(label),
        "documents": [f"airbnb-d{place}"],
        "simulated": False,
        "kept": False,
        "sampler": SAMPLER.get(task),
        "style": "formal",
        "date": meta.get("date"),
        "agreement": 0.75,
        "meta": canonical(meta),
    }


def votes(task: str) -> pa.Table:
    """Return a vote of every annotator on every item, verdicts with feedback, reports, authors."""
    rows = [
        {"item": guid(task, place), "annotator": who, "label": canonical(MADE[task](place)[1])}
        for place in range(11)
        for who in PEOPLE
    ]
    verdict = canonical({"verdict": "reject", "feedback": "한도담 님, 다시 봐 주세요"})
    for place in (0, 4, 6, UNRESOLVED):
        item = guid(task, place)
        rows.append({"item": item, "annotator": INSPECTOR, "label": verdict, "role": "inspector"})
        rows.append({"item": item, "annotator": PEOPLE[0], "report": "hate", "round": "second"})
    if task == "nli":
        rows += [_author(place) for place in (0, 3, 4, 6)]
    plain = {"task": task, "role": "annotator", "round": "main", "attempt": 1, "simulated": False}
    when = {"at": datetime(2021, 3, 2, 9, 15, 16, tzinfo=UTC), "seconds": 7.9}
    return schemas.build("votes", [{**plain, **when, **row} for row in rows])


def _author(place: int) -> dict[str, Any]:
    written = {"entailment": "그렇다.", "contradiction": "아니다.", "neutral": "모른다."}
    return {
        "item": premise(place),
        "annotator": PEOPLE[1],
        "label": canonical(written),
        "role": "author",
        "round": "write",
    }


def gold(task: str) -> pa.Table:
    """Return the gold of every item."""
    rows = [_gold(task, place) for place in range(11)]
    rows[UNRESOLVED] |= {"status": "unresolved", "label": None, "reason": "too_few_votes"}
    rows[REMOVED] |= {"status": "removed", "label": None, "reason": "hate"}
    return schemas.build("gold", rows)


def _gold(task: str, place: int) -> dict[str, Any]:
    return {
        "item": guid(task, place),
        "task": task,
        "status": "gold",
        "rule": "gold.majority@1",
        "votes": 3,
        "simulated": False,
        "label": canonical(MADE[task](place)[1]),
        "evidence": canonical({"voters": 3}),
    }


def ledger_row(unit: str, stage: str, rule: str, action: str, reason: str) -> dict[str, Any]:
    """Return a row of a ledger."""
    row = {"unit": unit, "source": "airbnb", "stage": stage, "rule": rule}
    return {**row, "action": action, "reason": reason}


def ledgers(task: str) -> dict[str, pa.Table]:
    """Return the ledgers of a task: two units refused, an annotator excluded, items that left."""
    refused = [
        {
            **ledger_row(
                f"airbnb-s{place:020x}", "candidates", f"{task}.length@1", "drop", "2 words"
            ),
            **{"file": "batch-kim.jsonl", "line": place},
        }
        for place in (1, 2)
    ]
    told = f"annotator {PEOPLE[2]} is excluded: alpha 0.1 is below 0.2"
    excluded = [
        ledger_row(guid(task, place), "aggregation", "vote.excluded@1", "edit", told)
        for place in (0, 6)
    ]
    removed = ledger_row(guid(task, REMOVED), "aggregation", "gold.review@1", "drop", "hate")
    left = ledger_row(guid(task, LEFT), "split", "split.size@1", "drop", "no room is left")
    return {
        "candidates": schemas.build("ledger", refused),
        "annotation": schemas.build("ledger", [_refused_vote(PEOPLE[0])]),
        "aggregate": schemas.build("ledger", [*excluded, removed]),
        "split": schemas.build("ledger", [left]),
    }


def _refused_vote(who: str) -> dict[str, Any]:
    """Return what the ledger says of a line that is no vote: the file has its annotator's name."""
    told = f"line 3 of {who}.jsonl is no vote"
    row = ledger_row("annotations-r00", "annotation", "intake.broken@1", "quarantine", told)
    return {**row, "file": f"{who}.jsonl", "line": 3}


def leaks(task: str, *, stops: bool = False) -> pa.Table:
    """Return one leak between test and train."""
    left, right = guid(task, 6), guid(task, 0)
    row = {"task": task, "kind": "near", "left": left, "left_split": "test", "right": right}
    return schemas.build("leaks", [{**row, "right_split": "train", "score": 0.9, "stops": stops}])


def constraints(task: str) -> pa.Table:
    """Return one constraint that is met."""
    row = {"task": task, "name": "size", "wanted": 8.0, "found": 8.0, "met": True}
    return schemas.build("constraints", [{**row, "binds": False, "detail": ""}])


def task_material(task: str, **other: Any) -> TaskMaterial:
    """Return what is known of a task; `other` replaces parts of it."""
    parts: dict[str, Any] = {
        "task": TASKS[task],
        "spec": load_spec(task),
        "examples": examples(task),
        "votes": votes(task),
        "gold": gold(task),
        "constraints": constraints(task),
        "leaks": leaks(task),
        "ledgers": ledgers(task),
    }
    return TaskMaterial(**(parts | other))


def facts(tasks: list[TaskMaterial], version: str) -> Facts:
    """Return the facts of a release of these tasks."""
    return Facts(NAME, version, 7, False, (_source(),), tuple(_task_facts(one) for one in tasks))


def _source() -> SourceFacts:
    return SourceFacts(
        id="airbnb",
        name="Reviews",
        description="Invented reviews",
        licence="CC0-1.0",
        basis={"kind": "licence"},
        domain="review",
        style="colloquial",
        ethical_risk="low",
        volume="small",
        contemporary=True,
        address=None,
        timeframe=None,
        snapshot=None,
        tasks=("sts",),
        inputs=(RawFile(file="/somewhere/else/reviews.csv", sha256="0" * 64),),
        counts={"records": 9},
    )


def _task_facts(one: TaskMaterial) -> TaskFacts:
    splits = one.examples["split"].to_pylist()
    return TaskFacts(
        id=one.task.id,
        config=one.task.config,
        title={"en": one.task.id},
        spec=one.spec.name,
        spec_digest=one.spec.digest,
        splits={"train": splits.count("train"), "dev": splits.count("dev"), "test": 2},
        sources=("airbnb",),
        labels=one.spec.ids(),
        rounds=(),
        annotators=5,
        votes=one.votes.num_rows,
        gold=9,
        unresolved=1,
        removed=1,
        left_out=1,
        split_rule=one.spec.split.rule,
        coefficient="krippendorff_alpha",
        agreement=0.7,
    )


def corpus(folder: Path) -> dict[str, list[Path]]:
    """Write the ledger of one stage of the corpus, three files of two sources."""
    found = []
    for source, label in (("airbnb", "00000"), ("airbnb", "00001"), ("yna", "00000")):
        unit = f"{source}-s{label:>020}"
        row = {**ledger_row(unit, "clean", "noise.empty@1", "drop", "0 letters"), "source": source}
        place = folder / "store" / source / "clean-0123456789abcdef"
        place.mkdir(parents=True, exist_ok=True)
        store.write_table(place, "ledger", label, schemas.build("ledger", [row]))
        found.append(place / f"ledger-{label}.parquet")
    return {"clean": found}


def stages(tasks: list[TaskMaterial]) -> list[dict[str, Any]]:
    """Return the counts of stages that obey their laws."""
    counts = {"quarantined": 0, "edited": 0, "skipped": True, "seconds": 0.3}
    found = [
        {"stage": "clean", "source": "airbnb", "rows_in": 12, "rows_out": 10, "dropped": 2},
        {"stage": "clean", "source": "yna", "rows_in": 5, "rows_out": 4, "dropped": 1},
        {"stage": "segment", "source": "airbnb", "rows_in": 5, "rows_out": 14, "dropped": 0},
    ]
    for one in tasks:
        task = one.task.id
        told = {"stage": "candidates", "source": task, "rows_in": 14}
        found.append({**told, "rows_out": 11, "dropped": 2})
        told = {"stage": "aggregate", "source": task, "rows_in": 11, "rows_out": 11, "dropped": 1}
        found += [told, {**told, "stage": "distances", "dropped": 0}]
    return [{**one, **counts} for one in found]


def texts(tasks: list[TaskMaterial]) -> dict[str, str]:
    """Return the least that cards must tell."""
    configs = [one.task.config for one in tasks]
    listed = "\n".join(f"- config_name: {config}" for config in configs)
    return {
        "README.md": f"---\nconfigs:\n{listed}\n---\n# Mini\n",
        "report/index.html": "<!doctype html><title>Mini</title>",
    }


def material(folder: Path, *tasks: TaskMaterial, version: str = "1.0.0", **other: Any) -> Material:
    """Return the material of a release of these tasks, all eight if none is given."""
    given = list(tasks) or [task_material(task) for task in TASKS]
    parts: dict[str, Any] = {
        "facts": facts(given, version),
        "tasks": {task.task.config: task for task in given},
        "corpus": corpus(folder),
        "stages": stages(given),
        "build": BUILD,
        "texts": texts(given),
    }
    return Material(**(parts | other))
