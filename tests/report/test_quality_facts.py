"""The facts that a report begins with are those of its tasks."""

from __future__ import annotations

from typing import Any

from flows.publish.quality_facts import Checked, official_facts


def told(*checked: Checked) -> dict[str, tuple[Any, str]]:
    return {one.name: (one.value, one.note) for one in official_facts(checked, apart=3)}


def audit(name: str, value: float | None, *people: str, votes: int = 10) -> dict[str, Any]:
    return {
        "lead": name,
        "coefficients": {name: {"value": value}},
        "votes": votes,
        "per_annotator": {one: {} for one in people},
    }


def test_what_is_wrong_is_told_with_its_task() -> None:
    found = told(
        Checked("tc", {"train": 1000, "dev": 5}, audit("krippendorff_alpha_nominal", 0.7, "a")),
        Checked("re", {"train": 20}, audit("krippendorff_alpha_nominal", 0.6, "a", "b"), leaks=2),
    )
    assert found["examples"] == (1025, "1,020 train, 5 dev")
    assert found["votes"] == (20, "by 2 annotators")
    assert found["lowest agreement"] == ("0.600", "RE: Krippendorff's alpha, nominal")
    assert found["leaks that would stop a release"] == (2, "RE 2")
    assert found["numbers unlike the paper's"][0] == 3


def test_nothing_is_told_of_votes_that_are_not_there() -> None:
    found = told(Checked("tc", {"dev": 5}, {}))
    assert "votes" not in found
    assert "lowest agreement" not in found
    assert found["leaks that would stop a release"] == (0, "")


def test_votes_without_names_are_not_put_down_to_those_with_names() -> None:
    found = told(
        Checked("sts", {"dev": 5}, audit("krippendorff_alpha_interval", 0.7, "a")),
        Checked("nli", {"dev": 5}, audit("krippendorff_alpha_nominal", None)),
    )
    assert found["votes"][1] == "by 1 annotator, and by others without a name"
