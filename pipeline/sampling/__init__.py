"""Task-specific sampling: from kept sentences to candidates (Sections 3.1 to 3.8)."""
