"""A small knowledge base over invented people, and a tagger that knows some of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pipeline.contracts.spec import load_spec
from pipeline.sampling.tagging.registry import Mention
from pipeline.tasks.re.knowledge import Builder, Knowledge, create_knowledge, open_knowledge
from pipeline.tasks.re.knowledge.properties import load_properties

SPEC = load_spec("re")
LABELS = {label["id"]: label for label in SPEC.model_dump(mode="json")["labels"]}
MAP = load_properties(None, SPEC.ids())
TRIPLES = [
    ("차은목_(소설가)", "spouse", "백소령"),
    ("차은목_(소설가)", "birthPlace", "한빛섬"),
    ("차은목_(소설가)", "birthDate", "1949-11-08"),
    ("차은목_(소설가)", "occupation", "소설가"),
    ("차은목_(소설가)", "team", "가람포_FC"),
    ("차이든", "parent", "차은목"),
    ("소금밭의_달력", "author", "차은목"),
    ("가람포_FC", "bandMember", "문태율"),
    ("문태율", "favourite", "백소령"),
    ("구름", "genre", "포크"),
]


def write(path: Path) -> Path:
    """Write the triples as a table and return its path."""
    path.write_text("\n".join("\t".join(row) for row in TRIPLES), "utf-8")
    return path


@contextmanager
def base(folder: Path) -> Iterator[Knowledge]:
    """Open the knowledge base of the triples."""
    with create_knowledge(folder / "kb.sqlite") as making:
        Builder(making, MAP, LABELS).add_file(write(folder / "kb.tsv"), "small", "tsv")
    with open_knowledge(folder / "kb.sqlite") as found:
        yield found


class Lexical:
    """A tagger that knows a list of names."""

    name = "lexical"
    digest = "0" * 64
    labels = ("PS", "LC", "OG", "DT", "TI", "QT")

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def tag(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return each first occurrence of each name."""
        return [
            sorted(
                Mention(text.index(name), text.index(name) + len(name), label, 0.9)
                for name, label in self.names.items()
                if name in text
            )
            for text in texts
        ]


def fields(text: str) -> dict[str, str]:
    """Return the words of a candidate's fields, by their names."""
    value = json.loads(text)
    return {"subject": value["subject"]["word"], "object": value["object"]["word"]}
