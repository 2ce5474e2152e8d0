"""The parser: states of words, scores of arcs between them, and of their relations.

Biaffine attention (Dozat and Manning 2017, "Deep biaffine attention for neural dependency parsing",
https://arxiv.org/abs/1611.01734) looks at every pair of a word and a place that may be its head;
relations are scored for one head a word, by the same bilinear form with a matrix a relation, as in
Fernandez-Gonzalez and Gomez-Rodriguez 2019 (https://aclanthology.org/N19-1076/). Both read words
through layers of their own, one for the word as dependent and one for it as head.
"""

from __future__ import annotations

from typing import Any, Final, cast

import torch
from torch import Tensor, nn

from pipeline.training.head import Batch, Network, Outputs, mean_loss

#: How many parts of speech of a word are read, from its front and from its end: a predicate shows
#: what it is in front, a particle, an ending or a comma at the end.
FRONT: Final = 2
END: Final = 3
#: What stands for no part of speech, and for one out of the inventory, whose numbers follow.
NO_TAG: Final = 0
UNKNOWN: Final = 1
#: The size of what is learnt of a part of speech at one place.
_TAG_SIZE: Final = 64
#: How wide words are read for arcs and for relations, and how much of it is dropped in training.
ARC_SIZE: Final = 256
RELATION_SIZE: Final = 128
DROPOUT: Final = 0.33


class Arcs(nn.Module):
    """Scores every place as the head of every word.

    score(i, j) = d_i' U h_j + u' h_j: how well the two go together, and how good a head j is.
    """

    def __init__(self, size: int, inner: int = ARC_SIZE) -> None:
        """Take the size of a word, and of what is compared."""
        super().__init__()
        self.dependent = _reading(size, inner)
        self.head = _reading(size, inner)
        self.pair = _random_parameter(inner, inner)
        self.prior = nn.Linear(inner, 1, bias=False)

    def forward(self, words: Tensor, places: Tensor) -> Tensor:
        """Return scores (rows, words, places) of words (rows, words, size) and places alike."""
        heads = self.head(places)
        together = self.dependent(words) @ self.pair @ heads.transpose(1, 2)
        return cast(Tensor, together + self.prior(heads).transpose(1, 2))


class Relations(nn.Module):
    """Scores every relation of a word to one head.

    score(r) = d' W_r h + a_r' d + b_r' h + c_r
    """

    def __init__(self, size: int, relations: int, inner: int = RELATION_SIZE) -> None:
        """Take the size of a word, the number of relations, and the size of what is compared."""
        super().__init__()
        self.dependent = _reading(size, inner)
        self.head = _reading(size, inner)
        self.pair = _random_parameter(relations, inner, inner)
        self.alone = nn.Linear(2 * inner, relations)

    def forward(self, words: Tensor, heads: Tensor) -> Tensor:
        """Return scores (rows, words, relations) of words and their heads (rows, words, size)."""
        below, above = self.dependent(words), self.head(heads)
        turned = torch.einsum("bwi,rij->bwrj", below, self.pair)
        together = torch.einsum("bwrj,bwj->bwr", turned, above)
        return cast(Tensor, together + self.alone(torch.cat([below, above], dim=-1)))


def head_final(counts: Tensor, longest: int) -> Tensor:
    """Tell which places may be the head of which word (rows, words, places), place 0 the root.

    `counts` is the number of words of every row. The head of a word stands right of it, that of the
    last word is the root: what is best for each word by itself is then a tree, and the best one.
    What is behind the last word of a row is no head, and has the root for its own.
    """
    word = torch.arange(1, longest + 1, device=counts.device)[None, :, None]
    place = torch.arange(longest + 1, device=counts.device)[None, None, :]
    count = counts[:, None, None]
    return ((place > word) & (place <= count)) | ((place == 0) & (word >= count))


def _reading(size: int, inner: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(size, inner), nn.GELU(), nn.Dropout(DROPOUT))


def _random_parameter(*shape: int) -> nn.Parameter:
    return nn.Parameter(torch.randn(shape) / shape[-1])


class Parser(Network):
    """A body, parts of speech, arcs and relations.

    Outputs, when not training: `heads` and `relations` (rows, words), from 0; what is behind the
    last word means nothing.
    """

    def __init__(self, body: Any, relations: int, tags: int) -> None:
        super().__init__(body)
        self.tags = None
        size = 2 * body.config.hidden_size
        if tags:
            self.tags = nn.Embedding(tags + UNKNOWN + 1, _TAG_SIZE, padding_idx=NO_TAG)
            size += (FRONT + END) * _TAG_SIZE
        self.root = nn.Parameter(torch.randn(size))
        self.arcs = Arcs(size)
        self.relations = Relations(size, relations)

    def forward(self, batch: Batch) -> Outputs:
        words = self._words(batch)
        places = torch.cat([self.root.expand(len(words), 1, -1), words], dim=1)
        allowed = head_final(batch["words"], words.shape[1])
        arcs = self.arcs(words, places).float().masked_fill(~allowed, -torch.inf)
        outputs: Outputs = {}
        if "target_heads" in batch:
            outputs["loss"] = self._loss(batch, words, places, arcs)
        if not self.training:
            outputs["heads"] = arcs.argmax(dim=-1)
            outputs["relations"] = self._relation_scores(words, places, outputs["heads"]).argmax(
                dim=-1
            )
        return outputs

    def _words(self, batch: Batch) -> Tensor:
        states = self.run_body(batch)
        rows = torch.arange(len(batch["first"]), device=batch["first"].device)[:, None]
        ends = [states.last_hidden_state[rows, batch[name]].float() for name in ("first", "last")]
        if self.tags is not None:
            ends.append(self.tags(batch["tags"]).flatten(2))
        return torch.cat(ends, dim=-1)

    def _relation_scores(self, words: Tensor, places: Tensor, heads: Tensor) -> Tensor:
        rows = torch.arange(len(words), device=words.device)[:, None]
        return cast(Tensor, self.relations(words, places[rows, heads]).float())

    def _loss(self, batch: Batch, words: Tensor, places: Tensor, arcs: Tensor) -> Tensor:
        """Return the cross entropy of heads, plus that of relations to the heads of gold."""
        heads, relations = batch["target_heads"], batch["target_relations"]
        related = self._relation_scores(words, places, heads.clamp(min=0))
        return mean_loss(arcs, heads) + mean_loss(related, relations)
