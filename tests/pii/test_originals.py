"""Sets of digests: the same from any order and parts."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from pipeline.pii.key import SIZE, Originals, digest

KEY = b"0123456789abcdef"
# Digests that begin and end in zero bytes are the hard ones for fixed-length strings.
DIGESTS = st.one_of(
    st.binary(min_size=SIZE, max_size=SIZE),
    st.integers(0, 3).map(lambda n: n.to_bytes(SIZE, "little")),
    st.integers(0, 3).map(lambda n: n.to_bytes(SIZE, "big")),
)


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
    assert pickle.dumps(Originals.merge(parts)) == pickle.dumps(whole)
    assert len(whole) == len(set(digests))


@given(st.sets(DIGESTS, max_size=30), st.sets(DIGESTS, max_size=10))
def test_contains_what_it_was_made_of(inside: set[bytes], others: set[bytes]) -> None:
    originals = Originals.of(iter(inside))
    assert all(originals.contains(d) for d in inside)
    assert not any(originals.contains(d) for d in others - inside)


def test_reaches_workers_whole() -> None:
    digests = [digest(KEY, "phone", str(n)) for n in range(1000)]
    sent = pickle.loads(pickle.dumps(Originals.of(digests)))
    assert len(sent) == 1000
    assert all(sent.contains(d) for d in digests)


def test_an_empty_set_is_one() -> None:
    empty = Originals.merge([])
    assert len(empty) == 0
    assert not empty.contains(bytes(SIZE))
