"""Any file of texts, streamed in bounded batches and written again with its texts changed.

    source = tablefile.guess(Path("comments.jsonl.gz"))
    with tablefile.writing(source, out) as writer:
        for batch in tablefile.batches(source, quarantine=rejects.append, whole=True):
            writer.write(batch, change(batch.texts))

A row that cannot be read is told to `quarantine` and left out of what is written; every row is
either in a batch or in quarantine.
"""

from pipeline.core.tablefile.batch import Batch, Quarantined
from pipeline.core.tablefile.read import batches
from pipeline.core.tablefile.source import Source, guess
from pipeline.core.tablefile.write import Writer, check_output, writing

__all__ = [
    "Batch",
    "Quarantined",
    "Source",
    "Writer",
    "batches",
    "check_output",
    "guess",
    "writing",
]
