"""Folders and archives: order, names, hostile members, damage, bombs."""

from __future__ import annotations

import bz2
import gzip
import io
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from reader_result import Read

from pipeline.core.errors import InputError
from pipeline.core.io import archives, inflation

Write = Callable[[str, bytes | str], Path]
FILES = {"b/2.txt": "둘째 파일입니다.", "a.txt": "첫째 파일입니다.", "b/1.txt": "셋째 파일입니다."}


def _tar(members: dict[str, str], **special: tarfile.TarInfo) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        folder = tarfile.TarInfo("b")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
        for info in special.values():
            archive.addfile(info)
    return target.getvalue()


def _zip(members: dict[str, str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.mkdir("b")
        for name, text in members.items():
            archive.writestr(name, text)
    return target.getvalue()


def _special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def _pack(name: str, data: bytes) -> bytes:
    if name.endswith(".zst"):
        return zstandard.ZstdCompressor().compress(data)
    if name.endswith(("gz", "bz2")):
        return gzip.compress(data) if name.endswith("gz") else bz2.compress(data)
    return data


TARS = ["a.tar", "a.tar.gz", "a.tgz", "a.tar.bz2", "a.tar.zst"]


@pytest.mark.parametrize("name", TARS)
def test_a_tar_is_read_in_its_own_order(read: Read, write: Write, name: str) -> None:
    found = read("text_files", write(name, _pack(name, _tar(FILES))))
    assert [d.key for d in found.documents] == ["b/2", "a", "b/1"]
    assert found.documents[0].file == f"{name}!b/2.txt"
    assert found.documents[0].title == "2"
    assert found.rejected == []


def test_a_zip_and_a_folder_are_read_in_the_order_of_names(
    read: Read, write: Write, tmp_path: Path
) -> None:
    packed = read("text_files", write("a.zip", _zip(FILES)))
    for name, text in FILES.items():
        write(f"in/{name}", text)
    folder = read("text_files", tmp_path / "in")
    assert [d.key for d in packed.documents] == ["a", "b/1", "b/2"]
    assert [(d.key, d.text) for d in folder.documents] == [
        (d.key, d.text) for d in packed.documents
    ]
    assert folder.documents[1].file == "b/1.txt"


def test_members_of_another_kind_are_dropped_and_folders_pass(read: Read, write: Write) -> None:
    files = {**FILES, "README.md": "설명", "b/.DS_Store": "x"}
    for path in (write("a.zip", _zip(files)), write("a.tar", _tar(files))):
        found = read("text_files", path)
        assert len(found.documents) == 3
        assert set(found.rules) == {"read.not_a_record@1"}
        assert {r.action for r in found.rejected} == {"drop"}
        assert len(found.rejected) == 2


def test_hostile_members_of_a_tar_are_quarantined_and_touch_nothing(
    read: Read, write: Write, tmp_path: Path
) -> None:
    data = _tar(
        {
            "../out.txt": "밖",
            "/etc/out.txt": "밖",
            "b/../../x.txt": "밖",
            "C:\\x.txt": "밖",
            **FILES,
        },
        link=_special("link.txt", tarfile.SYMTYPE, "/etc/hosts"),
        hard=_special("hard.txt", tarfile.LNKTYPE, "a.txt"),
        device=_special("device.txt", tarfile.CHRTYPE),
        pipe=_special("pipe.txt", tarfile.FIFOTYPE),
        folder=_special("../up", tarfile.DIRTYPE),
    )
    found = read("text_files", write("in/a.tar", data))
    assert len(found.documents) == 3
    assert found.rules == ["read.archive_path@1"] * 9
    assert {r.action for r in found.rejected} == {"quarantine"}
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a.tar", "in"]


def test_hostile_members_of_a_zip_are_quarantined(read: Read, write: Write) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("../out.txt", "밖")
        archive.writestr("a.txt", "안")
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/hosts")
    found = read("text_files", write("a.zip", target.getvalue()))
    assert (found.texts, found.rules) == (["안"], ["read.archive_path@1"] * 2)


def test_links_that_leave_a_folder_are_quarantined(
    read: Read, write: Write, tmp_path: Path
) -> None:
    outside = write("out/secret.txt", "밖")
    inside = write("in/a.txt", "안")
    (tmp_path / "in/link.txt").symlink_to(outside)
    (tmp_path / "in/folder.txt").symlink_to(outside.parent)
    (tmp_path / "in/near.txt").symlink_to(inside)
    (tmp_path / "in/gone.txt").symlink_to(tmp_path / "nothing")
    found = read("text_files", tmp_path / "in")
    assert found.texts == ["안", "안"]
    assert sorted(r.file for r in found.rejected) == ["folder.txt", "gone.txt", "link.txt"]
    assert set(found.rules) == {"read.archive_path@1"}


@pytest.mark.parametrize("name", [*TARS, "a.zip"])
def test_a_member_above_the_cap_is_quarantined(
    read: Read, write: Write, name: str, small_cap: int
) -> None:
    files = {"big.txt": "가" * 1000, "a.txt": "나"}
    data = _zip(files) if name.endswith("zip") else _pack(name, _tar(files))
    found = read("text_files", write(name, data))
    assert (found.texts, found.rules) == (["나"], ["read.too_large@1"])
    assert found.rejected[0].file == f"{name}!big.txt"


def test_a_zip_header_that_lies_about_the_size_is_not_believed(
    read: Read, write: Write, small_cap: int
) -> None:
    data = bytearray(_zip({"big.txt": "가" * 100_000}))
    place = data.index(b"PK\x01\x02") + 24
    while data[place + 22 : place + 29] != b"big.txt":
        place = data.index(b"PK\x01\x02", place) + 24
    data[place : place + 4] = struct.pack("<I", 10)
    with pytest.raises(InputError, match="damaged"):
        read("text_files", write("a.zip", bytes(data)))


@pytest.mark.parametrize("name", ["a.tar", "a.zip"])
def test_many_large_members_are_not_skipped_for_ever(
    read: Read, write: Write, monkeypatch: pytest.MonkeyPatch, small_cap: int, name: str
) -> None:
    monkeypatch.setattr(archives, "MAX_SKIPPED_BYTES", 10_000)
    files = {f"{i}.txt": "가" * 1500 for i in range(15)}
    with pytest.raises(InputError, match=r"take more than 10,000 bytes"):
        read("text_files", write(name, _tar(files) if name.endswith("tar") else _zip(files)))


def test_a_zip_bomb_of_members_above_the_cap_is_stopped(
    read: Read, write: Write, monkeypatch: pytest.MonkeyPatch, small_cap: int
) -> None:
    monkeypatch.setattr(inflation, "BOMB_BYTES", 1_500)
    monkeypatch.setattr(inflation, "BOMB_RATIO", 1)
    with pytest.raises(InputError, match="no corpus does that"):
        read("text_files", write("a.zip", _zip({f"{i}.txt": "0" * 9000 for i in range(50)})))


def test_a_bomb_of_many_members_is_stopped(
    read: Read, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inflation, "BOMB_BYTES", 100_000)
    monkeypatch.setattr(inflation, "BOMB_RATIO", 50)
    files = {f"{i}.txt": "0" * 50_000 for i in range(100)}
    for name, data in (("a.zip", _zip(files)), ("a.tar.zst", _pack("a.zst", _tar(files)))):
        with pytest.raises(InputError, match="no corpus does that"):
            read("text_files", write(name, data))


@pytest.mark.parametrize("name", TARS)
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_an_archive_that_is_cut_off_is_an_error(
    read: Read, write: Write, name: str, kept: float
) -> None:
    files = {f"{i}.txt": f"{i * 7919 % 10007}번 글 " * 30 for i in range(200)}
    data = _pack(name, _tar(files))
    with pytest.raises(InputError, match=r"cut off after \d+ members; fetch it again"):
        read("text_files", write(name, data[: int(len(data) * kept)]))


def test_a_tar_cut_off_between_two_members_is_an_error(read: Read, write: Write) -> None:
    data = _tar({"a.txt": "가", "b.txt": "나"})
    with pytest.raises(InputError, match="cut off after 1 member;"):
        read("text_files", write("a.tar", data[: 3 * 512]))


def test_a_tar_with_a_broken_header_in_the_middle_is_an_error(read: Read, write: Write) -> None:
    data = bytearray(_tar({"a.txt": "가", "b.txt": "나", "c.txt": "다"}))
    data[3 * 512 + 148 : 3 * 512 + 156] = b"garbage!"
    with pytest.raises(InputError, match="damaged or cut off after 1 member;"):
        read("text_files", write("a.tar", bytes(data)))


def test_a_tar_header_of_a_gigabyte_is_an_error(read: Read, write: Write) -> None:
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 10**9
    with pytest.raises(InputError, match="damaged"):
        read("text_files", write("a.tar", info.tobuf() + b"\0" * 4096))


@pytest.mark.parametrize("kept", [0.5, 0.95])
def test_a_zip_that_is_cut_off_is_an_error(read: Read, write: Write, kept: float) -> None:
    data = _zip(FILES)
    with pytest.raises(InputError, match="damaged or cut off"):
        read("text_files", write("a.zip", data[: int(len(data) * kept)]))


def test_a_zip_whose_content_is_damaged_is_an_error(read: Read, write: Write) -> None:
    data = bytearray(_zip({"a.txt": "".join(chr(0xAC00 + i) for i in range(500))}))
    data[600] ^= 0xFF
    with pytest.raises(InputError, match="damaged or cut off after 0 members"):
        read("text_files", write("a.zip", bytes(data)))


def test_an_encrypted_zip_is_an_error(read: Read, write: Write) -> None:
    data = bytearray(_zip({"a.txt": "비밀"}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = -1
        while (start := data.find(mark, start + 1)) >= 0:
            data[start + place] |= 1
    with pytest.raises(InputError, match="is encrypted"):
        read("text_files", write("a.zip", bytes(data)))


def test_a_zip_packed_by_an_unusual_method_is_an_error(read: Read, write: Write) -> None:
    with pytest.raises(InputError, match="pack it anew"):
        read("text_files", write("a.zip", _zip({"a.txt": "글"}, zipfile.ZIP_LZMA)))


def test_a_zip_of_a_later_version_is_an_error(read: Read, write: Write) -> None:
    data = bytearray(_zip({"a.txt": "글"}))
    data[data.find(b"PK\x01\x02") + 6] = 99  # version needed to extract
    with pytest.raises(InputError, match="pack it anew"):
        read("text_files", write("a.zip", bytes(data)))


def test_a_zip_whose_name_is_not_the_utf8_it_claims_is_an_error(read: Read, write: Write) -> None:
    data = bytearray(_zip({"가.txt": "글"}))
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        place = data.find("가".encode(), data.find(mark))
        data[place] = 0xB0
    with pytest.raises(InputError, match="damaged"):
        read("text_files", write("a.zip", bytes(data)))


def test_a_tar_with_a_broken_sparse_map_is_an_error(read: Read, write: Write) -> None:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("a.txt")
        info.pax_headers = {"GNU.sparse.map": "abc"}
        archive.addfile(info)
    with pytest.raises(InputError, match="damaged"):
        read("text_files", write("a.tar", target.getvalue()))


def test_a_link_to_itself_is_quarantined(read: Read, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").symlink_to("a.txt")
    (tmp_path / "in" / "b.txt").write_text("글", "utf-8")
    found = read("text_files", tmp_path / "in")
    assert [document.key for document in found.documents] == ["b"]
    assert len(found.rejected) == 1


def test_names_in_cp949_are_read(read: Read, write: Write) -> None:
    target = io.BytesIO()
    with tarfile.open(
        fileobj=target, mode="w", encoding="cp949", format=tarfile.GNU_FORMAT
    ) as archive:
        info = tarfile.TarInfo("영화.txt")
        info.size = 3
        archive.addfile(info, io.BytesIO("글".encode()))
    assert read("text_files", write("a.tar", target.getvalue())).documents[0].key == "영화"

    data = _zip({"ABCD.txt": "글"}).replace(b"ABCD", "영화".encode("cp949"))
    assert read("text_files", write("a.zip", data)).documents[0].key == "영화"


def test_inputs_without_files_are_errors(read: Read, write: Write, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    for path in (tmp_path / "nothing", write("a.zip", _zip({})), write("a.tar", _tar({}))):
        with pytest.raises(InputError, match="holds no files"):
            read("text_files", path)
    with pytest.raises(InputError, match="is empty"):
        read("text_files", write("b.tar", b""))
    with pytest.raises(InputError, match="no such file"):
        read("text_files", tmp_path / "missing.zip")


def test_a_file_of_another_form_is_an_error(read: Read, write: Write) -> None:
    with pytest.raises(InputError, match=r"takes a folder or one of \.txt, \.zip, \.tar"):
        read("text_files", write("a.rar", b"x"))
    with pytest.raises(InputError, match="damaged or cut off after 0 members"):
        read("text_files", write("a.tar", b"x" * 2000))
    with pytest.raises(InputError, match="damaged or cut off after 0 members"):
        read("text_files", write("a.zip", b"x" * 2000))
