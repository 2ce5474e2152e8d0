"""The map of properties: held to the relations of the spec, to Wikidata's names, and to counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.contracts.spec import load_spec
from pipeline.core.errors import SpecError
from pipeline.tasks.re.knowledge.properties import PROPERTIES, load_properties, plain

SPEC = load_spec("re")
MAP = load_properties(None, SPEC.ids())
#: Relations by Wikidata's own labels of its properties.
WIKIDATA = {
    "P569": "per:date_of_birth",
    "P570": "per:date_of_death",
    "P19": "per:place_of_birth",
    "P20": "per:place_of_death",
    "P551": "per:place_of_residence",
    "P27": "per:origin",
    "P22": "per:parents",
    "P25": "per:parents",
    "P40": "per:children",
    "P3373": "per:siblings",
    "P26": "per:spouse",
    "P106": "per:title",
    "P39": "per:title",
    "P108": "per:employee_of",
    "P69": "per:schools_attended",
    "P112": "org:founded_by",
    "P159": "org:place_of_headquarters",
    "P355": "org:members",
    "P749": "org:member_of",
}


@pytest.mark.parametrize(("name", "relation"), WIKIDATA.items())
def test_properties_of_wikidata_mean_what_they_are_called(name: str, relation: str) -> None:
    subject = "PER" if relation.startswith("per:") else "ORG"
    assert MAP.relation(name, subject=subject, is_swapped=False) == relation


def test_every_relation_but_none_has_a_property() -> None:
    named = {rule.relation for rule in MAP.rules}
    assert named - {None} == set(SPEC.ids()) - {"no_relation"}


def test_inverses_swap_the_types_of_subject_and_object() -> None:
    labels = {label.id: label for label in SPEC.labels}
    for relation, other in MAP.inverses.items():
        assert MAP.inverses[other] == relation
        subject = labels[relation].subject
        assert subject is not None
        assert subject in labels[other].objects
    for rule in MAP.rules:
        if rule.relation and rule.of and not rule.inverse:
            assert labels[rule.relation].subject == rule.of


def test_the_direction_of_a_fact_decides() -> None:
    assert MAP.relation("child", subject="PER", is_swapped=False) == "per:children"
    assert MAP.relation("child", subject="PER", is_swapped=True) == "per:parents"
    assert MAP.relation("author", subject="POH", is_swapped=True) == "per:product"
    assert MAP.relation("author", subject="POH", is_swapped=False) is None
    assert MAP.relation("birthPlace", subject="PER", is_swapped=True) is None


def test_one_parameter_means_what_its_page_is() -> None:
    assert MAP.relation("소속", subject="PER", is_swapped=False) == "per:employee_of"
    assert MAP.relation("소속", subject="ORG", is_swapped=False) == "org:member_of"
    assert MAP.relation("감독", subject="ORG", is_swapped=False) == "org:top_members/employees"
    assert MAP.relation("감독", subject="POH", is_swapped=True) == "per:product"
    assert MAP.relation("없는 이름", subject="PER", is_swapped=False) is None


def test_blanks_case_and_numbers_behind_do_not_matter() -> None:
    assert MAP.rule("Birth_Place", "PER") == MAP.rule("birthPlace", "PER")
    assert MAP.rule("작위2", "PER") == MAP.rule("작위", "PER")
    assert MAP.rule("P6", "ORG") != MAP.rule("P69", "PER")
    assert MAP.rule("P10", "PER") is None


def test_the_longest_word_of_a_qualifier_tells_the_type() -> None:
    assert MAP.type_by_qualifier("2012년 영화") == "POH"
    assert MAP.type_by_qualifier("영화 감독") == "PER"
    assert MAP.type_by_qualifier("1955년") is None
    assert MAP.type_by_qualifier("불명") is None
    assert MAP.type_by("templates", "축구_선수 정보") == "PER"


def test_the_parameters_that_wikipedia_uses_most_are_mapped(data_dir: Path) -> None:
    text = (data_dir / "kb" / "kowiki_infobox_property_stats.txt").read_text("utf-8")
    people = text[text.index("template|틀:인물 정보\n") :].split("\n\n")[0]
    used = {}
    for line in people.split("\n"):
        if line.startswith("p|"):
            name, count = line[2:].rsplit("|", 1)
            used[name] = int(count)
    shown = {"그림", "웹사이트", "그림설명", "경력", "사망원인", "활동기간"}
    common = {name for name, n in used.items() if n >= 400} - shown
    assert len(common) >= 15
    rules = {name: MAP.rule(name, "PER") for name in common}
    assert not {name for name, rule in rules.items() if rule is None or rule.relation is None}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules: []", "missing"),
        ("per:spouze", "no relation of the spec"),
        ("twice", "has two rules"),
    ],
)
def test_a_wrong_map_is_told(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "map.yaml"
    whole = PROPERTIES.read_text("utf-8")
    wrong = {
        "per:spouze": whole.replace(
            'relation: "per:spouse", names', 'relation: "per:spouze", names'
        ),
        "twice": whole.replace("names: [birthDate,", "names: [deathDate,"),
    }
    path.write_text(wrong.get(text, text), "utf-8")
    with pytest.raises(SpecError, match=message) as error:
        load_properties(path, SPEC.ids())
    assert str(path) in str(error.value)
    assert plain("가 나_Da") == "가나da"
