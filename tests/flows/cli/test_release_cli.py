"""Releases looked at: verify, diff, report, convert, and the life of an example."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mini
import pytest
from annotation_stories import bad, good, klue
from fixed_texts import of_report, without_korean
from release_stories import (
    CONFIGS,
    Built,
    copied,
    examples,
    files,
    private,
    sample,
    whole,
)
from typer.testing import Result

from pipeline.contracts.official.files import read_official
from pipeline.core.jsontext import parsed
from pipeline.pii.kinds import TYPES
from pipeline.release.manifest import read_manifest


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return sample(tmp_path_factory)


@dataclass(frozen=True)
class Outputs:
    """What commands said of the release, and its files before and after them."""

    verified: Result
    compared: dict[str, Any]
    public: Path
    every: Path
    converted: tuple[dict[str, Any], dict[str, Any]]
    files: tuple[object, object]


@pytest.fixture(scope="module")
def outputs(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    """Run each command once for several tests."""
    out, before = tmp_path_factory.mktemp("outputs"), whole(built.release)
    verified = klue("verify", built.release)
    compared = good("diff", built.release, built.release)
    public = good("convert", built.release, "--out", out / "public")
    every = good("convert", built.release, "--out", out / "every", "--test-labels")
    good("report", built.release, "--out", out / "report")
    seen = before, whole(built.release)
    return Outputs(verified, compared, out / "public", out / "every", (public, every), seen)


def test_verify_prints_one_line_a_check(outputs: Outputs) -> None:
    told = outputs.verified
    assert told.exit_code == 0
    *lines, last = told.stdout.splitlines()
    assert all(line.startswith("ok ") for line in lines)
    assert last.endswith(f"{len(lines)} checks hold")


@pytest.mark.thin("check")
@pytest.mark.parametrize(
    ("damage", "check"),
    [("README.md", "files"), ("votes/sts.parquet", "files"), ("manifest.json", "manifest")],
)
def test_verify_fails_on_any_damage(built: Built, tmp_path: Path, damage: str, check: str) -> None:
    release = copied(built, tmp_path)[1] / "sample" / "1.0.0"
    (release / damage).write_bytes(b"x")
    told = klue("verify", release)
    assert told.exit_code == 1
    assert f"FAIL {check}:" in told.stdout
    assert "Traceback" not in told.stderr + told.stdout


def test_verify_tells_a_release_from_the_one_that_is_expected(built: Built) -> None:
    """A whole release of somebody else's passes every check but this one."""
    known = str(json.loads((built.release / "manifest.json").read_bytes())["release_hash"])
    assert good("verify", built.release, "--expect", known[:12])["ok"] is True
    other = klue("verify", built.release, "--expect", "0" * 64)
    assert other.exit_code == 1
    assert f"FAIL expected_hash: the release has {known}, not 000" in other.stdout
    assert "12 to 64" in bad("verify", built.release, "--expect", known[:11])


def test_verify_needs_no_private_folder(built: Built, tmp_path: Path) -> None:
    """What is published can be checked by anybody."""
    public = tmp_path / "sample" / "1.0.0"
    shutil.copytree(built.release, public)
    assert good("verify", public)["ok"] is True


def test_a_release_does_not_differ_from_itself(built: Built, outputs: Outputs) -> None:
    found = outputs.compared
    assert (found["empty"], found["configs"], found["changes"]) == (True, [], [])
    assert "nothing differs" in klue("diff", built.release, built.release).stdout


@pytest.mark.parametrize("command", ["verify", "report"])
def test_a_folder_that_is_none_is_told(command: str, tmp_path: Path) -> None:
    assert "no such folder" in bad(command, tmp_path / "absent")


def test_a_folder_without_a_release_is_told(tmp_path: Path, built: Built) -> None:
    out = ("--out", tmp_path / "o")
    for words in (
        ("diff", tmp_path, built.release),
        ("diff", built.release, tmp_path),
        ("convert", tmp_path, *out),
        ("report", tmp_path),
        ("report", built.release, "--diff", tmp_path, *out),
        ("errata", "find", tmp_path),
        ("errata", "apply", tmp_path, tmp_path / "patches.jsonl", *out),
        ("export-eval", tmp_path, *out),
        ("leaderboard", "init", tmp_path / "board", "--release", tmp_path),
    ):
        assert "no release is there" in bad(*words)
    assert klue("verify", tmp_path).exit_code == 1  # a release may have lost its manifest


def test_another_kind_of_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"format": 1, "kind": "pretraining corpus"}', "utf-8")
    told = bad("convert", tmp_path, "--out", tmp_path / "o")
    assert "is a pretraining corpus; another kind of folder is wanted here" in told


@pytest.mark.parametrize("command", ["verify", "report"])
def test_the_private_folder_is_not_taken_for_the_release(built: Built, command: str) -> None:
    private = built.release.with_name("1.0.0.private")
    assert "give the folder beside it, 1.0.0" in bad(command, private)


