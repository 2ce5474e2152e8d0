"""The answers to ner, dp, mrc and dst that simulated annotators work from."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from pipeline.annotation.intake.items import read_items
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core.jsontext import parsed

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"
MAIN = {"ner": "tag", "dp": "arcs", "mrc": "write", "dst": "dialogue"}
Row = dict[str, Any]


def _rows(task: str) -> list[Row]:
    table, refused = read_items(SAMPLE / "answers" / f"{task}.jsonl", TASKS[task])
    assert refused == []
    rows = table.to_pylist()
    return [
        {**row, **{key: parsed(row[key]) for key in ("fields", "gold", "meta") if row[key]}}
        for row in rows
    ]


NER, DP, MRC, DST = (_rows(task) for task in MAIN)


def _parsed(task: str, answer: Any, fields: Row, round_: str) -> Any:
    spec = load_spec(task)
    found = spec.round(round_)
    assert found is not None
    return TASKS[task].parse(answer, fields, spec, found)


@pytest.mark.parametrize("task", MAIN)
def test_every_answer_has_its_one_form(task: str) -> None:
    for row in _rows(task):
        assert _parsed(task, row["gold"], row["fields"], MAIN[task]) == row["gold"], row["item"]


def test_texts_are_those_of_the_sample() -> None:
    known = _sample_text()
    units = [row["fields"]["text"] for row in NER + DP]
    units += [part for row in MRC for part in _sentences(row["fields"]["context"])]
    assert [unit for unit in units if " ".join(unit.split()) not in known] == []
    assert len({row["fields"]["text"] for row in NER}) == len(NER)
    assert len({row["fields"]["text"] for row in DP}) == len(DP)


def _sample_text() -> str:
    """Return all texts that the sample is made of, wiki links undone, and what cleaning makes."""
    texts = SAMPLE / "texts"
    parts: list[str] = []
    for path in sorted(texts.glob("*.jsonl")):
        parts += [str(json.loads(line).get("body", "")) for line in path.read_text().splitlines()]
    parts += [path.read_text() for path in (texts / "nsmc.txt", texts / "airbnb.txt")]
    for path in sorted((texts / "wikipedia").glob("*.wiki")):
        text = re.sub(r"<ref[^>]*?/>|<ref.*?</ref>", "", path.read_text())
        parts.append(re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]", r"\1", text).replace("'''", ""))
    gold = [json.loads(line) for line in (SAMPLE / "gold.jsonl").read_text().splitlines()]
    parts += [row["after"] for row in gold if row["after"]]
    return " ".join("\n".join(parts).split())


def _sentences(text: str) -> list[str]:
    return [part for part in re.split(r"\n+|(?<=[.?!]) ", text) if part]


# --- ner


def _surface(row: Row, span: Row) -> str:
    return str(row["fields"]["text"][span["start"] : span["end"]])


def test_ner_has_six_types_and_sentences_without_any() -> None:
    assert len(NER) >= 200
    assert 15 <= sum(not row["gold"] for row in NER) <= 25
    assert {row["source"] for row in NER} == {"wikitree", "nsmc"}
    counts = Counter(span["label"] for row in NER for span in row["gold"])
    assert set(counts) == set(load_spec("ner").ids())
    assert min(counts.values()) >= 40


def test_ner_boundaries_keep_to_section_3_of_the_guideline() -> None:
    for row in NER:
        for span in row["gold"]:
            surface = _surface(row, span)
            assert surface == surface.strip(" '\"()<>,."), row["item"]
            ends = r".*( 씨| 양| 군| 의원| 감독| 대표|이상|정도|가량|쯤|께|이후)"
            assert not re.fullmatch(ends, surface), (row["item"], surface)
            if span["label"] == "QT":
                before = row["fields"]["text"][: span["start"]]
                assert not before.endswith(("제", "영하 ", "지난 ")), (row["item"], surface)
            rest = row["fields"]["text"][span["end"] :]
            if span["label"] in ("DT", "TI"):
                assert not re.match(r" ?(동안|간[ 의]|뒤|전[ 에])", rest), (row["item"], surface)


def test_ner_marks_a_name_everywhere_and_by_one_type() -> None:
    types: dict[str, set[str]] = defaultdict(set)
    for row in NER:
        for span in row["gold"]:
            types[_surface(row, span)].add(span["label"])
    several = {name for name, found in types.items() if len(found) > 1}
    assert several == {"청수탕"}  # a bath house that lends its chimney, and a place to bathe
    names = [n for n, found in types.items() if found <= {"PS", "OG"} and len(n) > 2]
    for row in NER:
        for name in names:
            for found in re.finditer(re.escape(name), row["fields"]["text"]):
                inside = [s for s in row["gold"] if s["start"] <= found.start() < s["end"]]
                assert inside, (row["item"], name)


# --- dp


def test_dp_has_formal_and_colloquial_halves() -> None:
    counts = Counter(row["source"] for row in DP)
    assert set(counts) == {"wikitree", "airbnb"}
    assert len(DP) >= 60 and min(counts.values()) >= 0.45 * len(DP)


def test_dp_has_morphemes_of_the_very_words() -> None:
    for row in DP:
        fields, meta = row["fields"], row["meta"]
        assert fields["words"] == fields["text"].split(" ")
        given = {key: meta[key] for key in ("lemmas", "pos")}
        assert _parsed("dp", given, fields, "pos") == given, row["item"]
        for word, lemma in zip(fields["words"], meta["lemmas"], strict=True):
            first = [normalize("NFD", text)[0] for text in (word, lemma)]
            assert first[0] == first[1], (row["item"], word)
            assert (word[-1] in ".!") == (lemma[-1] in ".!"), (row["item"], word)


def test_dp_trees_are_projective() -> None:
    for row in DP:
        heads = row["gold"]["heads"]
        assert heads[-1] == 0
        arcs = [(place, head) for place, head in enumerate(heads, 1) if head]
        crossing = [(a, b) for a in arcs for b in arcs if a[0] < b[0] < a[1] < b[1]]
        assert crossing == [], row["item"]


def test_dp_relations_and_analyses_are_those_of_klue_dp(data_dir: Path) -> None:
    """A relation of a word with these tags must be one that KLUE-DP dev gives such words."""
    seen: Counter[tuple[str, str]] = Counter()
    analyses: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for line in (data_dir / "klue" / "klue-dp-v1.1_dev.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("##"):
            _, word, lemma, pos, _, deprel = line.split("\t")
            seen[_last(pos), deprel] += 1
            analyses[word].add((lemma, pos))
    ours = [
        (word, lemma, pos, deprel)
        for row in DP
        for word, lemma, pos, deprel in zip(
            row["fields"]["words"],
            row["meta"]["lemmas"],
            row["meta"]["pos"],
            row["gold"]["deprels"],
            strict=True,
        )
    ]
    common = [(word, _last(pos), d) for word, _, pos, d in ours if _last(pos) != "SW"]
    assert {one for one in common if seen[one[1:]] < 3} == set()
    shared = [(word, lemma, pos) for word, lemma, pos, _ in ours if word in analyses]
    agreed = sum((lemma, pos) in analyses[word] for word, lemma, pos in shared)
    assert len(shared) > 150 and agreed / len(shared) > 0.9  # the others are homographs


def _last(pos: str) -> str:
    return re.sub(r"(\+S[FP])+$", "", pos).split("+")[-1]


# --- mrc

_ASKING = re.compile("무엇|언제|누구|어디|얼마|몇|며칠|어느|어떤")


def test_mrc_types_have_the_shares_of_the_paper() -> None:
    """Table 16: 42, 27 and 31 % of types 1, 2 and 3; passages longer than 512 characters."""
    counts = Counter(row["gold"]["type"] for row in MRC)
    assert len(MRC) >= 66
    for kind, share in ((1, 0.42), (2, 0.27), (3, 0.31)):
        assert counts[kind] / len(MRC) == pytest.approx(share, abs=0.015)
    contexts = {row["fields"]["context"] for row in MRC}
    assert sum(512 < len(context) < 2048 for context in contexts) >= 25
    assert {row["source"] for row in MRC} == {"wikipedia", "ked", "acrofan"}


def test_mrc_questions_of_type_1_share_less_than_half_of_their_words() -> None:
    for row in (row for row in MRC if row["gold"]["type"] == 1):
        (evidence,) = row["meta"]["evidence"]
        words = re.sub(r"[?',〈〉]", "", row["gold"]["question"]).split()
        words = [word for word in words if not _ASKING.match(word)]
        shared = [word for word in words if word[:2] in evidence]
        assert 2 * len(shared) < len(words), (row["item"], shared)


def test_mrc_answers_stand_in_their_evidence_and_give_no_title_away() -> None:
    for row in MRC:
        gold, context = row["gold"], row["fields"]["context"]
        evidence = row["meta"]["evidence"]
        assert all(one in context for one in evidence)
        assert len(evidence) == (2 if gold["type"] == 2 else 1)
        start = context.index(evidence[0])
        for one in gold["answers"] + gold["plausible_answers"]:
            assert start <= one["start"] < start + len(evidence[0]), row["item"]
            assert one["text"] != row["fields"]["title"]
            assert one["text"] not in gold["question"], row["item"]
        assert gold["question"].endswith("?")
        assert not re.search(r"(^| )(이|그|여기|이곳|그해) ", gold["question"]), row["item"]


def test_mrc_faulty_questions_come_with_feedback_and_a_better_one() -> None:
    faulty = [row for row in MRC if row["meta"].get("fault")]
    assert len({row["meta"]["fault"] for row in faulty}) == len(faulty) == 6
    for row in faulty:
        first = row["meta"]["first"]
        assert _parsed("mrc", first, row["fields"], "write") == first != row["gold"]
        assert row["meta"]["feedback"].endswith(".")
        assert first["type"] == row["gold"]["type"]


# --- dst


def _turns(row: Row) -> list[tuple[str, dict[str, str], str]]:
    """Return each user turn: its text, its state, and all that was said up to it."""
    found, said = [], ""
    for turn in row["gold"]["turns"]:
        said += turn["text"] + " "
        if turn["role"] == "user":
            parts = [one.split("-", 2) for one in turn["state"]]
            state = {f"{domain}-{slot}": value for domain, slot, value in parts}
            found.append((turn["text"], state, said))
    return found


def test_dst_covers_all_slots_and_kinds_of_goal() -> None:
    assert len(DST) >= 24
    slots = {slot for row in DST for _, state, _ in _turns(row) for slot in state}
    assert slots == {slot.id for slot in load_spec("dst").slots if slot.informable}
    assert {len(row["fields"]["domains"]) for row in DST} >= {1, 2, 3}
    assert 5 <= sum(bool((row["meta"] or {}).get("counterfactual")) for row in DST) < len(DST) / 2
    for row in DST:
        final = _turns(row)[-1][1]
        assert {slot.split("-")[0] for slot in final} == set(row["fields"]["domains"])


def test_dst_books_whole_or_not_at_all() -> None:
    for row in DST:
        final = _turns(row)[-1][1]
        for domain, last in (("숙소", "기간"), ("식당", "시간")):
            booked = [f"{domain}-예약 {what}" in final for what in ("요일", "명수", last)]
            assert all(booked) or not any(booked), row["item"]
            assert booked != [True] * 3 or f"{domain}-이름" in final, row["item"]


def test_dst_marks_nothing_before_it_was_said() -> None:
    """No early markup: names and places were spoken, days too unless they refer back."""
    for row in DST:
        for (_, before, _), (text, state, said) in pairwise([("", {}, ""), *_turns(row)]):
            for slot, value in state.items():
                if before.get(slot) == value:
                    continue
                if slot.endswith(("이름", "출발지", "도착지")):
                    assert value in said, (row["item"], slot)
                if slot.endswith("요일") and value not in text:
                    assert re.search(r"날|당일", text), (row["item"], slot)
                if slot.endswith("지역") and value != "dontcare":
                    assert value[3:] in text or re.search("같은 지역|그 동네", text), row["item"]
            for slot in before.keys() - state.keys():
                assert "빼" in text, (row["item"], slot)


def test_dst_names_are_invented(data_dir: Path) -> None:
    ontology = json.loads((data_dir / "klue" / "wos-ontology.json").read_text("utf-8"))
    real = {
        v for slot, vs in ontology.items() if slot.endswith(("이름", "발지", "착지")) for v in vs
    }
    ours = {
        value
        for row in DST
        for _, state, _ in _turns(row)
        for slot, value in state.items()
        if slot.endswith(("이름", "발지", "착지"))
    }
    assert len(ours) > 50 and ours & (real - {"dontcare"}) == set()
