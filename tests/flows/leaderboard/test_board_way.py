"""The whole way of a board by its commands, over HTTP, on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import board_stories as boards
import httpx
import mini
import postgres
import pytest
import servers

pytestmark = pytest.mark.full

NLI = ["entailment", "contradiction", "neutral"]
HIDDEN = re.compile(r'name="csrf" value="([^"]+)"')


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Return the options by which `init` takes a database."""
    if request.param == "sqlite":
        yield []
        return
    with postgres.running() as server:
        yield ["--database", postgres.new_database(server, "way")]


def klue(*arguments: object, fails: bool = False) -> dict[str, Any]:
    """Run a command of a board with --json; return its object."""
    done: subprocess.CompletedProcess[str] = mini.klue("leaderboard", *arguments, "--json")
    assert (done.returncode != 0) == fails, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    record: dict[str, Any] = json.loads(done.stdout)
    return record


def _files(release: Path, folder: Path) -> tuple[Path, Path, Path]:
    """Write a faulty file, the mended one, and predictions on dev; return where they are."""
    rows = boards.worse(boards.answers(release, "nli"), 0.2, NLI)
    faulty = [{**row, "label": "perhaps"} if at == 4 else row for at, row in enumerate(rows)]
    paths = tuple(folder / f"{name}.jsonl" for name in ("faulty", "mended", "dev"))
    for path, content in zip(
        paths, (faulty, rows, boards.answers(release, "nli", "dev")), strict=True
    ):
        path.write_bytes(boards.lines(content))
    return paths[0], paths[1], paths[2]


def _page(address: str, token: str, key: str) -> str:
    """Return the page of a submission as its submitter sees it who logs in."""
    with httpx.Client(base_url=address, trust_env=False, follow_redirects=True) as http:
        secret = HIDDEN.search(http.get("/login").text)
        assert secret is not None
        assert http.post("/login", data={"token": token, "csrf": secret[1]}).status_code == 200
        answer = http.get(f"/submissions/{key}")
    assert answer.status_code == 200
    return answer.text


def test_the_way_from_init_to_the_final_half(
    release: Path, tmp_path: Path, database: list[str]
) -> None:
    folder, secret = tmp_path / "board", tmp_path / "token"
    klue("init", folder, "--release", release, "--baselines", *database)
    token = klue("token", "add", folder, "별빛연구실")["token"]
    secret.write_text(token, "ascii")
    faulty, mended, dev = _files(release, tmp_path)
    with servers.running(folder) as server:
        options = ["--board", server.address, "--task", "nli", "--model", "별빛-base"]
        options += ["--dev", str(dev), "--token-file", str(secret), "--parameters", "110000000"]
        refused = klue("submit", faulty, *options, fails=True)
        assert (refused["state"], refused["charged"]) == ("refused", False)
        assert [fault["line"] for fault in refused["faults"]] == [5]
        assert ">5</th>" in _page(server.address, token, refused["key"])

        scored = klue("submit", mended, *options)
        assert (scored["state"], scored["charged"]) == ("scored", True)
        assert scored["quota"]["day"] == {"used": 1, "limit": 3}
        assert scored["ranks"]["accuracy"]["low"] == 1
        page = _page(server.address, token, scored["key"])
        assert f"{scored['scores']['accuracy']:.2f}" in page
        assert scored["ranks"]["accuracy"]["words"] in page
        again = klue("submit", mended, *options, fails=True)
        assert scored["key"] in again["error"]

        rescored = klue("rescore", folder, "--reason", "the metric was corrected")
        assert rescored["version"] == 2
        servers.wait_for(lambda: _own(server.address, scored["key"])["rank"], "it is ranked")
        own = _own(server.address, scored["key"])
        assert own["score"] == scored["scores"]["accuracy"]
        assert own["rank"] == scored["ranks"]["accuracy"]

        closed = klue("close", folder)
        assert closed["closed_at"]
        late = tmp_path / "late.jsonl"
        late.write_bytes(boards.lines(boards.answers(release, "nli")))
        assert "closed" in klue("submit", late, *options, fails=True)["error"]
        live = _board(server.address)
        server.stop()
    site = klue("publish", folder, "--out", tmp_path / "site")
    assert (site["part"], site["version"]) == ("final", 2)
    published = json.loads((tmp_path / "site" / "board.json").read_bytes())
    assert published["entries"] == live["entries"]
    (entry,) = (one for one in live["entries"] if one["submission"] == scored["key"])
    assert entry["dev"]["accuracy"] == 100.0
    assert entry["metrics"]["accuracy"]["rank"]["low"] == 1
    assert _right(release, mended) == pytest.approx(_halves(entry, own, scored), abs=0.01)


def _board(address: str, query: str = "") -> dict[str, Any]:
    record: dict[str, Any] = httpx.get(f"{address}/board.json{query}", trust_env=False).json()
    return record


def _own(address: str, key: str) -> dict[str, Any]:
    """Return the accuracy of a submission and its rank, as the public half of the board shows."""
    entries = _board(address, "?part=public")["entries"]
    (entry,) = (one for one in entries if one["submission"] == key)
    return {**entry["metrics"]["accuracy"], "examples": entry["examples"]}


def _right(release: Path, file: Path) -> float:
    """Return the share of right answers of a file over all of test, in percent."""
    gold = {row["guid"]: row["label"] for row in boards.answers(release, "nli")}
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return 100 * sum(gold[row["guid"]] == row["label"] for row in rows) / len(rows)


def _halves(entry: dict[str, Any], own: dict[str, Any], scored: dict[str, Any]) -> float:
    """Return the accuracy over both halves together."""
    final, public = entry["examples"], own["examples"]
    score = entry["metrics"]["accuracy"]["score"]
    return float((final * score + public * scored["scores"]["accuracy"]) / (final + public))
