"""Every constraint that the paper states for a split, counted anew on the released files."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

import pytest
from mecab import MeCab
from release_stories import (
    CONFIGS,
    Built,
    Row,
    candidates,
    examples,
    plain,
    private,
    rows,
    sample,
    texts,
)

Splits = dict[str, list[Row]]
#: The sources of NLI in everyday language (Table 7 and Section 3.3.1); the others are formal.
COLLOQUIAL = {"airbnb", "nsmc"}
#: Pairs on one premise.
SET = 3


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return sample(tmp_path_factory)


@pytest.mark.parametrize("task", CONFIGS)
def test_no_text_stands_in_two_splits(built: Built, task: str) -> None:
    found = {
        split: {text for row in rows for text in texts(task, row)}
        for split, rows in examples(built.release, task).items()
    }
    assert all(found.values())
    for left, right in combinations(found, 2):
        assert not found[left] & found[right], (left, right)


@pytest.mark.parametrize("task", CONFIGS)
def test_no_example_stands_in_two_splits(built: Built, task: str) -> None:
    guids = [row["guid"] for rows in examples(built.release, task).values() for row in rows]
    assert len(guids) == len(set(guids)) > 0


def test_tc_is_parted_by_date(built: Built) -> None:
    """Headlines from 2020 on, and older ones with words that train lacks, are for evaluation."""
    found = examples(built.release, "tc")
    assert all(row["date"] < "2020" for row in found["train"])
    late = sum(row["date"] >= "2020" for name in ("dev", "test") for row in found[name])
    assert late == sum(row["date"] >= "2020" for rows in found.values() for row in rows) > 0
    tagger = MeCab()
    seen = {word for row in found["train"] for word in tagger.nouns(row["title"])}
    early = [r for name in ("dev", "test") for r in found[name] if r["date"] < "2020"]
    assert early
    for row in early:
        assert set(tagger.nouns(row["title"])) - seen, row["guid"]


def test_tc_has_every_topic_in_every_split(built: Built) -> None:
    found = examples(built.release, "tc")
    topics = {name: {row["label"] for row in rows} for name, rows in found.items()}
    assert len(topics["train"]) == 7
    assert topics["train"] == topics["dev"] == topics["test"]
    assert abs(len(found["dev"]) - len(found["test"])) <= 1  # 9,107 each


def test_sts_is_uniform_over_the_bins_and_one_to_two(built: Built) -> None:
    found = examples(built.release, "sts")
    dev, test = (Counter(row["labels"]["label"] for row in found[n]) for n in ("dev", "test"))
    assert abs(2 * dev.total() - test.total()) <= 2
    bins = dev + test
    assert max(bins.values()) <= 2 * math.ceil((dev.total() + test.total()) / 51)
    train = Counter(row["labels"]["label"] for row in found["train"])
    assert max(train.values()) > 3 * max(bins.values())  # Figure 2: train is far from uniform
    for row in (row for part in found.values() for row in part):
        label = row["labels"]
        assert label["binary-label"] == int(label["label"] >= 3)
        assert label["label"] == round(label["label"], 1)


def test_nli_has_sets_of_three_with_three_golds(built: Built) -> None:
    found = examples(built.release, "nli")
    for name in ("dev", "test"):
        sets: dict[str, list[str]] = defaultdict(list)
        for row in found[name]:
            sets[row["premise"]].append(row["label"])
        three = ["contradiction", "entailment", "neutral"]
        assert all(sorted(labels) == three for labels in sets.values())


def test_nli_has_its_styles_and_sources_in_their_shares(built: Built) -> None:
    """60 % formal and 40 % colloquial, equal within a style, to the nearest set of each source."""
    found = examples(built.release, "nli")
    counts = {name: Counter(row["source"] for row in found[name]) for name in ("dev", "test")}
    assert counts["dev"] == counts["test"]
    formal = {n for source, n in counts["dev"].items() if source not in COLLOQUIAL}
    informal = {counts["dev"][source] for source in COLLOQUIAL}
    assert len(formal) == len(informal) == 1
    sets = counts["dev"].total() / SET
    sources = len(counts["dev"])
    assert formal.pop() / SET == pytest.approx(0.6 * sets / (sources - len(COLLOQUIAL)), abs=1)
    assert informal.pop() / SET == pytest.approx(0.4 * sets / len(COLLOQUIAL), abs=1)


def test_nli_takes_from_the_lowest_fifth_of_each_source(built: Built) -> None:
    """The mean distance of each set, from the scores; no set outside a source's lowest fifth."""
    (folder,) = built.work.glob("store/nli/distances-*")
    scores = {
        row["item"]: -sum(row["log_p"]) / 3
        for path in sorted(folder.glob("distances-*.parquet"))
        for row in rows(path)
    }
    gold = rows(private(built.release) / "gold" / "nli.parquet")
    sets: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for row in gold:
        if row["status"] == "gold":
            key = row["source"], row["item"].partition(".")[0]
            sets[key].append((scores[row["item"]], row["label"]))
    assert len(scores) == sum(map(len, sets.values()))
    means: dict[str, list[tuple[float, str]]] = defaultdict(list)
    every = Counter(source for source, _ in sets)
    for (source, premise), pairs in sets.items():
        if len(pairs) == len({label for _, label in pairs}) == 3:
            means[source].append((round(sum(d for d, _ in pairs) / 3, 4), premise))
    found = examples(built.release, "nli")
    for name in ("dev", "test"):
        for row in found[name]:
            ranked = sorted(means[row["source"]])
            limit = ranked[: int(every[row["source"]] / 5)][-1][0]
            mean = next(d for d, p in ranked if p == row["guid"].partition(".")[0])
            assert mean <= limit + 1e-3, row["guid"]


