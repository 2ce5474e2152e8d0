"""Reading comprehension: passages for questions, and the questions that come back (3.7.1)."""
