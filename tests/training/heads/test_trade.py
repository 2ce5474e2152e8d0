"""The generator against TRADE written out slot by slot and token by token, and its independence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from training import tiny

from pipeline.tasks.dst.head.trade import GATES, PTR, Trade
from pipeline.training.features import IGNORED
from pipeline.training.tokens import Tokens

torch.set_num_threads(1)
SLOTS = ("숙소-이름", "식당-이름", "식당-주차 가능", "택시-출발 시간", "식당-예약 시간")
BOOLEANS = (False, False, True, False, False)
STEPS = 4
TEXTS = ("바다 여관 예약 부탁해요", "언덕 식당 주차 되나요 네", "내일 열 시 반 도착")


@pytest.fixture(scope="module")
def given() -> Tokens:
    return tiny.tokens(TEXTS, size=120)


def network(
    given: Tokens,
    slots: Sequence[str] = SLOTS,
    booleans: Sequence[bool] = BOOLEANS,
    *,
    seed: int = 3,
) -> Trade:
    """Return a network with slots far apart, so that their values differ before any training."""
    body = tiny.body("", given, seed=seed)
    made = Trade(body, dict(zip(slots, booleans, strict=True)), steps=STEPS)
    with torch.no_grad():
        for weight in (made.domains.weight, made.names.weight):
            weight.normal_(std=3.0)
        made.gru.weight_ih_l0.mul_(4)
        body.get_input_embeddings().weight.normal_(std=1.0)
    return made.eval()


def batch(given: Tokens, texts: Sequence[str] = TEXTS, *, more: int = 0) -> dict[str, torch.Tensor]:
    """Return histories of one turn each, filled up with `more` tokens than needed."""
    rows = [[*given.single.parts[0], *ids, *given.single.parts[1]] for ids in map_ids(given, texts)]
    wide = max(map(len, rows)) + more
    ids = torch.tensor([row + [given.pad] * (wide - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (wide - len(row)) for row in rows])
    return {"input_ids": ids, "attention_mask": mask}


def map_ids(given: Tokens, texts: Sequence[str]) -> list[list[int]]:
    return [row.tolist() for row in (given.ids([text])[0] for text in texts)]


def targets(
    given: Tokens, values: Sequence[Mapping[int, str]], gates: Sequence[Mapping[int, str]] = ()
) -> dict[str, torch.Tensor]:
    """Return targets of inputs: the values of slots by their numbers, and gates other than ptr."""
    end = given.single.parts[1][0]
    made = torch.zeros(len(values), len(SLOTS), dtype=torch.long)
    most = max(1, *map(len, values))  # the shared step fills up to one at least
    tokens = torch.full((len(values), most, STEPS), IGNORED)
    for row, some in enumerate(values):
        for place, slot in enumerate(sorted(some)):
            made[row, slot] = PTR
            ids = [*map_ids(given, [some[slot]])[0], end][:STEPS]
            tokens[row, place, : len(ids)] = torch.tensor(ids)
    for row, other in enumerate(gates):
        for slot, gate in other.items():
            made[row, slot] = GATES.index(gate)
    return {"target_gates": made, "target_values": tokens}


class Plain:
    """TRADE as its paper writes it: one input, one slot, one token at a time, in probabilities."""

    def __init__(self, net: Trade, held: Mapping[str, torch.Tensor], row: int, slot: int) -> None:
        long = int(held["attention_mask"][row].sum())
        self.net, self.ids = net, held["input_ids"][row, :long]
        states = net.body(input_ids=self.ids[None]).last_hidden_state
        self.history, self.state = states[0], states[0, 0]
        domain, name = SLOTS[slot].split("-")
        domains = sorted({one.split("-")[0] for one in SLOTS})
        names = sorted({one.split("-")[1] for one in SLOTS})
        self.word = net.domains.weight[domains.index(domain)] + net.names.weight[names.index(name)]
        self.words = net.body.get_input_embeddings().weight

    def step(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the context and the probabilities of all words after one step."""
        gru = self.net.gru
        inputs = gru.weight_ih_l0 @ self.word + gru.bias_ih_l0
        states = gru.weight_hh_l0 @ self.state + gru.bias_hh_l0
        (ir, iz, inew), (hr, hz, hnew) = inputs.chunk(3), states.chunk(3)
        reset, update = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
        self.state = (1 - update) * torch.tanh(inew + reset * hnew) + update * self.state
        shares = torch.softmax(self.history @ self.state / len(self.state) ** 0.5, dim=0)
        context = shares @ self.history
        spell = torch.sigmoid(self.net.spell(torch.cat([self.state, self.word, context])))
        likely = spell * torch.softmax(self.words @ self.state, dim=0)
        for place, one in enumerate(self.ids.tolist()):
            likely[one] = likely[one] + (1 - spell[0]) * shares[place]
        return context, likely


