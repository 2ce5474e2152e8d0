"""Fixtures that several test files share."""

from __future__ import annotations

import gc
import os
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import thinning
from hypothesis import settings

# Collecting makes a million objects that stay: looking through them again and again took a third
# of its time. The collector runs again from the first test on.
gc.disable()

# No test depends on wall-clock time, and a failure must be there again in the next run.
settings.register_profile("klue", deadline=None, derandomize=True, max_examples=12)
# `make test-full` tries many more examples of every property.
settings.register_profile("full", deadline=None, derandomize=True, max_examples=400)
settings.load_profile(os.environ.get("KLUE_EXAMPLES", "klue"))

ROOT = Path(__file__).resolve().parents[1]
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}")
#: The first of these builds the sample that many others wait for; the others take longest.
_FIRST = ("test_release_cli.py", "test_build.py", "test_own_tasks.py")
#: Chromium without a head; it reaches nothing but this machine.
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_DRIVERS = ("chromedriver", "/usr/lib/chromium/chromedriver")
_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--window-size=1250,1000",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


@pytest.fixture
def no_own_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Know no own task at first, and none of this test's afterwards."""
    from pipeline.core import packages

    monkeypatch.setattr(packages, "_folders", {})


def pytest_make_parametrize_id(val: object, argname: str) -> None:
    """Refuse ids made of bytes: packed bytes can hold the time, and nobody can read them."""
    if isinstance(val, bytes):
        raise pytest.UsageError(f"`{argname}` is bytes; give the parametrised test explicit `ids`")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Refuse parameters in an order that differs between two processes."""
    for mark in metafunc.definition.iter_markers("parametrize"):
        if len(mark.args) > 1 and isinstance(mark.args[1], set | frozenset):
            name = metafunc.definition.nodeid
            raise pytest.UsageError(f"{name}: parameters are a set; give a sorted list")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse ids that hold an address in memory, which differs between two collections.

    Files of `_FIRST` come first, in their order.
    """
    thinning.thin(items)
    for item in items:
        if _ADDRESS.search(item.nodeid):
            raise pytest.UsageError(f"{item.nodeid}: the id holds an address; give explicit `ids`")
    places = {name: place for place, name in enumerate(_FIRST)}
    items.sort(key=lambda item: places.get(item.path.name, len(_FIRST)))


def pytest_collection_finish() -> None:
    """Let the garbage collector look at what tests make, and not at the tests themselves."""
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    """Let all go at the end, as libraries expect; workers just leave, which is quicker."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        gc.unfreeze()


@pytest.fixture(scope="session", autouse=True)
def _parsers_are_made_once() -> Iterator[None]:
    """Make the parser of the command line once: Typer's runner makes it for every command anew."""
    from typer import testing

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(testing, "_get_command", cache(testing._get_command))
        yield


@pytest.fixture(scope="session", autouse=True)
def _specs_are_parsed_once() -> Iterator[None]:
    """Parse each text of a spec once: commands read all specs anew, again and again."""
    from pipeline.contracts import spec

    real = spec.load

    @cache
    def parsed(path: Path, model: type[spec.TaskSpec], _: bytes) -> spec.TaskSpec:
        return real(path, model)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spec, "load", lambda path, model: parsed(path, model, path.read_bytes()))
        yield


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Return the folder of real data, or skip; KLUE_REQUIRE_DATA=1 makes its absence a failure."""
    given = os.environ.get("KLUE_DATA")
    path = Path(given) if given else ROOT.parent / "shared" / "data"
    if (path / "raw").is_dir():
        return path
    reason = f"no real data: {path}/raw is absent; set KLUE_DATA to the folder that holds raw/"
    if os.environ.get("KLUE_REQUIRE_DATA") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def _absent(reason: str) -> None:
    if os.environ.get("KLUE_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def _found(names: tuple[str, ...]) -> str:
    path = next((found for name in names if (found := shutil.which(name))), "")
    if not path:
        _absent(f"no browser to test with: none of {', '.join(names)} is installed")
    return path


@pytest.fixture(scope="session")
def _driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    browser, driver = _found(_BROWSERS), _found(_DRIVERS)
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in _ARGUMENTS:
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # The driver is named, so that Selenium looks for none; it listens on loopback alone.
    service = Service(executable_path=driver)
    started = webdriver.Chrome(options=options, service=service)
    started.set_script_timeout(120)
    try:
        yield started
    finally:
        started.quit()
        if service.process is not None and service.process.poll() is None:
            service.process.kill()


@pytest.fixture
def browser(_driver: Any) -> Any:
    """Return a running Chromium; its console is empty and its window wide."""
    _driver.get("about:blank")
    _driver.get_log("browser")
    _driver.set_window_size(1250, 1000)
    return _driver


@pytest.fixture(scope="session")
def object_server() -> Iterator[str]:
    """The address of moto's server, one for all tests of a process."""
    import moto_store

    with moto_store.running() as address:
        yield address


@pytest.fixture
def bucket(object_server: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A new bucket of that server, which the environment names."""
    import moto_store

    moto_store.point_at(monkeypatch, object_server)
    return moto_store.new_bucket()
