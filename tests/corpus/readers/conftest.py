"""One helper for all readers: read an input to the end, as the ingest stage does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reader_result import Read, Result

from pipeline.corpus.readers import base
from pipeline.corpus.readers.base import READERS, RULES, Options, Rejected


@pytest.fixture
def read() -> Read:
    """Return a function (reader, path, **options) -> Result."""

    def run(name: str, path: Path, **given: object) -> Result:
        reader, options, result = READERS[name], Options(**given), Result()  # type: ignore[arg-type]
        for record in reader.scan(path, options):
            if isinstance(record, Rejected):
                result.rejected.append(record)
                continue
            result.records += 1
            for found in reader.parse(record, options):
                target = result.rejected if isinstance(found, Rejected) else result.documents
                target.append(found)  # type: ignore[arg-type]
        for row in result.rejected:
            assert row.action == RULES[row.rule].action
        return result

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, bytes | str], Path]:
    """Return a function (name, content) -> path of a new file."""

    def run(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return run


@pytest.fixture
def small_cap(monkeypatch: pytest.MonkeyPatch) -> int:
    """Lower the cap on records to 1,000 bytes."""
    monkeypatch.setattr(base, "MAX_RECORD_BYTES", 1000)
    return 1000
