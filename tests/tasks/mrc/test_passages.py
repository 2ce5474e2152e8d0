"""Passages: what they show, which sections make one, and that every section is accounted for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mrc_corpus import Corpus, a_call, article, sentence

from pipeline.contracts.spec import load_spec
from pipeline.core import store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.running import complete
from pipeline.core.stage import Call
from pipeline.tasks.mrc import candidates as passages

SPEC = load_spec("mrc").sampling
assert SPEC is not None
SAMPLING = SPEC.scale(40).model_dump(mode="json", exclude={"returned"})


def _run(
    tmp_path: Path,
    corpus: Corpus,
    *,
    files: int = 1,
    sampling: dict[str, Any] | None = None,
    known: tuple[str, ...] = (),
    share: dict[str, Any] | None = None,
) -> tuple[Call, list[dict[str, Any]], dict[str, tuple[str, str]]]:
    """Return the call, the items (fields parsed) and the refusals by section."""
    params = {
        "seed": 3,
        "sampling": {**SAMPLING, "least_articles": 1, **(sampling or {})},
        "sources": {corpus.source: {"kind": "sentence", "style": "formal"}},
        "share": share,
    }
    folders = corpus.write(tmp_path / "store", files=files)
    call = a_call(tmp_path, folders, params, {"known_texts": list(known)})
    complete(call)
    items = store.read_all(call.folder, "items").to_pylist()
    for item in items:
        item |= {"fields": json.loads(item["fields"]), "meta": json.loads(item["meta"])}
    rows = store.read_all(call.folder, "ledger").to_pylist()
    refused = {r["unit"]: (r["rule"], r["reason"]) for r in rows if r["action"] == "drop"}
    return call, items, refused


def _shown(items: list[dict[str, Any]], section: str) -> str:
    (context,) = {i["fields"]["context"] for i in items if i["meta"]["units"] == [section]}
    return str(context)


def test_a_passage_is_its_section(tmp_path: Path) -> None:
    corpus = Corpus("ked")
    name = corpus.add("a", article(1), category="산업", gap="\n\n")
    call, items, refused = _run(tmp_path, corpus)
    assert _shown(items, name) == corpus.documents[0]["text"]
    assert items[0]["fields"]["title"] == "제목 a"
    assert items[0]["fields"]["question_type"] in (1, 2, 3)
    assert items[0]["meta"]["news_category"] == "산업"
    assert refused == {}
    manifest = store.read_manifest(call.folder)
    assert manifest is not None
    assert (manifest.counts.rows_in, manifest.counts.drawn) == (1, 1)


def test_a_passage_shows_what_cleaning_left(tmp_path: Path) -> None:
    texts = article(1)
    noisy = [*texts[:3], f"{texts[3]} #잔치<br>", *texts[4:]]
    corpus = Corpus("ked")
    name = corpus.add("a", noisy, category="산업", edited={3: texts[3]})
    _, items, _ = _run(tmp_path, corpus)
    assert _shown(items, name) == " ".join(texts)


def test_a_lost_sentence_is_named_and_its_passage_leaves(tmp_path: Path) -> None:
    corpus = Corpus("ked")
    lost = corpus.add("a", article(1), category="산업", dropped={4: "toxicity.hate@1"})
    whole = corpus.add("b", article(2), category="산업")
    _, items, refused = _run(tmp_path, corpus)
    assert [i["meta"]["units"] for i in items] == [[whole]] * len(items)
    rule, reason = refused[lost]
    assert rule == "mrc.lost_sentence@1"
    assert reason == f"lost {corpus.sections[0]['sentences'][4]['id']}"


def test_boilerplate_is_no_loss(tmp_path: Path) -> None:
    texts = article(1)
    signed = [*texts[:5], "(사진=달못일보)", *texts[5:], "솔다온 기자 sol@example.org"]
    corpus = Corpus("ked")
    rules = {5: "news.image@1", len(signed) - 1: "news.reporter@1"}
    name = corpus.add("a", signed, category="산업", dropped=rules)
    _, items, refused = _run(tmp_path, corpus)
    assert refused == {}
    assert _shown(items, name) == " ".join(texts)


def test_text_that_was_never_cut_is_a_loss(tmp_path: Path) -> None:
    corpus = Corpus("ked")
    name = corpus.add("a", article(1), category="산업")
    corpus.sections[0]["sentences"].pop(2)  # a paragraph too long for the segmentation
    corpus.kept.pop(2)
    _, items, refused = _run(tmp_path, corpus)
    assert items == []
    assert refused[name][0] == "mrc.lost_sentence@1"


def test_each_refusal_has_its_rule(tmp_path: Path) -> None:
    corpus = Corpus("ked")
    planted = {
        corpus.add("short", article(1, 3), category="산업"): "mrc.length@1",
        corpus.add("long", article(2, 60), category="산업"): "mrc.length@1",
        corpus.add("vote", article(3), category="정치>국회"): "mrc.political@1",
        corpus.add("rare", article(4), category="바둑"): "mrc.rare_category@1",
        corpus.add(
            "fragments", [s.replace("다.", "음") for s in article(5)], category="산업"
        ): "mrc.prose@1",
        corpus.add(
            "list", [*article(6, 13), *(f"{n}호" for n in range(40))], category="산업", gap="\n"
        ): "mrc.list@1",
    }
    corpus.add("good", article(7), category="산업")
    _, items, refused = _run(tmp_path, corpus, sampling={"least_articles": 2})
    assert {name: rule for name, (rule, _) in refused.items()} == planted
    assert {i["fields"]["title"] for i in items} == {"제목 good"}


def test_known_texts_leave_in_every_published_form(tmp_path: Path) -> None:
    corpus = Corpus("wikipedia")
    names = [corpus.add(f"a{n}", article(n)) for n in range(1, 6)]
    texts = [document["text"] for document in corpus.documents]
    squad = {"data": [{"paragraphs": [{"context": texts[0], "qas": []}]}]}
    flat = [{"title": "t", "context": f"<p>{texts[1]}</p>", "answers": {"text": ["x"]}}]
    forms = {
        "squad.json": json.dumps(squad),
        "flat.json": json.dumps(flat),
        "texts.jsonl": json.dumps({"text": texts[2]}),
        # other spacing and marks, and only the second half of it
        "lines.txt": texts[3][len(texts[3]) // 2 :].replace(" ", "").replace(".", "!"),
    }
    for name, text in forms.items():
        (tmp_path / name).write_text(text, "utf-8")
    _, items, refused = _run(tmp_path, corpus, known=tuple(str(tmp_path / n) for n in forms))
    assert {name: rule for name, (rule, _) in refused.items()} == dict.fromkeys(
        names[:4], "mrc.known@1"
    )
    assert {i["fields"]["title"] for i in items} == {"제목 a5"}


@pytest.mark.parametrize(
    ("name", "text"), [("a.json", "{"), ("a.jsonl", '{"text": "x"}\n['), ("a.json", "[1, 2]")]
)
def test_a_broken_file_of_known_texts_is_named(tmp_path: Path, name: str, text: str) -> None:
    corpus = Corpus("wikipedia")
    corpus.add("a", article(1))
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(InputError, match=name):
        _run(tmp_path, corpus, known=(str(tmp_path / name),))


def test_of_two_alike_one_stays(tmp_path: Path) -> None:
    corpus = Corpus("ked")
    first = corpus.add("a", article(1), category="산업")
    second = corpus.add("b", [*article(1)[:-1], sentence(999)], category="산업")
    _, items, refused = _run(tmp_path, corpus)
    (stays,) = {i["meta"]["units"][0] for i in items}
    (gone,) = {first, second} - {stays}
    assert refused == {gone: ("mrc.near_duplicate@1", f"repeats {stays}")}


@pytest.mark.parametrize(("files", "pool"), [(3, 16_384), (1, 2), (2, 5)])
def test_files_and_pools_make_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int, pool: int
) -> None:
    corpus = Corpus("ked")
    for number in range(12):
        corpus.add(f"a{number}", article(number + 1), category="산업")
    sampling = {"quotas": {"1": 3, "2": 2, "3": 2}, "passages": 6, "shares": {"ked": 1}}
    (tmp_path / "one").mkdir()
    expected = _run(tmp_path / "one", corpus, sampling=sampling)
    monkeypatch.setattr(passages, "FIRST", pool)
    monkeypatch.setattr("pipeline.sampling.inputs.ROWS", 3)
    found = _run(tmp_path / "two", corpus, files=files, sampling=sampling)
    assert found[1:] == expected[1:]
    assert len({i["meta"]["units"][0] for i in found[1]}) == 6
    manifest = store.read_manifest(found[0].folder)
    assert manifest is not None
    assert manifest.counts.undrawn == 6


def test_an_empty_source_is_short(tmp_path: Path) -> None:
    call = a_call(
        tmp_path,
        (),
        {
            "seed": 1,
            "sampling": SAMPLING | {"shares": {"ked": 1}},
            "sources": {"ked": {"kind": "sentence"}},
        },
        {},
    )
    complete(call)
    rows = store.read_all(call.folder, "ledger").to_pylist()
    assert {r["action"] for r in rows} == {"short"}
    assert sum(r["score"] for r in rows if "type" in r["unit"]) == 40


def test_a_share_of_an_absent_source_goes_to_the_others_and_is_told(tmp_path: Path) -> None:
    corpus = Corpus("ked")
    for number in range(8):
        corpus.add(f"a{number}", article(number + 1), category="산업")
    sampling = {
        "quotas": {"1": 4, "2": 2, "3": 4},
        "passages": 8,
        "shares": {"ked": 1, "wikipedia": 3},
    }
    call, items, _ = _run(tmp_path, corpus, sampling=sampling)
    assert len({item["meta"]["units"][0] for item in items}) == 8
    rows = store.read_all(call.folder, "ledger").to_pylist()
    assert [(r["source"], r["action"], r["score"]) for r in rows] == [("wikipedia", "short", 6)]
    assert rows[0]["reason"].startswith("not in this build, left to the others: 6 wanted")


def test_sources_that_the_spec_does_not_name_share_by_what_they_give(tmp_path: Path) -> None:
    corpus = Corpus("blog")
    for number in range(8):
        corpus.add(f"a{number}", article(number + 1), category="산업")
    sampling = {"quotas": {"1": 4, "2": 2, "3": 4}, "passages": 8}
    share = {"key": "shares", "total": 8, "even": False, "kinds": [""]}
    _, items, _ = _run(tmp_path, corpus, sampling=sampling, share=share)
    assert len({item["meta"]["units"][0] for item in items}) == 8
    assert {item["source"] for item in items} == {"blog"}


def test_sentences_of_another_corpus_are_told(tmp_path: Path) -> None:
    corpus = Corpus("ked")
    corpus.add("a", article(1), category="산업")
    corpus.kept.append({**corpus.kept[0], "document": "ked-d0", "id": "ked-s0"})
    with pytest.raises(StoreError, match="run the build again"):
        _run(tmp_path, corpus)
