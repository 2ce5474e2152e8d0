"""A command that lacks its extra says so in one sentence, with the command that installs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.core.extras import install_command

#: What a command of each extra imports, and the command.
COMMANDS = {
    "train": ("transformers", "tokenizer stats votes.csv --tokenizer x"),
    "s3": ("s3fs", "verify s3://bucket/name/1.0.0"),
    "crowd": ("crowdkit", "aggregate votes.csv --level nominal --rule mace"),
    "gamma": ("pygamma_agreement", "audit spans.jsonl --task ner --items items.jsonl --gamma"),
    "reference": ("krippendorff", "audit votes.csv --level nominal --check"),
}
VOTES = "item,annotator,label\n1,a,yes\n1,b,no\n2,a,yes\n2,b,yes\n"
SPANS = "".join(
    f'{{"item": "x", "annotator": "{who}", "round": "tag", "label": [{{"start": 0, "end": {end},'
    ' "label": "PS"}]}\n'
    for who, end in (("a", 2), ("b", 3))
)
PROGRAM = (
    "import sys; module, *words = sys.argv[1:]; sys.modules[module] = None;"
    "sys.argv = ['klue', *words]; from flows.main import main; main()"
)


@pytest.mark.parametrize(
    "extra",
    [
        "crowd",
        *(pytest.param(e, marks=pytest.mark.full) for e in ("train", "s3", "gamma", "reference")),
    ],
)
def test_a_missing_extra_is_told_with_its_command(
    extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("votes.csv").write_text(VOTES, "utf-8")
    Path("spans.jsonl").write_text(SPANS, "utf-8")
    Path("items.jsonl").write_text('{"item": "x", "fields": {"text": "김가람은"}}\n', "utf-8")
    module, words = COMMANDS[extra]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, module, *words.split()], capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.endswith(f" is not installed; install it with: {install_command(extra)}\n")
