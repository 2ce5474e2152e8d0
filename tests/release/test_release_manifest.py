"""The manifest: what it tells, what it does not, and manifests that cannot be read."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import small_release as small

from pipeline.contracts.build_inputs import load_build
from pipeline.core.errors import StoreError
from pipeline.release import manifest as manifests
from pipeline.release.manifest import (
    Entry,
    build_manifest,
    digest_of,
    private_folder,
    read_manifest,
)
from pipeline.release.material import public_settings
from pipeline.release.privacy import key_check
from pipeline.release.writing import write

FILES = {"b.md": Entry(bytes=3, sha256="ff"), "a.parquet": Entry(bytes=1, sha256="0", rows=2)}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Return a release of one task."""
    material = small.material(tmp_path, small.task_material("tc"))
    return write(material, tmp_path / "mini" / "1.0.0").folder


def _edited(folder: Path, edit: Callable[[dict[str, Any]], Any]) -> None:
    path = folder / "manifest.json"
    data = json.loads(path.read_text("utf-8"))
    edit(data)
    path.write_text(json.dumps(data), "utf-8")


def test_a_profile_of_personal_data_is_told_where_it_is_not_the_builds(
    tmp_path: Path, release: Path
) -> None:
    (entry,) = json.loads((release / "manifest.json").read_text("utf-8"))["inputs"]
    assert "profile" not in entry
    material = small.material(tmp_path, small.task_material("tc"))
    (source,) = material.facts.sources
    facts = replace(material.facts, sources=(replace(source, profile="strict"),))
    other = write(replace(material, facts=facts), tmp_path / "other" / "1.0.0").folder
    assert [told.profile for told in read_manifest(other).inputs] == ["strict"]
    assert [told.profile for told in read_manifest(release).inputs] == [None]


def test_the_release_hash_can_be_computed_by_hand(release: Path) -> None:
    """With nothing but the documented form: canonical JSON without the hash and the page."""
    text = '{"a.parquet":{"bytes":1,"rows":2,"sha256":"0"},"b.md":{"bytes":3,"sha256":"ff"}}'
    assert digest_of(FILES) == hashlib.sha256(text.encode()).hexdigest()
    body = json.loads((release / "manifest.json").read_text("utf-8"))
    told = body.pop("release_hash")
    del body["files"]["report/index.html"]
    whole = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert told == hashlib.sha256(whole.encode()).hexdigest()


def test_the_page_of_the_report_does_not_enter_the_hash_and_its_record_does(
    tmp_path: Path,
) -> None:
    material = small.material(tmp_path, small.task_material("tc"))
    pages = [
        {**material.texts, "report/index.html": f"<p>{page}", "report/quality.json": record}
        for page, record in (("a", "1"), ("b", "1"), ("a", "2"))
    ]
    made = [
        write(replace(material, texts=texts), tmp_path / str(at) / "1.0.0")
        for at, texts in enumerate(pages)
    ]
    first, other_page, other_record = (one.release_hash for one in made)
    assert first == other_page != other_record
    assert "report/index.html" in read_manifest(made[0].folder).files


def test_it_tells_what_the_release_was_made_of(release: Path) -> None:
    manifest = read_manifest(release)
    assert (manifest.format, manifest.name, manifest.version) == (1, "mini", "1.0.0")
    assert (manifest.seed, manifest.simulated) == (7, False)
    entry = manifest.tasks["ynat"]
    assert entry.splits == {"train": 4, "dev": 2, "test": 2}
    assert (entry.gold, entry.unresolved, entry.removed, entry.left_out) == (9, 1, 1, 1)
    assert (entry.spec, entry.rule) == ("tc@" + entry.spec.partition("@")[2], "by_date")
    assert manifest.inputs[0].licence == "CC0-1.0"
    assert manifest.stages[0].dropped == 2
    assert manifest.files["ynat/train.parquet"].rows == 4
    assert manifest.files["README.md"].rows is None


def test_it_tells_nothing_of_the_machine(release: Path) -> None:
    text = (release / "manifest.json").read_text("utf-8")
    for word in ("workers", "skipped", "/elsewhere", "/somewhere", str(release.parent)):
        assert word not in text
    assert read_manifest(release).inputs[0].files[0].file == "reviews.csv"


def test_it_tells_no_person_and_no_file_but_inputs_of_sources(release: Path) -> None:
    text = (release / "manifest.json").read_text("utf-8")
    assert not [one for one in (*small.PEOPLE, "kim", "jsonl") if one in text]
    assert read_manifest(release).build == {
        "name": "mini",
        "seed": 7,
        "sources": {"airbnb": {"inputs": [{"path": "reviews.csv", "reader": None}]}},
        "candidates": {
            "knowledge": [{"format": "tsv"}],
            "translator": {"kind": "file", "pivot": "en"},
            "tagger": "crf",
        },
        "annotation": {"mode": "imported"},
    }


