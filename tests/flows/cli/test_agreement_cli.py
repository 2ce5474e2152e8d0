"""`klue audit` and `klue aggregate`: what machines read, official files, batches, and refusals."""

from __future__ import annotations

import csv
import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from annotation_stories import (
    ANSWERS,
    bad,
    good,
    item_rows,
    items_file,
    klue,
    take,
    write_lines,
)

ROOT = Path(__file__).resolve().parents[3]
#: docs/design.md, "What machines read".
COEFFICIENTS = [
    *(f"krippendorff_alpha_{level}" for level in ("nominal", "ordinal", "interval", "ratio")),
    *("cohen_kappa", "fleiss_kappa", "scott_pi", "gwet_ac1", "gwet_ac2", "bennett_s"),
    *("brennan_prediger", "conger_kappa", "randolph_kappa", "weighted_kappa"),
    *("percent_agreement_units", "percent_agreement_ratings"),
]
NLI_FACTS = ["individual_equals_gold", "individual_equals_author", "gold_equals_author"]
EMAIL = "hana.kim@example.com"


def _scores(folder: Path, people: int = 4) -> Path:
    """Write scores of four people who nearly agree on twelve pairs."""
    rows = [
        {"item": f"p{n:02}", "annotator": f"ann-{who}", "label": min(5, n % 6 + (n * who % 7 == 3))}
        for n in range(12)
        for who in range(people)
    ]
    return write_lines(folder / "votes.jsonl", rows)


def _finite(value: Any) -> bool:
    json.dumps(value, allow_nan=False)
    return True


def test_keys_that_others_rely_on(tmp_path: Path) -> None:
    record = good("audit", _scores(tmp_path), "--task", "sts")
    assert {"items", "annotators", "votes", "coefficients", "per_annotator", "facts"} <= set(record)
    assert (record["items"], record["annotators"], record["votes"]) == (12, 4, 48)
    assert set(COEFFICIENTS) <= set(record["coefficients"])
    for one in record["coefficients"].values():
        assert {"value", "low", "high"} <= set(one)
        assert one["value"] is not None or one["reason"]
    person = record["per_annotator"]["ann-1"]
    assert {"votes", "pearson_vs_rest", "alpha_without"} <= set(person)
    assert person["votes"] == 12 and 0.5 < person["pearson_vs_rest"] <= 1
    assert {"items", "resolved", "unresolved"} <= set(record["gold"])
    assert "matches_official" not in record["gold"]
    assert {"unanimous", "majority", "no_gold"} <= set(record["facts"])
    assert len(record["per_item"]) == 12
    assert _finite(record)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_votes_of_no_task(level: str, tmp_path: Path) -> None:
    record = good("audit", _scores(tmp_path), "--level", level)
    assert record["lead"] == f"krippendorff_alpha_{level}"
    assert "gold" not in record
    assert _finite(record)


def test_tables_made_elsewhere_say_the_same(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in _scores(tmp_path).read_text("utf-8").splitlines()]
    people = sorted({row["annotator"] for row in rows})
    lines = [",".join(["doc", "text", *people])]
    for item in sorted({row["item"] for row in rows}):
        given = {row["annotator"]: str(row["label"]) for row in rows if row["item"] == item}
        lines.append(",".join([item, "본문", *(given[name] for name in people)]))
    (tmp_path / "wide.csv").write_text("\n".join(lines), "utf-8")
    words = [f"{row['item']},{row['annotator']},{'가나다라마바'[row['label']]}" for row in rows]
    (tmp_path / "words.csv").write_text("\n".join(["doc,who,answer", *words]), "utf-8")
    scores = ",".join(f"{word}={score}" for score, word in enumerate("가나다라마바"))
    wide = ("--wide", "--columns", f"item=doc,annotator={'|'.join(people)}")
    names = ("--columns", "item=doc,annotator=who,label=answer", "--labels", scores)
    wanted = good("audit", tmp_path / "votes.jsonl", "--level", "ordinal")
    assert good("audit", tmp_path / "wide.csv", "--level", "ordinal", *wide) == wanted
    assert good("audit", tmp_path / "words.csv", *names) == wanted
    gold = good("aggregate", tmp_path / "votes.jsonl", "--task", "sts")
    assert good("aggregate", tmp_path / "wide.csv", "--task", "sts", *wide) == gold
    refused = bad("audit", tmp_path / "wide.csv", "--task", "sts", "--from", "doccano", *wide)
    assert "--columns and --wide are for vote files" in refused
    assert "say which column it is: --columns item=COLUMN" in bad(
        "audit", tmp_path / "wide.csv", "--task", "sts"
    )
    other = write_lines(tmp_path / "o.jsonl", [{"doc": "a", "worker": "b", "answer": 1}])
    assert "say which to read: --columns item=COLUMN" in bad("audit", other, "--level", "nominal")


