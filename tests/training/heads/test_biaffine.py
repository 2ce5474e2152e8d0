"""The scores of arcs and relations against their formulas, and which heads are allowed."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from pipeline.core.errors import RecordError
from pipeline.tasks.dp.head.network import Arcs, Relations, head_final
from pipeline.tasks.dp.task import check_shape, turns_left

torch.set_num_threads(1)


def bare(layers: nn.Module) -> None:
    """Take away what reads words before they are compared."""
    layers.dependent = nn.Identity()
    layers.head = nn.Identity()


def test_arcs_are_scored_by_the_biaffine_form() -> None:
    layers = Arcs(2, 2)
    bare(layers)
    with torch.no_grad():
        layers.pair.copy_(torch.tensor([[1.0, 2.0], [0.0, -1.0]]))
        layers.prior.weight.copy_(torch.tensor([[10.0, 100.0]]))
    words = torch.tensor([[[1.0, 1.0], [0.0, 2.0]]])
    places = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [3.0, 1.0]]])
    # d'U is (1, 1) and (0, -2); the heads' own scores are 10, 100, 130.
    expected = torch.tensor([[[11.0, 101.0, 134.0], [10.0, 98.0, 128.0]]])
    assert torch.allclose(layers(words, places), expected)


def test_relations_are_scored_by_their_own_matrix_and_alone() -> None:
    layers = Relations(2, 2, 2)
    bare(layers)
    with torch.no_grad():
        layers.pair.copy_(torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 0.0]]]))
        layers.alone.weight.copy_(torch.tensor([[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 5.0]]))
        layers.alone.bias.copy_(torch.tensor([0.5, 0.0]))
    word, head = torch.tensor([[[2.0, 3.0]]]), torch.tensor([[[4.0, 5.0]]])
    # 2*4 + 3*5 + 0.5, and 2*5 + 2 + 5*5
    assert layers(word, head).tolist() == [[[23.5, 37.0]]]


def test_heads_that_are_allowed_stand_right_and_the_last_word_is_the_root() -> None:
    allowed = head_final(torch.tensor([3, 1]), 3).int().tolist()
    assert allowed[0] == [[0, 0, 1, 1], [0, 0, 0, 1], [1, 0, 0, 0]]
    assert allowed[1] == [[1, 0, 0, 0]] * 3


@given(st.integers(1, 9), st.integers(0, 5), st.integers(0, 2**32))
def test_whatever_the_scores_the_best_heads_make_a_tree(many: int, more: int, seed: int) -> None:
    scores = torch.randn(1, many + more, many + more + 1, generator=torch.manual_seed(seed)) * 1e4
    allowed = head_final(torch.tensor([many]), many + more)
    heads = scores.masked_fill(~allowed, -torch.inf).argmax(dim=-1)[0, :many].tolist()
    check_shape(heads)
    assert turns_left(heads) == 0
    assert max(heads) <= many


def test_every_tree_that_the_task_accepts_is_allowed() -> None:
    for many in (1, 2, 3, 4):
        allowed = head_final(torch.tensor([many]), many)[0]
        accepted = set()
        for heads in torch.cartesian_prod(*[torch.arange(many + 1)] * many).view(-1, many).tolist():
            try:
                check_shape(heads)
            except RecordError:
                continue
            if not turns_left(heads):
                accepted.add(tuple(heads))
        reached = torch.cartesian_prod(*[row.nonzero().flatten() for row in allowed])
        assert {tuple(heads) for heads in reached.view(-1, many).tolist()} == accepted
