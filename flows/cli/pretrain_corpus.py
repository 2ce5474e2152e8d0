"""`klue pretrain-corpus`: the corpus that a language model is pretrained on."""

from __future__ import annotations

from flows.cli.build import Work
from flows.cli.options import WORK, Address, BuildFile, CoreWorkers, Engine, NewFolder, calls
from flows.view.memory import HEAVY


@calls("flows.pretrain:pretrain", needs=HEAVY)
def pretrain_corpus(
    build_file: BuildFile,
    out: NewFolder,
    work: Work = WORK,
    engine: Engine = "local",
    address: Address = None,
    workers: CoreWorkers = None,
) -> None:
    """Make a pretraining corpus: clean sentences with pseudonyms, without what benchmarks hold."""
