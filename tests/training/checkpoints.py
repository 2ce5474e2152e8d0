"""Checkpoints for tests, made on the spot: of BERT and of RoBERTa, with heads and without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tiny
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

from pipeline.training.head import Batch, Network, Outputs
from pipeline.training.tokens import Tokens

TEXTS = ["새 기차역이 열린다", "시장이 다시 커진다", "경기는 내일 열린다", "비가 그친다"]


class Headed(Network):
    """A body with its own head."""

    def __init__(self, body: Any) -> None:
        super().__init__(body)

    def forward(self, batch: Batch) -> Outputs:
        return {"logits": self.body(**batch).logits.float()}


class Tied(Network):
    """The bare encoder, with a layer of its own and words that are those of the encoder."""

    def __init__(self, body: Any) -> None:
        super().__init__(body)
        self.arcs = torch.nn.Linear(body.config.hidden_size, 3)
        self.words = torch.nn.Linear(body.config.hidden_size, body.config.vocab_size, bias=False)
        self.words.weight = body.get_input_embeddings().weight
        self.register_buffer("seen", torch.zeros(2))

    def forward(self, batch: Batch) -> Outputs:
        states = self.body(**batch).last_hidden_state
        logits = self.arcs(states)
        loss = logits.square().mean() + self.words(states).logsumexp(-1).mean()
        return {"loss": loss, "logits": logits}


@dataclass(frozen=True)
class Plan:
    """A head, as far as bodies and saving ask."""

    auto: str = "SequenceClassification"
    labels: tuple[str, ...] = ("그렇다", "아니다", "모른다")
    markers: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    def network(self, body: Any) -> Network:
        return Headed(body) if self.auto else Tied(body)


def bert(folder: Path, auto: str, labels: Sequence[str] = (), *, seed: int = 0) -> Path:
    """Save a small BERT with its tokenizer."""
    tokens = tiny.tokens(TEXTS)
    tiny.body(auto, tokens, labels, seed=seed).save_pretrained(folder)
    tokens.tokenizer.save_pretrained(folder)
    return folder


def roberta(folder: Path, auto: str, labels: Sequence[str] = ()) -> Path:
    """Save a small RoBERTa with a tokenizer of bytes: padding is 1, and there is one token type."""
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        TEXTS,
        trainers.BpeTrainer(
            vocab_size=300,
            special_tokens=special,
            initial_alphabet=sorted(alphabet),
            show_progress=False,
        ),
    )
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    names = ("cls", "pad", "sep", "unk", "mask")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        **{f"{name}_token": one for name, one in zip(names, special, strict=True)},
    )
    torch.manual_seed(0)
    config = transformers.RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=66,
        type_vocab_size=1,
        **({"id2label": dict(enumerate(labels))} if labels else {}),
    )
    getattr(transformers, f"AutoModelFor{auto}").from_config(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def albert(folder: Path, auto: str) -> Path:
    """Save a small ALBERT, whose model has two token types and whose tokenizer names none."""
    letters = sorted(set("".join(TEXTS)) - {" "})
    names = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]", "\u2581", *letters]
    tokenizer = transformers.AlbertTokenizer(vocab=[(name, 0.0) for name in names])
    torch.manual_seed(0)
    config = transformers.AlbertConfig(
        vocab_size=len(tokenizer),
        embedding_size=8,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    getattr(transformers, f"AutoModelFor{auto}").from_config(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def batch(tokens: Tokens, texts: Sequence[str] = TEXTS) -> dict[str, torch.Tensor]:
    """Return texts as a batch."""
    return dict(tokens.tokenizer(list(texts), padding=True, return_tensors="pt"))
