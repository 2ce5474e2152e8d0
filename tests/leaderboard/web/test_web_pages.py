"""Pages that all may see: what they show, in which order, and that text is only ever text."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import web_boards
from sqlalchemy import event
from web_boards import METRICS, NAMES, NOW, WebBoard

from pipeline.contracts.registry import TASKS
from pipeline.leaderboard import database, versions
from pipeline.leaderboard.records import ModelInfo, Score, Standing
from pipeline.leaderboard.tables import MODELS, SUBMITTERS


def page(web: WebBoard, path: str, status: int = 200) -> str:
    answer = web.client().get(path)
    assert answer.status_code == status, answer.text
    return answer.text


def plain(html: str) -> str:
    """Return the text of a page, blanks joined."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def names(html: str) -> list[str]:
    """Return the systems of the rows of a table, in their order."""
    found = re.findall(r'<a class="system"[^>]*><bdi>([^<]*)</bdi>', html)
    return [unescape(name) for name in found]


def test_the_board_shows_every_metric_of_every_task_with_open_ranks(full: WebBoard) -> None:
    html = page(full, "/")
    heads = re.findall(r'<th scope="col" class="number[^>]*><a[^>]*>([^<]*)<', html)
    assert len(heads) == sum(map(len, METRICS.values())) == 15
    first = html[html.index("가람-large</bdi>") :]
    assert re.search(r'88\.00<span class="rank leads"><span class="hidden">rank </span>1–3', first)
    assert "total" not in plain(html).replace("a total over tasks", "")


@pytest.mark.parametrize("task", METRICS)
def test_every_metric_sorts_the_board_both_ways(full: WebBoard, task: str) -> None:
    for metric in METRICS[task]:
        down = names(page(full, f"/?sort={task}.{metric}"))
        up = names(page(full, f"/?sort={task}.{metric}&order=reverse"))
        assert down[:7] == list(NAMES)
        assert up[:7] == down[:7][::-1], "those without a score stay at the end"


def test_the_usual_order_is_by_the_first_metric_that_ranks_somebody(web: WebBoard) -> None:
    entry = web.entry(web.submitter("한도담"), ModelInfo("가람-base"), "ner", {"entity_f1": 50.0})
    assert "Sorted by Topic classification" in page(web, "/?sort=tc.macro_f1")
    web.rank("ner", {"entity_f1": [(entry.id, Standing(1, 1, 48.0, 52.0))]})
    assert "Sorted by Named entity recognition, entity F1" in page(web, "/")
    assert "the only system so far" in page(web, "/")


def test_systems_without_a_score_stand_below_a_heading_of_their_own(full: WebBoard) -> None:
    html = page(full, "/?sort=ner.entity_f1")
    above, heading, below = html.partition("Not ranked by Named entity recognition, entity F1")
    assert heading and names(above) == list(NAMES) and len(names(below)) == 2
    assert "no score for this task; by name" in plain(below)
    assert "no score for this task, or withdrawn or disqualified" in plain(page(full, "/"))
    assert "Not ranked by" not in page(full, "/?sort=name")
    assert "Not ranked by" not in page(full, "/?kind=decoder")


def test_the_board_says_what_it_is(full: WebBoard) -> None:
    text = plain(page(full, "/"))
    assert re.search(
        r"A board of 8 tasks of Korean language understanding, on the release \S+ \d", text
    )


def test_names_sort_without_groups(full: WebBoard) -> None:
    html = page(full, "/?sort=name")
    assert names(html) == sorted(names(html), key=str.casefold)
    assert "Sorted by name" in html
    assert 'tbody class="group"' not in html


def test_filters_leave_out_and_say_so(full: WebBoard) -> None:
    assert names(page(full, "/?kind=decoder")) == ["다온-1.3b"]
    assert names(page(full, "/?size=1B+to+10B&kind=decoder")) == ["다온-1.3b"]
    assert "No system fits these filters" in page(full, "/?size=10B+and+more")
    assert "No system fits these filters" in page(full, "/tasks/ner?size=10B+and+more")


def test_a_filter_leaves_ranks_and_the_axis_of_a_task_as_they_are(full: WebBoard) -> None:
    everything, few = page(full, "/tasks/ner"), page(full, "/tasks/ner?kind=decoder")
    assert "Ranks are among all 7 systems; 6 are hidden by the filter." in plain(few)
    assert "hidden by the filter" not in everything
    drawn = [
        re.search(r"다온-1.3b</bdi>.*?(<svg.*?</svg>)", html, re.S) for html in (everything, few)
    ]
    assert drawn[0] and drawn[1] and drawn[0][1] == drawn[1][1]


@pytest.mark.parametrize(
    "query", ["sort=total", "size=huge", "page=0", "page=x", "version=-1", "part=all", "order=up"]
)
def test_a_view_that_does_not_exist_is_named(full: WebBoard, query: str) -> None:
    assert f"`{query.partition('=')[0]}`" in plain(page(full, f"/?{query}", 422))


