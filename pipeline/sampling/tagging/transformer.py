"""The `transformers` tagger: a checkpoint for token classification, such as one tuned on KLUE-NER.

Each token gets the label with the largest probability; tokens are put together as BIO says, and the
places of tokens come from the tokenizer, which must be a fast one. The model runs in double
precision, so that what stands beside a text in a batch does not show in a score rounded to 1e-6.
Tokens beyond the longest input of the model are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pipeline.core.checkpoint import digest_of, inference, load_model
from pipeline.core.errors import InputError
from pipeline.sampling.tagging import scheme
from pipeline.sampling.tagging.protocol import DECIMALS, TYPES, Mention

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
        there = {tag.partition("-")[2] for tag in self.tags if tag != scheme.OUTSIDE}
        return tuple(one for one in TYPES if one in there) + tuple(sorted(there - set(TYPES)))

    def tag(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Tag texts; see `Tagger.tag`. A score is the least probability of a token."""
        found: list[list[Mention]] = [[] for _ in texts]
        # Texts of similar length waste no work on padding.
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]), reverse=True)
        with inference():
            for begin in range(0, len(order), BATCH):
                rows = order[begin : begin + BATCH]
                for i, mentions in zip(rows, self._batch([texts[i] for i in rows]), strict=True):
                    found[i] = mentions
        return found

    def _batch(self, texts: list[str]) -> Iterator[list[Mention]]:
        given = self.tokenizer(
            texts,
            padding=True,
            truncation=True,
            max_length=self._max_tokens,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            return_tensors="pt",
        )
        places = given.pop("offset_mapping").tolist()
        special = given.pop("special_tokens_mask").tolist()
        shares = self.model(**given.to(self.model.device)).logits.softmax(dim=-1).max(dim=-1)
        rows = zip(
            texts, places, special, shares.values.tolist(), shares.indices.tolist(), strict=True
        )
        for text, where, left_out, scores, classes in rows:
            own = [i for i, out in enumerate(left_out) if not out]
            tags = [self.tags[classes[i]] for i in own]
            yield _mentions(text, tags, [where[i] for i in own], [scores[i] for i in own])

    @property
    def _max_tokens(self) -> int:
        allowed = getattr(self.model.config, "max_position_embeddings", MAX_TOKENS)
        return min(MAX_TOKENS, int(allowed), int(self.tokenizer.model_max_length))


def load_transformer(path: str, *, name: str) -> Transformer:
    """Load a checkpoint: a folder, or a model in the cache of the model hub.

    Raises InputError for one that is missing, damaged, or without labels of the form B-PS, I-PS, O;
    MissingDependencyError when a library is not installed.
    """
    digest = digest_of(path)
    tokenizer, model = load_model(path, head="TokenClassification", purpose="token classification")
    if not tokenizer.is_fast:
        raise InputError(f"{path}: its tokenizer does not tell places in the text; use a fast one")
    tags = _tags(path, model.config.id2label)
    return Transformer(model, tokenizer, tags, name, digest)


def _tags(path: str, labels: Mapping[int, str]) -> tuple[str, ...]:
    """Return the tag of each class; raises InputError for names that are none."""
    found = [_tag(str(labels[number])) for number in sorted(labels)]
    if None in found or not any(tag and tag != scheme.OUTSIDE for tag in found):
        given = ", ".join(str(label) for label in list(labels.values())[:5])
        raise InputError(
            f"{path}: id2label of its config has {given} ...; needed: O, and B- and I- before each"
            f" type, such as B-{TYPES[0]}"
        )
    return tuple(tag for tag in found if tag is not None)


def _tag(label: str) -> str | None:
    if label == scheme.OUTSIDE:
        return label
    found = _LABEL.fullmatch(label)
    if found is None:
        return None
    kind, own = found["kind"] or found["kind_"], found["type"] or found["type_"]
    return f"{kind}-{ALIASES.get(own, own)}"


def _mentions(
    text: str, tags: list[str], places: list[list[int]], scores: list[float]
) -> list[Mention]:
    """Put tokens together; blanks at the ends of a mention, which some tokenizers take, go."""
    found = []
    for run in scheme.runs(tags):
        start, end = places[run.first][0], places[run.last][1]
        inside = text[start:end]
        start += len(inside) - len(inside.lstrip())
        end = start + len(inside.strip())
        score = round(min(scores[run.first : run.last + 1]), DECIMALS)
        found.append(Mention(start, end, run.label, score))
    return found
