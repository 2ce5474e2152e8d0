"""DP, dependency parsing (Section 3.6): which word depends on which, and how?

From sentence to score, in the order of the parts:

    spec.py          the sections `sampling` and `split` of annotation_specs/dp/spec.yaml
    candidates.py    stage `candidates`: complete sentences, formal and colloquial ones in equal
                     numbers, with suggested parts of speech (tagging.py)
    task.py          the answers: morphemes with tags in the first round, heads and relations in
                     the second, and how two trees compare
    simulated.py     the answers of simulated annotators
    split.py         every split has the sources in the shares of the whole
    columns.py       the columns of a release; official.py reads and writes KLUE-DP's files
    statistics.py    the tables of the report
    head/            the head of the baseline: words as features, biaffine arcs (network.py)
    scorer.py        reads predictions; UAS and LAS, as published and strict
"""
