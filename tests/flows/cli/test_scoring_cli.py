"""`klue score`: gold and predictions of every form, what is printed, and what is refused."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from annotation_stories import good as klue
from annotation_stories import take, write_lines
from typer.testing import CliRunner, Result

from flows.cli.group import Commands
from flows.cli.models import results, score
from pipeline.contracts.splits import FILES
from pipeline.core import schemas
from pipeline.release.manifest import private_folder
from pipeline.release.reading import read_split
from pipeline.release.tables import COLUMNS
from pipeline.release.writing import write

sys.path.append(str(Path(__file__).parents[2] / "release"))

import small_release as small

APP = Commands()
APP.command("score")(score)
APP.command("results")(results)
CONFIGS = {"tc": "ynat", "sts": "sts", "nli": "nli", "ner": "ner", "re": "re", "dp": "dp",
           "mrc": "mrc", "dst": "wos"}  # fmt: skip
FIRST = {"tc": "macro_f1", "sts": "pearson", "nli": "accuracy", "ner": "entity_f1",
         "re": "micro_f1", "dp": "uas", "mrc": "em", "dst": "jga"}  # fmt: skip
LABELS = ("entailment", "contradiction", "neutral")
#: Nine pairs of an official file; the gold turns.
OFFICIAL = [
    {
        "guid": f"klue-nli-v1_dev_{n:05}",
        "source": "airbnb" if n < 4 else "wikinews",
        "premise": f"{n // 3}번 문이 열렸다.",
        "hypothesis": f"문이 {n % 3}개다.",
        "gold_label": LABELS[n % 3],
        "author": LABELS[n % 3],
        **{f"label{k}": LABELS[n % 3] for k in (2, 3, 4, 5)},
    }
    for n in range(9)
]


def _klue(*arguments: object) -> Result:
    return CliRunner().invoke(APP, ["score", *map(str, arguments)])


def _good(*arguments: object) -> dict[str, Any]:
    result = _klue(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def _bad(*arguments: object) -> str:
    result = _klue(*arguments, "--json")
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.stderr
    record = json.loads(result.stdout)
    assert set(record) == {"error", "code"}
    return str(record["error"])


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release of all eight tasks, with its private folder."""
    folder = tmp_path_factory.mktemp("scored")
    return write(small.material(folder), folder / "mini" / "1.0.0").folder


@pytest.fixture
def official(tmp_path: Path) -> Path:
    """Write an official file of nine pairs."""
    path = tmp_path / "klue-nli-v1.1_dev.json"
    path.write_text(json.dumps(OFFICIAL, ensure_ascii=False), "utf-8")
    return path


def _said(path: Path, wrong: int) -> Path:
    """Write predictions for the official file, the first `wrong` of which are another label."""
    rows = [
        {"guid": one["guid"], "label": LABELS[(n + (n < wrong)) % 3]}
        for n, one in enumerate(OFFICIAL)
    ]
    return write_lines(path, rows)


@pytest.mark.parametrize("task", CONFIGS)
@pytest.mark.parametrize("variant", ["klue", "strict"])
def test_a_release_is_right_about_itself(release: Path, task: str, variant: str) -> None:
    """Its private labels, as they lie there, are perfect predictions of its test split."""
    labels = private_folder(release) / "labels" / f"{CONFIGS[task]}.parquet"
    options = ("--task", task, "--pred", labels, "--variant", variant)
    found = _good("--gold", release, *options)
    assert (found["task"], found["variant"], found["n"]) == (task, variant, 2)
    assert set(found) - {"reasons"} == {"task", "variant", "n", "scores"}
    assert found["scores"][FIRST[task]] == 100.0
    assert _good("--gold", labels, *options) == found


def test_the_metric_names_are_those_that_are_promised(release: Path) -> None:
    names = {
        metric
        for task, config in CONFIGS.items()
        for metric in _good("--task", task, "--gold", release, "--split", "dev", "--pred",
                            release / config / "validation.parquet")["scores"]
    }  # fmt: skip
    assert ",".join(sorted(names)) == (
        "accuracy,auprc,char_f1,em,entity_f1,f1,jga,las,las_micro,macro_f1,micro_f1,pearson,"
        "rouge_w,slot_f1,uas"
    )


