"""The files that come with the project: the specs of tasks, models, recipes and samples.

In a checkout they are its folders `annotation_specs` and `data`. A wheel holds copies of these
folders in `pipeline/shipped` (setup.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_INSTALLED: Final = Path(__file__).resolve().parents[1] / "shipped"
_FOLDER: Final = _INSTALLED if _INSTALLED.is_dir() else _INSTALLED.parents[1]
#: The checkout that this runs from; None where a wheel is installed.
CHECKOUT: Final = None if _FOLDER == _INSTALLED else _FOLDER
DATA: Final = _FOLDER / "data"
ANNOTATION_SPECS: Final = _FOLDER / "annotation_specs"
