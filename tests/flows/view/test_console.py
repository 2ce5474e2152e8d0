"""What a command says of errors that the system causes."""

from __future__ import annotations

import errno
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import mini
import pyarrow as pa
import pytest
import typer

from flows.view import memory
from flows.view.console import handle_errors, print_table
from pipeline.core.errors import InputError


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        pa.ArrowMemoryError("malloc of size 64 failed"),
        OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)),
        ImportError("libparquet.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_memory_that_ran_out_is_named(capsys: pytest.CaptureFixture[str], error: Exception) -> None:
    with pytest.raises(typer.Exit) as end, handle_errors():
        raise error
    assert end.value.exit_code == 1
    assert capsys.readouterr().err.startswith("error: out of memory; take fewer --workers")


def test_a_place_without_permission_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as end, handle_errors():
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "votes.csv")
    assert end.value.exit_code == 2
    told = "error: votes.csv: Permission denied; permit it to this user, or give another\n"
    assert capsys.readouterr().err == told


def test_another_error_of_a_library_is_a_bug() -> None:
    for error in (ImportError("no module"), RuntimeError("a bug"), ValueError()):
        with pytest.raises(type(error)), handle_errors():
            raise error


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("command", "mib"),
    [
        ("pii scan a.jsonl", 250),
        ("tagger tag a.jsonl --out b.jsonl", 1_000),
        ("clean a.jsonl --out b", 1_500),
        ("build a.yaml", 2_000),
        ("hypothesis-only a.jsonl", 2_500),
        ("train a --task tc --model scratch:tiny --out b", 3_000),
    ],
)
def test_a_command_that_may_take_little_memory_says_so(
    tmp_path: Path, command: str, mib: int
) -> None:
    """Below its need a library would end the process."""
    limit = mib * 1024**2
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", *command.split(), "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(mini.ROOT)},
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        check=False,
    )
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert done.stderr == f"error: {error}\n"
    assert f"(ulimit -v) is {mib * 1024:,} kB" in error and "ulimit -v unlimited" in error
    assert not [*tmp_path.iterdir()]


def test_a_limit_that_suffices_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in (resource.RLIM_INFINITY, memory.HEAVY):
        monkeypatch.setattr(resource, "getrlimit", lambda _, limit=limit: (limit, limit))
        memory.require_address_space(memory.HEAVY)
    with pytest.raises(InputError, match="needs 3,145,728"):
        monkeypatch.setattr(resource, "getrlimit", lambda _: (memory.HEAVY - 1, -1))
        memory.require_address_space(memory.HEAVY)


@pytest.mark.parametrize("chain", ["cause", "context"])
def test_what_ran_out_is_named_though_a_library_raised_another_error(
    capsys: pytest.CaptureFixture[str], chain: str
) -> None:
    refused = OSError(errno.EMFILE, os.strerror(errno.EMFILE), "FILE")
    with pytest.raises(typer.Exit) as end, handle_errors():
        try:
            raise refused
        except OSError:
            if chain == "cause":
                raise ValueError("of a library") from refused
            raise ValueError("of a library")  # noqa: B904
    assert end.value.exit_code == 1
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    told = f"error: FILE: too many open files (ulimit -n is {limit:,}); raise it and run again\n"
    assert capsys.readouterr().err == told


def test_a_bug_after_an_error_that_was_handled_stays_a_bug() -> None:
    with pytest.raises(ValueError, match="a bug"), handle_errors():
        try:
            Path("/absent/file").read_bytes()
        except OSError:
            raise ValueError("a bug")  # noqa: B904


def test_a_title_longer_than_its_table_stays_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_table("Annotators, the odd ones first", ("annotator", "votes"), [("x", "1")])
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.rstrip() == "Annotators, the odd ones first"
    assert "annotator" in rest[1]
