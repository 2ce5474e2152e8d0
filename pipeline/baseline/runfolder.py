"""The folder of a run: its record, its log, its model, predictions, and what it resumes from.

run.json               what was trained on what, and what came of it; `finished` or not
model/                 the best weights, as transformers saves them, and klue.json
predictions/dev.jsonl  one line an example: guid, label, for RE probabilities
state/                 what an interrupted run goes on with; gone when it has ended
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pipeline.core.errors import InputError
from pipeline.core.store import write_json, write_text
from pipeline.tasks.example import Prediction

RECORD: Final = "run.json"
Record = dict[str, Any]


@dataclass(frozen=True)
class RunFolder:
    """The places in the folder of a run."""

    path: Path

    @property
    def model(self) -> Path:
        """Return where the best weights are."""
        return self.path / "model"

    @property
    def state(self) -> Path:
        """Return where the state of training is."""
        return self.path / "state"

    def open(self, begun: Record) -> Record | None:
        """Begin a run, or return the record of the same run if it has ended already.

        Raises InputError for a folder that holds another run, or something else.
        """
        found = read_record(self.path) if (self.path / RECORD).exists() else None
        if found is None:
            if self.path.is_file() or (self.path.is_dir() and any(self.path.iterdir())):
                raise InputError(f"{self.path}: is not the folder of a run; give a new one (--out)")
            self.write(begun)
            return None
        if found["fingerprint"] != begun["fingerprint"]:
            raise InputError(
                f"{self.path}: holds a run that differs in {', '.join(_differing(found, begun))};"
                " give another folder (--out), or delete this one"
            )
        return found if found["finished"] else None

    def write(self, record: Record) -> None:
        """Write the record."""
        self.path.mkdir(parents=True, exist_ok=True)
        write_json(self.path / RECORD, record)

    def predictions(self, split: str, predictions: Sequence[Prediction]) -> Path:
        """Write the predictions of a split; return where."""
        path = self.path / "predictions" / f"{split}.jsonl"
        path.parent.mkdir(exist_ok=True)
        lines = (json.dumps(one.record(), ensure_ascii=False) for one in predictions)
        write_text(path, "".join(f"{line}\n" for line in lines))
        return path

    def close(self, record: Record) -> None:
        """Write the record of an ended run and remove what it would have resumed from."""
        self.write(record)
        shutil.rmtree(self.state, ignore_errors=True)


def read_record(folder: Path) -> Record:
    """Return the record of a run; raises InputError for a folder without a sound one."""
    path = folder / RECORD
    try:
        found = json.loads(path.read_text("utf-8"))
        return {**found, "fingerprint": str(found["fingerprint"]), "finished": found["finished"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: is not the record of a run ({type(error).__name__}); give the folder of one,"
            " as klue train writes it"
        ) from None


def runs(folder: Path) -> list[Path]:
    """Return the folders of runs below a folder, it included, in the order of their paths."""
    return sorted(path.parent for path in folder.rglob(RECORD))


def _differing(found: Mapping[str, Any], begun: Mapping[str, Any]) -> list[str]:
    names = [name for name in begun["settings"] if name in found.get("settings", {})]
    differ = [n for n in names if found["settings"][n] != begun["settings"][n]]
    return differ or ["its settings"]
