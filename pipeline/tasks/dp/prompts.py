"""Prompts of DP: a line for each word with its head and its relation.

An answer without a line for every word cannot be read; every word then counts as its own head.
"""

from __future__ import annotations

import re
from typing import Any

from pipeline.scoring.harness.prompts import Doc, Prompt, Prompts, answer_lines

_LINE = re.compile(r"(\d{1,4})\s*[:.]\s*(\d{1,4})\s+([A-Z_]+)")
#: The relations that are a class of their own in `las` (Table 14); all others are OTHERS.
_KEPT = (
    *("NP", "NP_AJT", "VP", "NP_SBJ", "VP_MOD", "NP_OBJ", "AP", "NP_CNJ", "NP_MOD", "VNP", "DP"),
    *("VP_AJT", "VNP_MOD", "NP_CMP", "VP_SBJ"),
)
_OTHERS = "OTHERS"
#: The class of a word with a wrong head: no gold word has it.
_WRONG_HEAD = "wrong head"


def _ask(doc: Doc) -> str:
    words = "\n".join(f"{place}: {word}" for place, word in enumerate(doc.fields["words"], start=1))
    return (
        "어절마다 지배소의 번호(없으면 0)와 의존 관계를 '번호: 지배소 관계'로 한 줄씩 쓰세요.\n"
        f"{words}\n분석:"
    )


def _labels(spec: Any) -> dict[str, str]:
    syntax, function = spec.ids("syntax"), spec.ids("function")
    names = [*syntax, *(f"{phrase}_{role}" for phrase in syntax for role in function)]
    return dict.fromkeys(names, "")


def _items(fields: Any, label: Any) -> list[tuple[dict[str, Any], Any]]:
    tree = label if label and "heads" in label else None
    return [(dict(fields), tree and {key: tree[key] for key in ("heads", "deprels")})]


def _write(gold: dict[str, Any], _doc: Doc) -> str:
    pairs = zip(gold["heads"], gold["deprels"], strict=True)
    return "\n".join(f"{place}: {head} {name}" for place, (head, name) in enumerate(pairs, start=1))


def _read(text: str, doc: Doc) -> dict[str, Any] | None:
    arcs, count = [_LINE.fullmatch(line) for line in answer_lines(text)], len(doc.fields["words"])
    parsed = {int(arc[1]): (int(arc[2]), arc[3]) for arc in arcs if arc}
    if len(arcs) != count or sorted(parsed) != list(range(1, count + 1)):
        return None
    heads, deprels = zip(*(parsed[place] for place in sorted(parsed)), strict=True)
    if max(heads) > count or not doc.labels.keys() >= set(deprels):
        return None
    return {"heads": list(heads), "deprels": list(deprels)}


def _class(relation: str) -> str:
    return relation if relation in _KEPT else _OTHERS


def _count(gold: dict[str, Any], answer: dict[str, Any], _doc: Doc) -> dict[str, Any]:
    right = [a == b for a, b in zip(gold["heads"], answer["heads"], strict=True)]
    ours, theirs = (list(map(_class, tree["deprels"])) for tree in (gold, answer))
    given = [name if hit else _WRONG_HEAD for hit, name in zip(right, theirs, strict=True)]
    both = [name for name, other in zip(ours, given, strict=True) if name == other]
    heads, predicted = (list(map(str, tree["heads"])) for tree in (gold, answer))
    same = [head for hit, head in zip(right, heads, strict=True) if hit]
    return {
        "uas": [heads, predicted, same],
        "las": [ours, given, both],
        "las_micro": [float(len(both)), float(len(ours))],
    }


def _wrong(gold: dict[str, Any], _doc: Doc) -> dict[str, Any]:
    return {"heads": list(range(1, len(gold["heads"]) + 1)), "deprels": gold["deprels"]}


PROMPTS = Prompts(
    prompts=(Prompt("plain", "gen", _ask, _write, _read, until=("\n\n",), tokens=768),),
    payloads=_count,
    aggregations={"uas": "macro_f1", "las": "macro_f1", "las_micro": "ratio"},
    wrong=_wrong,
    items=_items,
    labels=_labels,
    shots=3,
)
