from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from official_files import NER, column, golds, saved

from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.tasks.ner.official import TYPES, mark_entities, read, spans_of, tags, write


def test_the_types_are_those_of_the_spec() -> None:
    assert set(TYPES) == set(load_spec("ner").ids())


def test_tags_become_spans(tmp_path: Path) -> None:
    found = read(saved(tmp_path, NER))
    assert column(found, "items", "fields") == [{"text": "한빛 삼# 뒤"}, {"text": "온강"}]
    assert golds(found) == [
        [{"start": 0, "end": 2, "label": "OG"}, {"start": 3, "end": 4, "label": "QT"}],
        [{"start": 0, "end": 1, "label": "PS"}, {"start": 1, "end": 2, "label": "LC"}],
    ]
    assert column(found, "items", "source") == ["wikitree", "nsmc"]
    assert found.votes.num_rows == 0


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("빛\tI-OG", "빛\tI-PS", "official.bio@1"),
        ("한\tB-OG", "한\tO", "official.bio@1"),
        ("한\tB-OG", "한\tB-XX", "official.label@1"),
        ("한\tB-OG", "한\tb-og", "official.label@1"),
        ("한\tB-OG", "한빛\tB-OG", "official.form@1"),
        ("한\tB-OG", "한", "official.form@1"),
        ("한\tB-OG", "한\tB-OG\t1\t2\t3", "official.form@1"),
        ("## klue-ner-v1_dev_00001-nsmc\t<온:PS><강:LC>\n", "", "official.form@1"),
        ("뒤\tO\n\n## klue", "뒤\tO\n\n## klue-ner-v1_dev_7-nsmc\tx\n\n## klue", "official.form@1"),
    ],
)
def test_wrong_tags_leave_the_sentence_out(old: str, new: str, rule: str, tmp_path: Path) -> None:
    assert old in NER
    found = read(saved(tmp_path, NER.replace(old, new)))
    assert [problem.rule for problem in found.problems] == [rule]
    assert 1 <= found.items.num_rows <= 2


def test_a_problem_names_the_line(tmp_path: Path) -> None:
    found = read(saved(tmp_path, NER.replace("빛\tI-OG", "빛\tI-PS")))
    assert NER.split("\n")[7] == "빛\tI-OG"
    assert found.problems[0].reason.startswith("line 8: I-PS")
    assert found.problems[0].line == 6  # where the sentence begins


def test_marks_that_tell_another_story_are_kept(tmp_path: Path) -> None:
    odd = NER.replace("<한빛:OG> <삼:QT>", "<<한빛:OG> 삼:QT>")
    found = read(saved(tmp_path, odd))
    assert [problem.rule for problem in found.problems] == ["official.kept.marks@1"]
    assert golds(found) == golds(read(saved(tmp_path, NER)))
    write(found, tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text("utf-8") == odd


def test_windows_line_ends_and_a_missing_last_one_are_kept(tmp_path: Path) -> None:
    text = NER.rstrip("\n").replace("\n", "\r\n")
    found = read(saved(tmp_path, text))
    assert found.items == read(saved(tmp_path, NER)).items
    write(found, tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_bytes() == text.encode()


def test_a_file_without_sentences_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no sentence in it"):
        read(saved(tmp_path, "한\tB-OG\n빛\tI-OG\n"))


_TAGS = st.lists(st.sampled_from(["O", "B-PS", "I-PS", "B-OG"]), min_size=1, max_size=8)


@given(_TAGS)
def test_spans_and_tags_are_inverse(given_: list[str]) -> None:
    good = all(
        t != "I-PS" or b.endswith("PS") for b, t in zip(["O", *given_], given_, strict=False)
    )
    if good:
        assert tags(len(given_), spans_of(given_)) == given_


def test_entities_of_the_release(data_dir: Path) -> None:
    """Counted another way: B- tags by `grep`, and the marks in the lines before sentences."""
    path = data_dir / "klue" / "klue-ner-v1.1_dev.tsv"
    found, text = read(path), path.read_text("utf-8")
    counts = Counter(span["label"] for spans in golds(found) for span in spans)
    assert counts == Counter(re.findall(r"\tB-([A-Z]{2})\n", text))
    assert found.items.num_rows == 5000 and sum(counts.values()) == 14257
    fields = column(found, "items", "fields")
    lines = re.findall(r"^## klue\S+\t(.*)$", text, re.M)
    assert [mark_entities(f["text"], s) for f, s in zip(fields, golds(found), strict=True)] == lines
