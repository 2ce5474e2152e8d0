"""Makes the pictures of the documentation anew: docs/img.

    .venv/bin/python tools/docs_pictures.py [--keep DIR]      # three minutes; needs chromium

The commands of the quickstarts run in a copy of data/, as in a fresh clone. What they print becomes
drawings (SVG), the pages that they write are photographed by Chromium without a head. With --keep
the copy lies in DIR and stays, and what was made there is not made again.
"""

from __future__ import annotations

import argparse
import base64
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT: Final = Path(__file__).resolve().parents[1]
PICTURES: Final = ROOT / "docs" / "img"
#: Columns of a terminal, and pixels of a window.
COLUMNS, WIDTH, HEIGHT = 100, 1200, 780
REVIEWS: Final = "data/sample/corpora/airbnb/reviews.csv.gz"
VOTES: Final = "data/sample/votes.csv"
#: The drawing by name: the command, and where what is shown of its output begins and ends.
COMMANDS: Final = {
    "build": ("build data/builds/sample.yaml", r"^\d+ stages, ", r"\Z"),
    "clean": (f"clean {REVIEWS} --text-column comments --out cleaned", r"\A", r"\Z"),
    "audit": (f"audit {VOTES} --labels 부정,중립,긍정 --html audit", r"\A", r"^The most disputed"),
}
#: The photograph by name: the page, of which it shows the head.
PAGES: Final = {
    "quality-report": "data/releases/sample/1.0.0/report/index.html",
    "clean-report": "cleaned/report.html",
    "audit-report": "audit/index.html",
}
#: Seconds that a page has to draw its charts.
PATIENCE: Final = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the commands and make all pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where commands run")
    kept: Path | None = parser.parse_args(arguments).keep
    with tempfile.TemporaryDirectory() as new:
        place = kept or Path(new)
        prepare(place)
        for name, (command, start, end) in COMMANDS.items():
            printed = run(place, name, command)
            svg = drawing(part(printed, start, end), f"klue {command}", name)
            (PICTURES / f"{name}.svg").write_text(svg, "utf-8")
        with closing(Window()) as window:
            for name, page in PAGES.items():
                (PICTURES / f"{name}.webp").write_bytes(window.photograph(place / page))
    return 0


def prepare(place: Path) -> None:
    """Lay out what a fresh clone has."""
    if (place / "data").is_dir():
        return
    place.mkdir(parents=True, exist_ok=True)
    ignored = shutil.ignore_patterns("work", "releases", "private", "runs", "__pycache__")
    shutil.copytree(ROOT / "data", place / "data", ignore=ignored)
    (place / ".venv").symlink_to(ROOT / ".venv")


def run(place: Path, name: str, command: str) -> str:
    """Return what a command prints for people in colours; what it printed before, if kept."""
    path = place / f"{name}.ansi"
    if not path.is_file():
        environment = {**os.environ, "COLUMNS": str(COLUMNS), "FORCE_COLOR": "1"}
        environment.pop("NO_COLOR", None)
        words = [".venv/bin/klue", *command.split()]
        done = subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr[-2000:])
        path.write_text(done.stdout, "utf-8")
    return path.read_text("utf-8")


def part(printed: str, start: str, end: str) -> str:
    """Return the lines between two patterns, which are looked for in the plain text."""
    lines = printed.splitlines()
    plain = "\n".join(Text.from_ansi(line).plain for line in lines)
    first = re.search(start, plain, re.MULTILINE)
    last = re.search(end, plain, re.MULTILINE)
    if first is None or last is None:
        raise SystemExit(f"the output has nothing like {start} or {end}")
    return "\n".join(lines[_line(plain, first.start()) : _line(plain, last.start()) or None])


def _line(text: str, place: int) -> int:
    return 0 if place == len(text) else text.count("\n", 0, place)


def drawing(printed: str, title: str, name: str) -> str:
    """Return a terminal as SVG; it names no font of a network."""
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"))  # noqa: PTH123, SIM115
    console.print(Text.from_ansi(printed.rstrip()))
    svg = console.export_svg(title=title, theme=MONOKAI, unique_id=name)
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)


class Window:
    """A browser without a head, which reaches nothing but files."""

    def __init__(self) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        size = f"--window-size={WIDTH},{HEIGHT}"
        for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars", size):
            options.add_argument(argument)
        options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND")
        service = Service(executable_path=shutil.which("chromedriver"))
        self._driver: Any = webdriver.Chrome(options=options, service=service)
        view = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        self._driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", view)

    def photograph(self, page: Path) -> bytes:
        """Return the upper part of a page as WebP."""
        self._driver.get(page.resolve().as_uri())
        time.sleep(PATIENCE)
        settings = {"format": "webp", "quality": 82}
        taken = self._driver.execute_cdp_cmd("Page.captureScreenshot", settings)
        return base64.b64decode(taken["data"])

    def close(self) -> None:
        """End the browser."""
        self._driver.quit()


if __name__ == "__main__":
    sys.exit(main())
