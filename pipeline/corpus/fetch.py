"""Downloads that resume: the final name appears only when every byte is there and checked.

`fetch` writes `NAME.part` and keeps the server's validator in `NAME.part.json`. A later call, or
the next attempt of the same one, asks for the rest on the condition that the file did not change
(RFC 9110, Range and If-Range); where the server cannot promise that, it starts again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from urllib.parse import SplitResult, urljoin, urlsplit
from urllib.request import url2pathname

import httpx

from pipeline.core import fingerprint
from pipeline.core.errors import InputError, RetryError
from pipeline.core.files import refuse, replacing

#: Called with the bytes that are there and, where known, the bytes that there will be.
Progress = Callable[[int, int | None], None]

_REDIRECTS = 10
#: Attempts before giving up, seconds before the second (they double), and seconds of silence.
ATTEMPTS = 5
PAUSE = 1.0
TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """The file that is there now; `fetched` is false when it was there before."""

    path: Path
    bytes: int
    sha256: str
    fetched: bool


class _PassingError(Exception):
    """An attempt failed in a way that another attempt may mend; `wait` is what the server asks."""

    def __init__(self, problem: str, wait: float = 0.0) -> None:
        super().__init__(problem)
        self.wait = wait


@dataclass(frozen=True)
class _Download:
    """`TARGET.part` with the bytes so far and `TARGET.part.json` with address, validator and size.

    Bytes without a strong validator of the same address are never built upon.
    """

    target: Path
    url: str
    progress: Progress | None

    @property
    def path(self) -> Path:
        return self.target.with_name(self.target.name + ".part")

    @property
    def size(self) -> int:
        return self.path.stat().st_size if self.path.is_file() else 0

    def begin(self, headers: Mapping[str, str], total: int | None) -> None:
        """Start from nothing; note the facts that the server gives about the file.

        The old bytes go first: a kill in between must not leave them beside a new validator.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"")
        tag = headers.get("ETag", "")
        strong = tag if tag and not tag.startswith("W/") else headers.get("Last-Modified")
        record = {"url": self.url, "validator": strong, "total": total}
        with replacing(self.facts) as draft:
            draft.write_text(json.dumps(record), "utf-8")

    def is_continued_by(self, headers: Mapping[str, str]) -> bool:
        """Return whether an answer of status 206 continues these bytes of the same file."""
        known = str(self.read("validator"))
        same = headers.get("ETag" if known.startswith('"') else "Last-Modified") in {None, known}
        unit, _, span = headers.get("Content-Range", "").partition(" ")
        return same and unit == "bytes" and span.partition("-")[0] == str(self.size)

    def discard(self) -> None:
        self.path.unlink(missing_ok=True)
        self.facts.unlink(missing_ok=True)

    @property
    def facts(self) -> Path:
        return self.target.with_name(self.target.name + ".part.json")

    def read(self, key: str) -> object:
        """Return a fact about the file at this address, None where it is not known."""
        try:
            record = json.loads(self.facts.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        known = isinstance(record, dict) and record.get("url") == self.url
        return record.get(key) if known else None


def fetch(
    url: str,
    target: Path,
    *,
    sha256: str | None = None,
    progress: Progress | None = None,
) -> Fetched:
    """Bring the file at an http, https or file address to `target`.

    A file that is there already is kept: it is complete, and its checksum is compared.

    Raises InputError when the address is refused or gone, the checksum is wrong (nothing stays) or
    the disk refuses; RetryError when the attempts ran out (the part stays, the next call goes on).
    """
    scheme = _check_address(url).scheme
    job = _Download(target, url, progress)
    try:
        if target.exists():
            return _present(target, sha256)
        if scheme == "file":
            origin = Path(url2pathname(urlsplit(url).path))
            if not origin.is_file():
                raise InputError(f"{origin}: no such file")
            job.begin({}, None)
            with origin.open("rb") as stream:
                _pour(job, iter(lambda: stream.read(1 << 20), b""), 0, None)
        else:
            _download(job)
        digest = fingerprint.of_file(job.path)
        if sha256 is not None and digest != sha256:
            job.discard()
            raise InputError(
                f"{without_query(url)}: the SHA-256 is {digest}, not {sha256}; nothing was kept."
                " Check the address, or the checksum beside it"
            )
        with job.path.open("rb") as file:
            os.fsync(file.fileno())
        job.path.replace(target)
        job.facts.unlink(missing_ok=True)
        return Fetched(target, target.stat().st_size, digest, fetched=True)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{target}: cannot be read or written: {reason}") from None


def without_query(url: str) -> str:
    """Return an address without its query, which may hold a token."""
    return urlsplit(url)._replace(query="", fragment="").geturl()


def _check_address(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise InputError(f"not an address: {error}") from None
    if parts.username is not None or parts.password is not None:
        raise InputError(f"the address on {parts.hostname} holds a user name; give it without")
    is_file = parts.scheme == "file"
    refuse(
        repr(without_query(url)),
        (
            parts.scheme not in {"http", "https", "file"},
            "allowed are addresses of http, https and file",
        ),
        (
            is_file and parts.netloc not in {"", "localhost"},
            "a file address names no host; write file:///path",
        ),
        (not is_file and not parts.hostname, "the address names no host"),
    )
    return parts


def _present(target: Path, sha256: str | None) -> Fetched:
    if not target.is_file():
        raise InputError(f"{target}: is a folder; give the name of a file")
    digest = fingerprint.of_file(target)
    if sha256 is not None and digest != sha256:
        raise InputError(
            f"{target}: is there with another content (SHA-256 {digest}, expected {sha256});"
            " move it away and fetch again"
        )
    return Fetched(target, target.stat().st_size, digest, fetched=False)


def _download(job: _Download) -> None:
    fault = _PassingError("no attempt was allowed")
    with httpx.Client(timeout=TIMEOUT, follow_redirects=False) as client:
        for attempt in range(ATTEMPTS):
            if attempt:
                sleep(min(max(fault.wait, PAUSE * 2 ** (attempt - 1)), 60.0))
            try:
                return _attempt(client, job)
            except _PassingError as error:
                fault = error
            except httpx.TransportError as error:
                fault = _PassingError(f"the connection failed ({type(error).__name__})")
            except httpx.InvalidURL as error:
                raise InputError(f"{without_query(job.url)}: not an address: {error}") from None
    raise RetryError(
        f"{without_query(job.url)}: {fault}; gave up after {ATTEMPTS} attempts."
        f" {job.size} bytes are kept: run the same again to go on"
    )


def _attempt(client: httpx.Client, job: _Download) -> None:
    validator = job.read("validator")
    start = job.size if validator else 0
    headers = {"Accept-Encoding": "identity"}
    if start:
        if job.read("total") == start:  # killed just before the last step
            return
        # The rest, if the file is still the same.
        headers |= {"Range": f"bytes={start}-", "If-Range": str(validator)}
    with _open(client, job.url, headers) as response:
        _check_status(response, job)
        if response.status_code != httpx.codes.PARTIAL_CONTENT:
            start = 0
        elif not job.is_continued_by(response.headers):
            job.discard()
            raise _PassingError("the server sent another part than asked for")
        length = response.headers.get("Content-Length", "")
        total = start + int(length) if length.isdecimal() else None
        if start == 0:
            job.begin(response.headers, total)
        _pour(job, response.iter_raw(), start, total)  # no chunk size: it would hold bytes back


@contextmanager
def _open(client: httpx.Client, url: str, headers: dict[str, str]) -> Iterator[httpx.Response]:
    """Follow redirects by hand: never to another kind of address, never from https to http."""
    for _ in range(_REDIRECTS):
        with client.stream("GET", url, headers=headers) as response:
            if not response.has_redirect_location:
                yield response
                return
            goal = urljoin(url, response.headers["Location"])
        scheme = _check_address(goal).scheme
        if scheme not in {"https", urlsplit(url).scheme}:
            raise InputError(
                f"{without_query(url)}: leads to an address of {scheme}, which is refused"
            )
        url = goal
    raise InputError(f"{without_query(url)}: more than {_REDIRECTS} redirects")


def _check_status(response: httpx.Response, job: _Download) -> None:
    code = response.status_code
    if code in {httpx.codes.OK, httpx.codes.PARTIAL_CONTENT}:
        return
    if code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
        job.discard()
        raise _PassingError("the file on the server is shorter now")
    if code >= 500 or code in {httpx.codes.REQUEST_TIMEOUT, httpx.codes.TOO_MANY_REQUESTS}:
        asked = response.headers.get("Retry-After", "")
        raise _PassingError(
            f"the server answered {code}", float(asked) if asked.isdecimal() else 0.0
        )
    raise InputError(
        f"{without_query(job.url)}: the server answered {code} {response.reason_phrase};"
        " look the address up on the page of the source"
    )


def _pour(job: _Download, chunks: Iterator[bytes], start: int, total: int | None) -> None:
    done = start
    with job.path.open("ab" if start else "wb") as file:
        for chunk in chunks:
            done += len(chunk)
            file.write(chunk)
            if job.progress:
                job.progress(done, total)
    if total is not None and done != total:
        raise _PassingError(f"the connection ended after {done} of {total} bytes")
