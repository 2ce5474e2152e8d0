"""The scripts of the documentation site are modules by their bare names, as MkDocs loads them."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "tools" / "docs_site"))