def _shares(found: Splits) -> Iterable[tuple[str, str, float, int]]:
    """Yield split, source, what its share of the whole would be, and what there is."""
    total = sum(map(len, found.values()))
    every = Counter(row["source"] for rows in found.values() for row in rows)
    for name, rows_ in found.items():
        own = Counter(row["source"] for row in rows_)
        for source, count in every.items():
            yield name, source, len(rows_) * count / total, own[source]


@pytest.mark.parametrize("task", ["ner", "dp"])
def test_sources_have_their_shares_in_every_split(built: Built, task: str) -> None:
    for name, source, wanted, count in _shares(examples(built.release, task)):
        assert abs(wanted - count) <= 1.5, (name, source)


def _entities(row: Row) -> Iterator[str]:
    word = ""
    for char, tag in zip([*row["tokens"], ""], [*row["ner_tags"], "O"], strict=True):
        if word and not tag.startswith("I"):
            yield word
            word = ""
        word += char if tag != "O" else ""


def test_ner_tests_on_entities_that_train_lacks(built: Built) -> None:
    found = examples(built.release, "ner")
    words = {name: [w for row in rows for w in _entities(row)] for name, rows in found.items()}
    train = set(words["train"])
    unseen = {n: sum(w not in train for w in words[n]) / len(words[n]) for n in ("dev", "test")}
    assert unseen["test"] > unseen["dev"]


def test_re_tests_on_entities_that_train_lacks(built: Built) -> None:
    found = examples(built.release, "re")
    words = {
        name: {plain(row[key]["word"]) for row in found[name] for key in _SIDES} for name in found
    }
    assert words["test"] and not words["test"] & words["train"]


_SIDES = ("subject_entity", "object_entity")


def test_re_evaluates_on_uniformly_drawn_pairs_only(built: Built) -> None:
    drawn, found = candidates(built, "re"), examples(built.release, "re")
    samplers = {n: {drawn[row["guid"]]["sampler"] for row in found[n]} for n in found}
    assert samplers["dev"] == samplers["test"] == {"uniform"}
    assert samplers["train"] > {"uniform"}


def test_mrc_parts_no_document_and_keeps_the_types(built: Built) -> None:
    found = examples(built.release, "mrc")
    documents = {n: {(row["title"], row["context"]) for row in found[n]} for n in found}
    titles = {n: {title for title, _ in documents[n]} for n in found}
    for left, right in combinations(found, 2):
        assert not documents[left] & documents[right]
        assert not titles[left] & titles[right]
    types = {n: Counter(row["question_type"] for row in found[n]) for n in found}
    every = sum(types.values(), Counter[int]())
    for name, part in (("train", 0.6), ("dev", 0.2), ("test", 0.2)):
        for kind, count in every.items():
            assert abs(types[name][kind] - part * count) <= 1.5, (name, kind)


def test_dst_evaluates_on_goals_that_train_lacks(built: Built) -> None:
    drawn, found = candidates(built, "dst"), examples(built.release, "dst")
    rare = {n: sum(bool(drawn[r["guid"]]["meta"].get("counterfactual")) for r in found[n])
            for n in found}  # fmt: skip
    assert rare["train"] == 0 < rare["dev"] + rare["test"]
    pools = {n: {drawn[row["guid"]]["meta"].get("pool") for row in found[n]} for n in found}
    assert "held_out" not in pools["train"]


def test_gold_left_out_is_in_no_split(built: Built) -> None:
    for task, config in CONFIGS.items():
        ledgers = [built.release, private(built.release)]
        left = {r["unit"] for place in ledgers
                for r in rows(place / "ledger" / config / "split.parquet")}  # fmt: skip
        placed = {r["guid"] for part in examples(built.release, task).values() for r in part}
        gold = rows(private(built.release) / "gold" / f"{config}.parquet")
        assert not left & placed
        assert left | placed == {row["item"] for row in gold if row["status"] == "gold"}, task
