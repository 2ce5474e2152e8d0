"""Candidates of named entities: who is drawn, who is refused and why, and what annotators see."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core import running, schemas, store
from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.core.stage import Call, call
from pipeline.sampling.tagging import registry
from pipeline.sampling.tagging.registry import TYPES, Mention

MODULE = "pipeline.tasks.ner.candidates"
SOURCES = {
    "nsmc": {"kind": "whole", "style": "colloquial"},
    "wikitree": {"kind": "sentence", "style": "formal"},
}


class Finder:
    """Finds every 솔마을; a text with 겹 gets mentions that overlap, are empty, or lie outside."""

    name = "finder"
    digest = "f" * 64
    labels = TYPES

    def tag(self, texts: Sequence[str]) -> list[list[Mention]]:
        return [list(self._found(text)) for text in texts]

    def _found(self, text: str) -> Iterator[Mention]:
        at = text.find("솔마을")
        if at >= 0:
            yield Mention(at, at + 3, "LC", 0.9)
        if "겹" in text:
            yield Mention(at + 1, at + 3, "OG", 0.5)
            yield Mention(0, 2, "PS", 0.4) if at < 0 else Mention(at, at + 2, "PS", 0.3)
        if "빈" in text:
            yield Mention(2, 2, "PS", 1.0)


@pytest.fixture(autouse=True)
def finder(monkeypatch: pytest.MonkeyPatch) -> None:
    registry.load_planned.cache_clear()
    monkeypatch.setattr(registry, "load", lambda _name: Finder())


def make(
    tmp_path: Path,
    texts: Sequence[str],
    *,
    quota: int,
    files: int = 1,
    longest: int = 400,
    **more: Any,
) -> Call:
    """Return a call over whole reviews of nsmc, and over a wikitree that has none."""
    folder = tmp_path / "store" / "all" / f"dedup-{files}"
    folder.mkdir(parents=True, exist_ok=True)
    rows = [_row(n, text, more.get("clusters", {})) for n, text in enumerate(texts)]
    for n in range(files):
        store.write_table(folder, "kept", f"nsmc-{n}", schemas.build("kept", rows[n::files]))
    params = {
        "seed": 7,
        "sampling": {
            "rule": "tagged",
            "longest": longest,
            "quotas": {"nsmc": quota, "wikitree": 3},
        },
        "sources": more.get("sources", SOURCES),
        "tagger": {"name": "finder", "digest": more.get("digest", "f" * 64)},
    }
    made = call(MODULE, work=tmp_path, source="ner", params=params, arguments={"tagger": "crf"})
    # The folder stands for a planned call of the corpus, whose fingerprint is its name.
    return Call(**{**made.__dict__, "inputs": (folder,)})


def _row(n: int, text: str, clusters: dict[int, str]) -> dict[str, Any]:
    name = f"nsmc-w{n:04}"
    place = {"document": "d", "kind": "whole", "ordinal": 0, "start": 0, "end": len(text)}
    return {"id": name, "source": "nsmc", **place, "text": text, "cluster": clusters.get(n, name)}


def run(made: Call) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    running.complete(made)
    items = store.read_all(made.folder, "items").to_pylist()
    return items, store.read_all(made.folder, "ledger").to_pylist()


def test_texts_are_drawn_in_keyed_order_with_their_pre_annotation(tmp_path: Path) -> None:
    texts = [f"{n}번 {'솔마을' if n % 3 else '바다'} 이야기" for n in range(90)]
    made = make(tmp_path, texts, quota=20)
    items, rows = run(made)
    names = [f"nsmc-w{n:04}" for n in range(90)]
    order = sorted(range(90), key=lambda n: (draw(7, "ner", names[n]), names[n]))
    wanted = [n for n in order if n % 3][:20]
    assert [json.loads(item["fields"]) for item in items] == [{"text": texts[n]} for n in wanted]
    last = order.index(wanted[-1])
    refused = [row["unit"] for row in rows if row["rule"] == "ner.no_entity@1"]
    assert refused == [names[n] for n in order[:last] if n % 3 == 0]
    spec = load_spec("ner")
    for item in items:
        meta, fields = json.loads(item["meta"]), json.loads(item["fields"])
        answer = TASKS["ner"].parse(meta["suggestion"], fields, spec, spec.rounds[0])
        assert [fields["text"][s["start"] : s["end"]] for s in answer] == ["솔마을"]
        assert (meta["tagger"], meta["scores"]) == ("finder", [0.9])
        assert (item["source"], item["sampler"]) == ("nsmc", "tagged")
    counts = store.read_manifest(made.folder)
    assert counts is not None
    assert (counts.counts.drawn, counts.counts.undrawn) == (20, 90 - 20 - len(refused))


def test_length_and_clusters(tmp_path: Path) -> None:
    texts = ["솔마을" + "가" * 397, "솔마을" + "가" * 398, "솔마을 하나", "솔마을 둘", "바다"]
    items, rows = run(make(tmp_path, texts, quota=9, clusters={2: "c", 3: "c"}))
    assert len(items) == 2
    found = Counter(row["rule"] for row in rows if row["action"] == "drop")
    assert found == {"ner.length@1": 1, "ner.near_duplicate@1": 1, "ner.no_entity@1": 1}
    [long] = [row for row in rows if row["rule"] == "ner.length@1"]
    assert (long["unit"], long["score"]) == ("nsmc-w0001", 401)
    short = {row["unit"]: row["score"] for row in rows if row["action"] == "short"}
    assert short == {"ner:nsmc:nsmc": 7, "ner:wikitree:wikitree": 3}
    assert not any("솔마을" in row["reason"] for row in rows)


def test_malformed_mentions_are_told_and_the_text_stays(tmp_path: Path) -> None:
    texts = ["겹 솔마을 빈", "바다 빈"]
    items, rows = run(make(tmp_path, texts, quota=9))
    [item] = items
    assert json.loads(item["meta"])["suggestion"] == [{"start": 2, "end": 5, "label": "LC"}]
    edits = {(row["reason"], row["score"]) for row in rows if row["rule"] == "ner.mention@1"}
    assert edits == {
        ("a mention overlaps a better one (left out)", 2.0),
        ("a mention is empty (left out)", 1.0),
    }
    [refused] = [row for row in rows if row["action"] == "drop"]
    assert "1 malformed" in refused["reason"]


def test_files_do_not_matter(tmp_path: Path) -> None:
    texts = [f"{n} 솔마을" for n in range(600)]
    one = run(make(tmp_path / "a", texts, quota=300, files=1))
    assert one == run(make(tmp_path / "b", texts, quota=300, files=7))
    assert len(one[0]) == 300


def test_a_source_that_has_nothing_or_is_not_there(tmp_path: Path) -> None:
    alone = {"nsmc": SOURCES["nsmc"]}
    items, rows = run(make(tmp_path, [], quota=2, sources=alone))
    assert items == []
    assert {row["unit"] for row in rows} == {"ner:nsmc:nsmc", "ner:wikitree:not in this build"}


def test_another_tagger_than_planned_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="changed since the build was planned"):
        run(make(tmp_path, ["솔마을"], quota=2, digest="0" * 64))
