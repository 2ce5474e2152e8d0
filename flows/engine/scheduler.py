"""A connection to a Dask scheduler: one that runs at an address, or one of this machine alone."""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from pipeline.core import pool
from pipeline.core.errors import ClusterError, MissingDependencyError, RetryError
from pipeline.core.extras import install_command

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

#: Seconds in which a scheduler answers, if it is one.
ANSWER: Final = 10.0
#: Settings of Dask for a build. What workers note of themselves takes up to a fifth of their time,
#: and of work that a worker has taken beside what it runs, another one that is idle gets nothing.
_SETTINGS: Final = {
    "distributed.worker.multiprocessing-method": "forkserver",
    "distributed.admin.large-graph-warning-threshold": "1 GiB",
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.scheduler.worker-saturation": 1.0,
}


@contextmanager
def connect(address: str | None, *, workers: int, modules: set[str]) -> Iterator[Client]:
    """Yield a client of the scheduler at an address or, without one, of a cluster started here.

    That has so many `workers`, processes which have imported the `modules`. Raises ClusterError
    where no scheduler answers.
    """
    os.environ.setdefault("DASK_DISTRIBUTED__LOGGING__DISTRIBUTED", "critical")
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise MissingDependencyError("distributed", install_command("dask")) from None
    with dask.config.set(_SETTINGS), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of versions that differ: they are compared later
        if address is not None:
            _check_scheduler(address)
            with Client(address, timeout=ANSWER, set_as_default=False) as client:
                yield client
            return
        pool.start_server({*modules, "distributed.nanny", "flows.engine.admission"})
        with (
            _local_cluster(workers) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            yield client


def _local_cluster(workers: int) -> LocalCluster:
    """Return a cluster of this machine; raises RetryError where a worker ends as it starts."""
    from distributed import LocalCluster

    try:
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=0,  # as processes of a pool; stages bound their memory
            host="127.0.0.1",
            # With None its port is opened all the same, by default 8787 of all interfaces.
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            worker_dashboard_address=None,
            silence_logs="CRITICAL",
        )
    except RuntimeError as error:
        if "failed to start" not in str(error):
            raise
        raise RetryError(
            "a worker of the Dask cluster ended while it was started (killed, or out of memory);"
            " run the same command again: finished shards are kept"
        ) from None


def _check_scheduler(address: str) -> None:
    """Check that a scheduler answers. A client would wait for ever for what is none."""
    advice = "start one (dask scheduler), or correct --address"
    try:
        kind = asyncio.run(asyncio.wait_for(_kind(address), ANSWER))
    except (OSError, TimeoutError) as error:
        reason = "it closed the connection; one with TLS needs tls://" if _is_closed(error) else ""
        raise RetryError(
            f"no Dask scheduler answers at {address} ({reason or type(error).__name__}); {advice}"
        ) from None
    except Exception as error:  # what distributed raises on what another program answers
        if "TLS" in str(error):
            advice = (
                "name the certificates in DASK_DISTRIBUTED__COMM__TLS__CA_FILE, ..._CLIENT__CERT"
                " and ..._CLIENT__KEY"
            )
        raise ClusterError(
            f"--address {address}: what answers there is no Dask scheduler that this process can"
            f" talk to ({type(error).__name__}); {advice}"
        ) from None
    if kind != "Scheduler":
        raise ClusterError(
            f"--address {address}: a Dask {kind} answers there, no scheduler; correct --address"
        )


async def _kind(address: str) -> str:
    """Return what answers at an address says that it is: Scheduler, Worker or Nanny."""
    from distributed.comm import connect as connect_to
    from distributed.core import send_recv
    from distributed.security import Security

    arguments = Security().get_connection_args("client")
    comm = await connect_to(address, timeout=ANSWER / 2, **arguments)
    try:
        return str((await send_recv(comm, op="identity"))["type"])
    finally:
        comm.abort()


def _is_closed(error: Exception) -> bool:
    return type(error).__name__ == "CommClosedError"
