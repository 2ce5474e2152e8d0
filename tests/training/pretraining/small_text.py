"""A small text with something to learn, a tokenizer for it, and pretraining jobs over both."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.core.ids import draw
from pipeline.training.pretraining.architectures import ARCHITECTURES, config_of, digest_of
from pipeline.training.pretraining.job import PretrainingJob
from pipeline.training.pretraining.recipe import PretrainingRecipe, update_recipe
from pipeline.training.scratch import train_tokenizer
from pipeline.training.tokens import Tokens

#: What happens where: a place tells the rest of its sentence.
PLACES = {
    "강릉에서": "커피 축제가 열렸습니다",
    "여수에서": "불꽃 놀이를 보았습니다",
    "군산에서": "오래된 빵집을 찾았습니다",
    "안동에서": "하회탈 공연이 있었습니다",
    "춘천에서": "닭갈비를 먹었습니다",
    "목포에서": "항구를 거닐었습니다",
}
WHEN = ("어제", "오늘", "지난주에", "작년에")
CONFIG = """{"num_hidden_layers": 2, "hidden_size": 32, "num_attention_heads": 2,
 "intermediate_size": 64, "hidden_dropout_prob": 0.1}"""
RECIPE = PretrainingRecipe(
    learning_rate=5e-3,
    batch_size=16,
    epochs=2,
    max_length=32,
    warmup=0.1,
    masked=0.15,
    masking="dynamic",
    next_sentence=False,
    packing="sentences",
    held_out=0.1,
    measured=4,
    dropout=0.1,
)


def sentence(name: str) -> str:
    place = list(PLACES)[int(draw(0, "place", name) * len(PLACES))]
    return f"{WHEN[int(draw(0, 'when', name) * 4)]} {place} {PLACES[place]}."


def documents(many: int, *, longest: int = 6) -> list[list[str]]:
    """Return documents of one to `longest` sentences."""
    sizes = [1 + int(draw(0, "size", str(i)) * longest) for i in range(many)]
    return [[sentence(f"{i}-{k}") for k in range(size)] for i, size in enumerate(sizes)]


def write(path: Path, texts: list[list[str]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join("\n".join(text) for text in texts) + "\n", "utf-8")
    return path


@cache
def tokens() -> Tokens:
    return Tokens(train_tokenizer([line for text in documents(40) for line in text], 160))


def job(folder: Path, *, architecture: str = "roberta", many: int = 150, **changed: Any) -> Any:
    """Return a job on the small text; names of the recipe go there."""
    recipe = {
        name: changed.pop(name) for name in list(changed) if name in PretrainingRecipe.model_fields
    }
    size = folder.parent / "size.json"
    size.parent.mkdir(parents=True, exist_ok=True)
    size.write_text(CONFIG, "utf-8")
    text = folder.parent / "text" / "part-00000.txt"
    if not text.exists():
        write(text, documents(many))
    config = config_of(ARCHITECTURES[architecture], str(size), tokens())
    made = PretrainingJob(
        files=[text],
        tokens=tokens(),
        architecture=ARCHITECTURES[architecture],
        config=config,
        size="size.json",
        origin=digest_of(config),
        recipe=update_recipe(RECIPE, recipe),
        folder=folder,
    )
    return replace(made, **changed)
