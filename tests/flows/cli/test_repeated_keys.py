"""A key given twice in one JSON object is named with file and line by every command that reads one.

Readers of JSON disagree on which of the two values counts, so that none may.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app

#: Commands that leave the line out, or refuse the file; FILE holds the repeated key on line 2.
TEXTS = (
    "pii scan FILE",
    "pii redact FILE --out OUT.jsonl",
    "pii pseudonymise FILE --out OUT.jsonl",
    "toxicity score FILE --out OUT.jsonl",
    "tagger tag FILE --out OUT.jsonl",
    "clean FILE --out OUT",
)
OTHERS = {
    "tagger score FILE": '{"fields": {"text": "글"}, "gold": []}',
    "audit FILE --level nominal": '{"item": "a", "annotator": "b", "label": "c"}',
    "aggregate FILE --task tc": '{"item": "a", "annotator": "b", "label": "사회"}',
    "import FILE --task tc --work OUT": '{"item": "a", "annotator": "ann-01", "label": ["사회"]}',
    "export tc --to jsonl --items FILE --work OUT": '{"item": "a", "fields": {"title": "글"}}',
    "split FILE --task tc --out OUT": '{"item": "a", "gold": ["사회"], "fields": {"title": "글"}}',
    "hypothesis-only FILE": '{"item": "a", "fields": {"premise": "글", "hypothesis": "글"}}',
    "check mrc --votes FILE --items FILE": '{"item": "a", "fields": {"title": "", "context": ""}}',
    "score --task tc --gold FILE --pred FILE": '{"item": "a", "fields": {"title": "글"}}',
    "score --task tc --gold GOLD.jsonl --pred FILE": '{"guid": "a", "label": "사회"}',
}


def _output(command: str, folder: Path, *options: str) -> str:
    words = {"FILE": "in.jsonl", "OUT": "out", "OUT.jsonl": "out.jsonl", "GOLD.jsonl": "gold.jsonl"}
    names = [str(folder / words[word]) if word in words else word for word in command.split()]
    done = CliRunner().invoke(app, [*names, *options])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return " ".join(done.output.split())


@pytest.mark.parametrize("command", TEXTS)
def test_a_text_with_a_key_twice_is_left_out_by_name(tmp_path: Path, command: str) -> None:
    good, bad = '{"text": "오늘은 비가 온다.", "n": 1}\n', '{"text": "둘", "n": 1, "n": 2}\n'
    (tmp_path / "in.jsonl").write_text(good + bad + good, "utf-8")
    output = _output(command, tmp_path)
    assert "in.jsonl line 2: " in output
    assert "has a key more than once" in output


@pytest.mark.parametrize("command", OTHERS)
def test_a_record_with_a_key_twice_is_named(tmp_path: Path, command: str) -> None:
    good = OTHERS[command]
    key, value = next(iter(json.loads(good).items()))
    bad = f"{good[:-1]}, {json.dumps(key)}: {json.dumps(value)}}}"
    (tmp_path / "in.jsonl").write_text(f"{good}\n{bad}\n", "utf-8")
    gold = {"item": "a", "gold": ["사회"], "fields": {"title": "글"}}
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold, ensure_ascii=False), "utf-8")
    if command.startswith("import"):  # needs a batch
        items, names = tmp_path / "items.jsonl", tmp_path / "names.txt"
        items.write_text('{"item": "a", "fields": {"title": "글"}}\n', "utf-8")
        names.write_text("ann-01\nann-02\nann-03\n", "utf-8")
        _output(f"export tc --to jsonl --items {items} --annotators {names} --work OUT", tmp_path)
    output = _output(command, tmp_path)
    assert "line 2" in output or "in.jsonl:2" in output
    assert "more than once" in output or "given twice" in output
