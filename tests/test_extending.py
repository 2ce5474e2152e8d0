"""What an extension touches: each is made in a copy of the packages, counted, and then used.

docs/design.md ("Extending it") says which files an extension adds and edits. Every case below adds
new files, inserts lines behind one line of an existing file, and proves in a new process that the
extension works through the same functions as those of the package.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Extension:
    """New files by path, lines inserted behind a line by (path, line), and a proof as a program."""

    proof: str
    files: Mapping[str, str] = field(default_factory=dict)
    edits: Mapping[tuple[str, str], str] = field(default_factory=dict)


READER = Extension(
    files={
        "pipeline/corpus/readers/shouted.py": """
from pipeline.corpus.readers.base import Document, record_reader
from pipeline.corpus.readers.lines import scan_lines


def _document(record, options):
    return Document("", record.data.decode().rstrip("!"), record.file, record.line)


READER = record_reader(scan_lines, _document)
"""
    },
    edits={
        (
            "pipeline/corpus/readers/base.py",
            '        "parquet": f"{_HERE}.rows:PARQUET",',
        ): '        "shouted": f"{_HERE}.shouted:READER",'
    },
    proof="""
from pathlib import Path
from pipeline.corpus.readers.base import READERS, Options
Path("a.txt").write_text("안녕!!\\n반가워!\\n", "utf-8")
reader = READERS["shouted"]
records = reader.scan(Path("a.txt"), Options())
documents = [document for record in records for document in reader.parse(record, Options())]
assert [document.text for document in documents] == ["안녕", "반가워"]
""",
)
RULE = Extension(
    edits={
        ("pipeline/corpus/rules/table.py", "_TABLE: Final = ("): """
    Rule("noise.laugh@1", "edit", "laughter", "ㅋ", lambda text, _: Outcome(text.strip("ㅋ"), ())),
"""
    },
    proof="""
import pyarrow as pa
from pipeline.corpus.cleaning import clean
from pipeline.corpus.rules.table import RULE_SETS
units = pa.table({"id": ["a"], "source": ["toy"], "text": ["재미있다 ㅋㅋㅋ"]})
kept, ledger = clean(units, RULE_SETS["noise"])
assert kept["text"].to_pylist() == ["재미있다"]
assert "noise.laugh@1" in ledger["rule"].to_pylist()
""",
)
COEFFICIENT = Extension(
    edits={
        ("pipeline/agreement/coefficients/chance.py", "KAPPAS: Final[dict[str, Kappa]] = {"): """
    "without_chance": Kappa(lambda votes, _: np.ones(len(votes.patterns))),
"""
    },
    proof="""
from flows.cli import app
from typer.testing import CliRunner
from pathlib import Path
import json
rows = [{"item": i, "annotator": a, "label": v} for a, vs in (("x", "aab"), ("y", "abb"))
        for i, v in zip("123", vs)]
Path("votes.jsonl").write_text("\\n".join(map(json.dumps, rows)), "utf-8")
words = ["audit", "votes.jsonl", "--level", "nominal", "--json"]
done = CliRunner().invoke(app, words)
assert done.exit_code == 0, (done.output, done.exception)
record = json.loads(done.stdout)
assert abs(record["coefficients"]["without_chance"]["value"] - 2 / 3) < 1e-9
""",
)
PERSONAL_DATA = Extension(
    files={
        "pipeline/pii/rules/staff.py": """
from pipeline.pii.rules.rule import HIGH, Rule, Verdict, exact

RULES = (Rule("staff.number@1", "staff", "EMP", exact(r"EMP[0-9]{6}"), lambda _: Verdict(HIGH)),)
"""
    },
    edits={
        ("pipeline/pii/kinds.py", '    "url",'): '    "staff",',
        (
            "pipeline/pii/detect.py",
            "from pipeline.pii.normal import fold",
        ): "from pipeline.pii.rules import staff",
        ("pipeline/pii/detect.py", "    *addresses.RULES,"): "    *staff.RULES,",
        (
            "pipeline/pii/actions.py",
            '    "url": (values.url, forms.url),',
        ): '    "staff": (lambda normal, draw: draw.digits(len(normal)), forms.digits),',
    },
    proof="""
from pathlib import Path
from flows.cli import app
from typer.testing import CliRunner
Path("a.txt").write_text("사번은 EMP123456입니다.\\n", "utf-8")
run = CliRunner().invoke
assert run(app, ["pii", "redact", "a.txt", "--out", "b.txt"]).exit_code == 0
assert Path("b.txt").read_text("utf-8") == "사번은 [staff]입니다.\\n"
assert run(app, ["pii", "pseudonymise", "a.txt", "--out", "c.txt"]).exit_code == 0
text = Path("c.txt").read_text("utf-8")
assert text.startswith("사번은 EMP") and "123456" not in text
""",
)
TOOL = Extension(
    files={
        "pipeline/annotation/exchange/listed.py": """
from pipeline.annotation.exchange.jsonl import read


def write(items, *, spec, round_, folder, assigned=None, shown=None):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "items.txt"
    path.write_text("\\n".join(items["item"].to_pylist()), "utf-8")
    return [path]
