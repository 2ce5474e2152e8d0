"""What may not be parted stays together, and what earlier versions parted stays apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.splits import Split
from pipeline.release.splits.groups import BRIDGE, groups
from pipeline.release.splits.member import Member

TITLES = (
    "도서관이 밤 열 시까지 문을 연다",
    "도서관이 밤 열 시까지 문을 연다!",
    "새 다리가 놓여 섬까지 걸어서 간다",
    "감자 값이 한 달 만에 절반으로 내렸다",
    "봄비가 그친 뒤 강물이 크게 불었다",
    "동네 빵집이 스무 해 만에 이사한다",
)


def _member(name: str, title: str | None = None, **more: object) -> Member:
    member = Member(name, "yna", {"title": f"{name} {name} {name}" if title is None else title}, [])
    return replace(member, **more)  # type: ignore[arg-type]


def _ids(members: Sequence[Member], links: dict[str, list[str]] | None = None) -> list[list[str]]:
    found, left = groups(members, links or {}, task="tc")
    assert not left
    return [[one.id for one in group.members] for group in found]


def test_near_texts_documents_and_links_connect_and_nothing_else() -> None:
    near = [_member("a", TITLES[0]), _member("b", TITLES[1]), _member("c", TITLES[2])]
    assert _ids(near) == [["a", "b"], ["c"]]
    documents = [
        _member("a", documents=("d1", "d2")),
        _member("b", documents=("d2",)),
        _member("c", documents=("d1",)),
        _member("d", documents=("d3",)),
    ]
    assert _ids(documents) == [["a", "b", "c"], ["d"]]
    links = {"a": ["k"], "c": ["k", "l"], "d": ["l"], "nobody": ["l"]}
    assert _ids([_member(name) for name in "abcd"], links) == [["a", "c", "d"], ["b"]]


def test_a_link_and_a_document_of_one_name_are_not_the_same() -> None:
    members = [_member("a", documents=("x",)), _member("b")]
    assert _ids(members, {"b": ["x", "a"]}) == [["a"], ["b"]]


def test_sentences_of_a_pair_connect_crosswise() -> None:
    rows = [(TITLES[2], TITLES[3]), (TITLES[4], TITLES[2]), (TITLES[5], TITLES[0])]
    members = [
        Member(f"m{n}", "x", {"sentence1": a, "sentence2": b}, None)
        for n, (a, b) in enumerate(rows)
    ]
    found, _ = groups(members, {}, task="sts")
    assert [len(one) for one in found] == [2, 1]


def test_a_new_one_between_two_splits_is_left_out_and_one_beside_stays() -> None:
    members = [
        _member("kept-test", kept="test"),
        _member("kept-train", kept="train"),
        _member("bridge"),
        _member("beside-bridge"),
        _member("train-only"),
        _member("train-only-too"),
    ]
    links = {
        "kept-test": ["1"],
        "bridge": ["1", "2", "3"],
        "kept-train": ["2", "4"],
        "beside-bridge": ["3"],
        "train-only": ["4", "5"],
        "train-only-too": ["5"],
    }
    found, left = groups(members, links, task="tc")
    told = {one.kept: [each.id for each in one.members] for one in found}
    assert told == {
        "test": ["kept-test"],
        "train": ["kept-train", "train-only", "train-only-too"],
    }
    assert set(left) == {"bridge", "beside-bridge"}
    assert left["bridge"] == (
        BRIDGE,
        "connects examples that an earlier version put into train and test",
    )


def test_a_new_near_duplicate_of_two_kept_near_duplicates_is_left_out() -> None:
    # All three are near each other: that two are connected through a third must hide nothing.
    for names in ("abc", "bca", "cab", "acb"):
        train, test, new = names
        members = [
            _member(train, TITLES[0], kept="train"),
            _member(test, TITLES[1], kept="test"),
            _member(new, TITLES[0] + "…"),
        ]
        found, left = groups(members, {}, task="tc")
        assert list(left) == [new]
        assert sorted(str(one.kept) for one in found) == ["test", "train"]


KEYS = st.lists(st.sampled_from("pqrstuv"), max_size=2)
KEPT = st.sampled_from((None, None, "train", "dev", "test"))


@given(st.lists(st.tuples(KEYS, KEYS, st.sampled_from(TITLES), KEPT), max_size=12), st.randoms())
def test_whatever_is_given_each_is_in_one_place_and_no_tie_is_cut(
    rows: list[tuple[list[str], list[str], str, Split | None]], random: Random
) -> None:
    members = [
        _member(f"{n:02}", title, documents=tuple(documents), kept=kept)
        for n, (_, documents, title, kept) in enumerate(rows)
    ]
    links = {f"{n:02}": row[0] for n, row in enumerate(rows)}
    found, left = groups(members, links, task="tc")
    shuffled = random.sample(members, len(members))
    assert groups(shuffled, links, task="tc") == (found, left)

    place = {one.id: group for group in found for one in group.members}
    assert sorted([*place, *left]) == sorted(one.id for one in members)
    assert all(len({one.kept for one in each.members} - {None}) <= 1 for each in found)
    assert [one.id for one in found] == sorted(one.id for one in found)
    assert not any(one.kept for one in members if one.id in left)

    tied = _ties(members, links)
    for one, other in tied:
        if one.id in place and other.id in place and place[one.id] is not place[other.id]:
            assert one.kept and other.kept and one.kept != other.kept
    for name in left:
        assert len(_reached(name, members, tied)) > 1


def _ties(members: Sequence[Member], links: dict[str, list[str]]) -> list[tuple[Member, Member]]:
    def tied(one: Member, other: Member) -> bool:
        alike = {one.fields["title"], other.fields["title"]} <= set(TITLES[:2])
        return bool(
            one.fields["title"] == other.fields["title"]
            or alike
            or set(one.documents) & set(other.documents)
            or set(links[one.id]) & set(links[other.id])
        )

    return [(a, b) for a in members for b in members if a.id != b.id and tied(a, b)]


def _reached(
    name: str, members: Sequence[Member], tied: Sequence[tuple[Member, Member]]
) -> set[Split]:
    """Return the splits that new members reach, walking over new members alone."""
    seen, edge = {name}, {name}
    splits: set[Split] = set()
    while edge:
        after = [b for a, b in tied if a.id in edge]
        splits |= {one.kept for one in after if one.kept}
        edge = {one.id for one in after if not one.kept} - seen
        seen |= edge
    return splits
