"""A real Label Studio on loopback, from an environment of its own, with an owner and annotators.

Free port, temporary data folder, no telemetry, and a proxy that leads nowhere, so that nothing goes
out. The server is ended by its own process id.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(
    os.environ.get("KLUE_LABEL_STUDIO", ROOT / ".venv-label-studio" / "bin" / "label-studio")
).absolute()
OWNER = {"email": "owner@example.com", "password": "owner-password-1"}
#: Who has an account from the beginning.
NAMES = ("ann-01", "ann-02")
PASSWORD = "password-of-1"
TOKEN = "0123456789abcdef0123456789abcdef01234567"
_QUIET = {
    "COLLECT_ANALYTICS": "0",
    "LATEST_VERSION_CHECK": "0",
    "SENTRY_DSN": "",
    "FRONTEND_SENTRY_DSN": "",
    "FEATURE_FLAGS_OFFLINE": "1",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "http_proxy": "http://127.0.0.1:9",
    "https_proxy": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1,localhost",
    "no_proxy": "127.0.0.1,localhost",
}


@dataclass
class Studio:
    """A running server: its address, its owner, and a client and a user id an annotator."""

    base: str
    owner: httpx.Client
    annotators: dict[str, tuple[httpx.Client, int]]

    def sign_up(self, name: str) -> tuple[httpx.Client, int]:
        """Return the session and the user id of an annotator, whose account is made if need be."""
        if name not in self.annotators:
            self.annotators[name] = _sign_up(self.owner, self.base, name)
        return self.annotators[name]

    def project(self, name: str, config: str, tasks: bytes) -> int:
        """Make a project and import tasks into it; returns its id."""
        body = {"title": f"{name} (test)", "label_config": config}
        found: int = ok(self.owner.post("/api/projects", json=body))["id"]
        headers = {"Content-Type": "application/json"}
        ok(self.owner.post(f"/api/projects/{found}/import", content=tasks, headers=headers))
        return found

    def tasks(self, project: int) -> list[dict[str, Any]]:
        """Return the tasks of a project, done or not, by item."""
        found = self.export(project, "&download_all_tasks=true").json()
        return sorted(found, key=lambda one: str(one["data"]["item"]))

    def export(self, project: int, more: str = "") -> httpx.Response:
        """Export a project as JSON."""
        response = self.owner.get(f"/api/projects/{project}/export?exportType=JSON{more}")
        ok(response)
        return response


def email_of(name: str) -> str:
    """Return the address with which an annotator logs in; the password is PASSWORD."""
    return f"{name}@example.com"


def ok(response: httpx.Response) -> Any:
    """Return the JSON of a response that is no error."""
    assert response.status_code < 300, response.text[:2000]
    return response.json()


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Start a server, and end it."""
    assert PROGRAM.is_file(), f"{PROGRAM} is not there; run `make test-label-studio`"
    home = tmp_path_factory.mktemp("label-studio")
    port = _free_port()
    command = [str(PROGRAM), "start", "-b", "--data-dir", str(home), "-p", str(port)]
    command += ["--internal-host", "127.0.0.1", "--username", OWNER["email"]]
    command += ["--password", OWNER["password"], "--user-token", TOKEN]
    command += ["--enable-legacy-api-token"]
    environment = {**os.environ, **_QUIET, "HOME": str(home)}
    log = home / "log.txt"
    with log.open("wb") as out:
        server = subprocess.Popen(command, cwd=home, env=environment, stdout=out, stderr=out)
        try:
            base = f"http://127.0.0.1:{port}"
            _wait(server, base, log)
            token = {"Authorization": f"Token {TOKEN}"}
            owner = httpx.Client(base_url=base, headers=token, timeout=60, trust_env=False)
            running = Studio(base, owner, {})
            for name in NAMES:
                running.sign_up(name)
            yield running
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _wait(server: subprocess.Popen[bytes], base: str, log: Path) -> None:
    for _ in range(1200):
        assert server.poll() is None, log.read_text("utf-8", "replace")[-2000:]
        try:
            if httpx.get(f"{base}/health", timeout=2, trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(1)
    raise AssertionError("the server did not answer within 1,200 tries")


def _sign_up(owner: httpx.Client, base: str, name: str) -> tuple[httpx.Client, int]:
    """Make an account as an invited annotator would; returns its session and its user id."""
    invitation = owner.get("/api/invite").json()["invite_url"]
    client = httpx.Client(base_url=base, headers={"Referer": base}, timeout=60, trust_env=False)
    client.get(invitation)
    form = {"email": email_of(name), "password": PASSWORD, "allow_newsletters": "no"}
    form["csrfmiddlewaretoken"] = client.cookies["csrftoken"]
    assert client.post(invitation, data=form).status_code == 302
    client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
    return client, client.get("/api/current-user/whoami").json()["id"]
