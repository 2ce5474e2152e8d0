"""`klue sources` as a user and as a machine call it."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from flows.cli.corpus import sources as app
from pipeline.core.fingerprint import ROOT

TEXT = "가상의 마을에 비가 내렸다.\n"
DIGEST = sha256(TEXT.encode()).hexdigest()


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def machine(*words: str | Path) -> Any:
    return json.loads(call(*words, "--json").stdout)


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    path = tmp_path / "published" / "마을 소식.txt"
    path.parent.mkdir()
    path.write_text(TEXT, "utf-8")
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Return the shipped catalogue with two faults in two sources."""
    text = (ROOT / "data" / "catalogue.yaml").read_text("utf-8")
    text = text.replace("tasks: [sts, nli, dp]\n\n", "tasks: [sts, nli]\n\n")
    text = text.replace("domain: Patent", "domian: Patent")
    path = tmp_path / "catalogue.yaml"
    path.write_text(text, "utf-8")
    return path


def test_list_has_every_source_within_100_columns() -> None:
    result = call("list")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert " ".join(lines[0].split()) == "id name licence style risk volume selected tasks"
    assert max(len(line) for line in lines) <= 100
    rows = {line.split()[0]: line for line in lines[1:] if not line.startswith(" ")}
    assert len(rows) == 20
    assert rows["wikitree"].split()[-5:] == ["yes", "nli", "ner", "re", "dp"]
    assert "…" not in result.stdout


def test_list_for_machines() -> None:
    sources = machine("list")["sources"]
    assert len(sources) == 20
    by_id = {source["id"]: source for source in sources}
    assert by_id["nsmc"]["tasks"] == ["nli", "ner"]
    assert by_id["naver_entertainment"]["ethical_risk"] == "high"


def test_show_tells_rights_and_uses() -> None:
    result = call("show", "wikitree")
    assert result.exit_code == 0
    for part in ("CC-BY-SA-2.0", "not for tc", "not for mrc", "2016-01-01 to 2020-12-31"):
        assert part in result.stdout


def test_show_tells_the_limits_of_a_contract() -> None:
    lines = call("show", "ked").stdout.splitlines()
    assert any(line.split() == ["only", "for", "mrc"] for line in lines)
    assert any(line.startswith("toxicity") and "not used" in line for line in lines)


@pytest.mark.parametrize("name", ["judgments", "wikipedia", "parakqc", "naver_entertainment"])
def test_every_kind_of_source_can_be_shown(name: str) -> None:
    assert call("show", name).exit_code == 0


def test_show_for_machines_keeps_the_keys_of_the_catalogue() -> None:
    shown = machine("show", "acrofan")
    assert shown["id"] == "acrofan"
    assert shown["timeframe"] == {"from": "2020-12-01", "to": "2021-01-31"}
    assert shown["basis"]["only_tasks"] == ["mrc"]


def test_unknown_source_is_an_error_without_traceback() -> None:
    result = call("show", "wikitre")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: no source 'wikitre'")
    assert "wikitree" in result.stderr


def test_unknown_source_for_machines() -> None:
    failed = machine("show", "wikitre")
    assert failed["code"] == 2
    assert "wikitree" in failed["error"]


def test_check_sums_up() -> None:
    result = call("check")
    assert result.exit_code == 0
    assert result.stdout.startswith("20 sources, 10 selected (7 formal, 3 colloquial)")
    checked = machine("check")
    assert checked["ok"] is True
    assert checked["tasks"] == {"tc": 1, "sts": 3, "nli": 6, "ner": 2, "re": 3, "dp": 2, "mrc": 3}


def test_check_prints_a_line_a_problem(broken: Path) -> None:
    result = call("check", "--catalogue", broken)
    assert result.exit_code == 2
    lines = result.stdout.splitlines()
    assert all(line.startswith(f"{broken}:") for line in lines)
    assert any("sources.airbnb" in line and "differ in dp" in line for line in lines)
    assert any("sources.patents.domian: unknown key" in line for line in lines)
    assert machine("check", "--catalogue", broken) == {"ok": False, "problems": lines}


def test_broken_catalogue_stops_every_command(broken: Path) -> None:
    for words in (["list"], ["show", "yna"], ["fetch", "yna"]):
        result = call(*words, "--catalogue", broken)
        assert result.exit_code == 2
        assert "sources.airbnb" in result.stderr


def test_missing_catalogue_is_named(tmp_path: Path) -> None:
    result = call("list", "--catalogue", tmp_path / "none.yaml")
    assert result.exit_code == 2
    assert "none.yaml: no such file" in result.stderr


def test_fetch_tells_how_where_there_is_no_file() -> None:
    result = call("fetch", "ked")
    assert result.exit_code == 2
    assert result.stdout == ""
    for part in ("no file to download", "Ask the owner", "hankyung.com", "--from"):
        assert part in result.stderr


def test_fetch_from_another_address(origin: Path, tmp_path: Path) -> None:
    words = ("fetch", "wikinews", "--from", origin.as_uri(), "--to", tmp_path / "raw")
    result = call(*words, "--sha256", DIGEST.upper())
    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"{tmp_path / 'raw' / '마을 소식.txt'}\n"
    assert Path(result.stdout.strip()).read_text("utf-8") == TEXT
    again = machine(*words)
    assert again == {
        "id": "wikinews",
        "path": result.stdout.strip(),
        "bytes": len(TEXT.encode()),
        "sha256": DIGEST,
        "fetched": False,
        "reader": "wikinews_csv",
    }


def test_fetch_refuses_a_wrong_checksum(origin: Path, tmp_path: Path) -> None:
    words = ("fetch", "yna", "--from", origin.as_uri(), "--to", tmp_path / "raw")
    result = call(*words, "--sha256", "0" * 64)
    assert result.exit_code == 2
    assert DIGEST in result.stderr
    assert not list((tmp_path / "raw").iterdir())
    assert call(*words, "--sha256", "abc").exit_code == 2


@pytest.mark.parametrize("tail", ["", "/", "/..", "/%2e%2e", "/a%2f..", "/..%5cx", "/a%00b"])
def test_name_to_save_under_is_never_a_path(tmp_path: Path, tail: str) -> None:
    result = call("fetch", "yna", "--from", f"file://{tmp_path}/x{tail}", "--to", tmp_path / "raw")
    assert result.exit_code == 2
    assert not (tmp_path / "raw").exists()


def test_fetch_takes_the_catalogues_address(
    origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}

    def fake(url: str, target: Path, **more: Any) -> Any:
        from pipeline.corpus.fetch import Fetched

        asked.update(url=url, target=target, **more)
        more["progress"](5, 10)
        return Fetched(target, 10, DIGEST, fetched=True)

    monkeypatch.setattr("pipeline.corpus.fetch.fetch", fake)
    monkeypatch.chdir(tmp_path)
    got = machine("fetch", "nsmc")
    assert asked["url"].startswith("https://raw.githubusercontent.com/e9t/nsmc/")
    assert asked["target"] == Path("data/work/raw/nsmc/ratings.txt")
    assert got["reader"] == "nsmc_ratings"


def test_importing_the_commands_loads_nothing_heavy() -> None:
    code = (
        "import sys, flows.cli.corpus; "
        "print([m for m in ('pydantic', 'httpx', 'yaml', 'pyarrow', 'kss') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
