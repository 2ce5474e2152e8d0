"""A client of translation services with the API of Papago.

    POST form-encoded source, target, text, and honorific where Korean is the target
    X-NCP-APIGW-API-KEY-ID, X-NCP-APIGW-API-KEY     the client's id and its secret
    {"message": {"result": {"translatedText": ...}}}
    {"error": {"errorCode": ..., "message": ...}}, or {"errorCode": ..., "errorMessage": ...}

The secret goes to the given address alone: redirects are not followed. Messages never hold texts
or answers. Source: NAVER Cloud Platform, API guide of Papago Text Translation.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pipeline.core.errors import InputError, RecordError, RetryError
from pipeline.tasks.sts.translation import (
    KOREAN,
    UNTRANSLATED,
    Kind,
    Settings,
    Translator,
    languages,
    open_journal,
    two_step,
)

if TYPE_CHECKING:
    import httpx

#: Characters that a request may hold.
LONGEST: Final = 5_000
#: Seconds before the second attempt (each further pause is twice as long), and the longest pause.
PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 300.0
#: Codes of the service: quota used up, languages that it does not translate, text too long.
_QUOTA: Final = ("400",)
_LANGUAGES: Final = ("N2MT02", "N2MT04", "N2MT05", "N2MT06")
_TOO_LONG: Final = ("430", "N2MT08")


class _PassingError(Exception):
    """An attempt failed, but another may succeed; `wait` are the seconds the server asks for."""

    def __init__(self, what: str, wait: float = 0.0) -> None:
        super().__init__(what)
        self.wait = wait


def identity(settings: Settings) -> str:
    """Return the translator name of a service: its host and path, and the languages."""
    parts = urlsplit(settings["url"])
    return f"papago:{parts.netloc}{parts.path}:{languages(settings)}"


def keys(settings: Settings) -> dict[str, str]:
    """Return the headers with the client's id and its secret, out of the environment.

    Raises InputError with the name of a variable that is not set or holds no key.
    """
    return {
        "X-NCP-APIGW-API-KEY-ID": _secret(settings["key_variable"]),
        "X-NCP-APIGW-API-KEY": _secret(settings["secret_variable"]),
    }


def _secret(variable: str) -> str:
    value = os.environ.get(variable, "").strip()
    if not value:
        raise InputError(
            f"the environment variable {variable} is not set; set it to the key of the translator"
        )
    if not re.fullmatch(r"[!-~]+", value):
        raise InputError(
            f"the environment variable {variable} holds blanks or characters that no key has"
        )
    return value


@dataclass
class Papago:
    """A session with the service; tests replace `sleep` and `clock`."""

    settings: Settings
    client: httpx.Client
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    _next: float = 0.0

    def translate(self, text: str, source: str, target: str) -> str:
        """Translate a text.

        Raises RecordError for a text that the service does not take, InputError for wrong keys,
        address or languages, RetryError when attempts or quota are used up.
        """
        if len(text) > LONGEST:
            raise RecordError(UNTRANSLATED, f"longer than {LONGEST:,} characters")
        form = {"source": source, "target": target, "text": text}
        if target == KOREAN:
            form["honorific"] = "true" if self.settings["honorific"] else "false"
        attempts = self.settings["retries"] + 1
        for attempt in range(attempts):
            try:
                return self._ask(form)
            except _PassingError as error:
                fault = error
            if attempt + 1 == attempts:
                break
            if fault.wait > LONGEST_PAUSE:
                raise RetryError(
                    f"{self._address}: {fault} and asks to wait {fault.wait:.0f} s; run again then."
                    " What was translated is kept"
                )
            self.sleep(min(max(fault.wait, PAUSE * 2.0**attempt), LONGEST_PAUSE))
        raise RetryError(
            f"{self._address}: {fault}; gave up after {attempts} attempts. What was translated is"
            " kept: run again to go on"
        )

    @property
    def _address(self) -> str:
        return urlsplit(self.settings["url"])._replace(query="", fragment="").geturl()

    def _ask(self, form: dict[str, str]) -> str:
        import httpx

        now = self.clock()
        if now < self._next:
            self.sleep(self._next - now)
        self._next = max(now, self._next) + 1 / self.settings["per_second"]
        try:
            response = self.client.post(self.settings["url"], data=form)
        except httpx.TransportError as error:
            raise _PassingError(f"the connection failed ({type(error).__name__})") from None
        except httpx.InvalidURL:
            raise InputError(f"{self._address}: not an address; correct `url`") from None
        if response.status_code != httpx.codes.OK:
            raise self._fault(response)
        return self._answer(response)

    def _answer(self, response: httpx.Response) -> str:
        try:
            answer = response.json()["message"]["result"]["translatedText"]
            answer.encode()
        except UnicodeEncodeError:
            raise RecordError(UNTRANSLATED, "the answer holds half of a surrogate pair") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{self._address}: answers, but not in Papago's form"
                " (message.result.translatedText); correct `url`"
            ) from None
        return str(answer)

    def _fault(self, response: httpx.Response) -> Exception:
        """Return what an answer other than 200 means."""
        status, code = response.status_code, _code(response)
        answer = f"the server answered {status}" + (f" ({code})" if code else "")
        if status == 429 and code in _QUOTA:
            return RetryError(
                f"{self._address}: {answer}: the quota is used up, or the application does not"
                " include this service; raise it in the console of the service and run again."
                " What was translated is kept"
            )
        if status in (408, 429) or status >= 500:
            return _PassingError(answer, _retry_after(response.headers.get("Retry-After", "")))
        if status == 413 or code in _TOO_LONG:
            return RecordError(UNTRANSLATED, "too long for the service")
        advice = "look the code up in the guide of the service, and check `url`"
        if status in (401, 403):
            advice = (
                "the key is wrong or has no right to this service; check"
                f" {self.settings['key_variable']} and {self.settings['secret_variable']}"
            )
        elif code in _LANGUAGES:
            advice = "it does not translate between these languages; set another `pivot`"
        return InputError(f"{self._address}: {answer}: {advice}")


@contextmanager
def open_service(settings: Settings) -> Iterator[Papago]:
    """Open a session with the service, and close it in the end.

    The keys are needed even where the journal holds every answer, which is known only after the
    last look-up.
    """
    import httpx

    with httpx.Client(
        timeout=settings["timeout"], headers=keys(settings), follow_redirects=False
    ) as client:
        yield Papago(settings, client)


@contextmanager
def _open(settings: Settings, journal: Path) -> Iterator[Translator]:
    name = identity(settings)
    with open_journal(journal, name) as answers, open_service(settings) as service:
        yield two_step(name, settings["pivot"], service.translate, answers)


def _code(response: httpx.Response) -> str:
    """Return the error code of the service; the rest of the answer may hold text."""
    try:
        body = response.json()
        code = str(body.get("error", body).get("errorCode", ""))
    except (ValueError, AttributeError, RecursionError):
        return ""
    return code if re.fullmatch(r"[A-Za-z0-9]{1,12}", code) else ""


def _retry_after(value: str) -> float:
    """Return the seconds that a `Retry-After` asks for: a number, or a date; 0 for neither."""
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return 0.0


KIND: Final = Kind(identity, _open, check=keys)
