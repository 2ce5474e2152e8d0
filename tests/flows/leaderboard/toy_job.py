"""A job for tests of the process that runs jobs."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_LOADED: dict[str, Any] = {"loads": 0}


class Toy:
    """Does what it is told."""

    @staticmethod
    def prepare(arguments: Mapping[str, Any]) -> dict[str, Any]:
        if arguments.get("fail"):
            raise ValueError("a label")
        if not _LOADED["loads"]:
            _LOADED.update(loads=1, value="loaded")
        return _LOADED

    @staticmethod
    def run(prepared: dict[str, Any], arguments: Mapping[str, Any]) -> Any:
        if arguments["do"] == "environment":
            return dict(os.environ)
        if arguments["do"] == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if arguments["do"] == "sleep":
            Path(arguments["mark"]).write_text(f"{os.getppid()} {os.getpid()}.")
            time.sleep(600)
        if arguments["do"] == "change":
            prepared["value"] = "changed"
        return {**prepared, "server": os.getppid(), "process": os.getpid()}