def test_gold_of_every_form_scores_the_same(release: Path, tmp_path: Path) -> None:
    predictions = [
        {"guid": small.guid("tc", place), "label": "정치"} for place in range(8) if place < 4
    ]
    pred = write_lines(tmp_path / "p.jsonl", predictions)
    wanted = _good("--task", "tc", "--gold", release, "--split", "train", "--pred", pred)
    folder = tmp_path / "split"
    folder.mkdir()
    pq.write_table(small.examples("tc"), folder / "examples.parquet")
    rows = small.examples("tc").to_pylist()[:4]
    items = [
        {"item": row["id"], "fields": json.loads(row["fields"]), "gold": json.loads(row["label"])}
        for row in rows
    ]
    for gold, more in (
        (folder, ("--split", "train")),
        (folder / "examples.parquet", ("--split", "train")),
        (release / "ynat" / "train.parquet", ()),
        (write_lines(tmp_path / "items.jsonl", items), ()),
    ):
        assert _good("--task", "tc", "--gold", gold, "--pred", pred, *more) == wanted
    stored = [{**row, "fields": json.dumps(row["fields"]), "gold": json.dumps(row["gold"]),
               "task": "tc"} for row in items]  # fmt: skip
    pq.write_table(schemas.build("items", stored), tmp_path / "items.parquet")
    again = _good("--task", "tc", "--gold", tmp_path / "items.parquet", "--pred", pred)
    assert again == wanted


