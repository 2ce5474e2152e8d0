"""NLI, natural language inference (Section 3.3): entailment, contradiction or neither?

From sentence to score, in the order of the parts:

    spec.py            the sections `sampling` and `split` of annotation_specs/nli/spec.yaml
    candidates.py      stage `candidates`: draws the premises, sentences that state something;
                       endings.py reads the mood of a Korean sentence from its last morphemes
    task.py            the answers of annotators: three hypotheses for a premise in the first round,
                       a label for a pair in the rounds after it, and how two answers compare
    simulated.py       the answers of simulated annotators
    validation.py      the counts of the validation round
    before_split.py    what the split needs: a score of each pair, from the next part
    hypothesis_only/   stage `distances`: how well a classifier guesses labels without premises;
                       classifier.py, crossfit.py, and diagnostics.py for its report
    split/             dev and test get whole sets of a premise, those that are hardest to guess
    columns.py         the columns of a release; official.py reads and writes the files of KLUE
    statistics.py      the tables of the report
    head.py            the head of the baseline: a classifier over the pair
    scorer.py          reads predictions; accuracy
"""
