"""Audit records of small made-up votes, as the page gets them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from pipeline.agreement.audit import audit
from pipeline.contracts.registry import TASKS
from pipeline.core import schemas
from pipeline.core.jsontext import canonical

Row = dict[str, Any]
EVIL = "</script><script>alert(1)</script>"
#: Texts that break pages, objects or charts which take them for more than text.
ODD = (EVIL, "__proto__", "constructor", "<b>굵게</b>", "a & b &lt;", "%{x}", "toString", "$x^2$")
_ROUND = {"ner": "tag", "dp": "arcs", "dst": "dialogue"}


def vote(item: str, annotator: str | None, label: Any, **more: Any) -> Row:
    """Return one vote of round main."""
    return {
        "item": item,
        "annotator": annotator,
        "label": None if label is None else canonical(label),
        "task": "tc",
        "role": "annotator",
        "round": "main",
        "attempt": 1,
        "simulated": False,
        **more,
    }


def recorded(rows: Iterable[Row], **options: Any) -> dict[str, Any]:
    """Return the record of votes, once through JSON as in audit.json."""
    table: pa.Table = schemas.build("votes", list(rows))
    record: dict[str, Any] = json.loads(
        json.dumps(audit(table, **{"bootstrap": 50, **options}), default=list)
    )
    return record


def labelled(**options: Any) -> dict[str, Any]:
    """Return the record of five people and one who answers at random, on 60 items in two sources.

    Labels are 긍정, 부정, 중립; the random one is 제멋대로; one item has a report alone.
    """
    chance = random.Random(7)
    labels = ["긍정", "부정", "중립"]
    rows = [vote("i-reported", "가람", None, report="personal_data")]
    for place in range(60):
        truth = chance.choice(labels)
        source = ["nsmc", "wikitree"][place % 2]
        for name in ("가람", "노을", "다솜", "라온", "미르"):
            given = truth if chance.random() < 0.9 else chance.choice(labels)
            rows.append(vote(f"i-{place:02d}", name, given, source=source))
        rows.append(vote(f"i-{place:02d}", "제멋대로", chance.choice(labels), source=source))
    return recorded(rows, level="nominal", **options)


def scored(**options: Any) -> dict[str, Any]:
    """Return the record of scores from 0 to 5 by "1" to "10"; 10 scores two above the others."""
    chance = random.Random(8)
    rows = []
    for place in range(80):
        truth = chance.uniform(0, 3)
        for name in range(1, 11):
            given = truth + chance.gauss(0, 0.6) + (2 if name == 10 else 0)
            score = min(5, max(0, round(given)))
            rows.append(vote(f"s-{place:02d}", str(name), score))
    return recorded(rows, level="interval", **options)


def odd_people(level: str) -> dict[str, Any]:
    """Return the record of p0 to p9 on 160 items, most of them odd in one way.

    They give labels or, where the level is "ordinal", scores from 0 to 5; p7 copies p6, p8 is fast.
    """
    chance = random.Random(11)
    answers = _odd_scores if level == "ordinal" else _odd_labels
    rows = []
    for place in range(160):
        given = answers(place, chance)
        given[7] = given[6] if place % 10 else given[7]
        for who, answer in enumerate(given):
            seconds = (4 if who == 8 else 30) * chance.lognormvariate(0, 0.3)
            rows.append(vote(f"o-{place:03d}", f"p{who}", answer, seconds=seconds))
    return recorded(rows, level=level)


def _odd_labels(place: int, chance: random.Random) -> list[Any]:
    right = chance.randrange(3)
    usual = [right if chance.random() < 0.85 else chance.randrange(3) for _ in range(10)]
    odd = [
        chance.randrange(3),
        0,
        2 if right == 1 else usual[2],
        usual[3] if place < 80 else chance.randrange(3),
        0 if right == 2 else usual[4],
        (right + 1) % 3,
    ]
    return [f"label {answer}" for answer in (*odd, *usual[6:])]


def _odd_scores(place: int, chance: random.Random) -> list[Any]:
    right = chance.uniform(0, 4)
    usual = [right + chance.gauss(0, 0.4) for _ in range(10)]
    odd = [
        usual[0] + 1.5,
        2 + (usual[1] - 2) * 0.3,
        chance.uniform(0, 5),
        usual[3] + (2 if place > 90 else 0),
        4 - usual[4],
        usual[5] - (2 if place > 90 else 0),
    ]
    return [min(5, max(0, round(score))) for score in (*odd, *usual[6:])]


def odd() -> dict[str, Any]:
    """Return a record in which people, labels, sources and texts are markup and worse."""
    chance = random.Random(9)
    rows = []
    for place in range(40):
        truth = chance.choice(ODD)
        for name in (EVIL, "__proto__", "constructor", "긴 이름 " * 40):
            given = truth if chance.random() < 0.6 else chance.choice(ODD)
            item = f"<i>{place}</i>" if place else "__proto__"
            rows.append(vote(item, name, given, source=chance.choice([EVIL, "a.b", "constructor"])))
    record = recorded(rows, level="nominal")
    record["notes"].append(f"A note with {EVIL}")
    for row in record["per_item"]:
        row["text"] = f"{EVIL} 본문"
    return record


def whole(task: str) -> dict[str, Any]:
    """Return the record of three people's spans, trees or states on 30 items; 라온 errs most."""
    chance = random.Random(10)
    rows = []
    for place in range(30):
        base = _ANSWERS[task](chance)
        for name, error in (("가람", 0.05), ("노을", 0.1), ("라온", 0.5)):
            answer = _worse(task, base, error, chance)
            role = "author" if task == "dst" else "annotator"
            rows.append(
                vote(f"w-{place:02d}", name, answer, task=task, round=_ROUND[task], role=role)
            )
    return recorded(rows, task=TASKS[task])


