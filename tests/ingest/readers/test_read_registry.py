"""The table of readers and the table of rules."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.core.errors import SpecError
from pipeline.ingest.readers import base, registry
from pipeline.ingest.readers.rules import RULES

FOLDER = Path(base.__file__).parent


@pytest.mark.parametrize("name", sorted(registry.READERS))
def test_every_reader_has_the_two_functions_of_the_contract(name: str) -> None:
    reader = registry.get(name)
    assert list(inspect.signature(reader.scan).parameters) == ["path", "options"]
    assert list(inspect.signature(reader.parse).parameters) == ["record", "options"]


def test_an_unknown_reader_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(SpecError, match=r"unknown reader 'nsmcc'; allowed: airbnb, csv,"):
        registry.get("nsmcc")


def test_asking_for_one_reader_does_not_import_the_parsers_of_another() -> None:
    code = (
        "import sys; from pipeline.ingest.readers import registry; registry.get('jsonl');"
        "sys.exit('mwparserfromhell' in sys.modules or 'pyarrow' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_rule_table_is_total() -> None:
    source = "\n".join(path.read_text("utf-8") for path in FOLDER.glob("*.py"))
    used = set(re.findall(r"RecordError\(\s*\"(read\.[a-z_]+@\d+)\"", source))
    assert used == set(RULES)
