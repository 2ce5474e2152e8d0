"""MRC, machine reading comprehension (Section 3.7): what does the passage answer?

From sentence to score, in the order of the parts:

    spec.py          the sections `sampling` and `split` of annotation_specs/mrc/spec.yaml
    build_inputs.py  known texts that a build names, and the tables of documents that are read
    candidates/      stage `candidates`: passages of articles (assembly.py), those that are asked
                     about, and the question type assigned to each
    task.py          the answers: a question, its type, its answers and plausible ones
    returned.py      checks of questions that come back, for inspectors
    simulated.py     the questions of simulated authors
    split.py         every question type in every split, no document in two of them
    columns.py       the columns of a release; official.py reads and writes KLUE-MRC's files
    statistics.py    the tables of the report
    head/            the head of the baseline: answer spans over windows (answers.py)
    scorer.py        reads predictions; exact match and ROUGE
"""
