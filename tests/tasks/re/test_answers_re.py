from __future__ import annotations

from small_specs import labels, named, round_, rule_of, spec

from pipeline.tasks.re.task import TASK

SPEC = spec(
    "re",
    [round_("label"), round_("verdict", "check", after="main")],
    labels=[
        *labels("no_relation", "org:founded"),
        {
            "id": "per:title",
            "title": {"ko": "직함", "en": "title"},
            "subject": "PER",
            "objects": ["POH"],
        },
    ],
)
ORGANISATION = {
    "sentence": "한빛상사는 서울에 있다.",
    "subject": {"start": 0, "end": 4, "word": "한빛상사", "type": "ORG"},
    "object": {"start": 6, "end": 8, "word": "서울", "type": "LOC"},
}


def test_types_offer_relations_and_never_forbid_them() -> None:
    assert TASK.parse("per:title", ORGANISATION, SPEC, named(SPEC)) == "per:title"


def test_a_relation_of_no_spec_is_refused() -> None:
    assert rule_of(TASK, "org:founded_in", ORGANISATION, SPEC) == "vote.label@1"
    assert rule_of(TASK, ["org:founded"], ORGANISATION, SPEC) == "vote.label@1"


def test_a_verdict_holds_a_relation() -> None:
    good = {"verdict": "revise", "answer": "org:founded"}
    assert TASK.parse(good, ORGANISATION, SPEC, named(SPEC, "check")) == good
    assert rule_of(TASK, good | {"answer": "x"}, ORGANISATION, SPEC, "check") == "vote.label@1"


def test_relations_are_compared_by_name() -> None:
    assert TASK.view("no_relation") == "no_relation"
    assert TASK.compare("no_relation", "org:founded") == {"equal": 0.0}
