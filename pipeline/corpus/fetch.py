"""Downloads that resume: the final name appears only when every byte is there and checked.

`fetch` writes `NAME.part` and keeps the server's validator in `NAME.part.json`. A later call, or
the next attempt of the same one, asks for the rest on the condition that the file did not change
(RFC 9110, Range and If-Range); where the server cannot promise that, it starts again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urljoin, urlsplit
from urllib.request import url2pathname

import httpx

from pipeline.core import fingerprint
from pipeline.core.errors import InputError, RetryError
from pipeline.corpus.partial import Partial

#: Called with the bytes that are there and, where known, the bytes that there will be.
Progress = Callable[[int, int | None], None]

_CHUNK = 1024 * 1024
_REDIRECTS = 10
_LONGEST_PAUSE = 60.0


@dataclass(frozen=True)
class Limits:
    """How long to try (pauses double, in seconds) and how large a file may be (bytes)."""

    attempts: int = 5
    pause: float = 1.0
    timeout: float = 60.0
    max_bytes: int | None = None
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True)
class Fetched:
    """The file that is there now; `fetched` is false when it was there before."""

    path: Path
    bytes: int
    sha256: str
    fetched: bool


class _PassingError(Exception):
    """An attempt failed in a way that another attempt may mend; `wait` is what the server asks."""

    def __init__(self, what: str, wait: float = 0.0) -> None:
        super().__init__(what)
        self.wait = wait


@dataclass(frozen=True)
class _Job:
    url: str
    partial: Partial
    limits: Limits
    progress: Progress | None


def fetch(
    url: str,
    target: Path,
    *,
    sha256: str | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> Fetched:
    """Bring the file at an http, https or file address to `target`.

    A file that is there already is kept: it is complete, and its checksum is compared.

    Raises InputError when the address is refused or gone, the checksum is wrong (nothing stays) or
    the disk refuses; RetryError when the attempts ran out (the part stays, the next call goes on).
    """
    scheme = _checked(url).scheme
    job = _Job(url, Partial(target, url), limits or Limits(), progress)
    with _disk(target):
        if target.exists():
            return _present(target, sha256)
        if scheme == "file":
            _copy(job)
        else:
            _download(job)
        digest = fingerprint.of_file(job.partial.path)
        if sha256 is not None and digest != sha256:
            job.partial.discard()
            raise InputError(
                f"{shown(url)}: the SHA-256 is {digest}, not {sha256}; nothing was kept."
                " Check the address, or the checksum beside it"
            )
        job.partial.finish()
        return Fetched(target, target.stat().st_size, digest, fetched=True)


def shown(url: str) -> str:
    """Return an address without its query, which may hold a token."""
    return urlsplit(url)._replace(query="", fragment="").geturl()


def _checked(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise InputError(f"not an address: {error}") from None
    if parts.scheme not in {"http", "https", "file"}:
        raise InputError(f"{shown(url)!r}: allowed are addresses of http, https and file")
    if parts.username is not None or parts.password is not None:
        raise InputError(f"the address on {parts.hostname} holds a user name; give it without")
    if parts.scheme == "file" and parts.netloc not in {"", "localhost"}:
        raise InputError(f"{shown(url)!r}: a file address names no host; write file:///path")
    if parts.scheme != "file" and not parts.hostname:
        raise InputError(f"{shown(url)!r}: the address names no host")
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


@contextmanager
def _disk(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{target}: cannot be read or written: {error.strerror or error}"
        ) from None


def _copy(job: _Job) -> None:
    origin = Path(url2pathname(urlsplit(job.url).path))
    if not origin.is_file():
        raise InputError(f"{origin}: no such file")
    job.partial.begin({}, None)
    with origin.open("rb") as stream:
        _pour(job, iter(lambda: stream.read(_CHUNK), b""), 0, None)


def _download(job: _Job) -> None:
    fault = _PassingError("no attempt was allowed")
    with httpx.Client(timeout=job.limits.timeout, follow_redirects=False) as client:
        for attempt in range(job.limits.attempts):
            if attempt:
                pause = max(fault.wait, job.limits.pause * 2 ** (attempt - 1))
                job.limits.sleep(min(pause, _LONGEST_PAUSE))
            try:
                return _attempt(client, job)
            except _PassingError as error:
                fault = error
            except httpx.TransportError as error:
                fault = _PassingError(f"the connection failed ({type(error).__name__})")
            except httpx.InvalidURL as error:
                raise InputError(f"{shown(job.url)}: not an address: {error}") from None
    raise RetryError(
        f"{shown(job.url)}: {fault}; gave up after {job.limits.attempts} attempts."
        f" {job.partial.size} bytes are kept: run the same again to go on"
    )


def _attempt(client: httpx.Client, job: _Job) -> None:
    start = job.partial.resumable()
    if start and job.partial.complete():
        return
    headers = {"Accept-Encoding": "identity", **(job.partial.conditions() if start else {})}
    with _open(client, job.url, headers) as response:
        _check_status(response, job)
        if response.status_code != httpx.codes.PARTIAL_CONTENT:
            start = 0
        elif not job.partial.continued_by(response.headers):
            job.partial.discard()
            raise _PassingError("the server sent another part than asked for")
        total = _total(response, start)
        if start == 0:
            job.partial.begin(response.headers, total)
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
        scheme = _checked(goal).scheme
        if scheme not in {"https", urlsplit(url).scheme}:
            raise InputError(f"{shown(url)}: leads to an address of {scheme}, which is refused")
        url = goal
    raise InputError(f"{shown(url)}: more than {_REDIRECTS} redirects")


def _check_status(response: httpx.Response, job: _Job) -> None:
    code = response.status_code
    if code in {httpx.codes.OK, httpx.codes.PARTIAL_CONTENT}:
        return
    if code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
        job.partial.discard()
        raise _PassingError("the file on the server is shorter now")
    if code >= 500 or code in {httpx.codes.REQUEST_TIMEOUT, httpx.codes.TOO_MANY_REQUESTS}:
        asked = response.headers.get("Retry-After", "")
        raise _PassingError(
            f"the server answered {code}", float(asked) if asked.isdecimal() else 0.0
        )
    raise InputError(
        f"{shown(job.url)}: the server answered {code} {response.reason_phrase};"
        " look the address up on the page of the source"
    )


def _total(response: httpx.Response, start: int) -> int | None:
    """Return the size of the whole file, where the server tells it."""
    length = response.headers.get("Content-Length", "")
    return start + int(length) if length.isdecimal() else None


def _pour(job: _Job, chunks: Iterator[bytes], start: int, total: int | None) -> None:
    done = start
    _check_size(job, total or 0)
    with job.partial.path.open("ab" if start else "wb") as file:
        for chunk in chunks:
            done += len(chunk)
            _check_size(job, done)
            file.write(chunk)
            if job.progress:
                job.progress(done, total)
    if total is not None and done != total:
        raise _PassingError(f"the connection ended after {done} of {total} bytes")


def _check_size(job: _Job, size: int) -> None:
    most = job.limits.max_bytes
    if most is not None and size > most:
        job.partial.discard()
        raise InputError(f"{shown(job.url)}: is larger than the {most} bytes allowed")
