"""The eight tasks: what an answer is, and how two of them compare."""