def test_a_task_shows_groups_ranks_intervals_and_the_gap_to_dev(full: WebBoard) -> None:
    text = plain(page(full, "/tasks/ner"))
    assert "Places 1 to 3 the paired bootstrap cannot tell these three apart" in text
    assert "Place 7 told apart from every other system" in text
    assert "rank 1 to 3 of 7 ; no system is surely better" in text
    assert "83.60 to 86.30" in text
    assert "86.25 +1.25" in text, "dev and dev minus test"
    assert "개체명 인식" in text
    assert page(full, "/tasks/wos") == page(full, "/tasks/dst"), "the name inside a release works"
    assert "tasks: tc, sts" in plain(page(full, "/tasks/nope", 404))


def test_marked_systems_are_struck_out_with_their_reason_and_have_no_rank(full: WebBoard) -> None:
    html = page(full, "/tasks/tc")
    row = html[html.index("밀물-base") :].split("</tr>")[0]
    assert "<s>99.90</s>" in row
    assert "not ranked" in row
    assert 'class="rank"' not in row and 'class="rank ' not in row
    text = plain(html)
    assert "disqualified predictions were copied from the paper&#39;s appendix" in text
    assert "withdrawn the training data held a part of dev" in text
    assert "of 7" in text, "marked systems do not count"
    assert "7 systems of 7 submitters" in plain(page(full, "/"))
    for order in ("", "?sort=name", "?order=reverse"):
        html = page(full, f"/tasks/tc{order}")
        ranked, heading, marked = html.partition("Withdrawn or disqualified, without a rank")
        assert heading and set(names(ranked)) == set(NAMES)
        assert names(marked) == ["밀물-base", "사라-base"]


def test_a_model_has_a_page_with_its_evidence(full: WebBoard) -> None:
    key = re.search(r"/models/([0-9a-f]{20})", page(full, "/"))
    assert key
    text = plain(page(full, f"/models/{key[1]}"))
    for part in ("가람-large", "350M", "encoder", "두 줄로 된 설명.", web_boards.HASH):
        assert part in text
    assert "rank 1 to 3 of 7; no system is surely better" in text
    assert 'rel="nofollow noopener ugc"' in page(full, f"/models/{key[1]}")
    page(full, "/models/" + "0" * 20, 404)


def test_text_of_others_is_never_markup(web: WebBoard) -> None:
    """Whatever stood in the database: names are checked when they come, and escaped when shown."""
    evil = "<script>alert(1)</script>"
    entry = web.entry(web.submitter("한도담"), ModelInfo("가람-base"), "tc", {"macro_f1": 50.0})
    with database.writing(web.board.engine) as connection:
        link = "javascript:alert(1)"
        values = {"name": f"=cmd|'{evil}", "description": evil, "link": link}
        connection.execute(MODELS.update().values(**values))
        connection.execute(SUBMITTERS.update().values(name=f'"{evil}'))
    web.mark(entry.key, "disqualified", f"'\"{evil}")
    for path in ("/", "/tasks/tc", f"/models/{entry.model_key}", "/?sort=name"):
        html = page(web, path)
        assert "alert(1)" in html
        assert "<script>alert" not in html
        assert "javascript:" not in html
    record = web.client().get("/board.json")
    assert record.headers["content-type"] == "application/json"
    assert record.headers["x-content-type-options"] == "nosniff"


def test_a_board_without_systems_and_one_without_tasks(web: WebBoard, tmp_path: Path) -> None:
    assert "No system is on the board yet" in page(web, "/")
    assert "No system is here yet" in page(web, "/tasks/ner")
    empty = web_boards.make(tmp_path / "empty", tasks=())
    assert "This board has no task yet" in page(empty, "/")
    assert page(empty, "/board.json") and json.loads(page(empty, "/board.json"))["entries"] == []
    assert "no task yet" in plain(web_boards.log_in(empty).get("/submit").text)


def test_the_final_half_is_hidden_until_the_board_is_closed(web: WebBoard) -> None:
    entry = web.entry(web.submitter("한도담"), ModelInfo("가람-base"), "tc", {"macro_f1": 50.0})
    assert "final half is hidden" in plain(page(web, "/?part=final", 404))
    page(web, "/board.json?part=final", 404)
    final = Score("final", 9, shown=True, best=True, metrics={"macro_f1": 41.25})
    web.board.record(entry.id, final, now=NOW)
    with database.writing(web.board.engine) as connection:
        versions.close(connection, 1, now=NOW)
    text = plain(page(web, "/tasks/tc"))
    assert "41.25" in text and "50.00" not in text, "the final half is shown first"
    assert "stayed hidden until the board was closed on 2026-11-01 00:00 UTC" in text
    assert "50.00" in plain(page(web, "/tasks/tc?part=public"))
    assert "takes no more submissions" in plain(web_boards.log_in(web).get("/submit").text)


