"""Publishing beside other builds: a version follows all that were there when it gets its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.plan.release import ReleasePlan
from flows.publish.publish import require_same_versions
from pipeline.core.errors import StoreError


def test_a_version_that_another_build_published_meanwhile_is_told(tmp_path: Path) -> None:
    place = tmp_path / "mini"
    versions = [place / name for name in ("1.0.0", "1.1.0", "2.0.0")]
    for folder in versions:
        folder.mkdir(parents=True)

    def plan(*earlier: Path) -> ReleasePlan:
        nothing = ([], [*earlier], (), frozenset[str]())
        return ReleasePlan("mini", "1.2.0", place / "1.2.0", *nothing)

    require_same_versions(plan(*versions[:2]))  # a later one decides nothing
    for earlier, told in (((versions[0],), "1.1.0 was"), ((), "1.0.0 and 1.1.0 were")):
        with pytest.raises(StoreError, match=rf"{place}: {told} published .* run the build again"):
            require_same_versions(plan(*earlier))
