"""`klue clean` on files as people have them, `klue corpus` on its work, and what both refuse."""

from __future__ import annotations

import gzip
import json
import os
import unicodedata
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from flows.cli import app
from pipeline.contracts.build_inputs import load_build

TEN = """\
배우들의 연기가 정말 좋았어요. 다만 결말이 조금 아쉽네요.
처음부터 끝까지 긴장을 놓을 수 없었다!! #강추 꼭 보세요
the best movie ever
음악이   참 좋다
감독의 전작보다 못하다
문의는 hong@example.com 으로 주세요. 예매는 극장에서 하세요.

음악이   참 좋다
오늘 저녁에 비가 온다고 합니다.
내일은 맑겠습니다. 주말에는 산에 갈까요?
"""


def _clean(*arguments: object) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["clean", *map(str, arguments), "--json"])
    assert done.exit_code == 0, done.stderr
    record: dict[str, Any] = json.loads(done.stdout)
    assert list(record) == ["rows_in", "rows_out", "dropped", "edited", "personal", "out"]
    assert record["rows_in"] == record["rows_out"] + sum(record["dropped"].values())
    return record


def _texts(record: dict[str, Any]) -> list[str]:
    lines = Path(record["out"]).read_text("utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines]


def _refused(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["clean", *map(str, arguments)])
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.output
    return str(done.stderr)


@pytest.fixture
def ten(tmp_path: Path) -> Path:
    path = tmp_path / "ten.txt"
    path.write_text(TEN, "utf-8")
    return path


def test_sentences_ledger_report_and_build(ten: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    record = _clean(ten, "--out", out)
    assert _texts(record) == [
        "배우들의 연기가 정말 좋았어요.",
        "다만 결말이 조금 아쉽네요.",
        "처음부터 끝까지 긴장을 놓을 수 없었다!!",
        "꼭 보세요",
        "음악이 참 좋다",
        "감독의 전작보다 못하다",
        "예매는 극장에서 하세요.",
        "오늘 저녁에 비가 온다고 합니다.",
        "내일은 맑겠습니다.",
        "주말에는 산에 갈까요?",
    ]
    assert record["dropped"] == {
        "duplicate.exact@1": 1,
        "noise.non_korean@1": 1,
        "pii.email@1": 1,
        "read.empty@1": 1,
    }
    assert record["personal"] == {"email": 1}
    ledger = pq.read_table(out / "ledger.parquet").to_pylist()
    assert sum(row["action"] == "drop" for row in ledger) == sum(record["dropped"].values())
    page = (out / "report.html").read_text("utf-8")
    assert "hong@example" not in page + json.dumps(ledger, ensure_ascii=False)
    assert load_build(out / "build.yaml").name == "ten"

    again = CliRunner().invoke(app, ["clean", str(ten), "--out", str(out)])
    assert again.exit_code == 2
    assert "--force" in again.stderr
    plan = ["build", str(out / "build.yaml"), "--work", str(out / "work")]
    done = CliRunner().invoke(app, [*plan, "--dry-run", "--json"])
    assert [row["runs"] for row in json.loads(done.stdout)["stages"]] == [False] * 8

    file = tmp_path / "kept.parquet"
    done = CliRunner().invoke(app, ["corpus", str(out / "work"), "--out", str(file), "--json"])
    assert json.loads(done.stdout) == {"build": "ten.corpus", "rows": 10, "out": str(file)}
    assert pq.read_table(file)["text"].to_pylist() == _texts(record)
    done = CliRunner().invoke(app, ["corpus", str(out / "work"), "--out", str(tmp_path / "a.txt")])
    assert ".parquet, .jsonl" in done.stderr


def test_glosses_in_chinese_characters_stay(tmp_path: Path) -> None:
    gloss = "위압적(威壓的)이고 강제적(強制的)인 사실(事實)을 인정(認定)하는 진술(陳述)이었다."
    file = tmp_path / "gloss.txt"
    file.write_text(f"{gloss}\n君をのせて 井上あずみの歌 노래\n", "utf-8")
    record = _clean(file, "--out", tmp_path / "out")
    assert _texts(record) == [gloss]
    assert record["dropped"] == {"noise.foreign_script@1": 1}


def test_documents_say_what_was_cut(ten: Path, tmp_path: Path) -> None:
    record = _clean(ten, "--out", tmp_path / "out", "--documents")
    rows = [json.loads(line) for line in Path(record["out"]).read_text("utf-8").splitlines()]
    assert record["rows_in"] == 10
    assert record["dropped"] == {
        "document.emptied@1": 1,
        "document.repeated@1": 1,
        "read.empty@1": 1,
    }
    (cut,) = [row for row in rows if row["text"] == "예매는 극장에서 하세요."]
    assert cut["cut"] == [{"rule": "pii.email@1", "action": "drop", "start": 0, "end": 28}]
    assert rows[-1]["text"] == "내일은 맑겠습니다. 주말에는 산에 갈까요?"
    assert (rows[-1]["file"], rows[-1]["line"]) == ("ten.txt", 10)


def test_what_options_change(ten: Path, tmp_path: Path) -> None:
    options = ("--unit", "whole", "--duplicates", "keep", "--language", "any")
    record = _clean(ten, "--out", tmp_path / "out", *options, "--personal", "email=keep")
    assert record["dropped"] == {"read.empty@1": 1}
    assert Path(record["out"]).name == "texts.jsonl"
    rows = [json.loads(line) for line in Path(record["out"]).read_text("utf-8").splitlines()]
    same = [row["cluster"] for row in rows if row["text"] == "음악이 참 좋다"]
    assert len(same) == 2
    assert len(set(same)) == 1
    assert "the best movie ever" in _texts(record)


def test_personal_data_are_masked_replaced_or_kept_by_type(tmp_path: Path) -> None:
    file, key = tmp_path / "call.txt", tmp_path / "key"
    text = "전화는 010-2345-6789, 메일은 hong@example.com 입니다."
    file.write_text(f"{text}\n날씨가 좋습니다.\n", "utf-8")
    key.write_text("0123456789abcdef" * 4, "utf-8")
    record = _clean(file, "--out", tmp_path / "drop")
    assert _texts(record) == ["날씨가 좋습니다."]
    assert record["personal"] == {"email": 1, "phone": 1}
    masked = _texts(_clean(file, "--out", tmp_path / "mask", "--personal", "mask"))[0]
    assert masked == "전화는 [phone], 메일은 [email] 입니다."
    kept = _texts(_clean(file, "--out", tmp_path / "keep", "--personal", "keep"))[0]
    assert kept == text
    options = ("--personal", "mask,phone=pseudonymise")
    mixed = _clean(file, "--out", tmp_path / "mixed", *options, "--key-file", key)
    assert _texts(mixed)[0].endswith(", 메일은 [email] 입니다.")
    assert "010-2345-6789" not in _texts(mixed)[0]
    assert "--key-file" in _refused(file, "--out", tmp_path / "none", *options)


SENTENCE = "오늘은 {} 이야기를 합니다."


def _one_of_each(folder: Path) -> Iterator[str]:
    def text(form: str) -> dict[str, str]:
        return {"번호": form, "본문": SENTENCE.format(form)}

    frame = pd.DataFrame([text("parquet")])
    frame.to_parquet(folder / "a.parquet")
    pd.DataFrame([text("csv")]).to_csv(folder / "b.csv", index=False)
    pd.DataFrame([text("tsv")]).to_csv(folder / "c.tsv", index=False, sep="\t")
    pd.DataFrame([text("xz")]).to_csv(folder / "d.csv.xz", index=False)
    pd.DataFrame([text("json")]).to_json(folder / "e.json", orient="records", force_ascii=False)
    (folder / "f.jsonl").write_text(json.dumps(text("jsonl")) + "\n", "utf-8")
    with gzip.open(folder / "g.ndjson.gz", "wt", encoding="utf-8") as stream:
        stream.write(json.dumps(text("gz")))
    with zipfile.ZipFile(folder / "h.zip", "w") as archive:
        archive.writestr("안/글.txt", SENTENCE.format("zip"))
        archive.writestr("i.json", json.dumps([text("member")], indent=1))
    (folder / "j.txt").write_text(SENTENCE.format("txt"), "utf-8")
    forms = "parquet csv tsv xz json jsonl gz member zip txt"
    yield from (SENTENCE.format(form) for form in forms.split())


def test_every_form_in_one_folder_with_unreadable_files_among_them(tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    (folder / "deeper").mkdir(parents=True)
    wanted = sorted(_one_of_each(folder))
    (folder / "k.csv").write_text("번호,제목\n1,본문이 없습니다.\n", "utf-8")
    (folder / "l.parquet").write_bytes(b"PAR1 and nothing else")
    (folder / "m.csv.gz").write_bytes(b"\x1f\x8b cut off")
    (folder / "n.docx").write_bytes(b"PK")
    (folder / "deeper" / "o.txt").write_bytes("다른 글자표입니다.".encode("cp949"))
    done = CliRunner().invoke(app, ["clean", str(folder), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.stderr
    assert "column '본문'" in done.stderr
    assert "k.csv" in done.stderr
    rows = (tmp_path / "out" / "sentences.jsonl").read_text("utf-8").splitlines()
    assert sorted(json.loads(row)["text"] for row in rows) == wanted
    ledger = pq.read_table(tmp_path / "out" / "ledger.parquet").to_pylist()
    assert {row["file"]: row["rule"] for row in ledger} == {
        "deeper/o.txt": "read.encoding@1",
        "k.csv": "read.unreadable@1",
        "l.parquet": "read.unreadable@1",
        "m.csv.gz": "read.unreadable@1",
        "n.docx": "read.not_a_record@1",
    }
    assert all(row["file"] in done.stdout for row in ledger if row["action"] == "quarantine")


def test_many_small_files_are_one_input(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    for n in range(300):
        (folder / f"{n:05}.txt").write_text(f"{n}번 문서의 문장입니다.", "utf-8")
    files = sorted(folder.iterdir())
    record = _clean(*files, "--out", tmp_path / "out")
    assert record["rows_out"] == 300
    (item,) = load_build(tmp_path / "out" / "build.yaml").sources["small"].inputs
    assert (item.path, item.pattern) == (folder, "*.txt")
    assert "give the folder, or a glob" in _refused(*files[:100], "--out", tmp_path / "b")


def test_bad_input_is_told_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.png").write_bytes(b"\x89PNG")
    table = tmp_path / "table.csv"
    table.write_text("alpha,beta\n하나,둘\n", "utf-8")
    bare = tmp_path / "bare.csv"
    bare.write_text("010-1234-5678,홍길동입니다\n", "utf-8")
    old = tmp_path / "old.csv"
    old.write_bytes("본문\n옛 글자표입니다.\n".encode("cp949"))
    out = ("--out", tmp_path / "out")
    assert "holds no files" in _refused(tmp_path / "empty", *out)
    assert "endings there: .png" in _refused(tmp_path / "pictures", *out)
    assert "no file that matches *.txt" in _refused(tmp_path / "*.txt", *out)
    assert "does not exist" in _refused(tmp_path / "nowhere.csv", *out)
    assert "it has: 'alpha', 'beta'; give --text-column" in _refused(table, *out)
    assert "has no column 'gamma'" in _refused(table, "--text-column", "gamma", *out)
    assert "010-1234" not in _refused(bare, *out)
    assert "give --encoding cp949" in _refused(old, *out)
    assert "lies in the input" in _refused(tmp_path, "--out", tmp_path / "out")
    assert "allowed: sentence, whole" in _refused(table, "--unit", "word", *out)
    assert "types: phone" in _refused(table, "--personal", "name=drop", *out)
    assert not (tmp_path / "out").exists()
    assert _texts(_clean(old, "--encoding", "cp949", *out)) == ["옛 글자표입니다."]
    bare_out = ("--no-header", "--text-column", "1", "--out", tmp_path / "bare")
    assert _texts(_clean(bare, *bare_out)) == ["홍길동입니다"]


def test_usual_names_go_before_only_columns_and_data_are_no_names(tmp_path: Path) -> None:
    folder = tmp_path / "half"
    folder.mkdir()
    for n in range(4):
        name = "본문" if n % 2 else "code"
        (folder / f"{n}.csv").write_text(f"{name}\n{SENTENCE.format(n)}\n", "utf-8")
    done = CliRunner().invoke(app, ["clean", str(folder), "--out", str(tmp_path / "out")])
    assert "column '본문'; 2 files lack it and are set aside: 0.csv, 2.csv" in done.stderr
    bare = tmp_path / "bare.csv"
    for row in ("전화는 010-1234-5678 입니다", "id;text"):
        bare.write_text(f"{row}\n둘째 줄입니다.\n", "utf-8")
        message = _refused(bare, "--out", tmp_path / "bare")
        assert "--no-header" in message
        assert "010-1234" not in message
    bare.write_text("안녕하세요\n둘째 줄입니다.\n", "utf-8")
    done = CliRunner().invoke(app, ["clean", str(bare), "--out", str(tmp_path / "word")])
    assert "text from column number 1" in done.stderr


def test_what_is_in_another_encoding_names_the_option(tmp_path: Path) -> None:
    listed = tmp_path / "list.json"
    listed.write_bytes('[{"text": "문이 열렸다."}]'.encode("cp949"))
    assert "bytes that look like CP949; give --encoding cp949" in _refused(
        listed, "--out", tmp_path / "out"
    )
    mixed = tmp_path / "mixed.txt"
    mixed.write_bytes(f"{SENTENCE.format(1)}\n".encode() * 20 + "문이 열렸다.\n".encode("cp949"))
    done = CliRunner().invoke(app, ["clean", str(mixed), "--out", str(tmp_path / "out")])
    assert (
        "line 21: byte 0 is not utf-8; bytes that look like CP949; give --encoding" in done.stdout
    )


def test_what_is_set_aside_is_told_as_far_as_it_is_few(tmp_path: Path) -> None:
    file = tmp_path / "texts.jsonl"
    file.write_text(json.dumps({"text": SENTENCE.format(1)}) + "\n" + "[1\n" * 8, "utf-8")
    done = CliRunner().invoke(app, ["clean", str(file), "--out", str(tmp_path / "out")])
    told = [line for line in done.stdout.splitlines() if line.startswith("set aside")]
    assert [line.split()[2:5] for line in told[:5]] == [
        ["texts.jsonl", "line", f"{n}:"] for n in range(2, 7)
    ]
    assert told[5:] == ["set aside    3 more, all in the ledger"]


def test_places_that_cannot_be_read_or_written(ten: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    assert "is a device or pipe" in _refused(pipe, "--out", tmp_path / "out")
    message = _refused(ten, "--out", ten / "out")
    assert "--out" in message
    assert f"cannot be written: {ten} is a file" in message
    for glob, refused in (("**/*", True), ("*/*.jsonl", True), ("**/*.txt", False), ("*", False)):
        folder = tmp_path / f"glob{len(glob)}"
        (folder / "in").mkdir(parents=True, exist_ok=True)
        for place in (folder, folder / "in"):
            (place / "a.txt").write_text("글입니다.\n", "utf-8")
        arguments = (folder / glob, "--out", folder / "out")
        if refused:
            assert "reads it too" in _refused(*arguments)
        else:
            _clean(*arguments)


def test_a_file_of_somebody_else_is_told_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    closed = folder / "closed.txt.gz"
    closed.write_bytes(gzip.compress(TEN.encode()))
    (folder / "ten.txt").write_text(TEN, "utf-8")
    (folder / "closed.png").touch()  # nobody reads it
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, *m: "closed" not in str(path) and real(path, *m))
    assert f"{closed}: may not be read by this user" in _refused(folder, "--out", out)
    assert not out.exists()
    closed.unlink()
    assert len(_texts(_clean(folder, "--out", out))) > 0


def test_a_run_that_was_refused_leaves_no_obstacle(tmp_path: Path) -> None:
    old, out = tmp_path / "old.txt", ("--out", tmp_path / "out")
    old.write_bytes("옛 글자표입니다.\n".encode("cp949"))
    assert "give --encoding cp949" in _refused(old, *out)
    assert _texts(_clean(old, "--encoding", "cp949", *out)) == ["옛 글자표입니다."]
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "build.yaml").write_text("name: mine\n", "utf-8")
    assert "--force to replace it" in _refused(old, "--encoding", "cp949", "--out", mine)


def test_hangul_in_pieces_is_cleaned_as_whole_syllables(tmp_path: Path) -> None:
    pairs = [
        ("ten", TEN),
        ("data", "전화는 공일공 일이삼사 오육칠팔 입니다.\n비가 온다고 합니다.\n"),
    ]
    for name, text in pairs:
        records = []
        for form in ("NFC", "NFD"):
            folder = tmp_path / form
            folder.mkdir(exist_ok=True)
            path = folder / f"{name}.txt"
            path.write_text(unicodedata.normalize(form, text), "utf-8")
            records.append(_clean(path, "--out", folder / name))
        whole, apart = records
        assert _texts(apart) == _texts(whole)
        assert apart["edited"].pop("read.composed@1") > 1
        assert {**apart, "out": ""} == {**whole, "out": ""}
