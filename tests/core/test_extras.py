"""The command that installs an extra: of a checkout at pinned versions, of a wheel by name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pipeline.core import extras
from pipeline.core.extras import install_command


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "my clone"
    folder.mkdir()
    monkeypatch.setattr(extras, "CHECKOUT", folder)
    monkeypatch.setattr(sys, "executable", str(folder / ".venv" / "bin" / "python"))
    monkeypatch.chdir(folder)
    return folder


def test_a_checkout_installs_itself_with_pinned_versions(checkout: Path) -> None:
    assert install_command("s3") == ".venv/bin/pip install -e '.[s3]' -c constraints.txt"
    assert install_command() == ".venv/bin/pip install -e . -c constraints.txt"


def test_elsewhere_the_command_goes_to_the_checkout(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ".venv/bin/pip install -e '.[s3]' -c constraints.txt"
    assert install_command("s3") == f"cd '{checkout}' && {command}"


def test_a_wheel_is_installed_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "CHECKOUT", None)
    monkeypatch.setattr(sys, "executable", "/opt/py/bin/python3")
    assert install_command("s3") == "/opt/py/bin/pip install 'klue-rebuild[s3]'"
    assert install_command() == "/opt/py/bin/pip install klue-rebuild"
