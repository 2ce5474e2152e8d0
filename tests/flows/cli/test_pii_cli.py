"""`klue pii` as a user meets it: results, refusals, and not one value in any output."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from flows.cli import app

PLANTED = {
    "email": "hana.kim@example.com",
    "phone": "010-2345-6789",
    "rrn": "900101-1234568",
    "card": "4111-1111-1111-1111",
    "url": "www.hana-kim.co.kr",
    "mention": "@hana_kim",
}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    lines = [
        json.dumps({"text": f"값은 {value}입니다", "from": kind}) for kind, value in PLANTED.items()
    ]
    path.write_text("\n".join([*lines, f"broken {PLANTED['rrn']}"]) + "\n", "utf-8")
    return path


def _klue(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["pii", *map(str, arguments)])


def _json(*arguments: object) -> dict[str, Any]:
    result = _klue(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_scan(rows: Path) -> None:
    found = _json("scan", rows)
    assert found["rows"] == 7
    assert found["rows_with_hits"] == 6
    assert found["hits"] == dict.fromkeys(["phone", "rrn", "email", "mention", "card", "url"], 1)
    assert found["sources"] == {"rows.jsonl": dict.fromkeys(sorted(PLANTED), 1)}
    assert found["quarantined"] == {"file.malformed@1": 1}
    by_source = _json("scan", rows, "--source-column", "from", "--types", "rrn,card")
    assert by_source["sources"] == {"rrn": {"rrn": 1}, "card": {"card": 1}}


def test_a_pseudonym_in_a_table_begins_no_formula(tmp_path: Path) -> None:
    rows = [("text", "note"), ("@gildong_92 님, 봤어요", "=1+1"), ("-3도였다", "+82"), ("=1+1", "")]
    with (tmp_path / "in.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    _json("pseudonymise", tmp_path / "in.csv", "--out", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as stream:
        texts = list(csv.reader(stream))
    assert texts[1][0].startswith("'@") and "gildong" not in texts[1][0]
    assert [texts[1][1], *texts[2:]] == ["=1+1", *map(list, rows[2:])]


def test_no_planted_value_is_told_anywhere(rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for command in ("scan", "redact", "pseudonymise"):
        target = () if command == "scan" else ("--out", out / f"{command}.jsonl")
        for extra in ((), ("--json",)):
            result = _klue(command, rows, *target, "--force", *extra)
            assert result.exit_code == 0, result.output
            _clear_of_planted(result.stdout + result.stderr)
    for path in out.iterdir():
        _clear_of_planted(path.read_text("utf-8"))


def _clear_of_planted(text: str) -> None:
    assert not [value for value in PLANTED.values() if value in text]


def test_pseudonyms_need_a_key_to_be_repeated(rows: Path, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(b"0123456789abcdef0123456789abcdef\n")
    key.chmod(0o600)
    one = _json("pseudonymise", rows, "--out", tmp_path / "1.jsonl", "--key-file", key)
    two = _json("pseudonymise", rows, "--out", tmp_path / "2.jsonl", "--key-file", key)
    assert one["reproducible"] and one["key"] == two["key"]
    assert key.read_text().strip() not in json.dumps(one)
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    free = _json("pseudonymise", rows, "--out", tmp_path / "3.jsonl")
    assert free["reproducible"] is False and "key" not in free
    assert (tmp_path / "3.jsonl").read_bytes() != (tmp_path / "1.jsonl").read_bytes()


def test_several_files_on_several_workers_agree_with_one(rows: Path, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(b"0123456789abcdef")
    other = tmp_path / "other.csv"
    other.write_text(f"id,text\n1,값은 {PLANTED['phone']}\n", "utf-8")
    for workers in (1, 2):
        out = tmp_path / str(workers)
        out.mkdir()
        options = ("--out", out, "--key-file", key, "--workers", workers)
        found = _json("pseudonymise", rows, other, *options)
        assert found["originals"] == len(PLANTED)
    for name in ("rows.jsonl", "other.csv"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    shared = (tmp_path / "1" / "other.csv").read_text("utf-8").splitlines()[1].removeprefix("1,")
    assert shared in (tmp_path / "1" / "rows.jsonl").read_text("utf-8")


def test_no_pseudonym_is_an_original_of_another_file(tmp_path: Path) -> None:
    """All but two hosts of a documentation block are taken, so that draws must collide."""
    taken = [f"192.0.2.{n}" for n in range(1, 255)] + [f"198.51.100.{n}" for n in range(1, 255)]
    taken += [f"203.0.113.{n}" for n in range(1, 253)]
    (tmp_path / "a.txt").write_text("서버 192.168.7.7\n", "utf-8")
    (tmp_path / "b.txt").write_text("".join(f"서버 {ip}\n" for ip in taken), "utf-8")
    out = tmp_path / "out"
    out.mkdir()
    _json("pseudonymise", tmp_path / "a.txt", tmp_path / "b.txt", "--out", out)
    written = [
        line.removeprefix("서버 ") for p in out.glob("*.txt") for line in p.read_text().splitlines()
    ]
    assert len(written) == len(taken) + 1
    assert not set(written) & {*taken, "192.168.7.7"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["absent.jsonl"], "no such file"),
        (["rows.jsonl", "--types", "phone,fax"], "fax is no type"),
        (["rows.jsonl", "--types", ","], "nothing is no type"),
        (["rows.jsonl", "--min-confidence", "2"], "out of range"),
        (["rows.jsonl", "--workers", "0"], "out of range"),
        (["rows.jsonl", "--text-column", "body"], "no column 'body'"),
        (["rows.jsonl", "rows.jsonl"], "two files are named rows.jsonl"),
        (["rows.jsonl", "--hits", "rows.jsonl", "--force"], "is an input"),
        (["rows.jsonl", "--hits", "key"], "exists"),
        (["rows.jsonl", "--hits", "\udcb0\udca1.jsonl"], "is not UTF-8"),
        (["headless.csv"], "without a plain name"),
        (["."], "is a folder"),
        (["key"], "the ending of the name shows no form"),
        (["absent"], "absent: no such file"),
    ],
)
def test_refusals_say_what_to_do(
    rows: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(rows.parent)
    Path("key").write_text("x")
    Path("headless.csv").write_text(f"길동,{PLANTED['phone']},{PLANTED['email']}\n1,2,3\n", "utf-8")
    result = _klue("scan", *arguments)
    _clear_of_planted(result.stdout + result.stderr)
    assert result.exit_code == 2, result.output
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_a_source_that_is_a_person_is_masked(rows: Path) -> None:
    rows.write_text(json.dumps({"text": "@gildong", "by": PLANTED["email"]}) + "\n", "utf-8")
    found = _json("scan", rows, "--source-column", "by")
    assert found["sources"] == {"[email]": {"mention": 1}}


def test_the_list_of_unreadable_rows_replaces_no_file(rows: Path, tmp_path: Path) -> None:
    other = tmp_path / "out.jsonl.quarantine.jsonl"
    other.write_text("mine\n")
    refused = _klue("redact", rows, "--out", tmp_path / "out.jsonl")
    assert refused.exit_code == 2 and "exists" in refused.stderr
    assert other.read_text() == "mine\n"


def test_output_is_never_replaced_unasked(rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert _klue("redact", rows, "--out", out).exit_code == 0
    again = _klue("redact", rows, "--out", out)
    assert again.exit_code == 2 and "exists" in again.stderr
    assert _klue("redact", rows, "--out", out, "--force").exit_code == 0
    assert "is the input" in _klue("redact", rows, "--out", rows, "--force").stderr