def test_an_official_file_is_a_wide_table(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-nli-v1.1_dev.json"
    seats = "|".join(("author", *(f"label{n}" for n in range(2, 6))))
    command = ("audit", path, "--bootstrap", "0")
    ours = good(*command, "--task", "nli", "--from", "klue")
    columns = ("--wide", "--columns", f"item=guid,seat={seats}")
    wide = good(*command, *columns, "--labels", "entailment,neutral,contradiction")
    assert (wide["votes"], wide["items"]) == (15_000, 3_000)
    same = ("krippendorff_alpha_nominal", "fleiss_kappa", "gwet_ac1")
    assert all(wide["coefficients"][name] == ours["coefficients"][name] for name in same)


def test_packages_compute_alpha_and_rouge_anew(tmp_path: Path) -> None:
    """Of 4 and 5 content words three are common, in order: precision 3/5, recall 3/4, F 2/3."""
    texts = ("작은 마을 도서관 의자", "작은 새 마을 낡은 의자")
    fields = dict(zip(("sentence1", "sentence2"), texts, strict=True))
    meta = {"rouge": "rougeL", "score": 0.666667, "units": {}}
    votes, items = _scores(tmp_path), tmp_path / "items.jsonl"
    names = sorted({json.loads(line)["item"] for line in votes.read_text().splitlines()})
    rows = [{"item": name, "task": "sts", "fields": fields, "meta": meta} for name in names]
    command = ("audit", votes, "--task", "sts", "--items", items, "--check")
    write_lines(items, rows)
    record = good(*command)
    assert record["ok"]
    *alphas, rouge = record["check"]
    assert [row["value"][19:] for row in alphas] == ["nominal", "ordinal", "interval", "ratio"]
    assert all(row["difference"] < 1e-9 for row in alphas)
    assert (rouge["items"], rouge["differing"]) == (12, 0)
    assert rouge["theirs"] == pytest.approx(2 / 3)
    rows[3]["meta"] = {**meta, "score": 0.5}
    write_lines(items, rows)
    run = klue(*command)
    assert run.exit_code == 1
    assert "12 items, differing: 1; the farthest apart: rougeL: 0.500000000 here" in run.stdout


@pytest.mark.parametrize("package", ["krippendorff", "rouge_score"])
def test_a_package_that_is_missing_is_told_before_votes_are_read(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    run = klue("audit", tmp_path / "absent.jsonl", "--task", "sts", "--check")
    assert f"{package.replace('_', '-')} is not installed" in run.stderr
    assert "reference" in run.stderr and "absent.jsonl" not in run.stderr


def test_several_labels_an_item_in_a_table_and_in_json(tmp_path: Path) -> None:
    labels = {"a": ["news|sport", "sport"], "b": ["", "news|politics"], "c": ["7", "7|8"]}
    lines = [f"{item},p{n},{x}" for item, own in labels.items() for n, x in enumerate(own) if x]
    (tmp_path / "votes.csv").write_text("\n".join(["item,annotator,label", *lines]), "utf-8")
    rows = [
        {"item": item, "annotator": f"p{n}", "label": x.split("|")}
        for item, own in labels.items()
        for n, x in enumerate(own)
        if x
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "votes.jsonl").write_text(text, "utf-8")
    records = [
        good("audit", tmp_path / name, "--level", "multilabel", "--html", tmp_path / "page")
        for name in ("votes.csv", "votes.jsonl")
    ]
    assert records[0] == records[1]
    assert records[0]["lead"] == "krippendorff_alpha_masi"
    assert records[0]["per_label"]["sport"]["votes"] == 2
    assert "MASI" in (tmp_path / "page" / "index.html").read_text("utf-8")


def test_any_form_of_vote_file_says_the_same(tmp_path: Path) -> None:
    votes = _scores(tmp_path)
    rows = [json.loads(line) for line in votes.read_text("utf-8").splitlines()]
    wanted = good("audit", votes, "--task", "sts")
    table = tmp_path / "votes.csv"
    with table.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, ["item", "annotator", "label"], lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(rows)
    packed = tmp_path / "votes.jsonl.gz"
    packed.write_bytes(gzip.compress(votes.read_bytes(), mtime=0))
    listed = tmp_path / "votes.json"
    listed.write_text(json.dumps(rows), "utf-8")
    columns = tmp_path / "votes.parquet"
    pq.write_table(pa.Table.from_pylist(rows), columns)
    for path in (table, packed, listed, columns):
        assert good("audit", path, "--task", "sts") == wanted, path


def _official(data_dir: Path, name: str) -> Path:
    return data_dir / "klue" / name


@pytest.mark.parametrize(
    ("task", "name", "rows"),
    [
        ("sts", "klue-sts-v1.1_dev.json", 519),
        ("nli", "klue-nli-v1.1_dev.json", 3000),
        pytest.param("nli", "klue-nli-v1.1_train.json", 24998, marks=pytest.mark.full),
        ("tc", "ynat-v1.1_dev_first17.json", 17),
    ],
)
def test_official_judgements_give_the_official_labels(
    task: str, name: str, rows: int, data_dir: Path
) -> None:
    path = _official(data_dir, name)
    gold = good("aggregate", path, "--task", task, "--from", "klue")
    assert gold["resolved"] == gold["matches_official"] == rows
    record = good("audit", path, "--task", task, "--from", "klue", "--bootstrap", 50)
    assert record["gold"]["matches_official"] == record["items"] == rows
    lead = record["coefficients"][record["lead"]]
    assert 0.4 < lead["low"] <= lead["value"] <= lead["high"] < 1
    assert _finite(record)
    if task == "nli":
        assert record["per_annotator"] == {} and "seats" in record["no_annotators"]
        for fact in NLI_FACTS:
            assert 0.8 < record["facts"][f"{fact}_validators"] <= record["facts"][fact] <= 1
    else:
        assert set(record["per_annotator"])


def test_published_annotators_were_excluded_before(data_dir: Path) -> None:
    path = _official(data_dir, "klue-sts-v1.1_dev.json")
    asked = good("aggregate", path, "--task", "sts", "--from", "klue", "--exclude")
    assert len(asked["excluded"]) == 4
    assert good("aggregate", path, "--task", "sts", "--from", "klue")["excluded"] == []


@pytest.mark.thin(3)
@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("tc", "ynat-v1.1_dev.csv"),
        ("ner", "klue-ner-v1.1_dev.tsv"),
        ("re", "klue-re-v1.1_train_subset3247.csv"),
        ("dp", "klue-dp-v1.1_dev.tsv"),
        ("mrc", "klue-mrc-v1.1_dev_first1350.json"),
        ("dst", "wos-v1.1_dev_first700.json"),
    ],
)
def test_official_files_without_judgements_say_so(task: str, name: str, data_dir: Path) -> None:
    for command in ("audit", "aggregate"):
        told = bad(command, _official(data_dir, name), "--task", task, "--from", "klue")
        assert "no raw judgement" in told


