"""What can be guessed without solving the task: the artefacts of a data set, as report sections.

A model that scores little above these has learned the habits of annotators and sources, not the
task (Gururangan et al., "Annotation Artifacts in Natural Language Inference Data", NAACL 2018).
Guesses are learned on train, and scored on dev and test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.report.quality import artefacts_guesses as guesses
from pipeline.report.quality import artefacts_order as order
from pipeline.report.quality import artefacts_overlap as overlap
from pipeline.report.quality import artefacts_spans as spans
from pipeline.report.quality import artefacts_words as words
from pipeline.report.record import Section

Part = Callable[[pa.Table, TaskSpec], Section | None]

#: The parts of a task's section; one that has nothing to say is left out.
PARTS: Final[dict[str, tuple[Part, ...]]] = {
    "tc": (guesses.categories, words.association),
    "sts": (guesses.scores, overlap.pairs),
    "nli": (guesses.categories, words.association, overlap.hypotheses),
    "ner": (spans.gazetteer,),
    "re": (guesses.categories, guesses.no_relation),
    "dp": (order.next_word,),
    "mrc": (guesses.categories, overlap.questions, spans.positions),
    "dst": (order.repeated_states,),
}


def artefacts(
    examples: pa.Table,
    *,
    task: str,
    spec: TaskSpec,
    hypothesis_only: Mapping[str, Any] | None = None,
) -> Section:
    """Return the section on the artefacts of a task's examples (EXAMPLES).

    `hypothesis_only` is the record of the scorer of NLI hypotheses, of which accuracy, log_loss and
    ece are shown, and of each of `splits` pairs, accuracy and majority. Words are shown only where
    at least 5 examples have them, never with digits, and never a person's name.
    """
    made = [part(examples, spec) for part in PARTS[task]] if examples.num_rows else []
    if hypothesis_only and task == "nli":
        made.insert(1 if made else 0, guesses.hypothesis_only(hypothesis_only))
    parts = [part for part in made if part is not None]
    return Section(
        id=f"artefacts-{task}",
        title="Artefacts",
        lead="How far one gets without solving the task: a model that scores little more has"
        " learned habits of annotators and sources, not the task. Guesses are learned on train."
        if parts
        else "There is nothing to measure: no example, or none that could be scored.",
        parts=parts,
    )
