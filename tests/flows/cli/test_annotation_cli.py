"""`klue export`, `import`, `status`, `qualify`: whole stories, as people and their tools live them.

Section 3 of the paper tells the rounds of each task; the tools' exports are made as the tools make
them (tests/annotation/exchange).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from annotation_stories import (
    ANSWERS,
    FIELDS,
    TOOLS,
    Say,
    assigned,
    bad,
    bytes_of,
    failed,
    good,
    item_rows,
    items_file,
    klue,
    take,
    write_lines,
)

SOLO = {"tc": {"label": ["사회", "정치"]}, "sts": {"label": 4}, "re": {"label": "per:title"}}
ACCEPT = {"label": {"verdict": "accept"}}
FORMS = {"ner": "spans", "mrc": "reading", "dst": "dialogue"}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return tmp_path / "work"


def _votes(work: Path, task: str, batch: str) -> list[dict[str, Any]]:
    path = work / "annotation" / task / batch / "votes.parquet"
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


def _shown(work: Path, task: str, batch: str) -> dict[str, Any]:
    """Return what the items of a JSONL export show, by item."""
    path = work / "annotation" / task / batch / "export" / "items.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {row["item"]: row.get("shown") for row in rows}


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("task", SOLO)
def test_a_round_of_equals(task: str, tool: str, work: Path, tmp_path: Path) -> None:
    made = good("export", task, "--items", items_file(tmp_path, task), "--annotators", 8,
                "--to", tool, "--work", work)  # fmt: skip
    assert made["items"] == 6 and made["assignments"] == 6 * made["per_item"]
    take(work, task, "main", SOLO[task], tool=tool)
    folder = work / "annotation" / task / "main"
    before = bytes_of(folder)
    again = take(work, task, "main", SOLO[task], tool=tool)
    assert again["new"] == 0 and again["unchanged"] == again["read"]
    assert bytes_of(folder) == before
    (batch,) = good("status", "--work", work)["batches"]
    assert batch["complete"] == 6 and batch["answered"] == batch["assigned"]
    audit = good("audit", folder, "--task", task)
    assert audit["votes"] == made["assignments"] and audit["facts"]["unanimous"] == 1
    gold = good("aggregate", folder, "--task", task)
    assert gold["resolved"] == 6


@pytest.mark.thin(2)
@pytest.mark.parametrize("tool", TOOLS)
def test_nli_from_premises_to_gold(tool: str, work: Path, tmp_path: Path) -> None:
    people = "ann-a,ann-b,ann-c,ann-d,ann-e,ann-f"
    options = ("--annotators", people, "--to", tool, "--work", work)
    good("export", "nli", "--items", items_file(tmp_path, "nli", 4), "--batch", "write", *options)
    wrote = {"label": ANSWERS["hypotheses"]}
    take(work, "nli", "write", wrote, tool=tool)
    authors = {item: who for who, item in assigned(work, "nli", "write")}
    made = good("export", "nli", "--round", "validate", "--after", "write", "--batch", "validate",
                *options)  # fmt: skip
    assert made["items"] == 12 and made["per_item"] == 4
    for who, pair in assigned(work, "nli", "validate"):
        assert authors[pair.rpartition(".")[0]] != who
    begun = _votes(work, "nli", "validate")
    assert {(v["role"], v["seat"]) for v in begun} == {("author", "author")} and len(begun) == 12
    intended = {v["item"]: json.loads(v["label"]) for v in begun}
    take(work, "nli", "validate", lambda _, item: {"label": intended[item]}, tool=tool)
    audit = good("audit", work / "annotation" / "nli", "--task", "nli")
    assert audit["items"] == 12 and audit["votes"] == 60
    assert audit["facts"]["gold_equals_author"] == 1
    gold = good("aggregate", work / "annotation" / "nli", "--task", "nli")
    assert (gold["items"], gold["resolved"]) == (12, 12)


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("task", ["ner", "dst"])
def test_one_answers_and_another_inspects(task: str, tool: str, work: Path, tmp_path: Path) -> None:
    first = {"ner": "tag", "dst": "dialogue"}[task]
    options = ("--to", tool, "--work", work)
    good("export", task, "--items", items_file(tmp_path, task, 4), "--annotators", "ann-a,ann-b",
         "--batch", first, *options)  # fmt: skip
    said = {"label": ANSWERS[FORMS[task]]}
    take(work, task, first, said, tool=tool)
    good("export", task, "--round", "inspect", "--after", first, "--annotators",
         "ann-a,ann-b,ann-c", "--batch", "inspect", *options)  # fmt: skip
    tagged = {item: who for who, item in assigned(work, task, first)}
    if task == "ner":
        assert all(tagged[item] != who for who, item in assigned(work, task, "inspect"))
    take(work, task, "inspect", ACCEPT, tool=tool)
    if task == "ner":  # two inspectors a sentence, then an expert
        audit = good("audit", work / "annotation" / "ner", "--task", "ner")
        assert audit["inspectors"]["inspect"]["same_verdict"] == 1
        _review(work, task, "inspect", 4, tool)
    gold = good("aggregate", work / "annotation" / task, "--task", task)
    assert gold["items"] == 4
    waiting = {"privacy": 4} if task == "ner" else {}
    assert gold["by_queue"] == waiting and gold["resolved"] == 4 - sum(waiting.values())


def _review(work: Path, task: str, after: str, items: int, tool: str, say: Say = ACCEPT) -> None:
    """Let an expert review the whole answers of all items (Sections 3.4, 3.6 and 3.7)."""
    folder = work / "annotation" / task
    waiting = good("aggregate", folder, "--task", task)
    assert waiting["by_queue"] == {"inspection": items}
    made = good("export", task, "--round", "final_review", "--after", after, "--annotators",
                "expert-1", "--batch", "final", "--to", tool, "--work", work)  # fmt: skip
    assert (made["items"], made["role"]) == (items, "expert")
    take(work, task, "final", say, tool=tool)


@pytest.mark.thin(2)
@pytest.mark.parametrize("tool", TOOLS)
def test_dp_draws_arcs_on_reviewed_morphemes(tool: str, work: Path, tmp_path: Path) -> None:
    options = ("--annotators", "ann-a,ann-b,ann-c", "--to", tool, "--work", work)
    good("export", "dp", "--items", items_file(tmp_path, "dp", 3), "--batch", "pos", *options)
    take(work, "dp", "pos", {"label": ANSWERS["morphemes"]}, tool=tool)
    good("export", "dp", "--round", "pos_review", "--after", "pos", "--batch", "pos_review",
         *options)  # fmt: skip
    better = {**ANSWERS["morphemes"], "pos": ["NP+JX", "SW", "NNG+JKO", "VV+EP+EF+SW"]}
    revised = {"label": {"verdict": "revise", "answer": better}}
    verdict = {"dp-01": revised}
    take(work, "dp", "pos_review", lambda _, item: verdict.get(item, ACCEPT), tool=tool)
    made = good("export", "dp", "--round", "arcs", "--after", "pos_review", "--batch", "arcs",
                *options)  # fmt: skip
    assert made["items"] == 3  # those accepted without a change are among them
    if tool == "jsonl":
        shown = _shown(work, "dp", "arcs")
        assert shown == {"dp-01": better, "dp-02": ANSWERS["morphemes"],
                         "dp-03": ANSWERS["morphemes"]}  # fmt: skip
    take(work, "dp", "arcs", {"label": ANSWERS["tree"]}, tool=tool)
    good("export", "dp", "--round", "arcs_review", "--after", "arcs", "--batch", "arcs_review",
         *options)  # fmt: skip
    drew = {item: who for who, item in assigned(work, "dp", "arcs")}
    assert all(drew[item] != who for who, item in assigned(work, "dp", "arcs_review"))
    take(work, "dp", "arcs_review", ACCEPT, tool=tool)
    last = {**ANSWERS["morphemes"], "pos": ["NP+JX", "SW", "NNG+JKO", "VV+EP+EF+SF"]}
    says = {
        "dp-02": {"label": {"verdict": "revise", "answer": last | ANSWERS["tree"]}},
        "dp-03": {"label": {"verdict": "reject", "feedback": "개인정보"}},
    }
    _review(work, "dp", "arcs_review", 3, tool, lambda _, item: says.get(item, ACCEPT))
    if tool == "jsonl":
        assert _shown(work, "dp", "final")["dp-01"] == better | ANSWERS["tree"]
    out = tmp_path / "gold"
    gold = good("aggregate", work / "annotation" / "dp", "--task", "dp", "--out", out)
    assert (gold["resolved"], gold["removed"]) == (2, 1)
    rows = [json.loads(line) for line in (out / "gold.jsonl").read_text("utf-8").splitlines()]
    assert rows[0]["label"] == better | ANSWERS["tree"]
    assert rows[1]["label"] == last | ANSWERS["tree"]


@pytest.mark.thin(2)
@pytest.mark.parametrize("tool", TOOLS)
def test_mrc_rejected_questions_come_back(tool: str, work: Path, tmp_path: Path) -> None:
    options = ("--annotators", "ann-a,ann-b,ann-c", "--to", tool, "--work", work)
    good("export", "mrc", "--items", items_file(tmp_path, "mrc", 4), "--batch", "write", *options)
    take(work, "mrc", "write", {"label": ANSWERS["reading"]}, tool=tool)
    good("export", "mrc", "--round", "inspect", "--after", "write", "--batch", "inspect", *options)
    no = {"label": {"verdict": "reject", "feedback": "더 바꿔 쓰세요."}}
    take(work, "mrc", "inspect", lambda _, item: no if item < "mrc-03" else ACCEPT, tool=tool)
    gold = good("aggregate", work / "annotation" / "mrc", "--task", "mrc")
    assert gold["by_queue"] == {"revision": 2, "inspection": 2}
    made = good("export", "mrc", "--round", "write", "--after", "inspect", "--batch", "write2",
                *options)  # fmt: skip
    assert made["items"] == 2 and made["attempt"] == 2
    better = ANSWERS["reading"] | {"question": "그 회사가 세워진 해는?"}
    take(work, "mrc", "write2", {"label": better}, tool=tool)
    assert {v["attempt"] for v in _votes(work, "mrc", "write2")} == {2}
    made = good("export", "mrc", "--round", "inspect", "--after", "write2", "--batch", "inspect2",
                *options)  # fmt: skip
    assert made["attempt"] == 2
    if tool == "jsonl":
        assert _shown(work, "mrc", "inspect2") == {"mrc-01": better, "mrc-02": better}
    take(work, "mrc", "inspect2", ACCEPT, tool=tool)
    _review(work, "mrc", "inspect,inspect2", 4, tool)  # whatever the attempt
    out = tmp_path / "gold"
    gold = good("aggregate", work / "annotation" / "mrc", "--task", "mrc", "--out", out)
    assert gold["resolved"] == 4
    rows = [json.loads(line) for line in (out / "gold.jsonl").read_text("utf-8").splitlines()]
    assert [row["label"] == better for row in rows] == [True, True, False, False]


def test_re_without_majority_goes_to_the_best_annotators(work: Path, tmp_path: Path) -> None:
    """Section 3.5.1: they choose among the labels already given."""
    people = [f"ann-{n}" for n in range(1, 7)]
    odd = {"re-01": ["per:title", "no_relation", "per:employee_of"]}
    items = items_file(tmp_path, "re", 24)
    good("export", "re", "--items", items, "--annotators", ",".join(people), "--to", "jsonl",
         "--work", work)  # fmt: skip
    given: dict[str, list[str]] = {}
    for who, item in sorted(assigned(work, "re", "main")):
        given.setdefault(item, []).append(who)

    def say(who: str, item: str) -> dict[str, Any]:
        other = odd.get(item, ["per:place_of_birth"] * 3)[given[item].index(who)]
        careless = who == "ann-6" and item != "re-01"
        return {"label": "no_relation" if careless else other}

    take(work, "re", "main", say)
    first = good("aggregate", work / "annotation" / "re", "--task", "re")
    assert first["by_queue"] == {"top_annotators": 1}
    made = good("export", "re", "--round", "resolve", "--after", "main", "--batch", "resolve",
                "--to", "jsonl", "--work", work)  # fmt: skip
    assert made["items"] == 1 and set(made["annotators"]) <= set(people)
    assert set(_shown(work, "re", "resolve")["re-01"]) == set(odd["re-01"])
    take(work, "re", "resolve", {"label": "no_relation"})
    gold = good("aggregate", work / "annotation" / "re", "--task", "re")
    assert gold["resolved"] == 24
    assert gold["by_rule"]["gold.resolve@1"] == {"gold": 1}


def _pilot(tmp_path: Path, task: str, count: int, gold: Any) -> Path:
    rows = [row | {"gold": gold} for row in item_rows(task, count, "pilot-")]
    return write_lines(tmp_path / "pilot.jsonl", rows)


def test_a_pilot_lets_in_who_passed(work: Path, tmp_path: Path) -> None:
    """Section 3.5.1: RE workers answered at least 4 of 5 questions right."""
    items = _pilot(tmp_path, "re", 5, "per:title")
    good("export", "re", "--items", items, "--annotators", "ann-a,ann-b,ann-c,ann-d,ann-e",
         "--to", "jsonl", "--work", work, "--pilot", "--batch", "pilot")  # fmt: skip
    exported = (work / "annotation/re/pilot/export/items.jsonl").read_text("utf-8")
    assert '"gold"' not in exported
    right = {"ann-a": 5, "ann-b": 4, "ann-c": 3, "ann-d": 4}

    def say(who: str, item: str) -> dict[str, Any] | None:
        if who not in right:
            return None
        is_right = int(item[-2:]) <= right[who]
        return {"label": "per:title" if is_right else "no_relation"}

    take(work, "re", "pilot", say)
    results = good("qualify", "re", "--work", work)["annotators"]
    status = {one["annotator"]: one["status"] for one in results}
    assert status == {"ann-a": "passed", "ann-b": "passed", "ann-c": "failed", "ann-d": "passed",
                      "ann-e": "unfinished"}  # fmt: skip
    assert klue("qualify", "re", "--work", work).stdout.count("passed") == 3
    both = write_lines(tmp_path / "main.jsonl", item_rows("re", 3) + item_rows("re", 2, "pilot-"))
    made = good("export", "re", "--items", both, "--qualified", "pilot", "--to", "jsonl",
                "--work", work)  # fmt: skip
    assert made["annotators"] == ["ann-a", "ann-b", "ann-d"]
    assert (made["items"], made["taken_out"]) == (3, 2)
    late = write_lines(tmp_path / "late.jsonl", [
        {"item": "pilot-re-01", "annotator": "ann-a", "label": "no_relation"}])  # fmt: skip
    assert failed("import", late, "--task", "re", "--work", work)["rules"] == {"vote.pilot@1": 1}
    told = bad("export", "re", "--items", items_file(tmp_path, "re", 3), "--pilot", "--batch",
               "pilot2", "--to", "jsonl", "--work", work)  # fmt: skip
    assert "gold" in told


def test_a_pilot_of_nli_is_about_pairs(work: Path, tmp_path: Path) -> None:
    fields = FIELDS["nli"]
    rows = [{"item": f"p-{n}", "fields": fields, "gold": "neutral"} for n in range(10)]
    items = write_lines(tmp_path / "pilot.jsonl", rows)
    made = good("export", "nli", "--items", items, "--annotators", "ann-a,ann-b", "--to", "jsonl",
                "--work", work, "--pilot", "--batch", "pilot")  # fmt: skip
    assert made["round"] == "validate" and made["per_item"] == 2
    take(work, "nli", "pilot",
         lambda who, _: {"label": "neutral" if who == "ann-a" else "entailment"})  # fmt: skip
    results = good("qualify", "nli", "--work", work)["annotators"]
    assert [one["status"] for one in results] == ["passed", "failed"]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_pilot_of_written_answers_is_reviewed(tool: str, work: Path, tmp_path: Path) -> None:
    """Section 3.7.1: MRC workers wrote 15 question-answer pairs; here an expert judges each."""
    options = ("--pilot", "--to", tool, "--work", work)
    good("export", "mrc", "--items", items_file(tmp_path, "mrc", 15, "pilot-"), "--annotators",
         "ann-a,ann-b", "--batch", "pilot", *options)  # fmt: skip
    take(work, "mrc", "pilot", {"label": ANSWERS["reading"]}, tool=tool)
    assert {r["status"] for r in good("qualify", "mrc", "--work", work)["annotators"]} == {
        "unfinished"
    }
    made = good("export", "mrc", "--round", "inspect", "--after", "pilot", "--annotators",
                "expert-1", "--batch", "review", *options)  # fmt: skip
    assert made["items"] == 30
    no = {"label": {"verdict": "reject"}}
    take(work, "mrc", "review", lambda _, item: no if item.endswith(".2") else ACCEPT, tool=tool)
    results = good("qualify", "mrc", "--work", work)["annotators"]
    assert [(r["annotator"], r["status"], r["score"]) for r in results] == [
        ("ann-a", "passed", 15.0),
        ("ann-b", "failed", 0.0),
    ]
    assert "name the pilot itself" in bad("qualify", "mrc", "--batch", "review", "--work", work)


def test_people_are_measured_by_people_who_took_no_part(work: Path, tmp_path: Path) -> None:
    """Section 3.3.1: four people labelled 100 pairs; none had taken part in the annotation."""
    fields = FIELDS["nli"]
    rows = [
        {"item": f"n-{n:02}", "source": "nsmc", "fields": fields, "gold": "neutral"}
        for n in range(20)
    ]
    items = write_lines(tmp_path / "gold.jsonl", rows)
    options = ("--to", "jsonl", "--work", work)
    good("export", "nli", "--items", items_file(tmp_path, "nli"), "--annotators", "ann-a,ann-b",
         *options)  # fmt: skip
    told = bad("export", "nli", "--items", items, "--human-baseline", 5, "--annotators",
               "ann-a,new-1", "--batch", "people", *options)  # fmt: skip
    assert "took part" in told
    made = good("export", "nli", "--items", items, "--human-baseline", 5, "--annotators",
                "new-1,new-2,new-3,new-4", "--batch", "people", *options)  # fmt: skip
    assert (made["kind"], made["items"], made["per_item"]) == ("baseline", 5, 4)
    assert made["round"] == "validate"
    text = (work / "annotation/nli/people/export/items.jsonl").read_text("utf-8")
    assert "nsmc" not in text and '"gold"' not in text
    take(work, "nli", "people", {"label": "neutral"})
    audit = good("audit", work / "annotation/nli/people", "--task", "nli")
    assert audit["votes"] == 20
    told = bad("audit", work / "annotation" / "nli", "--task", "nli")
    assert "hypotheses are written" in told  # the baseline is no part of the main batches


def _ner_with_a_report(work: Path, tmp_path: Path, *annotators: object) -> None:
    """Tag and inspect three sentences, the first of which somebody reports."""
    options = ("--to", "jsonl", "--work", work, *annotators)
    good("export", "ner", "--items", items_file(tmp_path, "ner", 3), "--batch", "tag", *options)
    of = {"tag": {"label": ANSWERS["spans"]}, "inspect": ACCEPT, "final": ACCEPT}
    after = {"inspect": ("inspect", "tag"), "final": ("final_review", "inspect")}
    names = {"tag": ["ann-a"], "inspect": ["ann-b", "ann-c"], "final": ["expert-1"]}
    for batch, people in names.items():
        if batch in after:
            given = options if batch == "inspect" else options[:4]
            good("export", "ner", "--round", after[batch][0], "--after", after[batch][1], "--batch",
                 batch, *given)  # fmt: skip
        items = sorted(_shown(work, "ner", batch))
        pairs = assigned(work, "ner", batch) or [(who, item) for item in items for who in people]
        rows = [{"item": item, "annotator": who} | of[batch] for who, item in sorted(pairs)]
        rows.sort(key=lambda row: str(row["item"]))
        if batch == "tag":
            rows[0]["report"] = "hate"
        given = write_lines(tmp_path / f"{batch}.jsonl", rows)
        assert not good("import", given, "--task", "ner", "--batch", batch, "--work", work)["rules"]


@pytest.mark.parametrize("annotators", [(), ("--annotators", "ann-a,ann-b,ann-c")])
def test_experts_decide_by_import(annotators: tuple[str, ...], work: Path, tmp_path: Path) -> None:
    """Reports open a review; names in NER wait for a privacy review (Section 3.4.1)."""
    _ner_with_a_report(work, tmp_path, *annotators)
    folder = work / "annotation" / "ner"
    waiting = good("aggregate", folder, "--task", "ner")
    assert waiting["by_queue"] == {"privacy": 2, "review": 1}
    expert = {"annotator": "expert-1", "role": "expert"}
    decided = write_lines(tmp_path / "decided.jsonl", [
        {"item": "ner-01", "round": "review", "label": {"verdict": "uphold"}, **expert},
        {"item": "ner-02", "round": "privacy", "label": {"verdict": "keep"}, **expert},
        {"item": "ner-03", "round": "privacy", "label": {"verdict": "remove"}, **expert},
    ])  # fmt: skip
    taken = good("import", decided, "--task", "ner", "--batch", "tag", "--work", work)
    assert taken["new"] == 3, taken
    gold = good("aggregate", folder, "--task", "ner")
    assert (gold["resolved"], gold["removed"], gold["unresolved"]) == (1, 2, 0)


def test_a_batch_is_the_same_every_time(work: Path, tmp_path: Path) -> None:
    items = items_file(tmp_path, "tc")
    given = ("export", "tc", "--items", items, "--annotators", 5, "--work", work)
    good(*given, "--to", "jsonl")
    folder = work / "annotation" / "tc" / "main"
    before = bytes_of(folder)
    exported = (folder / "export" / "items.jsonl").read_bytes()
    good(*given, "--to", "jsonl")
    good(*given, "--to", "label-studio")  # for another tool, too
    assert bytes_of(folder) == before
    assert (folder / "export" / "items.jsonl").read_bytes() == exported
    other = tmp_path / "other"
    good("export", "tc", "--items", items, "--annotators", 5, "--to", "jsonl", "--work", other)
    assert bytes_of(other / "annotation" / "tc" / "main") == before
    names = tmp_path / "names.txt"
    names.write_text("\ufeff" + "\r\n".join(f"annotator-{n:03}" for n in range(5, 0, -1)), "utf-8")
    good("export", "tc", "--items", items, "--annotators", names, "--to", "jsonl", "--work", work)
    told = bad("export", "tc", "--items", items, "--annotators", 6, "--to", "jsonl", "--work", work,
               code=1)  # fmt: skip
    assert "annotators" in told and "another name" in told


def test_guidelines_lie_beside_what_is_handed_out(work: Path, tmp_path: Path) -> None:
    out = tmp_path / "to hand out"
    made = good("export", "sts", "--items", items_file(tmp_path, "sts"), "--to", "doccano", "--out",
                out, "--work", work)  # fmt: skip
    assert {str(out / f"guideline.{name}.md") for name in ("ko", "en")} <= set(made["files"])
    assert "sts@1.0.2" in (out / "guideline.ko.md").read_text("utf-8")


def test_status_tells_what_is_missing_from_whom(work: Path, tmp_path: Path) -> None:
    good("export", "tc", "--items", items_file(tmp_path, "tc"), "--annotators", "ann-a,ann-b,ann-c",
         "--to", "jsonl", "--work", work)  # fmt: skip
    report = {"report": "unable_to_decide"}
    said = {("ann-a", f"tc-{n:02}"): {"label": "사회"} for n in range(1, 7)}
    said |= {("ann-b", "tc-01"): report}
    take(work, "tc", "main", lambda who, item: said.get((who, item)))
    (one,) = good("status", "--task", "ynat", "--work", work)["batches"]
    assert (one["answered"], one["assigned"], one["reported"]) == (7, 18, 1)
    missing = {share["annotator"]: len(share["missing"]) for share in one["annotators"]}
    assert missing == {"ann-a": 0, "ann-b": 5, "ann-c": 6}
    shown = klue("status", "--work", work).stdout
    assert "7 of 18 answers" in shown and "ann-c" in shown
    assert good("status", "--task", "nli", "--work", work) == {"batches": []}


def test_simulated_annotators_answer_every_round(work: Path, tmp_path: Path) -> None:
    rounds = [("write", "write", None), ("inspect", "inspect", "write"),
              ("write", "write2", "inspect"), ("inspect", "inspect2", "write2"),
              ("final_review", "final", "inspect,inspect2")]  # fmt: skip
    for round_, batch, after in rounds:
        given = ("--after", after) if after else ("--items", items_file(tmp_path, "mrc", 30))
        good("export", "mrc", *given, "--to", "jsonl", "--work", work, "--round", round_,
             "--batch", batch)  # fmt: skip
        out = tmp_path / f"{batch}.jsonl"
        made = good("simulate", "mrc", "--batch", batch, "--out", out, "--work", work)
        said = out.read_bytes()
        assert "--force" in bad("simulate", "mrc", "--batch", batch, "--out", out, "--work", work)
        good("simulate", "mrc", "--batch", batch, "--out", out, "--work", work, "--force")
        assert out.read_bytes() == said
        taken = good("import", out, "--task", "mrc", "--batch", batch, "--work", work)
        assert taken["new"] == made["votes"] > 0 and not taken["quarantined"]
    assert {v["attempt"] for v in _votes(work, "mrc", "inspect2")} == {2}
    audit = good("audit", work / "annotation" / "mrc", "--task", "mrc")
    assert audit["simulated"] is True
    assert good("aggregate", work / "annotation" / "mrc", "--task", "mrc")["resolved"] > 20


def test_simulated_experts_close_what_waits(work: Path, tmp_path: Path) -> None:
    """The pool of a task is asked for by one word; experts decide about reports (3.1.1)."""
    items = Path(__file__).resolve().parents[3] / "data" / "sample" / "answers" / "tc.jsonl"
    made = good("export", "tc", "--items", items, "--annotators", "simulated", "--to", "jsonl",
                "--work", work)  # fmt: skip
    assert made["annotators"] == [f"sim-{n:02}" for n in range(1, 14)]  # 13 workers, as in 3.1.1
    folder = work / "annotation" / "tc"
    for option in ((), ("--experts",)):
        out = tmp_path / f"votes{len(option)}.jsonl"
        good("simulate", "tc", "--out", out, "--work", work, *option)
        taken = good("import", out, "--task", "tc", "--work", work)
        assert taken["quarantined"] == 0 and taken["new"] == taken["read"] > 0
        counts = good("aggregate", folder, "--task", "tc")
        waiting = counts["by_queue"].get("review", 0)
        assert counts["items"] == 484
        if not option:
            reported = waiting
    assert waiting < reported  # some reviews stay pending, as they do with people
