"""croissant.json: valid for mlcroissant, and records can be read by it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipeline.core.errors import SchemaError
from pipeline.release.croissant import croissant, record_field
from pipeline.release.manifest import Files
from pipeline.release.material import Facts

#: What only the clock or a publisher knows: a release is without.
ALLOWED = {"datePublished"}


@pytest.fixture
def described(facts: Facts, files: Files, tmp_path: Path) -> Any:
    """Return the data set as mlcroissant reads it."""
    mlcroissant = pytest.importorskip("mlcroissant")
    made = croissant(facts, files)
    (tmp_path / "croissant.json").write_text(json.dumps(made, ensure_ascii=False), "utf-8")
    return mlcroissant.Dataset(tmp_path / "croissant.json")


def test_it_is_valid(described: Any) -> None:
    issues = described.metadata.ctx.issues
    assert not issues.errors
    assert all(any(word in one for word in ALLOWED) for one in issues.warnings), issues.warnings
    assert described.metadata.ctx.conforms_to.value == "http://mlcommons.org/croissant/1.1"
    assert described.metadata.version == "1.0.0"
    assert described.metadata.license == ["https://creativecommons.org/licenses/by-sa/4.0/"]


def test_every_parquet_file_has_its_digest(described: Any, files: Files) -> None:
    objects = {one.id: one.sha256 for one in described.metadata.file_objects}
    assert objects == {path: entry.sha256 for path, entry in files.items()}


def test_all_records_of_all_configs_can_be_read(
    described: Any, schemas: dict[str, pa.Schema]
) -> None:
    for config, schema in schemas.items():
        records = list(described.records(config))
        assert len(records) == 2 + 3 + 4
        assert set(records[0]) == {f"{config}/{name}" for name in ("split", *schema.names)}


def test_values_are_those_of_the_files(described: Any) -> None:
    sts = [one for one in described.records("sts") if one["sts/split"] == b"validation"]
    assert {one["sts/guid"].decode() for one in sts} == {f"sts-validation-{at}" for at in range(3)}
    assert sts[0]["sts/sentence1"].decode() == "불을 꺼 줘."
    assert sts[0]["sts/labels"]["sts/labels/real-label"] == 4.29
    wos = next(one for one in described.records("wos") if one["wos/split"] == b"train")
    assert wos["wos/dialogue"][0]["wos/dialogue/state"] == ["숙소-지역-동쪽".encode()]
    mrc = next(one for one in described.records("mrc") if one["mrc/split"] == b"train")
    assert mrc["mrc/answers"]["mrc/answers/answer_start"] == [4]
    ner = next(one for one in described.records("ner") if one["ner/split"] == b"train")
    assert ner["ner/ner_tags"] == [b"B-PS", b"I-PS", b"O", b"O"]


def test_a_split_can_be_asked_for(described: Any) -> None:
    found = list(described.records("ynat", filters={"ynat/split": "test"}))
    assert [one["ynat/guid"].decode() for one in found] == [f"ynat-test-{at}" for at in range(4)]
    assert all(one["ynat/label"] is None for one in found)


def test_an_edited_file_is_refused_by_its_digest(
    described: Any, files: Files, tmp_path: Path
) -> None:
    operations = described.operations.operations
    path = "nli/train.parquet"
    (tmp_path / path).write_bytes(b"PAR1" + (tmp_path / path).read_bytes())
    download = next(one for one in operations if one.node.id == path)
    with pytest.raises(ValueError, match="not identical"):
        download.call()


def test_a_config_without_files_is_left_out(facts: Facts, files: Files) -> None:
    some = {path: entry for path, entry in files.items() if not path.startswith("dp/")}
    made = croissant(facts, some)
    assert "dp" not in {one["@id"] for one in made["recordSet"]}
    assert "dp-files" not in {one["@id"] for one in made["distribution"]}


def test_it_tells_that_annotation_is_simulated(facts: Facts, files: Files) -> None:
    made = croissant(replace(facts, simulated=True), files)
    assert "no person labelled" in made["description"]
    assert made["isLiveDataset"] is False
    assert made == croissant(replace(facts, simulated=True), dict(reversed(files.items())))


def test_a_type_without_a_word_is_an_error() -> None:
    with pytest.raises(SchemaError, match="x/odd: Croissant has no type for"):
        record_field("x", pa.field("odd", pa.binary()))
