"""The report of a release as files: its pages, and their record."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Final

from pipeline.report.quality_page import pages
from pipeline.report.record import Report

FOLDER: Final = "report"
RECORD: Final = "quality.json"


def report_files(report: Report) -> dict[str, str]:
    """Return the texts of a report by their paths in a release."""
    files = {f"{FOLDER}/{name}": text for name, text in pages(report).items()}
    record = json.dumps(asdict(report), ensure_ascii=False, indent=1) + "\n"
    return {**files, f"{FOLDER}/{RECORD}": record}