def test_official_files_travel_through_a_batch(data_dir: Path, tmp_path: Path) -> None:
    """Exported, imported with their own judgements, twice, and aggregated to their own labels."""
    path, work = _official(data_dir, "ynat-v1.1_dev_first17.json"), tmp_path / "work"
    official = ("--from", "klue", "--work", work)
    good("export", "tc", "--items", path, "--to", "jsonl", *official)
    first = good("import", path, "--task", "tc", *official)
    assert first["new"] == 51 and first["quarantined"] == 0
    assert good("import", path, "--task", "ynat", *official)["unchanged"] == 51
    text = (work / "annotation/tc/main/export/items.jsonl").read_text("utf-8")
    assert "first-scope" not in text and "annotators" not in text
    gold = good("aggregate", work / "annotation" / "tc", "--task", "tc")
    assert gold["matches_official"] == 17


def test_a_task_of_several_batches(tmp_path: Path) -> None:
    work = tmp_path / "work"
    for batch, prefix in (("one", "a-"), ("two", "b-")):
        good("export", "tc", "--items", items_file(tmp_path, "tc", 4, prefix), "--annotators",
             "ann-a,ann-b,ann-c", "--to", "jsonl", "--work", work, "--batch", batch)  # fmt: skip
        take(work, "tc", batch, {"label": "사회"})
    pilot = write_lines(tmp_path / "p.jsonl", item_rows("tc", 3, "p-"))
    good("export", "tc", "--items", pilot, "--to", "jsonl", "--work", work, "--pilot",
         "--batch", "pilot")  # fmt: skip
    folder = work / "annotation" / "tc"
    record = good("audit", folder, "--task", "tc")
    assert (record["items"], record["votes"]) == (8, 24)
    assert good("aggregate", folder, "--task", "ynat")["resolved"] == 8
    assert good("audit", folder / "two", "--task", "tc")["items"] == 4
    wrong = [
        ((folder, "--task", "sts"), "give --task tc"),
        ((folder, "--level", "nominal"), "give --task tc"),
        ((folder / "two", "--task", "sts"), "a batch of task tc"),
        ((folder.parent, "--task", "tc"), "a folder without batch.json"),
        ((folder, "--task", "tc", "--from", "jsonl"), "needs neither"),
    ]
    for arguments, told in wrong:
        assert told in bad("audit", *arguments)
    other = write_lines(tmp_path / "other.jsonl", [{"item": "a-tc-01", "title": "다른 제목"}])
    good("export", "tc", "--items", other, "--to", "jsonl", "--work", work, "--batch", "odd")
    assert "another thing" in bad("audit", folder, "--task", "tc")


