"""Pieces: where mecab is cut, and that nothing of a text is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.official.tables import rows_of
from pipeline.sampling.tagging.pieces import pieces
from pipeline.tasks.ner import official as entities


def forms(text: str) -> list[str]:
    return [piece.form for piece in pieces(text)]


def test_signs_and_what_follows_a_surname_are_cut() -> None:
    assert forms("0.2%)") == ["0", ".", "2", "%", ")"]
    assert forms("박씨")[0] == "박"
    assert forms("2019년")[0] == "2019"


def test_joined_says_where_an_eojeol_begins() -> None:
    found = pieces("물빛시에 산다")
    assert [piece.form for piece in found if not piece.joined][1:] == ["산다"]
    assert not found[0].joined


@given(st.text(alphabet="서울 박씨모%)(0.2년\n\t에서는ㅋA", max_size=20))
def test_pieces_are_the_text_without_blanks(text: str) -> None:
    found = pieces(text)
    assert "".join(piece.form for piece in found) == "".join(text.split())
    places = [place for piece in found for place in (piece.start, piece.end)]
    assert places == sorted(places)
    assert all(text[piece.start : piece.end] == piece.form for piece in found)


@pytest.mark.full
def test_few_official_entities_end_inside_a_piece(data_dir: Path) -> None:
    official = entities.read(data_dir / "klue" / "klue-ner-v1.1_dev.tsv")
    inside = total = 0
    for row in rows_of(official):
        found = pieces(row.fields["text"])
        ends = {piece.start for piece in found} | {piece.end for piece in found}
        total += len(row.gold)
        inside += sum(not {span["start"], span["end"]} <= ends for span in row.gold)
    assert total == 14_257  # Table 9 of the paper
    assert inside / total < 0.02
