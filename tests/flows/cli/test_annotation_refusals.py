"""`klue export`, `import`, `status`, `qualify`, `simulate`: odd arguments and bad files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from annotation_stories import (
    TOOLS,
    bad,
    bytes_of,
    failed,
    good,
    items_file,
    klue,
    take,
    write_lines,
)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return tmp_path / "work"


ODD_FILES = {
    "empty.jsonl": b"",
    "binary.jsonl": bytes(range(256)),
    "binary.parquet": bytes(range(256)),
    "half.json": '[{"item": "tc-01", "annotator": "a", "label": "사'.encode(),
    "list.json": b"[1, 2, 3]",
    "number.json": b"5",
    "table.csv": "item,title\ntc-01,제목\n".encode(),
    "utf16.jsonl": '{"item": "tc-01"}'.encode("utf-16"),
}


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Enter a folder with items of all tasks, and files that are none."""
    monkeypatch.chdir(tmp_path)
    for task in ("tc", "nli", "mrc"):
        items_file(tmp_path, task)
    for name, content in ODD_FILES.items():
        Path(name).write_bytes(content)
    Path("folder").mkdir()
    return tmp_path


TC = ("export", "tc", "--items", "tc.jsonl", "--to", "jsonl", "--work", "work")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("export", "xx", *TC[2:]), "unknown task"),
        (("export", "tc", "--to", "jsonl", "--work", "work"), "give --items"),
        ((*TC, "--to", "prodigy"), "label-studio, doccano, argilla, jsonl"),
        ((*TC, "--round", "second"), "allowed: main"),
        ((*TC, "--from", "prodigy"), "items, klue"),
        ((*TC, "--batch", "파일럿"), "cannot name a batch"),
        ((*TC, "--batch", "../../x"), "cannot name a batch"),
        ((*TC, "--annotators", "0"), "1 to 10000"),
        ((*TC, "--annotators", "-3"), "1 to 10000"),
        ((*TC, "--annotators", "2"), "name at least 3"),
        ((*TC, "--annotators", ","), "no name"),
        ((*TC, "--annotators", ""), "no name"),
        ((*TC, "--annotators", "names.txt"), "no such file"),
        ((*TC, "--annotators", "folder"), "is a folder"),
        ((*TC, "--annotators", "binary.jsonl"), "UTF-8"),
        ((*TC, "--annotators", "hana.kim@example.com,b,hana.kim@example.com"), "name 3 stands"),
        ((*TC, "--out", "tc.jsonl"), "is a file"),
        ((*TC, "--after", "main"), "not both"),
        (("export", "tc", "--after", ",", *TC[4:]), "names no batch"),
        ((*TC, "--pilot", "--human-baseline", "3"), "exclude each other"),
        ((*TC, "--human-baseline", "7"), "7 items were asked for and 6"),
        ((*TC, "--human-baseline", "0"), "from 1 to"),
        ((*TC, "--specs", "absent"), "no such folder"),
        ((*TC, "--specs", "folder"), "no spec of task"),
        (("export", "nli", "--items", "nli.jsonl", *TC[4:], "--round", "validate"), "--after"),
        (("export", "mrc", "--items", "mrc.jsonl", *TC[4:], "--round", "inspect"), "--after"),
        (("export", "sts", *TC[2:]), "sentence1"),
        (("status", "--task", "xx", "--work", "work"), "unknown task"),
        (("status", "--work", "tc.jsonl"), "is a file"),
        (("qualify", "xx", "--work", "work"), "unknown task"),
        (("qualify", "tc", "--batch", "../x", "--work", "work"), "cannot name a batch"),
        (("import", "absent", "--task", "tc", "--work", "work"), "no such file"),
        (("import", "folder", "--task", "tc", "--work", "work"), "is a folder"),
        (("import", "tc.jsonl", "--task", "tc", "--from", "x", "--work", "work"), "argilla, jsonl"),
    ],
)
def test_refusals_say_what_to_do(odd: Path, arguments: tuple[str, ...], told: str) -> None:
    said = bad(*arguments)
    assert told in said and "hana" not in said
    assert not Path("work/annotation").exists()