def test_what_is_wrong_is_quarantined_and_counted(tmp_path: Path) -> None:
    """Issue 4, "Bad input": with reason and line, counted in the audit."""
    votes = tmp_path / "votes.jsonl"
    lines = [
        {"item": "d1", "annotator": "a", "label": {"heads": [2, 3, 0], "deprels": ["NP"] * 3}},
        {"item": "d1", "annotator": "b", "label": {"heads": [2, 1, 0], "deprels": ["NP"] * 3}},
        {"item": "d1", "annotator": "c", "label": {"heads": [0, 0, 0], "deprels": ["NP"] * 3}},
        {"item": "d1", "annotator": "d", "label": {"heads": [2, 9, 0], "deprels": ["NP"] * 3}},
        {"item": "d9", "annotator": "e", "label": {"heads": [2, 3, 0], "deprels": ["NP"] * 3}},
        {"item": "d1", "annotator": "f", "label": {"heads": [2, 3, 0], "deprels": ["XX"] * 3}},
        {"item": "d1", "annotator": "a", "label": {"heads": [3, 3, 0], "deprels": ["NP"] * 3}},
        {"item": "d1", "annotator": "g", "spec": "dp@2.0.0", "label": {}},
        {"item": "d1", "annotator": "h", "task": "sts", "label": 3},
    ]
    rows = [line | {"round": "arcs"} for line in lines]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    votes.write_text(text + '{"item": "d1", "annotator": "i", "la', "utf-8")
    fields = {"text": "비가 많이 온다", "words": ["비가", "많이", "온다"]}
    items = write_lines(tmp_path / "items.jsonl", [{"item": "d1", "fields": fields}])
    record = good("audit", votes, "--task", "dp", "--items", items)
    assert record["votes"] == 1
    assert record["refused"] == {
        "file.malformed@1": 1,
        "vote.double@1": 1,
        "vote.label@1": 1,
        "vote.range@1": 1,
        "vote.spec@1": 1,
        "vote.task@1": 1,
        "vote.tree@1": 2,
        "vote.unknown_item@1": 1,
    }
    told = klue("audit", votes, "--task", "dp", "--items", items).stderr
    assert "votes.jsonl line 2: " in told and "4 more records quarantined" in told
    assert (
        good("aggregate", votes, "--task", "dp", "--items", items)["refused"] == record["refused"]
    )


