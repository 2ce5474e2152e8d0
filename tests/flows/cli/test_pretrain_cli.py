"""`klue pretrain` as users call it: to a tuned model, on two processes, killed, and misused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mini
import pytest
from release_stories import sample
from typer.testing import CliRunner, Result

pytest.importorskip("torch", reason="the optional part `train` is not installed")
pytest.importorskip("accelerate", reason="the optional part `train` is not installed")

from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from flows.cli.group import Commands
from flows.cli.models import results
from flows.cli.pretrain import pretrain
from pipeline.training.scratch import train_tokenizer

APP = Commands()
APP.command("pretrain")(pretrain)
APP.command("results")(results)
LINES = [f"{i}번 역에서 {'축제' if i % 2 else '시장'}가 열렸습니다." for i in range(60)]
TEXT = "\n\n".join("\n".join(LINES[at : at + 4]) for at in range(0, 60, 4)) + "\n"
SIZE = {
    "num_hidden_layers": 1,
    "hidden_size": 16,
    "num_attention_heads": 2,
    "intermediate_size": 32,
}
SHORT = ("max_length=32", "batch_size=8", "held_out=0.2", "measured=2", "dropout=0")


def klue(*arguments: object) -> Result:
    return CliRunner().invoke(APP, [str(one) for one in arguments])


def environment(threads: int = 1) -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": str(threads), "HF_HUB_OFFLINE": "1"}


def sets(*settings: str) -> list[str]:
    return [word for setting in settings for word in ("--set", setting)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with text, a tokenizer and a size."""
    made = tmp_path_factory.mktemp("pretraining")
    (made / "corpus" / "text").mkdir(parents=True)
    (made / "corpus" / "text" / "part-00000.txt").write_text(TEXT, "utf-8")
    train_tokenizer(LINES, 120).save_pretrained(made / "tokenizer")
    (made / "size.json").write_text(json.dumps(SIZE), "utf-8")
    return made


def words(folder: Path, out: Path, *settings: str, architecture: str = "bert") -> list[str]:
    """Return the words of a command that pretrains on the corpus of a folder."""
    return [
        *("pretrain", str(folder / "corpus"), "--tokenizer", str(folder / "tokenizer")),
        *("--architecture", architecture, "--size", str(folder / "size.json")),
        *("--out", str(out), *sets(*SHORT, *settings)),
    ]


@pytest.fixture(scope="module")
def bert(folder: Path) -> Path:
    """The folder of a short run."""
    done = klue(*words(folder, folder / "bert", "steps=6"), "--json")
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    assert record["objectives"] == ["masked tokens", "next sentence"]
    assert record["measured"]["tokens_per_second"] > 0
    assert record["measured"]["model_flops_utilisation"] is None
    assert record["measured"]["utilisation_unknown"] == "a CPU has no stated peak"
    assert 0 <= record["measured"]["waiting_share"] <= 1
    return folder / "bert"


def test_curves_stand_on_the_page_of_results(bert: Path, tmp_path: Path) -> None:
    done = klue("results", bert, "--out", tmp_path, "--json")
    assert done.exit_code == 0, done.output
    (section,) = json.loads(done.stdout)["sections"]
    charts = {chart["id"]: chart for chart in section["charts"]}
    assert set(charts) == {
        "pretraining-loss-train",
        "pretraining-loss-held-out",
        "pretraining-masked-accuracy",
    }
    (series,) = charts["pretraining-loss-held-out"]["series"]
    points = json.loads((bert / "run.json").read_text("utf-8"))["points"]
    assert series["x"] == [0, 3, 6]
    assert series["y"] == [point["scores"]["loss"] for point in points]
    assert charts["pretraining-loss-train"]["series"][0]["x"] == [3, 6]
    assert "Pretraining" in (tmp_path / "index.html").read_text("utf-8")


def test_a_model_goes_on_with_its_own_tokenizer(folder: Path, bert: Path, tmp_path: Path) -> None:
    command = words(folder, tmp_path / "run", "steps=2")
    place = command.index("--size")
    command[place : place + 2] = ["--model", str(bert / "model")]
    done = klue(*command, "--json")
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    before = json.loads((bert / "run.json").read_text("utf-8"))["points"]
    assert record["points"][0]["scores"] == pytest.approx(before[-1]["scores"], rel=1e-6)
    assert record["model"]["checkpoint"] == "model"


