"""NER, named entity recognition (Section 3.4): which spans of a text name something, and what?

From sentence to score, in the order of the parts:

    spec.py         the sections `sampling` and `split` of annotation_specs/ner/spec.yaml
    build_inputs.py what candidates need of a build beside kept sentences: a tagger
    candidates.py   stage `candidates`: draws texts in which a tagger finds entities; its mentions
                    are shown to annotators as a suggestion
    task.py         the answer of an annotator: spans of six types that do not overlap, or a verdict
                    on those of another; how two answers compare
    simulated.py    the answers of simulated annotators
    split.py        test prefers sentences with entities that train does not have
    columns.py      the columns of a release: characters and their BIO tags
    official.py     reads and writes the file of KLUE, one character a row
    statistics.py   the tables of the report
    scorer.py       reads predictions; F1 of whole entities, and of characters

The baseline has the head of any spans: a tag for each token (kinds/head.py).
"""
