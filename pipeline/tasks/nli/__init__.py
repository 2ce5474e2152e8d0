"""NLI, natural language inference (Section 3.3): entailment, contradiction or neither?

Sections and tables are those of the KLUE paper (Park et al. 2021). From sentence to score, in the
order of the parts:

    spec.py            the sections `sampling` and `split` of annotation_specs/nli/spec.yaml
    candidates.py      stage `candidates`: draws the premises, sentences that state something;
                       endings.py reads the mood of a Korean sentence from its last morphemes,
                       spacing.py finds words that are written as one
    task.py            the answers of annotators: three hypotheses for a premise in round `write`,
                       a label for a pair in round `validate`, and how two answers compare
    simulated.py       the answers of simulated annotators
    build_inputs.py    the classifier of hypotheses that a build file names
    before_split.py    stage `distances`: scores each pair for the split;
                       hypothesis_only.py: cross-fitting and the distance; linear.py:
                       the classifier, with its ngrams.py;
                       diagnostics.py: how well calibrated the classifier is, and typical words
    split.py           dev and test get whole sets of pairs on one premise, with low distance;
                       premise_sets.py: these sets, and how many of them each source has to give
    columns.py         the columns of a release; official.py reads and writes the files of KLUE
    statistics.py      the tables of the report, with the counts of round `validate`
    scorer.py          reads predictions; accuracy

An item is a premise in round `write`. Then `written_pairs` of annotation/batches/rounds.py makes an
item of each hypothesis, a pair, whose `meta.origin` is the id of the premise's item. Round
`validate` labels the pairs; the author's label and those of four validators are five votes, whose
majority is gold (agreement/aggregation/rules.py).

The *distance* of a pair is how far the prediction of a classifier that sees only the hypothesis is
from uniform. Low distance: the hypothesis reveals little. Dev and test take sets with low distance.

The baseline has the head of any category: a classifier over the pair (kinds/head.py).
"""