def test_several_versions_are_offered_and_an_old_one_says_so(web: WebBoard) -> None:
    entry = web.entry(web.submitter("한도담"), ModelInfo("가람-base"), "tc", {"macro_f1": 50.0})
    with database.writing(web.board.engine) as connection:
        told = {"release_name": "가상", "release_version": "1.0.1", "release_hash": "c" * 64}
        versions.add(
            connection, **told, scorer_version="d" * 64, reason="two examples withdrawn", now=NOW
        )
    again = Score("public", 8, shown=True, best=True, metrics={"macro_f1": 52.5})
    web.board.record(entry.id, again, now=NOW, version=2)
    new, old = plain(page(web, "/tasks/tc")), plain(page(web, "/tasks/tc?version=1"))
    assert "52.50" in new and "50.00" in old
    assert "not the current one" in old and "not the current one" not in new
    assert "two examples withdrawn" in plain(page(web, "/about"))
    assert "versions: 1, 2" in plain(page(web, "/?version=9", 404))


@pytest.mark.parametrize("protected", [True, False])
def test_the_rules_are_told_and_a_missing_protection_too(tmp_path: Path, protected: bool) -> None:
    web = web_boards.make(tmp_path / "board", tasks=("tc",), protected=protected)
    text = plain(page(web, "/about"))
    for part in ("Refused files cost nothing", "3 accepted submissions", "final half", "Blum"):
        assert part in text
    assert ("protection is missing" in text) is not protected
    assert ("protection is missing" in plain(page(web, "/"))) is not protected
    assert json.loads(page(web, "/board.json"))["protected"] is protected


def test_the_rules_show_an_answer_of_each_task(tmp_path: Path) -> None:
    web = web_boards.make(tmp_path / "board")
    html = unescape(page(web, "/about"))
    assert '{"guid": "…", "label": "정치"}' in html
    assert '{"guid": "…", "label": 3.2}' in html
    assert "entailment, contradiction, neutral" in html
    assert html.count('"guid"') == len(TASKS)


@pytest.mark.parametrize("simulated", [True, False])
def test_simulated_answers_are_marked_on_every_page(tmp_path: Path, simulated: bool) -> None:
    web = web_boards.make(tmp_path / "board", tasks=("tc",), simulated=simulated)
    for path in ("/", "/tasks/tc", "/about", "/login"):
        assert (">simulated</span>" in page(web, path)) is simulated
    assert json.loads(page(web, "/board.json"))["simulated"] is simulated


def test_board_json_holds_what_the_documentation_names(full: WebBoard) -> None:
    record = json.loads(page(full, "/board.json"))
    documented = (Path(__file__).parents[3] / "docs" / "leaderboard.md").read_text("utf-8")
    section = documented.partition("### board.json")[2]
    assert set(record) <= set(re.findall(r"`(\w+)`", section))
    entry = record["entries"][0]
    assert set(entry) <= set(re.findall(r"`(\w+)`", section))
    assert entry["metrics"]["macro_f1"]["rank"] == {
        "low": 1,
        "high": 3,
        "of": 7,
        "words": "rank 1 to 3 of 7; no system is surely better;"
        " cannot be told apart from two others",
    }
    assert entry["metrics"]["macro_f1"]["interval"] == pytest.approx([86.6, 89.3])
    marked = [one for one in record["entries"] if one["mark"]]
    assert [one["metrics"]["macro_f1"]["rank"] for one in marked] == [None, None]


@pytest.fixture(scope="module")
def thousand(tmp_path_factory: pytest.TempPathFactory) -> WebBoard:
    """Return a board of 1,000 entries of one task."""
    web = web_boards.make(tmp_path_factory.mktemp("many") / "board", tasks=("tc", "ner"))
    found = []
    for number in range(1_000):
        model = ModelInfo(f"모형 {number:04}", 10**6 * (number + 1), "encoder")
        who = web.submitter(f"사람 {number:04}")
        found.append(web.entry(who, model, "tc", {"macro_f1": 90 - number / 20}).id)
    ranks = [(one, Standing(i + 1, i + 1, 1.0, 2.0)) for i, one in enumerate(found)]
    web.rank("tc", {"macro_f1": ranks})
    return web


@pytest.mark.full
def test_a_thousand_entries_come_in_pages_with_few_questions(thousand: WebBoard) -> None:
    """Neither questions to the database nor the page's length grow with the entries."""
    asked: list[Any] = []
    engine = thousand.app.state.board.engine
    event.listen(engine, "before_cursor_execute", lambda *a: asked.append(a[2]))
    html = page(thousand, "/")
    assert len(names(html)) == 100
    assert len(asked) < 10
    assert "page 1 of 10, 1,000 systems" in plain(html)
    assert names(page(thousand, "/?page=10"))[-1] == "모형 0999"
    assert names(page(thousand, "/?page=99"))[-1] == "모형 0999"
    assert len(json.loads(page(thousand, "/board.json"))["entries"]) == 1_000
