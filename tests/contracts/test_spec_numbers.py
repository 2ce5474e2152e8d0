"""The specs of NER, DP, MRC and DST in detail, against tables of the KLUE paper and its data."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from pipeline.contracts.spec import Slot, load_spec

NER, DP, MRC, DST = (load_spec(task) for task in ("ner", "dp", "mrc", "dst"))

#: Table 12, in its order.
SYNTAX = ("NP", "VP", "AP", "VNP", "DP", "IP", "X", "L", "R")
FUNCTION = ("SBJ", "OBJ", "MOD", "AJT", "CMP", "CNJ")

#: The 45 tags of the Sejong corpus.
SEJONG = {
    *("NNG", "NNP", "NNB", "NP", "NR", "VV", "VA", "VX", "VCP", "VCN", "MM", "MAG", "MAJ", "IC"),
    *("JKS", "JKC", "JKG", "JKO", "JKB", "JKV", "JKQ", "JX", "JC", "EP", "EF", "EC", "ETN", "ETM"),
    *("XPN", "XSN", "XSV", "XSA", "XR", "SF", "SP", "SS", "SE", "SO", "SL", "SH", "SW", "SN"),
    *("NF", "NV", "NA"),
}

#: Table 23 with its marks: ? required, * boolean, + booking-related, # requestable after booking.
INFORMABLE = {
    "Hotel": "name, type?, area?, price range?, book day+, book stay+, book people+, walkability*, "
    "parking*, internet*, breakfast*, smoking*, fitness*, swimming pool*, spa*",
    "Restaurant": "name, type?, area?, price range?, book day+, book time+, book people+, "
    "alcohol*, walkability*, parking*, internet*, smoking*, outdoor table*",
    "Attraction": "name, type?, area?, walkability*, parking*, heritage*, educational*, scenic*, "
    "cultural*",
    "Taxi": "leave at?, departure?, arrive by, destination?, type",
    "Metro": "leave at, departure?, destination?",
}
REQUESTABLE = {
    "Hotel": "rating, nearby station, minutes walk from station, address, phone number, "
    "business hour, reference number#",
    "Restaurant": "rating, nearby station, minutes walk from station, address, phone number, "
    "business hour, last order time, representative menu, reference number#",
    "Attraction": "rating, nearby station, minutes walk from station, address, phone number, "
    "business hour, entrance fee",
    "Taxi": "phone number, cost, duration",
    "Metro": "departure line, destination line, arrive by, cost, duration, transfer, optimal path",
}
KOREAN = {
    "숙소": "Hotel",
    "식당": "Restaurant",
    "관광": "Attraction",
    "택시": "Taxi",
    "지하철": "Metro",
}


def _marks(slot: Slot) -> str:
    domain, name = slot.title.en.split(" ", 1)
    assert KOREAN[slot.id.split("-", 1)[0]] == domain
    flags = zip(
        "?*+#", (slot.required, slot.boolean, slot.booking, slot.after_booking), strict=True
    )
    return name + "".join(mark for mark, on in flags if on)


@pytest.mark.parametrize(("informable", "table"), [(True, INFORMABLE), (False, REQUESTABLE)])
def test_slots_and_marks_are_those_of_table_23(informable: bool, table: dict[str, str]) -> None:
    for korean, domain in KOREAN.items():
        mine = [
            _marks(slot)
            for slot in DST.slots
            if slot.informable is informable and slot.id.startswith(f"{korean}-")
        ]
        assert sorted(mine) == sorted(table[domain].split(", "))


def test_slots_are_counted_as_in_the_paper() -> None:
    # Section 3.8.1: 20 boolean slots. Table 25: an instance of the knowledge base has all slots but
    # the booking-related ones; it has one more than Table 23 for restaurants and for attractions.
    assert sum(slot.boolean for slot in DST.slots) == 20
    assert sum(slot.informable for slot in DST.slots) == 45
    instance = Counter(KOREAN[slot.id.split("-", 1)[0]] for slot in DST.slots if not slot.booking)
    assert instance == {"Hotel": 19, "Restaurant": 19, "Attraction": 16, "Taxi": 8, "Metro": 10}


def test_closed_slots_list_what_the_official_ontology_lists(data_dir: Path) -> None:
    official = json.loads((data_dir / "klue" / "wos-ontology.json").read_text("utf-8"))
    closed = {slot.id: slot for slot in DST.slots if slot.values}
    for name, slot in closed.items():
        assert set(slot.values) == set(official[name]) - {"none"}, name
    assert len(closed) == 45 - 11  # three names, four times, two departures, two destinations


def test_no_value_list_names_places_or_times() -> None:
    for slot in DST.slots:
        is_open = slot.id.endswith(("이름", "시간", "출발지", "도착지")) or not slot.informable
        assert bool(slot.values) is not is_open, slot.id
        assert "dontcare" in slot.values or is_open
        if slot.boolean:
            assert slot.values == ("yes", "no", "dontcare")


def test_official_states_hold_listed_values_only(data_dir: Path) -> None:
    dialogues = json.loads((data_dir / "klue" / "wos-v1.1_dev_first700.json").read_text("utf-8"))
    slots = {slot.id: slot for slot in DST.slots}
    seen = 0
    for state in {s for d in dialogues for turn in d["dialogue"] for s in turn.get("state") or ()}:
        domain, name, value = state.split("-", 2)
        slot = slots[f"{domain}-{name}"]
        assert slot.informable
        assert not slot.values or value in slot.values, state
        seen += 1
    assert seen > 500


def test_syntax_and_function_tags_stand_as_in_table_12() -> None:
    assert DP.ids("syntax") == SYNTAX
    assert DP.ids("function") == FUNCTION


def test_parts_of_speech_are_the_sejong_tags_with_three_adnouns() -> None:
    wanted = SEJONG - {"MM"} | {"MMA", "MMD", "MMN"}
    assert len(SEJONG) == 45
    assert set(DP.ids("pos")) == wanted
    assert len(DP.ids("pos")) == 47


def test_parts_of_speech_stand_before_dependencies() -> None:
    rounds = [(r.id, r.after, r.not_by) for r in DP.rounds]
    assert rounds == [
        ("pos", None, ()),
        ("pos_review", "pos", ("pos",)),
        ("arcs", "pos_review", ()),
        ("arcs_review", "arcs", ("arcs",)),
        ("final_review", "arcs_review", ("pos", "pos_review", "arcs", "arcs_review")),
    ]


def test_rejected_questions_are_written_again() -> None:
    write, inspect, final = MRC.rounds
    assert final.final and not (write.final or inspect.final)
    assert write.attempts > 1
    assert (inspect.after, inspect.attempts) == ("write", 1)


def test_question_types_are_named_as_in_table_18() -> None:
    titles = [label.title.en for label in MRC.labels]
    assert titles == ["Paraphrase", "Multi-sentence reasoning", "Unanswerable"]


@pytest.mark.parametrize(
    ("spec", "total"),
    [(NER, 31008), (DP, 14500), (DST, 10000)],  # Tables 8, 13 and 26
)
def test_sizes_add_up_to_the_printed_totals(spec: object, total: int) -> None:
    numbers = spec.split.numbers  # type: ignore[attr-defined]
    assert numbers.train + numbers.dev + numbers.test == total


def test_counterfactual_goals_add_up_to_table_26() -> None:
    numbers = DST.split.numbers
    assert (numbers.counterfactual_dev, numbers.counterfactual_test) == (294, 361)
    assert 294 + 361 == 655


def test_pilots_can_be_failed_and_passed() -> None:
    for spec in (NER, DP, MRC, DST):
        assert spec.pilot.needed is not None
        assert 0 < spec.pilot.needed < spec.pilot.items


def test_entity_types_stand_as_in_section_3_4() -> None:
    assert NER.ids() == ("PS", "LC", "OG", "DT", "TI", "QT")
