"""One approach for each kind of answer: how it is encoded, which head it has, how it is read."""