def force(net: Trade, gate: int = PTR) -> Trade:
    """Have every slot take one gate."""
    with torch.no_grad():
        net.gate.weight.zero_()
        net.gate.bias.zero_()
        net.gate.bias[gate] = 5.0
    return net


@torch.no_grad()
@pytest.mark.parametrize(("factor", "ends"), [(1.0, False), (-1.0, True)])
def test_values_are_those_of_trade_written_out(given: Tokens, factor: float, *, ends: bool) -> None:
    net, held = force(network(given)), batch(given)
    end = given.single.parts[1][0]
    net.body.get_input_embeddings().weight[end] *= factor  # turned round, it is likely
    found = net(held)["values"]
    seen = set()
    for row in range(len(TEXTS)):
        for slot in range(len(SLOTS)):
            plain, said = Plain(net, held, row, slot), []
            while len(said) < STEPS and end not in said:
                said.append(int(plain.step()[1].argmax()))
                plain.word = plain.words[said[-1]]
            assert found[row, slot].tolist() == said + [end] * (STEPS - len(said))
            seen.add(tuple(said))
    assert len(seen) > 3  # the cases are not all one
    assert any(0 < said.index(end) < STEPS - 1 for said in seen if end in said) == ends


@torch.no_grad()
def test_loss_is_that_of_trade_written_out(given: Tokens) -> None:
    net, held = network(given), batch(given)
    gold = targets(
        given, [{0: "바다 여관"}, {1: "언덕", 4: "열 시 반 내일 도착"}, {}], [{}, {2: "yes"}]
    )
    gate_loss, values = [], []
    for row in range(len(TEXTS)):
        for slot in range(len(SLOTS)):
            plain = Plain(net, held, row, slot)
            context, likely = plain.step()
            scores = net.gate(context)
            if not BOOLEANS[slot]:
                scores[3:] = -torch.inf
            gate = int(gold["target_gates"][row, slot])
            gate_loss.append(-torch.log_softmax(scores, dim=0)[gate])
            if gate == PTR:
                before = int((gold["target_gates"][row, :slot] == PTR).sum())
                said = [one for one in gold["target_values"][row, before].tolist() if one >= 0]
                for place, token in enumerate(said):
                    values.append(-torch.log(likely[token]))
                    plain.word = plain.words[token]
                    likely = plain.step()[1] if place + 1 < len(said) else likely
    assert len(values) == int((gold["target_values"] != IGNORED).sum()) > 2 * 3
    expected = torch.stack(gate_loss).mean() + torch.stack(values).mean()
    assert net({**held, **gold})["loss"].item() == pytest.approx(expected.item(), rel=1e-4)


@torch.no_grad()
@pytest.mark.parametrize("order", [(4, 3, 2, 1, 0), (1, 4), (3,), (2, 0, 4)])
def test_slots_know_nothing_of_each_other(given: Tokens, order: tuple[int, ...]) -> None:
    whole = network(given)
    with torch.no_grad():
        whole.gate.weight.mul_(20)
    slots = [SLOTS[place] for place in order]
    part = network(given, slots, [BOOLEANS[place] for place in order])
    state = whole.state_dict()
    for name, index in (("domains.weight", 0), ("names.weight", 1)):
        every = sorted({one.split("-")[index] for one in SLOTS})
        some = sorted({one.split("-")[index] for one in slots})
        state[name] = state[name][[every.index(one) for one in some]]
    part.load_state_dict(state)
    held = batch(given)
    for both in ((whole, part), (force(whole), force(part))):
        ours, theirs = (net(held) for net in both)
        assert torch.equal(ours["gates"][:, list(order)], theirs["gates"])
        assert torch.equal(ours["values"][:, list(order)], theirs["values"])
    values = force(whole)(held)["values"]
    assert len({tuple(row) for row in values[0].tolist()}) > 1


