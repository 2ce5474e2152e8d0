"""Paths that are no regular files, and bombs, given to every command: one clear error, at once.

A command that opened a pipe would wait for ever, and one that read a device would fill the memory.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from typer.testing import CliRunner

from flows.cli import app
from pipeline.release.writing import write

sys.path += [str(Path(__file__).parents[2] / "release"), str(Path(__file__).parents[1])]

import mini
import small_release as small

#: After so many seconds a command counts as hanging; most take less than one, on any machine.
PATIENCE = 120
KINDS = ("pipe", "zero", "loop", "socket")
#: Words of a command; X.ending is the hostile path, OUT a folder that is not there.
COMMANDS = (
    "build X.yaml",
    "build X.yaml --dry-run",
    "clean X.txt --out OUT",
    "clean X.jsonl --out OUT",
    "clean X.csv --out OUT --text-column text",
    "clean X.parquet --out OUT",
    "clean X.zip --out OUT",
    "clean X.tar.gz --out OUT",
    "clean FINE.txt --out OUT --personal pseudonymise --key-file X.key",
    "sources list --catalogue X.yaml",
    "sources check --catalogue X.yaml",
    "pii scan X.txt",
    "pii scan X.jsonl",
    "pii scan X.csv",
    "pii scan X.parquet",
    "pii scan X.txt.gz",
    "pii redact X.txt --out OUT.txt",
    "pii redact X.parquet --out OUT.parquet",
    "pii pseudonymise X.jsonl --out OUT.jsonl",
    "pii pseudonymise FINE.txt --out OUT.txt --key-file X.key",
    "toxicity score X.txt --out OUT.jsonl",
    "toxicity score X.parquet --out OUT.parquet",
    "toxicity calibrate X.tsv",
    "toxicity calibrate X.jsonl",
    "tagger tag X.txt --out OUT.jsonl",
    "tagger score X.tsv",
    "tagger score X.jsonl",
    "export tc --to jsonl --items X.jsonl --work OUT",
    "export tc --to jsonl --items X.parquet --work OUT",
    "export nli --to jsonl --items X.json --from klue --work OUT",
    "import X.json --from label-studio --task tc --work OUT",
    "import X.jsonl --from doccano --task tc --work OUT",
    "import X.json --from argilla --task tc --work OUT",
    "import X.jsonl --from jsonl --task tc --work OUT",
    "check mrc --votes FINE.txt --items X.jsonl",
    "check dst --votes FINE.txt --items X.parquet",
    "audit X.jsonl --task tc",
    "audit X.csv --level nominal",
    "audit X.parquet --level nominal",
    "audit X.json --task nli --from klue",
    "aggregate X.jsonl --task tc",
    "aggregate X.parquet --task tc",
    "aggregate X.jsonl --level multilabel",
    "next X.csv --level nominal",
    "audit X.json --from label-studio",
    "audit X.jsonl --from doccano",
    "audit X.json --from argilla",
    "audit X.jsonl --from potato",
    "decontaminate X.txt --against FINE.txt --out OUT",
    "decontaminate X.parquet --against FINE.txt --out OUT",
    "decontaminate FINE.txt --against X.jsonl --out OUT",
    "decontaminate FINE.txt --against X --out OUT",
    "hypothesis-only X.json",
    "hypothesis-only X.jsonl",
    "hypothesis-only X.parquet",
    "split X.jsonl --task tc --out OUT",
    "split X.parquet --task tc --out OUT",
    "split X.json --task nli --out OUT",
    "fetch X --out OUT",
    "verify X",
    "report X --out OUT",
    "report --klue X --out OUT",
    "convert X --format klue --out OUT",
    "publish X --to OUT",
    "diff X RELEASE",
    "diff RELEASE X",
    "score --task nli --gold X.json --pred FINE.txt",
    "score --task nli --gold X.parquet --pred FINE.txt",
    "score --task nli --gold RELEASE --split dev --pred X.jsonl",
    "score --task nli --gold RELEASE --split dev --pred X.parquet",
    "train X --task tc --model scratch:tiny --out OUT",
    "train RELEASE --task tc --model scratch:tiny --recipe X.yaml --out OUT",
    "train RELEASE --task tc --model scratch:tiny --grid X.yaml --out OUT",
    "results X",
    "init X",
    "corpus X --out OUT.jsonl",
    "store ls --work X",
    "store gc --work X",
    "explain nsmc-s4f0c4f0c4f0c4f0c4f0c --work X",
    "knowledge build X.json --out OUT",
    "knowledge build X.xml.bz2 --out OUT",
    "knowledge build FINE.txt --out OUT --properties X.yaml",
    "import-official X --out OUT/1.0.0",
    "errata find X",
    "errata apply X FINE.txt --out OUT",
    "errata apply RELEASE X.jsonl --out OUT",
    "tagger tag FINE.txt --out OUT.jsonl --tagger crf:X",
    "toxicity score FINE.txt --out OUT.jsonl --detector linear:X",
    "toxicity score FINE.txt --out OUT.jsonl --detector lexicon:X.yaml",
    "aggregate X.csv --task tc",
    "split X.csv --task tc --from klue --out OUT",
    "score --task re --gold X.tsv --pred FINE.txt",
    "train RELEASE --task tc --model X --out OUT",
    "pretrain-corpus X.yaml --out OUT",
    "tokenizer train X.txt --out OUT",
    "tokenizer train X.parquet --out OUT",
    "tokenizer stats FINE.txt --tokenizer X",
    "pretrain FINE.txt --tokenizer X --architecture bert --size tiny --out OUT",
    "export-eval X --to lm-eval --out OUT",
    "score --task nli --gold RELEASE --split dev --from lm-eval --pred X.jsonl",
    "compare-versions X.csv published:README",
    "compare-versions published:README X.jsonl",
    "compare-versions published:README X.parquet",
    "leaderboard init OUT --release X",
    "leaderboard init X --release RELEASE",
    "leaderboard token list X",
    "leaderboard token add X NAME",
    "leaderboard token revoke X 1",
    "leaderboard mark X KEY --as withdrawn --reason WHY",
    "leaderboard publish X --out OUT",
    "leaderboard serve X --port 0",
    "leaderboard rescore X --reason WHY",
    "leaderboard close X",
    "leaderboard submit X.jsonl --board http://127.0.0.1:9 --task nli --model NAME",
)
#: Commands that read the files of a folder X, and the hostile one of them.
FOLDERS = (
    ("results X", "run.json"),
    ("results X", "tc/run.json"),
    ("import-official X --out OUT/1.0.0", "klue-nli-v1.1_dev.json"),
    ("import-official X --out OUT/1.0.0", "klue-ner-v1.1_dev.tsv"),
    ("report --klue X --out OUT", "klue-re-v1.1_dev.json"),
    ("report --klue X --out OUT", "klue-dp-v1.1_dev.tsv"),
    ("tagger tag FINE.txt --out OUT.jsonl --tagger crf:X", "facts.json"),
    ("tagger score FINE.jsonl --tagger crf:X", "facts.json"),
    ("toxicity score FINE.txt --out OUT.jsonl --detector linear:X", "weights.safetensors"),
    ("train RELEASE --task tc --model X --out OUT", "config.json"),
    ("qualify tc --work X", "annotation/tc/pilot/batch.json"),
    ("simulate tc --out OUT.jsonl --work X", "annotation/tc/main/batch.json"),
    ("import FINE.txt --task tc --work X", "annotation/tc/main/batch.json"),
    ("explain nsmc-s4f0c4f0c4f0c4f0c4f0c --work X", "builds/own.corpus.json"),
    ("corpus X --out OUT.jsonl", "builds/own.corpus.json"),
    ("store ls --work X", "builds/own.corpus.json"),
    ("store gc --work X", "builds/own.corpus.json"),
    ("verify X", "manifest.json"),
    ("convert X --format klue --out OUT", "manifest.json"),
    ("publish X --to OUT", "manifest.json"),
    ("errata find X", "manifest.json"),
    ("tokenizer train X --out OUT", "text/part-00000.txt"),
    ("tokenizer stats FINE.txt --tokenizer X", "tokenizer.json"),
    (
        "pretrain X --tokenizer FINE.txt --architecture bert --size tiny --out OUT",
        "text/part-00000.txt",
    ),
    ("pretrain FINE.txt --tokenizer X --architecture bert --size tiny --out OUT", "tokenizer.json"),
    ("export-eval X --to lm-eval --out OUT", "manifest.json"),
    ("compare-versions X published:README", "run.json"),
    ("leaderboard init OUT --release X", "manifest.json"),
    ("leaderboard token list X", "board.yaml"),
    ("leaderboard serve X --port 0", "board.yaml"),
    ("leaderboard rescore X --reason WHY", "board.yaml"),
    ("leaderboard close X", "board.yaml"),
)
#: Files of a release that a hostile one takes the place of, and the commands that read a release.
RELEASED = ("manifest.json", "ynat/train.parquet", "ledger/corpus/clean.parquet", "README.md")
READERS = (
    "verify RELEASE",
    "publish RELEASE --to OUT",
    "diff RELEASE RELEASE",
    "convert RELEASE --format klue --out OUT",
    "errata find RELEASE",
    "report RELEASE --out OUT",
    "export-eval RELEASE --to lm-eval --out OUT",
    "leaderboard init OUT --release RELEASE",
    "score --task tc --gold RELEASE --split train --pred FINE.txt",
    "train RELEASE --task tc --model scratch:tiny --out OUT",
)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "mini" / "1.0.0"
    write(small.material(tmp_path_factory.mktemp("corpus")), folder)
    return folder


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """End a command that hangs."""

    def fail(_: int, __: FrameType | None) -> None:
        raise TimeoutError(f"still running after {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _make_hostile(kind: str, path: Path) -> Path:
    """Put a hostile file to this path."""
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "zero":
        path.symlink_to("/dev/zero")
    elif kind == "loop":
        path.symlink_to(path.name)
    else:
        os.mknod(path, 0o600 | stat.S_IFSOCK)
    return path


def _refused(words: list[str]) -> str:
    done = CliRunner().invoke(app, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code in (1, 2), done.output
    assert "Traceback" not in done.output
    return str(done.output)


@pytest.mark.thin("command", "kind")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_path_that_is_no_regular_file_is_refused(
    release: Path, tmp_path: Path, command: str, kind: str
) -> None:
    (tmp_path / "FINE.txt").write_text("문이 열렸다.\n", "utf-8")
    (hostile,) = (
        word.rpartition(":")[2]
        for word in command.split()
        if word.rpartition(":")[2].split(".")[0] == "X"
    )
    _make_hostile(kind, tmp_path / hostile)
    said = _refused(_words(command, release, tmp_path))
    assert str(tmp_path / hostile) in said.replace("\n", "")


@pytest.mark.thin(("command", "name"), "kind")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("command", "name"), FOLDERS)
def test_a_hostile_file_in_a_folder_hangs_no_command(
    release: Path, tmp_path: Path, command: str, name: str, kind: str
) -> None:
    (tmp_path / "FINE.txt").write_text("문이 열렸다.\n", "utf-8")
    (tmp_path / "X" / name).parent.mkdir(parents=True)
    _make_hostile(kind, tmp_path / "X" / name)
    _refused(_words(command, release, tmp_path))


def _commands() -> set[str]:
    """Return all commands that open a file which the user names.

    Those of a live Label Studio read a batch; what a hostile server answers is tested with them.
    """
    root = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    groups = {name: group.commands for name, group in root.items() if hasattr(group, "commands")}
    names = {f"{group} {name}" for group, commands in groups.items() for name in commands}
    live = {f"label-studio {name}" for name in groups["label-studio"]}
    none = {"sources show", "sources fetch", "status", "doctor", *live}
    return (names | root.keys()) - groups.keys() - none


def test_every_command_meets_hostile_files_and_at_least_three_hundred_in_all() -> None:
    tried = {*COMMANDS, *READERS, *(command for command, _ in FOLDERS)}
    for name in _commands():
        assert any(command.startswith(f"{name} ") for command in tried), name
    assert len(COMMANDS) * len(KINDS) >= 300


def _words(command: str, release: Path, folder: Path) -> list[str]:
    """Return the words of a command with the paths that they stand for."""
    names = {"RELEASE": lambda _: release, **dict.fromkeys(("X", "OUT", "FINE"), folder.joinpath)}
    words = (word.rpartition(":") for word in command.split())
    return [
        f"{head}{mark}{names[name](word)}"
        if (name := re.split("[./]", word)[0]) in names
        else f"{head}{mark}{word}"
        for head, mark, word in words
    ]


@pytest.mark.thin("command", "path", "kind")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("command", "path"),
    [
        (command, path)
        for command in READERS
        for path in RELEASED
        if not command.startswith("train") or path.startswith(("manifest", "ynat"))
    ],
)
def test_a_hostile_file_in_a_release_hangs_no_command(
    release: Path, tmp_path: Path, command: str, path: str, kind: str
) -> None:
    copy = tmp_path / "mini" / "1.0.0"
    shutil.copytree(release, copy)
    _make_hostile(kind, copy / path)
    (tmp_path / "FINE.txt").write_text('{"guid": "x", "prediction": "y"}\n', "utf-8")
    done = CliRunner().invoke(app, _words(command, copy, tmp_path))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code in (0, 1, 2)
    if command.startswith("verify") or path == "manifest.json":
        assert done.exit_code, "the release is not as it was"


#: Settings of a build file that name files; X.txt is the hostile path.
SETTINGS = (
    {"catalogue": "X.txt"},
    {"sources": {"yna": {"inputs": [{"path": "X.txt"}]}}},
    {"annotation": {"mode": "imported", "votes": ["X.txt"]}},
    {"annotation": {"mode": "simulated", "truths": "X.txt"}},
    {"annotation": {"mode": "simulated"}, "release": {"against": ["X.txt"]}},
    {"annotation": {"mode": "simulated"}, "release": {"withdrawn": "X.txt"}},
    {"annotation": {"mode": "simulated"}, "release": {"key_file": "X.txt"}},
    {"personal_data": {"pseudonymise": ["phone"], "key_file": "X.txt"}},
    {"candidates": {"specs": "X.txt"}},
    {"candidates": {"metro": "X.txt"}},
    {"candidates": {"places": "X.txt"}},
    {"candidates": {"translator": {"kind": "file", "paths": ["X.txt"]}}},
    {"toxicity": {"detector": "lexicon:X.txt"}},
    {"toxicity": {"detector": "linear:X.txt"}},
    {"tasks": ["X.txt"]},
)


@pytest.mark.thin("setting", "kind")
@pytest.mark.parametrize("kind", ["pipe", "loop"])
@pytest.mark.parametrize("setting", SETTINGS, ids=json.dumps)
def test_a_setting_of_a_build_that_names_no_regular_file(
    tmp_path: Path, setting: dict[str, object], kind: str
) -> None:
    hostile = _make_hostile(kind, tmp_path / "X.txt")
    named = json.dumps(setting).replace("X.txt", str(hostile))
    build = mini.write(tmp_path)
    plain = {"name": "mini", "seed": 1, "catalogue": f"{mini.ROOT}/data/catalogue.yaml"}
    sources = {"sources": {"parakqc": {"inputs": [{"path": "raw/kqc.txt"}]}}}
    build.write_text(json.dumps({**plain, **sources, **json.loads(named)}), "utf-8")
    said = _refused(["build", str(build), "--dry-run", "--work", str(tmp_path / "work")])
    assert str(hostile) in said.replace("\n", "")
    assert "Not a directory" not in said


def _parquet_bomb(kind: str, path: Path) -> None:
    """Write a table of two million values in a few hundred bytes."""
    names, many = ("text", "item", "guid", "id", "label"), 2_000_000
    if kind == "rows":
        table = pa.table({name: pa.nulls(many, pa.string()) for name in names})
    else:
        zeros = pa.ListArray.from_arrays([0, many], pa.array(np.zeros(many, np.int64)))
        table = pa.table({**{name: ["a"] for name in names}, "fields": zeros})
    pq.write_table(table, path)


@pytest.mark.thin("command", "kind")
@pytest.mark.parametrize("kind", ["rows", "list"])
@pytest.mark.parametrize("command", [c for c in COMMANDS if ".parquet" in c])
def test_a_parquet_bomb_is_refused(release: Path, tmp_path: Path, command: str, kind: str) -> None:
    (tmp_path / "FINE.txt").write_text("문이 열렸다.\n", "utf-8")
    _parquet_bomb(kind, tmp_path / "X.parquet")
    assert "holds more than" in _refused(_words(command, release, tmp_path)).replace("\n", " ")


#: Commands that read packed files.
PACKED = (
    "clean X.jsonl.gz --out OUT",
    "pii scan X.txt.gz",
    "pii redact X.jsonl.gz --out OUT.jsonl",
    "toxicity score X.jsonl.gz --out OUT.jsonl",
    "tagger tag X.jsonl.gz --out OUT.jsonl",
    "audit X.jsonl.gz --level nominal",
    "aggregate X.jsonl.gz --task tc",
    "export tc --to jsonl --items X.jsonl.gz --work OUT",
    "import X.jsonl.gz --from jsonl --task tc --work OUT",
)


@pytest.mark.full
@pytest.mark.parametrize("command", PACKED)
def test_a_packed_flood_of_blank_lines_ends(release: Path, tmp_path: Path, command: str) -> None:
    (hostile,) = (word for word in command.split() if word.split(".")[0] == "X")
    with gzip.open(tmp_path / hostile, "wb") as file:
        for _ in range(64):
            file.write(b"\n" * 2**20)
    _refused(_words(command, release, tmp_path))


#: Contents that no command can use.
CONTENTS = {
    "empty": b"",
    "nul": b"\0" * 5_000,
    "nuls": b'{"a\0b":1}\nte\0xt\n',
    "utf-16": "글 하나\n둘\n".encode("utf-16"),
    "utf-32": "글 하나\n둘\n".encode("utf-32"),
    "deep": b"[" * 20_000,
    "deep objects": b'{"a":' * 20_000,
    "long": b"x" * 17 * 2**20,
    "long value": b'{"text":"' + b"x" * 17 * 2**20 + b'"}\n',
    "number": b'{"text":"a","item":1' + b"0" * 10_000 + b"}\n",
    "half": b'{"text":"\\ud800","item":"a"}\n[1]\nnull\n',
    "surrogates": "가\ud800".encode("utf-8", "surrogatepass") * 1_000,
    "quotes": b'"' * 10_001,
    "carriage returns": b"\r" * 30_000,
    "columns": b"a," * 20_000 + b"a\n",
    "random": np.random.default_rng(1).bytes(60_000),
}


@pytest.mark.full
@pytest.mark.parametrize("kind", [*CONTENTS, "folder"])
@pytest.mark.parametrize("command", [c for c in COMMANDS if "X." in c])
def test_no_content_makes_a_traceback(
    release: Path, tmp_path: Path, command: str, kind: str
) -> None:
    (tmp_path / "FINE.txt").write_text("문이 열렸다.\n", "utf-8")
    words = (word.rpartition(":")[2] for word in command.split())
    (hostile,) = (word for word in words if word.split(".")[0] == "X")
    if kind == "folder":
        (tmp_path / hostile).mkdir()
    else:
        data = CONTENTS[kind]
        packed = gzip.compress(data) if hostile.endswith(".gz") else data
        (tmp_path / hostile).write_bytes(packed)
    done = CliRunner().invoke(app, _words(command, release, tmp_path))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code in (0, 1, 2)
    assert "Traceback" not in done.output
