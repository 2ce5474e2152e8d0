"""Prompts of DST: the state after each user turn, asked for turn by turn, as lines of slots.

A model sees the dialogue up to the turn, never what follows. A state that cannot be read counts as
a wrong one, also where the gold state is empty.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pipeline.scoring.harness.prompts import NOTHING, Doc, Prompt, Prompts, answer_lines

_LINE = re.compile(r"([^:]+?)\s*:\s*(.+)")
#: The state of a text that cannot be read.
_UNREAD = "?"
_SPEAKERS = {"user": "손님", "sys": "상담원"}


def _ask(doc: Doc) -> str:
    turns = "\n".join(f"{_SPEAKERS[turn['role']]}: {turn['text']}" for turn in doc.fields["turns"])
    return (
        "대화에서 지금까지 정해진 것을 '도메인-슬롯: 값'으로 한 줄씩 쓰세요."
        f" 상관없다는 값은 dontcare, 정해진 것이 없으면 '{NOTHING}'이라고 쓰세요.\n"
        f"슬롯: {', '.join(doc.labels)}\n{turns}\n상태:"
    )


def _items(_fields: Mapping[str, Any], label: Any) -> list[tuple[dict[str, Any], Any]]:
    items, heard = [], []
    for turn in label["turns"]:
        heard.append({"role": turn["role"], "text": turn["text"]})
        if turn["role"] == "user":
            items.append(({"turns": list(heard)}, turn.get("state")))
    return items


def _write(gold: list[str], _doc: Doc) -> str:
    parts = [state.split("-", 2) for state in gold]
    lines = [f"{domain}-{slot}: {value.strip()}" for domain, slot, value in parts]
    return "\n".join(lines) or NOTHING


def _read(text: str, doc: Doc) -> list[str] | None:
    lines = answer_lines(text)
    if lines == [NOTHING]:
        return []
    pairs = [pair.groups() for line in lines if (pair := _LINE.fullmatch(line))]
    state = {slot: value for slot, value in pairs if slot in doc.labels and value != "none"}
    if not lines or len(state) < len(lines):
        return None
    return [f"{slot}-{value}" for slot, value in state.items()]


def _count(gold: list[str], answer: list[str], _doc: Doc) -> dict[str, Any]:
    ours = {"-".join(part.strip() for part in state.split("-", 2)) for state in gold}
    theirs = set(answer)
    both, all_ = len(ours & theirs), len(ours) + len(theirs)
    return {
        "jga": [float(ours == theirs), 1.0],
        "slot_f1": [2 * both / all_ if all_ else 1.0, 1.0],
    }


PROMPTS = Prompts(
    prompts=(Prompt("plain", "gen", _ask, _write, _read, until=("\n\n",), tokens=384),),
    payloads=_count,
    aggregations={"jga": "ratio", "slot_f1": "ratio"},
    wrong=lambda _gold, _doc: [_UNREAD],
    items=_items,
    join=list,
    labels=lambda spec: {slot.id: slot.title.ko for slot in spec.slots if slot.informable},
    shots=1,
)
