"""What each of the eight tasks is scored by, one file a task."""