def test_a_table_of_items_is_no_official_file(tmp_path: Path) -> None:
    rows = ["item;premise;hypothesis;gold"]
    rows += [f"i-{n};전제 {n};가설 {n};{LABELS[n % 3]}" for n in range(3)]
    gold = tmp_path / "gold.csv"
    gold.write_text("\n".join(rows), "utf-8")
    said = [{"guid": f"i-{n}", "label": LABELS[n // 2]} for n in range(3)]
    pred = write_lines(tmp_path / "p.jsonl", said)
    found = _good("--task", "nli", "--gold", gold, "--pred", pred)
    assert found["scores"] == {"accuracy": pytest.approx(100 / 3)}


def test_an_official_file_and_what_people_read(official: Path, tmp_path: Path) -> None:
    pred = _said(tmp_path / "mine.jsonl", 3)
    found = _good("--task", "nli", "--gold", official, "--pred", pred)
    assert found == {
        "task": "nli", "variant": "klue", "n": 9, "scores": {"accuracy": pytest.approx(200 / 3)}
    }  # fmt: skip
    shown = _klue("--task", "nli", "--gold", official, "--pred", pred)
    assert "nli, klue: 9 examples" in shown.stdout and "66.67" in shown.stdout
    assert "By source" not in shown.stdout


def test_parts_are_shown_on_request(official: Path, tmp_path: Path) -> None:
    options = ("--task", "nli", "--gold", official, "--pred", _said(tmp_path / "p.jsonl", 3),
               "--breakdown")  # fmt: skip
    found = _good(*options)["breakdown"]
    assert found["source"]["airbnb"] == {"n": 4, "accuracy": 25.0}
    assert found["source"]["wikinews"] == {"n": 5, "accuracy": 100.0}
    assert found["label"]["neutral"]["n"] == 3
    assert sum(one["n"] for one in found["length"].values()) == 9
    shown = _klue(*options).stdout
    assert "By source" in shown and "By label" in shown and "By length" in shown


def test_intervals_are_there_on_request(official: Path, tmp_path: Path) -> None:
    options = ("--task", "nli", "--gold", official, "--pred", _said(tmp_path / "p.jsonl", 3))
    found = _good(*options, "--bootstrap", "--draws", 200)
    low, high = found["intervals"]["accuracy"]
    assert 0 < low < 200 / 3 < high <= 100
    assert _good(*options, "--bootstrap", "--draws", 200) == found
    assert _good(*options, "--bootstrap", "--draws", 200, "--seed", 3) != found
    narrow = _good(*options, "--bootstrap", "--draws", 200, "--confidence", 0.5)
    assert narrow["intervals"]["accuracy"][0] > low
    assert f"[{low:.2f}, {high:.2f}]" in _klue(*options, "--bootstrap", "--draws", 200).stdout


def test_systems_are_compared_side_by_side(official: Path, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    first = _said(tmp_path / "run.jsonl", 0)
    second = _said(tmp_path / "b" / "run.jsonl", 5)
    third = _said(tmp_path / "twin.jsonl", 5)
    options = ("--task", "nli", "--gold", official, "--pred", first, "--pred", second,
               "--pred", third, "--draws", 500)  # fmt: skip
    found = _good(*options)
    assert list(found["systems"]) == ["run", "run-2", "twin"]
    assert found["scores"] == found["systems"]["run"]["scores"] == {"accuracy": 100.0}
    assert found["systems"]["run"]["intervals"] == {"accuracy": [100.0, 100.0]}
    pairs = {(one["a"], one["b"]): one for one in found["comparisons"]}
    assert list(pairs) == [("run", "run-2"), ("run", "twin"), ("run-2", "twin")]
    ahead = pairs["run", "run-2"]
    assert ahead["metric"] == "accuracy" and ahead["difference"] == pytest.approx(500 / 9)
    assert ahead["low"] > 0 and ahead["p"] < 0.02
    equal = pairs["run-2", "twin"]
    assert (equal["difference"], equal["low"], equal["high"], equal["p"]) == (0.0, 0.0, 0.0, 1.0)
    shown = _klue(*options).stdout
    assert "run - run-2" in shown and "55.56" in shown and "1.0000" in shown


def test_a_metric_that_cannot_be_had_is_null_with_its_reason(release: Path) -> None:
    options = ("--task", "re", "--gold", release, "--split", "dev", "--pred",
               release / "re" / "validation.parquet")  # fmt: skip
    found = _good(*options, "--bootstrap", "--draws", 20)
    assert found["scores"]["auprc"] is None and found["intervals"]["auprc"] is None
    assert "needs `probabilities`" in found["reasons"]["auprc"]
    assert "auprc has no score: needs `probabilities`" in _klue(*options).stdout


def test_the_private_labels_are_its_owners(release: Path, tmp_path: Path) -> None:
    public = tmp_path / "1.0.0"
    shutil.copytree(release, public)
    pred = release / "nli" / "validation.parquet"
    said = _bad("--task", "nli", "--gold", public, "--pred", pred)
    assert "its owner keeps them in 1.0.0.private/" in said and "--split dev" in said
    found = _good("--task", "nli", "--gold", public, "--split", "dev", "--pred", pred)
    assert found["scores"] == {"accuracy": 100.0}
    said = _bad("--task", "nli", "--gold", public / "nli" / "test.parquet", "--pred", pred)
    assert "no answer to compare: 2 of 2 examples of the gold" in said


def test_help_tells_whose_small_groups_are() -> None:
    assert "betray" in _klue("--help").stdout


def test_all_files_are_checked_before_anything_is_scored(official: Path, tmp_path: Path) -> None:
    rows = [{"guid": one["guid"], "label": "neutral"} for one in OFFICIAL]
    first = write_lines(tmp_path / "one.jsonl", rows[:-1])
    second = write_lines(tmp_path / "two.jsonl", [*rows, {"guid": "x-1", "label": "neutral"}])
    said = _bad("--task", "nli", "--gold", official, "--pred", first, "--pred", second)
    assert "one.jsonl: guid klue-nli-v1_dev_00008 has no prediction" in said
    assert "two.jsonl line 10: guid x-1 is not in the gold" in said


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), "give --pred FILE (once for each system), or --human VOTES"),
        (("--pred", "p.jsonl", "--human", "votes"), "give --pred FILE"),
        (("--pred", "p.jsonl", "--variant", "loose"), "allowed: klue, strict"),
        (("--pred", "p.jsonl", "--split", "dev"), "holds one split"),
        (("--pred", "p.jsonl", "--split", "all"), "allowed: train, dev, test"),
        (("--pred", "p.jsonl", "--draws", "0"), "--draws 0 is out of range"),
        (("--pred", "p.jsonl", "--confidence", "95"), "--confidence 95.0 is out of range"),
        (("--pred", "p.jsonl", "--from", "argilla"), "other tools are for --human"),
        (("--human", "votes", "--bootstrap"), "are for --pred"),
        (("--human", "votes"), "no such file or folder"),
        (("--pred", "absent.jsonl"), "no such file"),
    ],
)
def test_options_that_do_not_go_together(
    official: Path, options: tuple[str, ...], told: str
) -> None:
    assert told in _bad("--task", "nli", "--gold", official, *options)


