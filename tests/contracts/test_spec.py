"""The model of annotation specs: versions, hashes, and faults told with file, line and key."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import (
    LANGUAGES,
    SPECS,
    TaskSpec,
    guideline,
    load_spec,
)
from pipeline.core.errors import SpecError

ALL = tuple(TASKS)
SPEC = {task: load_spec(task) for task in ALL}
by_task = pytest.mark.parametrize("task", ALL)
SHARES = {"formal_share": "colloquial_share", "colloquial_share": "formal_share"}


def _numbers(value: Any, where: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], float]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        if isinstance(one, dict | list):
            yield from _numbers(one, (*where, key))
        elif isinstance(one, int | float) and not isinstance(one, bool):
            yield (*where, key), one


@by_task
def test_the_digest_changes_with_any_number(task: str) -> None:
    plain = SPEC[task].model_dump(mode="json")
    digests, count = {SPEC[task].digest}, 1
    for where, number in _numbers(plain):
        other = copy.deepcopy(plain)
        place = other
        for key in where[:-1]:
            place = place[key]
        more = 1 if isinstance(number, int) else 0.015625
        place[where[-1]] = number + more
        if where[-1] in SHARES:  # two shares that add up to 1
            place[SHARES[where[-1]]] -= more
        digests.add(TaskSpec.model_validate(other).digest)
        count += 1
    assert count > 5
    assert len(digests) == count


@by_task
def test_the_digest_ignores_the_layout_of_the_file(task: str, tmp_path: Path) -> None:
    path = tmp_path / task / "spec.yaml"
    path.parent.mkdir()
    plain = SPEC[task].model_dump(mode="json", exclude_defaults=True)
    path.write_text("# a comment\n" + yaml.safe_dump(plain, allow_unicode=True), "utf-8")
    assert load_spec(task, tmp_path).digest == SPEC[task].digest


def test_the_digest_is_the_same_in_every_process() -> None:
    code = (
        "from pipeline.contracts.spec import load_spec; from pipeline.contracts.registry import"
        " TASKS\nfor task in TASKS: print(load_spec(task).digest)"
    )
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        made = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
            cwd=SPECS.parent,
        )
        assert made.stdout.split() == [SPEC[task].digest for task in ALL]


versions = st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12))


@given(versions, versions)
def test_only_a_patch_keeps_votes(mine: tuple[int, int, int], theirs: tuple[int, int, int]) -> None:
    spec = SPEC["tc"].model_copy(update={"version": ".".join(map(str, mine))})
    assert spec.accepts("tc@" + ".".join(map(str, theirs))) == (mine[:2] == theirs[:2])


@by_task
def test_what_a_spec_accepts(task: str) -> None:
    spec = SPEC[task]
    major, minor, patch = map(int, spec.version.split("."))
    assert spec.name == f"{task}@{spec.version}"
    assert spec.accepts(spec.name)
    assert spec.accepts(f"{task}@{major}.{minor}.{patch + 1}")
    assert not spec.accepts(f"{task}@{major}.{minor + 1}.{patch}")
    assert not spec.accepts(f"{task}@{major + 1}.{minor}.{patch}")
    for name in (f"x{spec.name}", spec.name + "-rc1", task, f"{task}@1.0", "", " " + spec.name):
        assert not spec.accepts(name)


def _broken(task: str, tmp_path: Path, text: str) -> str:
    path = tmp_path / task / "spec.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    with pytest.raises(SpecError) as caught:
        load_spec(task, tmp_path)
    return str(caught.value).replace(str(tmp_path), "")


@by_task
def test_unknown_keys_name_file_line_and_key(task: str, tmp_path: Path) -> None:
    text = (SPECS / task / "spec.yaml").read_text("utf-8")
    line = text.count("\n") + 1
    message = _broken(task, tmp_path, text + "colour: blue\n")
    assert message.startswith(f"/{task}/spec.yaml:{line}: colour: unknown key; allowed here: ")
    lines = text.split("\n")
    first = lines.index("rounds:") + 2
    lines.insert(first, "    per_itm: 3")
    message = _broken(task, tmp_path, "\n".join(lines))
    assert message.startswith(f"/{task}/spec.yaml:{first + 1}: rounds.0.per_itm: unknown key")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("version: 1.0.1", "version: 1.0", "version: "),
        ("id: 경제\n", "id: 정치\n", "id: label '정치' is defined twice"),
        ("id: hate\n", "id: bias\n", "report 'bias' is defined twice"),
        ("per_item: 3", "per_item: 0", "rounds.0.per_item: "),
        ("answer: topics", "answer: topics\n    after: later", "names 'later', which is no"),
        ("roles: [annotator]", "roles: [author]", "aggregation.roles: author answer in no round"),
        ("rule: agreement, items: 50, threshold: 0.6", "rule: agreement, items: 50", "threshold"),
        ("rule: agreement, items: 50, threshold: 0.6", "rule: correct, items: 5", "needed"),
        (
            "rule: agreement, items: 50, threshold: 0.6",
            "rule: reviewed, items: 5, needed: 6",
            "not above `items`",
        ),
        ("rule: majority", "rule: dictator", "aggregation: "),
        ("needed: 2", "needed: two", ": aggregation.needed: "),
        (
            "rule: headlines\n",
            "rule: headlines\n  wobble: 1\n",
            "sampling.wobble: unknown key; allowed here: quotas, rule, sections",
        ),
        ("  quotas:\n", "  amounts:\n", "sampling.quotas: missing"),
        ("rule: headlines\n", "rule: goals\n", "sampling.rule: Input should be"),
        ("task: tc", "task: sts", "says it is the spec of 'sts'; it lies in 'tc'"),
    ],
)
def test_faults_are_told(old: str, new: str, said: str, tmp_path: Path) -> None:
    text = (SPECS / "tc" / "spec.yaml").read_text("utf-8")
    assert old in text
    message = _broken("tc", tmp_path, text.replace(old, new, 1))
    assert said in message
    assert message.startswith("/tc/spec.yaml")


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no spec of task 'pos'; there are: dp, dst, mrc, ner"):
        load_spec("pos")
    with pytest.raises(SpecError, match="there are: none"):
        load_spec("tc", tmp_path)
    for language in LANGUAGES:
        with pytest.raises(SpecError, match=rf"guideline\.{language}\.md: cannot be read"):
            guideline("tc", language, tmp_path)


def test_every_task_has_a_spec_and_every_spec_a_task() -> None:
    assert set(TASKS) == set(ALL) == {p.parent.name for p in SPECS.glob("*/spec.yaml")}
