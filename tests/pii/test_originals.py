"""Sets of digests: same bytes from any order and parts, and damage is told."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import InputError, StoreError
from pipeline.pii.originals import SIZE, Originals, digest

KEY = b"0123456789abcdef"
# Digests that begin and end in zero bytes are the hard ones for fixed-length strings.
DIGESTS = st.one_of(
    st.binary(min_size=SIZE, max_size=SIZE),
    st.integers(0, 3).map(lambda n: n.to_bytes(SIZE, "little")),
    st.integers(0, 3).map(lambda n: n.to_bytes(SIZE, "big")),
)


def _bytes(originals: Originals) -> bytes:
    with TemporaryDirectory() as folder:
        originals.save(Path(folder) / "o")
        return (Path(folder) / "o").read_bytes()


def test_a_digest_depends_on_key_type_and_value() -> None:
    found = {digest(KEY, "phone", "1"), digest(KEY, "rrn", "1"), digest(KEY, "phone", "2")}
    assert len({*found, digest(KEY + b"x", "phone", "1")}) == 4
    assert {len(d) for d in found} == {SIZE}
    assert digest(KEY, "mention", "\ud800")


@given(st.lists(DIGESTS, max_size=30), st.data())
def test_order_and_parts_do_not_matter(digests: list[bytes], data: st.DataObject) -> None:
    whole = Originals.of(digests)
    shuffled = data.draw(st.permutations(digests))
    cut = data.draw(st.integers(0, len(digests)))
    parts = [Originals.of(shuffled[:cut]), Originals.of(shuffled[cut:]), Originals.of(digests[:2])]
    assert _bytes(Originals.merge(parts)) == _bytes(whole)
    assert len(whole) == len(set(digests))


@given(st.sets(DIGESTS, max_size=30), st.sets(DIGESTS, max_size=10))
def test_contains_what_it_was_made_of(inside: set[bytes], others: set[bytes]) -> None:
    originals = Originals.of(iter(inside))
    assert all(originals.contains(d) for d in inside)
    assert not any(originals.contains(d) for d in others - inside)


def test_is_read_as_it_was_written(tmp_path: Path) -> None:
    digests = [digest(KEY, "phone", str(n)) for n in range(1000)]
    path = tmp_path / "originals"
    Originals.of(digests).save(path)
    assert path.stat().st_size == 48 + SIZE * 1000
    loaded = Originals.load(path)
    assert len(loaded) == 1000
    assert all(loaded.contains(d) for d in digests)
    assert [p.name for p in tmp_path.iterdir()] == ["originals"]


def test_an_empty_set_is_one(tmp_path: Path) -> None:
    Originals.merge([]).save(tmp_path / "o")
    loaded = Originals.load(tmp_path / "o")
    assert len(loaded) == 0
    assert not loaded.contains(bytes(SIZE))


@pytest.mark.parametrize("cut", [0, 7, 8, 20, 60, 79])
def test_a_file_that_is_cut_off_is_an_error(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "o"
    Originals.of([digest(KEY, "ip", str(n)) for n in range(2)]).save(path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(StoreError, match="collect the originals again"):
        Originals.load(path)


@given(st.integers(0, 79), st.integers(1, 255))
def test_any_changed_byte_is_an_error(place: int, change: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "o"
        Originals.of([digest(KEY, "ip", str(n)) for n in range(2)]).save(path)
        content = bytearray(path.read_bytes())
        content[place] ^= change
        path.write_bytes(content)
        with pytest.raises(StoreError):
            Originals.load(path)


def test_an_absent_file_and_a_wrong_digest_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Originals.load(tmp_path / "absent")
    with pytest.raises(InputError, match="15 bytes"):
        Originals.of([b"x" * 15])
