"""Made-up comments for tests: mild, about an invented town, with the labels of the real data.

The fixtures below are data and weights that several tests share.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from pipeline.core.fingerprint import ROOT

sys.path.append(str(ROOT / "tools"))

from fit_toxicity import Recipe
from train_toxicity import Release, train_release

from pipeline.corpus.toxicity.calibration import FIELDS, HATE_CLASSES

#: A recipe for so few comments.
SMALL = Recipe(bits=14, min_texts=2, folds=3)

_SUBJECTS = ("솔마을 가수", "가람포 배우", "은여울 선수", "한빛섬 감독", "도람골 기자")
_SAYINGS = {
    (False, "none"): ("노래가 참 좋다", "연기를 또 보고 싶다", "내일 공연도 기대된다"),
    (False, "offensive"): ("정말 실망이다 그만 나와라", "돈만 밝히는 것 같다", "너무 지겹다"),
    (False, "hate"): ("쓰레기 같은 놈", "벌레만도 못한 놈이다", "사라져라 쓰레기"),
    (True, "hate"): ("여자 주제에 설치네", "역시 여자는 안 된다", "남자답지 못하다"),
}


def rows(n: int, *, seed: int = 0) -> list[dict[str, str]]:
    """Return n labelled comments, no two the same."""
    draw = np.random.default_rng(seed)
    made: dict[str, dict[str, str]] = {}
    while len(made) < n:
        bias, hate = list(_SAYINGS)[int(draw.integers(len(_SAYINGS)))]
        saying = _SAYINGS[bias, hate][int(draw.integers(3))]
        subject = _SUBJECTS[int(draw.integers(len(_SUBJECTS)))]
        text = f"{subject} {saying} {'ㅋ' * int(draw.integers(4))}{int(draw.integers(1000))}"
        kind = "gender" if bias else "none"
        made[text] = dict(zip(FIELDS, (text, str(bias), kind, hate), strict=True))
    assert {row["hate"] for row in made.values()} == set(HATE_CLASSES)
    return list(made.values())


def write_tsv(path: Path, given: list[dict[str, str]]) -> Path:
    """Write labelled comments as the real data are written."""
    names = list(given[0])
    lines = ["\t".join(names), *("\t".join(row[name] for name in names) for row in given)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture(scope="session")
def train_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return 240 made-up labelled comments."""
    return write_tsv(tmp_path_factory.mktemp("labelled") / "train.tsv", rows(240))


@pytest.fixture(scope="session")
def dev_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return 60 others."""
    others = [row | {"comments": row["comments"] + "!"} for row in rows(60, seed=1)]
    return write_tsv(tmp_path_factory.mktemp("labelled") / "dev.tsv", others)


@pytest.fixture(scope="session")
def weights(
    tmp_path_factory: pytest.TempPathFactory, train_file: Path, dev_file: Path
) -> tuple[Path, Release]:
    """Return a folder of small weights trained on these, and what was made."""
    folder = tmp_path_factory.mktemp("weights")
    return folder, train_release(train_file, dev_file, folder, recipe=SMALL)
