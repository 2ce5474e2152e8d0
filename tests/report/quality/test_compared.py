"""A number of the paper is compared only where its examples are ours."""

from __future__ import annotations

import pytest

from pipeline.report.quality.statistics import apart
from pipeline.report.record import Column, Section, Table

NAMES = ("Source", "Train", "Dev", "Dev, share", "Test", "Total", "Premise, mean length")


@pytest.mark.parametrize(
    ("same", "compared"),
    [
        ((), set()),
        (("dev",), {"Dev", "Dev, share"}),
        (("train", "dev", "test"), set(NAMES)),
    ],
)
def test_columns_of_several_splits_need_all_of_them(
    same: tuple[str, ...], compared: set[str]
) -> None:
    row = [1] * len(NAMES)
    table = Table("t", "t", [Column(name) for name in NAMES], [row], published=[row])
    alone = Table("u", "u", [Column("Train")], [[1]])
    made = apart(Section("s", "S", parts=[Section("p", "P", "", [table, alone])]), same)
    own, other = made.parts[0].tables
    assert {column.name for column in own.columns if not column.apart} == compared
    assert other == alone
