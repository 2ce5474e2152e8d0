"""What hypotheses alone give away about their labels (Section 3.3.1, "Final Dataset").

Authors leave traces: a negation for a contradiction, an added clause for a neutral pair. The paper
trains a classifier on hypotheses without premises, takes as ideal that it can but give one third to
each label, and measures each pair's distance to that by cross entropy. The distances of the three
hypotheses of a premise are averaged, and dev and test are drawn from the fifth with the lowest: the
sets that are hardest to guess.

In reading order: pairs, classifier, linear, crossfit, sets; calibration and words say how far the
classifier is to be trusted, and what it lives on.
"""
