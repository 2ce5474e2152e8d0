"""Building a knowledge base: what it knows of names, and what is said of files without triples."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path

import pytest
from small_knowledge import LABELS, MAP

from pipeline.core.errors import InputError
from pipeline.tasks.re.knowledge import Builder, Fact, Knowledge, NameInfo, create_knowledge


def test_what_the_base_knows_of_names(known: Knowledge) -> None:
    found = known.look_up(
        ["차은목", "한빛섬", "소설가", "가람포 FC", "1949년", "차은목_(소설가)", "x"]
    )
    assert found == {
        "차은목": NameInfo("PER", False),
        "한빛섬": NameInfo("LOC", False),
        "소설가": NameInfo("POH", True),
        "가람포 FC": NameInfo("ORG", False),
    }
    assert known.facts_between(["차은목", "1949년", "1949년11월8일", "y"]) == [
        Fact("차은목", "1949년", "birthDate", "small"),
        Fact("차은목", "1949년11월8일", "birthDate", "small"),
    ]


def test_the_type_with_most_weight_is_taken_and_a_page_outweighs_properties(tmp_path: Path) -> None:
    with create_knowledge(tmp_path / "kb.sqlite") as making:
        for kind, weight in (("PER", 1), ("LOC", 2), (None, 500)):
            making.add_evidence("한빛", kind, weight)
        for kind, weight in (("LOC", 9), ("ORG", 100)):
            making.add_evidence("여울", kind, weight)
        for kind in ("PER", "LOC"):
            making.add_evidence("달빛", kind, 1)
    known = Knowledge(sqlite3.connect(tmp_path / "kb.sqlite")).look_up(["한빛", "여울", "달빛"])
    assert {name: one.type for name, one in known.items()} == {
        "한빛": "LOC",
        "여울": "ORG",
        "달빛": "LOC",
    }


def test_an_empty_knowledge_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.tsv"
    path.write_text("\n", "utf-8")
    said = "no triple"
    with create_knowledge(tmp_path / "kb.sqlite") as making, pytest.raises(InputError, match=said):
        Builder(making, MAP, LABELS).add_file(path, "empty", "tsv")


COLUMNS = "three columns with tabs between: subject, relation, object; no header"
OBJECTS = 'one a line, with the texts "subject", "relation" and "object"'
DUMP = "an array with one entity a line, some with a Korean label"
#: Files that a stranger may give: name, form, content, and what the message must say.
STRANGE = {
    "empty table": ("kb.tsv", "tsv", b"", COLUMNS),
    "blank table": ("kb.tsv", "tsv", b"\n \n", COLUMNS),
    "commas": ("kb.csv", "tsv", b"a,b,c\n", "line 1: 1 columns by tabs; 3 are allowed"),
    "two columns": ("kb.tsv", "tsv", b"a\tb\n", "line 1: 2 columns by tabs; 3 are allowed"),
    "binary": ("kb.tsv", "tsv", bytes(range(256)), "line 1: "),
    "UTF-16": ("kb.tsv", "tsv", "가\t나\t다\n".encode("utf-16"), "line 1: not UTF-8"),
    "empty objects": ("kb.jsonl", "jsonl", b"", OBJECTS),
    "an array": ("kb.jsonl", "jsonl", b'[{"subject": "a"}]', OBJECTS),
    "half a character": (
        "kb.jsonl",
        "jsonl",
        json.dumps({"subject": "\ud800", "relation": "b", "object": "c"}).encode(),
        "line 1: holds half of a character",
    ),
    "empty dump": ("kb.json", "wikidata", b"[\n]\n", DUMP),
    "no dump": ("kb.json", "wikidata", b"a\tb\tc\n", "line 1: not JSON"),
    "half an entity": (
        "kb.json",
        "wikidata",
        json.dumps({"id": "Q1", "labels": {"ko": {"value": "\udc00"}}}).encode(),
        "line 1: not JSON",
    ),
    "not packed": ("kb.tsv.gz", "tsv", b"a\tb\tc\n", "is no .gz file"),
    "not packed so": ("kb.tsv.bz2", "tsv", b"a\tb\tc\n", "is no .bz2 file"),
    "damaged": ("kb.tsv.gz", "tsv", gzip.compress(b"")[:10] + b"\xff" * 40, "is damaged"),
}


@pytest.mark.parametrize("case", STRANGE)
def test_a_file_without_triples_is_told_what_it_should_hold(tmp_path: Path, case: str) -> None:
    name, form, content, said = STRANGE[case]
    path = tmp_path / name
    path.write_bytes(content)
    with create_knowledge(tmp_path / "kb.sqlite") as making, pytest.raises(InputError) as error:
        Builder(making, MAP, LABELS).add_file(path, name, form)
    told = str(error.value)
    assert told.startswith(f"{path}: ")
    assert said in told
    assert "가" not in told and "a,b" not in told
