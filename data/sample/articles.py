"""Wikipedia, Wikinews and four news sources in the formats of their publishers."""

from __future__ import annotations

import bz2
import csv
import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from draws import moment, pick, rising
from material import TEXTS, Corpus, Plant, csv_bytes, csv_line, jsonl_bytes, load_plants, read_lines

COLUMNS = ("title", "body", "date", "section", "url", "id")
REDIRECT = "#넘겨주기 [["
NAMESPACES = {
    -2: "미디어", -1: "특수", 0: "", 1: "토론", 2: "사용자", 3: "사용자토론", 4: "위키백과",
    5: "위키백과토론", 6: "파일", 7: "파일토론", 8: "미디어위키", 9: "미디어위키토론", 10: "틀",
    11: "틀토론", 12: "도움말", 13: "도움말토론", 14: "분류", 15: "분류토론", 100: "들머리",
    101: "들머리토론", 118: "초안", 119: "초안토론", 828: "모듈", 829: "모듈토론",
}  # fmt: skip
TITLES = {
    "redirect": "임소윤",
    "disambiguation": "솔하 (동음이의)",
    "empty": "미기재종",
    "talk": "토론:윤도겸",
    "template": "틀:정치인 정보",
}
LEFT_OUT = {
    "redirect": "read.redirect@1",
    "empty": "read.empty@1",
    "talk": "read.namespace@1",
    "template": "read.namespace@1",
}
EDITORS = ("물오름달", "감자밭지기", "새벽필사", "모래시계77", "Hanolbot")
HEAD = """\
<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://www.mediawiki.org/xml/export-0.10/ \
http://www.mediawiki.org/xml/export-0.10.xsd" version="0.10" xml:lang="ko">
  <siteinfo>
    <sitename>위키백과</sitename>
    <dbname>kowiki</dbname>
    <base>https://ko.wikipedia.org/wiki/위키백과:대문</base>
    <generator>MediaWiki 1.35.0</generator>
    <case>first-letter</case>
    <namespaces>
{namespaces}
    </namespaces>
  </siteinfo>
"""
PAGE = """\
  <page>
    <title>{title}</title>
    <ns>{ns}</ns>
    <id>{id}</id>
{redirect}    <revision>
      <id>{revision}</id>
      <timestamp>{when:%Y-%m-%dT%H:%M:%SZ}</timestamp>
      <contributor>
        <username>{editor}</username>
        <id>{editor_id}</id>
      </contributor>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="{bytes}" xml:space="preserve">{text}</text>
    </revision>
  </page>
"""


# Wikipedia


@dataclass(frozen=True)
class Page:
    """One page of the wiki."""

    title: str
    text: str

    @property
    def namespace(self) -> int:
        """The key of the title's prefix."""
        prefix = self.title.partition(":")[0] if ":" in self.title else ""
        return next((key for key, name in NAMESPACES.items() if name == prefix), 0)


def build_wikipedia() -> Corpus:
    """A dump in the MediaWiki export format 0.10; `line` is the number of the page in it."""
    corpus, file = Corpus("wikipedia"), "wikipedia/kowiki-sample-pages-articles.xml.bz2"
    pages = [_page(path) for path in sorted((TEXTS / "wikipedia").glob("*.wiki"))]
    for plant in load_plants("wikipedia"):
        pages.append(Page(plant.title, plant.text))
        corpus.add_gold(plant, plant.title, file)
    pages += [_page(path) for path in sorted((TEXTS / "wikipedia_other").glob("*.wiki"))]
    rules = {TITLES[stem]: rule for stem, rule in LEFT_OUT.items()}
    for number, page in enumerate(pages, start=1):
        if page.title in rules:
            corpus.add_refused(rules[page.title], page.title, file, number)
    body = "".join(_xml(page, index) for index, page in enumerate(pages))
    dump = f"{HEAD.format(namespaces=_namespaces())}{body}</mediawiki>\n"
    corpus.files[file] = bz2.compress(dump.encode("utf-8"))
    corpus.records = len(pages)
    return corpus


def _page(path: Path) -> Page:
    """The title is the file name after its number, but for a few pages of a special kind."""
    name = path.stem.split("_", 1)[-1]
    return Page(TITLES.get(name, name), path.read_text(encoding="utf-8").rstrip("\n"))


