"""Networks and trainings on disk: exact, whole at any moment, and for transformers to load."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from checkpoints import TEXTS, Headed, Plan, Tied, batch, bert, roberta
from safetensors import SafetensorError
from safetensors.torch import load_file

from pipeline.core.errors import InputError, StoreError
from pipeline.corpus.toxicity.transformer import load_transformer as load_detector
from pipeline.sampling.tagging.transformer import load_transformer as load_tagger
from pipeline.training import saving
from pipeline.training.encoders import body_of, tokens_of
from pipeline.training.saving import (
    STATE,
    load_model,
    load_state,
    read_facts,
    save_model,
    save_state,
)
from pipeline.training.source import source
from pipeline.training.tokens import Tokens

PLAN = Plan(markers=("<subj>",), settings={"size": 3, "names": ("가", "나")})
BARE = Plan(auto="", labels=())
#: What the library says when a disk is full: no error of the system.
FULL = SafetensorError("I/O error: no space")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Spare the machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def made(folder: Path, plan: Plan = PLAN, *, seed: int = 0) -> tuple[Any, Tokens]:
    """Return a network over a base model in a folder, and its tokenizer with markers."""
    given = source(str(folder))
    tokens = tokens_of(given, ())
    if plan.markers:
        tokens.add(plan.markers)
    torch.manual_seed(seed)
    return plan.network(body_of(given, plan, tokens)).eval(), tokens


def facts(plan: Plan) -> dict[str, Any]:
    return {"task": "nli", "labels": list(plan.labels), "settings": dict(plan.settings)}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """Return a base model."""
    return bert(tmp_path / "base", "MaskedLM")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def logits(network: Any, tokens: Tokens) -> torch.Tensor:
    with torch.no_grad():
        found: torch.Tensor = network(batch(tokens))["logits"]
    return found


@pytest.mark.parametrize("kind", [bert, roberta])
def test_transformers_loads_what_was_saved(
    tmp_path: Path, kind: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    network, tokens = made(kind(tmp_path / "base", "MaskedLM"))
    capfd.readouterr()
    save_model(tmp_path / "model", network, tokens, facts(PLAN))
    assert capfd.readouterr() == ("", "")
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "model")
    model = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path / "model")
    given = tokenizer(TEXTS, padding=True, return_tensors="pt")
    with torch.no_grad():
        assert torch.equal(model.eval()(**given).logits, logits(network, tokens))
    assert model.config.id2label == dict(enumerate(PLAN.labels))
    text = "<subj> 새 기차역<subj>"
    assert tokenizer(text).input_ids == tokens.tokenizer(text).input_ids
    assert tokenizer.convert_tokens_to_ids("<subj>") == len(tokenizer) - 1
    assert not (tmp_path / "model" / "head.safetensors").exists()


@pytest.mark.parametrize("plan", [PLAN, BARE, Plan(auto="TokenClassification")])
def test_loading_is_the_inverse_of_saving(tmp_path: Path, base: Path, plan: Plan) -> None:
    network, tokens = made(base, plan)
    save_model(tmp_path / "model", network, tokens, facts(plan))
    again, loaded = load_model(tmp_path / "model", plan)
    before, after = network.state_dict(), again.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(one, after[name]) for name, one in before.items())
    assert torch.equal(logits(again.eval(), loaded), logits(network, tokens))
    assert (
        loaded.encode(TEXTS).places.values.tolist() == tokens.encode(TEXTS).places.values.tolist()
    )
    assert read_facts(tmp_path / "model") == json.loads(json.dumps(facts(plan)))


def test_same_weights_same_bytes(tmp_path: Path, base: Path) -> None:
    """Wherever the base model lay, and whatever the tokenizer was used for."""
    network, tokens = made(base, BARE)
    save_model(tmp_path / "one", network, tokens, facts(BARE))
    moved, other = made(base.rename(tmp_path / "elsewhere"), BARE)
    other.tokenizer(TEXTS, padding=True, truncation=True, max_length=4)
    other.encode(TEXTS)
    save_model(tmp_path / "two", moved, other, facts(BARE))
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    again, loaded = load_model(tmp_path / "two", BARE)
    save_model(tmp_path / "three", again, loaded, facts(BARE))
    assert contents(tmp_path / "one") == contents(tmp_path / "three")


def test_words_that_are_shared_are_saved_once_and_stay_shared(tmp_path: Path, base: Path) -> None:
    network, tokens = made(base, BARE)
    save_model(tmp_path / "model", network, tokens, facts(BARE))
    head = load_file(tmp_path / "model" / "head.safetensors")
    assert sorted(head) == ["arcs.bias", "arcs.weight", "seen"]
    again, _ = load_model(tmp_path / "model", BARE)
    assert isinstance(again, Tied)
    assert again.words.weight is again.body.get_input_embeddings().weight


def test_tokenizer_of_another_family_is_kept(tmp_path: Path) -> None:
    """The RoBERTa of KLUE reads with a tokenizer of BERT, which its config alone does not tell."""
    base = roberta(tmp_path / "base", "MaskedLM")
    (base / "tokenizer.json").unlink()
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "비", "##가", "그"]
    (base / "vocab.txt").write_text("\n".join(pieces), "utf-8")
    told = {"tokenizer_class": "BertTokenizer", "do_lower_case": False}
    (base / "tokenizer_config.json").write_text(json.dumps(told), "utf-8")
    network, tokens = made(base)
    save_model(tmp_path / "model", network, tokens, facts(PLAN))
    _, loaded = load_model(tmp_path / "model", PLAN)
    for one in (tokens, loaded):
        assert one.ids(["비가 그"]).values.tolist() == [5, 6, 7]
        assert not one.has_types
        assert one.tokenizer("비가<subj>").input_ids == [2, 5, 6, 8, 3]


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (Plan(labels=("그렇다", "모른다", "아니다"), settings=PLAN.settings), "other labels"),
        (Plan(labels=("그렇다", "아니다"), settings=PLAN.settings), "other labels"),
        (Plan(settings={"size": 4, "names": ("가", "나")}), "other settings"),
        (Plan(settings={}), "other settings"),
    ],
)
def test_another_head_is_refused(tmp_path: Path, base: Path, plan: Plan, told: str) -> None:
    save_model(tmp_path / "model", *made(base), facts(PLAN))
    with pytest.raises(InputError, match=told):
        load_model(tmp_path / "model", plan)


def test_damaged_models_are_told(tmp_path: Path, base: Path) -> None:
    folder = tmp_path / "model"
    for name in ("klue.json", "head.safetensors", "model.safetensors", "tokenizer.json"):
        save_model(folder, *made(base, BARE), facts(BARE))
        (folder / name).write_bytes(b"[]")
        with pytest.raises(InputError, match=r"klue.json holds|head.safetensors is|cannot be load"):
            load_model(folder, BARE)
    save_model(folder, *made(base, BARE), facts(BARE))
    (folder / "head.safetensors").unlink()
    with pytest.raises(InputError, match=r"3 weights lacking .* such as arcs\.bias"):
        load_model(folder, BARE)
    with pytest.raises(InputError, match=r"klue\.json is unreadable \(FileNotFoundError\)"):
        load_model(tmp_path / "none", BARE)


@pytest.mark.parametrize("moment", ["save_pretrained", "write_tensors", "write_json"])
def test_failing_on_the_way_leaves_the_old_model(
    tmp_path: Path, base: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    network, tokens = made(base, BARE)
    save_model(tmp_path / "model", network, tokens, facts(BARE))
    before = contents(tmp_path / "model")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    place = network.body if moment == "save_pretrained" else saving
    monkeypatch.setattr(place, moment, fail)
    with pytest.raises(StoreError, match="cannot be written: No space left on device"):
        save_model(tmp_path / "model", network, tokens, {**facts(BARE), "task": "dp"})
    assert contents(tmp_path / "model") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["base", "model"]


class Killed(BaseException):
    """The process ends here: nothing that would mend things runs after it."""


@pytest.mark.parametrize("renames", [0, 1, 2])
def test_killed_between_renames(
    tmp_path: Path, base: Path, monkeypatch: pytest.MonkeyPatch, renames: int
) -> None:
    """Whatever is there after the kill, the old or the new model is loaded, and whole."""
    network, tokens = made(base, BARE)
    save_model(tmp_path / "model", network, tokens, {**facts(BARE), "task": "old"})
    left, whole = [renames], Path.rename

    def rename(path: Path, target: Path) -> Path:
        if not left[0]:
            raise Killed
        left[0] -= 1
        return whole(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", rename)
        patch.setattr(shutil, "rmtree", lambda *_, **__: None)
        if renames < 2:
            with pytest.raises(Killed):
                save_model(tmp_path / "model", network, tokens, {**facts(BARE), "task": "new"})
        else:
            save_model(tmp_path / "model", network, tokens, {**facts(BARE), "task": "new"})
    load_model(tmp_path / "model", BARE)
    assert read_facts(tmp_path / "model")["task"] == ("new" if renames == 2 else "old")
    save_model(tmp_path / "model", network, tokens, {**facts(BARE), "task": "newest"})
    assert read_facts(tmp_path / "model")["task"] == "newest"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["base", "model"]


def test_a_rename_that_fails_puts_the_old_model_back(
    tmp_path: Path, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network, tokens = made(base, BARE)
    save_model(tmp_path / "model", network, tokens, facts(BARE))
    before, whole = contents(tmp_path / "model"), Path.rename

    def rename(path: Path, target: Path) -> Path:
        if path.name.endswith(".partial"):
            raise OSError(5, "I/O error")
        return whole(path, target)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(StoreError, match="cannot be written: I/O error"):
        save_model(tmp_path / "model", network, tokens, {**facts(BARE), "task": "new"})
    assert contents(tmp_path / "model") == before


def test_detector_and_tagger_load_what_was_saved(tmp_path: Path, base: Path) -> None:
    """The names of models that other parts of the project take: `transformers:FOLDER`."""
    labels = {"bias": ("true", "false"), "hate": ("none", "hate"), "ner": ("B-PS", "I-PS", "O")}
    for name, names in labels.items():
        auto = "TokenClassification" if name == "ner" else "SequenceClassification"
        plan = Plan(auto=auto, labels=names)
        save_model(tmp_path / name, *made(base, plan), facts(plan))
    detector = load_detector(f"{tmp_path / 'bias'},{tmp_path / 'hate'}", name="transformers")
    assert [detector.gender_bias.wanted, detector.hate.wanted] == [0, 1]
    tagger = load_tagger(str(tmp_path / "ner"), name="transformers")
    assert tagger.labels == ("PS",)
    assert len(tagger.tag(TEXTS)) == len(TEXTS)


def optimizer(network: torch.nn.Module) -> torch.optim.AdamW:
    wide = [one for one in network.parameters() if one.dim() > 1]
    rest = [one for one in network.parameters() if one.dim() < 2]
    groups = [{"params": wide, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=1e-2, betas=(0.8, 0.99))


def steps(network: Any, tokens: Tokens, adam: torch.optim.AdamW, numbers: range) -> list[float]:
    """Train with dropout that depends on the number of the step alone; return the losses."""
    network.train()
    losses = []
    for number in numbers:
        torch.manual_seed(number)
        adam.param_groups[0]["lr"] = 1e-2 / (1 + number)
        loss = network(batch(tokens, random.Random(number).sample(TEXTS, 2)))["loss"]
        loss.backward()
        adam.step()
        adam.zero_grad()
        network.seen += 1
        losses.append(loss.item())
    return losses


def test_going_on_is_as_not_having_stopped(tmp_path: Path, base: Path) -> None:
    """Six steps, and three and three with everything made anew in between."""
    whole, tokens = made(base, BARE)
    straight = steps(whole, tokens, optimizer(whole), range(6))
    first, _ = made(base, BARE)
    adam = optimizer(first)
    begun = steps(first, tokens, adam, range(3))
    save_state(tmp_path / "state", first, adam, {"step": 3, "total": sum(begun), "best": None})
    second, _ = made(base, BARE, seed=9)
    fresh = optimizer(second)
    told = load_state(tmp_path / "state", second, fresh)
    assert told == {"step": 3, "total": sum(begun), "best": None}
    assert fresh.param_groups[0]["lr"] == adam.param_groups[0]["lr"] == 1e-2 / 3
    ended = steps(second, tokens, fresh, range(3, 6))
    assert begun + ended == pytest.approx(straight, abs=1e-7)
    assert len(set(straight)) == 6
    for name, weights in whole.state_dict().items():
        torch.testing.assert_close(second.state_dict()[name], weights, rtol=0, atol=1e-7)
    assert second.seen.tolist() == [6, 6]
    assert second.words.weight is second.body.get_input_embeddings().weight


def test_the_order_of_facts_is_kept(tmp_path: Path, base: Path) -> None:
    """The first score of a point stands first, whatever its name."""
    network, _ = made(base, BARE)
    adam = optimizer(network)
    save_state(tmp_path / "state", network, adam, {"scores": {"pearson": 1.0, "f1": 2.0}})
    told = load_state(tmp_path / "state", network, adam)
    assert list(told["scores"]) == ["pearson", "f1"]


def test_state_is_replaced_as_a_whole(
    tmp_path: Path, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network, tokens = made(base, BARE)
    adam, folder = optimizer(network), tmp_path / "runs" / "state"
    assert not (folder / STATE).exists()
    save_state(folder, network, adam, {"step": 0})
    steps(network, tokens, adam, range(1))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(5, "I/O error")))
        with pytest.raises(StoreError, match="cannot be written: I/O error"):
            save_state(folder, network, adam, {"step": 1})
    with monkeypatch.context() as patch:
        patch.setattr(saving, "save_file", lambda *_, **__: (_ for _ in ()).throw(FULL))
        with pytest.raises(
            StoreError, match=r"state\.safetensors: cannot be written: I/O error: no"
        ):
            save_state(folder, network, adam, {"step": 1})
    assert load_state(folder, network, adam) == {"step": 0}
    save_state(folder, network, adam, {"step": 0})
    before = contents(folder)
    save_state(folder, network, adam, {"step": 0})
    assert contents(folder) == before
    assert list(before) == ["state.safetensors"]
    assert (folder / STATE).exists()


def test_states_that_cannot_be_gone_on_with(tmp_path: Path, base: Path) -> None:
    network, tokens = made(base, BARE)
    adam, folder = optimizer(network), tmp_path / "state"
    steps(network, tokens, adam, range(1))
    save_state(folder, network, adam, {})
    afresh = rf"delete {folder} to start afresh"
    other, _ = made(base, PLAN)
    assert isinstance(other, Headed)
    with pytest.raises(StoreError, match=rf"another optimizer.*{afresh}"):
        load_state(folder, other, optimizer(other))
    network.arcs = torch.nn.Linear(16, 4)
    before = network.state_dict()["arcs.weight"].clone()
    with pytest.raises(StoreError, match=rf"parameter \d+ has another shape.*{afresh}"):
        load_state(folder, network, optimizer(network))
    assert torch.equal(network.state_dict()["arcs.weight"], before)
    for damage in (lambda held: held[:-9], lambda _: b"", lambda held: held.replace(b"form", b"f")):
        save_state(folder, network, adam, {})
        path = folder / "state.safetensors"
        path.write_bytes(damage(path.read_bytes()))
        with pytest.raises(StoreError, match=afresh):
            load_state(folder, network, adam)
    (folder / "state.safetensors").unlink()
    with pytest.raises(StoreError, match=rf"unreadable \(FileNotFoundError\).*{afresh}"):
        load_state(folder, network, adam)
