"""What tests of the annotation commands share: the commands, invented items, and annotators.

`answer` plays the annotators of a batch: each fills in what was assigned, in the tool's own form.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from flows.cli import app
from pipeline.contracts.spec import Round, load_spec

#: The tools' own ways with an export are written down beside the tests of the exchange.
sys.path.append(str(Path(__file__).parents[1] / "annotation" / "exchange"))

import exchange_samples
from exchange_tools import fill

ANSWERS, FIELDS = exchange_samples.ANSWERS, exchange_samples.FIELDS
TOOLS = ("label-studio", "doccano", "argilla", "jsonl")
#: {"label"} or {"report"}, the same for all; or what an annotator says of an item, None: nothing.
Say = dict[str, Any] | Callable[[str, str], dict[str, Any] | None]


def klue(*arguments: object) -> Result:
    """Run a command."""
    return CliRunner().invoke(app, [str(one) for one in arguments])


def good(*arguments: object) -> dict[str, Any]:
    """Run a command that must succeed; returns its one JSON object."""
    result = klue(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


#: Commands, by their first word, whose errors were seen without --json too.
_SEEN_PLAINLY: set[str] = set()


def bad(*arguments: object, code: int = 2) -> str:
    """Run a command that must be refused, with --json; returns what it says.

    The first time of each command it is run plainly, too: one function shows all errors.
    """
    if str(arguments[0]) not in _SEEN_PLAINLY:
        _SEEN_PLAINLY.add(str(arguments[0]))
        plain = klue(*arguments)
        assert plain.exit_code == code, (plain.exit_code, plain.output, plain.exception)
        assert plain.stdout == ""
        assert "Traceback" not in plain.stderr
    told = klue(*arguments, "--json")
    assert "Traceback" not in told.stderr, told.stderr
    record = json.loads(told.stdout)
    assert set(record) == {"error", "code"}, record
    assert record["code"] == told.exit_code == code
    return str(record["error"])


def failed(*arguments: object) -> dict[str, Any]:
    """Run a command that does its work and must end with 1; returns its one JSON object."""
    result = klue(*arguments, "--json")
    assert result.exit_code == 1, (result.exit_code, result.output)
    found: dict[str, Any] = json.loads(result.stdout)
    assert found["ok"] is False
    return found


def item_rows(task: str, count: int, prefix: str = "") -> list[dict[str, Any]]:
    """Return rows of an items file; all of one text, told apart by their ids."""
    fields = {k: v for k, v in FIELDS[task].items() if k != "hypothesis"}
    return [
        {"item": f"{prefix}{task}-{n:02}", "source": "sample", "fields": fields}
        for n in range(1, count + 1)
    ]


def write_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as JSONL."""
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), "utf-8")
    return path


def items_file(folder: Path, task: str, count: int = 6, prefix: str = "") -> Path:
    """Write a file of items."""
    return write_lines(folder / f"{prefix}{task}.jsonl", item_rows(task, count, prefix))


def assigned(work: Path, task: str, batch: str) -> list[tuple[str, str]]:
    """Return (annotator, item) of a batch, in the order of the file."""
    import pyarrow.parquet as pq

    rows = pq.read_table(work / "annotation" / task / batch / "assignments.parquet").to_pylist()
    return [(row["annotator"], row["item"]) for row in rows]


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Return every file of a batch but the tool's."""
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.is_file()}


def answer(
    work: Path, task: str, batch: str, say: Say, *, tool: str = "jsonl"
) -> list[tuple[Path, list[str]]]:
    """Let all annotators answer a batch in the tool; returns each export with its options.

    doccano exports a file for each user, the others one for all.
    """
    folder = work / "annotation" / task / batch
    card = json.loads((folder / "batch.json").read_text("utf-8"))
    round_ = load_spec(task).round(card["round"])
    assert round_ is not None
    place = folder / f"returned-{tool}"
    shutil.rmtree(place, ignore_errors=True)
    given = assigned(work, task, batch)
    people = sorted({who for who, _ in given})
    order = _order(folder / "export", tool)
    exports = []
    for number, who in enumerate(people, 1):
        mine = {item for person, item in given if person == who}
        answers = [_said(say, who, item) if item in mine else None for item in order]
        exports.append(_one(tool, task, round_, folder, place / who, answers, who, number))
    if tool == "doccano":
        return [(path, []) for path in exports]
    merged = _MERGE[tool](exports, place)
    ids = {_id(tool, number): who for number, who in enumerate(people, 1)}
    if tool == "jsonl":
        return [(merged, [])]
    (place / "map.json").write_text(json.dumps(ids), "utf-8")
    return [(merged, ["--annotators", str(place / "map.json")])]


