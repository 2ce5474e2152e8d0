"""Examples of tasks whose answer is one for the whole input, made up."""

from __future__ import annotations

from functools import cache
from typing import Any

from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.training.head import Head
from pipeline.training.preparing import HEADS
from pipeline.training.recipe import Recipe, recipe_of

#: The tasks whose answer is one for the whole input.
TASKS = ("nli", "re", "sts", "tc")
TITLES = (
    ("하늘시 도서관 새 단장, 다음 달 문 연다", "사회"),
    ("푸른전자 3분기 매출 12% 늘어", "경제"),
    ("바다군 축제에 사흘간 5만 명", "생활문화"),
    ("국회, 새 예산안 두고 밤샘 논의", "정치"),
    ("이웃 나라 산불 사흘째 번져", "세계"),
    ("별빛대, 물에서 소금 빼는 막 개발", "IT과학"),
    ("푸른구단, 연장 끝에 첫 승리", "스포츠"),
    ("하늘시 버스 요금 다음 달 오른다", "사회"),
)
PAIRS = (
    ("하늘시에 새 도서관이 문을 열었다.", "하늘시에는 도서관이 있다.", "entailment", 3.4),
    ("하늘시에 새 도서관이 문을 열었다.", "하늘시에는 도서관이 없다.", "contradiction", 1.2),
    ("하늘시에 새 도서관이 문을 열었다.", "도서관은 3층이다.", "neutral", 1.0),
    ("바다군 축제는 사흘 동안 열린다.", "축제는 하루보다 길다.", "entailment", 2.5),
    ("바다군 축제는 사흘 동안 열린다.", "축제는 하루에 끝난다.", "contradiction", 1.5),
    ("바다군 축제는 사흘 동안 열린다.", "축제에 많은 사람이 온다.", "neutral", 0.5),
    ("불을 켜 줘", "불 좀 켜 줄래?", "entailment", 5),
    ("불을 켜 줘", "오늘 비가 오니?", "neutral", 0),
)
#: Sentences with the subject in [] and the object in ().
MARKED = (
    ("[김하늘]은 (별빛대)의 교수이다.", "per:employee_of"),
    ("[푸른전자]는 (하늘시)에 있다", "org:place_of_headquarters"),
    ("감독 (이바다)와 배우 [김하늘]", "no_relation"),
    ("[바다군]은 (3월)", "no_relation"),
    ("(1990년)에 태어난 [박구름]", "per:date_of_birth"),
    ("[별빛대]는 (1950년)에 섰다.", "org:founded"),
    ("[김하늘]의 형 (김바람)", "per:siblings"),
    ("그날 [최노을](감독)이 왔다", "per:title"),
)


def head_of(task: str, **recipe: Any) -> Head:
    """Return the head of a task with its official recipe, but for what is given."""
    spec, official = _specs(task)
    return HEADS[task](spec, official.model_copy(update=recipe), [])


@cache
def _specs(task: str) -> tuple[TaskSpec, Recipe]:
    return load_spec(task), recipe_of(task)


def examples(task: str) -> list[Example]:
    """Return eight examples of a task, with their labels."""
    if task == "tc":
        return [made(task, i, {"title": text}, [label]) for i, (text, label) in enumerate(TITLES)]
    if task == "re":
        return [made(task, i, marked(text), label) for i, (text, label) in enumerate(MARKED)]
    names = ("premise", "hypothesis") if task == "nli" else ("sentence1", "sentence2")
    return [
        made(task, i, dict(zip(names, (one, two), strict=True)), label if task == "nli" else
             {"label": score, "real-label": score, "binary-label": int(score >= 3)})
        for i, (one, two, label, score) in enumerate(PAIRS)
    ]  # fmt: skip


def made(task: str, number: int, fields: dict[str, Any], label: Any = None) -> Example:
    """Return an example with an id of its own."""
    return Example(f"{task}-{number:03}", "toy", fields, label)


def marked(text: str) -> dict[str, Any]:
    """Return the fields of a sentence of MARKED."""
    sentence = "".join(letter for letter in text if letter not in "[]()")
    found = {}
    for side, (opens, closes) in {"subject": "[]", "object": "()"}.items():
        before = text[: text.index(opens)]
        start = sum(letter not in "[]()" for letter in before)
        word = "".join(c for c in text[text.index(opens) : text.index(closes)] if c not in "[]()")
        found[side] = entity(sentence, start, start + len(word))
    return {"sentence": sentence, **found}


def entity(sentence: str, start: int, end: int) -> dict[str, Any]:
    """Return an entity of a sentence."""
    return {"start": start, "end": end, "word": sentence[start:end], "type": "POH"}


def with_marks(fields: dict[str, Any]) -> str:
    """Return the sentence with markers as text; the entities do not overlap."""
    sides = ((fields["subject"], "subj"), (fields["object"], "obj"))
    text: str = fields["sentence"]
    for one, name in sorted(sides, key=lambda side: -side[0]["start"]):
        before, word, after = text[: one["start"]], one["word"], text[one["end"] :]
        text = f"{before}<{name}>{word}</{name}>{after}"
    return text