def test_every_setting_of_a_build_file_that_is_a_path_is_known(tmp_path: Path) -> None:
    """A new setting must be looked at: is it a place or a person, or may it be told?"""
    told = public_settings(_whole_build(tmp_path))
    assert told["candidates"].keys() == {"sizes", "translator", "detectors", "knowledge"} | {
        "tagger",
        "hypothesis_classifier",
        "tool",
        "quotas",
        "sections",
        "evaluation_from",
    }
    assert "key_file" not in told["personal_data"]
    assert told["annotation"].keys() == {"mode"}
    assert "catalogue" not in told
    named = {"name", "version", "formats", "maintainer", "contact"}
    assert told["release"].keys() == named


def test_the_name_of_an_input_is_told_in_place_of_its_file() -> None:
    files = [{"path": "/home/kim/kim.csv", "name": "reviews"}, {"path": "b.csv", "name": ""}]
    told = public_settings({"sources": {"airbnb": {"inputs": files}}})
    assert told == {"sources": {"airbnb": {"inputs": [{"name": "reviews"}, {"path": "b.csv"}]}}}


def _whole_build(folder: Path) -> dict[str, Any]:
    written = {
        "name": "mini",
        "seed": 1,
        "catalogue": "c.yaml",
        "sources": {"airbnb": {"inputs": [{"path": "a.csv"}]}},
        "annotation": {"mode": "imported", "votes": ["worker-01.jsonl"]},
    }
    (folder / "b.yaml").write_text(json.dumps(written), "utf-8")
    return load_build(folder / "b.yaml").model_dump(mode="json")


@pytest.mark.parametrize("key", [b"", b"0123456789abcdef"], ids=range(2))
def test_it_says_how_names_were_made_and_never_the_key(tmp_path: Path, key: bytes) -> None:
    material = small.material(tmp_path, small.task_material("tc"))
    facts = replace(material.facts, keyed=bool(key))
    folder = write(replace(material, facts=facts, key=key), tmp_path / "mini" / "1.0.0").folder
    manifest = read_manifest(folder)
    assert manifest.names == ("keyed" if key else "plain")
    assert manifest.key_check == key_check(key)
    private = folder.with_name("1.0.0.private")
    assert not key or all(
        key not in path.read_bytes() and key.hex().encode() not in path.read_bytes()
        for root in (folder, private)
        for path in root.rglob("*")
        if path.is_file()
    )


def test_paths_of_inputs_that_are_not_absolute_stay(tmp_path: Path) -> None:
    build = {"a": "${KLUE_DATA}/raw/x.csv", "b": ["../c.yaml", "C:\\data\\x.csv"], "d": {"e": 1.5}}
    material = replace(small.material(tmp_path, small.task_material("tc")), build=build)
    told = build_manifest(material, {}, {}).build
    assert told == {"a": build["a"], "b": ["../c.yaml", "x.csv"], "d": {"e": 1.5}}


def test_where_there_is_no_release(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "absent"):
        with pytest.raises(StoreError, match=r"no release is there, for it has no manifest\.json"):
            read_manifest(place)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(StoreError, match="no release is there"):
        read_manifest(file)


def test_a_newer_manifest_asks_for_an_update(release: Path) -> None:
    _edited(release, lambda data: data.update(format=2, something_new=1))
    told = "made by a newer version of this tool: format 2, this one reads 1; update"
    with pytest.raises(StoreError, match=told):
        read_manifest(release)


@pytest.mark.parametrize(
    "edit",
    [
        lambda data: data.pop("files"),
        lambda data: data.pop("format"),
        lambda data: data.update(format="1"),
        lambda data: data.update(files=[]),
        lambda data: data.update(files={"a": {"bytes": "many"}}),
        lambda data: data.update(tasks={"ynat": None}),
        lambda data: data["tasks"]["ynat"]["splits"].update(holdout=3),
        lambda data: data.update(extra=1),
        lambda data: data.update(private={}),
        lambda data: data.update(names="secret"),
    ],
)
def test_a_damaged_manifest_is_one_sentence(
    release: Path, edit: Callable[[dict[str, Any]], Any]
) -> None:
    _edited(release, edit)
    with pytest.raises(StoreError, match="damaged") as caught:
        read_manifest(release)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"format": 1, "format": 1}', b"[" * 100_000],
    ids=range(7),
)
def test_what_is_no_json_object_is_damaged(release: Path, content: bytes) -> None:
    (release / "manifest.json").write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        read_manifest(release)


def test_a_manifest_that_may_not_be_read_is_not_damaged(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path, **_: object) -> Path:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(manifests, "regular_file", refused)  # root may read every file
    with pytest.raises(StoreError, match=r"manifest\.json: Permission denied; permit it"):
        read_manifest(release)


def test_the_private_folder_lies_beside_the_release_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "1.0.0").mkdir()
    (tmp_path / "latest").symlink_to(tmp_path / "1.0.0")
    assert private_folder(tmp_path / "latest") == tmp_path / "1.0.0.private"


def test_a_manifest_of_more_than_64_mib_is_not_read(release: Path) -> None:
    """The file has a hole, so that it takes no room; JSON with so many blanks would be read."""
    path = release / "manifest.json"
    os.truncate(path, 64 * 1024**2 + 1)
    with pytest.raises(StoreError, match=r"67,108,865 bytes are more than the 67,108,864"):
        read_manifest(release)
