"""Signatures: MinHash estimates Jaccard, and normalisation is the one that is documented."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.signatures import BANDS, ROWS, bands, compared, letters, normalise


def _form(text: str) -> str:
    (form,) = compared([text], [normalise(text)])
    return form


texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("ＯＳＴ가 좋다", "ost가 좋다"),
        (" 정말  좋다\t", "정말 좋다"),
        ("\u1100\u1161\u1100\u1161\u11a8", "가각"),
    ],
)
def test_exact_duplicates_after_normalisation(left: str, right: str) -> None:
    assert normalise(left) == normalise(right)


@pytest.mark.parametrize(("left", "right"), [("좋다?", "좋다."), ("좋다", "좋 다")])
def test_what_differs_in_meaning_is_no_exact_duplicate(left: str, right: str) -> None:
    assert normalise(left) != normalise(right)


@given(texts)
def test_normalise_is_idempotent(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_what_is_compared_of_a_worked_example() -> None:
    assert _form("영화가, 좋다!") == "영화가좋다"
    assert _form("굿!") == "\0굿"
    assert _form("!!!!") == "\0!!!!"


@given(st.lists(st.text(st.one_of(st.characters(), st.sampled_from("가나 !_1")), max_size=9)))
def test_what_is_compared_of_many_is_what_is_of_each(some: list[str]) -> None:
    kept = [letters(text) for text in some]
    expected = [
        form if len(form) > 2 else f"\0{form or text}"
        for form, text in zip(kept, some, strict=True)
    ]
    assert compared(some, list(map(normalise, some))) == expected


@given(texts.filter(lambda text: any(c.isalnum() for c in text)))
def test_equal_shingles_share_all_bands(text: str) -> None:
    assert np.array_equal(*bands([_form(text), _form(text + " !")]))


@given(st.lists(texts, max_size=8))
def test_a_signature_does_not_depend_on_its_neighbours(some: list[str]) -> None:
    together = bands(list(map(_form, some)))
    assert together.shape == (len(some), BANDS)
    for text, row in zip(some, together, strict=True):
        assert np.array_equal(bands([_form(text)])[0], row)


def test_bands_are_shared_as_the_theory_says() -> None:
    # Jaccard 0.8: 1 - (1 - 0.8^4)^15 = 0.9996; Jaccard 0.25: 1 - (1 - 0.25^4)^15 = 0.057
    def share(common: int, own: int) -> float:
        hits = 0
        for i in range(200):
            base = [chr(0xAC00 + 53 * i + 7 * k) for k in range(common + 2)]
            left = "".join(base) + "".join(chr(0x4E00 + 11 * i + k) for k in range(own))
            right = "".join(base) + "".join(chr(0x6E00 + 11 * i + k) for k in range(own))
            a, b = bands([_form(left), _form(right)]).tolist()
            hits += bool(set(a) & set(b))
        return hits / 200

    assert share(80, 10) > 0.98
    assert share(20, 30) < 0.2


def test_bands_never_change() -> None:
    # A change of hash or permutations moves clusters in every release: it must be seen.
    found = bands([_form("가람포의 등대는 백 년 동안 바다를 비췄다.")])[0]
    assert found.shape == (BANDS,)
    assert found.dtype == np.uint64
    assert ROWS * BANDS == 60
    assert int(found[0]) == 16560192240614164363
