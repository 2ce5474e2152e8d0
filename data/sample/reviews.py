"""Airbnb and NSMC reviews in the formats of their publishers."""

from __future__ import annotations

import gzip
import io
import json
import re
import string
from collections.abc import Sequence
from datetime import datetime

from draws import below, moment, number, pick, rising, shuffled
from material import (
    Corpus,
    Expect,
    Item,
    Plant,
    csv_bytes,
    csv_line,
    planted_items,
    read_lines,
)

MOVIES = 24
Entry = tuple[Item, dict[str, str]]
REVIEW_COLUMNS = ("listing_id", "id", "date", "reviewer_id", "reviewer_name", "comments")
GUESTS = {
    "ko": ("하늬", "도담", "새봄", "은솔", "지안", "라온", "Minseo", "Jiho", "Haru", "Yebin"),
    "en": ("Maddie", "Oscar", "Priya", "Tobias", "Lena"),
    "ja": ("Haruka", "Kenta", "美咲", "Sota", "ひなた"),
    "zh": ("晓雨", "Jiawei", "子涵", "Meiling", "浩然"),
    "fr": ("Amélie", "Bastien", "Noémie", "Lucie", "Rémi"),
}


def _mixed(items: Sequence[Item], purpose: str) -> list[Item]:
    """Keyed order; repetitions of other items come last."""
    late = [item for item in items if item.plant and item.plant.last]
    return shuffled([item for item in items if item not in late], purpose) + late


# Airbnb


def build_airbnb() -> Corpus:
    """Guest reviews in the columns of Inside Airbnb, with reviews in four other languages."""
    corpus, file = Corpus("airbnb"), "airbnb/reviews.csv.gz"
    own = [Item(_broken_line(t, i), kind="ko") for i, t in enumerate(read_lines("airbnb.txt"))]
    items = _mixed(own + _foreign_reviews() + planted_items("airbnb"), "airbnb|order")
    rows: list[Sequence[str]] = [REVIEW_COLUMNS, *_review_rows(items)]
    for index, item in enumerate(items, start=1):
        if item.plant:
            line = csv_line(rows, index)
            key = f"L{line}" if item.fault == "short_row" else rows[index][1]
            corpus.add_gold(item.plant, key, file, line)
    corpus.files[file] = _gzip(csv_bytes(rows))
    corpus.records = len(items)
    return corpus


def _foreign_reviews() -> list[Item]:
    """Reviews that are not Korean: the reader must leave them out."""
    items = []
    for line in read_lines("airbnb_foreign.txt"):
        language, text = line.split("\t")
        expect = Expect(text, "drop", ("read.language@1",), None)
        items.append(Item(text, Plant("airbnb", text, (expect,)), language))
    return items


def _broken_line(text: str, index: int) -> str:
    """Some guests start a new line after their first sentence."""
    return text if below(6, "airbnb|br", index) else re.sub(r"(?<=[.!]) ", "<br/>", text, count=1)


def _review_rows(items: Sequence[Item]) -> list[list[str]]:
    ids = [str(n) for n in rising(len(items), 431_000_000, 90_000, "airbnb|id")]
    homes = [str(n) for n in rising(len(items), 8_100_000, 70_000, "airbnb|listing")]
    rows = []
    for index, item in enumerate(items):
        when = moment(datetime(2015, 3, 1), datetime(2020, 12, 31), "airbnb|date", index)
        name = pick(GUESTS[item.kind], "airbnb|guest", index)
        guest = str(10_000_000 + below(180_000_000, "airbnb|guest_id", index))
        review_id = ids[0] if item.fault == "repeated_id" else ids[index]
        row = [homes[index // 6], review_id, f"{when:%Y-%m-%d}", guest, name, item.text]
        rows.append([*row[:3], item.text] if item.fault == "short_row" else row)
    return rows


def _gzip(data: bytes) -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0) as stream:
        stream.write(data)
    return out.getvalue()


# NSMC


def build_nsmc() -> Corpus:
    """Movie reviews as crawled: a JSON list for each movie, one of them cut off."""
    corpus = Corpus("nsmc")
    lines = (line.split("\t") for line in read_lines("nsmc.txt"))
    items = [Item(text, rating=int(rating)) for rating, text in lines] + planted_items("nsmc")
    cut = [item for item in items if item.fault == "cut_off"]
    whole = _mixed([item for item in items if item not in cut], "nsmc|order")
    movies = [str(n) for n in rising(MOVIES + len(cut), 100_200, 2_900, "nsmc|movie")]
    records = _movie_records(whole, movies)
    for movie in movies[:MOVIES]:
        chosen = [(item, record) for item, record in records if record["movie_id"] == movie]
        _add_movie(corpus, movie, chosen)
    for item, movie in zip(cut, movies[MOVIES:], strict=True):
        _add_cut_movie(corpus, movie, item)
    corpus.records = len(items)
    return corpus


def _movie_records(items: Sequence[Item], movies: Sequence[str]) -> list[Entry]:
    ids = [str(n) for n in rising(len(items), 4_310_000, 21_000, "nsmc|id")]
    found = []
    for index, item in enumerate(items):
        record = _review(item, index, movies[index * MOVIES // len(items)], ids[index])
        if item.fault == "repeated_id":
            record["review_id"] = ids[0]
        if item.fault == "missing_field":
            del record["review"]
        found.append((item, record))
    return found


def _review(item: Item, index: int, movie: str, review_id: str) -> dict[str, str]:
    years = [int(year) for year in re.findall(r"\b(20[01]\d|2020)년", item.text)]
    first = datetime(max([2006, *years]), 9 if years else 1, 1)
    when = moment(first, datetime(2020, 12, 31), "nsmc|date", index)
    letters = string.ascii_lowercase + string.digits
    author = "".join(letters[below(len(letters), f"nsmc|author{i}", index)] for i in range(4))
    return {
        "review": item.text,
        "date": f"{when:%y.%m.%d}",
        "rating": str(item.rating),
        "author": f"{author}****",
        "review_id": review_id,
        "movie_id": movie,
    }


def _add_movie(corpus: Corpus, movie: str, found: list[Entry]) -> None:
    """One movie's file; a gold row's `line` is the number of the review in the list."""
    file = f"nsmc/raw/{movie}.json"
    corpus.files[file] = _pretty([record for _, record in found]).encode("utf-8")
    for place, (item, record) in enumerate(found, start=1):
        if item.plant:
            corpus.add_gold(item.plant, record["review_id"], file, place)


def _add_cut_movie(corpus: Corpus, movie: str, item: Item) -> None:
    file = f"nsmc/raw/{movie}.json"
    assert item.plant is not None
    text = _pretty([_review(item, number("nsmc|cut", 0) % 999, movie, "9990001")])
    corpus.files[file] = text[: text.index('"review_id"')].encode("utf-8")
    corpus.add_gold(item.plant, movie, file, 1)


def _pretty(records: list[dict[str, str]]) -> str:
    return json.dumps(records, ensure_ascii=False, indent=2)
