"""Two tasks of a user, in folders without code, from raw text to a trained and scored model."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import commandline
import mini
import pyarrow.parquet as pq
import pytest

from pipeline.core.ids import draw

EMOTIONS = """\
task: emotions
version: 1.0.0
kind: labels
title: {ko: 감정, en: Emotions}
instruction: {ko: 글에 드러난 감정을 모두 고르세요., en: Choose all emotions that the text shows.}
labels:
  - {id: joy, title: {ko: 기쁨, en: Joy}}
  - {id: anger, title: {ko: 분노, en: Anger}}
  - {id: other, title: {ko: 기타, en: Other}}
sampling:
  quotas: {nsmc: 90, airbnb: 60}
  shortest: 5
"""
THINGS = """\
task: things
version: 1.0.0
kind: spans
title: 사물
instruction: 사물을 모두 표시하세요.
labels:
  - {id: THING, title: 사물}
sampling:
  quotas: {airbnb: 60}
"""
CORPORA = mini.ROOT / "data" / "sample" / "corpora"
BUILD = f"""\
name: own
seed: 7
catalogue: {mini.ROOT}/data/catalogue.yaml
tasks: [./emotions, ./things]
sources:
  nsmc: {{inputs: [{{path: {CORPORA}/nsmc/raw}}]}}
  airbnb: {{inputs: [{{path: {CORPORA}/airbnb/reviews.csv.gz}}]}}
candidates: {{annotators: 6, tool: label-studio}}
"""


def klue(*arguments: object, tasks: Path | None = None) -> Any:
    """Run a command in a process of its own and return what it prints as JSON."""
    with pytest.MonkeyPatch.context() as patch:
        if tasks is not None:
            folders = map(str, (tasks / "emotions", tasks / "things"))
            patch.setenv("KLUE_TASKS", os.pathsep.join(folders))
        done = commandline.run([*map(str, arguments), "--json"])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own")
    for name, spec in (("emotions", EMOTIONS), ("things", THINGS)):
        (path / name).mkdir()
        (path / name / "spec.yaml").write_text(spec, "utf-8")
        (path / name / "guideline.ko.md").write_text("# 지침\n", "utf-8")
    (path / "build.yaml").write_text(BUILD, "utf-8")
    return path


@pytest.fixture(scope="module")
def batches(folder: Path) -> Any:
    return klue("build", folder / "build.yaml", "--work", folder / "work")


@pytest.fixture(scope="module")
def release(folder: Path, batches: Any) -> Path:
    votes = folder / "votes.jsonl"
    with votes.open("w", encoding="utf-8") as stream:
        for row in [*_emotions(folder), *_things(folder)]:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    build = folder / "release.yaml"
    annotation = "annotation: {mode: imported, votes: [votes.jsonl]}\n"
    build.write_text(BUILD + annotation, "utf-8")
    klue("build", build, "--work", folder / "work", "--releases", folder / "releases")
    return folder / "releases" / "own" / "1.0.0"


def _items(folder: Path, task: str) -> Iterator[tuple[str, str]]:
    for path in (folder / "work" / "store" / task).glob("candidates-*/items-*.parquet"):
        for row in pq.read_table(path).to_pylist():
            yield row["item"], json.loads(row["fields"])["text"]


def _emotions(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield three votes an item, which follow signs in the text; one annotator in ten errs."""
    for item, text in _items(folder, "emotions"):
        truth = [label for label, sign in (("joy", "가"), ("anger", "는")) if sign in text]
        for place in range(3):
            wrong = draw(1, "vote", f"{item}{place}") < 0.1
            labels = ["other"] if wrong or not truth else truth
            yield _vote("emotions", "main", item, f"p{place}", labels)


