"""The parts of tasks that have none of their own, by their kind of answer."""
