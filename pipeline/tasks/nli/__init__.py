"""NLI, natural language inference (Section 3.3): entailment, contradiction or neither?

From sentence to score, in the order of the parts:

    spec.py            the sections `sampling` and `split` of annotation_specs/nli/spec.yaml
    candidates.py      stage `candidates`: draws the premises, sentences that state something;
                       endings.py reads the mood of a Korean sentence from its last morphemes
    task.py            the answers of annotators: three hypotheses for a premise in the first round,
                       a label for a pair in the rounds after it, and how two answers compare
    simulated.py       the answers of simulated annotators
    before_split.py    stage `distances`: what the split needs, a score of each pair;
                       hypothesis_only.py: how well a classifier guesses labels without premises;
                       diagnostics.py: how far that classifier can be trusted
    split.py           dev and test get whole sets of a premise, those that are hardest to guess;
                       premise_sets.py: these sets, and how many of them each source has to give
    columns.py         the columns of a release; official.py reads and writes the files of KLUE
    statistics.py      the tables of the report, with the counts of the validation round
    scorer.py          reads predictions; accuracy

The baseline has the head of any category: a classifier over the pair (kinds/head.py).
"""