@torch.no_grad()
def test_filling_changes_nothing(given: Tokens) -> None:
    net = force(network(given))
    gold = targets(given, [{0: "바다 여관"}, {1: "언덕", 4: "열 시"}, {}])
    close = net({**batch(given), **gold})
    filled = torch.nn.functional.pad(gold["target_values"], (0, 0, 0, 6), value=IGNORED)
    wide = net({**batch(given, more=9), **gold, "target_values": filled})
    assert filled.shape[1] > len(SLOTS)
    assert wide["loss"].item() == pytest.approx(close["loss"].item(), abs=1e-5)
    assert torch.equal(wide["values"], close["values"])
    for row, text in enumerate(TEXTS):
        alone = net(batch(given, [text]))
        assert torch.equal(alone["values"][0], close["values"][row])


def test_gates_yes_and_no_are_for_boolean_slots_alone(given: Tokens) -> None:
    net = force(network(given), GATES.index("yes"))
    gates = net(batch(given))["gates"]
    assert (gates == GATES.index("yes")).tolist() == [list(BOOLEANS)] * len(TEXTS)


def test_nothing_to_generate_and_nothing_to_copy(given: Tokens) -> None:
    net = network(given).train()
    loss = net({**batch(given), **targets(given, [{}, {}, {}], [{0: "dontcare"}])})["loss"]
    loss.backward()
    assert torch.isfinite(loss)
    assert net.domains.weight.grad is not None
    assert net.spell.weight.grad is None or not net.spell.weight.grad.any()
    net.zero_grad()
    loss = net({**batch(given), **targets(given, [{0: "열 시"}, {}, {}])})["loss"]  # not in text 1
    loss.backward()
    assert all(torch.isfinite(one.grad).all() for one in net.parameters() if one.grad is not None)


def test_training_decodes_nothing_and_evaluation_without_targets_has_no_loss(given: Tokens) -> None:
    net, gold = network(given), targets(given, [{0: "바다"}, {}, {}])
    assert set(net.train()({**batch(given), **gold})) == {"loss"}
    assert set(net.eval()(batch(given))) == {"gates", "values"}


def test_embeddings_narrower_than_states(given: Tokens) -> None:
    config = transformers.ElectraConfig(
        vocab_size=len(given.tokenizer),
        embedding_size=8,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    net = Trade(
        transformers.AutoModel.from_config(config),
        dict(zip(SLOTS, BOOLEANS, strict=True)),
        steps=STEPS,
    )
    net({**batch(given), **targets(given, [{0: "바다"}, {}, {}])})["loss"].backward()
    spelt: Any = net.write
    assert spelt.weight.grad.any()
    assert net.eval()(batch(given))["values"].shape == (3, len(SLOTS), STEPS)


def test_losses_are_float32_in_bfloat16(given: Tokens) -> None:
    net, held = network(given), {**batch(given), **targets(given, [{0: "바다"}, {1: "열"}, {}])}
    plain = net(held)["loss"]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mixed = net(held)["loss"]
    assert mixed.dtype == torch.float32
    assert mixed.item() == pytest.approx(plain.item(), rel=0.05)


def test_a_seed_makes_one_network(given: Tokens) -> None:
    def made(seed: int) -> list[np.ndarray]:
        net = Trade(
            tiny.body("", given, seed=seed), dict(zip(SLOTS, BOOLEANS, strict=True)), steps=STEPS
        )
        return [one.detach().numpy() for one in net.parameters()]

    first, again, other = made(1), made(1), made(2)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(first, other, strict=True))
