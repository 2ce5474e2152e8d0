"""docs/own-corpus.md has all keys, readers and columns of the code, and no others."""

from __future__ import annotations

import re

import pytest
from pydantic import BaseModel

from pipeline.core.buildfile import InputFile, Thresholds
from pipeline.core.fingerprint import ROOT
from pipeline.core.licences import LICENCES
from pipeline.corpus.catalogue import Basis, Download, Source, Timeframe, Unit
from pipeline.corpus.readers.base import READERS
from pipeline.corpus.readers.records import FIELDS

PAGE = (ROOT / "docs" / "own-corpus.md").read_text("utf-8")
HEADS = {
    "Keys of a source": Source,
    "key of `basis`": Basis,
    "key of `units`": Unit,
    "key of `download`": Download,
    "key of `timeframe`": Timeframe,
    "key of `toxicity`": Thresholds,
    "Keys of an input": InputFile,
}


def _first_column(head: str) -> set[str]:
    """Return the names of the first table after a heading, or with that head."""
    table = PAGE.partition(head)[2].partition("|---|")[2].partition("\n\n")[0]
    return set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))


@pytest.mark.parametrize("head", HEADS)
def test_keys_are_those_of_the_model(head: str) -> None:
    model: type[BaseModel] = HEADS[head]
    keys = {field.alias or name for name, field in model.model_fields.items()}
    assert _first_column(head) == keys


def test_readers_are_those_of_the_registry() -> None:
    assert _first_column("## Readers") == set(READERS)


def test_columns_are_the_fields_of_a_document() -> None:
    assert _first_column("## Columns") == set(FIELDS)


def test_licences_that_are_named_are_known() -> None:
    named = set(re.findall(r"`((?:CC|KOGL|MIT|Apache|BSD|ISC|Unl|ODC|PDDL)[\w.-]*)`", PAGE))
    assert named <= set(LICENCES)
    others = {name for name in LICENCES if not name.startswith(("CC-", "KOGL-"))}
    assert others <= named | {"none", "all-rights-reserved"}
