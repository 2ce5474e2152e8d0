"""What a light installation leaves out, and that nothing here loads it."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import distributions, packages_distributions
from pathlib import Path
from typing import Any

from tools.light_install import NEEDED, PROJECT, canonicalize_name, needed

ROOT = Path(__file__).resolve().parents[2]


def _graph(**asked: list[str]) -> dict[str, dict[str, Any]]:
    return {name.replace("_", "-"): {"requires_dist": names} for name, names in asked.items()}


def test_of_kss_only_what_its_rules_load_stays() -> None:
    graph = _graph(
        klue_rebuild=["kss", "numpy; python_version >= '3'"],
        kss=["emoji==1.2.0", "pecab", "Numpy>=1", "bs4"],
        emoji=[],
        pecab=["pytest"],
        pytest=[],
        numpy=[],
        bs4=[],
    )
    assert needed(graph) == {"klue-rebuild", "kss", "emoji", "numpy"}


def test_what_somebody_else_asks_for_stays_too() -> None:
    graph = _graph(klue_rebuild=["kss", "other[x]"], kss=["emoji", "pecab"], emoji=[], pecab=[])
    graph["other"] = {"requires_dist": ["pecab; extra == 'x'", "absent; sys_platform == 'none'"]}
    graph["absent"] = {"requires_dist": []}
    assert needed(graph) == {"klue-rebuild", "kss", "emoji", "other", "pecab"}


def test_packages_that_ask_for_each_other_end() -> None:
    graph = _graph(klue_rebuild=["a"], a=["b[y]"], b=["a", "c; extra == 'y'"], c=["b"])
    assert needed(graph) == {"klue-rebuild", "a", "b", "c"}


def test_sentences_are_cut_and_builds_planned_without_what_is_left_out() -> None:
    """Blocked are the modules of all packages that only kss asks for."""
    graph = {
        canonicalize_name(one.metadata["Name"]): {"requires_dist": one.requires or []}
        for one in distributions()
    }
    kept = needed(graph)
    asked = needed({**graph, PROJECT: graph["kss"]}) - {PROJECT}
    left_out = asked - kept
    assert {"pecab", "kollocate"} <= left_out and not left_out & NEEDED["kss"]
    blocked = {
        module
        for module, names in packages_distributions().items()
        if {canonicalize_name(name) for name in names} <= left_out
    }
    code = f"""if True:
        import sys
        class Block:
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] in {blocked!r}:
                    raise ImportError(name)
        sys.meta_path.insert(0, Block())
        from pipeline.corpus.segmentation import split_sentences
        assert len(split_sentences("문이 열렸다. 바람이 불었다 😀 http://a.example.org 갔다.")) > 1
        import flows.build, flows.plan.build, flows.publish.publish, pipeline.report.page
        """
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
