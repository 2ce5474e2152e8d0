"""Sources of one's own: what does not fit is told at once, before anything runs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from flows.build import say_what_runs
from flows.plan.build import BuildPlan, Request, plan_build
from pipeline.core.errors import FatalError
from pipeline.core.stage import Call

CATALOGUE = """\
version: 1
sources:
  mine: {{name: Mine, {rights}, reader: jsonl, tasks: [{tasks}]{more}}}
  other: {{name: Other, licence: MIT, style: formal, reader: text, tasks: [ner]}}
"""
TEXTS = [{"text": "가람시가 새 도서관을 열었다.", "headline": "도서관", "kind": "동네"}] * 3


def _build(
    folder: Path,
    *lines: str,
    tasks: str = "ner",
    rights: str = "licence: MIT",
    more: str = "",
    inputs: str = "{path: mine.jsonl}",
    others: str = "{path: other.txt}",
) -> Path:
    (folder / "mine.jsonl").write_text("\n".join(map(json.dumps, TEXTS)), "utf-8")
    (folder / "other.txt").write_text("나루강에 다리를 놓는다.\n", "utf-8")
    text = CATALOGUE.format(rights=rights, tasks=tasks, more=more)
    (folder / "catalogue.yaml").write_text(text, "utf-8")
    sources = f"sources: {{mine: {{inputs: [{inputs}]}}, other: {{inputs: [{others}]}}}}"
    head = ["name: own", "seed: 1", "catalogue: catalogue.yaml", sources]
    path = folder / "build.yaml"
    path.write_text("\n".join([*head, *lines]) + "\n", "utf-8")
    return path


def _plan(path: Path, *tasks: str, until: str = "annotate") -> BuildPlan:
    return plan_build(Request(path, work=path.parent / "w", until=until), frozenset(tasks))


def _faults(path: Path, *tasks: str, until: str = "annotate") -> list[str]:
    with pytest.raises(FatalError) as caught:
        _plan(path, *tasks, until=until)
    return str(caught.value).splitlines()


def _candidates(path: Path, task: str) -> Call:
    return next(one for one in _plan(path, task).tasks if one.task == task).candidates


def test_every_fault_of_the_inputs_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    inputs = (
        "{path: mine.jsonl, columns: {title: titel}}, {path: mine.jsonl, columns: {titel: kind}},"
        "{path: mine.jsonl, columns: {headline: title}}, {path: folder}, {path: other.txt}"
    )
    faults = _faults(_build(tmp_path, inputs=inputs, others="{path: mine.jsonl, reader: csv}"))
    assert [fault.partition(": ")[2].partition(": ")[0] for fault in faults] == [
        *(f"sources.mine.inputs.{n}" for n in range(5)),
        "sources.other.inputs.0",
    ]
    assert "no column 'titel' (for title); it has: 'text', 'headline', 'kind'" in faults[0]
    assert "such as {title: kind}" in faults[1]
    assert "such as {title: headline}" in faults[2]
    assert "is a folder; give one file" in faults[3]
    assert "makes no document of its first 1 record" in faults[4]
    assert "has no column 'text'" in faults[5]


def test_a_reader_of_files_tells_what_it_takes(tmp_path: Path) -> None:
    (fault,) = _faults(_build(tmp_path, inputs="{path: mine.jsonl, reader: text_files}"))
    assert "build.yaml: sources.mine.inputs.0: " in fault
    assert "takes a folder or one of .txt" in fault


def test_a_pipe_and_a_file_for_a_folder_are_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    build = _build(tmp_path, inputs="{path: pipe.jsonl}")
    with pytest.raises(FatalError, match=r"pipe\.jsonl: is a device or pipe; write it to a file"):
        plan_build(Request(build, tmp_path / "work"), frozenset())
    with pytest.raises(FatalError, match=r"--work .*other\.txt: is a file; give a folder"):
        say_what_runs(Request(_build(tmp_path), tmp_path / "other.txt"))


def test_quotas_that_name_no_source_are_shared_when_it_runs(tmp_path: Path) -> None:
    path = _build(tmp_path, "candidates: {sizes: {ner: 40}}")
    assert _candidates(path, "ner").params["share"] == {
        "key": "quotas",
        "kinds": [""],
        "total": 40,
        "even": False,
    }


def test_quotas_of_the_build_file_stand(tmp_path: Path) -> None:
    path = _build(tmp_path, "candidates: {quotas: {ner: {mine: 3, other: 1}}}")
    call = _candidates(path, "ner")
    assert call.params["sampling"]["quotas"] == {"mine": 3, "other": 1}
    assert "share" not in call.params


@pytest.mark.parametrize(
    ("quotas", "told"),
    [
        ("{ner: {mine: 3}}", "quotas.ner: no quota for other;"),
        ("{ner: {mine: 3, other: 1, gone: 2}}", "quotas.ner: a quota for gone;"),
        ("{ner: {}}", "quotas.ner: must not be empty"),
        ("{ner: {mine: 0}}", "quotas.ner.mine: Input should be greater"),
        ("{sts: {mine: 3}}", "quotas.sts: 'mine' names no source and kind of pair"),
        ("{none: {mine: 3}}", "quotas.none: unknown task"),
    ],
)
def test_quotas_that_leave_a_source_out_or_are_empty(
    tmp_path: Path, quotas: str, told: str
) -> None:
    path = _build(tmp_path, f"candidates: {{quotas: {quotas}}}", tasks="ner, sts")
    assert told in "\n".join(_faults(path))


@pytest.mark.parametrize("task", ["nli", "dp"])
def test_the_style_is_asked_for_where_it_decides(tmp_path: Path, task: str) -> None:
    (fault,) = _faults(_build(tmp_path, tasks=task), task)
    assert "add `style: formal` or `style: colloquial`" in fault
    assert _candidates(_build(tmp_path, tasks=task, more=", style: formal"), task)


def test_texts_too_short_for_passages_are_told(tmp_path: Path) -> None:
    (fault,) = _faults(_build(tmp_path, tasks="mrc"), "mrc")
    assert "more than 512 characters, and the first documents of mine at most 16" in fault
    assert _candidates(
        _build(tmp_path, "candidates: {quotas: {mrc: {mine: 1}}}", tasks="mrc"), "mrc"
    )


def test_sections_that_the_spec_does_not_know_are_told(tmp_path: Path) -> None:
    columns = "{path: mine.jsonl, columns: {section: kind}}"
    (fault,) = _faults(_build(tmp_path, tasks="tc", inputs=columns), "tc")
    assert "name 동네, none of them of 정치, 경제" in fault
    (fault,) = _faults(_build(tmp_path, tasks="tc"), "tc")
    assert "name no section, one of 정치" in fault
    for sections in ("any", "{사회: [동네]}"):
        lines = f"candidates: {{sections: {sections}}}"
        assert _candidates(_build(tmp_path, lines, tasks="tc", inputs=columns), "tc")
    lines = "candidates: {sections: {날씨: [동네]}}"
    (fault,) = _faults(_build(tmp_path, lines, tasks="tc"), "tc")
    assert "candidates.sections.날씨: no section of tc@" in fault


def test_faults_of_several_tasks_are_told_at_once(tmp_path: Path) -> None:
    faults = _faults(_build(tmp_path, tasks="tc, nli, mrc, dp"))
    assert [fault.split(": ")[1] for fault in faults] == ["tc", "mrc", "sources.mine"]


def test_a_fault_of_the_catalogue_is_told_once_with_all_tasks(tmp_path: Path) -> None:
    (fault,) = _faults(_build(tmp_path, tasks="nli, dp"))
    assert "sources.mine: the catalogue does not say its style, by which nli, dp draw" in fault
    assert f"to its entry in {tmp_path / 'catalogue.yaml'}" in fault


def test_no_release_holds_private_text(tmp_path: Path) -> None:
    path = _build(tmp_path, "annotation: {mode: simulated}", rights="private: true")
    (fault,) = _faults(path, until="release")
    assert "sources.mine: `private: true`" in fault
    assert _plan(path, until="adjudicate").gold


def test_the_licence_of_labels_goes_with_the_share_alike_of_texts(tmp_path: Path) -> None:
    lines = ("annotation: {mode: simulated}", "release: {label_licence: CC-BY-NC-4.0}")
    path = _build(tmp_path, *lines, rights="licence: CC-BY-SA-4.0")
    (fault,) = _faults(path, until="release")
    assert fault.startswith(f"{path}: release.label_licence: labels under CC BY-NC 4.0 cannot")
    assert "mine (CC BY-SA 4.0), whose share-alike" in fault
    path = _build(tmp_path, *lines, rights="licence: CC-BY-4.0")
    assert _plan(path, "ner", until="release").release


def test_official_files_have_the_profile_of_klue(tmp_path: Path) -> None:
    pair = {"premise": "정부는 예산을 늘렸다.", "hypothesis": "가설.", "source": "policy"}
    labels = {"gold_label": "neutral", "author": "neutral", "label2": "neutral"}
    record = {"guid": "klue-nli-v1_train_00000", **pair, "genre": "policy", **labels}
    record |= {f"label{n}": "neutral" for n in range(3, 6)}
    (tmp_path / "nli.json").write_text(json.dumps([record]), "utf-8")
    official = "{path: nli.json, reader: klue_texts, only: policy}"

    def profiles(*lines: str, inputs: str = official) -> list[str]:
        plan = _plan(_build(tmp_path, *lines, inputs=inputs), until="corpus")
        assert all(
            chain.pii.params["minimum"] == chain.policy.minimum for chain in plan.corpus.chains
        )
        return [chain.policy.profile for chain in plan.corpus.chains]

    assert profiles() == ["klue", "strict"]
    assert profiles("personal_data: {profile: strict}") == ["strict", "strict"]
    assert profiles("personal_data: {profile: klue}") == ["klue", "klue"]
    assert profiles(inputs=f"{official}, {{path: mine.jsonl}}") == ["strict", "strict"]
    build = _build(tmp_path, inputs=official)
    text = build.read_text("utf-8").replace(f"[{official}]", f"[{official}], profile: strict")
    build.write_text(text, "utf-8")
    assert _plan(build, until="corpus").corpus.chains[0].policy.profile == "strict"

    (fault,) = _faults(_build(tmp_path, inputs=official.replace("only: policy", "only: polici")))
    assert "sources.mine.inputs.0: " in fault
    assert "holds no text of the source 'polici'; set `only` to one of: policy" in fault
    (fault,) = _faults(_build(tmp_path, inputs="{path: mine.jsonl, reader: klue_texts}"))
    assert "no official KLUE file with texts of a source" in fault


def test_files_that_tests_may_not_leak_into_are_looked_at_before_anything_runs(
    tmp_path: Path,
) -> None:
    (tmp_path / "bench.csv").write_text("no,body\n1,가람시의 도서관\n", "utf-8")
    release = "release: {against: [bench.csv, 'bench.csv#titel', gone.txt]}"
    build = _build(tmp_path, "annotation: {mode: simulated}", release)
    faults = _faults(build, "ner", until="release")
    places = [fault.partition(": ")[2].partition(": ")[0] for fault in faults]
    assert places == [f"release.against.{n}" for n in range(3)]
    assert faults[0].endswith("it has: 'no', 'body'; name the column behind the file: FILE#COLUMN")
    assert "has no column 'titel'" in faults[1]
    assert "no such file" in faults[2]
