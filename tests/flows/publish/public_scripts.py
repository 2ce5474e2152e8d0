"""Fine-tuning as public KLUE scripts do it: only datasets, transformers and torch, no code of ours.

Usage: python public_scripts.py RELEASE MODEL OUT ynat|ner
"""

from __future__ import annotations

import json
import sys
from typing import Any

from datasets import load_dataset
from transformers import (
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
    AutoTokenizer,
    DataCollatorForTokenClassification,
    DataCollatorWithPadding,
    Trainer,
    TrainingArguments,
)

Rows = dict[str, list[Any]]


def ynat(release: str, model_name: str) -> dict[str, Any]:
    """Return what a trainer of headlines needs."""
    dataset = load_dataset(release, "ynat")
    names = dataset["train"].features["label"].names
    tokenizer = AutoTokenizer.from_pretrained(model_name)
    model = AutoModelForSequenceClassification.from_pretrained(
        model_name,
        num_labels=len(names),
        id2label=dict(enumerate(names)),
        label2id={name: number for number, name in enumerate(names)},
    )

    def tokenize(rows: Rows) -> Any:
        return tokenizer(rows["title"], truncation=True, max_length=128)

    tokenized = dataset.map(tokenize, batched=True)
    return {
        "model": model,
        "train_dataset": tokenized["train"],
        "eval_dataset": tokenized["validation"],
        "data_collator": DataCollatorWithPadding(tokenizer),
    }


def ner(release: str, model_name: str) -> dict[str, Any]:
    """Return what a trainer of tags needs: characters are words, as in `tokens` of the hub."""
    dataset = load_dataset(release, "ner")
    names = dataset["train"].features["ner_tags"].feature.names
    tokenizer = AutoTokenizer.from_pretrained(model_name)
    model = AutoModelForTokenClassification.from_pretrained(model_name, num_labels=len(names))

    def align(rows: Rows) -> Any:
        encoded = tokenizer(
            rows["tokens"], truncation=True, max_length=128, is_split_into_words=True
        )
        encoded["labels"] = []
        for number, tags in enumerate(rows["ner_tags"]):
            words = encoded.word_ids(batch_index=number)
            encoded["labels"].append([-100 if word is None else tags[word] for word in words])
        return encoded

    columns = dataset["train"].column_names
    parts = {name: dataset[name] for name in ("train", "validation")}
    tokenized = {
        name: part.map(align, batched=True, remove_columns=columns) for name, part in parts.items()
    }
    return {
        "model": model,
        "train_dataset": tokenized["train"],
        "eval_dataset": tokenized["validation"],
        "data_collator": DataCollatorForTokenClassification(tokenizer),
    }


def main() -> None:
    """Train for ten steps, evaluate, and print what came out as JSON."""
    release, model_name, out, task = sys.argv[1:]
    parts = {"ynat": ynat, "ner": ner}[task](release, model_name)
    arguments = TrainingArguments(
        output_dir=out,
        max_steps=10,
        per_device_train_batch_size=8,
        learning_rate=1e-3,
        seed=42,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        use_cpu=True,
        disable_tqdm=True,
    )
    trainer = Trainer(args=arguments, **parts)
    trainer.train()
    losses = [row["loss"] for row in trainer.state.log_history if "loss" in row]
    result = {"steps": trainer.state.global_step, "losses": losses, **trainer.evaluate()}
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