def _things(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the first word of each text as a span, and an inspector who accepts it."""
    for item, text in _items(folder, "things"):
        spans = [{"start": 0, "end": len(text.split(" ")[0]), "label": "THING"}]
        yield _vote("things", "main", item, "writer", spans)
        yield {
            **_vote("things", "inspect", item, "judge", {"verdict": "accept"}),
            "role": "inspector",
        }


def _vote(task: str, round_: str, item: str, annotator: str, label: Any) -> dict[str, Any]:
    named = {"task": task, "spec": f"{task}@1.0.0", "round": round_}
    return {"item": item, "annotator": annotator, "label": label, **named}


def test_batches_are_handed_out(batches: Any) -> None:
    assert {batch["task"]: batch["items"] for batch in batches["batches"]} == {
        "emotions": 150,
        "things": 60,
    }


def test_a_work_folder_knows_its_own_tasks(folder: Path, batches: Any) -> None:
    work, (batch,) = folder / "work", [b for b in batches["batches"] if b["task"] == "emotions"]
    item = next(item for item, _ in _items(folder, "emotions"))
    assert klue("explain", item, "--work", work, "--build", "own")["kind"] == "candidate"
    answers = folder / "answers.jsonl"
    answers.write_text(json.dumps(_vote("emotions", "main", item, "annotator-001", ["joy"])))
    named = ("--task", "emotions", "--batch", batch["name"])
    assert klue("import", answers, *named, "--work", work)["read"] == 1
    assert klue("status", "--task", "emotions", "--work", work)["batches"]
    assert klue("audit", work / "annotation" / "emotions", "--task", "emotions")["annotators"]


def test_the_guideline_of_an_own_task_is_handed_out(folder: Path, batches: Any) -> None:
    items = folder / "items.jsonl"
    items.write_text('{"item": "a", "fields": {"text": "좋은 하루였어요."}}\n', "utf-8")
    options = ("--items", items, "--to", "jsonl", "--batch", "more", "--work", folder / "work")
    files = klue("export", "emotions", *options)["files"]
    assert [Path(file).name for file in files] == ["items.jsonl", "guideline.ko.md"]


def test_an_own_task_whose_folder_moved_is_named(
    folder: Path, batches: Any, tmp_path: Path
) -> None:
    work, moved = tmp_path / "work", tmp_path / "moved"
    shutil.copytree(folder / "work" / "builds", work / "builds")
    text = (work / "builds" / "own.emotions.things.json").read_text("utf-8")
    (work / "builds" / "own.emotions.things.json").write_text(text.replace(str(folder), str(moved)))
    done = commandline.run(["status", "--task", "emotions", "--work", str(work)])
    assert done.returncode == 2
    assert f"{moved}/emotions: the folder of task emotions in the build own" in done.stderr
    assert "KLUE_TASKS" in done.stderr
    assert commandline.run(["status", "--task", "tc", "--work", str(work)]).returncode == 0
    folders = os.pathsep.join(str(folder / name) for name in ("emotions", "things"))
    named = ["status", "--task", "emotions", "--work", str(work)]
    assert commandline.run(named, KLUE_TASKS=folders).returncode == 0


def test_a_shell_completes_own_tasks_of_a_work_folder(folder: Path, batches: Any) -> None:
    words = f"klue qualify --work {folder / 'work'} em"
    asked = {"_KLUE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": "4"}
    program = ["-c", "import sys; sys.argv = ['klue']; from flows.main import main; main()"]
    done = subprocess.run(
        [sys.executable, *program], env={**os.environ, **asked}, capture_output=True, text=True
    )
    assert (done.stdout.split(), done.stderr) == (["emotions"], "")


def test_a_release_with_code_beside_a_spec_is_refused(release: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(release, copy)
    (copy / "specs" / "things" / "split.py").write_text("raise SystemExit('it ran')\n", "utf-8")
    done = commandline.run(["verify", str(copy)])
    assert done.returncode == 1
    assert "holds split.py, but releases hold no code" in done.stdout


def test_every_kind_is_simulated_to_a_release(folder: Path) -> None:
    kinds = ("label", "pair", "score")
    for kind in kinds:
        spec = EMOTIONS.replace("task: emotions", f"task: my{kind}").replace(
            ": labels", f": {kind}"
        )
        if kind == "score":
            spec = re.sub(r"(?s)\nlabels:.*?\nsampling", "\nsampling", spec)
        (folder / f"my{kind}").mkdir()
        (folder / f"my{kind}" / "spec.yaml").write_text(spec, "utf-8")
        (folder / f"my{kind}" / "guideline.en.md").write_text("# Guideline\n", "utf-8")
    tasks = f"tasks: [./emotions, ./things, {', '.join(f'./my{kind}' for kind in kinds)}]"
    build = folder / "simulated.yaml"
    text = re.sub("tasks: .*", tasks, BUILD.replace("name: own", "name: kinds"))
    build.write_text(f"{text}annotation: {{mode: simulated}}\n", "utf-8")
    klue("build", build, "--work", folder / "work", "--releases", folder / "releases")
    manifest = json.loads((folder / "releases/kinds/1.0.0/manifest.json").read_text("utf-8"))
    gold = {name: task["gold"] for name, task in manifest["tasks"].items()}
    assert set(gold) == {"emotions", "things", "mylabel", "mypair", "myscore"}
    assert min(gold.values()) > 50
    _check_prompts(folder / "releases/kinds/1.0.0", folder / "prompts")


def _check_prompts(release: Path, out: Path) -> None:
    """Export for language models; the generated code reads back the answers that it wrote."""
    groups = klue("export-eval", release, "--out", out)["groups"]
    names = ("emotions", "things", "mylabel", "mypair", "myscore")
    assert sorted(groups["klue_gen"]) == sorted(f"klue_{name}_gen" for name in names)
    assert sorted(groups["klue_mc"]) == ["klue_mylabel_mc", "klue_mypair_mc"]
    for name in names:
        code = runpy.run_path(str(out / name / "utils.py"))
        doc = code["load"](form="plain", mode="gen")["validation"][0]
        results = code["process"](doc, [doc["target"]])
        assert results["unparsed"] == [0, 1]
        assert code["process"](doc, ["\n"])["unparsed"] == [1, 1]


def test_the_release_is_verified_and_has_columns_by_kind(folder: Path, release: Path) -> None:
    assert all(check["ok"] for check in klue("verify", release)["checks"])
    emotions = pq.read_table(release / "emotions" / "train.parquet")
    assert emotions.column_names == ["guid", "source", "text", "labels", "soft_label"]
    assert {label for row in emotions["labels"].to_pylist() for label in row} >= {"joy", "other"}
    things = pq.read_table(release / "things" / "train.parquet").to_pylist()
    assert all(row["spans"][0]["start"] == 0 for row in things)
    hidden = pq.read_table(release / "emotions" / "test.parquet")
    assert hidden["labels"].null_count == hidden.num_rows


def test_splits_share_no_text(release: Path) -> None:
    parts = [
        set(pq.read_table(release / "emotions" / f"{name}.parquet")["text"].to_pylist())
        for name in ("train", "validation", "test")
    ]
    assert all(parts)
    assert not parts[0] & parts[1] and not parts[0] & parts[2] and not parts[1] & parts[2]


def test_several_labels_are_audited(folder: Path, release: Path) -> None:
    lines = (folder / "votes.jsonl").read_text("utf-8").splitlines()
    votes = folder / "emotions.jsonl"
    votes.write_text("\n".join(line for line in lines if '"emotions"' in line), "utf-8")
    record = klue("audit", votes, "--task", "emotions", tasks=folder)
    assert record["lead"] == "krippendorff_alpha_masi"
    assert 0.5 < record["coefficients"][record["lead"]]["value"] < 1


@pytest.mark.parametrize(
    ("task", "metrics"),
    [
        ("emotions", ("micro_f1", "macro_f1", "exact_match")),
        pytest.param("things", ("entity_f1", "char_f1"), marks=pytest.mark.full),
    ],
)
def test_a_model_is_trained_and_scored(
    folder: Path, release: Path, task: str, metrics: tuple[str, ...]
) -> None:
    out = folder / "runs"
    settings = ("--model", "scratch:tiny", "--set", "epochs=1", "--out", out)
    trained = klue("train", release, "--task", task, *settings)
    scores = trained["runs"][0]["scores"]["dev"]
    assert tuple(scores["klue"]) == metrics
    predictions = out / task / "predictions" / "dev.jsonl"
    gold = ("--gold", release, "--split", "dev", "--pred", predictions)
    assert klue("score", "--task", task, *gold)
