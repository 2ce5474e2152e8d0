"""Licence, attribution, datasheet and changelog: complete, plain, the same every time."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pipeline.release.cards import code, link, plain, texts
from pipeline.release.diff import Change, ConfigDifference, Difference, Moved
from pipeline.release.material import Facts, RawFile

#: The fields of a data statement, as Bender and Friedman (2018), Section 5 list them.
FIELDS = (
    "Curation rationale",
    "Language variety",
    "Speaker demographic",
    "Annotator demographic",
    "Speech situation",
    "Text characteristics",
    "Recording quality",
    "Other",
    "Provenance appendix",
)
#: The sections of a datasheet, as Gebru et al. (2021) order them.
PARTS = ("Motivation", "Composition", "Collection", "Preprocessing", "Uses", "Distribution")


#: Marks of templates, values without words, and elements of HTML.
MARKS = re.compile(r"\{[{%]|[%}]\}|\bNone\b|\bTrue\b|\bFalse\b|(?<!\\)<[a-z]")


def datasheet(facts: Facts) -> str:
    return texts(facts)["datasheet.md"]


def changelog(facts: Facts, difference: Difference | None) -> str:
    return texts(facts, difference)["CHANGELOG.md"]


def test_no_mark_of_a_template_is_left(facts: Facts) -> None:
    for path, text in texts(facts).items():
        outside = re.sub(r"```.*?```|^---\n.*?---\n", "", text, flags=re.S)
        assert not MARKS.search(outside), path
        assert "\n\n\n" not in text, path
        assert text.endswith("\n")


def test_the_same_facts_give_the_same_texts(facts: Facts) -> None:
    again = replace(facts, personal=dict(reversed(list(facts.personal.items()))))
    assert texts(facts) == texts(again)


def test_the_datasheet_says_which_sources_have_another_profile(facts: Facts) -> None:
    assert "profile" not in texts(facts)["datasheet.md"]
    first, *others = facts.sources
    told = texts(replace(facts, sources=(replace(first, profile="klue"), *others)))["datasheet.md"]
    assert f"- `{first.id}`: `klue`" in told


def test_every_table_has_as_many_cells_as_its_title(facts: Facts) -> None:
    for path, text in texts(facts).items():
        widths = set()
        for line in [*text.splitlines(), ""]:
            if line.startswith("|"):
                widths.add(len(re.findall(r"(?<!\\)\|", line)))
                continue
            assert len(widths) < 2, path
            widths = set()


def test_whoever_must_be_named_is_named_with_address_and_licence(facts: Facts) -> None:
    told = texts(facts)["ATTRIBUTION.md"]
    for source in facts.sources:
        entry = told.split(f"### {source.name}\n")[1].split("\n#")[0]
        named = str(source.basis["attribution"]) in entry
        assert named is (source.licence not in {"none", "CC0-1.0"})
        assert f"https://{source.id}.example/" in entry
        configs = [task.config for task in facts.tasks if source.id in task.sources]
        assert all(f"`{config}`" in entry for config in configs)
    assert "[CC BY-SA 2.0](https://creativecommons.org/licenses/by-sa/2.0/)" in told
    assert "The Ondol group" in told
    assert "by a contract" in told


def test_the_licence_says_why(facts: Facts) -> None:
    told = texts(facts)["LICENSE.md"]
    assert "**[CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/)**" in told
    assert "section 4(b)" in told
    assert "Restricted" not in told
    assert all(f"| `{task.config}` |" in told for task in facts.tasks)


def test_the_datasheet_answers_every_field(facts: Facts) -> None:
    told = datasheet(facts)
    places = [told.index(f"## {part}") for part in PARTS] + [told.index("## Data statement")]
    assert places == sorted(places)
    statement = told[places[-1] :]
    for before, after in zip(FIELDS, (*FIELDS[1:], None), strict=True):
        answer = statement.split(f"**{before}**\n")[1].split(f"**{after}**\n")[0]
        assert answer.strip()


def test_what_the_facts_tell_is_in_the_datasheet(facts: Facts) -> None:
    told = datasheet(facts)
    for number in ("31", "77", "4,321", "1,100", "0.765", "4,500"):
        assert number in told
    assert "`email`: 31" in told
    assert "20201201" in told


def test_no_path_of_a_machine_is_told(facts: Facts) -> None:
    where = ("/home/dallae/raw/a.csv", "C:\\Users\\dallae\\b.csv", "../corpora/c.csv")
    inputs = tuple(RawFile(file=path, sha256="0" * 64) for path in where)
    told = datasheet(
        replace(facts, sources=(replace(facts.sources[0], inputs=inputs),), tasks=facts.tasks[:1])
    )
    assert "dallae" not in told
    assert all(f"`{name}`" in told for name in ("a.csv", "b.csv", "../corpora/c.csv"))


def test_what_no_fact_tells_is_said_to_be_missing(facts: Facts) -> None:
    gap = "not recorded by this build: "
    whole, bare = datasheet(facts), datasheet(replace(facts, maintainer=None, contact=None))
    assert f"{gap}who funded the work" in whole
    assert f"{gap}age, gender, origin and training of annotators" in whole
    assert f"{gap}an address to write to" in bare
    assert f"{gap}an address to write to" not in whole
    assert bare.count(gap) == whole.count(gap) + 3
    simulated = datasheet(replace(facts, simulated=True))
    assert "Nobody: a program drew votes" in simulated
    assert "training of annotators" not in simulated


def _difference() -> Difference:
    sts = ConfigDifference(
        "sts",
        added={"train": ("sts-c1", "sts-c2"), "test": ("sts-c3",)},
        relabelled={"validation": ("sts-c4",)},
        moved=(Moved("sts-c5", "train", "test"), Moved("sts-c6", "train", "test")),
    )
    others = (
        Change("tasks.sts.spec", "sts@1.0.0", "sts@1.1.0"),
        Change("inputs.ked.licence", None, "CC-BY-SA-4.0"),
        Change("tasks.sts.spec_digest", "a" * 64, "b" * 64),
    )
    return Difference("ondol 1.0.0", "ondol 1.1.0", (sts,), others, ("test was not compared",))


def test_the_changelog_counts_and_lists(facts: Facts) -> None:
    later = replace(
        facts, version="1.1.0", previous="1.0.0", withdrawn=(("nli-c9", "personal_data"),)
    )
    told = changelog(later, _difference())
    assert "| `sts` | 3 | 0 | 1 | 0 | 2 |" in told
    assert "- `sts`: 2 from train to test" in told
    assert "- `tasks.sts.spec`: `sts@1.0.0`, now `sts@1.1.0`" in told
    assert "- `inputs.ked.licence` is new" in told
    assert "- `tasks.sts.spec_digest` changed" in told
    assert "| `nli-c9` | it shows personal data |" in told
    assert "test was not compared" in told


def test_the_changelog_of_a_first_and_of_an_equal_version(facts: Facts) -> None:
    assert "The first version" in changelog(facts, None)
    later = replace(facts, previous="0.9.0")
    assert "follows version 0.9.0" in changelog(later, None)
    assert "Nothing that is public changed." in changelog(
        later, Difference("ondol 0.9.0", "ondol 1.0.0")
    )


def test_long_lists_of_changes_are_cut(facts: Facts) -> None:
    many = tuple(Change(f"stages.{at:03}", at, at + 1) for at in range(60))
    told = changelog(facts, Difference("a 1", "a 2", (), many))
    assert told.count("- `stages.") == 40
    assert "and 20 more" in told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("a|b", r"a\|b"),
        ("a\n\n# b", r"a \# b"),
        ("<img src=x onerror=y>", r"\<img src=x onerror=y\>"),
        ("[x](javascript:y)", r"\[x\](javascript:y)"),
        ("https://a.example/b_c_d", "https://a.example/b_c_d"),
    ],
)
def test_plain(given: str, told: str) -> None:
    assert plain(given) == told


def test_links_lead_to_the_web_only() -> None:
    assert link("x", "https://a.example/b") == "[x](https://a.example/b)"
    assert link("x", "javascript:alert(1)") == link("x", None) == "x"
    assert link("x", "https://a.example/) [y](z") == "x"


def test_code() -> None:
    assert code("a`b") == "``a`b``"
    assert code("a|b") == "`a\\|b`"


@pytest.mark.parametrize("card", ["README.md", "datasheet.md"])
def test_cards_say_what_the_names_of_annotators_are_worth(facts: Facts, card: str) -> None:
    plain_names, keyed = texts(facts)[card], texts(replace(facts, keyed=True))[card]
    assert "can be undone by whoever guesses an annotator's id" in plain_names
    assert "were made with a secret key" in keyed
    assert "can be undone" not in keyed and "secret key" not in plain_names


def test_the_datasheet_says_what_the_raw_corpora_and_the_build_file_give_away(
    facts: Facts,
) -> None:
    told = datasheet(facts)
    assert "whoever holds the raw corpora and the build file can draw the candidates again" in told
    assert "the type of question" in told and "the goal of each dialogue (`wos`)" in told
    without = replace(facts, tasks=tuple(one for one in facts.tasks if one.id == "tc"))
    assert "draw the candidates again" not in datasheet(without)