def take(work: Path, task: str, batch: str, say: Say, *, tool: str = "jsonl") -> dict[str, Any]:
    """Answer a batch and import it; returns what the last import says, all of it good."""
    found = {}
    for path, options in answer(work, task, batch, say, tool=tool):
        found = good("import", path, "--task", task, "--from", tool, "--batch", batch,
                     "--work", work, *options)  # fmt: skip
        assert found["quarantined"] == 0, found
    return found


def _said(say: Say, who: str, item: str) -> dict[str, Any] | None:
    return say(who, item) if callable(say) else say


def _order(export: Path, tool: str) -> list[str]:
    if tool == "label-studio":
        return [one["data"]["item"] for one in json.loads((export / "tasks.json").read_text())]
    if tool == "argilla":
        return [one["id"] for one in json.loads((export / "records.json").read_text())]
    name = {"doccano": "examples.jsonl", "jsonl": "items.jsonl"}[tool]
    return [json.loads(line)["item"] for line in (export / name).read_text("utf-8").splitlines()]


def _one(
    tool: str,
    task: str,
    round_: Round,
    folder: Path,
    place: Path,
    answers: list[dict[str, Any] | None],
    who: str,
    number: int,
) -> Path:
    """Fill in the answers of one annotator, and take out what they did not answer."""
    shutil.copytree(folder / "export", place)
    blank = [n for n, one in enumerate(answers) if one is None]
    some = next((one for one in answers if one is not None), {"report": "hate"})
    path = fill(tool, task, round_, place, [one or some for one in answers])
    return _CUT[tool](path, set(blank), who, number)


def _cut_lines(path: Path, blank: set[int], who: str, number: int) -> Path:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    kept = [row for n, row in enumerate(rows) if n not in blank]
    if path.name == "votes.jsonl":
        kept = [row | {"annotator": who} for row in kept]
        return write_lines(path, kept)
    return write_lines(path.with_name(f"{who}.jsonl"), kept)


def _cut_label_studio(path: Path, blank: set[int], who: str, number: int) -> Path:
    rows = json.loads(path.read_text("utf-8"))
    for n, row in enumerate(rows):
        row["annotations"] = [
            one | {"completed_by": number} for one in row["annotations"] if n not in blank
        ]
    path.write_text(json.dumps(rows), "utf-8")
    return path


def _cut_argilla(path: Path, blank: set[int], who: str, number: int) -> Path:
    rows = json.loads(path.read_text("utf-8"))
    for n, row in enumerate(rows):
        row["responses"] = {
            question: [one | {"user_id": _id("argilla", number)} for one in told]
            for question, told in row["responses"].items()
            if n not in blank
        }
    path.write_text(json.dumps(rows), "utf-8")
    return path


def _merge_lines(paths: list[Path], place: Path) -> Path:
    merged = place / "votes.jsonl"
    merged.write_text("".join(path.read_text("utf-8") for path in paths), "utf-8")
    return merged


def _merge_label_studio(paths: list[Path], place: Path) -> Path:
    files = [json.loads(path.read_text("utf-8")) for path in paths]
    for row, *others in zip(*files, strict=True):
        row["annotations"] = [*row["annotations"], *(a for o in others for a in o["annotations"])]
    return _saved(place / "export.json", files[0])


def _merge_argilla(paths: list[Path], place: Path) -> Path:
    files = [json.loads(path.read_text("utf-8")) for path in paths]
    for row, *others in zip(*files, strict=True):
        for other in others:
            for question, told in other["responses"].items():
                row["responses"].setdefault(question, []).extend(told)
    return _saved(place / "exported.json", files[0])


def _saved(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), "utf-8")
    return path


def _id(tool: str, number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}" if tool == "argilla" else str(number)


_CUT = {
    "jsonl": _cut_lines,
    "doccano": _cut_lines,
    "label-studio": _cut_label_studio,
    "argilla": _cut_argilla,
}
_MERGE = {
    "jsonl": _merge_lines,
    "label-studio": _merge_label_studio,
    "argilla": _merge_argilla,
}
