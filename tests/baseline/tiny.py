"""A tokenizer and a model small enough for a test: two letters' worth of everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

from pipeline.baseline.tokens import Tokens

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def tokens(texts: Sequence[str], *, size: int = 400) -> Tokens:
    """Return a word-piece tokenizer trained on some texts, with the frames of BERT."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.train_from_iterator(
        texts,
        trainers.WordPieceTrainer(
            vocab_size=size, special_tokens=list(SPECIAL), show_progress=False
        ),
    )
    ids = {name: made.token_to_id(name) for name in SPECIAL}
    made.post_processor = processors.BertProcessing(
        ("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"])
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )
    return Tokens(fast)


def body(auto: str, given: Tokens, labels: Sequence[str] = (), *, seed: int = 0) -> Any:
    """Return a model of AutoModelFor`auto` with random weights; '' is the bare encoder."""
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(given.tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=128,
        pad_token_id=given.pad,
        **({"id2label": dict(enumerate(labels))} if labels else {}),
    )
    kind = getattr(transformers, f"AutoModelFor{auto}" if auto else "AutoModel")
    return kind.from_config(config)
