"""`klue compare-versions` on published scores, on files of every form, and on bad ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from flows.cli import app

SYSTEMS = ("가-모델", "나-모델", "다-모델", "라-모델")


def _run(*arguments: object, code: int = 0) -> dict[str, Any]:
    result = CliRunner().invoke(app, ["compare-versions", *map(str, arguments), "--json"])
    assert result.exit_code == code, result.output
    record: dict[str, Any] = json.loads(result.stdout)
    return record


def _error(*arguments: object) -> str:
    return str(_run(*arguments, code=2)["error"])


def _wide(path: Path, tag: str, strengths: Sequence[int]) -> Path:
    """Write 60 examples on which a system of strength s is right s times of ten."""
    lines = [",".join(("guid", *SYSTEMS))]
    for number in range(60):
        cells = (str(int((number * 7 + place) % 10 < s)) for place, s in enumerate(strengths))
        lines.append(",".join((f"{tag}-{number:02}", *cells)))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_paper_and_repository_agree_though_a_name_is_spelt_otherwise() -> None:
    record = _run("published:README", "published:Table 32")
    assert len(record["systems"]["both"]) == 9
    assert record["systems"]["only_old"] == []
    for metric in record["metrics"].values():
        assert metric["correlations"]["kendall_tau_b"]["value"] == 1


def test_dev_and_test_of_the_paper_disagree_on_heads_of_words() -> None:
    record = _run("published:Table 36", "published:Table 32")
    taus = {
        name: metric["correlations"]["kendall_tau_b"]["value"]
        for name, metric in record["metrics"].items()
    }
    assert taus["mrc.rouge_w"] == 1
    assert min(taus, key=lambda name: taus[name]) == "dp.uas"
    assert taus["dp.uas"] < 0.2
    reasons = record["metrics"]["dp.uas"]["reasons"]
    assert "holds no examples" in reasons["ceiling"]


def test_base_against_large_has_two_pairs_and_says_so(tmp_path: Path) -> None:
    base, large = tmp_path / "base.csv", tmp_path / "large.csv"
    base.write_text("model,nli.accuracy\nXLM-R-base,77.33\nKLUE-RoBERTa-base,84.97\n")
    large.write_text("model,nli.accuracy\nXLM-R-large,85.93\nKLUE-RoBERTa-large,89.43\n")
    pairs = [f"--pair={name}-base={name}-large" for name in ("XLM-R", "KLUE-RoBERTa")]
    metric = _run(base, large, *pairs)["metrics"]["nli.accuracy"]
    assert metric["correlations"]["spearman"]["value"] is None
    assert metric["reasons"]["value"].endswith("with a score in both; there: 2")


def test_systems_x_examples_have_ceiling_pairs_and_sure_ranks(tmp_path: Path) -> None:
    old = _wide(tmp_path / "old.csv", "a", (2, 4, 6, 9))
    new = _wide(tmp_path / "new.csv", "b", (2, 6, 4, 9))
    record = _run(old, new, "--out", tmp_path / "page", "--draws", 50)
    metric = record["metrics"]["score"]
    tau = metric["correlations"]["kendall_tau_b"]
    assert tau["value"] == pytest.approx(2 / 3)
    assert tau["over_examples"][0] <= tau["value"] <= tau["over_examples"][1]
    assert 0 < tau["ceiling"] <= 1
    assert tau["over_systems"] is None
    assert "needs 6" in metric["reasons"]["over_systems"]
    assert metric["pairs"]["opposite_order"] == 1
    assert metric["pairs"]["told_apart"]["old"] == 6
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert "가-모델" in page
    assert json.loads((tmp_path / "page" / "versions.json").read_text("utf-8"))


def test_all_forms_of_one_table_give_one_record(tmp_path: Path) -> None:
    wide = _wide(tmp_path / "wide.csv", "a", (2, 4, 6, 9))
    rows = [line.split(",") for line in wide.read_text("utf-8").splitlines()]
    long = [
        {"guid": guid, "system": system, "score": int(cell)}
        for guid, *cells in rows[1:]
        for system, cell in zip(rows[0][1:], cells, strict=True)
    ]
    folder = tmp_path / "others"
    folder.mkdir()
    jsonl = folder / "wide.csv.jsonl"
    jsonl.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in long[::-1]))
    parquet = folder / "wide.parquet"
    pq.write_table(pa.Table.from_pylist(long), parquet)
    records = [_run(path, path)["metrics"] for path in (wide, jsonl, parquet)]
    for record in records:
        for row in record["score"]["ranks"]:
            row.pop("place", None)
        record["score"]["ranks"].sort(key=lambda row: row["system"])
    assert records[0] == records[1] == records[2]
    assert records[0]["score"]["common_examples"] == 60
    assert "in both versions" in records[0]["score"]["reasons"]["ceiling"]


def test_people_are_no_system_but_what_systems_are_held_against(tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("system,tc,nli\nA,80,70\nB,85,91\nC,90,-\nHuman,88,90\n")
    record = _run(table, table, "--human", "human")
    assert record["systems"]["both"] == ["A", "B", "C"]
    saturation = {name: of["saturation"]["old"] for name, of in record["metrics"].items()}
    assert saturation["tc"] == {"human": 88, "best": 90, "headroom": -2, "reached": 1}
    assert saturation["nli"]["headroom"] == -1
    assert record["metrics"]["nli"]["without_score"] == ["C"]
    assert record["between_metrics"]["old"][0]["reason"].endswith("there: 2")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,tc\nA,1\n", "no column of systems (system or model)"),
        ("system,tc\nA,1\nA,2\n", "system 'A' is there twice"),
        ("system,tc\nA,1\nB,viel\n", ":3: column 'tc' holds no finite number"),
        ("system,tc\n,1\n", ":2: no system"),
        ("system,kind\nA,base\n", "holds no scores"),
        ("system,tc,tc\nA,1,2\n", "column 'tc' is there twice"),
        ("guid,A,B\nx,1,0\nx,0,1\n", ":3: example 'x' is there twice"),
        ("guid,A,B\nx,1,0\ny,1,\n", "system 'B' lacks a score on 1 of 2 examples"),
        ("guid,system,label\nx,A,1\n", "has no column 'score'"),
        ("", "is empty"),
    ],
)
def test_a_bad_file_is_one_clear_error(tmp_path: Path, text: str, words: str) -> None:
    bad, good = tmp_path / "bad.csv", tmp_path / "good.csv"
    bad.write_text(text, "utf-8")
    good.write_text("system,tc\nA,1\nB,2\nC,3\n", "utf-8")
    assert words in _error(bad, good)


def test_versions_without_anything_in_common_are_refused(tmp_path: Path) -> None:
    first, second, third = (tmp_path / f"{name}.csv" for name in "abc")
    first.write_text("system,tc\nA,1\nB,2\n")
    second.write_text("system,tc\nC,1\nD,2\n")
    third.write_text("system,nli\nA,1\nB,2\n")
    assert "no system in common" in _error(first, second)
    assert "no metric in common" in _error(first, third)
    assert "has no system 'X'" in _error(first, second, "--pair", "X=C")
    assert "give OLD=NEW" in _error(first, second, "--pair", "X")
    assert "unknown published table" in _error("published:Table 1", first)
    assert "neither" in _error(first, first, "--human", "people")


def test_scores_that_never_differ_have_a_reason(tmp_path: Path) -> None:
    flat, table = tmp_path / "flat.csv", tmp_path / "table.csv"
    flat.write_text("system,tc\nA,5\nB,5\nC,5\n")
    table.write_text("system,tc\nA,1\nB,2\nC,3\n")
    metric = _run(flat, table)["metrics"]["tc"]
    assert metric["reasons"]["value"] == "the scores of flat.csv never differ"
    assert metric["correlations"]["weighted_tau"]["value"] is None
