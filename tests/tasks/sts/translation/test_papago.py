"""The service in Papago's form: what is sent, how faults are met, and that nothing leaks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from loopback import KEY, SECRET, Service, error, running

from pipeline.core.errors import InputError, KlueError, RecordError, RetryError
from pipeline.tasks.sts.build_inputs import PapagoTranslator
from pipeline.tasks.sts.translation import open_translator, papago, translator_identity
from pipeline.tasks.sts.translation.papago import Papago

TEXT = "길동이가 살던 골목은 조용했다."


def _settings(url: str, **more: object) -> dict[str, object]:
    given = {"url": url, "key_variable": "KEY_VAR", "secret_variable": "SECRET_VAR"}
    whole = PapagoTranslator.model_validate(
        {"kind": "papago", "per_second": 1000.0, **given, **more}
    )
    return whole.model_dump(mode="json")


@pytest.fixture
def service() -> Iterator[Service]:
    with running() as made:
        yield made


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def client(service: Service, time: Time, monkeypatch: pytest.MonkeyPatch) -> Iterator[Papago]:
    monkeypatch.setenv("KEY_VAR", KEY)
    monkeypatch.setenv("SECRET_VAR", SECRET)
    with papago.open_service(_settings(service.url, retries=3)) as session:
        session.sleep, session.clock = time.sleep, time.clock
        yield session


def test_what_is_sent(client: Papago, service: Service) -> None:
    assert client.translate("문 & 창=1+2%", "ko", "en") == "[en] 문 & 창=1+2%"
    assert client.translate("Door", "en", "ko") == "Door요"
    assert service.asked == [
        {"source": "ko", "target": "en", "text": "문 & 창=1+2%"},
        {"source": "en", "target": "ko", "text": "Door", "honorific": "true"},
    ]
    assert service.types == {"application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    "fault",
    [
        error(429, "410"),
        error(429, "420"),
        error(500, "N2MT99"),
        error(503, "500"),
        error(504, "510"),
        (502, b"<html>", {}),
        (0, b"", {}),
    ],
)
def test_a_passing_fault_is_tried_again(
    client: Papago, service: Service, time: Time, fault: tuple[int, object, dict[str, str]]
) -> None:
    service.faults = [fault, fault]
    assert client.translate(TEXT, "ko", "en") == f"[en] {TEXT}"
    assert [pause for pause in time.slept if pause >= 1] == [1.0, 2.0]


def test_attempts_end(client: Papago, service: Service, time: Time) -> None:
    service.faults = [error(503)] * 9
    with pytest.raises(RetryError, match=r"answered 503; gave up after 4 attempts"):
        client.translate(TEXT, "ko", "en")
    assert len(service.asked) == 4
    assert [pause for pause in time.slept if pause >= 1] == [1.0, 2.0, 4.0]


def test_the_pause_that_the_server_asks_for(client: Papago, service: Service, time: Time) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=120), usegmt=True)
    service.faults = [
        error(429, "410", Retry_After="17"),
        error(503, Retry_After=later),
        error(503, Retry_After="soon"),
    ]
    client.translate(TEXT, "ko", "en")
    pauses = [pause for pause in time.slept if pause >= 1]
    assert pauses[0] == 17
    assert 100 < pauses[1] <= 120
    assert pauses[2] == 4


def test_a_long_pause_ends_the_run(client: Papago, service: Service, time: Time) -> None:
    service.faults = [error(429, "410", Retry_After="86400")]
    with pytest.raises(RetryError, match="asks to wait 86400 s; run again then"):
        client.translate(TEXT, "ko", "en")
    assert not [pause for pause in time.slept if pause >= 1]


@pytest.mark.parametrize(
    ("fault", "kind", "told"),
    [
        (error(429, "400"), RetryError, "the quota is used up"),
        (error(401, "200"), InputError, "the key is wrong or has no right .* KEY_VAR and SECRET"),
        (error(401, "210"), InputError, "check KEY_VAR"),
        (error(403), InputError, "check KEY_VAR"),
        (error(404, "300"), InputError, r"answered 404 \(300\): .* check `url`"),
        (error(400, "N2MT04"), InputError, "set another `pivot`"),
        (error(400, "N2MT08"), RecordError, "too long for the service"),
        (error(413, "430"), RecordError, "too long for the service"),
        ((400, {"errorCode": "N2MT06", "errorMessage": "m"}, {}), InputError, r"\(N2MT06\)"),
        ((302, b"", {"Location": "http://127.0.0.1:1/"}), InputError, "answered 302"),
        ((400, b"[1]", {}), InputError, "answered 400: look"),
        ((200, b"<html>hello</html>", {}), InputError, "not in Papago's form"),
        ((200, {"message": {"result": {}}}, {}), InputError, "not in Papago's form"),
        ((200, {"message": {"result": {"translatedText": 5}}}, {}), InputError, "not in Papago"),
    ],
)
def test_a_lasting_fault_is_told_at_once(
    client: Papago,
    service: Service,
    fault: tuple[int, object, dict[str, str]],
    kind: type[KlueError],
    told: str,
) -> None:
    service.faults = [fault]
    with pytest.raises(kind, match=told) as raised:
        client.translate(TEXT, "ko", "en")
    assert len(service.asked) == 1
    for secret in (SECRET, KEY, TEXT, "told at length", "hello"):
        assert secret not in str(raised.value)


def test_half_a_character_is_no_answer(client: Papago, service: Service) -> None:
    body = b'{"message": {"result": {"translatedText": "\\ud800"}}}'
    service.faults = [(200, body, {})]
    with pytest.raises(RecordError, match="half of a surrogate pair"):
        client.translate(TEXT, "ko", "en")


def test_a_text_that_is_too_long_is_not_sent(client: Papago, service: Service) -> None:
    client.translate("가" * 5000, "ko", "en")
    with pytest.raises(RecordError, match="longer than 5,000 characters"):
        client.translate("가" * 5001, "ko", "en")
    assert len(service.asked) == 1


def test_requests_keep_their_distance(client: Papago, time: Time) -> None:
    client.settings = {**client.settings, "per_second": 4.0}
    for n in range(5):
        client.translate(f"문 {n}", "ko", "en")
    assert time.now == pytest.approx(1.0)  # four pauses of a quarter of a second


def test_a_server_that_is_not_there(client: Papago) -> None:
    client.settings = _settings("http://127.0.0.1:1/x", retries=1)
    with pytest.raises(RetryError, match=r"the connection failed \(ConnectError\); gave up"):
        client.translate(TEXT, "ko", "en")


@pytest.mark.parametrize("value", ["", "  ", "two words", "열쇠", "a\nb"])
def test_a_missing_or_odd_key_is_named_by_its_variable(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("KEY_VAR", KEY)
    monkeypatch.setenv("SECRET_VAR", value)
    with pytest.raises(InputError, match="environment variable SECRET_VAR") as raised:
        open_translator(_settings(service.url), tmp_path).__enter__()
    assert not value.strip() or value not in str(raised.value)


def test_a_round_trip_is_paid_once(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_VAR", KEY)
    monkeypatch.setenv("SECRET_VAR", SECRET)
    settings = _settings(service.url)
    for _ in range(2):
        with open_translator(settings, tmp_path) as translator:
            trip = translator.round_trip(TEXT)
    assert trip == (f"[en] {TEXT}", f"다시 {TEXT}요")
    assert service.billed == [("en", TEXT), ("ko", f"[en] {TEXT}")]
    written = "".join(path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file())
    assert SECRET not in written
    assert KEY not in written


def test_two_paths_of_one_host_are_two_translators(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_VAR", KEY)
    monkeypatch.setenv("SECRET_VAR", SECRET)
    one, two = _settings(service.url), _settings(f"{service.url}/other")
    for settings in (one, two):
        with open_translator(settings, tmp_path) as translator:
            translator.round_trip(TEXT)
            assert translator.name == translator_identity(settings)["name"]
    assert translator_identity(one)["name"] != translator_identity(two)["name"]
    assert len(service.billed) == 4
    assert len(list(tmp_path.glob("*.jsonl"))) == 2


def test_languages_and_style_are_parameters(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_VAR", KEY)
    monkeypatch.setenv("SECRET_VAR", SECRET)
    with open_translator(
        _settings(service.url, pivot="ja", honorific=False), tmp_path
    ) as translator:
        translator.round_trip("문")
    assert [one["target"] for one in service.asked] == ["ja", "ko"]
    assert service.asked[1]["honorific"] == "false"
    names = {
        translator_identity(_settings(service.url, pivot=pivot, honorific=style))["name"]
        for pivot in ("en", "ja")
        for style in (True, False)
    }
    assert len(names) == 4
