"""The licence of a release against what the licences of its sources say about adaptations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import InputError
from pipeline.core.licences import LICENCES
from pipeline.release.licence import Verdict, licence_of
from pipeline.release.material import Facts, SourceFacts, TaskFacts

RIGHTS = {"derivatives": True, "redistribution": True, "commercial": True}
#: Licence of a source, and the licence that a release with it alone may be under, by the words of
#: the licence: BY 4.0 3(a), BY-SA 2.0 to 3.0 4(b), BY-SA 4.0 3(b)(1), BY-NC-SA likewise. None: it
#: may not be changed, or not be passed on.
ALONE = {
    "none": "CC-BY-SA-4.0",
    "CC0-1.0": "CC-BY-SA-4.0",
    **dict.fromkeys((f"CC-BY-{v}" for v in ("2.0", "2.5", "3.0", "4.0")), "CC-BY-SA-4.0"),
    **dict.fromkeys((f"CC-BY-SA-{v}" for v in ("2.0", "2.5", "3.0", "4.0")), "CC-BY-SA-4.0"),
    **dict.fromkeys((f"CC-BY-NC-{v}" for v in ("2.0", "2.5", "3.0", "4.0")), "CC-BY-NC-SA-4.0"),
    **dict.fromkeys((f"CC-BY-NC-SA-{v}" for v in ("2.0", "2.5", "3.0", "4.0")), "CC-BY-NC-SA-4.0"),
    **dict.fromkeys((f"CC-BY-ND-{v}" for v in ("2.0", "2.5", "3.0", "4.0")), None),
    **dict.fromkeys((f"CC-BY-NC-ND-{v}" for v in ("2.0", "2.5", "3.0", "4.0")), None),
    **dict.fromkeys(("MIT", "MIT-0", "Apache-2.0", "ISC", "Unlicense"), "CC-BY-SA-4.0"),
    **dict.fromkeys(("BSD-2-Clause", "BSD-3-Clause", "ODC-By-1.0", "PDDL-1.0"), "CC-BY-SA-4.0"),
    "KOGL-1": "CC-BY-SA-4.0",
    "KOGL-2": "CC-BY-NC-SA-4.0",
    "KOGL-3": None,
    "KOGL-4": None,
    "all-rights-reserved": None,
}
USABLE = sorted(name for name, result in ALONE.items() if result)


def _source(name: str, licence: str, kind: str = "licence", **rights: bool) -> SourceFacts:
    kind = "not_protected" if licence == "none" else kind
    return SourceFacts(
        id=name,
        name=name,
        description="",
        licence=licence,
        basis={"kind": kind, **RIGHTS, **rights},
        domain="",
        style="formal",
        ethical_risk="low",
        volume="small",
        contemporary=True,
        address=None,
        timeframe=None,
        snapshot=None,
        tasks=(),
        inputs=(),
        counts={},
    )


def _task(name: str, *sources: str) -> TaskFacts:
    empty: dict[str, Any] = dict.fromkeys(
        ("annotators", "votes", "gold", "unresolved", "removed", "left_out"), 0
    )
    return TaskFacts(
        id=name,
        config=name,
        title={},
        spec="",
        spec_digest="",
        splits={},
        sources=sources,
        labels=(),
        rounds=(),
        split_rule="",
        coefficient="",
        agreement=None,
        **empty,
    )


def _facts(sources: tuple[SourceFacts, ...], *tasks: TaskFacts) -> Facts:
    given = tasks or (_task("sts", *(one.id for one in sources)),)
    return Facts("x", "1.0.0", 1, False, sources, given)


def _verdict(*licences: str) -> Verdict:
    return licence_of(_facts(tuple(_source(f"s{n}", name) for n, name in enumerate(licences))))


def test_the_table_of_expected_results_names_every_licence() -> None:
    assert set(ALONE) == set(LICENCES)


@pytest.mark.parametrize("name", USABLE)
def test_one_source_alone(name: str) -> None:
    found = _verdict(name)
    assert found.id == found.spdx == ALONE[name]
    assert found.restricted is ("NC" in found.id)
    assert found.url == f"https://creativecommons.org/licenses/{found.id[3:-4].lower()}/4.0/"


@pytest.mark.parametrize("name", sorted(set(ALONE) - set(USABLE)))
def test_what_may_not_be_changed_or_passed_on_is_an_error(name: str) -> None:
    with pytest.raises(InputError, match=r"source s1 cannot be in a release: .* does not grant"):
        _verdict("CC-BY-SA-3.0", name)


@given(st.lists(st.sampled_from(USABLE), max_size=6))
def test_combinations(names: list[str]) -> None:
    closed = any(ALONE[name] == "CC-BY-NC-SA-4.0" for name in names)
    open_share_alike = any(name.startswith("CC-BY-SA") for name in names)
    found = _verdict(*names)
    if not closed:
        assert found.spdx == "CC-BY-SA-4.0"
    elif open_share_alike:
        assert (found.id, found.url) == ("mixed", None)
        assert found.spdx == "CC-BY-SA-4.0 AND CC-BY-NC-SA-4.0"
    else:
        assert found.spdx == "CC-BY-NC-SA-4.0"
    assert found.restricted is closed
    assert found == _verdict(*names)
    assert found.spdx == _verdict(*reversed(names)).spdx


def test_the_sources_of_klue_give_the_licence_of_klue() -> None:
    licences = ("none", "CC-BY-SA-3.0", "CC-BY-2.5", "CC-BY-SA-2.0", "KOGL-1", "CC-BY-SA-4.0")
    assert _verdict(*licences, "CC0-1.0", "CC-BY-SA-4.0").id == "CC-BY-SA-4.0"


def test_the_rule_is_told_for_every_source() -> None:
    because = _verdict("CC-BY-SA-2.0", "CC-BY-SA-4.0", "KOGL-1", "none", "CC0-1.0").because
    assert because[0].startswith("annotation: ")
    assert "section 4(b)" in because[1]
    assert "same licence" in because[2]
    assert "asks for attribution" in because[3]
    assert because[4] == "s3: not protected by copyright, adds nothing"
    assert because[5].endswith("adds nothing")


def test_a_contract_may_grant_more_than_the_licence_and_less() -> None:
    reserved = _source("paper", "all-rights-reserved", "contract")
    assert licence_of(_facts((reserved,))).id == "CC-BY-SA-4.0"
    less = _source("paper", "CC-BY-SA-4.0", "contract", commercial=False)
    assert licence_of(_facts((less,))).restricted
    never = _source("paper", "CC-BY-SA-4.0", "contract", redistribution=False)
    with pytest.raises(InputError, match=r"source paper .* redistribution: that it is passed on"):
        licence_of(_facts((never,)))


def test_a_basis_cannot_claim_what_its_licence_does_not_grant() -> None:
    with pytest.raises(InputError, match="derivatives"):
        licence_of(_facts((_source("paper", "CC-BY-ND-4.0", derivatives=True),)))


def test_every_task_has_its_own_verdict_and_texts() -> None:
    sources = (_source("a", "none"), _source("b", "CC-BY-NC-4.0", commercial=False))
    found = licence_of(
        _facts(sources, _task("tc", "a"), _task("sts", "b"), _task("dst", "written"))
    )
    assert {name: one.id for name, one in found.by_task.items()} == {
        "tc": "CC-BY-SA-4.0",
        "sts": "CC-BY-NC-SA-4.0",
        "dst": "CC-BY-SA-4.0",
    }
    assert found.by_task["tc"].texts == ()
    assert found.by_task["sts"].texts == ("CC-BY-NC-4.0",)
    assert found.by_task["dst"].texts == ("CC-BY-SA-4.0",)
    assert found.restricted


def test_a_source_that_gave_no_example_decides_nothing() -> None:
    sources = (_source("a", "CC0-1.0"), _source("b", "all-rights-reserved"))
    assert licence_of(_facts(sources, _task("sts", "a"))).id == "CC-BY-SA-4.0"


@pytest.mark.parametrize(
    ("labels", "sources", "result"),
    [
        ("CC0-1.0", ("none", "CC0-1.0"), "CC0-1.0"),
        ("CC0-1.0", ("MIT",), "CC-BY-4.0"),
        ("CC-BY-4.0", ("CC0-1.0", "KOGL-1"), "CC-BY-4.0"),
        ("MIT", ("CC-BY-SA-3.0",), "CC-BY-SA-4.0"),
        ("CC-BY-4.0", ("CC-BY-NC-3.0",), "CC-BY-NC-4.0"),
        ("CC-BY-4.0", ("CC-BY-NC-SA-3.0",), "CC-BY-NC-SA-4.0"),
        ("CC-BY-SA-4.0", ("CC-BY-NC-4.0",), "CC-BY-NC-SA-4.0"),
        ("CC-BY-NC-4.0", ("CC-BY-4.0",), "CC-BY-NC-4.0"),
        ("KOGL-2", ("CC-BY-NC-4.0",), "KOGL-2"),
        ("CC-BY-4.0", ("CC-BY-SA-4.0", "KOGL-2"), "CC-BY-SA-4.0 AND CC-BY-NC-4.0"),
    ],
)
def test_the_licence_of_the_labels_can_be_chosen(
    labels: str, sources: tuple[str, ...], result: str
) -> None:
    facts = _facts(tuple(_source(f"s{n}", name) for n, name in enumerate(sources)))
    found = licence_of(replace(facts, label_licence=labels))
    assert (found.labels, found.spdx) == (labels, result)
    assert found.because[0].startswith("annotation: labels, and texts that annotators wrote, are")
    assert f" {LICENCES[labels].name}, which the makers of this release chose" in found.because[0]
    assert found.restricted is any(part in result for part in ("NC", "KOGL-2"))


def test_texts_that_annotators_wrote_are_under_the_licence_of_the_labels() -> None:
    facts = _facts((), _task("dst", "written"))
    assert licence_of(replace(facts, label_licence="CC-BY-4.0")).texts == ("CC-BY-4.0",)
    assert licence_of(replace(facts, label_licence="CC0-1.0")).texts == ()


def test_labels_without_commercial_use_do_not_go_with_open_share_alike() -> None:
    facts = _facts((_source("a", "CC0-1.0"), _source("b", "CC-BY-SA-3.0")))
    with pytest.raises(InputError, match=r"labels under CC BY-NC 4.0 .* texts of b \(CC BY-SA 3.0"):
        licence_of(replace(facts, label_licence="CC-BY-NC-4.0"))


def test_unknown_licences_and_sources_are_errors() -> None:
    odd = replace(_source("a", "CC0-1.0"), licence="CC-BY-SA")
    with pytest.raises(InputError, match="source a: unknown licence"):
        licence_of(_facts((odd,)))
    with pytest.raises(InputError, match="examples are from zeta, of which no licence"):
        licence_of(_facts((), _task("sts", "zeta", "written")))
