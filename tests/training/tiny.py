"""A tokenizer and a model small enough for a test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import transformers

from pipeline.training.scratch import train_tokenizer
from pipeline.training.tokens import Tokens


def tokens(texts: Sequence[str], *, size: int = 400) -> Tokens:
    """Return the tokenizer that a model from scratch has for these texts: always the same one."""
    return Tokens(train_tokenizer(texts, size))


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
