"""The stage `read`: what changed under it, and what cannot be read at all, is refused."""

from __future__ import annotations

import gzip
import shutil
import unicodedata
from hashlib import sha512
from pathlib import Path

import pytest

from pipeline.core import running, schemas, stage, store
from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_path
from pipeline.core.io import batch
from pipeline.corpus.composition import compose_documents


def _call(
    work: Path, paths: list[Path], digests: list[str] | None = None, *, reader: str = "text"
) -> stage.Call:
    options = {"columns": {}, "encoding": "utf-8", "delimiter": ",", "header": True}
    given = [{"name": p.name, "reader": reader, "options": options} for p in paths]
    return stage.call(
        "pipeline.corpus.read",
        work=work,
        source="toy",
        raw=tuple(digests or [of_path(p) for p in paths]),
        params={"inputs": given},
        arguments={"paths": [str(p) for p in paths]},
    )


def test_records_are_documents_or_ledger_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("첫 줄\n\n".encode() + "둘째".encode("cp949") + b"\n" + "셋째".encode())
    call = _call(tmp_path, [path])
    running.complete(call)
    manifest = store.read_manifest(call.folder)
    assert manifest is not None
    counts = manifest.counts
    assert (counts.rows_in, counts.rows_out, counts.dropped, counts.quarantined) == (4, 2, 1, 1)
    rows = store.read_all(call.folder, "ledger").to_pylist()
    assert [(r["rule"], r["file"], r["line"]) for r in rows] == [
        ("read.empty@1", "a.txt", 2),
        ("read.encoding@1", "a.txt", 3),
    ]


def test_a_file_that_changed_while_it_was_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("글", "utf-8")
    call = _call(tmp_path, [path], ["the digest of what was planned"])
    with pytest.raises(InputError, match="changed while it was read; run again"):
        running.complete(call)
    assert not call.done
    running.complete(_call(tmp_path, [path]))
    assert not store.partial_of(call.folder).exists()


@pytest.mark.parametrize("blank", ["", "\n\n"])
def test_a_source_of_which_nothing_can_be_read_is_refused(tmp_path: Path, blank: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("한국\n말\n".encode("cp949") + blank.encode())
    with pytest.raises(InputError, match=r"could be read \(read.encoding@1 2 times\)"):
        running.complete(_call(tmp_path, [path]))


def _lines() -> bytes:
    """Return 9 MB of lines that pack to half."""
    hashes = (sha512(str(n).encode()).hexdigest() for n in range(68_000))
    return "".join(f"{n} 문장 {text}\n" for n, text in enumerate(hashes)).encode()


def _write_input(folder: Path, form: str) -> Path:
    data, path = _lines(), folder / f"a{form}"
    if form in (".txt", ".txt.gz"):
        path.write_bytes(gzip.compress(data, 1) if form.endswith(".gz") else data)
        return path
    parts = folder / "parts"
    parts.mkdir()
    for n in range(8):
        (parts / f"{n}.txt").write_bytes(data[: len(data) // 8])
    if form == "":
        return parts
    return Path(shutil.make_archive(str(folder / "a"), form.removeprefix("."), parts))


@pytest.mark.parametrize("form", [".txt", ".txt.gz", "", ".zip", ".tar"])
def test_the_work_of_reading_is_reported_in_bytes(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "BYTES", 2**18)
    path = _write_input(tmp_path, form)
    reader = "lines" if ".txt" in form else "text_files"
    call = _call(tmp_path / "work", [path], reader=reader)
    total, done = running.expected_work(call), list[int]()
    files = [path] if path.is_file() else [*path.iterdir()]
    assert total == sum(file.stat().st_size for file in files)
    running.complete(call, done.append)
    assert all(work >= 0 for work in done)
    assert 0.95 * total <= sum(done) <= total
    assert done[0] < total, "one can see it go on"


def test_hangul_in_pieces_is_composed_and_noted(tmp_path: Path) -> None:
    texts = ["가나다", "값이 é 金", "도 값을 본다"]
    lines = [
        texts[0],
        unicodedata.normalize("NFD", texts[1]),
        unicodedata.normalize("NFD", texts[2]),
    ]
    path = tmp_path / "a.txt"
    path.write_text("\n".join(lines), "utf-8")
    call = _call(tmp_path, [path])
    running.complete(call)
    documents = store.read_all(call.folder, "documents")
    assert documents["text"].to_pylist() == [texts[0], "값이 e\u0301 金", texts[2]]
    assert [part[0]["end"] for part in documents["sections"].to_pylist()] == [3, 7, 7]
    rows = store.read_all(call.folder, "ledger").to_pylist()
    assert [(r["rule"], r["action"], r["line"], r["reason"]) for r in rows] == [
        ("read.composed@1", "edit", 2, "Hangul in pieces; 3 characters fewer"),
        ("read.composed@1", "edit", 3, "Hangul in pieces; 8 characters fewer"),
    ]
    assert [r["unit"] for r in rows] == documents["id"].to_pylist()[1:]


def test_sections_and_titles_follow_composed_texts() -> None:
    text = unicodedata.normalize("NFD", "머리 말입니다 몸")
    cut = text.index(" ") + 1
    sections = [
        {"title": "", "level": 1, "start": 0, "end": cut - 1},
        {"title": "", "level": 2, "start": cut, "end": len(text)},
    ]
    row = dict.fromkeys(schemas.DOCUMENTS.names) | {
        "source": "a",
        "key": "k",
        "file": "f",
        "line": 1,
    }
    plain = row | {"id": "a-d1", "text": "그대로", "sections": sections[:1], "meta": []}
    apart = row | {"id": "a-d2", "text": text, "sections": sections, "meta": []}
    titled = plain | {"id": "a-d3", "title": unicodedata.normalize("NFD", "제목")}
    before = schemas.build("documents", [plain, apart, titled])
    documents, edits = compose_documents(before)
    first, second, third = documents.to_pylist()
    assert first == before.to_pylist()[0]
    parts = [second["text"][part["start"] : part["end"]] for part in second["sections"]]
    assert parts == ["머리", "말입니다 몸"]
    assert (third["title"], third["text"]) == ("제목", "그대로")
    assert edits["unit"].to_pylist() == ["a-d2", "a-d3"]
    assert compose_documents(documents)[0].equals(documents)
