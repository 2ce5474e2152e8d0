"""What MkDocs asks of this project while it makes the site (`hooks` of mkdocs.yml).

Pages that no one writes by hand are added, links to files beside docs/ become their paths, and the
index of the search learns to find Korean words inside others.
"""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path
from typing import Any

import command_pages
import interface_page
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = "decisions"
#: A link of Markdown to another file: its words, and its path.
_LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)#\s]+)(?:#[^)]*)?\)")
#: A row of words.md: the Korean words, and the page without its ending.
_WORD = re.compile(r"^\| (.*[가-힣].*?) \|.*\]\((.*)\.md\) \|$", re.MULTILINE)


def on_config(config: Any) -> Any:
    """Put the generated pages and the decisions in their places of the navigation."""
    lists = {
        "COMMANDS": [f"{command_pages.FOLDER}/{name}" for name in command_pages.pages()],
        "DECISIONS": [f"{DECISIONS}/index.md", *_decisions()],
    }
    config.nav = _filled(config.nav, lists)
    return config


def _filled(nav: Any, lists: dict[str, list[str]]) -> Any:
    if isinstance(nav, list):
        return [_filled(item, lists) for item in nav]
    if isinstance(nav, dict):
        return {title: _filled(item, lists) for title, item in nav.items()}
    return lists.get(nav, nav)


def _decisions() -> list[str]:
    folder = ROOT / "docs" / DECISIONS
    return [f"{DECISIONS}/{path.name}" for path in sorted(folder.glob("[0-9]*.md"))]


def on_files(files: Files, *, config: Any) -> Files:
    """Add the pages that are made from the code."""
    made = {f"{command_pages.FOLDER}/{name}": text for name, text in command_pages.pages().items()}
    made[interface_page.PATH] = interface_page.page()
    made[f"{DECISIONS}/index.md"] = _list_of_decisions()
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def _list_of_decisions() -> str:
    lines = []
    for path in _decisions():
        title = (ROOT / "docs" / path).read_text("utf-8").partition("\n")[0].removeprefix("# ")
        lines.append(f"| [{title}]({posixpath.basename(path)}) |")
    return (
        "\n".join(
            ("# Decisions", "", "Why the design is as it is.", "", "| decision |", "|---|", *lines)
        )
        + "\n"
    )


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Put the path of a file that is not part of the site in place of a link to it."""

    def shown(match: re.Match[str]) -> str:
        words, target = match.groups()
        place = posixpath.normpath(
            posixpath.join("docs", posixpath.dirname(page.file.src_uri), target)
        )
        if place.startswith("docs/"):
            return match[0]
        plain = words.strip("`")
        return f"`{place}`" if plain.strip("/") == place.strip("/") else f"{words} (`{place}`)"

    return _LINK.sub(shown, markdown)


def on_post_build(*, config: Any) -> None:
    """Let the search find Korean words: inside others, and the pages that say them in English."""
    site = Path(config.site_dir)
    own = Path(__file__).with_name("korean_search.js").read_text("utf-8")
    (worker,) = site.glob("assets/javascripts/workers/search.*.min.js")
    worker.write_text(own + worker.read_text("utf-8"), "utf-8")
    path = site / "search" / "search_index.json"
    index = json.loads(path.read_text("utf-8"))
    words = _korean_words()
    for entry in index["docs"]:
        if own_words := words.get(entry["location"]):
            entry["text"] += f"<p>한국어: {', '.join(own_words)}</p>"
    path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), "utf-8")


def _korean_words() -> dict[str, list[str]]:
    """Return the Korean words of words.md by the page that they lead to."""
    words: dict[str, list[str]] = {}
    for korean, page in _WORD.findall((ROOT / "docs" / "words.md").read_text("utf-8")):
        words.setdefault(f"{page}.html", []).append(korean)
    return words
