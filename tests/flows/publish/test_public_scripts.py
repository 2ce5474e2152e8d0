"""Public fine-tuning scripts run on a release: `transformers.Trainer` takes ten steps."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import mini
import pyarrow.parquet as pq
import pytest
import release_stories

pytestmark = pytest.mark.full
SCRIPT = Path(__file__).with_name("public_scripts.py")
PAGE = mini.ROOT / "docs" / "release.md"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release_stories.sample(tmp_path_factory).release


@pytest.fixture(scope="module")
def model(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a tiny random BERT whose vocabulary is the letters of the headlines."""
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("model")
    titles = pq.read_table(release / "ynat" / "train.parquet")["title"].to_pylist()
    letters = sorted({letter for title in titles for letter in title if not letter.isspace()})
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [*marks, *letters, *(f"##{letter}" for letter in letters)]
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", "utf-8")
    BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=False).save_pretrained(folder)
    sizes = {"hidden_size": 32, "intermediate_size": 64}
    config = BertConfig(vocab_size=len(words), num_hidden_layers=1, num_attention_heads=2, **sizes)
    BertModel(config).save_pretrained(folder)
    return folder


def _output(words: list[object], folder: Path) -> str:
    """Run Python outside the repository and without network; return its last line."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("HF_") and name != "PYTHONPATH"
    }
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(folder / "hf")}
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        env={**kept, **offline},
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.rstrip("\n").split("\n")[-1]


@pytest.mark.parametrize("task", ["ynat", "ner"])
def test_a_public_script_trains_ten_steps(
    task: str, release: Path, model: Path, tmp_path: Path
) -> None:
    result = json.loads(_output([SCRIPT, release, model, tmp_path / "out", task], tmp_path))
    assert result["steps"] == len(result["losses"]) == 10
    # the first loss of a random model is that of a uniform guess
    classes = {"ynat": 7, "ner": 13}[task]
    assert result["losses"][0] == pytest.approx(math.log(classes), rel=0.1)
    assert math.isfinite(result["eval_loss"])
    if task == "ner":  # most tags are O, which is learnt at once
        assert result["losses"][-1] < result["losses"][0]


def test_the_script_of_the_page_runs(release: Path, model: Path, tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (block,) = [block for block in blocks if "Trainer(" in block]
    for name, place in (("data/releases/sample/1.0.0", release), ("MODEL", model)):
        assert name in block
        block = block.replace(name, str(place))
    assert _output(["-c", block + "\nprint(trainer.state.global_step)"], tmp_path) == "10"
