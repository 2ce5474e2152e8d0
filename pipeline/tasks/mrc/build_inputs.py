"""What a build gives MRC: articles and their sections, and texts that other benchmarks hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.contracts.build_inputs import BuildInputs, Resources, content, existing
from pipeline.contracts.spec import TaskSpec
from pipeline.core.paths import FilePath
from pipeline.core.specs import Many, Spec
from pipeline.tasks.mrc.spec import Passages


class Keys(Spec):
    """The keys of MRC in a build file: files of texts that other benchmarks hold."""

    known_texts: Many[FilePath] = ()


def _resources(settings: Keys, _spec: TaskSpec) -> Resources:
    files = {f"candidates.known_texts.{n}": path for n, path in enumerate(settings.known_texts)}
    paths = [existing(path, key) for key, path in files.items()]
    return Resources(
        {"known_texts": [path.suffixes for path in paths]},
        {"known_texts": [str(path) for path in paths]},
        tuple(content(path, key) for key, path in files.items()),
    )


def _lacks(
    settings: Any, section: Passages, documents: Mapping[str, Sequence[Any]]
) -> Iterator[str]:
    lengths = (len(one.text) for ones in documents.values() for one in ones)
    longest, names = max(lengths, default=section.below), sorted(documents)
    if longest <= section.above and "mrc" not in settings.quotas:
        shares = ", ".join(f"{name}: 1" for name in names)
        yield (
            f"passages have more than {section.above} characters, and the first documents of"
            f" {', '.join(names)} at most {longest}; take mrc out of their tasks, or, if later"
            f" documents are longer, add `candidates: {{quotas: {{mrc: {{{shares}}}}}}}`"
        )


INPUTS: Final = BuildInputs(
    keys=Keys, stages=("segment", "select", "clean"), resources=_resources, lacks=_lacks
)
