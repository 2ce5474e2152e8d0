"""The form that takes a file: read while it arrives, capped, checked before the file."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from web_boards import LINES, WebBoard, fields, log_in, send

from pipeline.leaderboard import database, submissions
from pipeline.leaderboard.records import Submission


def sent(web: WebBoard, name: str = "한도담") -> list[Submission]:
    found = web.submitter(name)
    with database.reading(web.board.engine) as connection:
        return submissions.history(connection, found)


def left_over(web: WebBoard) -> list[str]:
    """Return the files that were received, or are being received."""
    layout = web.board.layout
    return [
        path.name for place in (layout.incoming, layout.submissions) for path in place.iterdir()
    ]


def test_the_quota_is_told_beforehand(web: WebBoard) -> None:
    html = log_in(web).get("/submit").text
    assert "2 left now" in html and "0 of 2 in 24 hours" in html
    assert "<code>tc</code>" in html and "(ner) — 2 left" in html, "with the keys of the API"
    assert html.index('id="file"') < html.index('id="quota"'), "on a phone the form is first"
    assert "A file that is refused costs nothing" in " ".join(html.split())


def test_a_file_is_stored_as_it_was_sent(web: WebBoard) -> None:
    client = log_in(web)
    content = bytes(range(256)) * 150 + b"\r\n--not-a-boundary\r\n" + LINES
    done = send(client, content, parameters="110,000,000", kind="encoder", link="https://a.kr/x")
    assert done.status_code == 303
    one = sent(web)[0]
    assert done.headers["location"] == f"/submissions/{one.key}"
    assert (web.board.layout.submissions / one.file).read_bytes() == content
    assert one.model.parameters == 110_000_000
    assert left_over(web) == [one.file]


def test_predictions_on_dev_go_with_it(web: WebBoard) -> None:
    client = log_in(web)
    files = {"file": ("p.jsonl", LINES), "dev": ("d.parquet", b"PAR1....PAR1")}
    client.post("/submit", data=fields(client), files=files)
    one = sent(web)[0]
    assert (
        one.dev_file and (web.board.layout.submissions / one.dev_file).read_bytes()[:4] == b"PAR1"
    )


def test_a_model_that_is_known_needs_its_name_alone(web: WebBoard) -> None:
    client = log_in(web)
    send(client, parameters="70000000", kind="encoder")
    assert "70000000" not in client.get("/submit").text
    assert send(client, LINES * 2, model=" 가람-base ").status_code == 303
    assert {one.model.parameters for one in sent(web)} == {70_000_000}
    refused = send(client, LINES * 3, parameters="1")
    assert refused.status_code == 429 or "70,000,000" in refused.text


@pytest.mark.parametrize(
    ("changed", "status", "word"),
    [
        ({"task": ""}, 422, "Choose a task: tc, ner."),
        ({"task": "nope"}, 404, "tasks: tc, ner"),
        ({"task": "../tc"}, 404, "tasks: tc, ner"),
        ({"model": ""}, 422, "model"),
        ({"model": "=cmd|'/C calc'!A0"}, 422, "formula"),
        ({"model": "<script>alert(1)</script>"}, 422, "markup"),
        ({"model": "가" * 81}, 422, "80"),
        ({"model": "a\u202eb"}, 422, "control characters"),
        ({"parameters": "many"}, 422, "whole number"),
        ({"parameters": "9" * 30}, 422, "whole number"),
        ({"kind": "human"}, 422, "encoder"),
        ({"link": "javascript:alert(1)"}, 422, "link"),
        ({"description": "x" * 2_001}, 422, "description"),
    ],
)
def test_what_is_said_of_a_file_is_checked_before_it(
    web: WebBoard, changed: dict[str, str], status: int, word: str
) -> None:
    client = log_in(web)
    done = send(client, **changed)
    assert done.status_code == status
    assert word in done.text and "nothing was charged" in done.text
    assert sent(web) == [] and left_over(web) == []
    if "model" not in changed:
        assert 'value="가람-base"' in done.text, "what was typed is there again"


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "Choose a file"),
        (b"PK\x03\x04" + b"x" * 99, "archive"),
        (b"7z\xbc\xaf\x27\x1c" + b"x" * 99, "archive"),
        (b"x" * 60_000, "50,000 bytes"),
    ],
    ids=["empty", "zip", "7z", "large"],
)
def test_a_file_that_cannot_be_taken_leaves_nothing(
    web: WebBoard, content: bytes, word: str
) -> None:
    client = log_in(web)
    done = send(client, content)
    assert done.status_code in (413, 422)
    assert word in done.text
    assert sent(web) == [] and left_over(web) == []


def test_the_same_file_twice_and_one_more_than_allowed(web: WebBoard) -> None:
    client = log_in(web)
    assert send(client).status_code == 303
    again = send(client)
    assert again.status_code == 409 and "nothing was charged" not in again.text
    assert f'<a href="/submissions/{sent(web)[0].key}">See that submission</a>' in again.text
    assert send(client, LINES * 2).status_code == 303
    more = send(client, LINES * 3)
    assert more.status_code == 429 and "none left" in more.text
    assert len(left_over(web)) == 2


def test_a_task_with_nothing_left_is_not_preselected(web: WebBoard) -> None:
    client = log_in(web)
    asked = client.get("/submit?task=tc").text
    assert re.findall(r'<option value="(\w+)" selected', asked) == ["tc"]
    for count in (1, 2):
        send(client, LINES * count)
    spent = client.get("/submit?task=tc").text
    assert '<option value="tc" disabled>' in spent and " selected" not in spent
    assert re.search(r'id="task-help">[^<]*: none left[^<]*<', spent)
    assert "task-help" not in client.get("/submit").text


def multipart(*parts: bytes, end: bytes = b"--B--\r\n") -> bytes:
    return b"".join(b"--B\r\n" + part + b"\r\n" for part in parts) + end


def text(name: str, value: str) -> bytes:
    return f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode()


def file(content: bytes, name: str = "file") -> bytes:
    head = f'Content-Disposition: form-data; name="{name}"; filename="../../x"\r\n\r\n'
    return head.encode() + content


KIND = {"content-type": "multipart/form-data; boundary=B"}


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (multipart(file(LINES)), KIND, 403),
        (b"csrf=x", {"content-type": "application/x-www-form-urlencoded"}, 415),
        (b"{}", {"content-type": "application/json"}, 415),
        (b"x", {"content-type": "multipart/form-data"}, 415),
        (b"x", {"content-type": "multipart/form-data; boundary=" + "B" * 300}, 422),
        (b"no boundary at all", KIND, 422),
        (b"", KIND, 422),
        (multipart(*[text(f"n{i}", "") for i in range(99)]), KIND, 422),
        (multipart(text("a", "x" * 40_000)), KIND, 413),
        (multipart(b"A: " + b"x" * 9_000 + b"\r\n\r\n"), KIND, 422),
    ],
    ids=[
        *("file first", "urlencoded", "json", "no boundary", "long boundary", "garbage", "empty"),
        *("many fields", "large field", "long header"),
    ],
)
def test_hostile_forms(web: WebBoard, body: bytes, headers: dict[str, str], status: int) -> None:
    client = log_in(web)
    done = client.post("/submit", content=body, headers=headers)
    assert done.status_code == status, done.text
    assert left_over(web) == []


def test_a_form_that_ends_too_early_leaves_nothing(web: WebBoard) -> None:
    client = log_in(web)
    parts = [text(name, value) for name, value in fields(client).items()]
    body = multipart(*parts, file(LINES * 50), end=b"")
    for cut in (body[:-2], body[:-300]):
        done = client.post("/submit", content=cut, headers=KIND)
        assert done.status_code == 422
        assert left_over(web) == []


def test_a_file_of_another_field_is_refused(web: WebBoard) -> None:
    client = log_in(web)
    parts = [text(name, value) for name, value in fields(client).items()]
    body = multipart(*parts, file(LINES, "other"))
    done = client.post("/submit", content=body, headers=KIND)
    assert done.status_code == 422 and "did not ask for" in done.text


def test_pieces_of_any_size_give_the_same_file(web: WebBoard) -> None:
    client = log_in(web)
    content = b"\r\n--B\r\r\n--" * 40 + LINES
    parts = [text(name, value) for name, value in fields(client).items()]
    body = multipart(*parts, file(content))

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(body), 7):
            yield body[start : start + 7]

    done = client.post("/submit", content=pieces(), headers=KIND)
    assert done.status_code == 303, done.text
    assert (web.board.layout.submissions / sent(web)[0].file).read_bytes() == content
