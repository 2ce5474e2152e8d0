from __future__ import annotations

import pytest

from pipeline.core.io.column_names import other_separator, show_name, show_names


@pytest.mark.parametrize(
    "name",
    ["번호", "리뷰내용", "작성일", "review", "opinion", "user_id", "review text", "sentence2"],
)
def test_names_of_columns_are_shown(name: str) -> None:
    assert show_name(name, 4) == repr(name)


@pytest.mark.parametrize(
    "cell",
    [
        *("홍길동", "이유형", "김하나 후기", "서울시", "hong@mail.example", "010-1234-5678", ""),
        *("it was good", "Good.", "12"),
    ],
)
def test_cells_that_may_be_data_are_told_by_number(cell: str) -> None:
    assert show_name(cell, 4) == "number 4"


def test_a_list_of_names_shows_what_a_person_gives_to_an_option() -> None:
    assert show_names(["번호", "리뷰내용", "홍길동"]) == "'번호', '리뷰내용', number 3"


def test_many_names_are_shortened() -> None:
    assert show_names([f"q{n}" for n in range(20)]).endswith("'q10', 'q11' and 8 more")
    assert show_names([]) == "no column"


def test_a_row_of_data_is_told_as_a_missing_header() -> None:
    shown = show_names(["홍길동", "좋은 가게입니다."])
    assert shown == "2 columns without a plain name, as if a header were missing"


@pytest.mark.parametrize(
    ("names", "mark"),
    [(["no;review;date"], ";"), (["a\tb"], "\t"), (["review"], ""), (["a;b", "c"], ""), ([], "")],
)
def test_a_single_column_may_be_several_separated_otherwise(names: list[str], mark: str) -> None:
    assert other_separator(names) == mark
