"""The `transformers` tagger: a checkpoint for token classification, such as one tuned on KLUE-NER.

Each token gets the label with the largest probability; tokens are put together as BIO says, and the
places of tokens come from the tokenizer, which must be a fast one. The model runs in double
precision, so that what stands beside a text in a batch does not show in a score rounded to 1e-6.
Tokens beyond the longest input of the model are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pipeline.core.checkpoint import digest_of, inference, load_model, most_tokens
from pipeline.core.errors import InputError
from pipeline.sampling.tagging.pieces import OUTSIDE, decode
from pipeline.sampling.tagging.registry import DECIMALS, TYPES, Mention, sort_types

#: Names that other data sets have for the types of KLUE-NER; a name that is not here stays.
ALIASES: Final = {
    "PER": "PS",
    "LOC": "LC",
    "ORG": "OG",
    "DAT": "DT",
    "TIM": "TI",
    "NUM": "QT",
}
BATCH: Final = 32
MAX_TOKENS: Final = 512
#: B-PS, and PS-B as some checkpoints have it.
_LABEL: Final = re.compile(r"(?P<kind>[BIES])-(?P<type>\w+)|(?P<type_>\w+)-(?P<kind_>[BIES])")


@dataclass(frozen=True, eq=False)
class Transformer:
    """A loaded checkpoint, and the tag (`B-PS`, `O`) that each of its classes stands for."""

    model: Any
    tokenizer: Any
    tags: tuple[str, ...]
    name: str
    digest: str

    @property
    def labels(self) -> tuple[str, ...]:
        """The types it may give: those of KLUE-NER in their order, then others."""
        return tuple(sort_types({tag.partition("-")[2] for tag in self.tags if tag != OUTSIDE}))

    def tag(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Tag texts; see `Tagger.tag`. A score is the least probability of a token."""
        tagged: dict[int, list[Mention]] = {}
        # Texts of similar length waste no work on padding.
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]), reverse=True)
        with inference():
            for begin in range(0, len(order), BATCH):
                rows = order[begin : begin + BATCH]
                batch = self._tag_batch([texts[i] for i in rows])
                tagged.update(zip(rows, batch, strict=True))
        return [tagged[i] for i in range(len(texts))]

    def _tag_batch(self, texts: list[str]) -> Iterator[list[Mention]]:
        max_tokens = most_tokens(self.model, MAX_TOKENS)
        tokens = self.tokenizer(
            texts,
            padding=True,
            truncation=True,
            max_length=min(max_tokens, int(self.tokenizer.model_max_length)),
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            return_tensors="pt",
        )
        places = tokens.pop("offset_mapping").tolist()
        special = tokens.pop("special_tokens_mask").tolist()
        shares = self.model(**tokens.to(self.model.device)).logits.softmax(dim=-1).max(dim=-1)
        rows = zip(
            texts, places, special, shares.values.tolist(), shares.indices.tolist(), strict=True
        )
        for text, where, left_out, scores, classes in rows:
            tagged = [i for i, out in enumerate(left_out) if not out]
            tags = [self.tags[classes[i]] for i in tagged]
            yield _mentions(text, tags, [where[i] for i in tagged], [scores[i] for i in tagged])


def load_transformer(path: str, *, name: str) -> Transformer:
    """Load a checkpoint: a folder, or a model in the cache of the model hub.

    Raises InputError for one that is missing, damaged, or without labels of the form B-PS, I-PS, O;
    MissingDependencyError when a library is not installed.
    """
    digest = digest_of(path)
    tokenizer, model = load_model(path, head="TokenClassification", purpose="token classification")
    if not tokenizer.is_fast:
        raise InputError(f"{path}: its tokenizer gives no places in the text; use a fast one")
    labels = model.config.id2label
    tags = tuple(_tag(str(labels[number])) for number in sorted(labels))
    if "" in tags or not set(tags) - {OUTSIDE}:
        first = ", ".join(str(label) for label in list(labels.values())[:5])
        raise InputError(
            f"{path}: id2label of its config has {first} ...; needed: O, and B- and I- before each"
            f" type, such as B-{TYPES[0]}"
        )
    return Transformer(model, tokenizer, tags, name, digest)


def _tag(label: str) -> str:
    """Return the tag that a class stands for, '' where its name is none."""
    match = _LABEL.fullmatch(label)
    if label == OUTSIDE or match is None:
        return label if label == OUTSIDE else ""
    kind, type_name = match["kind"] or match["kind_"], match["type"] or match["type_"]
    return f"{kind}-{ALIASES.get(type_name, type_name)}"


def _mentions(
    text: str, tags: list[str], places: list[list[int]], scores: list[float]
) -> list[Mention]:
    """Put tokens together; blanks at the ends of a mention, which some tokenizers take, go."""
    mentions = []
    for run in decode(tags):
        start, end = places[run.first][0], places[run.last][1]
        inside = text[start:end]
        start += len(inside) - len(inside.lstrip())
        end = start + len(inside.strip())
        score = round(min(scores[run.first : run.last + 1]), DECIMALS)
        mentions.append(Mention(start, end, run.label, score))
    return mentions
