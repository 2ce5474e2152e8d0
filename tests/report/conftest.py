"""A browser without a head and without a network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_DRIVERS = ("chromedriver", "/usr/lib/chromium/chromedriver")
_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--window-size=1250,1000",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


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


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Any:
    """Return a function that opens HTML in the browser and waits until it is drawn."""

    def open_(html: str) -> Any:
        path = tmp_path / "index.html"
        path.write_text(html, "utf-8")
        browser.get(path.as_uri())
        # A busy machine may answer before scripts have run and the page has been laid out.
        browser.execute_async_script(
            "const done = arguments[0], look = () => document.readyState === 'complete'"
            " ? requestAnimationFrame(() => requestAnimationFrame(() => done()))"
            " : setTimeout(look, 20); look()"
        )
        return browser

    return open_
