"""Answers imported instead of made up, one of them changed, and a version after the first."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import mini
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from annotation_stories import good, klue
from release_stories import (
    CONFIGS,
    SPLITS,
    Built,
    build_file,
    copied,
    digests,
    examples,
    files,
    imported,
    private,
    released,
    rows,
    sample,
    splits_of,
    texts,
    whole,
)

#: Tasks whose split does not hang on scores, for builds that need not have all.
FEW = ("--tasks", "tc,sts,dst", "--workers", 2, "--format", "klue")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return sample(tmp_path_factory)


@pytest.fixture(scope="module")
def work(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the store, so that the corpus is there."""
    return copied(built, tmp_path_factory.mktemp("versions"))[0]


def _votes(built: Built) -> list[Path]:
    return [private(built.release) / "votes" / f"{config}.parquet" for config in CONFIGS.values()]


@pytest.fixture(scope="module")
def again(built: Built, work: Path) -> Built:
    """Return the sample again, all its private votes imported."""
    file = build_file(work.parent / "again", annotation=imported(_votes(built)))
    return released(file, work, work.parent / "again", "--workers", 2)


@pytest.mark.full
@pytest.mark.parametrize("task", CONFIGS)
def test_imported_votes_give_the_examples_that_simulated_ones_gave(
    built: Built, again: Built, task: str
) -> None:
    config = CONFIGS[task]
    assert digests(again.release / config) == digests(built.release / config)
    labels = f"labels/{config}.parquet"
    assert rows(private(again.release) / labels) == rows(private(built.release) / labels)


@pytest.mark.full
@pytest.mark.parametrize("task", CONFIGS)
def test_no_imported_vote_is_lost(built: Built, again: Built, task: str) -> None:
    """What people said is released again, reports and the texts of authors included."""
    config = CONFIGS[task]
    was, now = (
        Counter(
            (row["item"], row["role"], row["round"], row["annotator"], row["label"], row["report"])
            for row in rows(private(one.release) / "votes" / f"{config}.parquet")
        )
        for one in (built, again)
    )
    assert was - now == Counter()
    assert now - was == Counter()


@pytest.fixture(scope="module")
def plain(built: Built, work: Path) -> Built:
    """Return a release of few tasks, its votes imported, with official files."""
    file = build_file(work.parent / "plain", annotation=imported(_votes(built)))
    return released(file, work, work.parent / "plain", *FEW)


@pytest.mark.full
def test_official_files_inside_are_those_of_convert(plain: Built, tmp_path: Path) -> None:
    """No test split is among them."""
    good("convert", plain.release, "--out", tmp_path / "klue")
    mine = {one.name: one.read_bytes() for one in files(plain.release / "klue")}
    assert len(mine) == 2 * 3
    assert mine == {one.name: one.read_bytes() for one in files(tmp_path / "klue")}
    assert good("verify", plain.release)["ok"] is True


def _two_to_one(built: Built) -> tuple[str, str, str]:
    """Return a train headline that two of three gave one topic: its id, that topic, the other."""
    given: dict[str, list[str]] = defaultdict(list)
    for row in rows(private(built.release) / "votes" / "ynat.parquet"):
        given[row["item"]].append(row["label"] if row["round"] == "main" else None)
    for row in examples(built.release, "tc")["train"]:
        counts = Counter(given[row["guid"]])
        if sorted(counts.values()) == [1, 2] and None not in counts:
            (most, _), (least, _) = counts.most_common()
            if len(json.loads(least)) == 1 and json.loads(most) == [row["label"]]:
                return row["guid"], most, least
    raise AssertionError("no headline with two votes against one")


@pytest.fixture(scope="module")
def changed(built: Built, plain: Built, work: Path) -> tuple[Built, str, str]:
    """Return the same release after one vote on one headline went to the other side."""
    guid, most, least = _two_to_one(plain)
    folder = work.parent / "changed"
    folder.mkdir()
    table = pq.read_table(private(built.release) / "votes" / "ynat.parquet")
    found = table.to_pylist()
    next(row for row in found if (row["item"], row["label"]) == (guid, most))["label"] = least
    pq.write_table(pa.Table.from_pylist(found, table.schema), folder / "ynat.parquet")
    others = [path for path in _votes(built) if path.name != "ynat.parquet"]
    file = build_file(folder, annotation=imported([folder / "ynat.parquet", *others]))
    return released(file, work, folder, *FEW), guid, json.loads(least)[0]


@pytest.mark.full
def test_a_changed_vote_changes_what_depends_on_it(
    plain: Built, changed: tuple[Built, str, str]
) -> None:
    after, guid, topic = changed
    old, new = whole(plain.release), whole(after.release)
    assert set(old) == set(new)
    touched = {path.partition("/")[2] for path in old if old[path] != new[path]}
    cards = {"README.md", "croissant.json", "datasheet.md", "manifest.json"}
    report = {"report/index.html", "report/tc.html", "report/quality.json"}
    own = {path for path in touched if "ynat" in path}
    assert touched - own <= cards | report
    assert {"ynat/train.parquet", "votes/ynat.parquet", "manifest.json"} <= touched
    assert not {"ynat/validation.parquet", "ynat/test.parquet"} & touched
    was, now = ({r["guid"]: r for r in examples(one.release, "tc")["train"]}
                for one in (plain, after))  # fmt: skip
    assert now[guid]["soft_label"] != was[guid]["soft_label"]
    follows = {"label": topic, "soft_label": now[guid]["soft_label"]}
    assert now[guid] == {**was[guid], **follows}
    assert {name: row for name, row in now.items() if name != guid} == {
        name: row for name, row in was.items() if name != guid
    }


