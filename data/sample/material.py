"""What the sample is made of: plants with their expected decisions, gold rows, finished corpora."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

TEXTS = Path(__file__).resolve().parent / "texts"
PLANT_FILES = ("plants.jsonl", "wiki_plants.jsonl", "news_plants.jsonl", "screen_plants.jsonl")


@dataclass(frozen=True)
class Expect:
    """What must happen to one unit: its text as segmented, the action, rule ids in order.

    `kind` is the kind of unit it holds for, None for each; `near` is the text of another document
    with which it shares a cluster.
    """

    sentence: str | None
    action: str
    rules: tuple[str, ...]
    after: str | None
    kind: str | None = None
    near: str | None = None

    @property
    def by_record(self) -> bool:
        """Whether the record as a whole is refused, so that it yields no unit."""
        return any(rule.startswith(("read.", "select.")) for rule in self.rules)


@dataclass(frozen=True)
class Plant:
    """A text planted in one source. `fault` names the damage done to a broken record."""

    source: str
    text: str
    expect: tuple[Expect, ...]
    id: str = ""
    title: str = ""
    date: str = ""
    section: str = ""
    topic: int = 0
    act: int = 0
    rating: int = 0
    fault: str = ""

    @property
    def last(self) -> bool:
        """Whether it must follow all other records: a repetition of one of them."""
        repeated = any("duplicate.exact@1" in item.rules for item in self.expect)
        return repeated or self.fault == "repeated_id"


@dataclass(frozen=True)
class Item:
    """A text on its way into a file, with its plant where it is one."""

    text: str
    plant: Plant | None = None
    kind: str = ""
    rating: int = 0

    @property
    def fault(self) -> str:
        """The damage to do, or nothing."""
        return self.plant.fault if self.plant else ""


@dataclass(frozen=True)
class Gold:
    """One line of gold.jsonl."""

    source: str
    key: str
    file: str
    line: int | None
    kind: str | None
    sentence: str | None
    action: str
    rules: tuple[str, ...]
    after: str | None
    near: str | None


@dataclass
class Corpus:
    """Files of one source by path below the output directory, gold rows, numbers to report."""

    source: str
    files: dict[str, bytes] = field(default_factory=dict)
    gold: list[Gold] = field(default_factory=list)
    records: int = 0

    def add_gold(self, plant: Plant, key: str, file: str, line: int | None = None) -> None:
        """Gold rows of one plant; only refused records carry a line number."""
        for item in plant.expect:
            kept = item.sentence if item.action == "keep" else item.after
            after = kept if item.action in {"keep", "edit"} else None
            where = line if item.by_record else None
            row = (item.sentence or None, item.action, item.rules, after, item.near)
            self.gold.append(Gold(self.source, key, file, where, item.kind, *row))

    def add_refused(self, rule: str, key: str, file: str, line: int) -> None:
        """Gold row of a record that its reader leaves out on purpose."""
        expect = Expect(None, "drop", (rule,), None)
        self.add_gold(Plant(self.source, "", (expect,)), key, file, line)


def load_plants(source: str) -> list[Plant]:
    """Plants of one source, in the order of the plant files."""
    plants: list[Plant] = []
    for name in PLANT_FILES:
        for line in (TEXTS / name).read_text(encoding="utf-8").split("\n"):
            if line and (raw := json.loads(line))["source"] == source:
                plants.append(_plant(raw))
    return plants


def planted_items(source: str) -> list[Item]:
    """Plants of one source as items."""
    return [Item(p.text, p, "ko", p.rating) for p in load_plants(source)]


def _plant(raw: dict[str, object]) -> Plant:
    given = dict(raw)
    given["fault"] = given.pop("break", "")
    given["text"] = given.pop("body", given.get("text", ""))
    listed = given.pop("expect")
    assert isinstance(listed, list)
    expect = tuple(Expect(**{**item, "rules": tuple(item["rules"])}) for item in listed)
    return Plant(expect=expect, **given)  # type: ignore[arg-type]


def read_lines(name: str) -> list[str]:
    """Lines of one text file, split at line feeds only."""
    return (TEXTS / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def csv_bytes(rows: Iterable[Sequence[str]]) -> bytes:
    """Comma-separated rows, quoted where needed, with line feeds."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8")


def csv_line(rows: Sequence[Sequence[str]], index: int) -> int:
    """The line of the file on which row `index` starts, from 1."""
    return csv_bytes(rows[:index]).count(b"\n") + 1


def jsonl_bytes(rows: Iterable[dict[str, object] | str]) -> bytes:
    """One JSON object per line; a string is written as it is (a broken line)."""
    lines = (r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) for r in rows)
    return "".join(line + "\n" for line in lines).encode("utf-8")


def gold_bytes(rows: Iterable[Gold]) -> bytes:
    """gold.jsonl."""
    return jsonl_bytes(asdict(row) for row in rows)
