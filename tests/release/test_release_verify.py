"""Verifying a release: a sound one passes; every planted fault is found by the check it is for.

Faults are planted twice: as they are, and by somebody who also puts the manifests right, so that
no digest gives them away.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import small_release as small
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.registry import TASKS
from pipeline.core.fingerprint import of_file
from pipeline.release.checks.subject import Check
from pipeline.release.manifest import (
    Entry,
    Private,
    PrivateManifest,
    WithdrawnEntry,
    digest_of,
    private_folder,
    read_manifest,
    read_private_manifest,
    release_hash,
    write_manifest,
)
from pipeline.release.tables import COLUMNS
from pipeline.release.verify import CHECKS, verify
from pipeline.release.writing import write

Edit = Callable[[pa.Table], pa.Table]
Maker = Callable[..., Path]
CONFIGS = {task.config: task.id for task in TASKS.values()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    """Return what makes releases of some tasks, each once: nobody may change them."""

    @cache
    def make(*tasks: str) -> Path:
        folder = tmp_path_factory.mktemp("verify")
        material = small.material(folder, *map(small.task_material, tasks))
        return write(material, folder / "mini" / "1.0.0").folder

    return make


@pytest.fixture
def copied(made: Maker, tmp_path: Path) -> Maker:
    """Return what copies such a release, with its private folder."""

    def copy(*tasks: str) -> Path:
        shutil.copytree(made(*tasks).parent, tmp_path / "mini")
        return tmp_path / "mini" / "1.0.0"

    return copy


@pytest.fixture
def release(copied: Maker) -> Path:
    """Return a release of two tasks that may be changed."""
    return copied("tc", "re")


def _task_in(path: str) -> str:
    """Return the task whose config a path names; the small releases all have that of topics."""
    return next((CONFIGS[one] for one in re.split("[/.]", path) if one in CONFIGS), "tc")


def _failed(folder: Path) -> dict[str, str]:
    return {check.name: check.detail for check in verify(folder) if not check.ok}


def _put_right(folder: Path) -> None:
    """Let croissant.json and both manifests say what the files are now."""
    private = private_folder(folder)
    own = read_private_manifest(private)
    own_files = _entries(private)
    manifest = read_manifest(folder)
    card = folder / "croissant.json"
    text = card.read_text("utf-8")
    for path, entry in _entries(folder).items():
        if path in manifest.files:
            text = text.replace(manifest.files[path].sha256, entry.sha256)
    card.write_text(text, "utf-8")
    told = {"files": _entries(folder), "private": Private(digest=digest_of(own_files))}
    made = manifest.model_copy(update=told)
    write_manifest(folder, made.model_copy(update={"release_hash": release_hash(made)}))
    digest = of_file(folder / "manifest.json")
    again = PrivateManifest(**{**dict(own), "files": own_files, "manifest": digest})
    write_manifest(private, again)
    (private / "manifest.json").chmod(0o600)


def _entries(folder: Path) -> dict[str, Entry]:
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name != "manifest.json":
            rows = pq.read_metadata(path).num_rows if path.suffix == ".parquet" else None
            found[name] = Entry(bytes=path.stat().st_size, sha256=of_file(path), rows=rows)
    return found


def _edit(path: Path, edit: Edit) -> None:
    table = edit(pq.read_table(path))
    pq.write_table(table, path)


def _rows(edit: Callable[[list[dict[str, Any]]], Any]) -> Edit:
    """Return an edit of rows as plain data."""

    def edited(table: pa.Table) -> pa.Table:
        rows = table.to_pylist()
        edit(rows)
        return pa.Table.from_pylist(rows, schema=table.schema)

    return edited


def _set(column: str, value: Any, row: int = 0) -> Edit:
    return _rows(lambda rows: rows[row].update({column: value}))


def test_a_sound_release_passes_every_check(made: Maker) -> None:
    found = verify(made(*TASKS))
    assert [check.name for check in found] == ["manifest", *CHECKS]
    assert not [check for check in found if not check.ok]
    assert all(check.detail for check in found)


def test_without_the_private_folder_it_says_what_was_not_checked(release: Path) -> None:
    shutil.rmtree(private_folder(release))
    found = {check.name: check for check in verify(release)}
    assert all(check.ok for check in found.values())
    assert found["private_labels"].detail == "test labels are not here; not checked"
    assert "not checked" in found["private_files"].detail


def test_where_there_is_no_release_there_is_one_check(tmp_path: Path) -> None:
    found = verify(tmp_path / "nothing")
    assert [(check.name, check.ok) for check in found] == [("manifest", False)]
    assert not verify(Path("\0"))[0].ok


def test_a_manifest_from_a_newer_version(release: Path) -> None:
    path = release / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "format": 2}), "utf-8")
    assert "newer version" in _failed(release)["manifest"]


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def _one_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _as_link(path: Path) -> None:
    target = path.with_name("elsewhere")
    path.rename(target.parent.parent.parent / "elsewhere")
    path.symlink_to(target.parent.parent.parent / "elsewhere")


@pytest.mark.thin("path", "damage")
@pytest.mark.parametrize(
    "damage",
    [
        Path.unlink,
        _cut,
        _one_byte,
        _as_link,
        lambda path: path.write_text("a text in place of Parquet"),
        lambda path: path.write_bytes(b""),
        lambda path: path.with_name("foreign.txt").write_text("x"),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: path.with_name("more").symlink_to(path.parent),
    ],
)
@pytest.mark.parametrize("path", ["ner/train.parquet", "votes/nli.parquet", "report/index.html"])
def test_a_damaged_missing_or_foreign_file(
    copied: Maker, path: str, damage: Callable[[Path], Any]
) -> None:
    release = copied(_task_in(path))
    damage(release / path)
    assert "files" in _failed(release)


def test_an_edited_file_is_named(release: Path) -> None:
    _edit(release / "re" / "train.parquet", _set("label", "no_relation"))
    assert "re/train.parquet" in _failed(release)["files"]


@pytest.mark.thin(3)
@pytest.mark.parametrize(
    ("key", "value", "check"),
    [
        ("release_hash", "0" * 64, "release_hash"),
        ("private", {"digest": "0" * 64}, "release_hash"),
        ("simulated", True, "release_hash"),
        ("seed", 8, "release_hash"),
        ("names", "keyed", "release_hash"),
        ("stages", [], "release_hash"),
    ],
)
def test_an_edited_manifest(release: Path, key: str, value: Any, check: str) -> None:
    path = release / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), key: value}), "utf-8")
    assert {check, "private_files"} <= _failed(release).keys()
    shutil.rmtree(private_folder(release))
    assert check in _failed(release)


def test_a_manifest_that_leads_out_of_the_release(release: Path) -> None:
    path = release / "manifest.json"
    data = json.loads(path.read_text("utf-8"))
    data["files"]["../../secret"] = {"bytes": 1, "sha256": "0"}
    path.write_text(json.dumps(data), "utf-8")
    assert "leads out" in _failed(release)["files"]
    assert "leads out" in _failed(release)["annotators"]


@pytest.mark.thin(2)
@pytest.mark.parametrize("path", ["README.md", "ynat/train.parquet", "croissant.json"])
def test_a_link_in_a_release_is_read_by_no_check(release: Path, tmp_path: Path, path: str) -> None:
    (release / path).rename(tmp_path / "other")
    (release / path).symlink_to(tmp_path / "other")
    failed = _failed(release)
    assert "is a link" in failed["files"]
    assert "is a link" in failed["annotators"]


def test_a_file_of_another_size_is_read_by_no_check(release: Path) -> None:
    with (release / "README.md").open("a", encoding="utf-8") as file:
        file.write(small.PEOPLE[0])
    assert "bytes, " in _failed(release)["annotators"]


def test_an_example_that_the_manifest_lists_as_withdrawn(release: Path) -> None:
    guid = pq.read_table(release / "ynat" / "train.parquet")["guid"][0].as_py()
    manifest = read_manifest(release)
    gone = [WithdrawnEntry(id=guid, reason="wrong")]
    write_manifest(release, manifest.model_copy(update={"withdrawn": gone}))
    assert f"ynat train has {guid}, which the manifest lists" in _failed(release)["guids"]


def test_an_empty_folder_that_was_added(release: Path) -> None:
    (release / "ynat" / "more").mkdir()
    assert _failed(release) == {"files": "ynat/more/ is not in the manifest"}
    (release / "ynat" / "more").rmdir()
    (private_folder(release) / "more").mkdir(mode=0o700)
    assert _failed(release) == {"private_files": "private more/ is not in the manifest"}


def test_a_folder_that_was_renamed_to_another_version(release: Path) -> None:
    renamed = release.with_name("1.0.1")
    release.rename(renamed)
    private_folder(release).rename(private_folder(renamed))
    failed = _failed(renamed)
    assert failed == {"files": "the folder has the name of version 1.0.1, and holds 1.0.0"}


@pytest.mark.thin(3)
@pytest.mark.parametrize("end", ["\n", " ", "\n\n\t"])
def test_a_private_manifest_with_another_end(release: Path, end: str) -> None:
    path = private_folder(release) / "manifest.json"
    path.write_text(path.read_text("utf-8") + end, "utf-8")
    assert _failed(release).keys() == {"private_files"}


_TURN = {"role": "sys", "text": "네.", "state": ["식당-종류-한식당"]}
_ANSWER = {"answer_start": [3], "text": ["9천 권"]}
SIGNED = f"좋아요 ({small.PEOPLE[0]})"
_NONE: dict[str, list[Any]] = {"answer_start": [], "text": []}

#: A fault in a table, and the checks that find it when all digests were put right.
FAULTS: list[tuple[str, Edit, str]] = [
    ("nli/train.parquet", lambda t: t.drop_columns(["hypothesis"]), "tables"),
    ("nli/test.parquet", lambda t: t.append_column("gold", t["label"]), "tables"),
    ("nli/train.parquet", lambda t: t.select(t.column_names[::-1]), "tables"),
    ("nli/train.parquet", lambda t: t.replace_schema_metadata({"labels": "e,c"}), "tables"),
    (
        "sts/dev.parquet".replace("dev", "validation"),
        lambda t: t.set_column(0, "guid", pc.cast(pc.utf8_length(t["guid"]), pa.int64())),
        "tables",
    ),
    ("nli/train.parquet", lambda t: pa.concat_tables([t, t.slice(0, 1)]), "guids"),
    ("nli/train.parquet", lambda t: t.take([1, 0, 2, 3]), "guids"),
    ("nli/train.parquet", lambda t: t.slice(1), "guids"),
    ("nli/train.parquet", _set("guid", small.guid("nli", 4), 3), "guids"),
    ("ynat/train.parquet", _set("label", "날씨"), "labels"),
    ("ynat/train.parquet", _set("label", None), "labels"),
    ("nli/validation.parquet", _set("label", "0"), "labels"),
    ("re/train.parquet", _set("label", "per:friend"), "labels"),
    ("dp/train.parquet", _set("deprel", ["NP_SBJ", "NP_XYZ", "VP"]), "labels"),
    ("mrc/train.parquet", _set("question_type", 4), "labels"),
    ("mrc/train.parquet", _set("answers", None), "labels"),
    ("wos/train.parquet", _rows(lambda r: r[0]["dialogue"][0].update(state=None)), "labels"),
    ("wos/train.parquet", _rows(lambda r: r[0]["dialogue"][0]["state"].append("a-b-c")), "labels"),
    ("sts/train.parquet", _rows(lambda r: r[0]["labels"].update(label=5.1)), "labels"),
    ("sts/train.parquet", _rows(lambda r: r[3]["labels"].update({"binary-label": 7})), "labels"),
    ("sts/train.parquet", _rows(lambda r: r[0]["labels"].update({"real-label": None})), "labels"),
    ("ner/train.parquet", _rows(lambda r: r[0]["ner_tags"].__setitem__(0, "B-XY")), "labels"),
    ("ner/train.parquet", _rows(lambda r: r[0]["ner_tags"].pop()), "places"),
    ("ner/train.parquet", _rows(lambda r: r[0]["ner_tags"].__setitem__(5, "I-PS")), "places"),
    ("ner/train.parquet", _set("sentence", "다른 글"), "places"),
    (
        "re/train.parquet",
        _rows(lambda r: r[0]["object_entity"].update(end_idx=11)),
        "places",
    ),
    ("dp/train.parquet", _set("head", [3, 3, 4]), "places"),
    ("dp/train.parquet", _set("head", [-1, 3, 0]), "places"),
    ("dp/train.parquet", _set("head", [2, 1, 0]), "places"),
    ("dp/train.parquet", _set("lemma", ["비"]), "places"),
    ("dp/train.parquet", _set("index", [0, 1, 2]), "places"),
    ("mrc/train.parquet", _set("answers", _ANSWER), "places"),
    ("mrc/train.parquet", _rows(lambda r: [one.update(answers=_NONE) for one in r]), "places"),
    ("wos/train.parquet", _rows(lambda r: r[0]["dialogue"].append(_TURN)), "places"),
    ("wos/train.parquet", _rows(lambda r: r[0]["dialogue"].clear()), "places"),
    ("ynat/test.parquet", _set("label", "정치"), "test_labels"),
    ("ynat/test.parquet", _set("url", "https://news.example.org/?sid1=100"), "test_labels"),
    ("ynat/test.parquet", _set("predefined_news_category", "정치"), "test_labels"),
    ("nli/test.parquet", _set("label", "neutral", 1), "test_labels"),
    (
        "sts/test.parquet",
        _set("labels", {"label": 1.0, "real-label": 1.0, "binary-label": 0}),
        "test_labels",
    ),
    ("ner/test.parquet", _set("ner_tags", ["O"]), "test_labels"),
    ("re/test.parquet", _set("label", "no_relation"), "test_labels"),
    ("dp/test.parquet", _set("head", [3, 3, 0]), "test_labels"),
    ("dp/test.parquet", _set("deprel", []), "test_labels"),
    ("mrc/test.parquet", _set("is_impossible", False), "test_labels"),
    ("mrc/test.parquet", _set("question_type", 1), "test_labels"),
    ("mrc/test.parquet", _set("answers", _NONE), "test_labels"),
    ("mrc/test.parquet", _set("plausible_answers", _ANSWER), "test_labels"),
    ("wos/test.parquet", _set("domains", ["식당"]), "test_labels"),
    ("wos/test.parquet", _rows(lambda r: r[0]["dialogue"][0].update(state=[])), "test_labels"),
    ("votes/ynat.parquet", _set("item", small.guid("tc", 7)), "judgements"),
    ("votes/ynat.parquet", _set("item", small.guid("tc", small.LEFT)), "judgements"),
    ("votes/nli.parquet", _set("item", small.premise(6)), "judgements"),
    ("votes/nli.parquet", _set("item", small.premise(3)), "judgements"),
    ("ledger/sts/aggregate.parquet", _set("unit", small.guid("sts", 6)), "judgements"),
    ("ledger/sts/candidates.parquet", _set("unit", small.guid("sts", 8)), "judgements"),
    ("votes/ynat.parquet", _set("annotator", small.PEOPLE[0]), "annotators"),
    ("votes/ynat.parquet", _set("annotator", "한도담"), "annotators"),
    (
        "ledger/ner/aggregate.parquet",
        _set("reason", f"annotator {small.PEOPLE[2]} is excluded"),
        "annotators",
    ),
    ("ledger/ner/candidates.parquet", _set("file", "batch.jsonl"), "annotators"),
    ("ledger/ner/candidates.parquet", _set("reason", f"of {small.PEOPLE[0]}.jsonl"), "annotators"),
    ("ledger/ner/candidates.parquet", _set("unit", small.PEOPLE[0]), "annotators"),
    ("ledger/corpus/clean.parquet", _set("file", f"{small.PEOPLE[0]}.csv"), "annotators"),
    ("ledger/ner/constraints.parquet", _set("detail", f"by {small.INSPECTOR}"), "annotators"),
    ("ner/train.parquet", _set("sentence", f"{small.PEOPLE[1]}: 한도담"), "annotators"),
    ("wos/train.parquet", _rows(lambda r: r[0]["dialogue"][0].update(text=SIGNED)), "annotators"),
    ("votes/nli.parquet", _set("label", f'"{small.INSPECTOR}"'), "annotators"),
    ("votes/ynat.parquet", _set("seconds", 7.9), "annotators"),
    ("votes/ynat.parquet", _set("at", datetime(2021, 3, 2, tzinfo=UTC)), "annotators"),
    ("ledger/ner/leaks.parquet", _set("stops", True), "leaks"),
    ("ledger/corpus/clean.parquet", lambda t: t.slice(1), "counts"),
    ("ledger/ner/candidates.parquet", _set("action", "edit"), "counts"),
]


@pytest.mark.thin("path", "check")
@pytest.mark.parametrize(("path", "edit", "check"), FAULTS)
def test_a_planted_fault_is_found_though_the_manifests_were_put_right(
    copied: Maker, path: str, edit: Edit, check: str
) -> None:
    release = copied(_task_in(path))
    _edit(release / path, edit)
    _put_right(release)
    failed = _failed(release)
    assert check in failed
    assert "files" not in failed and "release_hash" not in failed


def test_putting_manifests_right_is_no_fault_by_itself(release: Path) -> None:
    _put_right(release)
    assert not _failed(release)


@pytest.mark.thin(4)
@pytest.mark.parametrize(
    ("task", "names"), [(task, names) for task, of in COLUMNS.items() for names in of.former]
)
def test_columns_of_releases_before_are_no_fault(
    copied: Maker, task: str, names: tuple[str, ...]
) -> None:
    release, config = copied(task), TASKS[task].config
    paths = [release / config / f"{split}.parquet" for split in ("train", "validation", "test")]
    for path in (*paths, private_folder(release) / "labels" / f"{config}.parquet"):
        _edit(path, lambda table: table.select(names))
    _put_right(release)
    assert not _failed(release)


PRIVATE: list[tuple[str, Edit]] = [
    ("labels/re.parquet", lambda t: t.slice(1)),
    ("labels/re.parquet", _set("guid", "re-c0")),
    ("labels/re.parquet", _set("sentence", "다른 글이다.")),
    ("labels/re.parquet", lambda t: t.drop_columns(["label"])),
    ("labels/ner.parquet", _rows(lambda r: r[0]["tokens"].pop())),
]


@pytest.mark.thin(2)
@pytest.mark.parametrize(("path", "edit"), PRIVATE)
def test_private_labels_that_are_not_those_of_the_test_examples(
    copied: Maker, path: str, edit: Edit
) -> None:
    release = copied(_task_in(path))
    _edit(private_folder(release) / path, edit)
    _put_right(release)
    assert "private_labels" in _failed(release)


def test_a_private_label_that_is_missing_or_no_label(release: Path) -> None:
    _edit(private_folder(release) / "labels" / "re.parquet", _set("label", None))
    _put_right(release)
    assert "labels/re.parquet has rows without label" in _failed(release)["labels"]


@pytest.mark.thin("path", "damage")
@pytest.mark.parametrize("damage", [Path.unlink, _cut, _one_byte, lambda p: p.chmod(0o644)])
@pytest.mark.parametrize("path", ["labels/ynat.parquet", "gold/nli.parquet", "manifest.json"])
def test_damaged_or_open_private_files(
    copied: Maker, path: str, damage: Callable[[Path], Any]
) -> None:
    release = copied(_task_in(path))
    damage(private_folder(release) / path)
    assert "private_files" in _failed(release)


def test_an_open_private_folder(release: Path) -> None:
    private_folder(release).chmod(0o755)
    assert "1.0.0.private has the mode 0755; 0700 is wanted" in _failed(release)["private_files"]


def test_the_private_files_of_another_release(release: Path, tmp_path: Path) -> None:
    material = small.material(tmp_path)
    config, task = next(iter(material.tasks.items()))
    rows = task.votes.to_pylist()
    rows[-1]["seconds"] = 1.5
    votes = pa.Table.from_pylist(rows, schema=task.votes.schema)
    tasks = {**material.tasks, config: replace(task, votes=votes)}
    other = write(replace(material, tasks=tasks), tmp_path / "o" / "1.0.0")
    shutil.rmtree(private_folder(release))
    private_folder(other.folder).rename(private_folder(release))
    assert "not those of this release" in _failed(release)["private_files"]


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("path", "text", "check"),
    [
        ("README.md", "# no front matter", "cards"),
        ("README.md", "---\nconfigs:\n- config_name: ynat\n---\n", "cards"),
        ("README.md", "---\n{[\n---\n", "cards"),
        ("croissant.json", "{}", "cards"),
        ("croissant.json", "no json", "cards"),
        ("croissant.json", '{"recordSet": [{"name": "ynat"}]}', "cards"),
        ("croissant.json", '{"recordSet": [3]}', "cards"),
        ("report/index.html", f"<td>{small.PEOPLE[1]}</td>", "annotators"),
        ("report/index.html", f"seen by {small.INSPECTOR}.", "annotators"),
    ],
)
def test_texts_that_tell_too_little_or_too_much(
    release: Path, path: str, text: str, check: str
) -> None:
    (release / path).write_text(text, "utf-8")
    _put_right(release)
    assert check in _failed(release)


def test_a_digest_in_the_croissant_file_that_is_another(release: Path) -> None:
    path = release / "croissant.json"
    data = json.loads(path.read_text("utf-8"))
    data["distribution"] = [{"contentUrl": "ynat/train.parquet", "sha256": "0"}]
    path.write_text(json.dumps(data), "utf-8")
    _put_right(release)
    assert "another digest of ynat/train.parquet" in _failed(release)["cards"]


def test_the_ledger_of_what_came_back_from_annotators_may_not_be_public(release: Path) -> None:
    private = private_folder(release) / "ledger" / "re" / "annotation.parquet"
    assert not (release / "ledger" / "re" / "annotation.parquet").exists()
    assert small.PEOPLE[0] in str(pq.read_table(private).to_pylist())
    table = pq.read_table(private).slice(0, 0)
    pq.write_table(table, release / "ledger" / "re" / "annotation.parquet")
    _put_right(release)
    assert "it must be private" in _failed(release)["annotators"]


@pytest.mark.parametrize(
    "build",
    [
        {"candidates": {"annotators": [small.PEOPLE[0]]}},
        {small.PEOPLE[0]: 1},
        {"a": ["x/worker-01"]},
    ],
)
def test_a_manifest_that_names_an_annotator(release: Path, build: dict[str, Any]) -> None:
    path = release / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "build": build}), "utf-8")
    _put_right(release)
    assert "manifest.json names 1 annotator" in _failed(release)["annotators"]


def _named(folder: Path, who: str) -> Path:
    """Make a release in which somebody has another id."""
    rows = small.votes("tc").to_pylist()
    for row in rows:
        row["annotator"] = who if row["annotator"] == small.PEOPLE[0] else row["annotator"]
    votes = pa.Table.from_pylist(rows, schema=small.votes("tc").schema)
    material = small.material(folder, small.task_material("tc", votes=votes))
    return write(material, folder / "mini" / "1.0.0").folder


@pytest.mark.thin(4)
@pytest.mark.parametrize("who", ["expert", "main", "17", "w1", "2", "사회", "한도담", "test"])
def test_ids_that_are_words_of_any_text_are_looked_for_as_whole_values(
    tmp_path: Path, who: str
) -> None:
    release = _named(tmp_path, who)
    (release / "README.md").write_text(
        (release / "README.md").read_text("utf-8") + f"\n{who} and more\n", "utf-8"
    )
    _put_right(release)
    found = {check.name: check for check in verify(release)}
    assert all(check.ok for check in found.values())
    assert "; 1 id is a common word or short: looked for as whole values only" in (
        found["annotators"].detail
    )
    for reason in (who, f"line 3 of {who}.jsonl", f"annotator {who} is excluded"):
        _edit(release / "ledger" / "ynat" / "aggregate.parquet", _set("reason", reason))
        _put_right(release)
        assert "names 1 annotator" in _failed(release)["annotators"]


def test_the_programs_of_a_page_name_nobody_and_its_data_may(release: Path) -> None:
    page = "<script>{0}</script><script type='application/json'>{1}</script>"
    for one, fails in ((("x=worker-01", "1"), False), (("x=1", '["worker-01"]'), True)):
        (release / "report" / "index.html").write_text(page.format(*one), "utf-8")
        _put_right(release)
        assert ("annotators" in _failed(release)) is fails


def test_the_private_folder_may_lie_elsewhere(release: Path, tmp_path: Path) -> None:
    elsewhere = private_folder(release).rename(tmp_path / "elsewhere")
    found = {check.name: check for check in verify(release, elsewhere)}
    assert all(check.ok for check in found.values())
    assert "not checked" not in found["private_files"].detail
    (elsewhere / "labels" / "re.parquet").unlink()
    assert not {check.name: check for check in verify(release, elsewhere)}["private_files"].ok


def test_common_words_and_longer_ids_in_texts_are_nobodys_ids(release: Path) -> None:
    text = f"worker annotator expert {small.PEOPLE[0]}2 my-{small.PEOPLE[0]}"
    (release / "report" / "index.html").write_text(text, "utf-8")
    _put_right(release)
    assert not _failed(release)


@pytest.mark.parametrize(
    ("stage", "number", "value"),
    [
        ("clean", "rows_in", 13),
        ("aggregate", "rows_out", 10),
        ("distances", "rows_out", 10),
        ("segment", "rows_out", -1),
    ],
)
def test_counts_that_break_the_law_of_their_stage(
    tmp_path: Path, stage: str, number: str, value: int
) -> None:
    material = small.material(tmp_path, small.task_material("tc"))
    stages = [dict(one) for one in material.stages]
    next(one for one in stages if one["stage"] == stage)[number] = value
    folder = write(replace(material, stages=stages), tmp_path / "mini" / "1.0.0").folder
    assert _failed(folder).keys() == {"counts"}


def test_gold_that_has_no_end(tmp_path: Path) -> None:
    material = small.material(tmp_path, small.task_material("tc"))
    told = replace(material.facts.tasks[0], left_out=0)
    facts = replace(material.facts, tasks=(told,))
    folder = write(replace(material, facts=facts), tmp_path / "mini" / "1.0.0").folder
    assert "9 items with gold, 8 in a split" in _failed(folder)["counts"]


def test_a_leak_that_stops(tmp_path: Path) -> None:
    task = small.task_material("tc", leaks=small.leaks("tc", stops=True))
    folder = write(small.material(tmp_path, task), tmp_path / "mini" / "1.0.0").folder
    assert _failed(folder).keys() == {"leaks"}


@pytest.mark.parametrize("other", [{"spec": "tc@9.0.0"}, {"spec_digest": "0" * 64}])
def test_labels_of_another_spec_are_not_compared(tmp_path: Path, other: dict[str, str]) -> None:
    material = small.material(tmp_path, small.task_material("tc"))
    facts = replace(material.facts, tasks=(replace(material.facts.tasks[0], **other),))
    folder = write(replace(material, facts=facts), tmp_path / "mini" / "1.0.0").folder
    found = {check.name: check for check in verify(folder)}
    assert found["labels"].ok and "names not compared: ynat (" in found["labels"].detail


def test_a_task_that_this_tool_does_not_have(release: Path) -> None:
    path = release / "manifest.json"
    data = json.loads(path.read_text("utf-8"))
    data["tasks"]["sentiment"] = {**data["tasks"]["ynat"], "task": "sa"}
    path.write_text(json.dumps(data), "utf-8")
    assert "no task of this tool" in _failed(release)["tables"]


@given(data=st.data())
def test_no_bytes_in_any_file_make_a_traceback(made: Maker, data: st.DataObject) -> None:
    """Any bytes in place of any piece of any file, in the public and the private folder.

    Other files stay as they are: none of these checks writes.
    """
    folder = made("mrc", "nli")
    sound = _contents(folder.parent)
    place = data.draw(st.sampled_from(sorted(sound)))
    content = sound[place]
    at = data.draw(st.integers(0, len(content)))
    piece = data.draw(st.binary(max_size=40))
    try:
        place.write_bytes(content[:at] + piece + content[at + len(piece) :])
        found = verify(folder)
        assert all(isinstance(check, Check) for check in found)
        changed = place.read_bytes() != content
        assert changed == any(not check.ok for check in found) or _only_blanks(place, content)
    finally:
        place.write_bytes(content)
    assert _contents(folder.parent) == sound


def _contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _only_blanks(place: Path, before: bytes) -> bool:
    """Tell whether a manifest says the same in other bytes: that of the private folder may."""
    if place.name != "manifest.json" or not place.parent.name.endswith(".private"):
        return False
    try:
        return bool(json.loads(place.read_bytes()) == json.loads(before))
    except ValueError:
        return False


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read(release: Path) -> None:
    (release / "ynat" / "train.parquet").chmod(0)
    assert "ynat/train.parquet" in str(_failed(release))
