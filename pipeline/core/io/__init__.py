"""Files of texts of any form, read in bounded batches and written again with their texts changed.

    source = guess_source(Path("comments.jsonl.gz"))
    with open_writer(source, out) as writer:
        for batch in read_batches(source, quarantine=rejects.append, whole=True):
            writer.write(batch, change(batch.texts))

A row that cannot be read is passed to `quarantine` and left out of the output; every row is either
in a batch or in quarantine.
"""

from pipeline.core.io.batch import Batch, Quarantined
from pipeline.core.io.read import read_batches
from pipeline.core.io.source import Source, guess_source
from pipeline.core.io.write import Writer, check_output, open_writer

__all__ = [
    "Batch",
    "Quarantined",
    "Source",
    "Writer",
    "check_output",
    "guess_source",
    "open_writer",
    "read_batches",
]
