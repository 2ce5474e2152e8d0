"""The page of benchmarks is what the kept records say; figures, targets and drawings."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import keep
import page
import plots
import pytest
from results import Figure, of_runs

SVG = "{http://www.w3.org/2000/svg}"


def _stage(name: str, exponent: float, *, first: float = 1.0) -> page.Record:
    """Return the record of a stage whose cost grows with this exponent."""
    sizes = [1000, 2000, 4000, 8000]
    seconds = [first * (size / sizes[0]) ** exponent for size in sizes]
    return {"stage": name, "unit": "units", "sizes": sizes, "cpu_seconds": seconds} | {
        "wall_seconds": seconds,
        "peak_mib": [100.0] * 4,
        "exponent": exponent,
    }


def test_the_page_is_what_the_records_say() -> None:
    records = page.read_records()
    assert page.PAGE.read_text("utf-8") == page.text(records, page.notes()), (
        "run `python tests/benchmarks/page.py`; figures are not edited by hand"
    )
    drawn = page.drawings(records)
    assert {path.name for path in page.KEPT.glob("*.svg")} == drawn.keys()
    for name, drawing in drawn.items():
        assert (page.KEPT / name).read_text("utf-8") == drawing
        assert len(drawing.encode()) < 64 << 10


def test_every_record_is_of_a_benchmark_that_is_there() -> None:
    assert page.read_records().keys() <= keep.SCRIPTS.keys()
    assert page.notes().keys() <= keep.SCRIPTS.keys()


def test_no_cell_is_overlong() -> None:
    for name, record in page.read_records().items():
        for row in page.figures(name, record):
            assert max(len(str(cell)) for cell in row.values()) <= 90, row["what"]


@pytest.mark.parametrize(
    ("figure", "met"),
    [
        (Figure("x", 2.0, "times", least=2.0), True),
        (Figure("x", 1.99, "times", least=2.0), False),
        (Figure("x", 0.0, "", most=0), True),
        (Figure("x", 1.0, "", most=0), False),
        (Figure("x", 1.0, ""), None),
    ],
)
def test_a_target_is_met_at_its_limit(figure: Figure, met: bool | None) -> None:
    assert figure.met is met
    assert figure.record()["met"] is met


def test_runs_are_shown_by_their_median_and_ends() -> None:
    row = of_runs("pii", [893_455, 847_288, 922_251], "texts a CPU second", least=900_000).record()
    assert page._cells(row) == [
        "pii",
        "at least 900,000",
        "893,500 texts a CPU second (847,300 to 922,300)",
        "**no**",
    ]


def test_what_left_something_out_does_not_replace_what_has_it(tmp_path: Path) -> None:
    path = tmp_path / "pii.json"
    part, whole = {"left_out": ["presidio: not installed"]}, {"left_out": list[str]()}
    assert not keep.is_less(part, path)
    path.write_text(json.dumps(whole), "utf-8")
    assert keep.is_less(part, path)
    assert not keep.is_less(whole, path)
    path.write_text(json.dumps(part), "utf-8")
    assert not keep.is_less(part, path)


def test_growth_is_judged_by_the_steepest_stage_and_the_largest_tree() -> None:
    tree = [{"size": 1, "peak_mib": 500.0}, {"size": 8, "peak_mib": 560.0}]
    stages = [_stage("read", 1.0), _stage("dedup", 1.2)]
    rows = page.figures("scaling", {"stages": stages, "tree": tree})
    assert [(row["value"], row["met"]) for row in rows] == [(1.2, False), (1.12, False)]
    within = page.figures("scaling", {"stages": stages[:1], "within": [_stage("matching", 2.1)]})
    assert [(row["value"], row["met"]) for row in within] == [(1.0, True), (2.1, False)]
    alone = page.figures("memory", {"tree": tree[:1]})
    assert [(row["value"], row["met"]) for row in alone] == [(1.0, True)]


def test_cost_that_grows_as_size_does_is_drawn_on_the_diagonal() -> None:
    panels = ET.fromstring(plots.costs([_stage("read", 1.0), _stage("dedup", 1.5)])).findall(
        f"{SVG}g"
    )
    for panel, above in zip(panels, (False, True), strict=True):
        ideal = panel.find(f".//{SVG}line[@class='ideal']")
        line = panel.find(f".//{SVG}polyline")
        assert ideal is not None
        assert line is not None
        (_, first), *_, (_, last) = (
            map(float, point.split(",")) for point in line.get("points", "").split()
        )
        assert first == pytest.approx(float(ideal.get("y1", 0)), abs=0.2)
        assert (last < float(ideal.get("y2", 0)) - 1) is above
        assert (panel.find(f"{SVG}g[@class='over']") is not None) is above


def test_a_drawing_has_the_same_bytes_and_follows_the_setting_of_the_browser() -> None:
    tree = [{"size": 1, "peak_mib": 500.0}, {"size": 8, "peak_mib": 560.0}]
    assert plots.memory(tree) == plots.memory(tree)
    assert "prefers-color-scheme: dark" in plots.memory(tree)
    ET.fromstring(plots.memory(tree))


@pytest.mark.parametrize(
    ("size", "words"), [(950, "950"), (17_800, "18k"), (142_000, "142k"), (1_200_000, "1.2M")]
)
def test_sizes_are_short(size: int, words: str) -> None:
    assert plots.short(size) == words
