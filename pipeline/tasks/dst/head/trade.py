"""The layers of TRADE around a pretrained encoder: slot gates, and values that are generated.

Source: Wu et al. 2019, Transferable Multi-Domain State Generator for Task-Oriented Dialogue
Systems; Section 5.1.3 of the KLUE paper, which puts a pretrained model in the place of its GRU
encoder and adds the gates `yes` and `no`.

Every slot is a row of its own that starts from the state of [CLS] and from its slot's embedding.
Nothing passes from slot to slot, so neither their order nor their number changes an answer. A value
ends with the token that ends the history: the separator.

One thing differs from TRADE: products of states are divided by the root of their size (Vaswani et
al. 2017). The states of a pretrained encoder are normalised to a length of that root, other than
those of a GRU, and without the division attention begins with all its weight on one token.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, logsigmoid

from pipeline.training.features import IGNORED
from pipeline.training.head import Batch, Network, Outputs

#: The classes of the slot gate: only `ptr` has a value generated.
GATES: Final = ("none", "dontcare", "ptr", "yes", "no")
PTR: Final = GATES.index("ptr")
_YES_NO: Final = (GATES.index("yes"), GATES.index("no"))
#: The least probability of a copy that is told apart from none.
_TINY: Final = 1e-30


class History(NamedTuple):
    """An encoded batch of histories: ids and mask [inputs, tokens], states [.., hidden size]."""

    ids: Tensor
    mask: Tensor
    states: Tensor

    def attend(self, queries: Tensor) -> tuple[Tensor, Tensor]:
        """Return where queries [inputs, queries, hidden size] look: shares of tokens, contexts."""
        scores = queries @ self.states.transpose(1, 2) / math.sqrt(self.states.shape[-1])
        shares = scores.masked_fill(~self.mask[:, None], -torch.inf).softmax(-1)
        return shares, shares @ self.states

    def repeat_states(self, count: int) -> Tensor:
        """Return the states of [CLS] for so many rows an input, as a GRU takes them."""
        return self.states[:, 0].repeat_interleave(count, dim=0)[None].contiguous()


class Trade(Network):
    """An encoder with slot gates and a generator of values that are copied or spelt out.

    A batch has besides its tokens, where there is something to learn: `target_gates` [inputs,
    slots] and `target_values` [inputs, slots whose gate is ptr, tokens], slots in their order,
    IGNORED after the end. Outputs, when not training: `gates` [inputs, slots] and `values` [inputs,
    slots, steps], token ids up to the first end.
    """

    def __init__(self, body: Any, slots: Mapping[str, bool], *, steps: int) -> None:
        """Give slots as DOMAIN-SLOT, whether they may be yes or no, and the most value tokens."""
        super().__init__(body)
        self.steps = steps
        hidden, width = body.config.hidden_size, self._vocabulary.shape[1]
        pairs = [slot.split("-", 1) for slot in slots]
        domains, names = (sorted({pair[part] for pair in pairs}) for part in (0, 1))
        places = torch.tensor([[domains.index(a), names.index(b)] for a, b in pairs])
        self.register_buffer("places", places, persistent=False)
        barred = torch.zeros(len(slots), len(GATES), dtype=torch.bool)
        barred[:, _YES_NO] = ~torch.tensor([*slots.values()], dtype=torch.bool)[:, None]
        self.register_buffer("barred", barred, persistent=False)
        self.domains = nn.Embedding(len(domains), hidden)
        self.names = nn.Embedding(len(names), hidden)
        same = width == hidden
        self.read = nn.Identity() if same else nn.Linear(width, hidden)
        self.write = nn.Identity() if same else nn.Linear(hidden, width)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)
        self.gate = nn.Linear(hidden, len(GATES))
        self.spell = nn.Linear(3 * hidden, 1)

    @property
    def _vocabulary(self) -> Tensor:
        """Return the encoder's embeddings of words, which spell values too."""
        return cast(Tensor, self.body.get_input_embeddings().weight)

    @property
    def _slots(self) -> Tensor:
        """Return the embedding of every slot [slots, hidden size]: domain and name together."""
        places = self.get_buffer("places")
        return cast(Tensor, self.domains(places[:, 0]) + self.names(places[:, 1]))

    def forward(self, batch: Batch) -> Outputs:
        """Return the loss if there are targets, and, when not training, gates and values."""
        history = self._history(batch)
        outputs: Outputs = {}
        with torch.autocast(history.states.device.type, enabled=False):
            gates = self._gates(history)
            if "target_gates" in batch:
                target = batch["target_gates"]
                loss = cross_entropy(gates.flatten(0, 1), target.flatten())
                outputs["loss"] = loss + self._values_loss(history, target, batch["target_values"])
            if not self.training:
                outputs["gates"] = gates.argmax(-1)
                outputs["values"] = self._values(history, outputs["gates"] == PTR)
        return outputs

    def _history(self, batch: Batch) -> History:
        output = self.run_body(batch)
        return History(
            batch["input_ids"], batch["attention_mask"].bool(), output.last_hidden_state.float()
        )

    def _gates(self, history: History) -> Tensor:
        """Return the scores of gates [inputs, slots, gates], from what the first step looks at."""
        slots = self._slots
        count = len(history.ids)
        states, _ = self.gru(slots.repeat(count, 1)[:, None], history.repeat_states(len(slots)))
        _, contexts = history.attend(states.view(count, len(slots), -1))
        scores: Tensor = self.gate(contexts)
        return scores.masked_fill(self.get_buffer("barred"), -torch.inf)

    def _values_loss(self, history: History, gates: Tensor, values: Tensor) -> Tensor:
        """Return the mean cross entropy of value tokens, each after the true ones before it."""
        slots, _ = _first_slots(gates == PTR)
        count, most = slots.shape
        known = values[:, :most] != IGNORED
        longest = max(1, int(known.sum(-1).max()))
        values, known = values[:, :most, :longest], known[:, :, :longest]
        before = self._read(values[:, :, :-1].clamp_min(0))
        inputs = torch.cat([self._slots[slots][:, :, None], before], dim=2)
        states, _ = self.gru(inputs.flatten(0, 1), history.repeat_states(most))
        states = states.reshape(count, most * longest, -1)
        shares, contexts = history.attend(states)
        at = known.flatten(1)
        owners, targets = at.nonzero()[:, 0], values.flatten(1)[at]
        copied = (shares[at] * (history.ids[owners] == targets[:, None])).sum(-1)
        spelt = -cross_entropy(self._spelt(states[at]), targets, reduction="none")
        lean = self._lean(states[at], inputs.reshape_as(states)[at], contexts[at])
        likely = torch.logaddexp(
            logsigmoid(lean) + spelt, logsigmoid(-lean) + copied.clamp_min(_TINY).log()
        )
        return -likely.sum() / max(1, len(targets))

    @torch.no_grad()
    def _values(self, history: History, wanted: Tensor) -> Tensor:
        """Return the tokens of the wanted values [inputs, slots, steps], each the likeliest."""
        count, slots = wanted.shape
        end = history.ids.gather(1, history.mask.sum(1, keepdim=True) - 1)
        tokens = end[:, :, None].repeat(1, slots, self.steps)
        at, live = _first_slots(wanted)
        most = at.shape[1]
        words, state = self._slots[at], history.repeat_states(most)
        for step in range(self.steps):
            if not live.any():
                break
            states, state = self.gru(words.flatten(0, 1)[:, None], state)
            next_words = end.repeat(1, most)
            next_words[live] = self._next_tokens(history, states.view(count, most, -1), words, live)
            tokens[:, :, step].scatter_(1, at, next_words)
            live = live & (next_words != end)
            words = self._read(next_words)
        return tokens

    def _next_tokens(self, history: History, states: Tensor, words: Tensor, live: Tensor) -> Tensor:
        """Return the likeliest token of each live row, spelt or copied."""
        shares, contexts = history.attend(states)
        spell = self._lean(states[live], words[live], contexts[live]).sigmoid()[:, None]
        likely = spell * self._spelt(states[live]).softmax(-1)
        likely.scatter_add_(1, history.ids[live.nonzero()[:, 0]], (1 - spell) * shares[live])
        return likely.argmax(-1)

    def _spelt(self, states: Tensor) -> Tensor:
        return cast(Tensor, self.write(states) @ self._vocabulary.float().T)

    def _lean(self, states: Tensor, words: Tensor, contexts: Tensor) -> Tensor:
        """Return how far rows lean to spelling rather than to copying (a logit)."""
        return cast(Tensor, self.spell(torch.cat([states, words, contexts], dim=-1)).squeeze(-1))

    def _read(self, ids: Tensor) -> Tensor:
        return cast(Tensor, self.read(self._vocabulary[ids].float()))


def _first_slots(wanted: Tensor) -> tuple[Tensor, Tensor]:
    """Return the wanted slots of each input, in their order, filled up with others; at least 1.

    They are numbers [inputs, most slots]; the second tensor tells which of them are not filling.
    """
    counts = wanted.sum(1)
    most = max(1, int(counts.max()))
    order = torch.argsort((~wanted).int(), dim=1, stable=True)[:, :most]
    return order, torch.arange(most, device=wanted.device) < counts[:, None]
