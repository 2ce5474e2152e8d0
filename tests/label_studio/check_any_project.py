"""Projects that this one did not make, in a real Label Studio: `klue audit --from label-studio`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from studio_server import Studio, ok

from flows.commands.agreement import audit
from pipeline.core.errors import InputError

CONFIG = """<View><Text name="text" value="$text"/>
<Choices name="sentiment" toName="text" choice="single">
  <Choice value="good"/><Choice value="bad"/></Choices>
<Choices name="topics" toName="text" choice="multiple">
  <Choice value="news"/><Choice value="sport"/></Choices>
<Rating name="stars" toName="text"/>
<Number name="score" toName="text"/>
<Taxonomy name="kind" toName="text">
  <Choice value="A"><Choice value="B"/></Choice><Choice value="C"/></Taxonomy>
<Labels name="names" toName="text"><Label value="PS"/></Labels>
<TextArea name="why" toName="text"/>
</View>"""


def _result(name: str, type_: str, content: Any, key: str = "", **place: Any) -> dict[str, Any]:
    value = {key or type_: content, **place}
    return {"id": name, "from_name": name, "to_name": "text", "type": type_, "value": value}


def _results(good: bool, stars: int) -> list[dict[str, Any]]:
    return [
        _result("sentiment", "choices", ["good" if good else "bad"]),
        _result("topics", "choices", ["news", "sport"] if good else ["news"]),
        _result("stars", "rating", stars),
        _result("score", "number", stars / 2),
        _result("kind", "taxonomy", [["A", "B"], ["C"]] if good else [["C"]]),
        _result("names", "labels", ["PS"], start=0, end=2, text="가나"),
        _result("why", "textarea", ["because"], "text"),
    ]


def test_every_control_is_a_question(studio: Studio, tmp_path: Path) -> None:
    tasks = [{"data": {"text": "가나다라", "doc": f"d{n}", "item": f"i{n}"}} for n in range(3)]
    project = studio.project("any", CONFIG, json.dumps(tasks).encode())
    for place, task in enumerate(studio.tasks(project)):
        for shift, (session, _) in enumerate(studio.annotators.values()):
            body = {"result": _results(place > 0, place + shift), "lead_time": 2.5}
            ok(session.post(f"/api/tasks/{task['id']}/annotations/", json=body))
    session = next(iter(studio.annotators.values()))[0]
    cancelled = {"result": [], "was_cancelled": True}
    ok(session.post(f"/api/tasks/{task['id']}/annotations/", json=cancelled))
    export = tmp_path / "export.json"
    export.write_bytes(studio.export(project).content)
    levels = {"sentiment": "nominal", "topics": "multilabel", "kind": "multilabel"}
    levels |= {"stars": "ordinal", "score": "interval"}
    options: dict[str, Any] = {"votes": export, "source": "label-studio", "bootstrap": 0, "seed": 0}
    for name, level in levels.items():
        record, _ = audit(**options, columns=f"label={name},item=doc")
        assert (record["level"], record["votes"], record["items"]) == (level, 6, 3)
        assert record["refused"] == {}
        assert {row["item"] for row in record["per_item"]} == {"d0", "d1", "d2"}
        assert all(row["seconds_median"] == 2.5 for row in record["per_annotator"].values())
    with pytest.raises(InputError, match="asks several questions: 'sentiment'"):
        audit(**options)
    for name in ("names", "why"):
        with pytest.raises(InputError, match=f"question '{name}'"):
            audit(**options, columns=f"label={name}")
