from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest
from official_files import STS, as_text, changed, column, golds, saved

from pipeline.contracts.spec import load_spec
from pipeline.tasks.sts.official import HIGH, LOW, read


def test_the_scale_is_that_of_the_spec() -> None:
    scale = load_spec("sts").scale
    assert scale is not None and (scale.low, scale.high) == (LOW, HIGH)


def test_scores_source_and_sampler(tmp_path: Path) -> None:
    found = read(saved(tmp_path, as_text(STS)))
    assert column(found, "votes", "label") == [4, 5, 4, 3, 4]
    assert column(found, "votes", "annotator") == ["02", "05", "01", "09", "08"]
    assert column(found, "items", "source") == ["parakqc"]
    assert column(found, "items", "sampler") == ["para"]
    assert golds(found) == [STS[0]["labels"]]


@pytest.mark.parametrize(
    ("scores", "people"),
    [
        ([4, 5, 4, 3], None),
        ([4, 5, 4, 3, 6], None),
        ([4, 5, 4, 3, True], None),
        ([4, 5, 4, 3, 2.5], None),
        ([4, 5, 4, 3, 4], ["02", "02", "01", "09", "08"]),
        ([4, 5, 4, 3, 4], ["02", "05", "01", "09", 8]),
    ],
)
def test_votes_off_the_scale_or_twice_leave_the_record_out(
    scores: list[int], people: list[str] | None, tmp_path: Path
) -> None:
    raw = STS[0]["annotations"] | {"annotations": scores}
    raw["annotators"] = people or raw["annotators"]
    second = STS[0] | {"guid": "klue-sts-v1_dev_00001", "annotations": raw}
    found = read(saved(tmp_path, as_text([*STS, second])))
    assert found.items.num_rows == 1
    assert [problem.line for problem in found.problems] == [2]


def test_labels_without_a_number_are_a_fault(tmp_path: Path) -> None:
    second = STS[0] | {"guid": "b"}
    text = changed([STS[0], second], 1, labels={"label": 4.0, "real-label": "4.0"})
    assert (
        read(saved(tmp_path, text)).problems[0].reason == "'labels' needs the number 'real-label'"
    )


def test_means_of_the_votes_are_the_official_labels(data_dir: Path) -> None:
    found = read(data_dir / "klue" / "klue-sts-v1.1_dev.json")
    assert (found.items.num_rows, found.votes.num_rows) == (519, 3262)
    scores: dict[str, list[int]] = {}
    for item, label in zip(
        column(found, "votes", "item"), column(found, "votes", "label"), strict=1
    ):
        scores.setdefault(item, []).append(label)
    for item, gold in zip(column(found, "items", "item"), golds(found), strict=True):
        mean = fmean(scores[item])
        assert gold["real-label"] == pytest.approx(mean, abs=1e-9)
        assert gold["label"] == pytest.approx(round(mean, 1))
        assert gold["binary-label"] == (mean >= 3)
    assert set(column(found, "items", "source")) == {"airbnb", "policy", "parakqc"}
    assert set(column(found, "items", "sampler")) == {"rtt", "sampled", "para"}
