"""The five corpora of Section 4.1 in the forms in which they are published."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from typing import Any

from material import TEXTS, Corpus, jsonl_bytes

Json = dict[str, Any]


def _texts(name: str) -> list[Any]:
    """Return the texts of one kind."""
    texts: dict[str, list[Any]] = json.loads((TEXTS / "pretraining.json").read_text("utf-8"))
    return texts[name]


def build_modu() -> Corpus:
    """Newspaper, spoken language and messages: one JSON file a collection, each with documents."""
    collections = {
        "NWRW1800000001": [_newspaper(n, item) for n, item in enumerate(_texts("newspaper"), 1)],
        "SDRW1900000001": [_talk(n, item) for n, item in enumerate(_texts("spoken"), 1)],
        "MDRW1900000001": [_messages(n, item) for n, item in enumerate(_texts("messenger"), 1)],
    }
    files = {f"modu/{name}.json": _modu_file(name, docs) for name, docs in collections.items()}
    return Corpus("modu", files, records=sum(map(len, collections.values())))


def _modu_file(name: str, documents: list[Json]) -> bytes:
    for document in documents:
        document["id"] = f"{name}.{document['id']}"
    value = {"id": name, "metadata": {"title": "견본", "category": "견본"}, "document": documents}
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def _newspaper(number: int, item: Json) -> Json:
    forms = [{"id": f"{number}.{n}", "form": form} for n, form in enumerate(item["paragraphs"], 1)]
    names = {key: item[key] for key in ("title", "date", "topic")}
    return {
        "id": str(number),
        "metadata": {**names, "author": "가상 기자", "publisher": "가람일보"},
        "paragraph": forms,
    }


def _talk(number: int, turns: list[list[str]]) -> Json:
    utterances = [
        {"id": f"{number}.{n}", "form": form, "original_form": form, "speaker_id": speaker}
        | {"start": n * 2.0, "end": n * 2.0 + 1.5, "note": ""}
        for n, (speaker, form) in enumerate(turns, 1)
    ]
    return {"id": str(number), "metadata": {"title": "일상 대화"}, "utterance": utterances}


def _messages(number: int, turns: list[list[str]]) -> Json:
    utterances = [
        {"id": f"{number}.{n}", "form": form, "original_form": form, "speaker_id": speaker}
        | {"time": f"20190514 09:{n:02d}"}
        for n, (speaker, form) in enumerate(turns, 1)
    ]
    return {"id": str(number), "metadata": {"title": "메신저 대화"}, "utterance": utterances}


def build_cc100() -> Corpus:
    """Paragraphs a line, and an empty line between documents."""
    documents = _texts("web")
    text = "\n".join("".join(f"{line}\n" for line in lines) for lines in documents)
    return Corpus("cc100", {"cc100/ko.txt": text.encode()}, records=len(documents))


def build_namuwiki() -> Corpus:
    """One list of all pages, on one line."""
    pages = _texts("namuwiki")
    data = json.dumps(pages, ensure_ascii=False, separators=(",", ":")).encode()
    return Corpus("namuwiki", {"namuwiki/namuwiki.json": data}, records=len(pages))


def build_newscrawl() -> Corpus:
    """Articles with a date and the text twice, and shuffled sentences."""
    articles, sentences = _texts("newscrawl"), _texts("newscrawl_sentences")
    lines = "".join(f"{a['date']}\t{_base64(a['text'])}\t{_base64(a['text'])}\n" for a in articles)
    files = {
        "newscrawl/news-docs.ko.gz": gzip.compress(lines.encode(), mtime=0),
        "newscrawl/news.ko.shuffled.txt": "".join(f"{s}\n" for s in sentences).encode(),
    }
    return Corpus("newscrawl", files, records=len(articles) + len(sentences))


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def build_petitions() -> Corpus:
    """One petition a line."""
    rows = _texts("petitions")
    return Corpus("petitions", {"petitions/petitions.jsonl": jsonl_bytes(rows)}, records=len(rows))
