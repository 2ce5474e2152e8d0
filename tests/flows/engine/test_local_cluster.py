"""The cluster that `--engine dask` starts here: for this machine alone, beside others."""

from __future__ import annotations

import socket
import warnings
from contextlib import ExitStack, suppress

import psutil
import pytest

from flows.engine.scheduler import connect
from pipeline.core.errors import RetryError

#: The port that Dask serves HTTP at unless it is told another.
PORT = 8787


@pytest.mark.parametrize(
    ("error", "raised"), [("Nanny failed to start.", RetryError), ("a bug", RuntimeError)]
)
def test_a_worker_that_ends_while_it_starts_is_told(
    monkeypatch: pytest.MonkeyPatch, error: str, raised: type[Exception]
) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError(error)

    monkeypatch.setattr("distributed.LocalCluster", fail)
    with pytest.raises(raised), connect(None, workers=1, modules=set()):
        pass


@pytest.mark.full
def test_it_listens_on_loopback_alone_and_needs_no_fixed_port() -> None:
    here = psutil.Process()
    with ExitStack() as stack:
        with suppress(OSError):  # another process has it
            stack.enter_context(socket.create_server(("127.0.0.1", PORT)))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("error", UserWarning)
        stack.enter_context(connect(None, workers=1, modules=set()))
        places = {
            place.laddr.ip
            for process in (here, *here.children(recursive=True))
            for place in process.net_connections(kind="inet")
            if place.status == psutil.CONN_LISTEN
        }
    assert places == {"127.0.0.1"}
