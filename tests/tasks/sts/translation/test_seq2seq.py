"""Local checkpoints as translators, on tiny ones that the test makes itself."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import InputError, RecordError
from pipeline.tasks.sts.build_inputs import Seq2SeqTranslator
from pipeline.tasks.sts.translation import open_translator, seq2seq, translator_identity
from pipeline.tasks.sts.translation.seq2seq import load_seq2seq

torch = pytest.importorskip("torch", reason="the optional part `train` is not installed")
transformers = pytest.importorskip("transformers", reason="the part `train` is not installed")

import tiny_checkpoint  # noqa: E402 - after the skip

THERE = dict(tiny_checkpoint.LESSONS)
BACK = {english: korean for korean, english in tiny_checkpoint.LESSONS}
WAYS = (("ko", "en"), ("en", "ko"))
CODES = {"ko": "ko_KR", "en": "en_XX"}


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("checkpoints")
    return [str(tiny_checkpoint.make(folder / way[0], way)) for way in WAYS]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("checkpoints") / "both"
    return str(tiny_checkpoint.make(folder, *WAYS))


def _load(paths: list[str], **more: Any) -> Callable[[str, str, str], str]:
    return load_seq2seq({"paths": paths, "pivot": "en", "beams": 2, "codes": {}, **more})


def _by_hand(folder: str, text: str, *, source: str = "", target: str = "") -> str:
    """Translate the way the library's manual does, in single precision."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    more = {}
    if source:
        tokenizer.src_lang = source
        more["forced_bos_token_id"] = tokenizer.convert_tokens_to_ids(target)
    tokens = tokenizer(text, return_tensors="pt")
    with torch.no_grad():
        out = model.generate(**tokens, num_beams=2, do_sample=False, max_length=40, **more)
    return str(tokenizer.batch_decode(out, skip_special_tokens=True)[0]).strip()


def test_two_checkpoints_translate_as_they_learnt(pair: list[str]) -> None:
    loaded = _load(pair)
    assert {text: loaded(text, "ko", "en") for text in THERE} == THERE
    assert {text: loaded(text, "en", "ko") for text in BACK} == BACK


def test_two_checkpoints_translate_as_the_library_does(pair: list[str]) -> None:
    loaded, odd = _load(pair), ("열렸다 문이 문이", "버스가", "늦었다 늦었다", "모름 문이")
    assert [loaded(text, "ko", "en") for text in odd] == [_by_hand(pair[0], text) for text in odd]


@pytest.mark.full
def test_one_multilingual_checkpoint_is_told_the_languages(both: str) -> None:
    loaded = _load([both], codes=CODES)
    assert {text: loaded(text, "ko", "en") for text in THERE} == THERE
    assert {text: loaded(text, "en", "ko") for text in BACK} == BACK
    korean, english = CODES.values()
    for text, learnt in THERE.items():
        assert _by_hand(both, text, source=korean, target=english) == learnt


def test_the_library_keeps_its_threads(pair: list[str]) -> None:
    before = torch.get_num_threads()
    _load(pair)("문이 열렸다", "ko", "en")
    assert torch.get_num_threads() == before


def test_a_language_that_the_checkpoint_does_not_know(tmp_path: Path) -> None:
    both = str(tiny_checkpoint.make(tmp_path / "both", *WAYS, steps=0))
    with pytest.raises(InputError, match="knows no language 'ko'; set `codes`"):
        _load([both])
    with pytest.raises(InputError, match="knows no language 'xx'"):
        _load([both], pivot="xx", codes=CODES)


def test_one_checkpoint_that_goes_one_way_is_not_enough(pair: list[str]) -> None:
    with pytest.raises(InputError, match="translates one way only; give two"):
        _load(pair[:1])


def _endless(tmp_path: Path, folder: str) -> str:
    """Return a copy of a checkpoint that finds no end."""
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder)
    copy = shutil.copytree(folder, tmp_path / "endless")
    model.final_logits_bias[0, model.config.eos_token_id] = -1e4
    model.save_pretrained(copy)
    return str(copy)


def test_what_is_too_long_is_refused_and_never_cut(tmp_path: Path, pair: list[str]) -> None:
    loaded = _load(pair)
    with pytest.raises(RecordError, match="longer than 40 tokens"):
        loaded("문이 " * 60, "ko", "en")
    endless = _endless(tmp_path, pair[0])
    with pytest.raises(RecordError, match="no end of the translation in 40 tokens"):
        _load([endless, endless])("문이 열렸다", "ko", "en")


def test_damaged_checkpoints_are_one_error_each(tmp_path: Path, pair: list[str]) -> None:
    with pytest.raises(InputError, match="holds no checkpoint"):
        seq2seq.identity(_settings([str(tmp_path)]))
    broken = shutil.copytree(pair[0], tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"x")
    with pytest.raises(InputError, match="cannot be loaded for translation"):
        _load([str(broken), str(broken)])


def _settings(paths: list[str], **more: Any) -> dict[str, Any]:
    given = Seq2SeqTranslator.model_validate(
        {"kind": "seq2seq", "paths": paths, "beams": 2, **more}
    )
    return given.model_dump(mode="json")


def test_the_name_tells_weights_beams_and_languages(tmp_path: Path, pair: list[str]) -> None:
    one = translator_identity(_settings(pair))
    assert one["name"].startswith("seq2seq:")
    assert one["name"].endswith(":ko-en-ko")
    assert one["honorific"] is None
    copies = [str(shutil.copytree(path, tmp_path / Path(path).name)) for path in pair]
    assert translator_identity(_settings(copies)) == one  # where they lie does not matter
    assert translator_identity(_settings(pair[::-1])) != one
    assert translator_identity(_settings(pair, beams=3)) != one


def test_a_round_trip_is_journalled(
    tmp_path: Path, pair: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_translator(_settings(pair), tmp_path) as translator:
        first = [translator.round_trip(text) for text in THERE]
    assert first == list(zip(THERE.values(), THERE, strict=True))

    def never(*_: object, **__: object) -> str:
        raise AssertionError("asked again")

    monkeypatch.setattr(seq2seq.Checkpoint, "translate", never)
    with open_translator(_settings(pair), tmp_path) as translator:
        assert [translator.round_trip(text) for text in THERE] == first
