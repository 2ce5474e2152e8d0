"""TC, topic classification (Section 3.1): which of seven topics does a headline have?

From headline to score, in the order of the parts:

    spec.py         the sections `sampling` and `split` of annotation_specs/tc/spec.yaml
    build_inputs.py what candidates need of a build beside kept sentences: the documents
    candidates.py   stage `candidates`: draws headlines by press section, which annotators never see
    task.py         the answer of an annotator: up to three topics, the most relevant first; gold
                    and agreement take the first
    simulated.py    the answers of simulated annotators
    split.py        dev and test get the headlines from a day on, and earlier ones with a term that
                    train does not have
    columns.py      the columns of a release, whose folder is called ynat
    official.py     reads and writes the files of KLUE, in three forms
    statistics.py   the tables of the report
    scorer.py       reads predictions; macro F1
    head.py         the baseline: a classifier over the headline that learns the first topic
"""
