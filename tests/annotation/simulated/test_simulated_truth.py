"""The truths of the sample: complete, in form, and about texts that the sample holds."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from simulating import WRITTEN, sample, truth_of

from pipeline.annotation.simulated.truths import ANSWERS, Truths, load_truths
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.contracts.task import answer_form
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.fingerprint import ROOT
from pipeline.core.jsontext import parsed

SAMPLE = ROOT / "data" / "sample"
CORPORA = SAMPLE / "corpora"


def test_files_are_what_the_script_makes(tmp_path: Path) -> None:
    script = SAMPLE / "make_answers.py"
    subprocess.run([sys.executable, script, "--out", tmp_path], check=True, capture_output=True)
    for name in ("tc", "sts", "nli", "re", "translations"):
        made = (tmp_path / f"{name}.jsonl").read_bytes()
        assert made == (ANSWERS / f"{name}.jsonl").read_bytes(), name


@pytest.mark.parametrize("task", WRITTEN)
def test_gold_has_the_form_of_answers(task: str) -> None:
    spec = load_spec(task)
    other = ("verdict", "morphemes", "hypotheses")
    main = next(r for r in spec.rounds if r.answer not in other)
    assert answer_form(spec, main) == main.answer
    for row in sample(task).to_pylist():
        gold = parsed(row["gold"])
        if task == "sts":
            assert 0 <= gold <= 5 and round(gold, 1) == gold
        else:
            TASKS[task].parse(gold, parsed(row["fields"]), spec, main)


def test_every_headline_has_its_topic() -> None:
    truths = load_truths(TASKS["tc"])
    titles = []
    for line in (CORPORA / "yna/headlines.jsonl").read_bytes().split(b"\n"):
        try:
            titles.append(json.loads(line)["title"])
        except (ValueError, KeyError):
            continue
    unknown = {t for t in titles if truths.of({"title": t}).estimated}
    assert len(titles) > 480 and len(unknown) <= len(set(titles)) * 0.03
    for title in unknown:  # what cleaning changes is known as cleaned
        assert any(mark in title for mark in "<&#\u200b\ufffd()■:'"), title


def test_topics_are_judged_not_copied() -> None:
    topics = {
        parsed(row["fields"])["title"]: parsed(row["gold"]) for row in sample("tc").to_pylist()
    }
    assert set(Counter(gold[0] for gold in topics.values())) == set(load_spec("tc").ids())
    assert topics["[날씨] 전국 흐리고 가을비…저녁부터 기온 뚝"] == ["생활문화"]  # section: society
    assert topics["택배 사칭 문자 기승…출처 모를 링크 주의"][0] == "사회"  # section: IT and science


def test_scores_cover_the_scale() -> None:
    scores = [parsed(row["gold"]) for row in sample("sts").to_pylist()]
    assert len(scores) >= 250
    assert all(sum(low <= s <= low + 1 for s in scores) >= 15 for low in range(5))


def test_pairs_to_compare_are_from_the_sample() -> None:
    rows = sample("sts").to_pylist()
    queries = (SAMPLE / "texts/parakqc.txt").read_text("utf-8")
    reviews = (SAMPLE / "texts/airbnb.txt").read_text("utf-8")
    reviews += gzip.decompress((CORPORA / "airbnb/reviews.csv.gz").read_bytes()).decode()
    news = (CORPORA / "policy/policy.csv").read_text("utf-8").replace('""', '"')
    gold = [json.loads(line) for line in (SAMPLE / "gold.jsonl").read_text("utf-8").splitlines()]
    news += "".join(row["after"] or "" for row in gold)
    texts = {"parakqc": queries, "airbnb": reviews, "policy": news}
    for row in rows:
        fields = parsed(row["fields"])
        assert fields["sentence1"] in texts[row["source"]], fields
        if not row["sampler"].endswith("rtt"):
            assert fields["sentence2"] in texts[row["source"]], fields


def _corpora() -> dict[str, str]:
    """Return the texts of the sources of premises and relations, without the markup of a wiki."""
    wiki = "".join(
        p.read_text("utf-8") for p in sorted((SAMPLE / "texts/wikipedia").glob("*.wiki"))
    )
    wiki = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]|'{2,}|<ref[^>]*>.*?</ref>|<[^>]+>", r"\1", wiki)
    names = {"wikitree": "wikitree.jsonl", "policy": "policy.jsonl", "wikinews": "wikinews.csv"}
    names |= {"nsmc": "nsmc.txt", "airbnb": "airbnb.txt"}
    found = {source: (SAMPLE / "texts" / name).read_text("utf-8") for source, name in names.items()}
    return {source: text.replace('\\"', '"') for source, text in found.items()} | {
        "wikipedia": wiki
    }


@pytest.mark.parametrize(("task", "field"), [("nli", "premise"), ("re", "sentence")])
def test_premises_and_sentences_are_from_the_sample(task: str, field: str) -> None:
    texts = _corpora()
    for row in sample(task).to_pylist():
        text = parsed(row["fields"])[field]
        assert text in texts[row["source"]], text


def test_every_premise_has_three_hypotheses() -> None:
    sets: dict[str, Counter[str]] = {}
    sources: Counter[str] = Counter()
    for row in sample("nli").to_pylist():
        fields = parsed(row["fields"])
        sets.setdefault(fields["premise"], Counter())[parsed(row["gold"])] += 1
        sources[row["source"]] += 1
    assert len(sets) >= 60 and len(sources) == 6
    assert all(20 <= len(premise) <= 90 for premise in sets)
    assert all(dict(found) == dict.fromkeys(load_spec("nli").ids(), 1) for found in sets.values())


def test_entities_stand_where_they_say() -> None:
    rows = sample("re").to_pylist()
    labels = Counter(parsed(row["gold"]) for row in rows)
    for row in rows:
        fields = parsed(row["fields"])
        for side in ("subject", "object"):
            entity = fields[side]
            assert fields["sentence"][entity["start"] : entity["end"]] == entity["word"]
        assert fields["subject"]["type"] in ("PER", "ORG")
    assert len(rows) >= 150 and len(labels) == 30
    assert 0.35 <= labels["no_relation"] / len(rows) <= 0.45


def test_known_by_text_whatever_the_blanks() -> None:
    known = truth_of("tc", {"title": " 독일  철도노조 총파업…열차 절반 멈춰 "})
    assert known.answer == ["세계"] and not known.estimated


UNKNOWN = {
    "tc": {"title": "가상 마을 소식"},
    "sts": {"sentence1": "문을 열어 줘", "sentence2": "문 좀 열어 줄래"},
    "nli": {"premise": "비가 온다", "hypothesis": "비가 오지 않는다"},
    "ner": {"text": "처음 보는 문장이다."},
    "re": {
        "sentence": "가온은 섬에 산다.",
        "subject": {"start": 0, "end": 2, "word": "가온", "type": "PER"},
        "object": {"start": 4, "end": 5, "word": "섬", "type": "LOC"},
    },
    "mrc": {"title": "섬", "context": "이 섬은 작다."},
    "dst": {"goal": "조용한 숙소를 찾는다"},
}


@pytest.mark.parametrize("task", sorted(UNKNOWN))
def test_unknown_texts_get_an_estimate_in_form(task: str) -> None:
    found, again = truth_of(task, UNKNOWN[task]), truth_of(task, UNKNOWN[task])
    assert found.estimated and found.answer == again.answer
    if task != "sts":
        spec = load_spec(task)
        TASKS[task].parse(
            found.answer, UNKNOWN[task], spec, spec.rounds[-1 if task == "nli" else 0]
        )


def test_estimates_say_something() -> None:
    alike = {"sentence1": "거실 불을 꺼 줘", "sentence2": "거실 불 좀 꺼 줘"}
    apart = {"sentence1": "거실 불을 꺼 줘", "sentence2": "내일 비가 오니"}
    assert truth_of("sts", alike).answer > 3
    assert truth_of("sts", apart).answer < 1
    assert truth_of("nli", UNKNOWN["nli"]).answer == "contradiction"
    assert truth_of("tc", {"title": "독일 철도노조 총파업에 열차 멈춰"}).answer == ["세계"]


def test_gold_of_the_item_beats_an_estimate_and_truth_beats_both() -> None:
    truths = load_truths(TASKS["tc"])
    assert truths.of(UNKNOWN["tc"], gold=["경제"]).answer == ["경제"]
    assert truths.of({"title": "독일 철도노조 총파업…열차 절반 멈춰"}, gold=["경제"]).answer == [
        "세계"
    ]


def test_truth_without_gold_is_refused() -> None:
    rows = [{**row, "gold": None} for row in sample("tc").to_pylist()[:1]]
    with pytest.raises(InputError, match="no `gold`"):
        Truths("tc", schemas.build("items", rows))


def test_two_questions_about_one_passage_stay_apart() -> None:
    truths = load_truths(TASKS["mrc"])
    for row in sample("mrc").to_pylist():
        found = truths.of(parsed(row["fields"]), item=row["item"]).answer
        assert found["question"] == parsed(row["gold"])["question"]


def test_first_attempts_are_in_form_and_not_the_answer() -> None:
    spec, truths, corrected = load_spec("mrc"), load_truths(TASKS["mrc"]), 0
    for row in sample("mrc").to_pylist():
        fields, meta = parsed(row["fields"]), parsed(row["meta"])
        truth = truths.of(fields, item=row["item"])
        assert (truth.first, truth.feedback) == (meta.get("first"), meta.get("feedback"))
        if truth.first is not None:
            corrected += 1
            TASKS["mrc"].parse(truth.first, fields, spec, spec.rounds[0])
            assert truth.first != truth.answer and truth.feedback
    assert corrected >= 5
