"""DST, dialogue state tracking (Section 3.8): what does the user want by now?

From goal to score, in the order of the parts (dialogues are written, not drawn from a corpus):

    spec.py            the sections `sampling` and `split` of annotation_specs/dst/spec.yaml
    schema.py          slots by domain, their names, and times of the day
    build_inputs.py    places and metro lines that a build names
    knowledge/         the knowledge base: places, virtual and real, and metro lines
    goals/             goals of dialogues, drawn by plan, with counterfactual ones; parts.py draws
                       what is wanted of a place, a taxi or the metro
    instruction.py     the Korean text of a goal, from phrases (wording.py)
    candidates.py      stage `candidates`: goals with instructions and knowledge
    task.py            the answers: dialogues with a state after each user turn
    returned.py        checks of dialogues that come back: values that are heard in texts
    simulated.py       dialogues of simulated writers, from phrasing.py
    split.py           counterfactual goals and unseen instances go to dev and test
    columns.py         the columns of a release; official.py reads and writes the files of WoS
    statistics.py      the tables of the report
    head/              the head of the baseline: TRADE (trade.py), values looked up (values.py)
    scorer.py          reads predictions; joint goal accuracy and slot F1
"""
