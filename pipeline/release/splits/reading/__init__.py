"""MRC: parts of every type of question (Section 3.7.1)."""
