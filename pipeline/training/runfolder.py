"""The folder of a run: its record, its log, its model, predictions, and what it resumes from.

run.json               what was trained on what, and what came of it; `finished` or not, and the
                       reason in `failed` if nothing came of it
model/                 the best weights, as transformers saves them, and klue.json
predictions/dev.jsonl  one line an example: guid, label, for RE probabilities
state/                 what an interrupted run goes on with; gone when it has ended
lock                   held by the process that is at work
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.example import Prediction
from pipeline.core.errors import InputError, StoreError
from pipeline.core.files import MOST_BYTES, regular_file
from pipeline.core.jsontext import parsed
from pipeline.core.store import lock, write_text
from pipeline.core.wording import verb

RECORD: Final = "run.json"
#: What `locked` writes into a folder.
_LOCK: Final = "lock"
#: How settings are called that are no words of a request.
_CALLED: Final = {"code": "the code of the step"}
Record = dict[str, Any]


@dataclass(frozen=True)
class RunFolder:
    """The places in the folder of a run."""

    path: Path

    @property
    def model(self) -> Path:
        return self.path / "model"

    @property
    def state(self) -> Path:
        return self.path / "state"

    def open(self, begun: Record) -> Record | None:
        """Return the record of the same run if it has ended already, None if it can be trained.

        Nothing is written. Raises InputError for a folder that holds another run, unless that has
        saved nothing yet, or something else.
        """
        if not (self.path / RECORD).exists():
            held = {path.name for path in self.path.iterdir()} if self.path.is_dir() else {"a file"}
            if self.path.exists() and not held <= {_LOCK}:
                raise InputError(f"{self.path}: is not the folder of a run; give a new one (--out)")
            return None
        record = read_record(self.path)
        if record["fingerprint"] == begun["fingerprint"]:
            return record if record["finished"] else None
        if record["finished"] or self.state.exists():
            raise InputError(
                f"{self.path}: holds another run: {_differing(record, begun)}; give another folder"
                " (--out), or delete this one"
            )
        return None

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the folder for this process; raises StoreError while another one holds it."""
        with ExitStack() as stack:
            try:
                stack.enter_context(lock(self.path))
            except StoreError as error:  # which is worded for the work directory of a build
                raise StoreError(str(error).replace("--work", "--out")) from None
            yield

    def write(self, record: Record) -> None:
        """Write the record; its order is kept, which is that of tables."""
        self.path.mkdir(parents=True, exist_ok=True)
        write_text(self.path / RECORD, json.dumps(record, ensure_ascii=False, indent=1) + "\n")

    def predictions(self, split: str, predictions: Sequence[Prediction]) -> Path:
        """Write the predictions of a split; return where."""
        path = self._predictions(split)
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (json.dumps(prediction.record(), ensure_ascii=False) for prediction in predictions)
        write_text(path, "".join(f"{line}\n" for line in lines))
        return path

    def require(self, splits: Iterable[str]) -> None:
        """Raise InputError unless an ended run still has its model and these predictions."""
        for place in (self.model, *(self._predictions(split) for split in splits)):
            if not place.exists():
                raise InputError(
                    f"{place}: is gone, though the run has ended; delete {self.path} and run the"
                    " same command again"
                )

    def _predictions(self, split: str) -> Path:
        return self.path / "predictions" / f"{split}.jsonl"

    def close(self, record: Record) -> None:
        """Write the record of an ended run and remove what it would have resumed from."""
        self.write(record)
        shutil.rmtree(self.state, ignore_errors=True)


def read_record(folder: Path) -> Record:
    """Return the record of a run; raises InputError for a folder without a sound one."""
    path = folder / RECORD
    try:
        record = parsed(regular_file(path, most=MOST_BYTES).read_text("utf-8"), words=True)
        return {**record, "fingerprint": str(record["fingerprint"]), "finished": record["finished"]}
    except RecursionError:
        raise InputError(f"{path}: is nested too deeply for the record of a run") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: is not the record of a run ({type(error).__name__}); give the folder of one,"
            " as klue train writes it"
        ) from None


def runs(folder: Path) -> list[Path]:
    """Return the folders of runs below a folder, it included, in the order of their paths."""
    return sorted(path.parent for path in folder.rglob(RECORD))


def _differing(record: Mapping[str, Any], begun: Mapping[str, Any]) -> str:
    settings = record.get("settings")
    settings = settings if isinstance(settings, Mapping) else {}
    names = [
        n for n, value in begun["settings"].items() if n not in settings or settings[n] != value
    ]
    called = [_CALLED.get(name, name) for name in names] or ["settings"]
    return f"{', '.join(called)} {verb(len(names), 'differs', 'differ')}"
