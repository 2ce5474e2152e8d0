"""`klue toxicity` as a user and as a machine call it."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from typer.testing import CliRunner, Result

from flows.cli.corpus import toxicity as app
from pipeline.core.fingerprint import ROOT
from pipeline.corpus.toxicity.calibration import FIELDS
from pipeline.corpus.toxicity.scoring import load

sys.path.append(str(ROOT / "tools"))

from train_toxicity import train_release

TEXTS = ("노을이 곱다", "여자 주제에 설치네", "쓰레기 같은 놈", '쉼표, "따옴표"')


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def machine(*words: str | Path) -> Any:
    return json.loads(call(*words, "--json").stdout)


def labelled(path: Path, n: int, *, seed: int, source: bool = False) -> Path:
    """Write n made-up comments whose words tell their labels."""
    draw = np.random.default_rng(seed)
    kinds = [("나무", "False", "none", "none"), ("바위", "False", "none", "offensive")]
    kinds += [("벌레", "False", "others", "hate"), ("여자 주제에", "True", "gender", "hate")]
    names = [*FIELDS, "source"] if source else list(FIELDS)
    lines = ["\t".join(names)]
    for i in range(n):
        word, *labels = kinds[int(draw.integers(4))]
        where = ("nsmc", "airbnb")[i % 2]
        row = [f"{word} {seed}-{i} 이야기", *labels, where]
        lines.append("\t".join(row[: len(names)]))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("labelled")
    return labelled(folder / "train.tsv", 200, seed=1), labelled(folder / "dev.tsv", 80, seed=2)


@pytest.fixture(scope="module")
def trained(files: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trained") / "weights"
    train_release(files[0], files[1], out)
    return out


def test_calibrate_prints_table_and_fragment(trained: Path, tmp_path: Path) -> None:
    given = labelled(tmp_path / "own.tsv", 200, seed=3, source=True)
    spec = f"linear:{trained}"
    result = call("calibrate", given, "--detector", spec)
    assert result.exit_code == 0, result.stderr
    table, fragment = result.stdout.split("\n\n", 1)
    assert table.splitlines()[1].split()[1:6:2] == ["source", "score", "texts"]
    assert max(map(len, table.splitlines())) <= 100
    found = yaml.safe_load(fragment)["toxicity"]
    assert found["detector"] == spec
    assert list(found["thresholds"]) == ["airbnb", "nsmc"]
    for pair in found["thresholds"].values():
        assert list(pair) == ["gender_bias", "hate"]
        assert all(0 < value < 1 for value in pair.values())


def test_calibrate_tells_whole_paths(
    trained: Path, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path in a build file starts at the folder of that file, not at that of the command."""
    monkeypatch.chdir(trained.parent)
    result = call("calibrate", files[1], "--detector", f"linear:{trained.name}")
    fragment = result.stdout.split("\n\n", 1)[1]
    assert yaml.safe_load(fragment)["toxicity"]["detector"] == f"linear:{trained}"


def test_calibrate_for_machines(trained: Path, files: tuple[Path, Path]) -> None:
    told = machine("calibrate", files[1], "--detector", f"linear:{trained}")
    assert [p["score"] for p in told["proposals"]] == ["gender_bias", "hate"]
    assert told["proposals"][0]["paper"]["threshold"] == 0.5
    assert told["proposals"][1]["paper"]["threshold"] == 0.9
    refused = machine("calibrate", files[1], "--precision", "2")
    assert refused == {"error": "precision 2 must be above 0 and at most 1", "code": 2}


def _wanted(spec: str = "linear") -> list[tuple[float, float]]:
    scores = load(spec).score(pa.array(TEXTS))
    return list(zip(*(column.to_pylist() for column in scores.columns), strict=True))


def _write(folder: Path, ending: str) -> Path:
    path = folder / f"in{ending}"
    if ending == ".txt":
        path.write_text("".join(f"{text}\n" for text in TEXTS), "utf-8")
    elif ending == ".jsonl":
        rows = [json.dumps({"n": i, "text": text}) for i, text in enumerate(TEXTS)]
        path.write_text("\n".join(rows) + "\n", "utf-8")
    elif ending == ".csv":
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([("n", "text"), *enumerate(TEXTS)])
    else:
        pq.write_table(pa.table({"n": range(len(TEXTS)), "text": TEXTS}), path)
    return path


def _read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


@pytest.mark.parametrize("ending", [".txt", ".jsonl", ".csv", ".parquet"])
def test_score_adds_two_columns(tmp_path: Path, ending: str) -> None:
    out = tmp_path / ("out.jsonl" if ending == ".txt" else f"out{ending}")
    result = call("score", _write(tmp_path, ending), "--out", out)
    assert result.exit_code == 0, result.stderr
    assert "4 texts, 0 of them not Korean and without scores, 0 rows" in result.stdout
    rows = _read(out)
    assert [row["text"] for row in rows] == list(TEXTS)
    if ending != ".txt":
        assert [int(row["n"]) for row in rows] == [0, 1, 2, 3]
    assert [(float(row["gender_bias"]), float(row["hate"])) for row in rows] == _wanted()


def test_score_with_lexicon_and_another_column(tmp_path: Path) -> None:
    given = tmp_path / "in.jsonl"
    given.write_text(
        '{"review": "개자식아"}\n{"no": 1}\n{"review": "좋다"}\n{"review": "Go"}\n', "utf-8"
    )
    out = tmp_path / "out.jsonl"
    words = ("score", given, "--out", out, "--detector", "lexicon", "--text-column", "review")
    assert machine(*words) == {"out": str(out), "rows": 3, "unreadable": 1, "unscored": 1}
    assert [row["hate"] for row in _read(out)] == [1.0, 0.0, None]


@pytest.mark.parametrize("ending", [".txt", ".jsonl"])
def test_score_overwrites_only_with_force(tmp_path: Path, ending: str) -> None:
    given, out = _write(tmp_path, ending), tmp_path / "out.jsonl"
    out.write_text("mine", "utf-8")
    result = call("score", given, "--out", out)
    assert result.exit_code == 2
    assert "exists" in result.stderr and out.read_text("utf-8") == "mine"
    assert call("score", given, "--out", out, "--force").exit_code == 0
    assert len(_read(out)) == 4


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("none.txt", "--out", "o.jsonl"), "none.txt"),
        (("in.txt", "--out", "o.csv"), "JSONL"),
        (
            ("in.txt", "--out", "o.jsonl", "--detector", "magic"),
            "unknown detector 'magic'; allowed",
        ),
        (("in.txt", "--out", "o.jsonl", "--detector", "linear:gone"), "no such file"),
    ],
)
def test_score_tells_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    _write(tmp_path, ".txt")
    result = call("score", *words)
    assert result.exit_code == 2
    assert told in result.stderr and result.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.txt"]


def test_help_is_light() -> None:
    code = (
        "import sys; from typer.testing import CliRunner;"
        "from flows.cli.corpus import toxicity as app;"
        "result = CliRunner().invoke(app, ['--help']); assert result.exit_code == 0;"
        "heavy = {'pyarrow', 'numpy', 'torch', 'yaml', 'sklearn'} & set(sys.modules);"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