@pytest.mark.parametrize("name", ODD_FILES)
def test_files_that_are_no_items_are_told(odd: Path, name: str) -> None:
    has_items = name == "table.csv"
    for source in ("klue",) if has_items else ("items", "klue"):
        given = ("--items", name, "--from", source)
        assert name in bad("export", "tc", *given, "--to", "jsonl", "--work", "work")
    assert not Path("work").exists()


#: Files of records to `--from jsonl`, each of which is refused by itself.
RECORDS = ("half.json", "number.json")


@pytest.mark.parametrize(
    ("name", "tool"),
    [
        (name, tool)
        for tool in [*TOOLS, "klue"]
        for name in ODD_FILES
        if name != "list.json" and not (tool == "jsonl" and name in RECORDS)
    ],
)
def test_files_that_are_no_answers_are_told(odd: Path, name: str, tool: str) -> None:
    good(*TC)
    before = bytes_of(Path("work/annotation/tc/main"))
    Path("map.json").write_text('{"7": "ann-a"}')
    told = bad("import", name, "--task", "tc", "--from", tool, "--annotators", "map.json",
               "--work", "work")  # fmt: skip
    assert name in told
    assert bytes_of(Path("work/annotation/tc/main")) == before


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_that_is_none_is_refused_with_its_place(odd: Path, name: str) -> None:
    good(*TC)
    told = klue("import", name, "--task", "tc", "--from", "jsonl", "--work", "work")
    assert told.exit_code == 1
    assert f"{name}: every record was refused" in told.stderr
    assert f"{name} line 1" in told.stderr and "0 votes in batch main" in told.stdout


@pytest.mark.parametrize("command", ["status", "qualify", "audit", "import"])
def test_what_is_not_there_is_told(command: str, odd: Path) -> None:
    good(*TC)
    arguments = {
        "status": ("--work", "work"),
        "qualify": ("tc", "--batch", "main", "--work", "work"),
        "audit": ("work/annotation/tc/main", "--task", "tc"),
        "import": ("tc.jsonl", "--task", "tc", "--work", "work"),
    }[command]
    if command == "qualify":
        assert "there are: main" in bad(command, "tc", "--work", "work")
    Path("work/annotation/tc/main/batch.json").write_text("{half")
    assert "batch" in bad(command, *arguments, code=1)


@pytest.mark.parametrize(
    ("task", "fields"),
    [
        ("tc", {"title": 5}),
        ("sts", {"sentence1": None, "sentence2": "b"}),
        ("ner", {"text": " "}),
        ("dp", {"text": "a b", "words": "ab"}),
        ("dp", {"text": "a b", "words": [1, 2]}),
        ("dp", {"text": "", "words": []}),
        ("re", {"sentence": 5, "subject": {}, "object": {}}),
        ("re", {"sentence": "가나", "subject": {"start": 0, "end": 9, "word": "가"}, "object": {}}),
        ("re", {"sentence": "가나", "subject": {"start": 0, "end": 1, "word": "나"}, "object": {}}),
        ("mrc", {"title": "t", "context": [1]}),
        ("dst", {"goal": {"a": 1}}),
    ],
)
@pytest.mark.parametrize("tool", TOOLS)
def test_items_of_another_form_make_no_batch(
    task: str, fields: dict[str, Any], tool: str, work: Path, tmp_path: Path
) -> None:
    items = write_lines(tmp_path / "items.jsonl", [{"item": "a/../b", "fields": fields}])
    told = bad("export", task, "--items", items, "--to", tool, "--work", work)
    assert "items.jsonl" in told and "a/../b" in told
    assert not work.exists()


def test_ids_are_no_paths(work: Path, tmp_path: Path) -> None:
    ids = ["../../etc/passwd", "가/나", "a b\tc", "x" * 5000, "🍜", "C:\\x"]
    items = write_lines(tmp_path / "i.jsonl", [{"item": i, "title": "제목"} for i in ids])
    for tool in TOOLS:
        batch = ("--batch", tool, "--work", work)
        good("export", "tc", "--items", items, "--annotators", "가,../나,c d", "--to", tool, *batch)
        take(work, "tc", tool, {"label": "사회"}, tool=tool) if tool == "jsonl" else None
    assert {path.name for path in tmp_path.iterdir()} == {"i.jsonl", "work"}
    assert good("audit", work / "annotation/tc/jsonl", "--task", "tc")["votes"] == 18


