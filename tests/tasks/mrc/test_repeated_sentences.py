"""Exact duplicates are no loss to a passage: the real stage drops them, their text comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mrc_corpus import Corpus, a_call, article

from pipeline.contracts.spec import load_spec
from pipeline.core import schemas, stage, store
from pipeline.core.running import complete

SPEC = load_spec("mrc").sampling
assert SPEC is not None
SAMPLING = SPEC.scale(40).model_dump(mode="json", exclude={"returned"})
SHARED = "달못마을 KBS 방송국은 해마다 보리 축제를 연다고 한다."


def _without_duplicates(root: Path, *corpora: Corpus) -> Path:
    """Return the folder of the stage that drops duplicates, run over what these corpora keep."""
    calls = []
    for one in corpora:
        clean = stage.call("pipeline.corpus.cleaning", work=root, source=one.source, raw=("x",))
        rows = [
            {name: row[name] for name in schemas.UNITS.names if name in row} for row in one.kept
        ]
        clean.folder.mkdir(parents=True)
        store.write_table(clean.folder, "units", "0000", schemas.build("units", rows))
        module = "pipeline.corpus.signatures"
        sign = stage.call(module, work=root, source=one.source, inputs=(clean,))
        complete(sign)
        calls += [clean, sign]
    dedup = stage.call(
        "pipeline.corpus.duplicates",
        work=root,
        source="all",
        inputs=tuple(calls),
        params={"threshold": 0.8},
    )
    complete(dedup)
    return dedup.folder


def _drawn(
    root: Path, corpus: Corpus, *beside: Corpus
) -> tuple[dict[str, dict[str, Any]], dict[str, tuple[str, str]]]:
    """Return an item of each drawn section, and the refusals by section."""
    params = {
        "seed": 3,
        "sampling": {**SAMPLING, "least_articles": 1},
        "sources": {corpus.source: {"kind": "sentence", "style": "formal"}},
    }
    _, *folders = corpus.write(root / "corpus")
    made = a_call(root, (_without_duplicates(root, corpus, *beside), *folders), params, {})
    complete(made)
    items = {}
    for row in store.read_all(made.folder, "items").to_pylist():
        item = {name: json.loads(row[name]) for name in ("fields", "meta")}
        items[item["meta"]["units"][0]] = item
    rows = store.read_all(made.folder, "ledger").to_pylist()
    refused = {r["unit"]: (r["rule"], r["reason"]) for r in rows if r["action"] == "drop"}
    return items, refused


def _member(corpus: Corpus, section: int, sentence: int) -> str:
    return str(corpus.sections[section]["sentences"][sentence]["id"])


def test_an_exact_duplicate_gets_its_text_back(tmp_path: Path) -> None:
    corpus = Corpus("ked")
    first = corpus.add("a", [*article(1), SHARED], category="산업")
    lower = SHARED.replace("KBS", "kbs").replace(" ", "  ")
    second = corpus.add("b", [SHARED, *article(2)[:7], lower, *article(2)[7:]], category="산업")
    items, refused = _drawn(tmp_path, corpus)
    assert refused == {}
    assert items[first]["fields"]["context"] == corpus.documents[0]["text"]
    assert "restored" not in items[first]["meta"]
    shown = corpus.documents[1]["text"].replace(lower, SHARED)
    assert items[second]["fields"]["context"] == shown
    assert items[second]["meta"]["restored"] == [_member(corpus, 1, 0), _member(corpus, 1, 8)]


def test_what_another_rule_dropped_is_lost_all_the_same(tmp_path: Path) -> None:
    corpus = Corpus("ked")
    corpus.add("a", [*article(1), SHARED], category="산업")
    name = corpus.add("b", [SHARED, *article(2)], category="산업", dropped={5: "pii.email@1"})
    items, refused = _drawn(tmp_path, corpus)
    assert name not in items
    assert refused == {name: ("mrc.lost_sentence@1", f"lost {_member(corpus, 1, 5)}")}


def test_an_article_that_stands_twice_is_drawn_once(tmp_path: Path) -> None:
    corpus = Corpus("ked")
    names = {corpus.add(key, article(1), category="산업") for key in ("a", "b")}
    items, refused = _drawn(tmp_path, corpus)
    (stays,) = items
    assert refused == {(names - {stays}).pop(): ("mrc.near_duplicate@1", f"repeats {stays}")}


def test_other_sources_have_duplicates_of_their_own(tmp_path: Path) -> None:
    corpus, other = Corpus("ked"), Corpus("acrofan")
    name = corpus.add("a", [SHARED, *article(1)], category="산업")
    other.add("a", [SHARED, *article(2), SHARED], category="산업")
    items, refused = _drawn(tmp_path, corpus, other)
    assert (list(items), refused) == ([name], {})
    assert "restored" not in items[name]["meta"]