def test_gold_that_is_none(release: Path, tmp_path: Path) -> None:
    pred = write_lines(tmp_path / "p.jsonl", [{"guid": "a", "label": "neutral"}])
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "y.parquet")
    pq.write_table(small.examples("tc"), tmp_path / "tc.parquet")
    unlabelled = {"item": "a", "fields": {"premise": "문이 열렸다.", "hypothesis": "문이 있다."}}
    empty = write_lines(tmp_path / "empty.jsonl", [])
    for gold, told in (
        (tmp_path / "absent", "no such file or folder; give a release's folder, an official"),
        (tmp_path, "is no release, it holds no manifest.json"),
        (tmp_path / "x.parquet", "damaged or no Parquet file"),
        (tmp_path / "y.parquet", "has columns that no gold has"),
        (tmp_path / "tc.parquet", "holds no example of nli in test"),
        (release / "sts" / "train.parquet", "has the columns of sts, not of nli"),
        (
            write_lines(tmp_path / "items.jsonl", [unlabelled]),
            "no answer to compare: 1 of 1 example of the gold",
        ),
        (empty, "holds no item of task nli"),
    ):
        assert told in _bad("--task", "nli", "--gold", gold, "--pred", pred)
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    folder = tmp_path / "few" / "1.0.0"
    folder.mkdir(parents=True)
    del manifest["tasks"]["nli"]
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    assert "has no task nli; it has: " in _bad("--task", "nli", "--gold", folder, "--pred", pred)
    assert "unknown task 'qa'" in _bad("--task", "qa", "--gold", release, "--pred", pred)


def _asked(tmp_path: Path, task: str, items: Path, people: int) -> Path:
    """Give all items to so many people; returns the work directory."""
    work = tmp_path / "work"
    count = len(items.read_text("utf-8").splitlines())
    klue("export", task, "--items", items, "--human-baseline", count, "--annotators", people,
         "--to", "jsonl", "--batch", "people", "--work", work)  # fmt: skip
    return work


def test_people_of_a_human_baseline_are_scored(tmp_path: Path) -> None:
    """Section 3.3.1, from the items to Table 7: two of the four err at every third pair."""
    gold = [
        {
            "item": one["guid"],
            "source": one["source"],
            "fields": {name: one[name] for name in ("premise", "hypothesis")},
            "gold": one["gold_label"],
        }
        for one in OFFICIAL
    ]
    items = write_lines(tmp_path / "gold.jsonl", gold)
    work = _asked(tmp_path, "nli", items, 4)

    def said(who: str, item: str) -> dict[str, Any]:
        place = int(item[-5:])
        errs = place % 3 == 0 and who in ("annotator-003", "annotator-004")
        return {"label": LABELS[(place + errs) % 3]}

    take(work, "nli", "people", said)
    batch = work / "annotation" / "nli" / "people"
    found = _good("--task", "nli", "--gold", items, "--human", batch)
    assert (found["n"], found["scores"]) == (9, {"accuracy": 100.0})
    human = found["human"]
    assert [one["accuracy"] for one in human["annotators"].values()] == [
        100.0, 100.0, pytest.approx(200 / 3), pytest.approx(200 / 3)
    ]  # fmt: skip
    table = human["agreement"]
    assert table["unanimous"] == table["agree"]["4"] == pytest.approx(200 / 3)
    assert table["agree"]["2"] == pytest.approx(100 / 3)
    assert table["majority_accuracy"] == 100.0
    assert human["simulated"] is False
    strict = _good("--task", "nli", "--gold", items, "--human", batch, "--variant", "strict")
    assert strict["human"]["agreement"]["no_gold"] == pytest.approx(100 / 3)
    shown = _klue("--task", "nli", "--gold", items, "--human", batch).stdout
    assert "annotator-001 (best)" in shown and "individual label = gold label" in shown
    fewer = write_lines(tmp_path / "fewer.jsonl", gold[:6])
    said_ = _bad("--task", "nli", "--gold", fewer, "--human", batch)
    assert "not in the gold: 3 of 9 items voted on" in said_


