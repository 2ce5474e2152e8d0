"""The trivial systems of DP: the next word as head, and heads drawn among the words to the right.

The relation is the most frequent one of train, of last words and of all others; in the second
system one that is drawn from train.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from pipeline.core.ids import draw
from pipeline.scoring.baselines import Baselines, Data

_OWN_WORDS: Final = "a tree is over its own words; that of a similar sentence has others"


def _next_word(data: Data) -> list[dict[str, Any]]:
    trees = [example.label["deprels"] for example in data.train]
    inner = _most_frequent(name for names in trees for name in names[:-1])
    last = _most_frequent(names[-1] for names in trees)
    counts = [len(example.fields["words"]) for example in data.test]
    return [
        {"heads": [*range(2, count + 1), 0], "deprels": [inner] * (count - 1) + [last]}
        for count in counts
    ]


def _random_words(data: Data) -> list[dict[str, Any]]:
    relations = [name for example in data.train for name in example.label["deprels"]]
    answers = []
    for example in data.test:
        count = len(example.fields["words"])
        chance = [
            [draw(data.seed, f"baselines.{what}", f"{example.id}:{word}") for word in range(count)]
            for what in ("head", "relation")
        ]
        heads = [word + 1 + int(x * (count - word)) for word, x in enumerate(chance[0], start=1)]
        deprels = [relations[int(x * len(relations))] for x in chance[1]]
        answers.append({"heads": [*heads[:-1], 0], "deprels": deprels})
    return answers


def _most_frequent(names: Iterable[str]) -> str:
    counts = Counter(names)
    return min(counts, key=lambda name: (-counts[name], name), default="NP")


BASELINES: Final = Baselines(
    {"most frequent": _next_word, "random": _random_words}, {"nearest": _OWN_WORDS}
)
