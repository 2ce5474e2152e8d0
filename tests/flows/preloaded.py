"""What the server that test commands are forked from has imported and parsed.

Training and heads are left out: they import torch, which starts threads.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from pipeline.core import fingerprint

ROOT = Path(__file__).resolve().parents[2]
for path in sorted((*(ROOT / "flows").rglob("*.py"), *(ROOT / "pipeline").rglob("*.py"))):
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    if not {"training", "head", "__main__"} & set(name.split(".")):
        import_module(name)
        if name.startswith("pipeline."):
            fingerprint.of_code(name)
