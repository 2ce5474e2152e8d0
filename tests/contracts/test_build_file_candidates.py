"""The section `candidates` of a build file: defaults, and one clear message for each fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.contracts.build_inputs import load_build
from pipeline.core.errors import SpecError

PAPAGO = "translator: {kind: papago, key_variable: PAPAGO_ID, secret_variable: PAPAGO_SECRET"


HEAD = """\
name: mine
seed: 7
catalogue: catalogue.yaml
sources: {nsmc: {inputs: [{path: /raw}]}}
"""


def _load(tmp_path: Path, text: str) -> Any:
    """Return the section `candidates`, which the keys of all tasks make, of a whole build file."""
    path = tmp_path / "build.yaml"
    lines = "".join(f"  {line}\n" for line in text.splitlines())
    path.write_text(f"{HEAD}candidates:\n{lines}" if lines else HEAD, "utf-8")
    return load_build(path).candidates


def test_defaults_are_what_the_paper_does(tmp_path: Path) -> None:
    empty = _load(tmp_path, "")
    assert (empty.translator, empty.tagger, empty.tool) == (None, None, "label-studio")
    assert empty.detectors == ("tagger", "gazetteer", "forms")


def test_a_whole_section(tmp_path: Path) -> None:
    found = _load(
        tmp_path,
        "specs: specs\n"
        "sizes: {sts: 40, dp: 20}\n"
        f"{PAPAGO}, per_second: 2}}\n"
        "knowledge: [{path: kb.tsv, format: tsv}, {path: dump.json.bz2, format: wikidata}]\n"
        "known_texts: [korquad.txt]\n"
        "tool: doccano\n"
        "annotators: [a01, a02]\n",
    )
    assert found.sizes == {"sts": 40, "dp": 20}
    assert found.translator is not None
    assert (found.translator.pivot, found.translator.honorific) == ("en", True)
    assert found.translator.per_second == 2
    assert [k.format for k in found.knowledge] == ["tsv", "wikidata"]
    assert found.annotators == ("a01", "a02")
    dumped = found.model_dump(mode="json")["translator"]
    assert "paths" not in dumped
    assert dumped["key_variable"] == "PAPAGO_ID"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("translator: {kind: papago}", "translator.key_variable: missing"),
        (f"{PAPAGO}, paths: [x]}}", "paths: unknown key; allowed here: honorific, key_variable"),
        (f"{PAPAGO}, url: 'http://translate.example/v1'}}", "must begin with https://"),
        (f"{PAPAGO}, url: 'https://me:word@translate.example'}}", "without a user name"),
        (f"{PAPAGO}, url: translate}}", "with a host"),
        (f"{PAPAGO}, pivot: ko}}", "another language than ko"),
        (f"{PAPAGO}, pivot: English}}", "translator.pivot"),
        (f"{PAPAGO}, per_second: 0}}", "translator.per_second"),
        ("translator: {kind: papago, key_variable: id, secret_variable: X}", "key_variable"),
        ("translator: {kind: seq2seq}", "translator.paths: missing"),
        (
            "translator: {kind: seq2seq, paths: [a, b, c]}",
            "paths: Value should have at most 2 items",
        ),
        (
            "translator: {kind: seq2seq, paths: [a], honorific: true}",
            "honorific: Input should be False",
        ),
        ("translator: {kind: file}", "translator.paths: missing"),
        ("translator: {kind: file, paths: [a], url: 'https://x.example'}", "url: unknown key"),
        ("translator: {kind: google}", "translator: Input tag 'google' found using 'kind'"),
        ("sizes: {sts: 0}", "sizes.sts"),
        ("detectors: []", "detectors"),
        ("detectors: [tagger, oracle]", "detectors.1"),
        ("knowledge: [{path: kb.tsv}]", "knowledge.0.format: missing"),
        ("knowledge: [{path: kb.rdf, format: rdf}]", "'tsv', 'jsonl', 'wikidata' or 'base'"),
        ("annotators: 0", "annotators"),
        ("tool: paper", "tool"),
        ("tagging: crf", "tagging: unknown key; allowed here: annotators, detectors"),
    ],
)
def test_each_fault_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SpecError) as error:
        _load(tmp_path, f"tool: jsonl\n{text}\n" if not text.startswith("tool") else text)
    assert told in str(error.value)
    assert f"build.yaml:{6 if text.startswith('tool') else 7}: candidates." in str(error.value)


def test_a_loopback_address_needs_no_encryption(tmp_path: Path) -> None:
    found = _load(tmp_path, f"{PAPAGO}, url: 'http://127.0.0.1:8080/nmt'}}")
    assert found.translator is not None
    assert found.translator.url == "http://127.0.0.1:8080/nmt"


def test_a_checkpoint_has_its_own_style(tmp_path: Path) -> None:
    found = _load(tmp_path, "translator: {kind: seq2seq, paths: [a], codes: {ko: kor_Hang}}")
    assert found.translator is not None
    assert found.translator.codes == {"ko": "kor_Hang"}
