"""What the documentation adds to the pages that people write; the settings of the site."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import command_pages
import hooks
import interface_page
import yaml

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
SETTINGS = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))


def pages_of(nav: Any) -> list[str]:
    """Return the pages of a navigation, in their order."""
    if isinstance(nav, str):
        return [nav]
    return [
        page for part in (nav.values() if isinstance(nav, dict) else nav) for page in pages_of(part)
    ]


def test_the_navigation_lists_every_page_once() -> None:
    listed = pages_of(hooks.on_config(SimpleNamespace(nav=SETTINGS["nav"])).nav)
    generated = [f"{command_pages.FOLDER}/{name}" for name in command_pages.pages()]
    generated += [interface_page.PATH, "decisions/index.md"]
    written = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    assert sorted(listed) == sorted(written + generated)


def test_nothing_comes_from_a_network() -> None:
    assert SETTINGS["theme"]["font"] is False
    assert SETTINGS["extra"]["generator"] is False
    assert not {"analytics", "social"} & SETTINGS["extra"].keys()
    own = [ROOT / "mkdocs.yml", *(ROOT / "tools" / "docs_site").rglob("*.*")]
    for path in own:
        if path.suffix in (".yml", ".js", ".html", ".css"):
            assert "http" not in path.read_text("utf-8"), path
    for path in (DOCS / "img").glob("*.svg"):
        addresses = set(re.findall(r"https?://[^\"' ]+", path.read_text("utf-8")))
        assert addresses <= {"http://www.w3.org/2000/svg"}, path


def test_pictures_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in (DOCS / "img").iterdir()}
    assert min(sizes.values()) > 1000
    assert sum(sizes.values()) < 1_500_000


def test_links_to_files_beside_the_site_become_their_paths() -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="results/models.md"))
    made = hooks.on_page_markdown(
        "[`flows/build.py`](../../flows/build.py), [recipes](../../data), [x](../clean.md#a)",
        page=page,
    )
    assert made == "`flows/build.py`, recipes (`data`), [x](../clean.md#a)"


def test_words_lead_to_pages_that_exist() -> None:
    words = hooks._korean_words()
    rows = (DOCS / "words.md").read_text("utf-8").count("\n| ") - 1
    assert sum(map(len, words.values())) == rows
    assert words["personal-data.html"][0] == "개인정보, 비식별화"
    for page in words:
        assert (DOCS / page).with_suffix(".md").is_file()


def test_decisions_have_numbers_of_their_own() -> None:
    numbers = [path.name[:4] for path in (DOCS / "decisions").glob("*.md")]
    assert sorted(numbers) == sorted(set(numbers))
    listed = hooks._list_of_decisions()
    for path in (DOCS / "decisions").glob("*.md"):
        assert f"[{int(path.name[:4])}. " in listed
