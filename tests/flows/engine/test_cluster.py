"""A cluster away from the build: its workers are looked at, and lost ones stop nothing."""

from __future__ import annotations

import gc
import math
import operator
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask_cluster
import mini
import pytest
import release_stories

from flows.engine import cluster, scheduler
from flows.engine.run import Engine
from flows.plan.corpus import plan_corpus
from pipeline.core.errors import ClusterError, KlueError, RetryError
from pipeline.core.stage import Call

ROOT = mini.ROOT


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> list[Call]:
    build = mini.write(tmp_path_factory.mktemp("mini"))
    return plan_corpus(build, build.parent / "work", tasks=frozenset({"tc"})).calls


@pytest.fixture
def remote(tmp_path: Path) -> Iterator[dask_cluster.Cluster]:
    with dask_cluster.cluster(tmp_path / "cluster") as made:
        yield made


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "ANSWER", 4.0)


def _squares(address: str, calls: list[Call], work: Path, items: int = 20) -> list[float]:
    engine = Engine("dask", 2, address)
    work.mkdir(exist_ok=True)
    with cluster.cluster_workers(engine, calls, work) as workers:
        return sorted(workers.map(math.sqrt, (float(n * n) for n in range(items))))


@pytest.mark.full
def test_a_cluster_of_other_folders_does_the_work(
    remote: dask_cluster.Cluster, calls: list[Call], tmp_path: Path
) -> None:
    remote.start_worker()
    remote.start_worker()
    assert _squares(remote.address, calls, tmp_path / "work") == [float(n) for n in range(20)]
    assert [*(tmp_path / "work").iterdir()] == []


def _listen(answer: bytes, listener: socket.socket) -> None:
    """Be a server of another kind: it says one thing, or nothing, and listens on."""
    kept = []
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        kept.append(connection)
        if answer:
            connection.sendall(answer)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"], ids=["mute", "http"])
def test_what_is_no_scheduler_is_told(answer: bytes, calls: list[Call], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_listen, args=(answer, listener), daemon=True).start()
        address = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(KlueError, match=r"Dask scheduler .*correct --address"):
            _squares(address, calls, tmp_path)


