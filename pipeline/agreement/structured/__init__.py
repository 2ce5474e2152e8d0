"""Agreement of structured answers: spans, trees, dialogue states."""
