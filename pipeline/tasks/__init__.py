"""The tasks. Each is one folder of parts; adding one is a folder and a line here."""

from __future__ import annotations

from typing import Final

#: The package of each task's parts, by the task's id, in the order of the KLUE paper.
PACKAGES: Final = {
    "tc": "pipeline.tasks.tc",
    "sts": "pipeline.tasks.sts",
    "nli": "pipeline.tasks.nli",
    "ner": "pipeline.tasks.ner",
    "re": "pipeline.tasks.re",
    "dp": "pipeline.tasks.dp",
    "mrc": "pipeline.tasks.mrc",
    "dst": "pipeline.tasks.dst",
}
