"""The texts of an item as annotators read them, by name, in the order of showing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pipeline.annotation.exchange.offers import Offer
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Fields, Task, answered
from pipeline.core.jsontext import canonical

#: The Korean names of the texts of an item. `wanted` is the type of question to write, `more` holds
#: fields beyond those of the task, `told` the answer of the round before where it is of another
#: form (the morphemes, under a tree).
NAMES: Final = {
    "title": "제목",
    "sentence1": "문장 1",
    "sentence2": "문장 2",
    "premise": "전제",
    "hypothesis": "가설",
    "text": "문장",
    "sentence": "문장",
    "subject": "주체",
    "object": "객체",
    "words": "어절",
    "context": "지문",
    "goal": "목표",
    "wanted": "쓸 질문의 유형",
    "candidates": "슬롯에 넣을 값",
    "knowledge": "지식베이스 검색 결과",
    "more": "참고",
    "told": "앞 단계의 답",
    "first": "먼저 볼 답",
}


def texts_of(
    task: Task, spec: TaskSpec, round_: Round, fields: Fields, offer: Offer
) -> dict[str, str]:
    """Return what is shown of the fields: the task's own, the type that is asked for, the rest."""
    first, *others = (key for key in task.fields if _asked(key, spec, round_))
    wanted = _wanted(spec, asked_type(fields))
    told = {*task.fields, *offer.texts}
    told |= {"turns"} if turns_of(fields) else set()
    told |= {"question_type"} if wanted else set()
    more = {key: fields[key] for key in sorted(fields) if key not in told}
    return {
        first: _shown(task, first, fields),
        **named("wanted", wanted),
        **{key: _shown(task, key, fields) for key in others},
        **offer.texts,
        **named("more", "\n".join(f"{key}: {_listed(value)}" for key, value in more.items())),
    }


def named(name: str, text: str) -> dict[str, str]:
    """Return one text by its name, or nothing for an empty one."""
    return {name: text} if text else {}


def _wanted(spec: TaskSpec, kind: str) -> str:
    """Return in words which type of question is to be written, as the spec describes it."""
    found = (x for x in spec.labels if x.group == "question_type" and x.id == kind)
    return next((f"{x.id}. {x.title.ko}: {x.description.ko}" for x in found if x.description), "")


def _asked(key: str, spec: TaskSpec, round_: Round) -> bool:
    """Tell whether a field is shown: a hypothesis is not where hypotheses are written."""
    return key != "hypothesis" or answered(spec, round_) != "hypotheses"


def _shown(task: Task, key: str, fields: Fields) -> str:
    value = fields[key]
    if key == "words":
        return " ".join(value)
    if key in ("subject", "object") and isinstance(value, dict) and "word" in value:
        return f"{value['word']} ({value.get('type', '')})"
    if task.id == "re" and key == "sentence":
        return _marked(value, [(NAMES[k], fields[k]) for k in ("subject", "object")])
    return _plain(value)


def _marked(sentence: str, entities: Sequence[tuple[str, Any]]) -> str:
    """Return a sentence with its entities in brackets that name them."""
    inserts: list[tuple[int, int, str]] = []
    for name, entity in entities:
        if isinstance(entity, dict) and isinstance(entity.get("start"), int):
            inserts += [(entity["start"], 1, f"[{name}: "), (entity["end"], 0, "]")]
    for place, _order, mark in sorted(inserts, reverse=True):
        sentence = sentence[:place] + mark + sentence[place:]
    return sentence


def _listed(value: Any) -> str:
    """Return a value in one line if it is a list of texts."""
    texts = isinstance(value, list) and all(isinstance(one, str) for one in value)
    return ", ".join(value) if texts else _plain(value)


def _plain(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    return value if isinstance(value, str) else canonical(value)


def asked_type(fields: Fields) -> str:
    """Return the type of question that is asked for, or ""."""
    kind = fields.get("question_type")
    return str(kind) if type(kind) is int and kind in (1, 2, 3) else ""


def turns_of(fields: Fields) -> list[dict[str, Any]]:
    """Return the turns of a dialogue that is given, or none."""
    turns = fields.get("turns")
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        return []
    texts = [(turn.get("role"), turn.get("text")) for turn in turns]
    good = all(isinstance(one, str) for pair in texts for one in pair)
    return [{"role": role, "text": text, "state": []} for role, text in texts] if good else []
