"""STS, semantic textual similarity (Section 3.2): how similar are two sentences, from 0 to 5?

From sentence to score, in the order of the parts:

    spec.py          the sections `sampling` and `split` of annotation_specs/sts/spec.yaml
    build_inputs.py  what candidates need of a build beside kept sentences: documents, translations;
                     stage `translate`: a share of the sentences goes to another language and back
    translation/     the translators: a file of translations, a checkpoint or a service; a journal
                     keeps their answers
    candidates.py    stage `candidates`: draws the pairs: a sentence and its translation (similar),
                     and sentences matched by ROUGE, spread over the scores (all degrees)
    intent_pairs.py  the pairs of sources with known intents, such as ParaKQC
    matching.py      content words, their ROUGE, and the greedy matching of sentences by it;
                     reference.py has rouge-score compute it anew
    task.py          the answer of an annotator: a whole score from 0 to 5, and how two compare
    simulated.py     the answers of simulated annotators
    split.py         dev and test get as many pairs of each score; train gets the rest;
                     selection.py chooses the pairs, by cheapest flows
    columns.py       the columns of a release; official.py reads and writes the file of KLUE
    statistics.py    the tables of the report
    head.py          the head of the baseline: a regression over the pair
    scorer.py        reads predictions; Pearson's r, and F1 of similar or not (from 3.0 on)
"""
