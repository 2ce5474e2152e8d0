"""Whether a section makes a passage: its category, length, lost sentences, prose and novelty."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.stage import Call
from pipeline.sampling import inputs
from pipeline.sampling.filling import Refusal
from pipeline.tasks.mrc.candidates.assembly import Passage, assemble
from pipeline.tasks.mrc.candidates.categories import Categories
from pipeline.tasks.mrc.candidates.fingerprints import Hashes, fingerprints, shared
from pipeline.tasks.mrc.candidates.repeats import repeats
from pipeline.tasks.mrc.candidates.sections import Section
from pipeline.tasks.mrc.spec import Passages

_UNCUT: Final = "a paragraph that was not cut into sentences"


class Judge:
    """The judge of one source's sections; `known` are the fingerprints of other benchmarks."""

    def __init__(self, call: Call, source: str, spec: Passages, known: Hashes) -> None:
        """Read what is judged by: categories, and which sentences were boilerplate or repeats."""
        self.spec = spec
        self.known = known
        self.categories = Categories(call, source, spec)
        self.boilerplate = _boilerplate(call, source, spec)
        self.repeats = repeats(call, source)
        self._seen: dict[int, str] = {}

    def alone(self, section: Section) -> Refusal | Passage:
        """Judge a section by itself and return its passage, or why it makes none."""
        spec, row = self.spec, section.row
        if refusal := self.categories.refusal(section.document["section"]):
            return refusal
        if row["end"] - row["start"] <= spec.above:  # cleaning adds nothing
            return self._length(row["end"] - row["start"])
        passage = assemble(section, boilerplate=self.boilerplate, repeats=self.repeats)
        return self._faults(passage) or passage

    def _faults(self, passage: Passage) -> Refusal | None:
        if passage.lost or passage.uncut:
            parts = [*passage.lost, *([_UNCUT] * passage.uncut)]
            return Refusal("mrc.lost_sentence@1", f"lost {', '.join(parts)}", len(parts))
        if not self.spec.above < len(passage.text) < self.spec.below:
            return self._length(len(passage.text))
        if passage.prose < self.spec.prose:
            reason = "too little of it stands in whole sentences"
            return Refusal("mrc.prose@1", reason, passage.prose)
        if passage.lines < self.spec.lines:
            return Refusal("mrc.list@1", "too few of its lines end as sentences", passage.lines)
        return None

    def beside(self, passage: Passage, name: str) -> Refusal | None:
        """Compare a passage with other benchmarks and with those accepted before; or accept it."""
        prints = fingerprints(passage.text)
        share = shared(prints, self.known)
        if share > self.spec.known:
            return Refusal("mrc.known@1", "its text stands in another benchmark", share)
        before = Counter(self._seen[one] for one in prints.tolist() if one in self._seen)
        other, most = min(before.items(), key=lambda pair: (-pair[1], pair[0]), default=("", 0))
        near = round(most / max(len(prints), 1), 6)
        if near > self.spec.near:
            return Refusal("mrc.near_duplicate@1", f"repeats {other}", near)
        self._seen.update(dict.fromkeys(prints.tolist(), name))
        return None

    def _length(self, characters: int) -> Refusal:
        above, below = self.spec.above, self.spec.below
        reason = f"{characters} characters; more than {above} and fewer than {below} wanted"
        return Refusal("mrc.length@1", reason, characters)


def _boilerplate(call: Call, source: str, spec: Passages) -> frozenset[str]:
    """Return the sentences that were boilerplate as a whole, by the ledger of cleaning."""
    rules, found = pa.array(spec.boilerplate, pa.string()), set[str]()
    for table in inputs.rows(call, source, "ledger"):
        dropped = pc.equal(table.column("action"), "drop")
        mine = pc.and_(dropped, pc.is_in(table.column("rule"), value_set=rules))
        found.update(table.filter(mine).column("unit").to_pylist())
    return frozenset(found)
