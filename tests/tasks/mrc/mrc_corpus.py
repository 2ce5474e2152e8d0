"""A small corpus as the corpus stages leave it, for tests of passages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pipeline.core import ledger, schemas, store
from pipeline.core.ids import unit_id
from pipeline.core.stage import Call, call

Row = dict[str, Any]

#: Words of a fictional village, enough for texts that share no long piece.
_TEXT = (
    "달못|마을|사람들|물레방아|곁에서|여름마다|보리|국수|잔치|열고|늙은|사공|나루터|이야기|들려주며|아이들"
    "|종이배|접어|개울|띄우고|해질녘|등불|켜서|길손|맞이하고|겨울|오기|전|장작|쌓아|둔다"
)
_WORDS = _TEXT.split("|")


def sentence(number: int, words: int = 9) -> str:
    """Return a sentence that is unlike those of other numbers."""
    picked = [_WORDS[(number * 7 + at * (number % 5 + 1)) % len(_WORDS)] for at in range(words)]
    return f"{number}번째 해에는 {' '.join(picked)} 했다고 {number * 13}쪽에 적혀 있다."


def article(first: int, sentences: int = 14) -> list[str]:
    """Return the sentences of an article; 14 of them are a passage of the right length."""
    return [sentence(first * 100 + at) for at in range(sentences)]


@dataclass
class Corpus:
    """Documents of one section each, their kept sentences, and the ledger of cleaning."""

    source: str
    documents: list[Row] = field(default_factory=list)
    sections: list[Row] = field(default_factory=list)
    kept: list[Row] = field(default_factory=list)
    ledger: list[Row] = field(default_factory=list)

    def add(
        self,
        key: str,
        sentences: list[str],
        *,
        category: str | None = None,
        gap: str = " ",
        edited: Mapping[int, str] | None = None,
        dropped: Mapping[int, str] | None = None,
    ) -> str:
        """Add a document of these sentences; `edited` says what cleaning made of some.

        `dropped` names the rule that dropped some. Returns the id of the section.
        """
        text, source = gap.join(sentences), self.source
        document = unit_id(source, key, "document")
        name = unit_id(source, key, "section", 0, len(text))
        members, start = list[Row](), 0
        for at, one in enumerate(sentences):
            unit = unit_id(source, key, "sentence", start, start + len(one))
            members.append({"id": unit, "start": start, "end": start + len(one)})
            if at in (dropped or {}):
                self.ledger.append(_dropped(unit, source, (dropped or {})[at]))
            else:
                self.kept.append(_kept(members[-1], document, source, (edited or {}).get(at, one)))
            start += len(one) + len(gap)
        span = {"title": "", "level": 1, "start": 0, "end": len(text)}
        self.documents.append(
            {
                "id": document,
                "source": source,
                "key": key,
                "text": text,
                "sections": [span],
                "meta": [],
                "file": "f",
                "line": 1,
                "title": f"제목 {key}",
                "section": category,
            }
        )
        self.sections.append(
            {
                "id": name,
                "source": source,
                "document": document,
                "ordinal": 0,
                **span,
                "sentences": members,
            }
        )
        return name

    def write(self, root: Path, *, files: int = 1) -> tuple[Path, ...]:
        """Write the tables in so many files each; return the folders of the stages."""
        named = {
            "select": {"documents": self.documents},
            "segment": {"sections": self.sections},
            "clean": {"ledger": self.ledger},
        }
        folders = [root / "all" / "dedup-x"]
        _write(folders[0], "kept", self.source, self.kept, self.documents, files)
        for stage, tables in named.items():
            folder = root / self.source / f"{stage}-x"
            for name, rows in tables.items():
                _write(folder, name, "", rows, self.documents, files)
            folders.append(folder)
        return tuple(folders)


def a_call(root: Path, folders: tuple[Path, ...], params: Row, arguments: Row) -> Call:
    """Return a call of the passages stage over these folders."""
    made = call(
        "pipeline.tasks.mrc.candidates",
        work=root,
        source="mrc",
        params=params,
        arguments=arguments,
    )
    return replace(made, inputs=folders)


def _write(
    folder: Path, name: str, prefix: str, rows: list[Row], documents: list[Row], files: int
) -> None:
    """Write rows so that all of one document stand in one file, in the order of documents."""
    folder.mkdir(parents=True, exist_ok=True)
    place = {document["id"]: at * files // len(documents) for at, document in enumerate(documents)}
    for number in range(files):
        mine = [r for r in rows if place.get(r.get("document", r.get("id")), 0) == number]
        label = f"{prefix}-{number:04}" if prefix else f"{number:04}"
        store.write_table(folder, name, label, schemas.build(name, mine))


def _kept(member: Row, document: str, source: str, text: str) -> Row:
    return {
        **member,
        "source": source,
        "document": document,
        "kind": "sentence",
        "ordinal": 0,
        "text": text,
        "cluster": member["id"],
    }


def _dropped(unit: str, source: str, rule: str) -> Row:
    units = schemas.build("units", [_unit(unit, source)])
    found = ledger.rows(units, stage="clean", rule=rule, action="drop", reason="planted")
    return dict(found.to_pylist()[0])


def _unit(unit: str, source: str) -> Row:
    return {
        "id": unit,
        "source": source,
        "document": "d",
        "kind": "sentence",
        "ordinal": 0,
        "start": 0,
        "end": 1,
        "text": "x",
    }