def test_no_message_shows_a_personal_value(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"item": "p1", "annotator": "a", "label": EMAIL},
        {"item": "p1", "annotator": "b", "label": ["사회", EMAIL]},
        {"item": "p1", "annotator": "c", "label": {EMAIL: EMAIL}},
        {"item": "p1", "annotator": "d", "label": "사회", "role": EMAIL},
        {"item": "p1", "annotator": "e", "label": "사회", "round": EMAIL},
        {"item": "p1", "annotator": "g", "report": EMAIL},
        {"item": "p1", "annotator": "h", "label": "사회", "at": EMAIL},
        {"item": "p1", "annotator": "i", "label": "사회", EMAIL: 1},
    ]
    for number, row in enumerate(rows):
        votes = write_lines(tmp_path / f"{number}.jsonl", [row])
        for command in ("audit", "aggregate"):
            for extra in ((), ("--json",)):
                result = klue(command, votes, "--task", "tc", *extra)
                assert result.exit_code == 2, "no vote is left"
                assert "hana" not in result.output and "kim@" not in result.output, row


@pytest.mark.parametrize("command", ["audit", "aggregate"])
@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("absent.jsonl", None, "no such file"),
        ("binary.jsonl", bytes(range(256)), "UTF-8"),
        ("binary.parquet", bytes(range(256)), "no Parquet file"),
        ("utf16.jsonl", '{"item": "a"}'.encode("utf-16"), "UTF-16"),
        ("cut.jsonl.gz", gzip.compress(b"{}\n" * 999, mtime=0)[:20], "cut off"),
        ("words.txt", b"a b c", "holds no votes"),
        ("table.csv", b"item,annotator,score\na,b,1\n", "has no column 'label'"),
    ],
    ids=range(7),
)
def test_unusable_files_are_told(
    command: str, name: str, content: bytes | None, told: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert told in bad(command, path, "--task", "tc")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty; give votes, with the names of the columns on top"),
        (
            ("item,annotator,label\n" + "가,나,긍정\n" * 9).encode("cp949"),
            "looks like CP949; convert it",
        ),
        ("item,annotator,label\n".encode("utf-16"), "is UTF-16; convert it to UTF-8, with iconv"),
    ],
    ids=["empty", "cp949", "utf-16"],
)
def test_a_spreadsheet_that_holds_no_table_in_utf_8_says_what_to_do(
    content: bytes, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "votes.csv"
    path.write_bytes(content)
    assert told in bad("audit", path, "--level", "nominal")


@pytest.mark.parametrize("command", ["audit", "aggregate"])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "gives no vote; it is empty"),
        ("[1, 2]", "gives no vote; refused: file.malformed@1 (2)"),
        ("5", "gives no vote; refused: file.malformed@1 (1)"),
        ('[{"item": "a", "annota', "gives no vote; refused: file.malformed@1 (1)"),
        ("not json\n", "gives no vote; refused: file.malformed@1 (1)"),
        ('{"item": "a", "name": "b"}\n' * 3, "gives no vote; refused: vote.key@1 (3)"),
    ],
    ids=range(6),
)
def test_files_without_a_vote_are_refused_with_the_rules(
    command: str, text: str, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "votes.json"
    path.write_text(text, "utf-8")
    assert told in bad(command, path, "--task", "tc")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "--task T, or --level L"),
        (("--task", "tc", "--level", "nominal"), "--task T, or --level L"),
        (("--task", "xx"), "unknown task"),
        (("--level", "likert"), "nominal, ordinal, interval, ratio"),
        (("--level", "nominal", "--from", "klue"), "needs --task"),
        (("--level", "nominal", "--from", "jsonl"), "needs --task"),
        (("--from", "doccano", "--wide"), "takes --columns label=NAME"),
        (("--from", "doccano", "--columns", "annotator=a"), "takes --columns label=NAME"),
        (("--task", "tc", "--from", "doccano", "--columns", "label=a"), "without a task"),
        (("--task", "sts", "--from", "prodigy"), "label-studio"),
        (("--task", "sts", "--bootstrap", "-1"), "0 to 100000"),
        (("--task", "sts", "--items", "absent.jsonl"), "no such file"),
        (("--task", "sts", "--html", "votes.jsonl"), "is a file"),
        (("--task", "sts", "--specs", "absent"), "no such folder"),
        (("--task", "ner"), "items"),
    ],
)
def test_refusals_of_audit(
    arguments: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told in bad("audit", _scores(tmp_path), *arguments)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--out", "votes.jsonl"), "is a file"),
        (("--crowd", "vote"), "dawid"),
        (("--public-figures", "absent.txt"), "no such file"),
        (("--from", "prodigy"), "label-studio"),
    ],
)
def test_refusals_of_aggregate(
    arguments: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"item": "r", "annotator": f"a{n}", "label": "no_relation"} for n in range(3)]
    votes = write_lines(tmp_path / "votes.jsonl", rows)
    assert told in bad("aggregate", votes, "--task", "re", *arguments)


