"""Trivial systems: what they answer in simple cases, and that every task's answers are scored."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gold_cases import write

from pipeline.contracts.example import Example
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.release import writing
from pipeline.release.reading import read_split
from pipeline.release.tables import examples_of
from pipeline.scoring.baselines import BASELINES, NAMES, Data, baseline_predictions
from pipeline.scoring.scorer import gold_of, scorer_of, scores
from pipeline.scoring.submission import read_submission
from pipeline.tasks.kinds.baselines import baselines

sys.path.append(str(Path(__file__).parents[1] / "release"))

import small_release as small

#: Tasks that lack systems, which stand with a reason in `left_out`.
FEWER = {"ner": 1, "dp": 2, "mrc": 1, "dst": 1}


def pair(name: str, premise: str, label: str | None = None) -> Example:
    return Example(name, "nsmc", {"premise": premise, "hypothesis": "그렇다."}, label)


def answers(task: str, train: list[Example], test: list[Example], seed: int = 0) -> dict[str, Any]:
    """Return the answers of each system, by its name."""
    found = baseline_predictions(task, Data(train, test, load_spec(task), seed))
    return {name: [row["label"] for row in rows] for name, rows in found.items()}


TRAIN = [
    pair("a", "오늘은 비가 많이 온다.", "neutral"),
    pair("b", "기차가 서울역에 섰다.", "entailment"),
    pair("c", "기차가 부산역에 섰다.", "neutral"),
    pair("d", "고양이가 마당에서 잔다.", "contradiction"),
]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release of all eight tasks, with its private folder."""
    folder = tmp_path_factory.mktemp("baselines")
    materials = [small.task_material(task) for task in TASKS]
    return writing.write(small.material(folder, *materials), folder / "out" / "1.0.0").folder


def examples(release: Path, task: str, split: Any, *, labels: bool) -> list[Example]:
    return list(examples_of(read_split(release, task, split, labels=labels), task))


def test_classes_are_answered_by_count_by_draw_and_by_likeness() -> None:
    test = [pair("x", "서울역에 기차가 섰다."), pair("y", "마당에 고양이가 있다.")]
    found = answers("nli", TRAIN, test)
    assert tuple(found) == NAMES
    assert found["most frequent"] == ["neutral", "neutral"]
    assert found["nearest"] == ["entailment", "contradiction"]
    assert set(found["random"]) <= {"neutral", "entailment", "contradiction"}


def test_a_tie_of_classes_does_not_depend_on_the_order_of_examples() -> None:
    train = TRAIN[1:]
    assert {
        answers("nli", order, TRAIN[:1])["most frequent"][0] for order in (train, train[::-1])
    } == {"contradiction"}


def test_random_answers_are_as_frequent_as_in_train_and_depend_on_id_and_seed() -> None:
    test = [pair(f"t{n}", "문이 열렸다.") for n in range(4_000)]
    found = answers("nli", TRAIN, test)["random"]
    share = Counter(found)["neutral"] / len(found)
    assert share == pytest.approx(0.5, abs=0.04)  # five deviations
    assert answers("nli", TRAIN, test[::-1])["random"] == found[::-1]
    assert answers("nli", TRAIN, test, seed=1)["random"] != found


def test_numbers_are_answered_by_their_mean() -> None:
    def scored(name: str, text: str, score: float | None) -> Example:
        label = None if score is None else {"real-label": score, "binary-label": int(score >= 3)}
        return Example(name, "nsmc", {"sentence1": text, "sentence2": "비가 온다."}, label)

    train = [scored("a", "비가 온다네.", 5.0), scored("b", "문이 닫혔다.", 1.0)]
    test = [scored("x", "문이 닫혔다고.", None)]
    found = answers("sts", train, test)
    assert found["most frequent"] == [3.0]
    assert found["nearest"] == [1.0]
    assert found["random"][0] in (1.0, 5.0)


def test_texts_without_any_run_of_two_characters_are_answered_by_the_first() -> None:
    one = replace(TASKS["nli"], fields=("premise",))
    data = Data([pair("a", "가", "neutral"), pair("b", "나", "entailment")], [pair("x", "나")],
                load_spec("nli"))  # fmt: skip
    assert baselines(one).systems["nearest"](data) == ["neutral"]


def test_a_tree_points_to_the_next_word() -> None:
    def tree(name: str, words: list[str], label: Any = None) -> Example:
        return Example(name, "nsmc", {"text": " ".join(words), "words": words}, label)

    train = [
        tree("a", ["나는", "집에", "간다"], {"heads": [3, 3, 0], "deprels": ["NP", "NP", "VP"]})
    ]
    found = answers("dp", train, [tree("x", ["비가", "온다"]), tree("y", ["온다"])])
    assert found["most frequent"] == [
        {"heads": [2, 0], "deprels": ["NP", "VP"]},
        {"heads": [0], "deprels": ["VP"]},
    ]
    long = [tree(f"t{n}", list("가나다라마바사아")) for n in range(200)]
    for answer in answers("dp", train, long)["random"]:
        assert answer["heads"][-1] == 0
        assert all(place < head <= 8 for place, head in enumerate(answer["heads"][:-1], start=1))


@pytest.mark.parametrize("task", tuple(TASKS))
def test_every_task_has_systems_whose_files_are_accepted(
    task: str, release: Path, tmp_path: Path
) -> None:
    train = examples(release, task, "train", labels=True)
    test = examples(release, task, "test", labels=False)
    found = baseline_predictions(task, Data(train, test, load_spec(task)))
    assert len(found) == FEWER.get(task, 3)
    assert [*found, *BASELINES[task].left_out] == list(NAMES)
    gold = gold_of(examples(release, task, "test", labels=True), scorer_of(task), load_spec(task))
    for rows in found.values():
        predictions = read_submission(write(tmp_path / "pred.jsonl", rows), gold)
        values = scores(gold.measures(predictions, "klue"), len(gold)).values
        assert set(values) == set(scorer_of(task).names)


def test_without_train_examples_there_is_no_system() -> None:
    assert answers("nli", [], TRAIN) == {}


def test_sets_of_labels_are_classes_and_other_kinds_need_the_part() -> None:
    labels = replace(TASKS["nli"], kind="labels", view=frozenset)
    data = Data(
        [replace(one, label=["b", "a"]) for one in TRAIN],
        [pair("x", "비가 온다.")],
        load_spec("nli"),
    )
    assert {name: system(data) for name, system in baselines(labels).systems.items()} == {
        name: [["a", "b"]] for name in NAMES
    }
    with pytest.raises(InputError, match="no part `baselines`"):
        baselines(replace(TASKS["nli"], kind="tree"))