def test_help_and_an_ended_run(folder: Path, bert: Path) -> None:
    assert "--tokenizer" in klue("pretrain", "--help").output
    again = klue(*words(folder, bert, "steps=6"))
    assert again.exit_code == 0
    assert "has ended already" in again.stderr
    assert "tokens/s" in again.stderr


@pytest.mark.full
def test_a_pretrained_model_is_tuned(
    bert: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    release = sample(tmp_path_factory).release
    command = ["train", str(release), "--task", "tc", "--model", str(bert / "model"), "--json"]
    out = ["--out", str(tmp_path), "--set", "epochs=1", "--set", "max_length=64"]
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", *command, *out],
        cwd=mini.ROOT,
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert done.returncode == 0, done.stderr
    (run,) = json.loads(done.stdout)["runs"]
    assert run["scores"]["dev"]["klue"]["macro_f1"] >= 0


@pytest.mark.full
@pytest.mark.parametrize("architecture", ["bert", "roberta"])
def test_two_processes_do_what_one_does(folder: Path, tmp_path: Path, architecture: str) -> None:
    size = folder / "size.json"
    size.write_text(
        json.dumps({**SIZE, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}),
        "utf-8",
    )
    recipe = () if architecture == "bert" else ("next_sentence=false", "packing=blocks")
    settings = ("steps=8", "device_batch=3", *recipe)
    command = words(folder, tmp_path / "two", *settings, architecture=architecture)
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = subprocess.run(
        [sys.executable, *launcher, "-m", "flows.cli", *command, "--json"],
        cwd=mini.ROOT,
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert done.returncode == 0, done.stderr
    two = json.loads(done.stdout)
    assert two["measured"]["processes"] == 2
    one = json.loads(
        klue(
            *words(folder, tmp_path / "one", *settings, architecture=architecture), "--json"
        ).stdout
    )
    for ours, others in zip(one["points"], two["points"], strict=True):
        assert ours["loss"] == pytest.approx(others["loss"], rel=1e-4)
        assert ours["scores"] == pytest.approx(others["scores"], rel=1e-4)
    assert ours["step"] == 8


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_run_goes_on_to_the_same_bytes(
    folder: Path, tmp_path: Path, number: signal.Signals
) -> None:
    settings = ("steps=200", "measured=40")
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    command = [sys.executable, "-m", "flows.cli"]
    given: dict[str, Any] = {"cwd": mini.ROOT, "env": environment()}
    subprocess.run([*command, *words(folder, straight, *settings)], check=True, **given)
    started = subprocess.Popen([*command, *words(folder, broken, *settings)], **given)
    state = broken / "state" / "state.safetensors"
    while started.poll() is None and not state.exists():
        time.sleep(0.05)
    started.send_signal(number)
    assert started.wait() != 0
    assert not (broken / "model").exists()
    subprocess.run([*command, *words(folder, broken, *settings)], check=True, **given)
    for name in ("model.safetensors", "config.json"):
        assert (broken / "model" / name).read_bytes() == (straight / "model" / name).read_bytes()


def bad(*arguments: object) -> str:
    """Run a command that is refused; return what it says, without a traceback."""
    done = klue(*arguments, "--json")
    assert done.exit_code == 2, done.output
    return str(json.loads(done.stdout)["error"])


def other_tokenizer(place: Path) -> None:
    train_tokenizer(["다른 글"], 100).save_pretrained(place)


def causal_tokenizer(place: Path) -> None:
    made = Tokenizer(models.BPE({"a": 0, "b": 1}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=made, unk_token="a").save_pretrained(place)


def unframed_tokenizer(place: Path) -> None:
    special = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    made = Tokenizer(models.WordPiece({name: i for i, name in enumerate((*special, "가"))}))
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    tokens: Any = dict(zip(names, special, strict=True))
    PreTrainedTokenizerFast(tokenizer_object=made, **tokens).save_pretrained(place)


def damaged_tokenizer(place: Path) -> None:
    place.mkdir()
    (place / "tokenizer.json").write_text("{", "utf-8")


def model_folder_without_tokenizer(place: Path) -> None:
    place.mkdir()
    (place / "config.json").write_text('{"model_type": "bert"}', "utf-8")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (causal_tokenizer, "has no pad_token, cls_token, sep_token, mask_token"),
        (unframed_tokenizer, "does not put [CLS] before and [SEP] behind a text"),
        (damaged_tokenizer, "cannot be loaded"),
        (model_folder_without_tokenizer, "holds no tokenizer"),
        (Path.mkdir, "holds no tokenizer"),
    ],
)
def test_tokenizers_of_another_kind(
    folder: Path, tmp_path: Path, make: Callable[[Path], None], said: str
) -> None:
    make(tmp_path / "other")
    command = words(folder, tmp_path / "run")
    command[command.index("--tokenizer") + 1] = str(tmp_path / "other")
    assert said in bad(*command)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\n \n\n", "holds no text"),
        ("비가 그친다.\n바람".encode()[:-1], "ends within a character"),
        (b"\xff\xfe" + "비".encode("utf-16-le"), "UTF-16"),
        (
            "비가 그친다.\n".encode() + b"\xb0\xa1\xb0\xa2 \n" * 3,
            "another encoding",
        ),
        (b"a" * (11 * 1024 * 1024), "longer than"),
    ],
    ids=["empty", "blank", "cut-off", "utf-16", "cp949", "one-line"],
)
def test_text_that_is_none(folder: Path, tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "part-00000.txt").write_bytes(data)
    command = words(folder, tmp_path / "run")
    command[1] = str(tmp_path / "part-00000.txt")
    assert said in bad(*command)
    assert not (tmp_path / "run").exists()