def test_gold_is_written_and_never_replaced_unasked(tmp_path: Path) -> None:
    labels = {"t1": ["사회", "사회", "정치"], "t2": ["경제", "사회", "정치"]}
    rows = [
        {"item": item, "annotator": f"ann-{n}", "label": label}
        for item, given in labels.items()
        for n, label in enumerate(given)
    ]
    rows.append({"item": "t3", "annotator": "ann-0", "label": "사회", "report": "hate"})
    votes, out = write_lines(tmp_path / "votes.jsonl", rows), tmp_path / "gold"
    made = good("aggregate", votes, "--task", "tc", "--out", out)
    assert sorted(made["out"]) == sorted(str(path) for path in out.iterdir())
    gold = [json.loads(line) for line in (out / "gold.jsonl").read_text("utf-8").splitlines()]
    assert [row["status"] for row in gold] == ["gold", "removed", "unresolved"]
    assert gold[0]["label"] == ["사회"] and gold[0]["agreement"] == pytest.approx(2 / 3)
    waiting = (out / "queue.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["item"] for line in waiting] == ["t3"]
    assert pq.read_table(out / "gold.parquet").num_rows == 3
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert "--force" in bad("aggregate", votes, "--task", "tc", "--out", out)
    write_lines(votes, rows[::-1])
    good("aggregate", votes, "--task", "tc", "--out", out, "--force")
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    shown = klue("aggregate", votes, "--task", "tc").stdout
    assert "1 resolved" in shown and "gold.majority@1" in shown and "review" in shown


def test_an_export_of_any_project_says_its_level(tmp_path: Path) -> None:
    rows = [
        {
            "instance_id": f"t{n}",
            "user_id": f"ann-{who}",
            "labels": {"topic": {name: name}, "sure": {str(n + 1): str(n + 1)}},
        }
        for n, name in enumerate(("사회", "경제"))
        for who in range(3)
    ]
    export = write_lines(tmp_path / "annotations.jsonl", [*rows, {"instance_id": "t9"}])
    assert "'topic' (nominal; 6 answers); 'sure' (ordinal; 6 answers)" in bad(
        "audit", export, "--from", "potato"
    )
    asked = ("audit", export, "--from", "potato", "--columns", "label=sure")
    assert good(*asked)["level"] == "ordinal"
    assert good(*asked, "--level", "interval")["level"] == "interval"
    record = good("audit", export, "--from", "potato", "--columns", "label=topic")
    assert (record["level"], record["votes"]) == ("nominal", 6)
    assert record["refused"] == {"exchange.form@1": 1}
    options = ("--from", "potato", "--columns", "label=topic", "--task", "tc")
    assert good("aggregate", export, *options)["resolved"] == 2
    assert good("audit", export, *options)["task"] == "tc"


def test_crowd_models_stand_beside_the_rule(tmp_path: Path) -> None:
    pytest.importorskip("crowdkit")
    rows = [
        {"item": f"r{n}", "annotator": f"a{who}", "label": ["per:title", "no_relation"][n % 2]}
        for n in range(6)
        for who in range(3)
    ]
    votes = write_lines(tmp_path / "votes.jsonl", rows)
    made = good("aggregate", votes, "--task", "re", "--crowd", "dawid-skene,mace")
    assert made["crowd"]["dawid_skene"]["differ"] == 0
    assert "crowd model mace" in klue("aggregate", votes, "--task", "re", "--crowd", "mace").stdout


def test_the_page_shows_texts_without_personal_data(tmp_path: Path) -> None:
    rows = [{"item": "s1", "sentence1": f"<script>연락은 {EMAIL}", "sentence2": "연락 주세요"}]
    items = write_lines(tmp_path / "items.jsonl", rows)
    votes = [{"item": "s1", "annotator": f"a{n}", "label": n} for n in range(5)]
    out = tmp_path / "page"
    given = write_lines(tmp_path / "votes.jsonl", votes)
    good("audit", given, "--task", "sts", "--items", items, "--html", out)
    page = (out / "index.html").read_text("utf-8")
    assert EMAIL not in page and "연락 주세요" in page and "<script>연락은" not in page
    record = json.loads((out / "audit.json").read_text("utf-8"))
    table = pq.read_table(out / "items.parquet")
    again = good("audit", given, "--task", "sts", "--items", items, "--html", out)
    rows = [row | {"reports": json.loads(row["reports"])} for row in table.to_pylist()]
    assert again.pop("per_item") == rows
    assert again == record and record["votes"] == 5


def test_people_read_what_is_odd(tmp_path: Path) -> None:
    rows = [
        {"item": f"s{n:02}", "annotator": f"ann-{who}", "label": (n * 7) % 6 if who else 5 - n % 6}
        for n in range(40)
        for who in range(5)
    ]
    shown = klue("audit", write_lines(tmp_path / "v.jsonl", rows), "--task", "sts").stdout
    assert "ann-0: " in shown and "gold: 40 items" in shown
    assert "{" not in shown


def test_an_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    votes, out = _scores(tmp_path), tmp_path / "gold"
    monkeypatch.setattr("flows.commands.agreement.aggregated", interrupted)
    result = klue("aggregate", votes, "--task", "sts", "--out", out)
    assert result.exit_code == 130 and "interrupted" in result.stderr
    assert not out.exists()


def test_reports_on_one_batch_of_several_rounds_say_so(tmp_path: Path) -> None:
    work = tmp_path / "work"
    options = ("--annotators", "ann-a,ann-b", "--to", "jsonl", "--work", work)
    good("export", "dst", "--items", items_file(tmp_path, "dst", 2), "--batch", "write", *options)
    take(work, "dst", "write", {"label": ANSWERS["dialogue"]})
    good("export", "dst", "--round", "inspect", "--after", "write", "--batch", "inspect", *options)
    take(work, "dst", "inspect", {"label": {"verdict": "accept"}})
    alone = klue("aggregate", work / "annotation/dst/inspect", "--task", "dst")
    assert "has all rounds together" in alone.stderr and "0 resolved" in alone.stdout
    assert good("aggregate", work / "annotation/dst", "--task", "dst")["resolved"] == 2


def test_an_audit_imports_no_more_than_it_needs(tmp_path: Path) -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from flows.cli import app;"
        f"result = CliRunner().invoke(app, ['audit', {str(_scores(tmp_path))!r}, '--task', 'sts',"
        " '--json']); assert result.exit_code == 0, result.output;"
        "heavy = {'prefect', 'kss', 'duckdb', 'torch', 'jinja2', 'crowdkit',"
        " 'sklearn'} & set(sys.modules); sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
