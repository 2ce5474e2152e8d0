"""The reference of commands: it has what the command line has."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import command_pages
import pytest
import typer
from typer.testing import CliRunner

from flows.cli import app
from pipeline.core import errors

PAGES = command_pages.pages()


def registered(below: typer.Typer, *words: str) -> set[str]:
    """Return the commands that are registered in an application and its groups."""
    found = set()
    for one in below.registered_commands:
        assert one.callback is not None
        found.add(" ".join((*words, one.name or one.callback.__name__)))
    for group in below.registered_groups:
        assert group.typer_instance is not None
        name = group.name if isinstance(group.name, str) else group.typer_instance.info.name
        found |= registered(group.typer_instance, *words, str(name))
    return found


def test_every_command_has_a_section_and_a_line_in_the_list() -> None:
    sections = "\n".join(text for name, text in PAGES.items() if name != "index.md")
    found = re.findall(r"^## klue (.+?) \{", sections, re.MULTILINE)
    assert sorted(found) == sorted(registered(app))
    assert set(re.findall(r"\| \[`klue (.+?)`\]", PAGES["index.md"])) == set(found)


def test_every_link_of_the_list_leads_to_a_section() -> None:
    links = re.findall(r"\]\(([\w-]+\.md)#([\w-]+)\)", PAGES["index.md"])
    assert links
    for page, anchor in links:
        assert f"{{ #{anchor} }}" in PAGES[page]


@pytest.mark.parametrize(
    "words", [("build",), ("audit",), ("store", "gc"), ("leaderboard", "init")]
)
def test_every_option_of_a_help_is_in_its_section(words: tuple[str, ...]) -> None:
    width = {"COLUMNS": "200", "TERM": "dumb"}
    shown = CliRunner().invoke(app, [*words, "--help"], env=width).output
    options = set(re.findall(r"(?<=[│ ])--[a-z][\w-]+", shown)) - {"--help"}
    (one,) = (known for known in command_pages.commands() if known.words == words)
    section = PAGES[one.page].partition(f"#{one.anchor} }}")[2].partition("\n## ")[0]
    assert options
    assert {option for option in options if f"`{option}`" not in section} == set()


def test_a_new_command_is_in_the_reference_with_types_defaults_and_choices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = typer.Typer()

    @made.command(rich_help_panel="Corpus")
    def count(
        path: Annotated[str, typer.Argument(metavar="FILE|DIR", help="What is *counted*.")],
        times: Annotated[int, typer.Option(min=1, help="How often.", envvar="KLUE_TIMES")] = 3,
        kind: Annotated[Literal["many", "few"], typer.Option()] = "few",
        loud: Annotated[bool, typer.Option("--loud/--silent")] = False,
    ) -> None:
        """Count things <b>twice</b>."""

    made.command("other", rich_help_panel="Corpus")(lambda: None)
    monkeypatch.setattr(command_pages, "app", made)
    page = command_pages.pages()["corpus.md"]
    assert "## klue count { #klue-count }" in page
    assert "What is \\*counted\\*." in page
    assert "| `--times` | number, from 1 | `3` | How often. Environment: `KLUE_TIMES`. |" in page
    assert "| `--kind` | many, few | `few` |" in page
    assert "| `--loud` / `--silent` | flag |" in page
    assert r"Count things \<b\>twice\</b\>." in page


def test_exit_codes_are_those_of_the_errors() -> None:
    table = PAGES["index.md"].partition("## Exit codes")[2]
    assert f"| {errors.InputError.code} | `InputError`: An input is missing" in table
    assert f"| {errors.StoreError.code} | `StoreError`" in table
    assert "| 130 |" in table and "| 143 |" in table


def test_a_command_with_an_exit_code_of_its_own_says_so() -> None:
    own: dict[str, Any] = {
        one.title: command_pages._failure(one.command) for one in command_pages.commands()
    }
    assert own["klue sources check"] == 2
    assert own["klue verify"] == 1
    assert "Exit code 2 where what it checks does not hold." in PAGES["corpus.md"]
