"""Tiny sequence-to-sequence checkpoints that learn eight words, made offline in a second."""

from __future__ import annotations

from pathlib import Path
from typing import Any

#: Pieces of the vocabulary; a leading mark begins a word.
PIECES = ("▁문이", "▁열렸다", "▁버스가", "▁늦었다", "▁door", "▁opened", "▁bus", "▁late", "▁")


#: What a checkpoint learns, Korean and English.
LESSONS = (
    ("문이 열렸다", "door opened"),
    ("버스가 늦었다", "bus late"),
    ("문이 늦었다", "door late"),
    ("버스가 열렸다", "bus opened"),
)
#: Training ends when the loss of every lesson is below `LEARNT`, after so many steps at most.
STEPS, LEARNT = 1000, 0.005
Way = tuple[str, str]


def make(folder: Path, *ways: Way, steps: int = STEPS) -> Path:
    """Write a checkpoint that learnt to go these ways: ("ko", "en"), ("en", "ko") or both."""
    import torch
    import transformers

    tokenizer = _multilingual() if len(ways) > 1 else _one_way()
    tokenizer.save_pretrained(folder)
    config = transformers.MBartConfig(
        vocab_size=len(tokenizer),
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_position_embeddings=40,
        dropout=0.0,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.eos_token_id,
        forced_eos_token_id=None,
    )
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the model is so small that threads only wait for each other
    with torch.random.fork_rng():
        torch.manual_seed(len(ways))
        model = transformers.MBartForConditionalGeneration(config)
        lessons = [_lesson(tokenizer, way, pair) for way in ways for pair in LESSONS]
        pace = torch.optim.Adam(model.parameters(), lr=0.01)
        for _ in range(steps):
            pace.zero_grad()
            losses = [model(**lesson).loss for lesson in lessons]
            sum(losses).backward()
            pace.step()
            if max(losses) < LEARNT:  # how many steps that takes differs from machine to machine
                break
    torch.set_num_threads(threads)
    model.save_pretrained(folder)
    return folder


def _lesson(tokenizer: Any, way: Way, pair: tuple[str, str]) -> dict[str, Any]:
    texts = dict(zip(("ko", "en"), pair, strict=True))
    names = {"ko": "ko_KR", "en": "en_XX"}
    if hasattr(tokenizer, "src_lang"):
        tokenizer.src_lang, tokenizer.tgt_lang = names[way[0]], names[way[1]]
    given = tokenizer(texts[way[0]], return_tensors="pt")
    return {**given, "labels": tokenizer(text_target=texts[way[1]], return_tensors="pt").input_ids}


def _one_way() -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    names = ["<s>", "<pad>", "</s>", "<unk>", *PIECES]
    made = Tokenizer(models.WordLevel({n: i for i, n in enumerate(names)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    made.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 2)]
    )
    special = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    return PreTrainedTokenizerFast(tokenizer_object=made, **special)  # type: ignore[no-untyped-call]


def _multilingual() -> Any:
    from transformers import MBart50Tokenizer

    vocabulary = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    vocabulary += [(piece, -2.0) for piece in PIECES]
    return MBart50Tokenizer(vocab=vocabulary, src_lang="ko_KR", tgt_lang="en_XX")
