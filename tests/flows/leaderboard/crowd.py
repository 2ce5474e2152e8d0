"""Fifty people who send predictions to one board at once, each from an address of their own.

A person follows docs/leaderboard.md: what is lost on the way is sent again, what is too much now
is sent later, and the answer 409 names the submission that had the file.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Event, Lock
from typing import Any

import httpx
from servers import PATIENCE

#: States that a submission does not leave.
FINAL = ("refused", "scored", "failed")
_SAME = re.compile(r"submitted before, as (\w+)")


@dataclass
class Watch:
    """What was measured of the answers to all people, in seconds."""

    uploads: list[float] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    lost: int = 0
    _lock: Lock = field(default_factory=Lock)

    def count(self, status: int, seconds: float) -> None:
        with self._lock:
            self.answers[status] += 1
            if status == 202:
                self.uploads.append(seconds)

    def lose(self) -> None:
        with self._lock:
            self.lost += 1

    @property
    def received(self) -> int:
        return len(self.uploads)


@dataclass
class Person:
    """Somebody with a token, and what they know of their submissions: by key, the last state."""

    number: int
    name: str
    token: str
    files: Sequence[bytes]
    faulty: bytes
    known: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Return an address of this machine that is nobody else's."""
        return f"127.0.1.{self.number + 1}"


def client(address: str, place: str) -> httpx.Client:
    """Return a client of a server, whose requests come from a place."""
    transport = httpx.HTTPTransport(local_address=place)
    return httpx.Client(base_url=address, transport=transport, timeout=60, trust_env=False)


def work(person: Person, address: str, watch: Watch) -> None:
    """Be refused, send one file twice, and two at once for the last place of the day."""
    first, second, *last = person.files
    with client(address, person.place) as http:
        http.headers["authorization"] = f"Bearer {person.token}"
        desk = Desk(person, http, watch)
        faulty = desk.send(person.faulty)
        one = desk.send(first)
        assert desk.send(first) == one, "the same file is the same submission"
        desk.send(second)
        assert faulty is not None
        desk.wait_for(faulty)  # while it waits for its check, it holds a place
        with ThreadPoolExecutor(len(last)) as pool:
            keys = list(pool.map(desk.send, last))
        assert keys.count(None) == len(last) - 1, "one place was left"
        for key in list(person.known):
            desk.wait_for(key)


@dataclass
class Desk:
    """What a person does at a board."""

    person: Person
    http: httpx.Client
    watch: Watch

    def send(self, content: bytes) -> str | None:
        """Return the key of the submission of a file, None if no place is left for it."""
        query = {"task": "nli", "model": f"모델 {self.person.number}", "form": "jsonl"}
        query["digest"] = sha256(content).hexdigest()
        answer = self._ask(
            lambda: self.http.post("/api/submissions", params=query, content=content)
        )
        said = answer.json()
        if answer.status_code == 429:
            assert "nothing was sent" in said["error"] or "no submission to" in said["error"], said
            return None
        same = _SAME.search(said.get("error", ""))
        assert answer.status_code == 202 or (answer.status_code == 409 and same), answer.text
        key = str(same[1] if same else said["key"])
        self.person.known.setdefault(key, {})
        return key

    def wait_for(self, key: str) -> None:
        """Ask for a submission as `klue leaderboard submit` does, until its end."""
        pause = 0.5
        while self.person.known[key].get("state") not in FINAL:
            time.sleep(pause)
            pause = min(5.0, 2 * pause)
            answer = self._ask(lambda: self.http.get(f"/api/submissions/{key}"))
            assert answer.status_code == 200, answer.text
            self.person.known[key] = answer.json()

    def _ask(self, ask: Callable[[], httpx.Response]) -> httpx.Response:
        """Return an answer; what is lost, or too much now, is asked again."""
        deadline = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < deadline, "the board does not answer any more"
            begun = time.monotonic()
            try:
                answer = ask()
            except httpx.TransportError:
                self.watch.lose()
                time.sleep(1)
                continue
            self.watch.count(answer.status_code, time.monotonic() - begun)
            if answer.status_code < 500 and "too many requests" not in answer.text:
                return answer
            time.sleep(int(answer.headers.get("retry-after", 1)))


def read_pages(address: str, paths: Sequence[str], stop: Event) -> list[float]:
    """Read pages one after the other from many places, until told to stop; return the seconds."""
    seconds: list[float] = []
    readers = [client(address, f"127.0.2.{number}") for number in range(1, 41)]
    while not stop.is_set():
        for number, http in enumerate(readers):
            begun = time.monotonic()
            try:
                answer = http.get(paths[number % len(paths)])
            except httpx.TransportError:
                stop.wait(1)
                continue
            assert answer.status_code == 200, answer.text
            seconds.append(time.monotonic() - begun)
    for http in readers:
        http.close()
    return seconds


def quantile(seconds: Sequence[float], share: float) -> float:
    """Return what this share of the times does not exceed."""
    return sorted(seconds)[min(len(seconds) - 1, int(share * len(seconds)))]