@pytest.mark.full
def test_a_worker_is_no_scheduler(
    remote: dask_cluster.Cluster, calls: list[Call], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    remote.start_worker("--worker-port", str(port))
    dask_cluster.wait_until(lambda: _answers(port))
    with pytest.raises(ClusterError, match="a Dask Worker answers there"):
        _squares(f"tcp://127.0.0.1:{port}", calls, tmp_path)


def _answers(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.full
def test_a_scheduler_with_tls_says_what_it_needs(
    calls: list[Call], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [str(tmp_path / name) for name in ("certificate.pem", "key.pem")]
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    subprocess.run([*words, "-out", names[0], "-keyout", names[1]], check=True, capture_output=True)
    tls = ("--tls-ca-file", names[0], "--tls-cert", names[0], "--tls-key", names[1])
    made = dask_cluster.Cluster(tmp_path / "cluster")
    try:
        made.start_scheduler("--host", "tls://127.0.0.1", *tls)
        with pytest.raises(KlueError, match="one with TLS needs tls://"):
            _squares(made.address.replace("tls", "tcp"), calls, tmp_path)
        with pytest.raises(ClusterError, match="COMM__TLS__CA_FILE"):
            _squares(made.address, calls, tmp_path)
        made.start_worker(*tls)
        import dask

        keys = ("ca-file", "client.cert", "client.key")
        values = (names[0], names[0], names[1])
        settings = {f"distributed.comm.tls.{k}": v for k, v in zip(keys, values, strict=True)}
        with dask.config.set(settings):
            assert len(_squares(made.address, calls, tmp_path)) == 20
    finally:
        for process in made.processes:
            process.kill()
            process.wait()


@pytest.mark.full
def test_workers_that_never_come_are_told(
    remote: dask_cluster.Cluster, calls: list[Call], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1.0)
    with pytest.raises(ClusterError, match=r"no worker has come .* in 1 s; start workers"):
        _squares(remote.address, calls, tmp_path)


#: What a worker says that a library is, in place of its real version.
OTHER_VERSION = """
import importlib.metadata as metadata
real = metadata.version
metadata.version = lambda name: "0.1" if name == "pyarrow" else real(name)
"""


def _other_version(folder: Path) -> str:
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(OTHER_VERSION, "utf-8")
    return str(folder)


def _other_code(folder: Path) -> str:
    """Copy the packages, one module with other behaviour; they come before the installed ones."""
    for name in ("pipeline", "flows"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "pipeline" / "corpus" / "select.py").open("a", encoding="utf-8") as file:
        file.write("\nOTHER = 1\n")
    return str(folder)


@pytest.mark.full
@pytest.mark.parametrize(
    ("other", "message"),
    [
        (_other_version, r"pyarrow is 0\.1 there, \d+\.\S+ here"),
        (_other_code, r"the code of klue-rebuild is \w+ there, \w+ here; pipeline\.corpus\.select"),
    ],
    ids=["version", "code"],
)
def test_a_worker_with_another_installation_is_refused(
    remote: dask_cluster.Cluster, calls: list[Call], tmp_path: Path, other: Any, message: str
) -> None:
    """At the start, and with its first item when it joins later."""
    path = other(tmp_path / "other")
    told = rf"worker tcp://127\.0\.0\.1:\d+: {message}.*restart it"
    good = remote.start_worker()
    work = tmp_path / "work"
    work.mkdir()
    engine = Engine("dask", 2, remote.address)
    with (
        pytest.raises(ClusterError, match=told),
        cluster.cluster_workers(engine, calls, work) as workers,
    ):
        assert list(workers.map(math.sqrt, iter([4.0]))) == [2.0]
        good.kill()
        remote.start_worker(PYTHONPATH=path)
        list(workers.map(math.sqrt, iter([4.0])))
    with pytest.raises(ClusterError, match=told):
        _squares(remote.address, calls, work)


@pytest.mark.full
def test_a_worker_with_threads_is_refused(
    remote: dask_cluster.Cluster, calls: list[Call], tmp_path: Path
) -> None:
    remote.start_worker(threads=3)
    with pytest.raises(ClusterError, match=r"3 threads, .* --nworkers 3 --nthreads 1"):
        _squares(remote.address, calls, tmp_path)


@pytest.mark.full
def test_all_workers_lost_is_an_error_in_bounded_time(
    remote: dask_cluster.Cluster, calls: list[Call], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 3.0)
    only = remote.start_worker()
    dask_cluster.wait_until(lambda: _has_worker(remote))
    engine = Engine("dask", 2, remote.address)
    with cluster.cluster_workers(engine, calls, tmp_path) as workers:
        threading.Timer(0.5, only.kill).start()
        for _ in range(2):  # the second time at once
            with pytest.raises(RetryError, match=r"all workers .* were lost, and none has come"):
                list(workers.map(time.sleep, iter([60.0])))


def _has_worker(remote: dask_cluster.Cluster) -> bool:
    return any("Registered to" in p.read_text("utf-8") for p in remote.folder.glob("worker-*/log"))


@pytest.mark.full
def test_a_lost_scheduler_is_told(
    remote: dask_cluster.Cluster, calls: list[Call], tmp_path: Path
) -> None:
    remote.start_worker()
    engine = Engine("dask", 2, remote.address)
    with cluster.cluster_workers(engine, calls, tmp_path) as workers:
        threading.Timer(0.5, remote.processes[0].kill).start()
        for _ in range(2):
            with pytest.raises(RetryError, match="connection to the Dask scheduler"):
                list(workers.map(time.sleep, iter([60.0])))


@pytest.mark.full
def test_an_item_that_ends_every_worker_is_told(
    remote: dask_cluster.Cluster, calls: list[Call], tmp_path: Path
) -> None:
    remote.start_worker("--nanny")
    engine = Engine("dask", 1, remote.address)
    with cluster.cluster_workers(engine, calls, tmp_path) as workers:
        with pytest.raises(ClusterError, match="ended 4 workers one after another"):
            list(workers.map(os._exit, iter([1])))
        assert list(workers.map(math.sqrt, iter([4.0]))) == [2.0]


@pytest.mark.full
def test_workers_collect_garbage_as_rarely_as_the_process_of_the_build(
    remote: dask_cluster.Cluster, calls: list[Call], tmp_path: Path
) -> None:
    remote.start_worker()
    before = gc.get_threshold()
    gc.set_threshold(123_456, 7, 89)
    try:
        with cluster.cluster_workers(Engine("dask", 1, remote.address), calls, tmp_path) as workers:
            assert list(workers.map(operator.call, iter([gc.get_threshold]))) == [(123_456, 7, 89)]
    finally:
        gc.set_threshold(*before)


@pytest.mark.full
def test_workers_that_come_later_get_work_too(
    remote: dask_cluster.Cluster, calls: list[Call], tmp_path: Path
) -> None:
    remote.start_worker()
    engine = Engine("dask", 1, remote.address)
    with cluster.cluster_workers(engine, calls, tmp_path) as workers:
        assert workers.n == 1
        remote.start_worker()
        dask_cluster.wait_until(lambda: workers.n == 2)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Build a corpus with processes here; returns its build file and work directory."""
    build = mini.write(tmp_path_factory.mktemp("lost"))
    mini.built(build, build.parent / "work", "--workers", 2)
    return build, build.parent / "work"


def _build(remote: dask_cluster.Cluster, build: Path, work: Path) -> subprocess.Popen[bytes]:
    words = mini.command("build", build, "--work", work, "--engine", "dask", "--json")
    words += ["--address", remote.address]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _tables(work: Path) -> int:
    return sum(name.endswith(".parquet") for _, _, names in os.walk(work) for name in names)


@pytest.mark.full
@pytest.mark.parametrize("left", ["another", "nanny"])
def test_a_worker_killed_in_the_middle_changes_no_byte(
    remote: dask_cluster.Cluster, corpus: tuple[Path, Path], tmp_path: Path, left: str
) -> None:
    build, here = corpus
    there = tmp_path / "work"
    if left == "another":
        remote.start_worker()
    first = remote.start_worker(*(["--nanny"] if left == "nanny" else []))
    with _build(remote, build, there) as run:
        for tables in (1, 20):
            dask_cluster.wait_until(lambda n=tables: _tables(there) >= n, run)  # type: ignore[misc]
            if left == "nanny":
                _kill_child(first.pid)
            elif tables == 1:
                first.kill()
        _, error = run.communicate()
    assert run.returncode == 0, error.decode()
    assert mini.contents(there) == mini.contents(here)
    assert not [*there.rglob("*.partial"), *there.rglob(".*")]


@pytest.mark.full
def test_all_eight_tasks_give_the_same_release(
    remote: dask_cluster.Cluster,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Paths of the command line are relative to a folder that is not the workers'."""
    here = release_stories.sample(tmp_path_factory)
    remote.start_worker()
    remote.start_worker()
    monkeypatch.chdir(tmp_path)
    words = ("--engine", "dask", "--address", remote.address)
    there = release_stories.released(release_stories.SAMPLE, Path("work"), Path("releases"), *words)
    assert there.result["fingerprint"] == here.result["fingerprint"]
    assert mini.contents(there.work) == mini.contents(here.work)
    assert _files(there.releases) == _files(here.releases)
    assert len({path.parts[-2] for path in _files(there.releases)}) >= 8


def _files(folder: Path) -> dict[Path, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder): path.read_bytes() for path in files}


def _kill_child(nanny: int) -> None:
    """Kill the worker of a nanny: of its children the one that is a Python of Dask's."""
    children = Path(f"/proc/{nanny}/task/{nanny}/children")
    for pid in children.read_text("ascii").split():
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        if b"resource_tracker" not in command:
            os.kill(int(pid), signal.SIGKILL)