def test_what_cannot_be_written_leaves_no_batch(work: Path, tmp_path: Path) -> None:
    items, blocked = items_file(tmp_path, "tc"), tmp_path / "blocked"
    blocked.write_text("a file")
    given = ("export", "tc", "--items", items, "--to", "jsonl", "--work", work)
    assert "cannot be written" in bad(*given, "--out", blocked / "below")
    assert not (work / "annotation/tc/main").exists()
    good(*given)
    told = bad("export", "tc", "--items", items, "--to", "jsonl", "--work", blocked)
    assert "work directory" in told


def test_bad_answers_are_quarantined_by_line(work: Path, tmp_path: Path) -> None:
    good("export", "tc", "--items", items_file(tmp_path, "tc"), "--annotators", "a,b,c", "--to",
         "jsonl", "--work", work)  # fmt: skip
    vote = {"item": "tc-01", "annotator": "a", "label": "사회"}
    rows = [
        vote,
        vote | {"label": "정치"},
        vote | {"item": "tc-99"},
        vote | {"annotator": "stranger"},
        vote | {"annotator": "b", "label": "기타"},
        vote | {"annotator": "b", "spec": "tc@2.0.0"},
        vote | {"annotator": "b", "task": "sts"},
        vote | {"annotator": "b", "round": "second"},
        vote | {"annotator": "b", "seconds": -1},
        vote | {"annotator": "b", "report": "unknown"},
    ]
    votes = tmp_path / "votes.jsonl"
    text = "\ufeff" + "\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    votes.write_text(text + '\r\n{"item": "tc-0', "utf-8", newline="")
    taken = good("import", votes, "--task", "tc", "--work", work)
    assert taken["read"] == 11 and taken["new"] == 1 and taken["quarantined"] == 10
    assert taken["rules"] == {
        "exchange.malformed@1": 1,
        "vote.double@1": 1,
        "vote.label@1": 1,
        "vote.report@1": 1,
        "vote.round@1": 1,
        "vote.seconds@1": 1,
        "vote.spec@1": 1,
        "vote.task@1": 1,
        "vote.unassigned@1": 1,
        "vote.unknown_item@1": 1,
    }
    folder = work / "annotation/tc/main"
    before = bytes_of(folder)
    shown = klue("import", votes, "--task", "tc", "--work", work)
    assert "votes.jsonl line 2: " in shown.stderr and "1 unchanged" in shown.stdout
    assert bytes_of(folder) == before
    assert good("status", "--work", work)["batches"][0]["quarantined"] == 10
    audit = good("audit", folder, "--task", "tc")
    assert audit["votes"] == 1 and sum(audit["refused"].values()) == 10
    newer = write_lines(tmp_path / "newer.jsonl", [vote | {"label": "정치"}])
    assert failed("import", newer, "--task", "tc", "--work", work)["quarantined"] == 1
    shown = klue("import", newer, "--task", "tc", "--work", work)
    assert shown.exit_code == 1 and "newer.jsonl: every record was refused" in shown.stderr
    assert good("import", newer, "--task", "tc", "--work", work, "--replace")["replaced"] == 1
    (stored,) = pq.read_table(folder / "votes.parquet").column("label").to_pylist()
    assert json.loads(stored) == ["정치"]


def test_an_interrupt_keeps_the_votes_that_were_there(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good("export", "tc", "--items", items_file(tmp_path, "tc"), "--to", "jsonl", "--work", work)
    votes = write_lines(
        tmp_path / "votes.jsonl", [{"item": "tc-01", "annotator": "a", "label": "사회"}]
    )
    before = bytes_of(work / "annotation/tc/main")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("flows.commands.batch_votes.receive", interrupted)
        result = klue("import", votes, "--task", "tc", "--work", work)
    assert result.exit_code == 130 and "Traceback" not in result.output
    assert bytes_of(work / "annotation/tc/main") == before
    assert good("import", votes, "--task", "tc", "--work", work)["new"] == 1


def test_simulated_answers_are_no_persons(work: Path, tmp_path: Path) -> None:
    good("export", "tc", "--items", items_file(tmp_path, "tc"), "--annotators", "ann-a,ann-b,ann-c",
         "--to", "jsonl", "--work", work)  # fmt: skip
    out = tmp_path / "votes.jsonl"
    assert "sim-01" in bad("simulate", "tc", "--out", out, "--work", work)
    assert not out.exists()
