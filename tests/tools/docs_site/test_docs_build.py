"""The documentation as `make docs` makes it, opened from the disk by a real browser."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.full
#: What a page loads: not what it links.
LOADED = re.compile(
    r"<(?:script|img|source|iframe|embed)\b[^>]*?\bsrc=\"?([^\"\s>]+)"
    r"|<link\b(?=[^>]*rel=\"?(?:stylesheet|icon|preconnect|preload))[^>]*?href=\"?([^\"\s>]+)"
)
#: Pages of every kind: in all windows and colours these are looked at, all pages in one.
KINDS = (
    "index.html",
    "start/audit-annotators.html",
    "personal-data.html",
    "benchmarks.html",
    "architecture.html",
    "python.html",
    "reference/commands/build.html",
    "reference/python.html",
)
#: Rules of WCAG 2.2 A and AA.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a site that was made anew; MkDocs ends with 1 at the first warning."""
    pytest.importorskip("mkdocs", reason="the extra `docs` is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(params=["desktop light", "desktop dark", "phone light", "phone dark"])
def screen(request: pytest.FixtureRequest, browser: Any) -> Iterator[Any]:
    """Return the browser with a size of the window and colours of the system."""
    size, colours = request.param.split()
    width = 390 if size == "phone" else 1250
    view = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": size == "phone"}
    scheme = {"name": "prefers-color-scheme", "value": colours}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", view)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    yield browser
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_no_page_loads_anything_of_a_network(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 60
    for page in pages:
        loaded = [one or two for one, two in LOADED.findall(page.read_text("utf-8"))]
        assert loaded
        assert [address for address in loaded if re.match(r"https?:|//", address)] == []
    for sheet in [*site.rglob("*.css"), *site.rglob("img/*.svg")]:
        assert not re.search(r"url\([\"']?(?:https?:|//)", sheet.read_text("utf-8"))


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("개인정보", "personal-data.html"),
        ("개인정보를", "personal-data.html"),
        ("정보", "personal-data.html"),
        ("문장", "clean.html"),
        ("주석", "annotation.html"),
        ("누출", "release.html"),
        ("일치도", "agreement.html"),
        ("personal data", "personal-data.html"),
        ("agreement", "agreement.html"),
        ("leaderboard", "leaderboard.html"),
        ("klue store gc", "reference/commands/build.html"),
    ],
)
def test_a_search_finds_the_page(site: Path, browser: Any, query: str, page: str) -> None:
    assert page in results_of(browser, site, query)


def test_a_search_for_nothing_finds_nothing(site: Path, browser: Any) -> None:
    assert results_of(browser, site, "없는낱말이다") == []


def results_of(browser: Any, site: Path, query: str) -> list[str]:
    """Return the pages that the search of the site finds, the best first."""
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get((site / "index.html").as_uri())
    browser.find_element("css selector", "label[for=__search]")
    browser.execute_script("document.querySelector('#__search').click()")
    box = browser.find_element("css selector", "input[name=query]")
    WebDriverWait(browser, 60).until(lambda _: box.is_displayed())
    box.send_keys(query)
    told = "return document.querySelector('.md-search-result__meta').textContent.trim()"

    def answered(_: Any) -> bool:
        return bool(re.search(r"matching document", browser.execute_script(told)))

    WebDriverWait(browser, 60).until(answered)
    links = "return [...document.querySelectorAll('.md-search-result__item > a')].map(a => a.href)"
    pages = [
        address.partition("?")[0].partition("#")[0] for address in browser.execute_script(links)
    ]
    base = f"{site.as_uri()}/"
    return list(dict.fromkeys(address.removeprefix(base) for address in pages))


def test_pages_have_no_barriers_and_do_not_scroll_sideways(site: Path, screen: Any) -> None:
    script = resources.files("selenium_axe_python") / "axe-core" / "axe.min.js"
    axe = script.read_text("utf-8")
    wide = screen.execute_script("return innerWidth") > 1000
    dark = screen.execute_script("return matchMedia('(prefers-color-scheme: dark)').matches")
    every = [page.relative_to(site).as_posix() for page in sorted(site.rglob("*.html"))]
    pages = [page for page in every if page != "404.html"] if wide and not dark else KINDS
    faults = {page: found for page in pages if (found := barriers(screen, site / page, axe))}
    assert faults == {}


def barriers(browser: Any, page: Path, axe: str) -> list[str]:
    """Return what axe finds in a page, and whether it is wider than the window."""
    browser.get(page.as_uri())
    browser.execute_script(axe)
    violations = browser.execute_async_script(
        "const done = arguments[1];"
        "axe.run(document, {runOnly: arguments[0], resultTypes: ['violations'], preload: false})"
        ".then((found) => done(found.violations),"
        " (error) => done([{id: String(error), impact: 'none', nodes: []}]))",
        TAGS,
    )
    faults = [
        f"{one['id']} ({one['impact']}): {[node['html'][:150] for node in one['nodes'][:2]]}"
        for one in violations
    ]
    wide = browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
    return [*faults, f"{wide} pixels too wide"] if wide > 0 else faults
