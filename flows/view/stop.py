"""How a training hears that it is to stop: it finishes the step in hand and saves its state."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from flows.view.console import say


@contextmanager
def stop_signals() -> Iterator[Callable[[], bool]]:
    """Tell whether the user, or the system, asked to end; the step in hand is finished first.

    Who asks twice is not waited for.
    """
    asked: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False  # no other thread hears signals
        return

    def note_signal(number: int, frame: Any) -> None:
        if asked:
            signal.default_int_handler(number, frame)
        asked.append(number)
        say("stopping after this step; ask again to stop at once")

    before = {
        number: signal.signal(number, note_signal) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield lambda: bool(asked)
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)