def test_readers_of_passages_are_scored_by_type_of_question(tmp_path: Path) -> None:
    """Section 3.7.3: the votes of a batch, and the same votes as a file of their own."""
    rows = [row for row in small.examples("mrc").to_pylist() if row["split"] == "train"]
    labels = {row["id"]: json.loads(row["label"]) for row in rows}
    fields = {row["id"]: json.loads(row["fields"]) for row in rows}
    for one in fields.values():
        del one["question_type"]
    items = write_lines(
        tmp_path / "gold.jsonl",
        [{"item": name, "fields": fields[name], "gold": labels[name]} for name in labels],
    )
    work = _asked(tmp_path, "mrc", items, 3)

    def said(who: str, item: str) -> dict[str, Any]:
        """The third reader says of every question that it has no answer."""
        if who != "annotator-003":
            return {"label": labels[item]}
        asked = labels[item]["question"]
        return {"label": {"question": asked, "type": 3, "answers": [], "plausible_answers": []}}

    take(work, "mrc", "people", said)
    batch = work / "annotation" / "mrc" / "people"
    found = _good("--task", "mrc", "--gold", items, "--human", batch)
    people = found["human"]["annotators"]
    kinds = ["paraphrase", "multi-sentence", "unanswerable"]
    assert list(people["annotator-001"]["types"]) == kinds
    assert [people["annotator-003"]["types"][kind]["em"] for kind in kinds] == [0.0, 0.0, 100.0]
    assert found["human"]["best"] == "annotator-001"
    assert found["scores"] == {"em": 100.0, "rouge_w": 100.0}
    shown = _klue("--task", "mrc", "--gold", items, "--human", batch).stdout
    assert "by type of question" in shown and "multi-sentence" in shown
    votes = [
        {"item": name, "annotator": who, "round": "write", **said(who, name)}
        for name in labels
        for who in people
    ]
    file = write_lines(tmp_path / "votes.jsonl", votes)
    assert _good("--task", "mrc", "--gold", items, "--human", file) == found
    strange = write_lines(tmp_path / "strange.jsonl", [*votes, {**votes[0], "item": "mrc-x"}])
    said_ = _bad("--task", "mrc", "--gold", items, "--human", strange)
    assert "1 vote about items that are not in the gold" in said_


def test_the_files_of_a_release_are_what_the_tests_say(release: Path) -> None:
    """Guards the fixtures: the public test file has no labels, the private one has."""
    public = pq.read_table(release / "nli" / f"{FILES['test']}.parquet")
    assert public["label"].null_count == public.num_rows
    private = read_split(release, "nli", "test", labels=True)
    assert private.schema.equals(COLUMNS["nli"].schema) and not private["label"].null_count


def test_the_official_dev_set_is_right_about_itself(data_dir: Path, tmp_path: Path) -> None:
    path = data_dir / "klue" / "klue-nli-v1.1_dev.json"
    rows = json.loads(path.read_text("utf-8"))
    said = [{"guid": one["guid"], "label": one["gold_label"]} for one in reversed(rows)]
    pred = write_lines(tmp_path / "p.jsonl", said)
    found = _good("--task", "nli", "--gold", path, "--pred", pred)
    assert (found["n"], found["scores"]) == (3_000, {"accuracy": 100.0})
