"""Which example belongs to which split: a rule a task, and what holds for all of them."""