@pytest.mark.parametrize("name", ["quality.json", "index.html"])
def test_a_report_that_was_changed_is_not_shown(built: Built, tmp_path: Path, name: str) -> None:
    release = copied(built, tmp_path)[1] / "sample" / "1.0.0"
    path = release / "report" / name
    path.write_text(path.read_text("utf-8").replace("sample", "simple"), "utf-8")
    assert "no readable report" in bad("report", release, code=1)


def test_the_report_is_there_with_its_record(built: Built, tmp_path: Path) -> None:
    out = tmp_path / "out"
    record = good("report", built.release, "--out", out)
    assert record == json.loads((built.release / "report" / "quality.json").read_text("utf-8"))
    page = (out / "index.html").read_bytes()
    assert page == (built.release / "report" / "index.html").read_bytes()
    assert json.loads((out / "quality.json").read_text("utf-8")) == record
    facts = {fact["name"]: fact["value"] for fact in record["facts"]}
    rows = [row for task in CONFIGS for p in examples(built.release, task).values() for row in p]
    assert facts["examples"] == len(rows)
    names = {section["id"] for section in record["sections"]}
    assert {f"task-{task}" for task in CONFIGS} < names
    told = klue("report", built.release)
    assert told.exit_code == 0
    sections = [line for line in told.stdout.splitlines() if line.startswith("section")]
    assert len(sections) == len(record["sections"])


def test_every_fixed_text_of_the_report_has_a_korean_one(built: Built) -> None:
    record = json.loads((built.release / "report" / "quality.json").read_text("utf-8"))
    named = {source.source for source in read_manifest(built.release).inputs}
    kinds = {"rtt", "sampled", "para", "IT과학", *TYPES}
    absent = without_korean(of_report(record)) - named - kinds
    assert {
        text for text in absent if not re.fullmatch(r"[A-Z]+ \d+(, [A-Z]+ \d+)*", text)
    } == set()


def test_the_report_is_light_and_asks_no_other_host(built: Built) -> None:
    files = sorted((built.release / "report").glob("*.html"))
    sizes = [file.stat().st_size for file in files]
    assert len(files) == 2 + len(CONFIGS)
    assert max(sizes) < 400_000
    assert sum(sizes) < 2_000_000
    page = "".join(file.read_text("utf-8") for file in files)
    for attribute in ('src="http', "src='http", 'src="//', 'rel="stylesheet" href', "@import"):
        assert attribute not in page


def test_a_report_is_of_one_thing(built: Built, tmp_path: Path) -> None:
    assert "--klue" in bad("report")
    assert "no readable official" in bad("report", built.release, "--klue", tmp_path)
    assert "--diff" in bad("report", "--klue", tmp_path, "--diff", built.release)
    assert "no such folder" in bad("report", "--klue", tmp_path / "absent")
    bad("report", "--klue", tmp_path)


def test_a_report_of_official_files_has_the_papers_numbers(data_dir: Path, tmp_path: Path) -> None:
    place = tmp_path / "klue"
    place.mkdir()
    shutil.copy(data_dir / "klue" / "klue-sts-v1.1_dev.json", place)
    record = good("report", "--klue", place, "--out", tmp_path / "out")
    facts = {fact["name"]: fact["value"] for fact in record["facts"]}
    assert facts["examples"] == 519  # Table 4
    assert [section["id"] for section in record["sections"]] == ["task-sts"]
    assert (tmp_path / "out" / "index.html").stat().st_size > 1000


def test_every_official_file_is_read_back(built: Built, outputs: Outputs) -> None:
    """By the project's own importers, with the texts and labels of the release, test included."""
    told = outputs.converted[1]
    assert len(told["files"]) == 24
    assert {Path(one["file"]) for one in told["files"]} == set(files(outputs.every))
    for one in told["files"]:
        task, rows = one["task"], examples(built.release, one["task"])[one["split"]]
        found = read_official(task, Path(one["file"]))
        assert not found.problems, (one, found.problems[:3])
        read = {row["item"]: row for row in found.items.to_pylist()}
        assert set(read) == {row["guid"] for row in rows}
        for row in rows:
            fields, gold = (parsed(read[row["guid"]][name]) for name in ("fields", "gold"))
            _require_equal(task, row, fields, gold)


