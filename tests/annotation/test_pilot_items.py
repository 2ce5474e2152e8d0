"""The pilot items that come with the specs: well formed, covering, and ready to judge people."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from flows.commands.batch_items import find_round
from pipeline.annotation.batches.assignment import assign
from pipeline.annotation.intake.items import read_items, require_fields
from pipeline.annotation.qualification.qualify import Qualified, qualify
from pipeline.annotation.simulated.campaign import as_votes
from pipeline.annotation.simulated.engine import simulate
from pipeline.annotation.simulated.profile import bad_annotator, default_pool
from pipeline.annotation.simulated.truths import Truths
from pipeline.contracts.official.files import read_official
from pipeline.contracts.registry import TASKS
from pipeline.contracts.returned import CHECKS
from pipeline.contracts.spec import Round, guideline, load_spec, pilot_items
from pipeline.core.jsontext import parsed

ALL = tuple(TASKS)
by_task = pytest.mark.parametrize("task", ALL)
SPEC = {task: load_spec(task) for task in ALL}
HANGUL = re.compile(r"[가-힣]")


@cache
def _items(task: str) -> Any:
    items, refused = read_items(pilot_items(task), TASKS[task])
    assert not refused
    return items


def _rows(task: str) -> list[tuple[str, dict[str, Any], Any, dict[str, Any]]]:
    return [
        (row["item"], *(parsed(row[name]) for name in ("fields", "gold", "meta")))
        for row in _items(task).to_pylist()
    ]


def _round(task: str) -> Round:
    return find_round(None, SPEC[task], "pilot", shipped=True)


@by_task
def test_there_are_enough_items_of_the_right_form(task: str) -> None:
    rows = _rows(task)
    assert 20 <= len(rows) <= 50
    assert [item for item, *_ in rows] == [f"pilot-{task}-{n:02}" for n in range(1, len(rows) + 1)]
    require_fields(_items(task), TASKS[task])
    texts = [json.dumps(fields, ensure_ascii=False, sort_keys=True) for _, fields, *_ in rows]
    assert len(set(texts)) == len(texts)


@by_task
def test_gold_is_an_answer_of_the_task(task: str) -> None:
    """The check that every gold label of a release has passed."""
    for item, fields, gold, _ in _rows(task):
        if task == "sts":  # a mean, as the official labels are
            assert set(gold) == {"label", "real-label", "binary-label"}
            assert 0 <= gold["label"] <= 5 and round(gold["label"], 1) == gold["label"]
            assert gold["binary-label"] == (gold["real-label"] >= 3), item
        else:
            answer = TASKS[task].parse(gold, fields, SPEC[task], _round(task))
            assert TASKS[task].compare(answer, gold) and answer == gold, item


@by_task
def test_every_item_is_explained_in_korean_by_a_section_of_the_guideline(task: str) -> None:
    text = guideline(task, "ko")
    sections = set(re.findall(r"^##+ ([0-9]+(?:\.[0-9]+)?)[. ]", text, re.MULTILINE))
    used = set()
    for item, _, _, meta in _rows(task):
        assert set(meta) == {"section", "explanation"}, item
        assert HANGUL.search(meta["explanation"]) and meta["explanation"].endswith("다."), item
        used.add(meta["section"])
    assert used <= sections and len(used) >= 2


@by_task
def test_nothing_of_the_guideline_is_asked(task: str) -> None:
    """Who reads the guideline must not find the answers there."""
    text = "".join(guideline(task, "ko").split())
    for item, fields, *_ in _rows(task):
        for name in TASKS[task].fields:
            if isinstance(fields[name], str):
                assert "".join(fields[name].split()) not in text, item


#: What is counted of fields and gold.
LABELS: dict[str, Callable[[Any, Any], list[str]]] = {
    "tc": lambda _, gold: gold[:1],
    "sts": lambda _, gold: [str(int(gold["label"] + 0.5))],
    "nli": lambda _, gold: [gold],
    "ner": lambda _, gold: [span["label"] for span in gold] or ["none"],
    "re": lambda _, gold: [gold],
    "dp": lambda _, gold: gold["deprels"],
    "mrc": lambda fields, _: [str(fields["question_type"])],
    "dst": lambda _, gold: [state.split("-")[0] for state in gold["turns"][-2]["state"]],
}


def _labels(task: str) -> Counter[str]:
    count = LABELS[task]
    return Counter(label for _, fields, gold, _ in _rows(task) for label in count(fields, gold))


@pytest.mark.parametrize(
    ("task", "least"),
    [("tc", 4), ("sts", 2), ("nli", 9), ("ner", 5), ("re", 1), ("mrc", 8)],
)
def test_every_label_occurs(task: str, least: int) -> None:
    counts = _labels(task)
    ids = SPEC[task].ids("question_type" if task == "mrc" else None)
    assert {label: counts[label] for label in ids if counts[label] < least} == {}


def test_hard_cases_are_among_them() -> None:
    assert _labels("re")["no_relation"] >= 6
    assert _labels("ner")["none"] >= 2  # the empty answer
    deprels = _labels("dp")
    assert len(deprels) >= 20
    for rare in ("AP_MOD", "X_AJT", "VP_SBJ", "VP_OBJ", "VP_CMP", "NP_CMP", "VNP_MOD", "IP"):
        assert deprels[rare], rare
    assert set(_labels("dst")) == {"숙소", "식당", "관광", "택시", "지하철"}
    states = [s for *_, gold, _ in _rows("dst") for turn in gold["turns"] for s in turn["state"]]
    values = Counter(state.rsplit("-", 1)[1] for state in states)
    assert min(values["yes"], values["no"], values["dontcare"]) >= 2
    forms = [len(gold["answers"]) for *_, gold, _ in _rows("mrc") if gold["type"] != 3]
    assert max(forms) > 1  # several wordings of one answer


@pytest.mark.parametrize("task", ["mrc", "dst"])
def test_written_gold_has_no_fault_by_rule(task: str) -> None:
    for item, fields, gold, _ in _rows(task):
        findings = CHECKS[task](gold, fields, {}, SPEC[task])
        assert [f for f in findings if not f.is_hint] == [], item


def test_passages_have_the_length_of_the_protocol() -> None:
    """Section 3.7.1: more than 512 and fewer than 2,048 characters."""
    assert all(512 < len(fields["context"]) < 2048 for _, fields, *_ in _rows("mrc"))


def test_arrows_of_trees_do_not_cross() -> None:
    for item, _, gold, _ in _rows("dp"):
        arcs = [(n, head) for n, head in enumerate(gold["heads"], 1) if head]
        crossing = [(x, y) for x in arcs for y in arcs if x[0] < y[0] < x[1] < y[1]]
        assert not crossing, item


def test_words_are_tagged_as_in_the_official_file(data_dir: Path) -> None:
    """The parts of speech and the relation of a word occur together there, marks left out."""
    official = read_official("dp", data_dir / "klue" / "klue-dp-v1.1_dev.tsv").items
    seen: Counter[tuple[str, str]] = Counter()
    tagged: Counter[str] = Counter()
    for row in official.to_pylist():
        meta, gold = parsed(row["meta"]), parsed(row["gold"])
        for pos, deprel in zip(meta["pos"], gold["deprels"], strict=True):
            seen[_bare(pos), deprel] += 1
            tagged[_bare(pos)] += 1
    words = [
        (_bare(pos), deprel)
        for _, fields, gold, _ in _rows("dp")
        for pos, deprel in zip(fields["pos"], gold["deprels"], strict=True)
    ]
    odd = [pair for pair in words if tagged[pair[0]] > 2 and not seen[pair]]
    assert not odd
    assert sum(seen[pair] > 0 for pair in words) / len(words) > 0.97


def _bare(pos: str) -> str:
    return "+".join(tag for tag in pos.split("+") if tag not in ("SF", "SP"))


def _judge(task: str) -> dict[str, list[Qualified]]:
    """Return the results of the good annotators of the default pool, and of three random ones."""
    spec, items, round_ = SPEC[task], _items(task), _round(task)
    pool = default_pool(spec, round_, items=items.num_rows).values()
    good = {person.id: person for person in pool if person.habit == "good"}
    bad = {f"sim-9{n}": replace(bad_annotator(n, "random"), id=f"sim-9{n}") for n in range(3)}
    people = {**dict(list(good.items())[:8]), **bad}
    names = items.column("item").to_pylist()
    answers = simulate(
        items,
        assign(names, people, per_item=len(people), seed=1),
        task=TASKS[task],
        spec=spec,
        round_=round_,
        pool=people,
        seed=1,
        truths=Truths(task, None, spec),
    )
    votes = as_votes(answers, TASKS[task])
    found = qualify(votes, task=TASKS[task], spec=spec, items=items, round_=round_.id)
    return {
        "good": [result for result in found if result.annotator not in bad],
        "random": [result for result in found if result.annotator in bad],
    }


@by_task
def test_simulated_annotators_qualify_and_random_ones_fail(task: str) -> None:
    found = _judge(task)
    assert {result.status for result in found["good"]} <= {"passed", "failed"}
    passed = sum(result.status == "passed" for result in found["good"])
    assert passed >= len(found["good"]) / 2 and passed >= 2
    assert {result.status for result in found["random"]} == {"failed"}
    most = max(len(result.missed) for result in found["good"])
    assert most < min(len(result.missed) for result in found["random"])
