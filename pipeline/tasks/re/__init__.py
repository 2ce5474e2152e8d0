"""RE, relation extraction (Section 3.5): which relation holds between two entities?

From sentence to score, in the order of the parts:

    spec.py         the sections `sampling` and `split` of annotation_specs/re/spec.yaml
    knowledge/      the knowledge base of a call: one SQLite file, filled from triples
                    (triples.py), infoboxes and other bases; properties.py maps properties to
                    relations, and brings names and dates to the form of text
    build_inputs.py what candidates need of a build beside kept sentences: documents, a tagger,
                    knowledge
    detection.py    the entities of a sentence: a tagger's, and the names of the knowledge base
    candidates.py   stage `candidates`: draws one pair of a sentence at random, one by knowledge
    task.py         the answer of an annotator: a relation, and how two answers compare
    simulated.py    the answers of simulated annotators
    split/          dev and test take pairs that were drawn uniformly
    columns.py      the columns of a release; official.py reads and writes the files of KLUE
    statistics.py   the tables of the report
    head.py         the head of the baseline: markers around the entities, a classifier over them
    scorer.py       reads predictions; micro F1 without no_relation, and AUPRC
"""
