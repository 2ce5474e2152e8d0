"""A folder of tasks for lm-evaluation-harness, which needs nothing of this project.

    DIR/klue*.yaml                       groups
    DIR/TASK/klue_TASK_MODE[...].yaml    a task for each mode, form and split
    DIR/TASK/utils.py                    the part `prompts` of the task, with all that it imports
    DIR/TASK/{train,validation,test}.parquet, release.json

The harness looks for `utils.py` beside the YAML file that names it, and that one for its data
beside itself, so that the folder can be moved and read from any working directory.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.contracts.parts import Parts
from pipeline.contracts.splits import FILES, Split
from pipeline.contracts.task import Task
from pipeline.core import store
from pipeline.core.ids import draw
from pipeline.scoring.harness.prompts import Prompt, Prompts
from pipeline.scoring.harness.runtime import UNPARSED
from pipeline.scoring.harness.source import source_of

PROMPTS: Final[Mapping[str, Prompts]] = Parts("prompts", "PROMPTS")
#: What stands before the name of every task and group.
PREFIX: Final = "klue"
#: So many examples of train are enough to draw a few from.
_POOL: Final = 1_000
_SEED: Final = 0
_SCHEMA: Final = pa.schema(
    [
        ("guid", pa.string()),
        ("part", pa.int32()),
        ("parts", pa.int32()),
        ("fields", pa.string()),
        ("gold", pa.string()),
    ]
)
_OUTPUTS: Final = {"mc": "multiple_choice", "gen": "generate_until"}


class Row(NamedTuple):
    """One document: the example it is of, which part of how many, and the gold answer if public."""

    guid: str
    part: int
    parts: int
    fields: str
    gold: str | None


def write_task(
    folder: Path,
    task: Task,
    splits: Mapping[Split, Sequence[Example]],
    *,
    labels: Mapping[str, str],
    release: str,
) -> list[dict[str, str]]:
    """Write a task, and return its entries: name, mode, form and split.

    `splits` hold what is public: examples of test without their answers. Of train a keyed draw of
    1,000 is written.
    """
    prompts = PROMPTS[task.id]
    folder.mkdir(parents=True)
    for split, examples in splits.items():
        rows = [row._asdict() for row in rows_of(_pool(split, examples), prompts, split)]
        table = pa.Table.from_pylist(rows, _SCHEMA)
        store.write_parquet(folder / f"{FILES[split]}.parquet", table)
    store.write_text(folder / "utils.py", source_of(task))
    about = {"task": task.id, "release": release, "labels": labels}
    store.write_text(
        folder / "release.json", json.dumps(about, ensure_ascii=False, indent=1) + "\n"
    )
    entries = []
    for split in (split for split in splits if split != "train"):
        for prompt in prompts.prompts:
            name = _name(task.id, prompt, split)
            text = _task_yaml(name, prompts, prompt, split, shots="train" in splits)
            store.write_text(folder / f"{name}.yaml", text)
            entries.append({"name": name, "mode": prompt.mode, "form": prompt.form, "split": split})
    return entries


def write_groups(folder: Path, entries: Iterable[Mapping[str, str]]) -> dict[str, list[str]]:
    """Write the groups of tasks, and return the names of the tasks of each.

    `klue`: the usual prompts on dev in both modes; `klue_mc`, `klue_gen`: of one mode;
    `klue_FORM`: of another form; with `_test`, the same on test.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        end = "_test" if entry["split"] == "test" else ""
        if entry["form"] == "plain":
            groups[f"{PREFIX}{end}"].append(entry["name"])
            groups[f"{PREFIX}_{entry['mode']}{end}"].append(entry["name"])
        else:
            groups[f"{PREFIX}_{entry['form']}{end}"].append(entry["name"])
    for group, names in groups.items():
        lines = "".join(f"  - {name}\n" for name in names)
        store.write_text(folder / f"{group}.yaml", f"group: {group}\ntask:\n{lines}")
    return dict(groups)


def rows_of(examples: Iterable[Example], prompts: Prompts, split: str) -> Iterator[Row]:
    """Yield the documents of examples; those of test never have an answer."""
    for example in examples:
        items = prompts.items(example.fields, example.label)
        for part, (fields, gold) in enumerate(items):
            answer = None if split == "test" or gold is None else _json(gold)
            yield Row(example.id, part, len(items), _json(fields), answer)


def _pool(split: str, examples: Sequence[Example]) -> Sequence[Example]:
    if split != "train" or len(examples) <= _POOL:
        return examples
    return sorted(examples, key=lambda example: draw(_SEED, "shots", example.id))[:_POOL]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _name(task: str, prompt: Prompt, split: str) -> str:
    form = "" if prompt.form == "plain" else f"_{prompt.form}"
    return f"{PREFIX}_{task}_{prompt.mode}{form}{'_test' if split == 'test' else ''}"


def _task_yaml(name: str, prompts: Prompts, prompt: Prompt, split: Split, *, shots: bool) -> str:
    lines = [
        f"task: {name}",
        "custom_dataset: !function utils.load",
        f"metadata: {{version: 1.0, form: {prompt.form}, mode: {prompt.mode}}}",
        f"output_type: {_OUTPUTS[prompt.mode]}",
        *(("training_split: train", "fewshot_split: train") if shots else ()),
        f"{FILES[split]}_split: {FILES[split]}",
        f"num_fewshot: {prompts.shots if shots else 0}",
        "doc_to_text: prompt",
        "doc_to_target: target",
        "process_results: !function utils.process",
        *_answer_lines(prompt),
        "metric_list:",
    ]
    metrics = {} if split == "test" else dict(prompts.aggregations)
    if prompt.mode == "gen":
        metrics = {name: of for name, of in metrics.items() if name not in prompts.choices_only}
    for metric, function in {**metrics, UNPARSED: "ratio"}.items():
        better = "false" if metric == UNPARSED else "true"
        lines += [
            f"  - metric: {metric}",
            f"    aggregation: !function utils.{function}",
            f"    higher_is_better: {better}",
        ]
    return "\n".join(lines) + "\n"


def _answer_lines(prompt: Prompt) -> list[str]:
    if prompt.mode == "mc":
        return ["doc_to_choice: !function utils.choices_of"]
    until = json.dumps(list(prompt.until))
    settings = f"until: {until}, max_gen_toks: {prompt.tokens}, do_sample: false"
    return [f"generation_kwargs: {{{settings}}}"]