def _namespaces() -> str:
    lines = []
    for key, name in NAMESPACES.items():
        start = f'      <namespace key="{key}" case="first-letter"'
        lines.append(f"{start}>{name}</namespace>" if name else f"{start} />")
    return "\n".join(lines)


def _xml(page: Page, index: int) -> str:
    target = page.text.removeprefix(REDIRECT).partition("]]")[0]
    redirect = f"    <redirect title={quoteattr(target)} />\n"
    editor = pick(EDITORS, "wikipedia|editor", index)
    return PAGE.format(
        title=escape(page.title),
        ns=page.namespace,
        id=rising(index + 1, 2_400_100, 900, "wikipedia|id")[-1],
        redirect=redirect if page.text.startswith(REDIRECT) else "",
        revision=rising(index + 1, 27_500_000, 9_000, "wikipedia|revision")[-1],
        when=moment(datetime(2019, 1, 1), datetime(2020, 12, 1), "wikipedia|date", index),
        editor=editor,
        editor_id=600_100 + EDITORS.index(editor),
        bytes=len(page.text.encode("utf-8")),
        text=escape(page.text),
    )


# Wikinews


def build_wikinews() -> Corpus:
    """Articles as CSV with Korean column names."""
    corpus, file = Corpus("wikinews"), "wikinews/wikinews.csv"
    with (TEXTS / "wikinews.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    for plant in load_plants("wikinews"):
        link = "https://ko.wikinews.org/wiki/" + quote(plant.title.replace(" ", "_"))
        whole = [plant.date, link, plant.title, plant.text]
        short = plant.fault == "short_row"
        rows.append(["2020-10-31", plant.text] if short else whole)
        line = csv_line(rows, len(rows) - 1)
        corpus.add_gold(plant, f"L{line}" if short else plant.title, file, line)
    corpus.files[file] = csv_bytes(rows)
    corpus.records = len(rows) - 1
    return corpus


# Wikitree, policy, KED, Acrofan


def build_wikitree() -> Corpus:
    """One JSON object for each article."""
    return _build_jsonl("wikitree")


def build_ked() -> Corpus:
    """One JSON object for each article."""
    return _build_jsonl("ked")


def build_policy() -> Corpus:
    """Articles as CSV."""
    return _build_csv("policy")


def build_acrofan() -> Corpus:
    """Articles as CSV."""
    return _build_csv("acrofan")


def _build_jsonl(source: str) -> Corpus:
    corpus, file = Corpus(source), f"{source}/{source}.jsonl"
    own, plants = _articles(source), load_plants(source)
    rows: list[dict[str, object] | str] = [_ordered(article) for article in own]
    for plant in plants:
        article = _planted(plant, own[0]["id"])
        broken = plant.fault == "not_json"
        rows.append(json.dumps(article, ensure_ascii=False)[:-40] if broken else _ordered(article))
        key = f"L{len(rows)}" if broken else article["id"]
        corpus.add_gold(plant, key, file, len(rows))
    corpus.files[file] = jsonl_bytes(rows)
    corpus.records = len(rows)
    return corpus


def _build_csv(source: str) -> Corpus:
    corpus, file = Corpus(source), f"{source}/{source}.csv"
    own = _articles(source)
    rows = [list(COLUMNS)] + [[article[name] for name in COLUMNS] for article in own]
    for plant in load_plants(source):
        article = _planted(plant, own[0]["id"])
        row = [article[name] for name in COLUMNS]
        broken = plant.fault == "short_row"
        rows.append(row[:3] if broken else row)
        line = csv_line(rows, len(rows) - 1)
        corpus.add_gold(plant, f"L{line}" if broken else article["id"], file, line)
    corpus.files[file] = csv_bytes(rows)
    corpus.records = len(rows) - 1
    return corpus


def _articles(source: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in read_lines(f"{source}.jsonl")]


def _ordered(article: dict[str, str]) -> dict[str, object]:
    return {name: article[name] for name in ("id", "title", "body", "date", "section", "url")}


def _planted(plant: Plant, first_id: str) -> dict[str, str]:
    """A plant as an article; one without an id is a broken record, or repeats the first id."""
    repeated = plant.fault == "repeated_id"
    key = plant.id or (first_id if repeated else f"{plant.source}-9900")
    return {
        "id": key,
        "title": plant.title or plant.text,
        "body": plant.text,
        "date": plant.date or "2016-11-11",
        "section": plant.section or "사회",
        "url": f"https://news.example.org/{plant.source}/{key[-4:]}",
    }
