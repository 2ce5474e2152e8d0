"""ParaKQC utterances and YNA headlines in the formats of their publishers."""

from __future__ import annotations

import json
from datetime import datetime

from draws import moment, naver_date, rising
from grammar import Headline, load_sections, make_headlines
from material import (
    TEXTS,
    Corpus,
    Item,
    Plant,
    jsonl_bytes,
    load_plants,
    planted_items,
    read_lines,
)

SECTION_IDS = {"정치": 100, "경제": 101, "사회": 102, "생활문화": 103, "세계": 104, "IT과학": 105}


# ParaKQC


def build_parakqc() -> Corpus:
    """Utterances as published: topic, act, text; CRLF between lines, none after the last."""
    corpus, file = Corpus("parakqc"), "parakqc/paraKQC_v1.txt"
    lines = [line.encode("utf-8") for line in read_lines("parakqc.txt")]
    for plant in load_plants("parakqc"):
        lines.append(_utterance(plant))
        corpus.add_gold(plant, f"L{len(lines)}", file, len(lines))
    corpus.files[file] = b"\r\n".join(lines)
    corpus.records = len(lines)
    return corpus


def _utterance(plant: Plant) -> bytes:
    cells = [str(plant.topic), str(plant.act), plant.text]
    if plant.fault == "short_row":
        cells.pop(0)
    return "\t".join(cells).encode("cp949" if plant.fault == "encoding" else "utf-8")


# YNA


def hand_headlines() -> list[Headline]:
    """The headlines written by hand."""
    lines = (line.split("\t") for line in read_lines("yna_heads.txt"))
    return [Headline(section, title, "hand") for section, title in lines]


def build_yna() -> Corpus:
    """Headlines in order of publication, as a news portal lists them."""
    corpus, file = Corpus("yna"), "yna/headlines.jsonl"
    rows: list[dict[str, object] | str] = []
    found = _dated_headlines()
    aids = rising(len(found), 8_090_000, 9_000, "yna|aid")
    for line, (when, section, item) in enumerate(found, start=1):
        row = _headline_row(when, section, item.text, aids[line - 1])
        key = f"L{line}" if item.fault == "not_json" else str(row["url"])
        rows.append(_damaged(row, item.fault))
        if item.plant:
            corpus.add_gold(item.plant, key, file, line)
    corpus.files[file] = jsonl_bytes(rows)
    corpus.records = len(rows)
    return corpus


def _dated_headlines() -> list[tuple[datetime, str, Item]]:
    hand = hand_headlines()
    heads = hand + make_headlines(load_sections(TEXTS / "yna_grammar.json"), hand)
    pairs = [(head.section, Item(head.title)) for head in heads]
    pairs += [(item.plant.section, item) for item in planted_items("yna") if item.plant]
    dated = []
    for index, (section, item) in enumerate(pairs):
        first, last = datetime(2016, 1, 1), datetime(2020, 12, 31)
        if item.plant and item.plant.last:
            first, last = datetime(2020, 12, 31), datetime(2021, 1, 1)
        dated.append((moment(first, last, "yna|date", index), section, item))
    return sorted(dated, key=lambda entry: (entry[0], entry[2].text))


def _headline_row(when: datetime, section: str, title: str, aid: int) -> dict[str, object]:
    tail = f"oid=001&aid={aid:010d}"
    if section in SECTION_IDS:
        page = f"main/read.nhn?mode=LS2D&mid=shm&sid1={SECTION_IDS[section]}&{tail}"
        url = f"https://news.example.org/{page}"
    else:
        url = f"https://sports.news.example.org/news.nhn?{tail}"
    return {"title": title, "date": naver_date(when), "section": section, "url": url}


def _damaged(row: dict[str, object], fault: str) -> dict[str, object] | str:
    if fault == "not_json":
        return json.dumps(row, ensure_ascii=False)[:-30]
    if fault == "missing_field":
        del row["title"]
    return row
