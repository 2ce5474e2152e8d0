"""Fits the weights by which the possible spans of RE are ranked (`pipeline/tasks/re/ranking.py`).

    python tools/fit_ranking.py KLUE-NER.tsv KLUE-RE.csv --out DIR

Two logistic regressions with an L2 penalty. P(entity) learns from a tenth of KLUE-NER, where all
entities are marked; P(marked) from the tuning half of KLUE-RE, where two of a sentence are. Scores
of a tagger on what it learnt from say too much: each third of the tuning half, and the tenth, are
scored by taggers that learnt from the rest. No knowledge base is asked.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final, NamedTuple

import typer

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tools"))

from relation_items import from_entities, from_relations  # noqa: E402
from train_tagger import Recipe, fit  # noqa: E402

from flows.view.console import handle_errors, say  # noqa: E402
from pipeline.contracts.official.files import read_official  # noqa: E402
from pipeline.core.ids import draw  # noqa: E402
from pipeline.core.jsontext import parsed  # noqa: E402
from pipeline.core.morphology import morphemes  # noqa: E402
from pipeline.sampling.tagging.crf import SHIPPED_RE, Crf, library, load_crf  # noqa: E402
from pipeline.sampling.tagging.labelled import Labelled  # noqa: E402
from pipeline.tasks.re.detection import Detection  # noqa: E402
from pipeline.tasks.re.entities import Entity, unite_equal  # noqa: E402
from pipeline.tasks.re.ranking import describe, is_judged  # noqa: E402

LABELS: Final = ("DAT", "LOC", "NOH", "ORG", "PER", "POH")
FOLDS: Final = 3
#: The inverse penalties of the two regressions.
ENTITY_C: Final = 0.1
MARKED_C: Final = 0.3
DECIMALS: Final = 4


class Row(NamedTuple):
    """A possible span of a text and its features."""

    text: str
    entity: Entity
    features: dict[str, float]


def is_held(text: str) -> bool:
    """Tell whether a text of KLUE-NER is of the tenth that no tagger learns from."""
    return draw(3, "nh", text) < 0.1


def fold_of(text: str) -> int:
    """Return the third of the tuning half that a sentence falls into."""
    return int(draw(7, "cv", text) * FOLDS)


def train_fold(
    entities: Sequence[Labelled], relations: Sequence[Labelled], path: Path, *, fold: int
) -> None:
    """Train a tagger on all but a fold of the relations and the tenth of the entities."""
    texts = [text for text in entities if not is_held(text.text)]
    texts += [text for text in relations if fold_of(text.text) != fold]
    fit(texts, path, recipe=Recipe())


def open_tagger(path: Path) -> Crf:
    """Return the tagger of weights that lie alone."""
    model = library().Tagger()
    model.open(str(path))
    return Crf(model, LABELS, path.name, "")


def rows_of(tagger: Crf, texts: Iterable[str]) -> Iterator[Row]:
    """Yield the possible spans of texts that the ranking judges."""
    detection, sentences = Detection(tagger, None, has_forms=True), list(texts)
    for text, mentions in zip(sentences, tagger.spans(sentences), strict=True):
        words = morphemes(text)
        entities, scores = detection.possible(text, words, mentions)
        united = unite_equal(entities)
        rows = zip(united, describe(text, words, united, scores), strict=True)
        yield from (Row(text, e, features) for e, features in rows if is_judged(e))


def regress(rows: Sequence[Row], answers: Sequence[bool], *, c: float) -> dict[str, float]:
    """Return the weights of the features by name."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    vectorizer = DictVectorizer()
    matrix: Any = vectorizer.fit_transform([row.features for row in rows])
    model = LogisticRegression(C=c, max_iter=5000, fit_intercept=False).fit(matrix, answers)
    names = vectorizer.get_feature_names_out()
    weights = zip(names, model.coef_[0], strict=True)
    return {str(name): round(float(weight), DECIMALS) for name, weight in weights}


def marked_spans(path: Path) -> set[tuple[str, int, int]]:
    """Return the spans that annotators of KLUE-RE marked, with their sentences."""
    items = read_official("re", path).items.select(["fields"]).to_pylist()
    fields = [parsed(row["fields"]) for row in items]
    ends = [(row["sentence"], row[name]) for row in fields for name in ("subject", "object")]
    return {(sentence, end["start"], end["end"]) for sentence, end in ends}


def learn(
    entities: Sequence[Labelled], relations: Sequence[Labelled], taggers: Sequence[Crf]
) -> Iterator[tuple[list[Row], list[Row]]]:
    """Yield, for the tagger of each fold, its rows of the tenth and those of its fold."""
    held = [text.text for text in entities if is_held(text.text)]
    for fold, tagger in enumerate(taggers):
        own = [text.text for text in relations if fold_of(text.text) == fold]
        yield [*rows_of(tagger, held)], [*rows_of(tagger, own)]


def fit_weights(
    entities: Sequence[Labelled],
    pools: Iterable[tuple[list[Row], list[Row]]],
    marked: set[tuple[str, int, int]],
) -> dict[str, dict[str, float]]:
    """Return the weights of P(entity) and P(marked).

    POH is no type of KLUE-NER, so its spans teach nothing of P(entity).
    """
    gold = {(text.text, *span) for text in entities for span in text.spans}
    held, own = ([row for part in parts for row in part] for parts in zip(*pools, strict=True))
    held = [row for row in held if row.entity.type != "POH"]
    is_entity = [(row.text, *row.entity[:3]) in gold for row in held]
    is_marked = [(row.text, *row.entity[:2]) in marked for row in own]
    return {
        "entity": regress(held, is_entity, c=ENTITY_C),
        "marked": regress(own, is_marked, c=MARKED_C),
    }


def main(
    ner: Annotated[Path, typer.Argument(metavar="KLUE-NER.tsv")],
    re: Annotated[Path, typer.Argument(metavar="KLUE-RE.csv")],
    out: Annotated[Path, typer.Option("--out", help="Folder for weights.json.")],
) -> None:
    """Train a tagger for each third, rank its spans, and write the weights."""
    with handle_errors(), TemporaryDirectory() as folder:
        entities, relations = [*from_entities(ner)], [*from_relations(re, "tuning")]
        paths = [Path(folder) / f"{fold}.crfsuite" for fold in range(FOLDS)]
        for fold, path in enumerate(paths):
            train_fold(entities, relations, path, fold=fold)
        pools = learn(entities, relations, [open_tagger(path) for path in paths])
        weights = fit_weights(entities, pools, marked_spans(re))
        facts = {"tagger": load_crf(SHIPPED_RE).digest, **weights}
        text = json.dumps(facts, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        out.mkdir(parents=True, exist_ok=True)
        (out / "weights.json").write_text(text, "utf-8", newline="\n")
        say(f"written: {out / 'weights.json'}")


if __name__ == "__main__":
    typer.run(main)