def _require_equal(task: str, row: dict, fields: dict, gold: object) -> None:  # type: ignore[type-arg]
    """Compare a row of the release with what the official file says of it."""
    match task:
        case "tc":
            assert (fields["title"], gold) == (row["title"], [row["label"]])
        case "sts":
            assert (fields["sentence1"], fields["sentence2"]) == (
                row["sentence1"],
                row["sentence2"],
            )
            assert gold == row["labels"]
        case "nli":
            assert (fields["premise"], fields["hypothesis"], gold) == (
                row["premise"], row["hypothesis"], row["label"])  # fmt: skip
        case "ner":
            tags = ["O"] * len(row["tokens"])
            for span in gold:
                for place in range(span["start"], span["end"]):
                    mark = "B" if place == span["start"] else "I"
                    tags[place] = f"{mark}-{span['label']}"
            assert (fields["text"], tags) == (row["sentence"], row["ner_tags"])
        case "re":
            assert (fields["sentence"], gold) == (row["sentence"], row["label"])
            for name in ("subject", "object"):
                mine, its = row[f"{name}_entity"], fields[name]
                ends = its["start"], its["end"] - 1
                assert (its["word"], ends) == (mine["word"], (mine["start_idx"], mine["end_idx"]))
        case "dp":
            assert (gold["heads"], gold["deprels"]) == (row["head"], row["deprel"])
            assert fields["words"] == row["word_form"]
        case "mrc":
            assert (fields["title"], fields["context"]) == (row["title"], row["context"])
            assert (gold["question"], gold["type"]) == (row["question"], row["question_type"])
            starts = [one["start"] for one in gold["answers"]]
            texts = [one["text"] for one in gold["answers"]]
            assert row["answers"] == {"answer_start": starts, "text": texts}
        case "dst":
            texts = [(t["role"], t["text"], t["state"] or []) for t in row["dialogue"]]
            assert [(t["role"], t["text"], t.get("state") or []) for t in gold["turns"]] == texts


def test_official_files_hold_the_judgements(outputs: Outputs) -> None:
    """The raw votes of STS stand where the hub has lost them: their mean is the label."""
    (path,) = outputs.public.glob("klue-sts-*_dev.json")
    for record in json.loads(path.read_text("utf-8")):
        given = record["annotations"]["annotations"]
        assert len(given) >= 5
        counts = [int(n) for n in record["annotations"]["agreement"].split(":")]
        assert Counter({n: c for n, c in enumerate(counts) if c}) == Counter(given)


def test_without_asking_no_test_file_is_written(outputs: Outputs) -> None:
    assert {one["split"] for one in outputs.converted[0]["files"]} == {"train", "dev"}
    assert len(list(files(outputs.public))) == 16


def test_convert_writes_into_no_folder_in_use(built: Built, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    assert "not empty" in bad("convert", built.release, "--out", tmp_path)
    assert "not known" in bad("convert", built.release, "--out", tmp_path / "o", "--format", "x")
    assert [one.name for one in files(tmp_path)] == ["mine.txt"]


def test_test_labels_need_the_private_folder(built: Built, tmp_path: Path) -> None:
    public = tmp_path / "sample" / "1.0.0"
    shutil.copytree(built.release, public)
    told = bad("convert", public, "--out", tmp_path / "o", "--test-labels", code=1)
    assert "1.0.0.private" in told
    assert list(files(tmp_path / "o")) == []


def _headline(where: str) -> str:
    """Return the title on a line of the raw file, such as `../yna/headlines.jsonl line 7`."""
    path, _, line = where.partition(" line ")
    content = (mini.ROOT / "data" / "sample" / "corpora" / "yna" / Path(path).name).read_bytes()
    return str(json.loads(content.split(b"\n")[int(line) - 1])["title"])


@pytest.mark.parametrize("split", ["train", "test"])
def test_an_example_is_explained_back_to_its_raw_line(built: Built, split: str) -> None:
    row = examples(built.release, "tc")[split][0]
    told = good("explain", row["guid"], "--work", built.work)
    steps = told["steps"]
    stages = [step["stage"] for step in steps]
    assert stages[0] == "read"
    assert [s for s in stages if s in ("read", "candidates", "aggregate", "split")] == sorted(
        (s for s in stages if s in _ORDER), key=_ORDER.index
    )
    where = steps[0]["detail"].split(", ")[0]
    assert _headline(where) == row["title"]
    assert "news_category" not in json.dumps(steps) and "sid1" not in json.dumps(steps)
    assert next(step for step in steps if step["stage"] == "split")["action"] == split
    label = json.dumps([row["label"]], ensure_ascii=False)
    assert not any(label in step["detail"] for step in steps), "no answer is told"


_ORDER = ["read", "candidates", "aggregate", "split"]


def test_a_pair_is_explained_by_its_premise(built: Built) -> None:
    row = examples(built.release, "nli")["dev"][0]
    told = good("explain", row["guid"], "--work", built.work)
    actions = {(step["stage"], step["action"]) for step in told["steps"]}
    assert ("split", "dev") in actions
    assert {"read", "aggregate"} <= {stage for stage, _ in actions}
    assert any(step["action"] == "written" for step in told["steps"])


def test_the_summary_can_be_pasted(built: Built, tmp_path: Path) -> None:
    """Every line that says `try` is a command that runs."""
    words = ("--work", built.work, "--releases", built.releases, "--until", "release")
    told = mini.klue("build", built.file, *words)
    assert told.returncode == 0, told.stderr
    assert built.result["release_hash"] in told.stdout
    lines = [line.split()[2:] for line in told.stdout.splitlines() if line.startswith("try")]
    assert len(lines) == 3
    for words in lines:
        done = klue(*words)
        assert done.exit_code == 0, (words, done.stderr)


def test_commands_change_nothing(built: Built, outputs: Outputs) -> None:
    before, after = outputs.files
    assert after == before
    assert private(built.release).is_dir()