def _spans(chance: random.Random) -> list[Row]:
    starts = range(0, 5 * chance.randint(1, 5), 5)
    return [{"start": n, "end": n + 3, "label": chance.choice(["PS", "LC", "OG"])} for n in starts]


def _tree(chance: random.Random) -> Row:
    words = chance.randint(3, 9)
    heads = [chance.randint(i + 1, words) if i < words else 0 for i in range(1, words + 1)]
    return {"heads": heads, "deprels": [chance.choice(["NP_SBJ", "NP_OBJ", "VP"]) for _ in heads]}


def _dialogue(chance: random.Random) -> Row:
    values = ["숙소-지역-서울 중앙", "숙소-가격대-저렴", "식당-종류-한식당"]
    state = chance.sample(values, 2)
    turns = [{"role": "user", "text": "방 있나요", "state": state[: n + 1]} for n in range(2)]
    reply = {"role": "sys", "text": "네", "state": []}
    return {"turns": [turns[0], reply, turns[1]]}


_ANSWERS = {"ner": _spans, "dp": _tree, "dst": _dialogue}


def _worse(task: str, base: Any, error: float, chance: random.Random) -> Any:
    def wrong() -> bool:
        return chance.random() < error

    if task == "ner":
        return [{**span, "label": "DT"} if wrong() else span for span in base]
    if task == "dp":
        return {**base, "deprels": ["AP" if wrong() else name for name in base["deprels"]]}
    return {
        "turns": [
            {**turn, "state": [one for one in turn["state"] if not wrong()]}
            for turn in base["turns"]
        ]
    }


def inside(html: str, name: str) -> Any:
    """Return the data of this name in a page."""
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', html, re.S)
    assert found, name
    return json.loads(found[1])


def rows_of(html: str, name: str) -> list[dict[str, Any]]:
    """Return a table of a page as rows by heading; a cell is its value, or what stands for it."""
    table = inside(html, "tables")[name]
    heads = [column["title"] for column in table["columns"]]
    return [dict(zip(heads, map(_value, row), strict=True)) for row in table["rows"]]


def _value(cell: Any) -> Any:
    if not isinstance(cell, dict):
        return cell
    return cell.get("lines") or cell.get("text") or cell["value"]