def test_places_without_text(folder: Path, tmp_path: Path) -> None:
    command = words(folder, tmp_path / "run")
    (tmp_path / "none").mkdir()
    for place, said in ((tmp_path / "none", "no text file"), (tmp_path / "absent.txt", "no such")):
        command[1] = str(place)
        assert said in bad(*command)
    text = str(folder / "corpus" / "text" / "part-00000.txt")
    command[1:2] = [text, text]
    assert "comes twice" in bad(*command)


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ("huge", "is not known; allowed: tiny, small, base"),
        ({**SIZE, "hiden_size": 8}, "hiden_size: unknown key"),
        ({**SIZE, "model_type": "roberta"}, "model_type is 'roberta'"),
        ({**SIZE, "vocab_size": 9}, "vocab_size is 9"),
        ({**SIZE, "num_attention_heads": 3}, "no bert can be so"),
        ({**SIZE, "num_hidden_layers": "two"}, "no bert can be so"),
        ([1], "holds no object"),
    ],
)
def test_sizes_that_are_none(folder: Path, tmp_path: Path, size: Any, said: str) -> None:
    command = words(folder, tmp_path / "run")
    if not isinstance(size, str):
        (tmp_path / "size.json").write_text(json.dumps(size), "utf-8")
        size = tmp_path / "size.json"
    command[command.index("--size") + 1] = str(size)
    assert said in bad(*command)


@pytest.mark.parametrize(
    ("settings", "architecture", "said"),
    [
        (("max_length=600",), "bert", "lower it: --set max_length=512"),
        (("next_sentence=true",), "roberta", "roberta has no head for it"),
        (("packing=blocks",), "bert", "next_sentence needs packing"),
        (("steps=3", "epochs=1"), "bert", "give either steps or epochs"),
        (("epoch=3",), "bert", "no recipe has it; allowed: learning_rate"),
        (("masked=1.5",), "bert", "masked"),
    ],
)
def test_recipes_that_are_none(
    folder: Path, tmp_path: Path, settings: tuple[str, ...], architecture: str, said: str
) -> None:
    assert said in bad(*words(folder, tmp_path / "run", *settings, architecture=architecture))
    assert not (tmp_path / "run").exists()


def test_other_faults(folder: Path, bert: Path, tmp_path: Path) -> None:
    command = words(folder, tmp_path / "run")
    assert "neither a recipe nor a file" in bad(*command, "--recipe", "old")
    assert "not known; allowed: bert, roberta" in bad(*command, "--architecture", "gpt")
    assert "give --size for a new model" in bad(*command, "--model", bert / "model")
    place = command.index("--size")
    command[place : place + 2] = ["--model", str(bert / "model")]
    assert "is a bert; given: --architecture roberta" in bad(
        *command, "--architecture", "roberta", *sets("next_sentence=false")
    )
    other_tokenizer(tmp_path / "other")
    command[command.index("--tokenizer") + 1] = str(tmp_path / "other")
    assert "was trained with another tokenizer" in bad(*command)