"""
    },
    edits={
        (
            "pipeline/annotation/exchange/formats.py",
            '        "jsonl": f"{_HERE}.jsonl",',
        ): '        "listed": f"{_HERE}.listed",',
        ("flows/cli/options.py", '    "jsonl",'): '    "listed",',
    },
    proof="""
import json
from pathlib import Path
from flows.cli import app
from typer.testing import CliRunner
row = {"item": "t1", "source": "yna", "fields": {"title": "시장 열다"}}
Path("items.jsonl").write_text(json.dumps(row), "utf-8")
words = ["export", "tc", "--items", "items.jsonl", "--annotators", "3", "--to", "listed"]
done = CliRunner().invoke(app, [*words, "--out", "out"])
assert done.exit_code == 0, done.output
assert Path("out/items.txt").read_text("utf-8") == "t1"
""",
)
TASK = Extension(
    files={
        "pipeline/tasks/mood/__init__.py": "",
        "pipeline/tasks/mood/task.py": """
from pipeline.contracts.answers import compare_labels, parse_label, same
from pipeline.contracts.task import Task

TASK = Task(
    id="mood",
    config="mood",
    kind="category",
    fields=("text",),
    parse=parse_label,
    view=same,
    compare=compare_labels,
    free=True,
)
""",
        "pipeline/tasks/mood/spec.yaml": """
task: mood
version: 1.0.0
title: {ko: 분위기, en: Mood}
instruction: {ko: 글의 분위기를 고르세요., en: Choose the mood of the text.}
labels:
  - {id: good, title: {ko: 좋음, en: Good}}
  - {id: bad, title: {ko: 나쁨, en: Bad}}
rounds:
  - id: main
    role: annotator
    per_item: 3
    question: {ko: "분위기는 어떤가요?", en: "Which mood?"}
    answer: label
pilot: {rule: correct, items: 10, needed: 7}
reports: [{id: hate, title: {ko: 혐오 표현, en: Hate speech}}]
sampling: {quotas: {nsmc: 60}}
aggregation:
  rule: majority
  roles: [annotator]
  minimum: 3
  needed: 2
  otherwise: expert
agreement: {coefficient: krippendorff_alpha, level: nominal}
split: {rule: stratified, numbers: {train: 8, dev: 1, test: 1}}
""",
        "pipeline/tasks/mood/guideline.ko.md": "# 지침\n",
        "pipeline/tasks/mood/guideline.en.md": "# Guideline\n",
    },
    edits={
        (
            "pipeline/tasks/__init__.py",
            '    "tc": "pipeline.tasks.tc",',
        ): '    "mood": "pipeline.tasks.mood",'
    },
    proof="""
import json, os, subprocess, sys
from pathlib import Path
root = os.environ["PYTHONPATH"]
Path("build.yaml").write_text(f'''
name: mood
seed: 1
catalogue: {root}/data/catalogue.yaml
tasks: [mood]
sources: {{nsmc: {{inputs: [{{path: {root}/data/sample/corpora/nsmc/raw}}]}}}}
annotation: {{mode: simulated}}
''', "utf-8")
words = ["build", "build.yaml", "--work", "work", "--releases", "releases", "--json"]
done = subprocess.run([sys.executable, "-m", "flows.cli", *words], capture_output=True, text=True)
assert done.returncode == 0, done.stderr
manifest = json.loads(Path("releases/mood/1.0.0/manifest.json").read_text("utf-8"))
assert sum(manifest["tasks"]["mood"]["splits"].values()) > 50, manifest["tasks"]
""",
)
#: Extension, and how many files of the project it edits, as docs/design.md says.
CASES = {
    "task": (TASK, 1),
    "reader": (READER, 1),
    "rule": (RULE, 1),
    "coefficient": (COEFFICIENT, 1),
    "type of personal data": (PERSONAL_DATA, 3),
    "annotation tool": (TOOL, 2),
}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with copies of the packages, and links to the data and the specs.

    Compiled modules come along: a copy has the time of its source, so they hold until an edit.
    """
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("pipeline", "flows"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("data", "annotation_specs"):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.mark.parametrize("name", CASES)
def test_an_extension_touches_what_the_design_says(
    packages: Path, tmp_path: Path, name: str
) -> None:
    extension, edited = CASES[name]
    assert len({path for path, _ in extension.edits}) == edited
    originals = {path: (packages / path).read_text("utf-8") for path, _ in extension.edits}
    try:
        for (path, line), inserted in extension.edits.items():
            _insert(packages / path, line, inserted)
        for path, text in extension.files.items():
            (packages / path).parent.mkdir(exist_ok=True)
            (packages / path).write_text(text, "utf-8")
        _run(extension.proof, packages, tmp_path)
    finally:
        for path, text in originals.items():
            (packages / path).write_text(text, "utf-8")
        for path in extension.files:
            (packages / path).unlink(missing_ok=True)


def _insert(path: Path, line: str, inserted: str) -> None:
    text = path.read_text("utf-8")
    assert len(re.findall(f"^{re.escape(line)}$", text, re.MULTILINE)) == 1, f"{path}: {line}"
    path.write_text(text.replace(f"{line}\n", f"{line}\n{inserted.strip(chr(10))}\n"), "utf-8")


def _run(program: str, packages: Path, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(packages)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
