"""The official KLUE files (v1.1) of the eight tasks, in and out: one file a task, of one shape."""
