from __future__ import annotations

import pytest

from pipeline.corpus.readers.column_names import masked, masked_list, other_separator


@pytest.mark.parametrize("name", ["번호", "리뷰내용", "작성일", "review", "opinion"])
def test_names_of_columns_are_shown(name: str) -> None:
    assert masked(name) == repr(name)


@pytest.mark.parametrize("cell", ["홍길동", "이유형", "김하나 후기", "서울시", "hong@mail.example"])
def test_cells_that_may_be_data_are_masked(cell: str) -> None:
    assert cell not in masked(cell)
    assert masked(cell).startswith(f"'{cell[0]}*")


def test_a_list_of_names_shows_what_a_person_gives_to_an_option() -> None:
    assert masked_list(["번호", "리뷰내용", "홍길동"]) == "'번호', '리뷰내용', '홍**'"


@pytest.mark.parametrize(
    ("names", "mark"),
    [(["no;review;date"], ";"), (["a\tb"], "\t"), (["review"], ""), (["a;b", "c"], ""), ([], "")],
)
def test_a_single_column_may_be_several_separated_otherwise(names: list[str], mark: str) -> None:
    assert other_separator(names) == mark
