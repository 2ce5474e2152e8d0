"""What the tools do between a batch and an export: written for the tests, from their own sources.

Label Studio 1.23 (converter and editor), doccano 1.8 (data_export/pipeline), Argilla 2.8
(Record.to_dict). The parts of an answer come from the package; the shape of the file from here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from exchange_samples import SPECS

from pipeline.annotation.exchange import argilla, doccano, jsonl, label_studio
from pipeline.annotation.exchange.answer_parts import parts_of, split
from pipeline.annotation.exchange.label_studio_results import encode
from pipeline.contracts.spec import Round
from pipeline.core.jsontext import parsed

#: Who the tools' users are: Label Studio's numbers, doccano's names, Argilla's UUIDs.
USERS = {"label-studio": "7", "doccano": "user", "argilla": "2f1c7a5e-1f0b-4b0e-9d5b-0a1b2c3d4e5f"}
ANNOTATOR = "ann-01"
Answer = dict[str, Any]


def _units(text: str, place: int) -> int:
    return len(text[:place].encode("utf-16-le")) // 2


def _parts(task: str, round_: Round, answer: Answer) -> dict[str, Any]:
    parts = split(answer["label"], SPECS[task], round_) if "label" in answer else {}
    return parts | ({"report": answer["report"]} if "report" in answer else {})


def fill(tool: str, task: str, round_: Round, folder: Path, answers: list[Answer]) -> Path:
    """Answer the items that were written to a folder, in their order, and export them.

    An answer is {"label"?, "report"?}; returns the path of the export.
    """
    return _FILL[tool](task, round_, folder, answers)


def _label_studio(task: str, round_: Round, folder: Path, answers: list[Answer]) -> Path:
    tasks = json.loads((folder / label_studio.TASKS).read_text("utf-8"))
    exported = []
    for number, (one, answer) in enumerate(zip(tasks, answers, strict=True), 1):
        parts = _parts(task, round_, answer)
        main = next(k for k in one["data"] if k not in ("item", "spec", "round"))
        layout = label_studio.layout_of(one["data"], SPECS[task], main)
        results = encode(parts_of(SPECS[task], round_), parts, layout)
        if "report" in parts:
            held = {"choices": [parts["report"]]}
            results.append(_result("r", "report", main, "choices", held))
        annotation = {
            "id": number,
            "completed_by": {"id": 7, "email": "someone@example.com"} if number % 2 else 7,
            "result": [_renamed(result) for result in results],
            "was_cancelled": False,
            "ground_truth": False,
            "created_at": "2026-11-20T17:50:33.463541Z",
            "lead_time": 12.5,
        }
        exported.append({"id": number, "annotations": [annotation], "data": one["data"]})
    return _saved(folder / "export.json", json.dumps(exported, ensure_ascii=number % 2 == 0))


def _result(id_: str, name: str, to: str, type_: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"id": id_, "from_name": name, "to_name": to, "type": type_, "value": value}


def _renamed(result: dict[str, Any]) -> dict[str, Any]:
    """Give regions new ids, as the editor does when a prediction is taken over."""
    ids = ("id", "from_id", "to_id")
    return {k: f"x{v}" if k in ids else v for k, v in result.items()} | {"origin": "prediction"}


def _doccano(task: str, round_: Round, folder: Path, answers: list[Answer]) -> Path:
    lines = (folder / doccano.EXAMPLES).read_text("utf-8").splitlines()
    rows = []
    for number, (line, answer) in enumerate(zip(lines, answers, strict=True), 1):
        row = json.loads(line)
        parts = _parts(task, round_, answer)
        parts |= {"done": "yes"} if "suggested" in row and "label" in answer else {}
        if "entities" in row:
            spans, text = parts.pop("spans", None), row["text"]
            parts |= {"done": "yes"} if spans == [] else {}
            row["cats"] = [f"{k}:{v}" for k, v in parts.items()]
            places = [
                [_units(text, s["start"]), _units(text, s["end"]), s["label"]] for s in spans or []
            ]
            row["entities"] = sorted(places)
        else:
            named = {k: v if isinstance(v, str) else json.dumps(v) for k, v in parts.items()}
            row["label"] = sorted(f"{k}:{v}" for k, v in named.items())
        rows.append({"id": number} | row | {"Comments": []})
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return _saved(folder / "user.jsonl", text)


def _argilla(task: str, round_: Round, folder: Path, answers: list[Answer]) -> Path:
    records = json.loads((folder / argilla.RECORDS).read_text("utf-8"))
    kinds = {part.name: part.kind for part in parts_of(SPECS[task], round_)}
    for record, answer in zip(records, answers, strict=True):
        parts = {"report": "none"} | _parts(task, round_, answer)
        text = record["fields"].get({"ner": "text", "mrc": "context"}.get(task, ""), "")
        for name, value in parts.items():
            held = value
            if kinds.get(name) == "spans":
                held = [
                    s | {"start": _units(text, s["start"]), "end": _units(text, s["end"])}
                    for s in value
                ]
            elif not isinstance(value, str | int):
                held = json.dumps(value, ensure_ascii=False, indent=2)
            record["responses"][name] = [{"value": held, "user_id": USERS["argilla"]}]
    return _saved(folder / "exported.json", json.dumps(records))


def _jsonl(_task: str, round_: Round, folder: Path, answers: list[Answer]) -> Path:
    lines = (folder / jsonl.ITEMS).read_text("utf-8").splitlines()
    rows = []
    for line, answer in zip(lines, answers, strict=True):
        asked = parsed(line)
        row = {"item": asked["item"], "annotator": ANNOTATOR, "spec": asked["spec"]}
        rows.append(row | {"round": asked["round"], "role": asked["role"]} | answer)
    return _saved(folder / "votes.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def _saved(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


_FILL = {
    "label-studio": _label_studio,
    "doccano": _doccano,
    "argilla": _argilla,
    "jsonl": _jsonl,
}