@pytest.mark.full
def test_diff_names_the_one_example(plain: Built, changed: tuple[Built, str, str]) -> None:
    after, guid, _ = changed
    found = good("diff", plain.release, after.release)
    (only,) = found["configs"]
    assert only == {
        "config": "ynat",
        "added": {},
        "removed": {},
        "relabelled": {"train": [guid]},
        "edited": {"train": [guid]},  # its soft label
        "moved": [],
    }
    assert found["empty"] is False
    assert not any("sts" in one["what"] or "wos" in one["what"] for one in found["changes"])
    told = klue("diff", plain.release, after.release)
    assert told.exit_code == 0
    assert f"1 relabelled in train: {guid}" in told.stdout


@pytest.fixture(scope="module")
def gone(built: Built) -> dict[str, str]:
    """Return examples to withdraw with the reason: one of train, one of dev, one of test."""
    found = examples(built.release, "tc")
    reasons = {"train": "personal_data", "dev": "wrong", "test": "complaint"}
    return {found[split][0]["guid"]: reason for split, reason in reasons.items()}


@pytest.fixture(scope="module")
def later(built: Built, gone: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return version 1.1.0, drawn with another seed, without what was withdrawn."""
    folder = tmp_path_factory.mktemp("later")
    work, releases = copied(built, folder)
    entries = [{"id": one, "reason": reason, "since": "1.1.0"} for one, reason in gone.items()]
    withdrawn = folder / "withdrawn.yaml"
    withdrawn.write_text(yaml.safe_dump({"withdrawn": entries}), "utf-8")
    release = {"version": "1.1.0", "withdrawn": str(withdrawn)}
    file = build_file(folder / "file", seed=7, release=release)
    return released(file, work, releases, "--workers", 2)


@pytest.mark.full
@pytest.mark.parametrize("task", CONFIGS)
def test_no_example_changes_its_split(built: Built, later: Built, task: str) -> None:
    was, now = splits_of(built.release, task), splits_of(later.release, task)
    both = was.keys() & now.keys()
    assert both or task == "dst"  # goals are made up, and so others with another seed
    assert {name: now[name] for name in both} == {name: was[name] for name in both}
    assert now.keys() - was.keys(), "another seed draws other candidates"


@pytest.mark.full
@pytest.mark.parametrize("task", CONFIGS)
def test_no_text_of_an_earlier_test_is_trained_on(built: Built, later: Built, task: str) -> None:
    """Neither under its old id nor under another: what is known by the test is not for train."""
    test = {one for row in examples(built.release, task)["test"] for one in texts(task, row)}
    train = {one for row in examples(later.release, task)["train"] for one in texts(task, row)}
    assert test and train
    assert not test & train


@pytest.mark.full
def test_the_first_version_stays_as_it_was(built: Built, later: Built) -> None:
    assert whole(later.releases / "sample" / "1.0.0") == whole(built.release)
    assert good("verify", later.release)["ok"] is True


@pytest.mark.full
def test_what_was_withdrawn_is_gone_and_told(
    built: Built, later: Built, gone: dict[str, str]
) -> None:
    was, now = splits_of(built.release, "tc"), splits_of(later.release, "tc")
    assert len(gone) == 3 and gone.keys() <= was.keys()
    assert not gone.keys() & now.keys()
    votes = {row["item"] for row in rows(later.release / "votes" / "ynat.parquet")}
    assert not gone.keys() & votes
    told = (later.release / "CHANGELOG.md").read_text("utf-8")
    assert all(name in told for name in gone)
    removed = good("diff", built.release, later.release)["configs"][0]["removed"]
    for name in gone:
        assert name in removed[SPLITS[was[name]]]


@pytest.mark.full
def test_answers_of_people_come_between_the_two_halves(built: Built, tmp_path: Path) -> None:
    """Batches, answers, their import, and a release of what they come to (tc and sts)."""
    work, _ = copied(built, tmp_path)
    file = build_file(tmp_path / "halves", name="halves", annotation={"mode": "imported"})
    words = ("--tasks", "tc,sts", "--workers", 2)
    first = mini.built(file, work, *words, "--until", "annotate")
    assert first["release"] is None
    assert {one["task"] for one in first["batches"]} == {"tc", "sts"}
    for batch in first["batches"]:
        given = ("--batch", batch["name"], "--work", work)
        votes = tmp_path / f"{batch['task']}.jsonl"
        good("simulate", batch["task"], "--out", votes, "--seed", 5, *given)
        taken = good("import", votes, "--task", batch["task"], "--from", "jsonl", *given)
        assert taken["quarantined"] == 0
    done = released(file, work, tmp_path / "out", *words)
    release = done.release
    assert release.relative_to(tmp_path / "out").as_posix() == "halves/1.0.0"
    assert good("verify", release)["ok"] is True
    assert done.result["simulated"] is True  # its votes say what they are
    assert json.loads((release / "manifest.json").read_text("utf-8"))["simulated"] is True
    topics: dict[str, Counter[str]] = defaultdict(Counter)
    for line in (tmp_path / "tc.jsonl").read_text("utf-8").splitlines():
        vote = json.loads(line)
        topics[vote["item"]].update(vote.get("label") or ())
    found = examples(release, "tc")
    assert all(found.values())
    for row in (row for part in found.values() for row in part):
        assert topics[row["guid"]][row["label"]] >= 2, row["guid"]
