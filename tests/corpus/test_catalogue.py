"""The shipped catalogue against the paper, and the rules that any catalogue must keep."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.core.errors import InputError, SpecError
from pipeline.core.licences import LICENCES
from pipeline.corpus.catalogue import CATALOGUE, Catalogue, Timeframe, load_catalogue

#: Table 2 of the paper, in its order: licence, domain, style, ethical risks, volume, contemporary.
TABLE_2 = {
    "yna": ("N/A", "News (Headline)", "Formal", "Low", "Large", "o"),
    "judgments": ("N/A", "Law", "Formal", "Low", "Large", "o"),
    "assembly_minutes": ("N/A", "Politics", "Colloquial", "Medium", "Large", "o"),
    "patents": ("N/A", "Patent", "Formal", "Low", "Large", "o"),
    "wikipedia": ("CC BY-SA 3.0", "Wikipedia", "Formal", "Low", "Large", "o"),
    "wikibooks": ("CC BY-SA 3.0", "Book", "Formal", "Low", "Medium", "x"),
    "wikisource": ("CC BY-SA 3.0", "Law, Book", "Formal", "Low", "Medium", "x"),
    "wikinews": ("CC BY 2.5", "News", "Formal", "Low", "Small", "o"),
    "wikitree": ("CC BY-SA 2.0", "News", "Formal", "Medium", "Large", "o"),
    "librewiki": ("CC BY-SA 3.0", "Wiki", "Formal", "Medium", "Large", "o"),
    "zetawiki": ("CC BY-SA 3.0", "Wiki", "Formal", "Medium", "Large", "o"),
    "policy": ("KOGL Type 1", "News", "Formal", "Low", "Medium", "o"),
    "nikl_dictionary": ("CC BY-SA 2.0", "Dictionary", "Formal", "Low", "Large", "o"),
    "open_dictionary": ("CC BY-SA 2.0", "Dictionary", "Formal", "Low", "Large", "o"),
    "parakqc": ("CC BY-SA 4.0", "Smart Home Utterances", "Colloquial", "Low", "Medium", "o"),
    "airbnb": ("CC0 1.0", "Review", "Colloquial", "Medium", "Large", "o"),
    "nsmc": ("CC0 1.0", "Review", "Colloquial", "Medium", "Large", "o"),
    "naver_entertainment": ("CC BY-SA 4.0", "Review", "Colloquial", "High", "Large", "o"),
    "acrofan": ("CC BY-SA 4.0", "News", "Formal", "Low", "Large", "o"),
    "ked": ("CC BY-SA 4.0", "News", "Formal", "Low", "Large", "o"),
}

#: Section 2.4: what each task is built from.
SECTION_2_4 = {
    "tc": {"yna"},
    "sts": {"airbnb", "policy", "parakqc"},
    "nli": {"wikitree", "policy", "wikinews", "wikipedia", "nsmc", "airbnb"},
    "ner": {"wikitree", "nsmc"},
    "re": {"wikipedia", "wikitree", "policy"},
    "dp": {"wikitree", "airbnb"},
    "mrc": {"wikipedia", "ked", "acrofan"},
}

#: The list of Section 1.1, "Source Corpora Collection".
TEN = {
    "yna", "wikipedia", "wikinews", "wikitree", "policy", "parakqc", "airbnb", "nsmc", "ked",
    "acrofan",
}  # fmt: skip

AS_PRINTED = {"none": "N/A", "KOGL-1": "KOGL Type 1"}

OWN: dict[str, Any] = {
    "name": "Village Gazette",
    "description": "A paper of an invented village.",
    "licence": "CC-BY-4.0",
    "basis": {
        "kind": "licence",
        "derivatives": True,
        "redistribution": True,
        "commercial": True,
        "attribution": "The Village Gazette",
    },
    "domain": "News",
    "style": "formal",
    "ethical_risk": "low",
    "volume": "small",
    "contemporary": True,
    "selected": True,
    "address": "https://gazette.example",
    "how_to_get": "Ask the editor.",
    "reader": "news_jsonl",
    "units": [{"kind": "sentence", "tasks": ["nli"]}],
    "tasks": ["nli"],
}


@pytest.fixture(scope="module")
def shipped() -> Catalogue:
    return load_catalogue()


def own(**changes: Any) -> dict[str, Any]:
    """Return the invented source with some keys changed; `basis__x` changes a key of the basis."""
    entry = deepcopy(OWN)
    for key, value in changes.items():
        outer, _, inner = key.partition("__")
        if inner:
            entry[outer][inner] = value
        else:
            entry[key] = value
    return entry


def write(tmp_path: Path, **sources: dict[str, Any]) -> Path:
    path = tmp_path / "catalogue.yaml"
    path.write_text(yaml.safe_dump({"version": 1, "sources": sources}, sort_keys=False), "utf-8")
    return path


def fault(tmp_path: Path, entry: dict[str, Any]) -> str:
    with pytest.raises(SpecError) as caught:
        load_catalogue(write(tmp_path, gazette=entry))
    return str(caught.value)


def test_shipped_catalogue_has_every_cell_of_table_2(shipped: Catalogue) -> None:
    printed = {
        name: (
            AS_PRINTED.get(source.licence, LICENCES[source.licence].name),
            source.domain,
            source.style.capitalize(),
            source.ethical_risk.capitalize(),
            source.volume.capitalize(),
            "o" if source.contemporary else "x",
        )
        for name, source in shipped.sources.items()
    }
    assert printed == TABLE_2


def test_shipped_catalogue_selects_the_ten_corpora(shipped: Catalogue) -> None:
    assert set(shipped.selection()) == TEN


@pytest.mark.parametrize("task", SECTION_2_4)
def test_tasks_are_fed_as_section_2_4_says(shipped: Catalogue, task: Any) -> None:
    assert set(shipped.feeding(task)) == SECTION_2_4[task]


def test_nothing_feeds_dialogues(shipped: Catalogue) -> None:
    assert {task for source in shipped.sources.values() for task in source.tasks} == set(
        SECTION_2_4
    )


def test_rights_follow_the_caption_of_table_2(shipped: Catalogue) -> None:
    kinds = {name: source.basis.kind for name, source in shipped.sources.items()}
    free = {name for name, kind in kinds.items() if kind == "not_protected"}
    assert free == {"yna", "judgments", "assembly_minutes", "patents"}
    contracts = {name for name, kind in kinds.items() if kind == "contract"}
    assert contracts == {"acrofan", "ked"}
    assert {shipped.source(name).basis.only_tasks for name in contracts} == {("mrc",)}
    articles = {name: shipped.source(name).basis.article for name in free}
    assert articles["judgments"] == "Article 7, subparagraph 3"
    assert articles["assembly_minutes"] == articles["patents"] == "Article 24-2"


def test_timeframes_follow_section_2_2(shipped: Catalogue) -> None:
    frames = {
        name: (source.timeframe.from_, source.timeframe.to)
        for name, source in shipped.sources.items()
        if source.timeframe
    }
    assert frames == {
        "yna": (date(2016, 1, 1), date(2020, 12, 31)),
        "wikitree": (date(2016, 1, 1), date(2020, 12, 31)),
        "policy": (None, date(2020, 12, 31)),
        "acrofan": (date(2020, 12, 1), date(2021, 1, 31)),
        "ked": (date(2013, 1, 1), date(2015, 12, 31)),
    }
    snapshots = {n: s.snapshot for n, s in shipped.sources.items() if s.snapshot}
    assert snapshots == {"wikipedia": date(2020, 12, 1)}


def test_detectors_are_off_where_section_2_3_says(shipped: Catalogue) -> None:
    off = {name for name, source in shipped.selection().items() if source.toxicity is None}
    assert off == {"yna", "acrofan", "ked"}
    pairs = {
        (s.toxicity.gender_bias, s.toxicity.hate) for s in shipped.sources.values() if s.toxicity
    }
    assert pairs == {(0.5, 0.9)}


@pytest.mark.parametrize("name", ["yna", "acrofan", "ked"])
def test_no_catalogue_can_turn_detectors_on_there(tmp_path: Path, name: str) -> None:
    entry = own(toxicity={"gender_bias": 0.5, "hate": 0.9})
    with pytest.raises(SpecError, match=f"{name} may not have toxicity thresholds"):
        load_catalogue(write(tmp_path, **{name: entry}))


def test_news_rules_run_on_news_only(shipped: Catalogue) -> None:
    news = {name for name, source in shipped.selection().items() if "news" in source.cleaning}
    assert news == {"yna", "wikinews", "wikitree", "policy", "acrofan", "ked"}
    assert all("noise" in source.cleaning for source in shipped.selection().values())


def test_nsmc_is_whole_for_ner_and_sentences_for_nli(shipped: Catalogue) -> None:
    units = {unit.kind: unit.tasks for unit in shipped.source("nsmc").units}
    assert units == {"whole": ("ner",), "sentence": ("nli",)}


def test_wikitree_is_kept_from_topics_and_reading(shipped: Catalogue) -> None:
    forbidden = shipped.source("wikitree").forbidden
    assert set(forbidden) == {"tc", "mrc"}
    assert all("2.2.1" in why for why in forbidden.values())


def test_unselected_comments_can_still_be_built(shipped: Catalogue) -> None:
    buildable = {name for name, source in shipped.sources.items() if source.buildable}
    assert buildable == TEN | {"naver_entertainment"}


def test_shipped_file_is_the_default() -> None:
    assert CATALOGUE.name == "catalogue.yaml"
    assert load_catalogue(CATALOGUE) == load_catalogue()


def test_unknown_source_names_near_ones(shipped: Catalogue) -> None:
    with pytest.raises(InputError, match="wikitree"):
        shipped.source("wikitre")
    with pytest.raises(InputError, match="known: yna, judgments"):
        shipped.source("qqqqqq")


def test_own_source_is_read(tmp_path: Path) -> None:
    found = load_catalogue(write(tmp_path, gazette=OWN))
    assert found.feeding("nli") == ("gazette",)
    assert found.source("gazette").forbidden == {}


def test_the_ten_corpora_say_where_they_are_and_how_to_get_them(shipped: Catalogue) -> None:
    for source in shipped.selection().values():
        assert source.address
        assert source.units
        assert source.tasks
        assert source.download or source.how_to_get


@pytest.mark.parametrize("licence", ["MIT", "Apache-2.0", "CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0"])
def test_name_licence_reader_and_tasks_are_enough(tmp_path: Path, licence: str) -> None:
    entry = {"name": "Mine", "licence": licence, "reader": "jsonl", "tasks": ["tc", "ner", "mrc"]}
    source = load_catalogue(write(tmp_path, mine=entry)).source("mine")
    assert source.basis.lacks() == ()
    assert source.basis.attribution == "Mine"
    assert {unit.kind: unit.tasks for unit in source.units} == {
        "whole": ("tc",),
        "sentence": ("ner",),
    }
    assert source.passages == ("mrc",)
    assert {source.domain, source.style, source.volume, source.ethical_risk} == {"unknown"}


def test_tasks_follow_from_units(tmp_path: Path) -> None:
    units = [{"kind": "sentence", "tasks": ["nli"]}, {"kind": "whole", "tasks": ["ner"]}]
    entry = {"name": "Mine", "licence": "MIT", "reader": "jsonl", "units": units}
    source = load_catalogue(write(tmp_path, mine=entry)).source("mine")
    assert source.tasks == ("nli", "ner")


def test_private_text_needs_no_licence_and_claims_no_right(tmp_path: Path) -> None:
    entry = {"name": "Mine", "private": True, "reader": "text", "tasks": ["nli"]}
    source = load_catalogue(write(tmp_path, mine=entry)).source("mine")
    assert source.licence == "all-rights-reserved"
    assert source.basis.lacks() == ("derivatives", "redistribution", "commercial")
    assert source.selected
    entry["licence"] = "CC-BY-NC-4.0"
    assert load_catalogue(write(tmp_path, mine=entry)).source("mine").private


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "sources.gazette.licence: missing"),
        ({"licence": "none"}, "sources.gazette.basis: missing"),
        ({"licence": "CC-BY-NC-4.0"}, "set private: true"),
        ({"licence": "Elsewhere-1.0"}, "`private: true` in its place"),
        ({"licence": ["MIT"]}, "sources.gazette.licence"),
        ({"licence": "MIT", "tasks": ["nli", {}]}, "sources.gazette.tasks.1"),
        ({"licence": "MIT", "units": 3}, "sources.gazette.units: must be a list"),
        ({"licence": "MIT", "private": "yes"}, "sources.gazette.private"),
    ],
)
def test_a_short_entry_is_checked(tmp_path: Path, changes: dict[str, Any], told: str) -> None:
    entry = {"name": "Mine", "reader": "jsonl", "tasks": ["nli"], **changes}
    assert told in fault(tmp_path, entry)


@pytest.mark.parametrize("right", ["derivatives", "redistribution", "commercial"])
def test_selecting_without_a_right_is_an_error(tmp_path: Path, right: str) -> None:
    message = fault(tmp_path, own(**{f"basis__{right}": False}))
    assert "sources.gazette" in message
    assert f"does not allow {right} " in message


def test_unselected_source_may_lack_rights(tmp_path: Path) -> None:
    entry = own(
        licence="all-rights-reserved",
        basis__derivatives=False,
        basis__redistribution=False,
        basis__commercial=False,
        selected=False,
        tasks=[],
        units=[{"kind": "sentence", "tasks": []}],
    )
    source = load_catalogue(write(tmp_path, gazette=entry)).source("gazette")
    assert source.basis.lacks() == ("derivatives", "redistribution", "commercial")
    assert source.buildable


def test_all_missing_rights_are_named_at_once(tmp_path: Path) -> None:
    message = fault(tmp_path, own(basis__derivatives=False, basis__commercial=False))
    assert "does not allow derivatives, commercial " in message


RULES = {
    "not selected, feeds a task": (own(selected=False), "is not selected, but feeds nli"),
    "licence grants less": (own(licence="CC-BY-NC-4.0"), "claims commercial"),
    "misspelt licence": (own(licence="CC-BY-SA-4"), "CC-BY-SA-4.0"),
    "free text as licence": (own(licence="none"), "does not go with licence none"),
    "no attribution": (own(basis__attribution=None), "asks for attribution"),
    "contract without note": (own(basis__kind="contract"), "needs a note"),
    "not protected without note": (
        own(licence="none", basis__kind="not_protected"),
        "kind not_protected needs a note",
    ),
    "beyond the contract": (
        own(basis__kind="contract", basis__note="By letter.", basis__only_tasks=["mrc"]),
        "feeds nli, but its basis covers mrc only",
    ),
    "task without units": (own(tasks=["nli", "re"]), "differ in re"),
    "units without task": (own(tasks=[]), "differ in nli"),
    "task in two forms": (
        own(units=[{"kind": "sentence", "tasks": ["nli"]}, {"kind": "whole", "tasks": ["nli"]}]),
        "two forms of unit",
    ),
    "kind twice": (
        own(units=[{"kind": "sentence", "tasks": ["nli"]}, {"kind": "sentence", "tasks": []}]),
        "given twice",
    ),
    "passages alone": (own(units=[], passages=["mrc"], tasks=["mrc"]), "passages need units"),
    "forbidden and fed": (own(forbidden={"nli": "Too short."}), "feeds nli, which forbidden"),
    "dialogues": (own(tasks=["nli", "dst"]), "tasks.1"),
    "no reader": (own(reader=None), "has no reader"),
    "unknown reader": (own(reader="excel"), "sources.gazette.reader"),
    "timeframe backwards": (
        own(timeframe={"from": date(2020, 1, 2), "to": date(2020, 1, 1)}),
        "from is later than to",
    ),
    "timeframe empty": (own(timeframe={}), "needs from, to or both"),
    "date as text": (own(timeframe={"to": "2020-01-01"}), "timeframe.to"),
    "score above 1": (own(toxicity={"gender_bias": 50, "hate": 0.9}), "toxicity.gender_bias"),
    "task twice": (own(tasks=["nli", "nli"]), "lists 'nli' twice"),
    "text for a list": (own(tasks="nli"), "must be a list"),
    "text for a truth value": (own(selected="yes"), "sources.gazette.selected"),
    "checksum cut off": (
        own(download={"url": "https://gazette.example/a.csv", "file": "a.csv", "sha256": "00"}),
        "download.sha256",
    ),
    "path as file name": (
        own(download={"url": "https://gazette.example/a.csv", "file": "../a.csv"}),
        "download.file",
    ),
    "address of a file": (
        own(download={"url": "file:///etc/hosts", "file": "hosts"}),
        "download.url",
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_rules(tmp_path: Path, rule: str) -> None:
    entry, expected = RULES[rule]
    assert expected in fault(tmp_path, entry)


def test_unknown_key_is_told_with_file_line_and_key(tmp_path: Path) -> None:
    path = write(tmp_path, gazette=own(colour="red"))
    line = path.read_text("utf-8").splitlines().index("    colour: red") + 1
    with pytest.raises(
        SpecError, match=rf"catalogue\.yaml:{line}: sources\.gazette\.colour: unknown"
    ):
        load_catalogue(path)


def test_faults_of_several_sources_are_told_together(tmp_path: Path) -> None:
    path = write(tmp_path, one=own(tasks=[]), two=own(reader=None))
    with pytest.raises(SpecError) as caught:
        load_catalogue(path)
    first, second = str(caught.value).splitlines()
    assert "sources.one" in first
    assert "sources.two" in second


@pytest.mark.parametrize("name", ["Gazette", "ga-zette", "1st", "ga zette"])
def test_ids_are_plain_names(tmp_path: Path, name: str) -> None:
    with pytest.raises(SpecError, match="sources"):
        load_catalogue(write(tmp_path, **{name: OWN}))


def test_timeframe_is_read_as_dates() -> None:
    frame = Timeframe.model_validate({"from": date(2016, 1, 1), "to": date(2020, 12, 31)})
    assert (frame.from_, frame.to) == (date(2016, 1, 1), date(2020, 12, 31))


def test_licences_say_what_their_letters_say() -> None:
    assert LICENCES["CC-BY-SA-2.0"].share_alike
    assert not LICENCES["CC-BY-2.5"].share_alike
    assert not LICENCES["CC-BY-NC-ND-4.0"].commercial
    assert not LICENCES["CC-BY-NC-ND-4.0"].derivatives
    assert not LICENCES["CC0-1.0"].attribution
    kogl = {
        n: (LICENCES[f"KOGL-{n}"].commercial, LICENCES[f"KOGL-{n}"].derivatives)
        for n in (1, 2, 3, 4)
    }
    assert kogl == {1: (True, True), 2: (False, True), 3: (True, False), 4: (False, False)}
