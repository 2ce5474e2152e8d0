"""What a command says of errors that the system causes."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import mini
import pyarrow as pa
import pytest
import typer

from flows.view.console import handle_errors


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


def test_another_error_of_a_library_is_a_bug() -> None:
    for error in (ImportError("no module"), RuntimeError("a bug"), ValueError()):
        with pytest.raises(type(error)), handle_errors():
            raise error


def test_a_command_that_may_take_little_memory_says_so(tmp_path: Path) -> None:
    """There is not even room for the libraries."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "문이 열렸다."}\n' * 100_000, "utf-8")
    limit = 250 * 1024**2
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", "pii", "scan", str(path), "--json"],
        cwd=mini.ROOT,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("error: out of memory; ")
    assert "Traceback" not in done.stderr
    assert done.stdout.startswith('{"error": "out of memory; ')
